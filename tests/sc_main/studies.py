#!/usr/bin/env python3
"""The studies of docs/exploration.md give the numbers that stand there. SFPU_NIGHTLY: all of them, which takes long.
The same commands run in many other tests, so two studies are enough where sanitizers slow them down."""
import csv
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), os.pardir, "support"))
from checks import INSTRUMENTED, check, run_tests  # noqa: E402

SFPUSIM, SOURCES = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
NIGHTLY = "SFPU_NIGHTLY" in os.environ
FIRMWARE = os.path.join(os.path.dirname(os.path.dirname(SFPUSIM)), "firmware")


def table(name):
    """The rows of the table of a study in the document, as lists of cells."""
    with open(SOURCES + "/docs/exploration.md") as file:
        text = file.read()
    marker = "<!-- study: %s -->\n" % name
    check(text.count(marker) == 1, "the document has one table '%s'" % name)
    lines = text.partition(marker)[2].splitlines()
    rows = []
    for line in lines:
        if not line.startswith("|"):
            break
        rows.append([cell.strip() for cell in line.strip("|").split("|")])
    return rows[2:]


def names_in(cell):
    return re.findall(r"`([^`]+)`", cell)


def kernel_name(file):
    """kernels/optimized/abs_macro.s is optimized/abs_macro."""
    return file.partition("kernels/")[2][:-len(".s")]


def results_of(study, **changes):
    """Rows of a sweep of studies/, in which some keys are changed."""
    with open("%s/studies/%s.json" % (SOURCES, study)) as file:
        sweep = json.load(file)
    for key, change in changes.items():
        sweep[key] = change(sweep[key])

    def found(name):
        return name.replace("../build/firmware", FIRMWARE).replace("../", SOURCES + "/")

    for kernel in sweep.get("kernels", []):
        if isinstance(kernel, dict):
            kernel.update({form: found(kernel[form]) for form in ("plain", "macro") if form in kernel})
    for key in ("kernels", "firmwares"):
        if key in sweep:
            sweep[key] = [found(each) if isinstance(each, str) else each for each in sweep[key]]
    with open(study + ".json", "w") as file:
        json.dump(sweep, file)
    done = subprocess.run([SFPUSIM, "explore", study + ".json", "--output", study, "--quiet"], stdin=subprocess.DEVNULL,
                          stderr=subprocess.PIPE, universal_newlines=True)
    check(done.returncode == 0, "%s: exit code 0, got %d: %s" % (study, done.returncode, done.stderr))
    with open(study + "/results.csv", newline="") as file:
        return list(csv.DictReader(file))


def promise_of(file):
    """The cycles a row that a kernel itself promises, if it does."""
    with open(file) as source:
        promise = re.search(r"^\.expect cycles_per_row ([0-9.]+)", source.read(), re.M)
    return promise and float(promise[1])


def what_binds_each_kernel():
    said = {}
    for kernels, cycles, busy in table("binds"):
        for name in names_in(kernels):
            check(name not in said, "%s stands in one row" % name)
            said[name] = (float(cycles), busy.split(", "))
    with open(SOURCES + "/studies/binds.json") as file:
        everything = [each for each in json.load(file)["kernels"]]
    library = sorted(name for folder in ("kernels", "kernels/optimized") for name in
                     (folder[len("kernels"):].lstrip("/") + "/" + file for file in os.listdir(SOURCES + "/" + folder) if file.endswith(".s")))
    plain_forms = {"/" + name if "/" not in name else name for name in library
                   if name.startswith("optimized/") and not name.endswith("_macro.s")}
    check(sorted(each.partition("kernels/")[2] for each in everything) ==
          sorted(name.lstrip("/") for name in library if name not in plain_forms), "the study has every kernel of the library")
    check(set(said) <= {kernel_name(each) for each in everything}, "and the document no other")

    some = lambda kernels: kernels if NIGHTLY else [each for i, each in enumerate(kernels) if "/optimized/" not in each or i % 6 == 0]
    for row in results_of("binds", kernels=some):
        name = kernel_name(row["kernel"])
        busy = [part.partition(":")[0] for part in row["bound_reason"].split("; ")]
        found = (float(row["cycles_per_row"]), busy)
        expected = said.get(name, said.get(name.replace("_wh_macro", "_macro")))
        check(found == expected, "%s: %s in the document, %s" % (name, expected, found))
        check(row["cycles_per_row"] == row["bound_cycles_per_row"] and busy[0] == "issue", "%s: nothing is left to gain: %s" % (name, row))
        check(row["valid"] == "true", "%s is right" % name)
        check(promise_of(row["kernel"]) in (None, found[0]), "%s keeps its promise" % name)


def a_slower_multiplier_needs_another_schedule():
    """Three curves: words that are kept are right on the chip only; schedules made for the machine are right on all."""
    said = {}
    for cells in table("latencies"):
        for schedule, cell in zip(("keep", "retime", "optimize"), cells[2:]):
            cycles, _, wrong = cell.partition(", ")
            said[cells[0], cells[1].split()[0], schedule] = (float(cycles), "false" if wrong == "wrong" else "true")
    check(len(said) == 36, "four latencies of MAD and three of loads, three schedules: %s" % said)
    some = (lambda all_of_them: all_of_them) if NIGHTLY else (lambda few: {"sfpu.latency.mad": [2, 3], "sfpu.latency.load": [1, 2]})
    rows = results_of("latencies", parameters=some)
    check(len(rows) == (36 if NIGHTLY else 12), "%d rows" % len(rows))
    for row in rows:
        mad, load, schedule = row["sfpu.latency.mad"], row["sfpu.latency.load"], row["schedule"]
        found = (float(row["cycles_per_row"]), row["valid"])
        expected = said[mad, load, schedule]
        check(found == expected, "%s, %s, %s: %s in the document, %s" % (mad, load, schedule, expected, found))
        check((row["valid"] == "true") == (schedule != "keep" or (mad, load) == ("2", "1")), "right where it was made for: %s" % row)
        check(float(row["cycles_per_row"]) >= 4, "four multiply-adds take four cycles: %s" % row)
        check(schedule != "optimize" or row["proof"] != "open", "proved: %s" % row)
    picture = read_text("latencies/plots/response-sfpu.latency.mad.svg")
    for curve in ("horner_4_macro.s", "(retime)", "(optimize)", "wrong results"):
        check(curve in picture, "the picture has %s" % curve)


def read_text(name):
    with open(name) as file:
        return file.read()


def more_room_buys_nothing_but_for_mul32():
    quick = ("square.s", "relu.s", "int_add.s")
    some = lambda kernels: [each for each in kernels if NIGHTLY or each["plain"].endswith(tuple("/" + name for name in quick))]
    rows = results_of("extensions", kernels=some)
    check(len(rows) == (192 if NIGHTLY else 18), "%d rows" % len(rows))
    chip = {row["kernel"]: row["cycles_per_row"] for row in rows if row["point"] == "0"}
    for row in rows:
        check(row["cycles_per_row"] == chip[row["kernel"]], "no cycle less: %s" % row)
        check(row["proof"] != "open" and row["valid"] == "true", "proved and right: %s" % row)
        # An SFPLOADMACRO is one word, and a word loads once: operands that are read, or registers that are written elsewhere.
        with open(row["kernel"].replace("_macro.s", ".s")) as file:
            loads = len(re.findall(r"^\s+sfpload\s", file.read(), re.M))
        check(float(row["cycles_per_row"]) >= loads, "a word for each load: %s" % row)
    if NIGHTLY:
        rows = results_of("extensions_mul32")
        said = [(float(cycles), binds) for _, cycles, binds in table("mul32")]
        found = [(float(row["cycles_per_row"]), row["bound_reason"].partition(":")[0]) for row in rows]
        check(found == said, "mul32: %s in the document, %s" % (said, found))
        check(all(row["valid"] == "true" for row in rows), "mul32 is right")


def a_second_issue_slot_helps_what_has_words_that_are_no_loads():
    said = {names_in(kernel)[0]: (float(one), float(two), set(binds.split(", "))) for kernel, one, two, binds in table("two slots")}
    quick = ("int_add_out", "newton_reciprocal", "relu", "square")
    some = lambda kernels: [each for each in kernels if NIGHTLY or os.path.basename(each["plain"])[:-2] in quick]
    rows = results_of("two_slots", kernels=some)
    check(len(rows) == (33 if NIGHTLY else len(quick)), "%d rows" % len(rows))
    for row in rows:
        name = os.path.basename(row["kernel"])[:-2]
        one = promise_of("%s/kernels/optimized/%s_macro.s" % (SOURCES, name))
        found = float(row["cycles_per_row"])
        check((one, found) == said.get(name, (one, one))[:2], "%s: %s in the document, %s" % (name, said.get(name), (one, found)))
        check(row["proof"] != "open" and row["valid"] == "true", "proved and right: %s" % row)
        if name in said:
            binds = {part.partition(":")[0] for part in row["bound_reason"].split("; ")}
            check(binds == said[name][2], "%s: %s binds" % (name, binds))


def a_second_issue_slot_finds_little_to_do():
    said = {}
    for kernel, one, two, results in table("dual issue"):
        said[names_in(kernel)[0]] = (float(one), float(two), results)
    some = lambda kernels: [each for i, each in enumerate(kernels)
                            if NIGHTLY or i % 9 == 0 or os.path.basename(each.get("plain", each.get("macro")))[:-2] in said]
    found = {}
    for row in results_of("dual_issue", kernels=some):
        name = os.path.basename(row["kernel"])[:-2]
        results = "wrong" if row["valid"] != "true" else "right" if row["verdict"] != "broken" else "right, with a hazard"
        found.setdefault(name, []).append((float(row["cycles_per_row"]), results))
    check(set(said) <= set(found) and (not NIGHTLY or len(found) == 66), "kernels: %s" % sorted(found))
    for name, ((one, right), (two, results)) in found.items():
        expected = said.get(name, (one, one, "right"))
        check((one, two, results) == expected and right == "right", "%s: %s in the document, %s" % (name, expected, (one, two, results)))


def what_a_transpose_buffer_costs():
    if not os.path.exists(FIRMWARE + "/transpose.elf"):
        print("no compiler for bare RISC-V")
        return
    widths = (16, 32, 64, 128)
    said = {names_in(cells[0])[0]: [int(cell) for cell in cells[1:]] for cells in table("transpose")}
    conflicts = {"flop": 1, "sram_swizzled": 1, "sram_row_xor": 4, "sram_plain": 8}
    check(set(said) == set(conflicts), "the buffers: %s" % sorted(said))
    rows = results_of("transpose")
    check(len(rows) == 16, "%d rows" % len(rows))
    for row in rows:
        buffer, width = row["tensorload.xpose_buffer"], int(row["tensorload.l1_bytes"])
        check(int(row["cycles"]) == said[buffer][widths.index(width)], "%s, %d: %s" % (buffer, width, row["cycles"]))
        # docs/tensorload.md: two loads of 16 slices of 64 bytes, 16 beats of 128 bytes, two stores of 16 cycles each, all at once.
        cycles = {"load": 2 * 16 * max(1, 64 // width), "reshape": 16 * conflicts[buffer], "store": 2 * 16}
        slowest = max(cycles.values())
        check(0 <= int(row["cycles"]) - 512 * slowest - 7800 <= 200, "%s, %d: the slowest decides: %s" % (buffer, width, row["cycles"]))
        check(row["valid"] == "true" and row["status"] == "ok", "%s, %d: right" % (buffer, width))
        busiest = [name for name in ("load", "store", "reshape") if cycles[name] == slowest]
        check(row["binds"].startswith("%s %s busiest: %d of %s cycles" % (" and ".join("TensorLoad " + name for name in busiest), "are" if len(busiest) > 1 else
                                                                         "is", 512 * slowest, row["cycles"])), "%s, %d: %s" % (buffer, width, row["binds"]))


if __name__ == "__main__":
    folder = tempfile.mkdtemp()
    code = 1
    try:
        os.chdir(folder)
        figures = [what_binds_each_kernel, a_slower_multiplier_needs_another_schedule, more_room_buys_nothing_but_for_mul32,
                   a_second_issue_slot_helps_what_has_words_that_are_no_loads]
        code = run_tests(([] if INSTRUMENTED else figures) + [a_second_issue_slot_finds_little_to_do, what_a_transpose_buffer_costs])
    finally:
        os.chdir("/")
        shutil.rmtree(folder)
    sys.exit(code)
