#include <sfpu/vector_unit/plan_context.h>

#include <sfpu/isa/table.h>

#include <fmt/format.h>

#include <algorithm>

namespace sfpu {

void plan_context::reset() {
    origins_.clear();
    last_effect_ = begun_ = cycles{-1};
    early_.clear();
}

void plan_context::continue_from(const plan_context& other) {
    origins_ = other.origins_;
    last_effect_ = other.last_effect_;
    begun_ = other.begun_;
    early_ = other.early_;
}

void plan_context::commit_several(cycles at, timing::port_set ports) {
    timing::write_back::collision found;
    state_.results.commit(at, ports, state_.vector, found);
    if (found.loser) report_collision(found, at);
}

void plan_context::count(const timing::plan_counts& counts, std::uint8_t thread) {
    probe::unit_counters& to = state_.counters;
    to.words += counts.words;
    to.instructions += counts.instructions;
    for (unsigned rest = counts.units; rest != 0; rest &= rest - 1) {
        const auto unit = static_cast<std::size_t>(__builtin_ctz(rest));
        to.issued[unit] += counts.issued[unit];
        to.busy[unit] += counts.busy[unit];
        if (counts.only_issued) continue;
        to.scheduled[unit] += counts.scheduled[unit];
        to.discarded[unit] += counts.discarded[unit];
    }
    if (counts.holds)
        for (std::size_t cause = 1; cause < counts.held.size(); ++cause)
            to.count_stall(cause_of(static_cast<timing::hold_cause>(cause)), thread, counts.held[cause]);
    if (counts.macros_launched == 0) return;
    to.macros_launched += counts.macros_launched;
    to.macros_forgotten += counts.macros_forgotten;
    to.macro_max_outstanding = std::max(to.macro_max_outstanding, counts.max_outstanding);
}

void plan_context::finish(const plan_order& done) {
    const timing::plan& plan = *done.plan;
    count(plan.counts, done.thread);
    if (plan.last_effect >= 0) last_effect_ = std::max(last_effect_, done.at + cycles{plan.last_effect});
    if (plan.origins.empty()) return;
    if (next_origins_.size() < plan.origins.size()) next_origins_.resize(plan.origins.size());
    auto next = next_origins_.begin();
    for (const std::uint16_t origin : plan.origins) *next++ = origins_[origin];
    std::swap(origins_, next_origins_);
}

/// Words of the front end act on their thread; those of other units are for whoever has these, or do nothing.
void plan_context::execute_front_end(const isa::instruction& insn, cycles at, std::int64_t word,
                                     std::uint8_t thread) {
    const architecture arch = state_.config.arch;
    if (isa::classify(insn.word, arch) != isa::word_kind::front_end) {
        if (state_.around && state_.around->execute(insn.word, thread, at, word)) return;
        ++state_.counters.not_modelled[static_cast<std::uint8_t>(insn.word >> 24)];
        state_.reporter.report(report_id::isa_not_modelled, at, word, [&] {
            return fmt::format("{:08x} belongs to another Tensix unit", insn.word);
        });
        return;
    }
    if (!state_.threads[thread].execute_front_end(insn))
        state_.reporter.report(report_id::frontend_config_index, at, word, [&] {
            return fmt::format("SETC16 to thread configuration register {}", insn.word >> 16 & 0xff);
        });
    if (!state_.observer) return;
    publish_begin_once(at);
    probe::execution_event event;
    event.begin = event.end = at;
    event.unit = isa::sub_unit::front_end;
    event.insn = insn;
    event.word = word;
    event.thread = thread;
    event.takes_effect = insn.latency != isa::latency_class::none;
    state_.observer->executed(event);
    publish_counters(at, thread);
}

/// Before a step of a plan that begins at `start` writes what is not due yet. An instruction executes in its
/// cycle all the same; results that were under way go to their registers before anything else.
void plan_context::publish_early(const timing::plan_step& step, cycles at, cycles start) {
    const bool was_under_way = step.what == timing::plan_step::action::commit;
    publish_begin_once(was_under_way ? start : at);
    if (!state_.observer) return;
    const cycles visible =
        at + (was_under_way ? one_cycle : cycles{isa::latency_of(*step.insn, state_.machine)});
    if (visible <= begun_ + one_cycle) return;
    isa::register_set rest =
        was_under_way ? state_.results.registers(at, step.ports()) : step.insn->use.results();
    for (; rest != 0; rest &= rest - 1) {
        const auto lreg = static_cast<unsigned>(__builtin_ctz(rest));
        early_.overwrites(lreg, state_.vector.lreg[lreg], visible);
    }
}

/// Results that were written too early arrive in cycles of their own, if nothing else happens there.
void plan_context::publish_begin(cycles at) {
    while (!early_.empty()) {
        const cycles due = early_.next_visible() - one_cycle;
        if (due >= at) break;
        if (begun_ < due) publish_state(due);
        early_.reach(due + one_cycle);
    }
    publish_state(at);
}

void plan_context::publish_state(cycles at) {
    begun_ = at;
    early_.reach(at);
    state_.observer->cycle_begins({at, &state_.vector, early_.empty() ? nullptr : &early_});
}

void plan_context::publish_counters(cycles at, std::uint8_t thread) {
    const isa::address_counters& rwc = state_.threads[thread].rwc;
    state_.observer->counters_changed({at, rwc.dst, rwc.dst_cr, rwc.sp, thread});
}

} // namespace sfpu
