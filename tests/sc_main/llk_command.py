#!/usr/bin/env python3
"""`sfpusim llk` on a small tree of kernels of our own: what compiles, records, is equal, and that one broken header or
crashing kernel loses nothing of the rest.

usage: llk_command.py SFPUSIM SOURCE_DIR
"""
import html
import json
import os
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
import instrumentation  # noqa: E402
from checks import check, run_tests  # noqa: E402

SFPUSIM, SOURCE_DIR = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
TREE = os.path.join(SOURCE_DIR, "tests", "data", "llk")
BUILD = instrumentation.build_of(SFPUSIM)
INSTRUMENTED = instrumentation.flags(BUILD)
COMPILE = ["--compiler", instrumentation.compiler(BUILD)] + ["--flag=" + flag for flag in INSTRUMENTED] if INSTRUMENTED else []


def llk(output, *arguments):
    return subprocess.run([SFPUSIM, "llk", TREE, "--output", output, "--json", *COMPILE, *arguments],
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, universal_newlines=True)


def rows_of(report, name):
    return [row for row in report["rows"] if row["header"].endswith("ckernel_sfpu_%s.h" % name)]


def the_whole_tree():
    with tempfile.TemporaryDirectory() as folder:
        done = llk(folder)
        check(done.returncode == 2, "a macro path that differs gives exit code 2, found %d: %s"
              % (done.returncode, done.stderr))
        report = json.loads(done.stdout)
        half = rows_of(report, "half")
        check(sorted({row["arch"] for row in half}) == ["bh", "wh"], "the vector types are tried on both chips")
        check(len(half) == 4 and all(row["direct_equals_recorded"] is True for row in half),
              "both values of a template parameter are recorded and equal direct execution: %s" % half)
        check(all(row["cycles_per_row"] for row in half), "cycles are measured")
        cast = rows_of(report, "cast")
        check([row["macro_equals_plain"] for row in cast] == [True], "equal paths are found equal: %s" % cast)
        check([row["cycles_per_row"] for row in cast] == [2.0], "a row of two words takes two cycles: %s" % cast)
        check([row["published"] for row in cast] == [2.0], "comments state the published throughput: %s" % cast)
        check([row["direct_equals_recorded"] for row in cast] == [True], "the plain path executes directly: %s" % cast)
        wrong = rows_of(report, "cast_wrong")
        check([row["macro_equals_plain"] for row in wrong] == [False] and "macro" in wrong[0]["note"],
              "different paths are found different, with the values: %s" % wrong)
        guesses(rows_of(report, "guess"))
        early = rows_of(report, "early")
        check([row["macro_equals_plain"] for row in early] == [False] and
              any("/sfpu/hazard/unprotected-read at line" in each and "of the plain path" in each for each in early[0]["explanation"]),
              "a fault of the plain path is named as its own: %s" % early)
        broken = rows_of(report, "broken")
        check([(row["compiles"], row["records"]) for row in broken] == [(True, False)] and "no_such_function" in broken[0]["reason"],
              "a function that does not compile is left out and says why: %s" % broken)
        said_by_callers(rows_of(report, "called"))
        crash = rows_of(report, "crash")
        check([(row["compiles"], row["records"]) for row in crash] == [(True, False)]
              and "signal" in crash[0]["reason"] or INSTRUMENTED, "a kernel that crashes says so: %s" % crash)
        check(report["summary"]["bh"]["headers"] == 7 and report["summary"]["bh"]["headers_that_compile"] == 7,
              "the summary counts headers: %s" % report["summary"])
        with open(os.path.join(folder, "report.html")) as page:
            text = page.read()
        check("no_such_function" in text and "calculate_half" in text, "the page shows both")
        for each in wrong + early:
            check(each["explanation"] and all(html.escape(sentence, quote=False).replace('"', "&quot;") in text for sentence in each["explanation"]),
                  "the page says why paths differ: %s" % each)

        rows = os.path.join(folder, "rows")
        before = {name: os.stat(os.path.join(rows, name)).st_mtime_ns for name in os.listdir(rows)}
        again = llk(folder, *([] if INSTRUMENTED else ["--compiler", "c++"]))
        after = {name: os.stat(os.path.join(rows, name)).st_mtime_ns for name in os.listdir(rows)}
        check(again.stdout == done.stdout and before == after, "a second run takes everything from the first")


def guesses(rows):
    by_call = {row["function"]: row for row in rows}

    def row(call):
        check(call in by_call, "there is a row for %s: %s" % (call, sorted(by_call)))
        return by_call[call]

    for call in ("guess_value_(dst)", "guess_place_<SfpuType::negative>(dst, 1)", "guess_rows_(0x100000)"):
        check(row(call)["records"] and row(call)["direct_equals_recorded"] is True, "%s: %s" % (call, row(call)))
    undefined = row("guess_place_<SfpuType::square>(dst, 1)")
    check(not undefined["records"] and "declared and not defined" in undefined["reason"],
          "a function without a body says so: %s" % undefined)
    check(row("guess_of_mode_<true, 8>()")["direct_equals_recorded"] is True and "guess_of_mode_<false, 8>()" not in by_call,
          "a mode without a body, which no line of a call says, is left out alone: %s" % sorted(by_call))
    for negate in ("true", "false"):
        sign = row("guess_sign_<%s, 8>()" % negate)
        check(sign["macro_equals_plain"] is True, "its set-up is called with its own argument: %s" % sign)
        check(sign["published"] == 2.0, "the comment in front of it counts: %s" % sign)
        turned = row("calculate_turnround<%s, 8>()" % negate)
        check(turned["macro_equals_plain"] is True, "what shares its template parameter prepares it: %s" % turned)
    unset = row("guess_sign_unset_<8>()")
    check(unset["macro_equals_plain"] is False and "reads L13, which nothing sets" in unset["note"],
          "the reason of a difference is found: %s" % unset)
    overlap = row("guess_overlap_<8>()")
    check(overlap["verdict"] == "robust" and overlap["cycles_per_row"] == 15 / 8,
          "whole calls are judged with what callers do between them: %s" % overlap)
    way = row("guess_way_<8>()")
    check(any("only the macro path uses sfpsetsgn, only the plain path uses sfpabs" in each for each in way["explanation"]),
          "another way to calculate is named: %s" % way)
    nans = row("guess_nan_<8>()")
    check(any("gives nan (0x7fc00001), the plain path nan (0x7fc00000)" in each for each in nans["explanation"]),
          "NaNs are told apart by their bits: %s" % nans)
    check("Only NaNs and signs of zeros differ." in nans["explanation"], "and are known to be all: %s" % nans)


def said_by_callers(rows):
    by_call = {row["function"]: row for row in rows}
    for negate in ("true", "false"):
        called = by_call["calculate_called<%s, 8>()" % negate]
        check(called["macro_equals_plain"] is True, "a kernel has the init of its callers: %s" % called)
    check(by_call["calculate_quarter<8>()"]["direct_equals_recorded"] is True, "includes of the checkout are found: %s" % rows)
    part = by_call["called_part()"]
    check(part["records"] and part["verdict"] is None and "not judged alone" in part["note"],
          "a part with macros is not judged: %s" % part)
    check(by_call["calculate_parts()"]["verdict"] is not None, "and what calls it is: %s" % by_call["calculate_parts()"])
    plays = by_call["called_plays()"]
    check(plays["direct_equals_recorded"] is True and "behind called_loads()" in plays["note"],
          "a call plays what another has loaded: %s" % plays)


def record_only():
    with tempfile.TemporaryDirectory() as folder:
        done = llk(folder, "--record-only", "--only", "half", "--arch", "wh")
        rows = json.loads(done.stdout)["rows"]
        check(done.returncode == 0 and len(rows) == 2 and
              all(row["records"] and row["cycles_per_row"] is None and row["direct_equals_recorded"] is None
                  for row in rows), "nothing is run with --record-only: %s" % rows)


def schedules():
    with tempfile.TemporaryDirectory() as folder:
        asked = ["--optimize", "--time-limit", "2", "--only", "cast", "--arch", "bh"]
        done = llk(folder, *asked)
        rows = {row["header"].rsplit("_", 1)[-1]: row for row in json.loads(done.stdout)["rows"]}
        check(done.returncode == 0 and sorted(rows) == ["cast.h", "wrong.h"], "nothing is compared: %s" % done.stderr)
        found = rows["cast.h"]["schedule"]
        check(found["macro"] == 2.0 and found["plain"] > found["macro"] and found["bound"] <= found["ours"] <= found["macro"],
              "the plain path becomes no longer than the library's macros: %s" % found)
        check(found["macros"] > 0 and len(found["files"]) == 2, "it has macros, and files: %s" % found)
        schedule, header = found["files"]
        ran = subprocess.run([SFPUSIM, "run", "--hazards", "error", schedule], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        check(ran.returncode == 0, "the schedule takes the cycles that it promises: %s" % ran.stderr)
        with open(header) as file:
            check("inline void _calculate_" in file.read(), "the header has functions")
        with open(os.path.join(folder, "schedules.csv")) as file:
            table = file.read().splitlines()
        check(len(table) == 3 and table[0].startswith("arch,header,function,words,plain,macro,ours,"), "a table: %s" % table)
        again = llk(folder, *asked)
        check(again.stdout == done.stdout, "a second run takes everything from the first, seconds too")
        other = llk(folder, *asked[:2], "1", *asked[3:])
        check(other.returncode == 0 and other.stdout != done.stdout, "unless it is asked for something else")


# Unsigned integers as FP32: what is below 2^31 and, in the lanes with the topmost bit, 2^31 more.
FROM_UNSIGNED = """#pragma once
#include "ckernel_ops.h"
namespace ckernel::sfpu {
template <bool APPROXIMATION_MODE, int ITERATIONS> inline void _calculate_unsigned_() {
    for (int d = 0; d < ITERATIONS; d++) {
        TTI_SFPLOAD(p_sfpu::LREG0, InstrModLoadStore::INT32, ADDR_MOD_7, 0);
        TTI_SFPSETSGN(0, p_sfpu::LREG0, p_sfpu::LREG1, 1);
        TTI_SFPCAST(p_sfpu::LREG1, p_sfpu::LREG1, 0);
        TTI_SFPSETCC(0, p_sfpu::LREG0, 0, 0);
        TTI_SFPADDI(0x4f00, p_sfpu::LREG1, 0);
        TTI_SFPENCC(0, 0, 0, 0);
        TTI_SFPSTORE(p_sfpu::LREG1, InstrModLoadStore::FP32, ADDR_MOD_6, 0);
    }
}
} // namespace ckernel::sfpu
"""


def schedules_take_other_instructions_that_a_solver_proves_equal():
    """Seven words; a load can schedule one on each of four sub-units. With the flags that bound is 4, and 3 with an index in L7."""
    with tempfile.TemporaryDirectory() as folder:
        sources = os.path.join(folder, "blackhole", "sfpu")
        os.makedirs(sources)
        with open(os.path.join(sources, "ckernel_sfpu_unsigned.h"), "w") as file:
            file.write(FROM_UNSIGNED)
        done = subprocess.run([SFPUSIM, "llk", folder, "--output", os.path.join(folder, "out"), "--json", *COMPILE, "--optimize",
                               "--time-limit", "5"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, universal_newlines=True)
        check(done.returncode == 0, "exit code 0: %s" % done.stderr)
        found = [row["schedule"]["ours"] for row in json.loads(done.stdout)["rows"]]
        check(found and all(ours == 3 for ours in found), "3 cycles a row: %s" % done.stdout)


def mistakes():
    for arguments, expected in ((["llk", os.path.join(SOURCE_DIR, "docs")], "has no header ckernel_sfpu_*.h"),
                                (["llk", "no-such-folder"], "is no folder"),
                                (["llk", TREE, "--compiler", "no-such-compiler"], "does not run"),
                                (["llk", TREE, "--time-limit", "3"], "--optimize"),
                                (["llk"], "DIR is missing")):
        done = subprocess.run([SFPUSIM, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              universal_newlines=True, cwd=tempfile.gettempdir())
        check(done.returncode == 1 and expected in done.stderr,
              "%s: %s, found %d: %s" % (arguments, expected, done.returncode, done.stderr))


sys.exit(run_tests([the_whole_tree, record_only, schedules, schedules_take_other_instructions_that_a_solver_proves_equal, mistakes]))
