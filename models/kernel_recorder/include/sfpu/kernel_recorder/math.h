// Set-up helpers of the kernel library that issue words around kernels of the vector unit.
#pragma once

#include <sfpu/kernel_recorder/modifiers.h>
#include <sfpu/kernel_recorder/names.h>
#include <sfpu/kernel_recorder/ops.h>

#include <cstdint>

namespace ckernel {

/// Thread configuration registers that SETC16 names.
constexpr std::uint32_t DEST_TARGET_REG_CFG_MATH_Offset_ADDR32 = 1;
#ifdef ARCH_WORMHOLE
constexpr std::uint32_t ADDR_MOD_SET_Base_ADDR32 = 2;
#endif

/// Row of Dst where the half in use begins. Here the first half always is.
constexpr std::uint32_t get_dest_buffer_base() { return 0; }

namespace math {

using ::sfpu::kernel_recorder::source_place;
using ::sfpu::kernel_recorder::stand_at;

/// Clears the counters that the mask p_setrwc::SET_* names.
inline void reset_counters(std::uint32_t setrwc, source_place at = source_place::here()) {
    stand_at(at);
    TTI_SETRWC(p_setrwc::CLR_NONE, 0, 0, 0, 0, setrwc);
}

inline void incr_counters(std::uint32_t incr_a, std::uint32_t incr_b, std::uint32_t incr_d,
                          std::uint32_t incr_cr, source_place at = source_place::here()) {
    stand_at(at);
    TT_INCRWC(incr_cr, incr_d, incr_b, incr_a);
}

/// Dst addresses count from the first row of a tile.
template <DstTileLayout Layout, DstTileShape Shape>
void set_dst_write_addr(std::uint32_t tile_index, source_place at = source_place::here()) {
    stand_at(at);
    static_assert(Layout == DstTileLayout::Default, "no other layout has been published");
    TT_SETC16(DEST_TARGET_REG_CFG_MATH_Offset_ADDR32, (tile_index << (6 - Shape)) + get_dest_buffer_base());
}
template <DstTileShape Shape, UnpackDestination Destination = UnpackDestination::SrcRegs>
void set_dst_write_addr(std::uint32_t tile_index, source_place at = source_place::here()) {
    set_dst_write_addr<DstTileLayout::Default, Shape>(tile_index, at);
}

/// Dst counter and its carriage return to 0.
inline void clear_dst_reg_addr(source_place at = source_place::here()) {
    stand_at(at);
    TTI_SETRWC(p_setrwc::CLR_NONE, 0, 0, 0, 0, p_setrwc::SET_D);
}

/// Dst counter and its carriage return forward by `Rows` rows.
template <std::uint32_t Rows = 8>
void inc_dst_addr(source_place at = source_place::here()) {
    stand_at(at);
    static_assert(Rows <= 15, "the field has four bits");
    TTI_SETRWC(p_setrwc::CLR_NONE, p_setrwc::CR_D, Rows, 0, 0, p_setrwc::SET_D);
}

#ifdef ARCH_WORMHOLE
/// ADDR_MOD_0 to ADDR_MOD_3 in instructions name entries 4 to 7, or 0 to 3 again.
inline void set_addr_mod_base(source_place at = source_place::here()) {
    stand_at(at);
    TTI_SETC16(ADDR_MOD_SET_Base_ADDR32, 1);
}
inline void clear_addr_mod_base(source_place at = source_place::here()) {
    stand_at(at);
    TTI_SETC16(ADDR_MOD_SET_Base_ADDR32, 0);
}
#endif

} // namespace math

// The library has these in a header of its own, which kernels may include from where they stand. As templates
// they step back behind it.
namespace sfpu {

/// A register from an immediate.
template <typename = void>
void _sfpu_load_imm32_(std::uint32_t dest, std::uint32_t value,
                       math::source_place at = math::source_place::here()) {
    math::stand_at(at);
    TT_SFPLOADI(dest, sfpi::SFPLOADI_MOD0_LOWER, value & 0xffff);
    TT_SFPLOADI(dest, sfpi::SFPLOADI_MOD0_UPPER, value >> 16);
}
template <typename = void>
void _sfpu_load_imm16_(std::uint32_t dest, std::uint32_t value,
                       math::source_place at = math::source_place::here()) {
    math::stand_at(at);
    TT_SFPLOADI(dest, sfpi::SFPLOADI_MOD0_USHORT, value);
}

/// A destination of SFPCONFIG from an immediate, by way of L0.
template <typename = void>
void _sfpu_load_config32_(std::uint32_t dest, std::uint32_t upper16, std::uint32_t lower16,
                          math::source_place at = math::source_place::here()) {
    math::stand_at(at);
    TT_SFPLOADI(p_sfpu::LREG0, sfpi::SFPLOADI_MOD0_LOWER, lower16);
    TT_SFPLOADI(p_sfpu::LREG0, sfpi::SFPLOADI_MOD0_UPPER, upper16);
    TT_SFPCONFIG(0, dest, 0);
}

/// LaneConfig to 0.
template <typename = void>
void _init_sfpu_config_reg(math::source_place at = math::source_place::here()) {
    _sfpu_load_config32_(sfpi::SFPCONFIG_DEST_SFPU_CTRL, 0, 0, at);
}

} // namespace sfpu
} // namespace ckernel
