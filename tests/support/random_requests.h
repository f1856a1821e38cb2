// Programs of random_loops as requests to a program_runner.
#pragma once

#include "front_end_words.h"

#include <sfpu/platform/program.h>

#include <cstddef>
#include <cstdint>
#include <utility>

namespace sfpu::test {

/// Loops with all that plans rest on changing between them, on grown machines: LaneConfig, swaps, templates,
/// flags.
inline platform::run_request random_loop_request(random_loops& loops, front_end_words* through,
                                                 bool has_threads) {
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

} // namespace sfpu::test
