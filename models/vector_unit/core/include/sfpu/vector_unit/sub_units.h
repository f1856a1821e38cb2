// The sub-units: each executes one instruction at a time on the shared registers. What all have in common,
// and those that work on registers only; load and store are in dst_units.h. Plain C++.
#pragma once

#include <sfpu/isa/execution.h>
#include <sfpu/vector_unit/unit_state.h>
#include <sfpu/vector_unit/unit_step.h>

#include <array>
#include <cstdint>

namespace sfpu {

/// What all sub-units do: execute the semantics, hand results to write-back, tell the observer.
class execution_unit {
public:
    execution_unit(unit_state& state, isa::sub_unit unit);
    execution_unit(const execution_unit&) = delete;
    execution_unit& operator=(const execution_unit&) = delete;

    /// Takes over a changed configuration.
    void reset();
    /// Cycles from the one in which an instruction executes to that in which its effect is visible.
    cycles latency(isa::latency_class of) const { return until_commit(of) + one_cycle; }

protected:
    /// The same, less one.
    cycles until_commit(isa::latency_class of) const { return until_commit_[static_cast<unsigned>(of)]; }

    /// Whether an instruction has no effect or may be a template write: begin_unusual() has to look at it
    /// first.
    static bool is_unusual(const isa::instruction& insn) {
        return insn.flags & (isa::has_no_effect | isa::names_a_template);
    }
    /// Deals with such. Returns the lanes that are left to execute, 0 if it is done.
    [[gnu::noinline]] lane_mask begin_unusual(unit_step& step);

    /// Runs the semantics of an instruction in all lanes and writes its results at once. What concerns Dst in
    /// `context_` must be set; the rest is as it has to be between instructions.
    void execute_directly(const unit_step& step, const isa::instruction& insn) {
        execute_semantics(insn);
        if (context_.reports != 0) report_stack(step);
    }
    /// The same, without a look at what there is to report.
    [[gnu::always_inline]] void execute_semantics(const isa::instruction& insn) {
        context_.enabled = state_.vector.enabled_by_flags();
        insn.op->execute(context_, insn);
        if (!own_results_.empty()) timing::write_back::write_now(own_results_, state_.vector);
    }
    /// The same for any instruction and the lanes of `acting`; the results are due at the end of cycle
    /// `commit`.
    [[gnu::noinline]] void execute_for_later(unit_step& step, const isa::instruction& insn, cycles commit,
                                             lane_mask acting);
    /// Tells the observer, if there is one. `effect`: the last cycle of its latency, no_effect if it changes
    /// nothing. `enabled`: the lanes that were enabled when it executed; flag writers have changed them by
    /// now.
    void publish(const unit_step& step, cycles effect, lane_mask enabled, unsigned dst_address = 0,
                 const lanes* cells = nullptr) {
        if (state_.observer) publish_event(step, effect, enabled, dst_address, cells);
    }
    bool is_observed() const { return __builtin_expect(state_.observer != nullptr, false); }
    static constexpr cycles no_effect{-1};

    unit_state& state_;
    isa::execution context_;

private:
    [[gnu::noinline]] void report_stack(const unit_step& step);
    [[gnu::noinline]] void publish_event(const unit_step& step, cycles effect, lane_mask enabled,
                                         unsigned dst_address, const lanes* cells);
    const lanes* result_of(const unit_step& step) const;

    isa::sub_unit unit_;
    std::array<cycles, 5> until_commit_{};          ///< by latency class
    isa::write_set own_results_;                    ///< of instructions that write directly
    const isa::write_set* later_results_ = nullptr; ///< of the latest instruction that did not
};

/// A sub-unit whose instructions work on registers only: Simple, MAD and Round.
class register_unit : public execution_unit {
public:
    using execution_unit::execution_unit;

    void execute(unit_step& step) {
        const isa::instruction& insn = *step.insn;
        if (step.form.simple()) {
            execute_semantics(insn);
            if (is_observed()) publish_direct(step);
        } else {
            execute_otherwise(step, insn);
        }
    }

    /// A step on registers (plan_step), for a unit that nobody observes.
    [[gnu::always_inline]] void execute_unheard(const isa::instruction& insn) { execute_semantics(insn); }

private:
    [[gnu::noinline]] void publish_direct(const unit_step& step);
    [[gnu::noinline]] void execute_otherwise(unit_step& step, const isa::instruction& insn);
    void report_index_erratum(const unit_step& step);
};

} // namespace sfpu
