#include <sfpu/frontend/replay_stage.h>

#include <sfpu/frontend/instruction_class.h>
#include <sfpu/isa/disassembler.h>

#include <fmt/format.h>

#include <algorithm>

namespace sfpu::frontend {
namespace {

constexpr unsigned largest_sure_count = replay_expander::slots; ///< documents disagree beyond it

} // namespace

void replay_stage::reset(const parameters& config) {
    *this = {};
    expander_.reset(config.front_end.replay_count_zero);
    start_ = cycles{config.front_end.replay_start_cycles};
}

bool replay_stage::step(cycles end, stage_fifo& in, stage_fifo& out, push_fifo& held,
                        pipeline_context& context) {
    queued_word head = in.front();
    const bool stays = is_loading() ? !expander_.executes() : is_replay(head.word);
    cycles at = std::max(head.at, free_);
    if (!stays) {
        if (out.full()) return false;
        at = std::max(at, out.room());
    }
    if (at >= end) return false;

    in.pop_front();
    in.note_departure(at);
    free_ = at + one_cycle;
    head.at = at;
    if (is_loading()) {
        expander_.store(head.word, is_plain(head.word));
        context.counters.loaded_words += stays;
    } else if (stays) {
        begin(head, context);
    }
    if (stays) held.release(head);
    else out.push_back(head);
    return true;
}

bool replay_stage::step_playback(cycles end, stage_fifo& out, pipeline_context& context) {
    if (!is_playing() || out.full()) return false;
    const cycles at = std::max(free_, out.room());
    if (at >= end) return false;
    out.push_back({expander_.next(), false, index_, at});
    played(1, at, context);
    return true;
}

/// A REPLAY that loads or plays.
void replay_stage::begin(const queued_word& head, pipeline_context& context) {
    const unsigned count = replay_expander::count_field(head.word);
    if (count == 0 || count > largest_sure_count)
        context.report(report_id::isa_undefined, head.at, head.index,
                       fmt::format("{}: documents disagree on what a count of {} means",
                                   isa::disassemble(head.word, context.arch()), count));
    expander_.begin(head.word);
    if (!is_playing()) return;
    if (!expander_.plays_loaded())
        context.report(report_id::frontend_replay_unloaded, head.at, head.index,
                       fmt::format("{} plays slots that nothing has loaded",
                                   isa::disassemble(head.word, context.arch())));
    ++context.counters.replays;
    index_ = head.index;
    begin_ = head.at;
    free_ = head.at + start_; // the first word follows in the same cycle unless a parameter says more
}

void replay_stage::played(unsigned count, cycles at, pipeline_context& context) {
    expander_.skip(count);
    context.counters.replay_words += count;
    free_ = at + one_cycle;
    if (context.is_observed() && !is_playing())
        context.publish("replay", "play", begin_, at, fmt::format("replay (word {})", index_));
}

} // namespace sfpu::frontend
