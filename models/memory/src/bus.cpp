#include <sfpu/memory/bus.h>

#include <sfpu/common/module_argument.h>
#include <sfpu/common/pipelined_delay.h>

#include <fmt/format.h>

#include <algorithm>

namespace sfpu::memory {
namespace {

constexpr char map_report[] = "/sfpu/bus/map";

/// Gives a payload the target's address and its own back again.
class translated_address {
public:
    translated_address(tlm::tlm_generic_payload& trans, std::uint64_t base)
        : trans_(trans), original_(trans.get_address()) {
        trans_.set_address(original_ - base);
    }
    ~translated_address() { trans_.set_address(original_); }
    translated_address(const translated_address&) = delete;
    translated_address& operator=(const translated_address&) = delete;

private:
    tlm::tlm_generic_payload& trans_;
    sc_dt::uint64 original_;
};

/// A target's range in the addresses of the bus: what of it lies in the region. It must touch the region.
address_map::range to_bus(const region& r, std::uint64_t first, std::uint64_t last) {
    const std::uint64_t begin = r.target_offset, end = begin + (r.size - 1);
    return {r.base + (std::clamp(first, begin, end) - begin),
            r.base + (std::clamp(last, begin, end) - begin)};
}

/// The address of a region's target at which the region's addresses begin to count.
std::uint64_t translation(const region& r) { return r.base - r.target_offset; }

} // namespace

unsigned span_of(const tlm::tlm_generic_payload& trans) {
    return trans.get_streaming_width() == 0 ? trans.get_data_length()
                                            : std::min(trans.get_data_length(), trans.get_streaming_width());
}

bus::bus(const sc_core::sc_module_name& name, std::vector<region> regions, unsigned initiators,
         initiator_mask reach_outside)
    : sc_module(name), map_(std::move(regions)), reach_outside_(reach_outside),
      latest_(initiators, address_map::none) {
    std::string problems;
    for (const std::string& problem : map_.problems()) problems += "\n  " + problem;
    if (initiators == 0 || initiators > max_initiators)
        problems += fmt::format("\n  {} initiators; expected 1 to {}", initiators, max_initiators);
    if (!problems.empty()) SC_REPORT_ERROR(map_report, ("the address map is wrong:" + problems).c_str());

    for (unsigned i = 0; i < initiators; ++i) {
        const auto tag = static_cast<int>(i);
        targets_.push_back(std::make_unique<target_socket>(fmt::format("tsock_{}", i).c_str()));
        targets_.back()->register_b_transport(this, &bus::b_transport, tag);
        targets_.back()->register_transport_dbg(this, &bus::transport_dbg, tag);
        targets_.back()->register_get_direct_mem_ptr(this, &bus::get_direct_mem_ptr, tag);
    }
    for (const region& r : map_.regions()) {
        const auto tag = static_cast<int>(initiators_.size());
        if (!r.target.empty()) {
            target_of_.push_back(static_cast<std::size_t>(map_.index_of(r.target)));
            initiators_.push_back(nullptr);
            continue;
        }
        target_of_.push_back(initiators_.size());
        initiators_.push_back(std::make_unique<initiator_socket>((r.name + "_isock").c_str()));
        initiators_.back()->register_invalidate_direct_mem_ptr(this, &bus::invalidate_direct_mem_ptr, tag);
    }
    outside_isock.register_invalidate_direct_mem_ptr(this, &bus::invalidate_outside);
}

tlm::tlm_target_socket<32>& bus::tsock(unsigned initiator) {
    return module_socket(*this, "initiator", targets_, initiator);
}

tlm::tlm_initiator_socket<32>& bus::isock(std::string_view name) {
    const int index = map_.index_of(name);
    if (index == address_map::none || !initiators_[static_cast<std::size_t>(index)])
        SC_REPORT_ERROR(map_report, fmt::format("there is no region '{}' with a target", name).c_str());
    return *initiators_.at(static_cast<std::size_t>(index));
}

void bus::reset(cycles latency, const sc_core::sc_time& period) {
    latency_ = period * static_cast<double>(latency.count());
}

int bus::route(unsigned initiator, std::uint64_t address, std::uint64_t length) {
    int& latest = latest_[initiator];
    const auto holds = [&](int index) {
        if (index == address_map::none) return false;
        const region& r = map_.regions()[static_cast<std::size_t>(index)];
        return address >= r.base && address <= r.last();
    };
    if (!holds(latest)) latest = map_.find(address, initiator);
    if (latest == address_map::none) return latest;
    const region& r = map_.regions()[static_cast<std::size_t>(latest)];
    return length <= r.last() - address + 1 ? latest : address_map::none;
}

bool bus::goes_outside(unsigned initiator, std::uint64_t address, std::uint64_t length) const {
    if (!(reach_outside_ >> initiator & 1u) || outside_isock.size() == 0) return false;
    if (map_.find(address, initiator) != address_map::none) return false;
    if (inside_.first <= address && address <= inside_.last) return false;
    return length == 0 || length - 1 <= outside_around(address, initiator).last - address;
}

address_map::range bus::outside_around(std::uint64_t address, unsigned initiator) const {
    address_map::range gap = map_.gap_around(address, initiator);
    if (inside_.first > inside_.last) return gap;
    if (address < inside_.first) gap.last = std::min(gap.last, inside_.first - 1);
    else gap.first = std::max(gap.first, inside_.last + 1);
    return gap;
}

void bus::b_transport(int initiator, tlm::tlm_generic_payload& trans, sc_core::sc_time& delay) {
    const unsigned span = span_of(trans);
    const int index = route(static_cast<unsigned>(initiator), trans.get_address(), span);
    if (index == address_map::none) {
        if (goes_outside(static_cast<unsigned>(initiator), trans.get_address(), span)) {
            add_latency(trans, delay, latency_);
            return outside_isock->b_transport(trans, delay);
        }
        trans.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
        trans.set_dmi_allowed(false);
        return;
    }
    const auto place = static_cast<std::size_t>(index);
    add_latency(trans, delay, latency_);
    initiator_ = static_cast<unsigned>(initiator);
    const translated_address translated(trans, translation(map_.regions()[place]));
    (*initiators_[target_of(place)])->b_transport(trans, delay);
}

/// Moves the part of the range that lies in the first region.
unsigned bus::transport_dbg(int initiator, tlm::tlm_generic_payload& trans) {
    const int index = route(static_cast<unsigned>(initiator), trans.get_address(), 0);
    if (index == address_map::none) {
        if (!goes_outside(static_cast<unsigned>(initiator), trans.get_address(), 0)) return 0;
        return outside_isock->transport_dbg(trans);
    }
    const region& r = map_.regions()[static_cast<std::size_t>(index)];
    const unsigned length = trans.get_data_length();
    trans.set_data_length(
        static_cast<unsigned>(std::min<std::uint64_t>(length, r.last() - trans.get_address() + 1)));
    unsigned moved = 0;
    initiator_ = static_cast<unsigned>(initiator);
    {
        const translated_address translated(trans, translation(r));
        moved = (*initiators_[target_of(static_cast<std::size_t>(index))])->transport_dbg(trans);
    }
    trans.set_data_length(length);
    return moved;
}

bool bus::get_direct_mem_ptr(int initiator, tlm::tlm_generic_payload& trans, tlm::tlm_dmi& dmi) {
    const std::uint64_t address = trans.get_address();
    const int index = route(static_cast<unsigned>(initiator), address, 0);
    if (index == address_map::none && goes_outside(static_cast<unsigned>(initiator), address, 0))
        return get_direct_access_outside(static_cast<unsigned>(initiator), trans, dmi);
    if (index == address_map::none) {
        const address_map::range gap = map_.gap_around(address, static_cast<unsigned>(initiator));
        dmi.set_start_address(gap.first);
        dmi.set_end_address(gap.last);
        dmi.allow_none();
        return false;
    }
    const region& r = map_.regions()[static_cast<std::size_t>(index)];
    bool granted = false;
    {
        const translated_address translated(trans, translation(r));
        granted = (*initiators_[target_of(static_cast<std::size_t>(index))])->get_direct_mem_ptr(trans, dmi);
    }
    // The pointer belongs to the first address: what lies before the region is cut off from both.
    if (granted && dmi.get_start_address() < r.target_offset)
        dmi.set_dmi_ptr(dmi.get_dmi_ptr() + (r.target_offset - dmi.get_start_address()));
    const address_map::range range = to_bus(r, dmi.get_start_address(), dmi.get_end_address());
    dmi.set_start_address(range.first);
    dmi.set_end_address(range.last);
    dmi.set_read_latency(dmi.get_read_latency() + latency_);
    return granted;
}

bool bus::get_direct_access_outside(unsigned initiator, tlm::tlm_generic_payload& trans, tlm::tlm_dmi& dmi) {
    const address_map::range gap = outside_around(trans.get_address(), initiator);
    const bool granted = outside_isock->get_direct_mem_ptr(trans, dmi);
    if (granted && dmi.get_start_address() < gap.first)
        dmi.set_dmi_ptr(dmi.get_dmi_ptr() + (gap.first - dmi.get_start_address()));
    dmi.set_start_address(std::max<std::uint64_t>(dmi.get_start_address(), gap.first));
    dmi.set_end_address(std::min<std::uint64_t>(dmi.get_end_address(), gap.last));
    dmi.set_read_latency(dmi.get_read_latency() + latency_);
    return granted;
}

/// Each region that shows the target, in its own addresses.
void bus::invalidate_direct_mem_ptr(int index, sc_dt::uint64 first, sc_dt::uint64 last) {
    for (std::size_t place = 0; place < map_.regions().size(); ++place) {
        const region& r = map_.regions()[place];
        if (target_of(place) != static_cast<std::size_t>(index) || first >= r.target_offset + r.size ||
            last < r.target_offset)
            continue;
        const address_map::range range = to_bus(r, first, last);
        for (std::size_t i = 0; i < targets_.size(); ++i)
            if (r.visible_to >> i & 1u) (*targets_[i])->invalidate_direct_mem_ptr(range.first, range.last);
    }
}

void bus::invalidate_outside(sc_dt::uint64 first, sc_dt::uint64 last) {
    for (std::size_t i = 0; i < targets_.size(); ++i)
        if (reach_outside_ >> i & 1u) (*targets_[i])->invalidate_direct_mem_ptr(first, last);
}

} // namespace sfpu::memory
