#include <sfpu/memory/dst_window.h>

#include <sfpu/common/module_argument.h>
#include <sfpu/common/pipelined_delay.h>
#include <sfpu/isa/thread_state.h>

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

namespace sfpu::memory {
namespace {

constexpr unsigned all_bytes = 0x8000;
constexpr unsigned vector_bytes = 16; ///< the widest access of T2
constexpr unsigned lower_half = 8;    ///< rows from the upper half of a 32-bit cell to its lower half

/// Where an element lies in storage: `row` holds a narrow cell or the upper half of a wide one.
struct cell_place {
    unsigned row, column;
};

cell_place place_of(unsigned element, const dst_view_source::view& view) {
    const unsigned row = element / dst::cells_per_row, column = element % dst::cells_per_row;
    if (is_wide(view.access.format)) return {dst::adjust32(row, view.remap_addrs, view.swizzle_32b), column};
    return {dst::adjust16(row, view.remap_addrs), column};
}

std::uint32_t read_cell(const dst::dst_storage& storage, cell_place at, bool wide) {
    const std::uint32_t cell = storage.cell(at.row, at.column);
    return wide ? cell << 16 | storage.cell(at.row + lower_half, at.column) : cell;
}

void write_cell(dst::dst_storage& storage, cell_place at, bool wide, std::uint32_t cell) {
    if (!wide) return storage.set_cell(at.row, at.column, static_cast<std::uint16_t>(cell));
    storage.set_cell(at.row, at.column, static_cast<std::uint16_t>(cell >> 16));
    storage.set_cell(at.row + lower_half, at.column, static_cast<std::uint16_t>(cell));
}

/// The formats that an access of so many bytes fits, in words.
std::string formats_of(unsigned length) {
    std::string names;
    for (unsigned number = 0; number < 8; ++number) {
        const auto format = static_cast<dst_format>(number);
        if (element_bytes(format) != length) continue;
        names += fmt::format("{}{} ({})", names.empty() ? "" : " or ", to_string(format), number);
    }
    return names.empty() ? "an access of 1, 2 or 4 bytes"
                         : names + " in RISC_DEST_ACCESS_CTRL, or an access of another size";
}

} // namespace

dst_window::dst_window(const sc_core::sc_module_name& name, dst::dst_memory& dst,
                       const dst_view_source& views, unsigned thread)
    : sc_module(name), dst_(dst), views_(views),
      thread_(module_argument(*this, "thread", thread, 0, isa::thread_count - 1)) {
    riscv_tsock.register_b_transport(this, &dst_window::b_transport);
    riscv_tsock.register_transport_dbg(this, &dst_window::transport_dbg);
    riscv_tsock.register_get_direct_mem_ptr(this, &dst_window::get_direct_mem_ptr);
}

void dst_window::reset(const parameters& config, probe::reporter* reporter) {
    present_ = describe(config.arch).has_dst_window;
    latency_ = sc_core::sc_time(static_cast<double>(config.period_ps()), sc_core::SC_PS) *
               static_cast<double>(config.memory.dst_window_latency);
    reporter_ = reporter;
}

cycles dst_window::bring_to(const sc_core::sc_time& time) {
    for (dst::lagging_model* feeder : feeders_) feeder->catch_up(time);
    return dst_.bring_to(time);
}

tlm::tlm_response_status dst_window::check(const tlm::tlm_generic_payload& trans, dst_format format) const {
    const sc_dt::uint64 address = trans.get_address();
    const unsigned length = trans.get_data_length(), size = element_bytes(format);
    if (!present_ || address >= all_bytes) return tlm::TLM_ADDRESS_ERROR_RESPONSE;
    if (trans.get_byte_enable_ptr()) return tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE;
    if (length == 0 || trans.get_streaming_width() < length) return tlm::TLM_BURST_ERROR_RESPONSE;
    if (size == 0) return tlm::TLM_BURST_ERROR_RESPONSE;
    if (!trans.get_data_ptr()) return tlm::TLM_GENERIC_ERROR_RESPONSE;
    const bool whole = thread_ == 2 ? length % size == 0 && length <= vector_bytes : length == size;
    if (!whole) return tlm::TLM_BURST_ERROR_RESPONSE;
    if (address % length != 0) return tlm::TLM_ADDRESS_ERROR_RESPONSE;
    return address + length > window_bytes(format) ? tlm::TLM_ADDRESS_ERROR_RESPONSE : tlm::TLM_OK_RESPONSE;
}

void dst_window::report_misuse(const tlm::tlm_generic_payload& trans, dst_format format, cycles at) {
    if (!reporter_) return;
    reporter_->report(report_id::dst_window_access, at, -1, [&] {
        const unsigned size = element_bytes(format), length = trans.get_data_length();
        return fmt::format("T{}: {} of {} byte{} at {:#x} of the Dst window: found format {}{}, expected {}",
                           thread_, trans.is_write() ? "store" : "load", length, length == 1 ? "" : "s",
                           trans.get_address(), to_string(format),
                           size ? fmt::format(" ({} byte{} an element)", size, size == 1 ? "" : "s") : "",
                           formats_of(length));
    });
}

template <class Written>
unsigned dst_window::move(tlm::tlm_generic_payload& trans, unsigned length, const view& v, Written written) {
    const unsigned size = element_bytes(v.access.format), count = length / size;
    const bool wide = is_wide(v.access.format);
    auto element = static_cast<unsigned>(trans.get_address() / size);
    unsigned char* bytes = trans.get_data_ptr();
    for (unsigned i = 0; i < count; ++i, ++element, bytes += size) {
        const cell_place at = place_of(element, v);
        std::uint32_t value = 0;
        if (trans.is_read()) {
            value = load_element(v.access, read_cell(dst_.storage(), at, wide));
            std::memcpy(bytes, &value, size);
        } else if (trans.is_write()) {
            std::memcpy(&value, bytes, size);
            write_cell(dst_.storage(), at, wide, store_element(v.access, value));
            written(at.row);
            if (wide) written(at.row + lower_half);
        }
    }
    return count;
}

void dst_window::b_transport(tlm::tlm_generic_payload& trans, sc_core::sc_time& delay) {
    trans.set_dmi_allowed(false);
    const cycles at = bring_to(sc_core::sc_time_stamp() + delay);
    const view v = views_.view_of(thread_); // which instructions of earlier cycles may have changed
    const tlm::tlm_response_status status = check(trans, v.access.format);
    trans.set_response_status(status);
    if (status != tlm::TLM_OK_RESPONSE) {
        if (status == tlm::TLM_BURST_ERROR_RESPONSE) report_misuse(trans, v.access.format, at);
        return;
    }
    move(trans, trans.get_data_length(), v, [&](unsigned row) { dst_.note_external_write(row, at); });
    add_latency(trans, delay, latency_);
}

unsigned dst_window::transport_dbg(tlm::tlm_generic_payload& trans) {
    bring_to(sc_core::sc_time_stamp());
    const view v = views_.view_of(thread_);
    const unsigned size = element_bytes(v.access.format), end = window_bytes(v.access.format);
    const sc_dt::uint64 address = trans.get_address();
    if (!present_ || size == 0 || address >= end || address % size != 0) return 0;
    if (trans.get_command() == tlm::TLM_IGNORE_COMMAND || !trans.get_data_ptr()) return 0;
    const unsigned length = std::min(trans.get_data_length(), end - static_cast<unsigned>(address));
    return size * move(trans, length, v, [](unsigned) {});
}

bool dst_window::get_direct_mem_ptr(tlm::tlm_generic_payload&, tlm::tlm_dmi& dmi) {
    dmi.set_start_address(0);
    dmi.set_end_address(~sc_dt::uint64{0});
    dmi.allow_none();
    return false;
}

} // namespace sfpu::memory
