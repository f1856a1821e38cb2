// The end of planning: which results may go to their registers at once, the steps of the plan, the state
// behind it.
#include <sfpu/timing/plan_builder.h>

#include <sfpu/isa/table.h>
#include <sfpu/isa/word_effects.h>

#include <algorithm>

namespace sfpu::timing {

using action = plan_step::action;

/// Whether a result that was under way when the plan began, due at the end of its cycle `in`, may be written
/// at its start: an instruction that writes the same register later can then write directly. Nobody reads the
/// register until it is due, and no other result for it comes before that.
bool plan_builder::may_be_early(unsigned in) const {
    const due_results& due = to_->before.results.in[in];
    const bool is_one = due.ports != 0 && (due.ports & (due.ports - 1)) == 0;
    if (!is_one || due.ports == only(result_port::swap)) return false;
    for (unsigned sooner = 0; sooner < in; ++sooner)
        if (!(early_ >> sooner & 1u) && (to_->before.results.in[sooner].lregs & due.lregs)) return false;
    bool is_written_anew = false;
    for (const execution& other : executions_) {
        if (other.first > in) break;
        if (other.reads & due.lregs) return false;
        if (!(other.writes & due.lregs)) continue;
        if (!other.may_be_direct || other.last <= in) return false;
        is_written_anew = true;
    }
    return is_written_anew;
}

/// Whether what an instruction writes may be written in its first cycle: until its last one nobody else reads
/// the registers who has not read them yet, and what else is written there comes before it if it is due
/// before it, and behind it if it is due later. What comes before it is known already: a direct one is due
/// before whatever else is written there later.
bool plan_builder::may_go_directly(std::size_t index) const {
    const execution& what = executions_[index];
    if (!what.may_be_direct || what.last >= cycle_) return false;
    if (what.writes == 0) return true;
    for (unsigned in = what.first; in <= what.last && in < to_->before.results.in.size(); ++in) {
        if (early_ >> in & 1u) continue;
        if (to_->before.results.in[in].lregs & what.writes) return false;
    }
    const auto may_meet = [&](std::size_t i) {
        const execution& other = executions_[i];
        const bool both_work = other.first <= what.last && what.first <= other.last;
        if (both_work && (other.writes & what.writes)) {
            const bool keeps_order = i < index ? other.step.form.direct() : other.last > what.last;
            if (!keeps_order) return false;
        }
        // (What SFPSWAP reads late, it writes.)
        const bool reads_afterwards = what.first <= other.first && other.first <= what.last && i > index;
        return !(reads_afterwards && (other.reads & what.writes));
    };
    // Executions come in the order of their first cycles, and none works for longer than the longest latency.
    for (std::size_t i = index; i-- > 0 && executions_[i].first + isa::largest::latency > what.first;)
        if (!may_meet(i)) return false;
    for (std::size_t i = index + 1; i < executions_.size() && executions_[i].first <= what.last; ++i)
        if (!may_meet(i)) return false;
    return true;
}

namespace {

/// Whether a unit has nothing to ask about an instruction of direct form.
bool is_simple(const isa::instruction& insn) {
    switch (insn.unit) {
    case isa::sub_unit::load: return (insn.flags & isa::is_plain_load) && insn.mod != isa::dst_mode::srcb;
    case isa::sub_unit::store: return insn.mod != isa::dst_mode::srcb && insn.mod != isa::dst_mode::int32_all;
    case isa::sub_unit::simple:
    case isa::sub_unit::mad:
    case isa::sub_unit::round: return !isa::reports_stack(insn);
    case isa::sub_unit::front_end: break;
    }
    return false;
}

void make_direct(plan_step& step) {
    using result = execution_form::result;
    step.form.goes = is_simple(*step.insn) ? result::simple : result::direct;
    const bool is_on_registers = step.unit != isa::sub_unit::load && step.unit != isa::sub_unit::store;
    if (step.what == action::issued && step.form.simple() && is_on_registers)
        step.what = action::on_registers;
}

} // namespace

/// Turns what was found out into steps and notes.
void plan_builder::emit() {
    std::vector<port_set> commits(cycle_);
    std::vector<bool> swaps(cycle_);
    const result_calendar& pending = to_->before.results;
    const auto add = [&](action what, std::uint32_t at, port_set ports) {
        plan_step step;
        step.what = what;
        step.at = static_cast<std::uint16_t>(at);
        step.origin = ports;
        to_->steps.push_back(step);
    };
    early_ = 0;
    for (unsigned in = 0; in < pending.in.size() && in < cycle_; ++in) {
        if (may_be_early(in)) {
            early_ |= 1u << in;
            add(action::commit, in, pending.in[in].ports);
            to_->steps.back().form.goes = execution_form::result::direct;
            continue;
        }
        commits[in] = pending.in[in].ports;
        swaps[in] = pending.in[in].ports & only(result_port::swap);
    }
    for (std::size_t i = 0; i < executions_.size(); ++i) {
        execution& made = executions_[i];
        if (may_go_directly(i)) make_direct(made.step);
        if (made.step.form.direct() || made.writes == 0 || made.last >= cycle_) continue;
        commits[made.last] |= made.port;
        if (made.is_swap) swaps[made.last] = true;
    }
    std::uint32_t cycle = 0;
    for (const event& each : events_) {
        switch (each.what) {
        case event::kind::begin_cycle:
            if (swaps[cycle]) add(action::begin_cycle, cycle, 0);
            break;
        case event::kind::execution: to_->steps.push_back(executions_[each.index].step); break;
        case event::kind::note:
            to_->notes.push_back(notes_[each.index]);
            to_->notes.back().before = static_cast<std::uint32_t>(to_->steps.size());
            break;
        case event::kind::end_cycle:
            if (commits[cycle] != 0) add(action::commit, cycle, commits[cycle]);
            ++cycle;
            break;
        }
    }
}

void plan_builder::leave_state() {
    result_calendar results = to_->before.results;
    results.advance(cycle_);
    for (const execution& made : executions_) {
        if (made.writes == 0 || made.last < cycle_) continue;
        due_results& then = results.in[made.last - cycle_];
        then.ports |= made.port;
        then.lregs |= made.writes;
    }
    state_.results = results;
    state_.issue.rebase(std::int64_t{to_->length} * state_.source.word_step);
    to_->origins.clear();
    for (scheduled_entry& entry : state_.slots.entries()) {
        const auto known = std::find(to_->origins.begin(), to_->origins.end(), entry.origin);
        const auto number = static_cast<std::uint16_t>(known - to_->origins.begin());
        if (known == to_->origins.end()) to_->origins.push_back(entry.origin);
        entry.origin = number;
    }
    to_->after = state_;
}

} // namespace sfpu::timing
