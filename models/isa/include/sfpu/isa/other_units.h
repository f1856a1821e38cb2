// The instructions of Tensix units that are not modelled, by name.
#pragma once

#include <sfpu/common/types.h>

#include <cstdint>

namespace sfpu::isa {

struct other_unit_instruction {
    const char* mnemonic; ///< as the public headers spell it
    const char* unit;     ///< "the Matrix Unit"
};

/// Null if the opcode belongs to the vector unit, to the front-end words that it takes, or to nobody.
const other_unit_instruction* find_other_unit(std::uint8_t opcode, architecture arch);

} // namespace sfpu::isa
