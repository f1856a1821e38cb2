// When banks of L1 are free.
#include <sfpu/memory/l1_banks.h>

#include <gtest/gtest.h>

namespace sfpu::memory {
namespace {

std::int64_t start_of(l1_banks& banks, unsigned bank, std::int64_t at, std::int64_t length) {
    return banks.occupy(bank, cycles{at}, cycles{length}).count();
}

TEST(l1_banks, sixteen_lines_in_a_row_lie_in_sixteen_banks) {
    for (std::uint64_t line = 0; line < 64; ++line) EXPECT_EQ(l1_banks::bank_of(line), line % 16);
}

TEST(l1_banks, a_bank_does_one_access_a_cycle) {
    l1_banks banks;
    EXPECT_EQ(start_of(banks, 3, 10, 1), 10);
    EXPECT_EQ(start_of(banks, 3, 10, 1), 11);
    EXPECT_EQ(start_of(banks, 3, 11, 1), 12);
    EXPECT_EQ(start_of(banks, 3, 13, 1), 13);
}

TEST(l1_banks, banks_do_not_disturb_each_other) {
    l1_banks banks;
    for (unsigned bank = 0; bank < l1_banks::count; ++bank) EXPECT_EQ(start_of(banks, bank, 0, 5), 0);
}

TEST(l1_banks, a_long_access_holds_its_bank_to_its_end) {
    l1_banks banks;
    EXPECT_EQ(start_of(banks, 0, 100, 5), 100);
    EXPECT_EQ(start_of(banks, 0, 104, 1), 105);
    EXPECT_EQ(start_of(banks, 0, 106, 1), 106);
}

TEST(l1_banks, an_access_that_comes_late_but_lies_earlier_does_not_wait) {
    l1_banks banks;
    EXPECT_EQ(start_of(banks, 0, 1000, 5), 1000);
    EXPECT_EQ(start_of(banks, 0, 10, 5), 10);
    EXPECT_EQ(start_of(banks, 0, 995, 5), 995);
    // 995 to 1004 is one stretch now.
    EXPECT_EQ(start_of(banks, 0, 996, 1), 1005);
    EXPECT_EQ(start_of(banks, 0, 994, 2), 1006) << "its second cycle would be taken";
}

TEST(l1_banks, several_that_come_together_are_served_one_after_the_other) {
    l1_banks banks;
    for (std::int64_t i = 0; i < 10; ++i) EXPECT_EQ(start_of(banks, 7, 0, 5), 5 * i);
}

TEST(l1_banks, all_are_free_in_cycle_0_after_reset) {
    l1_banks banks;
    start_of(banks, 0, 0, 5);
    banks.reset();
    EXPECT_EQ(start_of(banks, 0, 0, 1), 0);
}

} // namespace
} // namespace sfpu::memory
