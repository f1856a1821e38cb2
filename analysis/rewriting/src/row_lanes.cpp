// Which lanes are on at each place of a row.
#include "register_fields.h"

#include <sfpu/isa/word_effects.h>

#include <algorithm>

namespace sfpu::rewriting {

namespace opcode = isa::opcode;

condition row::make(const condition_node& node) {
    const auto key = std::make_tuple(static_cast<int>(node.what), node.a, node.b, node.bits);
    const auto [found, is_new] = condition_numbers_.emplace(key, static_cast<condition>(conditions_.size()));
    if (is_new) conditions_.push_back(node);
    return found->second;
}

condition row::new_unknown() { return make({condition_node::kind::unknown, next_unknown_++}); }

condition row::negation_of(condition c) {
    if (c == never || c == always) return c == never ? always : never;
    const condition_node& node = node_of(c);
    if (node.what == condition_node::kind::negation) return node.a;
    return make({condition_node::kind::negation, c});
}

void row::gather(condition c, std::vector<condition>& literals) const {
    const condition_node node = node_of(c);
    if (node.what != condition_node::kind::both) {
        if (c != always) literals.push_back(c);
        return;
    }
    gather(node.a, literals);
    gather(node.b, literals);
}

condition row::both_of(condition a, condition b) {
    std::vector<condition> literals;
    gather(a, literals);
    gather(b, literals);
    std::sort(literals.begin(), literals.end());
    literals.erase(std::unique(literals.begin(), literals.end()), literals.end());
    const std::vector<condition> all = literals;
    for (const condition each : all)
        if (each == never || std::binary_search(all.begin(), all.end(), negation_of(each))) return never;
    condition made = always;
    for (const condition each : literals)
        made = made == always ? each : make({condition_node::kind::both, made, each});
    return made;
}

bool row::implies(condition a, condition b) const {
    if (a == never || b == always || a == b) return true;
    std::vector<condition> of_a, of_b;
    gather(a, of_a);
    gather(b, of_b);
    std::sort(of_a.begin(), of_a.end());
    return std::all_of(of_b.begin(), of_b.end(),
                       [&](condition each) { return std::binary_search(of_a.begin(), of_a.end(), each); });
}

condition row::on_before(std::size_t at) const {
    const lane_state& state = lanes_[at];
    if (state.use == never) return always;
    if (state.use == always) return state.flags;
    // Off are only lanes whose flags are in use and 0. What is not one condition is none that is known.
    return state.flags == always ? always : state.use;
}

void row::set_flags_where_on(lane_state& state, condition to) {
    if (state.use == always) state.flags = both_of(state.flags, to);
    else if (state.use == never) state.flags = to;
    else state.flags = new_unknown();
}

namespace {

condition combined(row& of, unsigned mod, condition a, condition b) {
    const condition no_a = of.negation_of(a), no_b = of.negation_of(b);
    const auto either = [&](condition x, condition y) {
        return of.negation_of(of.both_of(of.negation_of(x), of.negation_of(y)));
    };
    switch (mod) {
    case 1: return b;
    case 2: return no_b;
    case 3: return of.both_of(a, b);
    case 4: return either(a, b);
    case 5: return of.both_of(a, no_b);
    case 6: return either(a, no_b);
    case 7: return of.both_of(no_a, b);
    case 8: return either(no_a, b);
    case 9: return of.both_of(no_a, no_b);
    case 10: return either(no_a, no_b);
    case 11: return either(of.both_of(a, no_b), of.both_of(no_a, b));
    default: return either(of.both_of(a, b), of.both_of(no_a, no_b));
    }
}

/// What SFPSETCC asks of a value.
condition_node test_of(unsigned mod, value of) {
    return {(mod & 6) == 0 || (mod & 6) == 4 ? condition_node::kind::negative : condition_node::kind::zero,
            of};
}

/// SFPENCC, SFPPUSHC, SFPPOPC and SFPCOMPC; false for others.
template <class unknowns>
bool follow_stack(row& of, lane_state& state, const isa::instruction& insn, const unknowns& unknown) {
    if (insn.is(opcode::sfpencc)) {
        if (insn.mod & 2) state.use = insn.imm & 1 ? always : never;
        else if (insn.mod & 1) state.use = of.negation_of(state.use);
        state.flags = !(insn.mod & 8) || (insn.imm & 2) ? always : never;
    } else if (insn.is(opcode::sfppushc)) {
        if (insn.mod == 0 || !describe(of.arch()).has_pushc_operations) {
            state.stack.emplace_back(state.flags, state.use);
        } else {
            if (!state.stack.empty()) state.stack.back() = {unknown(), unknown()};
            if (insn.mod == 13) state.flags = of.negation_of(state.flags);
        }
    } else if (insn.is(opcode::sfppopc)) {
        const std::pair<condition, condition> top =
            state.stack.empty() ? std::make_pair(never, never) : state.stack.back();
        if (insn.mod == 0 && !state.stack.empty()) state.stack.pop_back();
        if (insn.mod == 0) {
            state.flags = top.first;
            state.use = top.second;
        } else if (insn.mod <= 12) {
            state.flags = combined(of, insn.mod, state.flags, top.first);
            state.use = top.second;
        } else if (insn.mod == 13) {
            state.flags = of.negation_of(state.flags);
        } else {
            state.flags = insn.mod == 14 ? always : never;
            state.use = always;
        }
    } else if (insn.is(opcode::sfpcompc)) {
        const std::pair<condition, condition> top =
            state.stack.empty() ? std::make_pair(always, always) : state.stack.back();
        state.flags =
            of.both_of(of.both_of(top.second, state.use), of.both_of(top.first, of.negation_of(state.flags)));
    } else {
        return false;
    }
    return true;
}

} // namespace

void row::advance(lane_state& state, const step& s) {
    const isa::instruction& insn = s.insn;
    const auto give_up = [&] {
        state.flags = new_unknown();
        state.use = new_unknown();
    };
    const auto operand = [&](field f) {
        return s.reads[f] == no_value ? 1000000 + next_unknown_++ : s.reads[f];
    };
    if (insn.is(opcode::sfpsetcc)) {
        condition test = never;
        if (insn.mod & 8) test = never;
        else if (insn.mod & 1) test = insn.imm & 1 ? always : never;
        else {
            test = make(test_of(insn.mod, operand(vc)));
            if ((insn.mod & 6) == 2 || (insn.mod & 6) == 4) test = negation_of(test);
        }
        if (state.use == always) state.flags = both_of(state.flags, test);
        else if (state.use == never) state.flags = never;
        else give_up();
    } else if (follow_stack(*this, state, insn, [this] { return new_unknown(); })) {
        return;
    } else if (insn.is(opcode::sfpgt) || insn.is(opcode::sfple)) {
        condition holds = make({condition_node::kind::greater, operand(vd), operand(vc)});
        if (insn.is(opcode::sfple)) holds = negation_of(holds);
        if ((insn.mod & 2) && !state.stack.empty()) state.stack.back().first = new_unknown();
        if (insn.mod & 1) set_flags_where_on(state, holds);
    } else if (changes_lanes(s)) {
        const bool adds = insn.is(opcode::sfpiadd), counts = insn.is(opcode::sfplz);
        const bool of_word = adds ? !(insn.mod & 4) : insn.mod & 2;
        if (!of_word) return give_up();
        condition test = counts ? negation_of(make({condition_node::kind::zero, operand(vc), 0,
                                                    (insn.mod & 4) ? 0x7fffffffu : 0xffffffffu}))
                                : make({condition_node::kind::negative, s.writes[vd]});
        if (insn.mod & 8) test = negation_of(test);
        set_flags_where_on(state, test);
    }
}

bool row::changes_lanes(const step& s) const {
    const isa::instruction& insn = s.insn;
    if (insn.unit == isa::sub_unit::front_end) return false;
    if (insn.is(opcode::sfpiadd)) return s.writes[vd] != no_value && (insn.mod & 12) != 4;
    if (insn.is(opcode::sfplz) || insn.is(opcode::sfpexexp))
        return s.writes[vd] != no_value && (insn.mod & 10) != 0;
    const isa::word_effects effects = isa::effects_of(insn, arch());
    return effects.writes_flags || effects.uses_stack;
}

bool row::follow_lanes() {
    lane_state start = start_;
    for (unsigned attempt = 0; attempt < 2; ++attempt) {
        lane_state state = start;
        lanes_.clear();
        for (const step& s : steps) {
            lanes_.push_back(state);
            advance(state, s);
        }
        lanes_.push_back(state);
        if (state == start) return true;
        if (state.stack.size() != start.stack.size()) return false;
        start.flags = start.flags == state.flags ? start.flags : new_unknown();
        start.use = start.use == state.use ? start.use : new_unknown();
        start.stack = state.stack;
        for (auto& [flags, use] : start.stack) flags = use = new_unknown();
    }
    return true;
}

/// Whether somebody reads a value in lanes that are not among these.
bool row::matters_outside(value v, condition lanes, unsigned depth) const {
    if (lanes == always) return false;
    if (depth > 40) return true;
    for (std::size_t i = 0; i < steps.size(); ++i) {
        const step& s = steps[i];
        if (!s.reads_value(v)) continue;
        const condition on = ignores_lanes(s) ? always : on_before(i);
        const std::array<bool, field_count> operands = operands_of(s);
        const bool crosses = isa::effects_of(s.insn, arch()).crosses_lanes;
        for (const auto& each : s.fixed_reads)
            if (each.second == v && (crosses || !implies(on, lanes) || !s.fixed_writes.empty())) return true;
        for (unsigned f = 0; f < field_count; ++f) {
            if (s.reads[f] != v) continue;
            if (operands[f] && (crosses || !implies(on, lanes))) return true;
            if (s.writes[f] == no_value || on == always) continue;
            // Lanes that are off here keep the value, unless all the others are on.
            bool overwritten = false;
            if (node_of(lanes).what == condition_node::kind::negation) overwritten = node_of(lanes).a == on;
            if (node_of(on).what == condition_node::kind::negation) overwritten |= node_of(on).a == lanes;
            if (!overwritten && matters_outside(s.writes[f], lanes, depth + 1)) return true;
        }
    }
    return std::find(leaves.begin(), leaves.end(), v) != leaves.end();
}

void row::drop_needless_merges() {
    for (std::size_t i = steps.size(); i-- > 0;) {
        step& s = steps[i];
        const std::array<bool, field_count> operands = operands_of(s);
        const condition on = on_before(i);
        for (unsigned f = 0; f < field_count; ++f)
            if (s.writes[f] != no_value && s.reads[f] != no_value && !operands[f] &&
                (ignores_lanes(s) || !matters_outside(s.writes[f], on, 0)))
                s.reads[f] = no_value;
    }
}

bool row::values_are_there() const {
    std::map<value, condition> there;
    for (std::size_t i = 0; i < steps.size(); ++i) {
        const step& s = steps[i];
        const auto has = [&](value v) { return v == no_value || v < first_result || there.count(v) != 0; };
        if (!std::all_of(s.reads.begin(), s.reads.end(), has)) return false;
        for (const auto& each : s.fixed_reads)
            if (!has(each.second)) return false;
        const condition on = ignores_lanes(s) ? always : on_before(i);
        for (unsigned f = 0; f < field_count; ++f) {
            if (s.writes[f] == no_value) continue;
            if (!there.emplace(s.writes[f], on).second) return false;
            if (s.reads[f] == no_value && matters_outside(s.writes[f], on, 0)) return false;
        }
        for (const auto& each : s.fixed_writes)
            if (!there.emplace(each.second, on).second) return false;
    }
    return std::all_of(leaves.begin(), leaves.end(),
                       [&](value v) { return v == no_value || v < first_result || there.count(v) != 0; });
}

bool row::refresh() {
    if (const auto stopped = stopped_.lock(); stopped && (*stopped)()) throw rewriting_stopped();
    if (!follow_lanes()) return false;
    drop_needless_merges();
    if (!values_are_there()) return false;
    find_facts();
    return true;
}

} // namespace sfpu::rewriting
