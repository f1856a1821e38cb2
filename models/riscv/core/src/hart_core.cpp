// The instruction loop of a hart: fetching, decoding, waiting.
#include <sfpu/riscv/hart_core.h>

#include "execution.h"

#include <algorithm>
#include <array>
#include <iterator>

namespace sfpu::riscv {
namespace {

/// Tensix words that one cycle pushes together, unless front_end.fifo.push_width is more, and at most.
constexpr unsigned fused_words = 4, most_fused_words = 16;
/// An instruction cache without a bound, which can only miss a line once.
constexpr unsigned unlimited_cache_bytes = 65536;
constexpr std::uint32_t line_bytes = 16;
constexpr std::uint32_t no_line = 1; ///< no address of a line

bool chosen(by_chip choice, bool by_architecture) {
    return choice == by_chip::by_architecture ? by_architecture : choice == by_chip::on;
}

} // namespace

const char* to_string(stall_cause cause) {
    constexpr const char* names[] = {"load-use",  "load-queue",  "multiply",  "divide", "branch",
                                     "fetch",     "store-queue", "fifo-full", "device", "coprocessor",
                                     "serialize", "interrupt",   "jitter"};
    static_assert(std::size(names) == stall_cause_count);
    return names[static_cast<unsigned>(cause)];
}

hart_core::hart_core(memory_interface& memory, tensix_port* tensix, class coprocessor* unit)
    : memory_(memory), tensix_(tensix), coprocessor_(unit) {
    reset(parameters{}, hart_setup{});
}

void hart_core::reset(const parameters& config, const hart_setup& setup) {
    const chip_description& chip = describe(config.arch);
    const hart_parameters& p = config.hart;
    config_ = config;
    alu_latency_ = cycles{p.latency_alu};
    multiply_latency_ = cycles{p.latency_multiply};
    multiply_blocks_ = !chosen(p.pipelined_multiply, chip.pipelines_multiply);
    csr_latency_ = cycles{p.latency_csr};
    mispredict_penalty_ = cycles{p.mispredict_penalty ? p.mispredict_penalty : chip.mispredict_penalty};
    fuses_ = chosen(p.fuse_tensix_words, chip.fuses_tensix_words) && !setup.is_b_hart;

    misaligned_ = p.misaligned != misaligned_access::by_architecture ? p.misaligned
                  : chip.rounds_addresses_down                       ? misaligned_access::round_down
                                                                     : misaligned_access::bytes;
    far_loads_ = p.far_loads ? p.far_loads : chip.far_loads;

    x_.fill(0);
    ready_.fill(cycles{});
    from_multiplier_.fill(false);
    slowest_result_ = now_ = issued_ = cycles{};
    store_taken_.fill(cycles{});
    stores_queued_ = 0;
    in_atomic_ = false;
    far_issued_.fill(cycles{-(1 << 20)}); // long ago
    far_issued_count_ = 0;
    pc_ = setup.reset_pc;
    run_limit_ = cycles{};
    executed_ = 0;
    cycle_offset_ = instret_offset_ = 0;
    counters_ = hart_counters{};
    csrs_.reset(setup.hart_id);
    reset_traps();
    page_first_ = data_page::no_page;
    pages_.reset(config, memory_, &decode_and_execute);
    set_instruction_cache(setup);
    setup_ = setup;
    set_jitter(jitter_);
}

void hart_core::set_jitter(const std::optional<push_jitter>& how) {
    jitter_ = how;
    delays_.reset();
    if (how) delays_.emplace(*how, setup_.hart_id, !setup_.is_b_hart);
}

void hart_core::set_instruction_cache(const hart_setup& setup) {
    const chip_description& chip = describe(config_.arch);
    const bool is_t1 = setup.hart_id == 1 && !setup.is_b_hart;
    unsigned bytes = config_.hart.icache_bytes;
    if (bytes == 0) bytes = is_t1 ? chip.icache_bytes_of_t1 : chip.icache_bytes;
    if (bytes == 0) bytes = unlimited_cache_bytes;
    if (config_.hart.icache_miss_cycles == 0) bytes = 0;
    lines_.assign((bytes + line_bytes - 1) / line_bytes, no_line);
    oldest_line_ = 0;
    line_ = no_line;
}

// --- running -----------------------------------------------------------------------------------------------

run_result hart_core::run(cycles until) {
    if (result_ == run_result::trapped) return result_;
    result_ = run_result::time_over;
    while (result_ == run_result::time_over && now_ < until) {
        if (pc_ & 3u) { // only after a reset to such an address
            take_exception(cause::misaligned_fetch, pc_, pc_);
            continue;
        }
        if (csrs_.interrupt_to_take()) take_interrupt();
        if (expects_interrupts_ && csrs_.can_be_interrupted()) until = std::min(until, now_ + one_cycle);
        run_limit_ = until;
        if (!lines_.empty())
            publishes_ ? execute_until_limit<true, true>() : execute_until_limit<false, true>();
        else if (publishes_) execute_until_limit<true, false>();
        else execute_until_limit<false, false>();
    }
    counters_.instructions = executed_ - not_retired_;
    return result_;
}

template <bool Published, bool Misses>
void hart_core::execute_until_limit() {
    while (now_ < run_limit_) {
        const std::uint32_t pc = pc_;
        if constexpr (Misses) {
            if (pc - pc % line_bytes != line_) fetch_line(pc);
            if (now_ >= run_limit_) break;
        }
        if (page_of(pc) != page_first_) enter_code_page(pc);
        const decoded_instruction& insn = page_->at[pc % page_bytes / 4];
        pc_ = pc + 4;
        const std::uint64_t before = executed_ - not_retired_;
        insn.execute(*this, insn);
        ++executed_;
        if constexpr (Published) publish_retired(pc, insn.word, executed_ - not_retired_ - before);
    }
}

void hart_core::publish_retired(std::uint32_t pc, std::uint32_t word, std::uint64_t count) {
    if (listener_ && count) // a trap retires nothing
        listener_->retired(
            {pc, word, static_cast<unsigned>(count), issued_, std::max(issued_, now_ - one_cycle)});
}

void hart_core::break_loop() { run_limit_ = cycles{}; }

void hart_core::stop() {
    if (result_ == run_result::time_over) result_ = run_result::stopped;
    break_loop();
}

// --- code --------------------------------------------------------------------------------------------------

/// Goes on in another line of the instruction cache, which it may not hold yet.
void hart_core::fetch_line(std::uint32_t pc) {
    line_ = pc - pc % line_bytes;
    if (std::find(lines_.begin(), lines_.end(), line_) != lines_.end()) return;
    lines_[oldest_line_] = line_;
    oldest_line_ = (oldest_line_ + 1) % lines_.size();
    hold(stall_cause::fetch, now_ + cycles{config_.hart.icache_miss_cycles});
}

void hart_core::enter_code_page(std::uint32_t pc) {
    pages_.bound_code();
    page_ = &pages_.code(pc);
    page_first_ = page_of(pc);
}

/// The entry of an address, decoded. Null if it cannot be fetched.
decoded_instruction* hart_core::decode_at(std::uint32_t pc) {
    code_page& page = page_of(pc) == page_first_ ? *page_ : pages_.code(pc);
    decoded_instruction& entry = page.at[pc % page_bytes / 4];
    if (entry.execute != &decode_and_execute) return &entry;
    if (!decode(pc, entry)) return nullptr;
    if (std::find(breakpoints_.begin(), breakpoints_.end(), pc) != breakpoints_.end())
        entry.execute = &execution::breakpoint;
    return &entry;
}

/// False if it cannot be fetched.
bool hart_core::decode(std::uint32_t pc, decoded_instruction& entry) {
    const memory_answer fetched = fetch(pc);
    if (fetched.fault) return false;
    hold(stall_cause::fetch, fetched.done);
    const std::uint32_t word = fetched.value;
    if (is_tensix_word(word) && (word || !config_.hart.zero_word_is_illegal)) {
        entry = decoded_instruction{};
        entry.execute = &execution::tensix;
    } else if (const instruction_row* row = find_instruction(word, config_)) {
        entry = decode_fields(word, pc, *row);
        if (config_.hart.predictor == branch_predictor::none) entry.predicted_taken = false;
    } else if (coprocessor_ && coprocessor_->claims(word)) {
        entry = decoded_instruction{};
        entry.execute = &execution::coprocessor;
        entry.rs1 = static_cast<std::uint8_t>(coprocessor_->scalar_operand(word) & 31u);
    } else {
        entry = decoded_instruction{};
        entry.execute = &execution::illegal;
    }
    entry.word = word;
    return true;
}

void hart_core::decode_and_execute(hart_core& hart, const decoded_instruction&) {
    const std::uint32_t pc = hart.pc_ - 4;
    if (const decoded_instruction* entry = hart.decode_at(pc)) return entry->execute(hart, *entry);
    hart.issued_ = hart.now_;
    hart.trap(cause::fetch_fault, pc);
}

void hart_core::forget_code() {
    pages_.forget_code();
    std::fill(lines_.begin(), lines_.end(), no_line);
    line_ = no_line;
}

void hart_core::forget_direct_memory(std::uint32_t, std::uint32_t) { pages_.forget_direct_memory(); }

// --- breakpoints and the host ------------------------------------------------------------------------------

void hart_core::set_breakpoint(std::uint32_t address) {
    clear_breakpoint(address);
    breakpoints_.push_back(address);
}

void hart_core::clear_breakpoint(std::uint32_t address) {
    breakpoints_.erase(std::remove(breakpoints_.begin(), breakpoints_.end(), address), breakpoints_.end());
    pages_.forget_code();
}

void hart_core::reach_breakpoint() {
    const std::uint32_t pc = pc_ - 4;
    if (passes_breakpoint_ && passed_breakpoint_ == pc) {
        passes_breakpoint_ = false;
        decoded_instruction instruction;
        if (decode(pc, instruction)) return instruction.execute(*this, instruction);
        issued_ = now_;
        return trap(cause::fetch_fault, pc);
    }
    pc_ = pc;
    ++not_retired_;
    result_ = run_result::halted;
    break_loop();
}

/// Semihosting: the words around an `ebreak` say that the host is called.
bool hart_core::call_host() {
    constexpr std::uint32_t mark_before = 0x01f01013, mark_behind = 0x40705013; // slli and srai of x0
    if (!listener_ || pc_ < 8) return false;
    const memory_answer before = fetch(pc_ - 8), behind = fetch(pc_);
    if (before.fault || behind.fault || before.value != mark_before || behind.value != mark_behind)
        return false;
    std::uint32_t result = 0;
    if (!listener_->host_called(x_[10], x_[11], result, issued_)) return false;
    x_[10] = result;
    return true;
}

// --- time --------------------------------------------------------------------------------------------------

void hart_core::stall(stall_cause cause, cycles until) {
    counters_.stalls[static_cast<unsigned>(cause)] += static_cast<std::uint64_t>((until - now_).count());
    if (publishes_ && listener_) listener_->stalled(cause, now_, until);
    now_ = until;
}

void hart_core::wait_for_operands(const decoded_instruction& insn, cycles ready) {
    const unsigned slower = ready_[insn.rs1] == ready ? insn.rs1 : insn.rs2;
    hold(from_multiplier_[slower] ? stall_cause::multiply : stall_cause::load_use, ready);
}

cycles hart_core::retired_after(cycles at) const {
    return std::max(at + csr_latency_, slowest_result_ + one_cycle);
}

// --- Tensix words ------------------------------------------------------------------------------------------

void hart_core::push_tensix_words(const decoded_instruction& insn) {
    if (!tensix_) {
        store_slowly(push_address, 4, tensix_instruction(insn.word));
        return;
    }
    std::uint32_t words[most_fused_words] = {tensix_instruction(insn.word)};
    const unsigned fused = std::clamp(config_.front_end.push_width, fused_words, most_fused_words);
    const unsigned most = fuses_ && csrs_.fuses_tensix_words() ? fused : 1;
    unsigned count = 1;
    for (; count < most; ++count) {
        const std::uint32_t pc = pc_ + 4 * (count - 1);
        if (delays_ && delays_->is_delayed(pc)) break;
        const decoded_instruction* next = decode_at(pc);
        if (!next || next->execute != &execution::tensix) break;
        words[count] = tensix_instruction(next->word);
    }
    if (delays_) delay_push(most);
    const cycles at = issued_ = now_;
    const cycles free = tensix_->push(words, count, at);
    if (free < cycles{}) return trap(cause::store_fault, push_address);
    for (unsigned i = 0; delays_ && i < count; ++i) delays_->pushed(words[i]);
    counters_.tensix_words += count;
    pc_ += 4 * (count - 1);
    executed_ += count - 1;
    now_ = at + one_cycle;
    hold(stall_cause::fifo_full, free);
}

/// The NOPs in front of the push that executes. `together`: words that one cycle pushes; 0: the push is a
/// store to `address`.
void hart_core::delay_push(unsigned together, std::uint32_t address) {
    constexpr std::array<std::uint32_t, most_fused_words> nops = [] {
        std::array<std::uint32_t, most_fused_words> all{};
        for (std::uint32_t& each : all) each = push_delays::nop;
        return all;
    }();
    const push_delay delay = delays_->before(pc_ - 4);
    hold(stall_cause::jitter, now_ + cycles{delay.core_nops});
    for (unsigned left = delay.tensix_nops; left != 0;) {
        const unsigned count = std::min(left, std::max(together, 1u));
        cycles free;
        if (together != 0) {
            free = tensix_->push(nops.data(), count, now_);
            if (free < cycles{}) return; // the word's own push finds out, too
        } else {
            const memory_answer answer = memory_.store(address, 4, push_delays::nop, now_);
            if (answer.fault) return;
            free = answer.done;
        }
        left -= count;
        hold(stall_cause::jitter, now_ + one_cycle);
        hold(stall_cause::fifo_full, free);
    }
}

} // namespace sfpu::riscv
