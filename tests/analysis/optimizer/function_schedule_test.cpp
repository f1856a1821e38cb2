// Functions with parameters: which immediates follow them, and what is refused.
#include <sfpu/analysis/errors.h>
#include <sfpu/analysis/function_schedule.h>
#include <sfpu/analysis/kernel_comparison.h>
#include <sfpu/analysis/kernel_file.h>
#include <sfpu/platform/core_runner.h>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <string>
#include <vector>

namespace sfpu::test {
namespace {

using analysis::function_request;
using analysis::optimize_answer;

/// A recording of x * scale + bias, as a compiler of vector types has it: halves of the arguments are
/// immediates.
std::string recording(const std::vector<std::string>& arguments) {
    const auto number = [&](std::size_t i) {
        return static_cast<std::uint32_t>(std::strtoul(arguments[i].c_str(), nullptr, 0));
    };
    return fmt::format(".arch bh\n.rows 8\n.init\n    setc16 34, 2\n    setc16 35, 0\n.loop\n"
                       "    sfpload L0, FP32, ADDR_MOD_7, 0\n    sfploadi L1, FLOATB, {:#x}\n"
                       "    sfploadi L1, LOWER, {:#x}\n    sfploadi L2, FLOATB, {:#x}\n"
                       "    sfpmad L0, L1, L2, L0, 0\n    sfpnop\n    sfpstore L0, FP32, ADDR_MOD_6, 0\n",
                       number(0) >> 16, number(0) & 0xffffu, (0x3f80u - number(1)) & 0xffffu);
}

function_request request_for(std::string (*record)(const std::vector<std::string>&)) {
    function_request request;
    request.parameters = {{"uint32_t", "scale", false, true}, {"std::uint16_t", "bias", false, true}};
    request.arguments = {"0", "0"};
    request.record = record;
    request.schedule.name = "folder/scale.h";
    request.schedule.function = "scale";
    request.schedule.text = record(request.arguments);
    request.schedule.conflicts = 20'000;
    request.schedule.llk_header = true;
    return request;
}

std::string refusal_of(const function_request& request) {
    try {
        optimize_function(request);
    } catch (const analysis::user_error& error) {
        return error.what();
    }
    return "";
}

TEST(functions_with_parameters, compute_their_immediates_from_them) {
    const optimize_answer answer = optimize_function(request_for(recording));
    ASSERT_TRUE(answer.best);
    EXPECT_EQ(answer.best->cycles_per_row, 1) << "both constants are set once";
    for (const char* each :
         {"_init_scale_([[maybe_unused]] const uint32_t scale, [[maybe_unused]] const std::uint16_t bias)",
          "_calculate_scale_([[maybe_unused]] const uint32_t scale, [[maybe_unused]] const std::uint16_t "
          "bias)",
          "((static_cast<std::uint32_t>(scale) >> 16) & 0xffffu)",
          "((static_cast<std::uint32_t>(scale)) & 0xffffu)",
          "((0x3f80u - (static_cast<std::uint32_t>(bias))) & 0xffffu)"})
        EXPECT_NE(answer.header.find(each), std::string::npos) << each << "\n" << answer.header;
    std::size_t constants = 0;
    const std::string constant = "TTI_SFPCONFIG(0, 1";
    for (std::size_t at = answer.header.find(constant); at != std::string::npos;
         at = answer.header.find(constant, at + 1))
        ++constants;
    EXPECT_EQ(constants, 2u) << "none for the upper half of one alone" << answer.header;
    EXPECT_NE(answer.schedule.find("; scale = 0x"), std::string::npos) << answer.schedule;
}

// Small numbers have seven added here: no two recordings with large ones show it.
TEST(functions_with_parameters, are_compared_with_a_third_recording) {
    const std::string refused = refusal_of(request_for([](const std::vector<std::string>& arguments) {
        const unsigned long bias = std::strtoul(arguments[1].c_str(), nullptr, 0);
        return recording({arguments[0], bias < 0x100 ? std::to_string(bias + 7) : arguments[1]});
    }));
    EXPECT_NE(refused.find("in another way"), std::string::npos) << refused;
}

TEST(functions_with_parameters, keep_arguments_that_are_given) {
    function_request request = request_for(recording);
    request.arguments = {"0x40000000", "5"};
    request.fixed = 2;
    request.schedule.text = recording(request.arguments);
    const optimize_answer answer = optimize_function(request);
    ASSERT_TRUE(answer.best);
    EXPECT_EQ(answer.header.find("scale >>"), std::string::npos) << answer.header;
    request.fixed = 1;
    const optimize_answer half = optimize_function(request);
    EXPECT_NE(half.header.find("(bias)"), std::string::npos) << half.header;
    EXPECT_EQ(half.header.find("(scale)"), std::string::npos) << half.header;
    EXPECT_NE(half.header.find("scale is taken for 0x40000000"), std::string::npos) << half.header;
}

TEST(functions_with_parameters, that_change_anything_else_are_refused_with_what_changes) {
    const std::string address = refusal_of(request_for([](const std::vector<std::string>& arguments) {
        std::string text = recording(arguments);
        return text.replace(text.rfind("ADDR_MOD_6, 0"), 13,
                            fmt::format("ADDR_MOD_6, ({} & 31) * 2", arguments[1]));
    }));
    EXPECT_NE(address.find("scale, bias"), std::string::npos) << address;
    EXPECT_NE(address.find("sfpstore"), std::string::npos) << address;
    const std::string count = refusal_of(request_for([](const std::vector<std::string>& arguments) {
        std::string text = recording(arguments);
        const unsigned long more = std::strtoul(arguments[1].c_str(), nullptr, 0) & 7u;
        for (unsigned long i = 0; i < more; ++i) text.insert(text.rfind("    sfpnop"), "    sfpnop\n");
        return text;
    }));
    EXPECT_NE(count.find("how many words"), std::string::npos) << count;
    const std::string product = refusal_of(request_for([](const std::vector<std::string>& arguments) {
        const unsigned long bias = std::strtoul(arguments[1].c_str(), nullptr, 0);
        return recording({arguments[0], std::to_string(bias * bias)});
    }));
    EXPECT_NE(product.find("follow a parameter"), std::string::npos) << product;
    function_request request = request_for(recording);
    request.parameters[1].type = "float";
    EXPECT_NE(refusal_of(request).find("bias is of type float"), std::string::npos) << refusal_of(request);
}

// SHORT keeps the sign: of the values that it was recorded with none has one, and a schedule that sets the
// constant by USHORT is wrong for others.
TEST(functions_with_parameters, are_compared_for_values_that_were_not_recorded) {
    const auto record = [](const std::vector<std::string>& arguments) {
        const auto bias = static_cast<std::uint32_t>(std::strtoul(arguments[1].c_str(), nullptr, 0));
        std::string text = recording({arguments[0], std::to_string(0x3f80u - bias)});
        return text.replace(text.rfind("FLOATB"), 6, "SHORT");
    };
    const std::string refused = refusal_of(request_for(record));
    EXPECT_NE(refused.find("depends on them"), std::string::npos) << refused;
}

} // namespace
} // namespace sfpu::test
