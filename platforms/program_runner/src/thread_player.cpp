#include "thread_player.h"

#include "program_front_end.h"

#include <algorithm>
#include <optional>

namespace sfpu::platform {

/// What one thread plays, and how.
class thread_player::stream : public frontend::thread_pipeline::word_source {
public:
    explicit stream(frontend::surroundings& unit) : port(unit) {}

    frontend::surroundings& port;
    frontend::thread_pipeline pipeline;
    std::vector<next_word> words;
    std::size_t played = 0;
    cycles earliest{}; ///< of the next word, straight to the unit

    bool is_over() const { return played == words.size(); }
    const next_word& front() const { return words[played]; }
    std::optional<next_word> next() override {
        return is_over() ? std::nullopt : std::optional(words[played++]);
    }
    /// When the word after this one can come.
    void accepted_in(cycles at) {
        ++played;
        earliest = at + one_cycle + cycles{is_over() ? 0u : front().bubbles};
    }
};

thread_player::thread_player(const std::array<frontend::surroundings*, isa::thread_count>& units) {
    for (unsigned thread = 0; thread < isa::thread_count; ++thread) {
        streams_[thread] = std::make_unique<stream>(*units[thread]);
        streams_[thread]->pipeline.join(group_);
    }
    semaphores_.add(*this);
}
thread_player::~thread_player() = default;

void thread_player::semaphores_changed(cycles at) {
    for (const auto& one : streams_) one->pipeline.semaphores_changed(at);
}

void thread_player::fill_streams(const run_request& request) {
    for (const auto& one : streams_) {
        one->words.clear();
        one->played = 0;
    }
    std::size_t index = 0;
    for (const program_segment& segment : request.segments)
        for (std::uint64_t i = 0; i < segment.repeat; ++i)
            for (const std::uint32_t word : segment.words) {
                const unsigned thread = index < request.threads.size() ? request.threads[index] : 0;
                const unsigned bubbles = index < request.bubbles.size() ? request.bubbles[index] : 0;
                streams_[thread]->words.push_back({word, static_cast<std::int64_t>(index), bubbles});
                ++index;
            }
}

cycles thread_player::play(const run_request& request) {
    fill_streams(request);
    end_ = cycles{};
    if (program_front_end::is_needed(request)) play_through_front_ends(request);
    else play_directly(request);
    return end_;
}

void thread_player::play_through_front_ends(const run_request& request) {
    semaphores_.reset();
    group_.reset(request.config);
    for (unsigned thread = 0; thread < isa::thread_count; ++thread) {
        stream& one = *streams_[thread];
        one.pipeline.reset(request.config, thread, frontend::thread_pipeline::feed::program, semaphores_,
                           one.port, request.observer);
        set_up(one.pipeline, request.front_end_of(thread));
    }
    set_up(semaphores_, request.front_end);
    for (const auto& one : streams_) one->pipeline.set_source(one.get());
    group_.run_to_end();
    for (const auto& one : streams_) end_ = std::max(end_, one->pipeline.next_issue());
}

void thread_player::play_directly(const run_request& request) {
    timing::thread_arbiter arbiter;
    arbiter.reset(request.config.issue_thread_order);
    for (const auto& one : streams_) one->earliest = cycles{one->is_over() ? 0u : one->front().bubbles};
    for (;;) {
        std::array<timing::issue_candidate, isa::thread_count> candidates;
        std::size_t count = 0;
        for (unsigned thread = 0; thread < isa::thread_count; ++thread) {
            const stream& one = *streams_[thread];
            if (!one.is_over())
                candidates[count++] = {thread, one.port.issue_cycle(one.front().word, one.earliest)};
        }
        if (count == 0) return;
        const timing::issue_candidate first = candidates[arbiter.choose(candidates.data(), count)];
        arbiter.issued(first.thread);
        for (const auto& one : streams_)
            if (one != streams_[first.thread] && !one->is_over() && one->earliest <= first.at)
                one->port.hold_back(one->front().word, one->front().index, one->earliest,
                                    first.at + one_cycle);
        stream& winner = *streams_[first.thread];
        cycles issued;
        winner.port.issue({&winner.front().word, 1, winner.front().index, 0}, winner.earliest, forever,
                          &issued);
        winner.accepted_in(issued);
        end_ = issued + one_cycle;
    }
}

} // namespace sfpu::platform
