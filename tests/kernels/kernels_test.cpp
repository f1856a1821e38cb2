// The kernels of the repository: right results at the published throughput, against arithmetic that knows
// nothing of the model. Expected cycles: what the head of each kernel file says was published.
#include "kernel_catalogue.h"
#include "tree_path.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <ios>
#include <map>
#include <ostream>
#include <set>
#include <string>
#include <vector>

namespace sfpu::test {

void PrintTo(const kernel_case& kernel, std::ostream* out) { *out << kernel.name; }

namespace {

// --- every kernel ------------------------------------------------------------------------------------------

/// Counts executions by sub-unit between two cycles of the run.
class execution_counter : public probe::pipeline_observer {
public:
    static constexpr unsigned units = 5;

    void executed(const probe::execution_event& event) override {
        const auto unit = static_cast<std::size_t>(event.unit);
        if (unit < units && !event.discarded && event.insn.latency != isa::latency_class::none)
            begins_[unit].insert(event.begin.count());
    }
    unsigned count(unsigned unit, cycles from, cycles to) const {
        return static_cast<unsigned>(
            std::distance(begins_[unit].lower_bound(from.count()), begins_[unit].lower_bound(to.count())));
    }

private:
    std::array<std::multiset<std::int64_t>, units> begins_;
};

class every_kernel : public testing::TestWithParam<kernel_case> {
protected:
    const kernel_case& expected() const { return GetParam(); }
    isa::kernel program() const { return load_kernel(expected().file, expected().arch); }
    kernel_outcome run(const run_options& options = {}) const {
        return run_kernel(program(), inputs_for(expected(), 1), options);
    }
};

TEST_P(every_kernel, leaves_exactly_the_right_results_in_dst_for_a_tile_of_random_and_corner_case_inputs) {
    ASSERT_EQ(rows_of(program()), 32u);
    for (std::uint64_t seed = 1; seed <= case_count(20); ++seed)
        ASSERT_EQ(wrong_result(expected(), seed), "") << seed;
}

TEST_P(every_kernel, is_right_for_any_number_of_iterations_so_that_first_and_last_rows_need_no_neighbours) {
    const unsigned step = program().rows_per_iteration;
    for (unsigned rows = step; rows <= 12; rows += step) {
        run_options options;
        options.rows = rows;
        EXPECT_EQ(wrong_result(expected(), rows, options), "") << rows << " rows";
    }
}

TEST_P(every_kernel, runs_at_its_published_throughput) {
    EXPECT_EQ(run().cycles_per_row, expected().cycles_per_row);
}

TEST_P(every_kernel, expects_its_published_throughput_itself) {
    ASSERT_TRUE(program().expected_cycles_per_row.has_value());
    EXPECT_EQ(*program().expected_cycles_per_row, expected().cycles_per_row);
}

TEST_P(every_kernel, reports_nothing) {
    for (const auto& [id, count] : run().reports) ADD_FAILURE() << id << ": " << count << " times";
}

TEST_P(every_kernel, never_stalls) {
    for (const std::uint64_t held : run().result.counters.stalls) EXPECT_EQ(held, 0u);
}

TEST_P(every_kernel, keeps_its_sub_units_as_busy_as_its_schedule_says) {
    execution_counter counter;
    run_options options;
    options.observer = &counter;
    const isa::kernel kernel = program();
    const kernel_outcome outcome = run(options);
    // The pipeline repeats itself once it is full; eight rows fill every one.
    const unsigned rows_before = 8, rows = rows_of(kernel) - kernel.rows_per_iteration - rows_before;
    const platform::run_result::segment_span& loop = outcome.result.segments[1];
    const cycles from = loop.first + cycles{rows_before * expected().cycles_per_row};
    for (unsigned unit = 0; unit < counter.units; ++unit)
        EXPECT_EQ(counter.count(unit, from, loop.last), rows * expected().executions_per_row[unit])
            << isa::to_string(static_cast<isa::sub_unit>(unit));
}

INSTANTIATE_TEST_SUITE_P(kernels, every_kernel, testing::ValuesIn(kernel_catalogue()),
                         [](const auto& parameter) { return parameter.param.name; });

TEST(kernels, of_the_directory_are_all_tested) {
    std::set<std::string> tested, present;
    for (const kernel_case& kernel : kernel_catalogue()) tested.insert(kernel.file);
    for (const auto& entry : std::filesystem::directory_iterator(tree_path("kernels")))
        if (entry.path().extension() == ".s") present.insert(entry.path().filename().string());
    EXPECT_EQ(tested, present);
}

// --- 32-bit multiplication ---------------------------------------------------------------------------------

TEST(multiplication_kernels, are_right_for_all_pairs_of_32_corner_values) {
    // Around the borders of 23-bit, 11-bit and 8-bit chunks, and the ends of the range.
    static constexpr std::uint32_t corners[] = {
        0,          1,          2,          3,          0xff,       0x100,      0x7ff,      0x800,
        0xffff,     0x10000,    0x3fffff,   0x400000,   0x7fffff,   0x800000,   0x800001,   0xffffff,
        0x1000000,  0x55555555, 0xaaaaaaaa, 0x12345678, 0x7fffffff, 0x80000000, 0x80000001, 0xdeadbeef,
        0xff800000, 0xff7fffff, 0xffc00000, 0xfffff800, 0xfffffc00, 0xffff0000, 0xfffffffe, 0xffffffff};
    static_assert(sizeof corners == lane_count * sizeof *corners, "one for each row and lane");
    dst_contents before;
    for (unsigned row = 0; row < lane_count; ++row) {
        before.put(2 * row, cell_type::word32, broadcast(corners[row]));
        lanes all;
        std::copy_n(corners, lane_count, all.v);
        before.put(0x40 + 2 * row, cell_type::word32, all);
    }
    for (const char* name : {"mul32_bh", "mul32_macro_bh", "mul32_wh_wh"}) {
        const kernel_case& kernel = find_kernel_case(name);
        const kernel_outcome outcome = run_kernel(load_kernel(kernel.file, kernel.arch), before);
        for (unsigned row = 0; row < lane_count; ++row) {
            const lanes product = outcome.dst.get(0x80 + 2 * row, cell_type::word32);
            for (unsigned lane = 0; lane < lane_count; ++lane)
                ASSERT_EQ(product[lane], corners[row] * corners[lane])
                    << name << ": " << std::hex << corners[row] << " * " << corners[lane];
        }
    }
}

/// What executes in each cycle of one steady-state iteration: "unit mnemonic register", in the order of
/// events.
class iteration_recorder : public probe::pipeline_observer {
public:
    void executed(const probe::execution_event& event) override {
        const isa::instruction& insn = event.insn;
        by_cycle_[event.begin.count()].insert(std::string(isa::to_string(event.unit)) + " " +
                                              insn.op->mnemonic + " L" + std::to_string(insn.vd));
    }
    const std::set<std::string>& at(cycles when) const { return by_cycle_.at(when.count()); }

private:
    std::map<std::int64_t, std::set<std::string>> by_cycle_;
};

TEST(multiplication_kernels,
     with_macros_executes_seventeen_instructions_in_eight_cycles_as_its_diagram_shows) {
    // The source's scheduling diagram; the last three cycles of a row overlap with the next one.
    const std::set<std::string> diagram[] = {
        {"load sfpload L0", "simple sfpshft L4"},
        {"load sfploadmacro L1", "simple sfpiadd L16"},
        {"load sfploadmacro L2", "round sfpshft2 L1", "store sfpstore L16"},
        {"load sfpload L0", "mad sfpmul24 L1", "round sfpshft2 L2"},
        {"load sfploadmacro L3", "mad sfpmul24 L2"},
        {"mad sfpmul24 L4"},
        {"simple sfpiadd L2", "mad sfpmul24 L3"},
        {"load sfploadmacro L4", "simple sfpiadd L2"},
    };
    iteration_recorder recorder;
    run_options options;
    options.observer = &recorder;
    const kernel_case& kernel = find_kernel_case("mul32_macro_bh");
    const kernel_outcome outcome =
        run_kernel(load_kernel(kernel.file, kernel.arch), inputs_for(kernel, 1), options);
    const cycles row = outcome.result.segments[1].first + cycles{8 * 10};
    for (unsigned t = 0; t < 8; ++t) EXPECT_EQ(recorder.at(row + cycles{t}), diagram[t]) << "cycle " << t;
}

TEST(multiplication_kernels, with_macros_needs_its_tail_for_the_last_row) {
    const kernel_case& kernel = find_kernel_case("mul32_macro_bh");
    isa::kernel program = load_kernel(kernel.file, kernel.arch);
    program.tail.clear();
    dst_contents expected = inputs_for(kernel, 1);
    const kernel_outcome outcome = run_kernel(program, expected);
    EXPECT_EQ(outcome.reports.count("/sfpu/macro/never-drained"), 1u);
    kernel.compute(expected, 31);
    EXPECT_EQ(difference(outcome.dst, expected), "");
}

// --- approximate reciprocal --------------------------------------------------------------------------------

float float_of(std::uint32_t bits) {
    float value;
    static_assert(sizeof value == sizeof bits, "FP32 host float expected");
    std::memcpy(&value, &bits, sizeof value);
    return value;
}

TEST(reciprocal_kernel, stays_within_its_published_error) {
    const kernel_case& kernel = find_kernel_case("recip_macro_bh");
    random_bits random(1);
    dst_contents before;
    for (unsigned row = 0; row < 32; ++row) {
        lanes x;
        for (std::uint32_t& lane : x.v) // exponents of normal numbers whose reciprocals are normal, too
            lane = (random.next() & 0x807fffffu) | (1 + random.below(252)) << 23;
        before.put(2 * row, cell_type::word32, x);
    }
    const kernel_outcome outcome = run_kernel(load_kernel(kernel.file, kernel.arch), before);
    for (unsigned row = 0; row < 32; ++row) {
        const lanes x = before.get(2 * row, cell_type::word32),
                    r = outcome.dst.get(2 * row, cell_type::word32);
        for (unsigned lane = 0; lane < lane_count; ++lane) {
            const double product = double{float_of(x[lane])} * double{float_of(r[lane])};
            ASSERT_GT(product, 0.9944) << std::hex << x[lane];
            ASSERT_LT(product, 1.0054) << std::hex << x[lane];
        }
    }
}

TEST(reciprocal_kernel, gives_the_documented_results_for_special_values) {
    struct sample {
        std::uint32_t x, result;
    };
    static constexpr sample samples[] = {{0x3f800000, 0x3f7f0000}, {0xbf800000, 0xbf7f0000},
                                         {0x00000000, 0x7f800000}, {0x80000000, 0xff800000},
                                         {0x007fffff, 0x7f800000}, {0x7e7fffff, 0x00800000},
                                         {0x7e800000, 0x00000000}, {0x7f800000, 0x00000000},
                                         {0xff800000, 0x80000000}, {0x7fc00000, 0x00000000}};
    const kernel_case& kernel = find_kernel_case("recip_macro_bh");
    for (const sample& each : samples) {
        dst_contents before;
        before.put(0, cell_type::word32, broadcast(each.x));
        run_options options;
        options.rows = 1;
        const kernel_outcome outcome = run_kernel(load_kernel(kernel.file, kernel.arch), before, options);
        EXPECT_EQ(outcome.dst.get(0, cell_type::word32)[7], each.result) << std::hex << each.x;
    }
}

// --- conversions -------------------------------------------------------------------------------------------

/// What a kernel that works in place makes of one value.
std::uint32_t converted(const char* name, std::uint32_t value, cell_type in, unsigned address,
                        cell_type out) {
    const kernel_case& kernel = find_kernel_case(name);
    const isa::kernel program = load_kernel(kernel.file, kernel.arch);
    dst_contents before;
    before.put(address, in, broadcast(value));
    run_options options;
    options.rows = program.rows_per_iteration;
    return run_kernel(program, before, options).dst.get(address, out)[31];
}

TEST(conversion_kernels, round_to_the_nearest_value_and_ties_as_documented) {
    for (const char* name : {"fp32_to_bf16_bh", "fp32_to_bf16_wh"}) {
        const auto bf16 = [&](std::uint32_t x) {
            return converted(name, x, cell_type::word32, 0, cell_type::bf16);
        };
        EXPECT_EQ(bf16(0x3f808000), 0x3f800000u) << name; // tie to even, down
        EXPECT_EQ(bf16(0x3f818000), 0x3f820000u) << name; // tie to even, up
        EXPECT_EQ(bf16(0x3f808001), 0x3f810000u) << name;
        EXPECT_EQ(bf16(0x3f817fff), 0x3f810000u) << name;
        EXPECT_EQ(bf16(0x7f7fffff), 0x7f800000u) << name; // overflow to infinity
        EXPECT_EQ(bf16(0xff800000), 0xff800000u) << name;
    }
    for (const char* name : {"uint16_to_bf16_bh", "uint16_to_bf16_wh"}) {
        const auto bf16 = [&](std::uint32_t x) {
            return converted(name, x, cell_type::raw16, 0, cell_type::bf16);
        };
        EXPECT_EQ(bf16(0x0101), 0x43810000u) << name; // 257: tie, away from zero
        EXPECT_EQ(bf16(0xffff), 0x47800000u) << name; // 65536
        EXPECT_EQ(bf16(0x00ff), 0x437f0000u) << name;
    }
    for (const char* name : {"int32_to_fp32_bh", "int32_to_fp32_wh"}) {
        const auto fp32 = [&](std::uint32_t x) {
            return converted(name, x, cell_type::word32, 0, cell_type::word32);
        };
        EXPECT_EQ(fp32(0x01000001), 0x4b800000u) << name; // 2^24 + 1: tie to even, down
        EXPECT_EQ(fp32(0x01000003), 0x4b800002u) << name; // tie to even, up
        EXPECT_EQ(fp32(0x7fffffff), 0x4f000000u) << name;
        EXPECT_EQ(fp32(0x80000000), 0xcf000000u) << name; // -2^31 has no 31-bit magnitude
        EXPECT_EQ(fp32(0xffffffff), 0xbf800000u) << name;
        EXPECT_EQ(fp32(0), 0u) << name;
    }
}

TEST(conversion_kernels, of_every_uint16_to_fp32_is_exact) {
    const kernel_case& kernel = find_kernel_case("uint16_to_fp32_bh");
    const isa::kernel program = load_kernel(kernel.file, kernel.arch);
    for (unsigned first = 0; first < 0x10000; first += 1024) {
        dst_contents before;
        for (unsigned row = 0; row < 32; ++row) {
            lanes v;
            for (unsigned lane = 0; lane < lane_count; ++lane) v[lane] = first + 32 * row + lane;
            before.put(0x40 + 2 * row, cell_type::raw16, v);
        }
        const kernel_outcome outcome = run_kernel(program, before);
        for (unsigned row = 0; row < 32; ++row) {
            const lanes f = outcome.dst.get(0x40 + 2 * row, cell_type::word32);
            for (unsigned lane = 0; lane < lane_count; ++lane)
                ASSERT_EQ(float_of(f[lane]), static_cast<float>(first + 32 * row + lane));
        }
    }
}

TEST(selection_kernels, take_minus_zero_for_true) {
    for (const char* name :
         {"where_inplace_bh", "where_inplace_wh", "where_outofplace_bh", "where_outofplace_wh"}) {
        const kernel_case& kernel = find_kernel_case(name);
        dst_contents before;
        before.put(0x00, cell_type::word32, broadcast(0x80000000u));
        before.put(0x40, cell_type::word32, broadcast(1));
        before.put(0x80, cell_type::word32, broadcast(2));
        run_options options;
        options.rows = 1;
        const kernel_outcome outcome = run_kernel(load_kernel(kernel.file, kernel.arch), before, options);
        const unsigned out = kernel.file == "where_inplace.s" ? 0x00 : 0xc0;
        EXPECT_EQ(outcome.dst.get(out, cell_type::word32)[0], 1u) << name;
    }
}

// --- check words -------------------------------------------------------------------------------------------

/// Words of published kernels as the silicon gets them (Blackhole).
struct check_words {
    const char* file;
    isa::macro_configuration macro;
    std::vector<std::uint32_t> loop;
};

const check_words& check_words_of(const std::string& file) {
    static const std::vector<check_words> all{
        {"mul32_macro.s",
         {{{0x94fe90c6, 0x980009d0, 0x7a0172e5, 0x790004f4}},
          {{0x00848d00, 0x00848da7, 0x00008de7, 0x53000086}},
          0xff0},
         {0x7004e040, 0x9314e000, 0x9364e040, 0x7004e000, 0x93b4e040, 0x98003941, 0x79000124, 0x93c4c081}},
        {"recip_macro.s", {{{0x990000c0}}, {{0x4b000044}}, 0x110}, {0x9303c000}},
        {"where_inplace.s",
         {{{0x7b0000c6, 0x8a0000d0}}, {{0x13000004, 0x00000004, 0x00000005}}, 0x770},
         {0x9304e000, 0x9384e040, 0x7004c080}},
    };
    return *std::find_if(all.begin(), all.end(), [&](const check_words& each) { return each.file == file; });
}

class kernel_with_check_words : public testing::TestWithParam<const char*> {};

TEST_P(kernel_with_check_words, assembles_to_them) {
    const check_words& check = check_words_of(GetParam());
    std::vector<std::uint32_t> words;
    for (const isa::source_word& word : load_kernel(check.file, architecture::blackhole).loop)
        words.push_back(word.word);
    EXPECT_EQ(words, check.loop);
}

TEST_P(kernel_with_check_words, sets_up_templates_sequences_and_misc_from_them) {
    const check_words& check = check_words_of(GetParam());
    const kernel_outcome outcome =
        run_kernel(load_kernel(check.file, architecture::blackhole), dst_contents{});
    EXPECT_TRUE(outcome.state.macro_uniform());
    EXPECT_EQ(outcome.state.macro[0].instruction_template, check.macro.instruction_template);
    EXPECT_EQ(outcome.state.macro[0].sequence, check.macro.sequence);
    EXPECT_EQ(outcome.state.macro[0].misc, check.macro.misc);
}

INSTANTIATE_TEST_SUITE_P(encodings, kernel_with_check_words,
                         testing::Values("mul32_macro.s", "recip_macro.s", "where_inplace.s"),
                         [](const auto& parameter) {
                             const std::string file = parameter.param;
                             return file.substr(0, file.find('.'));
                         });

} // namespace
} // namespace sfpu::test
