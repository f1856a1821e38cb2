// The sub-units as modules: targets that execute one instruction a transaction on the shared registers, in
// front of the plain classes of sub_units.h and dst_units.h.
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
class slice_sender final : public dst::slice_memory, private dst::slice_bw_if {
public:
    slice_sender(const char* name, tlm::tlm_command command) : socket(name), command_(command) {
        socket.bind(*this);
        trans_.set_command(command);
        trans_.set_data_ptr(reinterpret_cast<unsigned char*>(&cells));
    }
    slice_sender(const slice_sender&) = delete;
    slice_sender& operator=(const slice_sender&) = delete;

    void load(const dst::slice& access, lanes& data) override {
        send_other(tlm::TLM_READ_COMMAND, access, data);
    }
    void store(const dst::slice& access, const lanes& data) override {
        send_other(tlm::TLM_WRITE_COMMAND, access, const_cast<lanes&>(data)); // targets of writes read it
    }

    /// The slice and the cells of the payload: for send(), what is written here need not be copied.
    dst::slice& access() { return trans_.slice; }
    lanes cells;
    /// A refusal is reported as an error with the id `/sfpu/dst/refused`: a slice has no meaning for what is
    /// bound.
    void send() {
        trans_.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
        sc_core::sc_time delay;
        socket.b_transport(trans_, delay);
        if (trans_.is_response_error()) report_refusal();
    }

    connected_socket<dst::slice_initiator_socket, dst::slice_payload> socket;

private:
    void send_other(tlm::tlm_command command, const dst::slice& access, lanes& data) {
        static_cast<dst::slice&>(trans_.slice) = access;
        trans_.set_command(command);
        trans_.set_data_ptr(reinterpret_cast<unsigned char*>(&data));
        send();
        trans_.set_command(command_);
        trans_.set_data_ptr(reinterpret_cast<unsigned char*>(&cells));
    }
    tlm::tlm_sync_enum nb_transport_bw(dst::slice_payload&, tlm::tlm_phase&, sc_core::sc_time&) override {
        return tlm::TLM_COMPLETED;
    }
    void invalidate_direct_mem_ptr(sc_dt::uint64, sc_dt::uint64) override {}
    [[gnu::noinline]] void report_refusal() const;

    const tlm::tlm_command command_; ///< of send()
    dst::slice_payload trans_;
};

/// How the unit of a module reaches Dst: its slice and cells are those of the sender's payload.
struct own_slices {
    slice_sender& sender;

    dst::slice& access() const { return sender.access(); }
    lanes& cells() const { return sender.cells; }
    void load() const { sender.send(); }
    void store() const { sender.send(); }
};

/// What all sub-unit modules do with a transaction but execute it.
class sub_unit_module : public sc_core::sc_module, protected instruction_receiver {
public:
    instruction_target_socket insn_tsock{"insn_tsock"};

protected:
    sub_unit_module(const sc_core::sc_module_name& name, unit_state& state) : sc_module(name), state_(state) {
        insn_tsock.bind(*this);
    }
    /// The step of a transaction; null if it has none, which is an error.
    static unit_step* step_of(instruction_payload& trans) {
        unit_step& step = trans.message.step;
        trans.set_response_status(step.insn ? tlm::TLM_OK_RESPONSE : tlm::TLM_GENERIC_ERROR_RESPONSE);
        return step.insn ? &step : nullptr;
    }
    sc_core::sc_time time_of(cycles latency) const {
        return {static_cast<double>(latency.count() * static_cast<std::int64_t>(state_.machine.period_ps)),
                sc_core::SC_PS};
    }

private:
    unit_state& state_;
};

/// Simple, MAD or Round.
class register_module final : public sub_unit_module {
public:
    register_module(const sc_core::sc_module_name& name, unit_state& state, isa::sub_unit unit);
    /// Takes over a changed configuration.
    void reset();

private:
    void b_transport(instruction_payload& trans, sc_core::sc_time& delay) override;

    register_unit unit_;
    std::array<sc_core::sc_time, 5> times_; ///< until an effect is visible, by latency class
};

/// Load or store: a module with a port to Dst.
class load_module final : public sub_unit_module {
public:
    load_module(const sc_core::sc_module_name& name, unit_state& state);
    void reset();

    slice_sender dst;

private:
    void b_transport(instruction_payload& trans, sc_core::sc_time& delay) override;

    load_unit unit_;
    sc_core::sc_time time_;
};

class store_module final : public sub_unit_module {
public:
    store_module(const sc_core::sc_module_name& name, unit_state& state);
    void reset();

    slice_sender dst;

private:
    void b_transport(instruction_payload& trans, sc_core::sc_time& delay) override;

    store_unit unit_;
    sc_core::sc_time time_;
};

} // namespace sfpu
