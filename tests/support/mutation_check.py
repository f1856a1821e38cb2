#!/usr/bin/env python3
"""Shows that the tests notice changed timing rules: makes each mutation below in a copy of the sources, builds it, runs
the tests until one fails, and names what survives. Tests of the rules go first, for all mutations; then all other tests,
for what is left. `./test --all` calls it.

usage: mutation_check.py [--jobs N] WORK_DIR [RULE...]   for example: mutation_check.py build-mutants T1 T10 state
       mutation_check.py --check                         only says whether all mutations fit the sources

WORK_DIR is created; copies and builds in it are used again, one for each of N jobs (2). What was found out is kept there:
called again with the same sources it goes on where it stopped; with others it begins with the tests that noticed a mutation
before. A program that takes much longer than without a mutation has noticed it. Rules are T1 to T22, `state` (fields of
the planner's state), `direct` (which results may go to their registers at once), `early` (which results
under way may), `put off` (words that are executed later), `pair` (two issue slots), `counts`, `cache`, or a word of what a mutation does.
Exit code 0 if every mutation that changes anything is noticed, 1 if one is not, 2 if something cannot be built or a
mutation no longer fits the sources.
"""
import argparse
import collections
import hashlib
import json
import os
import re
import resource
import shutil
import signal
import subprocess
import sys
import threading
import time

SOURCE_DIR = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
TIMING, UNIT, ISA = "models/timing/", "models/vector_unit/", "models/isa/"
HEADERS = TIMING + "include/sfpu/timing/"
BUILDER, PLANNER, STATE = TIMING + "src/plan_builder.cpp", TIMING + "src/planner.cpp", TIMING + "src/planner_state.cpp"
STEPS = TIMING + "src/plan_steps.cpp"
SLOTS_H, SLOTS = HEADERS + "macro_slots.h", TIMING + "src/macro_slots.cpp"
ISSUE_H, ISSUE = HEADERS + "issue_rules.h", TIMING + "src/issue_rules.cpp"
NEIGHBOURS_H, NEIGHBOURS = HEADERS + "neighbour_rules.h", TIMING + "src/neighbour_rules.cpp"
RESULTS, PROGRAM = TIMING + "src/write_back.cpp", TIMING + "src/macro_program.cpp"
BUILDER_H, STATE_H, PLANNER_H = HEADERS + "plan_builder.h", HEADERS + "planner_state.h", HEADERS + "planner.h"
DST_RULES, LIBRARY = HEADERS + "dst_rules.h", TIMING + "src/instruction_library.cpp"
ARBITER, GROUP = HEADERS + "thread_arbiter.h", "models/frontend/core/src/thread_group.cpp"
ISSUE_UNIT, SIMPLE = UNIT + "src/issue_unit.cpp", ISA + "src/semantics/simple-inl.h"
ISSUE_UNIT_H, UNIT_H = UNIT + "include/sfpu/vector_unit/issue_unit.h", UNIT + "include/sfpu/vector_unit/vector_unit.h"
DST, DST_H = "models/dst/src/dst_memory.cpp", "models/dst/include/sfpu/dst/dst_memory.h"
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
    ("T8", "SFPSWAP does not read its operands again in its second cycle", STEPS,
     "if (swaps[cycle]) add(action::begin_cycle, cycle, 0);", ""),
    ("T8", "a swap that an earlier plan began does not read again", STEPS,
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

    ("direct", "results under way are not looked at", STEPS,
     "if (to_->before.results.in[in].lregs & what.writes) return false;", "(void)in;"),
    ("direct", "two results for one register are not looked at", STEPS,
     "if (!keeps_order) return false;", "(void)keeps_order;"),
    ("direct", "a result behind one that waits goes directly", STEPS,
     "i < index ? other.step.form.direct && other.last < what.last", "i < index ? other.last < what.last"),
    ("direct", "an older result that is due later may be overwritten", STEPS,
     "other.step.form.direct && other.last < what.last", "other.step.form.direct"),
    ("direct", "a younger result that is due earlier is overwritten", STEPS,
     ": other.last > what.last;", ": true;"),
    ("early", "readers of a result under way are not looked at", STEPS,
     "        if (other.reads & due.lregs) return false;\n", ""),
    ("early", "results that are due before one under way are not looked at", STEPS,
     "if (!other.may_be_direct || other.last <= in) return false;", "if (!other.may_be_direct) return false;"),
    ("early", "older results under way for the same register are not looked at", STEPS,
     "if (!(early_ >> sooner & 1u) && (to_->before.results.in[sooner].lregs & due.lregs)) return false;",
     "(void)sooner;"),
    ("early", "an exchange under way is written early", STEPS, " || due.ports == only(result_port::swap)", ""),
    ("early", "results that a plan does not live to see are written early", STEPS, "!is_one || in >= cycle_ ||", "!is_one ||"),
    ("direct", "readers are not looked at", STEPS,
     "return !(reads_afterwards && (other.reads & what.writes));", "return reads_afterwards || true;"),
    ("direct", "readers of the last cycle are not looked at", STEPS,
     "other.first <= what.last && i > index;", "other.first < what.last && i > index;"),
    ("direct", "results that a plan does not live to see go directly", STEPS,
     "if (!what.may_be_direct || what.last >= cycle_) return false;", "if (!what.may_be_direct) return false;"),
    ("direct", "older instructions are not looked at", STEPS, "        if (!may_meet(i)) return false;\n    for (std::size_t i = index + 1",
     "        (void)i;\n    for (std::size_t i = index + 1"),
    ("direct", "only the latest older instruction is looked at", STEPS,
     "executions_[i].first + isa::largest::latency > what.first", "executions_[i].first + 1 > what.first"),
    ("direct", "SFPSWAP goes directly", BUILDER, "&& !is_template && !made.is_swap;", "&& !is_template;"),
    ("direct", "lanes with a special configuration go directly", BUILDER,
     "made.may_be_direct = state_.rules.lanes_ordinary && ", "made.may_be_direct = "),
    ("direct", "the registers of indices are not claimed", BUILDER,
     "if (!state_.rules.lanes_ordinary && made.writes != 0) made.writes |= isa::general_registers;", ""),
    ("direct", "results under way are not committed", STEPS, "commits[in] = pending.in[in].ports;", ""),
    ("direct", "results that outlast a plan are lost", STEPS, "then.ports |= made.port;", ""),
    ("direct", "registers of results that outlast a plan are lost", STEPS, "then.lregs |= made.writes;", ""),

    ("put off", "words are not executed before somebody looks at registers", UNIT_H,
     """    lreg_file& lregs() {
        issue_.complete();""", "    lreg_file& lregs() {"),
    ("put off", "words are not executed before somebody looks at Dst", DST_H,
     """    const dst_storage& storage() const {
        complete();""", "    const dst_storage& storage() const {"),
    ("put off", "words are not executed before Dst is reset", DST, "complete(); // what stored before", "// what stored before"),
    ("put off", "words are not executed before the unit is reset", UNIT + "src/vector_unit.cpp",
     "    complete();\n    take(config, to);", "    take(config, to);"),
    ("put off", "words that come late are taken for punctual", ISSUE_UNIT, "count == 1 && start <= next_free_ &&", "count == 1 &&"),
    ("put off", "any word is taken for the expected one", ISSUE_UNIT,
     "start <= next_free_ && words[0] == followed_->words[accepted_])", "start <= next_free_)"),
    ("put off", "all words of a plan are executed though some have not come", ISSUE_UNIT,
     "if (accepted_ == plan.length) {", "if (accepted_ != 0) {"),
    ("put off", "words are put off though somebody listens", ISSUE_UNIT_H, "somebody_completes_ && !is_heard_ &&", "somebody_completes_ &&"),
    ("put off", "words are put off though a trace file reads counters", ISSUE_UNIT_H, " && !is_watched_ &&", " &&"),
    ("put off", "words are put off though Dst cannot ask for them", ISSUE_UNIT_H, "return somebody_completes_ && ", "return "),
    ("put off", "a word behind a gap begins what was expected", ISSUE_UNIT,
     "calm_ = planner_.now() == std::max(at, next_free_) ? calm_ + 1 : 0;", "(void)at; ++calm_;"),

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
     "    if (moves_counters(first)) return false;\n", ""),
    ("pair", "loads may read what the first stores", BUILDER,
     "if (!first.is(opcode::sfpstore)) return true;", "if (!first.is(opcode::sfpstore) || second.is(opcode::sfpload)) return true;"),
    ("pair", "slices of neighbouring addresses are apart", BUILDER, "distance % addresses >= 2 &&", "distance % addresses >= 1 &&"),
    ("pair", "slices below the first are apart", BUILDER, "distance % addresses <= addresses - 2", "distance % addresses <= addresses - 1"),
    ("pair", "rows of the 32-bit view are all different", BUILDER, "beyond_slice(wide ? 256 : 1024)", "beyond_slice(1024)"),
    ("pair", "widths are not looked at", BUILDER, "return wide == other_wide && beyond_slice", "(void)other_wide; return beyond_slice"),
    ("pair", "lanes may exchange columns", BUILDER, "    if (!state_.rules.lanes_ordinary) return false;           // lanes may", "    // lanes may"),
    ("pair", "the second moves the counters of the first", BUILDER, "    if (machine_.issue_width > 1) keep_word_order();\n", ""),
    ("pair", "no word order beside scheduled stores", BUILDER,
     "!moves_counters(second) || !stores_due;", "!moves_counters(second) || stores_due || true;"),
    ("pair", "words of a port go one by one", ISSUE_UNIT, "while (count < lregs_.machine.issue_width &&", "while (count < 1 &&"),
    ("pair", "words that a port does not have yet go too", ISSUE_UNIT, "port.queue[count].earliest <= at) {", "at.count() >= 0) {"),
    ("pair", "the second word of a port does not wait for its turn", ISSUE_UNIT,
     "count == 1 ? forever : at + one_cycle;", "count == 1 ? forever : at + one_cycle + one_cycle;"),
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
    ("cache", "a guess is taken beyond the limit", PLANNER_H, "&& guess->duration <= limit)", "&& limit > 0)"),
    ("cache", "a guess is taken for another thread", PLANNER_H, "guess->before.source == source &&",
     "guess->before.source.word_step == source.word_step &&"),
    ("cache", "a guess is taken for another numbering", PLANNER_H, "guess->before.source == source &&",
     "guess->before.source.thread == source.thread &&"),
    ("cache", "a guess is taken under other rules", PLANNER_H, " && guess->before.rules == rules_;", ";"),
    ("cache", "a guess is taken whatever the word behind it", PLANNER,
     "if (found.looked_ahead || found.saw_end) return;", "if (found.saw_end) return;"),
    ("cache", "a guess is taken although a word is known behind it", PLANNER,
     "if (found.looked_ahead || found.saw_end) return;", "if (found.looked_ahead) return;"),
    ("cache", "a foreseen plan is taken in another state", PLANNER, "made_.before == state_ && fits(made_)", "fits(made_)"),
    ("cache", "a foreseen plan is taken whatever the word behind it", PLANNER, "made_.before == state_ && fits(made_)",
     "made_.before == state_"),
    ("cache", "a guess is taken for other words", PLANNER_H, "guess->begins(words) &&", ""),
    ("cache", "a plan is found for another word behind it", PLANNER,
     "(has_more && run_[length]->word == known.lookahead)", "has_more"),
    ("cache", "a plan is found that did not know of a word behind it", PLANNER, "if (known.saw_end) return !has_more;", ""),
    ("cache", "a plan is found beyond the limit", PLANNER, "known->duration <= limit &&", "limit > 0 &&"),
    ("cache", "a vain offer leaves a wrong link", PLANNER,
     "    if (made_.length == 0) latest_ = nullptr;", "    if (made_.length == 1000) latest_ = nullptr;"),
    ("cache", "indices of producers do not move with the words", STEPS,
     "state_.issue.rebase(std::int64_t{to_->length} * state_.source.word_step);", ""),
    ("cache", "a gap between words moves no indices", PLANNER, "    state_.issue.rebase(distance);\n", ""),
    ("cache", "origins of outstanding entries keep their numbers", STEPS, "        entry.origin = number;\n", ""),
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

# What is run, the most telling first, until something fails. `rule_tests` has the tests of the planner and of what it stands
# on: they are built quickly.
STAGES = [
    ("rule_tests", "*"),
    ("unit_tests", "*"),
    ("tlm_tests", "plans*:push_order*"),
    ("tlm_tests", "-plans*:push_order*"),
    ("system_tests", "*"),
    ("sfpusim", "exec_threads.py"),
    ("sfpusim", "vectors"),
]
RULE_TESTS_HAVE = ("models/timing/", "models/isa/", "models/common/")
UNIT_TESTS_HAVE = RULE_TESTS_HAVE + ("models/frontend/core/",)

MEMORY_LIMIT = 6 << 30  # of a program: some mutations never stop taking more


def stages_for(mutation):
    """Numbers of the stages whose programs contain the mutated file."""
    path = mutation[2]
    return [i for i, (program, _) in enumerate(STAGES)
            if not (program == "rule_tests" and not path.startswith(RULE_TESTS_HAVE))
            and not (program == "unit_tests" and not path.startswith(UNIT_TESTS_HAVE))]


class did_not_build(Exception):
    pass


class took_too_long(Exception):
    pass


running = set()  # processes, each the first of a group of its own


def run(command, limit=None, **options):
    """Output and exit code of a command; its whole group ends with it."""
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, universal_newlines=True,
                               start_new_session=True, **options)
    running.add(process)
    try:
        output, _ = process.communicate(timeout=limit)
        return output, process.returncode
    except subprocess.TimeoutExpired:
        raise took_too_long()
    finally:
        end_group(process)
        running.discard(process)


def end_group(process):
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass
    process.wait()


def limit_memory():
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_LIMIT, MEMORY_LIMIT))


def fail(text):
    print(text)
    sys.exit(2)


def read(path):
    with open(path, "rb") as file:
        return file.read()


def write(path, content):
    with open(path, "wb") as file:
        file.write(content)


def source_files():
    for folder, folders, files in os.walk(SOURCE_DIR):
        folders[:] = sorted(name for name in folders if not name.startswith((".", "build")))
        yield os.path.relpath(folder, SOURCE_DIR), folders, sorted(files)


def hash_of_sources():
    total = hashlib.sha256()
    for folder, _, files in source_files():
        if folder.split(os.sep)[0] in ("docs", "traces"):
            continue
        for name in files:
            total.update(os.path.join(folder, name).encode())
            total.update(read(os.path.join(SOURCE_DIR, folder, name)))
    return total.hexdigest()


class workshop:
    """A copy of the sources and its build."""

    def __init__(self, folder, jobs):
        self.tree, self.output = os.path.join(folder, "tree"), os.path.join(folder, "build")
        self.build_jobs = str(max(1, (os.cpu_count() or 1) // jobs))
        self.limits = {}  # of stages, seconds
        self.environment = dict(os.environ, CCACHE_BASEDIR=folder, CCACHE_NOHASHDIR="1")
        self.copy_sources()
        if not os.path.exists(os.path.join(self.output, "build.ninja")):
            text, code = run(["cmake", "-S", self.tree, "-B", self.output, "-G", "Ninja",
                              "-DCMAKE_BUILD_TYPE=RelWithDebInfo", "-DCMAKE_CXX_FLAGS_RELWITHDEBINFO=-O1 -g0"])
            if code != 0:
                fail(text)

    def copy_sources(self):
        """Copies what changed, so that the build of an earlier call stays useful."""
        for folder, folders, files in source_files():
            target = os.path.join(self.tree, folder)
            os.makedirs(target, exist_ok=True)
            for name in files:
                old, new = os.path.join(SOURCE_DIR, folder, name), os.path.join(target, name)
                if not os.path.exists(new) or read(old) != read(new):
                    shutil.copy(old, new)
            for name in set(os.listdir(target)) - set(files) - set(folders):
                path = os.path.join(target, name)
                if os.path.isfile(path):
                    os.remove(path)

    def build(self, target):
        text, code = run(["cmake", "--build", self.output, "--target", target, "--parallel", self.build_jobs],
                         env=self.environment)
        if code != 0:
            raise did_not_build(text[-3000:])

    def measure(self, stage):
        """How long a stage may take with a mutation: five times what it takes without, and some more."""
        if stage in self.limits:
            return
        self.build(STAGES[stage][0])
        begin = time.monotonic()
        failing = self.failing(stage)
        if failing:
            raise RuntimeError("without a mutation this test fails: " + failing)
        self.limits[stage] = 5 * (time.monotonic() - begin) + 20

    def failing(self, stage):
        """The first failing test of a stage, None if all pass. Programs that crash or hang fail."""
        program, what = STAGES[stage]
        limit = self.limits.get(stage)
        self.build(program)
        binary = os.path.join(self.output, "bin", "sfpusim")
        try:
            if what == "exec_threads.py":
                script = os.path.join(self.tree, "tests", "sc_main", what)
                _, code = run([sys.executable, script, binary, self.tree], limit)
                return None if code == 0 else "cli.exec_threads"
            if what == "vectors":
                return self.failing_vectors(binary, limit)
            text, _ = run([os.path.join(self.output, "tests", program), "--gtest_brief=1", "--gtest_fail_fast",
                           "--gtest_filter=" + what], limit, preexec_fn=limit_memory)
            found = re.search(r"^\[  FAILED  \] ([^\s,]+\.[^\s,]+)", text, re.MULTILINE)
            if found:
                return found.group(1)
            return None if re.search(r"tests? from \d+ test suites? ran", text) else program + " (ended early)"
        except took_too_long:
            return program + " (takes too long)"

    def failing_vectors(self, binary, limit):
        """The first file of recorded programs whose results differ."""
        data = os.path.join(self.tree, "tests", "data")
        script = os.path.join(self.tree, "tests", "support", "compare_exec.py")
        for name in sorted(os.listdir(data)):
            if name.startswith("timing_") and run([sys.executable, script, binary, os.path.join(data, name)], limit)[1] != 0:
                return "vectors." + name.split(".")[0]
        return None


class judgement:
    """What is known of the mutations, shared by the jobs and kept in a file."""

    def __init__(self, mutations, path, sources):
        self.lock = threading.Lock()
        self.path, self.sources = path, sources
        self.total, self.done = len(mutations), collections.Counter()
        self.hints = {}
        self.survivors, self.unbuilt = [], []
        known = {}
        if os.path.exists(path):
            with open(path, encoding="utf-8") as file:
                for line in file:
                    entry = json.loads(line)
                    self.hints[entry["mutation"]] = entry["stage"]
                    if entry["sources"] == sources:
                        known[entry["mutation"]] = entry
        first = []
        for mutation in mutations:
            entry = known.get(self.key(mutation))
            if entry or mutation[:2] in EQUIVALENT:
                self.conclude(mutation, entry["by"] if entry else None, None, remember=False)
            else:
                first.append(mutation)
        # Mutations of one file together: less is built again.
        self.first = collections.deque(sorted(first, key=lambda m: m[2]))
        self.later = collections.deque()

    @staticmethod
    def key(mutation):
        return hashlib.sha256("\0".join(mutation).encode()).hexdigest()[:16]

    def next(self):
        """A mutation, the stages to try now and those for later; None if there is nothing to do any more."""
        with self.lock:
            if self.first:
                mutation = self.first.popleft()
                stages = stages_for(mutation)
                hint = self.hints.get(self.key(mutation))
                now = hint if hint in stages else stages[0]
                return mutation, [now], [stage for stage in stages if stage != now]
            if self.later:
                return (*self.later.popleft(), [])
            return None

    def survived(self, mutation, left):
        if not left:
            self.conclude(mutation, None, None)
            return
        with self.lock:
            self.later.append((mutation, left))

    def conclude(self, mutation, by, stage, remember=True):
        with self.lock:
            rule, what = mutation[:2]
            reason = EQUIVALENT.get((rule, what)) if by is None else None
            kind = "noticed" if by else "equivalent" if reason else "survive"
            self.done[kind] += 1
            if kind == "survive":
                self.survivors.append("%s: %s" % (rule, what))
            text = by if by else "equivalent: " + reason if reason else "SURVIVES"
            print("[%3d/%d] %-6s %-85s %s" % (sum(self.done.values()), self.total, rule, what, text), flush=True)
            if remember:
                with open(self.path, "a", encoding="utf-8") as file:
                    file.write(json.dumps({"mutation": self.key(mutation), "sources": self.sources, "by": by,
                                           "stage": stage}) + "\n")

    def does_not_build(self, mutation, problem):
        with self.lock:
            self.done["do not build"] += 1
            self.unbuilt.append("%s: %s\n%s" % (mutation[0], mutation[1], problem))
            print("[%3d/%d] %-6s %-85s does not build" % (sum(self.done.values()), self.total, *mutation[:2]), flush=True)


def work(shop, judged):
    """Makes one mutation after the other and says which test notices it."""
    while True:
        task = judged.next()
        if task is None:
            return
        mutation, stages, left = task
        _, _, path, old, new = mutation
        for stage in stages:
            shop.measure(stage)
        file = os.path.join(shop.tree, path)
        original = read(file)
        write(file, original.replace(old.encode(), new.encode()))
        try:
            for stage in stages:
                failing = shop.failing(stage)
                if failing:
                    judged.conclude(mutation, failing, stage)
                    break
            else:
                judged.survived(mutation, left)
        except did_not_build as problem:
            judged.does_not_build(mutation, problem)
        finally:
            write(file, original)


def misfits(tree):
    """Mutations whose text does not stand in the sources exactly once."""
    found = []
    for rule, what, path, old, _ in MUTATIONS:
        count = read(os.path.join(tree, path)).count(old.encode())
        if count != 1:
            found.append("%-6s %s: %s has the text to replace %d times" % (rule, what, path, count))
    return found


def selected(wanted):
    """The mutations of some rules, or whose description has one of some words; all if none is wanted."""
    known = {rule for rule, *_ in MUTATIONS}
    result = []
    for name in wanted:
        found = [m for m in MUTATIONS if m[0] == name or (name not in known and name in m[1].split())]
        if not found:
            fail("no mutation of %s; there are %s" % (name, ", ".join(sorted(known))))
        result += [m for m in found if m not in result]
    return result if wanted else MUTATIONS


def main():
    if sys.argv[1:] == ["--check"]:
        wrong = misfits(SOURCE_DIR)
        if wrong:
            fail("\n".join(wrong))
        print("%d mutations fit the sources" % len(MUTATIONS))
        return 0
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("work_dir")
    parser.add_argument("rules", nargs="*")
    options = parser.parse_args()
    wrong = misfits(SOURCE_DIR)
    if wrong:
        fail("\n".join(wrong))
    mutations = selected(options.rules)
    begin = time.monotonic()
    folder = os.path.abspath(options.work_dir)
    shops = [workshop(os.path.join(folder, str(job)), options.jobs) for job in range(options.jobs)]
    judged = judgement(mutations, os.path.join(folder, "results.jsonl"), hash_of_sources())
    problems = []

    def job(shop):
        try:
            work(shop, judged)
        except (RuntimeError, did_not_build) as problem:
            problems.append("the sources: %s" % problem)
            judged.first.clear()
            judged.later.clear()

    threads = [threading.Thread(target=job, args=(shop,), daemon=True) for shop in shops]
    try:
        for one in threads:
            one.start()
        for one in threads:
            one.join()
    except KeyboardInterrupt:
        for process in list(running):
            end_group(process)
        fail("interrupted; the same command goes on from here")
    if problems:
        fail(problems[0])
    counts = ", ".join("%d %s" % (judged.done[kind], kind) for kind in ("noticed", "equivalent", "survive", "do not build"))
    print("%d mutations: %s; %.0f s" % (judged.total, counts, time.monotonic() - begin))
    for line in judged.survivors + judged.unbuilt:
        print(line)
    return 2 if judged.unbuilt else 1 if judged.survivors else 0


if __name__ == "__main__":
    sys.exit(main())
