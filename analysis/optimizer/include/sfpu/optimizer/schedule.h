// A schedule of a row: when what is issued, what macros schedule, in which registers.
#pragma once

#include <sfpu/optimizer/dataflow.h>

#include <array>
#include <cstdint>
#include <vector>

namespace sfpu::optimizer {

/// A load that is issued: of a load of the plain kernel, or one whose value nobody reads and that only gives
/// a scheduled store its address.
struct placed_load {
    int node = -1; ///< of the graph: the load, or the store whose address it names
    bool host_only = false;
    unsigned copy = 0;
    unsigned time = 0;          ///< cycle, counted from the start of the row
    int macro = -1;             ///< -1: a plain load
    std::vector<unsigned> lreg; ///< by row of an iteration
};

/// An instruction that is no load.
struct placed_operation {
    int node = -1;
    unsigned time = 0;
    unsigned how = 0; ///< form of the node
    bool issued = true;
    int parent = -1; ///< scheduled: index of the load
    unsigned delay = 0;
    int instruction_template = -1; ///< -1: none is needed (SFPSTORE)
    bool vb_is_loaded = false, to_l16 = false;
    std::vector<std::vector<unsigned>> operand_lreg; ///< by operand, by row of an iteration
    std::vector<std::vector<unsigned>> result_lreg;  ///< by result, by row of an iteration; 16 is L16
};

struct macro_entry {
    bool used = false;
    int instruction_template = -1;
    unsigned delay = 0;
    bool vb_is_loaded = false, l16 = false;
};

struct schedule {
    unsigned interval = 0; ///< cycles a row
    unsigned rows = 1;     ///< rows of the plain loop in an iteration, in registers of their own
    unsigned frame = 0;    ///< first stage of a row in which its effects are issued
    unsigned peeled = 0;   ///< stages behind it that may have some, too: so many rows are not in the loop
    std::vector<placed_load> loads;
    std::vector<placed_operation> operations;
    std::vector<std::uint32_t> templates; ///< words; 0 if unused
    std::vector<bool> template_needs_vd;  ///< its VD is an operand, so that the backdoor cannot write it
    std::vector<std::array<macro_entry, 4>> macros;
    std::vector<bool> store_takes_load_mode; ///< by macro
    unsigned store_mode = 0;
    unsigned last_time = 0; ///< of anything

    unsigned macros_used() const;
    unsigned templates_used() const;
    unsigned registers_used() const;
};

} // namespace sfpu::optimizer
