// Parameters of the TensorLoad engine.
#pragma once

#include <cstdint>

namespace sfpu {

/// What bits 31:30 of a TensorLoad word do (C9).
enum class engine_id_use : std::uint8_t {
    ignore, ///< nothing
    route,  ///< they name the sub-engine that runs the instruction
    strict, ///< an instruction whose bits do not name its own sub-engine is illegal
};
/// What a write of S to an un-indexed stride CSR leaves in entry i (C32).
enum class stride_fill : std::uint8_t { scaled /**< i * S */, literal /**< S */ };
/// What a width CSR counts (C34).
enum class width_unit : std::uint8_t { bytes, elements };
/// Where stores go (C38).
enum class l0m_binding : std::uint8_t {
    by_architecture, ///< the Dst window on Blackhole, L1 on Wormhole, which has no window
    dst,             ///< the Dst window
    l1,              ///< L1: one space for loads and stores
    sram,            ///< a memory of its own
};
/// What a load does to the bytes of its register behind the last slice (C39).
enum class load_tail : std::uint8_t { unchanged, zero };
/// What may be done with an element type. Arithmetic is for integers only.
enum class type_support : std::uint8_t { none, move, all };
/// The transpose buffer: flip-flops, or 128 banks of one byte with a layout.
enum class xpose_buffer : std::uint8_t { flop, sram_swizzled, sram_row_xor, sram_plain };
/// How many transactions a transfer is.
enum class beat_mode : std::uint8_t { slice /**< one for each slice */, beat /**< one for each beat */ };

struct tensorload_parameters {
    // What instructions mean.
    engine_id_use engine_id = engine_id_use::ignore;
    bool accept_printed_aliases = true;
    bool xpose_elem_from_ttype = false;
    bool concat_grow = false;
    stride_fill stride = stride_fill::scaled;
    width_unit width = width_unit::bytes;
    load_tail tail = load_tail::unchanged;
    std::uint32_t reset_pattern = 0;
    type_support int4 = type_support::move;
    type_support int8 = type_support::all;
    type_support int16 = type_support::all;
    type_support int32 = type_support::all;
    type_support fp4 = type_support::none;
    type_support fp8 = type_support::move;
    type_support fp16 = type_support::move;
    type_support bf16 = type_support::move;
    type_support fp32 = type_support::move;

    // Memory spaces.
    l0m_binding l0m = l0m_binding::by_architecture;
    bool l0m_raw = false;
    std::uint32_t l1m_base = 0;
    std::uint32_t l1m_size = 0; ///< 0: all of L1
    std::uint32_t l0m_base = 0xffbd8000u;
    std::uint32_t l0m_size = 0x8000;
    beat_mode beats = beat_mode::slice;

    // Timing, in cycles and bytes per cycle.
    unsigned queue_depth = 4;
    unsigned decode = 1;
    unsigned l1_bytes = 16;
    unsigned l1_lat = 8;
    unsigned l0_bytes = 64;
    unsigned l0_lat = 2;
    unsigned tlr_bytes = 128;
    unsigned tlr_read_ports = 2;
    unsigned alu_pipe = 2;
    unsigned xp_pipe = 2;
    bool xpose_double_buffer = true;
    xpose_buffer xpose = xpose_buffer::flop;
};

} // namespace sfpu
