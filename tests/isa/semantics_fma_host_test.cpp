// The multiply-add by the host's fused multiply-add: the rules by which it is allowed, on all numbers of a
// small format, and the code, on many numbers of the real one, against the general algorithm.
#include "../../models/isa/src/semantics/fma.h"

#include "lane_machine.h"

#include <sfpu/common/vector_targets.h>
#include <sfpu/isa/execution.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <ios>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "semantics_fma_host_test.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "../../models/isa/src/semantics/fma_host-inl.h"
#include "../../models/isa/src/semantics/lanewise-inl.h"

HWY_BEFORE_NAMESPACE();
namespace sfpu::isa {
namespace HWY_NAMESPACE {

bool host_multiplies_and_adds() {
    return HWY_NATIVE_FMA && HWY_TARGET != HWY_EMU128 && HWY_TARGET != HWY_SCALAR;
}
bool host_multiply_add(lanes& d, const lanes& a, const lanes& b, const lanes& c) {
    return by_host::multiply_add(d, a, b, c);
}
bool host_multiply_add_flipped(lanes& d, const lanes& a, const lanes& b, const lanes& c, std::uint32_t flip_a,
                               std::uint32_t flip_c) {
    return by_host::multiply_add(d, {a, flip_a}, {b, 0}, {c, flip_c});
}
bool host_add(lanes& d, const lanes& a, const lanes& c, std::uint32_t flip_a, std::uint32_t flip_c) {
    return by_host::add(d, {a, flip_a}, {c, flip_c});
}
bool host_multiply(lanes& d, const lanes& a, const lanes& b, std::uint32_t flip) {
    return by_host::multiply(d, {a, flip}, {b, 0});
}
void blackhole_multiply_add(lanes& d, const lanes& a, const lanes& b, const lanes& c) {
    each_lane(d, [&](unsigned n) { return fma<false>(a.v[n], b.v[n], c.v[n]); });
}
void wormhole_multiply_add(lanes& d, const lanes& a, const lanes& b, const lanes& c) {
    each_lane(d, [&](unsigned n) { return fma<true>(a.v[n], b.v[n], c.v[n]); });
}

} // namespace HWY_NAMESPACE
} // namespace sfpu::isa
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sfpu::isa {
HWY_EXPORT(host_multiplies_and_adds);
HWY_EXPORT(host_multiply_add);
HWY_EXPORT(host_multiply_add_flipped);
HWY_EXPORT(host_add);
HWY_EXPORT(host_multiply);
HWY_EXPORT(blackhole_multiply_add);
HWY_EXPORT(wormhole_multiply_add);

/// The functions above as the processor's best vector instruction set has them.
struct best_target {
    static bool multiplies_and_adds() { return HWY_DYNAMIC_DISPATCH(host_multiplies_and_adds)(); }
    static bool multiply_add(lanes& d, const lanes& a, const lanes& b, const lanes& c) {
        return HWY_DYNAMIC_DISPATCH(host_multiply_add)(d, a, b, c);
    }
    static bool multiply_add_flipped(lanes& d, const lanes& a, const lanes& b, const lanes& c,
                                     std::uint32_t flip_a, std::uint32_t flip_c) {
        return HWY_DYNAMIC_DISPATCH(host_multiply_add_flipped)(d, a, b, c, flip_a, flip_c);
    }
    static bool add(lanes& d, const lanes& a, const lanes& c, std::uint32_t flip_a, std::uint32_t flip_c) {
        return HWY_DYNAMIC_DISPATCH(host_add)(d, a, c, flip_a, flip_c);
    }
    static bool multiply(lanes& d, const lanes& a, const lanes& b, std::uint32_t flip) {
        return HWY_DYNAMIC_DISPATCH(host_multiply)(d, a, b, flip);
    }
    static void blackhole_multiply_add(lanes& d, const lanes& a, const lanes& b, const lanes& c) {
        return HWY_DYNAMIC_DISPATCH(blackhole_multiply_add)(d, a, b, c);
    }
    static void wormhole_multiply_add(lanes& d, const lanes& a, const lanes& b, const lanes& c) {
        return HWY_DYNAMIC_DISPATCH(wormhole_multiply_add)(d, a, b, c);
    }
};
} // namespace sfpu::isa

namespace sfpu::test {
namespace {

constexpr std::uint32_t sign_bit = 0x80000000u, one = 0x3f800000u;

// --- a small format ----------------------------------------------------------------------------------------

/// A floating-point format with mantissas of `bits` bits, and the chips' adder in the same proportion:
/// products are cut to bits + 4 bits, addends get three zeros. Results are patterns: the exponent above bits
/// - 1 bits of fraction.
struct small_format {
    int bits;

    /// value * 2^exponent rounded to nearest even; 0 if it is zero.
    int rounded(std::uint64_t value, int exponent) const {
        if (value == 0) return 0;
        const int drop = 64 - __builtin_clzll(value) - bits;
        if (drop <= 0) return pattern(value << -drop, exponent + drop);
        const std::uint64_t kept = value >> drop, rest = value & ((std::uint64_t{1} << drop) - 1),
                            half = std::uint64_t{1} << (drop - 1);
        return pattern(kept + (rest > half || (rest == half && (kept & 1))), exponent + drop);
    }
    int pattern(std::uint64_t mantissa, int exponent) const {
        return ((exponent + 200) << (bits - 1)) + static_cast<int>(mantissa);
    }
    int step() const { return 1 << (bits - 1); }

    /// The chips' way: magnitudes of the product's and the addend's mantissas, the product's exponent being
    /// `distance` above that of the addend. The result counts in units of the product of two lowest places.
    int on_chip(std::uint32_t a, std::uint32_t b, std::uint32_t c, int distance, bool subtract) const {
        const int cut = bits - 4;
        std::uint32_t p = sticky(a * b, cut), q = c << 3;
        if (distance < 0) p = half_sticky(p, -distance);
        else q = half_sticky(q, distance);
        const std::uint32_t sum = !subtract ? p + q : p > q ? p - q : q - p;
        // An exact rounding of what the adder holds.
        return rounded(sum, cut + (distance < 0 ? -distance : 0));
    }

private:
    static std::uint32_t sticky(std::uint32_t x, int n) {
        return x >> n | static_cast<std::uint32_t>((x & ((1u << n) - 1u)) != 0);
    }
    static std::uint32_t half_sticky(std::uint32_t x, int n) {
        return n > 31 || x >> n == 0 ? 0 : sticky(x, n);
    }
};

struct small_counts {
    std::uint64_t proved = 0, wrong = 0, wrong_sums = 0;
    std::uint64_t unproved_differ = 0; ///< cases where no rule applies and the results do differ
    std::uint64_t third_step_differs = 0;
};

small_counts try_all(small_format f) {
    small_counts counts;
    const std::uint32_t least = 1u << (f.bits - 1), most = 2 * least;
    const int farthest = f.bits + 6; // beyond, the smaller one leaves nothing
    for (std::uint32_t a = least; a < most; ++a)
        for (std::uint32_t b = least; b <= a; ++b) {
            const int p = f.rounded(a * b, 0);
            for (int distance = -farthest; distance <= farthest; ++distance)
                for (std::uint32_t c = least; c < most; ++c) {
                    const int addend = f.pattern(c, f.bits - 1 - distance), m = std::max(p, addend);
                    for (const bool subtract : {false, true}) {
                        const std::uint64_t x = std::uint64_t{a * b} << farthest,
                                            y = std::uint64_t{c} << (f.bits - 1 + farthest - distance);
                        const int exact = f.rounded(!subtract ? x + y : x > y ? x - y : y - x, -farthest);
                        const bool differ = f.on_chip(a, b, c, distance, subtract) != exact;
                        const bool uncancelled = m - exact <= f.step();
                        const bool proved = p - addend <= 2 * f.step() && uncancelled;
                        counts.proved += proved;
                        counts.wrong += proved && differ;
                        counts.unproved_differ += !proved && differ;
                        counts.third_step_differs += p - addend <= 3 * f.step() && uncancelled && differ;
                        counts.wrong_sums += b == least && differ;
                    }
                }
        }
    return counts;
}

class rules_of_the_fused_multiply_add : public testing::TestWithParam<int> {};

TEST_P(rules_of_the_fused_multiply_add, hold_for_all_numbers_of_a_small_format) {
    const small_counts counts = try_all({GetParam()});
    EXPECT_GT(counts.proved, 10000u);
    EXPECT_EQ(counts.wrong, 0u);
    EXPECT_EQ(counts.wrong_sums, 0u);
    EXPECT_GT(counts.unproved_differ, 0u) << "the rules would be needless";
    EXPECT_GT(counts.third_step_differs, 0u) << "rule (2) could be wider";
}
INSTANTIATE_TEST_SUITE_P(mantissa_bits, rules_of_the_fused_multiply_add,
                         testing::ValuesIn(case_count(1) == 1 ? std::vector<int>{6, 7}
                                                              : std::vector<int>{6, 7, 8}));

// --- the real format ---------------------------------------------------------------------------------------

std::uint32_t magnitude(std::uint32_t x) { return x & 0x7fffffffu; }
std::uint32_t power_of_two(int exponent) { return static_cast<std::uint32_t>(exponent + 127) << 23; }
float number(std::uint32_t x) { return __builtin_bit_cast(float, x); }
std::uint32_t bits(float x) { return __builtin_bit_cast(std::uint32_t, x); }

/// The rules, from their statement in fma_host-inl.h.
bool multiply_add_allowed(std::uint32_t a, std::uint32_t b, std::uint32_t c) {
    for (const std::uint32_t x : {a, b, c})
        if (magnitude(x) >= power_of_two(50)) return false;
    const auto p = static_cast<std::int64_t>(magnitude(bits(number(a) * number(b))));
    const auto q = static_cast<std::int64_t>(magnitude(c)), m = std::max(p, q);
    const auto r = static_cast<std::int64_t>(magnitude(bits(std::fma(number(a), number(b), number(c)))));
    return m >= power_of_two(-50) && p - q <= 2 << 23 && m - r <= 1 << 23;
}
bool add_allowed(std::uint32_t a, std::uint32_t c) {
    const std::uint32_t m = std::max(magnitude(a), magnitude(c));
    return m >= power_of_two(-96) && m < power_of_two(126);
}
bool multiply_allowed(std::uint32_t a, std::uint32_t b) {
    const std::uint32_t smaller = std::min(magnitude(a), magnitude(b));
    return (smaller == 0 || smaller >= power_of_two(-62)) &&
           magnitude(bits(number(a) * number(b))) < power_of_two(126);
}

struct triple {
    std::uint32_t a, b, c;
};

class triples {
public:
    explicit triples(std::uint64_t seed) : random_(seed) {}

    triple draw() {
        triple t{value(100, 54), value(100, 54), 0};
        switch (random_.below(4)) { // mantissas of few bits meet in ties
        case 0: t.a = rough(t.a); [[fallthrough]];
        case 1: t.b = rough(t.b); break;
        default: break;
        }
        const std::uint32_t p = bits(number(t.a) * number(t.b));
        switch (random_.below(9)) {
        case 0: // far apart or near
            t.c = value(100, 54);
            break;
        case 1: // near
            t.c = near(p, 9, 4);
            break;
        case 2: // cancels nearly
            t.c = p ^ sign_bit ^ random_.below(8);
            break;
        case 3: // at the limit of the distance
            t.c = (p ^ (random_.next() & sign_bit)) - (2u << 23) + random_.below(5) - 2;
            break;
        case 4: // the result is near half of the larger
            t.c =
                (random_.below(2) ? bits(number(p) * -0.5f) : bits(number(p) * -1.5f)) + random_.below(9) - 4;
            break;
        case 5: // limits of the range
            t.a = at_a_limit();
            if (random_.below(2)) t.b = random_.below(2) ? one : at_a_limit();
            t.c = random_.below(2) ? at_a_limit() : near(bits(number(t.a) * number(t.b)), 9, 4);
            break;
        case 6: // zeros and subnormals, beside large numbers too
            (random_.below(2) ? t.a : t.b) &= random_.below(2) ? sign_bit : 0x807fffffu;
            if (random_.below(2)) t.b = value(1, 254);
            t.c = random_.below(3) == 0 ? random_.next() & 0x807fffffu : value(60, 120);
            break;
        case 7: // the addend and the product overlap in few places, or vanish
            t.c = near(p, 60, 30);
            if (random_.below(2)) t.c = rough(t.c);
            break;
        default: t = {random_.operand(), random_.operand(), random_.operand()}; break;
        }
        return t;
    }
    std::uint32_t below(std::uint32_t n) { return random_.below(n); }

private:
    std::uint32_t value(std::uint32_t lowest_exponent, std::uint32_t exponents) {
        return (random_.next() & 0x807fffffu) | (lowest_exponent + random_.below(exponents)) << 23;
    }
    std::uint32_t rough(std::uint32_t x) { return x & (0xffffffffu << (8 + random_.below(15))); }
    std::uint32_t near(std::uint32_t x, std::uint32_t exponents, std::uint32_t below) {
        return ((x & 0x7f800000u) + ((random_.below(exponents) - below) << 23)) ^
               (random_.next() & 0x807fffffu);
    }
    std::uint32_t at_a_limit() {
        static constexpr int exponents[] = {50, -50, 25, -25, 63, -62, -96, 126, 0, 1, -126};
        const std::uint32_t at = power_of_two(exponents[random_.below(sizeof exponents / sizeof *exponents)]);
        return (at + random_.below(5) - 2) | (random_.next() & sign_bit);
    }

    random_bits random_;
};

struct operands {
    lanes a, b, c;
};

/// Draws lanes that a rule allows. In one of eight sets, one lane may be of any kind. Returns whether all are
/// allowed.
template <class Allowed>
bool draw_lanes(triples& source, operands& out, Allowed allowed) {
    const unsigned free_lane = source.below(8 * lane_count);
    bool all = true;
    for (unsigned n = 0; n < lane_count; ++n) {
        triple t{};
        bool good = false;
        do {
            t = source.draw();
            good = allowed(t);
        } while (!good && n != free_lane);
        all &= good;
        out.a.v[n] = t.a, out.b.v[n] = t.b, out.c.v[n] = t.c;
    }
    return all;
}

testing::AssertionResult equal(const lanes& found, const lanes& expected, const operands& x) {
    for (unsigned n = 0; n < lane_count; ++n)
        if (found.v[n] != expected.v[n])
            return testing::AssertionFailure() << std::hex << x.a.v[n] << " * " << x.b.v[n] << " + "
                                               << x.c.v[n] << ": " << found.v[n] << ", not " << expected.v[n];
    return testing::AssertionSuccess();
}
lanes flipped(const lanes& x, std::uint32_t flip) {
    lanes out;
    for (unsigned n = 0; n < lane_count; ++n) out.v[n] = x.v[n] ^ flip;
    return out;
}

/// Without a fused multiply-add this tier does nothing, whatever the rules allow.
class fma_by_host : public testing::Test {
protected:
    const bool exists = isa::best_target::multiplies_and_adds();
    const lanes untouched = broadcast(0xdeadbeefu);

    /// `found` is `untouched` unless it was to be written; then it is what both chips compute of the
    /// operands.
    void expect_as_both_chips(const lanes& found, bool written, const operands& x) {
        lanes expected = untouched;
        if (written) isa::best_target::blackhole_multiply_add(expected, x.a, x.b, x.c);
        ASSERT_TRUE(equal(found, expected, x));
        if (written) isa::best_target::wormhole_multiply_add(expected, x.a, x.b, x.c);
        ASSERT_TRUE(equal(found, expected, x));
    }

    triples source{71};
};

TEST_F(fma_by_host, multiplies_and_adds_as_the_general_algorithm_exactly_where_the_rules_allow_it) {
    const std::uint64_t rounds = case_count(100000);
    for (std::uint64_t round = 0; round < rounds; ++round) {
        operands x;
        const std::uint32_t flip_a = round & 1 ? sign_bit : 0, flip_c = round & 2 ? sign_bit : 0;
        const bool allowed = draw_lanes(source, x, [&](const triple& t) {
            return exists && multiply_add_allowed(t.a ^ flip_a, t.b, t.c ^ flip_c);
        });
        lanes found = untouched, expected = untouched;
        const bool done = flip_a | flip_c
                              ? isa::best_target::multiply_add_flipped(found, x.a, x.b, x.c, flip_a, flip_c)
                              : isa::best_target::multiply_add(found, x.a, x.b, x.c);
        ASSERT_EQ(done, allowed);
        x = {flipped(x.a, flip_a), x.b, flipped(x.c, flip_c)};
        if (allowed) isa::best_target::blackhole_multiply_add(expected, x.a, x.b, x.c);
        ASSERT_TRUE(equal(found, expected, x));
    }
}

TEST_F(fma_by_host, adds_as_both_chips_exactly_where_the_rule_allows_it) {
    const std::uint64_t rounds = case_count(50000);
    for (std::uint64_t round = 0; round < rounds; ++round) {
        operands x;
        const bool allowed =
            draw_lanes(source, x, [&](const triple& t) { return exists && add_allowed(t.a, t.c); });
        x.b = broadcast(one);
        const std::uint32_t flip_a = round & 1 ? sign_bit : 0, flip_c = round & 2 ? sign_bit : 0;
        lanes found = untouched;
        ASSERT_EQ(isa::best_target::add(found, x.a, x.c, flip_a, flip_c), allowed);
        x = {flipped(x.a, flip_a), x.b, flipped(x.c, flip_c)};
        ASSERT_NO_FATAL_FAILURE(expect_as_both_chips(found, allowed, x));
    }
}

TEST_F(fma_by_host, multiplies_as_both_chips_exactly_where_the_rule_allows_it) {
    const std::uint64_t rounds = case_count(50000);
    for (std::uint64_t round = 0; round < rounds; ++round) {
        operands x;
        const bool allowed =
            draw_lanes(source, x, [&](const triple& t) { return exists && multiply_allowed(t.a, t.b); });
        x.c = broadcast(0);
        const std::uint32_t flip = round & 1 ? sign_bit : 0;
        lanes found = untouched;
        ASSERT_EQ(isa::best_target::multiply(found, x.a, x.b, flip), allowed);
        x.a = flipped(x.a, flip);
        ASSERT_NO_FATAL_FAILURE(expect_as_both_chips(found, allowed, x));
    }
}

TEST_F(fma_by_host, takes_ordinary_numbers) {
    lanes x, d;
    for (unsigned n = 0; n < lane_count; ++n) x.v[n] = bits(0.03f * static_cast<float>(n) - 0.4f);
    const lanes a = broadcast(bits(0.7f)), c = broadcast(bits(-1.25f));
    EXPECT_EQ(isa::best_target::multiply_add(d, x, a, c), exists);
    EXPECT_EQ(isa::best_target::multiply_add_flipped(d, x, a, c, sign_bit, sign_bit), exists);
    EXPECT_EQ(isa::best_target::add(d, x, c, 0, 0), exists);
    EXPECT_EQ(isa::best_target::multiply(d, x, broadcast(0), 0), exists);
}

TEST_F(fma_by_host, writes_into_an_operand) {
    lanes x, expected;
    for (unsigned n = 0; n < lane_count; ++n) x.v[n] = bits(0.03f * static_cast<float>(n) + 1.4f);
    isa::best_target::blackhole_multiply_add(expected, x, x, x);
    lanes d = x;
    EXPECT_EQ(isa::best_target::multiply_add(d, d, d, d), exists);
    EXPECT_TRUE(equal(d, exists ? expected : x, {x, x, x}));
}

} // namespace
} // namespace sfpu::test
#endif
