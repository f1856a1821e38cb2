#include <sfpu/memory/dst_format.h>

namespace sfpu::memory {
namespace {

// Dst keeps the upper bits of a mantissa between sign and exponent. Each pair of functions moves the fields
// between that order (cell) and the usual one, sign, exponent, mantissa (value).

constexpr std::uint32_t fp32_value(std::uint32_t cell) {
    return (cell & 0x8000ffffu) | (cell & 0x7f000000u) >> 8 | (cell & 0x00ff0000u) << 7;
}
constexpr std::uint32_t fp32_cell(std::uint32_t value) {
    return (value & 0x8000ffffu) | (value & 0x7f800000u) >> 7 | (value & 0x007f0000u) << 8;
}
constexpr std::uint32_t fp16_value(std::uint32_t cell) {
    return (cell & 0x8000u) | (cell & 0x7fe0u) >> 5 | (cell & 0x001fu) << 10;
}
constexpr std::uint32_t fp16_cell(std::uint32_t value) {
    return (value & 0x8000u) | (value & 0x7c00u) >> 10 | (value & 0x03ffu) << 5;
}
constexpr std::uint32_t bf16_value(std::uint32_t cell) {
    return (cell & 0x8000u) | (cell & 0x7f00u) >> 8 | (cell & 0x00ffu) << 7;
}
constexpr std::uint32_t bf16_cell(std::uint32_t value) {
    return (value & 0x8000u) | (value & 0x7f80u) >> 7 | (value & 0x007fu) << 8;
}

/// Sign and magnitude to two's complement, in `bits` bits; -0 becomes 0.
constexpr std::uint32_t to_twos_complement(std::uint32_t x, unsigned bits) {
    const std::uint32_t sign = 1u << (bits - 1), all = sign | (sign - 1);
    return (x & sign) ? (0u - (x & ~sign)) & all : x;
}
/// The reverse; the lowest number, which has no magnitude, becomes the one above it.
constexpr std::uint32_t to_sign_magnitude(std::uint32_t x, unsigned bits) {
    const std::uint32_t sign = 1u << (bits - 1), all = sign | (sign - 1);
    if (!(x & sign)) return x;
    return sign | ((0u - (x == sign ? x + 1 : x)) & all);
}

// Integer "8": a sign and a magnitude of 10 bits above 5 bits that look like the exponent 16 of an FP16
// number.
constexpr unsigned int8_shift = 5;
constexpr std::uint32_t int8_exponent = 16;

std::uint32_t int8_value(const dst_access_control& control, std::uint32_t cell) {
    if (control.no_swizzle || control.unsigned_int) return cell >> int8_shift & 0xffu;
    const std::uint32_t magnitude = cell >> int8_shift & 0x7fu;
    return (cell & 0x8000u) ? (0u - magnitude) & 0xffu : magnitude;
}

std::uint32_t int8_cell(const dst_access_control& control, std::uint32_t value) {
    if (control.no_swizzle || control.unsigned_int || value < 0x80)
        return value << int8_shift | (value ? int8_exponent : 0);
    // The hardware's magnitude of a negative number is 128 too large. Loads in this format drop that bit
    // again; other readers of the cell see it. -128 is stored as -127.
    const std::uint32_t magnitude = (0x180u - value - (value == 0x80)) & 0xffu;
    return 0x8000u | magnitude << int8_shift | int8_exponent;
}

} // namespace

const char* to_string(dst_format format) {
    switch (format) {
    case dst_format::fp32: return "fp32";
    case dst_format::int32: return "int32";
    case dst_format::fp16: return "fp16";
    case dst_format::bf16: return "bf16";
    case dst_format::int16: return "int16";
    case dst_format::int8: return "int8";
    case dst_format::reserved_6: return "reserved format 6";
    case dst_format::reserved_7: return "reserved format 7";
    }
    return "?";
}

dst_access_control decode_dst_access(std::uint32_t word, unsigned thread) {
    const std::uint32_t fields = word >> (14 + 5 * thread);
    return {static_cast<dst_format>(fields >> 2 & 7u), (fields & 1u) != 0, (fields >> 1 & 1u) != 0};
}

unsigned element_bytes(dst_format format) {
    switch (format) {
    case dst_format::fp32:
    case dst_format::int32: return 4;
    case dst_format::fp16:
    case dst_format::bf16:
    case dst_format::int16: return 2;
    case dst_format::int8: return 1;
    default: return 0;
    }
}

unsigned window_bytes(dst_format format) {
    constexpr unsigned elements_16_bit = 1024 * 16;
    return is_wide(format) ? elements_16_bit / 2 * 4 : elements_16_bit * element_bytes(format);
}

std::uint32_t load_element(const dst_access_control& control, std::uint32_t cell) {
    const bool swizzle = !control.no_swizzle;
    switch (control.format) {
    case dst_format::fp32: return swizzle ? fp32_value(cell) : cell;
    case dst_format::int32: return swizzle ? to_twos_complement(fp32_value(cell), 32) : cell;
    case dst_format::fp16: return swizzle ? fp16_value(cell) : cell;
    case dst_format::bf16: return swizzle ? bf16_value(cell) : cell;
    case dst_format::int16: return swizzle && !control.unsigned_int ? to_twos_complement(cell, 16) : cell;
    case dst_format::int8: return int8_value(control, cell);
    default: return 0;
    }
}

std::uint32_t store_element(const dst_access_control& control, std::uint32_t value) {
    const bool swizzle = !control.no_swizzle;
    switch (control.format) {
    case dst_format::fp32: return swizzle ? fp32_cell(value) : value;
    case dst_format::int32: return swizzle ? fp32_cell(to_sign_magnitude(value, 32)) : value;
    case dst_format::fp16: return swizzle ? fp16_cell(value) : value;
    case dst_format::bf16: return swizzle ? bf16_cell(value) : value;
    case dst_format::int16: return swizzle && !control.unsigned_int ? to_sign_magnitude(value, 16) : value;
    case dst_format::int8: return int8_cell(control, value);
    default: return 0;
    }
}

} // namespace sfpu::memory
