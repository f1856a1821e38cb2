#include "program_front_end.h"

#include <sfpu/frontend/instruction_class.h>

#include <algorithm>

namespace sfpu::platform {

void set_up(frontend::thread_pipeline& pipeline, const front_end_setup& setup) {
    for (unsigned i = 0; i < setup.mop_config.size(); ++i)
        pipeline.set_mop_config(i, setup.mop_config[i], cycles{});
    pipeline.set_mop_mask_hi(setup.mop_mask_hi);
}

void set_up(frontend::sync_unit& semaphores, const front_end_setup& setup) {
    for (unsigned i = 0; i < frontend::sync_unit::count; ++i)
        semaphores.init(1u << i, setup.semaphore_max[i], setup.semaphore_value[i]);
}

bool program_front_end::is_needed(const run_request& request) {
    return std::any_of(request.segments.begin(), request.segments.end(), [](const program_segment& segment) {
        return std::any_of(segment.words.begin(), segment.words.end(), [](std::uint32_t word) {
            return frontend::is_for_expander(word) || !frontend::is_plain(word);
        });
    });
}

unsigned program_front_end::recording_port::issue(const frontend::word_run& run, cycles start, cycles end,
                                                  cycles* issued) {
    const unsigned taken = unit_.issue(run, start, end, issued);
    if (waiting_for_first && taken != 0) {
        waiting_for_first = false;
        first = issued[0];
    }
    return taken;
}

cycles program_front_end::play(const run_request& request, run_result& result) {
    semaphores_.reset();
    pipeline_.reset(request.config, 0, frontend::thread_pipeline::feed::program, semaphores_, port_,
                    request.observer);
    set_up(pipeline_, request.front_end_of(0));
    set_up(semaphores_, request.front_end_of(0));

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
    return pipeline_.next_issue();
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
