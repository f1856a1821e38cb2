#include "vector_step.h"

#include <sfpu/isa/state.h>
#include <sfpu/isa/table.h>
#include <sfpu/kernel_recorder/recorder.h>

#include <algorithm>
#include <string>

namespace sfpu::kernel_recorder::vector {
namespace {

using namespace isa::opcode;

std::uint32_t word_of(unsigned opcode, unsigned mod) { return opcode << 24 | mod; }

class lowering {
public:
    lowering(graph& what, bool tests_late) : graph_(what), tests_late_(tests_late), uses_(count_uses(what)) {}

    std::vector<step> run() {
        find_overwritten();
        late_.assign(graph_.size(), false);
        for (value v = graph_.first(); tests_late_ && v < graph_.size(); ++v)
            if (const node& n = graph_.at(v); n.what == node_kind::narrow || n.what == node_kind::lanes_of)
                find_late(n.cond);
        // Values that lowering itself makes come behind `end`.
        const value end = graph_.size();
        for (value v = graph_.first(); v < end; ++v) lower_node(v);
        return std::move(steps_);
    }

private:
    /// Results that are computed straight into the variable that they are assigned to.
    void find_overwritten() {
        const value end = graph_.size();
        materialise_.assign(end, false);
        replaced_by_.assign(end, none);
        for (value v = graph_.first(); v < end; ++v) {
            const node& merge = graph_.at(v);
            if (merge.what != node_kind::merge) continue;
            if (graph_.at(merge.va).what == node_kind::constant) materialise_[merge.va] = true;
            node& result = graph_.at(merge.vb);
            const bool simple = result.what == node_kind::compute && result.results == 1 &&
                                !graph_.carried(merge.vb) && uses_[merge.vb] == 1 &&
                                result.state == merge.state && merge.va < merge.vb;
            if (!simple || used_between(merge.va, merge.vb, v)) continue;
            result.overwrites = merge.va;
            replaced_by_[merge.vb] = v;
        }
    }
    bool used_between(value what, value from, value to) const {
        for (value v = from + 1; v < to; ++v) {
            const node& n = graph_.at(v);
            if (n.what == node_kind::dead || n.what == node_kind::constant) continue;
            if (n.what == node_kind::constant_lreg) continue;
            (void)what;
            return true; // anything else in between: not worth a closer look
        }
        return false;
    }

    /// Computations for the sake of one test, which can wait until it comes.
    void find_late(condition c) {
        const condition_node& n = graph_.at_condition(c);
        if (n.what != condition_node::kind::test) {
            find_late(n.left);
            if (n.what != condition_node::kind::negation) find_late(n.right);
            return;
        }
        const value v = n.tested;
        if (graph_.carried(v) || graph_.held(v) || uses_[v] != 1) return;
        const node& computed = graph_.at(v);
        const bool by_name =
            std::all_of(computed.fixed.begin(), computed.fixed.end(), [](value f) { return f == none; });
        late_[v] = computed.what == node_kind::compute && computed.results == 1 && !computed.keeps &&
                   by_name && computed.word >> 24 != sfpload && computed.word >> 24 != sfpshft2;
    }

    step& add(step_kind kind) {
        step s;
        s.what = kind;
        s.state = state();
        s.place = place_;
        steps_.push_back(s);
        return steps_.back();
    }
    step& add(std::uint32_t word) {
        step& s = add(step_kind::instruction);
        s.word = word;
        return s;
    }
    lane_state state() const { return state_; }

    void lower_node(value v) {
        const node n = graph_.at(v);
        state_ = n.state;
        place_ = n.place;
        flag_entries_ = n.flag_entries;
        switch (n.what) {
        case node_kind::dead:
        case node_kind::undefined:
        case node_kind::constant_lreg:
        case node_kind::part: break;
        case node_kind::constant:
            if (materialise_[v]) add_making(step_kind::constant, v).word = n.word;
            break;
        case node_kind::pinned_read: add_making(step_kind::pinned_read, v).lreg = n.lreg; break;
        case node_kind::compute:
            if (!late_[v]) lower_compute(v, n);
            break;
        case node_kind::merge: lower_merge(v, n); break;
        case node_kind::lanes_of: lower_lanes(v, n.cond); break;
        case node_kind::store:
        case node_kind::pinned_write:
        case node_kind::constant_write:
        case node_kind::raw_word: lower_effect(n); break;
        case node_kind::push:
            push_flags();
            just_pushed_ = true;
            return;
        case node_kind::pop: add(word_of(sfppopc, 0)); break;
        case node_kind::complement: add(word_of(sfpcompc, 0)); break;
        case node_kind::narrow:
            state_ = graph_.parent(n.state);
            narrow(n.cond, false, just_pushed_);
            break;
        }
        if (n.what != node_kind::constant && n.what != node_kind::constant_lreg && changes_lanes(n.what))
            just_pushed_ = false;
    }
    step& add_making(step_kind kind, value v) {
        step& s = add(kind);
        s.made = v;
        return s;
    }
    void lower_merge(value v, const node& n) {
        if (replaced_by_[n.vb] == v) return;
        step& s = add_making(step_kind::merge, v);
        s.va = n.va;
        s.vb = n.vb;
    }
    /// What leaves no value.
    void lower_effect(const node& n) {
        if (n.what == node_kind::store) {
            add(n.word).vd = n.va;
        } else if (n.what == node_kind::constant_write) {
            add(word_of(sfpconfig, 0) | std::uint32_t{n.lreg} << 4).fixed[0] = n.va;
        } else if (n.what == node_kind::raw_word) {
            add(step_kind::raw_word).word = n.word;
        } else {
            step& s = add(step_kind::pinned_write);
            s.lreg = n.lreg;
            s.va = n.va;
        }
    }
    /// Constants and computations between a push and its condition change nothing about the lanes.
    static bool changes_lanes(node_kind kind) {
        return kind == node_kind::pop || kind == node_kind::complement || kind == node_kind::narrow ||
               kind == node_kind::raw_word;
    }

    void lower_compute(value v, const node& n) {
        const isa::row* row = isa::find_row(static_cast<std::uint8_t>(n.word >> 24), graph_.arch());
        step& s = add(n.word);
        s.va = n.va;
        s.vc = n.vc;
        s.fixed = n.fixed;
        if (row->implicit_vb || row->opcode == sfpswap) s.vd = n.vb;
        else s.vb = n.vb;
        s.overwrites = n.overwrites;
        s.made = replaced_by_[v] != none ? replaced_by_[v] : v;
        if (n.results == 1) return;
        s.made = none;
        const value end = static_cast<value>(replaced_by_.size());
        for (value p = v + 1; p < end && p <= v + 8; ++p) {
            const node& part = graph_.at(p);
            if (part.what != node_kind::part || part.va != v) continue;
            if (n.results == 4) s.made_fixed[part.lreg] = p;
            else (part.lreg == 0 ? s.made : s.made_vc) = p;
        }
    }

    // --- conditions ----------------------------------------------------------------------------------------

    static relation opposite(relation how) {
        switch (how) {
        case relation::less_than_0: return relation::at_least_0;
        case relation::at_least_0: return relation::less_than_0;
        case relation::equal_0: return relation::not_0;
        default: return relation::equal_0;
        }
    }
    static std::uint32_t setcc(relation how) {
        switch (how) {
        case relation::less_than_0: return 0;
        case relation::not_0: return 2;
        case relation::at_least_0: return 4;
        default: return 6;
        }
    }

    /// Switches off the lanes in which the condition, or with `negated` its opposite, does not hold. `fresh`:
    /// the lanes are those on top of the flag stack, so that SFPCOMPC can turn the result round.
    void narrow(condition c, bool negated, bool fresh) {
        const condition_node n = graph_.at_condition(c);
        using kind = condition_node::kind;
        if (n.what == kind::negation) return narrow(n.left, !negated, fresh);
        if (n.what == kind::test) {
            if (n.tested < late_.size() && late_[n.tested])
                lower_compute(n.tested, node(graph_.at(n.tested)));
            step& s = add(word_of(sfpsetcc, setcc(negated ? opposite(n.how) : n.how)));
            s.vc = n.tested;
            state_ = graph_.new_state(state_);
            return;
        }
        if ((n.what == kind::both) != negated) { // one after the other
            narrow(n.left, negated, fresh);
            narrow(n.right, negated, false);
            return;
        }
        if (!fresh) { // by way of a register
            const value found = graph_.new_value(state_);
            lanes_into(found, c, negated);
            step& s = add(word_of(sfpsetcc, setcc(relation::not_0)));
            s.vc = found;
            state_ = graph_.new_state(state_);
            return;
        }
        // Not: neither of them
        const lane_state before = state_;
        narrow(n.left, !negated, true);
        narrow(n.right, !negated, false);
        add(word_of(sfpcompc, 0));
        state_ = graph_.new_state(before);
    }

    /// 1 in the lanes in which it holds, 0 in the other enabled ones.
    void lanes_into(value made, condition c, bool negated) {
        const lane_state before = state_;
        const value nothing = new_constant_step(0);
        push_flags();
        narrow(c, negated, true);
        step& s = add(step_kind::merge);
        s.va = nothing;
        s.vb = graph_.constant(1);
        s.made = made;
        state_ = before;
        add(word_of(sfppopc, 0));
        --flag_entries_;
    }
    /// A full stack would lose its oldest entry, and other lanes would come back.
    void push_flags() {
        constexpr unsigned most = isa::flag_stack::capacity;
        if (flag_entries_ == most) {
            const std::string where = to_text(place_);
            throw kernel_error((where.empty() ? "" : where + ": ") +
                               "the lanes of this condition need entry " + std::to_string(most + 1) +
                               " of the flag stack, which has " + std::to_string(most) +
                               ": each v_if and v_block around it holds one, each v_elseif in front of it "
                               "another, and so does an || behind other conditions; nest less deep");
        }
        ++flag_entries_;
        add(word_of(sfppushc, 0));
    }
    value new_constant_step(std::uint32_t bits) {
        const value made = graph_.new_value(state_);
        step& s = add(step_kind::constant);
        s.word = bits;
        s.made = made;
        return made;
    }
    void lower_lanes(value v, condition c) { lanes_into(v, c, false); }

    graph& graph_;
    const bool tests_late_;
    std::vector<std::uint32_t> uses_;
    std::vector<bool> late_; ///< by value: computed where it is tested
    std::vector<bool> materialise_;
    std::vector<value> replaced_by_; ///< by result: the merge that it does at once
    std::vector<step> steps_;
    lane_state state_ = 0;
    source_place place_;        ///< of the node that is lowered
    unsigned flag_entries_ = 0; ///< on the flag stack
    bool just_pushed_ = false;
};

} // namespace

std::vector<step> lower(graph& what, bool tests_late) { return lowering(what, tests_late).run(); }

} // namespace sfpu::kernel_recorder::vector
