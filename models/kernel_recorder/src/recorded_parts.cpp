#include "recorded_parts.h"

#include <sfpu/isa/table.h>

namespace sfpu::kernel_recorder {

recorded_words part_of(const recorded_words& all, std::size_t from, std::size_t to) {
    const auto begin = static_cast<std::ptrdiff_t>(from), end = static_cast<std::ptrdiff_t>(to);
    return {{all.words.begin() + begin, all.words.begin() + end},
            {all.gaps.begin() + begin, all.gaps.begin() + end},
            {all.places.begin() + begin, all.places.begin() + end}};
}

void append(recorded_words& to, const recorded_words& what) {
    to.words.insert(to.words.end(), what.words.begin(), what.words.end());
    to.gaps.insert(to.gaps.end(), what.gaps.begin(), what.gaps.end());
    to.places.insert(to.places.end(), what.places.begin(), what.places.end());
}

isa::register_set reads_first(const std::vector<std::uint32_t>& words, architecture arch) {
    isa::register_set read = 0, written = 0;
    for (const std::uint32_t word : words) {
        if (isa::classify(word, arch) != isa::word_kind::sfpu) continue;
        const isa::instruction insn = isa::decode(word, arch);
        if (!insn.is(isa::opcode::sfploadi)) read |= insn.use.reads & ~written;
        written |= insn.use.writes;
    }
    return read & isa::general_registers;
}

} // namespace sfpu::kernel_recorder
