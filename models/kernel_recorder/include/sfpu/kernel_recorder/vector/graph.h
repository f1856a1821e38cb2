// What a kernel written with vector types does, as a graph: values that are computed once, and in their order
// the effects on Dst, on registers and on predication.
//
// The front (vector_types.h) records it. Code generation (words) and direct execution (32 lanes) both start
// from it.
#pragma once

#include <sfpu/common/types.h>
#include <sfpu/kernel_recorder/source_place.h>

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace sfpu::kernel_recorder::vector {

/// A value: the index of its node. `none` is a variable that nothing was assigned to yet.
using value = std::uint32_t;
constexpr value none = 0;

/// A set of lanes that predication has narrowed down to; each is part of its parent. 0 is the function's
/// start. Behind a word of the kernel's own that switches lanes on or off it is a set of which nothing is
/// known.
using lane_state = std::uint32_t;

/// A boolean expression over lanes.
using condition = std::uint32_t;

/// How a condition looks at a value: as SFPSETCC does, at its sign or at all of its bits.
enum class relation : std::uint8_t { less_than_0, not_0, at_least_0, equal_0 };

struct condition_node {
    enum class kind : std::uint8_t { test, both, either, negation } what = kind::test;
    relation how = relation::not_0;
    value tested = none;
    condition left = 0, right = 0;
};

enum class node_kind : std::uint8_t {
    dead,           ///< nobody needs it
    undefined,      ///< a value that nothing gave
    constant,       ///< `bits` in all lanes
    constant_lreg,  ///< LReg `lreg`, 8 to 15
    pinned_read,    ///< what LReg `lreg`, 0 to 7, holds at this point
    compute,        ///< an instruction: `word` without registers, operands in va, vb, vc and fixed
    part,           ///< another result of the compute node va, number `lreg`
    merge,          ///< va, but vb in the lanes of `state`
    lanes_of,       ///< 1 in the lanes where `cond` holds, else 0
    store,          ///< SFPSTORE of va
    pinned_write,   ///< LReg `lreg` becomes va
    constant_write, ///< programmable constant `lreg` becomes va, by SFPCONFIG
    raw_word,       ///< a word that the kernel issued itself
    push,
    pop,
    complement,
    narrow, ///< `cond`
};

struct node {
    node_kind what = node_kind::dead;
    std::uint8_t lreg = 0;    ///< register, or number of a result
    std::uint8_t results = 1; ///< of a compute node
    bool keeps = false;       ///< is not dropped when nobody uses it: its address modifier has an effect
    lane_state state = 0;     ///< the lanes in which it happens
    lane_state lives_in = 0;  ///< a value: lanes outside of this state hold nothing that anybody may use
    std::uint32_t word = 0;   ///< instruction without registers, raw word, or bits of a constant
    value va = none, vb = none, vc = none;
    /// Operands in registers that the instruction does not name: LReg i, for i from 0 to 6.
    std::array<value, 7> fixed{};
    condition cond = 0;
    value overwrites = none;   ///< this result goes into that value's register, whose other lanes it keeps
    source_place place;        ///< where the kernel says so
    unsigned flag_entries = 0; ///< on the flag stack before it
};

/// One function's worth of graph. All errors are kernel_error.
class graph {
public:
    explicit graph(architecture arch);

    architecture arch() const { return arch_; }

    /// What is added from now on stands there. Lines of the kernel headers themselves do not count.
    void stand_at(const source_place& place);
    const source_place& place() const { return place_; }

    // Values
    value constant(std::uint32_t bits);
    value constant_lreg(unsigned lreg);
    value pinned(unsigned lreg);
    value compute(const node& instruction);
    value part(value of, unsigned number);
    /// What a variable holds after an assignment: `now` in the lanes that predication leaves, `before` in
    /// others.
    value assign(value before, value now);
    value lanes_of(condition where);

    // Effects, in the order of the calls
    void store(const node& instruction);
    void write_pinned(unsigned lreg, value what);
    void write_constant(unsigned lreg, value what);
    void raw(std::uint32_t word);
    /// A word that goes elsewhere: which lanes are on behind it.
    void follow(std::uint32_t word);
    void push();
    void pop();
    /// The lanes of the state that was pushed last, without the present ones.
    void complement();
    void narrow(condition to);

    // Conditions
    condition test(value what, relation how);
    condition both(condition a, condition b);
    condition either(condition a, condition b);
    condition negation(condition a);

    /// Variables that hold a value. What a variable holds outlives a piece of code.
    void retain(value v) { ++held_[v]; }
    void release(value v) { --held_[v]; }
    bool held(value v) const { return held_[v] != 0; }

    /// Nodes from here on have not become code yet.
    value first() const { return first_; }
    bool pending() const { return first_ < nodes_.size(); }
    void mark_done();

    value size() const { return static_cast<value>(nodes_.size()); }
    node& at(value v) { return nodes_[v]; }
    const node& at(value v) const { return nodes_[v]; }
    const condition_node& at_condition(condition c) const { return conditions_[c]; }
    /// Whether all lanes of `inner` belong to `outer`.
    bool within(lane_state inner, lane_state outer) const;
    lane_state parent(lane_state s) const { return parents_[s]; }
    lane_state present() const { return present_; }
    /// A state of its own within `outer`, or a value of its own, for code generation.
    lane_state new_state(lane_state outer);
    value new_value(lane_state state);
    /// States that stand pushed at the end of the piece.
    const std::vector<lane_state>& pushed() const { return pushed_; }

    /// The value that a value that became code before `first()` is, for use in this piece.
    bool carried(value v) const { return v < first_; }

private:
    value add(const node& n);

    architecture arch_;
    std::vector<node> nodes_;
    std::vector<std::uint32_t> held_;
    std::vector<condition_node> conditions_;
    std::vector<lane_state> parents_;
    std::vector<lane_state> pushed_, own_pushed_; ///< by conditions, and by words of the kernel's own
    lane_state present_ = 0;
    value first_ = 1;
    source_place place_;
};

/// Uses of each value by the nodes from first() on, held variables included; index is the value.
std::vector<std::uint32_t> count_uses(const graph& of);

/// What the vendor's compiler would do on the graph: drops what nobody uses, turns a product and a sum into
/// one multiply-add. Both ways of running a graph do it, since a multiply-add rounds once.
void simplify(graph& what);

} // namespace sfpu::kernel_recorder::vector
