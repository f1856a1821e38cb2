// The MOP and replay expanders as generators of words. Expected sequences follow the text of the ISA
// documentation (MOPExpander, REPLAY) and tile.md K4 and K5.
#include "tensix_words.h"

#include <sfpu/frontend/mop_expander.h>
#include <sfpu/frontend/replay_expander.h>

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <vector>

namespace sfpu::frontend {
namespace {

using words = std::vector<std::uint32_t>;

using namespace sfpu::test::tensix_words;

constexpr std::uint32_t nop = tensix_nop, sfpnop = 0x8f000000, dmanop = 0x60000000;
constexpr std::uint32_t mop_0(unsigned count1, unsigned mask_lo) { return mop(0, count1, mask_lo); }
constexpr std::uint32_t mop_1 = mop(1);

words expansion(mop_expander& mop, std::uint32_t word) {
    words result;
    for (mop.begin(word); mop.pending();) result.push_back(mop.take());
    return result;
}

words expansion(const std::array<std::uint32_t, 9>& config, std::uint32_t word, unsigned mask_hi = 0) {
    mop_expander mop;
    for (unsigned i = 0; i < config.size(); ++i) mop.set_config(i, config[i]);
    mop.set_mask_hi(mask_hi);
    return expansion(mop, word);
}

// --- template 0 --------------------------------------------------------------------------------------------

constexpr std::array<std::uint32_t, 9> masked(unsigned flags) {
    return {0, flags, 0xb, 0xa0, 0xa1, 0xa2, 0xa3, 0x50, 0x5b};
}

TEST(mop_template_0, runs_one_more_time_than_its_count) {
    EXPECT_EQ(expansion(masked(0), mop_0(0, 0)), (words{0xa0}));
    EXPECT_EQ(expansion(masked(0), mop_0(2, 0)), (words{0xa0, 0xa0, 0xa0}));
    EXPECT_EQ(expansion(masked(0), mop_0(127, 0)).size(), 128u);
}
TEST(mop_template_0, flag_0_adds_b_and_flag_1_adds_three_more_of_a) {
    EXPECT_EQ(expansion(masked(1), mop_0(0, 0)), (words{0xa0, 0xb}));
    EXPECT_EQ(expansion(masked(2), mop_0(0, 0)), (words{0xa0, 0xa1, 0xa2, 0xa3}));
    EXPECT_EQ(expansion(masked(3), mop_0(0, 0)), (words{0xa0, 0xa1, 0xa2, 0xa3, 0xb}));
}
TEST(mop_template_0, a_set_mask_bit_skips_an_iteration) {
    EXPECT_EQ(expansion(masked(3), mop_0(2, 0b010)),
              (words{0xa0, 0xa1, 0xa2, 0xa3, 0xb, 0x50, 0x5b, 0xa0, 0xa1, 0xa2, 0xa3, 0xb}));
    EXPECT_EQ(expansion(masked(2), mop_0(1, 0b01)), (words{0x50, 0xa0, 0xa1, 0xa2, 0xa3}));
}
TEST(mop_template_0, the_mask_has_32_bits_and_zeros_follow) {
    const words result = expansion(masked(0), mop_0(33, 0), 0x8001);
    ASSERT_EQ(result.size(), 34u);
    for (unsigned i = 0; i < result.size(); ++i)
        EXPECT_EQ(result[i], i == 16 || i == 31 ? 0x50u : 0xa0u) << i;
}
TEST(mop_template_0, emits_nops_that_are_configured) {
    std::array<std::uint32_t, 9> config = masked(1);
    config[3] = config[2] = nop;
    EXPECT_EQ(expansion(config, mop_0(0, 0)), (words{nop, nop}));
}

// --- template 1 --------------------------------------------------------------------------------------------

/// Outer and inner count, then start, end 0, end 1, body, second body, last of all, last.
constexpr std::array<std::uint32_t, 9> loops(unsigned outer, unsigned inner, std::uint32_t second = nop,
                                             std::uint32_t start = 0x5, std::uint32_t end0 = 0xe0,
                                             std::uint32_t end1 = 0xe1) {
    return {outer, inner, start, end0, end1, 0x11, second, 0x99, 0x88};
}

TEST(mop_template_1, the_last_body_is_replaced_and_that_of_the_last_outer_iteration_by_another_word) {
    EXPECT_EQ(expansion(loops(2, 3), mop_1),
              (words{0x5, 0x11, 0x11, 0x88, 0xe0, 0xe1, 0x5, 0x11, 0x11, 0x99, 0xe0, 0xe1}));
}
TEST(mop_template_1, a_second_body_alternates_and_doubles_the_inner_count) {
    EXPECT_EQ(expansion(loops(1, 2, 0x22, nop, nop), mop_1), (words{0x11, 0x22, 0x11, 0x99}));
    EXPECT_EQ(expansion(loops(2, 1, 0x22, nop, nop), mop_1), (words{0x11, 0x88, 0x11, 0x99}));
}
TEST(mop_template_1, start_and_end_words_that_are_nop_are_left_out) {
    EXPECT_EQ(expansion(loops(1, 1, nop, nop, 0xe0, 0xe1), mop_1), (words{0x99, 0xe0, 0xe1}));
    EXPECT_EQ(expansion(loops(1, 1, nop, 0x5, 0xe0, nop), mop_1), (words{0x5, 0x99, 0xe0}));
}
TEST(mop_template_1, the_second_end_word_needs_the_first) {
    EXPECT_EQ(expansion(loops(1, 1, nop, nop, nop, 0xe1), mop_1), (words{0x99}));
}
TEST(mop_template_1, only_opcode_02_is_a_nop) {
    EXPECT_EQ(expansion(loops(1, 1, nop, sfpnop, dmanop, nop), mop_1), (words{sfpnop, 0x99, dmanop}));
    EXPECT_EQ(expansion(loops(1, 1, nop, nop | 0x123456, nop, nop), mop_1), (words{0x99}));
}
TEST(mop_template_1, no_outer_iteration_emits_nothing) { EXPECT_EQ(expansion(loops(0, 5), mop_1), words{}); }
TEST(mop_template_1, without_inner_iterations_start_and_end_remain) {
    EXPECT_EQ(expansion(loops(2, 0), mop_1), (words{0x5, 0xe0, 0xe1, 0x5, 0xe0, 0xe1}));
}
TEST(mop_template_1, counts_have_seven_bits) {
    EXPECT_EQ(expansion(loops(0x80 | 1, 0xff80 | 2), mop_1), (words{0x5, 0x11, 0x99, 0xe0, 0xe1}));
}
TEST(mop_template_1, the_hardware_fault_adds_128_outer_iterations) {
    EXPECT_EQ(expansion(loops(1, 0, nop, nop, 0xe0, nop), mop_1), words(129, 0xe0));
    EXPECT_EQ(expansion(loops(2, 0, nop, nop, 0xe0, nop), mop_1), words(2, 0xe0)) << "not with another count";
    EXPECT_EQ(expansion(loops(1, 0, nop, 0x5, 0xe0, nop), mop_1), (words{0x5, 0xe0})) << "not with a start";
    EXPECT_EQ(expansion(loops(1, 0, nop, nop, nop, 0xe1), mop_1), words{}) << "not without an end";
}
TEST(mop_template_1, the_longest_expansion_has_32639_words) { // the documentation's number
    // 127 x (254 + 3) = 32639
    EXPECT_EQ(expansion(loops(127, 127, 0x22), mop_1).size(), 32639u);
}

TEST(mop_expander, configuration_stays_from_one_mop_to_the_next) {
    mop_expander mop;
    for (unsigned i = 0; i < 9; ++i) mop.set_config(i, masked(1)[i]);
    const words first = expansion(mop, mop_0(3, 5));
    EXPECT_EQ(expansion(mop, mop_0(3, 5)), first);
}

// --- replay ------------------------------------------------------------------------------------------------

void load(replay_expander& expander, unsigned index, const words& what) {
    expander.begin(replay(index, static_cast<unsigned>(what.size()), false, true));
    for (const std::uint32_t word : what) expander.store(word, true);
}
words playback(replay_expander& expander, unsigned index, unsigned count) {
    words result;
    for (expander.begin(replay(index, count, false, false)); expander.playing(); expander.skip(1))
        result.push_back(expander.next());
    return result;
}

TEST(replay_expander, plays_what_was_loaded) {
    replay_expander expander;
    load(expander, 3, {1, 2, 3});
    EXPECT_FALSE(expander.loading());
    EXPECT_EQ(playback(expander, 3, 3), (words{1, 2, 3}));
    EXPECT_EQ(playback(expander, 4, 1), (words{2}));
}
TEST(replay_expander, wraps_around_at_32_slots) {
    replay_expander expander;
    load(expander, 30, {1, 2, 3, 4});
    EXPECT_EQ(expander.slot(0), 3u);
    EXPECT_EQ(playback(expander, 30, 4), (words{1, 2, 3, 4}));
    EXPECT_EQ(playback(expander, 0, 2), (words{3, 4}));
}
TEST(replay_expander, a_count_of_zero_means_64) {
    replay_expander expander;
    load(expander, 0, words(32, 7));
    EXPECT_EQ(playback(expander, 0, 0).size(), 64u);
    expander.begin(replay(0, 0, false, true));
    for (unsigned i = 0; i < 64; ++i) {
        ASSERT_TRUE(expander.loading()) << i;
        expander.store(i, true);
    }
    EXPECT_FALSE(expander.loading());
    EXPECT_EQ(expander.slot(0), 32u) << "the second round overwrites the first";
}
TEST(replay_expander, what_a_count_of_zero_means_is_a_parameter) {
    replay_expander expander;
    expander.reset(32);
    load(expander, 0, words(32, 7));
    EXPECT_EQ(playback(expander, 0, 0).size(), 32u);
}
TEST(replay_expander, executes_while_loading_only_if_both_bits_are_set) {
    replay_expander expander;
    expander.begin(replay(0, 4, true, true));
    EXPECT_TRUE(expander.loading() && expander.executes());
    expander.begin(replay(0, 4, false, true));
    EXPECT_TRUE(expander.loading() && !expander.executes());
    expander.begin(replay(0, 4, true, false));
    EXPECT_TRUE(expander.playing());
}
TEST(replay_expander, runs_of_plain_words_end_at_others_and_at_the_buffer_s_end) {
    replay_expander expander;
    load(expander, 29, {1, 2, 3});
    expander.begin(replay(0, 1, false, true));
    expander.store(9, false);
    expander.begin(replay(29, 4, false, false));
    EXPECT_EQ(expander.plain_run(), 3u);
    expander.skip(3);
    EXPECT_EQ(expander.plain_run(), 0u);
    EXPECT_FALSE(expander.next_is_plain());
}
TEST(replay_expander, knows_whether_all_slots_of_a_playback_were_loaded) {
    replay_expander expander;
    load(expander, 31, {1, 2});
    expander.begin(replay(31, 2, false, false));
    EXPECT_TRUE(expander.plays_loaded());
    expander.begin(replay(31, 3, false, false));
    EXPECT_FALSE(expander.plays_loaded());
}

} // namespace
} // namespace sfpu::frontend
