// A run of a program with everything that it shows to the outside, for comparing runs.
#pragma once

#include "plain_rig.h"

#include <sfpu/platform/program_runner.h>

#include <string>
#include <vector>

namespace sfpu::test {

struct bench_record {
    platform::run_result result;
    std::vector<std::string> events;
    isa::vector_state state;
    isa::thread_state thread;
    platform::dst_image dst;
};

inline bench_record run(platform::program_runner& bench, platform::run_request program) {
    event_log log;
    program.observer = &log;
    const platform::run_result result = bench.run(program);
    return {result, log.lines, bench.state(), bench.thread(), bench.dst()};
}

inline void expect_same(const bench_record& a, const bench_record& b) {
    EXPECT_EQ(a.events, b.events);
    EXPECT_EQ(a.result.first_issue, b.result.first_issue);
    EXPECT_EQ(a.result.cycles_used, b.result.cycles_used);
    EXPECT_EQ(a.result.last_cycle, b.result.last_cycle);
    expect_same_counters(a.result.counters, b.result.counters);
    ASSERT_EQ(a.result.segments.size(), b.result.segments.size());
    for (std::size_t i = 0; i < a.result.segments.size(); ++i) {
        EXPECT_EQ(a.result.segments[i].first, b.result.segments[i].first);
        EXPECT_EQ(a.result.segments[i].last, b.result.segments[i].last);
    }
    expect_same_state(a.state, b.state);
    expect_same_thread(a.thread, b.thread);
    EXPECT_TRUE(a.dst == b.dst);
}

} // namespace sfpu::test
