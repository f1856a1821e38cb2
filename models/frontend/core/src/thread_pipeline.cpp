#include <sfpu/frontend/thread_pipeline.h>

#include <sfpu/frontend/instruction_class.h>

#include <algorithm>

namespace sfpu::frontend {

void thread_pipeline::reset(const parameters& config, unsigned thread, feed from, sync_unit& sync,
                            surroundings& around, probe::pipeline_observer* observer) {
    source_ = nullptr;
    state_.reset(config, thread, sync, around, observer);
    from_ = from;
    horizon_ = cycles{};
    stuck_reported_ = false;
}

void thread_pipeline::take_state(const thread_pipeline& other) {
    state_.take_state(other.state_);
    from_ = other.from_;
    horizon_ = other.horizon_;
    stuck_reported_ = other.stuck_reported_;
}

void thread_pipeline::join(thread_group& group) {
    group_ = &group;
    group.add(*this);
}

// --- pushes ------------------------------------------------------------------------------------------------

std::optional<cycles> thread_pipeline::push(std::uint32_t word, std::int64_t index, cycles at) {
    at = std::max(at, state_.first_fifo.latest_arrival());
    if (from_ == feed::fifo) {
        at = std::max(at, horizon_);
        if (!state_.first_fifo.joins_arrival(at)) {
            if (at == state_.first_fifo.latest_arrival()) ++at;
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
    const push_fifo& first = state_.first_fifo;
    if (!first.joins_arrival(at) && (first.is_over_limit() || at <= first.latest_arrival()))
        return std::nullopt;
    if (at != asked) count_full(asked, at);
    return push(word, index, at);
}

void thread_pipeline::forget_from(cycles at) {
    state_.context.counters.words_in -= state_.first_fifo.forget_from(at);
}

void thread_pipeline::discard_unexpanded(cycles at) {
    advance(at);
    state_.first_fifo.forget_from(cycles{-1}); // they did come, and stay counted
    state_.mop.abort(at, state_.context);
}

void thread_pipeline::count_full(cycles asked, cycles at) {
    state_.context.counters.full_cycles += static_cast<std::uint64_t>((at - asked).count());
    if (state_.context.is_observed())
        state_.context.publish("fifo", "full", asked, at - one_cycle, "push to a full FIFO");
}

/// A program's next word, once the one before it has been taken in.
bool thread_pipeline::refill() {
    if (!source_) return false;
    const std::optional<word_source::next_word> next = source_->next();
    if (!next) source_ = nullptr;
    else push(next->word, next->index, latest_intake() + one_cycle + cycles{next->bubbles});
    return next.has_value();
}

/// The first cycle from `at` on that begins with room for a push.
std::optional<cycles> thread_pipeline::wait_for_room(cycles at) {
    if (const std::optional<cycles> room = known_room(at)) return room;
    const cycles asked = at;
    // All whose departure is known have to leave, and more, one a cycle: before that nobody looks.
    const departure_forecast& departures = state_.first_fifo.departures();
    const unsigned known = departures.size(), more = state_.first_fifo.words_in_the_way() - known;
    const cycles known_until = known != 0 ? departures[known - 1] + one_cycle : next_issue();
    const bool is_early = at < known_until + cycles{more} && only_unit_makes_room();
    if (is_early) {
        if (known != 0) issue_run(state_, forever, known);
        foresee_departures(state_);
        if (const std::optional<cycles> room = known_room(at)) return room;
    }
    if (is_early && issue_until_room()) at = std::max(at, next_issue());
    else advance(at);
    while (state_.first_fifo.is_over_limit()) {
        if (state_.is_stuck()) return std::nullopt;
        ++at;
        if (issue_until_room()) at = std::max(at, next_issue());
        else if (state_.frees_nothing_while_playing()) at = std::max(at, state_.replay.playback_end());
        advance(at);
    }
    if (at != asked) count_full(asked, at);
    return at;
}

/// Issues as many words as have to leave before there is room for a push, however late, if these are the only
/// ones that can make room: nobody looks before that. False if something else may, or if nothing was issued.
bool thread_pipeline::issue_until_room() {
    return only_unit_makes_room() && issue_run(state_, forever, state_.first_fifo.words_in_the_way());
}

std::optional<cycles> thread_pipeline::push_b_now(std::uint32_t word, std::int64_t index, cycles at) {
    advance(at);
    return state_.b_core.empty() ? push_b(word, index, at) : std::nullopt;
}

std::optional<cycles> thread_pipeline::push_b(std::uint32_t word, std::int64_t index, cycles at) {
    settle_departures(state_);
    at = std::max({at, horizon_, state_.b_core.next_arrival()});
    while (!state_.b_core.empty()) {
        if (state_.is_stuck()) return std::nullopt;
        advance(++at);
    }
    state_.b_core.add(word, index, at);
    ++state_.context.counters.b_words_in;
    return at;
}

void thread_pipeline::set_mop_config(unsigned index, std::uint32_t value, cycles at) {
    advance(at);
    state_.mop.set_config(index, value, std::max(at, horizon_), state_.first_fifo, state_.context);
}

// --- time --------------------------------------------------------------------------------------------------

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
    state_.gate.time_passes(end);
    horizon_ = end;
}

void thread_pipeline::come_to_end() {
    horizon_ = std::max(horizon_, next_issue());
    if (!state_.is_stuck() || stuck_reported_) return;
    stuck_reported_ = true;
    state_.report_stuck(horizon_);
}

/// Moves words until no stage can before `end`. Within the horizon the order of the stages does not matter:
/// each word carries its time.
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
    if (state_.is_stuck()) return std::nullopt;
    at = std::max({at, latest_intake() + one_cycle, state_.replay.free(), next_issue()});
    while (state_.context.around().vector_unit_moves(at)) ++at;
    horizon_ = std::max(horizon_, at);
    return at;
}

bool thread_pipeline::is_idle(cycles at) {
    advance(at);
    if (!is_empty() || at < std::max({latest_intake() + one_cycle, state_.replay.free(), next_issue()}))
        return false;
    return !state_.context.around().vector_unit_moves(at);
}

std::optional<cycles> thread_pipeline::mop_idle_from(cycles at) {
    at = std::max(at, horizon_);
    advance(at);
    while (!is_mop_idle()) {
        if (state_.is_stuck()) return std::nullopt;
        advance(++at);
    }
    return at;
}

// --- together with others ----------------------------------------------------------------------------------

void thread_pipeline::move_to_gate(cycles end) {
    for (bool moved = true; moved;) {
        moved = false;
        while (step_mop(end)) moved = true;
        while (step_replay(end)) moved = true;
    }
}

slot_offer thread_pipeline::offer_before(cycles end) {
    move_to_gate(end);
    return offer_of(state_, end);
}

bool thread_pipeline::is_quiet_before(cycles end) {
    if (state_.is_working() || state_.gate.is_open_question()) return false;
    const auto is_later = [end](const auto& queue) { return queue.empty() || queue.front().at >= end; };
    const push_fifo& first = state_.first_fifo;
    return is_later(state_.b_core) && is_later(first) && (!first.empty() || !refill() || is_later(first));
}

/// No cycle before it needs to be looked at, given what the pipeline holds.
cycles thread_pipeline::next_action(cycles now) {
    if (state_.is_stuck()) return forever;
    if (state_.is_working()) return now + one_cycle;
    // Behind the latest word, which may hold its thread.
    cycles next = next_issue() > now ? next_issue() : forever;
    if (!state_.first_fifo.empty()) next = std::min(next, state_.first_fifo.front().at);
    if (!state_.b_core.empty()) next = std::min(next, state_.b_core.front().at);
    return std::max(next, now + one_cycle);
}

// --- stages ------------------------------------------------------------------------------------------------

bool thread_pipeline::step_mop(cycles end) {
    if (state_.first_fifo.empty() && !state_.mop.is_expanding()) {
        refill();
        if (state_.first_fifo.empty()) return state_.b_core.step(end, end, state_.replay_fifo);
    }
    return state_.mop.step(end, state_.first_fifo, state_.b_core, state_.replay_fifo, state_.context);
}

bool thread_pipeline::step_replay(cycles end) {
    if (state_.replay.is_playing()) return !state_.plays_in_bursts() && step_playback(end);
    if (state_.replay_fifo.empty()) return false;
    return state_.replay.step(end, state_.replay_fifo, state_.gate_fifo, state_.first_fifo, state_.context);
}

bool thread_pipeline::step_gate(cycles end) {
    if (state_.plays_in_bursts())
        return state_.issue.step_burst(end, state_.gate, state_.replay, state_.gate_fifo, state_.context);
    const stage_fifo& fifo = state_.gate_fifo;
    if (!state_.gate.waits() && (fifo.empty() || !passes_alone(fifo.front().word)))
        return issue_run(state_, end);
    return state_.issue.step(end, state_.gate, state_.gate_fifo, state_.first_fifo, shares_slot(),
                             state_.context);
}

} // namespace sfpu::frontend
