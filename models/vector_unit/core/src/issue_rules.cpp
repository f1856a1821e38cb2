// What state says to the planner, where it may have changed.
#include <sfpu/vector_unit/issue_core.h>

#include <sfpu/isa/instruction.h>

namespace sfpu {

/// What state says to the planner, where it may have changed. `behind`: the plan that was executed since it
/// was sampled, if nothing else can have changed it.
void issue_core::sample_rules(const timing::plan* behind) {
    const isa::vector_state& state = state_.vector;
    const isa::lane_configuration& lanes = state.config;
    const timing::rule_inputs& before = planner_.rules();
    timing::rule_inputs now;
    timing::instruction_library& library = planner_.library();
    const std::uint64_t writes = state.macro_version - macro_version_;
    if (!behind || !rules_known_ || writes > behind->configuration_writes)
        now.configuration = library.number_of(state);
    else if (writes == 0) now.configuration = before.configuration;
    else now.configuration = library.number_after(before.configuration, behind->written_parts, state);
    macro_version_ = state.macro_version;
    const std::uint32_t after = behind && behind->length != 0 ? behind->words[behind->length - 1] : 0;
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
    sample_rules(nullptr);
    if (backdoor_changed) planner_.note_backdoor_change();
}

void issue_core::forget_plans() {
    complete();
    const bool backdoor_changed = planner_.rules().backdoor_changed;
    planner_.forget(state_.results.writers());
    sample_rules(nullptr);
    if (backdoor_changed) planner_.note_backdoor_change();
}

} // namespace sfpu
