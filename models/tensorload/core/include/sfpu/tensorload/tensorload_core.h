// The TensorLoad engine without SystemC: state, instructions, timing.
#pragma once

#include <sfpu/common/parameters.h>
#include <sfpu/probe/observer.h>
#include <sfpu/riscv/coprocessor.h>
#include <sfpu/tensorload/csr_file.h>
#include <sfpu/tensorload/schedule.h>
#include <sfpu/tensorload/semantics.h>
#include <sfpu/tensorload/timing.h>

#include <array>
#include <string>

namespace sfpu::tensorload {

/// The memories of an engine. Offsets are those of the memory space; accesses lie inside it.
class memory_access {
public:
    struct answer {
        bool ok = true;   ///< false: an error response; a load then gets zeros
        cycles delayed{}; ///< beyond the latency and the beats that the engine counts itself
    };
    virtual ~memory_access() = default;
    /// An instruction that accesses memory is issued in cycle `at`. False: it is not, since the run ends
    /// before; it then has no effect.
    virtual bool begin(cycles /*at*/) { return true; }
    /// Reads from the space of loads, in cycle `at`.
    virtual answer read(std::uint32_t offset, unsigned char* data, unsigned bytes, cycles at) = 0;
    /// Writes to the space of stores, in cycle `at`.
    virtual answer write(std::uint32_t offset, const unsigned char* data, unsigned bytes, cycles at) = 0;
};

/// What a sub-engine did since reset.
struct engine_counters {
    std::uint64_t instructions = 0;
    std::uint64_t busy = 0;       ///< cycles of occupancy
    std::uint64_t bytes = 0;      ///< moved to or from memory, or written to tensor registers
    std::uint64_t queue_full = 0; ///< cycles in which the hart was held
    std::uint64_t waited = 0;     ///< cycles in which the sub-engine was free and a register was not ready
    std::uint64_t memory = 0;     ///< cycles that memories added
};

/// Instructions act when they are issued: registers and memory change in program order. What is modelled in
/// time is when they start and complete, which the hart sees as stalls, in tl_status and through drained().
/// An instruction that traps changes nothing.
///
/// Timing of memory: the engine counts its beats, one a cycle, and the latency of the memory. What a memory
/// answers as its delay (waiting for a bank, narrow writes) comes on top: the later beats, the next
/// instruction of the sub-engine and the result are that much later. What Dst answers is a latency, in which
/// it takes the next beats: the instruction is complete that much later, once, and nothing else is.
class tensorload_core : public riscv::coprocessor {
public:
    explicit tensorload_core(memory_access& memory);

    /// Everything as after construction, in cycle 0. The observer may be null.
    void reset(const parameters& config, probe::pipeline_observer* observer = nullptr);

    bool claims(std::uint32_t word) const override { return is_tensorload(word); }
    unsigned scalar_operand(std::uint32_t word) const override;
    riscv::coprocessor_answer issue(std::uint32_t word, std::uint32_t scalar, cycles at) override;
    bool read_csr(unsigned number, cycles at, std::uint32_t& value) override;
    bool write_csr(unsigned number, cycles at, std::uint32_t value) override;
    cycles drained(cycles at) override { return schedule_.drained(at); }

    const tensor_register& tensor(unsigned number) const { return registers_[number % register_count]; }
    /// For debuggers and tests; tl0 stays zero.
    void set_tensor(unsigned number, const tensor_register& value);
    const csr_file& csrs() const { return csrs_; }
    const engine_counters& counters(sub_engine engine) const {
        return counters_[static_cast<unsigned>(engine)];
    }
    /// A write that was answered before it was done has failed.
    void note_bus_error() { ++bus_errors_; }
    std::uint64_t traps() const { return traps_; }
    std::uint64_t bus_errors() const { return bus_errors_; }
    /// Why the last instruction that trapped did so; empty before the first.
    const std::string& last_trap() const { return last_trap_; }
    /// When the last instruction that was accepted was placed, and what it took. No-ops are never placed.
    const placement& last_placement() const { return last_placement_; }
    const cost& last_cost() const { return last_cost_; }

private:
    struct pending; ///< an instruction on its way through the engine

    checked<cost> execute_load(pending& what, std::uint32_t base);
    checked<cost> execute_store(pending& what, std::uint32_t base);
    checked<cost> execute_addi(pending& what);
    checked<cost> execute_concat(pending& what);
    checked<cost> execute_merge(pending& what);
    checked<cost> execute_xpose(pending& what, std::uint32_t dimensions);
    checked<cost> execute(pending& what, std::uint32_t scalar);
    template <class Access>
    cycles move(pending& what, const std::vector<beat>& beats, bool is_pipelined, Access access);
    void place(pending& what) const;
    void account(const pending& what, const cost& needs);
    void publish(const pending& what, const cost& needs);
    riscv::coprocessor_answer refuse(std::uint32_t word, const trap& why);

    memory_access& memory_;
    parameters config_;
    probe::pipeline_observer* observer_ = nullptr;
    std::array<tensor_register, register_count> registers_{};
    csr_file csrs_;
    schedule schedule_;
    std::array<engine_counters, sub_engine_count> counters_{};
    std::uint64_t traps_ = 0, bus_errors_ = 0, flow_ = 0;
    std::string last_trap_;
    placement last_placement_;
    cost last_cost_;
};

} // namespace sfpu::tensorload
