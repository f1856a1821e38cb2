// What a register holds while a result is under way that was written early.
#include <sfpu/probe/early_results.h>

#include <gtest/gtest.h>

namespace {

using namespace sfpu;

TEST(early_results, keep_what_a_register_holds_until_each_result_is_visible) {
    probe::early_results early;
    lanes first{}, second{};
    first.v[0] = 1;
    second.v[0] = 2;
    EXPECT_EQ(early.find(4), nullptr);
    early.overwrites(4, first, cycles{6});
    early.overwrites(5, second, cycles{5});
    early.overwrites(4, second, cycles{7});
    EXPECT_EQ(early.next_visible(), cycles{5});
    EXPECT_EQ(early.find(4)->v[0], 1u);
    early.reach(cycles{5});
    EXPECT_EQ(early.find(5), nullptr) << "visible from cycle 5 on";
    EXPECT_EQ(early.find(4)->v[0], 1u);
    early.reach(cycles{6});
    EXPECT_EQ(early.find(4)->v[0], 2u) << "the first result, which the second has overwritten";
    early.reach(cycles{7});
    EXPECT_EQ(early.find(4), nullptr);
    EXPECT_TRUE(early.empty());
}

} // namespace
