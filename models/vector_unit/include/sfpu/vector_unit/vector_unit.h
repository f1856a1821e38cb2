// The vector unit (SFPU) as one component.
#pragma once

#include <sfpu/dst/slice_protocol.h>
#include <sfpu/vector_unit/issue_unit.h>
#include <sfpu/vector_unit/macro_scheduler.h>
#include <sfpu/vector_unit/sub_unit_modules.h>
#include <sfpu/vector_unit/unit_state.h>

#include <systemc>

namespace sfpu {

/// A lagging consumer: it simulates up to the moment at which its inputs are known and never past it, inside
/// whoever calls it. It has no process of its own. Architecture and parameters are run-time state: reset()
/// takes new ones.
///
/// Sockets: insn_tsock(port) takes instruction words (see issue_unit.h); dst_load_isock() and
/// dst_store_isock() go to a dst_memory.
class vector_unit : public sc_core::sc_module, public dst::lagging_model {
public:
    /// `push_ports`: how many initiators push instructions, 1 to 3: port n brings the words of thread n.
    explicit vector_unit(const sc_core::sc_module_name& name, unsigned push_ports = 1);

    tlm::tlm_target_socket<32>& insn_tsock(unsigned port = 0) { return issue_.insn_tsock(port); }
    dst::slice_initiator_socket& dst_load_isock() { return load_.dst.socket; }
    dst::slice_initiator_socket& dst_store_isock() { return store_.dst.socket; }

    using listeners = unit_listeners;
    /// Everything as after construction, with this configuration; cycle 0 is the present simulated time. A
    /// clock period that is no multiple of SystemC's time resolution is an error, `/sfpu/clock/resolution`;
    /// so are parameters out of their ranges, `/sfpu/parameters/invalid`, and then nothing is changed.
    void reset(const parameters& config, const listeners& to);
    void reset(const parameters& config) { reset(config, listeners{}); }
    /// Who executes words of other Tensix units, from the next one on; null: they do nothing, and are
    /// reported. Stays at a reset.
    void connect(other_units* around) { state().around = around; }
    /// Executes the words that have been issued and put off. Everything below that shows state does so first.
    void complete() override { issue_.core().complete(); }
    void may_put_off() override { issue_.core().may_put_off(); }

    /// Simulates everything before `until` and returns the cycle of that time. Port watermarks move up to it:
    /// what is pushed for an earlier time afterwards is issued then. Times near the end of SystemC's count as
    /// the last cycle (issue_unit::cycle_at).
    cycles catch_up(const sc_core::sc_time& until) override;
    /// The end of a program: issues words that still wait, runs on without issues until nothing can change
    /// and reports what never drains (T19).
    void drain() {
        issue_.core().drain();
        scheduler_.context().publish_end(now());
    }
    /// Forgets what was learned of words, see issue_core.
    void forget_plans() { issue_.core().forget_plans(); }

    /// Architectural state behind the words that were pushed so far: ask again after the next push. Change it
    /// between reset() and the first push only.
    unit_state& state() {
        complete_now();
        return state_;
    }
    const unit_state& state() const {
        complete_now();
        return state_;
    }

    /// The cycle in which the next word would be issued if it was this one and came at `earliest`.
    cycles issue_cycle(std::uint32_t word, cycles earliest) {
        return issue_.core().issue_cycle(word, earliest);
    }

    /// See issue_core::foresee().
    unsigned foresee(const unsigned char* bytes, unsigned count, const word_order& order) {
        return issue_.core().foresee(bytes, count, order);
    }

    const issue_core& issue() const {
        complete_now();
        return issue_.core();
    }
    /// The cycle that begins at this time, or the next one: see issue_unit.
    cycles cycle_at(const sc_core::sc_time& time) const { return issue_.cycle_at(time); }
    /// See issue_core::hold_back().
    void hold_back(std::uint32_t word, std::int64_t index, std::uint8_t thread, cycles from, cycles until) {
        issue_.core().hold_back(word, index, thread, from, until);
    }
    /// The last cycle in which something had an architectural effect, -1 if nothing had.
    cycles last_effect() const {
        complete_now();
        return scheduler_.last_effect();
    }
    /// T20
    bool busy() const { return issue().planner().busy(); }
    /// Whether an instruction is in any stage: outstanding, or with a result under way.
    bool is_working() const { return busy() || issue().planner().has_results(); }
    /// Whether something would still change if nothing more was issued.
    bool moves() const { return issue().planner().moves(); }
    /// The next cycle to be simulated.
    cycles now() const { return issue().planner().now(); }
    /// First issued word to the last architectural effect, inclusive; 0 without effects.
    cycles cycles_used() const { return issue().cycles_used(); }

    /// Adds the counts of words and instructions, the Dst counter and the lane flags to an integrator's trace
    /// file (meaningful at quantum zero). From then on words execute as they are pushed.
    void trace(sc_core::sc_trace_file* file) const override;

private:
    void complete_now() const { issue_.core().complete(); }
    void take(const parameters& config, const listeners& to);
    void check_time_resolution() const;
    void end_of_elaboration() override { check_time_resolution(); } // for who never calls reset()
    /// Nothing of the past is left undone when a simulation is stopped, and the observer hears of the end.
    void end_of_simulation() override {
        catch_up(sc_core::sc_time_stamp());
        if (state_.observer) state_.observer->simulation_ended();
    }

    unit_state state_;
    macro_scheduler scheduler_;
    mutable issue_unit issue_; ///< executes what it put off when somebody looks: nobody sees the difference
    load_module load_;
    register_module simple_;
    register_module mad_;
    register_module round_;
    store_module store_;
};

} // namespace sfpu
