// A RISC-V hart without SystemC: RV32IM, Zicsr, Zifencei, machine mode, Tensix words, a coprocessor; timed.
//
// Timing (tile.md K1, K9). One instruction issues a cycle, in order. It waits until its operands are ready; a
// load holds up only who uses its result. What memory or a device adds to an access counts on top of the
// latency of the address region. Stores are posted: memory takes them one after the other from a short queue,
// and the hart waits when that is full; devices take them at once or hold the hart. Not modelled: the L0 data
// cache (every L1 load has the latency of a miss), coalescing of stores, the eight entries of the retire
// queue. Instruction fetches never miss, but for what memory adds to the first fetch of a word, unless
// hart.icache.miss_cycles says otherwise.
#pragma once

#include <sfpu/common/parameters.h>
#include <sfpu/riscv/coprocessor.h>
#include <sfpu/riscv/csr_file.h>
#include <sfpu/riscv/hart_ports.h>
#include <sfpu/riscv/instruction_set.h>
#include <sfpu/riscv/page_map.h>
#include <sfpu/riscv/push_jitter.h>

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

namespace sfpu::riscv {

/// What distinguishes one hart from another, and where it begins.
struct hart_setup {
    std::uint32_t hart_id = 0;  ///< mhartid
    std::uint32_t reset_pc = 0; ///< a multiple of 4, or the first fetch traps
    bool is_b_hart = false;     ///< a B hart never fuses Tensix words
};

struct hart_counters {
    std::uint64_t instructions = 0; ///< retired
    std::uint64_t tensix_words = 0;
    std::uint64_t loads = 0, stores = 0, branches = 0, mispredicted = 0, traps = 0;
    std::array<std::uint64_t, stall_cause_count> stalls{}; ///< cycles
};

/// Why run() came back.
enum class run_result : std::uint8_t {
    time_over, ///< the next instruction issues at the end of the time or later
    stopped,   ///< somebody called stop()
    trapped,   ///< an unhandled trap: every further run() comes back at once with this
    waiting,   ///< wfi: see resume_after_wait()
    halted,    ///< before an instruction with a breakpoint
};

class hart_core {
public:
    /// Without a Tensix port, Tensix words are stores to 0xFFE40000; without a coprocessor, its words are
    /// illegal.
    hart_core(memory_interface& memory, tensix_port* tensix, coprocessor* unit);

    /// Back to the state after construction, with a new configuration: registers and counters zero, cycle
    /// zero.
    void reset(const parameters& config, const hart_setup& setup);

    /// Executes all instructions that issue before cycle `until`. The last one may reach beyond it.
    run_result run(cycles until);
    /// Makes run() come back after the present instruction; for listeners and ports.
    void stop();

    /// The cycle in which the next instruction can issue at the earliest.
    cycles now() const { return now_; }
    /// Lets time pass without instructions.
    void wait_until(cycles at) { now_ = now_ < at ? at : now_; }
    std::uint32_t pc() const { return pc_; }
    void set_pc(std::uint32_t pc) { pc_ = pc; }
    std::uint32_t reg(unsigned number) const { return x_[number]; }
    void set_reg(unsigned number, std::uint32_t value) { x_[number ? number : discard_register] = value; }
    /// A CSR as a program would read it now; false if the program would trap.
    bool read_csr(unsigned number, std::uint32_t& value);
    /// Writes a CSR as a program would; false if the program would trap.
    bool set_csr(unsigned number, std::uint32_t value) {
        return !csr::is_read_only(number) && write_csr(number, value);
    }

    /// run() comes back (run_result::halted) before the instruction at this address. They outlive resets, and
    /// cost nothing where none stands. Not while run() is under way.
    void set_breakpoint(std::uint32_t address);
    void clear_breakpoint(std::uint32_t address);
    /// The next instruction executes though a breakpoint stands there.
    void pass_breakpoint() {
        passes_breakpoint_ = true;
        passed_breakpoint_ = pc_;
    }

    /// Delays pushes from now on, or none. It outlives resets, which begin it anew.
    void set_jitter(const std::optional<push_jitter>& how);
    jitter_counters jitter() const { return delays_ ? delays_->counters() : jitter_counters{}; }

    const hart_counters& counters() const { return counters_; }
    /// The last trap that nothing could handle; valid after run_result::trapped.
    const unhandled_trap& trap() const { return unhandled_; }

    /// Sets or clears the pin of interrupt 3 (software), 7 (timer) or 11 (external). Seen before the next
    /// instruction.
    void set_interrupt(unsigned interrupt, bool pending);
    /// Somebody may raise interrupts, at any time. run() then comes back after each instruction while one
    /// could be taken, mip is read at its own time, and wfi waits; else wfi is a nop.
    void expect_interrupts() { expects_interrupts_ = true; }
    /// After run_result::waiting: whether an interrupt is pending that mie lets through.
    bool has_wanted_interrupt() const { return csrs_.has_wanted_interrupt(); }
    /// After run_result::waiting: the hart goes on in this cycle.
    void resume_after_wait(cycles at) { hold(stall_cause::interrupt, at); }

    void set_listener(hart_listener* listener) { listener_ = listener; }
    /// Whether retired() and stalled() are wanted.
    void publish(bool wanted) { publishes_ = wanted; }
    /// Stores to these addresses are told to the listener. A length of zero watches nothing.
    void watch_stores(std::uint32_t address, std::uint32_t length);

    /// The direct memory between these addresses (inclusive) is no longer valid.
    void forget_direct_memory(std::uint32_t first, std::uint32_t last);
    /// Somebody else may have changed code (fence.i).
    void forget_code();

private:
    friend struct execution; // the semantics of the rows

    static constexpr unsigned far_places = 64;   ///< of which hart_parameters::far_loads are used
    static constexpr cycles far_latency{5};      ///< of loads that are far; others are pipelined
    static constexpr unsigned store_places = 16; ///< of which hart_parameters::store_queue are used

    template <bool Published, bool Misses>
    void execute_until_limit();
    void set_instruction_cache(const hart_setup& setup);
    void fetch_line(std::uint32_t pc);
    void publish_retired(std::uint32_t pc, std::uint32_t word, std::uint64_t count);
    void break_loop();

    void enter_code_page(std::uint32_t pc);
    decoded_instruction* decode_at(std::uint32_t pc);
    bool decode(std::uint32_t pc, decoded_instruction& entry);
    void reach_breakpoint();
    bool call_host();
    static void decode_and_execute(hart_core& hart, const decoded_instruction& entry);
    memory_answer fetch(std::uint32_t pc);

    void hold(stall_cause cause, cycles until) {
        if (now_ < until) stall(cause, until);
    }
    void stall(stall_cause cause, cycles until);
    void wait_for_operands(const decoded_instruction& insn, cycles ready);
    cycles retired_after(cycles at) const;

    misaligned_access misaligned(std::uint32_t address, unsigned size, bool is_store,
                                 misaligned_access action);
    void access_fault(std::uint32_t address, unsigned size, bool is_store);
    void wait_for_far_load(cycles latency) {
        if (far_loads_ && latency >= far_latency) wait_for_place_of_far_load(latency);
    }
    void wait_for_place_of_far_load(cycles latency);
    memory_answer load_aligned(std::uint32_t address, unsigned size);
    void load_slowly(std::uint32_t address, unsigned size, bool sign_extend, unsigned rd);
    void loaded(unsigned rd, std::uint32_t value, cycles ready);
    bool store_slowly(std::uint32_t address, unsigned size, std::uint32_t value);
    [[gnu::noinline]] bool prepare_misaligned_store(std::uint32_t& address, unsigned size,
                                                    std::uint32_t value);
    void stored(std::uint32_t address, unsigned size, std::uint32_t value);
    bool store_aligned(std::uint32_t address, unsigned size, std::uint32_t value);
    [[gnu::noinline]] bool store_to_memory(std::uint32_t address, unsigned size, std::uint32_t value);
    bool store_to_device(std::uint32_t address, unsigned size, std::uint32_t value);
    cycles place_in_store_queue();
    void queue_store(cycles taken) { store_taken_[stores_queued_++ % store_places] = taken; }
    cycles last_store_taken() const { return store_taken_[(stores_queued_ - 1) % store_places]; }
    void modify_atomically(std::uint32_t address, std::uint32_t operand,
                           std::uint32_t (*operation)(std::uint32_t, std::uint32_t), unsigned rd);
    bool touches_watched(std::uint32_t address, unsigned size) const;
    void push_tensix_words(const decoded_instruction& insn);
    void delay_push(unsigned together, std::uint32_t address = 0);
    /// The coprocessor, which sees everything that was pushed.
    class coprocessor& coprocessor_in_order() {
        if (tensix_) tensix_->hand_on();
        return *coprocessor_;
    }

    void wait_for_interrupt();
    void reset_traps();
    void trap(std::uint32_t cause, std::uint32_t value);
    void take_exception(std::uint32_t cause, std::uint32_t pc, std::uint32_t value);
    void enter_handler(std::uint32_t cause, std::uint32_t pc, std::uint32_t value);
    bool goes_nowhere(std::uint32_t cause, std::uint32_t pc);
    void return_from_trap();
    void take_interrupt();
    bool write_csr(unsigned number, std::uint32_t value);
    bool read_counter(unsigned number, std::uint32_t& value) const;
    bool write_counter(unsigned number, std::uint32_t value);

    // What every instruction touches.
    std::array<std::uint32_t, discard_register + 1> x_{};
    std::array<cycles, discard_register + 1> ready_{}; ///< first cycle in which a reader can issue
    cycles now_{};                                     ///< the next instruction does not issue before
    cycles issued_{};                                  ///< when the present instruction issued
    cycles run_limit_{};
    std::uint32_t pc_ = 0; ///< while an instruction executes: of the next one
    std::uint32_t page_first_ = 0;
    code_page* page_ = nullptr;
    std::uint64_t executed_ = 0; ///< complete instructions, those that trapped included
    cycles alu_latency_{}, multiply_latency_{}, mispredict_penalty_{}, csr_latency_{};
    cycles slowest_result_{}; ///< when all results are there
    bool multiply_blocks_ = false, fuses_ = false, publishes_ = false;
    misaligned_access misaligned_{}; ///< never by_architecture
    unsigned far_loads_ = 0;         ///< that may issue within a latency; 0: any number
    std::array<bool, discard_register + 1> from_multiplier_{}; ///< what a wait for a register is blamed on
    std::array<cycles, store_places> store_taken_{};           ///< when memory has taken the last stores
    std::array<cycles, far_places> far_issued_{};              ///< when the last far loads issued
    std::uint64_t far_issued_count_ = 0;
    unsigned stores_queued_ = 0;
    bool expects_interrupts_ = false;
    bool in_atomic_ = false; ///< its store happens in the cycle of its load

    memory_interface& memory_;
    tensix_port* tensix_;
    coprocessor* coprocessor_;
    hart_listener* listener_ = nullptr;
    parameters config_;
    csr_file csrs_;
    page_map pages_;
    std::vector<std::uint32_t> lines_; ///< of the instruction cache, by address; empty: fetches never miss
    std::size_t oldest_line_ = 0;
    std::uint32_t line_ = 0; ///< that the latest instruction came from
    hart_counters counters_;
    std::uint64_t cycle_offset_ = 0, instret_offset_ = 0;
    std::uint32_t watched_first_ = 0, watched_length_ = 0;

    run_result result_ = run_result::time_over;
    unhandled_trap unhandled_;
    std::uint64_t not_retired_ = 0; ///< complete instructions that trapped
    bool trapped_before_ = false;   ///< since the last mret
    std::uint64_t last_trap_retired_ = 0;
    std::uint32_t last_trap_pc_ = 0, last_trap_cause_ = 0;
    unsigned repeated_traps_ = 0;

    hart_setup setup_;
    std::optional<push_jitter> jitter_;
    std::optional<push_delays> delays_;
    std::vector<std::uint32_t> breakpoints_;
    bool passes_breakpoint_ = false;
    std::uint32_t passed_breakpoint_ = 0;
};

} // namespace sfpu::riscv
