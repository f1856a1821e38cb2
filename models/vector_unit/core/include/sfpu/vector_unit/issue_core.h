// Issues words, one a cycle (or as the machine has issue slots), holds them as the hardware does, and hands
// plans on. Counts cycles; knows no simulated time. Plain C++.
#pragma once

#include <sfpu/timing/planner.h>
#include <sfpu/vector_unit/plan_context.h>
#include <sfpu/vector_unit/push_arbitration.h>
#include <sfpu/vector_unit/unit_state.h>
#include <sfpu/vector_unit/unit_step.h>
#include <sfpu/vector_unit/word_follower.h>

#include <cstdint>
#include <vector>

namespace sfpu {

/// For words of senders that lag behind and have to know when their words are issued.
struct word_order {
    cycles start{};          ///< the first word may be issued from this cycle on, which may lie in the past
    std::int64_t index = -1; ///< names the first word in events and diagnostics
    std::uint8_t index_step = 0; ///< from the index of one word to that of the next; 0: all have one name
    std::uint8_t thread = 0;     ///< whose words they are, for a unit with one push port
    cycles end = forever;        ///< words that would be issued in this cycle or later are not taken
    cycles* issued = nullptr;    ///< out: the cycle of each word
    unsigned taken = 0;          ///< out: how many words were
};

/// Words come in pushes of any number of them, 4 bytes each, little-endian, one a cycle.
///
/// Each push port has a watermark: the earliest cycle at which its next word may come. With one port a word
/// is accepted at once. With several, words wait in their port's queue until it is known which goes first
/// (T22): no silent port can still bring one that would. A push behind its port's watermark counts as one at
/// the watermark.
///
/// Words with a word_order are accepted at once on any number of ports: who sends such words on several ports
/// (frontend::thread_group) brings them in the order of their issue, and says with hold_back() whom they keep
/// waiting.
///
/// With several ports, port n brings the words of thread n. With one, words are those of thread 0 unless a
/// word_order says otherwise.
class issue_core {
public:
    /// `ports`: 1 to isa::thread_count. Plans go to `sink`, whose context tells what outstanding instructions
    /// come from.
    issue_core(unit_state& state, plan_context& context, plan_sink& sink, unsigned ports);
    issue_core(const issue_core&) = delete;
    issue_core& operator=(const issue_core&) = delete;

    /// `is_heard`: somebody wants to know what happens when it happens.
    void reset(bool is_heard) { reset(is_heard, false); }
    /// The same, but what was learned of words stays: for the machine of the latest reset(), and if nobody
    /// observes.
    void restart(bool is_heard) { reset(is_heard, true); }
    /// As the other one, which has nothing put off; without what was learned of words. The state has been
    /// copied.
    void continue_from(const issue_core& other, bool is_heard);
    /// Others listen from now on: the state says who observes.
    void set_heard(bool is_heard) {
        complete();
        is_heard_ = is_heard;
        planner_.set_observed(state_.observer != nullptr);
    }

    /// Words that come one by one, as they came before, are issued as they come, by a plan for several of
    /// them, and executed when the plan is complete or somebody looks. This executes what has been put off.
    void complete() {
        if (follower_.plan()) complete_words();
    }
    /// Nothing is put off before somebody promises to call complete() in front of each look.
    void may_put_off() { somebody_completes_ = true; }
    void put_nothing_off() {
        complete();
        is_watched_ = true;
    }

    unsigned ports() const { return queues_.ports(); }
    /// Takes words from a port, none before `start`. Returns the first cycle after they were accepted (one
    /// port) or pushed (several).
    cycles push(unsigned port, const unsigned char* bytes, unsigned count, cycles start) {
        if (follower_.plan()) {
            const timing::pushed_words words{bytes, count};
            if (count == 1 && start <= next_free_ && follower_.expects(words[0])) return accept_expected();
            complete_words();
        }
        return push_others(port, bytes, count, start);
    }
    /// Words of a front end. It knows more than a watermark says: a word that comes behind it was held until
    /// then.
    cycles push_ordered(unsigned port, const unsigned char* bytes, unsigned count, word_order& order);

    /// The port promises to bring nothing before `cycle`.
    void raise_watermark(unsigned port, cycles cycle);
    void raise_watermarks(cycles cycle) {
        for (unsigned port = 0; port < ports(); ++port) raise_watermark(port, cycle);
    }
    /// Simulates everything before `end`, as far as the watermarks allow.
    void advance_to(cycles end);
    /// The end of a program: nobody pushes any more. Issues all words that wait, then lets the macros drain
    /// (T19) and reports what never does.
    void drain();

    /// A thread's word could have come in these cycles, and one of another thread that is issued next, in the
    /// last of them, keeps it waiting. Counts the stalls.
    void hold_back(std::uint32_t word, std::int64_t index, std::uint8_t thread, cycles from, cycles until);
    /// The cycle in which the next word would be issued if it was this one and came at `earliest`.
    cycles issue_cycle(std::uint32_t word, cycles earliest);
    /// In which cycles words with this order would be issued, however late, as far as one plan tells: writes
    /// those of the first ones to `order.issued` and returns how many. Zero if the unit would do something
    /// else before them. Nothing is simulated.
    unsigned foresee(const unsigned char* bytes, unsigned count, const word_order& order);

    cycles first_issue() const { return first_issue_; }
    /// First issued word to the last architectural effect, inclusive; 0 without effects.
    cycles cycles_used() const {
        const cycles last = context_.last_effect();
        return first_issue_.count() < 0 || last < first_issue_ ? cycles{} : last - first_issue_ + one_cycle;
    }
    /// The cycle in which the first word of the latest push was issued.
    cycles issue_of_push() const { return issue_of_push_; }
    /// The cycle in which the next word can be accepted at the earliest.
    cycles next_free() const { return next_free_; }
    /// Forgets all words and plans, as happens by itself before they outgrow memory. Nobody can tell but by
    /// the time.
    void forget_plans();
    /// Words that were issued by remembered plans, since the reset.
    std::uint64_t remembered_words() const { return remembered_words_; }
    /// Words that were executed after the push that brought them, since the reset.
    std::uint64_t words_put_off() const { return follower_.words_put_off(); }
    const timing::planner& planner() const { return planner_; }
    std::uint8_t issue_width() const { return static_cast<std::uint8_t>(state_.machine.issue_width); }

private:
    friend class push_arbitration;

    /// A word that the next one to be issued keeps waiting.
    struct held_word {
        std::int64_t index = -1;
        std::uint8_t thread = 0;
        probe::stall_cause cause{}; ///< up to `allowed`
        cycles from{}, allowed{}, until{};
    };
    void reset(bool is_heard, bool keeps_plans);
    cycles accept_expected() {
        issue_of_push_ = follower_.accept();
        next_free_ = issue_of_push_ + one_cycle;
        if (follower_.is_complete()) complete_words();
        return next_free_;
    }
    cycles push_others(unsigned port, const unsigned char* bytes, unsigned count, cycles start);
    bool begin_to_follow(std::uint32_t word, cycles at);
    void complete_words();
    bool puts_off() const {
        return somebody_completes_ && !is_heard_ && !is_watched_ && ports() == 1 &&
               state_.machine.issue_width == 1;
    }
    unsigned issue_words(timing::pushed_words words, cycles start, cycles end, cycles* issued);
    void run(const timing::plan& plan, std::int64_t first_word);
    void let_pass(cycles until);
    void report_drained_by_cycles();
    /// Names the outstanding entries that `belongs`.
    template <class Condition>
    void report_outstanding(report_id id, const char* what, Condition belongs);

    // Words that wait (issue_holds.cpp).
    void held_before(std::uint32_t word, cycles offered, cycles now);
    held_word count_hold(std::uint32_t word, std::uint8_t thread, cycles from, cycles until);
    void count_stall(probe::stall_cause cause, std::uint8_t thread, cycles from, cycles until);
    void publish_held_words(std::uint32_t word, cycles offered);

    // What state says to the planner (issue_rules.cpp).
    void sample_rules(const timing::plan* behind);
    void take_rules() {
        const bool may_change =
            state_.machine.issue_width > 1; // address modifiers, which others may write too
        if (!rules_known_ || may_change || planner_.library().is_full()) take_rules_anew();
    }
    void take_rules_anew();

    static constexpr cycles longest_idle_plan{1 << 16};

    unit_state& state_;
    plan_context& context_;
    plan_sink& sink_;
    timing::planner planner_;
    bool rules_known_ = false;
    std::uint64_t macro_version_ = 0; ///< of LoadMacroConfig when the rules were sampled
    push_arbitration queues_;
    word_follower follower_;
    bool somebody_completes_ = false, is_heard_ = false, is_watched_ = false;
    cycles next_free_{};
    cycles issue_of_push_{};
    cycles first_issue_{-1};
    std::int64_t word_count_ = 0;
    unsigned word_step_ = 1;            ///< from the index of one word to that of the next
    std::uint8_t thread_ = 0;           ///< whose words are being issued
    std::vector<held_word> held_words_; ///< only if somebody observes
    std::uint64_t remembered_words_ = 0;
};

} // namespace sfpu
