#!/usr/bin/env python3
"""Shows that the tests notice changed timing rules. A copy of the sources gets all the mutations below at once, each behind
a switch that the environment variable SFPU_MUTATION sets when a program starts; the copy is built once, and its tests run
for one mutation after the other until one fails. Tests of the rules go first, for all mutations; then all other tests,
for what is left. `./test --all` calls it.

usage: mutation_check.py [--jobs N] WORK_DIR [RULE...]   for example: mutation_check.py build-mutants T1 T10 state
       mutation_check.py --check                         only says whether all mutations fit the sources

WORK_DIR is created; the copy and its build in it are used again. N programs run at a time (one for each processor). What was
found out is kept there: called again with the same sources it goes on where it stopped; with others it begins with the tests
that noticed a mutation before. A program that takes much more processor time than without a mutation has noticed it. Rules are
T1 to T22, `state` (fields of the planner's state), `direct` (which results may go to their registers at once), `early` (which
results under way may), `mutex`, `put off` (words that are executed later), `pair` (two issue slots), `counts`, `time` (how the
state moves on), `cache`, or a word of what a mutation does.
Exit code 0 if every mutation that changes anything is noticed, 1 if one is not, 2 if something cannot be built or a
mutation no longer fits the sources.
"""
import argparse
import collections
import concurrent.futures
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
PAIRS = TIMING + "src/issue_pairs.cpp"
BUILDER, PLANNER, STATE = TIMING + "src/plan_builder.cpp", TIMING + "src/planner.cpp", TIMING + "src/planner_state.cpp"
STEPS = TIMING + "src/plan_steps.cpp"
SLOTS_H, SLOTS = HEADERS + "macro_slots.h", TIMING + "src/macro_slots.cpp"
ISSUE_H, ISSUE = HEADERS + "issue_rules.h", TIMING + "src/issue_rules.cpp"
NEIGHBOURS_H, NEIGHBOURS = HEADERS + "neighbour_rules.h", TIMING + "src/neighbour_rules.cpp"
RESULTS, PROGRAM = TIMING + "src/write_back.cpp", TIMING + "src/macro_program.cpp"
BUILDER_H, STATE_H, PLANNER_H = HEADERS + "plan_builder.h", HEADERS + "planner_state.h", HEADERS + "planner.h"
DST_RULES, LIBRARY = HEADERS + "dst_rules.h", TIMING + "src/instruction_library.cpp"
SYNC, GATE = "models/frontend/core/src/sync_unit.cpp", "models/frontend/core/src/wait_gate.cpp"
ARBITER, GROUP = HEADERS + "thread_arbiter.h", "models/frontend/core/src/thread_group.cpp"
CORE, CORE_H = UNIT + "core/src/", UNIT + "core/include/sfpu/vector_unit/"
ISSUE_CORE, ISSUE_CORE_H, SIMPLE = CORE + "issue_core.cpp", CORE_H + "issue_core.h", ISA + "src/semantics/simple-inl.h"
PORTS, FOLLOWER, FOLLOWER_H = CORE + "push_arbitration.cpp", CORE + "word_follower.cpp", CORE_H + "word_follower.h"
EXECUTOR, CONTEXT = CORE_H + "plan_executor.h", CORE + "plan_context.cpp"
DST, DST_H = "models/dst/src/dst_memory.cpp", "models/dst/include/sfpu/dst/dst_memory.h"
MACHINE, DECODER = ISA + "src/machine.cpp", ISA + "src/decoder.cpp"
RUNNER, ENGINE = "platforms/program_runner/src/core_runner.cpp", "platforms/program_runner/src/engine.cpp"

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
    ("T6", "a scheduled store goes to address 0", EXECUTOR,
     "*launched++ = {word, link.receiver(isa::sub_unit::load).step().dst_address, order.thread};",
     "*launched++ = {word, 0, order.thread};"),
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
    ("T8", "SFPSWAP changes constants", RESULTS, "            if (lreg >= isa::general_lregs) return 0;\n", ""),
    ("T9", "Simple and Round conflict only if neither writes L16", NEIGHBOURS,
     "return (simple.vd == isa::macro_lreg) != (round.vd == isa::macro_lreg);",
     "return simple.vd == isa::macro_lreg || round.vd == isa::macro_lreg;"),
    ("T9", "what writes no register conflicts too", NEIGHBOURS,
     "if (!writes_an_lreg(simple) || !writes_an_lreg(round)) return true;", ""),
    ("T9", "the write port rule cannot be switched off", NEIGHBOURS, "machine_->write_port_rule && ", ""),
    ("T9", "SFPIADD, SFPLZ and SFPEXEXP with VD = 16 write lane flags", SIMPLE,
     "return i.vd < general_lregs;", "return writable(i.vd);"),
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
    ("T10", "the kind of a delay goes by macro", PROGRAM,
     "machine.delay_kind_scope == delay_scope::sub_unit ? u : macro_index", "macro_index"),
    ("T10", "the kind of a delay goes by unit, whatever the parameter", PROGRAM,
     "machine.delay_kind_scope == delay_scope::sub_unit ? u : macro_index", "u"),
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
    ("T14", "a store of L16 stores the loaded register", PROGRAM,
     "if (entry.uses_l16()) insn.vd = isa::macro_lreg;\n    else if (!entry", "if (!entry"),
    ("T14", "an instruction without a VC has one", DECODER, "    if (insn.op->implicit_vc) insn.vc = insn.vd;\n", ""),
    ("T14", "an instruction without a VB keeps its own", PROGRAM, "if (!has_vb(insn, arch)) insn.vb = insn.vd;", ""),
    ("T14", "SFPMUL24 has no VB", PROGRAM, "    case opcode::sfpmul24:\n", ""),
    ("T14", "SFPSHFT2 has no VB", PROGRAM, "    case opcode::sfpshft2:\n", ""),
    ("T14", "SFPAND and SFPOR never have a VB", PROGRAM, "return describe(arch).has_use_vb && (insn.mod & 1);", "return false;"),
    ("T14", "scheduled instructions are not marked", PROGRAM, "    insn.flags |= isa::is_scheduled;\n", ""),
    ("T14", "selector 1 is SFPNOP", PROGRAM, "case 1: faults.selector_one = true; return std::nullopt;",
     "case 1: faults.selector_one = true; return sfpnop_word;"),
    ("T14", "selector 3 is the last template", PROGRAM, "case 3: return sfpstore_word;",
     "case 3: return config.instruction_template[3];"),
    ("T14", "a template executes on any unit", PROGRAM, "            insn = isa::decode(sfpnop_word, arch);\n", ""),
    ("T14", "SFPNOP is a template for Store", PROGRAM,
     "(insn.is(opcode::sfpnop) && unit != sub_unit::store)", "insn.is(opcode::sfpnop)"),
    ("T14", "stores keep the mode of their template", PROGRAM,
     "result.store_mod() = static_cast<std::uint8_t>(config.misc & 15u);", "(void)config;"),
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
     "(state_.slots.can_advance_alone() || cycle_ < pending_until_ ||", "(state_.slots.can_advance_alone() ||"),
    ("T19", "entries do not drain", BUILDER,
     "(state_.slots.can_advance_alone() || cycle_ < pending_until_ ||", "(cycle_ < pending_until_ ||"),
    ("T19", "results alone do not move", STATE_H,
     "return slots.can_advance_alone() || !results.empty();", "return slots.can_advance_alone();"),
    ("T20", "one outstanding entry is not busy", SLOTS_H, "return !entries_.empty();", "return entries_.size() > 1;"),
    ("T21", "the nearest SFPLOADMACRO only is reported", BUILDER,
     "configured = configured + 1u < machine_.config_distance ? configured + 1 : 0;", "configured = 0;"),
    ("T21", "one word more is reported", BUILDER,
     "configured + 1u < machine_.config_distance", "configured + 1u <= machine_.config_distance"),
    ("T21", "templates count too", BUILDER, "insn.vd >= vd::first_sequence && insn.vd <= vd::misc", "insn.vd <= vd::misc"),
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
    ("T22", "words that wait at ports do not count who issued", PORTS,
     "        arbiter_.issued(first.thread);\n", ""),
    ("T22", "stalls of the word at a port are not looked at", ISSUE_CORE,
     "return offered + cycles{planner_.wait(planner_.library().decode(word).insn, offered, cause)};",
     "(void)cause; (void)word; return offered;"),
    ("T22", "a silent port does not compete", PORTS,
     "            candidates_.push_back({number, std::max(port.watermark, issue_.next_free())});\n", ""),
    ("T22", "held cycles of other ports are not counted", PORTS, "        hold_back_others(first.thread, first.at);\n", ""),

    ("direct", "results under way are not looked at", STEPS,
     "if (to_->before.results.in[in].lregs & what.writes) return false;", "(void)in;"),
    ("direct", "two results for one register are not looked at", STEPS,
     "if (!keeps_order) return false;", "(void)keeps_order;"),
    ("direct", "a result behind one that waits goes directly", STEPS,
     "i < index ? other.step.form.direct() :", "i < index ? other.last < what.last :"),
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

    ("mutex", "a released mutex is free in the same cycle", SYNC, "one.free_from = at + one_cycle;", "one.free_from = at;"),
    ("mutex", "a mutex goes to whoever comes first", SYNC, "waits(next) && waits(last) ? next : nobody", "waits(next) && waits(last) ? nobody : nobody"),
    ("mutex", "a mutex goes to the thread before the one that released it", SYNC,
     "waits(next) && waits(last) ? next : nobody", "waits(next) && waits(last) ? last : nobody"),
    ("mutex", "any thread releases a mutex", SYNC, "    if (one.holder != thread) return;\n", ""),
    ("mutex", "nobody is told that a mutex is free", SYNC, "one.free_from = at + one_cycle;\n    announce(at);\n", "one.free_from = at + one_cycle;\n"),
    ("mutex", "a thread that has acquired a mutex still waits for it", SYNC,
     "    mutexes_[index].wanted_since[thread] = forever;\n", ""),
    ("mutex", "nobody waits for a mutex", GATE, "if (has_mutex_of(word)) sync_->want(mutex_of(word), thread_, from);", ""),
    ("mutex", "every chip has all mutexes", GATE, "mutex_of(word) < sync_unit::count && (describe(arch_).mutexes >> mutex_of(word) & 1)",
     "mutex_of(word) < sync_unit::count"),
    ("mutex", "releasing waits for the mutex", GATE, "word >> 24 == isa::opcode::atgetm ? sync_->free_from(mutex_of(word), thread_) : cycles{}",
     "sync_->free_from(mutex_of(word), thread_)"),

    ("put off", "words are not executed before somebody looks", ISSUE_CORE_H, "        if (follower_.plan()) complete_words();\n", ""),
    ("put off", "words are not executed before somebody looks at Dst", DST_H,
     "        if (attached_) attached_->complete();\n", ""),
    ("put off", "words are not executed before Dst is reset", DST, "complete(); // what stored before", "// what stored before"),
    ("put off", "words are not executed before the unit is reset", UNIT + "src/vector_unit.cpp",
     "    complete();\n", ""),
    ("put off", "words that come late are taken for punctual", ISSUE_CORE_H, "count == 1 && start <= next_free_ &&", "count == 1 &&"),
    ("put off", "any word is taken for the expected one", ISSUE_CORE_H,
     "start <= next_free_ && follower_.expects(words[0]))", "start <= next_free_)"),
    ("put off", "all words of a plan are executed though some have not come", ISSUE_CORE,
     "const bool is_complete = follower_.is_complete();", "const bool is_complete = accepted != 0;"),
    ("put off", "words are put off though somebody listens", ISSUE_CORE_H, "somebody_completes_ && !is_heard_ &&", "somebody_completes_ &&"),
    ("put off", "words are put off though a trace file reads counters", ISSUE_CORE_H, " && !is_watched_ &&", " &&"),
    ("put off", "words are put off though Dst cannot ask for them", ISSUE_CORE_H, "return somebody_completes_ && ", "return "),
    ("put off", "a word behind a gap begins what was expected", ISSUE_CORE,
     "const bool in_time = planner_.now() == std::max(at, next_free_);", "const bool in_time = at == at;"),

    ("pair", "a unit that is taken takes a second word", PAIRS,
     "if (taken >= machine_.units_of(b.unit)) return false;", "(void)taken;"),
    ("pair", "what is scheduled takes no unit", PAIRS,
     "state_.slots.for_each_due([&](const scheduled_entry& entry) { taken += entry.unit == b.unit; });", ""),
    ("pair", "a word that has to wait goes with the first", PAIRS,
     "if (issue_rules_.wait(state_.issue, b, role, 0, cause) != 0) return false;", "(void)cause;"),
    ("pair", "reads of what the first writes", PAIRS,
     "if (written & (b.use.reads | b.use.writes)) return false;", "if (written & b.use.writes) return false;"),
    ("pair", "writes of what the first writes", PAIRS,
     "if (written & (b.use.reads | b.use.writes)) return false;", "if (written & b.use.reads) return false;"),
    ("pair", "lane flags are no obstacle", PAIRS, "    if (isa::may_write_flags(a)) return false;\n", ""),
    ("pair", "random numbers are no obstacle", PAIRS,
     "    if (isa::may_use_random_numbers(a) && isa::may_use_random_numbers(b)) return false;\n", ""),
    ("pair", "SFPSWAP has company", PAIRS,
     "if (a.latency == latency_class::swap || a.latency == latency_class::shuffle) return false;", ""),
    ("pair", "counters that move are no obstacle", PAIRS,
     "    if (moves_counters(first)) return false;\n", ""),
    ("pair", "loads may read what the first stores", PAIRS,
     "if (!first.is(opcode::sfpstore)) return true;", "if (!first.is(opcode::sfpstore) || second.is(opcode::sfpload)) return true;"),
    ("pair", "slices of neighbouring addresses are apart", PAIRS, "distance % addresses >= 2 &&", "distance % addresses >= 1 &&"),
    ("pair", "slices below the first are apart", PAIRS, "distance % addresses <= addresses - 2", "distance % addresses <= addresses - 1"),
    ("pair", "rows of the 32-bit view are all different", PAIRS, "beyond_slice(wide ? 256 : 1024)", "beyond_slice(1024)"),
    ("pair", "widths are not looked at", PAIRS, "return wide == other_wide && beyond_slice", "(void)other_wide; return beyond_slice"),
    ("pair", "lanes may exchange columns", PAIRS, "    if (!state_.rules.lanes_ordinary) return false;           // lanes may", "    // lanes may"),
    ("pair", "the second moves the counters of the first", BUILDER, "    if (machine_.issue_width > 1) keep_word_order();\n", ""),
    ("pair", "no word order beside scheduled stores", PAIRS,
     "!moves_counters(second) || !stores_due;", "!moves_counters(second) || stores_due || true;"),
    ("pair", "words of a port go one by one", PORTS, "while (count < issue_.issue_width() &&", "while (count < 1 &&"),
    ("pair", "words that a port does not have yet go too", PORTS, "queue[count].earliest <= at) {", "at.count() >= 0) {"),
    ("pair", "the second word of a port does not wait for its turn", PORTS,
     "count == 1 ? forever : at + one_cycle;", "count == 1 ? forever : at + one_cycle + one_cycle;"),
    ("pair", "constants may be read as they are written", PAIRS,
     "return a.vd <= vd::last_constant && !isa::contains(b.use.reads, a.vd);", "return a.vd <= vd::last_constant;"),
    ("pair", "counters of the front end are no obstacle", PAIRS,
     "return a.is(opcode::nop) || !uses_dst(b);", "return true;"),

    ("counts", "a second cycle keeps nothing busy", BUILDER, "if (*held != 0) --*held;", "*held = 0;"),
    ("counts", "a second cycle is counted as long as there is none", BUILDER, "if (*held != 0) --*held;", "(void)held;"),
    ("counts", "SFPNOP is busy", BUILDER, "        if (insn.is(opcode::sfpnop)) continue;\n        busy[", "        busy["),
    ("counts", "the second cycle of SFPSWAP is not busy", BUILDER,
     "busy[index_of(sub_unit::simple)] = state_.simple_held_for != 0;", ""),
    ("counts", "the second cycle of a shuffle is not busy", BUILDER,
     "busy[index_of(sub_unit::round)] = state_.round_held_for != 0;", ""),

    ("time", "results stay under way", ISSUE, "    for (producer& p : producers) p.visible_in = left(p.visible_in);\n", ""),
    ("time", "what the stall logic waits for does not come nearer", ISSUE, "    believed_busy.advance(cycles_on);\n", ""),
    ("time", "all waits for the second cycle of SFPSWAP", ISSUE, "    exclusive_for = left(exclusive_for);\n", ""),
    ("time", "the second cycle of a shuffle does not come", ISSUE,
     "    shuffle_second_cycle = left(shuffle_second_cycle);\n", ""),
    ("time", "idle cycles leave everything as it is", PLANNER,
     "    return issue.producers.empty() &&", "    return issue.producers.size() < 1000 ||"),
    ("time", "idle cycles do not move the stall logic on", STATE, "    issue.advance(cycles_on);\n", ""),
    ("time", "SFPSWAP has neighbours after idle cycles", STATE, "    neighbours = {};\n", ""),
    ("time", "Simple is busy after idle cycles", STATE, "    simple_held_for = left(simple_held_for);\n", ""),
    ("time", "Round is busy after idle cycles", STATE, "    round_held_for = left(round_held_for);\n", ""),
    ("time", "results under way do not come nearer", STEPS, "    results.advance(cycle_);\n", ""),
    ("time", "SFPSWAP and shuffles stay neighbours", NEIGHBOURS, "    state = {};\n", ""),
    ("time", "the backdoor has always changed in the cycle before", BUILDER, "    state_.rules.backdoor_changed = false;\n", ""),
    ("time", "the backdoor has changed in the cycle before idle ones", PLANNER,
     "        rules_.backdoor_changed = false;\n        now_ = until;", "        now_ = until;"),
    ("time", "the backdoor has changed before the plan and so behind it", PLANNER_H,
     "        rules_.backdoor_changed = done.after.rules.backdoor_changed;\n", ""),
    ("time", "idle cycles remember the stall logic of earlier ones", PLANNER, "        before_idle_ = current_->issue;\n", ""),
    ("time", "idle cycles began when others did", PLANNER, "        idle_since_ = now_;\n", ""),
    ("time", "words do not end idle cycles", PLANNER_H, "        idle_ = false;\n", ""),
    ("time", "words that were offered in idle cycles are offered now", PLANNER,
     "idle_ && offered < now_;", "idle_ && offered < cycles{};"),

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
     "*others[i] = library_.keep(copies[i]);", "(void)copies;"),
    ("cache", "plans go on to macros behind a write of their configuration", BUILDER,
     "if (!is_configured_ && word.insn.is(opcode::sfploadmacro)) break;", ""),
    ("cache", "a part of LoadMacroConfig that was written is not noted", BUILDER,
     "to_->written_parts | 1u << part", "to_->written_parts"),
    ("cache", "writes of LoadMacroConfig by other means are not noticed", CORE + "issue_rules.cpp",
     "writes > behind->configuration_writes", "false"),
    ("cache", "columns of LoadMacroConfig that differ are not noticed", LIBRARY,
     "        if (differs != 0) return number_of(state);\n", ""),
    ("cache", "plans for nobody are shown to observers", PLANNER, "if (is_observed && !is_observed_) {", "if (false) {"),

    ("copy", "instructions stay where they were", PLANNER, "if (next->op) insn = library_.keep(*next);", "insn = nullptr;"),
    ("copy", "idle cycles are forgotten", PLANNER, "    idle_ = image.idle;\n", ""),
    ("copy", "the stall logic before idle cycles is forgotten", PLANNER, "    before_idle_ = image.before_idle;\n", ""),
    ("copy", "producers are counted from another word", PLANNER, "    expected_word_ = image.expected_word;\n", ""),
    ("copy", "time begins anew", PLANNER, "    now_ = image.now;\n", ""),
    ("copy", "words begin anew", ISSUE_CORE, "    word_count_ = other.word_count_;\n", ""),
    ("copy", "the first issue is forgotten", ISSUE_CORE, "    first_issue_ = other.first_issue_;\n", ""),
    ("copy", "the next free cycle is forgotten", ISSUE_CORE, "    next_free_ = other.next_free_;\n", ""),
    ("copy", "a change of the backdoor is forgotten", ISSUE_CORE,
     "        if (backdoor_changed) planner_.note_backdoor_change();\n", ""),
    ("copy", "origins of outstanding instructions are forgotten", CONTEXT,
     "    origins_ = other.origins_;\n", "    origins_.resize(other.origins_.size());\n"),
    ("copy", "the latest effect is forgotten", CONTEXT, "    last_effect_ = other.last_effect_;\n", ""),
    ("copy", "results that are early are shown to observers", CONTEXT, "    early_ = other.early_;\n", ""),
    ("copy", "words that wait at ports are lost", PORTS, "    ports_ = other.ports_;\n", ""),
    ("copy", "the turn of threads begins anew", PORTS, "    arbiter_ = other.arbiter_;\n", ""),
    ("copy", "Dst reports to the original", ENGINE,
     "    dst_.report_to(&unit_.state().reporter);\n", ""),

    ("core", "a scheduled store takes the address of the latest step", EXECUTOR,
     "                link.receiver(isa::sub_unit::store).step().dst_address = origin.dst_address;\n", "                (void)origin;\n"),
    ("core", "bubbles are left out", RUNNER, "at_ += cycles{bubbles};", "(void)bubbles;"),
    ("core", "threads start with the state of the first", RUNNER, "request.thread_of(number)", "request.thread_of(0)"),
    ("core", "late stores of Dst are lost at the end", RUNNER, "    engine.dst().settle();\n", ""),
    ("core", "a step of direct form is taken for simple though the stack may complain", STEPS,
     "return !isa::uses_flag_stack(insn);", "return true;"),
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
                found.append(("state", "%s of %s is left out" % (name, owner), HEADERS + path, whole, name))
    return found


MUTATIONS += field_mutations()

# Mutations that change nothing that a program computes or when, with the reason.
EQUIVALENT = {
    ("cache", "macro configurations are not told apart"):
        "only the hash is poorer; configurations are compared in full",
    ("cache", "a guess is taken although a word is known behind it"):
        "a plan that saw the end of a push never had more words behind it, so that a guess of it asks for the same end",
    ("cache", "a foreseen plan is taken in another state"):
        "the hash, compared before, has all of the state; states are compared for the case of two with one hash of 64 bits",
    ("cache", "a reset keeps what idle cycles remembered"):
        "freed memory is read and what is read is not used: the address sanitizer fails plan_cache.a_reset_*",
}

# What is run, the most telling first, until something fails. `rule_tests` has those unit tests that run mutated code: they
# are built quickly.
STAGES = [
    ("rule_tests", "-*predication*:*semantics*"),
    ("rule_tests", "*predication*:*semantics*"),
    ("tlm_tests", "plans*:push_order*"),
    ("sfpusim", "exec_threads.py"),
    ("tlm_tests", "-plans*:push_order*"),
    ("system_tests", "core_and_modules*"),
    ("sfpusim", "vectors"),
    ("system_tests", "*"),
]
RULE_TESTS_HAVE = ("models/timing/", "models/isa/", "models/frontend/core/", "models/vector_unit/core/",
                   "platforms/program_runner/")

MEMORY_LIMIT = 6 << 30  # of a program: some mutations never stop taking more


def stages_for(mutation):
    """Numbers of the stages whose programs contain the mutated file."""
    has_rule_tests = mutation[2].startswith(RULE_TESTS_HAVE)
    return [i for i, (program, _) in enumerate(STAGES) if has_rule_tests or program != "rule_tests"]


# --- mutations behind switches ---------------------------------------------------------------------------------------

SWITCH = "models/common/include/sfpu/common/mutation_switch.h"
SWITCH_TEXT = """// Which mutation this process has; see mutation_check.py.
#pragma once

#include <cstdlib>

namespace sfpu::mutations {

inline const int chosen = std::getenv("SFPU_MUTATION") ? std::atoi(std::getenv("SFPU_MUTATION")) : -1;

constexpr bool has(int number) { return !__builtin_is_constant_evaluated() && chosen == number; }

/// The same for all values if the process has the mutation.
template <class T>
const T& left_out(int number, const T& value) {
    static const T nothing{};
    return has(number) ? nothing : value;
}

} // namespace sfpu::mutations
"""


def without_text(source):
    """The source with spaces for comments, texts, characters and the preprocessor's lines: all braces left are code."""
    return re.sub(r"//[^\n]*|/\*.*?\*/|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])'|^[ \t]*#[^\n]*",
                  lambda found: re.sub(r"[^\n]", " ", found.group()), source, flags=re.DOTALL | re.MULTILINE)


def bodies_of(source):
    """Where the bodies of functions begin and end, without their braces."""
    code, found, statement, at = without_text(source), [], 0, 0
    while at < len(code):
        if code[at] in ";}":
            statement = at + 1
        elif code[at] == "{":
            head = code[statement:at].strip()
            is_function = re.search(r"\)(\s*(const|noexcept|override|final))*(\s*->[^;{]*)?$", head)
            if not is_function and re.match(r"(template\s*<[^{]*>\s*)?(inline\s+)?(namespace|class|struct|union|enum)\b", head):
                statement = at + 1
            else:
                begin, depth = at, 0
                while True:
                    depth += {"{": 1, "}": -1}.get(code[at], 0)
                    if depth == 0:
                        break
                    at += 1
                if is_function:
                    found.append((begin + 1, at))
                statement = at + 1
        at += 1
    return found


def body_around(source, old):
    """The body of the function that has a text; None if none has all of it."""
    begin = source.index(old)
    return next((body for body in bodies_of(source) if body[0] <= begin and begin + len(old) <= body[1]), None)


def switched(source, mutations):
    """A source file with some numbered mutations: functions have a body for each."""
    bodies = {}
    for number, (rule, what, _, old, new) in mutations:
        begin, end = body_around(source, old)
        bodies.setdefault((begin, end), []).append((number, rule, what, old, new))
    for (begin, end), changes in sorted(bodies.items(), reverse=True):
        body, choice = source[begin:end], ""
        for number, rule, what, old, new in changes:
            if rule == "state":
                body = re.sub(r"(return std::\w+\(.*?)((?<=[( ])%s)(?=[,)] ?)" % re.escape(new),
                              lambda m: "%smutations::left_out(%d, %s)" % (m.group(1), number, m.group(2)), body, count=1)
            else:
                choice += "if (mutations::has(%d)) { // %s: %s\n%s\n} else " % (
                    number, rule, what, source[begin:end].replace(old, new))
        source = source[:begin] + (choice + "{\n" + body + "\n}\n" if choice else body) + source[end:]
    first_include = source.index("#include" if "#pragma once" not in source else "#pragma once")
    line_end = source.index("\n", first_include) if "#pragma once" in source else first_include - 1
    include = "#include <sfpu/common/mutation_switch.h>\n"
    return source[:line_end + 1] + include + source[line_end + 1:]


# --- programs --------------------------------------------------------------------------------------------------------


class took_too_long(Exception):
    pass


running = set()  # processes, each the first of a group of its own


def run(command, limits=None, environment=None, folder=None):
    """Output and exit code of a command; its whole group ends with it. Limits are seconds by the clock and, for each
    process, of processor time."""

    def limit():
        if limits:
            resource.setrlimit(resource.RLIMIT_CPU, (limits[1], limits[1]))
            resource.setrlimit(resource.RLIMIT_AS, (MEMORY_LIMIT, MEMORY_LIMIT))

    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, universal_newlines=True,
                               errors="replace", start_new_session=True, env=environment, cwd=folder, preexec_fn=limit)
    running.add(process)
    try:
        output, _ = process.communicate(timeout=limits[0] if limits else None)
    except subprocess.TimeoutExpired:
        raise took_too_long()
    finally:
        end_group(process)
        running.discard(process)
    if process.returncode in (-signal.SIGXCPU, -signal.SIGKILL):
        raise took_too_long()
    return output, process.returncode


def end_group(process):
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass
    process.wait()


def fail(text):
    print(text)
    sys.exit(2)


def read(path):
    with open(path, "rb") as file:
        return file.read()


def write_if_new(path, content):
    """Leaves a file that has the content as old as it is, for the build."""
    if not os.path.exists(path) or read(path) != content:
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
    """A copy of the sources with all mutations, and its build."""

    def __init__(self, folder):
        self.tree = os.path.join(folder, "tree")
        self.output = os.path.join(self.tree, "build")
        self.limits = {}  # of stages: seconds by the clock, seconds of processor time
        self.environment = {name: value for name, value in os.environ.items() if name not in ("CI", "SFPU_MUTATION")}
        self.copy_sources()

    def copy_sources(self):
        by_file = collections.defaultdict(list)
        for numbered in enumerate(MUTATIONS):
            if numbered[1][:2] not in EQUIVALENT:
                by_file[numbered[1][2]].append(numbered)
        for folder, folders, files in source_files():
            folder = "" if folder == "." else folder
            target = os.path.join(self.tree, folder)
            os.makedirs(target, exist_ok=True)
            for name in files:
                path = os.path.join(folder, name)
                content = read(os.path.join(SOURCE_DIR, path))
                if path in by_file:
                    content = switched(content.decode(), by_file[path]).encode()
                write_if_new(os.path.join(target, name), content)
                shutil.copymode(os.path.join(SOURCE_DIR, path), os.path.join(target, name))
            for name in set(os.listdir(target)) - set(files) - set(folders):
                path = os.path.join(target, name)
                if os.path.isfile(path) and os.path.relpath(path, self.tree) != SWITCH:
                    os.remove(path)
        write_if_new(os.path.join(self.tree, SWITCH), SWITCH_TEXT.encode())

    def command(self, *words):
        text, code = run(words, environment=self.environment, folder=self.tree)
        if code != 0:
            raise RuntimeError("the sources with mutations do not build:\n" + text[-6000:])

    def prepare(self, stage, jobs):
        """Builds what a stage runs and finds out what it takes without a mutation."""
        if not os.path.exists(os.path.join(self.output, "build.ninja")):
            self.command("cmake", "--preset", "release")
        self.command("cmake", "--build", self.output, "--target", STAGES[stage][0], "--parallel", str(jobs))
        begin, used = time.monotonic(), resource.getrusage(resource.RUSAGE_CHILDREN)
        failing = self.failing(stage, -1)
        if failing:
            raise RuntimeError("without a mutation this test fails: " + failing)
        now = resource.getrusage(resource.RUSAGE_CHILDREN)
        processor = now.ru_utime + now.ru_stime - used.ru_utime - used.ru_stime
        clock = time.monotonic() - begin
        # Several may run side by side, so that the clock says little.
        self.limits[stage] = (20 * jobs * max(clock, processor) + 120, int(4 * processor) + 10)

    def failing(self, stage, number, only="*"):
        """The first failing test of a stage with a mutation, None if all pass. Programs that crash or hang fail."""
        program, what = STAGES[stage]
        limits = self.limits.get(stage)
        environment = dict(self.environment, SFPU_MUTATION=str(number))
        binary = os.path.join(self.output, "bin", "sfpusim")
        try:
            if what == "exec_threads.py":
                script = os.path.join(self.tree, "tests", "sc_main", what)
                return None if run([sys.executable, script, binary, self.tree], limits, environment)[1] == 0 \
                    else "cli.exec_threads"
            if what == "vectors":
                return self.failing_vectors(binary, limits, environment)
            text, _ = run([os.path.join(self.output, "tests", program), "--gtest_brief=1", "--gtest_fail_fast",
                           "--gtest_filter=" + (what if only == "*" else only)], limits, environment)
            found = re.search(r"^\[  FAILED  \] ([^\s,]+\.[^\s,]+)", text, re.MULTILINE)
            if found:
                return found.group(1)
            return None if re.search(r"tests? from \d+ test suites? ran", text) else program + " (ended early)"
        except took_too_long:
            return program + " (takes too long)"

    def failing_vectors(self, binary, limits, environment):
        """The first file of recorded programs whose results differ."""
        data = os.path.join(self.tree, "tests", "data")
        script = os.path.join(self.tree, "tests", "support", "compare_exec.py")
        for name in sorted(os.listdir(data)):
            if name.startswith("timing_") and run([sys.executable, script, binary, os.path.join(data, name)], limits,
                                                  environment)[1] != 0:
                return "vectors." + name.split(".")[0]
        return None


class judgement:
    """What is known of the mutations, shared by the jobs and kept in a file."""

    def __init__(self, numbers, path, sources):
        self.lock = threading.Lock()
        self.path, self.sources = path, sources
        self.total, self.done = len(numbers), collections.Counter()
        self.hints = {}  # by mutation: the stage and the test that noticed it
        self.survivors = []
        known, passed = {}, collections.defaultdict(set)
        if os.path.exists(path):
            with open(path, encoding="utf-8") as file:
                for line in file:
                    entry = json.loads(line)
                    if entry["by"]:
                        self.hints[entry["mutation"]] = entry["stage"], entry["by"]
                    if entry["sources"] == sources and entry["by"]:
                        known[entry["mutation"]] = entry["by"]
                    elif entry["sources"] == sources:
                        passed[entry["mutation"]].add(entry["stage"])
        self.left = []  # numbers and the stages that are still to be tried
        for number in numbers:
            mutation = MUTATIONS[number]
            key = self.key(mutation)
            stages = [stage for stage in stages_for(mutation) if stage not in passed[key]]
            if key in known or mutation[:2] in EQUIVALENT:
                self.report(mutation, known.get(key))
            elif not stages:
                self.report(mutation, None)
            else:
                self.left.append((number, stages))

    @staticmethod
    def key(mutation):
        return hashlib.sha256("\0".join(mutation).encode()).hexdigest()[:16]

    def hint(self, number):
        return self.hints.get(self.key(MUTATIONS[number]), (None, None))

    def conclude(self, number, stage, by, is_last):
        """A stage has noticed the mutation, or has not."""
        with self.lock:
            with open(self.path, "a", encoding="utf-8") as file:
                file.write(json.dumps({"mutation": self.key(MUTATIONS[number]), "sources": self.sources, "by": by,
                                       "stage": stage}) + "\n")
            if by or is_last:
                self.report(MUTATIONS[number], by)

    def report(self, mutation, by):
        rule, what = mutation[:2]
        reason = EQUIVALENT.get((rule, what)) if by is None else None
        kind = "noticed" if by else "equivalent" if reason else "survive"
        self.done[kind] += 1
        if kind == "survive":
            self.survivors.append("%s: %s" % (rule, what))
        text = by if by else "equivalent: " + reason if reason else "SURVIVES"
        print("[%3d/%d] %-6s %-85s %s" % (sum(self.done.values()), self.total, rule, what, text), flush=True)


def try_stage(shop, judged, stage, jobs):
    """Runs one stage for each mutation that is left and has it."""
    left = [(number, stages) for number, stages in judged.left if stage in stages]
    if not left:
        return
    shop.prepare(stage, jobs)

    def one(task):
        number, stages = task
        hinted, test = judged.hint(number)
        by = None
        if hinted == stage and "." in test and "(" not in test and STAGES[stage][0].endswith("_tests"):
            by = shop.failing(stage, number, test)
            if by and "(" in by:
                by = None  # the test is no longer there
        by = by or shop.failing(stage, number)
        judged.conclude(number, stage, by, stages == [stage])
        return None if by else (number, [other for other in stages if other != stage])

    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        tried = dict(filter(None, pool.map(one, left)))
    numbers = {number for number, _ in left}
    judged.left = [(number, tried.get(number, stages)) for number, stages in judged.left
                   if number not in numbers or tried.get(number)]


def misfits():
    """Mutations whose text does not stand in a function of the sources exactly once."""
    found = []
    for rule, what, path, old, _ in MUTATIONS:
        source = read(os.path.join(SOURCE_DIR, path)).decode()
        count = source.count(old)
        if count != 1:
            found.append("%-6s %s: %s has the text to replace %d times" % (rule, what, path, count))
        elif not body_around(source, old):
            found.append("%-6s %s: %s has the text to replace in no function, or not all of it" % (rule, what, path))
    return found


def selected(wanted):
    """Numbers of the mutations of some rules, or whose description has one of some words; all if none is wanted."""
    known = {rule for rule, *_ in MUTATIONS}
    result = []
    for name in wanted:
        found = [i for i, m in enumerate(MUTATIONS) if m[0] == name or (name not in known and name in m[1].split())]
        if not found:
            fail("no mutation of %s; there are %s" % (name, ", ".join(sorted(known))))
        result += [i for i in found if i not in result]
    return result if wanted else list(range(len(MUTATIONS)))


def main():
    if sys.argv[1:] == ["--check"]:
        wrong = misfits()
        if wrong:
            fail("\n".join(wrong))
        print("%d mutations fit the sources" % len(MUTATIONS))
        return 0
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("work_dir")
    parser.add_argument("rules", nargs="*")
    options = parser.parse_args()
    wrong = misfits()
    if wrong:
        fail("\n".join(wrong))
    numbers = selected(options.rules)
    begin = time.monotonic()
    folder = os.path.abspath(options.work_dir)
    shop = workshop(folder)
    judged = judgement(numbers, os.path.join(folder, "results.jsonl"), hash_of_sources())
    try:
        for stage in range(len(STAGES)):
            try_stage(shop, judged, stage, options.jobs)
    except RuntimeError as problem:
        fail("the sources: %s" % problem)
    except KeyboardInterrupt:
        for process in list(running):
            end_group(process)
        fail("interrupted; the same command goes on from here")
    counts = ", ".join("%d %s" % (judged.done[kind], kind) for kind in ("noticed", "equivalent", "survive"))
    print("%d mutations: %s; %.0f s" % (judged.total, counts, time.monotonic() - begin))
    for line in judged.survivors:
        print(line)
    return 1 if judged.survivors else 0


if __name__ == "__main__":
    sys.exit(main())
