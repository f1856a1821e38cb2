// What state says to the planner, where it may have changed.
#include <sfpu/vector_unit/issue_core.h>

#include <sfpu/isa/instruction.h>

namespace sfpu {

/// What state says to the planner, where it may have changed. `after`: the word that was issued last; `changed_by`: the
/// only instruction that can have written LoadMacroConfig since it was sampled, if not null.
void issue_core::sample_rules(std::uint32_t after, const isa::instruction* changed_by) {
    const isa::vector_state& state = state_.vector;
    const isa::lane_configuration& lanes = state.config;
    const timing::rule_inputs& before = planner_.rules();
    timing::rule_inputs now;
    timing::instruction_library& library = planner_.library();
    const std::uint64_t writes = state.macro_version - macro_version_;
    if (!changed_by || !rules_known_ || writes > 1) now.configuration = library.number_of(state);
    else if (writes == 0) now.configuration = before.configuration;
    else now.configuration = library.number_after(before.configuration, *changed_by, state);
    macro_version_ = state.macro_version;
    now.backdoor_closed = lanes.lanes_with(isa::lane_configuration::disable_backdoor_load);
    now.lanes_ordinary = !lanes.any_of(~(1u << isa::lane_configuration::disable_backdoor_load));
    now.backdoor_changed = rules_known_ && after >> 24 == isa::opcode::sfpconfig &&
                           now.backdoor_closed != before.backdoor_closed;
    if (state_.machine.issue_width > 1) now.still_modifiers = state_.threads[thread_].still_modifiers();
    planner_.set_rules(now);
    rules_known_ = true;
}

void issue_core::take_rules_anew() {
    if (planner_.library().is_full()) {
        forget_plans();
        return;
    }
    const bool backdoor_changed = planner_.rules().backdoor_changed;
    sample_rules(0, nullptr);
    if (backdoor_changed) planner_.note_backdoor_change();
}

void issue_core::forget_plans() {
    complete();
    const bool backdoor_changed = planner_.rules().backdoor_changed;
    planner_.forget(state_.results.writers());
    sample_rules(0, nullptr);
    if (backdoor_changed) planner_.note_backdoor_change();
}

} // namespace sfpu
