#include "kernel_catalogue.h"

#include <stdexcept>

namespace sfpu::test {
namespace {

constexpr unsigned rows_of_tile = 32;
constexpr auto word32 = cell_type::word32;
constexpr auto bf16 = cell_type::bf16;
constexpr auto raw16 = cell_type::raw16;

// --- arithmetic to compare with ----------------------------------------------------------------------------

enum class tie { to_even, away };

/// FP32 of an integer, rounded to `bits` significant bits.
std::uint32_t fp32_of(bool negative, std::uint64_t magnitude, unsigned bits, tie rule) {
    const std::uint32_t sign = negative ? 0x80000000u : 0u;
    if (magnitude == 0) return sign;
    unsigned length = 0;
    while (magnitude >> length != 0) ++length;
    if (length > bits) {
        const unsigned dropped = length - bits;
        const std::uint64_t unit = std::uint64_t{1} << dropped, rest = magnitude % unit;
        magnitude -= rest;
        const bool odd = magnitude & unit;
        if (2 * rest > unit || (2 * rest == unit && (rule == tie::away || odd))) magnitude += unit;
        if (magnitude >> length != 0) ++length;
    }
    const std::uint64_t mantissa = length > 24 ? magnitude >> (length - 24) : magnitude << (24 - length);
    return sign | (length + 126) << 23 | (static_cast<std::uint32_t>(mantissa) & 0x7fffffu);
}

/// The BF16 neighbour that is nearer, as FP32; of two equally near ones that with an even last bit.
std::uint32_t nearest_bf16(std::uint32_t x) {
    const std::uint32_t below = x & 0xffff0000u, rest = x & 0xffffu;
    const bool up = rest > 0x8000u || (rest == 0x8000u && (x & 0x10000u));
    const std::uint32_t rounded =
        up ? below + 0x10000u : below; // the next exponent after the largest mantissa
    return (rounded & 0x7f800000u) == 0 ? rounded & 0x80000000u : rounded;
}

/// The documented table of SFPARECIP: the reciprocal of the middle of the interval of 1/128, to eight bits.
std::uint32_t approximate_reciprocal(std::uint32_t x) {
    const std::uint32_t sign = x & 0x80000000u, exponent = x >> 23 & 0xffu, index = x >> 16 & 0x7fu;
    if (exponent == 0) return sign | 0x7f800000u;
    if (exponent >= 253) return sign;
    const std::uint32_t middle = 257 + 2 * index; // in 1/256
    const std::uint32_t twice =
        2 * (128 * 512 - 128 * middle); // twice the numerator of 128 * (2 / middle - 1)
    const std::uint32_t mantissa = (twice + middle) / (2 * middle);
    return sign | (253 - exponent) << 23 | mantissa << 16;
}

// --- inputs ------------------------------------------------------------------------------------------------

template <class Value>
void fill_tile(dst_contents& dst, unsigned base, cell_type type, Value value) {
    for (unsigned row = 0; row < rows_of_tile; ++row) {
        lanes values;
        for (std::uint32_t& lane : values.v) lane = value();
        dst.put(base + 2 * row, type, values);
    }
}

void fill_operands(dst_contents& dst, unsigned base, random_bits& random) {
    fill_tile(dst, base, word32, [&] { return random.operand(); });
}
void fill_operands_16(dst_contents& dst, unsigned base, random_bits& random) {
    fill_tile(dst, base, raw16, [&] { return random.operand() & 0xffffu; });
}

/// Calls f with the offset of each row's addresses.
template <class F>
void for_each_row(unsigned rows, F f) {
    for (unsigned row = 0; row < rows; ++row) f(2 * row);
}

template <class F>
lanes lane_by_lane(F f) {
    lanes result;
    for (unsigned lane = 0; lane < lane_count; ++lane) result[lane] = f(lane);
    return result;
}

// --- kernels -----------------------------------------------------------------------------------------------

void fill_mul32(dst_contents& dst, random_bits& random) {
    fill_operands(dst, 0x00, random);
    fill_operands(dst, 0x40, random);
}
void compute_mul32(dst_contents& dst, unsigned rows) {
    for_each_row(rows, [&](unsigned at) {
        const lanes a = dst.get(at, word32), b = dst.get(0x40 + at, word32);
        dst.put(0x80 + at, word32, lane_by_lane([&](unsigned n) { return a[n] * b[n]; }));
    });
}

void fill_one_tile(dst_contents& dst, random_bits& random) { fill_operands(dst, 0x00, random); }
void compute_recip(dst_contents& dst, unsigned rows) {
    for_each_row(rows, [&](unsigned at) {
        const lanes x = dst.get(at, word32);
        dst.put(at, word32, lane_by_lane([&](unsigned n) { return approximate_reciprocal(x[n]); }));
    });
}
void compute_signbit(dst_contents& dst, unsigned rows) {
    for_each_row(rows, [&](unsigned at) {
        const lanes x = dst.get(at, word32);
        dst.put(at, word32, lane_by_lane([&](unsigned n) { return x[n] >> 31 ? 0x3f800000u : 0u; }));
    });
}
void compute_int32_to_fp32(dst_contents& dst, unsigned rows) {
    for_each_row(rows, [&](unsigned at) {
        const lanes x = dst.get(at, word32);
        dst.put(at, word32, lane_by_lane([&](unsigned n) {
                    const bool negative = x[n] >> 31;
                    return fp32_of(negative, negative ? 0u - x[n] : x[n], 24, tie::to_even);
                }));
    });
}

void fill_where(dst_contents& dst, random_bits& random) {
    fill_tile(dst, 0x00, word32, [&] { return random.below(2) ? 0u : random.operand(); });
    fill_operands(dst, 0x40, random);
    fill_operands(dst, 0x80, random);
}
template <unsigned Out>
void compute_where(dst_contents& dst, unsigned rows) {
    for_each_row(rows, [&](unsigned at) {
        const lanes cond = dst.get(at, word32), yes = dst.get(0x40 + at, word32),
                    no = dst.get(0x80 + at, word32);
        dst.put(Out + at, word32, lane_by_lane([&](unsigned n) { return cond[n] != 0 ? yes[n] : no[n]; }));
    });
}

/// No NaNs: the kernel's addition carries some of them into the sign.
void fill_floats(dst_contents& dst, random_bits& random) {
    fill_tile(dst, 0x00, word32, [&] {
        std::uint32_t x = random.operand();
        if (random.below(4) == 0) x = (x & 0xffff0000u) | 0x8000u; // a tie
        return (x & 0x7fffffffu) > 0x7f800000u ? x & 0xff800000u : x;
    });
}
/// The BF16 results go to the 16-bit view, after a 32-bit store of what was added for rounding to even: bit
/// 16 alone, which Blackhole flushes as the subnormal FP32 that it is.
template <bool Flushes>
void compute_to_bf16(dst_contents& dst, unsigned rows) {
    for_each_row(rows, [&](unsigned at) {
        const lanes x = dst.get(at, word32);
        dst.put(at, word32, lane_by_lane([&](unsigned n) { return Flushes ? 0u : x[n] >> 16 & 1u; }));
        dst.put(at, bf16, lane_by_lane([&](unsigned n) { return nearest_bf16(x[n]); }));
    });
}

void fill_uint16_aside(dst_contents& dst, random_bits& random) { fill_operands_16(dst, 0x40, random); }
void compute_uint16_to_fp32(dst_contents& dst, unsigned rows) {
    for_each_row(rows, [&](unsigned at) {
        const lanes v = dst.get(0x40 + at, raw16);
        dst.put(0x40 + at, word32,
                lane_by_lane([&](unsigned n) { return fp32_of(false, v[n], 24, tie::to_even); }));
    });
}

void fill_uint16(dst_contents& dst, random_bits& random) { fill_operands_16(dst, 0x00, random); }
void compute_uint16_to_bf16(dst_contents& dst, unsigned rows) {
    for_each_row(rows, [&](unsigned at) {
        const lanes v = dst.get(at, raw16);
        dst.put(at, bf16, lane_by_lane([&](unsigned n) { return fp32_of(false, v[n], 8, tie::away); }));
    });
}

void fill_mul_uint16(dst_contents& dst, random_bits& random) {
    fill_operands_16(dst, 0x00, random);
    fill_operands_16(dst, 0x40, random);
}
void compute_mul_uint16(dst_contents& dst, unsigned rows) {
    for_each_row(rows, [&](unsigned at) {
        const lanes a = dst.get(at, raw16), b = dst.get(0x40 + at, raw16);
        dst.put(at, raw16, lane_by_lane([&](unsigned n) { return a[n] * b[n] & 0xffffu; }));
    });
}

} // namespace

const std::vector<kernel_case>& kernel_catalogue() {
    static const std::vector<kernel_case> all = [] {
        std::vector<kernel_case> cases;
        const auto on = [&](architecture arch, const std::string& kernel, unsigned cycles,
                            const std::array<unsigned, 5>& executions, auto fill, auto compute) {
            const std::string name = kernel + "_" + short_name(arch);
            cases.push_back({name, kernel + ".s", arch, cycles, executions, fill, compute});
        };
        const auto on_both = [&](auto... values) {
            on(architecture::blackhole, values...);
            on(architecture::wormhole, values...);
        };
        constexpr auto bh = architecture::blackhole, wh = architecture::wormhole;
        using per_row = std::array<unsigned, 5>;
        // clang-format off
        // cycles, then executions on Simple, MAD, Round, Store and Load
        on(bh,  "mul32",            13, per_row{ 6, 4, 0, 1, 2}, fill_mul32,        compute_mul32);
        on(bh,  "mul32_macro",       8, per_row{ 4, 4, 2, 1, 6}, fill_mul32,        compute_mul32);
        on(wh,  "mul32_wh",         40, per_row{24, 6, 7, 1, 2}, fill_mul32,        compute_mul32);
        on(bh,  "recip_macro",       1, per_row{ 1, 0, 0, 1, 1}, fill_one_tile,     compute_recip);
        on_both("where_inplace",     3, per_row{ 2, 0, 0, 1, 3}, fill_where,        compute_where<0x00>);
        on_both("where_outofplace",  4, per_row{ 2, 0, 0, 1, 3}, fill_where,        compute_where<0xc0>);
        on(bh,  "fp32_to_bf16",      3, per_row{ 3, 0, 1, 2, 2}, fill_floats,       compute_to_bf16<true>);
        on(wh,  "fp32_to_bf16",      3, per_row{ 3, 0, 1, 2, 2}, fill_floats,       compute_to_bf16<false>);
        on_both("uint16_to_fp32",    1, per_row{ 1, 0, 0, 1, 1}, fill_uint16_aside, compute_uint16_to_fp32);
        on_both("uint16_to_bf16",    1, per_row{ 1, 0, 1, 1, 1}, fill_uint16,       compute_uint16_to_bf16);
        on_both("int32_to_fp32",     4, per_row{ 3, 1, 1, 1, 1}, fill_one_tile,     compute_int32_to_fp32);
        on(bh,  "mul_uint16",        2, per_row{ 0, 1, 0, 1, 2}, fill_mul_uint16,   compute_mul_uint16);
        on(wh,  "mul_uint16",       12, per_row{ 9, 3, 3, 1, 5}, fill_mul_uint16,   compute_mul_uint16);
        on_both("signbit",           1, per_row{ 1, 0, 1, 1, 1}, fill_one_tile,     compute_signbit);
        // clang-format on
        return cases;
    }();
    return all;
}

const kernel_case& find_kernel_case(const std::string& name) {
    for (const kernel_case& kernel : kernel_catalogue())
        if (name == kernel.name) return kernel;
    throw std::runtime_error("no kernel case " + name);
}

dst_contents inputs_for(const kernel_case& kernel, std::uint64_t seed) {
    random_bits random(seed);
    dst_contents dst;
    for (auto& row : dst.cells)
        for (std::uint16_t& cell : row) cell = static_cast<std::uint16_t>(random.next());
    kernel.fill(dst, random);
    return dst;
}

std::string wrong_result(const kernel_case& kernel, std::uint64_t seed, const run_options& options) {
    const isa::kernel program = load_kernel(kernel.file, kernel.arch);
    dst_contents expected = inputs_for(kernel, seed);
    const kernel_outcome outcome = run_kernel(program, expected, options);
    kernel.compute(expected, rows_of(program, options));
    return difference(outcome.dst, expected);
}

} // namespace sfpu::test
