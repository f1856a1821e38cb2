// A row as the heuristic scheduler sees it: what may be scheduled by a load and how, and what waits for what.
#pragma once

#include <sfpu/isa/machine.h>
#include <sfpu/isa/registers.h>
#include <sfpu/optimizer/dataflow.h>

#include <array>
#include <cstdint>
#include <utility>
#include <vector>

namespace sfpu::optimizer::heuristic {

/// One way in which a load schedules an operation (T14).
struct hosting {
    unsigned form = 0, unit = 0;
    std::uint32_t word = 0; ///< of the template without its register fields; 0: none is needed
    bool vb = false;        ///< bit 7 of the sequence: the loaded register is VB
    bool from_l16 = false;  ///< a store of L16
    bool needs_vd = false;  ///< an operand stands in the template's VD
    int loaded = -1;        ///< operand in the loaded register
    std::array<int, field_count> in_field{{-1, -1, -1, -1}}; ///< operand that a field of the template names
};

/// This one executes no earlier than `cycles` behind the other node `rows` rows earlier.
struct order {
    int other = -1, cycles = 0, rows = 0;
};

/// Who reads a value: operand of a node, so many rows later, in so many cycles of it.
struct reading {
    int node = -1, operand = 0, rows = 0;
    int early = 0; ///< cycles that it may begin before the value is there
    int late = 0;  ///< cycles behind its first in which it still reads
};

struct node_facts {
    std::vector<unsigned> issuable; ///< forms
    std::vector<hosting> hostings;
    std::vector<order> behind, before; ///< this one waits for others; others wait for this one
    std::vector<int> needs, frees;     ///< nodes of the same row that are placed earlier, or later
    unsigned first_operand = 0;        ///< its operands among those of all nodes
    bool exists = true;                ///< false: optional, and left out
    bool is_source = false;            ///< waits for no value
    bool may_be_in_l16 = false;
    bool may_be_elsewhere = false;       ///< also where no lane is off
    std::vector<isa::register_set> seen; ///< T16, by form: registers that fields without operands name
    std::vector<bool> sees_result;       ///< T16, by form: its VD counts as read
};

class row_facts {
public:
    /// Both have to outlive it.
    row_facts(const graph& of, const isa::machine& machine);

    /// Whether there is a heuristic for such rows on such a machine.
    bool usable() const { return usable_; }
    const graph& row;
    const isa::machine& machine;
    std::vector<node_facts> nodes;
    std::vector<std::vector<reading>> readers; ///< by value
    unsigned operands = 0;                     ///< of all nodes
    std::vector<int> loads;                    ///< nodes that can start a macro
    std::vector<int> named;                    ///< stores whose address no load has: a load may be added
    std::vector<int> operations;               ///< nodes that are no loads

    int longest(int node) const;
    const node& at(int index) const { return row.nodes[static_cast<unsigned>(index)]; }
    const node_facts& facts(int index) const { return nodes[static_cast<unsigned>(index)]; }

private:
    void find_forms(int index);
    void find_hostings(int index, unsigned form);
    void find_readers();
    void keep_order(int first, int second, int cycles, int rows);
    void keep_flags();
    void keep_memory();
    void find_hosts();

    bool usable_ = true;
};

} // namespace sfpu::optimizer::heuristic
