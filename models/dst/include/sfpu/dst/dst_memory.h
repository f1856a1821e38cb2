// Dst memory as a module: a load and a store port for the vector unit and a 32-bit port for everybody else,
// in front of a dst_core.
#pragma once

#include <sfpu/common/parameters.h>
#include <sfpu/dst/dst_core.h>
#include <sfpu/dst/slice_protocol.h>
#include <sfpu/probe/reporter.h>

#include <systemc>
#include <tlm>
#include <tlm_utils/simple_target_socket.h>

#include <cstdint>

namespace sfpu::dst {

/// `mem_tsock` shows the raw storage: 32 KiB, cell (row, column) at byte row * 32 + column * 2,
/// little-endian, any length, no byte enables. It answers TLM_ADDRESS_ERROR_RESPONSE outside,
/// TLM_BYTE_ENABLE_ERROR_RESPONSE for byte enables and TLM_BURST_ERROR_RESPONSE for a streaming width below
/// the length. transport_dbg works at any moment. Both first bring an attached vector unit to their time and
/// see the stores that loads of that cycle see. DMI is granted only while none is attached, since a lagging
/// unit may still have to act in the past.
class dst_memory : public sc_core::sc_module {
public:
    slice_target_socket load_tsock;
    slice_target_socket store_tsock;
    tlm_utils::simple_target_socket_optional<dst_memory, 32> mem_tsock; ///< may stay unbound

    explicit dst_memory(const sc_core::sc_module_name& name);

    /// Back to zeros, with a new configuration. The reporter must outlive the next reset.
    void reset(const parameters& config, probe::reporter* reporter);

    /// From now on the unit is brought to the present by every access. Takes back DMI that was granted
    /// before.
    void attach(lagging_model& unit);

    /// Stores that are not visible yet become visible (end of a run).
    void settle() {
        complete();
        core_.settle();
    }

    /// Everything before `time` happens, and the stores that are visible by then are put in place. Returns
    /// the cycle that begins then, or the next one.
    cycles bring_to(const sc_core::sc_time& time);
    /// A row of storage was written from outside the vector unit in this cycle; loads of its 8x16 block that
    /// come too soon are reported from now on (tile.md K7).
    void note_external_write(unsigned row, cycles at) { core_.note_external_write(row, at); }

    /// As of dst_core, for everything that an attached unit has not issued yet.
    void set_upper_halves(bool are_meant) {
        complete();
        core_.set_upper_halves(are_meant);
    }

    /// With the stores of all words that an attached unit has issued so far. Ask again after the next push.
    dst_storage& storage() {
        complete();
        return core_.storage();
    }
    const dst_storage& storage() const {
        complete();
        return core_.storage();
    }
    std::uint64_t reads() const {
        complete();
        return core_.reads();
    }
    std::uint64_t writes() const {
        complete();
        return core_.writes();
    }

private:
    /// Gives each of the two slice sockets its own forward interface; it takes one command only.
    template <tlm::tlm_command Command>
    struct slice_port : slice_fw_if {
        dst_memory& owner;
        explicit slice_port(dst_memory& memory) : owner(memory) {}
        void b_transport(slice_payload& trans, sc_core::sc_time& delay) override;
        tlm::tlm_sync_enum nb_transport_fw(slice_payload& trans, tlm::tlm_phase& phase,
                                           sc_core::sc_time& delay) override;
        bool get_direct_mem_ptr(slice_payload&, tlm::tlm_dmi&) override { return false; }
        unsigned transport_dbg(slice_payload&) override { return 0; }
    };
    void complete() const {
        if (attached_) attached_->complete();
    }
    void b_transport(tlm::tlm_generic_payload& trans, sc_core::sc_time& delay);
    unsigned transport_dbg(tlm::tlm_generic_payload& trans);
    bool get_direct_mem_ptr(tlm::tlm_generic_payload& trans, tlm::tlm_dmi& dmi);
    tlm::tlm_response_status check(const tlm::tlm_generic_payload& trans) const;
    void move(tlm::tlm_generic_payload& trans, unsigned length);

    slice_port<tlm::TLM_READ_COMMAND> load_port_{*this};
    slice_port<tlm::TLM_WRITE_COMMAND> store_port_{*this};
    dst_core core_;
    lagging_model* attached_ = nullptr;
    bool dmi_granted_ = false;
    sc_core::sc_time access_time_;
};

} // namespace sfpu::dst
