// Texts that nest too deep for whoever reads them, and where a text is no JSON.
#include <sfpu/analysis/json_nesting.h>

#include <sfpu/analysis/errors.h>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace sfpu::analysis {
namespace {

std::string nested(unsigned levels, const std::string& inner = "") {
    return std::string(levels, '[') + inner + std::string(levels, ']');
}

TEST(json_nesting, of_64_levels_is_taken_and_of_65_refused_where_it_stands) {
    EXPECT_TRUE(nests_shallowly(nested(deepest_json)));
    EXPECT_FALSE(nests_shallowly(nested(deepest_json + 1)));
    EXPECT_NO_THROW(check_nesting("f", nested(deepest_json)));
    try {
        check_nesting("f", "\n" + nested(deepest_json + 1));
        FAIL() << "too deep";
    } catch (const input_error& error) {
        EXPECT_STREQ(error.what(), "f:2:65: nested deeper than 64 levels");
    }
}

TEST(json_nesting, counts_no_brackets_in_strings_and_none_that_are_closed) {
    EXPECT_TRUE(nests_shallowly(nested(63, '"' + std::string(100, '[') + '"')));
    EXPECT_TRUE(nests_shallowly(nested(63, R"("\"[[[[")")));
    EXPECT_FALSE(nests_shallowly(nested(64, R"("\\",[)")));
    std::string many;
    for (unsigned i = 0; i < 1000; ++i) many += "{}[]";
    EXPECT_TRUE(nests_shallowly(many));
    EXPECT_TRUE(nests_shallowly(std::string(1000, ']') + nested(64))); // damaged: nothing is below nothing
}

std::string object_of(std::size_t keys) {
    std::string made = "{";
    for (std::size_t i = 0; i < keys; ++i)
        made += (i == 0 ? "\"" : ",\"") + std::to_string(i) + "\":{\"x:\":0}";
    return made + "}";
}

TEST(json_keys, of_one_object_are_a_thousand_at_most_and_the_first_that_is_too_much_has_its_place) {
    EXPECT_TRUE(has_few_keys(object_of(1000)));
    EXPECT_TRUE(has_few_keys("[" + object_of(1000) + "," + object_of(1000) + "]"));
    EXPECT_FALSE(has_few_keys("[1," + object_of(1001) + "]"));
    EXPECT_TRUE(has_few_keys(std::string(2000, ':'))); // damaged: of no object
    EXPECT_TRUE(has_few_keys("}]" + object_of(1000)));
    std::string one_below_the_other = "{";
    for (unsigned line = 1; line <= 1001; ++line) one_below_the_other += "\"k\" : 0,\n";
    try {
        check_keys("f", one_below_the_other);
        FAIL() << "too many";
    } catch (const input_error& error) {
        EXPECT_STREQ(error.what(), "f:1001:5: more than 1000 keys in one object");
    }
}

TEST(json_nesting, a_fault_has_its_place_and_a_reason_without_numbers_of_the_parser) {
    const std::string text = "{\"a\":\n  1,}";
    try {
        const nlohmann::json parsed = nlohmann::json::parse(text);
        FAIL() << "no JSON: " << parsed.dump();
    } catch (const nlohmann::json::exception& error) {
        const json_fault fault = fault_of("f", text, error);
        EXPECT_EQ(fault.place, "f:2:5");
        EXPECT_EQ(fault.reason.find("json.exception"), std::string::npos) << fault.reason;
        EXPECT_EQ(fault.reason.find("column"), std::string::npos) << fault.reason;
    }
}

} // namespace
} // namespace sfpu::analysis
