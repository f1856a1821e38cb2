#include <sfpu/frontend/pipeline_state.h>

#include <sfpu/isa/disassembler.h>

#include <fmt/format.h>

namespace sfpu::frontend {
namespace {

template <class Queue>
std::uint32_t status_of(const Queue& words, cycles before, architecture arch) {
    std::uint32_t bits = 0;
    for (std::size_t i = 0; i < words.size(); ++i)
        if (words[i].at < before) bits |= status_bits(words[i].word, arch);
    return bits;
}

} // namespace

void pipeline_state::reset(const parameters& config, unsigned thread, sync_unit& sync, surroundings& around,
                           probe::pipeline_observer* observer) {
    first_fifo.reset(config, thread);
    b_core.reset(config.front_end.replay_fifo_depth);
    mop.reset(config);
    replay_fifo.reset(config.front_end.replay_fifo_depth);
    replay.reset(config);
    gate_fifo.reset(config.front_end.gate_fifo_depth);
    gate.reset(config, thread, sync, around);
    issue.reset(config);
    context.reset(config, thread, around, observer);
}

void pipeline_state::take_state(const pipeline_state& other) {
    first_fifo = other.first_fifo;
    b_core = other.b_core;
    mop = other.mop;
    replay_fifo = other.replay_fifo;
    replay = other.replay;
    gate_fifo = other.gate_fifo;
    gate.take_state(other.gate);
    issue = other.issue;
    context.take_state(other.context);
}

bool pipeline_state::frees_nothing_while_playing() {
    if (!plays_in_bursts() || !replay_fifo.full()) return false;
    if (mop.is_expanding() || first_fifo.empty()) return true;
    const std::uint32_t next = first_fifo.front().word; // the MOP expander keeps it, or has no room for it
    return !is_mop(next) && !is_mop_cfg(next);
}

void pipeline_state::report_stuck(cycles at) const {
    const queued_word& held = gate_fifo.front();
    const std::string what = isa::disassemble(held.word, context.encoding());
    if (gate.blocks(held.word)) {
        const std::string wait = isa::disassemble(gate.wait_word(), context.arch());
        context.report(report_id::frontend_never_released, at, gate.wait_index(),
                       fmt::format("{} holds {} for ever", wait, what));
        return;
    }
    const char* const why = gate.has_mutex_of(held.word) ? "another thread holds the mutex"
                                                         : "the chip has no mutex of that number";
    context.report(report_id::frontend_never_released, at, held.index,
                   fmt::format("{} waits for ever: {}", what, why));
}

std::uint32_t pipeline_state::status(cycles before) {
    const architecture arch = context.arch();
    std::uint32_t bits = status_of(first_fifo, before, arch) | status_of(b_core, before, arch) |
                         status_of(replay_fifo, before, arch) | status_of(gate_fifo, before, arch);
    if (mop.is_expanding()) bits |= 1u << 1;
    if (replay.is_playing()) bits |= 1u << 0;
    return bits;
}

std::size_t pipeline_state::pushed_from(cycles at) const {
    std::size_t count = 0;
    for (std::size_t i = 0; i < first_fifo.size(); ++i) count += first_fifo[i].at >= at;
    for (std::size_t i = 0; i < b_core.size(); ++i) count += b_core[i].at >= at;
    return count;
}

} // namespace sfpu::frontend
