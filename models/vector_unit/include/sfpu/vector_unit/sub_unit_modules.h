// The sub-units as modules: targets that execute one instruction a transaction on the shared registers, in front of the
// plain classes of sub_units.h and dst_units.h.
#pragma once

#include <sfpu/common/systemc_version.h>
#include <sfpu/dst/slice_protocol.h>
#include <sfpu/vector_unit/dst_units.h>
#include <sfpu/vector_unit/instruction_protocol.h>
#include <sfpu/vector_unit/sub_units.h>

#include <systemc>

#include <array>

namespace sfpu {

/// A Dst port of the load or store unit, with the one payload that it ever sends.
class slice_sender : public dst::slice_memory, private dst::slice_bw_if {
public:
    explicit slice_sender(const char* name) : socket(name) { socket.bind(*this); }
    slice_sender(const slice_sender&) = delete;
    slice_sender& operator=(const slice_sender&) = delete;

    void load(const dst::slice& access, lanes& data) override { send(tlm::TLM_READ_COMMAND, access, data); }
    void store(const dst::slice& access, const lanes& data) override {
        send(tlm::TLM_WRITE_COMMAND, access, const_cast<lanes&>(data)); // targets of writes read it
    }

    connected_socket<dst::slice_initiator_socket, dst::slice_payload> socket;

private:
    /// A refusal is reported as an error with the id `/sfpu/dst/refused`: a slice has no meaning for what is bound.
    void send(tlm::tlm_command command, const dst::slice& access, lanes& data) {
        static_cast<dst::slice&>(trans_.slice) = access;
        trans_.set_command(command);
        trans_.set_data_ptr(reinterpret_cast<unsigned char*>(&data));
        trans_.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
        sc_core::sc_time delay;
        socket.b_transport(trans_, delay);
        if (trans_.is_response_error()) report_refusal();
    }
    tlm::tlm_sync_enum nb_transport_bw(dst::slice_payload&, tlm::tlm_phase&, sc_core::sc_time&) override {
        return tlm::TLM_COMPLETED;
    }
    void invalidate_direct_mem_ptr(sc_dt::uint64, sc_dt::uint64) override {}
    [[gnu::noinline]] void report_refusal() const;

    dst::slice_payload trans_;
};

struct no_port {};

/// `Unit`: the plain class; `Port`: how it reaches Dst.
template <class Unit, class Port = no_port>
class sub_unit_module : public sc_core::sc_module, private instruction_receiver {
public:
    instruction_target_socket insn_tsock{"insn_tsock"};
    Port dst;

    sub_unit_module(const sc_core::sc_module_name& name, unit_state& state, isa::sub_unit unit)
        : sc_module(name), state_(state), unit_(state, unit) {
        insn_tsock.bind(*this);
    }
    sub_unit_module(const sc_core::sc_module_name& name, unit_state& state, const char* port)
        : sc_module(name), dst(port), state_(state), unit_(state, dst) {
        insn_tsock.bind(*this);
    }

    /// Takes over a changed configuration.
    void reset() {
        unit_.reset();
        for (unsigned of = 0; of < times_.size(); ++of) {
            const auto latency = unit_.latency(static_cast<isa::latency_class>(of)).count();
            times_[of] = sc_core::sc_time(
                static_cast<double>(latency) * static_cast<double>(state_.machine.period_ps), sc_core::SC_PS);
        }
    }

private:
    void b_transport(instruction_payload& trans, sc_core::sc_time& delay) final {
        unit_step& step = trans.message.step;
        if (!step.insn) return trans.set_response_status(tlm::TLM_GENERIC_ERROR_RESPONSE);
        trans.set_response_status(tlm::TLM_OK_RESPONSE);
        delay += times_[static_cast<unsigned>(step.insn->latency)];
        unit_.execute(step);
    }

    unit_state& state_;
    Unit unit_;
    std::array<sc_core::sc_time, 5> times_; ///< until an effect is visible, by latency class
};

/// Simple, MAD or Round.
using register_module = sub_unit_module<register_unit>;
using load_module = sub_unit_module<load_unit, slice_sender>;
using store_module = sub_unit_module<store_unit, slice_sender>;

} // namespace sfpu
