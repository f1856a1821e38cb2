#include <sfpu/frontend/thread_pipeline.h>

#include <sfpu/isa/disassembler.h>
#include <sfpu/isa/instruction.h>

#include <fmt/format.h>

#include <algorithm>

namespace sfpu::frontend {
namespace {

/// Later than anything that happens; sums with it do not overflow.

constexpr bool is_mop(std::uint32_t word) { return word >> 24 == isa::opcode::mop; }
/// Words that the MOP expander passes on.
constexpr bool needs_room(std::uint32_t word) { return !is_mop(word) && word >> 24 != isa::opcode::mop_cfg; }

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

void thread_pipeline::reset(const parameters& config, unsigned thread, feed from, semaphore_bank& semaphores,
                            surroundings& around, probe::pipeline_observer* observer) {
    *this = {};
    arch_ = config.arch;
    thread_ = thread;
    from_ = from;
    around_ = &around;
    observer_ = observer;

    const first_fifo first = first_fifo_of(config, thread);
    depth_ = first.depth;
    accept_limit_ = first.accept_limit;
    push_width_ = first.push_width;
    held_to_gate_ = describe(arch_).held_to_gate;
    dead_cycles_ = cycles{config.front_end.mop_dead_cycles};
    longest_hold_ = cycles{std::max({config.latency_load, config.latency_simple, config.latency_mad,
                                     config.latency_round, config.latency_swap, config.latency_shuffle})};
    fifo_.set_capacity(depth_);
    b_fifo_.set_capacity(config.front_end.replay_fifo_depth);
    replay_fifo_.set_capacity(config.front_end.replay_fifo_depth);
    gate_fifo_.set_capacity(config.front_end.gate_fifo_depth);
    left_replay_fifo_.reset(config.front_end.replay_fifo_depth);
    left_gate_fifo_.reset(config.front_end.gate_fifo_depth);
    replay_.reset(config.front_end.replay_count_zero);
    gate_.reset(config, semaphores, around);
}

// --- pushes ----------------------------------------------------------------------------------------------------------

std::optional<cycles> thread_pipeline::push(std::uint32_t word, std::int64_t index, cycles at) {
    at = std::max(at, latest_arrival_);
    if (from_ == feed::fifo) {
        at = std::max(at, horizon_);
        const bool together = at == latest_arrival_ && arrived_together_ < push_width_ && held_ < depth_;
        if (!together) {
            if (at == latest_arrival_) ++at;
            const std::optional<cycles> accepted = wait_for_room(at);
            if (!accepted) return std::nullopt;
            at = *accepted;
        }
    }
    arrived_together_ = at == latest_arrival_ ? arrived_together_ + 1 : 1;
    latest_arrival_ = at;
    if (fifo_.full()) fifo_.set_capacity(2 * fifo_.capacity()); // a program's
    fifo_.push_back({word, true, index, at});
    waiting_mops_ += is_mop(word);
    ++held_;
    ++counters_.words_in;
    return at;
}

/// The first cycle from `at` on that begins with room for a push.
std::optional<cycles> thread_pipeline::wait_for_room(cycles at) {
    if (held_ <= accept_limit_) return at;
    const cycles asked = at;
    advance(at);
    while (held_ > accept_limit_) {
        if (is_stuck()) return std::nullopt;
        ++at;
        if (frees_nothing_while_playing()) at = std::max(at, replay_free_ + cycles{replay_.left()});
        advance(at);
    }
    if (at != asked) {
        counters_.full_cycles += static_cast<std::uint64_t>((at - asked).count());
        if (observer_) publish("fifo", "full", asked, at - one_cycle, "push to a full FIFO");
    }
    return at;
}

/// Whether no place of the first FIFO can become free before the present playback is over.
bool thread_pipeline::frees_nothing_while_playing() {
    if (!plays_in_bursts() || !replay_fifo_.full()) return false;
    return mop_.pending() || fifo_.empty() || needs_room(fifo_.front().word);
}

std::optional<cycles> thread_pipeline::push_b(std::uint32_t word, std::int64_t index, cycles at) {
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
    run(end);
    gate_.time_passes(end);
    horizon_ = end;
}

void thread_pipeline::run_ahead() { run(forever); }

void thread_pipeline::run_to_end() {
    run(forever);
    horizon_ = std::max(horizon_, gate_free_);
    if (!is_stuck() || stuck_reported_) return;
    stuck_reported_ = true;
    around_->report(report_id::frontend_never_released, horizon_, gate_.wait_index(), [&] {
        return fmt::format("{} holds {} for ever", isa::disassemble(gate_.wait_word(), arch_),
                           isa::disassemble(gate_fifo_.front().word, arch_));
    }());
}

/// Moves words until no stage can before `end`. Within the horizon the order of the stages does not matter: each word
/// carries its time.
void thread_pipeline::run(cycles end) {
    bool moved = true;
    while (moved) {
        moved = false;
        while (step_mop(end)) moved = true;
        while (step_replay(end)) moved = true;
        while (step_gate(end)) moved = true;
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

std::optional<cycles> thread_pipeline::mop_idle_from(cycles at) {
    at = std::max(at, horizon_);
    advance(at);
    while (mop_.pending() || waiting_mops_ != 0) {
        if (is_stuck()) return std::nullopt;
        advance(++at);
    }
    return at;
}

// --- what can be seen from outside -----------------------------------------------------------------------------------

bool thread_pipeline::is_working() {
    return mop_.pending() || replay_.playing() || !replay_fifo_.empty() || !gate_fifo_.empty();
}

std::uint32_t thread_pipeline::queued_status() {
    std::uint32_t bits = 0;
    for (const fifo* queue : {&fifo_, &b_fifo_, &replay_fifo_, &gate_fifo_})
        for (const queued_word& entry : *queue) bits |= status_bits(entry.word, arch_);
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
