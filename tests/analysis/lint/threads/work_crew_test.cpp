// Rounds that are shorter than the time in which a thread wakes up: a hand may begin a part while the caller
// waits already.
#include "../../../../analysis/lint/src/work_crew.h"

#include <gtest/gtest.h>

#include <array>
#include <cstdint>

namespace sfpu::analysis {
namespace {

TEST(work_crew, does_each_part_of_many_short_rounds_once) {
    constexpr std::size_t parts = 4;
    work_crew crew(3);
    std::array<std::uint32_t, parts> done{};
    for (std::uint32_t round = 1; round <= 50'000; ++round) {
        crew.share(parts, [&](unsigned, std::size_t part) { ++done[part]; });
        for (const std::uint32_t each : done) ASSERT_EQ(each, round);
    }
}

} // namespace
} // namespace sfpu::analysis
