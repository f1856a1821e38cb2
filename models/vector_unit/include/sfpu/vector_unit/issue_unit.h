// The issue unit as a module: its push ports are sockets with simulated time, in front of the issue_core that
// takes the words.
#pragma once

#include <sfpu/common/systemc_version.h>
#include <sfpu/vector_unit/instruction_protocol.h>
#include <sfpu/vector_unit/issue_core.h>

#include <systemc>
#include <tlm>

#include <memory>
#include <vector>

namespace sfpu {

/// An ignorable extension of a push, for initiators that lag behind simulated time and have to know when
/// their words are issued. Without it words start at the annotated time and are named by their number.
struct issue_order : tlm::tlm_extension<issue_order>, word_order {
    tlm::tlm_extension_base* clone() const override { return new issue_order(*this); }
    void copy_from(const tlm::tlm_extension_base& other) override {
        *this = static_cast<const issue_order&>(other);
    }
};

/// Words arrive by base-protocol writes of N x 4 bytes (push_payload.h): N words, little-endian, one a cycle
/// from the annotated time on. On return the delay covers the cycle after the last word was accepted, with
/// one port, every stall included; with several it covers the pushing only. With four phases END_REQ and
/// BEGIN_RESP come then. See issue_core for the rest.
///
/// There are 1 to isa::thread_count ports ("/sfpu/module/argument").
class issue_unit : public sc_core::sc_module, private plan_sink {
public:
    instruction_sender scheduler;

    issue_unit(const sc_core::sc_module_name& name, unit_state& state, plan_context& context,
               unsigned push_ports);
    ~issue_unit() override;
    /// `is_heard`: somebody wants to know what happens when it happens.
    void reset(bool is_heard);

    tlm::tlm_target_socket<32>& insn_tsock(unsigned port);
    issue_core& core() { return core_; }
    const issue_core& core() const { return core_; }

    /// Cycle of simulated time 0 of the current run.
    void set_epoch(const sc_core::sc_time& epoch);
    /// The first cycle that begins at this time or later. Behind the last cycle that is counted 2^32 more
    /// still begin before SystemC's time ends.
    cycles cycle_at(const sc_core::sc_time& time) const;

private:
    class push_port;

    void execute(const plan_order& order) override;
    const sc_core::sc_time& time_of(cycles cycle);

    unit_state& state_;
    issue_core core_;
    std::vector<std::unique_ptr<push_port>> ports_;
    sc_core::sc_time epoch_, period_{1, sc_core::SC_NS};
    cycles latest_cycle_{}; ///< the cycle that was converted last, and its time
    sc_core::sc_time latest_time_;
    cycles last_cycle_{}; ///< that cycle_at() gives
};

} // namespace sfpu
