// What SFPLOADMACROs schedule, who wrote their configuration, and where they do something else than on the
// chip.
#include <sfpu/timing/plan_builder.h>

#include <sfpu/isa/config_destinations.h>

#include <algorithm>

namespace sfpu::timing {
namespace {

namespace opcode = isa::opcode;
namespace vd = isa::config_destination_vd;
using isa::instruction;
using isa::sub_unit;
using kind = plan_note::kind;

/// Words with a VD from here on name a template, from 0.
constexpr unsigned first_backdoor = 12;

/// The part of LoadMacroConfig that a VD of an SFPCONFIG stands for, or a template.
unsigned written_part(const instruction& insn, unsigned of_vd, const isa::machine& machine) {
    namespace part = configuration_part;
    if (of_vd == vd::misc) return part::misc;
    const bool is_indexed =
        insn.is(opcode::sfpconfig) && machine.encoding().extended_index() && !(insn.mod & 9);
    const unsigned beyond =
        is_indexed ? isa::extended_index::of(static_cast<std::uint32_t>(insn.imm)).plus_four : 0;
    return of_vd % 4 + beyond + (of_vd < vd::first_sequence ? part::first_template : part::first_sequence);
}

} // namespace

// --- configuration -----------------------------------------------------------------------------------------

/// An instruction writes configuration: through the backdoor, or as SFPCONFIG.
void plan_builder::note_configuration(const job& what, bool is_template) {
    const instruction& insn = *what.insn;
    const unsigned part = is_template ? insn.vd - first_backdoor : insn.vd;
    if (is_template) state_.new_templates = static_cast<std::uint8_t>(state_.new_templates | 1u << part);
    if (part <= vd::misc) {
        state_.writers.write(written_part(insn, part, machine_), state_.source.thread);
        to_->written_parts = static_cast<std::uint16_t>(to_->written_parts | 1u << part);
        ++to_->configuration_writes;
        is_configured_ = false;
        // Two issue slots: what may go in one cycle is decided with the rules of its plan.
        if (what.scheduled || machine_.issue_width > 1) ended_ = true;
        return;
    }
    const bool is_constant = part >= vd::first_constant && part <= vd::last_constant && !what.scheduled;
    if (!is_constant) ended_ = true;
}

// --- scheduling --------------------------------------------------------------------------------------------

void plan_builder::launch(const macro_launch& what, const issued_word& by) {
    const int word = static_cast<int>(by.index);
    ++to_->counts.macros_launched;
    if (chip_watch_.is_active()) state_.on_chip.launched = true;
    if (what.faults.any()) report_faults(what.faults, word);
    report_other_threads(what.uses, word);
    check_launch(what, by);
    const auto origin = static_cast<std::uint16_t>(to_->origins_before + to_->launches++);
    for (unsigned units = what.units; units != 0; units &= units - 1) {
        const auto unit = static_cast<unsigned>(__builtin_ctz(units));
        scheduled_entry entry;
        entry.insn = &what.insn[unit];
        entry.unit = static_cast<sub_unit>(unit);
        entry.remaining = what.delay[unit];
        entry.counts_instructions = what.counts_instructions[unit];
        entry.origin = origin;
        schedule(entry, word);
    }
    to_->counts.max_outstanding = std::max(to_->counts.max_outstanding, state_.slots.outstanding());
}

void plan_builder::report_faults(const expansion_faults& faults, int word) {
    if (faults.lanes_differ) report(report_id::macro_lanes_differ, word);
    if (faults.selector_one) report(report_id::macro_selector_one, word);
    if (faults.not_executable) report(report_id::macro_template_not_executable, word);
    if (faults.store_without_store) report(report_id::macro_store_without_store, word);
    if (faults.no_such_macro) report(report_id::macro_beyond_machine, word).number = 1;
    if (faults.no_such_template) report(report_id::macro_beyond_machine, word);
    if (faults.delay_too_long) report(report_id::macro_beyond_machine, word).number = 2;
}

/// What an SFPLOADMACRO uses and its thread wrote, and another thread has written since.
void plan_builder::report_other_threads(configuration_parts uses, int word) {
    const configuration_writers& writers = state_.writers;
    const configuration_parts foreign = writers.overwritten[state_.source.thread] & uses;
    for (unsigned thread = 0; foreign != 0 && thread < isa::thread_count; ++thread) {
        configuration_parts parts = 0;
        for (unsigned part = 0; part < configuration_part::count; ++part)
            if ((foreign >> part & 1u) && writers.writer_of(part) == thread) parts |= 1u << part;
        if (parts == 0) continue;
        plan_note& said = report(report_id::macro_other_thread, word);
        said.number = static_cast<std::int32_t>(parts);
        said.other = static_cast<std::uint16_t>(thread);
    }
}

void plan_builder::schedule(const scheduled_entry& entry, int word) {
    using outcome = macro_slots::outcome;
    const bool is_doubled = state_.slots.remaining(entry.unit) >> entry.remaining & 1u;
    scheduled_entry forgotten;
    const outcome result = state_.slots.schedule(entry, machine_, forgotten);
    if (result == outcome::replaced) {
        ++to_->counts.macros_forgotten;
        plan_note& said = report(report_id::macro_forgotten, word);
        said.insn = forgotten.insn;
        said.second = entry.insn;
        said.other = forgotten.origin;
        said.unit = entry.unit;
        plan_note& shown = note(kind::forgotten);
        shown.insn = forgotten.insn;
        shown.unit = entry.unit;
        shown.from_macro = true;
        shown.word = static_cast<std::int16_t>(forgotten.origin);
    } else if (result == outcome::no_slot) {
        plan_note& said = report(report_id::macro_slots_full, word);
        said.insn = entry.insn;
        said.unit = entry.unit;
    } else if (is_doubled) {
        differs(chip_difference::not_forgotten, *entry.insn, word);
    }
}

// --- other than the chip -----------------------------------------------------------------------------------

/// A word that is about to be issued and waits for another number of cycles on the chip moves against what
/// is scheduled. It waited here if nothing was issued in the cycle before and it could not have been: a plan
/// may begin while a word waits, so how long ago it came is not known.
void plan_builder::check_wait(const library_word& word, unsigned index) {
    chip_watch_state& state = state_.on_chip;
    const word_role role = role_of(word.insn, state_.rules);
    const unsigned longer = state.stalls_on_chip.wait(word.insn, role);
    const bool parts =
        state.stalls.releases(word.insn, role) != state.stalls_on_chip.releases(word.insn, role);
    const bool differ = longer != 0 || (parts && !state.issued_before);
    if (differ && (state.launched || word.insn.is(opcode::sfploadmacro)))
        differs(chip_difference::held_otherwise, word.insn, static_cast<int>(index));
    if (longer != 0) state.delay_on_chip(longer);
}

/// Says once what a program with macros does otherwise on the chip.
void plan_builder::differs(chip_difference how, const instruction& insn, int word) {
    const auto bit = static_cast<std::uint16_t>(1u << static_cast<unsigned>(how));
    if (state_.on_chip.said & bit) return;
    state_.on_chip.said |= bit;
    plan_note& found = report(report_id::macro_other_than_chip, word);
    found.insn = &insn;
    found.number = static_cast<std::int32_t>(how);
}

} // namespace sfpu::timing
