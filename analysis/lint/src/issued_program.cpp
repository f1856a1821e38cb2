#include "issued_program.h"

#include <sfpu/platform/kernel_segments.h>

#include <algorithm>

namespace sfpu::analysis {

const isa::source_word& issued_program::word(std::size_t index) const {
    if (index < kernel_.init.size()) return kernel_.init[index];
    index -= kernel_.init.size();
    return index < looped() ? kernel_.loop[index % kernel_.loop.size()] : kernel_.tail[index - looped()];
}

unsigned issued_program::line(std::int64_t index) const {
    return index < 0 ? 0 : word(static_cast<std::size_t>(index)).line;
}

bool issued_program::continues_iteration(std::size_t index) const {
    return in_loop(index) && (index - kernel_.init.size()) % kernel_.loop.size() != 0;
}

std::optional<unsigned> issued_program::gap_before(std::size_t index) const {
    const isa::source_word& asked = word(index);
    if (!asked.gap) return std::nullopt;
    unsigned number = 0;
    for (const std::vector<isa::source_word>* section : {&kernel_.init, &kernel_.loop, &kernel_.tail})
        for (const isa::source_word& each : *section) {
            if (&each == &asked) return number;
            number += each.gap;
        }
    return std::nullopt;
}

std::vector<platform::program_segment> issued_program::segments() const {
    return platform::segments_of(kernel_, iterations_);
}

std::vector<std::size_t> issued_program::positions() const {
    std::vector<std::size_t> result;
    for (std::size_t index = 1; index < size(); ++index)
        if (position_of(index) == index && may_wait(index)) result.push_back(index);
    return result;
}

std::size_t issued_program::position_of(std::size_t index) const {
    if (!in_loop(index)) return index;
    const std::size_t length = kernel_.loop.size();
    return kernel_.init.size() + iterations_ / 2 * length + (index - kernel_.init.size()) % length;
}

unsigned iterations_to_run(const isa::kernel& kernel, unsigned most) {
    if (kernel.loop.empty()) return 0;
    // A scheduled instruction waits for at most seven words and takes two cycles; twice that before the
    // middle.
    constexpr unsigned words_to_fill = 16, least = 4;
    const auto length = static_cast<unsigned>(kernel.loop.size());
    return std::min(most, least + (words_to_fill + length - 1) / length);
}

bubble_schedule random_bubbles(const issued_program& program, double rate, random_source& random) {
    bubble_schedule bubbles(program.size(), 0);
    for (std::size_t i = 0; i < bubbles.size(); ++i)
        if (program.may_wait(i) && random.fraction() < rate)
            bubbles[i] = 1 + static_cast<unsigned>(random.next() % longest_bubble);
    return bubbles;
}

bubble_schedule single_bubble(std::size_t position, unsigned length) {
    bubble_schedule bubbles(position + 1, 0);
    bubbles[position] = length;
    return bubbles;
}

} // namespace sfpu::analysis
