// Operands of the published macros, and their places in the words.
//
// Where each field stands is public in the ISA documentation. A test holds every macro against the
// assembler, whose words come from the instruction table.
#pragma once

#include <cstdint>

namespace sfpu::kernel_recorder {

/// One operand of a macro: its published name and its place in the word.
struct operand_field {
    const char* name;
    unsigned shift;
    unsigned width;         ///< bits
    bool is_signed = false; ///< negative numbers are taken too, with a warning
    /// Larger numbers that are taken too, with a warning, have so many bits more: the vendor's macro adds
    /// them to the operand that stands above.
    unsigned spills = 0;
};

/// Operands of the macros, in their order.
namespace formats {
inline constexpr operand_field lreg_dest{"lreg_dest", 4, 4}, lreg_c{"lreg_c", 8, 4}, mod1{"instr_mod1", 0, 4};
inline constexpr operand_field src_c{"lreg_src_c", 8, 4}, src_b{"lreg_src_b", 12, 4};
inline constexpr operand_field lreg_ind{"lreg_ind", 20, 4}, mod0{"instr_mod0", 16, 4};
inline constexpr operand_field imm16_math{"imm16_math", 8, 16, true};

inline constexpr operand_field imm12[] = {{"imm12_math", 12, 12, true}, lreg_c, lreg_dest, mod1};
inline constexpr operand_field three_sources[] = {{"lreg_src_a", 16, 4}, src_b, src_c, lreg_dest, mod1};
inline constexpr operand_field imm16[] = {imm16_math, lreg_dest, mod1};
inline constexpr operand_field config[] = {imm16_math, {"config_dest", 4, 4}, mod1};
inline constexpr operand_field cast[] = {src_c, lreg_dest, mod1};
inline constexpr operand_field lut[] = {lreg_ind, mod0, {"dest_reg_addr", 0, 16}};
inline constexpr operand_field lut_fp32[] = {lreg_dest, mod1};
inline constexpr operand_field load_immediate[] = {lreg_ind, mod0, {"imm16", 0, 16, true}};
inline constexpr operand_field stochastic_round[] = {
    {"rnd_mode", 21, 3}, {"imm8_math", 16, 5}, src_b, src_c, lreg_dest, mod1};

inline constexpr operand_field increment_counters[] = {
    {"rwc_cr", 18, 6}, {"rwc_d", 14, 4}, {"rwc_b", 10, 4}, {"rwc_a", 6, 4}};
inline constexpr operand_field set_counters[] = {{"clear_ab_vld", 22, 2}, {"rwc_cr", 18, 4},
                                                 {"rwc_d", 14, 4},        {"rwc_b", 10, 4},
                                                 {"rwc_a", 6, 4},         {"BitMask", 0, 6}};
inline constexpr operand_field set_config[] = {{"setc16_reg", 16, 8}, {"setc16_value", 0, 16}};
inline constexpr operand_field stall_wait[] = {{"stall_res", 15, 9}, {"wait_res", 0, 15}};
inline constexpr operand_field sem_init[] = {{"max_value", 20, 4}, {"init_value", 16, 4}, {"sem_sel", 2, 8}};
inline constexpr operand_field mutex[] = {{"mutex_index", 0, 16}};
inline constexpr operand_field sem_change[] = {{"sem_sel", 2, 8}};
inline constexpr operand_field sem_wait[] = {
    {"stall_res", 15, 9}, {"sem_sel", 2, 8}, {"wait_sem_cond", 0, 2}};
inline constexpr operand_field replay[] = {
    {"start_idx", 14, 10}, {"len", 4, 10}, {"execute_while_loading", 1, 3}, {"load_mode", 0, 1}};

/// Loads and stores: the address mode has three bits on Blackhole and two on Wormhole, where kernels that
/// were written for Blackhole name modes of three.
namespace blackhole {
inline constexpr operand_field load_store[] = {
    lreg_ind, mod0, {"sfpu_addr_mode", 13, 3}, {"dest_reg_addr", 0, 13}};
}
namespace wormhole {
inline constexpr operand_field load_store[] = {
    lreg_ind, mod0, {"sfpu_addr_mode", 14, 2, false, 1}, {"dest_reg_addr", 0, 14}};
}
} // namespace formats

/// SFPLUTFP32 carries its modifier a second time in bits 19:16, where the stall logic looks for it. As in
/// the assembler, both are equal.
constexpr std::uint32_t repeat_modifier(std::uint32_t word) { return word | (word & 15u) << 16; }

} // namespace sfpu::kernel_recorder
