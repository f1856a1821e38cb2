// The core and the SystemC modules run the same programs: state, Dst, cycles, events, diagnostics and
// counters are the same. A hundred thousand random programs: SFPU_NIGHTLY=1 build/tests/system_tests
// --gtest_filter='core_and_modules.*'
#include "kernel_catalogue.h"
#include "kernel_runner.h"
#include "lane_machine.h"
#include "random_program.h"
#include "random_requests.h"
#include "tree_path.h"
#include "whole_record.h"

#include <sfpu/platform/core_runner.h>
#include <sfpu/platform/kernel_segments.h>
#include <sfpu/views/exec_protocol.h>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <sstream>
#include <string>
#include <vector>

namespace sfpu::test {
namespace {

listening any_listening(random_loops& loops) { return static_cast<listening>(loops.pick(3)); }

/// Runs a program both ways; returns what the core gave.
whole_record expect_same_on_both(const platform::run_request& program, listening how) {
    static platform::core_runner core; // used again, as the bench is
    whole_record a = record(core, program, how);
    expect_same(a, record(shared_bench(), program, how));
    return a;
}

// --- random programs ---------------------------------------------------------------------------------------

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

// --- kernels -----------------------------------------------------------------------------------------------

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

// --- recorded programs -------------------------------------------------------------------------------------

/// Files of {"request": ..., "expect": ...}, a program a line. What is expected is compared by the tests
/// `vectors.*`.
std::vector<std::string> vector_files() {
    std::vector<std::string> paths;
    for (const auto& entry : std::filesystem::directory_iterator(tree_path("tests/data")))
        if (entry.path().extension() == ".gz") paths.push_back(entry.path());
    std::sort(paths.begin(), paths.end());
    return paths;
}

std::string unpacked(const std::string& path) {
    std::FILE* const gzip = popen(fmt::format("gzip -dc '{}'", path).c_str(), "r");
    EXPECT_NE(gzip, nullptr);
    std::string text;
    std::vector<char> part(1 << 20);
    while (const std::size_t count = std::fread(part.data(), 1, part.size(), gzip))
        text.append(part.data(), count);
    EXPECT_EQ(pclose(gzip), 0) << path;
    return text;
}

TEST(core_and_modules, recorded_programs) {
    views::request_parser parser; // of `exec`, for which they are written
    unsigned programs = 0;
    for (const std::string& path : vector_files()) {
        std::istringstream lines(unpacked(path));
        for (std::string line; std::getline(lines, line); ++programs) {
            std::string text = nlohmann::json::parse(line)["request"].dump();
            views::exec_request request;
            parser.parse(text, {}, request);
            SCOPED_TRACE(fmt::format("{}: {}", path, request.id));
            for (const listening how :
                 {listening::to_nothing, listening::to_diagnostics, listening::to_everything})
                expect_same_on_both(request.run, how);
            ASSERT_FALSE(testing::Test::HasFailure());
        }
    }
    EXPECT_EQ(programs, 1247u);
}

// --- what is refused ---------------------------------------------------------------------------------------

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
