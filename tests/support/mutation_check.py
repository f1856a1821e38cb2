#!/usr/bin/env python3
"""Shows that the tests notice changed timing rules: makes each mutation below in a copy of the sources, builds it, runs
the tests that should fail and says which did. Not part of the test suite, since it takes a build for each mutation.

usage: mutation_check.py WORK_DIR [RULE...]      for example: mutation_check.py build/mutants T1 T10

WORK_DIR is created; a copy and a build in it are used again. Exit code 0 if every mutation is noticed, 1 if one is not,
2 if something cannot be built or a mutation no longer fits the sources.
"""
import os
import re
import shutil
import subprocess
import sys

SOURCE_DIR = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
TIMING = "models/timing/"
SLOTS_H, SLOTS = TIMING + "include/sfpu/timing/macro_slots.h", TIMING + "src/macro_slots.cpp"
RESULTS_H = TIMING + "include/sfpu/timing/write_back.h"
PROGRAM, ISSUE = TIMING + "src/macro_program.cpp", TIMING + "src/issue_rules.cpp"
NEIGHBOURS = TIMING + "src/neighbour_rules.cpp"

# rule, what the mutation does to it, file, text, text that replaces it
MUTATIONS = [
    ("T1", "scheduled instructions execute a tick late", SLOTS_H,
     "const unsigned position = at(delay), bit", "const unsigned position = at(delay + 1), bit"),
    ("T1", "the delay field has two bits", PROGRAM,
     "byte.delay() & ((1u << unit_config.macro_delay_bits) - 1u)", "byte.delay() & 3u"),
    ("T2", "a lone result is written at once although an older one arrives in the same cycle", RESULTS_H,
     "return (due_[slot(at)].lregs & insn.lregs_written) == 0;", "return insn.lregs_written == 0 || at.count() >= 0;"),
    ("T2", "results that arrive while nothing is issued are not waited for", RESULTS_H,
     "return last_ > at;", "return last_ > at && at.count() < 0;"),
    ("T3", "the stall logic takes MAD results to be visible a cycle earlier", ISSUE,
     "set(latency_class::mad, config.latency_mad);", "set(latency_class::mad, config.latency_mad - 1);"),
    ("T3", "the stall logic takes MAD results to be visible a cycle later", ISSUE,
     "set(latency_class::mad, config.latency_mad);", "set(latency_class::mad, config.latency_mad + 1);"),
    ("T8", "SFPSWAP does not read its operands again in its second cycle", RESULTS_H,
     "static_cast<unsigned>(result_port::swap)) read_exchange(at, state);",
     "static_cast<unsigned>(result_port::swap) && at.count() < 0) read_exchange(at, state);"),
    ("T8", "Simple and Round may work in the second cycle of SFPSWAP", NEIGHBOURS,
     "if (at == swap_second_cycle_) faults.swap = simple || round;", ""),
    ("T8", "nothing waits for the second cycle of SFPSWAP", ISSUE,
     "if (is_swap || auto_stall_) {", "if (!is_swap && auto_stall_) {"),
    ("T10", "every cycle is a tick", SLOTS_H,
     "return sfpu_instruction_issued || !any_entry_counts_instructions;",
     "return sfpu_instruction_issued || any_entry_counts_instructions || true;"),
    ("T10", "only cycles with an issue are ticks", SLOTS_H,
     "return sfpu_instruction_issued || !any_entry_counts_instructions;",
     "return sfpu_instruction_issued && (any_entry_counts_instructions || true);"),
    ("T12", "selector 0 schedules SFPNOP, so that what waits in the slot is forgotten", PROGRAM,
     "if (byte.selector() == 0) continue;",
     "if (byte.selector() == 0) result.insn[u] = isa::decode(sfpnop_word, arch), result.units |= 1u << u;"
     "if (byte.selector() == 0) continue;"),
    ("T12", "what waits in the slot of a new entry stays there", SLOTS,
     "    place = entry;", "    if (!forgotten) place = entry;"),
    ("T14", "bit 7 of a sequence byte has the opposite meaning", PROGRAM,
     "if (byte.vb_is_loaded()) {", "if (!byte.vb_is_loaded()) {"),
    ("T14", "bit 6 does not select L16", PROGRAM,
     "insn.vd = byte.uses_l16() ? std::uint8_t{isa::macro_lreg} : reg;", "insn.vd = reg;"),
    ("T14", "a store keeps the register of its template", PROGRAM,
     "else if (!byte.vb_is_loaded()) insn.vd = static_cast<std::uint8_t>(loaded);", "else (void)loaded;"),
    ("T14", "stores always take their mode from Misc", PROGRAM,
     "result.store_takes_load_mod = config.misc >> (4 + macro_index) & 1u;", "result.store_takes_load_mod = false;"),
]

SHOWN = 12  # failing tests that are named


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


def failing_in(program, output):
    """Names of the failing tests of a GoogleTest program."""
    build(output, program)
    text = run([os.path.join(output, "tests", program), "--gtest_brief=1"], timeout=1800).stdout
    names = set(re.findall(r"^\[  FAILED  \] ([^\s,]+\.[^\s,]+)", text, re.MULTILINE))
    if not re.search(r"tests? from \d+ test suites? ran", text):
        names.add(program + " (ended early)")
    return sorted(names)


def failing_vectors(tree, output):
    """Names of the files of recorded programs whose results differ."""
    build(output, "sfpusim")
    data = os.path.join(tree, "tests", "data")
    vectors = [name for name in sorted(os.listdir(data)) if name.startswith("timing_")]
    return ["vectors." + name.split(".")[0] for name in vectors
            if run([sys.executable, os.path.join(tree, "tests", "support", "compare_exec.py"),
                    os.path.join(output, "bin", "sfpusim"), os.path.join(data, name)]).returncode != 0]


def failing_tests(tree, output):
    """Unit tests that fail if any does, else tests with SystemC, else recorded programs: the quick ones first."""
    for program in ("unit_tests", "system_tests", "tlm_tests"):
        names = failing_in(program, output)
        if names:
            return names
    return failing_vectors(tree, output)


def main():
    if len(sys.argv) < 2 or sys.argv[1].startswith("-"):
        fail(__doc__)
    work, wanted = os.path.abspath(sys.argv[1]), set(sys.argv[2:])
    unknown = wanted - {rule for rule, *_ in MUTATIONS}
    if unknown:
        known = sorted({rule for rule, *_ in MUTATIONS})
        fail("no mutation of %s; there are %s" % (", ".join(sorted(unknown)), ", ".join(known)))
    tree, output = os.path.join(work, "tree"), os.path.join(work, "build")
    copy_sources(tree)
    configure(tree, output)
    try:
        failing = failing_tests(tree, output)
    except RuntimeError as problem:
        fail("the sources: %s" % problem)
    if failing:
        fail("without a mutation these tests fail: " + ", ".join(failing))

    unnoticed = broken = 0
    for rule, what, path, old, new in MUTATIONS:
        if wanted and rule not in wanted:
            continue
        file = os.path.join(tree, path)
        original = read(file)
        if original.count(old.encode()) != 1:
            print("%-4s %s: %s has the text to replace %d times" % (rule, what, path, original.count(old.encode())))
            broken += 1
            continue
        write(file, original.replace(old.encode(), new.encode()))
        try:
            failing = failing_tests(tree, output)
        except RuntimeError as problem:
            print("%-4s %s: %s" % (rule, what, problem))
            broken += 1
            continue
        finally:
            write(file, original)
        unnoticed += not failing
        print("%-4s %-85s %s" % (rule, what, "%d tests fail" % len(failing) if failing else "NOT NOTICED"), flush=True)
        for name in failing[:SHOWN]:
            print("         " + name, flush=True)
    return 2 if broken else 1 if unnoticed else 0


if __name__ == "__main__":
    sys.exit(main())
