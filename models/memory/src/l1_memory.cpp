#include <sfpu/memory/l1_memory.h>

#include "dmi.h"

#include <sfpu/common/module_argument.h>

#include <fmt/format.h>

#include <algorithm>

namespace sfpu::memory {

l1_memory::l1_memory(const sc_core::sc_module_name& name, std::uint64_t bytes, unsigned ports)
    : sc_module(name), bytes_(module_argument(*this, "bytes", bytes, 1, byte_store::most_bytes)) {
    granted_.resize(module_argument(*this, "ports", ports, 1, max_ports));
    for (unsigned port = 0; port < granted_.size(); ++port) {
        const auto tag = static_cast<int>(port);
        ports_.push_back(std::make_unique<socket>(fmt::format("tsock_{}", port).c_str()));
        ports_.back()->register_b_transport(this, &l1_memory::b_transport, tag);
        ports_.back()->register_transport_dbg(this, &l1_memory::transport_dbg, tag);
        ports_.back()->register_get_direct_mem_ptr(this, &l1_memory::get_direct_mem_ptr, tag);
        clocks_.push_back(std::make_unique<port_clock>());
        clocks_.back()->owner = this;
        clocks_.back()->port = tag;
    }
    reset(parameters{});
}

tlm_utils::simple_target_socket_tagged<l1_memory, 32>& l1_memory::tsock(unsigned port) {
    return module_socket(*this, "port", ports_, port);
}

void l1_memory::reset(const parameters& config, probe::pipeline_observer* observer) {
    config_ = config.memory;
    period_ = std::max(sc_core::sc_time(static_cast<double>(config.period_ps()), sc_core::SC_PS),
                       sc_core::sc_get_time_resolution()); // never zero: it divides
    epoch_ = sc_core::sc_time_stamp();
    observer_ = observer;
    banks_.reset();
    statistics_ = {};
    bytes_.clear();
    for (std::size_t port = 0; port < ports_.size(); ++port) {
        if (granted_[port]) (*ports_[port])->invalidate_direct_mem_ptr(0, bytes_.size() - 1);
        granted_[port] = false;
    }
}

void l1_memory::b_transport(int port, tlm::tlm_generic_payload& trans, sc_core::sc_time& delay) {
    const tlm::tlm_response_status status = bytes_.check(trans);
    trans.set_response_status(status);
    trans.set_dmi_allowed(status == tlm::TLM_OK_RESPONSE && config_.l1_dmi);
    if (status != tlm::TLM_OK_RESPONSE || trans.get_command() == tlm::TLM_IGNORE_COMMAND) return;
    bytes_.access(trans);
    delay += time_access(trans, sc_core::sc_time_stamp() + delay, port);
}

sc_core::sc_time l1_memory::time_access(const tlm::tlm_generic_payload& trans, const sc_core::sc_time& when,
                                        int port) {
    count(trans);
    const cycles at{static_cast<std::int64_t>((when - epoch_).value() / period_.value())};
    const auto added = static_cast<sc_dt::uint64>(occupy(trans, at, port).count());
    return sc_core::sc_time::from_value(period_.value() * added);
}

sc_core::sc_time l1_memory::port_clock::note(const unsigned char* place, unsigned bytes, bool is_write,
                                             const sc_core::sc_time& when) {
    trans.set_command(is_write ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND);
    trans.set_address(static_cast<sc_dt::uint64>(place - owner->bytes_.data()));
    trans.set_data_length(bytes);
    trans.set_streaming_width(bytes);
    return owner->time_access(trans, when, port);
}

void l1_memory::count(const tlm::tlm_generic_payload& trans) {
    const bool write = trans.is_write();
    ++(write ? statistics_.writes : statistics_.reads);
    (write ? statistics_.bytes_written : statistics_.bytes_read) += trans.get_data_length();
}

cycles l1_memory::occupy(const tlm::tlm_generic_payload& trans, cycles at, int port) {
    const std::uint64_t span = std::min(trans.get_data_length(), trans.get_streaming_width());
    const std::uint64_t first = trans.get_address() / l1_banks::line_bytes,
                        last = (trans.get_address() + span - 1) / l1_banks::line_bytes;
    cycles next = at, own{};
    for (std::uint64_t line = first; line <= last; ++line) {
        const bool narrow = is_narrow_write(trans, line);
        if (narrow) ++statistics_.narrow_writes;
        const cycles length = narrow ? cycles{config_.l1_narrow_write} : one_cycle;
        cycles start = next;
        if (config_.l1_bank_conflicts) start = banks_.occupy(l1_banks::bank_of(line), next, length);
        if (start != next) {
            ++statistics_.bank_conflicts;
            statistics_.conflict_cycles += static_cast<std::uint64_t>((start - next).count());
            if (observer_) publish(port, "l1_conflict", "bank-conflict", next, start - one_cycle, trans);
        }
        next = start + length;
        own += one_cycle;
    }
    if (observer_) publish(port, "l1", "busy", at, next - one_cycle, trans);
    return next - at - own;
}

/// A write that leaves bytes of the line alone reads the line, changes it and writes it back.
bool l1_memory::is_narrow_write(const tlm::tlm_generic_payload& trans, std::uint64_t line) {
    if (!trans.is_write()) return false;
    const std::uint64_t begin = line * l1_banks::line_bytes, end = begin + l1_banks::line_bytes;
    const std::uint64_t address = trans.get_address();
    const std::uint64_t span = std::min(trans.get_data_length(), trans.get_streaming_width());
    if (address > begin || address + span < end) return true;
    const unsigned char* const enables = trans.get_byte_enable_ptr();
    if (!enables) return false;
    for (std::uint64_t byte = begin; byte < end; ++byte)
        if (enables[(byte - address) % trans.get_byte_enable_length()] == TLM_BYTE_DISABLED) return true;
    return false;
}

void l1_memory::publish(int port, const char* lane, const char* kind, cycles begin, cycles end,
                        const tlm::tlm_generic_payload& trans) {
    const std::string text = fmt::format("{} {} bytes at {:#x}", trans.is_write() ? "write" : "read",
                                         trans.get_data_length(), trans.get_address());
    probe::activity_event event;
    event.begin = begin;
    event.end = end;
    event.unit = probe::tile_unit::memory;
    event.instance = static_cast<std::uint8_t>(port);
    event.lane = lane;
    event.kind = kind;
    event.text = text;
    observer_->acted(event);
}

bool l1_memory::get_direct_mem_ptr(int port, tlm::tlm_generic_payload& trans, tlm::tlm_dmi& dmi) {
    if (!config_.l1_dmi) {
        refuse_direct_access(bytes_, trans.get_address(), dmi);
        return false;
    }
    if (!offer_direct_access(bytes_, trans.get_address(), dmi)) return false;
    dmi.set_read_latency(sc_core::SC_ZERO_TIME);
    dmi.set_write_latency(period_ * static_cast<double>(config_.l1_narrow_write - 1));
    granted_[static_cast<std::size_t>(port)] = true;
    auto* const question = trans.get_extension<direct_access_question>();
    if (question && config_.l1_bank_conflicts)
        question->clock = clocks_[static_cast<std::size_t>(port)].get();
    return true;
}

} // namespace sfpu::memory
