// Decides who executes what when: plans stretches of words, and remembers plans.
//
// Whoever executes plans asks for one, executes it and says so; the planner then stands at the first cycle
// behind it.
#pragma once

#include <sfpu/isa/machine.h>
#include <sfpu/timing/instruction_library.h>
#include <sfpu/timing/plan.h>
#include <sfpu/timing/plan_builder.h>

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

namespace sfpu::timing {

/// The latest plans that were asked for more than once. Room is made for the first ones only, up to a bound.
class plan_cache {
public:
    void clear();

    plan* find(std::uint64_t hash, pushed_words words, unsigned length, const planner_state& state,
               std::int64_t limit);
    /// Whether the hash was asked for before, so that remembering the plan may be worth while.
    bool comes_again(std::uint64_t hash);
    /// Takes the plan's contents over; the oldest one with a like hash may be given up for it.
    plan& remember(plan& made, std::uint64_t hash);

private:
    static constexpr unsigned sets = 32, ways = 8;
    static constexpr unsigned seen_sets = 256, seen_ways = 4;

    std::uint64_t next_number_ = 1;
    std::array<std::array<std::unique_ptr<plan>, ways>, sets> plans_;
    /// Upper halves of hashes that were asked for, the latest of each set first. Several of a set are known:
    /// in a loop whose plans meet in one place each would put the other out before it comes again.
    std::array<std::array<std::uint32_t, seen_ways>, seen_sets> seen_{};
};

/// Where a planner stands between two plans, as a value that points to nothing: its machine and its rules
/// aside, all that decides what comes.
struct planner_image {
    cycles now{};
    planner_state state;     ///< its instructions are null; they stand in `instructions`
    issue_state before_idle; ///< the same
    /// In the order in which the state names them: outstanding, producers, neighbours, producers before idle
    /// cycles. One without a row stands for none.
    std::vector<isa::instruction> instructions;
    rule_inputs rules;
    std::int64_t expected_word = 0;
    cycles idle_since{};
    bool idle = false;
};

class planner {
public:
    planner() : builder_(library_) { reset(isa::make_machine({})); }
    planner(const planner&) = delete;
    planner& operator=(const planner&) = delete;

    /// Everything as after construction, for this machine. The rules have to be set next.
    void reset(const isa::machine& machine);

    /// The same, but what was learned of words stays: the machine is that of the latest reset().
    void restart();

    /// The next cycle to be planned.
    cycles now() const { return now_; }
    /// T20
    bool busy() const { return current_->slots.busy(); }
    /// T19: whether cycles without an issue still change anything.
    bool moves() const { return current_->moves(machine_); }
    /// Whether results are under way.
    bool has_results() const { return !current_->results.empty(); }
    const macro_slots& slots() const { return current_->slots; }

    /// Whether somebody observes the plans that are executed from now on.
    void set_observed(bool is_observed);
    /// What state says to the rules from now on.
    void set_rules(const rule_inputs& rules) { rules_ = rules; }
    void note_backdoor_change() { rules_.backdoor_changed = true; }
    const rule_inputs& rules() const { return rules_; }
    instruction_library& library() { return library_; }
    const instruction_library& library() const { return library_; }

    planner_image image() const;
    /// Stands where the planner of the image stood, with nothing learned; the rules have to be set again.
    /// Before that: reset() for the same machine.
    void restore(const planner_image& image);

    /// Forgets what was learned of words before that outgrows memory; the rules have to be set again.
    /// `others` point to instructions of the library that are still needed; they are changed to point to
    /// copies.
    void forget(const std::vector<const isa::instruction**>& others = {});
    /// `others` point to instructions of another library; they are changed to point to copies in this one.
    void keep(const std::vector<const isa::instruction**>& others);

    /// The next plan, for the first of the words in this cycle or as soon as they may issue. None is issued
    /// `limit` cycles from now or later. `first_word` is the index of the first.
    const plan& plan_words(pushed_words words, std::int64_t limit, word_source source,
                           std::int64_t first_word) {
        const plan* next = predicted(words, limit, source, first_word);
        return next ? *next : find_or_make(words, limit, source, first_word);
    }
    /// For words that come one by one: the plan of several words that came behind the latest one last time,
    /// if its first word is this one; null if it was a plan of one word, or none is known. It is not
    /// executed.
    const plan* expected(std::uint32_t word, word_source source, std::int64_t first_word) const {
        if (!latest_) return nullptr;
        for (const plan::successor& next : latest_->next)
            if (may_come(next, source, first_word) && next.which->words[0] == word)
                return next.which->length > 1 ? next.which : nullptr;
        return nullptr;
    }
    /// The plan of these words, or the first of them, and remembers it though they have not come yet; null if
    /// that cannot be. It is not executed.
    const plan* expect(pushed_words words, word_source source, std::int64_t first_word);
    /// What plan_words() would give if time had no limit. It is not executed: the planner stays where it is.
    const plan& foresee(pushed_words words, word_source source, std::int64_t first_word);
    /// The next plan without words, up to `until`; null if nothing is left to do before that, and the time
    /// has come.
    const plan* plan_idle(cycles until);
    /// The plan that was given last has been executed.
    void finished(const plan& done, std::int64_t first_word) {
        now_ += cycles{done.duration};
        current_ = &done.after;
        rules_.backdoor_changed = done.after.rules.backdoor_changed;
        if (done.length == 0) return;
        idle_ = false;
        expected_word_ = first_word + std::int64_t{done.length} * done.before.source.word_step;
        if (&done == &made_) forget_made();
        else latest_ = const_cast<plan*>(&done);
    }

    /// Cycles that the word had to wait if it was offered at `offered`, which may have passed already, by
    /// T16.
    unsigned wait(const isa::instruction& insn, cycles offered, hold_cause& cause) const;

private:
    /// Whether what came behind the latest plan may be what comes now, as far as its words are not looked at.
    bool may_come(const plan::successor& next, word_source source, std::int64_t first_word) const {
        const plan* const guess = next.which;
        return guess && guess->number == next.number && first_word - expected_word_ == next.distance &&
               guess->before.source == source && guess->before.rules == rules_;
    }
    /// The plan that came behind the latest one last time, if it is what these words do now; else null.
    const plan* predicted(pushed_words words, std::int64_t limit, word_source source,
                          std::int64_t first_word) const {
        if (!latest_) return nullptr;
        for (const plan::successor& next : latest_->next) {
            const plan* const guess = next.which;
            // A long push is not cut like a short one.
            if (may_come(next, source, first_word) && guess->begins(words) &&
                (guess->had_more || guess->length == words.count) && guess->duration <= limit)
                return guess;
        }
        return nullptr;
    }
    /// `keep`: remembers the plan though it was not asked for before.
    const plan& find_or_make(pushed_words words, std::int64_t limit, word_source source,
                             std::int64_t first_word, bool keep = false);
    /// The plan that is not remembered has been executed; only the state behind it is needed.
    void forget_made() {
        constexpr std::size_t large = 256;
        latest_ = nullptr;
        if (made_.steps.capacity() > large) std::vector<plan_step>().swap(made_.steps);
    }
    void make_current();
    unsigned measure(pushed_words words);
    void link(const plan& found, std::int64_t distance);

    isa::machine machine_;
    instruction_library library_;
    plan_builder builder_;
    bool is_observed_ = true;
    plan_cache cache_;
    plan made_;                     ///< the latest one that is not remembered
    bool made_is_foreseen_ = false; ///< and not executed yet

    cycles now_{};
    planner_state state_;
    const planner_state* current_ = &state_; ///< `rules` and `source` in it may be out of date
    rule_inputs rules_;
    std::int64_t expected_word_ = 0; ///< what producers' indices are counted from
    plan* latest_ = nullptr; ///< remembered plan that `current_` comes from, if nothing happened since
    /// Words may be offered for cycles that have been let pass: the stall logic as it was when they began to.
    issue_state before_idle_;
    cycles idle_since_{};
    bool idle_ = false;
    std::vector<const library_word*> run_; ///< the words of the coming plan
};

} // namespace sfpu::timing
