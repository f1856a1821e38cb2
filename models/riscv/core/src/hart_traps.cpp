// Traps, interrupts and CSRs of a hart.
#include <sfpu/riscv/hart_core.h>

#include <fmt/format.h>

#include <algorithm>

namespace sfpu::riscv {
namespace {

/// A handler that traps at the same place so often, without a return in between, will go on doing so.
constexpr unsigned hopeless_repetitions = 1000;

constexpr std::uint64_t replace_low(std::uint64_t value, std::uint32_t low) {
    return value >> 32 << 32 | low;
}
constexpr std::uint64_t replace_high(std::uint64_t value, std::uint32_t high) {
    return (value & 0xffffffffu) | std::uint64_t{high} << 32;
}

} // namespace

std::string unhandled_trap::text() const {
    std::string result =
        fmt::format("{} (cause {}), mepc 0x{:08x}, mtval 0x{:08x}", cause_text(cause), cause, mepc, mtval);
    if (has_instruction) {
        // an illegal instruction has no other meaning, as the zero word would have as a Tensix word
        const bool meaningless = cause == cause::illegal_instruction && is_tensix_word(instruction);
        result += fmt::format(", instruction 0x{:08x} ({})", instruction,
                              meaningless ? fmt::format(".word 0x{:08x}", instruction)
                                          : riscv::text(instruction, mepc));
    }
    return result +
           (no_handler ? "; no handler is set, mtvec is zero" : "; its handler traps again and again");
}

// --- traps -------------------------------------------------------------------------------------------------

void hart_core::reset_traps() {
    result_ = run_result::time_over;
    unhandled_ = unhandled_trap{};
    trapped_before_ = false;
    last_trap_retired_ = 0;
    last_trap_pc_ = last_trap_cause_ = 0;
    repeated_traps_ = 0;
    not_retired_ = 0;
}

/// The instruction that is executing takes a trap instead.
void hart_core::trap(std::uint32_t cause, std::uint32_t value) {
    now_ = std::max(now_, issued_ + one_cycle);
    take_exception(cause, pc_ - 4, value);
    ++not_retired_;
}

void hart_core::take_exception(std::uint32_t cause, std::uint32_t pc, std::uint32_t value) {
    const bool no_handler = !csrs_.has_handler();
    const bool hopeless = goes_nowhere(cause, pc);
    enter_handler(cause, pc, value);
    if (!no_handler && !hopeless) return;

    pc_ = pc;
    unhandled_ = {cause, pc, value, 0, false, no_handler, issued_};
    if (cause != cause::fetch_fault && cause != cause::misaligned_fetch) {
        const memory_answer word = fetch(pc);
        unhandled_.has_instruction = !word.fault;
        unhandled_.instruction = word.value;
    }
    result_ = run_result::trapped;
    break_loop();
    if (listener_) listener_->trapped(unhandled_);
}

void hart_core::enter_handler(std::uint32_t cause, std::uint32_t pc, std::uint32_t value) {
    ++counters_.traps;
    pc_ = csrs_.enter(cause, pc, value);
    hold(stall_cause::branch, now_ + mispredict_penalty_);
}

/// Whether no handler can be expected to get out of this: its first instruction traps, or it traps without
/// end.
bool hart_core::goes_nowhere(std::uint32_t cause, std::uint32_t pc) {
    const std::uint64_t retired = executed_ - not_retired_;
    const bool no_progress = trapped_before_ && retired == last_trap_retired_;
    const bool repeats = trapped_before_ && pc == last_trap_pc_ && cause == last_trap_cause_;
    repeated_traps_ = repeats ? repeated_traps_ + 1 : 0;
    trapped_before_ = true;
    last_trap_retired_ = retired;
    last_trap_pc_ = pc;
    last_trap_cause_ = cause;
    return no_progress || repeated_traps_ >= hopeless_repetitions;
}

void hart_core::return_from_trap() {
    pc_ = csrs_.leave();
    trapped_before_ = false;
    hold(stall_cause::branch, now_ + mispredict_penalty_);
    break_loop(); // an interrupt may be due
}

// --- interrupts --------------------------------------------------------------------------------------------

void hart_core::set_interrupt(unsigned interrupt, bool pending) {
    csrs_.set_pending(interrupt, pending);
    break_loop();
}

void hart_core::wait_for_interrupt() {
    if (!expects_interrupts_ || csrs_.has_wanted_interrupt() || result_ != run_result::time_over) return;
    result_ = run_result::waiting;
    break_loop();
}

void hart_core::take_interrupt() {
    if (!csrs_.has_handler()) return; // stays pending: nothing says where to go
    enter_handler(cause::interrupt_bit | csrs_.interrupt_to_take(), pc_, 0);
}

// --- CSRs --------------------------------------------------------------------------------------------------

bool hart_core::read_csr(unsigned number, std::uint32_t& value) {
    if (number == csr::tensix_queues || number == csr::tensix_busy) {
        value = tensix_ ? tensix_->status(number, now_) : 0;
        return true;
    }
    if (number == csr::mip && expects_interrupts_) memory_.synchronise(now_);
    if (read_counter(number, value) || csrs_.read(number, value)) return true;
    return coprocessor_ && coprocessor_in_order().read_csr(number, now_, value);
}

bool hart_core::write_csr(unsigned number, std::uint32_t value) {
    if (number == csr::tensix_queues || number == csr::tensix_busy) return true; // the front end sets them
    if (write_counter(number, value)) return true;
    if (csrs_.write(number, value)) {
        break_loop(); // an interrupt may be due
        return true;
    }
    return coprocessor_ && coprocessor_in_order().write_csr(number, now_, value);
}

bool hart_core::read_counter(unsigned number, std::uint32_t& value) const {
    const std::uint64_t cycle = cycle_offset_ + static_cast<std::uint64_t>(now_.count());
    const std::uint64_t retired = instret_offset_ + executed_ - not_retired_;
    switch (number) {
    case csr::mcycle:
    case csr::cycle: value = static_cast<std::uint32_t>(cycle); return true;
    case csr::mcycleh:
    case csr::cycleh: value = static_cast<std::uint32_t>(cycle >> 32); return true;
    case csr::minstret:
    case csr::instret: value = static_cast<std::uint32_t>(retired); return true;
    case csr::minstreth:
    case csr::instreth: value = static_cast<std::uint32_t>(retired >> 32); return true;
    default: return false;
    }
}

/// A write of half of minstret replaces the increment by the writing instruction: the next one reads what was
/// written.
bool hart_core::write_counter(unsigned number, std::uint32_t value) {
    const std::uint64_t now = static_cast<std::uint64_t>(now_.count()), cycle = cycle_offset_ + now;
    const std::uint64_t before = executed_ - not_retired_, retired = instret_offset_ + before;
    switch (number) {
    case csr::mcycle: cycle_offset_ = replace_low(cycle, value) - now; return true;
    case csr::mcycleh: cycle_offset_ = replace_high(cycle, value) - now; return true;
    case csr::minstret: instret_offset_ = replace_low(retired, value) - (before + 1); return true;
    case csr::minstreth: instret_offset_ = replace_high(retired, value) - (before + 1); return true;
    default: return false;
    }
}

} // namespace sfpu::riscv
