// The TensorLoad engine as a module: a coprocessor of a hart with sockets to its memories.
#pragma once

#include <sfpu/common/parameters.h>
#include <sfpu/common/systemc_version.h>
#include <sfpu/probe/observer.h>
#include <sfpu/probe/reporter.h>
#include <sfpu/riscv/coprocessor.h>
#include <sfpu/tensorload/tensorload_core.h>

#include <systemc>
#include <tlm>
#include <tlm_utils/simple_initiator_socket.h>

#include <cstdint>
#include <deque>
#include <functional>
#include <limits>
#include <vector>

namespace sfpu::tensorload {

/// Give it to a hart as its coprocessor; both count cycles of parameters::period_ps() from the same reset. It
/// has no process: everything happens inside the hart's calls.
///
/// `l1m_isock` loads, `l0m_isock` stores: base protocol, address = base of the space (tensorload.l1m_base,
/// .l0m_base) + offset, one transaction for each slice, or for each beat under tensorload.beats=beat. Stores
/// to the Dst window go element by element, each transaction as wide as the element; with tensorload.l0m_raw
/// they are bulk as well, and the socket must be bound to raw storage. With tensorload.l0m=l1 (the default on
/// Wormhole) stores use the space of loads.
///
/// The annotated delay of a transaction leads to the cycle of its first beat; the transaction itself comes
/// when the instruction is issued, or, for stores to Dst in a tile, when somebody looks (keep_writes()). What
/// the target adds to it is time beyond the latency and beats that the engine counts, as for L1 of this
/// project; it delays the instruction. A target may wait. An error response sets tl_status.bus_error, is
/// reported as `/sfpu/tensorload/bus-error`, and leaves zeros in a load.
class tensorload_engine : public sc_core::sc_module, public riscv::coprocessor, private memory_access {
public:
    tlm_utils::simple_initiator_socket<tensorload_engine, 32> l1m_isock{"l1m_isock"};
    tlm_utils::simple_initiator_socket<tensorload_engine, 32> l0m_isock{"l0m_isock"};

    explicit tensorload_engine(const sc_core::sc_module_name& name);

    /// Everything as after construction, with this configuration; cycle 0 is the present simulated time. The
    /// listeners may be null and must outlive the next reset.
    void reset(const parameters& config, probe::pipeline_observer* observer = nullptr,
               probe::reporter* reporter = nullptr);

    bool claims(std::uint32_t word) const override { return core_.claims(word); }
    unsigned scalar_operand(std::uint32_t word) const override { return core_.scalar_operand(word); }
    riscv::coprocessor_answer issue(std::uint32_t word, std::uint32_t scalar, cycles at) override {
        return core_.issue(word, scalar, at);
    }
    bool read_csr(unsigned number, cycles at, std::uint32_t& value) override;
    bool write_csr(unsigned number, cycles at, std::uint32_t value) override {
        return core_.write_csr(number, at, value);
    }
    cycles drained(cycles at) override { return core_.drained(at); }

    /// Called with the cycle in which an instruction that accesses memory is issued: where others see what
    /// the engine does, it waits until simulated time has come there (riscv::hart::synchronise()). False: the
    /// run ends before it.
    void set_synchronise(std::function<bool(cycles)> synchronise) { synchronise_ = std::move(synchronise); }

    // Stores that others see in their own cycles, though the hart goes on at once.

    /// From now on what stores write is kept, and write_next() writes it. `way`: the cycles from when it
    /// leaves until the memory has it; `latency`: what the memory adds to the delay of each, the way
    /// included. `bring`: called before tl_status is read, with its time: writes before that are to be done.
    void keep_writes(cycles way, cycles latency, std::function<void(const sc_core::sc_time&)> bring);
    /// The cycle in which the memory has the next write that is kept, or one that never comes.
    cycles next_write() const { return kept_.empty() ? never : kept_.front().arrives; }
    /// When that cycle begins; only if there is such a write.
    sc_core::sc_time next_write_time() const { return time_of(kept_.front().arrives); }
    /// Writes it. Simulated time may be past that cycle: the target then is asked at the present time.
    void write_next();

    /// Registers, CSRs and counters.
    tensorload_core& core() { return core_; }
    const tensorload_core& core() const { return core_; }

    /// Registers the instruction counts of the sub-engines with a trace file.
    void trace(sc_core::sc_trace_file* file) const override;

private:
    using socket = tlm_utils::simple_initiator_socket<tensorload_engine, 32>;

    bool begin(cycles at) override { return !synchronise_ || synchronise_(at); }
    answer read(std::uint32_t offset, unsigned char* data, unsigned bytes, cycles at) override;
    answer write(std::uint32_t offset, const unsigned char* data, unsigned bytes, cycles at) override;
    answer transport(socket& to, tlm::tlm_command command, std::uint32_t address, unsigned char* data,
                     unsigned bytes, cycles at);
    sc_core::sc_time time_of(cycles at) const;

    /// A write that is under way.
    struct kept_write {
        cycles arrives{};
        std::uint32_t address = 0;
        std::vector<unsigned char> bytes;
    };
    static constexpr cycles never{std::numeric_limits<std::int64_t>::max()};

    tensorload_core core_{*this};
    std::function<bool(cycles)> synchronise_;
    std::function<void(const sc_core::sc_time&)> bring_; ///< empty: writes are not kept
    cycles way_{}, kept_latency_{};
    std::deque<kept_write> kept_; ///< in the order of their cycles
    probe::reporter* reporter_ = nullptr;
    sc_core::sc_time epoch_, period_;
    std::uint32_t load_base_ = 0, store_base_ = 0;
    std::array<unsigned char, register_bytes> outgoing_{};
};

} // namespace sfpu::tensorload
