#include <sfpu/views/bench.h>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace sfpu::views {
namespace {

analysis::bench_answer a_million_in_half_a_second() {
    analysis::bench_answer answer;
    answer.kernel = "mad";
    answer.arch = architecture::wormhole;
    answer.vector_target = "AVX2";
    answer.measured.instructions = 1'000'000;
    answer.measured.executed = 1'500'000;
    answer.measured.cycles = 2'000'000;
    answer.measured.seconds = 0.5;
    return answer;
}

TEST(bench_view, rates_are_millions_a_second) {
    EXPECT_EQ(to_text(a_million_in_half_a_second()),
              "mad: 1000000 instructions issued, 1500000 executed, 2000000 cycles in 0.500 s of CPU time\n"
              "2.00 million issued, 3.00 million executed, 4.00 million cycles a second (AVX2)\n");
}

TEST(bench_view, json_has_the_same_numbers_and_harts_only_where_there_are_some) {
    analysis::bench_answer answer = a_million_in_half_a_second();
    const auto document = nlohmann::json::parse(to_json(answer));
    EXPECT_EQ(document["arch"], "wh");
    EXPECT_DOUBLE_EQ(document["mexecuted_per_s"].get<double>(), 3);
    EXPECT_FALSE(document.contains("hart_instructions"));
    answer.measured.hart_instructions = 7;
    EXPECT_EQ(nlohmann::json::parse(to_json(answer))["hart_instructions"], 7);
}

TEST(bench_view, no_time_is_no_rate) {
    analysis::bench_answer answer = a_million_in_half_a_second();
    answer.measured.seconds = 0;
    EXPECT_DOUBLE_EQ(nlohmann::json::parse(to_json(answer))["minstr_per_s"].get<double>(), 0);
}

} // namespace
} // namespace sfpu::views
