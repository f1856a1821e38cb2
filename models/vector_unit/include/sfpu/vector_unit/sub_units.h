// The sub-units, each a target that executes one instruction a transaction on the shared registers: what all have in
// common, and those that work on registers only. Load and store are in dst_units.h.
#pragma once

#include <sfpu/common/systemc_version.h>
#include <sfpu/isa/execution.h>
#include <sfpu/vector_unit/instruction_protocol.h>
#include <sfpu/vector_unit/lreg_file.h>

#include <systemc>

#include <array>

namespace sfpu {

/// What all sub-units do: execute the semantics, hand results to write-back, say when the effect is visible.
class sub_unit_module : public sc_core::sc_module, protected instruction_receiver {
public:
    instruction_target_socket insn_tsock;

    /// Takes over a changed configuration.
    virtual void reset();

protected:
    sub_unit_module(const sc_core::sc_module_name& name, isa::sub_unit unit, lreg_file& lregs);

    /// A transaction without an instruction is an error; else the answer is set here.
    static bool takes(instruction_payload& trans) {
        const bool is_empty = !trans.message.insn;
        trans.set_response_status(is_empty ? tlm::TLM_GENERIC_ERROR_RESPONSE : tlm::TLM_OK_RESPONSE);
        return !is_empty;
    }
    /// Whether an instruction has no effect or may be a template write: begin_unusual() has to look at it first.
    static bool is_unusual(const isa::instruction& insn) {
        return insn.flags & (isa::has_no_effect | isa::names_a_template);
    }
    /// Deals with such. Returns the lanes that are left to execute, 0 if it is done.
    [[gnu::noinline]] lane_mask begin_unusual(instruction_extension& message);

    /// By latency class.
    struct class_timing {
        cycles until_commit{}; ///< latency minus one
        sc_core::sc_time time;
    };
    const class_timing& timing_of(isa::latency_class which) const {
        return timing_[static_cast<unsigned>(which)];
    }
    /// Runs the semantics of an instruction in all lanes and writes its results at once. What concerns Dst in
    /// `context_` must be set; the rest is as it has to be between instructions.
    void execute_directly(const instruction_extension& message, const isa::instruction& insn) {
        context_.enabled = lregs_.state.enabled_by_flags();
        insn.op->execute(context_, insn);
        if (!own_results_.empty()) timing::write_back::write_now(own_results_, lregs_.state);
        if (context_.reports != 0) report_stack(message);
    }
    /// The same for any instruction and the lanes of `acting`; the results are queued.
    [[gnu::noinline]] void execute_apart(instruction_extension& message, const isa::instruction& insn,
                                         const class_timing& when, lane_mask acting);
    void execute_for_later(instruction_extension& message, const isa::instruction& insn,
                           const class_timing& when, lane_mask acting);
    /// Tells the observer, if there is one. `effect`: the last cycle of its latency, no_effect if it changes nothing.
    /// `enabled`: the lanes that were enabled when it executed; flag writers have changed them by now.
    void publish(const instruction_extension& message, cycles effect, lane_mask enabled,
                 unsigned dst_address = 0, const lanes* cells = nullptr) {
        if (lregs_.observer) publish_event(message, effect, enabled, dst_address, cells);
    }
    bool is_observed() const { return __builtin_expect(lregs_.observer != nullptr, false); }
    static constexpr cycles no_effect{-1};

    lreg_file& lregs_;
    isa::execution context_;

private:
    [[gnu::noinline]] void publish_event(const instruction_extension& message, cycles effect,
                                         lane_mask enabled, unsigned dst_address, const lanes* cells);
    const lanes* result_of(const instruction_extension& message) const;
    [[gnu::noinline]] void report_stack(const instruction_extension& message);

    isa::sub_unit unit_;
    std::array<class_timing, 5> timing_{};
    isa::write_set own_results_;                    ///< of instructions that write directly
    const isa::write_set* later_results_ = nullptr; ///< of the latest instruction that did not
};

/// A sub-unit whose instructions work on registers only.
class register_unit : public sub_unit_module {
protected:
    using sub_unit_module::sub_unit_module;

private:
    void b_transport(instruction_payload& trans, sc_core::sc_time& delay) final;
    [[gnu::noinline]] void execute_otherwise(instruction_extension& message, const isa::instruction& insn,
                                             const class_timing& when);
    void report_index_erratum(const instruction_extension& message);
};

class simple_unit : public register_unit {
public:
    simple_unit(const sc_core::sc_module_name& name, lreg_file& lregs)
        : register_unit(name, isa::sub_unit::simple, lregs) {}
};

class mad_unit : public register_unit {
public:
    mad_unit(const sc_core::sc_module_name& name, lreg_file& lregs)
        : register_unit(name, isa::sub_unit::mad, lregs) {}
};

class round_unit : public register_unit {
public:
    round_unit(const sc_core::sc_module_name& name, lreg_file& lregs)
        : register_unit(name, isa::sub_unit::round, lregs) {}
};

} // namespace sfpu
