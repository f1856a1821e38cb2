// The core and the SystemC modules run the same programs: state, Dst, cycles, events, diagnostics and counters are the same.
// A hundred thousand random programs: SFPU_NIGHTLY=1 build/tests/system_tests --gtest_filter='core_and_modules.*'
#include "bench_record.h"
#include "front_end_words.h"
#include "kernel_catalogue.h"
#include "kernel_runner.h"
#include "lane_machine.h"
#include "random_program.h"
#include "whole_log.h"

#include <sfpu/platform/core_runner.h>
#include <sfpu/platform/kernel_segments.h>

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace sfpu::test {
namespace {

/// A run with all that it shows. Results of what is not heard are empty.
struct whole_record {
    bench_record run;
    std::vector<std::string> diagnostics;
    std::array<isa::thread_state, isa::thread_count> threads;
};

enum class listening { to_nothing, to_diagnostics, to_everything };

whole_record record(platform::program_runner& runner, platform::run_request program, listening how) {
    whole_log events;
    diagnostic_log diagnostics;
    if (how == listening::to_everything) program.observer = &events;
    if (how != listening::to_nothing) program.diagnostics = &diagnostics;
    whole_record result;
    result.run.result = runner.run(program);
    result.run.events = std::move(events.lines);
    result.run.state = runner.state();
    result.run.thread = runner.thread();
    result.run.dst = runner.dst();
    result.diagnostics = std::move(diagnostics.lines);
    for (unsigned thread = 0; thread < isa::thread_count; ++thread)
        result.threads[thread] = runner.thread(thread);
    return result;
}

/// Runs a program both ways; returns what the core gave.
whole_record expect_same_on_both(const platform::run_request& program, listening how) {
    static platform::core_runner core; // used again, as the bench is
    const whole_record a = record(core, program, how), b = record(shared_bench(), program, how);
    expect_same_lines(a.run.events, b.run.events);
    expect_same_lines(a.diagnostics, b.diagnostics);
    EXPECT_EQ(a.run.result.counters.not_modelled, b.run.result.counters.not_modelled);
    EXPECT_EQ(a.run.result.counters.busy, b.run.result.counters.busy);
    expect_same(a.run, b.run);
    for (unsigned thread = 0; thread < isa::thread_count; ++thread)
        expect_same_thread(a.threads[thread], b.threads[thread]);
    return a;
}

listening any_listening(random_loops& loops) { return static_cast<listening>(loops.pick(3)); }

// --- random programs ---------------------------------------------------------------------------------------------------

TEST(core_and_modules, random_programs_with_macros_and_bubbles) {
    const unsigned count = case_count(300);
    random_programs programs(77);
    for (unsigned program = 0; program < count; ++program) {
        SCOPED_TRACE(fmt::format("program {}", program));
        platform::run_request request = programs.next(20 + program % 80);
        if (program % 3 == 0) request.words_per_push = 1 + program % 7;
        if (program % 5 == 0) request.hazards = hazard_policy::off;
        expect_same_on_both(request, static_cast<listening>(program % 3));
        ASSERT_FALSE(testing::Test::HasFailure());
    }
}

/// Loops with all that plans rest on changing between them, on grown machines: LaneConfig, swaps, templates, flags.
platform::run_request random_loop_request(random_loops& loops, front_end_words* through, bool has_threads) {
    platform::run_request request;
    request.config = loops.config();
    if (loops.chance(15)) request.config.sfpu_issue_width = 2;
    if (loops.chance(50)) request.config.issue_thread_order = thread_order::fixed;
    if (through) through->set_architecture(request.config.arch);
    request.state.reset(request.config.sfpu_lreg12_default);
    request.thread.reset(request.config.arch);
    loops.fill(request.state);
    if (loops.chance(30)) request.words_per_push = 1 + loops.pick(4);
    const bool is_cut = loops.chance(30); // each burst is a segment of its own, played twice
    platform::program_segment segment;
    std::size_t words_before = 0;
    run_random_program(loops, [&](const word_list& burst, unsigned idle) {
        if (burst.empty()) return;
        const word_list pushed = through && loops.chance(40) ? through->with_front_end(burst) : burst;
        const std::size_t first = words_before + segment.words.size();
        if (idle != 0) {
            request.bubbles.resize(first);
            request.bubbles.push_back(idle);
        }
        segment.words.insert(segment.words.end(), pushed.begin(), pushed.end());
        if (has_threads)
            request.threads.resize(segment.words.size(), static_cast<std::uint8_t>(loops.pick(3)));
        if (!is_cut || has_threads) return;
        segment.repeat = 1 + loops.pick(3);
        words_before += segment.words.size() * segment.repeat;
        request.segments.push_back(std::move(segment));
        segment = {};
    });
    if (!segment.words.empty()) request.segments.push_back(segment);
    return request;
}

TEST(core_and_modules, random_loops_on_grown_machines) {
    std::uint64_t with_diagnostics = 0, swapped = 0;
    for (unsigned program = 0; program < case_count(350); ++program) {
        SCOPED_TRACE(fmt::format("program {}", program));
        random_loops loops(50000 + program);
        const platform::run_request request = random_loop_request(loops, nullptr, false);
        const whole_record seen = expect_same_on_both(request, any_listening(loops));
        with_diagnostics += !seen.diagnostics.empty();
        swapped += seen.run.result.counters.issued[0] != 0;
        ASSERT_FALSE(testing::Test::HasFailure());
    }
    EXPECT_GT(with_diagnostics, 50u);
    EXPECT_GT(swapped, 100u);
}

TEST(core_and_modules, random_programs_behind_a_front_end) {
    for (unsigned program = 0; program < case_count(150); ++program) {
        SCOPED_TRACE(fmt::format("program {}", program));
        random_loops loops(60000 + program);
        front_end_words through(loops);
        platform::run_request request = random_loop_request(loops, &through, false);
        const word_list body = loops.loop();
        request.front_end.mop_config = {2,       3,       0x02000000, 0x02000000, 0x02000000,
                                        body[0], body[1], body[2],    body[0]};
        expect_same_on_both(request, any_listening(loops));
        ASSERT_FALSE(testing::Test::HasFailure());
    }
}

TEST(core_and_modules, random_programs_of_three_threads) {
    std::uint64_t held = 0;
    for (unsigned program = 0; program < case_count(200); ++program) {
        SCOPED_TRACE(fmt::format("program {}", program));
        random_loops loops(70000 + program);
        front_end_words through(loops);
        const bool has_front_end = loops.chance(50);
        const platform::run_request request =
            random_loop_request(loops, has_front_end ? &through : nullptr, true);
        const whole_record seen = expect_same_on_both(request, any_listening(loops));
        for (const auto& cause : seen.run.result.counters.stalls) held += cause != 0;
        ASSERT_FALSE(testing::Test::HasFailure());
    }
    EXPECT_GT(held, 50u);
}

// --- kernels -------------------------------------------------------------------------------------------------------------

TEST(core_and_modules, all_kernels_of_the_library) {
    for (const kernel_case& kernel : kernel_catalogue()) {
        SCOPED_TRACE(kernel.name);
        const isa::kernel program = load_kernel(kernel.file, kernel.arch);
        const dst_contents inputs = inputs_for(kernel, 5);
        for (const unsigned iterations : {0u, 1u, 2u, 40u}) {
            platform::run_request request;
            request.config.arch = kernel.arch;
            request.state.reset(request.config.sfpu_lreg12_default);
            request.thread.reset(kernel.arch);
            request.segments = platform::segments_of(program, iterations);
            for (unsigned row = 0; row < inputs.cells.size(); ++row)
                request.dst_rows[row] = inputs.cells[row];
            for (const listening how :
                 {listening::to_nothing, listening::to_diagnostics, listening::to_everything})
                expect_same_on_both(request, how);
        }
        ASSERT_FALSE(testing::Test::HasFailure());
    }
}

// --- what is refused -----------------------------------------------------------------------------------------------------

TEST(core_and_modules, the_core_refuses_parameters_out_of_their_ranges_and_goes_on) {
    platform::core_runner core;
    platform::run_request request;
    request.state.reset();
    request.thread.reset(request.config.arch);
    request.segments.push_back({{0x8f000000}, 10});
    request.config.latency_mad = 0;
    EXPECT_THROW(core.run(request), std::invalid_argument);
    request.config.latency_mad = 2;
    EXPECT_EQ(core.run(request).counters.words, 10u);
}

} // namespace
} // namespace sfpu::test
