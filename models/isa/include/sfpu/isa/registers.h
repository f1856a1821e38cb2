// LReg numbers and sets of LRegs.
#pragma once

#include <cstdint>

namespace sfpu::isa {

/// LReg numbers: 0-7 general, 8-10 and 15 constant, 11-14 programmable constants, 16 reachable from macros
/// only.
constexpr unsigned lreg_count = 17;
constexpr unsigned general_lregs = 8;
constexpr unsigned macro_lreg = 16;

/// Whether ordinary instructions may write the register.
constexpr bool writable(unsigned lreg) { return lreg < general_lregs || lreg == macro_lreg; }

/// A set of LRegs: bit i is L<i>, 17 bits.
using register_set = std::uint32_t;
constexpr register_set only(unsigned lreg) { return register_set{1} << lreg; }
constexpr bool contains(register_set set, unsigned lreg) { return set >> lreg & 1u; }

constexpr register_set general_registers = 0xff; ///< L0 to L7: all that the stall logic knows (T16)
constexpr register_set programmable_constants = 0xfu << 11; ///< L11 to L14, which only SFPCONFIG writes
constexpr register_set result_registers = general_registers | only(macro_lreg); ///< what `writable` allows

} // namespace sfpu::isa
