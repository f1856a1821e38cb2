#!/usr/bin/env python3
"""Kernels with some lines lost, doubled, exchanged or changed, through every command that takes a kernel: each ends with one of
its exit codes and, if it refuses the kernel, with an error that names the file; the kernel is equal to itself; and what optimize
writes is equal to it. 12 of them, 3 where sanitizers slow them down, 1,200 with
SFPU_NIGHTLY. MUTATED_KERNELS_FIRST is the first seed. What breaks a promise stays as mutated-SEED.s in the working directory.

usage: mutated_kernels.py SFPUSIM SOURCE_DIR
"""
import glob
import os
import random
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
from checks import INSTRUMENTED, check, run_tests  # noqa: E402

SFPUSIM, TREE = (os.path.abspath(path) for path in sys.argv[1:3])
FIRST = int(os.environ.get("MUTATED_KERNELS_FIRST", "1"))
COUNT = 1200 if "SFPU_NIGHTLY" in os.environ else 3 if INSTRUMENTED else 12
PROCESSOR_SECONDS = 600 if INSTRUMENTED else 60
LONGEST = 3500  # characters of a kernel that is mutated

# Kernels that optimize writes, for the machine as it is and for a slower one: each is equal to the kernel that it was made of.
SCHEDULES = {"%s.s" % name: ["optimize", "k.s", *options, "--budget", "300", "-o", "%s.s" % name] for name, options in {
    "optimized": [], "retimed": ["--retime"], "bubble_proof": ["--bubble-proof"],
    "slow": ["--set", "sfpu.latency.mad=3"], "slow_retimed": ["--retime", "--set", "sfpu.latency.mad=3"]}.items()}

# Exit code 2: the answer is "no" (not equal, hazards, not what was expected).
COMMANDS = [["lint", "k.s", "--schedules", "2", "--json"], ["lint", "k.s"], ["asm", "k.s", "-o", "k.hex"],
            ["schedule", "k.s", "--html", "s.html", "--svg", "s.svg"],
            *SCHEDULES.values(),
            ["run", "k.s", "--vcd", "k.vcd", "--stats", "k.json", "--konata", "k.konata"],
            ["debug", "k.s", "-c", "run row 1", "-c", "print L0", "-c", "back"]]
WORDS = ["0", "1", "-1", "15", "0xffff", "L0", "L7", "L9", "L16", "VB", "MAD", "SIMPLE", "ROUND", "STORE", "LOAD", "INT32", "FP32", "_",
         "4294967295", "0x80000000", "2.5", "(", ".rows"]
WORD = r"[A-Za-z0-9_.$#-]+"


def code_of(name):
    with open(name, encoding="utf-8") as file:
        lines = [line.split(";")[0].rstrip() for line in file.read().split("\n")]
    return [line for line in lines if line]


def originals():
    names = sorted(glob.glob(os.path.join(TREE, "kernels", "**", "*.s"), recursive=True) +
                   glob.glob(os.path.join(TREE, "tests", "data", "*.s")))
    return [lines for lines in map(code_of, names) if sum(map(len, lines)) < LONGEST]


KERNELS = originals()


def words_of(lines):
    return [re.findall(WORD, line) for line in lines]


ALL_WORDS = [words for lines in KERNELS for words in words_of(lines) if words]


def other_word(line, at, numbers):
    """A word for that place in a line: mostly one that has this place elsewhere, as nearly all kernels would be refused otherwise."""
    where = numbers.random()
    if where < 0.1:
        return numbers.choice(WORDS)
    if where < 0.2:
        return str(numbers.randrange(300))
    if at == 0:
        alike = [words[0] for words in ALL_WORDS if len(words) == len(line) and words[0][0].isalpha() == line[0][0].isalpha()]
    else:
        alike = [words[at] for words in ALL_WORDS if words[0] == line[0] and len(words) > at]
    return numbers.choice(sorted(set(alike)) or WORDS)


def mutated(numbers):
    lines = list(numbers.choice(KERNELS))
    for _ in range(numbers.choice([1, 1, 2, 3, 5])):
        at = numbers.randrange(len(lines))
        kind = numbers.random()
        if kind < 0.15 and len(lines) > 1:
            del lines[at]
        elif kind < 0.25:
            lines.insert(at, numbers.choice(lines))
        elif kind < 0.32:
            other = numbers.choice(KERNELS)
            first = numbers.randrange(len(other))
            lines[at:at] = other[first:first + numbers.randint(1, 4)]
        elif kind < 0.42:
            to = min(max(at + numbers.randint(-4, 4), 0), len(lines) - 1)
            lines[at], lines[to] = lines[to], lines[at]
        else:
            words = list(re.finditer(WORD, lines[at]))
            if words:
                place = numbers.randrange(len(words))
                new = other_word([word[0] for word in words], place, numbers)
                lines[at] = lines[at][:words[place].start()] + new + lines[at][words[place].end():]
    # As many rows as a kernel wants are run; that takes minutes and shows nothing new.
    return "\n".join(line for line in lines if not re.match(r"\s*\.(rows|loop|repeat)\b.*\d{4}", line))


def limit_processor_time():
    import resource
    resource.setrlimit(resource.RLIMIT_CPU, (PROCESSOR_SECONDS, PROCESSOR_SECONDS))


def ended(*arguments):
    return subprocess.run([SFPUSIM, *arguments], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          encoding="utf-8", errors="replace", preexec_fn=limit_processor_time)


def broken_promise(name):
    """The sentence that is false; None if there is none."""
    def complaint(process, codes, *command):
        what = "%s: exit code %d: %s" % (" ".join(command), process.returncode, process.stderr[-500:])
        if process.returncode not in codes: return what
        if process.returncode == 1 and name not in process.stderr and "--command" not in process.stderr:
            return "an error names the file: " + what
        return "no internal error: " + what if "internal" in process.stderr else None

    for command in COMMANDS:
        command = [name if word == "k.s" else word for word in command]
        found = complaint(ended(*command), (0, 1, 2), *command)
        if found: return found
    # What is no kernel is refused, and equal to itself is whatever can be run.
    itself = ended("equiv", name, name)
    found = complaint(itself, (0, 1), "equiv", name, name)
    if found: return found
    for schedule in SCHEDULES:
        # One that can be compared with nothing stays as it is.
        if itself.returncode == 0 and os.path.exists(schedule):
            process = ended("equiv", "--seeds", "2", name, schedule)
            if process.returncode != 0:
                return "%s is equal: exit code %d: %s%s" % (schedule, process.returncode, process.stdout, process.stderr)
    return None


def commands_keep_their_promises():
    start = os.getcwd()
    for seed in range(FIRST, FIRST + COUNT):
        text = mutated(random.Random(seed))
        with tempfile.TemporaryDirectory() as folder:
            os.chdir(folder)
            try:
                with open("k.s", "w", encoding="utf-8") as file:
                    file.write(text)
                found = broken_promise("k.s")
            finally:
                os.chdir(start)
        if found:
            with open("mutated-%d.s" % seed, "w", encoding="utf-8") as file:
                file.write(text)
        check(not found, "seed %d: %s" % (seed, found))


if __name__ == "__main__":
    sys.exit(run_tests([commands_keep_their_promises]))
