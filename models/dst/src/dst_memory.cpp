#include <sfpu/dst/dst_memory.h>

#include <sfpu/timing/dst_rules.h>

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

namespace sfpu::dst {

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
    config_ = config;
    reporter_ = reporter;
    access_time_ = sc_core::sc_time(static_cast<double>(config.period_ps()), sc_core::SC_PS);
    storage_.clear();
    reads_ = writes_ = 0;
    delayed_.clear();
    immediate_ = config.dst_store_load_visible <= 1;
    constexpr cycles long_ago{-1000000};
    for (auto& slice : last_store_) slice.fill(long_ago);
    external_write_.fill(long_ago);
    unsettled_until_ = long_ago;
}

void dst_memory::attach(lagging_model& unit) {
    attached_ = &unit;
    if (dmi_granted_) mem_tsock->invalidate_direct_mem_ptr(0, bytes - 1);
    dmi_granted_ = false;
}

// --- slices --------------------------------------------------------------------------------------------------------

void dst_memory::slice_port::b_transport(tlm::tlm_generic_payload& trans, sc_core::sc_time& delay) {
    const auto* slice = trans.get_extension<slice_extension>();
    const bool well_formed = slice && trans.get_data_length() == sizeof(lanes) &&
                             (slice->row & ~(row_count - 4)) == 0 && trans.get_command() == command;
    if (!well_formed) {
        const bool wrong_command = slice && trans.get_command() != command;
        trans.set_response_status(wrong_command ? tlm::TLM_COMMAND_ERROR_RESPONSE
                                                : tlm::TLM_GENERIC_ERROR_RESPONSE);
        return;
    }
    trans.set_response_status(tlm::TLM_OK_RESPONSE);
    delay += owner.access_time_;
    auto& data = *reinterpret_cast<lanes*>(trans.get_data_ptr());
    if (command == tlm::TLM_READ_COMMAND) owner.load(*slice, data);
    else owner.store(*slice, data);
}

tlm::tlm_sync_enum dst_memory::slice_port::nb_transport_fw(tlm::tlm_generic_payload& trans,
                                                           tlm::tlm_phase& phase, sc_core::sc_time& delay) {
    b_transport(trans, delay); // the same timing: the answer is complete at once
    phase = tlm::BEGIN_RESP;
    return tlm::TLM_COMPLETED;
}

/// Where the cells of an access are in storage, by row group (row / 4).
struct dst_memory::slice_place {
    unsigned first_row;
    bool even, odd, wide;

    explicit slice_place(const slice_extension& slice)
        : first_row(slice.wide ? adjust32(slice.row, slice.remap_addrs, slice.swizzle_32b)
                               : adjust16(slice.row, slice.remap_addrs)),
          even(slice.odd_columns != all_lanes), odd(slice.odd_columns != 0), wide(slice.wide) {}

    /// Calls f(group, half) for each piece: one or two row groups, one or two halves of columns.
    template <class F>
    void for_each(F f) const {
        const unsigned group = first_row / 4;
        if (even) f(group, 0u);
        if (odd) f(group, 1u);
        if (!wide) return;
        if (even) f(group + 2, 0u);
        if (odd) f(group + 2, 1u);
    }
};

void dst_memory::load(const slice_extension& slice, lanes& data) {
    ++reads_;
    if (!immediate_) apply_stores_visible_at(slice.at);
    const slice_place where(slice);
    if (slice.wide) storage_.read32(where.first_row, slice.odd_columns, data);
    else storage_.read16(where.first_row, slice.odd_columns, data);
    if (slice.at < unsettled_until_) report_unsettled(slice, where);

    bool close = false;
    where.for_each([&](unsigned group, unsigned half) {
        close |= timing::store_load_too_close(last_store_[group][half], slice.at, config_);
    });
    if (close) report_close_store(slice, where);
}

void dst_memory::report_close_store(const slice_extension& slice, const slice_place& where) {
    if (!reporter_) return;
    cycles stored{};
    where.for_each([&](unsigned group, unsigned half) {
        if (timing::store_load_too_close(last_store_[group][half], slice.at, config_))
            stored = last_store_[group][half];
    });
    reporter_->report(report_id::dst_store_load_distance, slice.at, slice.word, [&] {
        return fmt::format("load of Dst rows {} to {} {} cycle(s) after a store to the same slice", slice.row,
                           slice.row + 3, (slice.at - stored).count());
    });
}

void dst_memory::store(const slice_extension& slice, const lanes& data) {
    ++writes_;
    const slice_place where(slice);
    where.for_each([&](unsigned group, unsigned half) { last_store_[group][half] = slice.at; });
    if (immediate_) {
        write_now(where, slice, data);
        return;
    }
    apply_stores_visible_at(slice.at); // nobody can load in an earlier cycle any more
    if (delayed_.full()) delayed_.set_capacity(2 * delayed_.capacity());
    delayed_.push_back({timing::store_visible_from(slice.at, config_), slice, data});
}

void dst_memory::write_now(const slice_place& where, const slice_extension& slice, const lanes& data) {
    if (slice.wide) storage_.write32(where.first_row, slice.odd_columns, slice.lanes, data);
    else storage_.write16(where.first_row, slice.odd_columns, slice.lanes, data);
}

void dst_memory::apply_stores_visible_at(cycles at) {
    while (!delayed_.empty() && delayed_.front().visible <= at) {
        write_now(slice_place(delayed_.front().where), delayed_.front().where, delayed_.front().data);
        delayed_.pop_front();
    }
}

void dst_memory::settle() {
    while (!delayed_.empty()) {
        write_now(slice_place(delayed_.front().where), delayed_.front().where, delayed_.front().data);
        delayed_.pop_front();
    }
}

// --- stores from outside the vector unit -----------------------------------------------------------------------------

void dst_memory::note_external_write(unsigned row, cycles at) {
    external_write_[row / 8] = at;
    unsettled_until_ = std::max(unsettled_until_, at + cycles{config_.memory.dst_window_settle});
}

void dst_memory::report_unsettled(const slice_extension& slice, const slice_place& where) {
    if (!reporter_) return;
    const cycles settle{config_.memory.dst_window_settle};
    cycles written{-1};
    where.for_each([&](unsigned group, unsigned) {
        const cycles at = external_write_[group / 2];
        if (at <= slice.at && slice.at < at + settle) written = at;
    });
    if (written.count() < 0) return;
    reporter_->report(report_id::dst_window_write_distance, slice.at, slice.word, [&] {
        return fmt::format("load of Dst rows {} to {} {} cycle(s) after a store to their block from outside",
                           slice.row, slice.row + 3, (slice.at - written).count());
    });
}

// --- raw bytes -----------------------------------------------------------------------------------------------------

cycles dst_memory::bring_to(const sc_core::sc_time& time) {
    if (!attached_) {
        settle();
        return cycles{static_cast<std::int64_t>(time.value() / access_time_.value())};
    }
    const cycles now = attached_->catch_up(time);
    apply_stores_visible_at(now);
    return now;
}

tlm::tlm_response_status dst_memory::check(const tlm::tlm_generic_payload& trans) const {
    const sc_dt::uint64 address = trans.get_address();
    const unsigned length = trans.get_data_length();
    if (address >= bytes || length > bytes - address) return tlm::TLM_ADDRESS_ERROR_RESPONSE;
    if (trans.get_byte_enable_ptr()) return tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE;
    if (trans.get_streaming_width() < length) return tlm::TLM_BURST_ERROR_RESPONSE;
    return tlm::TLM_OK_RESPONSE;
}

void dst_memory::move(tlm::tlm_generic_payload& trans, unsigned length) {
    unsigned char* place = storage_.data() + trans.get_address();
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
    if (address >= bytes || trans.get_command() == tlm::TLM_IGNORE_COMMAND) return 0;
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
    dmi.set_dmi_ptr(storage_.data());
    dmi.allow_read_write();
    dmi.set_read_latency(access_time_);
    dmi.set_write_latency(access_time_);
    return true;
}

} // namespace sfpu::dst
