// The bus of a tile: initiators on one side, the regions of an address map on the other.
#pragma once

#include <sfpu/common/systemc_version.h>
#include <sfpu/common/types.h>
#include <sfpu/memory/address_map.h>

#include <systemc>
#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>

#include <memory>
#include <vector>

namespace sfpu::memory {

/// How many addresses an access needs. A streaming width of zero, which the standard does not allow, is the
/// target's to refuse.
unsigned span_of(const tlm::tlm_generic_payload& trans);

/// Routes by address. A region's target sees addresses from 0 on; DMI ranges and their invalidation are
/// translated back, clipped to the region. An access to no region, to one that its initiator does not see, or
/// over the end of a region gets TLM_ADDRESS_ERROR_RESPONSE and reaches no target; map().explain() says why
/// in words. Streaming counts: a burst of streaming width 4 at one address needs 4 bytes of a region.
///
/// What certain initiators send to no region can go to `outside_isock` instead, with the address as it is;
/// direct access from there is clipped to the gap between the regions.
///
/// The bus adds its latency to the delay, as one that holds nothing up (sfpu/common/pipelined_delay.h), and
/// does not arbitrate: targets with limited bandwidth model that themselves. Direct reads have the latency,
/// direct writes, which are posted, do not.
class bus : public sc_core::sc_module {
public:
    /// Reports an SC_ERROR of type "/sfpu/bus/map", which throws by default, if the map has problems or the
    /// number of initiators is not 1 to max_initiators. `reach_outside`: the initiators whose other accesses
    /// go to outside_isock.
    bus(const sc_core::sc_module_name& name, std::vector<region> regions, unsigned initiators = 1,
        initiator_mask reach_outside = 0);

    tlm_utils::simple_initiator_socket_optional<bus, 32> outside_isock{"outside_isock"}; ///< may stay unbound

    /// Where an initiator is bound; named tsock_<number>. A number that is none is an SC_ERROR,
    /// "/sfpu/module/argument".
    tlm::tlm_target_socket<32>& tsock(unsigned initiator = 0);
    /// Where the target of a region is bound; named <region>_isock. Every region with a target of its own
    /// must be bound. An unknown name is an SC_ERROR.
    tlm::tlm_initiator_socket<32>& isock(std::string_view region);

    void reset(cycles latency = cycles{}, const sc_core::sc_time& period = sc_core::SC_ZERO_TIME);

    /// Addresses that never go outside, both ends inclusive: other accesses to them than to regions are
    /// errors.
    void keep_inside(address_map::range addresses) { inside_ = addresses; }

    const address_map& map() const { return map_; }
    /// Whose access a target is given at this moment; for targets, before they wait.
    unsigned initiator() const { return initiator_; }

private:
    using target_socket = tlm_utils::simple_target_socket_tagged<bus, 32>;
    using initiator_socket = tlm_utils::simple_initiator_socket_tagged<bus, 32>;

    /// The region that can serve `length` bytes, or address_map::none.
    int route(unsigned initiator, std::uint64_t address, std::uint64_t length);
    /// Whether an access that route() has no region for goes outside.
    bool goes_outside(unsigned initiator, std::uint64_t address, std::uint64_t length) const;
    /// The addresses around such a one that go outside as well.
    address_map::range outside_around(std::uint64_t address, unsigned initiator) const;
    /// The index of the region whose socket serves a region.
    std::size_t target_of(std::size_t region) const { return target_of_[region]; }

    void b_transport(int initiator, tlm::tlm_generic_payload& trans, sc_core::sc_time& delay);
    unsigned transport_dbg(int initiator, tlm::tlm_generic_payload& trans);
    bool get_direct_mem_ptr(int initiator, tlm::tlm_generic_payload& trans, tlm::tlm_dmi& dmi);
    bool get_direct_access_outside(unsigned initiator, tlm::tlm_generic_payload& trans, tlm::tlm_dmi& dmi);
    void invalidate_direct_mem_ptr(int region, sc_dt::uint64 first, sc_dt::uint64 last);
    void invalidate_outside(sc_dt::uint64 first, sc_dt::uint64 last);

    address_map map_;
    std::vector<std::unique_ptr<target_socket>> targets_;
    std::vector<std::unique_ptr<initiator_socket>> initiators_; ///< one for each region that has a target
    std::vector<std::size_t> target_of_;                        ///< for each region
    initiator_mask reach_outside_;
    address_map::range inside_{1, 0}; ///< empty
    std::vector<int> latest_; ///< the region that an initiator used last: most accesses go there again
    sc_core::sc_time latency_;
    unsigned initiator_ = 0; ///< of the latest access that was passed on
};

} // namespace sfpu::memory
