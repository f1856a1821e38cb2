#!/usr/bin/env python3
"""The command line as users call it: commands, options, files, exit codes, error messages.

usage: command_line.py SFPUSIM SOURCE_DIR
"""
import json
import os
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
from checks import check, run_tests  # noqa: E402

SFPUSIM, SOURCE_DIR = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
DST_SIZE = 1024 * 16 * 2

MULTIPLY = """\
; 32-bit multiply, thirteen instructions a row
.arch bh
.rows 32
.expect cycles_per_row 13
.init
    setc16  34, 2               ; ADDR_MOD_6: Dst += 2
.loop
    sfpload  L0, INT32, ADDR_MOD_7, 0
    sfpshft  -23, L0, L2, 1|4
    sfpload  L1, INT32, ADDR_MOD_7, 64
    sfpshft  -23, L1, L3, 1|4
    sfpmul24 L1, L2, L9, L2, 0
    sfpmul24 L0, L3, L9, L3, 0
    sfpmul24 L0, L1, L9, L4, 1
    sfpmul24 L0, L1, L9, L0, 0
    sfpiadd  0, L2, L4, 4
    sfpiadd  0, L3, L4, 4
    sfpshft  23, L4, L4, 1
    sfpiadd  0, L4, L0, 4
    sfpstore L0, INT32, ADDR_MOD_6, 128
"""
HAZARD = """\
.arch wh
.loop
    sfpmad L0, L1, L2, L3, 0
    sfpmov 0, L3, L4, 0
"""


class Outcome:
    def __init__(self, arguments, process):
        self.call = "sfpusim " + " ".join(arguments)
        self.code, self.out, self.err = process.returncode, process.stdout.decode(), process.stderr.decode()

    def succeeds(self):
        check(self.code == 0, "%s: exit code 0, got %d: %s" % (self.call, self.code, self.err[:300]))
        check(self.err == "", "%s: nothing on standard error, got %r" % (self.call, self.err[:300]))
        return self

    def fails(self, code, *mentions):
        check(self.code == code, "%s: exit code %d, got %d" % (self.call, code, self.code))
        check(self.err.count("\n") >= 1, "%s: a message on standard error" % self.call)
        for mention in mentions:
            check(mention in self.err, "%s: the message mentions %r: %r" % (self.call, mention, self.err[:300]))
        return self

    def prints(self, *texts):
        for text in texts:
            check(text in self.out, "%s: prints %r, got %r" % (self.call, text, self.out[:600]))
        return self


def sfpusim(*arguments):
    return Outcome(arguments, subprocess.run([SFPUSIM, *arguments], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                             stderr=subprocess.PIPE, timeout=120))


def write(name, text):
    with open(name, "w" if isinstance(text, str) else "wb") as file:
        file.write(text)
    return name


def read(name, mode="r"):
    with open(name, mode) as file:
        return file.read()


def usage_errors_name_what_was_expected():
    sfpusim().fails(1, "--help")
    sfpusim("rnu").fails(1, "'rnu'", "'run'")
    sfpusim("xyzzy12345").fails(1, "xyzzy12345", "schedule")
    sfpusim("run").fails(1, "KERNEL")
    sfpusim("run", "--rwos", "3", "k.s").fails(1, "'--rwos'", "'--rows'")
    sfpusim("run", "k.s", "l.s").fails(1, "'l.s'")
    sfpusim("run", "multiply.s", "--rows", "x").fails(1, "--rows")
    sfpusim("run", "multiply.s", "--rows", "0").fails(1, "--rows")
    sfpusim("run", "multiply.s", "--arch", "gs").fails(1, "gs", "bh or wh")
    sfpusim("run", "multiply.s", "--hazards", "no").fails(1, "no", "error, warn or off")
    sfpusim("run", "multiply.s", "--set", "sfpu.latency.mda=2").fails(1, "sfpu.latency.mda", "sfpu.latency.mad")
    sfpusim("run", "multiply.s", "--set", "sfpu.latency.mad=9").fails(1, "'9'", "1 to 8")
    sfpusim("run", "multiply.s", "--set", "sfpu.latency.mad").fails(1, "path=value")
    sfpusim("info", "--vcd", "x.vcd").fails(1, "--vcd")
    sfpusim("--vcd", "x.vcd", "info").fails(1, "--vcd")
    sfpusim("--firmware-start", "bench").fails(1, "--firmware-start")
    sfpusim("bench", "--firmware-start").fails(1, "--firmware-start")
    sfpusim("info", "--params", "--latencies").fails(1, "--params", "--latencies")
    sfpusim("info", "--explain", "/sfpu/macro/forgoten").fails(1, "/sfpu/macro/forgotten")
    sfpusim("bench", "--kernel", "mul23").fails(1, "mul23", "mul32")
    sfpusim("bench", "--kernel", "mul32", "--instructions", "0").fails(1, "--instructions")
    sfpusim("bench").fails(1, "--kernel")


def help_and_version_go_to_standard_output():
    sfpusim("--help").succeeds().prints("run", "exec", "asm", "disasm", "schedule", "bench", "info")
    sfpusim("run", "--help").succeeds().prints("--rows", "--dst-load", "--arch", "--vcd")
    sfpusim("--version").succeeds().prints("sfpusim ")


def run_reports_the_throughput():
    for arguments in (("run", "multiply.s"), ("--arch", "bh", "run", "multiply.s"), ("run", "--arch=bh", "multiply.s")):
        sfpusim(*arguments).succeeds().prints("multiply.s", "bh", "13.00 cycles a row", "load", "simple", "mad", "round", "store")
    sfpusim("run", "multiply.s", "--rows", "1", "--quiet")
    check(sfpusim("run", "multiply.s", "--quiet").succeeds().out == "", "--quiet prints nothing")
    sfpusim("run", "twice.s").succeeds().prints("1.00 cycles a row")
    sfpusim("run", "twice.s", "--rows", "7").fails(1, "7 rows", "multiple of 2")


def a_missed_expectation_is_exit_code_2():
    write("wrong.s", MULTIPLY.replace("cycles_per_row 13", "cycles_per_row 12"))
    sfpusim("run", "wrong.s").fails(2, "wrong.s", "13.00", "12.00").prints("13.00 cycles a row")
    sfpusim("run", "multiply.s", "--set", "sfpu.latency.mad=8", "--no-check").fails(2, "expected 13.00")


def hazards_are_exit_code_2_under_error_only():
    sfpusim("run", "hazard.s").succeeds().prints("/sfpu/hazard/unprotected-read", "hazard.s:4")
    sfpusim("run", "hazard.s", "--hazards=error").fails(2, "hazard.s:4", "/sfpu/hazard/unprotected-read")
    off = sfpusim("run", "hazard.s", "--hazards", "off").succeeds()
    check("unprotected-read" not in off.out, "--hazards off reports none")


def the_architecture_comes_from_the_kernel_unless_the_command_line_insists():
    sfpusim("run", "hazard.s").succeeds().prints("wh")
    sfpusim("run", "hazard.s", "--arch", "bh").fails(1, "hazard.s", "wh", "bh")
    write("any.s", "sfpmov 0, L0, L1, 0\n")
    sfpusim("run", "any.s").succeeds().prints("bh (Blackhole)")
    sfpusim("run", "any.s", "--arch", "wh").succeeds().prints("wh (Wormhole)")
    sfpusim("run", "any.s", "--set", "arch=wh").succeeds().prints("wh (Wormhole)")


def mistakes_in_kernels_have_positions():
    sfpusim("run", "missing.s").fails(1, "missing.s", "No such file")
    sfpusim("run", ".").fails(1, "directory")
    write("mistake.s", "sfpnop\nsfplaod L0, INT32, ADDR_MOD_7, 0\n")
    for command in ("run", "schedule", "asm"):
        error = sfpusim(command, "mistake.s").fails(1, "mistake.s:2:1", "sfplaod", "sfpload").err
        check(error.startswith("mistake.s:2:1"), "%s: the message begins with the position: %r" % (command, error))
    write("mistake.hex", "8f000000\n\n8f00000\n")
    sfpusim("run", "mistake.hex").fails(1, "mistake.hex:3")
    write("setting.s", ".config srcb_fromat, 1\nsfpnop\n")
    sfpusim("run", "setting.s").fails(1, "setting.s:1:", "srcb_fromat", "srcb_format")
    write("setting.s", ".config srcb_format, 99\nsfpnop\n")
    sfpusim("run", "setting.s").fails(1, "setting.s:1:", "99", "0 to 15")
    write("setting.s", ".config sfpu.latency.mad, 3\nsfpnop\n")
    resolved = json.loads(sfpusim("run", "setting.s", "--dump-config").succeeds().out)
    check(resolved["sfpu"]["latency"]["mad"] == 3, ".config sets parameters")
    resolved = json.loads(sfpusim("run", "setting.s", "--dump-config", "--set", "sfpu.latency.mad=4").succeeds().out)
    check(resolved["sfpu"]["latency"]["mad"] == 4, "--set wins over .config")


def dst_files_are_raw_storage():
    image = bytes((i * 7 + i // 256) & 0xff for i in range(DST_SIZE))
    write("in.dst", image)
    write("nothing.s", "sfpnop\n")
    sfpusim("run", "nothing.s", "--dst-load", "in.dst", "--dst-dump", "out.dst").succeeds()
    check(read("out.dst", "rb") == image, "--dst-dump gives what --dst-load took")
    sfpusim("run", "nothing.s", "--dst-dump", "zero.dst").succeeds()
    random = read("zero.dst", "rb")
    check(len(set(random)) == 256, "Dst is random unless loaded")
    sfpusim("run", "nothing.s", "--dst-dump", "seed.dst", "--seed", "1").succeeds()
    check(read("seed.dst", "rb") == random, "--seed 1 is the default")
    sfpusim("run", "nothing.s", "--dst-dump", "seed.dst", "--seed", "2").succeeds()
    check(read("seed.dst", "rb") != random, "another seed, other numbers")
    sfpusim("run", "nothing.s", "--zero", "--dst-dump", "zero.dst").succeeds()
    check(read("zero.dst", "rb") == bytes(DST_SIZE), "--zero gives zeros")
    sfpusim("run", "nothing.s", "--zero", "--dst-load", "in.dst").fails(1, "--zero", "--dst-load")
    write("short.dst", image[:-1])
    sfpusim("run", "nothing.s", "--dst-load", "short.dst").fails(1, "short.dst", "32767", "32768")
    sfpusim("run", "nothing.s", "--dst-load", "missing.dst").fails(1, "missing.dst", "No such file")
    sfpusim("run", "nothing.s", "--dst-dump", "no/such/dir.dst").fails(1, "no/such/dir.dst", "No such file")


# Stores x * x + x two cycles after the multiply-add, which is right for the chip's latency only; Wormhole does not stall.
TIMED = """\
.arch wh
.rows 1
.loop
    sfpload  L0, FP32, ADDR_MOD_3, 0
    sfpmad   L0, L0, L0, L1, 0
    sfpnop
    sfpstore L1, FP32, ADDR_MOD_3, 16
"""


def other_machines_never_change_results_unnoticed():
    write("timed.s", TIMED)
    check("results" not in sfpusim("run", "timed.s").succeeds().out, "the chip is not compared with itself")
    for setting in ("sfpu.latency.mad=2", "sfpu.auto_stall=false", "macro.config_distance=0", "clock.period_ps=900",
                    "sfpu.lreg12_default=0"):
        check("results" not in sfpusim("run", "timed.s", "--set", setting).succeeds().out, setting + " is the chip's timing")
    for setting in ("sfpu.latency.mad=1", "macro.templates=5", "sfpu.auto_stall=true"):
        sfpusim("run", "timed.s", "--set", setting, "--stats", "same.json").succeeds().prints("results        unchanged on this data\n")
        check(json.loads(read("same.json"))["results"] == {"changed": False, "cells": 0, "verdict": "tested"}, "statistics of an equal run")

    late = ("run", "timed.s", "--set", "sfpu.latency.mad=3")
    # The store finds the L1 of reset: 32 lanes of 32 bits differ but for zeros. Row 16 of 32-bit cells is row 32 of storage.
    changed = sfpusim(*late, "--stats", "changed.json")
    changed.fails(2, "timed.s", "CHANGED").prints("results        CHANGED: ", " of 16384 cells of Dst, first row 32 column ")
    results = json.loads(read("changed.json"))["results"]
    check(results["changed"] is True and 16 <= results["cells"] <= 64, "many of 64 cells differ: %s" % results)
    check("CHANGED: %d of" % results["cells"] in changed.out, "report and statistics agree")
    check("results" not in sfpusim(*late, "--no-check", "--stats", "none.json").succeeds().out, "--no-check does not compare")
    check("results" not in json.loads(read("none.json")), "nothing compared, nothing in the statistics")
    sfpusim(*late, "--zero").succeeds().prints("results        unchanged")
    write("slow.json", '{"sfpu": {"latency": {"mad": 3}}}')
    sfpusim("run", "timed.s", "--config", "slow.json").fails(2, "CHANGED")

    # A kernel that is written for another machine has nothing to be compared with; --set on top of it has.
    write("grown.s", ".config macro.templates, 6\n" + TIMED)
    sfpusim("run", "grown.s", "--stats", "grown.json").succeeds().prints("results        not compared: ", "macro.templates")
    check(json.loads(read("grown.json"))["results"] == {"changed": None, "cells": 0, "verdict": None}, "statistics without a comparison")
    sfpusim("run", "grown.s", "--set", "sfpu.latency.mad=3").fails(2, "CHANGED")
    sfpusim("run", "grown.s", "--set", "sfpu.latency.load=2", "--set", "macro.templates=8").fails(2, "CHANGED")
    # Words that the chip does not have.
    write("seventh.s", ".rows 1\n.loop\n    sfploadmacro 6, L0, INT32, ADDR_MOD_7, 0\n")
    sfpusim("run", "seventh.s", "--set", "macro.count=7", "--hazards", "off").succeeds().prints(
        "results        not compared: the chip cannot run it: ", "seventh.s:3")


def statistics_hold_the_promised_fields():
    sfpusim("run", "multiply.s", "--stats", "stats.json").succeeds().prints("stats.json")
    stats = json.loads(read("stats.json"))
    for group, fields in {"meta": ["version", "systemc", "compiler", "arch"],
                          "throughput": ["rows", "cycles", "cycles_per_row", "instructions", "ipc"],
                          "dst": ["reads", "writes"], "macro": ["launched", "forgotten", "max_outstanding"]}.items():
        for field in fields:
            check(field in stats[group], "statistics hold %s.%s" % (group, field))
    check(stats["throughput"]["cycles_per_row"] == 13 and stats["throughput"]["rows"] == 32, "statistics hold the throughput")
    check(stats["throughput"]["instructions"] == 32 * 13, "statistics count SFPU instructions: %s" % stats["throughput"])
    check(stats["dst"] == {"reads": 64, "writes": 32}, "statistics count Dst accesses: %s" % stats["dst"])
    for unit in ("load", "simple", "mad", "round", "store"):
        check(sorted(stats["units"][unit]) == sorted(["busy", "utilisation", "issued", "scheduled", "discarded"]),
              "statistics of %s: %s" % (unit, stats["units"][unit]))
    check(stats["units"]["mad"]["issued"] == 32 * 4, "statistics count MAD instructions")
    sfpusim("run", "multiply.s", "--stats", "no/such/stats.json").fails(1, "no/such/stats.json", "No such file")


def reports_say_what_binds():
    # The second word waits one cycle for the first (T16): three cycles for two words.
    write("chain.s", ".rows 8\n.loop\n    sfpmad L0, L0, L0, L1, 0\n    sfpmad L1, L1, L1, L2, 0\n")
    run = sfpusim("run", "chain.s", "--stats", "chain.json").succeeds()
    run.prints("3.00 cycles a row", "bound          2.00 cycles a row (issue: 2 words a row; mad: busy for 2 cycles a row)\n")
    stats = json.loads(read("chain.json"))
    slots = stats["issue"]
    check((slots["issued"], slots["held"]) == (16, 8), "two words issued and one cycle lost in each row: %s" % slots)
    check(slots["issued"] + slots["held"] + slots["idle"] == slots["slots"] == stats["throughput"]["cycles"], "all slots: %s" % slots)
    check(stats["bound"] == {"cycles_per_row": 2, "reason": "issue: 2 words a row; mad: busy for 2 cycles a row"},
          "the bound: %s" % stats["bound"])
    check("%.1f %% of the slots issue" % (100 * 16 / slots["slots"]) in run.out, "shares of slots: %s" % run.out)
    check(stats["steady_state"]["held"] == {"mad-dependence": 1} and stats["steady_state"]["cycles_per_row"] == 3, "held by cause")
    run.prints("binds          The order of the words binds: a row takes 3.00 cycles though no resource needs more than 2.00, and "
               "words are held for 1.00 of them (mad-dependence, most at chain.s:4); relaxing it with sfpu.latency.mad = 1 gives "
               "2.00, then issue and MAD bind.\n", "dependences    none: no value passes from row to row\n")
    # Of three cycles two issue a word for MAD; in the third the second of them is held and MAD does nothing.
    for resource, stack in stats["steady_state"]["slots"].items():
        expected = {"busy": 2, "blocked": 1, "idle": 0} if resource in ("issue", "mad") else {"busy": 0, "blocked": 0, "idle": 3}
        check(stack == expected, "%s: %s, expected %s" % (resource, stack, expected))
    run.prints("issue          66.7%     33.3%      0.0%\n", "mad            66.7%     33.3%      0.0%\n", "load            0.0%      0.0%    100.0%\n")
    write("two.s", ".config sfpu.issue_width, 2\n.rows 8\n.loop\n    sfpload L0, FP32, ADDR_MOD_7, 0\n    sfpnot 0, L1, L2, 0\n")
    two = sfpusim("run", "two.s", "--stats", "two.json").succeeds()
    two.prints("bound          1.00 cycles a row (issue: 2 words a row in two slots; load: busy for 1 cycle a row; simple: ")
    slots = json.loads(read("two.json"))["issue"]
    check(slots["slots"] == 2 * json.loads(read("two.json"))["throughput"]["cycles"], "two slots a cycle: %s" % slots)
    write("once.s", ".init\n    sfpnop\n")
    once = sfpusim("run", "once.s").succeeds().prints("binds          nothing is repeated, so that no row takes anything")
    check("bound" not in once.out, "no loop, no rows, no bound")


def two_of_a_sub_unit_count_each():
    # Four loads a row from different tensors: two ports take two cycles for them, and all of both.
    loads = "".join("    sfpload L%d, FP32, ADDR_MOD_7, %d\n" % (i, 64 * i) for i in range(4))
    write("loads.s", ".rows 8\n.loop\n" + loads)
    state = steady_state("loads.s", "--set", "sfpu.issue_width=2", "--set", "dst.load_ports=2")
    check(state["slots"]["load"] == {"busy": 4, "blocked": 0, "idle": 0}, "both ports are busy: %s" % state["slots"])
    check(json.loads(read("steady.json"))["bound"] == {"cycles_per_row": 2, "reason": "issue: 4 words a row in two slots; load: busy for 4 cycles a "
                                                       "row in two instances"}, "the bound: %s" % json.loads(read("steady.json"))["bound"])
    check(state["binds"].startswith("Issue and load bind, with 2.00 cycles a row"), "both bind: %s" % state["binds"])
    state = steady_state("loads.s", "--set", "sfpu.issue_width=2")
    check(state["relaxations"][0] == {"resource": "load", "change": "dst.load_ports = 2", "cycles_per_row": 2, "then": "issue and load bind"},
          "a second port: %s" % state["relaxations"])


def what_a_macro_schedules_can_be_left_out():
    # Both SFPLOADMACROs of a row write L0, so that they never share a cycle of two slots: only Simple, which both use, is always busy.
    write("scheduled.s", """.rows 8
.init
    .template 0, sfpabs 0, _, _, FLOAT
    .macro 0, simple=(template=0, delay=0, l16)
    .misc load_mode=0
    sfpnop
    sfpnop
.loop
    sfploadmacro 0, L0, FP32, ADDR_MOD_7, 0
    sfploadmacro 0, L0, FP32, ADDR_MOD_7, 64
""")
    state = steady_state("scheduled.s", "--set", "sfpu.issue_width=2", "--set", "dst.load_ports=2")
    check(state["binds"] == "Simple binds: busy for 2 cycles a row; relaxing it by one word (sfploadmacro at scheduled.s:9) gives 1.00, then simple binds.",
          "one of two Simple instructions less: %s" % state["binds"])


def a_row_takes_whole_cycles_if_its_words_do():
    # One word a row; with one slot the scheduler drops entries, so that runs of different length end differently.
    state = steady_state(SOURCE_DIR + "/kernels/optimized/square_macro.s", "--set", "macro.slots=1", "--hazards", "off")
    check(state["cycles_per_row"] == 1 and state["slots"]["issue"] == {"busy": 1, "blocked": 0, "idle": 0}, "a word, a cycle: %s" % state)


def steady_state(kernel, *options):
    check(sfpusim("run", kernel, "--no-check", "--stats", "steady.json", "--quiet", *options).code != 1, "%s runs" % kernel)
    return json.loads(read("steady.json"))["steady_state"]


def gains_are_what_relaxed_runs_take():
    # Six independent MADs and a word that does nothing: seven words, then six.
    mads = "".join("    sfpmad L0, L9, L10, L%d, 0\n" % i for i in range(1, 7))
    write("seven.s", ".rows 8\n.loop\n" + mads + "    sfpnop\n")
    check(steady_state("seven.s")["binds"] == "Issue binds: 7 words a row; relaxing it by one word (sfpnop at seven.s:9) gives 6.00, then issue and MAD "
          "bind; relaxing it with sfpu.issue_width = 2 gives 6.00, then MAD binds.", "seven words: %s" % steady_state("seven.s")["binds"])
    # What was tried is repeated here: a run with that parameter, or of the file without that line.
    changes = 0
    for kernel in (SOURCE_DIR + "/kernels/mul32_macro.s", SOURCE_DIR + "/kernels/mul32.s", SOURCE_DIR + "/kernels/optimized/newton_reciprocal.s",
                   SOURCE_DIR + "/kernels/fp32_to_bf16.s", SOURCE_DIR + "/kernels/optimized/mul_uint16_macro.s", "seven.s", "chain.s"):
        state = steady_state(kernel)
        for resource, stack in state["slots"].items():
            check(abs(sum(stack.values()) - state["cycles_per_row"]) < 1e-5 and min(stack.values()) >= 0, "%s: %s: %s" % (kernel, resource, stack))
        check(state["relaxations"] != [], "%s: something is tried" % kernel)
        for tried in state["relaxations"]:
            changes += 1
            if "=" in tried["change"]:
                found = steady_state(kernel, "--set", tried["change"].replace(" ", ""))
            else:
                lines = read(kernel).split("\n")
                del lines[int(tried["change"].rstrip(")").split(":")[-1]) - 1]
                write("shorter.s", "\n".join(line for line in lines if not line.startswith(".expect")))
                found = steady_state("shorter.s")
            check(found["cycles_per_row"] == tried["cycles_per_row"], "%s: %s: found %s" % (kernel, tried, found["cycles_per_row"]))
            first = found["binds"].split(":")[0].split(", with")[0]
            check(first.lower() == tried["then"].lower(), "%s: %s: found %s" % (kernel, tried, found["binds"]))
    check(changes >= 10, "%d relaxations were repeated" % changes)


def values_that_pass_from_row_to_row_are_found():
    # L3 of the first is read by the second, whose L0 is read by the first in the next row: two MADs of two cycles.
    write("round.s", ".rows 8\n.loop\n    sfpmad L0, L1, L2, L3, 0\n    sfpmad L3, L1, L2, L0, 0\n")
    state = steady_state("round.s")
    check(state["critical_cycle"] == {"cycles_per_row": 4, "dependences": "4.00 cycles a row: sfpmad (round.s:3) to L3 in 2 cycles, sfpmad "
                                      "(round.s:4) to L0 in 2 cycles, and again in the next row"}, "through registers: %s" % state)
    check(state["binds"].startswith("The dependences between rows bind, with 4.00 cycles a row; relaxing them with sfpu.latency.mad = 1 "
                                    "gives 2.00, then "), "they bind: %s" % state["binds"])
    # The same cell of Dst in each row: load 1, MAD 3 and store 1 cycle.
    cell = "    sfpload L0, FP32, ADDR_MOD_7, 0\n    sfpmad L0, L1, L9, L3, 0\n    sfpstore L3, FP32, %s, 0\n"
    write("cell.s", ".config sfpu.latency.mad, 3\n.rows 8\n.init\n    setc16 35, 0\n.loop\n" + cell % "ADDR_MOD_7")
    check(steady_state("cell.s")["critical_cycle"]["cycles_per_row"] == 5, "through Dst: %s" % steady_state("cell.s"))
    write("cells.s", ".config sfpu.latency.mad, 3\n.rows 8\n.init\n    setc16 35, 0\n    setc16 34, 2\n.loop\n" + cell % "ADDR_MOD_6")
    check(steady_state("cells.s")["critical_cycle"]["cycles_per_row"] == 0, "another cell in each row: %s" % steady_state("cells.s"))
    # In the tail the last row's MAD reads L7 of the row before, as no word of a next row writes it: that is no row's way.
    for kernel in ("horner_3_macro.s", "int32_to_fp32.s"):  # the second reads through an indirect operand
        state = steady_state(SOURCE_DIR + "/kernels/optimized/" + kernel)
        check(state["critical_cycle"]["cycles_per_row"] == 0, "%s: rows do not depend on each other: %s" % (kernel, state))
    # Only every second row makes the value that both read.
    write("sum.s", ".rows 16\n.loop 2\n    sfpmad L0, L9, L1, L1, 0\n    sfpnop\n    sfpmad L1, L9, L0, L2, 0\n    sfpnop\n")
    state = steady_state("sum.s")
    check(state["critical_cycle"]["cycles_per_row"] == 1, "a sum over two rows: %s" % state)
    check("and again 2 rows later" in state["critical_cycle"]["dependences"], "it spans two rows: %s" % state)


def statistics_can_be_compared():
    write("timed.s", TIMED)
    sfpusim("run", "multiply.s", "--stats", "a.json", "--quiet").succeeds()
    sfpusim("run", "multiply.s", "--stats", "b.json", "--quiet", "--no-check", "--rows", "16", "--set", "sfpu.latency.swap=3")
    sfpusim("compare", "a.json", "a.json").succeeds().prints("say the same")
    same = json.loads(sfpusim("compare", "a.json", "a.json", "--json").succeeds().out)
    check(same["equal"] is True and same["differences"] == [] and same["why"] == [], "a file equals itself: %s" % same)
    text = sfpusim("compare", "a.json", "b.json").succeeds()
    text.prints("meta.config.sfpu.latency.swap", "+50.0 %", "throughput.rows", "sfpu.latency.swap 3 instead of 2", "16 rows instead of 32")
    told = json.loads(sfpusim("compare", "a.json", "b.json", "--json").succeeds().out)
    a, b = json.loads(read("a.json")), json.loads(read("b.json"))
    listed = {each["path"]: (each["a"], each["b"]) for each in told["differences"]}
    check(listed["throughput.cycles"] == (a["throughput"]["cycles"], b["throughput"]["cycles"]), "values of both: %s" % listed)
    check("units.mad.busy" in listed and "throughput.cycles_per_row" not in listed, "all that differs, and nothing else")
    sfpusim("run", "timed.s", "--set", "sfpu.latency.mad=3", "--stats", "c.json").fails(2, "CHANGED")
    sfpusim("compare", "a.json", "c.json").succeeds().prints("its speed means nothing")
    for row in text.out.splitlines():
        check(not row.startswith("throughput.") or len(row) < 100, "one line for a number: %r" % row)
    sfpusim("run", "timed.s", "--stats", "chip.json").succeeds()
    why = json.loads(sfpusim("compare", "chip.json", "a.json", "--json").succeeds().out)["why"]
    of = {name: json.loads(read(name)) for name in ("chip.json", "a.json")}
    rates = [of[name]["throughput"]["cycles_per_row"] for name in ("a.json", "chip.json")]
    check(any(each.startswith("B takes %g cycles a row instead of %g, " % tuple(rates)) for each in why), "what a row takes: %s" % why)
    check(any(each.startswith("B issued %d words instead of %d, " % tuple(of[name]["issue"]["issued"] for name in ("a.json", "chip.json")))
              for each in why), "the words: %s" % why)
    for name, letter in (("chip.json", "A"), ("a.json", "B")):
        check("what binds in %s: %s" % (letter, of[name]["steady_state"]["binds"]) in why, "and why: %s" % why)
    sfpusim("compare", "a.json").fails(1, "two statistics files")
    sfpusim("compare", "-", "-").fails(1, "standard input", "one of them")
    write("half.json", read("a.json")[:60])
    sfpusim("compare", "a.json", "half.json").fails(1, "half.json:4:", "no JSON", "statistics file")
    write("other.json", '{"meta": 1, "throughput": 2}')
    sfpusim("compare", "a.json", "other.json").fails(1, "other.json", "'meta' and 'throughput'")
    sfpusim("compare", "a.json", "timed.s").fails(1, "timed.s", "statistics")
    sfpusim("compare", "a.json", "missing.json").fails(1, "missing.json")


def waveforms_are_written():
    sfpusim("run", "multiply.s", "--vcd", "wave.vcd").succeeds().prints("wave.vcd")
    check(read("wave.vcd").count("$enddefinitions") == 1, "--vcd writes a waveform")
    every = sfpusim("run", "multiply.s", "--vcd", "e.vcd", "--stats", "e.json", "--konata", "e.kanata", "--perfetto", "e.trace")
    check(every.succeeds().out.rstrip().split("\n")[-1] == "wrote waveform e.vcd; to look at it: gtkwave e.vcd e.gtkw", "the waveform is named last, with the command that opens it: %r" % every.out[-300:])
    sfpusim("run", "multiply.s", "--vcd", "window.vcd", "--from-cycle", "20", "--to-cycle", "30").succeeds()
    check(len(read("window.vcd")) < len(read("wave.vcd")), "a window of cycles is smaller")
    sfpusim("run", "multiply.s", "--vcd", "x.vcd", "--from-cycle", "3", "--to-cycle", "2").fails(1, "--to-cycle", "2", "3")
    sfpusim("run", "multiply.s", "--vcd", "x.vcd", "--from-cycle", "-3").fails(1, "--from-cycle", "found '-3', expected an integer from 0 to 1125899906842624")
    sfpusim("run", "multiply.s", "--vcd", "x", "--stats", "y", "--perfetto", "x").fails(1, "--perfetto", "'x'", "--vcd")
    sfpusim("run", "multiply.s", "--vcd", "/dev/null", "--stats", "/dev/null").succeeds()
    sfpusim("run", "multiply.s", "--vcd", "no/such/wave.vcd").fails(1, "no/such/wave.vcd", "No such file")


def schedule_prints_a_table():
    table = sfpusim("schedule", "multiply.s", "--rows", "2", "--all").succeeds()
    header = table.out.split("\n")[0].lower().split()
    check([name for name in header if name in ("load", "simple", "mad", "round", "store")]
          == ["load", "simple", "mad", "round", "store"], "the columns of the table: %s" % header)
    table.prints("sfpmul24", "sfpstore")
    window = sfpusim("schedule", "multiply.s", "--from-cycle", "13", "--to-cycle", "15").succeeds()
    check(len(window.out.split("\n")) < len(table.out.split("\n")), "--from-cycle and --to-cycle shorten the table")
    for rows in ("64", "100000000"): # nobody waits for rows that are not shown
        written = sfpusim("schedule", "multiply.s", "--rows", rows, "--to-cycle", "30", "--vcd", rows + ".vcd").succeeds().out
        check(written == sfpusim("schedule", "multiply.s", "--rows", "8", "--to-cycle", "30").out, "the first cycles of %s rows" % rows)
    check(read("64.vcd") == read("100000000.vcd"), "and their waveform")
    broken = sfpusim("schedule", "hazard.s", "--hazards", "error", "--to-cycle", "1")
    broken.fails(2, "hazard.s:", "error: /sfpu/hazard/")
    sfpusim("schedule", "hazard.s").succeeds()


def schedule_shows_one_iteration_in_steady_state():
    whole, shown = sfpusim("schedule", "multiply.s", "--all").succeeds().out, sfpusim("schedule", "multiply.s").succeeds().out
    first, last, iteration = map(int, re.match(r"cycles (\d+) to (\d+): iteration (\d+) of 0 to", shown).groups())
    lines = [line.split() for line in shown.split("\n\n")[1].splitlines()[1:-1]]
    check([line[0] for line in lines] == [str(cycle) for cycle in range(first, last + 1)], "each cycle of it once")
    check(lines == [line.split() for line in whole.splitlines() if line.split()[0] in {each[0] for each in lines}], "as in the whole table")
    check(any("[%d]" % iteration in word for line in lines for word in line), "it is that row's")
    for text in ("(II)", "executed", "slack", ".loop"):
        check(text in shown and text not in whole, "the profile has %s" % text)
    answer = json.loads(sfpusim("schedule", "multiply.s", "--json").succeeds().out)
    state, profile = answer["steady_state"], answer["profile"]
    check((state["from_cycle"], state["to_cycle"], state["iteration"]) == (first, last, iteration), "the same in JSON")
    check(profile["cycles_per_iteration"] == last - first + 1, "it is as long as the profile says")
    words = [each for each in profile["instructions"] if each["part"] == "loop"]
    check(all(each["executed"] + each["discarded"] == answer["rows"] for each in words), "each word of the loop runs once a row")
    check(len({event["cycle"] for event in state["events"]}) <= last - first + 1 and state["events"], "its events")
    alone = sfpusim("schedule", "multiply.s", "--rows", "1").succeeds().out
    check(alone.startswith("all cycles, as 1 iteration is too few for the steady state\n\n"), "one row is shown whole")
    check(sfpusim("schedule", "multiply.s", "--rows", "1", "--all").succeeds().out.strip() in alone, "as --all shows it")
    check(sfpusim("schedule", "multiply.s", "--quiet").succeeds().out == "", "--quiet prints nothing")


def assembly_and_words_translate_both_ways():
    for name in ("multiply.s", "hazard.s", "twice.s", "plain.s"):
        sfpusim("asm", name, "-o", "one.hex").succeeds()
        sfpusim("disasm", "one.hex", "--output", "back.s").succeeds()
        sfpusim("asm", "back.s", "-o", "two.hex").succeeds()
        check(read("one.hex") == read("two.hex"), "%s: asm, disasm, asm is the identity" % name)
        original, again = sfpusim("run", name).succeeds(), sfpusim("run", "one.hex").succeeds()
        check(original.out.split("\n")[1:6] == again.out.split("\n")[1:6], "%s runs alike from words" % name)
    check(sfpusim("asm", "plain.s").succeeds().out == "8f000000\n71003f80\n", "a plain list is nothing but words")
    write("prefixed.hex", "0x8f000000 ; nothing\n# a comment\n71003F80\n")
    check(sfpusim("asm", "prefixed.hex").succeeds().out == "8f000000\n71003f80\n", "prefixes and comments are accepted")
    sfpusim("asm", "plain.s", "-o", "no/such/file.hex").fails(1, "no/such/file.hex")
    sfpusim("disasm").fails(1, "FILE")


def flat(values, prefix=""):
    """A nested configuration as {dotted path: value}."""
    paths = {}
    for key, value in values.items():
        paths.update(flat(value, prefix + key + ".") if isinstance(value, dict) else {prefix + key: value})
    return paths


def configurations_can_be_dumped_and_read_back():
    dumped = sfpusim("--dump-config", "--arch", "wh", "--set", "sfpu.latency.mad=3", "--set",
                     "sfpu.write_order=load,round,simple,second_cycle,mad", "--set", "sfpu.auto_stall=on").succeeds().out
    config = json.loads(dumped)
    check(config["arch"] == "wh" and config["sfpu"]["latency"]["mad"] == 3 and config["sfpu"]["auto_stall"] is True,
          "--dump-config prints nested values: %s" % dumped)
    write("dumped.json", dumped)
    check(sfpusim("info", "--config", "dumped.json", "--dump-config").succeeds().out == dumped, "a dump reads back")
    write("dotted.json", '{"sfpu.latency.mad": 4, "sfpu": {"latency.load": 2}, "sfpu.lreg12_default": "37800000"}')
    config = json.loads(sfpusim("--config", "dotted.json", "--dump-config").succeeds().out)
    check(config["sfpu"]["latency"] == {"load": 2, "simple": 1, "mad": 4, "round": 1, "swap": 2, "shuffle": 2},
          "dotted paths work: %s" % config)
    check(config["sfpu"]["lreg12_default"] == "37800000", "hexadecimal parameters keep their digits")
    for name in ("blackhole", "blackhole_shipped", "blackhole_measured", "wormhole", "wormhole_measured", "ideal"):
        path = os.path.join(SOURCE_DIR, "configs", name + ".json")
        sfpusim("run", "any.s", "--config", path).succeeds()
    for name, arch in (("blackhole", "bh"), ("wormhole", "wh")):
        path = os.path.join(SOURCE_DIR, "configs", name + ".json")
        check(read(path) == sfpusim("--dump-config", "--arch", arch).succeeds().out, "configs/%s.json is the default" % name)
    shipped = os.path.join(SOURCE_DIR, "configs", "blackhole_shipped.json")
    check(json.loads(sfpusim("--dump-config", "--config", shipped).succeeds().out)["hart"]["fuse_tensix_words"] is False,
          "shipped firmware does not fuse words")
    for name, unlike in (("blackhole", {"hart.fuse_tensix_words": False, "front_end.replay.start_cycles": 1,
                                        "front_end.wait_gate.matrix_lag": 3, "front_end.matrix_unit.busy_after_copy": 20}),
                         ("wormhole", {"hart.icache.miss_cycles": 1, "front_end.replay.start_cycles": 1,
                                       "front_end.matrix_unit.busy_after_copy": 15})):
        base, measured = (flat(json.loads(sfpusim("--dump-config", "--config", os.path.join(SOURCE_DIR, "configs", name + suffix))
                                          .succeeds().out)) for suffix in (".json", "_measured.json"))
        check({path: value for path, value in measured.items() if base[path] != value} == unlike,
              "configs/%s_measured.json differs from the documents in what was measured" % name)


def mistakes_in_configurations_have_positions():
    for text, *mentions in (('{\n  "sfpu": {\n    "latency": {"mda": 2}}}', "bad.json:3:17", "sfpu.latency.mda", "sfpu.latency.mad"),
                            ('{"sfpu": {"latency": {"mad": 99}}}', "bad.json:1:23", "'99'", "1 to 8"),
                            ('{"sfpu": {"latencies": {}}}', "bad.json:1:11", "sfpu.latencies", "'sfpu.latency'"),
                            ('{"arch": ["bh"]}', "bad.json:1:2", "array"),
                            ('{"arch": null}', "bad.json:1:2", "null", "bh or wh"),
                            ('{"arch": "bh",\n}', "bad.json:2:1"),
                            ('[]', "bad.json:1:1", "object"),
                            ('', "bad.json:1:1"),
                            ('{"sfpu.write_order": ["mad", "load"]}', "bad.json:1:2", "mad,load", "second_cycle")):
        write("bad.json", text)
        error = sfpusim("info", "--config", "bad.json").fails(1, *mentions).err
        check(error.startswith("bad.json:"), "the message begins with the position: %r" % error)
    sfpusim("info", "--config", "missing.json").fails(1, "missing.json", "No such file")


def info_tells_what_the_program_knows():
    overview = json.loads(sfpusim("info", "--json").succeeds().out)
    check([a["name"] for a in overview["architectures"]] == ["bh", "wh"], "info lists the architectures")
    check(overview["version"] and overview["systemc"] and overview["compiler"], "info tells versions")
    params = json.loads(sfpusim("info", "--params", "--json").succeeds().out)
    for row in params:
        for field in ("path", "type", "default", "unit", "evidence", "source", "help"):
            check(field in row, "parameter %s has %s" % (row.get("path"), field))
        check(row["evidence"] in ("documented", "measured", "inferred", "choice"), "evidence of %s" % row["path"])
    paths = [row["path"] for row in params]
    for path in ("sfpu.latency.mad", "macro.slots", "macro.delay_kind_scope", "dst.store_load_visible", "clock.period_ps"):
        check(path in paths, "info --params lists %s" % path)
    for row in params:
        value = row["default"] if isinstance(row["default"], str) else json.dumps(row["default"])
        sfpusim("info", "--set", "%s=%s" % (row["path"], value)).succeeds()
    latencies = json.loads(sfpusim("info", "--latencies", "--json").succeeds().out)
    cycles = {row["mnemonic"]: row["cycles"] for row in latencies["instructions"] if "modes" not in row}
    check((cycles["sfpload"], cycles["sfpmad"], cycles["sfpswap"], cycles["sfpnop"]) == (1, 2, 2, 0), "latencies: %s" % cycles)
    reports = json.loads(sfpusim("info", "--report-ids", "--json").succeeds().out)
    all_texts, all_sections = (sfpusim("info", "--explain", "all", *form).succeeds().out for form in ((), ("--markdown",)))
    for row in reports:
        explained = json.loads(sfpusim("info", "--explain", row["id"], "--json").succeeds().out)
        check(explained["id"] == row["id"] and len(explained["explanation"]) > 40, "%s is explained" % row["id"])
        text, section = (sfpusim("info", "--explain", row["id"], *form).succeeds().out for form in ((), ("--markdown",)))
        check(text in all_texts and section in all_sections, "--explain all has %s" % row["id"])
    check([row["id"] for row in json.loads(sfpusim("info", "--explain", "all", "--json").succeeds().out)] ==
          [row["id"] for row in reports], "--explain all has every id in their order")
    for topic in ((), ("--params",), ("--latencies",), ("--report-ids",), ("--isa",)):
        check(sfpusim("info", *topic).succeeds().out.strip() != "", "info %s has a text form" % " ".join(topic))


def bench_runs_exactly_the_instructions_asked_for():
    for kernel in ("mul32", "mul32_macro", "mad", "load_store", "recip_macro", "mad_random", "mad_denormal", "stochrnd",
                   "lutfp32", "arecip"):
        result = json.loads(sfpusim("bench", "--kernel", kernel, "--instructions", "1003", "--json").succeeds().out)
        check(result["kernel"] == kernel and result["instructions"] == 1003, "bench %s runs 1003: %s" % (kernel, result))
        for field in ("cycles", "seconds", "minstr_per_s", "mcycles_per_s"):
            check(result[field] > 0, "bench %s tells %s" % (kernel, field))
    for kernel in ("tile", "firmware_ttinsn", "firmware_sw"):
        for count in (21, 22, 103, 104, 105, 1044, 1045, 5000):
            result = json.loads(sfpusim("bench", "--kernel", kernel, "--instructions", str(count), "--json").succeeds().out)
            check(result["kernel"] == kernel and result["instructions"] == count and result["hart_instructions"] > 0,
                  "bench %s runs %d: %s" % (kernel, count, result))
    sfpusim("bench", "--kernel", "tile", "--instructions", "20").fails(1, "--instructions", "21")
    one, eight = (json.loads(sfpusim("bench", "--kernel", "mul32_macro", "--instructions", "1003", "--units", units,
                                     "--json").succeeds().out) for units in ("1", "8"))
    for field in ("instructions", "executed", "cycles"):
        check(eight[field] == 8 * one[field], "eight units do eight times the work of one: %s" % field)
    sfpusim("bench", "--kernel", "mad", "--units", "0").fails(1, "--units")
    sfpusim("bench", "--kernel", "tile", "--units", "2").fails(1, "--units", "tile")
    sfpusim("bench", "--kernel", "mad", "--instructions", "1", "--arch", "wh").succeeds().prints("mad")
    sfpusim("bench", "--kernel", "mul32", "--instructions", "1", "--arch", "wh").fails(1, "mul32", "wh")


FLAGS = """\
.config firmware_start, true
.rows 1
.loop
    sfpload  L0, INT32, ADDR_MOD_7, 0
    sfpsetcc 0, L0, 0, 6            ; lanes on where L0 is 0: no lane, if lane flags are in use
    sfploadi L1, USHORT, 7
    sfpstore L1, INT32, ADDR_MOD_7, 8
"""


def kernels_can_start_as_firmware_starts_them():
    write("flags.s", FLAGS)
    write("flags_off.s", FLAGS.replace("true", "false"))
    write("ones.bin", b"\1\0" * (DST_SIZE // 2))
    results = {}
    for name, kernel, options in (("kernel", "flags.s", ()), ("reset", "flags_off.s", ()), ("on", "flags_off.s", ("--firmware-start",)),
                                  ("off", "flags.s", ("--no-firmware-start",))):
        sfpusim("run", kernel, "--dst-load", "ones.bin", "--dst-dump", name + ".bin", *options).succeeds()
        results[name] = read(name + ".bin", "rb")
    # Without lane flags in use SFPSETCC changes nothing that counts: all lanes store.
    check(results["kernel"] == results["on"] == read("ones.bin", "rb"), "with lane flags in use no lane is stored")
    check(results["reset"] == results["off"] != results["on"], "after reset all lanes are")
    sfpusim("run", "flags.s", "--set", "firmware_start=true").fails(1, "firmware_start")
    write("flags_wrong.s", FLAGS.replace("true", "yes"))
    sfpusim("run", "flags_wrong.s").fails(1, "flags_wrong.s:1", "'yes'", "true or false")
    words = sfpusim("asm", "flags.s").succeeds().out
    check("; .config firmware_start, true" in words, "asm keeps the setting: %r" % words)


def words_of_other_units_are_counted_and_named():
    write("other.s", ".rows 2\n.loop\n    .word 0x26000000\n    .word 0x42000000\n    .word 0x26000001\n    sfpnop\n")
    done = sfpusim("run", "other.s", "--stats", "other.json")
    check(done.code == 0, "other.s succeeds: %s" % done.err)
    lines = done.err.splitlines()
    check(len(lines) == 2 and "MVMUL" in lines[0] and " 4 " in lines[0] and "Matrix Unit" in lines[0]
          and "UNPACR" in lines[1] and " 2 " in lines[1], "one line for each kind: %r" % done.err)
    check(json.loads(read("other.json"))["not_modelled"] == {"MVMUL": 4, "UNPACR": 2}, "statistics count them")
    check(json.loads(read("other.json"))["hazards"]["/sfpu/isa/not-modelled"] == 6, "and the reports")
    sfpusim("run", "other.s", "--strict").fails(2, "/sfpu/isa/not-modelled", "other.s:3")
    sfpusim("lint", "other.s", "--schedules", "2", "--strict").prints("broken")
    sfpusim("run", "multiply.s", "--strict").succeeds()


def diagnostics_name_lines_and_instructions():
    sfpusim("run", "hazard.s", "--hazards", "error").fails(2, "hazard.s:4: error", "sfpmov 0, L3, L4, 0", "(line 3)")
    write("left.s", ".init\n sfpcast L0, L12, 0\n sfploadi L0, LOWER, 0x1c\n sfploadi L0, UPPER, 0\n sfpconfig 0, SEQUENCE0, 0\n"
          " sfpconfig 0x100, MISC, 1\n sfpnop\n sfpnop\n.tail\n sfploadmacro 0, L0, INT32, 3, 0\n")
    sfpusim("run", "left.s", "--hazards", "error").fails(2, "left.s:10: error: /sfpu/macro/never-drained",
                                                         "sfploadmacro 0, L0, INT32", "line 10")


def misc_that_is_left_armed_is_reported_on_wormhole():
    write("armed.s", ".arch wh\n.rows 4\n.init\n sfpconfig 0x100, MISC, 1\n.loop\n sfpload L0, INT32, 3, 0\n"
          " sfpstore L0, INT32, 3, 0\n")
    sfpusim("run", "armed.s", "--hazards", "error").fails(2, "armed.s:4: error: /sfpu/hazard/misc-left-armed", "line 6")
    sfpusim("run", "armed.s", "--hazards", "off").succeeds()
    write("disarmed.s", read("armed.s").replace("0x100", "0x0ff"))
    sfpusim("run", "disarmed.s", "--hazards", "error").succeeds()


def same_input_gives_same_bytes():
    for name in ("first", "second"):
        sfpusim("run", "multiply.s", "--stats", name + ".json", "--vcd", name + ".vcd", "--dst-dump", name + ".dst").succeeds()
    for suffix in (".json", ".vcd", ".dst"):
        check(read("first" + suffix, "rb") == read("second" + suffix, "rb"), "two runs write equal %s files" % suffix)


def main():
    tests = [usage_errors_name_what_was_expected, help_and_version_go_to_standard_output, run_reports_the_throughput,
             a_missed_expectation_is_exit_code_2, hazards_are_exit_code_2_under_error_only,
             the_architecture_comes_from_the_kernel_unless_the_command_line_insists, mistakes_in_kernels_have_positions,
             dst_files_are_raw_storage, other_machines_never_change_results_unnoticed,
             statistics_hold_the_promised_fields, statistics_can_be_compared, reports_say_what_binds,
             two_of_a_sub_unit_count_each, what_a_macro_schedules_can_be_left_out, a_row_takes_whole_cycles_if_its_words_do,
             gains_are_what_relaxed_runs_take, values_that_pass_from_row_to_row_are_found, waveforms_are_written,
             schedule_prints_a_table, schedule_shows_one_iteration_in_steady_state, assembly_and_words_translate_both_ways, configurations_can_be_dumped_and_read_back,
             mistakes_in_configurations_have_positions, info_tells_what_the_program_knows,
             bench_runs_exactly_the_instructions_asked_for, kernels_can_start_as_firmware_starts_them,
             words_of_other_units_are_counted_and_named, diagnostics_name_lines_and_instructions,
             misc_that_is_left_armed_is_reported_on_wormhole, same_input_gives_same_bytes]
    with tempfile.TemporaryDirectory() as directory:
        os.chdir(directory)
        write("multiply.s", MULTIPLY)
        write("hazard.s", HAZARD)
        write("twice.s", ".rows 8\n.loop 2\n    sfpmov 0, L0, L1, 0\n    sfpmov 0, L2, L3, 0\n.tail\n    sfpnop\n")
        write("plain.s", "sfpnop\nsfploadi L0, FLOATB, 0x3f80\n")
        code = run_tests(tests)
        os.chdir(SOURCE_DIR)
    return code


if __name__ == "__main__":
    sys.exit(main())
