// One thread's way from pushed words to issued instructions: FIFO, MOP expander, FIFO, replay expander, FIFO, wait gate.
// Pure C++.
//
// Source: tt-isa-documentation, PushTensixInstruction, MOPExpander, REPLAY, STALLWAIT; tile.md K2 to K5 and K8.
#pragma once

#include <sfpu/common/parameters.h>
#include <sfpu/frontend/mop_expander.h>
#include <sfpu/frontend/replay_expander.h>
#include <sfpu/frontend/surroundings.h>
#include <sfpu/frontend/thread_group.h>
#include <sfpu/frontend/wait_gate.h>
#include <sfpu/frontend/word_queue.h>
#include <sfpu/isa/word_encoding.h>
#include <sfpu/probe/observer.h>

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace sfpu::frontend {

struct pipeline_counters {
    std::uint64_t words_in = 0;         ///< pushed by the T core
    std::uint64_t b_words_in = 0;       ///< pushed by the B core
    std::uint64_t words_out = 0;        ///< handed to the vector unit
    std::uint64_t mops = 0;             ///< MOP words
    std::uint64_t mop_words = 0;        ///< what they became
    std::uint64_t replays = 0;          ///< REPLAY words that play
    std::uint64_t replay_words = 0;     ///< what they became
    std::uint64_t loaded_words = 0;     ///< words that only went into the replay buffer
    std::uint64_t collisions = 0;       ///< words of the T core that were lost to words of the B core
    std::uint64_t full_cycles = 0;      ///< cycles for which pushes waited because the FIFO was full
    std::uint64_t wait_gate_cycles = 0; ///< cycles for which a wait held a word
};

/// Timing. Each stage moves at most one word a cycle, and a word may pass several stages in one cycle, so that a word
/// that meets empty FIFOs issues in the cycle of its push. A stage waits while the FIFO behind it is full; the place that
/// a word leaves can be taken in the same cycle. The first FIFO accepts a push in a cycle that begins with no more words
/// held than front_end.fifo.accept_limit.
///
/// On Blackhole a pushed word is held until it has left the wait gate, or until an expander has taken it in (MOP,
/// MOP_CFG, REPLAY, words that are only loaded into the replay buffer): the later FIFOs add to the look-ahead only while
/// something expands. On Wormhole it is held until the MOP expander takes it.
///
/// Simulation is lazy: words wait with the cycle of their arrival until advance() lets time pass. A pipeline that shares its
/// vector unit with others (join()) passes time together with them, and never looks ahead: what may still come for the
/// others is not known.
class thread_pipeline {
public:
    /// `fifo`: as the hardware. `program`: words come from a program in memory, so that the first FIFO never fills.
    enum class feed : std::uint8_t { fifo, program };

    /// Competes with the other members of a group from now on.
    void join(thread_group& group);

    /// Everything as after construction; it stays in its group. The observer may be null.
    void reset(const parameters& config, unsigned thread, feed from, sync_unit& sync, surroundings& around,
               probe::pipeline_observer* observer);

    /// Pushes a word that the T core sends in cycle `at`. Returns the cycle in which it is accepted: the core goes on in
    /// the next one. Words that come in the same cycle are accepted together, as far as front_end.fifo.push_width allows.
    /// No value: the FIFO is full and will stay so until a semaphore changes from outside or another thread releases a mutex;
    /// nothing was pushed.
    /// `index` names the word, and what it expands to, in events.
    std::optional<cycles> push(std::uint32_t word, std::int64_t index, cycles at);
    /// push() if no time has to pass for it: it is known already since when there is room. Else no value. For words that a core
    /// pushes.
    std::optional<cycles> push_at_once(std::uint32_t word, std::int64_t index, cycles at) {
        at = std::max({at, latest_arrival_, horizon_});
        if (!joins_arrival(at)) {
            if (at == latest_arrival_) ++at;
            const std::optional<cycles> room = known_room(at);
            if (!room) return std::nullopt;
            at = *room;
        }
        take(word, index, at);
        return at;
    }
    /// How many words, one a cycle, would still be accepted without letting time pass.
    unsigned sure_room() const {
        const unsigned held = held_ - departures_.passed();
        return held <= accept_limit_ ? accept_limit_ + 1 - held : 0;
    }
    /// Words that one cycle can bring.
    unsigned push_width() const { return push_width_; }
    /// push() without looking ahead: no value if there is no room at `at`. `asked`: since when the core has tried.
    std::optional<cycles> push_now(std::uint32_t word, std::int64_t index, cycles asked, cycles at);
    /// The same for the B core, whose words enter behind the MOP expander.
    std::optional<cycles> push_b(std::uint32_t word, std::int64_t index, cycles at);
    std::optional<cycles> push_b_now(std::uint32_t word, std::int64_t index, cycles at);

    /// The core stopped before this cycle: words that it pushed ahead of time, in that cycle and later, never came.
    void forget_from(cycles at);

    /// The T core is reset in this cycle: what stands before the MOP expander or is being expanded is gone.
    void discard_unexpanded(cycles at);

    void set_mop_config(unsigned index, std::uint32_t value, cycles at);
    std::uint32_t mop_config(unsigned index) const { return mop_.config(index); }
    void set_mop_mask_hi(std::uint32_t value) { mop_.set_mask_hi(value); }

    /// Issues everything that issues before `end`, and nothing that issues later.
    void advance(cycles end);
    /// Issues everything that can issue, however late. For a program, whose words depend on nothing else.
    void run_ahead();
    /// The same at the end. What a wait holds for ever stays, and is reported.
    void run_to_end();

    /// A semaphore changed in cycle `at`; time has been let pass up to it.
    void semaphores_changed(cycles at) { gate_.semaphores_change(at); }

    /// The first cycle from `at` on in which no word is under way here or in the vector unit; entries of macros that wait
    /// for further instructions do not count. No value: a wait holds a word for ever.
    std::optional<cycles> idle_from(cycles at);
    /// The first cycle from `at` on in which no MOP waits or is being expanded.
    std::optional<cycles> mop_idle_from(cycles at);
    /// The same questions about this cycle alone, with all time up to it passed.
    bool is_idle(cycles at);
    bool is_mop_idle() { return !mop_.pending() && waiting_mops_ == 0; }

    bool is_empty() { return fifo_.empty() && b_fifo_.empty() && !is_working(); }
    /// Status bits (instruction_class.h) of all words that are under way and came before this cycle.
    std::uint32_t queued_status(cycles before = forever);
    /// State of the FIFO before the replay expander.
    bool replay_fifo_full() const { return replay_fifo_.full(); }
    bool replay_fifo_empty() const { return replay_fifo_.empty(); }

    /// Everything before this cycle has been simulated.
    cycles horizon() const { return horizon_; }
    /// The cycle in which the MOP expander took in the latest word.
    cycles latest_intake() const { return latest_intake_; }
    /// The first cycle in which the next word can issue.
    cycles next_issue() const { return gate_free_; }
    const pipeline_counters& counters() const { return counters_; }
    unsigned thread() const { return thread_; }

    /// Where a program's words come from, if they are not pushed: each is asked for when the one before it has been
    /// taken in.
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

    /// The word that would pass the wait gate next.
    struct offer {
        std::uint32_t word = 0;
        std::int64_t index = -1;
        cycles at = forever;     ///< it does not pass before
        bool is_open = false;    ///< and does then, unless the unit holds it
        cycles issues = forever; ///< when the unit would issue it, if it is open, else `at`
    };
    /// Moves words up to the wait gate that get there before `end`; what stands there then.
    offer offer_before(cycles end);
    void move_to_gate(cycles end);
    /// Lets the wait look at all cycles before `end`. Whether that decided it.
    bool judge_wait(cycles end);
    /// Lets the wait look at this cycle, before anything passes in it.
    void judge_wait_of(cycles at) { gate_.look_at(at); }
    /// Nothing happens here before `end`.
    bool is_quiet_before(cycles end);
    bool sees_every_issue() const { return gate_.sees_every_issue(); }
    /// Another thread's word is issued at `at` while this one was ready, or held by the unit.
    void lose_slot(const offer& what, cycles at);
    void another_has_issued(cycles at) { gate_.another_has_issued(at); }
    /// What passes before `end` has passed.
    void has_come_to(cycles end);
    void come_to_end();
    cycles next_action(cycles now);
    bool refill();

    struct queued_word {
        std::uint32_t word = 0;
        bool held = false; ///< takes a place of the first FIFO until it has left the wait gate
        std::int64_t index = -1;
        cycles at{}; ///< since when it can be taken
    };
    using fifo = word_queue<queued_word>;
    /// When words left a FIFO.
    class leaving_times {
    public:
        void reset(unsigned depth);
        /// Since when the next word to enter has had room, `waiting` words being in the FIFO.
        cycles room_since(std::size_t waiting) const {
            const std::size_t place = next_ + waiting;
            return times_[place < times_.size() ? place : place - times_.size()];
        }
        void add(cycles at) {
            times_[next_] = at;
            if (++next_ == times_.size()) next_ = 0;
        }

    private:
        std::vector<cycles> times_;
        std::size_t next_ = 0;
    };

    static constexpr unsigned longest_run = 64; ///< words that are handed to the unit at once
    /// When the first words of the pipeline will be issued, as far as that is known though they have not been.
    class coming_departures {
    public:
        unsigned size() const { return count_ - first_; }
        cycles operator[](unsigned index) const { return times_[first_ + index]; }
        /// How many come before this cycle; cycles do not go back.
        unsigned before(cycles at) {
            while (passed_ < count_ && times_[passed_] < at) ++passed_;
            return passed();
        }
        /// How many come before the cycle that was asked for last.
        unsigned passed() const { return passed_ - first_; }
        void clear() { first_ = passed_ = count_ = 0; }
        template <class Source>
        void fill(Source source) {
            clear();
            count_ = source(times_.data());
        }
        /// So many words have been issued, the last one in this cycle.
        void come_true(unsigned count, cycles last) {
            if (count >= size() || times_[first_ + count - 1] != last) return clear();
            first_ += count;
            passed_ = std::max(passed_, first_);
        }

    private:
        std::array<cycles, longest_run> times_;
        unsigned first_ = 0, passed_ = 0, count_ = 0;
    };

    cycles replay_fifo_room() const { return left_replay_fifo_.room_since(replay_fifo_.size()); }
    cycles gate_fifo_room() const { return left_gate_fifo_.room_since(gate_fifo_.size()); }

    bool is_working();
    bool is_stuck() const { return !gate_fifo_.empty() && gate_.holds_for_ever(gate_fifo_.front().word); }
    /// A word arrives.
    void take(std::uint32_t word, std::int64_t index, cycles at) {
        arrived_together_ = at == latest_arrival_ ? arrived_together_ + 1 : 1;
        latest_arrival_ = at;
        if (fifo_.full()) fifo_.set_capacity(2 * fifo_.capacity()); // a program's
        fifo_.push_back({word, true, index, at});
        ++held_;
        ++counters_.words_in;
        if (!is_for_expander(word)) return;
        waiting_mops_ += is_mop(word);
        ++expander_words_;
        settle_departures();
    }
    bool shares_slot() const { return group_ && group_->is_shared(); }
    void run(cycles end);
    std::optional<cycles> wait_for_room(cycles at);
    bool frees_nothing_while_playing();
    /// Whether a word that comes in this cycle is accepted together with the one before it.
    bool joins_arrival(cycles at) const {
        return at == latest_arrival_ && arrived_together_ < push_width_ &&
               held_ - departures_.passed() < depth_;
    }
    /// Since when there is room for a push that comes in this cycle, if that is known without letting time pass.
    std::optional<cycles> known_room(cycles at) {
        if (held_ - departures_.before(at) <= accept_limit_) return at;
        const unsigned leave = held_ - accept_limit_;
        if (departures_.size() < leave) return std::nullopt;
        const cycles room = departures_[leave - 1] + one_cycle;
        departures_.before(room);
        count_full(at, room);
        return room;
    }
    void count_full(cycles asked, cycles at);
    void release(const queued_word& word) { held_ -= word.held; }

    bool step_mop(cycles end);
    void take_in(cycles at);
    void end_mop(cycles at);
    void pass_mop_expander(const queued_word& word);
    bool step_b(cycles end, cycles t_core);
    cycles next_b_cycle() const;
    void pass_b(cycles at);

    bool step_replay(cycles end);
    bool step_playback(cycles end);
    void begin_replay(const queued_word& head);
    void played(unsigned count, cycles at);

    bool step_gate(cycles end);
    struct run_of_words;
    void collect(run_of_words& run);
    bool issue_run(cycles end, unsigned most = longest_run);
    bool only_unit_holds();
    bool issue_until_room();
    void foresee_departures();
    void settle_departures();
    void pass_all_stages(const cycles* issued, unsigned count);
    void count_wait(std::uint32_t word, cycles from, cycles until);
    bool plays_in_bursts() const;
    bool issue_burst(cycles end);
    bool issues_before(cycles end, std::uint32_t word, cycles at) const;

    void publish(const char* lane, const char* kind, cycles begin, cycles end, std::string_view text) const;

    architecture arch_ = architecture::blackhole;
    isa::word_encoding words_ = architecture::blackhole;
    unsigned thread_ = 0;
    feed from_ = feed::fifo;
    unsigned depth_ = 32, accept_limit_ = 28, push_width_ = 4;
    bool held_to_gate_ = true; ///< Blackhole
    unsigned longest_run_ =
        longest_run; ///< one word if the unit takes several in a cycle, which the gate does not pass
    cycles dead_cycles_{1}, replay_start_{}, longest_hold_{};
    thread_group* group_ = nullptr;
    word_source* source_ = nullptr;
    surroundings* around_ = nullptr;
    probe::pipeline_observer* observer_ = nullptr;
    pipeline_counters counters_;

    fifo fifo_, b_fifo_, replay_fifo_, gate_fifo_;
    unsigned held_ = 0;            ///< places of the first FIFO that are taken
    coming_departures departures_; ///< of words of which each takes such a place
    cycles latest_arrival_{-1};
    unsigned arrived_together_ = 0; ///< words that came in latest_arrival_

    mop_expander mop_;
    std::int64_t mop_index_ = -1;
    cycles mop_begin_{},
        mop_free_{};     ///< when the expansion began; when the expander can emit or take in again
    cycles after_mop_{}; ///< when it can take in a word that is no MOP
    cycles latest_intake_{-1};
    unsigned waiting_mops_ = 0;   ///< MOPs in the first FIFO
    unsigned expander_words_ = 0; ///< words there for one of the expanders
    bool race_reported_ = false;
    cycles b_arrival_{}; ///< of the next word of the B core, at the earliest
    leaving_times left_replay_fifo_;

    replay_expander replay_;
    std::int64_t replay_index_ = -1;
    cycles replay_begin_{}, replay_free_{}; ///< when the playback began; when the expander can move a word
    leaving_times left_gate_fifo_;

    wait_gate gate_;
    cycles gate_free_{};
    bool stuck_reported_ = false;
    cycles horizon_{};
};

} // namespace sfpu::frontend
