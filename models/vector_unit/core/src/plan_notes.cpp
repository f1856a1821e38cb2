// What plans say besides what they do: events for observers, diagnostics with their texts.
#include <sfpu/vector_unit/plan_context.h>

#include <sfpu/isa/disassembler.h>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <string>
#include <vector>

namespace sfpu {

probe::stall_cause cause_of(timing::hold_cause cause) {
    switch (cause) {
    case timing::hold_cause::swap: return probe::stall_cause::swap;
    case timing::hold_cause::shuffle: return probe::stall_cause::shuffle;
    case timing::hold_cause::none:
    case timing::hold_cause::mad_dependence: break;
    }
    return probe::stall_cause::mad_dependence;
}

plan_context::note_source plan_context::source_of(const timing::plan_note& note,
                                                  const plan_order& from) const {
    if (note.from_macro) {
        const launch_origin& origin = origins_[static_cast<unsigned>(note.word)];
        return {origin.word, origin.thread};
    }
    return {note.word < 0 ? -1 : from.word + note.word * std::int64_t{from.word_step}, from.thread};
}

void plan_context::say(const timing::plan_note& note, const plan_order& from) {
    using kind = timing::plan_note::kind;
    const cycles at = from.at + cycles{note.at};
    const auto [word, thread] = source_of(note, from);
    publish_begin_once(at); // a cycle in which nothing else happens shows what the one before it left
    if (note.what == kind::report) return report(note, at, word, from);
    if (!state_.observer) return;
    switch (note.what) {
    case kind::stall: state_.observer->stalled({at, cause_of(note.cause), word, thread}); break;
    case kind::no_operation: break; // the executor has its unit say that
    case kind::discarded: {
        probe::execution_event event;
        event.begin = event.end = at;
        event.unit = note.unit;
        event.insn = *note.insn;
        event.word = word;
        event.discarded = true;
        event.thread = thread;
        state_.observer->executed(event);
        break;
    }
    case kind::forgotten: state_.observer->forgotten({at, note.unit, *note.insn, word, thread}); break;
    case kind::slots: {
        probe::slots_event event;
        event.at = at;
        event.outstanding = note.outstanding;
        state_.observer->slots_changed(event);
        break;
    }
    case kind::counters: publish_counters(at, from.thread); break;
    case kind::report: break;
    }
}

void plan_context::report(const timing::plan_note& note, cycles at, std::int64_t word,
                          const plan_order& from) {
    state_.reporter.report(note.id, at, word, [&] { return text_of(note, from); });
}

std::string plan_context::text_of(const timing::plan_note& note, const plan_order& from) const {
    const isa::word_encoding words = state_.machine.encoding();
    const auto text = [&](const isa::instruction* insn) { return isa::text(*insn, words); };
    switch (note.id) {
    case report_id::isa_undefined:
        return fmt::format("{}: modifier {} has no defined meaning", note.insn->op->mnemonic, note.insn->mod);
    case report_id::isa_constant_register:
        return fmt::format("{} writes L{}, which holds a constant: the result is lost", text(note.insn),
                           note.insn->vd);
    case report_id::isa_non_contractual:
        if (note.insn->is(isa::opcode::sfpmul24) && note.insn->vc != 9)
            return fmt::format(
                "{}: VC is L{}, and it is added to the product as a floating-point adder would "
                "align it; L9 adds nothing",
                text(note.insn), note.insn->vc);
        return fmt::format("{}: modifier {} or operand relies on what current silicon does",
                           note.insn->op->mnemonic, note.insn->mod);
    case report_id::hazard_laneconfig_neighbour:
        return fmt::format("{} directly after a change of DISABLE_BACKDOOR_LOAD",
                           isa::disassemble(note.insn->word, words));
    case report_id::hazard_unprotected_read:
        return fmt::format("{} reads L{} before {} (word {}) has written it", text(note.insn), note.other,
                           text(note.second), from.word + note.number);
    case report_id::hazard_late_write:
        return fmt::format("the result of {} (word {}) for L{} arrives behind that of {} and replaces it",
                           text(note.second), from.word + note.number, note.other, text(note.insn));
    case report_id::macro_other_thread: return other_thread_text(note, from);
    case report_id::macro_other_than_chip: return other_than_chip_text(note);
    case report_id::hazard_config_macro_distance: {
        const unsigned missing = state_.machine.config_distance - static_cast<unsigned>(note.number);
        return fmt::format(
            "{} comes {} {} after an SFPCONFIG that wrote a sequence or Misc; {} are known to be safe: "
            "put {} in between",
            text(note.insn), note.number, note.number == 1 ? "word" : "words", state_.machine.config_distance,
            missing == 1 ? "one SFPNOP" : fmt::format("{} SFPNOPs", missing));
    }
    case report_id::issue_discarded_by_macro:
        return fmt::format("{} discarded: {}, scheduled by word {}, executes on {} in this cycle",
                           text(note.insn), text(note.second), origins_[note.other].word,
                           to_string(note.insn->unit));
    case report_id::hazard_simple_round_conflict:
    case report_id::hazard_swap_neighbour:
    case report_id::hazard_shft2_neighbour: return neighbours_text(note);
    default: return macro_text(note);
    }
}

std::string plan_context::macro_text(const timing::plan_note& note) const {
    const isa::word_encoding words = state_.machine.encoding();
    const auto text = [&](const isa::instruction* insn) { return isa::text(*insn, words); };
    switch (note.id) {
    case report_id::macro_lanes_differ: return "LoadMacroConfig differs between columns";
    case report_id::macro_selector_one: return "a sequence byte has selector 1";
    case report_id::macro_template_not_executable:
        return "a template does not fit its sub-unit and became SFPNOP";
    case report_id::macro_store_without_store: return "what is scheduled on Store is no SFPSTORE";
    case report_id::macro_template_distance:
        return fmt::format("{} uses template {}, which the word before it wrote: put an SFPNOP in between",
                           text(note.insn), note.number);
    case report_id::macro_configured_in_flight:
        return fmt::format("{} while {}, scheduled by word {}, is outstanding", text(note.insn),
                           text(note.second), origins_[note.other].word);
    case report_id::macro_lanes_move:
        if (!note.insn) return "the macro uses a template that moves lanes";
        return fmt::format("{} while {}, scheduled by word {}, is outstanding", text(note.insn),
                           text(note.second), origins_[note.other].word);
    case report_id::macro_store_beside_flags:
        return fmt::format("{} executes in the cycle in which {}, scheduled by word {}, writes the flags: it "
                           "goes to the lanes of before",
                           text(note.insn), text(note.second), origins_[note.other].word);
    case report_id::macro_beyond_machine:
        return note.number == 2 ? "a sequence has a delay that is too long for the machine"
               : note.number    ? "the machine has not so many macros"
                                : "a sequence selects a template that the machine does not have";
    case report_id::macro_forgotten:
        return fmt::format("{}, scheduled by word {}, is forgotten: {} takes its slot on {}", text(note.insn),
                           origins_[note.other].word, text(note.second), to_string(note.unit));
    case report_id::macro_slots_full:
        return fmt::format("no free slot on {} for {}", to_string(note.unit), text(note.insn));
    default: return describe(note.id).meaning;
    }
}

std::string plan_context::other_thread_text(const timing::plan_note& note, const plan_order& from) const {
    namespace part = timing::configuration_part;
    std::vector<std::string> names;
    for (unsigned number = 0; number < part::count; ++number) {
        if (!(static_cast<timing::configuration_parts>(note.number) >> number & 1u)) continue;
        if (number == part::misc) names.emplace_back("Misc");
        else if (number >= part::first_sequence)
            names.push_back(fmt::format("sequence {}", number - part::first_sequence));
        else names.push_back(fmt::format("template {}", number - part::first_template));
    }
    return fmt::format("thread {} uses {} as thread {} has written {} since thread {} did", from.thread,
                       fmt::join(names, ", "), note.other, names.size() == 1 ? "it" : "them", from.thread);
}

std::string plan_context::other_than_chip_text(const timing::plan_note& note) const {
    using d = timing::chip_difference;
    const std::string insn = isa::text(*note.insn, state_.machine.encoding());
    switch (static_cast<d>(note.number)) {
    case d::read_late: return insn + " reads an old value: the chip has the result here";
    case d::read_early: return insn + " reads a result that the chip has later";
    case d::other_last: return insn + " meets another result for its register in another order on the chip";
    case d::exchange_moved: return insn + " reads its operands again in another cycle on the chip";
    case d::held_otherwise:
        return insn + " waits for another number of cycles on the chip, in a program with macros";
    case d::issued_together: return insn + " shares a cycle, while macros are outstanding";
    case d::not_discarded: return insn + " executes beside a scheduled instruction: the chip discards it";
    case d::not_forgotten: return insn + " is scheduled beside another one, which the chip forgets";
    case d::none: break;
    }
    return insn;
}

/// Names both neighbours and the cure.
std::string plan_context::neighbours_text(const timing::plan_note& note) const {
    const isa::word_encoding words = state_.machine.encoding();
    const std::string protects = isa::text(*note.insn, words);
    if (!note.second) return fmt::format("{} directly after a two-cycle SFPSHFT2", protects);
    std::string others =
        fmt::format("{} on {}", isa::text(*note.second, words), to_string(note.second->unit));
    if (note.third)
        others += fmt::format(" and {} on {}", isa::text(*note.third, words), to_string(note.third->unit));
    if (note.id == report_id::hazard_simple_round_conflict)
        return fmt::format(
            "{} on simple and {} share a cycle and the write port: let exactly one of them write L16",
            protects, others);
    if (note.number == 0)
        return fmt::format("{} beside {}: MAD must be idle, or run SFPNOP, in the first cycle of SFPSWAP",
                           others, protects);
    return fmt::format("{} in the second cycle of {}: leave Simple and Round idle, or put an SFPNOP there",
                       others, protects);
}

void plan_context::report_collision(const timing::write_back::collision& found, cycles at) {
    state_.reporter.report(report_id::hazard_write_collision, at, found.winner->word, [&] {
        const isa::word_encoding words = state_.machine.encoding();
        return fmt::format("L{} is written by {} and by {}; the latter wins", found.lreg,
                           isa::text(*found.loser->insn, words), isa::text(*found.winner->insn, words));
    });
}

} // namespace sfpu
