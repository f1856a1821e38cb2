// Plays a program into the vector unit's push port, as a replay buffer would: one word a cycle.
#pragma once

#include <sfpu/common/types.h>
#include <sfpu/frontend/vector_unit_port.h>
#include <sfpu/platform/program_player.h>
#include <sfpu/platform/sfpu_bench.h>
#include <sfpu/vector_unit/vector_unit.h>

#include <systemc>
#include <tlm>
#include <tlm_utils/tlm_quantumkeeper.h>

#include <exception>
#include <memory>
#include <vector>

namespace sfpu::platform {

/// An initiator with temporal decoupling: words travel in bursts that stay within the global quantum.
class kernel_player : public sc_core::sc_module, private tlm::tlm_bw_transport_if<>, private word_port {
public:
    tlm::tlm_initiator_socket<32> insn_isock;

    kernel_player(const sc_core::sc_module_name& name, vector_unit& unit);
    ~kernel_player() override;

    /// Takes a program; it starts when the simulation runs on.
    void start(const run_request& request, run_result& result);
    /// Why the program did not come to its end, if it did not.
    std::exception_ptr failure() const { return failure_; }

private:
    /// Shared with the process, which SystemC cannot end from outside a simulation: that of a player that is
    /// destroyed ends when simulated time passes next.
    struct lifeline {
        kernel_player* owner;
        sc_core::sc_event started{"started"};
    };
    /// Not earlier, because a process lives as long as the simulation.
    void end_of_elaboration() override;
    void play();
    void wait(unsigned bubbles) override;
    void push(const std::uint32_t* words, std::size_t count, cycles* start) override;
    void synchronize();

    tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload&, tlm::tlm_phase&,
                                       sc_core::sc_time&) override {
        return tlm::TLM_COMPLETED;
    }
    void invalidate_direct_mem_ptr(sc_dt::uint64, sc_dt::uint64) override {}

    vector_unit& unit_;
    frontend::vector_unit_port port_0_, port_1_, port_2_; ///< by thread
    program_player player_;
    const run_request* request_ = nullptr;
    run_result* result_ = nullptr;
    std::exception_ptr failure_;
    std::shared_ptr<lifeline> lifeline_;
    tlm::tlm_generic_payload trans_;
    sc_core::sc_time delay_, period_;
};

} // namespace sfpu::platform
