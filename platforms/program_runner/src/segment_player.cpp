#include "segment_player.h"

#include <algorithm>

namespace sfpu::platform {
namespace {

/// Repetitions are strung together up to this many words, so that the cost of a push is shared.
constexpr std::size_t burst_words = 1024;

} // namespace

void segment_player::play(const run_request& request, run_result& result) {
    request_ = &request;
    words_played_ = 0;
    for (const program_segment& segment : request.segments) {
        result.segments.emplace_back();
        play_segment(segment, result.segments.back());
    }
}

/// The first and the last repetition are pushes of their own, because their start is a result.
void segment_player::play_segment(const program_segment& segment, run_result::segment_span& span) {
    if (segment.words.empty() || segment.repeat == 0) return;
    push_with_bubbles(segment.words, &span.first);
    span.last = span.first;
    if (segment.repeat == 1) return;

    std::uint64_t middle = segment.repeat - 2;
    if (words_played_ < request_->bubbles.size()) {
        for (; middle != 0 && words_played_ < request_->bubbles.size(); --middle)
            push_with_bubbles(segment.words);
    }
    const std::size_t length = segment.words.size();
    const std::uint64_t per_burst = std::max<std::uint64_t>(1, burst_words / length);
    burst_.clear();
    for (std::uint64_t i = 0; i < std::min(per_burst, middle); ++i)
        burst_.insert(burst_.end(), segment.words.begin(), segment.words.end());
    while (middle != 0 && !(request_->stop && request_->stop(segment.repeat - middle))) {
        const std::uint64_t now = std::min(per_burst, middle);
        const std::size_t words = static_cast<std::size_t>(now) * length;
        port_.push(burst_.data(), words, nullptr);
        words_played_ += words;
        middle -= now;
    }
    push_with_bubbles(segment.words, &span.last);
}

void segment_player::push_with_bubbles(const std::vector<std::uint32_t>& words, cycles* start) {
    const std::vector<unsigned>& bubbles = request_->bubbles;
    std::size_t begin = 0;
    while (begin < words.size()) {
        if (words_played_ < bubbles.size() && bubbles[words_played_] != 0) port_.wait(bubbles[words_played_]);
        std::size_t end = begin + 1; // up to the next word with bubbles before it
        for (std::size_t index = words_played_ + 1; end < words.size(); ++end, ++index)
            if (index < bubbles.size() && bubbles[index] != 0) break;
        port_.push(&words[begin], end - begin, start);
        start = nullptr;
        words_played_ += end - begin;
        begin = end;
    }
}

} // namespace sfpu::platform
