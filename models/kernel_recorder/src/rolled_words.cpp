#include <sfpu/kernel_recorder/rolled_words.h>

#include "recorded_parts.h"

#include <sfpu/kernel_recorder/repetitions.h>

#include <sfpu/isa/instruction.h>

#include <algorithm>

namespace sfpu::kernel_recorder {
namespace {

bool uses_dst(std::uint32_t word) {
    const std::uint32_t code = word >> 24;
    return code == isa::opcode::sfpload || code == isa::opcode::sfpstore || code == isa::opcode::sfploadmacro;
}
/// Words that only load constants and configuration.
bool is_set_up(std::uint32_t word) {
    const std::uint32_t code = word >> 24;
    return code == isa::opcode::sfploadi || code == isa::opcode::sfpconfig || code == isa::opcode::setc16;
}

/// What has to be in the iterations of a call: [begin, end).
struct work {
    std::size_t begin, end;
};
work work_of(const std::vector<std::uint32_t>& call) {
    const auto accesses = std::any_of(call.begin(), call.end(), uses_dst);
    const auto is_work = [&](std::uint32_t word) { return !accesses || uses_dst(word); };
    const auto first = std::find_if(call.begin(), call.end(), [&](std::uint32_t word) {
        return accesses ? uses_dst(word) : !is_set_up(word);
    });
    const auto last = std::find_if(call.rbegin(), call.rend(), [&](std::uint32_t word) {
        return is_work(word) && (accesses || !is_nop(word));
    });
    const auto begin = static_cast<std::size_t>(first - call.begin()),
               end = static_cast<std::size_t>(call.rend() - last);
    return {std::min(begin, end), end};
}

} // namespace

rolled_words rolled(const recorded_words& all, std::size_t begin, std::size_t length,
                    std::size_t iterations) {
    const std::size_t end = begin + length * iterations;
    rolled_words parts{part_of(all, 0, begin), part_of(all, begin, begin + length),
                       part_of(all, end, all.words.size()), iterations};
    for (std::size_t at = begin; at < end; ++at)
        if (all.gaps[at]) parts.loop.gaps[(at - begin) % length] = true;
    return parts;
}

std::optional<rolled_words> rolled_rows(const recorded_words& call, unsigned rows) {
    const work all = work_of(call.words);
    const std::vector<repetition> found =
        repetitions_of(std::vector<std::uint64_t>(call.words.begin(), call.words.end()));
    for (unsigned each = 1; each < rows; ++each) {
        if (rows % each != 0) continue;
        const std::size_t iterations = rows / each;
        for (const repetition& one : found) {
            const std::size_t length = one.count() / iterations * one.period;
            if (length == 0 || one.begin > all.begin) continue;
            const std::size_t body = length * iterations;
            const std::size_t begin = std::max(one.begin, all.end > body ? all.end - body : 0);
            if (begin > all.begin || begin + body > one.end || begin + body < all.end ||
                !is_repeated(call.words, begin, length, iterations))
                continue;
            return rolled(call, begin, length, iterations);
        }
    }
    return std::nullopt;
}

} // namespace sfpu::kernel_recorder
