// The window through which a T core reads and writes elements of Dst (Blackhole).
//
// Source: tt-isa-documentation, Blackhole, Dst, "RISCV access to Dst"; tile.md K7.
#pragma once

#include <sfpu/common/parameters.h>
#include <sfpu/dst/dst_memory.h>
#include <sfpu/memory/dst_format.h>
#include <sfpu/probe/reporter.h>

#include <systemc>
#include <tlm_utils/simple_target_socket.h>

#include <vector>

namespace sfpu::memory {

/// What a window needs to know of the configuration.
class dst_view_source {
public:
    struct view {
        dst_access_control access;
        bool remap_addrs = false, swizzle_32b = false; ///< DEST_ACCESS_CFG
    };
    virtual ~dst_view_source() = default;
    virtual view view_of(unsigned thread) const = 0;
};

/// One window for each T core: 32 KiB from address 0 on. Elements of 4 bytes lie in the order of
/// Dst32b[512][16], those of 2 bytes and of 1 byte in that of Dst16b[1024][16]; int8 therefore ends at 16
/// KiB. Loads and stores convert as the thread's RISC_DEST_ACCESS_CTRL says at that moment.
///
/// T0 and T1 access one element at a time with its size, T2 up to 16 bytes of whole elements. Responses:
/// TLM_ADDRESS_ERROR_RESPONSE outside, misaligned, and for everything on Wormhole; TLM_BURST_ERROR_RESPONSE
/// for another size, a streaming width below the length and reserved formats (these with
/// `/sfpu/dst/window-access`); TLM_BYTE_ENABLE_ERROR_RESPONSE for byte enables.
///
/// b_transport brings everything that lies behind it to the annotated time first: it sees exactly the stores
/// of earlier cycles. transport_dbg does that for the present time and moves the whole elements of its range.
/// There is no DMI.
class dst_window : public sc_core::sc_module {
public:
    tlm_utils::simple_target_socket<dst_window, 32> riscv_tsock{"riscv_tsock"};

    /// `thread`: 0, 1 or 2. Dst and configuration must outlive the window.
    dst_window(const sc_core::sc_module_name& name, dst::dst_memory& dst, const dst_view_source& views,
               unsigned thread);

    void reset(const parameters& config, probe::reporter* reporter = nullptr);

    /// A model to be brought to the time of each access before the one that is attached to Dst: what feeds
    /// the vector unit, in the order of the pipeline.
    void attach(dst::lagging_model& feeder) { feeders_.push_back(&feeder); }

private:
    using view = dst_view_source::view;

    void b_transport(tlm::tlm_generic_payload& trans, sc_core::sc_time& delay);
    unsigned transport_dbg(tlm::tlm_generic_payload& trans);
    bool get_direct_mem_ptr(tlm::tlm_generic_payload& trans, tlm::tlm_dmi& dmi);

    cycles bring_to(const sc_core::sc_time& time);
    tlm::tlm_response_status check(const tlm::tlm_generic_payload& trans, dst_format format) const;
    void report_misuse(const tlm::tlm_generic_payload& trans, dst_format format, cycles at);
    /// Moves whole elements; returns their number. `written`, if there is one, is called with each row of
    /// storage that a store changes.
    template <class Written>
    unsigned move(tlm::tlm_generic_payload& trans, unsigned length, const view& v, Written written);

    dst::dst_memory& dst_;
    const dst_view_source& views_;
    unsigned thread_;
    std::vector<dst::lagging_model*> feeders_;
    bool present_ = true; ///< Blackhole
    sc_core::sc_time latency_;
    probe::reporter* reporter_ = nullptr;
};

} // namespace sfpu::memory
