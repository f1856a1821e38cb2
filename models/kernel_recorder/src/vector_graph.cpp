#include <sfpu/isa/table.h>
#include <sfpu/kernel_recorder/recorder.h>
#include <sfpu/kernel_recorder/vector/graph.h>

namespace sfpu::kernel_recorder::vector {

void graph::stand_at(const source_place& place) {
    if (place.is_of_kernel()) place_ = place;
}

graph::graph(architecture arch) : arch_(arch) {
    nodes_.emplace_back().what = node_kind::undefined; // value `none`
    held_.push_back(0);
    parents_.push_back(0);
    conditions_.emplace_back();
}

value graph::add(const node& n) {
    nodes_.push_back(n);
    nodes_.back().state = nodes_.back().lives_in = present_;
    nodes_.back().place = place_;
    nodes_.back().flag_entries = static_cast<unsigned>(pushed_.size() + own_pushed_.size());
    held_.push_back(0);
    return size() - 1;
}

value graph::constant(std::uint32_t bits) {
    node n;
    n.what = node_kind::constant;
    n.word = bits;
    return add(n);
}

value graph::constant_lreg(unsigned lreg) {
    node n;
    n.what = node_kind::constant_lreg;
    n.lreg = static_cast<std::uint8_t>(lreg);
    return add(n);
}

value graph::pinned(unsigned lreg) {
    node n;
    n.what = node_kind::pinned_read;
    n.lreg = static_cast<std::uint8_t>(lreg);
    return add(n);
}

value graph::compute(const node& instruction) {
    node n = instruction;
    n.what = node_kind::compute;
    return add(n);
}

value graph::part(value of, unsigned number) {
    node n;
    n.what = node_kind::part;
    n.va = of;
    n.lreg = static_cast<std::uint8_t>(number);
    return add(n);
}

value graph::assign(value before, value now) {
    // In lanes that are off now, a variable that was made under the same predication holds nothing.
    if (before == none || now == none || before == now || within(nodes_[before].lives_in, present_))
        return now;
    node n;
    n.what = node_kind::merge;
    n.va = before;
    n.vb = now;
    const value merged = add(n);
    nodes_[merged].place = nodes_[now].place;
    nodes_[merged].lives_in = nodes_[before].lives_in;
    return merged;
}

value graph::lanes_of(condition where) {
    node n;
    n.what = node_kind::lanes_of;
    n.cond = where;
    return add(n);
}

void graph::store(const node& instruction) {
    node n = instruction;
    n.what = node_kind::store;
    if (n.va == none)
        throw kernel_error("a vector variable is stored to Dst that nothing was assigned to before");
    add(n);
}

void graph::write_pinned(unsigned lreg, value what) {
    node n;
    n.what = node_kind::pinned_write;
    n.lreg = static_cast<std::uint8_t>(lreg);
    n.va = what;
    if (what == none) return; // a register keeps what it holds
    add(n);
}

void graph::write_constant(unsigned lreg, value what) {
    node n;
    n.what = node_kind::constant_write;
    n.lreg = static_cast<std::uint8_t>(lreg);
    n.va = what;
    if (what == none)
        throw kernel_error("a programmable constant is given a variable that nothing was assigned to before");
    add(n);
}

namespace {
/// Whether a word may switch lanes on or off, or keeps which are on.
bool changes_lanes(std::uint32_t word, architecture arch) {
    if (isa::classify(word, arch) != isa::word_kind::sfpu) return false;
    const unsigned mod = word & 15u;
    switch (word >> 24) {
    case isa::opcode::sfpsetcc:
    case isa::opcode::sfpencc:
    case isa::opcode::sfpcompc:
    case isa::opcode::sfppopc:
    case isa::opcode::sfppushc:
    case isa::opcode::sfploadmacro: return true;
    case isa::opcode::sfpiadd: return (mod & 12u) != 4;
    case isa::opcode::sfplz:
    case isa::opcode::sfpexexp: return (mod & 10u) != 0;
    default: return false;
    }
}
} // namespace

void graph::raw(std::uint32_t word) {
    node n;
    n.what = node_kind::raw_word;
    n.word = word;
    add(n);
    follow(word);
}

void graph::follow(std::uint32_t word) {
    if (!changes_lanes(word, arch_)) return;
    const bool plain = (word & 15u) == 0;
    if (word >> 24 == isa::opcode::sfppushc && plain) return own_pushed_.push_back(present_);
    if (word >> 24 == isa::opcode::sfppopc && plain && !own_pushed_.empty()) {
        present_ = own_pushed_.back();
        own_pushed_.pop_back();
        return;
    }
    parents_.push_back(static_cast<lane_state>(parents_.size())); // its own parent: nothing is known of it
    present_ = static_cast<lane_state>(parents_.size() - 1);
}

void graph::push() {
    node n;
    n.what = node_kind::push;
    add(n);
    pushed_.push_back(present_);
}

void graph::pop() {
    if (pushed_.empty()) throw kernel_error("v_endif without v_if");
    node n;
    n.what = node_kind::pop;
    add(n);
    present_ = pushed_.back();
    pushed_.pop_back();
}

void graph::complement() {
    if (pushed_.empty()) throw kernel_error("v_else without v_if");
    node n;
    n.what = node_kind::complement;
    const value made = add(n);
    present_ = new_state(pushed_.back());
    nodes_[made].state = present_;
}

void graph::narrow(condition to) {
    node n;
    n.what = node_kind::narrow;
    n.cond = to;
    const value made = add(n);
    present_ = new_state(present_);
    nodes_[made].state = present_;
}

condition graph::test(value what, relation how) {
    conditions_.push_back({condition_node::kind::test, how, what, 0, 0});
    return static_cast<condition>(conditions_.size() - 1);
}
condition graph::both(condition a, condition b) {
    conditions_.push_back({condition_node::kind::both, relation::not_0, none, a, b});
    return static_cast<condition>(conditions_.size() - 1);
}
condition graph::either(condition a, condition b) {
    conditions_.push_back({condition_node::kind::either, relation::not_0, none, a, b});
    return static_cast<condition>(conditions_.size() - 1);
}
condition graph::negation(condition a) {
    conditions_.push_back({condition_node::kind::negation, relation::not_0, none, a, 0});
    return static_cast<condition>(conditions_.size() - 1);
}

void graph::mark_done() { first_ = size(); }

bool graph::within(lane_state inner, lane_state outer) const {
    while (inner > outer) { // a parent is older than its children
        if (parents_[inner] == inner) return false;
        inner = parents_[inner];
    }
    return inner == outer;
}

lane_state graph::new_state(lane_state outer) {
    parents_.push_back(outer);
    return static_cast<lane_state>(parents_.size() - 1);
}

value graph::new_value(lane_state state) {
    node n;
    n.what = node_kind::dead;
    const value made = add(n);
    nodes_[made].state = nodes_[made].lives_in = state;
    return made;
}

} // namespace sfpu::kernel_recorder::vector
