// One instruction word as the oracle reads it, and what it does.
#pragma once

#include "oracle_state.h"

namespace sfpu::oracle {

/// Opcodes by their names; numbers of the public headers.
enum opcode : unsigned {
    op_nop = 0x02,
    op_replay = 0x04,
    op_setrwc = 0x37,
    op_incrwc = 0x38,
    op_load = 0x70,
    op_loadi,
    op_store,
    op_lut,
    op_muli,
    op_addi,
    op_divp2,
    op_exexp,
    op_exman,
    op_iadd,
    op_shft,
    op_setcc,
    op_mov,
    op_abs,
    op_and,
    op_or,
    op_not,
    op_lz,
    op_setexp,
    op_setman,
    op_mad,
    op_add,
    op_mul,
    op_pushc,
    op_popc,
    op_setsgn,
    op_encc,
    op_compc,
    op_transp,
    op_xor,
    op_stochrnd,
    op_sfpnop,
    op_cast,
    op_config,
    op_swap,
    op_loadmacro,
    op_shft2,
    op_lutfp32,
    op_le,
    op_gt,
    op_mul24,
    op_arecip,
};

enum class sub_unit : std::uint8_t { load, simple, mad, round, store, front_end };

struct instruction {
    std::uint32_t word = 0;
    unsigned code = op_sfpnop;
    unsigned a = 0, b = 0, c = 0, d = 0; ///< registers; b is d and c is d where the word has no other
    unsigned modifier = 0;               ///< Mod0 or Mod1
    unsigned imm12 = 0, imm16 = 0;
    unsigned address = 0, address_modifier = 0;
    bool scheduled = false;     ///< comes from a macro: nothing goes through the backdoor
    unsigned fixed_address = 0; ///< of a scheduled store: the Dst address of its SFPLOADMACRO
};

instruction decode(std::uint32_t word, architecture arch);
sub_unit unit_of(unsigned code);
bool is_sfpu(unsigned code);
/// Whether the word would go into a template in columns that have the backdoor open, and whether it does in
/// some.
bool has_backdoor(const instruction& what);
bool writes_template(const instruction& what, const unit_state& in);

/// LaneEnabled.
std::uint32_t enabled_lanes(const unit_state& in);
/// Lanes that the instruction may change by the number of its VD: those behind a closed backdoor if it is 12
/// or more.
std::uint32_t open_lanes(const unit_state& in, const instruction& what);
/// -1 in lanes 0 to 11 of imm12 is a number below zero.
int signed_imm12(unsigned imm12);

/// What the instruction does to the state, reading all of it now. A swap reads and writes at once.
effect effect_of(const instruction& what, const unit_state& in, const surroundings& around);

/// SFPSWAP in two steps: lanes in which it exchanges, and the exchange.
std::uint32_t lanes_to_swap(const instruction& what, const unit_state& in);
effect exchange(const instruction& what, std::uint32_t lanes, const unit_state& in);

/// The Dst address of a load, store or SFPLOADMACRO; moves the stack pointer in mode INT32_ALL.
unsigned dst_address(const instruction& what, unsigned mode, bool is_load, address_counters& counters,
                     const surroundings& around);
void apply_address_modifier(unsigned number, address_counters& counters, const surroundings& around);
/// SETRWC and INCRWC.
void count(const instruction& what, address_counters& counters);
/// The mode that SRCB stands for, or the mode itself.
unsigned resolved_mode(unsigned mode, const surroundings& around);
/// Loads and stores with a known address.
effect load(const instruction& what, unsigned address, const unit_state& in, const surroundings& around);
effect store(const instruction& what, unsigned address, const unit_state& in, const surroundings& around);

} // namespace sfpu::oracle
