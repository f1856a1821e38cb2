// Races of the vendor's kernels that were published, and their published cures: what `lint` says of the words
// as they are pushed. The kernels are written anew after what the issues say of them.
#include <sfpu/analysis/kernel_lint.h>

#include <sfpu/analysis/dst_filling.h>
#include <sfpu/analysis/kernel_file.h>
#include <sfpu/common/random_source.h>
#include <sfpu/platform/core_runner.h>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <regex>
#include <sstream>
#include <string>
#include <vector>

namespace sfpu::analysis {
namespace {

lint_report lint_of_race(const std::string& source, unsigned schedules = 20) {
    platform::core_runner runner;
    lint_request request;
    request.how.schedules = schedules;
    return lint_kernel(runner, source, "k.s", {}, request, {}).report;
}

std::string without_gaps(const std::string& source) {
    return std::regex_replace(source, std::regex(" *\\.gap\n"), "");
}

unsigned line_of(const std::string& source, const std::string& part) {
    const std::size_t at = source.find(part);
    if (at == std::string::npos) throw std::runtime_error("no " + part);
    return 1 + static_cast<unsigned>(
                   std::count(source.begin(), source.begin() + static_cast<std::ptrdiff_t>(at), '\n'));
}

std::vector<unsigned> lines_of(const lint_report& report) {
    std::vector<unsigned> lines;
    for (const lint_boundary& each : report.boundaries) lines.push_back(each.line);
    return lines;
}

// --- tenstorrent/tt-metal#56751, cured by #57000 -----------------------------------------------------------

/// The FP32 reciprocal of five cycles a row. Rows are played from the replay buffer; behind the last row
/// parts of it are played between SFPNOPs. Instrumentation puts idle cycles between the first of them and
/// what follows: the correction of the last row then overwrites L16 before it is stored.
std::string reciprocal(const char* last_macro) {
    return fmt::format(R"(.arch bh
.rows 8
.config fp32_enabled, true
.init
    setc16      34, 2                               ; ADDR_MOD_6: the next row
    setc16      35, 0                               ; ADDR_MOD_7: this row
    .template   0, sfparecip 0, L0, _, 0
    .template   1, sfpmad L0, L0, L0, _, 0
    .template   2, sfpmad L1, L0, L2, _, 0
    .template   3, sfpswap 0, L10, _, VEC_MIN_MAX
    .macro      0, simple=(template=0), store=(delay=6, l16)
    .macro      1, simple=(template=0, l16), mad=(template=1, delay=2), store=(delay=2)
    .macro      2, simple=(template=3, delay=2, vb), mad=(template=2)
    .macro      3, {}
    .misc       load_mode=(0, 1, 2, 3), count_instructions=(simple, mad, round, store)
    sfpnop
    sfpnop
    .gap
    sfploadmacro 0, L3, SRCB, ADDR_MOD_7, 0
    sfploadmacro 2, L1, SRCB, ADDR_MOD_7, 0x3fe
    sfploadmacro 1, L0, SRCB, ADDR_MOD_7, 0
    sfpmad      L0, L3, L10, L0, NEGATE_VA
    .gap
    sfpload     L7, SRCB, ADDR_MOD_6, 0
.loop
    .gap
    sfploadmacro 0, L3, SRCB, ADDR_MOD_7, 0
    sfploadmacro 2, L1, SRCB, ADDR_MOD_7, 0x3fe
    sfploadmacro 1, L0, SRCB, ADDR_MOD_7, 0
    sfpmad      L0, L3, L10, L0, NEGATE_VA
    sfploadmacro 3, L2, SRCB, ADDR_MOD_6, 0x3fe
.tail
    .gap
    sfpnop
    .gap
    sfploadmacro 2, L1, SRCB, ADDR_MOD_7, 1022      ; behind the first SFPNOP
    .gap
    sfpnop
    .gap
    sfpmad      L0, L3, L10, L0, NEGATE_VA
    sfploadmacro 3, L2, SRCB, ADDR_MOD_6, 0x3fe
    .gap
    sfpnop
    .gap
    sfpnop
    .gap
    sfpnop
    .gap
    sfpnop
)",
                       last_macro);
}
const std::string racing = reciprocal("mad=(template=2, delay=1, vb, l16), store=(delay=3, l16)");
const std::string cured = reciprocal("mad=(template=2, delay=1, vb), store=(delay=3)");

TEST(published_reciprocal, is_broken_between_the_first_sfpnop_and_the_next_replay_and_nowhere_else) {
    const lint_report report = lint_of_race(racing);
    EXPECT_EQ(report.verdict, lint_verdict::broken);
    EXPECT_EQ(lines_of(report), std::vector<unsigned>{line_of(racing, "ADDR_MOD_7, 1022")});
    for (const lint_hazard& each : report.hazards) EXPECT_FALSE(each.breaks) << each.what.message;
    ASSERT_FALSE(report.boundaries.empty());
    const lint_boundary& place = report.boundaries.front();
    EXPECT_EQ(place.moved.text.substr(0, 6), "sfpmad");
    EXPECT_NE(place.moved.text.find("L16"), std::string::npos) << place.moved.text;
    EXPECT_EQ(place.against.text.substr(0, 12), "sfpstore L16");
    EXPECT_EQ(place.gap, 4u); // two in .init, one of the loop, the first SFPNOP of .tail, then this
    EXPECT_FALSE(report.safe_from_replay_buffer());
}

TEST(published_reciprocal, is_robust_with_the_published_two_bits) {
    const lint_report report = lint_of_race(cured);
    EXPECT_EQ(report.verdict, lint_verdict::robust);
    EXPECT_EQ(report.random_changed, 0u);
    EXPECT_GT(report.positions, 5u);
}

TEST(published_reciprocal, is_tried_only_where_it_says_that_idle_cycles_can_be) {
    const lint_report report = lint_of_race(racing);
    // Those of .init, one of the loop, those of .tail.
    EXPECT_EQ(report.positions, 2u + 1u + 8u);
    EXPECT_EQ(report.gaps, 11u);
    // Right of a word in the middle of a row a bubble would matter, too: without .gap it is tried.
    const lint_report everywhere = lint_of_race(without_gaps(racing));
    EXPECT_EQ(everywhere.verdict, lint_verdict::replay_only);
    EXPECT_EQ(everywhere.gaps, 0u);
    EXPECT_EQ(everywhere.boundaries.size(), 2u);
    for (const lint_boundary& each : everywhere.boundaries) EXPECT_FALSE(each.gap.has_value());
}

TEST(published_reciprocal, is_robust_if_nothing_can_stand_before_that_replay) {
    std::string together = racing; // the cure that the issue names and does not take
    const std::string place = "    .gap\n    sfploadmacro 2, L1, SRCB, ADDR_MOD_7, 1022";
    together.erase(together.find(place), std::string("    .gap\n").size());
    EXPECT_EQ(lint_of_race(together).verdict, lint_verdict::robust);
}

fixed_kernel fixed(const std::string& source) {
    platform::core_runner runner;
    lint_request request;
    request.how.schedules = 4;
    return fix_kernel(runner, source, "k.s", {}, request);
}

TEST(published_reciprocal, is_fixed_as_the_vendor_did) {
    const fixed_kernel done = fixed(racing);
    EXPECT_EQ(done.report.verdict, lint_verdict::robust);
    EXPECT_EQ(done.applied,
              std::vector<std::string>{fmt::format("the loaded register instead of L16 in line {}",
                                                   line_of(racing, ".macro      3"))});
    EXPECT_EQ(done.source, cured);
}

/// The same as a recorded kernel has it.
TEST(published_reciprocal, is_fixed_in_recorded_words_too) {
    std::string words = racing;
    const std::string macro = "    .macro      3, mad=(template=2, delay=1, vb, l16), store=(delay=3, l16)\n";
    words.replace(words.find(macro), macro.size(),
                  "    .word 0x710ace00  ; sfploadi L0, LOWER, 0xce00\n"
                  "    .word 0x71085b00  ; sfploadi L0, UPPER, 0x5b00\n"
                  "    sfpconfig   0, SEQUENCE3, 0\n");
    ASSERT_EQ(lint_of_race(words).verdict, lint_verdict::broken);
    const fixed_kernel done = fixed(words);
    EXPECT_EQ(done.report.verdict, lint_verdict::robust);
    ASSERT_EQ(done.applied.size(), 1u);
    EXPECT_EQ(done.applied[0].substr(0, 33), "the loaded register instead of L1");
    EXPECT_NE(done.source.find(".word 0x710a8e00"), std::string::npos) << done.source;
    EXPECT_NE(done.source.find(".word 0x71081b00"), std::string::npos) << done.source;
}

// --- tenstorrent/tt-metal#45660 ----------------------------------------------------------------------------

constexpr const char* bf16_head = R"(.arch bh
.rows {}
.config srcb_format, 5
.init
    setc16      34, 2
    setc16      35, 0
    .template   0, sfparecip 0, L0, _, 0
    .template   1, sfpmad L9, L9, L0, _, INDIRECT_VD
)";

std::string pushed(const std::vector<std::string>& words) {
    std::string text;
    for (const std::string& each : words) text += "    .gap\n    " + each + "\n";
    return text;
}

/// The BF16 reciprocal of three cycles a row, word by word: a macro's store patches Dst between two loads.
std::string patched_in_dst() {
    const auto first = [](unsigned lreg) {
        return fmt::format("sfploadmacro 0, L{}, SRCB, ADDR_MOD_7, 0", lreg);
    };
    const auto patch = [](unsigned lreg) {
        return fmt::format("sfploadmacro 1, L{}, LO16_ONLY, ADDR_MOD_6, 0", lreg);
    };
    const std::string sum = "sfploadmacro 2, L1, LO16, ADDR_MOD_7, 0x3fc",
                      last = "sfploadmacro 2, L1, LO16, ADDR_MOD_6, 0x3fc", nop = "sfpnop";
    return fmt::format(bf16_head, 6) + R"(    .template   2, sfpmad L1, L0, L11, _, 0
    .template   3, sfpiadd 0, L1, _, 4
    .macro      0, simple=(template=0), mad=(template=1), store=(delay=0, vb)
    .macro      1, simple=(template=3, delay=5, vb, l16), mad=(template=2, vb, l16), store=(delay=2, l16)
    .macro      2, store=(delay=1, l16)
    .misc       count_instructions=(simple, mad, round)
    sfploadi    L0, FLOATB, 0x8000
    sfploadi    L7, USHORT, 1
)" + pushed({first(3), nop, patch(3), first(4), nop, patch(4)}) +
           ".loop 3\n" + pushed({first(5), sum, patch(5), first(3), sum, patch(3), first(4), sum, patch(4)}) +
           ".tail\n" + pushed({nop, last, nop, nop, last, nop, nop});
}

/// The cure: a macro for the approximation and the copy only, everything else in registers.
std::string patched_in_register() {
    return fmt::format(bf16_head, 8) + R"(    .macro      0, simple=(template=0), mad=(template=1)
    .misc       count_instructions=(simple, mad)
    sfploadi    L7, USHORT, 1
    sfpnop
.loop
)" +
           pushed({"sfploadmacro 0, L2, SRCB, ADDR_MOD_7, 0", "sfpnop", "sfploadi L2, LOWER, 0x8000",
                   "sfpmad L1, L2, L11, L3, 0", "sfpshft -16, L3, L3, 5", "sfpiadd 0, L3, L2, 4",
                   "sfpstore L2, SRCB, ADDR_MOD_6, 0"});
}

TEST(published_bf16_reciprocal, is_broken_as_it_was_pushed) {
    const lint_report report = lint_of_race(patched_in_dst());
    EXPECT_EQ(report.verdict, lint_verdict::broken);
    ASSERT_FALSE(report.boundaries.empty());
    for (const lint_boundary& each : report.boundaries)
        EXPECT_NE(each.text.find("sfploadmacro 2"), std::string::npos) << each.text;
}

TEST(published_bf16_reciprocal, is_replay_only_where_nothing_is_known_of_gaps) {
    const lint_report report = lint_of_race(without_gaps(patched_in_dst()));
    EXPECT_EQ(report.verdict, lint_verdict::replay_only);
    EXPECT_TRUE(report.safe_from_replay_buffer());
}

TEST(published_bf16_reciprocal, is_robust_with_the_patch_in_a_register) {
    EXPECT_EQ(lint_of_race(patched_in_register()).verdict, lint_verdict::robust);
}

/// Dst after a run of the kernel without bubbles.
platform::dst_image result_of(const std::string& source) {
    const machine_choice machine;
    kernel_run kernel(assemble_kernel(source, "k.s", machine), machine, std::nullopt);
    random_source random(7);
    fill_dst(kernel.request(), dst_filling::narrow_extremes, random);
    platform::core_runner runner;
    runner.run(kernel.request());
    return runner.dst();
}

TEST(published_bf16_reciprocal, computes_without_gaps_what_its_cure_does) {
    const platform::dst_image in_dst = result_of(patched_in_dst()),
                              in_register = result_of(patched_in_register());
    for (unsigned row = 0; row < 16; ++row) EXPECT_EQ(in_dst[row], in_register[row]) << row;
}

} // namespace
} // namespace sfpu::analysis
