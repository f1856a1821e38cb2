// What lint says about kernels that are known to be good, known to depend on luck, and broken on purpose.
#include "kernel_catalogue.h"
#include "tree_path.h"

#include <sfpu/analysis/lint.h>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <ostream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace sfpu::test {
namespace {

using analysis::lint_boundary;
using analysis::lint_hazard;
using analysis::lint_options;
using analysis::lint_question;
using analysis::lint_report;
using analysis::lint_verdict;

lint_report lint(const isa::kernel& kernel, const lint_options& options = {}) {
    platform::run_request base;
    base.config.arch = kernel.arch;
    for (const isa::config_setting& setting : kernel.config)
        set_parameter(base.config, setting.key, setting.value);
    base.thread.reset(kernel.arch);
    return analysis::lint(shared_bench(), kernel, base, kernel.rows.value_or(32) / kernel.rows_per_iteration,
                          options);
}

isa::kernel assembled(const std::string& text) {
    isa::assembly result = isa::assemble(text, "program", architecture::blackhole);
    if (!result.ok()) throw std::runtime_error(result.errors.front().to_string());
    return std::move(result.program);
}

isa::kernel broken_kernel(const std::string& file) {
    std::ifstream in(tree_path("tests/data/" + file));
    if (!in) throw std::runtime_error(file + ": cannot be read");
    std::ostringstream text;
    text << in.rdbuf();
    return assembled(text.str());
}

std::vector<unsigned> lines_of(const std::vector<lint_boundary>& boundaries) {
    std::vector<unsigned> lines;
    for (const lint_boundary& each : boundaries) lines.push_back(each.line);
    return lines;
}

bool depends_on(const lint_report& report, const std::string& parameter) {
    const auto found = std::find_if(report.open_questions.begin(), report.open_questions.end(),
                                    [&](const lint_question& each) { return each.parameter == parameter; });
    if (found == report.open_questions.end()) throw std::runtime_error("no question about " + parameter);
    return found->depends;
}

const lint_hazard* find_hazard(const lint_report& report, report_id id) {
    for (const lint_hazard& each : report.hazards)
        if (each.what.id == id) return &each;
    return nullptr;
}

// --- kernels of the repository -----------------------------------------------------------------------------

class lint_of_kernel : public testing::TestWithParam<kernel_case> {};

TEST_P(lint_of_kernel, is_robust_unless_lane_flags_must_change_between_two_loads) {
    const bool where = GetParam().file.rfind("where", 0) == 0;
    const lint_report report = lint(load_kernel(GetParam().file, GetParam().arch));
    EXPECT_STREQ(to_string(report.verdict), where ? "replay-only" : "robust");
    EXPECT_EQ(report.hazards.size(), 0u);
    EXPECT_EQ(report.boundaries.empty(), !where);
    EXPECT_EQ(report.random_changed == 0, !where);
    EXPECT_TRUE(report.safe_from_replay_buffer());
}

TEST_P(lint_of_kernel, gives_the_same_report_for_the_same_seed_and_the_same_verdict_for_another) {
    const isa::kernel kernel = load_kernel(GetParam().file, GetParam().arch);
    lint_options few;
    few.schedules = 20;
    const lint_report first = lint(kernel, few), second = lint(kernel, few);
    EXPECT_EQ(first.random_changed, second.random_changed);
    EXPECT_EQ(lines_of(first.boundaries), lines_of(second.boundaries));
    few.seed = 2;
    EXPECT_EQ(lint(kernel, few).verdict, first.verdict);
}

/// All of them, or every fourth where sanitizers slow them down.
std::vector<kernel_case> kernels_to_lint() {
    std::vector<kernel_case> all = kernel_catalogue();
#ifdef SFPU_INSTRUMENTED
    std::vector<kernel_case> some;
    for (std::size_t i = 0; i < all.size(); i += 4) some.push_back(all[i]);
    return some;
#else
    return all;
#endif
}

INSTANTIATE_TEST_SUITE_P(lint, lint_of_kernel, testing::ValuesIn(kernels_to_lint()),
                         [](const auto& parameter) { return parameter.param.name; });

TEST(lint, names_the_two_loads_of_where_and_what_moved_against_them) {
    const isa::kernel kernel = load_kernel("where_inplace.s", architecture::blackhole);
    const lint_report report = lint(kernel);
    ASSERT_EQ(lines_of(report.boundaries), (std::vector<unsigned>{kernel.loop[1].line, kernel.loop[2].line}));
    const lint_boundary &yes = report.boundaries[0], &no = report.boundaries[1];
    EXPECT_EQ(yes.previous_line, kernel.loop[0].line);
    EXPECT_EQ(yes.text, "sfploadmacro 2, L0, INT32, ADDR_MOD_7, 64");
    EXPECT_EQ(yes.bubble, 1u);
    EXPECT_TRUE(yes.inside_iteration);
    EXPECT_EQ(yes.moved.text.substr(0, 8), "sfpsetcc");
    EXPECT_TRUE(yes.moved.scheduled);
    EXPECT_EQ(yes.moved.line, kernel.loop[0].line);
    EXPECT_EQ(yes.against.text, yes.text);
    EXPECT_FALSE(yes.against.scheduled);
    EXPECT_EQ(no.moved.text.substr(0, 7), "sfpencc");
    EXPECT_EQ(no.moved.line, kernel.loop[1].line);
    EXPECT_EQ(no.against.line, kernel.loop[2].line);
    ASSERT_TRUE(yes.first_difference.has_value());
    EXPECT_NE(yes.first_difference->expected, yes.first_difference->got);
    EXPECT_GT(report.random_changed,
              report.random_schedules * 9 / 10); // almost all data have zeros to choose by
}

TEST(lint, says_that_where_depends_on_how_ticks_are_counted_only_if_there_are_bubbles) {
    const lint_report report = lint(load_kernel("where_inplace.s", architecture::blackhole));
    EXPECT_TRUE(depends_on(report, "macro.delay_kind_scope"));
    EXPECT_FALSE(depends_on(report, "dst.store_load_visible"));
    for (const lint_question& each : report.open_questions)
        EXPECT_FALSE(each.without_bubbles) << each.parameter;
}

TEST(lint, says_that_robust_kernels_depend_on_no_open_question) {
    for (const char* file : {"mul32_macro.s", "recip_macro.s", "uint16_to_fp32.s"})
        for (const lint_question& each : lint(load_kernel(file, architecture::blackhole)).open_questions)
            EXPECT_FALSE(each.depends) << file << ": " << each.parameter;
}

// --- kernels broken on purpose -----------------------------------------------------------------------------

TEST(lint, finds_a_store_that_comes_one_row_too_late_and_the_sequence_with_its_delay) {
    const isa::kernel kernel = broken_kernel("broken_uint16_to_fp32.s");
    const lint_report report = lint(kernel);
    EXPECT_EQ(report.verdict, lint_verdict::broken);
    EXPECT_FALSE(report.safe_from_replay_buffer());
    const lint_hazard* lost = find_hazard(report, report_id::hazard_l16_overwritten);
    ASSERT_NE(lost, nullptr);
    EXPECT_TRUE(lost->breaks);
    EXPECT_EQ(lost->line, kernel.loop[0].line);
    const isa::source_word* upper =
        &kernel.init[kernel.init.size() - 5]; // then SFPCONFIG of sequence and of Misc, and two SFPNOPs
    EXPECT_EQ(lost->configured_in, (std::vector<unsigned>{upper->line - 1, upper->line, upper->line + 1}));
}

TEST(lint, finds_an_addition_that_a_macro_discards) {
    const isa::kernel kernel = broken_kernel("broken_mul32_macro.s");
    const lint_report report = lint(kernel);
    EXPECT_EQ(report.verdict, lint_verdict::broken);
    const lint_hazard* discarded = find_hazard(report, report_id::issue_discarded_by_macro);
    ASSERT_NE(discarded, nullptr);
    EXPECT_EQ(discarded->line, kernel.loop[6].line);
    EXPECT_EQ(discarded->count, report.iterations);
}

TEST(lint, finds_the_words_that_may_not_be_late_if_delays_count_cycles) {
    const isa::kernel kernel = broken_kernel("broken_mul32_ticks.s");
    const lint_report report = lint(kernel);
    EXPECT_EQ(report.verdict, lint_verdict::replay_only);
    std::vector<unsigned> expected;
    for (unsigned i = 3; i < 8; ++i) expected.push_back(kernel.loop[i].line);
    EXPECT_EQ(lines_of(report.boundaries), expected);
    for (const lint_boundary& each : report.boundaries) EXPECT_TRUE(each.moved.scheduled) << each.line;
}

// --- discarded instructions --------------------------------------------------------------------------------

TEST(lint, finds_an_instruction_that_exactly_two_idle_cycles_before_a_macro_discard) {
    const isa::kernel kernel = broken_kernel("int32_to_bf16.s");
    lint_options without_schedules;
    without_schedules.schedules = 0;
    const lint_report report = lint(kernel, without_schedules);
    EXPECT_EQ(report.verdict, lint_verdict::replay_only);
    EXPECT_TRUE(report.hazards.empty());
    ASSERT_EQ(lines_of(report.boundaries), (std::vector<unsigned>{kernel.loop[0].line, kernel.loop[4].line}));
    for (const lint_boundary& each : report.boundaries) {
        EXPECT_EQ(each.bubble, 2u);
        EXPECT_EQ(each.discarded.text.substr(0, 8), "sfpshft2");
        EXPECT_FALSE(each.discarded.scheduled);
        EXPECT_EQ(each.moved.text.substr(0, 11), "sfpstochrnd");
        EXPECT_TRUE(each.moved.scheduled);
    }
    // Whether the loss shows takes a lane with -2^31 in one of two rows.
    EXPECT_TRUE(report.boundaries[0].first_difference.has_value());
    EXPECT_EQ(report.boundaries[0].discarded.line, kernel.loop[2].line);
    EXPECT_EQ(report.boundaries[1].discarded.line, kernel.loop[6].line);
}

/// The addition may meet the macro's, but what it computes is not stored.
constexpr const char* lost_without_a_trace = R"(
.init
    setc16      34, 2
    sfpiadd     1, L0, L12, 5               ; template 0: [x] = [x] + 1
    sfploadi    L0, LOWER, 0x0094           ; Simple template 0 after 2
    sfploadi    L0, UPPER, 0x2300           ; Store of [x] after 4
    sfpconfig   0, SEQUENCE0, 0
    sfpconfig   0x010, MISC, 1              ; delays count cycles
    sfpnop
    sfpnop
.loop
    sfploadmacro 0, L0, INT32, ADDR_MOD_6, 0
    sfpiadd     1, L2, L3, 5
    sfpnop
    sfpnop
    sfpnop
    sfpnop
.tail
    sfpnop
)";

TEST(lint, takes_a_discarded_instruction_for_a_finding_whatever_the_data) {
    const isa::kernel kernel = assembled(lost_without_a_trace);
    const lint_report report = lint(kernel);
    EXPECT_EQ(report.verdict, lint_verdict::replay_only);
    EXPECT_EQ(report.random_changed, 0u);
    EXPECT_GT(report.random_discarded, 0u);
    ASSERT_EQ(lines_of(report.boundaries), std::vector<unsigned>{kernel.loop[1].line});
    const lint_boundary& found = report.boundaries[0];
    EXPECT_EQ(found.bubble, 2u); // the addition comes at t + 3 then, and so does the scheduled one
    EXPECT_FALSE(found.first_difference.has_value());
    EXPECT_EQ(found.discarded.line, kernel.loop[1].line);
    EXPECT_EQ(found.moved.line, kernel.loop[0].line);
}

// --- data --------------------------------------------------------------------------------------------------

/// A register value that a load in this mode gives.
struct extreme_value {
    const char* mode;
    std::uint32_t value;
};
void PrintTo(const extreme_value& each, std::ostream* out) { *out << each.mode << std::hex << each.value; }

class lint_data : public testing::TestWithParam<extreme_value> {};

/// Stores L3, which nothing has written, in the lanes that hold the value: reported if there is one.
TEST_P(lint_data, holds_the_extreme_values_of_each_type) {
    const auto [mode, value] = GetParam();
    const lint_report report = lint(assembled(fmt::format(R"(
.rows 32
.init
    setc16      34, 2
    setc16      35, 0
    sfploadi    L2, UPPER, 0x{:x}
    sfploadi    L2, LOWER, 0x{:x}
.loop
    sfpencc     3, 0, 0, 10
    sfpload     L0, {}, ADDR_MOD_7, 0
    sfpxor      0, L2, L0, 0
    sfpsetcc    0, L0, 0, 6
    sfpstore    L3, INT32, ADDR_MOD_6, 0x100
)",
                                                          value >> 16, value & 0xffffu, mode)),
                                    {0, 0, 1});
    EXPECT_NE(find_hazard(report, report_id::hazard_unwritten_read), nullptr);
}

INSTANTIATE_TEST_SUITE_P(
    lint, lint_data,
    testing::Values(extreme_value{"FP32", 0x00000000}, extreme_value{"FP32", 0x80000000},
                    extreme_value{"FP32", 0x00000001}, extreme_value{"FP32", 0x007fffff},
                    extreme_value{"FP32", 0x00800000}, extreme_value{"FP32", 0xff7fffff},
                    extreme_value{"FP32", 0x7f800000}, extreme_value{"FP32", 0xff800000},
                    extreme_value{"FP32", 0x7fc00000}, extreme_value{"INT32", 0x80000000},
                    extreme_value{"INT32", 0x7fffffff}, extreme_value{"INT32", 0xffffffff},
                    extreme_value{"INT32", 0x80000001}, extreme_value{"BF16", 0x80000000},
                    extreme_value{"BF16", 0x00010000}, extreme_value{"BF16", 0x7f7f0000},
                    extreme_value{"BF16", 0x7f800000}, extreme_value{"BF16", 0xff800000},
                    extreme_value{"BF16", 0x7fc00000}, extreme_value{"FP16", 0x80000000},
                    extreme_value{"FP16", 0x38800000}, extreme_value{"FP16", 0xc77fe000},
                    extreme_value{"UINT16", 0x0000ffff}, extreme_value{"UINT16", 0x00008000},
                    extreme_value{"UINT16", 0x00007fff}, extreme_value{"INT16", 0x80000000},
                    extreme_value{"INT16", 0x80007fff}, extreme_value{"INT16", 0x00007fff},
                    extreme_value{"INT8", 0x80000000}, extreme_value{"INT8", 0x8000007f},
                    extreme_value{"INT8", 0x0000007f}),
    [](const auto& tested) { return fmt::format("{}_{:08x}", tested.param.mode, tested.param.value); });

// --- what the model decides --------------------------------------------------------------------------------

/// A product and a load of the same register end in the same cycle.
constexpr const char* two_writers = R"(
.rows 1
.loop
    sfpload     L0, FP32, ADDR_MOD_7, 0
    sfpnop
    sfpmad      L0, L0, L9, L1, 0
    sfpload     L1, FP32, ADDR_MOD_7, 0
    sfpstore    L1, FP32, ADDR_MOD_7, 8
)";

TEST(lint, says_that_a_kernel_depends_on_the_order_of_writes_in_a_cycle) {
    const isa::kernel kernel = assembled(two_writers);
    const lint_report report = lint(kernel);
    EXPECT_EQ(report.verdict, lint_verdict::broken);
    EXPECT_TRUE(depends_on(report, "sfpu.write_order"));
    EXPECT_EQ(report.depends_on(), std::vector<std::string>{"sfpu.write_order"});
    const lint_hazard* collision = find_hazard(report, report_id::hazard_write_collision);
    ASSERT_NE(collision, nullptr);
    EXPECT_EQ(collision->depends_on, "sfpu.write_order");
    EXPECT_EQ(collision->line, kernel.loop[3].line);
    EXPECT_EQ(collision->text, "sfpload L1, FP32, ADDR_MOD_7, 0");
}

// --- small programs ----------------------------------------------------------------------------------------

/// The store after one cycle reads what the next iteration's first word puts into L0.
constexpr const char* store_beside_next_iteration = R"(
.init
    setc16      34, 2
    sfploadi    L0, LOWER, 0
    sfploadi    L0, UPPER, 0x0b00           ; Store of [x] after 1
    sfpconfig   0, SEQUENCE0, 0
    sfpconfig   0x010, MISC, 1              ; delays count cycles
    sfpnop
.loop
    sfploadi    L0, USHORT, 5
    sfploadmacro 0, L0, INT32, ADDR_MOD_6, 0
.tail
    sfploadi    L0, USHORT, 5
    sfpnop
)";

TEST(lint, says_that_a_replay_buffer_is_not_enough_if_the_gap_between_iterations_matters) {
    const isa::kernel kernel = assembled(store_beside_next_iteration);
    const lint_report report = lint(kernel);
    EXPECT_EQ(report.verdict, lint_verdict::replay_only);
    EXPECT_EQ(lines_of(report.boundaries), (std::vector<unsigned>{kernel.loop[0].line, kernel.tail[0].line}));
    for (const lint_boundary& each : report.boundaries) EXPECT_FALSE(each.inside_iteration) << each.line;
    EXPECT_FALSE(report.safe_from_replay_buffer());
}

TEST(lint, finds_out_that_a_result_depends_on_when_a_store_is_visible) {
    const lint_report report = lint(assembled(R"(
.rows 1
.loop
    sfploadi    L0, USHORT, 5
    sfpstore    L0, INT32, ADDR_MOD_7, 0
    sfpload     L1, INT32, ADDR_MOD_7, 0
    sfpstore    L1, INT32, ADDR_MOD_7, 8
)"));
    const auto& questions = report.open_questions;
    const auto visible = std::find_if(questions.begin(), questions.end(), [](const auto& each) {
        return each.parameter == "dst.store_load_visible";
    });
    ASSERT_NE(visible, questions.end());
    EXPECT_TRUE(visible->depends);
    EXPECT_TRUE(visible->without_bubbles);
    EXPECT_EQ(visible->values, (std::vector<std::string>{"0", "2"}));
    ASSERT_NE(find_hazard(report, report_id::dst_store_load_distance), nullptr);
    EXPECT_FALSE(find_hazard(report, report_id::dst_store_load_distance)->breaks);
}

TEST(lint, names_the_line_of_what_never_drained) {
    const isa::kernel kernel = assembled(R"(
.rows 1
.init
    sfpcast     L0, L12, 0
    sfploadi    L0, LOWER, 0x001c           ; Simple template 0 after 3
    sfploadi    L0, UPPER, 0
    sfpconfig   0, SEQUENCE0, 0
    sfpconfig   0x100, MISC, 1
    sfpnop
    sfpnop
.loop
    sfpnop
    sfploadmacro 0, L0, INT32, ADDR_MOD_7, 0
)");
    const lint_report report = lint(kernel);
    const lint_hazard* left = find_hazard(report, report_id::macro_never_drained);
    ASSERT_NE(left, nullptr);
    EXPECT_EQ(left->line, kernel.loop[1].line);
    EXPECT_EQ(left->text, "sfploadmacro 0, L0, INT32, ADDR_MOD_7, 0");
    EXPECT_NE(left->what.message.find("line " + std::to_string(kernel.loop[1].line)), std::string::npos)
        << left->what.message;
    EXPECT_EQ(left->what.message.find("word"), std::string::npos) << left->what.message;
}

TEST(lint, is_strict_about_words_of_other_units_if_asked) {
    const isa::kernel kernel = assembled(".word 0x26000000\nsfpnop\n");
    EXPECT_EQ(lint(kernel).verdict, lint_verdict::robust);
    lint_options strict;
    strict.strict = true;
    EXPECT_EQ(lint(kernel, strict).verdict, lint_verdict::broken);
}

TEST(lint, takes_a_program_without_words) {
    const lint_report report = lint(assembled(""));
    EXPECT_EQ(report.verdict, lint_verdict::robust);
    EXPECT_EQ(report.positions, 0u);
}

TEST(lint, runs_at_most_as_many_iterations_as_the_kernel_has_rows) {
    isa::kernel kernel = load_kernel("mul32_macro.s", architecture::blackhole);
    EXPECT_EQ(lint(kernel, {0, 0, 1}).iterations, 6u);
    kernel.rows = 2;
    EXPECT_EQ(lint(kernel, {0, 0, 1}).iterations, 2u);
}

} // namespace
} // namespace sfpu::test
