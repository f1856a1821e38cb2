// The load and the store sub-unit, which have a port to Dst each.
#pragma once

#include <sfpu/dst/slice_protocol.h>
#include <sfpu/isa/slice_conversion.h>
#include <sfpu/isa/table.h>
#include <sfpu/vector_unit/sub_units.h>

#include <systemc>

namespace sfpu {

/// A Dst port of the load or store unit, with the one payload that it ever sends.
class slice_sender : dst::slice_bw_if {
public:
    slice_sender(const char* name, tlm::tlm_command command);
    slice_sender(const slice_sender&) = delete;
    slice_sender& operator=(const slice_sender&) = delete;

    dst::slice_extension& slice() { return trans_.slice; }
    /// A refusal is reported as an error with the id `/sfpu/dst/refused`: a slice has no meaning for what is bound.
    void send() {
        trans_.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
        sc_core::sc_time delay;
        socket.b_transport(trans_, delay);
        if (trans_.is_response_error()) report_refusal();
    }
    /// Fills in the slice of a Dst address, and whose access in which mode it is.
    void aim(unsigned address, lane_mask exchanged_columns, bool wide,
             const isa::backend_configuration& backend, const instruction_extension& message) {
        dst::slice_extension& to = slice();
        const cycles at = message.at; // read both before either is written: then they move together
        const std::int64_t word = message.word;
        to.at = at;
        to.word = word;
        to.row = address & ~3u;
        to.odd_columns = (address & 2u) ? all_lanes : exchanged_columns;
        to.wide = wide;
        to.rows = backend.rows;
    }

    connected_socket<dst::slice_initiator_socket, dst::slice_payload> socket;
    lanes data;

private:
    tlm::tlm_sync_enum nb_transport_bw(dst::slice_payload&, tlm::tlm_phase&, sc_core::sc_time&) override {
        return tlm::TLM_COMPLETED;
    }
    void invalidate_direct_mem_ptr(sc_dt::uint64, sc_dt::uint64) override {}
    [[gnu::noinline]] void report_refusal() const;

    dst::slice_payload trans_;
};

/// What the load and the store unit have in common: the way to Dst, and the conversions between cells and lanes.
class dst_unit : public sub_unit_module {
public:
    slice_sender dst;
    void reset() override;

protected:
    dst_unit(const sc_core::sc_module_name& name, isa::sub_unit unit, lreg_file& lregs, const char* port,
             tlm::tlm_command command);

    /// The thread whose word a message carries: that of the SFPLOADMACRO if it is scheduled.
    static isa::thread_state& thread_of(const instruction_extension& message) {
        return *message.thread_state;
    }
    unsigned dst_mode(const isa::instruction& insn, const isa::thread_state& thread) const {
        return insn.mod != isa::dst_mode::srcb ? insn.mod : srcb_mode(thread);
    }

    const isa::slice_conversions* conversions_; ///< of the architecture
    class_timing one_access_;

private:
    [[gnu::noinline]] static unsigned srcb_mode(const isa::thread_state& thread);
};

/// SFPLOAD, SFPLOADI, SFPLOADMACRO and SFPNOP.
class load_unit : public dst_unit {
public:
    load_unit(const sc_core::sc_module_name& name, lreg_file& lregs)
        : dst_unit(name, isa::sub_unit::load, lregs, "dst_load_isock", tlm::TLM_READ_COMMAND) {}

private:
    void b_transport(instruction_payload& trans, sc_core::sc_time& delay) override;
    bool is_plain(const instruction_extension& message, const isa::instruction& insn) const;
    void load(instruction_extension& message, const isa::instruction& insn, unsigned mode);
    [[gnu::noinline]] void publish_plain(const instruction_extension& message);
    [[gnu::noinline]] void load_specially(instruction_extension& message, const isa::instruction& insn,
                                          unsigned mode);
    [[gnu::noinline]] void load_immediate(instruction_extension& message, const isa::instruction& insn);
    void execute(instruction_extension& message, const isa::instruction& insn);
};

/// SFPSTORE.
class store_unit : public dst_unit {
public:
    store_unit(const sc_core::sc_module_name& name, lreg_file& lregs)
        : dst_unit(name, isa::sub_unit::store, lregs, "dst_store_isock", tlm::TLM_WRITE_COMMAND) {}

private:
    void b_transport(instruction_payload& trans, sc_core::sc_time& delay) override;
    void store(instruction_extension& message, const isa::instruction& insn, unsigned mode);
    [[gnu::noinline]] void publish_plain(const instruction_extension& message);
    [[gnu::noinline]] void store_specially(instruction_extension& message, const isa::instruction& insn,
                                           unsigned mode);
};

} // namespace sfpu
