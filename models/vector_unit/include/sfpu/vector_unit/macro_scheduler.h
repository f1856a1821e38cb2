// The macro scheduler: lets time pass cycle by cycle, executes what is due and what is issued, places what an
// SFPLOADMACRO schedules.
#pragma once

#include <sfpu/timing/macro_program.h>
#include <sfpu/timing/macro_slots.h>
#include <sfpu/timing/neighbour_rules.h>
#include <sfpu/vector_unit/instruction_protocol.h>
#include <sfpu/vector_unit/lreg_file.h>
#include <sfpu/vector_unit/recorded_stretch.h>

#include <systemc>

#include <array>

namespace sfpu {

/// Target of the issue unit, initiator to the five sub-units. A transaction with an instruction means: this is issued
/// in cycle `at`, nothing between the previous one and it. One without means: nothing is issued before `at`. One with a
/// recorded stretch means: its words are issued, and the situation at `at` is that of the recording.
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

    /// T19: the clock runs on without issues until nothing can change any more; reports what stays outstanding.
    void drain();
    /// T20
    bool busy() const { return slots_.busy(); }
    /// Whether something would still change if nothing more was issued.
    bool moves() const {
        return slots_.can_advance_alone() || lregs_.results.pending_after(now_ - one_cycle);
    }
    /// The next cycle to be simulated.
    cycles now() const { return now_; }
    /// The last cycle in which something had an architectural effect, -1 if nothing had.
    cycles last_effect() const { return last_effect_; }
    /// Adds what decides what the coming cycles do.
    void describe(timing::situation& to) const;
    /// Starts to record what happens.
    void start_recording();
    /// What cannot be repeated has happened.
    void spoil_recording() { recorder_.spoil(); }
    /// Ends the recording and fills in the scheduler's part of it. False if it is spoilt.
    bool finish_recording(recorded_stretch& to);

    /// Records an effect outside the sub-units (front-end words).
    void note_effect(cycles at) {
        if (at > last_effect_) last_effect_ = at;
    }

private:
    /// One instruction for one sub-unit.
    struct job {
        const isa::instruction* insn;
        std::int64_t word;
        std::uint16_t dst_address;
        std::uint8_t launch, thread;
    };
    struct cycle_plan;

    void b_transport(instruction_payload& trans, sc_core::sc_time& delay) override;
    void idle_until(cycles end);
    void play(const recorded_stretch& what, const instruction_extension& from);
    void run_cycle(instruction_extension* issued);
    bool wait_for(cycles at);
    void run_lone(const instruction_extension& issued);
    bool takes_one_cycle(const isa::instruction& insn) const;
    void run_mixed_cycle(instruction_extension* issued, unsigned due);
    void execute(const cycle_plan& plan);
    void execute(isa::sub_unit unit, const job& what, bool alone);
    void send(isa::sub_unit unit, const isa::instruction& insn, cycles at, std::int64_t word,
              std::uint8_t thread, bool alone);
    void discard(const instruction_extension& issued);
    const timing::macro_launch& expand(const isa::instruction& insn);
    void launch(const timing::macro_launch& what, const instruction_extension& issued);
    template <class Message>
    void report(report_id id, std::int64_t word, Message message);
    void report_forgotten(unsigned unit, const timing::scheduled_entry& forgotten,
                          const timing::scheduled_entry& entry);
    void report_no_slot(unsigned unit, const timing::scheduled_entry& entry);
    void report_faults(const timing::expansion_faults& faults, std::int64_t word);
    void check_lone_instruction(const isa::instruction& insn, std::int64_t word);
    void check_neighbours(const timing::cycle_occupants& busy, std::int64_t word);
    void commit();
    void publish_slots();

    lreg_file& lregs_;
    timing::macro_slots slots_;
    timing::macro_program program_;
    timing::neighbour_rules neighbours_;
    timing::schedule_recorder recorder_;
    /// The SFPLOADMACROs of the stretch that is played, behind those of the entries outstanding at its start.
    std::array<timing::launch_origin,
               timing::macro_slots::positions * isa::scheduled_units + recorded_stretch::capacity>
        launches_;
    std::array<instruction_sender*, 5> senders_; ///< by sub-unit
    cycles now_{};
    cycles last_effect_{-1};
    std::array<bool, timing::result_port_count> takes_one_cycle_{};
    bool stores_first_ = false; ///< dst.store_load_visible is 0: loads see the stores of their own cycle
    std::array<std::uint8_t, isa::scheduled_units> published_slots_{};
};

} // namespace sfpu
