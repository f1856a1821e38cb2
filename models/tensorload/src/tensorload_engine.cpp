#include <sfpu/tensorload/tensorload_engine.h>

#include <fmt/format.h>

#include <algorithm>
#include <string>

namespace sfpu::tensorload {

tensorload_engine::tensorload_engine(const sc_core::sc_module_name& name) : sc_module(name) {
    reset(parameters{});
}

void tensorload_engine::reset(const parameters& config, probe::pipeline_observer* observer,
                              probe::reporter* reporter) {
    core_.reset(config, observer);
    reporter_ = reporter;
    epoch_ = sc_core::sc_time_stamp();
    period_ = std::max(sc_core::sc_time(static_cast<double>(config.period_ps()), sc_core::SC_PS),
                       sc_core::sc_get_time_resolution()); // never zero: it divides
    kept_.clear();
    bring_ = nullptr;
    load_base_ = load_space(config).base;
    store_base_ = store_space(config, 8).base;
}

sc_core::sc_time tensorload_engine::time_of(cycles at) const {
    return epoch_ + period_ * static_cast<double>(at.count());
}

memory_access::answer tensorload_engine::read(std::uint32_t offset, unsigned char* data, unsigned bytes,
                                              cycles at) {
    return transport(l1m_isock, tlm::TLM_READ_COMMAND, load_base_ + offset, data, bytes, at);
}

void tensorload_engine::keep_writes(cycles way, cycles latency,
                                    std::function<void(const sc_core::sc_time&)> bring) {
    way_ = way;
    kept_latency_ = latency;
    bring_ = std::move(bring);
}

void tensorload_engine::write_next() {
    kept_write next = std::move(kept_.front());
    kept_.pop_front();
    const answer done = transport(l0m_isock, tlm::TLM_WRITE_COMMAND, next.address, next.bytes.data(),
                                  static_cast<unsigned>(next.bytes.size()), next.arrives - way_);
    if (!done.ok) core_.note_bus_error();
}

bool tensorload_engine::read_csr(unsigned number, cycles at, std::uint32_t& value) {
    if (number == csr::tl_status && !kept_.empty() && begin(at)) bring_(time_of(at));
    return core_.read_csr(number, at, value);
}

memory_access::answer tensorload_engine::write(std::uint32_t offset, const unsigned char* data,
                                               unsigned bytes, cycles at) {
    if (bring_) {
        const cycles arrives = at + way_;
        const auto place =
            std::upper_bound(kept_.begin(), kept_.end(), arrives,
                             [](cycles wanted, const kept_write& each) { return wanted < each.arrives; });
        kept_.insert(place, {arrives, store_base_ + offset, {data, data + bytes}});
        return {true, kept_latency_};
    }
    std::copy_n(data, bytes, outgoing_.begin()); // a payload's data cannot be const
    return transport(l0m_isock, tlm::TLM_WRITE_COMMAND, store_base_ + offset, outgoing_.data(), bytes, at);
}

memory_access::answer tensorload_engine::transport(socket& to, tlm::tlm_command command,
                                                   std::uint32_t address, unsigned char* data, unsigned bytes,
                                                   cycles at) {
    tlm::tlm_generic_payload trans;
    trans.set_command(command);
    trans.set_address(address);
    trans.set_data_ptr(data);
    trans.set_data_length(bytes);
    trans.set_streaming_width(bytes);

    // A target that waited may have brought simulated time past the cycle of a later beat.
    const sc_core::sc_time begin = std::max(time_of(at), sc_core::sc_time_stamp());
    sc_core::sc_time delay = begin - sc_core::sc_time_stamp();
    to->b_transport(trans, delay);
    const sc_core::sc_time added = sc_core::sc_time_stamp() + delay - begin;
    const auto delayed = static_cast<std::int64_t>((added.value() + period_.value() - 1) / period_.value());

    if (!trans.is_response_ok() && reporter_) {
        reporter_->report(report_id::tensorload_bus_error, at, -1, [&] {
            return fmt::format(
                "{} of {} byte{} at {:#010x}: found {}, expected a memory that takes an access "
                "of this size{}",
                trans.is_write() ? "store" : "load", bytes, bytes == 1 ? "" : "s", address,
                trans.get_response_string(),
                trans.is_write() ? "; the Dst window takes those of its format's elements, "
                                   "which RISC_DEST_ACCESS_CTRL gives"
                                 : "");
        });
    }
    return {trans.is_response_ok(), cycles{delayed}};
}

void tensorload_engine::trace(sc_core::sc_trace_file* file) const {
    for (unsigned i = 0; i < sub_engine_count; ++i) {
        const auto engine = static_cast<sub_engine>(i);
        sc_core::sc_trace(file, core_.counters(engine).instructions,
                          fmt::format("{}.{}_instructions", name(), to_string(engine)));
    }
}

} // namespace sfpu::tensorload
