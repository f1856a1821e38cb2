// Every way of computing a multiply-add over all triples of exponents: what instructions do, in both vector
// builds, against exact arithmetic, and the three quick ways against the general algorithm wherever they
// offer themselves.
#include "../../models/isa/src/semantics/fma.h"

#include "exact_multiply_add.h"
#include "lane_machine.h"

#include <sfpu/common/vector_targets.h>
#include <sfpu/isa/execution.h>
#include <sfpu/isa/table.h>

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <ios>
#include <string>
#include <tuple>
#include <vector>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "semantics_fma_exponents_test.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "../../models/isa/src/semantics/fma_host-inl.h"
#include "../../models/isa/src/semantics/fma_moderate-inl.h"
#include "../../models/isa/src/semantics/lanewise-inl.h"

HWY_BEFORE_NAMESPACE();
namespace sfpu::isa {
namespace HWY_NAMESPACE {

template <bool Wormhole>
bool by_host_as(lanes& d, const lanes& a, const lanes& b, const lanes& c) {
    return !Wormhole && by_host::multiply_add(d, a, b, c); // Wormhole has no such way
}

/// Runs the quick ways on all triples of exponents, with 32 triples of signs and fractions each. Those of c
/// take turns. Returns how often a quick way gave bits at all, and in `wrong` the exponents with which they
/// were not those of the general algorithm. Exponents of a and b are visited in steps of `stride`.
template <bool Wormhole>
std::uint64_t compare_quick_ways(const lanes& a, const lanes& b, const lanes (&c)[4], unsigned stride,
                                 std::vector<std::array<unsigned, 3>>& wrong) {
    std::uint64_t offers = 0;
    lanes x, y, z, general, moderately, alike, hosted;
    for (unsigned ea = 0; ea < 256; ea += stride)
        for (unsigned eb = 0; eb < 256; ++eb) {
            each_lane(x, [&](unsigned n) { return a.v[n] | ea << 23; });
            each_lane(y, [&](unsigned n) { return b.v[n] | eb << 23; });
            for (unsigned ec = 0; ec < 256; ++ec) {
                const lanes& fractions = c[(eb + ec) % 4];
                each_lane(z, [&](unsigned n) { return fractions.v[n] | ec << 23; });
                const bool is_moderate = moderate::multiply_add<Wormhole>(moderately, x, y, z);
                const bool is_hosted = by_host_as<Wormhole>(hosted, x, y, z);
                const bool is_alike = moderate::multiply_add_alike<Wormhole>(alike, x, y, z);
                if (!is_moderate && !is_alike && !is_hosted) continue;
                offers += is_moderate + is_alike + is_hosted;
                each_lane(general, [&](unsigned n) { return fma<Wormhole>(x.v[n], y.v[n], z.v[n]); });
                std::uint32_t differ = 0;
                for (unsigned n = 0; n < lane_count; ++n)
                    differ |= (is_moderate ? moderately.v[n] ^ general.v[n] : 0) |
                              (is_alike ? alike.v[n] ^ general.v[n] : 0) |
                              (is_hosted ? hosted.v[n] ^ general.v[n] : 0);
                if (differ != 0) wrong.push_back({ea, eb, ec});
            }
        }
    return offers;
}
std::uint64_t compare_on_blackhole(const lanes& a, const lanes& b, const lanes (&c)[4], unsigned stride,
                                   std::vector<std::array<unsigned, 3>>& wrong) {
    return compare_quick_ways<false>(a, b, c, stride, wrong);
}
std::uint64_t compare_on_wormhole(const lanes& a, const lanes& b, const lanes (&c)[4], unsigned stride,
                                  std::vector<std::array<unsigned, 3>>& wrong) {
    return compare_quick_ways<true>(a, b, c, stride, wrong);
}

} // namespace HWY_NAMESPACE
} // namespace sfpu::isa
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sfpu::isa {
HWY_EXPORT(compare_on_blackhole);
HWY_EXPORT(compare_on_wormhole);

enum class build { best, baseline };
std::uint64_t compare_quick_ways(architecture arch, build which, const lanes& a, const lanes& b,
                                 const lanes (&c)[4], unsigned stride,
                                 std::vector<std::array<unsigned, 3>>& wrong) {
    if (arch == architecture::wormhole)
        return which == build::best ? HWY_DYNAMIC_DISPATCH(compare_on_wormhole)(a, b, c, stride, wrong)
                                    : HWY_STATIC_DISPATCH(compare_on_wormhole)(a, b, c, stride, wrong);
    return which == build::best ? HWY_DYNAMIC_DISPATCH(compare_on_blackhole)(a, b, c, stride, wrong)
                                : HWY_STATIC_DISPATCH(compare_on_blackhole)(a, b, c, stride, wrong);
}
} // namespace sfpu::isa

namespace sfpu::test {
namespace {

/// Instrumented builds visit some exponents only; a prime, so that all residues come by.
#ifdef SFPU_INSTRUMENTED
constexpr unsigned stride = 29;
#else
constexpr unsigned stride = 1;
#endif

constexpr std::uint32_t sign_bit = 0x80000000u;
/// Fractions at which sums tie, carry, cancel, or lose exactly one bit.
constexpr std::uint32_t boundary_fractions[] = {0,         1,         3,         0x7fffffu,
                                                0x7ffffeu, 0x400000u, 0x3fffffu, 0x400001u,
                                                0x7f8000u, 0x000800u, 0x2aaaaau, 0x555555u};

std::uint32_t fraction_and_sign(random_bits& random) {
    const std::uint32_t fraction =
        random.below(2) ? random.next() & 0x7fffffu
                        : boundary_fractions[random.below(sizeof boundary_fractions / sizeof(std::uint32_t))];
    return fraction | (random.next() & sign_bit);
}

/// Executes SFPMAD L1, L2, L3, L4 with the semantics of one vector build.
class multiply_adder {
public:
    multiply_adder(const std::vector<const isa::row*>& rows, architecture arch)
        : insn_(isa::decode(0x84012340u, arch)), context_(state_, arch, results_) {
        for (const isa::row* row : rows)
            if (row->opcode == isa::opcode::sfpmad) insn_.op = row;
        context_.enabled = context_.acting = all_lanes;
    }
    lanes &a = state_.lreg[1], &b = state_.lreg[2], &c = state_.lreg[3];

    const lanes& result() {
        results_.clear();
        insn_.op->execute(context_, insn_);
        return results_.storage[0];
    }

private:
    isa::vector_state state_;
    isa::instruction insn_;
    isa::write_set results_;
    isa::execution context_;
};

/// The same operands in both builds and exactly.
class in_both_builds {
public:
    explicit in_both_builds(architecture arch)
        : arch_(arch), best_(isa::instruction_table(), arch),
          baseline_(isa::baseline_instruction_table(), arch) {}

    void set(unsigned lane, std::uint32_t x, std::uint32_t y, std::uint32_t z) {
        best_.a[lane] = baseline_.a[lane] = x;
        best_.b[lane] = baseline_.b[lane] = y;
        best_.c[lane] = baseline_.c[lane] = z;
    }
    void expect_exact() {
        const lanes &best = best_.result(), &baseline = baseline_.result();
        for (unsigned n = 0; n < lane_count; ++n) {
            const std::uint32_t x = best_.a[n], y = best_.b[n], z = best_.c[n],
                                exact = exact_multiply_add(x, y, z, arch_);
            if (best[n] == exact && baseline[n] == exact) continue;
            FAIL() << std::hex << x << " * " << y << " + " << z << " is " << exact << ", not " << best[n]
                   << " (best build) or " << baseline[n] << " (baseline)";
        }
    }

private:
    architecture arch_;
    multiply_adder best_, baseline_;
};

class multiply_add_exponents : public testing::TestWithParam<architecture> {};

/// 32 exponents of the addend side by side: most vectors hold lanes for different ways of computing.
TEST_P(multiply_add_exponents, of_every_triple_give_the_exact_result_in_both_vector_builds) {
    in_both_builds unit(GetParam());
    random_bits random(91);
    for (unsigned ea = 0; ea < 256; ea += stride)
        for (unsigned eb = 0; eb < 256; ++eb)
            for (unsigned ec = 0; ec < 256; ec += lane_count) {
                for (unsigned n = 0; n < lane_count; ++n)
                    unit.set(n, fraction_and_sign(random) | ea << 23, fraction_and_sign(random) | eb << 23,
                             fraction_and_sign(random) | (ec + n) << 23);
                ASSERT_NO_FATAL_FAILURE(unit.expect_exact());
            }
}

/// Each difference between the exponents of product and addend at the bottom, in the middle and at the top of
/// the range, alone in its vector, with all boundary fractions and signs.
TEST_P(multiply_add_exponents, of_every_difference_give_the_exact_result_with_boundary_fractions) {
    in_both_builds unit(GetParam());
    constexpr unsigned pairs[][2] = {{1, 1},     {1, 126},   {1, 127},   {64, 64},   {77, 77},
                                     {100, 127}, {127, 127}, {127, 150}, {176, 176}, {189, 189},
                                     {127, 254}, {190, 190}, {254, 254}};
    random_bits random(92);
    unsigned lane = 0;
    for (const auto& [ea, eb] : pairs)
        for (unsigned ec = 0; ec < 256; ec += stride) {
            for (const std::uint32_t fa : boundary_fractions)
                for (const std::uint32_t fb : boundary_fractions)
                    for (const std::uint32_t fc : boundary_fractions) {
                        unit.set(lane, fa | ea << 23, fb | eb << 23,
                                 fc | ec << 23 | (random.next() & sign_bit));
                        if (++lane < lane_count) continue;
                        lane = 0;
                        ASSERT_NO_FATAL_FAILURE(unit.expect_exact());
                    }
        }
}

INSTANTIATE_TEST_SUITE_P(both_chips, multiply_add_exponents,
                         testing::Values(architecture::blackhole, architecture::wormhole));

using isa::build;
class quick_multiply_adds : public testing::TestWithParam<std::tuple<architecture, build>> {};

TEST_P(quick_multiply_adds, give_the_bits_of_the_general_algorithm_over_all_triples_of_exponents) {
    const auto [arch, which] = GetParam();
    random_bits random(93);
    lanes a, b, c[4]; // all sums, all differences, and twice both: a cancelling lane keeps the host's way out
    for (unsigned n = 0; n < lane_count; ++n) {
        a[n] = fraction_and_sign(random);
        b[n] = fraction_and_sign(random);
        const std::uint32_t sign = (a[n] ^ b[n]) & sign_bit;
        for (lanes& turn : c) turn[n] = fraction_and_sign(random);
        c[0][n] = (c[0][n] & ~sign_bit) | sign;
        c[1][n] = (c[1][n] & ~sign_bit) | (sign ^ sign_bit);
    }
    std::vector<std::array<unsigned, 3>> wrong;
    RecordProperty("offers", std::to_string(isa::compare_quick_ways(arch, which, a, b, c, stride, wrong)));
    if (wrong.empty()) return;
    const auto [ea, eb, ec] = wrong.front();
    FAIL() << wrong.size() << " triples, first " << ea << ", " << eb << ", " << ec;
}

/// With sanitizers the best build takes more than a minute for it; multiply_add_exponents looks at that
/// build, too.
#ifdef SFPU_INSTRUMENTED
constexpr build compared_builds[] = {build::baseline};
#else
constexpr build compared_builds[] = {build::best, build::baseline};
#endif

INSTANTIATE_TEST_SUITE_P(both_chips_and_builds, quick_multiply_adds,
                         testing::Combine(testing::Values(architecture::blackhole, architecture::wormhole),
                                          testing::ValuesIn(compared_builds)));

TEST(multiply_add_exponents_far_apart, leave_the_addend_alone) {
    // The addend's exponent exceeds the product's by 263: 2^-126 * 2^-126 + 1000, from a public report.
    for (const architecture arch : {architecture::blackhole, architecture::wormhole}) {
        in_both_builds unit(arch);
        for (unsigned n = 0; n < lane_count; ++n) unit.set(n, 0x00800000u, 0x00800000u, 0x447a0000u);
        unit.set(7, 0x3f800000u, 0x3f800000u, 0xbf800001u); // on Blackhole, leaves the host's way
        unit.expect_exact();
        EXPECT_EQ(exact_multiply_add(0x00800000u, 0x00800000u, 0x447a0000u, arch), 0x447a0000u);
    }
}

} // namespace
} // namespace sfpu::test
#endif
