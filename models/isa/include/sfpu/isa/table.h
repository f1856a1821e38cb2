// Access to the instruction table.
#pragma once

#include <sfpu/isa/instruction.h>
#include <sfpu/isa/word_encoding.h>

#include <vector>

namespace sfpu::isa {

/// All rows in opcode order. The semantics in them are those compiled for the best vector instruction set
/// that this processor has; every set gives the same bits.
const std::vector<const row*>& instruction_table();

/// The same rows with the semantics compiled for the instruction set that every processor of the build target
/// has. Only for comparing the two.
const std::vector<const row*>& baseline_instruction_table();

/// The row of an opcode on an architecture, or null.
const row* find_row(std::uint8_t opcode, architecture arch);
const row* find_row(const std::string& mnemonic);

/// Name of the vector instruction set in use, for `info` and performance notes.
const char* vector_target();

/// Opcodes of Tensix units that are not modelled (NOPs here, with a diagnostic).
bool is_other_unit(std::uint8_t opcode, architecture arch);

enum class word_kind { sfpu, front_end, other_unit, no_instruction };
word_kind classify(std::uint32_t word, architecture arch);

/// Decodes a word whose opcode has a row; words of other units decode as NOP.
instruction decode(std::uint32_t word, const word_encoding& words);

/// Recomputes the parts of a decoded instruction that depend on its register fields, after they were changed.
void refresh(instruction& insn, architecture arch);

/// Latency class after modifiers are known: SFPSHFT2 has two.
latency_class latency_of(const row& op, unsigned mod);

/// Position and width of the address mode field.
constexpr unsigned addr_mod_shift(architecture arch) { return describe(arch).addr_mod_shift; }
constexpr unsigned addr_mod_width(architecture arch) { return describe(arch).addr_mod_width; }

/// Named Dst modes, used by loads and stores.
namespace dst_mode {
constexpr unsigned srcb = 0, fp16 = 1, bf16 = 2, fp32 = 3, int32 = 4, int8 = 5, uint16 = 6, hi16 = 7,
                   int16 = 8, lo16 = 9, int32_all = 10, zero = 11, int32_sm = 12, int8_comp = 13,
                   lo16_only = 14, hi16_only = 15;
/// Whether the mode reads or writes 32-bit cells of Dst.
constexpr unsigned wide_loads = 1u << fp32 | 1u << int32 | 1u << int32_all | 1u << int32_sm;
constexpr unsigned wide_stores = wide_loads | 1u << lo16 | 1u << hi16;
constexpr bool load_is_32_bit(unsigned mode) { return (wide_loads & 1u << mode) != 0; }
constexpr bool store_is_32_bit(unsigned mode) { return (wide_stores & 1u << mode) != 0; }
} // namespace dst_mode

/// What MOD0_FMT_SRCB stands for: FP32 if the SFPU runs in 32-bit mode, else by the format number.
constexpr unsigned resolve_srcb(unsigned mode, bool fp32_enabled, unsigned srcb_format) {
    if (mode != dst_mode::srcb) return mode;
    if (fp32_enabled) return dst_mode::fp32;
    // FP32 0, TF32 4, BF16 5, BFP8 6, BFP4 7, INT32 8, INT16 9, BFP2 15
    constexpr unsigned wide_exponent =
        1u << 0 | 1u << 4 | 1u << 5 | 1u << 6 | 1u << 7 | 1u << 8 | 1u << 9 | 1u << 15;
    return (wide_exponent >> (srcb_format & 15) & 1) ? dst_mode::bf16 : dst_mode::fp16;
}

} // namespace sfpu::isa
