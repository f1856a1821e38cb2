// Plays programs whose words go straight to the unit.
#pragma once

#include <sfpu/platform/program_player.h>

#include <cstdint>
#include <vector>

namespace sfpu::platform {

class segment_player {
public:
    explicit segment_player(word_port& port) : port_(port) {}

    void play(const run_request& request, run_result& result);

private:
    void play_segment(const program_segment& segment, run_result::segment_span& span);
    /// `start`, if not null, receives the cycle in which the first word was issued.
    void push_with_bubbles(const std::vector<std::uint32_t>& words, cycles* start = nullptr);

    word_port& port_;
    const run_request* request_ = nullptr;
    std::size_t words_played_ = 0;
    std::vector<std::uint32_t> burst_;
};

} // namespace sfpu::platform
