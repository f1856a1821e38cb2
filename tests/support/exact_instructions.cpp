#include "exact_instructions.h"

#include "exact_multiply_add.h"

#include <boost/multiprecision/cpp_int.hpp>

#include <algorithm>
#include <stdexcept>
#include <string>

namespace sfpu::test {
namespace {

/// Throws where a result has no room, and where something negative is shifted.
using integer = boost::multiprecision::checked_int512_t;

integer power_of_two(unsigned n) { return integer{1} << n; }
std::uint32_t to_word(const integer& number) {
    if (number < 0 || number >= power_of_two(32)) throw std::range_error("not a word: " + number.str());
    return number.convert_to<std::uint32_t>();
}
constexpr std::uint32_t sign_of(std::uint32_t word) { return word / 0x80000000u * 0x80000000u; }
constexpr std::uint32_t magnitude_of(std::uint32_t word) { return word % 0x80000000u; }

// --- FP32 as an exact number: its magnitude in steps of 2^-149, which every finite one is a multiple of ----

constexpr unsigned steps_of_one = 149;
constexpr std::uint32_t infinity_bits = 0x7f800000u;

constexpr unsigned exponent_of(std::uint32_t fp32) { return fp32 / 0x800000u % 256; }
integer steps_of(std::uint32_t fp32) {
    const unsigned exponent = exponent_of(fp32);
    if (exponent == 255) throw std::domain_error("not a finite number");
    const integer fraction = fp32 % 0x800000u;
    return exponent == 0 ? fraction : (power_of_two(23) + fraction) * power_of_two(exponent - 1);
}
/// The FP32 number of that magnitude, which must be one; infinity if it is too large.
std::uint32_t fp32_of(std::uint32_t sign, const integer& steps) {
    if (steps < power_of_two(23)) return sign + to_word(steps);
    const unsigned leading = msb(steps);
    if (leading >= 128 + steps_of_one) return sign + infinity_bits;
    const integer unit = power_of_two(leading - 23);
    if (steps % unit != 0) throw std::domain_error("not a number of FP32");
    return sign + to_word((leading - 23) * power_of_two(23) + steps / unit);
}

/// n / 2^23 to an integer: what is cut off rounds up from the threshold on.
integer round_by_threshold(const integer& n, std::uint32_t threshold) {
    const integer unit = power_of_two(23);
    return n / unit + (n % unit >= threshold ? 1 : 0);
}
std::uint32_t with_limit(const integer& magnitude, std::uint32_t limit, std::uint32_t sign) {
    const std::uint32_t limited = to_word(magnitude > limit ? integer{limit} : magnitude);
    return limited == 0 ? 0 : sign + limited;
}

std::uint32_t keep_fraction_bits(std::uint32_t vc, unsigned kept, std::uint32_t threshold) {
    const std::uint32_t sign = sign_of(vc);
    if (exponent_of(vc) == 0) return 0;
    if (exponent_of(vc) == 255) return sign + infinity_bits;
    const integer steps = steps_of(vc), unit = power_of_two(exponent_of(vc) - 1 + 23 - kept);
    const integer cut = steps % unit * power_of_two(23 - kept) / unit, rest = steps - steps % unit;
    return fp32_of(sign, cut >= threshold / power_of_two(kept) ? rest + unit : rest);
}
std::uint32_t to_integer(std::uint32_t vc, std::uint32_t limit, bool has_sign, std::uint32_t threshold) {
    const std::uint32_t sign = has_sign ? sign_of(vc) : 0;
    if (exponent_of(vc) >= 127 + 16) return sign + limit; // NaN and infinity among them
    const integer steps = steps_of(vc);
    if (steps < power_of_two(steps_of_one - 1)) return 0; // less than one half
    return with_limit(round_by_threshold(steps / power_of_two(steps_of_one - 23), threshold), limit, sign);
}

} // namespace

std::uint32_t exact_round(unsigned modifier, std::uint32_t vc, unsigned shift, std::uint32_t threshold) {
    switch (modifier % 8) {
    case 0: return keep_fraction_bits(vc, 10, threshold);
    case 1: return keep_fraction_bits(vc, 7, threshold);
    case 2: return to_integer(vc, 255, false, threshold);
    case 3: return to_integer(vc, 127, true, threshold);
    case 6: return to_integer(vc, 65535, false, threshold);
    case 7: return to_integer(vc, 32767, true, threshold);
    default: {
        const integer number = magnitude_of(vc) * power_of_two(23) / power_of_two(shift);
        const bool has_sign = modifier % 8 == 5;
        return with_limit(round_by_threshold(number, threshold), has_sign ? 127 : 255,
                          has_sign ? sign_of(vc) : 0);
    }
    }
}

std::uint32_t exact_cast(unsigned modifier, std::uint32_t vc, std::uint32_t random, architecture arch) {
    const integer complement = vc < 0x80000000u ? integer{vc} : power_of_two(32) - vc; // magnitude
    if (arch == architecture::blackhole) {
        if (modifier % 4 == 2) return to_word(complement);
        // -2^31 and -0 become each other.
        if (modifier % 4 == 3) return sign_of(vc) + to_word(complement % power_of_two(31));
    }
    const integer magnitude = magnitude_of(vc);
    if (magnitude == 0) return sign_of(vc);
    const unsigned length = msb(magnitude) + 1;
    const integer unit = length > 24 ? power_of_two(length - 24) : integer{1};
    integer quotient = magnitude / unit;
    const integer rest = magnitude % unit;
    if (modifier % 2 == 1) {
        // Seven bits of what is cut off against seven random ones.
        if (rest * 128 / unit > random / 1024 % 128) quotient += 1;
    } else if (rest * 2 > unit || (rest * 2 == unit && quotient % 2 == 1)) {
        quotient += 1;
    }
    return fp32_of(sign_of(vc), quotient * unit * power_of_two(steps_of_one));
}

namespace {
/// The reciprocal of the middle of the interval of numbers with the same upper half, in 128ths of a binade,
/// halves up.
std::uint32_t reciprocal_of_magnitude(std::uint32_t x) {
    if (x < 0x00800000u) return infinity_bits;
    if (x >= 0x7e800000u) return 0;
    // The middle is (256 + 2n + 1) / 256 for the upper seven fraction bits n; twice its reciprocal lies
    // between 1 and 2.
    const integer middle = 256 + 2 * (x / 0x10000u % 128) + 1, over = 2 * 256 - middle;
    const integer fraction = (2 * 128 * over + middle) / (2 * middle);
    return to_word((253 - exponent_of(x)) * power_of_two(23) + fraction * power_of_two(16));
}
} // namespace

std::uint32_t exact_reciprocal(unsigned modifier, std::uint32_t vb, std::uint32_t vc) {
    if (modifier == 1 && vb < 0x80000000u) return vc;
    return (modifier == 1 ? 0 : sign_of(vc)) + reciprocal_of_magnitude(magnitude_of(vc));
}

std::uint32_t exact_exponential(const std::array<std::uint8_t, 896>& steps, std::uint32_t vc) {
    const std::uint32_t x = magnitude_of(vc), upper = x / 0x10000u, lower = x % 0x10000u;
    if (x < 0x00800000u) return sign_of(vc) + 0x3f800000u;
    if (upper < 0x3c80u) return sign_of(vc) + 0x3f810000u + lower;
    if (upper >= 0x4000u) return sign_of(vc) + 0x40800000u + lower;
    const std::uint32_t base = upper < 0x3f32u ? 0x3f800000u : 0x40000000u;
    return sign_of(vc) + base + steps[upper - 0x3c80u] * 0x10000u + lower;
}

std::uint32_t exact_divide_by_power(bool add, unsigned immediate, std::uint32_t vc) {
    const unsigned exponent = exponent_of(vc);
    if (add && exponent == 255) return vc;
    const unsigned result = add ? (exponent + immediate) % 256 : immediate;
    // Between normal numbers this is a multiplication by a power of two.
    if (exponent != 0 && exponent != 255 && result != 0 && result != 255) {
        const integer steps = steps_of(vc);
        return fp32_of(sign_of(vc), result >= exponent ? steps * power_of_two(result - exponent)
                                                       : steps / power_of_two(exponent - result));
    }
    return sign_of(vc) + to_word(result * power_of_two(23)) + vc % 0x800000u;
}

std::uint32_t exact_multiply_24(bool upper, std::uint32_t va, std::uint32_t vb, std::uint32_t vc) {
    const integer range = power_of_two(23);
    const integer product = integer{va} % range * (integer{vb} % range);
    integer result = upper ? product / range : product % range;
    const int above = static_cast<int>(exponent_of(vc)) - 129;
    if (exponent_of(vc) == 0) return to_word(result);
    // The addend, with three more bits below, in steps of the larger exponent; the distance counts in five
    // bits.
    if (above > 0) result /= power_of_two(static_cast<unsigned>(above) % 32);
    const integer unit = power_of_two(above < 0 ? static_cast<unsigned>(-above) % 32 : 0);
    const integer addend = (range + vc % 0x800000u) * 8;
    if (addend / unit == 0) return to_word(result);
    result += addend / unit + (addend % unit > 0xffff ? 0x10000 : 0);
    return to_word(result % range);
}

namespace {
/// The coefficient +-(1 + fraction / steps) * 2^exponent.
std::uint32_t coefficient(std::uint32_t sign, unsigned fraction, unsigned steps, int exponent) {
    const auto shift = static_cast<unsigned>(exponent + static_cast<int>(steps_of_one));
    return fp32_of(sign, (integer{steps} + fraction) * power_of_two(shift) / steps);
}
std::uint32_t coefficient_of_8_bits(std::uint32_t byte) {
    if (byte == 255) return 0;
    return coefficient(byte / 128 * 0x80000000u, byte % 16, 16, -static_cast<int>(byte / 16 % 8));
}
std::uint32_t coefficient_of_16_bits(std::uint32_t half) {
    const std::uint32_t sign = half / 0x8000u * 0x80000000u;
    // A subnormal, which counts as zero.
    if (half / 1024 % 32 == 31) return sign + half % 1024 * 0x2000u;
    return coefficient(sign, half % 1024, 1024, static_cast<int>(half / 1024 % 32) - 15);
}
/// How many of the bounds, in halves, |x| has reached; a NaN all of them.
template <std::size_t N>
unsigned segment(std::uint32_t x, const std::array<unsigned, N>& bounds) {
    if (exponent_of(x) == 255) return N;
    return static_cast<unsigned>(std::count_if(bounds.begin(), bounds.end(), [&](unsigned halves) {
        return steps_of(x) >= halves * power_of_two(steps_of_one - 1);
    }));
}
std::uint32_t line(std::uint32_t slope, std::uint32_t offset, std::uint32_t x, bool keep_sign,
                   architecture arch) {
    const std::uint32_t y = exact_multiply_add(slope, magnitude_of(x), offset, arch);
    return keep_sign ? magnitude_of(y) + sign_of(x) : y;
}
} // namespace

std::uint32_t exact_lut(unsigned modifier, const std::array<std::uint32_t, 7>& lreg, architecture arch) {
    const std::uint32_t entry = lreg[segment(lreg[3], std::array<unsigned, 2>{2, 4})];
    return line(coefficient_of_8_bits(entry / 256 % 256), coefficient_of_8_bits(entry % 256), lreg[3],
                modifier / 4 % 2 == 1, arch);
}

std::uint32_t exact_lut_fp32(unsigned modifier, const std::array<std::uint32_t, 7>& lreg, architecture arch) {
    const bool keep_sign = modifier / 4 % 2 == 1;
    const std::uint32_t x = lreg[3];
    const unsigned third = segment(x, std::array<unsigned, 2>{2, 4});
    if (modifier / 2 % 2 == 0) return line(lreg[third], lreg[4 + third], x, keep_sign, arch);
    if (modifier / 8 % 2 == 1)
        return line(coefficient_of_16_bits(lreg[third] / 0x10000u),
                    coefficient_of_16_bits(lreg[third] % 0x10000u), x, keep_sign, arch);
    const unsigned sixth = segment(x, std::array<unsigned, 5>{1, 2, 3, 4, modifier % 2 == 1 ? 8u : 6u});
    const auto half = [&](std::uint32_t word) {
        return coefficient_of_16_bits(sixth % 2 == 1 ? word / 0x10000u : word % 0x10000u);
    };
    return line(half(lreg[sixth / 2]), half(lreg[4 + sixth / 2]), x, keep_sign, arch);
}

bool exact_less(std::uint32_t a, std::uint32_t b) {
    const auto rank = [](std::uint32_t x) {
        const integer magnitude = magnitude_of(x);
        return sign_of(x) == 0 ? magnitude : integer{-1 - magnitude};
    };
    return rank(a) < rank(b);
}

// --- Dst: cells have the sign, then the fraction (its upper seven bits where they are wide), then the expone

namespace {
enum mode : unsigned {
    fp16 = 1,
    bf16,
    fp32,
    int32,
    int8,
    uint16,
    hi16,
    int16,
    lo16,
    int32_all,
    zero,
    int32_sm,
    int8_comp,
    lo16_only,
    hi16_only
};
/// -0 is 0.
std::uint32_t complement_of(std::uint32_t sign_magnitude) {
    const std::uint32_t magnitude = magnitude_of(sign_magnitude);
    return sign_of(sign_magnitude) == 0 || magnitude == 0 ? magnitude : to_word(power_of_two(32) - magnitude);
}
/// -2^31 is -0.
std::uint32_t sign_magnitude_of(std::uint32_t complement) {
    if (sign_of(complement) == 0) return complement;
    return 0x80000000u + to_word((power_of_two(32) - complement) % power_of_two(31));
}
/// A number with this many bits of fraction and a bias of 127 or 15, by its meaning; exponent 0 is subnormal
/// in FP32.
std::uint32_t fp32_of_fields(std::uint32_t sign, unsigned fraction, unsigned fraction_bits, unsigned exponent,
                             unsigned bias) {
    if (exponent == 0) return fp32_of(sign, fraction * power_of_two(23 - fraction_bits));
    return fp32_of(sign, (power_of_two(fraction_bits) + fraction) *
                             power_of_two(steps_of_one + exponent - bias - fraction_bits));
}
std::uint32_t load_fp16(std::uint32_t cell, bool infinity) {
    const std::uint32_t sign = cell / 0x8000u * 0x80000000u;
    if (infinity && cell % 0x8000u == 0x7fffu) return sign + infinity_bits;
    return fp32_of_fields(sign, cell / 32 % 1024, 10, cell % 32, 15);
}
std::uint32_t load_bf16(std::uint32_t cell) {
    const std::uint32_t sign = cell / 0x8000u * 0x80000000u, fraction = cell / 256 % 128;
    if (cell % 256 == 255) return sign + infinity_bits + fraction * 0x10000u; // infinity and NaNs
    return fp32_of_fields(sign, fraction, 7, cell % 256, 127);
}
std::uint32_t load_wide(std::uint32_t cell) { return load_bf16(cell / 0x10000u) + cell % 0x10000u; }

std::uint32_t store_fp16(std::uint32_t value) {
    const std::uint32_t sign = value / 0x80000000u * 0x8000u;
    // Infinity and NaN are the largest number, too.
    if (exponent_of(value) == 255 || steps_of(value) >= power_of_two(17 + steps_of_one)) return sign + 0x7fff;
    const integer steps = steps_of(value);
    if (steps < power_of_two(steps_of_one - 14)) return sign;
    const unsigned leading = msb(steps);
    const std::uint32_t fraction = to_word(steps / power_of_two(leading - 10) - power_of_two(10));
    return sign + fraction * 32 + (leading - steps_of_one + 15);
}
std::uint32_t store_wide(std::uint32_t value) {
    return to_word(integer{sign_of(value)} + value / 0x10000u % 128 * power_of_two(24) +
                   exponent_of(value) * power_of_two(16) + value % 0x10000u);
}
std::uint32_t without_subnormals(std::uint32_t value) {
    return exponent_of(value) == 0 ? sign_of(value) : value;
}
/// The type called integer 8: ten bits of magnitude as the fraction of an FP16 number with the exponent 16.
std::uint32_t store_int8(std::uint32_t value) {
    return value / 0x80000000u * 0x8000u + value % 1024 * 32 + 16;
}
} // namespace

bool exact_load_is_wide(unsigned mode) {
    return mode == fp32 || mode == int32 || mode == int32_all || mode == int32_sm;
}
bool exact_store_is_wide(unsigned mode) { return exact_load_is_wide(mode) || mode == lo16 || mode == hi16; }

std::uint32_t exact_load(unsigned mode, std::uint32_t cell, std::uint32_t old, bool infinity,
                         architecture arch) {
    const bool wormhole = arch == architecture::wormhole;
    const std::uint32_t sign = cell / 0x8000u * 0x80000000u; // of a narrow cell
    switch (mode) {
    case fp16: return load_fp16(cell, infinity);
    case bf16: return load_bf16(cell);
    case int32_sm: return wormhole ? complement_of(load_wide(cell)) : load_wide(cell);
    case fp32:
    case int32:
    case int32_all: return load_wide(cell);
    case int8: return sign + cell / 32 % (wormhole ? 128 : 256);
    case int8_comp: return wormhole ? complement_of(sign + cell / 32 % 1024) : sign + cell / 32 % 1024;
    case int16: return sign + cell % 0x8000u;
    case uint16:
    case lo16: return cell;
    case hi16: return cell * 0x10000u;
    case lo16_only: return old - old % 0x10000u + cell;
    case hi16_only: return cell * 0x10000u + old % 0x10000u;
    case zero: return 0;
    }
    throw std::invalid_argument("mode " + std::to_string(mode));
}

std::uint32_t exact_store(unsigned mode, std::uint32_t value, architecture arch) {
    const bool wormhole = arch == architecture::wormhole;
    switch (mode) {
    case fp16: return store_fp16(value);
    case bf16: return store_wide(without_subnormals(value)) / 0x10000u;
    case fp32: return store_wide(wormhole ? value : without_subnormals(value));
    case int32:
    case int32_all: return store_wide(value);
    case int32_sm: return store_wide(wormhole ? sign_magnitude_of(value) : value);
    case int8: return store_int8(value);
    case int8_comp: return store_int8(wormhole ? sign_magnitude_of(value) : value);
    case int16: return value / 0x80000000u * 0x8000u + value % 0x8000u;
    case uint16:
    case lo16_only: return value % 0x10000u;
    case hi16_only: return value / 0x10000u;
    case lo16: return to_word(value % 0x10000u * power_of_two(16) + value / 0x10000u);
    case hi16: return value;
    case zero: return 0;
    }
    throw std::invalid_argument("mode " + std::to_string(mode));
}

} // namespace sfpu::test
