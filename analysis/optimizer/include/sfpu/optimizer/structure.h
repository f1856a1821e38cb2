// The structure of a schedule: what is issued, what is scheduled by whom. Retiming keeps it.
#pragma once

#include <sfpu/isa/instruction.h>

#include <vector>

namespace sfpu::optimizer {

/// Where an instruction of a macro kernel stands: what retiming keeps of it.
struct kept_place {
    unsigned line = 0; ///< of the instruction in the plain text
    bool issued = true;
    unsigned parent_line = 0; ///< scheduled: of the load that schedules it
    isa::sub_unit unit{};
    unsigned time = 0; ///< cycle, counted from the first of the rows; what retiming changes
    int macro = -1;    ///< loads: which macro it starts; -1: none
};

using structure = std::vector<kept_place>;

} // namespace sfpu::optimizer
