#include <sfpu/frontend/wait_gate.h>

#include <sfpu/isa/disassembler.h>
#include <sfpu/isa/instruction.h>

#include <fmt/format.h>

#include <algorithm>

namespace sfpu::frontend {
namespace {

/// Bits of STALLWAIT's condition mask. Wormhole has four packers, so that its numbers differ.
struct condition_bits {
    std::uint32_t matrix, vector, config;
    std::uint32_t all;
    std::uint32_t if_zero; ///< what a mask of zero stands for
};
constexpr condition_bits blackhole_conditions{1u << 4, 1u << 11, 1u << 12, 0x1fff, 0x0f};
constexpr condition_bits wormhole_conditions{1u << 7, 1u << 14, 0, 0x7fff, 0x7f};
constexpr const condition_bits& conditions_of(architecture arch) {
    switch (arch) {
    case architecture::blackhole: return blackhole_conditions;
    case architecture::wormhole: return wormhole_conditions;
    }
    __builtin_unreachable();
}

constexpr unsigned block_shift = 15, semaphore_shift = 2;
constexpr unsigned mutex_of(std::uint32_t word) { return word & 0xffff; }
constexpr std::uint32_t mova2d = 0x12; ///< opcode of the Matrix Unit's copy from SrcA to Dst

} // namespace

void wait_gate::reset(const parameters& config, unsigned thread, sync_unit& sync, surroundings& around) {
    *this = {};
    thread_ = thread;
    arch_ = config.arch;
    const front_end_parameters& p = config.front_end;
    lag_ = cycles{p.wait_gate_lag};
    matrix_lag_ = cycles{p.wait_gate_matrix_lag};
    busy_after_setrwc_ = cycles{p.matrix_busy_after_setrwc};
    busy_after_copy_ = cycles{p.matrix_busy_after_copy};
    matrix_stays_busy_ = p.matrix_busy_after_setrwc + p.matrix_busy_after_copy != 0;
    sync_ = &sync;
    around_ = &around;
    has_backend_ = around.has_backend();
}

void wait_gate::occupy(std::uint32_t word, cycles at) {
    thread_held_until_ = occupy_backend(word, at, sync_->backend);
    if (!is_scalar(word)) config_busy_until_ = is_rmwcib(word) ? at + one_cycle : sync_->backend.config_free;
}

void wait_gate::take_state(const wait_gate& other) {
    sync_unit* const sync = sync_;
    surroundings* const around = around_;
    *this = other;
    sync_ = sync;
    around_ = around;
}

/// Whether nothing that the wait names is busy in this cycle.
bool wait_gate::is_met(cycles at, bool vector, bool matrix, bool config) const {
    const condition_bits& bits = conditions_of(arch_);
    if ((conditions_ & bits.matrix) && (matrix || at < matrix_busy_until_)) return false;
    if ((conditions_ & bits.config) && (config || at < config_busy_until_)) return false;
    if (while_zero_ && sync_->any_zero(semaphore_mask_)) return false;
    if (while_maximum_ && sync_->any_at_maximum(semaphore_mask_)) return false;
    if (conditions_ & bits.vector) return !vector && !around_->vector_unit_busy(at);
    return true;
}

void wait_gate::met_in(cycles at) {
    is_met_ = true;
    blocked_until_ = at + lag_ + (waits_for_matrix() ? matrix_lag_ : cycles{});
}

void wait_gate::note_matrix_word(std::uint32_t word, cycles at) {
    const std::uint32_t code = word >> 24;
    if (code != isa::opcode::setrwc && code != mova2d) return;
    const cycles longer = code == mova2d ? busy_after_copy_ : busy_after_setrwc_;
    matrix_busy_until_ = std::max(matrix_busy_until_, at + one_cycle + longer);
}

/// Evaluates the cycles before `end` that have not been: in none of them did a word pass.
void wait_gate::evaluate_until(cycles end) {
    while (!is_met_ && evaluated_until_ < end) {
        const cycles at = evaluated_until_;
        if (is_met(at, false, false, false)) {
            met_in(at);
        } else if ((!waits_for_unit() || !around_->vector_unit_moves(at)) &&
                   !(waits_for_matrix() && at < matrix_busy_until_) &&
                   !(waits_for_config() && at < config_busy_until_)) { // it stays as it is
            stuck_ = true;
            return;
        }
        ++evaluated_until_;
    }
}

bool wait_gate::waits_for_unit() const { return conditions_ & conditions_of(arch_).vector; }
bool wait_gate::waits_for_config() const { return conditions_ & conditions_of(arch_).config; }
bool wait_gate::waits_for_matrix() const { return conditions_ & conditions_of(arch_).matrix; }

wait_gate::opening wait_gate::opens(std::uint32_t word, cycles from) {
    if (blocks(word)) {
        if (!is_met_ && stuck_) return {forever, false};
        if (!is_met_) return {std::max(from, evaluated_until_ + lag_), false};
        from = std::max(from, blocked_until_);
    }
    if (takes_time(word)) return {std::max(from, backend_free(word, sync_->backend)), true};
    if (!is_for_mutex(word)) return {from, true};
    const cycles free = mutex_free_from(word);
    if (free != forever) return {std::max(from, free), true};
    if (has_mutex_of(word)) sync_->want(mutex_of(word), thread_, from);
    return {forever, false};
}

bool wait_gate::has_mutex_of(std::uint32_t word) const {
    return mutex_of(word) < sync_unit::count && (describe(arch_).mutexes >> mutex_of(word) & 1);
}

/// Since when the mutex of the word lets it pass.
cycles wait_gate::mutex_free_from(std::uint32_t word) const {
    if (!has_mutex_of(word)) return forever;
    return word >> 24 == isa::opcode::atgetm ? sync_->free_from(mutex_of(word), thread_) : cycles{};
}

void wait_gate::another_has_issued(cycles at) {
    if (!sees_every_issue()) return;
    evaluated_until_ = std::max(evaluated_until_, at + one_cycle);
    stuck_ = false;
}

/// The wait is forgotten if it blocks nothing in this cycle any more.
void wait_gate::forget_by(cycles at) {
    if (is_met_ && blocked_until_ <= at) waiting_ = false;
}

cycles wait_gate::find_cycle(std::uint32_t word, cycles from, cycles limit) {
    evaluate_until(from);
    forget_by(from);
    if (!blocks(word)) return from;
    for (cycles at = from; !is_met_; evaluate_until(++at))
        if (at >= limit || stuck_) return limit;
    return std::min(blocked_until_, limit);
}

/// The cycle in which a word passes.
void wait_gate::evaluate_with(std::uint32_t word, cycles at) {
    evaluate_until(at);
    forget_by(at);
    if (!waiting_ || is_met_) return;
    const block_mask unit = blocked_by(word, arch_);
    const bool one_unit = unit != block_all;
    if (is_met(at, is_vector(word), one_unit && (unit & block_matrix), one_unit && (unit & block_config)))
        met_in(at);
    evaluated_until_ = at + one_cycle;
    stuck_ = false;
}

void wait_gate::semaphores_change(cycles at) {
    evaluated_until_ = std::max(evaluated_until_, at);
    stuck_ = false;
}

// --- words of the Sync Unit --------------------------------------------------------------------------------

void wait_gate::execute(std::uint32_t word, cycles at, std::int64_t index) {
    const sync_unit::mask which = word >> semaphore_shift & 0xff;
    switch (word >> 24) {
    case isa::opcode::stallwait:
    case isa::opcode::semwait: latch(word, at, index); return;
    case isa::opcode::atgetm: sync_->acquire(mutex_of(word), thread_); return;
    case isa::opcode::atrelm: sync_->release(mutex_of(word), thread_, at); return;
    case isa::opcode::seminit: sync_->init(which, word >> 20 & 15, word >> 16 & 15); break;
    case isa::opcode::sempost: sync_->post(which); break;
    case isa::opcode::semget: sync_->get(which); break;
    default: return; // STREAMWAIT: the issue unit reports it
    }
    sync_->announce(at);
}

void wait_gate::latch(std::uint32_t word, cycles at, std::int64_t index) {
    waiting_ = true;
    is_met_ = stuck_ = false;
    word_ = word;
    index_ = index;
    block_ = word >> block_shift & block_all;
    if (block_ == 0) block_ = block_matrix;
    evaluated_until_ = at + one_cycle;
    conditions_ = 0;
    while_zero_ = while_maximum_ = false;
    if (word >> 24 == isa::opcode::semwait) {
        semaphore_mask_ = word >> semaphore_shift & 0xff;
        while_zero_ = word & 1;
        while_maximum_ = word & 2;
        if (!while_zero_ && !while_maximum_)
            around_->report(report_id::isa_undefined, at, index,
                            "SEMWAIT without a condition waits for nothing");
        return;
    }
    const condition_bits& bits = conditions_of(arch_);
    conditions_ = word & bits.all;
    if (conditions_ == 0) conditions_ = bits.if_zero;
    const std::uint32_t idle = conditions_ & ~(bits.matrix | bits.vector | bits.config);
    if (idle != 0 && !reported_idle_) {
        reported_idle_ = true;
        around_->report(
            report_id::frontend_idle_condition, at, index,
            fmt::format("{} waits for units that this model does not have (conditions {:#x}); they count "
                        "as idle",
                        isa::disassemble(word, arch_), idle));
    }
}

} // namespace sfpu::frontend
