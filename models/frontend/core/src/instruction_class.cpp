#include <sfpu/frontend/instruction_class.h>

#include <sfpu/isa/instruction.h>

#include <array>
#include <iterator>

namespace sfpu::frontend {
namespace {

using isa::opcode::nop;

/// Opcodes first to last are held back by these bits.
struct opcode_range {
    std::uint8_t first, last;
    block_mask mask;
};
constexpr opcode_range ranges[] = {
    {0x08, 0x3a, block_matrix},
    {0x40, 0x40, block_tdma | block_mover},    // XMOV
    {0x41, 0x41, block_tdma | block_packer},   // PACR
    {0x42, 0x43, block_tdma | block_unpacker}, // UNPACR, UNPACR_NOP
    {0x44, 0x44, block_tdma},                  // RSTDMA
    {0x45, 0x49, block_tdma | block_scalar},   // SETDMAREG to LOADIND
    {0x4a, 0x4a, block_tdma | block_packer},   // PACR_SETREG
    {0x4b, 0x57, block_tdma},                  // address counters, SETDVALID
    {0x58, 0x5d, block_tdma | block_scalar},   // arithmetic on GPRs
    {0x5e, 0x5e, block_tdma},                  // SETADCXX
    {0x60, 0x68, block_tdma | block_scalar},   // DMANOP to LOADREG
    {0x70, 0x9f, block_vector},
    {0xa0, 0xa1, block_sync}, // mutexes
    {0xa2, 0xa2, block_all},  // STALLWAIT
    {0xa3, 0xa5, block_sync}, // SEMINIT, SEMPOST, SEMGET
    {0xa6, 0xa7, block_all},  // SEMWAIT, STREAMWAIT; see below
    {0xb0, 0xbf, block_config},
};

constexpr bool times_agree_on_the_scalar_unit() {
    for (std::uint32_t code = 0; code < 256; ++code) {
        block_mask mask{};
        for (const opcode_range& range : ranges)
            if (range.first <= code && code <= range.last) mask = range.mask;
        const bool is_held = mask != block_all && (mask & block_scalar);
        if (is_held != is_scalar(code << 24)) return false;
    }
    return true;
}
static_assert(times_agree_on_the_scalar_unit());

using mask_table = std::array<block_mask, 256>;
mask_table make_table(architecture arch) {
    mask_table table{};
    for (const opcode_range& range : ranges)
        for (unsigned code = range.first; code <= range.last; ++code) table[code] = range.mask;
    // There a SEMWAIT may overtake a wait that does not block the Sync Unit, and replaces it.
    if (describe(arch).semwait_blocks_sync_only) table[isa::opcode::semwait] = block_sync;
    return table;
}

} // namespace

block_mask blocked_by(std::uint32_t word, architecture arch) {
    static const auto tables = [] {
        std::array<mask_table, std::size(all_architectures)> result{};
        for (const architecture one : all_architectures) result[static_cast<unsigned>(one)] = make_table(one);
        return result;
    }();
    return tables[static_cast<unsigned>(arch)][word >> 24];
}

bool is_blocked(std::uint32_t word, block_mask mask, architecture arch) {
    if (word >> 24 == nop) return (mask & block_all) == block_all;
    return (blocked_by(word, arch) & mask) != 0;
}

std::uint32_t status_bits(std::uint32_t word, architecture arch) {
    const std::uint32_t code = word >> 24;
    if (code == isa::opcode::mop) return 1u << 1;
    if (code == isa::opcode::replay) return (word >> 1 & 1) || !(word & 1) ? 1u << 0 : 0u;
    if (code == isa::opcode::stallwait || code == isa::opcode::semwait) return 1u << 7; // Sync Unit
    const block_mask mask = blocked_by(word, arch);
    const auto bit = [mask](block_mask unit, unsigned position) { return mask & unit ? 1u << position : 0u; };
    return bit(block_scalar, 2) | bit(block_mover, 3) | bit(block_unpacker, 4) | bit(block_packer, 5) |
           bit(block_config, 6) | bit(block_sync, 7) | bit(block_tdma, 8) | bit(block_vector, 9) |
           bit(block_matrix, 10);
}

} // namespace sfpu::frontend
