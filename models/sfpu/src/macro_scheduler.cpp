#include <sfpu/vector_unit/macro_scheduler.h>

#include <sfpu/isa/disassembler.h>

#include <fmt/format.h>

#include <algorithm>
#include <string>

namespace sfpu {
namespace {

using isa::sub_unit;
constexpr unsigned index_of(sub_unit unit) { return static_cast<unsigned>(unit); }
constexpr unsigned bit_of(sub_unit unit) { return 1u << index_of(unit); }

} // namespace

macro_scheduler::macro_scheduler(const sc_core::sc_module_name& name, lreg_file& lregs)
    : sc_module(name), issue_tsock("issue_tsock"), simple("simple_isock"), mad("mad_isock"),
      round("round_isock"), store("store_isock"), load("load_isock"), lregs_(lregs),
      program_(lregs.config), senders_{&simple, &mad, &round, &store, &load} {
    issue_tsock.bind(*this);
}

void macro_scheduler::reset() {
    slots_.reset(lregs_.config);
    program_.forget();
    neighbours_.reset(lregs_.config.arch);
    now_ = cycles{};
    last_effect_ = cycles{-1};
    stores_first_ = lregs_.config.dst_store_load_visible == 0;
    published_slots_.fill(0);
}

void macro_scheduler::b_transport(instruction_payload& trans, sc_core::sc_time&) {
    instruction_extension& message = trans.message;
    if (message.at < now_) {
        trans.set_response_status(tlm::TLM_GENERIC_ERROR_RESPONSE);
        return;
    }
    if (now_ < message.at) idle_until(message.at);
    message.discarded = false;
    if (message.insn) run_cycle(&message);
    trans.set_response_status(tlm::TLM_OK_RESPONSE);
}

/// Cycles without an issue. When no outstanding entry can advance and no result is under way they change nothing.
void macro_scheduler::idle_until(cycles end) {
    while (now_ < end) {
        if (!slots_.can_advance_alone() && !lregs_.results.pending_after(now_ - one_cycle)) {
            now_ = end;
            return;
        }
        run_cycle(nullptr);
    }
}

void macro_scheduler::drain() {
    while (slots_.can_advance_alone() || lregs_.results.pending_after(now_ - one_cycle)) run_cycle(nullptr);
    if (!slots_.busy()) return;
    lregs_.reporter.report(report_id::macro_never_drained, now_, -1, [&] {
        std::string text = "still outstanding at the end:";
        slots_.for_each([&](unsigned unit, unsigned remaining, const timing::scheduled_entry& entry) {
            text += fmt::format(" {} on {} ({} to go, word {});", isa::text(entry.insn, lregs_.config.arch),
                                to_string(static_cast<sub_unit>(unit)), remaining, entry.word);
        });
        text.pop_back();
        return text;
    });
}

// --- one cycle -----------------------------------------------------------------------------------------------------

void macro_scheduler::run_cycle(instruction_extension* issued) {
    lregs_.results.begin_cycle(now_, lregs_.state);
    const unsigned due = slots_.due();
    if (due != 0 || (issued && issued->insn->is(isa::opcode::sfploadmacro))) {
        run_mixed_cycle(issued, due);
    } else {
        if (issued) {
            const isa::instruction& insn = *issued->insn;
            ++lregs_.counters.issued[index_of(insn.unit)];
            execute(insn.unit, insn, issued->word, lregs_.results.independent_of(insn, now_));
            // Alone as it is, it may stand in the second cycle of a swap or shuffle.
            if (neighbours_.concerned(insn, now_)) check_lone_instruction(insn, issued->word);
        }
        slots_.finish_cycle(issued != nullptr);
    }
    commit();
    if (lregs_.observer) publish_slots();
    ++now_;
}

/// A cycle with scheduled instructions or an SFPLOADMACRO. All read the state of the cycle's start, so the order here
/// does not matter, with three exceptions: a load must read Dst before a store of the same cycle writes it (T2), an
/// SFPLOADMACRO samples its configuration before a scheduled SFPCONFIG changes it (T1), and Simple, the only unit
/// that writes lane flags and configuration in place, comes last (T5).
void macro_scheduler::run_mixed_cycle(instruction_extension* issued, unsigned due) {
    const bool discarded =
        issued && issued->insn->unit != sub_unit::load && (due & bit_of(issued->insn->unit)); // T13
    const isa::instruction* regular = issued && !discarded ? issued->insn : nullptr;
    const bool single = (due & (due - 1)) == 0 && ((due != 0) != (regular != nullptr));
    const bool alone = single && lregs_.results.nothing_due(now_);
    const auto run_due = [&](sub_unit unit) {
        if (!(due & bit_of(unit))) return;
        const timing::scheduled_entry& entry = slots_.firing(index_of(unit));
        ++lregs_.counters.scheduled[index_of(unit)];
        execute(unit, entry.insn, entry.word, alone, entry.dst_address);
    };
    const auto run_regular = [&](sub_unit unit) {
        if (!regular || regular->unit != unit) return;
        ++lregs_.counters.issued[index_of(unit)];
        execute(unit, *regular, issued->word, alone);
    };
    if (discarded) {
        issued->discarded = true;
        discard(*issued);
    }

    const bool store_due = (due & bit_of(sub_unit::store)) || (regular && regular->unit == sub_unit::store);
    if (stores_first_ && store_due) {
        run_due(sub_unit::store);
        run_regular(sub_unit::store);
    }
    const timing::macro_launch* launched = nullptr;
    if (regular && regular->is(isa::opcode::sfploadmacro)) {
        launched = &program_.launch(lregs_.state, regular->macro_index, regular->vd);
        if (!lregs_.state.macro_uniform())
            lregs_.reporter.report(report_id::macro_lanes_differ, now_, issued->word,
                                   [] { return std::string("LoadMacroConfig differs between columns"); });
    }
    run_regular(sub_unit::load);
    if (!stores_first_) {
        run_due(sub_unit::store);
        run_regular(sub_unit::store);
    }
    for (sub_unit unit : {sub_unit::mad, sub_unit::round, sub_unit::simple}) {
        run_due(unit);
        run_regular(unit);
    }

    const auto occupant = [&](sub_unit unit) -> const isa::instruction* {
        if (due & bit_of(unit)) return &slots_.firing(index_of(unit)).insn;
        return regular && regular->unit == unit ? regular : nullptr;
    };
    check_neighbours({occupant(sub_unit::simple), occupant(sub_unit::mad), occupant(sub_unit::round)},
                     issued ? issued->word : -1);
    slots_.finish_cycle(issued != nullptr);
    if (launched) launch(*regular, *launched, issued->word, load.message().dst_address);
}

void macro_scheduler::execute(sub_unit unit, const isa::instruction& insn, std::int64_t word, bool alone,
                              std::uint16_t dst_address) {
    instruction_sender& sender = *senders_[index_of(unit)];
    instruction_extension& message = sender.message();
    message.insn = &insn;
    message.at = now_;
    message.word = word;
    message.alone = alone;
    message.dst_address = dst_address;
    sender.send();
    note_effect(message.effect);
}

void macro_scheduler::discard(const instruction_extension& issued) {
    const isa::instruction& insn = *issued.insn;
    ++lregs_.counters.discarded[index_of(insn.unit)];
    lregs_.reporter.report(report_id::issue_discarded_by_macro, now_, issued.word, [&] {
        const timing::scheduled_entry& winner = slots_.firing(index_of(insn.unit));
        return fmt::format("{} discarded: {}, scheduled by word {}, executes on {} in this cycle",
                           isa::text(insn, lregs_.config.arch), isa::text(winner.insn, lregs_.config.arch),
                           winner.word, to_string(insn.unit));
    });
    if (!lregs_.observer) return;
    probe::execution_event event;
    event.begin = event.end = now_;
    event.unit = insn.unit;
    event.insn = insn;
    event.word = issued.word;
    event.discarded = true;
    lregs_.observer->executed(event);
}

void macro_scheduler::check_lone_instruction(const isa::instruction& insn, std::int64_t word) {
    timing::cycle_occupants busy;
    if (insn.unit == sub_unit::simple) busy.simple = &insn;
    else if (insn.unit == sub_unit::round) busy.round = &insn;
    check_neighbours(busy, word);
}

void macro_scheduler::check_neighbours(const timing::cycle_occupants& busy, std::int64_t word) {
    if (!busy.simple && !busy.round) return;
    const timing::neighbour_faults faults = neighbours_.check(now_, busy);
    if (!faults.any()) return;
    const auto who = [&] {
        std::string text;
        for (const isa::instruction* insn : {busy.simple, busy.mad, busy.round})
            if (insn) text += (text.empty() ? "" : " beside ") + isa::text(*insn, lregs_.config.arch);
        return text;
    };
    if (faults.simple_round) lregs_.reporter.report(report_id::hazard_simple_round_conflict, now_, word, who);
    if (faults.swap) lregs_.reporter.report(report_id::hazard_swap_neighbour, now_, word, who);
    if (faults.shuffle) lregs_.reporter.report(report_id::hazard_shft2_neighbour, now_, word, who);
}

void macro_scheduler::commit() {
    timing::write_back::collision found;
    if (!lregs_.results.commit(now_, lregs_.state, found)) return;
    lregs_.reporter.report(report_id::hazard_write_collision, now_, found.winner->word, [&] {
        const architecture arch = lregs_.config.arch;
        return fmt::format("L{} is written by {} and by {}; the latter wins", found.lreg,
                           isa::disassemble(found.loser->instruction_word, arch),
                           isa::disassemble(found.winner->instruction_word, arch));
    });
}

// --- scheduling ----------------------------------------------------------------------------------------------------

void macro_scheduler::launch(const isa::instruction& insn, const timing::macro_launch& what,
                             std::int64_t word, std::uint16_t dst_address) {
    ++lregs_.counters.macros_launched;
    if (what.faults.any()) report_faults(what.faults, word);
    for (unsigned unit = 0; unit < isa::scheduled_units; ++unit) {
        if (!(what.units >> unit & 1)) continue;
        timing::scheduled_entry entry{what.insn[unit], word, dst_address, what.counts_instructions[unit]};
        if (unit == index_of(sub_unit::store) && what.store_takes_load_mod) entry.insn.mod = insn.mod;
        timing::scheduled_entry forgotten;
        switch (slots_.schedule(unit, entry, what.delay[unit], &forgotten)) {
        case timing::macro_slots::outcome::placed: break;
        case timing::macro_slots::outcome::replaced:
            ++lregs_.counters.macros_forgotten;
            lregs_.reporter.report(report_id::macro_forgotten, now_, word, [&] {
                return fmt::format("{}, scheduled by word {}, is forgotten: {} takes its slot on {}",
                                   isa::text(forgotten.insn, lregs_.config.arch), forgotten.word,
                                   isa::text(entry.insn, lregs_.config.arch),
                                   to_string(static_cast<sub_unit>(unit)));
            });
            if (lregs_.observer)
                lregs_.observer->forgotten(
                    {now_, static_cast<sub_unit>(unit), forgotten.insn, forgotten.word});
            break;
        case timing::macro_slots::outcome::no_slot:
            lregs_.reporter.report(report_id::macro_slots_full, now_, word, [&] {
                return fmt::format("no free slot on {} for {}", to_string(static_cast<sub_unit>(unit)),
                                   isa::text(entry.insn, lregs_.config.arch));
            });
            break;
        }
    }
    lregs_.counters.macro_max_outstanding =
        std::max(lregs_.counters.macro_max_outstanding, slots_.outstanding());
}

void macro_scheduler::report_faults(const timing::expansion_faults& faults, std::int64_t word) {
    const auto say = [&](report_id id, const char* text) {
        lregs_.reporter.report(id, now_, word, [=] { return std::string(text); });
    };
    if (faults.selector_one) say(report_id::macro_selector_one, "a sequence byte has selector 1");
    if (faults.not_executable)
        say(report_id::macro_template_not_executable,
            "a template does not fit its sub-unit and became SFPNOP");
    if (faults.store_without_store)
        say(report_id::macro_store_without_store, "what is scheduled on Store is no SFPSTORE");
}

void macro_scheduler::publish_slots() {
    probe::slots_event event;
    event.at = now_;
    for (unsigned unit = 0; unit < isa::scheduled_units; ++unit)
        event.outstanding[unit] = static_cast<std::uint8_t>(slots_.remaining(unit));
    if (event.outstanding == published_slots_) return;
    published_slots_ = event.outstanding;
    lregs_.observer->slots_changed(event);
}

} // namespace sfpu
