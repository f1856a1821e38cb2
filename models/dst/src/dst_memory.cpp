#include <sfpu/dst/dst_memory.h>

#include <sfpu/timing/dst_rules.h>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <limits>

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
    config_ = config;
    reporter_ = reporter;
    access_time_ = std::max(sc_core::sc_time(static_cast<double>(config.period_ps()), sc_core::SC_PS),
                            sc_core::sc_get_time_resolution()); // never zero: it divides
    storage_.clear();
    reads_ = writes_ = 0;
    delayed_.clear();
    immediate_ = config.dst_store_load_visible <= 1;
    constexpr cycles long_ago{-1000000};
    for (auto& half : last_store_) half.fill(long_ago);
    external_write_.fill(long_ago);
    unsettled_until_ = long_ago;
    careful_until_ = immediate_ ? long_ago : cycles{std::numeric_limits<std::int64_t>::max()};
}

void dst_memory::attach(lagging_model& unit) {
    attached_ = &unit;
    unit.may_put_off();
    if (dmi_granted_) mem_tsock->invalidate_direct_mem_ptr(0, bytes - 1);
    dmi_granted_ = false;
}

// --- slices --------------------------------------------------------------------------------------------------------

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
    if constexpr (Command == tlm::TLM_READ_COMMAND) owner.load(trans);
    else owner.store(trans.slice, data_of(trans));
}

template <tlm::tlm_command Command>
tlm::tlm_sync_enum dst_memory::slice_port<Command>::nb_transport_fw(slice_payload& trans,
                                                                    tlm::tlm_phase& phase,
                                                                    sc_core::sc_time& delay) {
    b_transport(trans, delay); // the same timing: the answer is complete at once
    phase = tlm::BEGIN_RESP;
    return tlm::TLM_COMPLETED;
}

namespace {

/// The first row of storage of a slice: by its form (wide, remap_addrs, swizzle_32b, a bit each) and its row / 4.
using first_row_table = std::array<std::array<std::uint16_t, row_count / 4>, 8>;
constexpr first_row_table make_first_rows() {
    first_row_table result{};
    for (unsigned form = 0; form < result.size(); ++form) {
        const bool wide = form & 1, remap_addrs = form & 2, swizzle_32b = form & 4;
        for (unsigned group = 0; group < row_count / 4; ++group)
            result[form][group] = static_cast<std::uint16_t>(
                wide ? adjust32(4 * group, remap_addrs, swizzle_32b) : adjust16(4 * group, remap_addrs));
    }
    return result;
}
constexpr first_row_table first_rows = make_first_rows();

} // namespace

/// Where the cells of an access are in storage, by row group (row / 4).
struct dst_memory::slice_place {
    unsigned first_row;
    lane_mask odd_columns;
    bool wide;

    explicit slice_place(const slice_extension& slice)
        : first_row(first_rows[form_of(slice)][slice.row / 4]), odd_columns(slice.odd_columns),
          wide(slice.wide) {}

    /// Calls f(half, group) for each piece: one or two row groups, one or two halves of columns, nearly always one.
    template <class F>
    void for_each(F f) const {
        if (odd_columns == 0) in_half(0, f);
        else if (odd_columns == all_lanes) in_half(1, f);
        else in_both_halves(f);
    }

private:
    static unsigned form_of(const slice_extension& slice) {
        return slice.wide + 2u * slice.rows.remap_addrs + 4u * slice.rows.swizzle_32b;
    }
    template <class F>
    void in_half(unsigned half, F f) const {
        f(half, first_row / 4);
        if (wide) f(half, first_row / 4 + 2);
    }
    template <class F>
    void in_both_halves(F f) const {
        const unsigned groups = wide ? 2 : 1;
        for (unsigned n = 0; n < 2 * groups; ++n) f(n % 2, first_row / 4 + n / 2 * 2);
    }
};

inline void dst_memory::read(const slice_place& where, lanes& data) const {
    if (where.wide) storage_.read32(where.first_row, where.odd_columns, data);
    else storage_.read16(where.first_row, where.odd_columns, data);
}

inline void dst_memory::load(slice_payload& trans) {
    ++reads_;
    const slice_place where(trans.slice);
    if (trans.slice.at < careful_until_ || may_be_close(where, trans.slice.at)) load_with_care(trans);
    else read(where, data_of(trans));
}

/// False if no piece of the slice was stored so recently that it matters; quickly found if all lanes are in one half.
inline bool dst_memory::may_be_close(const slice_place& where, cycles at) const {
    const auto is_recent = [&](const auto& stored) {
        const unsigned group = where.first_row / 4;
        const cycles since = at - cycles{static_cast<std::int64_t>(config_.dst_store_load_warn)};
        return stored[group] >= since || (where.wide && stored[group + 2] >= since);
    };
    if (where.odd_columns == 0) return is_recent(last_store_[0]);
    return where.odd_columns != all_lanes || is_recent(last_store_[1]);
}

/// A load for which stores that were late have to be put in place, or of which something has to be said.
void dst_memory::load_with_care(slice_payload& trans) {
    const slice_extension& slice = trans.slice;
    if (!immediate_) apply_stores_visible_at(slice.at);
    const slice_place where(slice);
    read(where, data_of(trans));
    if (slice.at < unsettled_until_) report_unsettled(slice, where);
    if (is_close(where, slice.at)) report_close_store(slice, where);
}

bool dst_memory::is_close(const slice_place& where, cycles at) const {
    bool close = false;
    where.for_each([&](unsigned half, unsigned group) {
        close |= timing::store_load_too_close(last_store_[half][group], at, config_);
    });
    return close;
}

void dst_memory::report_close_store(const slice_extension& slice, const slice_place& where) {
    if (!reporter_) return;
    cycles stored{};
    where.for_each([&](unsigned half, unsigned group) {
        if (timing::store_load_too_close(last_store_[half][group], slice.at, config_))
            stored = last_store_[half][group];
    });
    reporter_->report(report_id::dst_store_load_distance, slice.at, slice.word, [&] {
        return fmt::format("load of Dst rows {} to {} {} cycle(s) after a store to the same slice", slice.row,
                           slice.row + 3, (slice.at - stored).count());
    });
}

inline void dst_memory::store(const slice_extension& slice, const lanes& data) {
    ++writes_;
    const slice_place where(slice);
    where.for_each([this, at = slice.at](unsigned half, unsigned group) { last_store_[half][group] = at; });
    if (immediate_) write_now(where, slice, data);
    else delay_store(slice, data);
}

void dst_memory::delay_store(const slice_extension& slice, const lanes& data) {
    apply_stores_visible_at(slice.at); // nobody can load in an earlier cycle any more
    if (delayed_.full()) delayed_.set_capacity(2 * delayed_.capacity());
    delayed_.push_back({timing::store_visible_from(slice.at, config_), slice, data});
}

inline void dst_memory::write_now(const slice_place& where, const slice_extension& slice, const lanes& data) {
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
    complete();
    while (!delayed_.empty()) {
        write_now(slice_place(delayed_.front().where), delayed_.front().where, delayed_.front().data);
        delayed_.pop_front();
    }
}

// --- stores from outside the vector unit -----------------------------------------------------------------------------

void dst_memory::note_external_write(unsigned row, cycles at) {
    external_write_[row / 8] = at;
    unsettled_until_ = std::max(unsettled_until_, at + cycles{config_.memory.dst_window_settle});
    careful_until_ = std::max(careful_until_, unsettled_until_);
}

void dst_memory::report_unsettled(const slice_extension& slice, const slice_place& where) {
    if (!reporter_) return;
    const cycles settle{config_.memory.dst_window_settle};
    cycles written{-1};
    where.for_each([&](unsigned, unsigned group) {
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
    return length == 0 || trans.get_data_ptr() ? tlm::TLM_OK_RESPONSE : tlm::TLM_GENERIC_ERROR_RESPONSE;
}

void dst_memory::move(tlm::tlm_generic_payload& trans, unsigned length) {
    if (length == 0) return; // there may be no data pointer
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
    dmi.set_dmi_ptr(storage_.data());
    dmi.allow_read_write();
    dmi.set_read_latency(access_time_);
    dmi.set_write_latency(access_time_);
    return true;
}

} // namespace sfpu::dst
