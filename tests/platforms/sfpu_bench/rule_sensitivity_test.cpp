// Evidence for the rules of timing.md: kernels that are right under a rule are wrong when the rule is changed
// by a cycle, and indifferent where the contract says that gap-free streams cannot tell.
#include "kernel_catalogue.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <ostream>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

namespace sfpu::test {
namespace {

using names = std::set<std::string>;

run_options with(const char* path, const char* value) {
    run_options options;
    if (const auto problem = set_parameter(options.config, path, value)) throw std::runtime_error(*problem);
    return options;
}

bool is_right(const kernel_case& kernel, const run_options& options) {
    for (const std::uint64_t seed : {1u, 2u})
        if (!wrong_result(kernel, seed, options).empty()) return false;
    return true;
}

/// The kernels that a changed parameter breaks.
names broken_by(const char* path, const char* value) {
    names broken;
    for (const kernel_case& kernel : kernel_catalogue())
        if (!is_right(kernel, with(path, value))) broken.insert(kernel.name);
    return broken;
}

const names kernels_that_use_mad{"mul32_bh",         "mul32_macro_bh", "mul32_wh_wh",  "int32_to_fp32_bh",
                                 "int32_to_fp32_wh", "mul_uint16_bh",  "mul_uint16_wh"};

/// Where the kernel goes wrong in Dst when one of its words is another one; empty if that changes nothing.
std::string wrong_with_word(const kernel_case& kernel, std::uint32_t word, std::uint32_t replacement) {
    isa::kernel program = load_kernel(kernel.file, kernel.arch);
    const auto found = std::find_if(program.init.begin(), program.init.end(),
                                    [=](const isa::source_word& each) { return each.word == word; });
    if (found == program.init.end()) throw std::runtime_error(kernel.name + ": no such word");
    found->word = replacement;
    dst_contents expected = inputs_for(kernel, 1);
    const kernel_outcome outcome = run_kernel(program, expected);
    kernel.compute(expected, rows_of(program));
    return difference(outcome.dst, expected);
}

/// Idle cycles before about 30% of the words, one to four each.
run_options with_bubbles(run_options options, const isa::kernel& kernel, std::uint64_t seed) {
    random_bits random(seed);
    const std::size_t words = kernel.init.size() + kernel.tail.size() +
                              kernel.loop.size() * rows_of(kernel) / kernel.rows_per_iteration;
    for (std::size_t i = 0; i < words; ++i)
        options.bubbles.push_back(random.below(10) < 3 ? 1 + random.below(4) : 0);
    return options;
}

bool is_right_with_bubbles(const kernel_case& kernel, const run_options& options = {}) {
    const isa::kernel program = load_kernel(kernel.file, kernel.arch);
    for (std::uint64_t seed = 1; seed <= case_count(5); ++seed)
        if (!wrong_result(kernel, 1, with_bubbles(options, program, seed)).empty()) return false;
    return true;
}

/// Cycles in which a unit begins something, counted from the first word of the loop.
class begin_recorder : public probe::pipeline_observer {
public:
    explicit begin_recorder(isa::sub_unit unit) : unit_(unit) {}
    void executed(const probe::execution_event& event) override {
        if (event.unit == unit_) begins_.push_back(event.begin);
    }
    std::vector<std::int64_t> since(cycles start) const {
        std::vector<std::int64_t> result;
        for (const cycles begin : begins_)
            if (begin >= start) result.push_back((begin - start).count());
        return result;
    }

private:
    isa::sub_unit unit_;
    std::vector<cycles> begins_;
};

// --- T1: delays --------------------------------------------------------------------------------------------

class one_cycle_kernel : public testing::TestWithParam<const char*> {};

TEST_P(one_cycle_kernel, is_wrong_with_any_of_its_delays_longer_or_shorter_by_one) {
    const kernel_case& kernel = find_kernel_case(GetParam());
    unsigned tried = 0;
    for (const isa::source_word& each : load_kernel(kernel.file, kernel.arch).init) {
        const unsigned opcode = each.word >> 24, mode = each.word >> 16 & 15u;
        if (opcode != 0x71 || (mode != 8 && mode != 10))
            continue; // SFPLOADI UPPER and LOWER: halves of a sequence
        for (const unsigned shift : {0u, 8u}) {
            const unsigned byte = each.word >> shift & 0xffu, delay = byte >> 3 & 7u;
            if ((byte & 7u) == 0) continue;
            EXPECT_NE(wrong_with_word(kernel, each.word, each.word + (8u << shift)), "") << each.line;
            if (delay > 0) {
                EXPECT_NE(wrong_with_word(kernel, each.word, each.word - (8u << shift)), "") << each.line;
            }
            ++tried;
        }
    }
    EXPECT_GE(tried, 2u);
}

INSTANTIATE_TEST_SUITE_P(rule_t1, one_cycle_kernel,
                         testing::Values("recip_macro_bh", "uint16_to_fp32_bh", "uint16_to_fp32_wh",
                                         "uint16_to_bf16_bh", "uint16_to_bf16_wh", "signbit_bh",
                                         "signbit_wh"),
                         [](const auto& parameter) { return std::string(parameter.param); });

TEST(rule_t1, macro_multiplication_is_wrong_if_the_delay_field_has_two_bits) {
    EXPECT_FALSE(is_right(find_kernel_case("mul32_macro_bh"), with("macro.delay_bits", "2")));
}

// --- T2: one-cycle results ---------------------------------------------------------------------------------

TEST(rule_t2, every_kernel_that_keeps_simple_results_in_a_register_is_wrong_if_they_take_two_cycles) {
    const names broken = broken_by("sfpu.latency.simple", "2");
    for (const kernel_case& kernel : kernel_catalogue()) {
        const bool keeps_simple_results =
            kernel.executions_per_row[0] > 0 && kernel.file.rfind("where", 0) != 0;
        if (keeps_simple_results) {
            EXPECT_EQ(broken.count(kernel.name), 1u) << kernel.name;
        }
    }
}

TEST(rule_t2, kernels_that_read_a_round_result_at_once_are_wrong_if_it_takes_two_cycles) {
    names expected;
    for (const kernel_case& kernel : kernel_catalogue()) {
        const bool reads_round_later = kernel.file == "int32_to_fp32.s"; // L7, three cycles later
        if (kernel.executions_per_row[2] > 0 && !reads_round_later) expected.insert(kernel.name);
    }
    EXPECT_EQ(broken_by("sfpu.latency.round", "2"), expected);
}

// --- T3, T4: MAD and L16 -----------------------------------------------------------------------------------

TEST(rule_t3, exactly_the_kernels_that_use_mad_are_wrong_if_it_takes_three_cycles) {
    EXPECT_EQ(broken_by("sfpu.latency.mad", "3"), kernels_that_use_mad);
}

/// One row a cycle: L16 = 1 * L0 + 0 at t + 1, and a store of L16 at t + 2, when that product is not there
/// yet.
constexpr const char* store_beside_mad = R"(
.init
    setc16      34, 2                       ; ADDR_MOD_6: Dst += 2
    sfpmad      L10, L0, L9, L12, 0         ; template 0: 1 * [x] + 0
    sfploadi    L0, LOWER, 0xc400           ; MAD template 0 after 0 to L16
    sfploadi    L0, UPPER, 0x4b00           ; Store of L16 after 1
    sfpconfig   0, SEQUENCE0, 0
    sfpconfig   0xf10, MISC, 1
    sfpnop
    sfpnop
.loop
    sfploadmacro 0, L0, FP32, ADDR_MOD_6, 0
.tail
    sfpnop
    sfpnop
)";

/// What the program above makes of rows that hold 1.0, 2.0, 3.0 and 4.0.
std::vector<std::uint32_t> stored_beside_mad(const run_options& changed) {
    const isa::assembly assembled =
        isa::assemble(store_beside_mad, "store_beside_mad", architecture::blackhole);
    if (!assembled.ok()) throw std::runtime_error(assembled.errors.front().to_string());
    dst_contents before;
    const std::vector<std::uint32_t> inputs{0x3f800000, 0x40000000, 0x40400000, 0x40800000};
    for (unsigned row = 0; row < 4; ++row) before.put(2 * row, cell_type::word32, broadcast(inputs[row]));
    run_options options = changed;
    options.rows = 4;
    const kernel_outcome outcome = run_kernel(assembled.program, before, options);
    std::vector<std::uint32_t> results;
    for (unsigned row = 0; row < 4; ++row) results.push_back(outcome.dst.get(2 * row, cell_type::word32)[0]);
    return results;
}

TEST(rule_t3, store_one_cycle_after_a_multiplication_still_sees_the_older_l16) {
    const std::vector<std::uint32_t> one_row_late{0, 0x3f800000, 0x40000000, 0x40400000};
    EXPECT_EQ(stored_beside_mad({}), one_row_late);
}

TEST(rule_t3, store_one_cycle_after_a_multiplication_would_see_its_result_if_mad_took_one_cycle) {
    const std::vector<std::uint32_t> in_time{0x3f800000, 0x40000000, 0x40400000, 0x40800000};
    EXPECT_EQ(stored_beside_mad(with("sfpu.latency.mad", "1")), in_time);
}

// --- T7: Dst -----------------------------------------------------------------------------------------------

TEST(rule_t7, no_kernel_loads_a_slice_soon_after_its_store) {
    EXPECT_EQ(broken_by("dst.store_load_visible", "16"), names{});
}

// --- T10, T11: ticks ---------------------------------------------------------------------------------------

TEST(rule_t10, kernels_stay_right_with_bubbles_except_where_a_load_must_meet_the_lane_flags_of_its_cycle) {
    names expected, broken;
    for (const kernel_case& kernel : kernel_catalogue()) {
        // SFPSETCC with delay 0 does not wait for the next load (T11), so that one already meets its flags.
        if (kernel.file.rfind("where", 0) == 0) expected.insert(kernel.name);
        if (!is_right_with_bubbles(kernel)) broken.insert(kernel.name);
    }
    EXPECT_EQ(broken, expected);
}

TEST(rule_t10, macro_multiplication_needs_delays_that_count_instructions_as_soon_as_there_are_bubbles) {
    const kernel_case& kernel = find_kernel_case("mul32_macro_bh");
    constexpr std::uint32_t misc_ff0 = 0x910ff081, misc_0f0 = 0x9100f081; // UnitDelayKind 15 and 0
    EXPECT_EQ(wrong_with_word(kernel, misc_ff0, misc_0f0), "");

    isa::kernel program = load_kernel(kernel.file, kernel.arch);
    for (isa::source_word& each : program.init)
        if (each.word == misc_ff0) each.word = misc_0f0;
    dst_contents expected = inputs_for(kernel, 1);
    const kernel_outcome outcome = run_kernel(program, expected, with_bubbles({}, program, 1));
    kernel.compute(expected, rows_of(program));
    EXPECT_NE(difference(outcome.dst, expected), "");
}

/// Cycles after its SFPLOADMACRO in which the reciprocal's only row is stored, with five idle cycles after
/// that word.
std::vector<std::int64_t> reciprocal_stores(run_options options) {
    const kernel_case& kernel = find_kernel_case("recip_macro_bh");
    const isa::kernel program = load_kernel(kernel.file, kernel.arch);
    begin_recorder stores(isa::sub_unit::store);
    options.rows = 1;
    options.bubbles.assign(program.init.size() + 1, 0);
    options.bubbles.push_back(5);
    options.observer = &stores;
    const kernel_outcome outcome = run_kernel(program, inputs_for(kernel, 1), options);
    return stores.since(outcome.result.segments[1].first);
}

TEST(rule_t10, entry_that_fires_in_a_bubble_keeps_entries_that_count_cycles_waiting) {
    // Misc 0x110: Simple counts instructions and fires at t + 1; Store counts cycles, but that cycle is no
    // tick.
    EXPECT_EQ(reciprocal_stores({}), std::vector<std::int64_t>{3});
}

TEST(rule_t10, entry_that_fires_in_a_bubble_holds_nothing_up_under_the_other_reading) {
    EXPECT_EQ(reciprocal_stores(with("macro.firing_entry_outstanding", "false")),
              std::vector<std::int64_t>{2});
}

TEST(rule_t10, store_waits_for_the_next_instruction_if_delay_kinds_belong_to_macros) {
    // SFPNOP issues at t + 6: that is the store's tick.
    EXPECT_EQ(reciprocal_stores(with("macro.delay_kind_scope", "macro")), std::vector<std::int64_t>{7});
}

TEST(open_questions, about_ticks_cannot_be_told_by_kernels_without_bubbles) {
    EXPECT_EQ(broken_by("macro.delay_kind_scope", "macro"), names{});
    EXPECT_EQ(broken_by("macro.firing_entry_outstanding", "false"), names{});
}

// --- T12: slots --------------------------------------------------------------------------------------------

TEST(rule_t12, three_entries_for_each_sub_unit_are_enough_for_every_kernel_and_two_are_not) {
    EXPECT_EQ(broken_by("macro.slots", "3"), names{});
    const names need_three{"fp32_to_bf16_bh",   "fp32_to_bf16_wh", "uint16_to_bf16_bh",
                           "uint16_to_bf16_wh", "signbit_bh",      "signbit_wh"};
    EXPECT_EQ(broken_by("macro.slots", "2"), need_three);
}

// --- T14: operands -----------------------------------------------------------------------------------------

TEST(rule_t14, macro_multiplication_is_wrong_with_register_3_in_template_3_as_its_source_prints_it) {
    EXPECT_NE(wrong_with_word(find_kernel_case("mul32_macro_bh"), 0x790004f4, 0x790003f4), "");
}

// --- T16, T17: stalls --------------------------------------------------------------------------------------

TEST(rule_t16, every_kernel_is_scheduled_so_that_automatic_stalls_change_neither_results_nor_throughput) {
    for (const char* stalls : {"true", "false"})
        for (const kernel_case& kernel : kernel_catalogue()) {
            const run_options options = with("sfpu.auto_stall", stalls);
            EXPECT_TRUE(is_right(kernel, options)) << kernel.name;
            const isa::kernel program = load_kernel(kernel.file, kernel.arch);
            EXPECT_EQ(run_kernel(program, inputs_for(kernel, 1), options).cycles_per_row,
                      kernel.cycles_per_row)
                << kernel.name;
        }
}

} // namespace
} // namespace sfpu::test
