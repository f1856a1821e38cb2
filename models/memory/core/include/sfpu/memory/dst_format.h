// How RISC-V cores see elements of Dst: formats, bit layouts and integer conversions. Plain C++.
//
// Source: tt-isa-documentation, Blackhole, Dst, "RISCV access to Dst"; tile.md K7.
#pragma once

#include <cstdint>

namespace sfpu::memory {

/// RISC_DEST_ACCESS_CTRL_SEC[thread].fmt; 6 and 7 are reserved.
enum class dst_format : std::uint8_t { fp32, int32, fp16, bf16, int16, int8, reserved_6, reserved_7 };
const char* to_string(dst_format format); ///< "fp32", ..., "reserved format 6"

/// One thread's fields of RISC_DEST_ACCESS_CTRL.
struct dst_access_control {
    dst_format format = dst_format::fp32;
    bool no_swizzle = false;   ///< bits pass as they are stored
    bool unsigned_int = false; ///< int16 and int8 hold magnitudes only
};
constexpr unsigned dst_access_threads = 3;

/// The fields of one thread in configuration word 3.
dst_access_control decode_dst_access(std::uint32_t word, unsigned thread);

/// Bytes that one element takes in the window: 4, 2 or 1; 0 for reserved formats.
unsigned element_bytes(dst_format format);
/// Bytes of the window that exist in a format: 32 KiB, or 16 KiB for int8, whose byte index is the element
/// index.
unsigned window_bytes(dst_format format);
/// Whether elements are 32-bit cells, in two rows of storage.
constexpr bool is_wide(dst_format format) { return format <= dst_format::int32; }

/// What a load returns for a stored cell; what a store of a value leaves in the cell. Values and narrow cells
/// are in the lower bits, the rest is zero. Not for reserved formats.
std::uint32_t load_element(const dst_access_control& control, std::uint32_t cell);
std::uint32_t store_element(const dst_access_control& control, std::uint32_t value);

} // namespace sfpu::memory
