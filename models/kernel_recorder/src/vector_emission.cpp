#include "vector_step.h"

#include <sfpu/isa/table.h>

namespace sfpu::kernel_recorder::vector {

bool emitter::needs_nop_before(const placed_word& next) {
    const auto is_vector_word = [&](std::uint32_t word) {
        return isa::classify(word, arch_) == isa::word_kind::sfpu;
    };
    // Two words of the kernel's own are its own affair.
    const bool ours = !next.raw || !last_raw_;
    bool nop_needed = false;
    std::uint32_t late = 0;
    bool blocks = false;
    if (is_vector_word(next.word)) {
        const isa::instruction insn = isa::decode(next.word, arch_);
        const bool stalls = describe(arch_).stalls_for_results; // what it sees, it waits for
        const std::uint32_t touched = insn.use.reads | insn.use.writes;
        const std::uint32_t waited_for = stalls ? insn.use.seen_reads : 0u;
        nop_needed = ours && ((late_ & touched & ~waited_for) != 0 || blocks_neighbour_);
        if (insn.latency == isa::latency_class::mad) late = insn.use.writes;
        if (insn.latency == isa::latency_class::shuffle) {
            late = insn.use.writes;
            blocks = !stalls;
        }
    }
    late_ = late;
    blocks_neighbour_ = blocks;
    last_raw_ = next.raw;
    return nop_needed;
}

} // namespace sfpu::kernel_recorder::vector
