#include <sfpu/vector_unit/macro_scheduler.h>

#include <sfpu/isa/disassembler.h>

#include <fmt/format.h>

#include <algorithm>
#include <string>

namespace sfpu {
namespace {

using isa::sub_unit;
using timing::result_port;
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
    for (const result_port port : {result_port::mad, result_port::swap, result_port::shuffle,
                                   result_port::simple, result_port::round, result_port::load})
        takes_one_cycle_[static_cast<unsigned>(port)] =
            port != result_port::swap && timing::latency_of(port, lregs_.config) == 1;
    published_slots_.fill(0);
}

void macro_scheduler::b_transport(instruction_payload& trans, sc_core::sc_time&) {
    instruction_extension& message = trans.message;
    if (message.at != now_ && !wait_for(message.at)) {
        trans.set_response_status(tlm::TLM_GENERIC_ERROR_RESPONSE);
        return;
    }
    trans.set_response_status(tlm::TLM_OK_RESPONSE);
    message.discarded = false;
    if (message.stretch) play(*message.stretch, message);
    else if (!message.insn) return;
    else if (slots_.busy() || message.insn->is(isa::opcode::sfploadmacro)) run_cycle(&message);
    else run_lone(message);
}

/// Lets time pass up to the cycle; false if that is the past.
bool macro_scheduler::wait_for(cycles at) {
    if (at < now_) return false;
    idle_until(at);
    return true;
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

/// Everything that this unit reports depends on more than a recording tells.
template <class Message>
void macro_scheduler::report(report_id id, std::int64_t word, Message message) {
    recorder_.spoil();
    lregs_.reporter.report(id, now_, word, message);
}

void macro_scheduler::drain() {
    while (slots_.can_advance_alone() || lregs_.results.pending_after(now_ - one_cycle)) run_cycle(nullptr);
    if (!slots_.busy()) return;
    report(report_id::macro_never_drained, -1, [&] {
        std::string text = "still outstanding at the end:";
        slots_.for_each([&](unsigned unit, unsigned remaining, const timing::scheduled_entry& entry) {
            text += fmt::format(" {} on {} ({} to go, word {});", isa::text(*entry.insn, lregs_.config.arch),
                                to_string(static_cast<sub_unit>(unit)), remaining, entry.word);
        });
        text.pop_back();
        return text;
    });
}

// --- recorded stretches ----------------------------------------------------------------------------------------------

void macro_scheduler::describe(timing::situation& to) const {
    to.add(lregs_.state.macro_version);
    to.add(program_.generation());
    neighbours_.describe(now_, to);
    slots_.describe(to);
    lregs_.results.describe(now_, to);
}

void macro_scheduler::start_recording() {
    recorder_.start(now_, lregs_.config, lregs_.results.pending(now_), slots_.number_launches());
}

bool macro_scheduler::finish_recording(recorded_stretch& to) {
    if (!recorder_.finish(now_)) return false;
    to.steps = recorder_.steps();
    for (timing::schedule_step& step : to.steps)
        if (step.what <= timing::schedule_step::action::launch) step.insn = &to.insns[step.origin];
    to.last_effect = recorder_.last_effect();
    to.neighbours = neighbours_;
    to.outstanding = slots_.recorded();
    return true;
}

/// The same steps as when it was recorded, on other data.
void macro_scheduler::play(const recorded_stretch& what, const instruction_extension& from) {
    using action = timing::schedule_step::action;
    unsigned launched = 0;
    slots_.for_each([&](unsigned, unsigned, const timing::scheduled_entry& entry) {
        launches_[launched++] = {entry.word, entry.dst_address, entry.thread};
    });
    const cycles start = from.at;
    const std::int64_t first_word = from.word, word_step = from.word_step;
    for (const timing::schedule_step& step : what.steps) {
        const cycles at = start + cycles{step.at};
        const auto send_issued = [&] {
            const std::int64_t word = first_word + step.origin * word_step;
            send(step.unit, *step.insn, at, word, from.thread, step.alone);
            return word;
        };
        if (step.what == action::issued) {
            send_issued();
        } else if (step.what == action::launch) {
            const std::int64_t word = send_issued();
            launches_[launched++] = {word, load.message().dst_address, from.thread};
        } else if (step.what == action::scheduled) {
            const timing::launch_origin& origin = launches_[step.origin];
            senders_[index_of(step.unit)]->message().dst_address = origin.dst_address;
            send(step.unit, *step.insn, at, origin.word, origin.thread, step.alone);
        } else if (step.what == action::begin_cycle) {
            lregs_.results.begin_cycle(at, lregs_.state);
        } else {
            now_ = at;
            if (!lregs_.results.commit_one(at, lregs_.state))
                commit(); // whether results collide depends on lanes
        }
    }
    now_ = start + what.duration;
    if (what.last_effect >= 0) note_effect(start + cycles{what.last_effect});
    neighbours_.resume(what.neighbours, start - what.recorded_at);
    slots_.resume(what.outstanding, launches_.data());
}

// --- one cycle -----------------------------------------------------------------------------------------------------

void macro_scheduler::run_cycle(instruction_extension* issued) {
    lregs_.results.begin_cycle(now_, lregs_.state);
    run_mixed_cycle(issued, slots_.due());
    if (!lregs_.results.commit_one(now_, lregs_.state)) commit();
    if (lregs_.observer) publish_slots();
    ++now_;
}

/// Hands an instruction to its sub-unit. (What schedules a store also sets its Dst address.)
inline void macro_scheduler::send(sub_unit unit, const isa::instruction& insn, cycles at, std::int64_t word,
                                  std::uint8_t thread, bool alone) {
    instruction_sender& sender = *senders_[index_of(unit)];
    instruction_extension& message = sender.message();
    message.insn = &insn;
    message.at = at;
    message.word = word;
    message.thread = thread;
    message.alone = alone;
    sender.send();
}

inline void macro_scheduler::execute(sub_unit unit, const job& what, bool alone) {
    instruction_extension& message = senders_[index_of(unit)]->message();
    message.dst_address = what.dst_address;
    message.effect = now_;
    send(unit, *what.insn, now_, what.word, what.thread, alone);
    note_effect(message.effect);
    if (recorder_.recording()) recorder_.executed(*what.insn, unit, now_, what.launch, message.effect);
}

/// Whether what comes of an instruction is complete in its cycle, and there is nothing special about it.
inline bool macro_scheduler::takes_one_cycle(const isa::instruction& insn) const {
    return takes_one_cycle_[static_cast<unsigned>(timing::port_of(insn))] && lregs_.is_ordinary();
}

/// An issued instruction while no scheduled one is outstanding: nearly all cycles of programs without macros.
inline void macro_scheduler::run_lone(const instruction_extension& issued) {
    const isa::instruction& insn = *issued.insn;
    timing::write_back& results = lregs_.results;
    results.begin_cycle(now_, lregs_.state);
    ++lregs_.counters.issued[index_of(insn.unit)];
    execute(insn.unit, {&insn, issued.word, 0, 0, issued.thread},
            takes_one_cycle(insn) && results.independent_of(insn, now_));
    // Alone as it is, it may stand in the second cycle of a swap or shuffle.
    if (neighbours_.concerned(insn, now_)) check_lone_instruction(insn, issued.word);
    if (!results.commit_one(now_, lregs_.state)) commit();
    if (lregs_.observer) publish_slots();
    ++now_;
}

/// What one cycle executes, by sub-unit.
struct macro_scheduler::cycle_plan {
    std::array<job, 5> jobs; ///< those of busy sub-units
    unsigned busy = 0;       ///< bit per sub-unit

    void add(sub_unit unit, const job& what) {
        jobs[index_of(unit)] = what;
        busy |= bit_of(unit);
    }
    const isa::instruction* occupant(sub_unit unit) const {
        return busy & bit_of(unit) ? jobs[index_of(unit)].insn : nullptr;
    }
};

/// A cycle with scheduled instructions or an SFPLOADMACRO. All read the state of the cycle's start, so the order here
/// does not matter, with three exceptions: a load must read Dst before a store of the same cycle writes it (T2), an
/// SFPLOADMACRO samples its configuration before a scheduled SFPCONFIG changes it (T1), and Simple, the only unit
/// that writes lane flags and configuration in place, comes last (T5).
void macro_scheduler::run_mixed_cycle(instruction_extension* issued, unsigned due) {
    cycle_plan plan;
    const timing::macro_launch* launched = nullptr;
    if (issued && issued->insn->is(isa::opcode::sfploadmacro)) launched = &expand(*issued->insn);
    for (unsigned rest = due; rest != 0; rest &= rest - 1) {
        const auto unit = static_cast<unsigned>(__builtin_ctz(rest));
        const timing::scheduled_entry& entry = slots_.firing(unit);
        ++lregs_.counters.scheduled[unit];
        plan.add(static_cast<sub_unit>(unit),
                 {entry.insn, entry.word, entry.dst_address, entry.launch, entry.thread});
    }
    if (issued) {
        const isa::instruction& insn = *issued->insn;
        if (due & bit_of(insn.unit)) { // T13; no scheduled instruction ever is on Load
            issued->discarded = true;
            discard(*issued);
        } else {
            ++lregs_.counters.issued[index_of(insn.unit)];
            plan.add(insn.unit, {&insn, issued->word, 0, 0, issued->thread});
        }
    }
    execute(plan);
    if (plan.busy & (bit_of(sub_unit::simple) | bit_of(sub_unit::round)))
        check_neighbours(
            {plan.occupant(sub_unit::simple), plan.occupant(sub_unit::mad), plan.occupant(sub_unit::round)},
            issued ? issued->word : -1);
    slots_.finish_cycle(issued != nullptr);
    if (launched) launch(*launched, *issued);
}

/// What the SFPLOADMACRO schedules by the configuration of this cycle. If that is new, entries that still wait get
/// copies of their instructions.
const timing::macro_launch& macro_scheduler::expand(const isa::instruction& insn) {
    if (const timing::macro_launch* known = program_.find(lregs_.state, insn)) return *known;
    slots_.keep_copies();
    recorder_.spoil(); // recorded instructions stay where they are
    return program_.expanded(lregs_.state, insn);
}

void macro_scheduler::execute(const cycle_plan& plan) {
    using order = std::array<sub_unit, 5>;
    constexpr order loads_first{sub_unit::load, sub_unit::store, sub_unit::mad, sub_unit::round,
                                sub_unit::simple};
    constexpr order stores_first{sub_unit::store, sub_unit::load, sub_unit::mad, sub_unit::round,
                                 sub_unit::simple};
    // A result may go straight to its register if nobody else reads or writes that in this cycle.
    isa::register_set reads = 0, writes = 0, contested = 0;
    for (unsigned rest = plan.busy; rest != 0; rest &= rest - 1) {
        const isa::instruction& insn = *plan.jobs[static_cast<unsigned>(__builtin_ctz(rest))].insn;
        const isa::register_set written = insn.use.results();
        contested |= (reads & insn.use.reads) | (writes & written);
        reads |= insn.use.reads;
        writes |= written;
    }
    for (const sub_unit unit : stores_first_ ? stores_first : loads_first) {
        if (!(plan.busy & bit_of(unit))) continue;
        const job& what = plan.jobs[index_of(unit)];
        const isa::instruction& insn = *what.insn;
        const isa::register_set others = contested | (reads & ~insn.use.reads);
        const bool alone = (insn.use.results() & others) == 0 && takes_one_cycle(insn) &&
                           lregs_.results.independent_of(insn, now_);
        execute(unit, what, alone);
    }
}

void macro_scheduler::discard(const instruction_extension& issued) {
    const isa::instruction& insn = *issued.insn;
    ++lregs_.counters.discarded[index_of(insn.unit)];
    report(report_id::issue_discarded_by_macro, issued.word, [&] {
        const timing::scheduled_entry& winner = slots_.firing(index_of(insn.unit));
        return fmt::format("{} discarded: {}, scheduled by word {}, executes on {} in this cycle",
                           isa::text(insn, lregs_.config.arch), isa::text(*winner.insn, lregs_.config.arch),
                           winner.word, to_string(insn.unit));
    });
    if (!lregs_.observer) return;
    probe::execution_event event;
    event.begin = event.end = now_;
    event.unit = insn.unit;
    event.insn = insn;
    event.word = issued.word;
    event.thread = issued.thread;
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
    if (faults.simple_round) report(report_id::hazard_simple_round_conflict, word, who);
    if (faults.swap) report(report_id::hazard_swap_neighbour, word, who);
    if (faults.shuffle) report(report_id::hazard_shft2_neighbour, word, who);
}

void macro_scheduler::commit() {
    timing::write_back::collision found;
    lregs_.results.commit(now_, lregs_.state, found);
    if (!found.loser) return;
    report(report_id::hazard_write_collision, found.winner->word, [&] {
        const architecture arch = lregs_.config.arch;
        return fmt::format("L{} is written by {} and by {}; the latter wins", found.lreg,
                           isa::disassemble(found.loser->instruction_word, arch),
                           isa::disassemble(found.winner->instruction_word, arch));
    });
}

// --- scheduling ----------------------------------------------------------------------------------------------------

void macro_scheduler::launch(const timing::macro_launch& what, const instruction_extension& issued) {
    using outcome = timing::macro_slots::outcome;
    const std::int64_t word = issued.word;
    const std::uint16_t dst_address = load.message().dst_address;
    ++lregs_.counters.macros_launched;
    if (what.faults.any()) report_faults(what.faults, word);
    const auto number = static_cast<std::uint8_t>(recorder_.recording() ? recorder_.next_launch() : 0);
    for (unsigned units = what.units; units != 0; units &= units - 1) {
        const auto unit = static_cast<unsigned>(__builtin_ctz(units));
        const timing::scheduled_entry entry{
            &what.insn[unit], word, dst_address, what.counts_instructions[unit], number, issued.thread};
        timing::scheduled_entry forgotten;
        const outcome result = slots_.schedule(unit, entry, what.delay[unit], &forgotten);
        if (result == outcome::replaced) report_forgotten(unit, forgotten, entry);
        else if (result == outcome::no_slot) report_no_slot(unit, entry);
    }
    lregs_.counters.macro_max_outstanding =
        std::max(lregs_.counters.macro_max_outstanding, slots_.outstanding());
}

void macro_scheduler::report_forgotten(unsigned unit, const timing::scheduled_entry& forgotten,
                                       const timing::scheduled_entry& entry) {
    ++lregs_.counters.macros_forgotten;
    report(report_id::macro_forgotten, entry.word, [&] {
        return fmt::format("{}, scheduled by word {}, is forgotten: {} takes its slot on {}",
                           isa::text(*forgotten.insn, lregs_.config.arch), forgotten.word,
                           isa::text(*entry.insn, lregs_.config.arch),
                           to_string(static_cast<sub_unit>(unit)));
    });
    if (lregs_.observer)
        lregs_.observer->forgotten(
            {now_, static_cast<sub_unit>(unit), *forgotten.insn, forgotten.word, forgotten.thread});
}

void macro_scheduler::report_no_slot(unsigned unit, const timing::scheduled_entry& entry) {
    report(report_id::macro_slots_full, entry.word, [&] {
        return fmt::format("no free slot on {} for {}", to_string(static_cast<sub_unit>(unit)),
                           isa::text(*entry.insn, lregs_.config.arch));
    });
}

void macro_scheduler::report_faults(const timing::expansion_faults& faults, std::int64_t word) {
    const auto say = [&](report_id id, const char* text) {
        report(id, word, [=] { return std::string(text); });
    };
    if (faults.lanes_differ) say(report_id::macro_lanes_differ, "LoadMacroConfig differs between columns");
    if (faults.selector_one) say(report_id::macro_selector_one, "a sequence byte has selector 1");
    if (faults.not_executable)
        say(report_id::macro_template_not_executable,
            "a template does not fit its sub-unit and became SFPNOP");
    if (faults.store_without_store)
        say(report_id::macro_store_without_store, "what is scheduled on Store is no SFPSTORE");
    if (faults.no_such_macro) say(report_id::macro_beyond_machine, "the machine has not so many macros");
    if (faults.no_such_template)
        say(report_id::macro_beyond_machine, "a sequence selects a template that the machine does not have");
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
