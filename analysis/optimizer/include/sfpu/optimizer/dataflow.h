// The row of a plain kernel as a graph of values: what reads what, in which fields, at which addresses.
//
// Everything that is said of an instruction comes from the instruction table: which fields it reads and
// writes by asking its register use, whether lane flags matter to it and which of its operands may be
// exchanged by executing it.
#pragma once

#include <sfpu/isa/assembler.h>
#include <sfpu/isa/instruction.h>
#include <sfpu/isa/machine.h>
#include <sfpu/isa/thread_state.h>

#include <array>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace sfpu::optimizer {

/// The kernel cannot be made a row graph. `line` is that of the source, 0 if no line is to blame.
class row_error : public std::runtime_error {
public:
    row_error(unsigned at, const std::string& what) : std::runtime_error(what), line(at) {}
    unsigned line;
};

/// Register fields of an instruction.
enum field : unsigned { va, vb, vc, vd, field_count };

/// What an operand is: a value of this row or of an earlier one, or a register that keeps its contents for
/// ever.
struct operand {
    int value = -1;        ///< index into graph::values
    int constant = -1;     ///< register, if there is no value
    unsigned distance = 0; ///< rows back: 1 for what the row before left behind
};

/// One way to execute a node: the instruction, and which operand stands in which field.
struct form {
    isa::instruction insn;  ///< its register fields mean nothing
    std::uint32_t word = 0; ///< with register fields of zero
    isa::sub_unit unit{};
    unsigned latency = 1;
    std::array<int, field_count> operand_of{{-1, -1, -1, -1}}; ///< by field
    std::array<int, field_count> slot{
        {-1, -1, -1, -1}}; ///< position of the field in the word, -1 if it has none
    std::array<int, field_count> wired{
        {-1, -1, -1, -1}};                   ///< the number that bits of an immediate give the field
    bool vb_is_vd = false, vc_is_vd = false; ///< issued: the operand in VB (VC) stands where the result goes
    bool template_has_vb = false, template_has_vc = false; ///< T14: else the template's VD steps in
    bool can_issue = true, can_schedule = true;
};

/// A value that an instruction leaves in a register.
struct result {
    enum class place : std::uint8_t {
        destination, ///< VD: any register that the form can name
        tied,        ///< the register of an operand
        fixed,       ///< always the same one
    };
    int value = -1;
    place where = place::destination;
    int index = 0;  ///< of the operand, or the register
    int merge = -1; ///< operand that keeps its lanes where flags are off: it is in the same register
};

struct node {
    enum class kind : std::uint8_t { load, store, operation };
    kind what = kind::operation;
    unsigned line = 0;
    isa::instruction insn; ///< as in the plain kernel
    std::vector<operand> operands;
    std::vector<std::pair<int, int>> fixed_operands; ///< operand, and the register that it has to be in
    std::vector<result> results;
    std::vector<form> forms;
    bool reads_until_result =
        false; ///< SFPSWAP: in its last cycle too, which is the second on the chips (T8)
    bool reads_by_number =
        false; ///< INDIRECT_VA: L7 says which register VA is; those that it can be are operands
    bool writes_by_number = false; ///< INDIRECT_VD: the same for VD; those that it can be are results
    bool crosses_lanes = false;    ///< a lane of its results depends on other lanes
    bool uses_random = false;      ///< takes or steps random numbers, and somebody takes some: in this order
    bool optional =
        false; ///< a store that only puts a value aside, or the load that brings it back: a load is then
               ///< another source of the value that was stored
    bool spills = false;  ///< such a store that the plain row has not
    bool effect = false;  ///< must not happen for a row that is none: stores, flags, what carries values
    unsigned address = 0; ///< loads and stores: Dst address in row 0, without the counter's start
    unsigned mode = 0;    ///< loads and stores: Mod0

    // Lane flags. Versions count the changes in a row: version j is what the j-th change left.
    bool writes_flags = false;
    bool flags_need_register = false; ///< T9: it changes none if its result goes to L16
    bool reads_flags = false;         ///< the version matters
    unsigned version = 0;             ///< that it executes under
    bool more_lanes_allowed = false;  ///< lanes that are off may be computed too, nobody reads them
};

struct value {
    int node = -1;
    int index = 0;         ///< of the node's results
    int pinned = -1;       ///< the register that it has to be in
    bool live_out = false; ///< lives until the next row's takes its place
};

/// A constant that the row set by SFPLOADI and that now stands in a register for ever: in one of L11 to L14,
/// or where the row had it.
struct hoisted_constant {
    unsigned lreg = 0;
    std::uint32_t bits = 0;
    unsigned line = 0;
};

/// Operands that may be exchanged among a chain of the same operation: integer sums and the like.
struct exchangeable_chain {
    std::vector<std::pair<int, int>> uses; ///< node and operand: the leaves, in any order
};

/// A pair of a load and a store (or two stores) of the same cells, or of two users of random numbers: `first`
/// in row i, `second` in row i + rows, and the order of the plain kernel.
struct memory_order {
    int first = 0, second = 0; ///< nodes
    int rows = 0;
    bool store_to_load = false; ///< the second sees what the first wrote: T7's distance holds
};

struct graph {
    std::vector<node> nodes;
    std::vector<value> values;
    std::vector<hoisted_constant> constants;
    std::vector<std::pair<unsigned, unsigned>>
        tail_copies; ///< constants, and where the code behind the loop reads them
    std::vector<exchangeable_chain> chains;
    std::vector<memory_order> memory;
    isa::register_set reserved = 0; ///< general registers that values must not take
    isa::register_set carried = 0;  ///< general registers that hold a value from row to row
    std::vector<int> flag_writers;  ///< nodes, in order
    std::vector<bool> all_on;       ///< by flag version 0 to flag_writers.size(): every lane is enabled
    int step = 0;                   ///< of the Dst address from row to row
    unsigned rows = 32;             ///< iterations of the plain loop
    unsigned rows_per_iteration = 1;
    std::string no_spill; ///< with graph_options::spill: why nothing can be stored aside, empty if it can
};

struct graph_options {
    bool hoist_constants = true;
    bool drop_moves = true;
    bool keep_loads = false; ///< also those whose value nobody reads
    bool exchange = true;    ///< operands of commutative instructions and of chains
    bool through_dst = true; ///< what a row stores and loads again may stay in its register, too
    bool spill = false;      ///< values may be stored aside in free cells of Dst
    bool turn_swaps = false; ///< what SFPSWAP leaves in either register changes places, where that may be
};

/// Throws row_error. `thread` is the state in which `.init` begins.
graph build_graph(const isa::kernel& plain, const isa::machine& machine, const isa::thread_state& thread,
                  bool lanes_start_enabled, const graph_options& options = {});

/// The word of a form with registers in its fields.
std::uint32_t word_with(const form& how, const std::array<int, field_count>& registers);

} // namespace sfpu::optimizer
