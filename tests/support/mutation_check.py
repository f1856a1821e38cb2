#!/usr/bin/env python3
"""Shows that the tests notice changed timing rules: makes each mutation below in a copy of the sources, builds it, runs
the tests until a program fails, and names what survives. Tests of the rules go first, for all mutations; then all other
tests, for what is left. `./test --all` calls it.

usage: mutation_check.py WORK_DIR [RULE...]      for example: mutation_check.py build/mutants T1 T10 state
       mutation_check.py --check                 only says whether all mutations fit the sources

WORK_DIR is created; a copy and a build in it are used again. Rules are T1 to T22, `state` (fields of the planner's state),
`direct` (which results may go to their registers at once), `pair` (two issue slots), `counts` and `cache`.
Exit code 0 if every mutation that changes anything is noticed, 1 if one is not, 2 if something cannot be built or a
mutation no longer fits the sources.
"""
import os
import re
import shutil
import subprocess
import sys
import time

SOURCE_DIR = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
TIMING, UNIT, ISA = "models/timing/", "models/vector_unit/", "models/isa/"
HEADERS = TIMING + "include/sfpu/timing/"
BUILDER, PLANNER, STATE = TIMING + "src/plan_builder.cpp", TIMING + "src/planner.cpp", TIMING + "src/planner_state.cpp"
SLOTS_H, SLOTS = HEADERS + "macro_slots.h", TIMING + "src/macro_slots.cpp"
ISSUE_H, ISSUE = HEADERS + "issue_rules.h", TIMING + "src/issue_rules.cpp"
NEIGHBOURS_H, NEIGHBOURS = HEADERS + "neighbour_rules.h", TIMING + "src/neighbour_rules.cpp"
RESULTS, PROGRAM = TIMING + "src/write_back.cpp", TIMING + "src/macro_program.cpp"
BUILDER_H, STATE_H, PLANNER_H = HEADERS + "plan_builder.h", HEADERS + "planner_state.h", HEADERS + "planner.h"
DST_RULES, LIBRARY = HEADERS + "dst_rules.h", TIMING + "src/instruction_library.cpp"
ARBITER, GROUP = HEADERS + "thread_arbiter.h", "models/frontend/core/src/thread_group.cpp"
ISSUE_UNIT, SIMPLE = UNIT + "src/issue_unit.cpp", ISA + "src/semantics/simple-inl.h"
MACHINE, SCHEDULER = ISA + "src/machine.cpp", UNIT + "src/macro_scheduler.cpp"

# rule, what the mutation does to it, file, text, text that replaces it
MUTATIONS = [
    ("T1", "scheduled instructions execute a tick late", BUILDER,
     "entry.remaining = what.delay[unit];", "entry.remaining = static_cast<std::uint8_t>(what.delay[unit] + 1);"),
    ("T1", "the delay field has two bits", PROGRAM, "entry.delay() & machine.longest_delay()", "entry.delay() & 3u"),
    ("T1", "an entry ticks in the cycle in which it is made", BUILDER,
     "    state_.slots.finish_cycle(count != 0, machine_);\n", ""),
    ("T2", "a store of the same cycle goes before a load", BUILDER,
     "case sub_unit::load: return stores_first ? 1 : 0;", "case sub_unit::load: return stores_first ? 0 : 1;"),
    ("T2", "results are written a cycle late", BUILDER,
     "made.last += isa::latency_of(insn, machine_) - 1;", "made.last += isa::latency_of(insn, machine_);"),
    ("T2a", "the first of two results wins", RESULTS,
     "find_collision(at, ports, found);", "find_collision(at, ports, found); std::swap(order_.front(), order_.back());"),
    ("T2a", "collisions are not found", RESULTS, "found = {set.entries[i].lreg, previous.by, &set};", ""),
    ("T2a", "MAD and Simple change places in the order", RESULTS,
     "case write_port::mad: add(result_port::mad, result_port::second_mad); break;\n",
     "case write_port::mad: result[next++] = result_port::simple; break;\n"),
    ("T3", "MAD results are visible a cycle earlier", BUILDER,
     "made.last += isa::latency_of(insn, machine_) - 1;",
     "made.last += insn.latency == latency_class::mad ? 0 : isa::latency_of(insn, machine_) - 1;"),
    ("T3", "the stall logic takes MAD results to be visible a cycle earlier", ISSUE,
     "state.believed_busy.enter(insn.use.seen_writes, latency);",
     "state.believed_busy.enter(insn.use.seen_writes, latency - 1);"),
    ("T3", "the stall logic takes MAD results to be visible a cycle later", ISSUE,
     "state.believed_busy.enter(insn.use.seen_writes, latency);",
     "state.believed_busy.enter(insn.use.seen_writes, latency + 1);"),
    ("T4", "L16 is left out of what results go to", BUILDER,
     "made.writes = insn.use.results();", "made.writes = insn.use.results() & isa::general_registers;"),
    ("T5", "lane flags are changed before the others of the cycle read them", BUILDER,
     "case sub_unit::simple: return 4;", "case sub_unit::simple: return 0;"),
    ("T6", "there is a second store port", MACHINE,
     "case sub_unit::store: return store_ports;", "case sub_unit::store: return store_ports + 1;"),
    ("T6", "a scheduled store goes to address 0", SCHEDULER,
     "*launched++ = {word, load.message().dst_address, from.thread};",
     "*launched++ = {word, 0, from.thread};"),
    ("T7", "a store is seen a cycle late", DST_RULES, "return stored + cycles{", "return stored + one_cycle + cycles{"),
    ("T7", "a load in the cycle of the store is reported", DST_RULES, "return distance > 0 &&", "return distance >= 0 &&"),
    ("T7", "the longest distance is not reported", DST_RULES, "distance <= static_cast", "distance < static_cast"),
    ("T8", "SFPSWAP does not read its operands again in its second cycle", BUILDER,
     "if (swaps[cycle]) add(action::begin_cycle, cycle, 0);", ""),
    ("T8", "a swap that an earlier plan began does not read again", BUILDER,
     "swaps[in] = pending.in[in].ports & only(result_port::swap);", ""),
    ("T8", "Simple and Round may work in the second cycle of SFPSWAP", NEIGHBOURS,
     "if (before.swap) faults.swap = before.swap;", ""),
    ("T8", "MAD may work in the first cycle of SFPSWAP", NEIGHBOURS,
     "        if (mad && !faults.swap) {", "        if (mad && !faults.swap && simple != mad) {"),
    ("T8", "what is in the way in the first cycle of SFPSWAP is taken for its second cycle", NEIGHBOURS,
     "            faults.swap_in_first_cycle = true;\n", ""),
    ("T8", "Simple and Round may work in the second cycle of a shuffle", NEIGHBOURS,
     "faults.shuffle = before.shuffle;", "(void)before;"),
    ("T8", "the second neighbour is not named", BUILDER,
     "            if (works(busy.simple) && works(busy.round)) found.third = busy.round;\n", ""),
    ("T8", "the neighbour in Round is named first", BUILDER,
     "found.second = works(busy.simple) ? busy.simple : busy.round;", "found.second = works(busy.round) ? busy.round : busy.simple;"),
    ("T8", "nothing waits for the second cycle of SFPSWAP", ISSUE,
     "if (is_swap || machine_->stalls_for_results) {", "if (!is_swap && machine_->stalls_for_results) {"),
    ("T8", "lanes with indices keep no values apart", RESULTS,
     "return pair == 0 && lreg >= 4 ? values & ~set.exchange_index_mask : values;", "return values;"),
    ("T9", "Simple and Round conflict only if neither writes L16", NEIGHBOURS,
     "return (simple.vd == isa::macro_lreg) != (round.vd == isa::macro_lreg);",
     "return simple.vd == isa::macro_lreg || round.vd == isa::macro_lreg;"),
    ("T9", "what writes no register conflicts too", NEIGHBOURS,
     "if (!writes_an_lreg(simple) || !writes_an_lreg(round)) return true;", ""),
    ("T9", "the write port rule cannot be switched off", NEIGHBOURS, "machine_->write_port_rule && ", ""),
    ("T9", "SFPIADD, SFPLZ and SFPEXEXP with VD = 16 write lane flags", SIMPLE,
     "bool has_flags(const instruction& i) { return i.vd < general_lregs; }",
     "bool has_flags(const instruction& i) { return writable(i.vd); }"),
    ("T10", "every cycle is a tick", SLOTS_H,
     "return sfpu_instruction_issued || !any_entry_counts_instructions;",
     "return sfpu_instruction_issued || any_entry_counts_instructions || true;"),
    ("T10", "only cycles with an issue are ticks", SLOTS_H,
     "return sfpu_instruction_issued || !any_entry_counts_instructions;",
     "return sfpu_instruction_issued && (any_entry_counts_instructions || true);"),
    ("T10", "front-end words are ticks", BUILDER, "run_cycle(to_units.data(), executed);",
     "run_cycle(to_units.data(), executed); if (executed == 0) state_.slots.finish_cycle(true, machine_);"),
    ("T10", "an entry that executes no longer counts", SLOTS,
     "machine.firing_entry_outstanding ? with_firing : counts_instructions()", "counts_instructions()"),
    ("T11", "an entry at 0 waits for an issue", SLOTS_H,
     "(entries_.front().remaining == 0 || !counts_instructions())", "!counts_instructions()"),
    ("T12", "selector 0 schedules SFPNOP, so that what waits in the slot is forgotten", PROGRAM,
     "case 0: return std::nullopt;", "case 0: return sfpnop_word;"),
    ("T12", "what waits in the slot of a new entry stays there", SLOTS, "            *in_the_way = entry;\n", ""),
    ("T12", "entries of other units are forgotten", SLOTS,
     "if (other.unit != entry.unit || other.instance != entry.instance) continue;", ""),
    ("T12", "there is one slot more", SLOTS, "waiting < machine.slots", "waiting <= machine.slots"),
    ("T13", "the issued instruction executes as well", BUILDER,
     "while (instance < units && is_taken(insn.unit, instance)) ++instance;", ""),
    ("T13", "the stall logic does not see a discarded word", BUILDER,
     "if (issued[i].role == word_role::instruction)\n            issue_rules_",
     "if (issued[i].role == word_role::instruction && !issued[i].discarded)\n            issue_rules_"),
    ("T13", "a discarded word counts as a producer", BUILDER, "    word.discarded = true;\n", ""),
    ("T14", "bit 7 of a sequence byte has the opposite meaning", PROGRAM,
     "if (entry.vb_is_loaded()) {", "if (!entry.vb_is_loaded()) {"),
    ("T14", "bit 6 does not select L16", PROGRAM,
     "insn.vd = entry.uses_l16() ? std::uint8_t{isa::macro_lreg} : reg;", "insn.vd = reg;"),
    ("T14", "a store keeps the register of its template", PROGRAM,
     "else if (!entry.vb_is_loaded()) insn.vd = static_cast<std::uint8_t>(loaded);", "else (void)loaded;"),
    ("T14", "stores always take their mode from Misc", PROGRAM,
     "result.store_takes_load_mod = config.misc >> macro_configuration::load_mod_bit(macro_index) & 1u;",
     "result.store_takes_load_mod = false;"),
    ("T15", "two words are issued in a cycle", BUILDER, "if (machine_.issue_width > 1) {", "if (machine_.issue_width > 0) {"),
    ("T16", "a template write waits like any other", ISSUE,
     "role == word_role::template_write ? 0 : insn.use.seen_reads", "insn.use.seen_reads"),
    ("T16", "the stall logic knows what is really read", ISSUE,
     "role == word_role::template_write ? 0 : insn.use.seen_reads",
     "role == word_role::template_write ? 0 : insn.use.reads & isa::general_registers"),
    ("T16", "SFPNOP waits for SFPSWAP", ISSUE, "at < state.exclusive_for && !insn.is(opcode::sfpnop)",
     "at < state.exclusive_for"),
    ("T16", "front-end words wait for SFPSWAP", ISSUE, "if (insn.unit == isa::sub_unit::front_end) return 0;", ""),
    ("T16", "a word that is offered later waits as long", ISSUE, "unsigned at = later;", "unsigned at = later * 0;"),
    ("T16", "template writes are instructions", BUILDER_H,
     "insn.names_template() && rules.backdoor_closed != all_lanes", "insn.names_template() && rules.backdoor_closed == 1"),
    ("T16", "template writes have neighbours", BUILDER,
     "        if (what.role == word_role::template_write && state_.rules.backdoor_closed == 0) continue;\n"
     "        if (what.unit == sub_unit::simple)", "        if (what.unit == sub_unit::simple)"),
    ("T16", "template writes occupy a second cycle", BUILDER, "    if (!only_template) {", "    {"),
    ("T17", "the first producer is named instead of the latest", ISSUE,
     "for (auto p = state.producers.rbegin(); p != state.producers.rend(); ++p)",
     "for (auto p = state.producers.begin(); p != state.producers.end(); ++p)"),
    ("T17", "reads that come too early are not found", ISSUE, "state.busy.enter(writes, latency);", ""),
    ("T17", "Wormhole waits", ISSUE, "if (machine_->stalls_for_results) state.believed_busy", "state.believed_busy"),
    ("T17", "mode 2 of SFPSHFT2 forbids nothing", ISSUE,
     "return state.shuffle_writes == 0x0f && (insn.use.writes & 0x0e) != 0;", "return false;"),
    ("T17", "every issued instruction disturbs a shuffle", NEIGHBOURS,
     "if (insn->scheduled() || machine.all_issues_disturb_shuffles) return true;", "if (true || machine.slots) return true;"),
    ("T18", "the stall logic sees scheduled instructions", BUILDER,
     "        jobs_.push_back(what);\n    });",
     "        jobs_.push_back(what);\n        issue_rules_.issued(state_.issue, *entry.insn, 0, false);\n    });"),
    ("T19", "results that arrive while nothing is issued are not waited for", BUILDER,
     "(state_.slots.can_advance_alone() || cycle_ < pending_until_)", "state_.slots.can_advance_alone()"),
    ("T19", "entries do not drain", BUILDER,
     "(state_.slots.can_advance_alone() || cycle_ < pending_until_)", "cycle_ < pending_until_"),
    ("T19", "results alone do not move", STATE_H,
     "return slots.can_advance_alone() || !results.empty();", "return slots.can_advance_alone();"),
    ("T20", "one outstanding entry is not busy", SLOTS_H, "return !entries_.empty(); }", "return entries_.size() > 1; }"),
    ("T21", "the nearest SFPLOADMACRO only is reported", BUILDER,
     "configured = configured + 1u < machine_.config_distance ? configured + 1 : 0;", "configured = 0;"),
    ("T21", "one word more is reported", BUILDER,
     "configured + 1u < machine_.config_distance", "configured + 1u <= machine_.config_distance"),
    ("T21", "templates count too", BUILDER, "insn.vd >= first_sequence && insn.vd <= misc", "insn.vd <= misc"),
    ("T21", "a distance of 1 is reported as well", BUILDER, "machine_.config_distance > 1)", "machine_.config_distance > 0)"),

    ("T22", "the thread that issued last goes first", ARBITER, "return thread - latest_ - 1;", "return thread - latest_;"),
    ("T22", "every thread has the turn of the first", ARBITER, "return thread - latest_ - 1;", "return thread;"),
    ("T22", "the order is always fixed", ARBITER, "order_ == thread_order::fixed ?", "order_ != thread_order{255} ?"),
    ("T22", "the order is never fixed", ARBITER, "order_ == thread_order::fixed ?", "order_ == thread_order{255} ?"),
    ("T22", "a thread that is held keeps the slot", ARBITER, "if (a.at != b.at) return a.at < b.at;", ""),
    ("T22", "a reset does not forget who was last", ARBITER, "        latest_ = none;\n", ""),
    ("T22", "front ends do not count who issued alone", GROUP,
     "if (only->counters().words_out != before) arbiter_.issued(only->thread());", "(void)before;"),
    ("T22", "front ends do not count who won", GROUP, "    arbiter_.issued(candidates[chosen].thread);\n", ""),
    ("T22", "the loser of a slot is not told", GROUP,
     "if (offers[i].is_open && offers[i].at <= first) members_[i]->lose_slot(offers[i], first);", ""),
    ("T22", "the winner issues on while others have words", GROUP, "offers[i].at);", "end);"),
    ("T22", "nobody is told that another has issued", GROUP,
     "if (i != winner) members_[i]->another_has_issued(first);", "(void)i;"),
    ("T22", "words that wait at ports do not count who issued", ISSUE_UNIT,
     "        arbiter_.issued(first.thread);\n", ""),
    ("T22", "stalls of the word at a port are not looked at", ISSUE_UNIT,
     "return offered + cycles{planner_.wait(planner_.library().decode(word).insn, offered, cause)};",
     "(void)cause; (void)word; return offered;"),
    ("T22", "a silent port does not compete", ISSUE_UNIT,
     "            candidates_.push_back({number, std::max(port.watermark, next_free_)});\n", ""),
    ("T22", "held cycles of other ports are not counted", ISSUE_UNIT, "        hold_back_others(winner, first.at);\n", ""),

    ("direct", "results under way are not looked at", BUILDER,
     "if (to_->before.results.in[in].lregs & what.writes) return false;", "(void)in;"),
    ("direct", "two results for one register are not looked at", BUILDER,
     "if (both_work && (other.writes & what.writes)) return false;", "(void)both_work;"),
    ("direct", "readers are not looked at", BUILDER,
     "return !(reads_afterwards && (other.reads & what.writes));", "return reads_afterwards || true;"),
    ("direct", "readers of the last cycle are not looked at", BUILDER,
     "other.first <= what.last && i > index;", "other.first < what.last && i > index;"),
    ("direct", "results that a plan does not live to see go directly", BUILDER,
     "if (!what.may_be_direct || what.last >= cycle_) return false;", "if (!what.may_be_direct) return false;"),
    ("direct", "older instructions are not looked at", BUILDER, "        if (!may_meet(i)) return false;\n    for (std::size_t i = index + 1",
     "        (void)i;\n    for (std::size_t i = index + 1"),
    ("direct", "only the latest older instruction is looked at", BUILDER,
     "executions_[i].first + isa::largest::latency > what.first", "executions_[i].first + 1 > what.first"),
    ("direct", "SFPSWAP goes directly", BUILDER, "&& !is_template && !made.is_swap;", "&& !is_template;"),
    ("direct", "lanes with a special configuration go directly", BUILDER,
     "made.may_be_direct = state_.rules.lanes_ordinary && ", "made.may_be_direct = "),
    ("direct", "the registers of indices are not claimed", BUILDER,
     "if (!state_.rules.lanes_ordinary && made.writes != 0) made.writes |= isa::general_registers;", ""),
    ("direct", "results under way are not committed", BUILDER, "commits[in] = pending.in[in].ports;", ""),
    ("direct", "results that outlast a plan are lost", BUILDER, "then.ports |= made.port;", ""),
    ("direct", "registers of results that outlast a plan are lost", BUILDER, "then.lregs |= made.writes;", ""),

    ("pair", "a unit that is taken takes a second word", BUILDER,
     "if (taken >= machine_.units_of(b.unit)) return false;", "(void)taken;"),
    ("pair", "what is scheduled takes no unit", BUILDER,
     "state_.slots.for_each_due([&](const scheduled_entry& entry) { taken += entry.unit == b.unit; });", ""),
    ("pair", "a word that has to wait goes with the first", BUILDER,
     "if (issue_rules_.wait(state_.issue, b, role, 0, cause) != 0) return false;", "(void)cause;"),
    ("pair", "reads of what the first writes", BUILDER,
     "if (written & (b.use.reads | b.use.writes)) return false;", "if (written & b.use.writes) return false;"),
    ("pair", "writes of what the first writes", BUILDER,
     "if (written & (b.use.reads | b.use.writes)) return false;", "if (written & b.use.reads) return false;"),
    ("pair", "lane flags are no obstacle", BUILDER, "    if (writes_flags(a)) return false;\n", ""),
    ("pair", "random numbers are no obstacle", BUILDER,
     "    if (uses_random_numbers(a) && uses_random_numbers(b)) return false;\n", ""),
    ("pair", "SFPSWAP has company", BUILDER,
     "if (a.latency == latency_class::swap || a.latency == latency_class::shuffle) return false;", ""),
    ("pair", "counters that move are no obstacle", BUILDER,
     "if (moves_counters || a.is(opcode::sfpstore)) return false;", "if (!moves_counters && a.is(opcode::sfpstore)) return false;"),
    ("pair", "constants may be read as they are written", BUILDER,
     "return a.vd <= last_constant && !isa::contains(b.use.reads, a.vd);", "return a.vd <= last_constant;"),
    ("pair", "counters of the front end are no obstacle", BUILDER,
     "return a.is(opcode::nop) || !uses_dst(b);", "return true;"),

    ("counts", "a second cycle keeps nothing busy", BUILDER, "if (*held != 0) --*held;", "*held = 0;"),
    ("counts", "a second cycle is counted as long as there is none", BUILDER, "if (*held != 0) --*held;", "(void)held;"),
    ("counts", "SFPNOP is busy", BUILDER, "        if (insn.is(opcode::sfpnop)) continue;\n        busy[", "        busy["),
    ("counts", "the second cycle of SFPSWAP is not busy", BUILDER,
     "busy[index_of(sub_unit::simple)] = state_.simple_held_for != 0;", ""),
    ("counts", "the second cycle of a shuffle is not busy", BUILDER,
     "busy[index_of(sub_unit::round)] = state_.round_held_for != 0;", ""),

    ("cache", "a guess is taken for another distance", PLANNER_H, "first_word - expected_word_ == next.distance &&",
     "first_word >= 0 &&"),
    ("cache", "a guess is taken beyond the limit", PLANNER_H, "guess->duration <= limit &&", "limit > 0 &&"),
    ("cache", "a guess is taken for another thread", PLANNER_H, "guess->before.source == source &&",
     "guess->before.source.word_step == source.word_step &&"),
    ("cache", "a guess is taken for another numbering", PLANNER_H, "guess->before.source == source &&",
     "guess->before.source.thread == source.thread &&"),
    ("cache", "a guess is taken under other rules", PLANNER_H, " && guess->before.rules == rules_)", ")"),
    ("cache", "a guess is taken whatever the word behind it", PLANNER,
     "const bool foreseeable = !found.looked_ahead && !found.saw_end;", "const bool foreseeable = !found.saw_end;"),
    ("cache", "a guess is taken although a word is known behind it", PLANNER,
     "const bool foreseeable = !found.looked_ahead && !found.saw_end;", "const bool foreseeable = !found.looked_ahead;"),
    ("cache", "a guess is taken for other words", PLANNER_H, "guess->begins(words) &&", ""),
    ("cache", "a plan is found for another word behind it", PLANNER,
     "(has_more && run_[length]->word == known.lookahead)", "has_more"),
    ("cache", "a plan is found that did not know of a word behind it", PLANNER, "if (known.saw_end) return !has_more;", ""),
    ("cache", "a plan is found beyond the limit", PLANNER, "known->duration <= limit &&", "limit > 0 &&"),
    ("cache", "a vain offer leaves a wrong link", PLANNER,
     "    if (made_.length == 0) latest_ = nullptr;", "    if (made_.length == 1000) latest_ = nullptr;"),
    ("cache", "indices of producers do not move with the words", BUILDER,
     "state_.issue.rebase(std::int64_t{to_->length} * state_.source.word_step);", ""),
    ("cache", "a gap between words moves no indices", PLANNER, "    state_.issue.rebase(distance);\n", ""),
    ("cache", "origins of outstanding entries keep their numbers", BUILDER, "        entry.origin = number;\n", ""),
    ("cache", "a reset keeps what idle cycles remembered", PLANNER, "    before_idle_ = {};\n", ""),
    ("cache", "instructions of results move away when words are forgotten", PLANNER,
     "for (const isa::instruction** other : others) f(*other);", "(void)others;"),
    ("cache", "macro configurations are not told apart", LIBRARY, "for (const auto value : wanted.content.sequence)",
     "for (const auto value : std::array<std::uint32_t, 1>{wanted.content.misc})"),
]



def field_mutations():
    """Fields of the planner's state: each is left out of the list that comparison and hash follow."""
    found = []
    folder = os.path.join(SOURCE_DIR, HEADERS)
    for path in sorted(os.listdir(folder)):
        with open(os.path.join(folder, path), encoding="utf-8") as file:
            text = file.read()
        for owner, whole, names in re.findall(
                r"fields_of\(const (\w+)& x\) \{[^}]*?(return std::(?:tie|make_tuple)\((.*)\);)", text):
            for name in names.split(", "):
                rest = ", ".join(other for other in names.split(", ") if other != name)
                found.append(("state", "%s of %s is left out" % (name, owner), HEADERS + path, whole,
                              "return std::tie(%s);" % rest))
    return found


MUTATIONS += field_mutations()

# Mutations that change nothing that a program computes or when, with the reason.
EQUIVALENT = {
    ("cache", "macro configurations are not told apart"):
        "only the hash is poorer; configurations are compared in full",
    ("cache", "a reset keeps what idle cycles remembered"):
        "freed memory is read and what is read is not used: the address sanitizer fails plan_cache.a_reset_*",
}

# What is run, the most telling first, until something fails.
STAGES = [
    ("unit_tests", "rule_t*:plan*:two_issue*:second_*:write_back*:macro*:instruction_library*:result_ports*:*machine*:"
                   "thread_arbiter*:semantics_predication*"),
    ("unit_tests", "*"),
    ("tlm_tests", "plans.*"),
    ("tlm_tests", "-plans.*"),
    ("system_tests", "*"),
]

SHOWN = 3  # failing tests that are named


def run(command, **options):
    return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, universal_newlines=True, **options)


def fail(text):
    print(text)
    sys.exit(2)


def copy_sources(tree):
    """Copies what changed, so that the build of an earlier call stays useful."""
    for folder, folders, files in os.walk(SOURCE_DIR):
        folders[:] = [name for name in folders if not name.startswith((".", "build"))]
        target = os.path.join(tree, os.path.relpath(folder, SOURCE_DIR))
        os.makedirs(target, exist_ok=True)
        for name in files:
            old, new = os.path.join(folder, name), os.path.join(target, name)
            if not os.path.exists(new) or read(old) != read(new):
                shutil.copy(old, new)
        for name in set(os.listdir(target)) - set(files) - set(folders):
            path = os.path.join(target, name)
            if os.path.isfile(path):
                os.remove(path)


def read(path):
    with open(path, "rb") as file:
        return file.read()


def write(path, content):
    with open(path, "wb") as file:
        file.write(content)


def configure(tree, output):
    if os.path.exists(os.path.join(output, "build.ninja")):
        return
    done = run(["cmake", "-S", tree, "-B", output, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=RelWithDebInfo",
                "-DCMAKE_CXX_FLAGS_RELWITHDEBINFO=-O1 -g0"])
    if done.returncode != 0:
        fail(done.stdout)


def build(output, target):
    done = run(["cmake", "--build", output, "--target", target])
    if done.returncode != 0:
        raise RuntimeError("does not build:\n" + done.stdout[-3000:])


def failing_in(program, suites, output):
    """Names of the failing tests of a GoogleTest program; those that crash it or hang count as failing."""
    build(output, program)
    try:
        done = run([os.path.join(output, "tests", program), "--gtest_brief=1", "--gtest_filter=" + suites], timeout=900)
    except subprocess.TimeoutExpired:
        return [program + " (took too long)"]
    names = set(re.findall(r"^\[  FAILED  \] ([^\s,]+\.[^\s,]+)", done.stdout, re.MULTILINE))
    if not re.search(r"tests? from \d+ test suites? ran", done.stdout):
        names.add(program + " (ended early)")
    return sorted(names)


def failing_scripts(tree, output):
    """exec_threads.py, if it fails: threads through front ends, as a user has them."""
    build(output, "sfpusim")
    done = run([sys.executable, os.path.join(tree, "tests", "sc_main", "exec_threads.py"),
                os.path.join(output, "bin", "sfpusim"), tree])
    return [] if done.returncode == 0 else ["cli.exec_threads"]


def failing_vectors(tree, output):
    """The first file of recorded programs whose results differ."""
    build(output, "sfpusim")
    data = os.path.join(tree, "tests", "data")
    for name in sorted(os.listdir(data)):
        if name.startswith("timing_") and run(
                [sys.executable, os.path.join(tree, "tests", "support", "compare_exec.py"),
                 os.path.join(output, "bin", "sfpusim"), os.path.join(data, name)]).returncode != 0:
            return ["vectors." + name.split(".")[0]]
    return []


def failing_first(tree, output):
    """Failing tests of the first stage, which takes a small part of what all take."""
    return failing_in(*STAGES[0], output)


def failing_later(tree, output):
    for program, suites in STAGES[1:]:
        names = failing_in(program, suites, output)
        if names:
            return names
    return failing_scripts(tree, output) or failing_vectors(tree, output)


def judge(mutations, failing_tests, tree, output, unbuilt):
    """Makes each mutation and says which tests notice it. Returns those that none notices."""
    missed = []
    for mutation in mutations:
        rule, what, path, old, new = mutation
        file = os.path.join(tree, path)
        original = read(file)
        write(file, original.replace(old.encode(), new.encode()))
        try:
            failing = failing_tests(tree, output)
            if failing:
                print("%-6s %-85s %s" % (rule, what, ", ".join(failing[:SHOWN])), flush=True)
            else:
                missed.append(mutation)
        except RuntimeError as problem:
            print("%-6s %-85s does not build" % (rule, what), flush=True)
            unbuilt.append("%s: %s\n%s" % (rule, what, problem))
        finally:
            write(file, original)
    return missed


def misfits(tree):
    """Mutations whose text does not stand in the sources exactly once."""
    found = []
    for rule, what, path, old, _ in MUTATIONS:
        count = read(os.path.join(tree, path)).count(old.encode())
        if count != 1:
            found.append("%-6s %s: %s has the text to replace %d times" % (rule, what, path, count))
    return found


def main():
    if len(sys.argv) < 2 or (sys.argv[1].startswith("-") and sys.argv[1] != "--check"):
        fail(__doc__)
    wrong = misfits(SOURCE_DIR)
    if wrong:
        fail("\n".join(wrong))
    if sys.argv[1] == "--check":
        print("%d mutations fit the sources" % len(MUTATIONS))
        return 0
    work, wanted = os.path.abspath(sys.argv[1]), set(sys.argv[2:])
    known = {rule for rule, *_ in MUTATIONS}
    if wanted - known:
        fail("no mutation of %s; there are %s" % (", ".join(sorted(wanted - known)), ", ".join(sorted(known))))
    tree, output = os.path.join(work, "tree"), os.path.join(work, "build")
    copy_sources(tree)
    configure(tree, output)

    begin = time.monotonic()
    left = [mutation for mutation in MUTATIONS if not wanted or mutation[0] in wanted]
    unbuilt = []
    for failing_tests in (failing_first, failing_later):
        if not left:
            break
        try:
            failing = failing_tests(tree, output)
        except RuntimeError as problem:
            fail("the sources: %s" % problem)
        if failing:
            fail("without a mutation these tests fail: " + ", ".join(failing))
        left = judge(left, failing_tests, tree, output, unbuilt)
    survivors = []
    for rule, what, *_ in left:
        reason = EQUIVALENT.get((rule, what))
        if not reason:
            survivors.append("%s: %s" % (rule, what))
        print("%-6s %-85s %s" % (rule, what, "equivalent: " + reason if reason else "SURVIVES"), flush=True)
    print("%d survive, %d do not build, %.0f s" % (len(survivors), len(unbuilt), time.monotonic() - begin))
    for line in survivors + unbuilt:
        print(line)
    return 2 if unbuilt else 1 if survivors else 0


if __name__ == "__main__":
    sys.exit(main())
