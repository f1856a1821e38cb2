// The load and the store sub-unit, which have a port to Dst each.
#pragma once

#include <sfpu/dst/slice_protocol.h>
#include <sfpu/vector_unit/sub_units.h>

#include <systemc>

namespace sfpu {

/// A Dst port of the load or store unit, with the one payload that it ever sends.
class slice_sender : dst::slice_bw_if {
public:
    slice_sender(const char* name, tlm::tlm_command command);
    ~slice_sender() override { trans_.clear_extension(&slice); }
    slice_sender(const slice_sender&) = delete;
    slice_sender& operator=(const slice_sender&) = delete;

    /// A refusal is reported as an error with the id `/sfpu/dst/refused`: a slice has no meaning for what is bound.
    void send() {
        trans_.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
        sc_core::sc_time delay;
        socket->b_transport(trans_, delay);
        if (trans_.is_response_error()) report_refusal();
    }
    /// Puts the slice of a Dst address into the extension.
    void aim(unsigned address, lane_mask exchanged_columns, const isa::backend_configuration& backend);

    dst::slice_initiator_socket socket;
    dst::slice_extension slice;
    lanes data;

private:
    tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload&, tlm::tlm_phase&,
                                       sc_core::sc_time&) override {
        return tlm::TLM_COMPLETED;
    }
    void invalidate_direct_mem_ptr(sc_dt::uint64, sc_dt::uint64) override {}
    void report_refusal() const;

    tlm::tlm_generic_payload trans_;
};

/// SFPLOAD, SFPLOADI, SFPLOADMACRO and SFPNOP.
class load_unit : public sub_unit_module {
public:
    slice_sender dst;
    load_unit(const sc_core::sc_module_name& name, lreg_file& lregs);

private:
    void b_transport(instruction_payload& trans, sc_core::sc_time& delay) override;
    void load(instruction_extension& message, const isa::instruction& insn, const class_timing& when);
    void load_register(instruction_extension& message, const isa::instruction& insn,
                       const class_timing& when);
};

/// SFPSTORE.
class store_unit : public sub_unit_module {
public:
    slice_sender dst;
    store_unit(const sc_core::sc_module_name& name, lreg_file& lregs);

private:
    void b_transport(instruction_payload& trans, sc_core::sc_time& delay) override;
    void store(instruction_extension& message, const isa::instruction& insn, lane_mask acting);
};

} // namespace sfpu
