// A run of a program with everything that it shows, values included, to compare who runs it and where.
#pragma once

#include "bench_record.h"
#include "whole_log.h"

#include <array>
#include <string>
#include <utility>
#include <vector>

namespace sfpu::test {

/// A run with all that it shows. Results of what is not heard are empty.
struct whole_record {
    bench_record run;
    std::vector<std::string> diagnostics;
    std::array<isa::thread_state, isa::thread_count> threads;
};

enum class listening { to_nothing, to_diagnostics, to_everything };

inline whole_record record(platform::program_runner& runner, platform::run_request program, listening how) {
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

inline void expect_same(const whole_record& a, const whole_record& b) {
    expect_same_lines(a.run.events, b.run.events);
    expect_same_lines(a.diagnostics, b.diagnostics);
    expect_same(a.run, b.run);
    for (unsigned thread = 0; thread < isa::thread_count; ++thread)
        expect_same_thread(a.threads[thread], b.threads[thread]);
}

} // namespace sfpu::test
