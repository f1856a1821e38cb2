#include <sfpu/timing/plan_builder.h>

#include <sfpu/isa/config_destinations.h>

#include <algorithm>
#include <utility>

namespace sfpu::timing {
namespace {

namespace opcode = isa::opcode;
namespace vd = isa::config_destination_vd;
using isa::instruction;
using isa::latency_class;
using isa::sub_unit;
using action = plan_step::action;
using kind = plan_note::kind;

constexpr std::size_t index_of(sub_unit unit) { return static_cast<std::size_t>(unit); }

/// Many units may wait with what one long plan needed for a moment.
template <class T>
void release_if_large(std::vector<T>& scratch) {
    constexpr std::size_t large = 4096;
    if (scratch.capacity() * sizeof(T) > large) std::vector<T>().swap(scratch);
}

bool writes_sequence_or_misc(const instruction& insn) {
    return insn.is(opcode::sfpconfig) && insn.vd >= vd::first_sequence && insn.vd <= vd::misc;
}

std::array<std::uint32_t, isa::scheduled_units> outstanding_in(const macro_slots& slots) {
    std::array<std::uint32_t, isa::scheduled_units> result{};
    for (const scheduled_entry& entry : slots.entries())
        result[index_of(entry.unit)] |= 1u << entry.remaining;
    return result;
}

} // namespace

void plan_builder::reset(const isa::machine& machine) {
    machine_ = machine;
    issue_rules_.reset(machine_);
    neighbour_rules_.reset(machine_);
    chip_watch_.reset(machine_);
}

// --- a plan ------------------------------------------------------------------------------------------------

void plan_builder::start(const planner_state& from, plan& to) {
    to_ = &to;
    state_ = from;
    cycle_ = 0;
    ended_ = false;
    is_configured_ = true;
    jobs_.clear();
    executions_.clear();
    notes_.clear();
    events_.clear();
    pending_until_ = from.results.length();
    to.before = from;
    to.length = 0;
    to.looked_ahead = to.saw_end = false;
    to.issued_at.clear();
    to.steps.clear();
    to.notes.clear();
    to.has_reports = to.changes_rules = false;
    to.written_parts = to.configuration_writes = 0;
    to.last_effect = -1;
    to.counts = {};
    to.next = {};
    unsigned origins = 0;
    for (const scheduled_entry& entry : from.slots.entries()) origins = std::max(origins, entry.origin + 1u);
    to.origins_before = origins;
    to.launches = 0;
}

void plan_builder::plan_words(const planner_state& from, word_run words, std::int64_t limit, plan& to) {
    start(from, to);
    unsigned index = 0;
    while (index < words.count && !ended_) {
        const library_word& word = *words.words[index];
        if (!is_configured_ && word.insn.is(opcode::sfploadmacro)) break;
        hold_cause cause;
        const unsigned wait =
            issue_rules_.wait(state_.issue, word.insn, role_of(word.insn, state_.rules), 0, cause);
        if (std::int64_t{cycle_} + wait >= limit) break;
        for (unsigned held = 0; held < wait && !ended_; ++held) {
            plan_note& stall = note(kind::stall);
            stall.cause = cause;
            stall.word = static_cast<std::int16_t>(index);
            ++to.counts.held[static_cast<unsigned>(cause)];
            run_cycle(nullptr, 0);
        }
        if (ended_) break;
        if (chip_watch_.is_active()) check_wait(word, index);
        const unsigned taken = issue(words, index);
        if (taken == 0) break;
        index += taken;
    }
    to.length = index;
    for (unsigned i = 0; i < index; ++i) to.words[i] = words.words[i]->word;
    finish();
}

void plan_builder::plan_idle(const planner_state& from, std::int64_t limit, plan& to) {
    start(from, to);
    while (cycle_ < std::min(limit, longest_plan) && !ended_ &&
           (state_.slots.can_advance_alone(machine_) || cycle_ < pending_until_ ||
            state_.simple_held_for != 0 || state_.round_held_for != 0))
        run_cycle(nullptr, 0);
    finish();
}

void plan_builder::finish() {
    to_->duration = cycle_;
    to_->changes_rules = ended_ || !is_configured_;
    plan_counts& counts = to_->counts;
    counts.only_issued = true;
    for (std::size_t unit = 0; unit < counts.issued.size(); ++unit) {
        if (counts.issued[unit] | counts.scheduled[unit] | counts.discarded[unit] | counts.busy[unit])
            counts.units = static_cast<std::uint8_t>(counts.units | 1u << unit);
        counts.only_issued &= (counts.scheduled[unit] | counts.discarded[unit]) == 0;
    }
    for (const std::uint32_t cycles_held : counts.held) counts.holds |= cycles_held != 0;
    emit();
    leave_state();
    release_if_large(executions_);
    release_if_large(notes_);
    release_if_large(events_);
}

// --- issue -------------------------------------------------------------------------------------------------

/// Issues the next word in this cycle, and the one behind it if both may go. Returns how many; 0 if the
/// decision needs more words than the plan may take.
unsigned plan_builder::issue(const word_run& words, unsigned index) {
    const auto begin = [&](unsigned which) {
        issued_word result;
        result.word = words.words[which];
        result.index = which;
        result.role = role_of(result.word->insn, state_.rules);
        return result;
    };
    std::array<issued_word, isa::largest::issue_width> issued{begin(index)};
    unsigned count = 1;
    if (machine_.issue_width > 1) {
        const unsigned next = index + 1;
        const bool is_last = next == words.count;
        if (is_last && !words.has_more) to_->saw_end = true;
        if (!is_last || words.has_more) {
            const bool both = may_share_issue(issued[0], *words.words[next]);
            if (is_last) {
                to_->looked_ahead = true;
                to_->lookahead = words.words[next]->word;
                if (both && index != 0) return 0; // the pair belongs to the next plan
            } else if (both) {
                issued[count++] = begin(next);
            }
        }
    }
    for (unsigned i = 0; i < count; ++i) {
        to_->issued_at.push_back(cycle_);
        announce(issued[i]);
    }
    if (count == 2 && (is_among_macros() || issued[0].word->insn.is(opcode::sfploadmacro)))
        differs(chip_difference::issued_together, issued[1].word->insn, static_cast<int>(issued[1].index));
    unsigned executed = 0;
    std::array<issued_word, isa::largest::issue_width> to_units;
    const issued_word* front_end = nullptr;
    for (unsigned i = 0; i < count; ++i) {
        if (issued[i].word->kind == isa::word_kind::sfpu) to_units[executed++] = issued[i];
        else front_end = &issued[i];
    }
    const std::uint32_t at = cycle_;
    run_cycle(to_units.data(), executed);
    for (unsigned i = 0; i < executed; ++i) {
        const sub_unit unit = to_units[i].unit();
        if (unit != sub_unit::load && unit != sub_unit::store) continue;
        note(kind::counters).at = at;
    }
    if (front_end) execute_front_end(*front_end);
    return count;
}

/// What is said and counted of a word before its cycle.
void plan_builder::announce(issued_word& issued) {
    const library_word& word = *issued.word;
    ++to_->counts.words;
    if (word.needs_report)
        report(word.insn.status == isa::definition::undefined ? report_id::isa_undefined
                                                              : report_id::isa_non_contractual,
               static_cast<int>(issued.index))
            .insn = &word.insn;
    issued.new_templates = std::exchange(state_.new_templates, std::uint8_t{0});
    std::uint8_t& configured = state_.configured_words_ago;
    if (word.kind == isa::word_kind::sfpu) {
        ++to_->counts.instructions;
        if (word.insn.names_template() && state_.rules.backdoor_changed)
            report(report_id::hazard_laneconfig_neighbour, static_cast<int>(issued.index)).insn = &word.insn;
        if (word.loses_result && issued.role == word_role::instruction)
            report(report_id::isa_constant_register, static_cast<int>(issued.index)).insn = &word.insn;
        if (issued.role == word_role::instruction) {
            check_hazards(issued);
            if (state_.slots.busy()) check_in_flight(issued);
        }
        if (configured != 0 && word.insn.is(opcode::sfploadmacro)) {
            plan_note& found =
                report(report_id::hazard_config_macro_distance, static_cast<int>(issued.index));
            found.insn = &word.insn;
            found.number = configured;
        }
    }
    if (configured != 0) configured = configured + 1u < machine_.config_distance ? configured + 1 : 0;
}

void plan_builder::check_hazards(const issued_word& issued) {
    const instruction& insn = issued.word->insn;
    if (const producer* early = issue_rules_.read_too_early(state_.issue, insn)) {
        plan_note& found = report(report_id::hazard_unprotected_read, static_cast<int>(issued.index));
        found.insn = &insn;
        found.second = early->insn;
        found.other = static_cast<std::uint16_t>(__builtin_ctz(early->writes & insn.use.reads));
        // Producers are counted from the word that comes next; a note from the first word of the plan.
        found.number = early->word;
    }
    if (const producer* late = issue_rules_.overwrites(state_.issue, insn, state_.rules.lanes_ordinary)) {
        plan_note& found = report(report_id::hazard_late_write, static_cast<int>(issued.index));
        found.insn = &insn;
        found.second = late->insn;
        const isa::register_set both = late->writes & insn.use.results();
        found.other = static_cast<std::uint16_t>(__builtin_ctz(both != 0 ? both : late->writes));
        found.number = late->word;
    }
    if (issue_rules_.forbidden_after_shuffle(state_.issue, insn))
        report(report_id::hazard_shft2_neighbour, static_cast<int>(issued.index)).insn = &insn;
}

// --- one cycle ---------------------------------------------------------------------------------------------

bool plan_builder::is_taken(sub_unit unit, unsigned instance) const {
    return std::any_of(jobs_.begin(), jobs_.end(),
                       [&](const job& what) { return what.unit == unit && what.instance == instance; });
}

/// What is due, what is issued, what an SFPLOADMACRO places.
void plan_builder::run_cycle(issued_word* issued, unsigned count) {
    jobs_.clear();
    events_.push_back({event::kind::begin_cycle, 0});
    const auto slots_before = outstanding_in(state_.slots);
    state_.slots.for_each_due([&](const scheduled_entry& entry) {
        ++to_->counts.scheduled[index_of(entry.unit)];
        job what;
        what.insn = entry.insn;
        what.unit = entry.unit;
        what.instance = entry.instance;
        what.scheduled = true;
        what.origin = entry.origin;
        jobs_.push_back(what);
    });
    if (jobs_.size() > 1) check_store_beside_flags();
    for (unsigned i = 0; i < count; ++i) place(issued[i]);
    execute_all();
    check_neighbours(count != 0 ? static_cast<int>(issued[0].index) : -1);
    count_busy();
    for (unsigned i = 0; i < count; ++i) {
        if (issued[i].role != word_role::instruction) continue;
        if (chip_watch_.is_active()) chip_watch_.issued(state_.on_chip, issued[i].word->insn);
        issue_rules_.issued(state_.issue, issued[i].word->insn,
                            static_cast<std::int32_t>(issued[i].index) * state_.source.word_step,
                            issued[i].discarded, state_.rules.lanes_ordinary);
    }
    state_.slots.finish_cycle(count != 0, machine_);
    for (unsigned i = 0; i < count; ++i)
        if (issued[i].word->insn.is(opcode::sfploadmacro))
            launch(library_.expand(state_.rules.configuration, issued[i].word->insn), issued[i]);
    events_.push_back({event::kind::end_cycle, cycle_});
    note_slots(slots_before);
    state_.issue.advance(1);
    state_.on_chip.issued_now = chip_watch_.is_active() && count != 0;
    state_.on_chip.advance(1);
    state_.rules.backdoor_changed = false;
    ++cycle_;
}

/// T13: an issued instruction whose unit is taken is discarded.
void plan_builder::place(issued_word& word) {
    const instruction& insn = word.word->insn;
    const unsigned units = machine_.units_of(insn.unit);
    unsigned instance = 0;
    while (instance < units && is_taken(insn.unit, instance)) ++instance;
    if (instance == units) {
        discard(word);
        return;
    }
    const auto scheduled_beside = [&](const job& what) { return what.unit == insn.unit && what.scheduled; };
    if (instance != 0 && std::any_of(jobs_.begin(), jobs_.end(), scheduled_beside))
        differs(chip_difference::not_discarded, insn, static_cast<int>(word.index));
    ++to_->counts.issued[index_of(insn.unit)];
    job what;
    what.insn = &insn;
    what.unit = insn.unit;
    what.instance = static_cast<std::uint8_t>(instance);
    what.role = word.role;
    what.origin = static_cast<std::uint16_t>(word.index);
    jobs_.push_back(what);
}

void plan_builder::discard(issued_word& word) {
    const instruction& insn = word.word->insn;
    word.discarded = true;
    ++to_->counts.discarded[index_of(insn.unit)];
    const job& winner =
        *std::find_if(jobs_.begin(), jobs_.end(), [&](const job& what) { return what.unit == insn.unit; });
    plan_note& said = report(report_id::issue_discarded_by_macro, static_cast<int>(word.index));
    said.insn = &insn;
    said.second = winner.insn;
    said.other = winner.origin;
    plan_note& shown = note(kind::discarded);
    shown.word = static_cast<std::int16_t>(word.index);
    shown.insn = &insn;
    shown.unit = insn.unit;
}

/// All read the state of the cycle's start, so the order does not matter, with two exceptions: a load must
/// read Dst before a store of the same cycle writes it (T2), unless dst.store_load_visible is 0; and Simple,
/// the only unit that writes lane flags and configuration in place, comes last (T5).
void plan_builder::execute_all() {
    const bool stores_first = machine_.store_load_visible == 0;
    const auto place_of = [&](const job& what) -> unsigned {
        // Others read templates as they were at the start of the cycle (T2).
        if (what.role == word_role::template_write) return 6;
        switch (what.unit) {
        case sub_unit::load: return stores_first ? 1 : 0;
        case sub_unit::store: return stores_first ? 0 : 1;
        case sub_unit::mad: return 2;
        case sub_unit::round: return 3;
        case sub_unit::simple: return 4;
        case sub_unit::front_end: break;
        }
        return 5;
    };
    std::sort(jobs_.begin(), jobs_.end(), [&](const job& a, const job& b) {
        return std::make_pair(place_of(a), a.instance) < std::make_pair(place_of(b), b.instance);
    });
    if (machine_.issue_width > 1) keep_word_order();
    for (const job& what : jobs_) execute(what);
}

void plan_builder::execute(const job& what) {
    const instruction& insn = *what.insn;
    if (insn.latency == latency_class::none) {
        plan_note& idle = note(kind::no_operation);
        idle.insn = &insn;
        idle.unit = what.unit;
        idle.from_macro = what.scheduled;
        idle.word = static_cast<std::int16_t>(what.origin);
        return;
    }
    const bool is_template = what.role == word_role::template_write;
    const bool only_template = is_template && state_.rules.backdoor_closed == 0;
    execution made;
    made.step.insn = &insn;
    made.step.at = static_cast<std::uint16_t>(cycle_);
    made.step.unit = what.unit;
    made.step.form.instance = what.instance;
    made.step.origin = what.origin;
    made.step.what = what.scheduled                  ? action::scheduled
                     : insn.is(opcode::sfploadmacro) ? action::launch
                                                     : action::issued;
    made.first = made.last = cycle_;
    if (!only_template) {
        made.reads = insn.use.reads;
        made.writes = insn.use.results();
        made.port = only(port_of(insn, what.instance));
        made.is_swap = insn.latency == latency_class::swap;
        if (what.unit != sub_unit::store) made.last += isa::latency_of(insn, machine_) - 1;
        // Lanes that compute indices take along a register that the instruction does not name.
        if (!state_.rules.lanes_ordinary && made.writes != 0) made.writes |= isa::general_registers;
    }
    if (chip_watch_.is_active()) {
        const chip_difference found =
            chip_watch_.executes(state_.on_chip, insn, made.reads, made.writes, state_.slots.busy());
        if (found != chip_difference::none) differs(found, insn, what.scheduled ? -1 : int{what.origin});
    }
    made.may_be_direct = state_.rules.lanes_ordinary && !is_template && !made.is_swap;
    to_->last_effect = std::max(to_->last_effect, std::int64_t{made.last});
    if (made.writes != 0) pending_until_ = std::max(pending_until_, made.last + 1);
    events_.push_back({event::kind::execution, static_cast<std::uint32_t>(executions_.size())});
    executions_.push_back(made);
    if (is_template || insn.is(opcode::sfpconfig)) {
        note_configuration(what, is_template);
        if (writes_sequence_or_misc(insn) && machine_.config_distance > 1) state_.configured_words_ago = 1;
    }
}

/// A word of the front end takes effect behind everything else in its cycle, which the caller has run.
void plan_builder::execute_front_end(const issued_word& issued) {
    const library_word& word = *issued.word;
    execution made;
    made.step.insn = &word.insn;
    made.step.at = static_cast<std::uint16_t>(cycle_ - 1);
    made.step.unit = sub_unit::front_end;
    made.step.origin = static_cast<std::uint16_t>(issued.index);
    made.step.what = action::front_end;
    made.first = made.last = cycle_ - 1;
    events_.push_back({event::kind::execution, static_cast<std::uint32_t>(executions_.size())});
    executions_.push_back(made);
    if (word.kind != isa::word_kind::front_end) return;
    if (word.insn.latency != latency_class::none)
        to_->last_effect = std::max(to_->last_effect, std::int64_t{made.last});
    // Two issue slots: which address modifiers change nothing has to be looked up again.
    if (machine_.issue_width > 1 && word.insn.is(opcode::setc16)) {
        ended_ = true;
    }
}

void plan_builder::check_neighbours(int word) {
    cycle_occupants busy;
    for (const job& what : jobs_) {
        if (what.role == word_role::template_write && state_.rules.backdoor_closed == 0) continue;
        if (what.unit == sub_unit::simple) busy.simple = what.insn;
        else if (what.unit == sub_unit::round) busy.round = what.insn;
        else if (what.unit == sub_unit::mad && (!busy.mad || busy.mad->is(opcode::sfpnop)))
            busy.mad = what.insn;
    }
    const neighbour_faults faults = neighbour_rules_.check(state_.neighbours, busy);
    if (!faults.any()) return;
    // Instructions are kept once: one that executes twice in a row is its own neighbour, so pointers tell
    // nothing.
    const auto say = [&](const instruction* protects, bool in_this_cycle, report_id id) {
        if (!protects) return;
        plan_note& found = report(id, word);
        found.insn = protects;
        found.number = !in_this_cycle;
        // What is in the way of it.
        if (id == report_id::hazard_simple_round_conflict) {
            found.second = busy.round;
        } else if (in_this_cycle) {
            found.second = busy.mad;
        } else {
            found.second = works(busy.simple) ? busy.simple : busy.round;
            if (works(busy.simple) && works(busy.round)) found.third = busy.round;
        }
    };
    say(faults.simple_round, true, report_id::hazard_simple_round_conflict);
    say(faults.swap, faults.swap_in_first_cycle, report_id::hazard_swap_neighbour);
    say(faults.shuffle, false, report_id::hazard_shft2_neighbour);
}

void plan_builder::count_busy() {
    std::array<bool, 5> busy{};
    busy[index_of(sub_unit::simple)] = state_.simple_held_for != 0;
    busy[index_of(sub_unit::round)] = state_.round_held_for != 0;
    for (std::uint8_t* held : {&state_.simple_held_for, &state_.round_held_for})
        if (*held != 0) --*held;
    for (const job& what : jobs_) {
        const instruction& insn = *what.insn;
        if (insn.is(opcode::sfpnop)) continue;
        busy[index_of(what.unit)] = true;
        if (what.role == word_role::template_write && state_.rules.backdoor_closed == 0) continue;
        const auto later = static_cast<std::uint8_t>(isa::latency_of(insn, machine_) - 1);
        if (insn.latency == latency_class::swap)
            state_.simple_held_for = std::max(state_.simple_held_for, later);
        else if (insn.latency == latency_class::shuffle)
            state_.round_held_for = std::max(state_.round_held_for, later);
    }
    for (std::size_t unit = 0; unit < busy.size(); ++unit) to_->counts.busy[unit] += busy[unit];
}

void plan_builder::note_slots(const std::array<std::uint32_t, isa::scheduled_units>& before) {
    const auto after = outstanding_in(state_.slots);
    if (after != before) note(kind::slots).outstanding = after;
}

// --- notes -------------------------------------------------------------------------------------------------

plan_note& plan_builder::note(plan_note::kind what) {
    if (!is_observed_ && what != kind::report) return unheard_;
    events_.push_back({event::kind::note, static_cast<std::uint32_t>(notes_.size())});
    notes_.emplace_back();
    notes_.back().what = what;
    notes_.back().at = cycle_;
    return notes_.back();
}

plan_note& plan_builder::report(report_id id, int word, bool from_macro) {
    plan_note& made = note(kind::report);
    made.id = id;
    made.word = static_cast<std::int16_t>(word);
    made.from_macro = from_macro;
    to_->has_reports = true;
    return made;
}

} // namespace sfpu::timing
