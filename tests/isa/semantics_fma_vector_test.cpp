// The multiply-add as instructions run it, many lanes at once with a quick way for moderate values, against
// the general algorithm lane by lane.
#include "../../models/isa/src/semantics/fma.h"

#include "lane_machine.h"

#include <sfpu/isa/table.h>

#include <gtest/gtest.h>

#include <cstdint>
#include <ios>
#include <vector>

namespace sfpu::test {
namespace {

constexpr std::uint32_t sign_bit = 0x80000000u, one = 0x3f800000u;

/// What values the lanes of a run are drawn from.
enum class mixture { moderate, cancelling, around_the_limits, with_zeros, anything };

class operands {
public:
    operands(std::uint32_t seed, mixture kind) : random_(seed), kind_(kind) {}

    void fill(lanes& a, lanes& b, lanes& c) {
        for (unsigned n = 0; n < lane_count; ++n) draw(a.v[n], b.v[n], c.v[n]);
    }

private:
    std::uint32_t value(std::uint32_t lowest_exponent, std::uint32_t exponents) {
        return (random_.next() & 0x807fffffu) | (lowest_exponent + random_.below(exponents)) << 23;
    }
    /// Mantissas of few bits meet in ties and cancel exactly.
    std::uint32_t rough(std::uint32_t bits) { return bits & (0xffffffffu << (8 + random_.below(15))); }

    void draw(std::uint32_t& a, std::uint32_t& b, std::uint32_t& c) {
        a = value(100, 54);
        b = value(100, 54);
        c = value(100, 54);
        switch (kind_) {
        case mixture::moderate: break;
        case mixture::cancelling: { // c close to -a * b
            if (random_.below(2)) a = rough(a), b = rough(b);
            const std::uint32_t product = isa::fma<false>(a, b, 0);
            c = product ^ sign_bit;
            if (random_.below(3) != 0) c ^= random_.below(8);
            if (random_.below(4) == 0) c += 0x800000u * (random_.below(5) - 2);
            break;
        }
        case mixture::around_the_limits: { // where the quick way hands over
            static constexpr std::uint32_t exponents[] = {1,   26,  27,  28,  29,  49,  50,  76,  77,  78,
                                                          127, 175, 176, 177, 188, 189, 190, 252, 253, 254};
            const auto pick = [&] { return exponents[random_.below(sizeof exponents / sizeof *exponents)]; };
            a = value(pick(), 1);
            b = value(pick(), 1);
            c = value(pick(), 1);
            break;
        }
        case mixture::with_zeros:
            if (random_.below(3) == 0) a &= random_.below(2) ? sign_bit : 0x807fffffu; // zero or subnormal
            if (random_.below(3) == 0) b &= sign_bit;
            if (random_.below(3) == 0) c &= random_.below(2) ? sign_bit : 0x807fffffu;
            break;
        case mixture::anything:
            a = random_.operand();
            b = random_.operand();
            c = random_.operand();
            break;
        }
    }

    random_bits random_;
    mixture kind_;
};

std::uint32_t reference(architecture arch, std::uint32_t a, std::uint32_t b, std::uint32_t c) {
    return arch == architecture::wormhole ? isa::fma<true>(a, b, c) : isa::fma<false>(a, b, c);
}

/// Runs one instruction on the state; the result of L4.
lanes result_of(std::uint32_t word, architecture arch, isa::vector_state& state) {
    const isa::instruction insn = isa::decode(word, arch);
    isa::write_set results;
    isa::execution x(state, arch, results);
    x.enabled = x.acting = all_lanes;
    insn.op->execute(x, insn);
    return results.storage[0];
}

void compare(architecture arch, mixture kind, std::uint64_t rounds) {
    isa::vector_state state;
    lanes &a = state.lreg[1], &b = state.lreg[2], &c = state.lreg[3];
    operands draw(static_cast<std::uint32_t>(kind) + 17, kind);
    for (std::uint64_t round = 0; round < rounds; ++round) {
        draw.fill(a, b, c);
        const std::uint32_t flips = arch == architecture::blackhole ? round % 4 : 0;
        const lanes sum = result_of(0x84012340u | flips, arch, state); // sfpmad L1, L2, L3, L4
        const lanes product = result_of(0x86012940u, arch, state);     // sfpmul L1, L2, L9, L4
        const std::uint32_t imm = a.v[0] >> 16;
        const lanes raised = result_of(0x75000040u | imm << 8, arch, state);
        const lanes scaled = result_of(0x74000040u | imm << 8, arch, state);
        for (unsigned n = 0; n < lane_count; ++n) {
            const std::uint32_t flip_a = flips & 1 ? sign_bit : 0, flip_c = flips & 2 ? sign_bit : 0;
            ASSERT_EQ(sum.v[n], reference(arch, a.v[n] ^ flip_a, b.v[n], c.v[n] ^ flip_c))
                << std::hex << a.v[n] << " * " << b.v[n] << " + " << c.v[n] << ", flips " << flips;
            ASSERT_EQ(product.v[n], reference(arch, a.v[n], b.v[n], 0))
                << std::hex << a.v[n] << " * " << b.v[n];
            ASSERT_EQ(raised.v[n], reference(arch, imm << 16, one, state.lreg[4].v[n])) << std::hex << imm;
            ASSERT_EQ(scaled.v[n], reference(arch, imm << 16, state.lreg[4].v[n], 0)) << std::hex << imm;
        }
        state.lreg[4] = c;
    }
}

class fma_in_lanes : public testing::TestWithParam<std::tuple<architecture, mixture>> {};

TEST_P(fma_in_lanes, gives_what_the_general_algorithm_gives) {
    compare(std::get<0>(GetParam()), std::get<1>(GetParam()), case_count(8000));
}

INSTANTIATE_TEST_SUITE_P(both_chips, fma_in_lanes,
                         testing::Combine(testing::Values(architecture::blackhole, architecture::wormhole),
                                          testing::Values(mixture::moderate, mixture::cancelling,
                                                          mixture::around_the_limits, mixture::with_zeros,
                                                          mixture::anything)));

/// A word that runs again leaves out for a while what failed before. Numbers of another kind come behind any
/// of them.
void compare_with_memory(architecture arch, bool direct, std::uint64_t rounds) {
    isa::vector_state state;
    isa::write_set results;
    isa::execution x(state, arch, results);
    x.enabled = x.acting = all_lanes;
    x.direct = direct;
    const isa::instruction insn = isa::decode(0x84012320u, arch); // sfpmad L1, L2, L3, L2
    random_bits random(5);
    std::vector<operands> draws;
    for (const mixture kind : {mixture::moderate, mixture::cancelling, mixture::around_the_limits,
                               mixture::with_zeros, mixture::anything})
        draws.emplace_back(static_cast<std::uint32_t>(kind) + 40, kind);
    const auto like = [&](lanes& to) { // for the host's way and for like sizes
        for (std::uint32_t& lane : to.v) lane = (random.next() & 0x807fffffu) | (126 + random.below(3)) << 23;
    };
    unsigned habits = 0;
    for (std::uint64_t round = 0; round < rounds;) {
        const unsigned kind = random.below(7);
        for (std::uint64_t end = round + 1 + random.below(50); round < end; ++round) {
            lanes &a = state.lreg[1], &b = state.lreg[2], &c = state.lreg[3];
            if (kind < draws.size()) draws[kind].fill(a, b, c);
            else
                for (lanes* each : {&a, &b, &c}) like(*each);
            if (kind == 6) c = {}; // what the host can do
            const isa::vector_state before = state;
            habits += x.habit_of(insn.word).times != 0;
            insn.op->execute(x, insn);
            const lanes& sum = direct ? state.lreg[2] : results.storage[0];
            for (unsigned n = 0; n < lane_count; ++n)
                ASSERT_EQ(sum.v[n], reference(arch, before.lreg[1].v[n], before.lreg[2].v[n], c.v[n]))
                    << std::hex << before.lreg[1].v[n] << " * " << before.lreg[2].v[n] << " + " << c.v[n]
                    << ", round " << std::dec << round;
            results.clear();
        }
    }
    EXPECT_GT(habits, rounds / 2); // else nothing was tried
}
TEST(fma_habits, change_no_result) {
    for (const architecture arch : {architecture::blackhole, architecture::wormhole})
        for (const bool direct : {false, true}) compare_with_memory(arch, direct, case_count(6000));
}

/// The last step of the quick way converts an integer to FP32 and lets the host round.
TEST(fma_rounding, of_a_sum_is_to_nearest_even_as_the_host_converts) {
    const std::uint64_t step = case_count(1) == 1 ? 61 : 1; // all of them nightly
    for (std::uint64_t sum = 1; sum < (1u << 29); sum += step) {
        const auto bits = static_cast<std::uint32_t>(sum);
        const unsigned top = 31u - static_cast<unsigned>(__builtin_clz(bits));
        std::uint32_t expected = (top + 127u) << 23;
        if (top <= 23) {
            expected += (bits << (23 - top)) & 0x7fffffu;
        } else {
            const unsigned lost = top - 23;
            const std::uint32_t kept = bits >> lost, rest = bits & ((1u << lost) - 1u),
                                half = 1u << (lost - 1);
            expected += kept & 0x7fffffu;
            if (rest > half || (rest == half && (kept & 1u))) ++expected;
        }
        const auto converted = static_cast<float>(static_cast<std::int32_t>(bits));
        ASSERT_EQ(__builtin_bit_cast(std::uint32_t, converted), expected) << sum;
    }
}

} // namespace
} // namespace sfpu::test
