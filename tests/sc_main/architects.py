#!/usr/bin/env python3
"""docs/exploration.md, where to begin, is true: each of its commands is run, and the sentence beside it is compared with what the command says.

usage: architects.py SFPUSIM SOURCE_DIR
"""
import json
import os
import re
import shlex
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), os.pardir, "support"))
from checks import check, run_tests  # noqa: E402

SFPUSIM, SOURCES = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
with open(SOURCES + "/docs/exploration.md") as PAGE_FILE:
    PAGE = PAGE_FILE.read().partition("\n## Where to begin\n")[2].partition("\n## ")[0]
DONE = {}


def output_of(command):
    """What a command of the page prints; kernels are those of the sources."""
    if command not in DONE:
        words = [os.path.join(SOURCES, word) if word.startswith("kernels/") else word for word in shlex.split(command)[1:]]
        run = subprocess.run([SFPUSIM] + words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, universal_newlines=True)
        changed = "\nresults        CHANGED" in run.stdout
        check(run.returncode == (2 if changed else 0), "`%s` ends with %d: %s" % (command, run.returncode, run.stderr))
        DONE[command] = run.stdout
    return DONE[command]


def line_of(command, name):
    return next((line[len(name):].strip() for line in output_of(command).splitlines() if line.startswith(name + " ")), "")


def cycles_of(command):
    return line_of(command, "throughput")


def beside(sentence, *facts):
    """The page has the sentence, and the facts that it tells are so."""
    check(" ".join(sentence.split()) in " ".join(PAGE.split()), "the page says '%s'" % sentence)
    for true, what in facts:
        check(true, "'%s': %s" % (sentence, what))


PLAIN, SLOW = "sfpusim run kernels/mul32.s", "sfpusim run kernels/mul32.s --set sfpu.latency.mad=4"
HORNER = "sfpusim run kernels/optimized/horner_3.s --set sfpu.latency.mad=4"


def the_minute_with_numbers():
    beside("The first says 13 cycles a row and that issue binds: 13 words.", (cycles_of(PLAIN) == "13.00 cycles a row", cycles_of(PLAIN)),
           (line_of(PLAIN, "binds").startswith("Issue binds: 13 words a row"), line_of(PLAIN, "binds")))
    beside("The second says 13 cycles, too, and results CHANGED", (cycles_of(SLOW) == "13.00 cycles a row", cycles_of(SLOW)),
           (line_of(SLOW, "results").startswith("CHANGED"), line_of(SLOW, "results")))
    beside("Here nothing is seen, so that the kernel reads products that are not there.", (line_of(SLOW, "stalls") == "none", line_of(SLOW, "stalls")),
           ("/sfpu/hazard/unprotected-read" in output_of(SLOW), output_of(SLOW)))
    chip = "sfpusim run kernels/optimized/horner_3.s"
    beside("The third takes 14 cycles a row instead of 8, and its results are unchanged", (cycles_of(HORNER) == "14.00 cycles a row", cycles_of(HORNER)),
           (cycles_of(chip) == "8.00 cycles a row", cycles_of(chip)), (line_of(HORNER, "results") == "unchanged on this data", line_of(HORNER, "results")))
    beside("there each multiply-add is seen to wait for the one before.", ("mad-dependence" in output_of(HORNER), output_of(HORNER)))
    found = "sfpusim optimize kernels/optimized/horner_3.s"
    beside("The fourth finds 3 cycles a row for the same polynomial on the chip, which is proved",
           (line_of(found, "found").startswith("3 cycles a row, 2 macros"), output_of(found)), ("\nproved " in output_of(found), output_of(found)))


def what_limits_a_kernel():
    beside("the line `bound` names the resource that no schedule gets around, `binds` the one that is full, `dependences` the chain of results",
           (line_of(PLAIN, "bound").endswith("(issue: 13 words a row)"), line_of(PLAIN, "bound")), (line_of(PLAIN, "dependences") != "", "dependences"))
    slow = "sfpusim run kernels/mul32.s --set sfpu.latency.mad=3"
    beside("The words stay, so results may change: the report says `results`, then `unchanged` or `CHANGED` (and ends with exit code 2)",
           (re.match("unchanged|CHANGED", line_of(slow, "results")), output_of(slow)))


def schedules_for_another_machine():
    retimed = "sfpusim optimize kernels/optimized/horner_3_macro.s --retime --set sfpu.latency.mad=3"
    beside("moves delays and registers", (line_of(retimed, "structure") == "kept", output_of(retimed)))
    found = "sfpusim optimize kernels/optimized/horner_3.s --set sfpu.latency.mad=3"
    beside("finds a new schedule from the plain kernel", (line_of(found, "plain").startswith("11 cycles"), output_of(found)),
           (line_of(found, "found")[:1].isdigit(), output_of(found)))
    why = "sfpusim optimize kernels/optimized/newton_reciprocal.s --rows-per-iteration 1 --why"
    beside("what refutes a shorter schedule, and which single relaxation would permit it, tried",
           ("because of" in output_of(why), output_of(why)),
           ("possible with  none of the single changes that were tried" in output_of(why), output_of(why)))


def many_machines():
    with open("SWEEP.json", "w") as file:
        json.dump({"kernels": [SOURCES + "/kernels/mul32.s"], "parameters": {"sfpu.latency.mad": [2, 3]}}, file)
    output_of("sfpusim explore SWEEP.json --output DIR")
    beside("a table, curves, a page", *((os.path.exists("DIR/" + name), name) for name in
                                      ("results.csv", "plots/response-sfpu.latency.mad.svg", "report.html")))
    with open("DIR/results.csv") as file:
        beside("`valid` in the table says so", ("valid" in file.readline().split(","), "the column"))


def what_can_be_changed_and_compared():
    listed = output_of("sfpusim info --params")
    beside("every parameter with its range, the value of the chips, evidence and source",
           (all(word in listed for word in ("sfpu.latency.mad", "documented", "measured", "inferred")), listed[:400]))
    for name, latency in (("A", 2), ("B", 4)):
        output_of("sfpusim run kernels/optimized/horner_3.s --set sfpu.latency.mad=%d --stats %s.json" % (latency, name))
    # A difference is its exit code.
    run = subprocess.run([SFPUSIM, "compare", "A.json", "B.json"], stdout=subprocess.PIPE, universal_newlines=True)
    DONE["sfpusim compare A.json B.json"] = run.stdout
    beside("what differs, and why", ("sfpu.latency.mad 4 instead of 2" in run.stdout and "cycles" in run.stdout, run.stdout))


def one_point():
    output_of("sfpusim schedule kernels/mul32.s --set sfpu.latency.mad=3 --html point.html")
    beside("`sfpusim schedule kernels/mul32.s --set sfpu.latency.mad=3 --html point.html`, or `--svg`", (os.path.exists("point.html"), "a page"))
    command = "sfpusim debug kernels/mul32.s --set sfpu.latency.mad=3"
    words = [os.path.join(SOURCES, word) if word.startswith("kernels/") else word for word in command.split()[1:]]
    run = subprocess.run([SFPUSIM] + words, input="quit\n", stdout=subprocess.PIPE, stderr=subprocess.PIPE, universal_newlines=True)
    check(run.returncode == 0, "the debugger begins and ends: %s" % run.stderr)
    DONE[command] = run.stdout


def no_command_was_left_out():
    commands = set(re.findall(r"`(sfpusim [^`]+)`", PAGE)) # pages.py runs those that stand in blocks
    check(len(commands) > 8, "the page has commands")
    check(commands <= set(DONE), "each was run: %s" % sorted(commands - set(DONE)))


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as FOLDER:
        os.chdir(FOLDER)
        CODE = run_tests([the_minute_with_numbers, what_limits_a_kernel, schedules_for_another_machine, many_machines,
                          what_can_be_changed_and_compared, one_point, no_command_was_left_out])
        os.chdir("/")
    sys.exit(CODE)
