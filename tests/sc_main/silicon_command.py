#!/usr/bin/env python3
"""`sfpusim silicon`: the table of measurements, kernels compiled from a folder that looks like the public kernel library, fitted
constants, and what is wrong. Nothing of that library is here: the kernels are this test's own.

usage: silicon_command.py SFPUSIM SOURCE_DIR
"""
import csv
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
from checks import check, run_tests  # noqa: E402

SFPUSIM, SOURCE_DIR = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
FOLDER = tempfile.TemporaryDirectory()
COLUMNS = ["kernel", "arch", "configuration", "cycles", "unit", "source", "comparable", "note"]

# Two words a row: 8 rows a call.
KERNELS = """
#pragma once
#include "ckernel_ops.h"
namespace ckernel::sfpu {
template <int ITERATIONS> void two_words() {
#pragma GCC unroll ITERATIONS
    for (int d = 0; d < ITERATIONS; d++) {
        TTI_SFPLOAD(p_sfpu::LREG0, 0, ADDR_MOD_7, 0);
        TTI_SFPSTORE(p_sfpu::LREG0, 0, ADDR_MOD_7, 0);
    }
}
inline void three_words() {
    for (int d = 0; d < 32; d++) {
        TTI_SFPLOAD(p_sfpu::LREG0, 0, ADDR_MOD_7, 0);
        TTI_SFPABS(0, p_sfpu::LREG0, p_sfpu::LREG1, 0);
        TTI_SFPSTORE(p_sfpu::LREG1, 0, ADDR_MOD_7, 0);
    }
}
}
"""


# Found by the names that tables of measurements give them.
NAMED = """
#pragma once
#include "ckernel_ops.h"
#include "ckernel_instr_params.h"
#include "lltt.h"
#include "sfpi.h"
namespace ckernel::sfpu {
template <bool APPROXIMATION_MODE, int ITERATIONS> void _calculate_round_up_() {
    static_assert(!APPROXIMATION_MODE);
#pragma GCC unroll 32
    for (int d = 0; d < ITERATIONS; d++) {
        TTI_SFPLOAD(p_sfpu::LREG0, 0, ADDR_MOD_7, 0);
        TTI_SFPSTORE(p_sfpu::LREG0, 0, ADDR_MOD_7, 0);
    }
}
template <bool APPROXIMATION_MODE, int ITERATIONS, InstrModLoadStore MODE, bool SIGN_MAGNITUDE>
void _calculate_typecast_uint32_to_fp16b_(const uint dst_index_in0, const uint dst_index_in1, const uint dst_index_out) {
    static_assert(MODE == InstrModLoadStore::INT32 && !SIGN_MAGNITUDE);
    for (int d = 0; d < ITERATIONS; d++) {
        TTI_SFPLOAD(p_sfpu::LREG0, MODE, ADDR_MOD_7, 0);
        TTI_SFPCAST(p_sfpu::LREG0, p_sfpu::LREG0, 0);
        TT_SFPSTORE(p_sfpu::LREG0, 0, ADDR_MOD_7, dst_index_out * 64);
    }
}
inline void _init_double_bf16_fast_() {
    lltt::record(0, 6);
    for (int d = 0; d < 6; d++) TTI_SFPABS(0, p_sfpu::LREG0, p_sfpu::LREG1, 0);
}
inline void _calculate_double_bf16_fast_() { lltt::replay(0, 6); }
template <int ITERATIONS> void calculate_with_types() {
    for (int d = 0; d < ITERATIONS; d++) sfpi::dst_reg[0] = sfpi::dst_reg[0] * 2.0f;
}
template <int ITERATIONS> void _computed_(const uint dst_index_in0) {
    for (int d = 0; d < ITERATIONS; d++) {
        TT_SFPLOAD(p_sfpu::LREG0, 0, ADDR_MOD_7, dst_index_in0 * 64);
        TT_SFPSTORE(p_sfpu::LREG0, 0, ADDR_MOD_7, dst_index_in0 * 64);
    }
}
inline void calculate_one_of_two() {}
inline void _calculate_one_of_two_() {}
inline void calculate_with_a_pointer(unsigned* where) { TTI_SFPNOP; }
}
"""


def run(*arguments, environment=None):
    return subprocess.run([SFPUSIM, "silicon", *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, universal_newlines=True,
                          env=dict(os.environ, **(environment or {})), cwd=FOLDER.name)


def written(name, content):
    path = os.path.join(FOLDER.name, name)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w") as file:
        file.write(content if isinstance(content, str) else json.dumps(content))
    return path


def table(*rows):
    return written("table.csv", ",".join(COLUMNS) + "\n" + "".join(",".join(row) + "\n" for row in rows))


def described(**kernels):
    """A harness of one word before and after, and kernels by name."""
    return written("kernels.json", {
        "constants": {"call": "what is missing"},
        "harnesses": [{"name": "plain", "arch": "bh", "configuration": "X", "constant": "call", "begin": ["setc16 1, 0"],
                       "next_face": ["setrwc 0, 4, 8, 0, 0, 4"], "end": ["setrwc 0, 0, 0, 0, 0, 4"]}],
        "kernels": [dict(each, kernel=name, arch="bh") for name, each in kernels.items()]})


def library():
    written("library/some/tt_llk_blackhole/common/inc/sfpu/ckernel_sfpu_mine.h", KERNELS)
    return os.path.join(FOLDER.name, "library")


def row(kernel, cycles, comparable="yes", configuration="X"):
    return [kernel, "bh", configuration, str(cycles), "cycles/tile", "here", comparable, ""]


def every_measurement_has_a_row():
    with open(os.path.join(SOURCE_DIR, "data", "silicon.csv"), newline="") as file:
        measured = list(csv.DictReader(file))
    done = run("--json")
    check(done.returncode == 0, "exit code 0: %s" % done.stderr)
    rows = json.loads(done.stdout)["rows"]
    key = lambda each: (each["kernel"], each["arch"], each["configuration"], float(each["cycles"]), each["source"])
    check(sorted(map(key, rows)) == sorted(map(key, measured)), "each measurement once")
    for each in rows:
        check(set(COLUMNS) | {"model", "constant", "error", "judged"} <= set(each), "promised columns: %s" % each)
        check(each["judged"] or each["why_not"], "a reason for what is not judged: %s" % each)
        if each["model"] is not None:
            found = (each["model"] + (each["constant"] or 0) - each["cycles"]) / each["cycles"]
            check(abs(found - each["error"]) < 1e-9, "the error follows from the rest: %s" % each)


def published_words_take_the_cycles_that_follow_from_the_rules():
    # A word a cycle; the wait for the Matrix Unit holds the next word one cycle. 32 rows of four words, SETC16, STALLWAIT, SETRWC.
    rows = {(each["kernel"], each["arch"], each["configuration"][:20]): each["model"] for each in json.loads(run("--json").stdout)["rows"]}
    for (kernel, arch, configuration), expected in {
            ("bitwise_not", "bh", "MATH_ISOLATE; unpack"): 32 * 4 + 3 + 1,
            # 32 rows of five words, and two SETRWC after each of four faces
            ("sub_int sfpi", "bh", "MATH_ISOLATE; tt-llk"): 32 * 5 + 4 * 2 + 3 + 1,
            # Wormhole sets the base of its address modifiers and clears it behind a second wait
            ("add_int32 scalar branch", "wh", "MATH_ISOLATE"): 32 * 4 + 4 + 1 + 2 + 1}.items():
        check(rows[kernel, arch, configuration] == expected, "%s on %s: %s, expected %d" % (kernel, arch, rows[kernel, arch, configuration],
                                                                                            expected))


def kernels_of_a_checkout_are_compiled_and_constants_fitted():
    kernels = described(two={"header": "sfpu/ckernel_sfpu_mine.h", "call": "two_words<8>()", "faces": 4},
                        half={"header": "sfpu/ckernel_sfpu_mine.h", "call": "two_words<8>()"},
                        three={"header": "sfpu/ckernel_sfpu_mine.h", "call": "three_words()"},
                        odd={"header": "sfpu/ckernel_sfpu_mine.h", "call": "four_words()"},
                        loop={"header": "sfpu/ckernel_sfpu_mine.h", "call": "two_words<8>()", "core_cycles": 16},
                        known={"header": "sfpu/ckernel_sfpu_mine.h", "call": "three_words()", "excluded": "it is known"})
    # Words: 4 * (16 + 1) + 2 = 70, 16 + 2 = 18, 96 + 2 = 98. What is missing: 5, 7 and 4; the median is 5.
    done = run("--llk", library(), "--kernels", kernels, "--measurements",
               table(row("two", 75), row("half", 25), row("three", 102), row("odd", 10), row("known", 500), row("loop", 40, "derived (by hand)"), row("nobody", 5),
                     row("three", 98, "no")), "--json", "--jobs", "2")
    check(done.returncode == 0, "exit code 0: %s" % done.stderr)
    result = json.loads(done.stdout)
    found = [(each["kernel"], each["model"], each["constant"], each["judged"]) for each in result["rows"]]
    check(found[:3] == [("half", 18, 5, True), ("three", 98, 5, True), ("two", 70, 5, True)], "misses first: %s" % found)
    check([(each["cycles"], each["fitted_to"], each["meaning"]) for each in result["constants"]] == [(5, 3, "what is missing")],
          "the median is the constant: %s" % result["constants"])
    looped = [each["model"] for each in result["rows"] if each["kernel"] == "loop"]
    check(looped == [18 + 16], "cycles in which the core pushes nothing: %s" % looped)
    why = {each["kernel"]: each["why_not"] for each in result["rows"] if not each["judged"] and each["comparable"] == "yes"}
    check("four_words" in why["odd"] and "error" in why["odd"], "a kernel that does not compile says why: %s" % why)
    check(why["known"] == "it is known" and "unknown kernel" in why["nobody"], "reasons: %s" % why)
    check(abs(result["median_error"] - 1 / 102) < 1e-9 and abs(result["worst_error"] - 2 / 25) < 1e-9, "errors: %s" % result)
    lagging = json.loads(run("--kernels", described(waits={"assembly": ["stallwait 0x100, 0x10", "sfpabs 0, L0, L1, 0"]}), "--measurements",
                             table(row("waits", 200)), "--set", "front_end.wait_gate.matrix_lag=3", "--json").stdout)
    # A wait a row holds the word behind it for a cycle, and for three more: 32 * (2 + 1 + 3), SETC16 and SETRWC.
    check(lagging["rows"][0]["model"] == 32 * 6 + 2, "parameters can be set: %s" % lagging["rows"][0])
    alone = json.loads(run("--llk", library(), "--kernels", described(three={"header": "sfpu/ckernel_sfpu_mine.h", "call": "three_words()"}), "--measurements", table(row("three", 102)), "--json").stdout)
    check(not alone["rows"][0]["judged"] and "alone" in alone["rows"][0]["why_not"], "a row is not judged by itself: %s" % alone)


def kernels_that_no_table_describes_are_found_by_their_names():
    written("named/tt_llk_blackhole/common/inc/sfpu/ckernel_sfpu_named.h", NAMED)
    kernels = json.load(open(described()))
    kernels["harnesses"][0]["loops"] = {"raw loop": 2}
    done = run("--llk", os.path.join(FOLDER.name, "named"), "--kernels", written("named.json", kernels), "--json", "--measurements",
               table(row("round up", 75, configuration="X; iterations 8 x 4 faces"),
                     row("round_up int32", 25, configuration="X; iterations 8"),
                     row("round_up raw loop", 40, configuration="X; iterations 8"),
                     row("typecast UInt32>Float16_b", 110, configuration="X; UInt32>Float16_b; iterations 8 x 4 faces"),
                     row("typecast Float16_b>UInt32", 110, configuration="X; iterations 8"),
                     row("double fast", 40, configuration="X; bf16; 4 faces"),
                     row("double fast", 40, configuration="X; bf16; 4 faces"),
                     row("with_types", 100, configuration="X; iterations 8"),
                     row("with_types", 100, "no", configuration="X; iterations 8"),
                     row("computed", 100, configuration="X; iterations 8"),
                     row("one of two", 100), row("with a pointer", 100), row("round up", 75, configuration="Y; iterations 8"),
                     [*row("round up", 75)[:4], "seconds", *row("round up", 75)[5:]]))
    check(done.returncode == 0, "exit code 0: %s" % done.stderr)
    rows = json.loads(done.stdout)["rows"]
    found = {(each["kernel"], each["configuration"]): each for each in rows if each["unit"] == "cycles/tile"}
    # Words of a harness of one in front, one after each of several faces and one behind.
    for (kernel, configuration), (model, pushed) in {
            ("round up", "X; iterations 8 x 4 faces"): (4 * (8 * 2 + 1) + 2, 4 * (8 * 2 + 1) + 2),
            ("round_up int32", "X; iterations 8"): (8 * 2 + 2, 8 * 2 + 2),
            ("round_up raw loop", "X; iterations 8"): (8 * 4 + 2, 8 * 4 + 2),
            ("typecast UInt32>Float16_b", "X; UInt32>Float16_b; iterations 8 x 4 faces"): (4 * (8 * 3 + 1) + 2, 4 * (8 * 3 + 1) + 2),
            ("double fast", "X; bf16; 4 faces"): (4 * (6 + 1) + 2, 4 * (1 + 1) + 2)}.items():
        each = found[kernel, configuration]
        check((each["model"], each["pushed"], each["judged"]) == (model, pushed, True), "%s: %d cycles, %d words: %s" % (kernel, model, pushed, each))
    check("_calculate_round_up_<false, 8>()" in found["round up", "X; iterations 8 x 4 faces"]["call"], "what was called: %s" % found)
    check([each["judged"] for each in rows if each["kernel"] == "double fast"] == [True, True], "what was measured twice stands twice")
    for kernel, configuration, reason in (("typecast Float16_b>UInt32", "X; iterations 8", "no function has these words"),
                                          ("with_types", "X; iterations 8", "not comparable"), ("computed", "X; iterations 8", "fitted to it alone"),
                                          ("one of two", "X", "_calculate_one_of_two_, calculate_one_of_two"),
                                          ("with a pointer", "X", "no value is known for the parameter"),
                                          ("round up", "Y; iterations 8", "unknown harness")):
        each = found[kernel, configuration]
        check(not each["judged"] and reason in each["why_not"], "%s: %s, found %r" % (kernel, reason, each["why_not"]))
    check(sum("uses vector types" in each["why_not"] and each["model"] is not None for each in rows) == 1, "vector types are shown: %s" % rows)
    check(sum(each["why_not"] == "not cycles a tile" for each in rows) == 1, "another unit: %s" % rows)


def a_later_checkout_has_what_an_earlier_one_lacks():
    written("other/tt_llk_blackhole/common/inc/sfpu/ckernel_sfpu_named.h", NAMED)
    both = json.loads(run("--llk", library(), "--llk", os.path.join(FOLDER.name, "other"), "--json", "--kernels",
                          described(three={"header": "sfpu/ckernel_sfpu_mine.h", "call": "three_words()"}), "--measurements",
                          table(row("three", 103), row("round up", 75, configuration="X; iterations 8 x 4 faces"), row("nobody", 5))).stdout)
    found = {each["kernel"]: (os.path.basename(each["checkout"]), each["words"], each["judged"]) for each in both["rows"]}
    check(found == {"three": ("library", "recorded", True), "round up": ("other", "recorded", True), "nobody": ("", "unknown", False)},
          "whose words they are: %s" % found)


def a_body_takes_the_pushes_of_the_tile():
    written("bodies/tt_llk_blackhole/common/inc/sfpu/ckernel_sfpu_named.h", NAMED)
    kernels = written("bodies.json", {
        "harnesses": [{"name": "zone", "arch": "bh", "configuration": "X", "constant": "zone", "timed": "pushes"}],
        "kernels": [{"kernel": name, "arch": "bh", "header": "sfpu/ckernel_sfpu_named.h", "init": init, "call": call}
                    for name, init, call in (("pushed", "", "_calculate_round_up_<false, 32>()"),
                                             ("replayed", "_init_double_bf16_fast_()", "; ".join(["_calculate_double_bf16_fast_()"] * 20)))]})
    body = lambda name: [name, "bh", "X", "100", "cycles/body", "here", "yes", ""]
    done = run("--llk", os.path.join(FOLDER.name, "bodies"), "--kernels", kernels, "--measurements", table(body("pushed"), body("replayed")), "--json")
    check(done.returncode == 0, "exit code 0: %s" % done.stderr)
    model = {each["kernel"]: each["model"] for each in json.loads(done.stdout)["rows"]}
    # The unit takes 64 words one a cycle, and when the last is pushed, the front end's queue of 32 and what is behind it are full.
    # 20 REPLAYs fit into the queue, so that only the core counts, which pushes at most four words a cycle.
    check(64 - 40 <= model["pushed"] < 64, "what is queued is not waited for: %s" % model)
    check(20 / 4 <= model["replayed"] <= 20 + 4, "what is played is not pushed: %s" % model)


def words_that_the_core_computes_take_what_its_program_takes():
    # Each word of `busy` is computed from the loop's counter: six instructions, of which the branch is one. Those of `idle` are known, so
    # that the core only stores them, a word a cycle, and the unit takes two for each.
    written("core/tt_llk_blackhole/common/inc/sfpu/ckernel_sfpu_core.h", """
#pragma once
#include "ckernel_ops.h"
#include "sfpi.h"
namespace ckernel::sfpu {
template <int ITERATIONS> void busy() {
#pragma GCC unroll 0
    for (int d = 0; d < ITERATIONS; d++) TT_SFPLOAD(d & 3, 0, ADDR_MOD_7, 0);
}
template <int ITERATIONS> void idle() {
#pragma GCC unroll 32
    for (int d = 0; d < ITERATIONS; d++) TT_SFPSWAP(0, p_sfpu::LREG0, p_sfpu::LREG1, 1);
}
template <int ITERATIONS> void of_vectors() { sfpi::dst_reg[0] = sfpi::dst_reg[0] * 2.0f; }
}
""")
    calls = {name: {"header": "sfpu/ckernel_sfpu_core.h", "call": name + "<32>()"} for name in ("busy", "idle")}
    done = run("--llk", os.path.join(FOLDER.name, "core"), "--kernels", described(**calls), "--measurements",
               table(row("busy", 215), row("busy", 225), row("idle", 70), row("idle", 71)), "--json")
    check(done.returncode == 0, "exit code 0: %s" % done.stderr)
    result = json.loads(done.stdout)
    found = {each["kernel"]: each for each in result["rows"]}
    if not shutil.which("riscv64-unknown-elf-gcc"):
        check("there is no riscv64-unknown-elf-gcc" in found["busy"]["why_not"], "what is missing is told: %s" % found["busy"])
        return
    check({each["words"] for each in result["rows"]} == {"compiled"}, "what pushes the words is compiled: %s" % found)
    check(32 * 5 < found["busy"]["model"] < 32 * 9 and found["busy"]["core_bound"], "the core decides: %s" % found["busy"])
    check(2 * 32 <= found["idle"]["model"] < 2 * 32 + 4 and not found["idle"]["core_bound"], "the unit decides: %s" % found["idle"])
    check(not found["idle"]["judged"] and "alone" in found["idle"]["why_not"], "a kernel that is measured twice counts once: %s" % found["idle"])
    check({each["constant"] for each in result["constants"]} == {"core", "call"}, "programs have a constant: %s" % result["constants"])


def the_longer_of_core_and_vector_unit_counts():
    words = {"plain": ["sfpabs 0, L0, L1, 0"] * 3, "short": ["sfpabs 0, L0, L1, 0"] * 2, "waits": ["sfpswap 0, L0, L1, 1"] * 2,
             "longer": ["sfpswap 0, L0, L1, 1"] * 3}
    described_words = json.load(open(described(**{name: {"assembly": each} for name, each in words.items()})))
    described_words["harnesses"][0]["core_constant"] = "core"
    kernels = written("core.json", described_words)
    result_of = lambda cycles: json.loads(run("--kernels", kernels, "--measurements", table(*(row(*each) for each in cycles.items())),
                                              "--json").stdout)
    model = {each["kernel"]: each for each in result_of(dict.fromkeys(words, 100))["rows"]}
    pushed = {name: 32 * len(each) + 2 for name, each in words.items()}
    check({name: each["pushed"] for name, each in model.items()} == pushed, "words that the core pushes: %s" % model)
    for name in ("plain", "short"):
        check(model[name]["model"] == pushed[name], "a word a cycle: %s" % model[name])
    for name in ("waits", "longer"):
        check(model[name]["model"] > pushed[name] + 60, "a swap takes two cycles: %s" % model[name])
    # The core lacks 20 cycles a tile and is overtaken where the unit waits, so that 3 are missing there.
    measured = {"plain": pushed["plain"] + 20, "short": pushed["short"] + 20, "waits": model["waits"]["model"] + 3,
                "longer": model["longer"]["model"] + 3}
    result = result_of(measured)
    check(sorted((each["constant"], each["cycles"], each["fitted_to"]) for each in result["constants"]) == [("call", 3, 2), ("core", 20, 2)],
          "both constants are found: %s" % result["constants"])
    check({each["kernel"]: each["core_bound"] for each in result["rows"]} ==
          {"plain": True, "short": True, "waits": False, "longer": False}, "which rows the core decides: %s" % result["rows"])
    check(result["worst_error"] < 1e-9, "both explain all: %s" % result)
    # With one constant it is the median of 3, 3, 20 and 20.
    for each in result["rows"]:
        name = each["kernel"]
        check(abs(each["error_with_one"] - (model[name]["model"] + 11.5 - measured[name]) / measured[name]) < 1e-9, "one constant: %s" % each)
        check(abs(each["error_left_out"]) < 1e-9, "the others tell it: %s" % each)
    few = json.loads(run("--kernels", described(plain={"assembly": words["plain"], "pushed": 5}), "--measurements", table(row("plain", 118)),
                         "--json").stdout)
    check(few["rows"][0]["pushed"] == 5 + 2, "what is replayed is not pushed: %s" % few["rows"][0])
    # Without the constant of the core only what was measured at another time is left to fit to.
    kernels = described(**{name: {"assembly": each} for name, each in words.items()})
    twice = json.loads(run("--kernels", kernels, "--measurements", table(row("plain", 118), row("plain", 118), row("short", 76)),
                           "--json").stdout)
    left = {each["kernel"]: each["error_left_out"] for each in twice["rows"]}
    check(abs(left["plain"] - (98 + 10 - 118) / 118) < 1e-9 and abs(left["short"] - (66 + 20 - 76) / 76) < 1e-9,
          "a row and its equal are left out together: %s" % twice["rows"])


def a_configuration_file_is_for_the_rows_of_its_chip():
    lag = written("lag.json", {"arch": "bh", "front_end": {"wait_gate": {"matrix_lag": 3}}})
    models = lambda *options: {(each["kernel"], each["arch"]): each["model"] for each in json.loads(run(*options, "--json").stdout)["rows"]
                               if each["kernel"] in ("bitwise_not", "add_int32 scalar branch")}
    plain, changed = models(), models("--config", lag)
    check(changed["bitwise_not", "bh"] == plain["bitwise_not", "bh"] + 3, "the wait takes three cycles more: %s" % changed)
    check(changed["add_int32 scalar branch", "wh"] == plain["add_int32 scalar branch", "wh"], "the other chip stays: %s" % changed)


def what_is_wrong_is_told():
    kernels = described(three={"header": "sfpu/ckernel_sfpu_mine.h", "call": "three_words()"})
    for arguments, expected in {
            ("--llk", "nowhere"): "nowhere: No such file",
            ("--llk", FOLDER.name + "/kernels.json"): "is no folder",
            ("--llk", "empty"): "no headers of kernels found",
            ("--measurements", "nothing.csv"): "nothing.csv",
            ("--measurements", written("short.csv", "a,b\n")): "short.csv:1: 2 columns, expected 8",
            ("--measurements", written("head.csv", ",".join(COLUMNS).replace("unit", "units") + "\n")): "'units', expected 'unit'",
            ("--measurements", table(["k", "gs", "X", "1", "u", "s", "yes", ""])): "table.csv:2: arch 'gs'",
            ("--kernels", written("broken.json", "{\n \"kernels\": [}")): "broken.json:2:",
            ("--kernels", written("list.json", "[]")): "expected an object",
            ("--kernels", written("none.json", {"kernels": [{"kernel": "x"}]})): "neither 'assembly' nor",
            ("--kernels", written("faces.json", {"kernels": [{"kernel": "x", "assembly": ["sfpnop"], "faces": 3}]})): "faces is 3",
            ("--kernels", written("cycles.json", {"kernels": [{"kernel": "x", "assembly": ["sfpnop"], "core_cycles": -1}]})): "core_cycles",
            ("--kernels", written("pushed.json", {"kernels": [{"kernel": "x", "assembly": ["sfpnop"], "pushed": "x"}]})): "pushed is",
            ("--kernels", written("loops.json", {"harnesses": [{"name": "x", "loops": {"raw": "2"}}]})): "loops has",
            ("--kernels", written("timed.json", {"harnesses": [{"name": "x", "timed": "drains"}]})): "timed is",
            ("--kernels", written("code.json", {"kernels": [{"kernel": "x", "disassembly": {"file": "y", "from": "1"}}]})): "from is '1'",
            ("--config", "nothing.json"): "nothing.json",
            ("--json", "--markdown"): "exclude"}.items():
        os.makedirs(os.path.join(FOLDER.name, "empty"), exist_ok=True)
        done = run(*arguments)
        check(done.returncode == 1 and expected in done.stderr and not done.stdout, "%s: %d %r" % (arguments, done.returncode, done.stderr))
    written("table2.csv", ",".join(COLUMNS) + "\n" + ",".join(row("three", 0)) + "\n")
    done = run("--measurements", "table2.csv")
    check(done.returncode == 1 and "table2.csv:2: cycles '0'" in done.stderr, "cycles: %r" % done.stderr)
    done = run("--llk", library(), "--kernels", kernels, "--measurements", table(row("three", 102)),
               environment={"CXX": "no-such-compiler"})
    check(done.returncode == 1 and "no-such-compiler" in done.stderr, "no compiler: %r" % done.stderr)


def the_page_has_what_the_table_has():
    with open(os.path.join(SOURCE_DIR, "docs", "silicon.md")) as file:
        page = file.read()
    now = run("--markdown").stdout
    head = now.partition("\n- ")[0] # other checkouts judge other rows
    check(page.startswith(head), "the page is one that the command wrote")
    rows = re.findall(r"^\| .* \| (?:bh|wh) \| .*(?:\d|%|\|) ", page.partition("## Judged")[2], re.M)
    check(len(rows) == len(json.loads(run("--json").stdout)["rows"]), "%d rows" % len(rows))


def the_page_says_which_kernels_of_the_math_thread_alone_agree():
    """From the table of the judged rows, which other checks tie to the command."""
    with open(os.path.join(SOURCE_DIR, "docs", "silicon.md")) as file:
        page = file.read()
    cells = lambda part: [re.split(r" (?<!\\)\| ", line[2:-2]) for line in part.splitlines() if re.match(r"\| .* \| (?:bh|wh) \| ", line)]
    alone = [each for each in cells(page.partition("## Judged")[2].partition("\n## ")[0]) if "MATH_ISOLATE" in each[2]]
    far = [each for each in alone if abs(float(each[7].split()[0])) > 5]
    kernels, bad = {(each[0], each[1]) for each in alone}, {(each[0], each[1]) for each in far}
    check(len(kernels - bad) >= 10, "ten kernels agree within 5 %%: %d" % len(kernels - bad))
    section = page.partition("## The math thread alone")[2].partition("\n## ")[0]
    check("%d of %d kernels of which" % (len(kernels - bad), len(kernels)) in section and
          ": %d of %d rows" % (len(alone) - len(far), len(alone)) in section, "the page counts %d of %d: %s" % (
              len(kernels - bad), len(kernels), section))
    check([(each[0], each[1], each[4]) for each in cells(section)] == [(each[0], each[1], each[7]) for each in far],
          "the others are listed: %s" % section)
    check(all(each[5].strip() for each in cells(section)), "with what is known: %s" % section)


if __name__ == "__main__":
    sys.exit(run_tests([every_measurement_has_a_row, published_words_take_the_cycles_that_follow_from_the_rules,
                        kernels_of_a_checkout_are_compiled_and_constants_fitted,
                        kernels_that_no_table_describes_are_found_by_their_names,
                        a_later_checkout_has_what_an_earlier_one_lacks, a_body_takes_the_pushes_of_the_tile,
                        words_that_the_core_computes_take_what_its_program_takes, the_longer_of_core_and_vector_unit_counts,
                        a_configuration_file_is_for_the_rows_of_its_chip, what_is_wrong_is_told,
                        the_page_has_what_the_table_has, the_page_says_which_kernels_of_the_math_thread_alone_agree]))
