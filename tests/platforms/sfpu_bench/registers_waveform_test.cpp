// What observers are shown of registers does not depend on how the unit is told its words. Word by word each
// result reaches its register when it is due; of a stream many are written when they are computed, and
// observers see what the registers hold all the same.
#include "kernel_runner.h"
#include "random_program.h"
#include "shown_values.h"

#include <sfpu/traces/vcd_writer.h>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <functional>
#include <sstream>
#include <string>
#include <vector>

namespace sfpu::test {
namespace {

struct shown_program {
    shown_values values;
    std::int64_t last = 0;
};

shown_program play(platform::run_request request, unsigned words_per_push) {
    std::ostringstream vcd;
    traces::vcd_writer writer(vcd, {}, {0, 17});
    request.observer = &writer;
    request.words_per_push = words_per_push;
    shown_program shown;
    const platform::run_result result = shared_bench().run(request);
    writer.finish(result.last_cycle);
    shown.values = values_in(vcd.str());
    shown.last = result.last_cycle.count();
    return shown;
}

/// Programs of a machine, without bubbles so that plans are long.
void expect_alike(const std::function<void(parameters&)>& change, unsigned programs) {
    random_programs random(7);
    for (unsigned number = 0; number < programs; ++number) {
        SCOPED_TRACE(fmt::format("program {}", number));
        platform::run_request request = random.next();
        if (number % 2 == 0) request.bubbles.clear();
        change(request.config);
        const shown_program whole = play(request, 0), one_by_one = play(request, 1);
        ASSERT_FALSE(whole.values.empty());
        EXPECT_EQ(whole.last, one_by_one.last);
        for (const auto& [name, values] : one_by_one.values) EXPECT_EQ(whole.values.at(name), values) << name;
        if (testing::Test::HasFailure()) return;
    }
}

TEST(registers_waveform, is_the_same_word_by_word_and_in_a_stream) {
    expect_alike([](parameters&) {}, 150);
}

TEST(registers_waveform, is_the_same_on_machines_with_other_latencies) {
    expect_alike([](parameters& config) { config.latency_mad = 5; }, 100);
    expect_alike(
        [](parameters& config) {
            config.latency_mad = 3;
            config.latency_simple = 2;
            config.latency_load = 4;
            config.latency_round = 3;
        },
        100);
}

/// The second of two products that begin in a row waits in L1 when the first is due; both show, each from its
/// cycle on.
TEST(registers_waveform, shows_both_of_two_products_for_one_register) {
    platform::run_request request;
    request.state.reset();
    request.thread.reset(request.config.arch);
    for (unsigned lane = 0; lane < lane_count; ++lane) {
        request.state.lreg[2].v[lane] = 0x40000000u; // 2
        request.state.lreg[3].v[lane] = 0x40400000u; // 3
    }
    const isa::assembly program =
        isa::assemble(".init\nsfpmul L2, L2, L9, L1, 0\nsfpmul L3, L3, L9, L1, 0\nsfpnop\nsfpnop\n",
                      "program", request.config.arch);
    platform::program_segment segment;
    for (const auto& each : program.program.init) segment.words.push_back(each.word);
    request.segments = {segment};
    for (const unsigned words : {0u, 1u}) {
        const auto shown = play(request, words).values.at("lane0.L1");
        // Visible two cycles behind the one in which they begin (T3): 4 in cycle 2, 9 in cycle 3.
        EXPECT_EQ(shown.at(2000), "b1000000100000000000000000000000") << words;
        EXPECT_EQ(shown.at(3000), "b1000001000100000000000000000000") << words;
    }
}

} // namespace
} // namespace sfpu::test
