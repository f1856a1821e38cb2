#include <sfpu/dst/dst_memory.h>

#include <algorithm>
#include <cstdint>
#include <cstring>

namespace sfpu::dst {
namespace {

lanes& data_of(slice_payload& trans) { return *reinterpret_cast<lanes*>(trans.get_data_ptr()); }

} // namespace

dst_memory::dst_memory(const sc_core::sc_module_name& name)
    : sc_module(name), load_tsock("load_tsock"), store_tsock("store_tsock"), mem_tsock("mem_tsock") {
    load_tsock.bind(load_port_);
    store_tsock.bind(store_port_);
    mem_tsock.register_b_transport(this, &dst_memory::b_transport);
    mem_tsock.register_transport_dbg(this, &dst_memory::transport_dbg);
    mem_tsock.register_get_direct_mem_ptr(this, &dst_memory::get_direct_mem_ptr);
    reset(parameters{}, nullptr);
}

void dst_memory::reset(const parameters& config, probe::reporter* reporter) {
    complete(); // what stored before stores into what was there before
    access_time_ = std::max(sc_core::sc_time(static_cast<double>(config.period_ps()), sc_core::SC_PS),
                            sc_core::sc_get_time_resolution()); // never zero: it divides
    core_.reset(config, reporter);
}

void dst_memory::attach(lagging_model& unit) {
    attached_ = &unit;
    unit.may_put_off();
    if (dmi_granted_) mem_tsock->invalidate_direct_mem_ptr(0, bytes - 1);
    dmi_granted_ = false;
}

// --- slices ------------------------------------------------------------------------------------------------

template <tlm::tlm_command Command>
void dst_memory::slice_port<Command>::b_transport(slice_payload& trans, sc_core::sc_time& delay) {
    const bool wrong_command = trans.get_command() != Command;
    const bool malformed = trans.get_data_length() != sizeof(lanes) || !trans.get_data_ptr() ||
                           (trans.slice.row & ~(row_count - 4)) != 0;
    if (wrong_command || malformed) {
        trans.set_response_status(wrong_command ? tlm::TLM_COMMAND_ERROR_RESPONSE
                                                : tlm::TLM_GENERIC_ERROR_RESPONSE);
        return;
    }
    trans.set_response_status(tlm::TLM_OK_RESPONSE);
    delay += owner.access_time_;
    if constexpr (Command == tlm::TLM_READ_COMMAND) owner.core_.load_here(trans.slice, data_of(trans));
    else owner.core_.store_here(trans.slice, data_of(trans));
}

template <tlm::tlm_command Command>
tlm::tlm_sync_enum dst_memory::slice_port<Command>::nb_transport_fw(slice_payload& trans,
                                                                    tlm::tlm_phase& phase,
                                                                    sc_core::sc_time& delay) {
    b_transport(trans, delay); // the same timing: the answer is complete at once
    phase = tlm::BEGIN_RESP;
    return tlm::TLM_COMPLETED;
}

// --- raw bytes ---------------------------------------------------------------------------------------------

cycles dst_memory::bring_to(const sc_core::sc_time& time) {
    if (!attached_) {
        core_.settle();
        return cycles{static_cast<std::int64_t>(time.value() / access_time_.value())};
    }
    const cycles now = attached_->catch_up(time);
    core_.apply_stores_visible_at(now);
    return now;
}

tlm::tlm_response_status dst_memory::check(const tlm::tlm_generic_payload& trans) const {
    const sc_dt::uint64 address = trans.get_address();
    const unsigned length = trans.get_data_length();
    if (address >= bytes || length > bytes - address) return tlm::TLM_ADDRESS_ERROR_RESPONSE;
    if (trans.get_byte_enable_ptr()) return tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE;
    if (trans.get_streaming_width() < length) return tlm::TLM_BURST_ERROR_RESPONSE;
    return length == 0 || trans.get_data_ptr() ? tlm::TLM_OK_RESPONSE : tlm::TLM_GENERIC_ERROR_RESPONSE;
}

void dst_memory::move(tlm::tlm_generic_payload& trans, unsigned length) {
    if (length == 0) return; // there may be no data pointer
    unsigned char* place = core_.storage().data() + trans.get_address();
    if (trans.is_read()) std::memcpy(trans.get_data_ptr(), place, length);
    else if (trans.is_write()) std::memcpy(place, trans.get_data_ptr(), length);
}

void dst_memory::b_transport(tlm::tlm_generic_payload& trans, sc_core::sc_time& delay) {
    const tlm::tlm_response_status status = check(trans);
    trans.set_response_status(status);
    trans.set_dmi_allowed(status == tlm::TLM_OK_RESPONSE && !attached_);
    if (status != tlm::TLM_OK_RESPONSE) return;
    bring_to(sc_core::sc_time_stamp() + delay);
    move(trans, trans.get_data_length());
    delay += access_time_;
}

/// A debug access has neither byte enables nor a streaming width, and moves what there is of its range.
unsigned dst_memory::transport_dbg(tlm::tlm_generic_payload& trans) {
    const sc_dt::uint64 address = trans.get_address();
    if (address >= bytes || trans.get_command() == tlm::TLM_IGNORE_COMMAND || !trans.get_data_ptr()) return 0;
    const unsigned length = std::min(trans.get_data_length(), bytes - static_cast<unsigned>(address));
    bring_to(sc_core::sc_time_stamp());
    move(trans, length);
    return length;
}

bool dst_memory::get_direct_mem_ptr(tlm::tlm_generic_payload& trans, tlm::tlm_dmi& dmi) {
    const bool inside = trans.get_address() < bytes;
    dmi.set_start_address(inside ? 0 : bytes);
    dmi.set_end_address(inside ? bytes - 1 : ~sc_dt::uint64{0});
    if (attached_ || !inside) {
        dmi.allow_none();
        return false;
    }
    dmi_granted_ = true;
    dmi.set_dmi_ptr(core_.storage().data());
    dmi.allow_read_write();
    dmi.set_read_latency(access_time_);
    dmi.set_write_latency(access_time_);
    return true;
}

} // namespace sfpu::dst
