#!/usr/bin/env python3
"""The kernels that sfpusim optimize wrote are equal to their plain forms, run at the cycles that they promise, and are no slower.

usage: optimized_kernels.py SFPUSIM SOURCE_DIR
"""
import os
import re
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
from checks import check, run_tests  # noqa: E402

SFPUSIM, SOURCE_DIR = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
FOLDER = os.path.join(SOURCE_DIR, "kernels", "optimized")
ELSEWHERE = {"mul32": os.path.join(SOURCE_DIR, "kernels", "mul32.s")}

# Cycles a row that were published, or that the plan of the optimiser set as its aim.
AIMS = {"mul32": 7, "reciprocal_approximate": 1, "uint16_to_bf16": 1, "mul_uint16": 2, "fp32_to_bf16": 3,
        "uint16_to_fp32": 1, "int32_to_fp32": 4, "where_in_place": 3, "where_out": 4, "signbit": 1, "abs": 1,
        "negative": 1, "bitwise_not": 1, "square": 1, "linear": 1, "tanh_table": 1, "int_add": 2, "bitwise_and": 2,
        "bitwise_or": 2, "bitwise_xor": 2, "int_add_out": 3, "float_add": 2, "float_subtract": 2, "float_multiply": 2,
        "relu": 2, "clamp": 4, "multiply_accumulate": 3, "multiply_accumulate_out": 4, "cube": 2,
        "newton_reciprocal": 3, "horner_2": 2, "horner_3": 3, "horner_4": 4}


def sfpusim(*arguments):
    return subprocess.run([SFPUSIM, *arguments], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, timeout=120)


def pairs():
    """Name, plain file, macro file."""
    for file in sorted(os.listdir(FOLDER)):
        if file.endswith("_macro.s"):
            name = file[:-len("_macro.s")]
            yield name, ELSEWHERE.get(name, os.path.join(FOLDER, name + ".s")), os.path.join(FOLDER, file)


def each_schedule_is_equal_to_its_plain_kernel():
    for name, plain, macro in pairs():
        done = sfpusim("equiv", "--seeds", "2", plain, macro)
        check(done.returncode == 0, "%s: %s%s" % (name, done.stdout.decode(), done.stderr.decode()))


def each_schedule_runs_without_errors_at_the_cycles_that_it_promises():
    for name, _, macro in pairs():
        done = sfpusim("run", "--hazards=error", macro)
        check(done.returncode == 0, "%s: %s%s" % (name, done.stdout.decode(), done.stderr.decode()))


def aims_are_reached_on_both_chips():
    promised = {}
    for name, _, macro in pairs():
        with open(macro) as file:
            promised[name] = float(re.search(r"\.expect cycles_per_row (\S+)", file.read()).group(1))
    for name, aim in AIMS.items():
        check(promised.get(name, 1e9) <= aim, "%s takes at most %d cycles: %s" % (name, aim, promised.get(name)))
    for name, cycles in promised.items():
        if name.endswith("_wh"):
            check(cycles <= AIMS[name[:-3]], "%s takes %g cycles" % (name, cycles))
    check(sum(name.endswith("_wh") for name in promised) >= 25, "25 of them are for Wormhole")


if __name__ == "__main__":
    sys.exit(run_tests([
        each_schedule_is_equal_to_its_plain_kernel,
        each_schedule_runs_without_errors_at_the_cycles_that_it_promises,
        aims_are_reached_on_both_chips,
    ]))
