#!/usr/bin/env python3
"""Whoever waits in front of a terminal is told how far a command is; nobody else is told anything.

usage: progress.py SFPUSIM SOURCE_DIR
"""
import json
import os
import pty
import re
import select
import signal
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
from checks import check, run_tests  # noqa: E402

SFPUSIM, SOURCES = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
FOLDER = tempfile.TemporaryDirectory()
PATIENCE = 300  # seconds, of a machine that does much else
KERNELS = os.path.join(SOURCES, "kernels")


def said_on_a_terminal(wanted, *arguments):
    """Standard error, until it matches; then the program is interrupted."""
    ours, theirs = pty.openpty()
    program = subprocess.Popen([SFPUSIM, *arguments], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=theirs,
                               cwd=FOLDER.name)
    os.close(theirs)
    text, end = "", time.monotonic() + PATIENCE
    while not re.search(wanted, text) and time.monotonic() < end:
        if not select.select([ours], [], [], 1)[0]:
            continue
        try:
            text += os.read(ours, 4096).decode()
        except OSError:  # nobody writes any more
            break
    program.send_signal(signal.SIGINT)
    while True:
        try:
            if not os.read(ours, 4096):
                break
        except OSError:
            break
    program.wait(timeout=PATIENCE)
    os.close(ours)
    return text


def estimated(wanted, *arguments):
    text = said_on_a_terminal(wanted, *arguments)
    check(re.search(wanted, text), "%s says how far it is: %r" % (arguments, text))
    check("\x1b" not in text, "without colours: %r" % text)


def a_run_says_how_far_it_is():
    estimated(r"mul32\.s: \d+ % of 100000000 rows, about \d+ s left",
              "run", os.path.join(KERNELS, "mul32.s"), "--rows", "100000000")


def a_lint_says_how_far_it_is():
    estimated(r"signbit\.s: \d+ % of \d+ runs, about \d+ s left",
              "lint", os.path.join(KERNELS, "signbit.s"), "--schedules", "1000000")


def a_tile_says_how_far_it_is():
    header = bytes([0x7f]) + b"ELF" + bytes([1, 1, 1]) + bytes(9)
    def half(n): return n.to_bytes(2, "little")
    def word(n): return n.to_bytes(4, "little")
    start = 0x80000000
    header += half(2) + half(243) + word(1) + word(start) + word(52) + word(0) + word(0) + half(52) + half(32) + half(1) + half(0) * 3
    segment = word(1) + word(84) + word(start) + word(start) + word(4) + word(4) + word(5) + word(4)
    with open(os.path.join(FOLDER.name, "endless.elf"), "wb") as file:
        file.write(header + segment + word(0x0000006f))
    estimated(r"endless\.elf: \d+ % of 900000000000 cycles, about \d+ s left", "tile", "endless.elf", "--max-cycles", "900000000000")


def a_search_says_how_far_it_is():
    estimated(r"cycles in .*, at most \d+ s left", "optimize", os.path.join(KERNELS, "mul32.s"),
              "--time-limit", "100")


def a_sweep_says_how_far_it_is():
    sweep = {"kernels": [os.path.join(KERNELS, "signbit.s")], "parameters": {"sfpu.latency.mad": [2, 3]}, "seeds": list(range(20000))}
    with open(os.path.join(FOLDER.name, "sweep.json"), "w") as file:
        json.dump(sweep, file)
    estimated(r"sweep\.json: \d+ % of 40000 points, about \d+ s left", "explore", "sweep.json", "--output", "points", "--jobs", "1")


def schedules_of_a_checkout_say_how_many_are_done():
    folder = os.path.join(FOLDER.name, "checkout", "llk_blackhole")
    os.makedirs(folder)
    for number in range(8):
        with open(os.path.join(folder, "ckernel_sfpu_%d.h" % number), "w") as file:
            file.write("#pragma once\ninline void calculate_%d() { sfpi::dst_reg[0] = sfpi::dst_reg[0] + %d.0f; }\n" % (number, number))
    estimated(r"llk: [1-8] of 8 headers, [1-8] schedules: \d+ s", "llk", "checkout", "--optimize", "--time-limit", "1", "--jobs", "1")


def what_nobody_can_estimate_says_how_long_it_has_worked():
    text = said_on_a_terminal(r"bench: [2-9] s", "bench", "--kernel", "mul32", "--instructions", "1000000000000")
    check(re.search(r"bench: 1 s.*bench: 2 s", text, re.S), "it counts seconds: %r" % text)


def nobody_else_is_told_anything():
    program = subprocess.Popen([SFPUSIM, "run", os.path.join(KERNELS, "mul32.s"), "--rows", "100000000"], stdout=subprocess.DEVNULL,
                               stderr=subprocess.PIPE, universal_newlines=True, cwd=FOLDER.name)
    time.sleep(4)
    program.send_signal(signal.SIGINT)
    said = program.communicate(timeout=PATIENCE)[1]
    check("about" not in said.replace("this is about", "") and "\r" not in said, "a file gets no progress: %r" % said)
    done = subprocess.run([SFPUSIM, "optimize", os.path.join(KERNELS, "mul32.s"), "--budget", "1000"], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                          universal_newlines=True)
    check(done.stderr == "", "nor does a search: %r" % done.stderr)
    quiet = said_on_a_terminal("never", "lint", os.path.join(KERNELS, "signbit.s"), "--quiet", "--schedules", "0")
    check(quiet == "", "nor does anybody who wants quiet: %r" % quiet)


if __name__ == "__main__":
    sys.exit(run_tests([a_run_says_how_far_it_is, a_lint_says_how_far_it_is, a_tile_says_how_far_it_is, a_search_says_how_far_it_is,
                        a_sweep_says_how_far_it_is, schedules_of_a_checkout_say_how_many_are_done,
                        what_nobody_can_estimate_says_how_long_it_has_worked,
                        nobody_else_is_told_anything]))
