#include <sfpu/analysis/statistics_comparison.h>

#include <sfpu/analysis/errors.h>

#include <gtest/gtest.h>

#include <algorithm>

namespace sfpu::analysis {
namespace {

statistics_file file(const char* name, const std::string& groups) {
    return parse_statistics(name, R"({"meta": {"config": {"sfpu.latency.mad": 2}, "config_hash": "a"}, )" +
                                      groups + "}");
}

bool has(const std::vector<std::string>& sentences, const std::string& part) {
    return std::any_of(sentences.begin(), sentences.end(),
                       [&](const std::string& each) { return each.find(part) != std::string::npos; });
}

TEST(statistics_comparison, a_file_equals_itself) {
    const statistics_file a = file("a", R"("throughput": {"cycles": 100})");
    EXPECT_TRUE(compare_statistics(a, a).equal());
    EXPECT_TRUE(compare_statistics(a, a).why.empty());
}

TEST(statistics_comparison, numbers_are_compared_by_value_and_not_by_form) {
    const auto answer = compare_statistics(file("a", R"("throughput": {"cycles": 100})"),
                                           file("b", R"("throughput": {"cycles": 100.0})"));
    EXPECT_TRUE(answer.equal());
    EXPECT_FALSE(same_statistic(std::uint64_t{1}, true));
    EXPECT_FALSE(same_statistic(std::uint64_t{1}, std::string("1")));
}

TEST(statistics_comparison, what_only_one_file_has_is_a_difference) {
    const auto answer =
        compare_statistics(file("a", R"("throughput": {"cycles": 100})"),
                           file("b", R"("throughput": {"cycles": 100}, "stalls": {"swap": 3})"));
    ASSERT_EQ(answer.differences.size(), 1u);
    EXPECT_EQ(answer.differences[0].path, "stalls.swap");
    EXPECT_EQ(answer.differences[0].a, statistic());
    EXPECT_EQ(answer.differences[0].b, statistic(std::uint64_t{3}));
}

TEST(statistics_comparison, groups_come_in_the_order_of_reading_and_not_of_the_alphabet) {
    const auto answer = compare_statistics(
        file("a", R"("throughput": {"cycles": 1}, "dst": {"reads": 1}, "stalls": {"swap": 1})"),
        file("b", R"("throughput": {"cycles": 2}, "dst": {"reads": 2}, "stalls": {"swap": 2})"));
    ASSERT_EQ(answer.differences.size(), 3u);
    EXPECT_EQ(answer.differences[0].path, "throughput.cycles");
    EXPECT_EQ(answer.differences[1].path, "stalls.swap");
    EXPECT_EQ(answer.differences[2].path, "dst.reads");
}

TEST(statistics_comparison, longer_stalls_explain_more_cycles) {
    const auto answer = compare_statistics(
        file("a", R"("throughput": {"cycles": 100}, "stalls": {"swap": 2, "mad-dependence": 5})"),
        file("b", R"("throughput": {"cycles": 110}, "stalls": {"swap": 12})"));
    EXPECT_TRUE(has(answer.why, "B takes 110 cycles instead of 100, 10.0 % more"));
    EXPECT_TRUE(has(answer.why,
                    "issue was held 5 cycles longer (mad-dependence -5, swap +10); B took 10 cycles more"));
}

TEST(statistics_comparison, another_machine_is_named_first) {
    const auto b = parse_statistics(
        "b", R"({"meta": {"config": {"sfpu.latency.mad": 3}}, "throughput": {"cycles": 100}})");
    const auto answer = compare_statistics(file("a", R"("throughput": {"cycles": 50})"), b);
    ASSERT_FALSE(answer.why.empty());
    EXPECT_EQ(answer.why[0], "B ran on another machine: sfpu.latency.mad 3 instead of 2");
}

TEST(statistics_comparison, what_is_no_statistics_file_is_refused_with_its_place) {
    try {
        parse_statistics("x.json", "{\n  \"meta\": }");
        FAIL() << "no error";
    } catch (const input_error& error) {
        EXPECT_EQ(std::string(error.what()).find("x.json:2:"), 0u) << error.what();
    }
    EXPECT_THROW(parse_statistics("x.json", "{}"), input_error);
    EXPECT_THROW(parse_statistics("x.json", "[1]"), input_error);
}

} // namespace
} // namespace sfpu::analysis
