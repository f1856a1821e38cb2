#include "vector_direct.h"

#include <sfpu/isa/table.h>
#include <sfpu/kernel_recorder/recorder.h>

namespace sfpu::kernel_recorder::vector {
namespace {

/// What lanes hold that nothing_computed was put into: no number that a kernel could take for a result.
constexpr std::uint32_t nothing_computed = 0x7fadf00du;

// Where operands of an instruction that is executed alone stand.
constexpr std::uint8_t place_of_va = 0, place_of_vb = 1, place_of_vc = 2, place_of_result = 3,
                       after_tables = 7;

lanes everywhere(std::uint32_t bits) {
    lanes result;
    for (unsigned n = 0; n < lane_count; ++n) result[n] = bits;
    return result;
}

} // namespace

void direct_execution::run(const graph& what, isa::lane_machine& machine) {
    graph_ = &what;
    machine_ = &machine;
    values_.resize(what.size());
    enabled_ = machine.state.enabled();
    for (value v = what.first(); v < what.size(); ++v) run(what.at(v), v);
}

lanes direct_execution::read(value v) const {
    if (v == none) return everywhere(nothing_computed);
    const node& n = graph_->at(v);
    if (n.what == node_kind::constant) return everywhere(n.word);
    if (n.what == node_kind::constant_lreg) return machine_->state.lreg[n.lreg];
    return values_[v];
}

lanes& direct_execution::made(value v) { return values_[v]; }

/// The machine's flags follow, for the kernel's own words.
void direct_execution::set_lanes(lane_mask enabled) {
    enabled_ = enabled;
    machine_->state.flags = enabled;
}

lane_mask direct_execution::lanes_where(condition c) const {
    const condition_node& n = graph_->at_condition(c);
    switch (n.what) {
    case condition_node::kind::negation: return ~lanes_where(n.left);
    case condition_node::kind::both: return lanes_where(n.left) & lanes_where(n.right);
    case condition_node::kind::either: return lanes_where(n.left) | lanes_where(n.right);
    default: break;
    }
    const lanes tested = read(n.tested);
    lane_mask result = 0;
    for (unsigned lane = 0; lane < lane_count; ++lane) {
        const std::uint32_t bits = tested[lane];
        const bool negative = bits >> 31;
        const bool holds = n.how == relation::less_than_0  ? negative
                           : n.how == relation::at_least_0 ? !negative
                           : n.how == relation::not_0      ? bits != 0
                                                           : bits == 0;
        if (holds) result |= 1u << lane;
    }
    return result;
}

/// One instruction on operands that are put into registers for it; the registers are as before afterwards.
void direct_execution::execute_alone(const node& n, lanes (&out)[4]) {
    isa::vector_state& state = machine_->state;
    lanes kept[isa::general_lregs];
    for (unsigned r = 0; r < isa::general_lregs; ++r) kept[r] = state.lreg[r];
    const lanes a = read(n.va), b = read(n.vb), c = read(n.vc);
    state.lreg[place_of_va] = a;
    state.lreg[place_of_vb] = b;
    state.lreg[place_of_vc] = c;
    state.lreg[place_of_result] = everywhere(nothing_computed);
    bool tables = false;
    for (unsigned r = 0; r < n.fixed.size(); ++r)
        if (n.fixed[r] != none) {
            state.lreg[r] = read(n.fixed[r]);
            tables = true;
        }
    isa::instruction insn = isa::decode(n.word, machine_->arch());
    const bool swaps = insn.is(isa::opcode::sfpswap), stores = insn.is(isa::opcode::sfpstore);
    const std::uint8_t result = tables   ? after_tables
                                : swaps  ? place_of_vb
                                : stores ? place_of_va
                                         : place_of_result;
    if (tables) state.lreg[after_tables] = everywhere(nothing_computed);
    if (!tables) {
        insn.va = place_of_va;
        insn.vb = place_of_vb;
        if (n.vc != none) insn.vc = place_of_vc; // else it names what SFPMOV takes
    }
    if (!insn.is(isa::opcode::sfpconfig)) insn.vd = result;
    machine_->execute(insn);
    if (n.results == 4)
        for (unsigned r = 0; r < 4; ++r) out[r] = state.lreg[r];
    else {
        out[0] = state.lreg[result];
        out[1] = state.lreg[place_of_vc];
    }
    for (unsigned r = 0; r < isa::general_lregs; ++r) state.lreg[r] = kept[r];
}

void direct_execution::compute(const node& n, value at) {
    lanes out[4];
    execute_alone(n, out);
    if (n.results == 1) {
        made(at) = out[0];
        return;
    }
    for (value v = at + 1; v < graph_->size() && v <= at + 8; ++v) {
        const node& part = graph_->at(v);
        if (part.what == node_kind::part && part.va == at) made(v) = out[part.lreg];
    }
}

void direct_execution::merge(const node& n, value at) {
    lanes result = read(n.va);
    const lanes now = read(n.vb);
    for (unsigned lane = 0; lane < lane_count; ++lane)
        if (enabled_ >> lane & 1) result[lane] = now[lane];
    made(at) = result;
}

void direct_execution::read_lanes(const node& n, value at) {
    const lane_mask where = lanes_where(n.cond);
    lanes result = everywhere(nothing_computed);
    for (unsigned lane = 0; lane < lane_count; ++lane)
        if (enabled_ >> lane & 1) result[lane] = where >> lane & 1;
    made(at) = result;
}

void direct_execution::write_register(const node& n) {
    const lanes now = read(n.va);
    for (unsigned lane = 0; lane < lane_count; ++lane)
        if (enabled_ >> lane & 1) machine_->state.lreg[n.lreg][lane] = now[lane];
}

/// As SFPCONFIG does: lanes 0 to 7 decide.
void direct_execution::write_constant(const node& n) {
    isa::vector_state& state = machine_->state;
    const lanes now = read(n.va);
    const lane_mask open = state.flags | ~state.use_flags;
    for (unsigned lane = 0; lane < lane_count; ++lane)
        if (open >> (lane % column_count) & 1) state.lreg[n.lreg][lane] = now[lane % column_count];
}

void direct_execution::issue_raw(const node& n) {
    const isa::word_kind kind = isa::classify(n.word, machine_->arch());
    if (kind == isa::word_kind::no_instruction)
        throw kernel_error("a word was issued that is no instruction, which cannot be executed");
    if (kind == isa::word_kind::other_unit) return;
    machine_->execute(n.word);
    enabled_ = machine_->state.enabled();
}

void direct_execution::run(const node& n, value at) {
    isa::vector_state& state = machine_->state;
    lanes out[4];
    switch (n.what) {
    case node_kind::dead:
    case node_kind::undefined:
    case node_kind::constant:
    case node_kind::constant_lreg:
    case node_kind::part: break;
    case node_kind::pinned_read: made(at) = state.lreg[n.lreg]; break;
    case node_kind::compute: compute(n, at); break;
    case node_kind::store: execute_alone(n, out); break;
    case node_kind::merge: merge(n, at); break;
    case node_kind::lanes_of: read_lanes(n, at); break;
    case node_kind::pinned_write: write_register(n); break;
    case node_kind::constant_write: write_constant(n); break;
    case node_kind::raw_word: issue_raw(n); break;
    case node_kind::push:
        pushed_.push_back(enabled_);
        state.stack.push({state.flags, state.use_flags});
        break;
    case node_kind::pop:
        set_lanes(pushed_.back());
        pushed_.pop_back();
        state.stack.pop();
        break;
    case node_kind::complement: set_lanes(pushed_.back() & ~enabled_); break;
    case node_kind::narrow: set_lanes(enabled_ & lanes_where(n.cond)); break;
    }
}

} // namespace sfpu::kernel_recorder::vector
