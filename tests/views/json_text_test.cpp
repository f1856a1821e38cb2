#include <sfpu/views/json_text.h>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace sfpu::views {
namespace {

std::string quoted(std::string_view text) {
    std::string out;
    append_json_string(out, text);
    return out;
}

TEST(json_text, every_byte_gives_a_string_that_a_reader_takes) {
    for (int first = 0; first < 256; ++first)
        for (int second = 0; second < 256; ++second) {
            const char text[] = {static_cast<char>(first), static_cast<char>(second)};
            const std::string out = quoted({text, 2});
            const auto read = nlohmann::json::parse(out, nullptr, false);
            ASSERT_TRUE(read.is_string()) << out;
            EXPECT_TRUE(first >= 128 || second >= 128 || read == std::string(text, 2)) << out;
        }
}

TEST(json_text, whole_utf8_stays_and_everything_else_becomes_the_replacement_character) {
    EXPECT_EQ(quoted("\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80"), "\"\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80\"");
    EXPECT_EQ(quoted("\xc0\xaf"), "\"\\ufffd\\ufffd\"");                       // overlong
    EXPECT_EQ(quoted("\xed\xa0\x80"), "\"\\ufffd\\ufffd\\ufffd\"");            // a surrogate
    EXPECT_EQ(quoted("\xf4\x90\x80\x80"), "\"\\ufffd\\ufffd\\ufffd\\ufffd\""); // above U+10FFFF
    EXPECT_EQ(quoted("\xe2\x82"), "\"\\ufffd\\ufffd\"");                       // cut off
}

TEST(json_text, lists_of_hexadecimal_numbers_keep_their_leading_zeros) {
    std::string out = "x";
    append_hex_list(out, 3, 4, [](unsigned i) { return i * 0x100u; });
    EXPECT_EQ(out, "x[\"0000\",\"0100\",\"0200\"]");
    out.clear();
    append_hex_list(out, 0, 4, [](unsigned i) { return i; });
    EXPECT_EQ(out, "[]");
}

} // namespace
} // namespace sfpu::views
