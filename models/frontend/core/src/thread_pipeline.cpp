#include <sfpu/frontend/thread_pipeline.h>

#include <sfpu/isa/disassembler.h>
#include <sfpu/isa/instruction.h>
#include <sfpu/isa/machine.h>

#include <fmt/format.h>

#include <algorithm>

namespace sfpu::frontend {
namespace {

/// Words that the MOP expander passes on.
constexpr bool needs_room(std::uint32_t word) { return !is_mop(word) && !is_mop_cfg(word); }

struct first_fifo {
    unsigned depth, accept_limit, push_width;
};
/// tile.md K3
first_fifo first_fifo_of(const parameters& config, unsigned thread) {
    const front_end_parameters& given = config.front_end;
    const chip_description& chip = describe(config.arch);
    first_fifo result{};
    result.depth = given.fifo_depth ? given.fifo_depth : thread == 0 ? 32u : chip.fifo_depth_of_others;
    const unsigned limit = given.fifo_accept_limit ? given.fifo_accept_limit : chip.fifo_accept_limit;
    result.accept_limit = limit ? std::min(limit, result.depth - 1) : result.depth - 1;
    result.push_width = given.push_width ? given.push_width : chip.push_width;
    return result;
}

} // namespace

void thread_pipeline::leaving_times::reset(unsigned depth) {
    times_.assign(depth, cycles{});
    next_ = 0;
}

void thread_pipeline::reset(const parameters& config, unsigned thread, feed from, sync_unit& sync,
                            surroundings& around, probe::pipeline_observer* observer) {
    thread_group* const group = group_;
    *this = {};
    group_ = group;
    arch_ = config.arch;
    words_ = isa::make_machine(config).encoding();
    thread_ = thread;
    from_ = from;
    around_ = &around;
    observer_ = observer;

    const first_fifo first = first_fifo_of(config, thread);
    depth_ = first.depth;
    accept_limit_ = first.accept_limit;
    push_width_ = first.push_width;
    held_to_gate_ = describe(arch_).held_to_gate;
    longest_run_ = config.sfpu_issue_width > 1 ? 1 : longest_run;
    dead_cycles_ = cycles{config.front_end.mop_dead_cycles};
    replay_start_ = cycles{config.front_end.replay_start_cycles};
    longest_hold_ = cycles{std::max({config.latency_load, config.latency_simple, config.latency_mad,
                                     config.latency_round, config.latency_swap, config.latency_shuffle})};
    fifo_.set_capacity(depth_);
    b_fifo_.set_capacity(config.front_end.replay_fifo_depth);
    replay_fifo_.set_capacity(config.front_end.replay_fifo_depth);
    gate_fifo_.set_capacity(config.front_end.gate_fifo_depth);
    left_replay_fifo_.reset(config.front_end.replay_fifo_depth);
    left_gate_fifo_.reset(config.front_end.gate_fifo_depth);
    replay_.reset(config.front_end.replay_count_zero);
    gate_.reset(config, thread, sync, around);
}

void thread_pipeline::join(thread_group& group) {
    group_ = &group;
    group.add(*this);
}

// --- pushes ----------------------------------------------------------------------------------------------------------

std::optional<cycles> thread_pipeline::push(std::uint32_t word, std::int64_t index, cycles at) {
    at = std::max(at, latest_arrival_);
    if (from_ == feed::fifo) {
        at = std::max(at, horizon_);
        if (!joins_arrival(at)) {
            if (at == latest_arrival_) ++at;
            const std::optional<cycles> accepted = wait_for_room(at);
            if (!accepted) return std::nullopt;
            at = *accepted;
        }
    }
    take(word, index, at);
    return at;
}

std::optional<cycles> thread_pipeline::push_now(std::uint32_t word, std::int64_t index, cycles asked,
                                                cycles at) {
    advance(at);
    if (!joins_arrival(at) && (held_ > accept_limit_ || at <= latest_arrival_)) return std::nullopt;
    if (at != asked) count_full(asked, at);
    return push(word, index, at);
}

void thread_pipeline::forget_from(cycles at) {
    departures_.clear();
    while (!fifo_.empty() && !(fifo_.back().at < at)) {
        waiting_mops_ -= is_mop(fifo_.back().word);
        expander_words_ -= is_for_expander(fifo_.back().word);
        fifo_.pop_back();
        --held_;
        --counters_.words_in;
    }
}

void thread_pipeline::discard_unexpanded(cycles at) {
    advance(at);
    const std::uint64_t words_in = counters_.words_in; // they did come
    forget_from(cycles{-1});
    counters_.words_in = words_in;
    if (!mop_.pending()) return;
    mop_.abort();
    end_mop(at);
}

void thread_pipeline::count_full(cycles asked, cycles at) {
    counters_.full_cycles += static_cast<std::uint64_t>((at - asked).count());
    if (observer_) publish("fifo", "full", asked, at - one_cycle, "push to a full FIFO");
}

/// A program's next word, once the one before it has been taken in.
bool thread_pipeline::refill() {
    if (!source_) return false;
    const std::optional<word_source::next_word> next = source_->next();
    if (!next) source_ = nullptr;
    else push(next->word, next->index, latest_intake_ + one_cycle + cycles{next->bubbles});
    return next.has_value();
}

/// The first cycle from `at` on that begins with room for a push.
std::optional<cycles> thread_pipeline::wait_for_room(cycles at) {
    if (const std::optional<cycles> room = known_room(at)) return room;
    const cycles asked = at;
    // All whose departure is known have to leave, and more, one a cycle: before that nobody looks.
    const unsigned known = departures_.size(), more = held_ - accept_limit_ - known;
    const cycles known_until = known != 0 ? departures_[known - 1] + one_cycle : gate_free_;
    const bool is_early = at < known_until + cycles{more} && only_unit_holds();
    if (is_early) {
        if (known != 0) issue_run(forever, known);
        foresee_departures();
        if (const std::optional<cycles> room = known_room(at)) return room;
    }
    if (is_early && issue_until_room()) at = std::max(at, gate_free_);
    else advance(at);
    while (held_ > accept_limit_) {
        if (is_stuck()) return std::nullopt;
        ++at;
        if (issue_until_room()) at = std::max(at, gate_free_);
        else if (frees_nothing_while_playing()) at = std::max(at, replay_free_ + cycles{replay_.left()});
        advance(at);
    }
    if (at != asked) count_full(asked, at);
    return at;
}

/// Whether no place of the first FIFO can become free before the present playback is over.
bool thread_pipeline::frees_nothing_while_playing() {
    if (!plays_in_bursts() || !replay_fifo_.full()) return false;
    return mop_.pending() || fifo_.empty() || needs_room(fifo_.front().word);
}

std::optional<cycles> thread_pipeline::push_b_now(std::uint32_t word, std::int64_t index, cycles at) {
    advance(at);
    return b_fifo_.empty() ? push_b(word, index, at) : std::nullopt;
}

std::optional<cycles> thread_pipeline::push_b(std::uint32_t word, std::int64_t index, cycles at) {
    settle_departures();
    at = std::max({at, horizon_, b_arrival_});
    // The B core has no FIFO of its own: its word waits at the multiplexer until it has room.
    while (!b_fifo_.empty()) {
        if (is_stuck()) return std::nullopt;
        advance(++at);
    }
    b_arrival_ = at + one_cycle;
    b_fifo_.push_back({word, false, index, at});
    ++counters_.b_words_in;
    return at;
}

void thread_pipeline::set_mop_config(unsigned index, std::uint32_t value, cycles at) {
    advance(at);
    if ((mop_.pending() || waiting_mops_ != 0) && !race_reported_) {
        race_reported_ = true;
        around_->report(report_id::frontend_mop_config_race, std::max(at, horizon_), mop_index_,
                        fmt::format("word {} of the MOP configuration is written while {}", index,
                                    mop_.pending() ? "a MOP is being expanded" : "a MOP waits in the FIFO"));
    }
    mop_.set_config(index, value);
}

// --- time ------------------------------------------------------------------------------------------------------------

void thread_pipeline::advance(cycles end) {
    if (end <= horizon_) return;
    if (group_) return group_->advance(end);
    run(end);
    has_come_to(end);
}

void thread_pipeline::run_ahead() { run(forever); }

void thread_pipeline::run_to_end() {
    if (group_) return group_->run_to_end();
    run(forever);
    come_to_end();
}

void thread_pipeline::has_come_to(cycles end) {
    if (end <= horizon_) return;
    // The last words of a burst that are not issued before `end` may still leave the expander before it.
    while (step_playback(end)) move_to_gate(end);
    gate_.time_passes(end);
    horizon_ = end;
}

void thread_pipeline::come_to_end() {
    horizon_ = std::max(horizon_, gate_free_);
    if (!is_stuck() || stuck_reported_) return;
    stuck_reported_ = true;
    const queued_word& held = gate_fifo_.front();
    const std::string what = isa::disassemble(held.word, words_);
    if (gate_.blocks(held.word))
        around_->report(
            report_id::frontend_never_released, horizon_, gate_.wait_index(),
            fmt::format("{} holds {} for ever", isa::disassemble(gate_.wait_word(), arch_), what));
    else
        around_->report(report_id::frontend_never_released, horizon_, held.index,
                        fmt::format("{} waits for ever: {}", what,
                                    gate_.has_mutex_of(held.word) ? "another thread holds the mutex"
                                                                  : "the chip has no mutex of that number"));
}

/// Moves words until no stage can before `end`. Within the horizon the order of the stages does not matter: each word
/// carries its time.
void thread_pipeline::run(cycles end) {
    bool moved = true;
    while (moved) {
        moved = false;
        while (step_gate(end)) moved = true; // which takes runs of words from all FIFOs
        while (step_mop(end)) moved = true;
        while (step_replay(end)) moved = true;
        // The last words of a burst that are not issued before `end` may still leave the expander before it.
        if (!moved) moved = step_playback(end);
    }
}

std::optional<cycles> thread_pipeline::idle_from(cycles at) {
    advance(at);
    run(forever);
    if (is_stuck()) return std::nullopt;
    at = std::max({at, latest_intake_ + one_cycle, replay_free_, gate_free_});
    while (around_->vector_unit_moves(at)) ++at;
    horizon_ = std::max(horizon_, at);
    return at;
}

bool thread_pipeline::is_idle(cycles at) {
    advance(at);
    if (!is_empty() || at < std::max({latest_intake_ + one_cycle, replay_free_, gate_free_})) return false;
    return !around_->vector_unit_moves(at);
}

std::optional<cycles> thread_pipeline::mop_idle_from(cycles at) {
    at = std::max(at, horizon_);
    advance(at);
    while (mop_.pending() || waiting_mops_ != 0) {
        if (is_stuck()) return std::nullopt;
        advance(++at);
    }
    return at;
}

// --- together with others --------------------------------------------------------------------------------------------

void thread_pipeline::move_to_gate(cycles end) {
    for (bool moved = true; moved;) {
        moved = false;
        while (step_mop(end)) moved = true;
        while (step_replay(end)) moved = true;
    }
}

thread_pipeline::offer thread_pipeline::offer_before(cycles end) {
    move_to_gate(end);
    offer result;
    if (plays_in_bursts()) {
        result.word = replay_.next();
        result.index = replay_index_;
        result.at = std::max({replay_free_, gate_fifo_room(), gate_free_});
        result.is_open = true;
    } else if (!gate_fifo_.empty()) {
        const queued_word& head = gate_fifo_.front();
        result.word = head.word;
        result.index = head.index;
        const wait_gate::opening opening = gate_.opens(head.word, std::max(head.at, gate_free_));
        result.at = opening.at;
        result.is_open = opening.is_certain;
    }
    result.issues =
        result.is_open && result.at < end ? around_->issue_cycle(result.word, result.at) : result.at;
    return result;
}

bool thread_pipeline::judge_wait(cycles end) {
    if (!gate_.waits()) return false;
    const bool was_decided = gate_.is_decided();
    gate_.time_passes(end);
    return gate_.is_decided() != was_decided;
}

bool thread_pipeline::is_quiet_before(cycles end) {
    if (is_working() || gate_.is_open_question()) return false;
    const auto is_later = [end](const fifo& queue) { return queue.empty() || queue.front().at >= end; };
    return is_later(b_fifo_) && is_later(fifo_) && (!fifo_.empty() || !refill() || is_later(fifo_));
}

void thread_pipeline::lose_slot(const offer& what, cycles at) {
    around_->hold_back(what.word, what.index, what.at, at + one_cycle);
}

/// No cycle before it needs to be looked at, given what the pipeline holds.
cycles thread_pipeline::next_action(cycles now) {
    if (is_stuck()) return forever;
    if (is_working()) return now + one_cycle;
    cycles next = forever;
    for (const fifo* queue : {&fifo_, &b_fifo_})
        if (!queue->empty()) next = std::min(next, queue->front().at);
    return std::max(next, now + one_cycle);
}

// --- what can be seen from outside -----------------------------------------------------------------------------------

bool thread_pipeline::is_working() {
    return mop_.pending() || replay_.playing() || !replay_fifo_.empty() || !gate_fifo_.empty();
}

std::uint32_t thread_pipeline::queued_status(cycles before) {
    std::uint32_t bits = 0;
    for (const fifo* queue : {&fifo_, &b_fifo_, &replay_fifo_, &gate_fifo_})
        for (std::size_t i = 0; i < queue->size(); ++i)
            if ((*queue)[i].at < before) bits |= status_bits((*queue)[i].word, arch_);
    if (mop_.pending()) bits |= 1u << 1;
    if (replay_.playing()) bits |= 1u << 0;
    return bits;
}

void thread_pipeline::publish(const char* lane, const char* kind, cycles begin, cycles end,
                              std::string_view text) const {
    probe::activity_event event;
    event.begin = begin;
    event.end = end;
    event.unit = probe::tile_unit::front_end;
    event.instance = static_cast<std::uint8_t>(thread_);
    event.lane = lane;
    event.kind = kind;
    event.text = text;
    observer_->acted(event);
}

} // namespace sfpu::frontend
