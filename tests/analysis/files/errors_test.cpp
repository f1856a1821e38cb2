// Positions in texts, suggestions, messages of which nobody has to read too much.
#include <sfpu/analysis/errors.h>

#include <gtest/gtest.h>

namespace sfpu::analysis {
namespace {

TEST(text_position, counts_lines_and_columns_from_one) {
    const auto place = [](std::string_view text, std::size_t offset) {
        return to_string("f", position_of(text, offset));
    };
    EXPECT_EQ(place("", 0), "f:1:1");
    EXPECT_EQ(place("ab\ncd", 1), "f:1:2");
    EXPECT_EQ(place("ab\ncd", 2), "f:1:3"); // the line end belongs to its line
    EXPECT_EQ(place("ab\ncd", 3), "f:2:1");
    EXPECT_EQ(place("ab\n\ncd", 5), "f:3:2");
    EXPECT_EQ(place("ab", 100), "f:1:3"); // behind the end is the end
}

TEST(suggestion, names_what_is_near_and_nothing_else) {
    EXPECT_EQ(suggestion("row", {"rows", "seed"}), "; the nearest is 'rows'");
    EXPECT_EQ(suggestion("quite_different", {"rows", "seed"}, "; see --help"), "; see --help");
    EXPECT_EQ(suggestion("row", {}), "");
}

TEST(shortened, cuts_each_long_line_in_its_middle) {
    const std::string fits(400, 'a'), found(300, 'b'), expected(300, 'c');
    EXPECT_EQ(shortened(fits), fits);
    EXPECT_EQ(shortened(fits + "\n" + found + expected + "\nx"), fits + "\n" + std::string(200, 'b') +
                                                                     " ... (200 characters) ... " +
                                                                     std::string(200, 'c') + "\nx");
    EXPECT_EQ(shortened(fits + "d").size(), 400 + std::string(" ... (1 characters) ... ").size());
}

} // namespace
} // namespace sfpu::analysis
