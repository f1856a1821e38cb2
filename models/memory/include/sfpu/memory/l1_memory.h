// L1: scratchpad memory of 16 banks, with several ports.
#pragma once

#include <sfpu/common/direct_access_clock.h>
#include <sfpu/common/parameters.h>
#include <sfpu/common/systemc_version.h>
#include <sfpu/memory/byte_store.h>
#include <sfpu/memory/l1_banks.h>
#include <sfpu/probe/observer.h>

#include <systemc>
#include <tlm_utils/simple_target_socket.h>

#include <memory>
#include <vector>

namespace sfpu::memory {

/// Bytes from address 0 on, in lines of 16 bytes; line n lies in bank n mod 16. Functionally like `ram`.
///
/// Time: an initiator counts its own latency from L1 and one cycle for each line that its access touches;
/// b_transport adds only what comes on top of that. The lines of an access follow each other, the first in
/// the cycle of the annotated time. Each takes its bank for one cycle, or for memory.l1.narrow_write cycles
/// if a write changes less than the whole line, and waits for a bank that is busy with another access
/// (memory.l1.bank_conflicts). So the delay grows by nothing for a read or for whole lines, by 4 cycles for a
/// narrow write, and by all cycles of waiting.
///
/// Direct access (memory.l1.dmi) has read latency 0 and the 4 cycles of a narrow write as write latency, for
/// each access. With conflicts it has a clock (sfpu/common/direct_access_clock.h): who tells it of each
/// access meets the others as in b_transport, and is counted like them.
class l1_memory : public sc_core::sc_module {
public:
    struct statistics {
        std::uint64_t reads = 0, writes = 0; ///< transactions
        std::uint64_t bytes_read = 0, bytes_written = 0;
        std::uint64_t narrow_writes = 0;  ///< lines
        std::uint64_t bank_conflicts = 0; ///< lines that had to wait
        std::uint64_t conflict_cycles = 0;
    };

    static constexpr unsigned max_ports = 256; ///< what events have numbers for
    /// `bytes`: 1 to byte_store::most_bytes; `ports`: 1 to max_ports. Others are an SC_ERROR,
    /// "/sfpu/module/argument".
    l1_memory(const sc_core::sc_module_name& name, std::uint64_t bytes, unsigned ports = 1);

    tlm_utils::simple_target_socket_tagged<l1_memory, 32>& tsock(unsigned port = 0);

    /// Zeros, all banks free, statistics zero; direct access that was granted is taken back. The observer,
    /// which may be null, hears of accesses (lane "l1") and of waiting for banks (lane "l1_conflict");
    /// instance is the port.
    void reset(const parameters& config, probe::pipeline_observer* observer = nullptr);

    byte_store& bytes() { return bytes_; }
    const byte_store& bytes() const { return bytes_; }
    const statistics& stats() const { return statistics_; }

private:
    using socket = tlm_utils::simple_target_socket_tagged<l1_memory, 32>;

    void b_transport(int port, tlm::tlm_generic_payload& trans, sc_core::sc_time& delay);
    unsigned transport_dbg(int, tlm::tlm_generic_payload& trans) { return bytes_.debug_access(trans); }
    bool get_direct_mem_ptr(int port, tlm::tlm_generic_payload& trans, tlm::tlm_dmi& dmi);
    /// Of the pointer that a port was granted.
    struct port_clock final : direct_access_clock {
        l1_memory* owner = nullptr;
        int port = 0;
        tlm::tlm_generic_payload trans; ///< what an access without the pointer would send
        sc_core::sc_time note(const unsigned char* place, unsigned bytes, bool is_write,
                              const sc_core::sc_time& when) override;
    };
    /// What an access takes beyond one cycle a line.
    sc_core::sc_time time_access(const tlm::tlm_generic_payload& trans, const sc_core::sc_time& when,
                                 int port);
    void count(const tlm::tlm_generic_payload& trans);
    /// Takes the banks of all lines; returns what that takes longer than one cycle a line.
    cycles occupy(const tlm::tlm_generic_payload& trans, cycles at, int port);
    static bool is_narrow_write(const tlm::tlm_generic_payload& trans, std::uint64_t line);
    void publish(int port, const char* lane, const char* kind, cycles begin, cycles end,
                 const tlm::tlm_generic_payload& trans);

    byte_store bytes_;
    std::vector<std::unique_ptr<socket>> ports_;
    std::vector<bool> granted_; ///< ports that have a pointer
    std::vector<std::unique_ptr<port_clock>> clocks_;
    memory_parameters config_;
    sc_core::sc_time period_;
    sc_core::sc_time epoch_; ///< simulated time of the latest reset: cycle 0
    l1_banks banks_;
    statistics statistics_;
    probe::pipeline_observer* observer_ = nullptr;
};

} // namespace sfpu::memory
