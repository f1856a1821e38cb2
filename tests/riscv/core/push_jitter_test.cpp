// Which pushes are delayed, and by what.
#include <sfpu/riscv/push_jitter.h>

#include <gtest/gtest.h>

#include <cstdint>
#include <map>

namespace sfpu::test {
namespace {

using riscv::push_delay;
using riscv::push_delays;

constexpr std::uint32_t sfpnop = 0x8f000000, mop = 0x01000000;
constexpr std::uint32_t replay(unsigned count, bool load) { return 0x04000000 | count << 4 | load; }
constexpr unsigned places = 4096;

std::map<std::uint32_t, push_delay> all_of(push_delays delays) {
    std::map<std::uint32_t, push_delay> result;
    for (std::uint32_t pc = 0; pc < 4 * places; pc += 4) {
        const push_delay delay = delays.before(pc);
        if (delay.core_nops + delay.tensix_nops != 0) result[pc] = delay;
    }
    return result;
}
bool same(const push_delay& a, const push_delay& b) {
    return a.core_nops == b.core_nops && a.tensix_nops == b.tensix_nops;
}

TEST(push_jitter, a_quarter_of_the_places_is_delayed_by_one_kind_of_nop_each_and_by_one_to_most) {
    const auto all = all_of({{7, 10}, 0, true});
    // The mean of places / 4 choices has a standard deviation of sqrt(places * 3) / 4, 28 here.
    EXPECT_GT(all.size(), places / 4 - 5 * 28);
    EXPECT_LT(all.size(), places / 4 + 5 * 28);
    std::map<unsigned, unsigned> core, tensix;
    for (const auto& [pc, delay] : all) {
        EXPECT_TRUE(delay.core_nops == 0 || delay.tensix_nops == 0);
        (delay.core_nops ? core : tensix)[delay.core_nops + delay.tensix_nops]++;
        EXPECT_TRUE(push_delays({7, 10}, 0, true).is_delayed(pc));
    }
    EXPECT_EQ(core.begin()->first, 1u);
    EXPECT_EQ(core.rbegin()->first, 10u);
    EXPECT_EQ(tensix.begin()->first, 1u);
    EXPECT_EQ(tensix.rbegin()->first, 10u);
}

TEST(push_jitter, the_same_seed_delays_alike_and_another_seed_or_core_otherwise) {
    const auto first = all_of({{7, 100}, 0, true}), again = all_of({{7, 100}, 0, true});
    ASSERT_EQ(first.size(), again.size());
    for (const auto& [pc, delay] : first) EXPECT_TRUE(same(delay, again.at(pc)));
    for (const auto& other : {all_of({{8, 100}, 0, true}), all_of({{7, 100}, 1, true})}) {
        std::size_t common = 0;
        for (const auto& [pc, delay] : first) common += other.count(pc) && same(delay, other.at(pc));
        EXPECT_LT(common, first.size() / 10);
    }
}

TEST(push_jitter, no_tensix_nop_comes_where_a_replay_would_record_it) {
    const auto tensix_nops = [](push_delays delays) {
        unsigned sum = 0;
        for (const auto& [pc, delay] : all_of(delays)) sum += delay.tensix_nops;
        return sum;
    };
    push_delays delays({3, 20}, 0, true);
    EXPECT_GT(tensix_nops(delays), 0u);
    delays.pushed(replay(2, false));
    EXPECT_GT(tensix_nops(delays), 0u) << "it plays";
    delays.pushed(replay(2, true));
    delays.pushed(sfpnop);
    delays.pushed(mop); // makes nobody knows how many words
    EXPECT_EQ(tensix_nops(delays), 0u);
    delays.pushed(sfpnop);
    EXPECT_GT(tensix_nops(delays), 0u);
    delays.mop_configured(sfpnop);
    EXPECT_GT(tensix_nops(delays), 0u);
    delays.mop_configured(replay(2, true));
    EXPECT_EQ(tensix_nops(delays), 0u) << "a MOP may record";
    EXPECT_EQ(tensix_nops({{3, 20}, 3, false}), 0u) << "a core whose words enter behind the MOP expander";
}

TEST(push_jitter, counts_places_once_and_delays_each_time) {
    push_delays delays({3, 20}, 0, true);
    std::uint32_t pc = 0;
    while (!delays.is_delayed(pc)) pc += 4;
    const push_delay one = delays.before(pc);
    delays.before(pc);
    EXPECT_EQ(delays.counters().places, 1u);
    EXPECT_EQ(delays.counters().delays, 2u);
    EXPECT_EQ(delays.counters().core_nops, 2 * one.core_nops);
    EXPECT_EQ(delays.counters().tensix_nops, 2 * one.tensix_nops);
}

} // namespace
} // namespace sfpu::test
