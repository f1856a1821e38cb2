// One thread's way from pushed words to issued instructions: FIFO, MOP expander, FIFO, replay expander, FIFO,
// wait gate. Pure C++.
//
// Source: tt-isa-documentation, PushTensixInstruction, MOPExpander, REPLAY, STALLWAIT;
// tile.md K2 to K5 and K8.
#pragma once

#include <sfpu/common/parameters.h>
#include <sfpu/frontend/pipeline_counters.h>
#include <sfpu/frontend/pipeline_state.h>
#include <sfpu/frontend/plain_runs.h>
#include <sfpu/frontend/slot_offer.h>
#include <sfpu/frontend/surroundings.h>
#include <sfpu/frontend/sync_unit.h>
#include <sfpu/frontend/thread_group.h>
#include <sfpu/probe/observer.h>

#include <algorithm>
#include <cstdint>
#include <optional>

namespace sfpu::frontend {

/// Timing. Each stage moves at most one word a cycle, and a word may pass several stages in one cycle, so
/// that a word that meets empty FIFOs issues in the cycle of its push. A stage waits while the FIFO behind it
/// is full; the place that a word leaves can be taken in the same cycle. The first FIFO accepts a push in a
/// cycle that begins with no more words held than front_end.fifo.accept_limit.
///
/// On Blackhole a pushed word is held until it has left the wait gate, or until an expander has taken it in
/// (MOP, MOP_CFG, REPLAY, words that are only loaded into the replay buffer): the later FIFOs add to the
/// look-ahead only while something expands. On Wormhole it is held until the MOP expander takes it.
///
/// Simulation is lazy: words wait with the cycle of their arrival until advance() lets time pass. A pipeline
/// that shares its vector unit with others (join()) passes time together with them, and never looks ahead:
/// what may still come for the others is not known.
class thread_pipeline {
public:
    /// `fifo`: as the hardware. `program`: words come from a program in memory, so that the first FIFO never
    /// fills.
    enum class feed : std::uint8_t { fifo, program };

    /// Competes with the other members of a group from now on.
    void join(thread_group& group);

    /// Everything as after construction; it stays in its group. The observer may be null.
    void reset(const parameters& config, unsigned thread, feed from, sync_unit& sync, surroundings& around,
               probe::pipeline_observer* observer);
    /// Takes over configuration, thread, counters, all words that are under way and all that is known about
    /// them. The group, the Sync Unit, the surroundings, the observer and the source of words stay. If those
    /// are in the state of the other pipeline's, both go on alike; neither feels the other any more.
    void take_state(const thread_pipeline& other);

    /// Pushes a word that the T core sends in cycle `at`. Returns the cycle in which it is accepted: the core
    /// goes on in the next one. Words that come in the same cycle are accepted together, as far as
    /// front_end.fifo.push_width allows. No value: the FIFO is full and will stay so until a semaphore
    /// changes from outside or another thread releases a mutex; nothing was pushed. `index` names the word,
    /// and what it expands to, in events.
    std::optional<cycles> push(std::uint32_t word, std::int64_t index, cycles at);
    /// push() if no time has to pass for it: it is known already since when there is room. Else no value. For
    /// words that a core pushes.
    std::optional<cycles> push_at_once(std::uint32_t word, std::int64_t index, cycles at) {
        at = std::max({at, state_.first_fifo.latest_arrival(), horizon_});
        if (!state_.first_fifo.joins_arrival(at)) {
            if (at == state_.first_fifo.latest_arrival()) ++at;
            const std::optional<cycles> room = known_room(at);
            if (!room) return std::nullopt;
            at = *room;
        }
        take(word, index, at);
        return at;
    }
    /// How many words, one a cycle, would still be accepted without letting time pass.
    unsigned sure_room() const { return state_.first_fifo.sure_room(); }
    /// Words that one cycle can bring.
    unsigned push_width() const { return state_.first_fifo.push_width(); }
    /// push() without looking ahead: no value if there is no room at `at`. `asked`: since when the core has
    /// tried.
    std::optional<cycles> push_now(std::uint32_t word, std::int64_t index, cycles asked, cycles at);
    /// The same for the B core, whose words enter behind the MOP expander.
    std::optional<cycles> push_b(std::uint32_t word, std::int64_t index, cycles at);
    std::optional<cycles> push_b_now(std::uint32_t word, std::int64_t index, cycles at);

    /// The core stopped before this cycle: words that it pushed ahead of time, in that cycle and later, never
    /// came.
    void forget_from(cycles at);

    /// The T core is reset in this cycle: what stands before the MOP expander or is being expanded is gone.
    void discard_unexpanded(cycles at);

    void set_mop_config(unsigned index, std::uint32_t value, cycles at);
    std::uint32_t mop_config(unsigned index) const { return state_.mop.config(index); }
    void set_mop_mask_hi(std::uint32_t value) { state_.mop.set_mask_hi(value); }

    /// Issues everything that issues before `end`, and nothing that issues later.
    void advance(cycles end);
    /// Issues everything that can issue, however late. For a program, whose words depend on nothing else.
    void run_ahead();
    /// The same at the end. What a wait holds for ever stays, and is reported.
    void run_to_end();

    /// A semaphore changed in cycle `at`; time has been let pass up to it.
    void semaphores_changed(cycles at) { state_.gate.semaphores_change(at); }

    /// The first cycle from `at` on in which no word is under way here or in the vector unit; entries of
    /// macros that wait for further instructions do not count. No value: a wait holds a word for ever.
    std::optional<cycles> idle_from(cycles at);
    /// The first cycle from `at` on in which no MOP waits or is being expanded.
    std::optional<cycles> mop_idle_from(cycles at);
    /// The same questions about this cycle alone, with all time up to it passed.
    bool is_idle(cycles at);
    bool is_mop_idle() { return !state_.mop.is_expanding() && !state_.first_fifo.has_mops(); }

    bool is_empty() { return state_.first_fifo.empty() && state_.b_core.empty() && !state_.is_working(); }
    /// Status bits (instruction_class.h) of all words that are under way and came before this cycle.
    std::uint32_t queued_status(cycles before = forever) { return state_.status(before); }
    /// How many words wait that were pushed ahead of time, in this cycle or later.
    std::size_t pushed_from(cycles at) const { return state_.pushed_from(at); }
    /// State of the FIFO before the replay expander.
    bool replay_fifo_full() const { return state_.replay_fifo.full(); }
    bool replay_fifo_empty() const { return state_.replay_fifo.empty(); }

    /// Everything before this cycle has been simulated.
    cycles horizon() const { return horizon_; }
    /// The cycle in which the MOP expander took in the latest word.
    cycles latest_intake() const { return state_.mop.latest_intake(); }
    /// The first cycle in which the next word can issue.
    cycles next_issue() const { return state_.issue.free(); }
    const pipeline_counters& counters() const { return state_.context.counters; }
    unsigned thread() const { return state_.context.thread(); }

    /// Where a program's words come from, if they are not pushed: each is asked for when the one before it
    /// has been taken in.
    class word_source {
    public:
        virtual ~word_source() = default;
        struct next_word {
            std::uint32_t word;
            std::int64_t index;
            unsigned bubbles; ///< idle cycles before it
        };
        virtual std::optional<next_word> next() = 0;
    };
    void set_source(word_source* source) { source_ = source; }

private:
    friend class thread_group;

    // --- for the group ---

    /// Moves words up to the wait gate that get there before `end`; what stands there then.
    slot_offer offer_before(cycles end);
    /// Lets the wait look at all cycles before `end`. Whether that decided it.
    bool judge_wait(cycles end) { return state_.gate.judge(end); }
    /// Lets the wait look at this cycle, before anything passes in it.
    void judge_wait_of(cycles at) { state_.gate.look_at(at); }
    /// Nothing happens here before `end`.
    bool is_quiet_before(cycles end);
    bool sees_every_issue() const { return state_.gate.sees_every_issue(); }
    /// Another thread's word is issued at `at` while this one was ready, or held by the unit.
    void lose_slot(const slot_offer& what, cycles at) {
        state_.context.around().hold_back(what.word, what.index, what.at, at + one_cycle);
    }
    void another_has_issued(cycles at) { state_.gate.another_has_issued(at); }
    /// What passes before `end` has passed.
    void has_come_to(cycles end);
    void come_to_end();
    cycles next_action(cycles now);

    // --- pushes ---

    bool shares_slot() const { return group_ && group_->is_shared(); }
    /// A word arrives.
    void take(std::uint32_t word, std::int64_t index, cycles at) {
        ++state_.context.counters.words_in;
        if (state_.first_fifo.add(word, index, at)) settle_departures(state_);
    }
    /// Since when there is room for a push that comes in this cycle, if that is known without letting time
    /// pass.
    std::optional<cycles> known_room(cycles at) {
        if (state_.first_fifo.has_room(at)) return at;
        const std::optional<cycles> room = state_.first_fifo.foretold_room();
        if (room) count_full(at, *room);
        return room;
    }
    std::optional<cycles> wait_for_room(cycles at);
    void count_full(cycles asked, cycles at);
    bool only_unit_makes_room() { return !shares_slot() && only_unit_holds(state_); }
    bool issue_until_room();
    bool refill();

    // --- stages: each step moves one word, or several at once, if that happens before `end` ---

    void run(cycles end);
    void move_to_gate(cycles end);
    bool step_mop(cycles end);
    bool step_replay(cycles end);
    bool step_playback(cycles end) {
        return state_.replay.step_playback(end, state_.gate_fifo, state_.context);
    }
    bool step_gate(cycles end);

    thread_group* group_ = nullptr;
    word_source* source_ = nullptr;

    pipeline_state state_;
    feed from_ = feed::fifo;
    cycles horizon_{};
    bool stuck_reported_ = false;
};

} // namespace sfpu::frontend
