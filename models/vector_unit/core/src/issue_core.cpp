#include <sfpu/vector_unit/issue_core.h>

#include <sfpu/isa/disassembler.h>
#include <sfpu/isa/table.h>

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <string>

namespace sfpu {

issue_core::issue_core(unit_state& state, plan_context& context, plan_sink& sink, unsigned ports)
    : state_(state), context_(context), sink_(sink), queues_(*this, ports) {}

void issue_core::reset(bool is_heard, bool keeps_plans) {
    is_heard_ = is_heard;
    follower_.reset();
    if (keeps_plans && !planner_.library().is_full()) planner_.restart();
    else planner_.reset(state_.machine);
    planner_.set_observed(state_.observer != nullptr);
    rules_known_ = false;
    queues_.reset(state_.config.issue_thread_order);
    held_words_.clear();
    next_free_ = cycles{};
    first_issue_ = cycles{-1};
    word_count_ = 0;
    thread_ = 0;
    word_step_ = 1;
    remembered_words_ = 0;
}

void issue_core::continue_from(const issue_core& other, bool is_heard) {
    reset(is_heard);
    somebody_completes_ = other.somebody_completes_;
    planner_.restore(other.planner_.image());
    planner_.keep(state_.results.writers());
    queues_.continue_from(other.queues_);
    held_words_ = other.held_words_;
    next_free_ = other.next_free_;
    issue_of_push_ = other.issue_of_push_;
    first_issue_ = other.first_issue_;
    word_count_ = other.word_count_;
    thread_ = other.thread_;
    if (other.rules_known_) {
        const bool backdoor_changed = planner_.rules().backdoor_changed;
        sample_rules(nullptr);
        if (backdoor_changed) planner_.note_backdoor_change();
    }
}

/// Has a plan executed, and stands behind it.
[[gnu::always_inline]] inline void issue_core::run(const timing::plan& plan, std::int64_t first_word) {
    const cycles at = planner_.now();
    sink_.execute({&plan, at, first_word, word_step_, thread_});
    if (plan.length != 0) {
        word_count_ += std::int64_t{plan.length} * word_step_;
        next_free_ = at + cycles{plan.duration};
        if (plan.number != 0) remembered_words_ += plan.length;
    }
    planner_.finished(plan, first_word);
    if (plan.changes_rules) sample_rules(&plan);
}

/// Issues words one after the other, none before `start` and none in cycle `end` or later; returns how many.
/// `issued`, if not null, receives the cycle of each.
unsigned issue_core::issue_words(timing::pushed_words words, cycles start, cycles end, cycles* issued) {
    const unsigned count = words.count;
    const timing::word_source source{thread_, static_cast<std::uint8_t>(word_step_)};
    while (words.count != 0) {
        const cycles offered = std::max(start, next_free_);
        if (end <= offered) break;
        take_rules();
        const bool has_held = !held_words_.empty();
        if (has_held) publish_held_words(words[0], offered);
        if (planner_.now() < offered) {
            let_pass(offered);
            take_rules();
        }
        const cycles begin = planner_.now();
        if (end <= begin) break;
        const timing::plan& plan = planner_.plan_words(words, (end - begin).count(), source, word_count_);
        if (plan.duration == 0) break;
        if (plan.length != 0) {
            const cycles first = begin + cycles{plan.issued_at[0]};
            if (words.count == count) issue_of_push_ = first;
            if (first_issue_.count() < 0) first_issue_ = first;
            if (offered < begin && !has_held) held_before(words[0], offered, begin);
            if (issued) {
                for (unsigned i = 0; i < plan.length; ++i) issued[i] = begin + cycles{plan.issued_at[i]};
                issued += plan.length;
            }
            words.drop(plan.length);
        }
        run(plan, word_count_);
        start = planner_.now();
    }
    return count - words.count;
}

// --- words that come one by one ----------------------------------------------------------------------------

/// Whether this word, alone and for this cycle, begins a plan that is followed.
[[gnu::noinline]] bool issue_core::begin_to_follow(std::uint32_t word, cycles at) {
    if (!puts_off()) return false;
    take_rules();
    const bool in_time = planner_.now() == std::max(at, next_free_);
    if (!follower_.begins(word, in_time, planner_, word_count_)) return false;
    if (first_issue_.count() < 0) first_issue_ = follower_.since() + cycles{follower_.plan()->issued_at[0]};
    return true;
}

/// Executes the words that have come of the plan that is followed: by that plan or, if they are not all, by
/// one of their own. They are issued in the same cycles: a plan does not look ahead (with one issue slot).
[[gnu::noinline]] void issue_core::complete_words() {
    const timing::plan& plan = *follower_.plan();
    const unsigned accepted = follower_.accepted();
    const bool is_complete = follower_.is_complete();
    follower_.stop();
    queues_.set_watermark(0, next_free_);
    if (is_complete) return run(plan, word_count_);
    unsigned char bytes[sizeof plan.words]; // the plan may be given up for the new one
    std::memcpy(bytes, plan.words.data(), 4 * std::size_t{accepted});
    const cycles issue_of_push = issue_of_push_;
    next_free_ = follower_.since();
    issue_words({bytes, accepted}, follower_.since(), forever, nullptr);
    issue_of_push_ = issue_of_push;
}

cycles issue_core::push_others(unsigned port, const unsigned char* bytes, unsigned count, cycles start) {
    const timing::pushed_words words{bytes, count};
    // Who pushes behind its watermark (somebody else's catch-up moved it) is made to wait: nothing is lost.
    cycles at = std::max(start, queues_.watermark(port));
    if (ports() == 1) {
        thread_ = 0;
        if (count != 1) follower_.forget_history();
        else if (begin_to_follow(words[0], at)) return accept_expected();
        issue_words(words, at, forever, nullptr);
        at = next_free_;
        queues_.set_watermark(0, at);
        return at;
    }
    queues_.add(port, bytes, count, at);
    const unsigned width = state_.machine.issue_width;
    at += cycles{(count + width - 1) / width};
    raise_watermark(port, at);
    return at;
}

cycles issue_core::push_ordered(unsigned port, const unsigned char* bytes, unsigned count,
                                word_order& order) {
    complete();
    if (ports() != 1) queues_.issue(false, order.start + one_cycle);
    word_count_ = order.index;
    word_step_ = order.index_step;
    thread_ = ports() == 1 ? order.thread : static_cast<std::uint8_t>(port);
    order.taken = issue_words({bytes, count}, order.start, order.end, order.issued);
    word_step_ = 1;
    if (order.taken == 0) return order.start;
    queues_.raise_watermark(port, next_free_);
    return next_free_;
}

cycles issue_core::issue_cycle(std::uint32_t word, cycles earliest) {
    complete();
    take_rules();
    const cycles offered = std::max(earliest, next_free_);
    timing::hold_cause cause;
    return offered + cycles{planner_.wait(planner_.library().decode(word).insn, offered, cause)};
}

unsigned issue_core::foresee(const unsigned char* bytes, unsigned count, const word_order& order) {
    complete();
    if (ports() != 1 || !held_words_.empty() || !order.issued) return 0;
    const cycles offered = std::max(order.start, next_free_);
    if (planner_.now() != offered) return 0;
    take_rules();
    const timing::plan& plan =
        planner_.foresee({bytes, count}, {order.thread, order.index_step}, order.index);
    for (unsigned i = 0; i < plan.length; ++i) order.issued[i] = offered + cycles{plan.issued_at[i]};
    return plan.length;
}

void issue_core::raise_watermark(unsigned port, cycles cycle) {
    complete();
    queues_.raise_watermark(port, cycle);
    if (ports() > 1) queues_.issue(true);
}

void issue_core::drain() {
    complete();
    queues_.issue(false);
    report_drained_by_cycles();
    while (planner_.moves()) run(*planner_.plan_idle(planner_.now() + longest_idle_plan), -1);
    next_free_ = std::max(next_free_, planner_.now());
    if (!planner_.busy()) return;
    report_outstanding(report_id::macro_never_drained,
                       "still outstanding at the end:", [](const timing::scheduled_entry&) { return true; });
}

/// What waits for cycles executes by itself. An entry that waits for words keeps all others waiting (T10).
void issue_core::report_drained_by_cycles() {
    const auto& entries = planner_.slots().entries();
    const auto counts_cycles = [](const timing::scheduled_entry& each) { return !each.counts_instructions; };
    if (std::none_of(entries.begin(), entries.end(), counts_cycles)) return;
    const bool is_stuck =
        std::any_of(entries.begin(), entries.end(), [](const timing::scheduled_entry& each) {
            return each.counts_instructions && each.remaining != 0;
        });
    if (!is_stuck)
        report_outstanding(report_id::macro_drained_by_cycles,
                           "outstanding behind the last word, and executed as time passes:", counts_cycles);
}

template <class Condition>
void issue_core::report_outstanding(report_id id, const char* what, Condition belongs) {
    state_.reporter.report(id, planner_.now(), -1, [&] {
        std::string text = what;
        for (const timing::scheduled_entry& entry : planner_.slots().entries())
            if (belongs(entry))
                text += fmt::format(" {} on {} ({} to go, word {});",
                                    isa::text(*entry.insn, state_.machine.encoding()), to_string(entry.unit),
                                    entry.remaining, context_.origin(entry.origin).word);
        text.pop_back();
        return text;
    });
}

void issue_core::advance_to(cycles end) {
    complete();
    let_pass(queues_.known_until(end));
}

/// Executes what happens before the cycle without an issue.
void issue_core::let_pass(cycles until) {
    if (until <= planner_.now()) return;
    take_rules();
    while (const timing::plan* plan = planner_.plan_idle(until)) run(*plan, -1);
}

} // namespace sfpu
