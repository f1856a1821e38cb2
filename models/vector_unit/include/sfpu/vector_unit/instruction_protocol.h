// The protocol inside the vector unit: one transaction hands one decoded instruction to the next stage.
//
// The payload carries no data. The mandatory extension holds the instruction and the absolute cycle in which
// it executes, or the plan and the cycle in which it begins; the target adds the time until its effect is
// visible to the annotated delay. Since it is mandatory, the payload type of the protocol contains it.
#pragma once

#include <sfpu/common/systemc_version.h>
#include <sfpu/vector_unit/connected_socket.h>
#include <sfpu/vector_unit/unit_step.h>

#include <tlm>

namespace sfpu {

struct instruction_extension : tlm::tlm_extension<instruction_extension> {
    unit_step step;   ///< to a sub-unit; without an instruction elsewhere
    plan_order order; ///< to the macro scheduler; without a plan elsewhere

    tlm::tlm_extension_base* clone() const override { return new instruction_extension(*this); }
    void copy_from(const tlm::tlm_extension_base& other) override {
        *this = static_cast<const instruction_extension&>(other);
    }
};

/// A generic payload that always carries the extension.
class instruction_payload : public tlm::tlm_generic_payload {
public:
    instruction_payload() {
        set_command(tlm::TLM_IGNORE_COMMAND);
        set_extension(&message);
    }
    ~instruction_payload() override { clear_extension(&message); }
    instruction_payload(const instruction_payload&) = delete;
    instruction_payload& operator=(const instruction_payload&) = delete;

    instruction_extension message;
};

struct instruction_protocol_types {
    using tlm_payload_type = instruction_payload;
    using tlm_phase_type = tlm::tlm_phase;
};

using instruction_initiator_socket = tlm::tlm_initiator_socket<32, instruction_protocol_types>;
using instruction_target_socket = tlm::tlm_target_socket<32, instruction_protocol_types>;
using instruction_fw_if = tlm::tlm_fw_transport_if<instruction_protocol_types>;
using instruction_bw_if = tlm::tlm_bw_transport_if<instruction_protocol_types>;

/// An initiator socket with the one payload that it ever sends: no allocation in the steady state.
class instruction_sender : instruction_bw_if {
public:
    explicit instruction_sender(const char* name) : socket(name) { socket.bind(*this); }
    instruction_sender(const instruction_sender&) = delete;
    instruction_sender& operator=(const instruction_sender&) = delete;

    instruction_extension& message() { return trans_.message; }
    /// Hands the message on. What the modules send each other is always well-formed: an error response is an
    /// error of the model and reported as one.
    void send() {
        sc_core::sc_time delay;
        socket.b_transport(trans_, delay);
        if (trans_.is_response_error()) report_refusal();
    }

    connected_socket<instruction_initiator_socket, instruction_payload> socket;

private:
    void report_refusal() const;
    tlm::tlm_sync_enum nb_transport_bw(instruction_payload&, tlm::tlm_phase&, sc_core::sc_time&) override {
        return tlm::TLM_COMPLETED;
    }
    void invalidate_direct_mem_ptr(sc_dt::uint64, sc_dt::uint64) override {}

    instruction_payload trans_;
};

/// Base of targets: b_transport is theirs, the rest of the interface is the same for all.
class instruction_receiver : public instruction_fw_if {
    tlm::tlm_sync_enum nb_transport_fw(instruction_payload& trans, tlm::tlm_phase& phase,
                                       sc_core::sc_time& delay) override {
        b_transport(trans, delay); // the same timing: the answer is complete at once
        phase = tlm::BEGIN_RESP;
        return tlm::TLM_COMPLETED;
    }
    bool get_direct_mem_ptr(instruction_payload&, tlm::tlm_dmi&) override { return false; }
    unsigned transport_dbg(instruction_payload&) override { return 0; }
};

} // namespace sfpu
