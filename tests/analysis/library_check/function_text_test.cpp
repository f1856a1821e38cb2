// Functions as headers of kernel libraries write them, and the calls that are made of them.
#include <sfpu/analysis/function_text.h>
#include <sfpu/analysis/kernel_calls.h>

#include <gtest/gtest.h>

namespace sfpu::analysis {
namespace {

const char* const some_header = R"(
namespace ckernel::sfpu {
/// 2 cycles per row.
template <bool APPROXIMATION_MODE, int ITERATIONS = 8>
inline void calculate_twice(const uint dst_index, volatile int other = 3) {
    for (int d = 0; d < ITERATIONS; d++) {} // void not_a_function() {}
}
template <bool APPROXIMATION_MODE>
inline void init_twice() {}
template <>
inline void calculate_twice<true, 8>(const uint dst_index, int other) {}
sfpi_inline sfpi::vFloat one_more(sfpi::vFloat value) { return value + 1; }
inline void with_a_pointer(unsigned* where) {}
inline int of_numbers(int x) { return x; }
}
)";

TEST(function_text, functions_are_found_with_parameters_defaults_and_published_cycles) {
    const auto found = function_declarations(some_header);
    ASSERT_EQ(found.size(), 4u);
    EXPECT_EQ(found[0].name, "calculate_twice");
    ASSERT_EQ(found[0].template_parameters.size(), 2u);
    EXPECT_EQ(found[0].template_parameters[0].type, "bool");
    EXPECT_TRUE(found[0].template_parameters[1].has_default);
    ASSERT_EQ(found[0].parameters.size(), 2u);
    EXPECT_EQ(found[0].parameters[0].type, "uint");
    EXPECT_EQ(found[0].parameters[0].name, "dst_index");
    EXPECT_TRUE(found[0].parameters[0].is_const);
    EXPECT_EQ(found[0].published, std::vector<double>{2});
    EXPECT_EQ(found[1].name, "init_twice");
    EXPECT_EQ(found[2].name, "one_more");
    EXPECT_EQ(found[2].result, "vFloat");
    EXPECT_EQ(found[3].name, "with_a_pointer");
}

TEST(function_text, comments_become_blanks_and_places_stay) {
    EXPECT_EQ(without_comments("a // b\nc /* d\n */ e"), "a     \nc     \n    e");
}

TEST(kernel_calls, each_value_of_a_template_parameter_is_tried_with_its_own_init) {
    const kernel_functions found = find_functions(some_header);
    ASSERT_EQ(found.calls.size(), 3u);
    EXPECT_EQ(found.calls[0].call, "calculate_twice<true>(0)");
    EXPECT_EQ(found.calls[0].init, "init_twice<true>();");
    EXPECT_EQ(found.calls[1].call, "calculate_twice<false>(0)");
    EXPECT_EQ(found.calls[1].init, "init_twice<false>();");
    EXPECT_EQ(found.calls[0].rows, 8u);
    EXPECT_EQ(found.calls[2].function, "one_more");
    EXPECT_NE(found.calls[2].statement.find("sfpu_row < 8"), std::string::npos)
        << "a function of values has a loop";
    EXPECT_FALSE(found.has_plain_path);
}

TEST(kernel_calls, what_cannot_be_called_says_why) {
    const kernel_functions found = find_functions(some_header);
    ASSERT_EQ(found.skipped.size(), 1u);
    EXPECT_EQ(found.skipped[0], "with_a_pointer: no value is known for the parameter `unsigned* where`");
    std::string problem;
    EXPECT_FALSE(call_as_wished(some_header, "nobody", {}, problem));
    EXPECT_EQ(problem, "there is no such function with a body");
}

TEST(kernel_calls, wishes_decide_the_arguments_they_name) {
    call_wishes wishes;
    wishes.rows = 32;
    wishes.approximate = true;
    std::string problem;
    const auto call = call_as_wished(some_header, "calculate_twice", wishes, problem);
    ASSERT_TRUE(call) << problem;
    EXPECT_EQ(call->call, "calculate_twice<true, 32>(0)");
    EXPECT_EQ(call->rows, 32u);
}

} // namespace
} // namespace sfpu::analysis
