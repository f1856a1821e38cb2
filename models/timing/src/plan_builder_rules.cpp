// Rules that the vendor's compiler checks. Breaking one changes nothing that happens: it is only said.
#include <sfpu/timing/plan_builder.h>

#include <sfpu/isa/config_destinations.h>
#include <sfpu/isa/word_effects.h>

#include <algorithm>

namespace sfpu::timing {
namespace {

bool writes_macro_configuration(const isa::instruction& insn) {
    return insn.is(isa::opcode::sfpconfig) && insn.vd <= isa::config_destination_vd::misc;
}

} // namespace

/// A word is issued while scheduled instructions are outstanding, those of its own cycle included.
void plan_builder::check_in_flight(const issued_word& issued) {
    const isa::instruction& insn = issued.word->insn;
    const bool configures = writes_macro_configuration(insn);
    if (!configures && !moves_lanes(insn)) return;
    plan_note& found =
        report(configures ? report_id::macro_configured_in_flight : report_id::macro_lanes_move,
               static_cast<int>(issued.index));
    const scheduled_entry& last = state_.slots.entries().back();
    found.insn = &insn;
    found.second = last.insn;
    found.other = last.origin;
}

/// Of what is scheduled for this cycle. `jobs_` holds nothing else yet.
void plan_builder::check_store_beside_flags() {
    const auto find = [&](auto condition) { return std::find_if(jobs_.begin(), jobs_.end(), condition); };
    const auto store = find([](const job& what) { return what.unit == isa::sub_unit::store; });
    if (store == jobs_.end() || !store->insn->is(isa::opcode::sfpstore)) return;
    const auto writer = find([&](const job& what) {
        return what.unit == isa::sub_unit::simple && isa::effects_of(*what.insn, machine_.chip).writes_flags;
    });
    if (writer == jobs_.end()) return;
    plan_note& found = report(report_id::macro_store_beside_flags, store->origin, true);
    found.insn = store->insn;
    found.second = writer->insn;
    found.other = writer->origin;
}

void plan_builder::check_launch(const macro_launch& what, const issued_word& by) {
    if (what.faults.lanes_move) report(report_id::macro_lanes_move, static_cast<int>(by.index));
    const unsigned used = what.templates & by.new_templates;
    if (used == 0) return;
    plan_note& found = report(report_id::macro_template_distance, static_cast<int>(by.index));
    found.insn = &by.word->insn;
    found.number = __builtin_ctz(used);
}

} // namespace sfpu::timing
