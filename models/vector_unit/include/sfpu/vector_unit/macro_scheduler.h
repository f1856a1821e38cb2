// The macro scheduler: lets time pass by executing plans. What executes in which cycle the planner has
// decided; here each instruction goes to its sub-unit, in its cycle, with its data.
#pragma once

#include <sfpu/common/systemc_version.h>
#include <sfpu/vector_unit/instruction_protocol.h>
#include <sfpu/vector_unit/plan_executor.h>

#include <systemc>

#include <array>
#include <cstdint>

namespace sfpu {

/// Hands steps to the sub-units as transactions, by isa::sub_unit.
struct socket_link {
    static constexpr bool executes_unheard = false; ///< each is a transaction

    std::array<instruction_sender*, 5> senders;

    struct unit_receiver {
        instruction_sender& sender;
        unit_step& step() const { return sender.message().step; }
        void execute() const { sender.send(); }
    };
    unit_receiver receiver(isa::sub_unit unit) { return {*senders[static_cast<unsigned>(unit)]}; }
    void take_thread(std::uint8_t thread, isa::thread_state& state) {
        for (instruction_sender* each : senders) {
            each->message().step.thread = thread;
            each->message().step.thread_state = &state;
        }
    }
};

/// Target of the issue unit, initiator to the five sub-units. A transaction carries a plan, which begins in
/// the cycle behind that of the plan before it, or later if nothing would have happened in between.
///
/// Where the machine has two units of a kind, both are one module here: it takes two transactions in a cycle.
class macro_scheduler : public sc_core::sc_module, private instruction_receiver {
public:
    instruction_target_socket issue_tsock{"issue_tsock"};
    instruction_sender simple{"simple_isock"};
    instruction_sender mad{"mad_isock"};
    instruction_sender round{"round_isock"};
    instruction_sender store{"store_isock"};
    instruction_sender load{"load_isock"};

    macro_scheduler(const sc_core::sc_module_name& name, unit_state& state);
    void reset() { executor_.reset(); }

    plan_context& context() { return executor_; }
    /// The last cycle in which something had an architectural effect, -1 if nothing had.
    cycles last_effect() const { return executor_.last_effect(); }

private:
    void b_transport(instruction_payload& trans, sc_core::sc_time& delay) override;

    plan_executor<socket_link> executor_;
};

} // namespace sfpu
