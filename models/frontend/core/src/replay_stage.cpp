#include <sfpu/frontend/replay_stage.h>

#include <sfpu/frontend/instruction_class.h>
#include <sfpu/isa/disassembler.h>
#include <sfpu/isa/table.h>

#include <fmt/format.h>

#include <algorithm>

namespace sfpu::frontend {
namespace {

constexpr unsigned largest_sure_count = replay_expander::slots; ///< documents disagree beyond it
constexpr std::int64_t slots_behind_store = 7;                  ///< in which a record alone hung a chip

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
        expander_.store(head.word, !passes_alone(head.word));
        context.counters.loaded_words += stays;
    } else if (stays) {
        begin(head, out, context);
    }
    if (stays) {
        held.release(head);
    } else {
        note_passed(head.word);
        out.push_back(head);
    }
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
void replay_stage::begin(const queued_word& head, const stage_fifo& out, pipeline_context& context) {
    const unsigned count = replay_expander::count_field(head.word);
    if (count == 0 || count > largest_sure_count)
        context.report(report_id::isa_undefined, head.at, head.index,
                       fmt::format("{}: documents disagree on what a count of {} means",
                                   isa::disassemble(head.word, context.arch()), count));
    expander_.begin(head.word);
    if (is_loading() && !expander_.executes()) check_record(head, out, context);
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

/// A record alone that comes too close behind a store that moves the counter. Words that wait behind this
/// stage have not been issued: those that write thread configuration are looked through.
void replay_stage::check_record(const queued_word& head, const stage_fifo& out,
                                pipeline_context& context) const {
    const std::int64_t distance = passed_ - store_at_ + 1;
    if (store_at_ == 0 || distance > slots_behind_store) return;
    const isa::thread_state* known = context.around().thread_state();
    if (!known) return;
    isa::thread_state thread = *known;
    for (std::size_t i = 0; i < out.size(); ++i)
        if (out[i].word >> 24 == isa::opcode::setc16)
            thread.execute_front_end(isa::decode(out[i].word, context.encoding()));
    const isa::instruction store = isa::decode(store_, context.encoding());
    if (thread.still_modifiers() >> store.addr_mod & 1u) return;
    context.report(report_id::frontend_record_behind_store, head.at, head.index,
                   fmt::format("{} records {} behind {}, which moves the Dst counter: {} more would be safe",
                               isa::disassemble(head.word, context.arch()),
                               distance == 1 ? "directly" : fmt::format("{} words", distance),
                               isa::disassemble(store_, context.encoding()),
                               slots_behind_store + 1 - distance));
}

void replay_stage::played(unsigned count, cycles at, pipeline_context& context) {
    if (const unsigned last = expander_.last_store_in(count); last != 0) {
        store_ = expander_.words()[last - 1];
        store_at_ = passed_ + last;
    }
    passed_ += count;
    expander_.skip(count);
    context.counters.replay_words += count;
    free_ = at + one_cycle;
    if (context.is_observed() && !is_playing())
        context.publish("replay", "play", begin_, at, fmt::format("replay (word {})", index_));
}

} // namespace sfpu::frontend
