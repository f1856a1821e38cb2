#include "program_front_end.h"

#include <sfpu/frontend/instruction_class.h>

#include <algorithm>

namespace sfpu::platform {

bool program_front_end::is_needed(const run_request& request) {
    return std::any_of(request.segments.begin(), request.segments.end(), [](const program_segment& segment) {
        return std::any_of(segment.words.begin(), segment.words.end(), [](std::uint32_t word) {
            return frontend::is_for_expander(word) || !frontend::is_plain(word);
        });
    });
}

unsigned program_front_end::recording_port::issue(const frontend::word_run& run, cycles start, cycles end,
                                                  cycles* issued) {
    const unsigned taken = vector_unit_port::issue(run, start, end, issued);
    if (waiting_for_first && taken != 0) {
        waiting_for_first = false;
        first = issued[0];
    }
    return taken;
}

void program_front_end::play(const run_request& request, run_result& result) {
    port_.reset(sc_core::sc_time_stamp(), request.config);
    semaphores_.reset();
    pipeline_.reset(request.config, 0, frontend::thread_pipeline::feed::program, semaphores_, port_,
                    request.observer);
    const front_end_setup& setup = request.front_end_of(0);
    for (unsigned i = 0; i < setup.mop_config.size(); ++i)
        pipeline_.set_mop_config(i, setup.mop_config[i], cycles{});
    pipeline_.set_mop_mask_hi(setup.mop_mask_hi);
    for (unsigned i = 0; i < frontend::sync_unit::count; ++i)
        semaphores_.init(1u << i, setup.semaphore_max[i], setup.semaphore_value[i]);

    words_played_ = 0;
    for (const program_segment& segment : request.segments) {
        run_result::segment_span& span = result.segments.emplace_back();
        if (segment.words.empty()) continue;
        for (std::uint64_t i = 0; i < segment.repeat; ++i) {
            span.last = play_once(segment.words, request.bubbles);
            if (i == 0) span.first = span.last;
            else if (i + 2 < segment.repeat && request.stop && request.stop(i + 2)) i = segment.repeat - 2;
        }
    }
    pipeline_.run_to_end();
}

cycles program_front_end::play_once(const std::vector<std::uint32_t>& words,
                                    const std::vector<unsigned>& bubbles) {
    port_.waiting_for_first = true;
    for (const std::uint32_t word : words) {
        const unsigned idle = words_played_ < bubbles.size() ? bubbles[words_played_] : 0;
        pipeline_.push(word, static_cast<std::int64_t>(words_played_++),
                       pipeline_.latest_intake() + one_cycle + cycles{idle});
        pipeline_.run_ahead();
    }
    return port_.waiting_for_first ? pipeline_.next_issue() : port_.first;
}

} // namespace sfpu::platform
