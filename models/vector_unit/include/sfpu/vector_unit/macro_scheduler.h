// The macro scheduler: lets time pass by executing plans. What executes in which cycle the planner has decided; here each
// instruction goes to its sub-unit, in its cycle, with its data.
#pragma once

#include <sfpu/common/systemc_version.h>
#include <sfpu/timing/plan.h>
#include <sfpu/vector_unit/instruction_protocol.h>
#include <sfpu/vector_unit/lreg_file.h>

#include <systemc>

#include <array>
#include <vector>

namespace sfpu {

/// Target of the issue unit, initiator to the five sub-units. A transaction carries a plan, which begins in the cycle
/// behind that of the plan before it, or later if nothing would have happened in between.
///
/// Where the machine has two units of a kind, both are one module here: it takes two transactions in a cycle.
class macro_scheduler : public sc_core::sc_module, private instruction_receiver {
public:
    instruction_target_socket issue_tsock;
    instruction_sender simple;
    instruction_sender mad;
    instruction_sender round;
    instruction_sender store;
    instruction_sender load;

    macro_scheduler(const sc_core::sc_module_name& name, lreg_file& lregs);
    void reset();

    /// What an SFPLOADMACRO gives to all that it schedules.
    struct launch_origin {
        std::int64_t word = -1;        ///< its index
        std::uint16_t dst_address = 0; ///< the slice of its load, and of the store that it schedules (T6)
        std::uint8_t thread = 0;
    };
    /// By the origin of an outstanding entry.
    const launch_origin& origin(unsigned number) const { return origins_[number]; }

    /// The last cycle in which something had an architectural effect, -1 if nothing had.
    cycles last_effect() const { return last_effect_; }

    /// Observers hear once what the cycles before `at` have left: all of them have happened, and nothing of `at`.
    void publish_begin_once(cycles at) {
        if (lregs_.observer && begun_ < at) publish_begin(at);
    }
    /// The end of a program, everything before this cycle has happened.
    void publish_end(cycles at) {
        if (lregs_.observer) publish_begin(at);
    }

private:
    void b_transport(instruction_payload& trans, sc_core::sc_time& delay) override;
    template <bool noted>
    void execute(const timing::plan& plan, const instruction_extension& from);
    void send(const timing::plan_step& step, cycles at, std::int64_t word);
    void send_idle(const timing::plan_step& step, cycles at, std::int64_t word);
    void take_thread(std::uint8_t thread);
    void execute_front_end(const isa::instruction& insn, cycles at, std::int64_t word, std::uint8_t thread);
    void commit(cycles at, timing::port_set ports);
    [[gnu::noinline]] void commit_several(cycles at, timing::port_set ports);
    void count(const timing::plan_counts& counts, std::uint8_t thread);

    // What only observers and listeners to diagnostics want to know (plan_notes.cpp).
    void say(const timing::plan_note& note, const instruction_extension& from);
    void report(const timing::plan_note& note, cycles at, std::int64_t word,
                const instruction_extension& from);
    std::string text_of(const timing::plan_note& note, const instruction_extension& from) const;
    std::string neighbours_text(const timing::plan_note& note) const;
    void report_collision(const timing::write_back::collision& found, cycles at);
    void publish_counters(cycles at, std::uint8_t thread);
    [[gnu::noinline]] void publish_begin(cycles at);
    void publish_state(cycles at);
    void publish_early(const timing::plan_step& step, cycles at, cycles start);

    lreg_file& lregs_;
    std::array<instruction_sender*, 5> senders_; ///< by sub-unit
    /// SFPLOADMACROs: those of the entries outstanding when a plan starts, then those of the plan.
    std::vector<launch_origin> origins_, next_origins_;
    cycles last_effect_{-1};
    cycles begun_{-1};           ///< the latest cycle whose begin was published
    probe::early_results early_; ///< what observers see instead of results that are not due
    std::uint8_t thread_ = 0;    ///< whose instructions are being sent
};

} // namespace sfpu
