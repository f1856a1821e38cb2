// What surrounds a hart core: memory, the Tensix front end, and who wants to know what it does.
//
// Pure C++. Time is counted in cycles of the hart's clock, absolute from reset. Calls come in program order.
// The times of consecutive calls may go back by the few cycles that a store waits in the store queue.
#pragma once

#include <sfpu/common/hart_parameters.h>
#include <sfpu/common/types.h>

#include <cstdint>
#include <string>

namespace sfpu::riscv {

/// How an access ended.
struct memory_answer {
    std::uint32_t value = 0; ///< loads and fetches: zero-extended
    cycles done{};           ///< the access time plus what the target added
    bool fault = false;      ///< nothing was read or written
};

/// A stretch of memory that the core may touch without asking. All of it is readable.
struct direct_memory {
    std::uint32_t first = 0, last = 0; ///< inclusive
    unsigned char* bytes = nullptr;    ///< of address `first`; little-endian
    bool writable = false;
    cycles load_time{}, store_time{}; ///< what the target adds to one access of up to four bytes
    bool shared = false; ///< others use it: loads and stores must synchronise() first, fetches need not
    /// Loads and stores meet others in time: memory_interface::note_direct() gives what each takes, and not
    /// the times above. Fetches need not ask.
    bool timed = false;
};

/// Everything with an address. Sizes are 1, 2 or 4 bytes and accesses are aligned to their size.
class memory_interface {
public:
    virtual ~memory_interface() = default;
    virtual memory_answer load(std::uint32_t address, unsigned size, cycles at) = 0;
    virtual memory_answer store(std::uint32_t address, unsigned size, std::uint32_t value, cycles at) = 0;
    virtual memory_answer fetch(std::uint32_t address, cycles at) = 0;
    /// Describes the direct memory around `address`; false if there is none. Valid until
    /// hart_core::forget_direct_memory().
    virtual bool find_direct(std::uint32_t address, direct_memory& found) = 0;
    /// Before the core touches shared direct memory: lets everything happen that others do before this cycle.
    /// False: the core was stopped before it, so that the access does not happen.
    virtual bool synchronise(cycles /*at*/) { return true; }
    /// The core loads or stores through the pointer to timed direct memory in this cycle. Returns what memory
    /// adds, as an access without the pointer would take.
    virtual cycles note_direct(const unsigned char* /*place*/, unsigned /*size*/, bool /*is_write*/,
                               cycles /*at*/) {
        return cycles{};
    }
};

/// Where Tensix words go.
class tensix_port {
public:
    virtual ~tensix_port() = default;
    /// Pushes words that one cycle of the hart sends together. Returns the first cycle in which
    /// the hart can go on: `at` + 1 if the FIFO had room for all of them. Below zero: nobody takes them, a
    /// store access fault.
    virtual cycles push(const std::uint32_t* words, unsigned count, cycles at) = 0;
    /// Comes before anything but memory_interface and this port may look at what the words do: words that are
    /// still held back are handed on.
    virtual void hand_on() {}
    /// The status CSRs 0xBC0 (queues) and 0xBC1 (busy).
    virtual std::uint32_t status(unsigned csr, cycles at) = 0;
};

/// Why an instruction, or the one behind it, had to wait.
enum class stall_cause : std::uint8_t {
    load_use,    ///< an operand comes from a load or an atomic
    load_queue,  ///< as many slow loads are under way as the core takes
    multiply,    ///< an operand comes from a multiplication, or that occupies the pipeline
    divide,      ///< a division occupies the pipeline
    branch,      ///< a mispredicted branch, a trap or a return from one
    fetch,       ///< what memory added to an instruction fetch
    store_queue, ///< the store queue is full
    fifo_full,   ///< a Tensix word waits for its FIFO
    device,      ///< a device that holds the hart
    coprocessor, ///< the coprocessor holds the hart, or a fence waits for it
    serialize,   ///< a CSR instruction or fence waits for what is before it
    interrupt,   ///< wfi waits
    jitter,      ///< a delay that was asked for (push_jitter.h)
};
constexpr unsigned stall_cause_count = static_cast<unsigned>(stall_cause::jitter) + 1;
const char* to_string(stall_cause cause); ///< "load-use", "multiply", ...

/// A trap that nothing can handle: the program is at its end.
struct unhandled_trap {
    std::uint32_t cause = 0, mepc = 0, mtval = 0;
    std::uint32_t instruction = 0; ///< the word at mepc; 0 if it could not be fetched
    bool has_instruction = false;
    bool no_handler = false; ///< mtvec is zero; else the handler traps again and again
    cycles at{};

    /// "illegal instruction (cause 2), mepc 0x80000010, mtval 0x00000000, instruction 0x00000000 (.word
    /// 0x00000000); no handler is set, mtvec is zero".
    std::string text() const;
};

/// An instruction that was executed and took no trap.
struct retired_instruction {
    std::uint32_t pc = 0, word = 0;
    unsigned count = 1; ///< more than one: Tensix words that executed together
    cycles begin{};     ///< the cycle in which it issued
    cycles end{};       ///< the last cycle in which it held up the instruction behind it
};

/// A load or store that did not go as the program wrote it.
struct odd_access {
    std::uint32_t address = 0;
    unsigned size = 0; ///< bytes
    bool is_store = false;
    std::uint32_t pc = 0;
    cycles at{};
    misaligned_access action{}; ///< what a misaligned one does; never by_architecture
};

/// Told what happens in a hart. The last two only if the core is told to (hart_core::publish).
class hart_listener {
public:
    virtual ~hart_listener() = default;
    virtual void trapped(const unhandled_trap&) {}
    /// A store of `size` bytes that touched the watched addresses. The memory has changed already.
    virtual void watched_store(std::uint32_t /*address*/, unsigned /*size*/, std::uint32_t /*value*/,
                               cycles /*at*/) {}
    /// The address is no multiple of the size; parameter hart.misaligned says what happens then.
    virtual void misaligned(const odd_access&) {}
    /// Memory refused it: an access fault.
    virtual void refused(const odd_access&) {}
    /// A call of the host by semihosting: `ebreak` between its two marks. True if it was served; the program
    /// then finds `result` in a0. Else it is a breakpoint.
    virtual bool host_called(std::uint32_t /*operation*/, std::uint32_t /*parameter*/,
                             std::uint32_t& /*result*/, cycles /*at*/) {
        return false;
    }
    virtual void retired(const retired_instruction&) {}
    /// Held in the cycles `from` to `until` - 1.
    virtual void stalled(stall_cause, cycles /*from*/, cycles /*until*/) {}
};

} // namespace sfpu::riscv
