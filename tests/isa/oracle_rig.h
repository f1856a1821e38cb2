// What the tests of semantics against the exact oracles share: both vector builds side by side, and their
// operands.
#pragma once

#include "chips.h"
#include "lane_machine.h"

#include <sfpu/isa/table.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <vector>

namespace sfpu::test {

constexpr std::uint32_t sign_bit = 0x80000000u;

/// One vector of so many is taken; by night each one. A prime, so that all residues come by.
inline std::size_t stride(std::size_t by_day) {
#ifdef SFPU_INSTRUMENTED
    return 61 * by_day;
#else
    return std::getenv("SFPU_NIGHTLY") ? 1 : by_day;
#endif
}

/// The same state twice, for the semantics of the best vector instruction set and of the baseline.
class two_builds {
public:
    explicit two_builds(architecture arch) : best_(arch), baseline_(arch) {
        best_.use_rows(isa::instruction_table());
        baseline_.use_rows(isa::baseline_instruction_table());
    }
    template <class Change>
    void change(Change&& change) {
        change(best_);
        change(baseline_);
    }
    void set(unsigned lreg, const lanes& values) {
        change([&](lane_machine& machine) { machine.state.lreg[lreg] = values; });
    }
    void execute(std::uint32_t word) {
        change([&](lane_machine& machine) { machine.execute(word); });
    }
    /// `expected(lane)` in each lane of the register, in both.
    template <class Expected>
    void expect(unsigned lreg, Expected&& expected) {
        for (unsigned n = 0; n < lane_count; ++n) {
            const std::uint32_t exact = expected(n);
            ASSERT_EQ(best_.state.lreg[lreg][n], exact) << "lane " << n;
            ASSERT_EQ(baseline_.state.lreg[lreg][n], exact) << "lane " << n << " of the baseline";
        }
    }
    const lane_machine& best() const { return best_; }
    const lane_machine& baseline() const { return baseline_; }

private:
    lane_machine best_, baseline_;
};

/// All exponents and signs with fractions at which something is cut, carries or ties.
inline const std::vector<std::uint32_t>& operands() {
    static const std::vector<std::uint32_t> all = [] {
        std::vector<std::uint32_t> fractions{0x555555, 0x2aaaaa, 0x400001, 0x3fffff, 0x7ffffe, 0x600000};
        for (unsigned bit = 0; bit < 24; ++bit)
            for (const std::uint32_t edge :
                 {(1u << bit) - 1, 0x800000u - (1u << bit), 0x7fffffu & ~(1u << bit)})
                fractions.push_back(edge & 0x7fffffu);
        for (unsigned bit = 0; bit < 23; ++bit) fractions.push_back(1u << bit);
        std::sort(fractions.begin(), fractions.end());
        fractions.erase(std::unique(fractions.begin(), fractions.end()), fractions.end());
        std::vector<std::uint32_t> list;
        random_bits random(1);
        for (std::uint32_t high = 0; high < 512; ++high) {
            for (const std::uint32_t fraction : fractions) list.push_back(high << 23 | fraction);
            while (list.size() % lane_count != 0) list.push_back(high << 23 | random.next() >> 9);
        }
        return list;
    }();
    return all;
}
/// Calls `take(lanes)` with vectors of all operands, or with one of `by_day`, beginning somewhere.
template <class Take>
void each_vector(std::size_t by_day, random_bits& random, Take&& take) {
    const std::size_t step = stride(by_day), count = operands().size() / lane_count;
    for (std::size_t n = random.next() % step; n < count; n += step) {
        lanes values;
        std::copy_n(operands().begin() + static_cast<std::ptrdiff_t>(n * lane_count), lane_count, values.v);
        ASSERT_NO_FATAL_FAILURE(take(values));
    }
}
inline lanes random_operands(random_bits& random) {
    lanes values;
    for (std::uint32_t& each : values.v) each = operands()[random.next() % operands().size()];
    return values;
}

/// Pairs that differ in nothing, in one bit, by one, in the sign only, or anyhow.
inline lanes compared_with(const lanes& d, random_bits& random) {
    lanes c;
    for (unsigned n = 0; n < lane_count; ++n) switch (random.below(6)) {
        case 0: c[n] = d[n]; break;
        case 1: c[n] = d[n] ^ 1u << random.below(32); break;
        case 2: c[n] = d[n] + 1; break;
        case 3: c[n] = d[n] - 1; break;
        case 4: c[n] = d[n] ^ sign_bit; break;
        default: c[n] = operands()[random.next() % operands().size()];
        }
    return c;
}

} // namespace sfpu::test
