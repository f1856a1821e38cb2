// What the front end must know of a Tensix word: which unit executes it and which waits hold it back.
// Pure C++.
//
// Source: tt-isa-documentation, STALLWAIT (block mask), BabyRISCV CSRs (status masks); opcodes of the
// public headers.
#pragma once

#include <sfpu/common/types.h>
#include <sfpu/frontend/backend_times.h>
#include <sfpu/isa/instruction.h>

#include <cstdint>

namespace sfpu::frontend {

/// Bits B0 to B8 of a block mask that hold a word back.
using block_mask = std::uint16_t;
constexpr block_mask block_tdma = 1u << 0; ///< miscellaneous, mover, scalar, packer or unpacker
constexpr block_mask block_sync = 1u << 1, block_packer = 1u << 2, block_unpacker = 1u << 3,
                     block_mover = 1u << 4, block_scalar = 1u << 5, block_matrix = 1u << 6,
                     block_config = 1u << 7, block_vector = 1u << 8;
constexpr block_mask block_all = 0x1ff;

/// Which bits of a block mask hold the word back. 0: none does.
block_mask blocked_by(std::uint32_t word, architecture arch);
/// NOP is held back by a block mask that has all bits set, and by no other.
bool is_blocked(std::uint32_t word, block_mask mask, architecture arch);

/// Whether the word does nothing in the wait gate: it is neither a wait nor an instruction of the Sync Unit.
constexpr bool is_plain(std::uint32_t word) {
    const std::uint32_t code = word >> 24;
    return code < isa::opcode::atgetm || code > 0xa7;
}
/// Whether the word acquires or releases the mutex whose number it holds.
constexpr bool is_for_mutex(std::uint32_t word) {
    return word >> 24 == isa::opcode::atgetm || word >> 24 == isa::opcode::atrelm;
}
/// Whether the word goes through the wait gate by itself: others, and time, may depend on when it passes.
constexpr bool passes_alone(std::uint32_t word) { return !is_plain(word) || is_for_backend(word); }
constexpr bool is_mop(std::uint32_t word) { return word >> 24 == isa::opcode::mop; }
constexpr bool is_mop_cfg(std::uint32_t word) { return word >> 24 == isa::opcode::mop_cfg; }
constexpr bool is_replay(std::uint32_t word) { return word >> 24 == isa::opcode::replay; }
/// Whether an expander takes the word in and does not pass it on.
constexpr bool is_for_expander(std::uint32_t word) {
    static_assert(isa::opcode::mop < isa::opcode::mop_cfg && isa::opcode::mop_cfg < isa::opcode::replay);
    return word >> 24 <= isa::opcode::replay && (is_mop(word) || is_mop_cfg(word) || is_replay(word));
}
/// Whether the word stores to Dst. With a VD of 12 and above an SFPSTORE writes a template.
constexpr bool is_store(std::uint32_t word) {
    constexpr std::uint32_t first_template = 12;
    return word >> 24 == isa::opcode::sfpstore && (word >> 20 & 15u) < first_template;
}
constexpr bool is_vector(std::uint32_t word) { return word >> 24 >= 0x70 && word >> 24 <= 0x9f; }

/// Bits of the status CSRs (tt_cfg_qstatus, tt_cfg_bstatus) that the word sets while it is under way.
std::uint32_t status_bits(std::uint32_t word, architecture arch);

} // namespace sfpu::frontend
