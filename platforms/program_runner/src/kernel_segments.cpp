#include <sfpu/platform/kernel_segments.h>

namespace sfpu::platform {
namespace {

program_segment segment_of(const std::vector<isa::source_word>& words, std::uint64_t repeat) {
    program_segment segment;
    segment.words.reserve(words.size());
    for (const isa::source_word& word : words) segment.words.push_back(word.word);
    segment.repeat = repeat;
    return segment;
}

} // namespace

std::vector<program_segment> segments_of(const isa::kernel& kernel, std::uint64_t iterations) {
    return {segment_of(kernel.init, 1), segment_of(kernel.loop, iterations), segment_of(kernel.tail, 1)};
}

} // namespace sfpu::platform
