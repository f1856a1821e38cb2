#include <sfpu/frontend/issue_stage.h>

#include <sfpu/frontend/instruction_class.h>
#include <sfpu/isa/disassembler.h>
#include <sfpu/isa/instruction.h>

#include <algorithm>
#include <array>

namespace sfpu::frontend {
namespace {

/// A wait held the word in these cycles.
void count_wait(std::uint32_t word, cycles from, cycles until, const wait_gate& gate,
                pipeline_context& context) {
    context.counters.wait_gate_cycles += static_cast<std::uint64_t>((until - from).count());
    if (!context.is_observed()) return;
    const bool is_mutex = is_for_mutex(word); // a wait may have held it, too
    const std::uint32_t reason = is_mutex || !gate.waits() ? word : gate.wait_word();
    const bool is_unit = !is_mutex && !gate.waits();
    const char* const kind = is_mutex                               ? "mutex"
                             : is_unit                              ? "busy-unit"
                             : reason >> 24 == isa::opcode::semwait ? "semwait"
                                                                    : "stallwait";
    context.publish("wait_gate", kind, from, until - one_cycle, isa::disassemble(reason, context.arch()));
}

} // namespace

void issue_stage::reset(const parameters& config) {
    *this = {};
    longest_ = config.sfpu_issue_width > 1 ? 1 : longest_run;
    longest_hold_ = cycles{std::max({config.latency_load, config.latency_simple, config.latency_mad,
                                     config.latency_round, config.latency_swap, config.latency_shuffle})};
}

bool issue_stage::step(cycles end, wait_gate& gate, stage_fifo& in, push_fifo& held, bool shares_slot,
                       pipeline_context& context) {
    if (in.empty()) return false;
    const bool waited = gate.waits();
    const queued_word head = in.front();
    const cycles presented = std::max(head.at, free_);
    if (presented >= end) return false;
    const cycles passes = gate.may_pass(head.word, presented, end);
    surroundings& around = context.around();
    if (passes >= end || !issues_before(end, head.word, passes, shares_slot, around)) return false;
    if (passes != presented) count_wait(head.word, presented, passes, gate, context);

    // What a wait evaluates in the word's own cycle it must see before the word is issued, and units are
    // occupied from that cycle on.
    const bool counts = waited || is_for_backend(head.word);
    const cycles issues = counts ? around.issue_cycle(head.word, passes) : passes;
    gate.pass(head.word, issues, head.index);
    cycles issued;
    around.issue({&head.word, 1, head.index, 0}, passes, forever, &issued);
    in.pop_front();
    in.note_departure(issued);
    free_ = std::max(issued + one_cycle, gate.thread_held_until());
    ++context.counters.words_out;
    held.release(head);
    return true;
}

/// Whether the unit issues the word before `end` if it is offered at `at`.
bool issue_stage::issues_before(cycles end, std::uint32_t word, cycles at, bool shares_slot,
                                const surroundings& around) const {
    if (shares_slot) return around.issue_cycle(word, at) < end;
    return at + longest_hold_ < end || around.issue_cycle(word, at) < end;
}

bool issue_stage::step_burst(cycles end, wait_gate& gate, replay_stage& replay, stage_fifo& in,
                             pipeline_context& context) {
    cycles leaves = std::max(replay.free(), in.room());
    const cycles at = std::max(leaves, free_);
    if (at >= end) return false;
    const replay_expander& expander = replay.expander();
    std::array<cycles, replay_expander::slots> issued;
    const unsigned count = context.around().issue({expander.words(), expander.plain_run(), replay.index(), 0},
                                                  at, end, issued.data());
    if (count == 0) return false;
    gate.passed(expander.words(), count, issued.data());
    // When each word left the expander, had it gone through the FIFO.
    for (unsigned i = 0; i < count; ++i) {
        leaves = std::max(i == 0 ? leaves : leaves + one_cycle, in.room());
        in.note_departure(issued[i]);
    }
    free_ = issued[count - 1] + one_cycle;
    context.counters.words_out += count;
    replay.played(count, leaves, context);
    return true;
}

} // namespace sfpu::frontend
