#!/usr/bin/env python3
"""Cycles a row that `optimize` finds for kernels whose schedules were found by hand or are published: never more. Those that take
longest are tried with SFPU_NIGHTLY only. Each search has a budget of conflicts, so that a busy machine finds the same.

usage: optimizer_figures.py SFPUSIM SOURCE_DIR
"""
import json
import os
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
from checks import INSTRUMENTED, check, run_tests  # noqa: E402

SFPUSIM = os.path.abspath(sys.argv[1])
NIGHTLY = "SFPU_NIGHTLY" in os.environ
FOLDER = tempfile.TemporaryDirectory()
SETUP = {"bh": ".equ stay, ADDR_MOD_7\n.equ step, ADDR_MOD_6\n.init\nsetc16 34, 2\nsetc16 35, 0\n",
         "wh": ".equ stay, ADDR_MOD_3\n.equ step, ADDR_MOD_2\n.init\nsetc16 2, 1\nsetc16 29, 2\nsetc16 30, 0\n"}
BOTH = ("bh", "wh")
LOAD, STORE = "sfpload L0, FP32, stay, 0\n", "sfpstore L0, FP32, step, 0\n"
LOAD_INT, STORE_INT = "sfpload L0, INT32, stay, 0\n", "sfpstore L0, INT32, step, 0\n"
PUSH, POP, ELSE, ON = "sfppushc 0, 0, 0, 0\n", "sfppopc 0, 0, 0, 0\n", "sfpcompc 0, 0, 0, 0\n", "sfpencc 0, 0, 0, 0\n"
PAIR = "sfpload L0, FP32, stay, 0\nsfpload L1, FP32, stay, 64\n"
FROM_INT = ("sfpabs 0, L0, L1, 0\nsfpcast L1, L2, 0\nsfpsetsgn 0, L2, L0, 0\nsfpsetcc 0, L1, 0, 0\nsfpaddi 0xcf00, L0, 0\n"
            "sfpnop\n" + ON)
FROM_UNSIGNED = ("sfpsetsgn 0, L0, L0, 1\nsfpcast L0, L0, 0\nsfpload L2, INT32, stay, 0\nsfpsetcc 0, L2, 0, 0\n"
                 "sfpaddi 0x4f00, L0, 0\nsfpnop\n" + ON)
ADD_ONE = "sfpadd L10, L0, L12, L0, 0\nsfpnop\n"
ROUND = "sfpstochrnd 0, 0, L0, L0, L0, 1\n"


def less(constant):
    """x - k < 0, where a register has -k."""
    return "sfpmad L0, L10, %s, L1, 0\nsfpnop\nsfpsetcc 0, L1, 0, 0\n" % constant


def at_least(constant):
    return less(constant).replace("L1, 0, 0\n", "L1, 0, 4\n")


def chosen(code, one):
    """x = test ? one : 0, as v_if and v_else write it."""
    return ("sfpmov 0, L0, L1, 0\n" + PUSH + "sfpsetcc 0, L1, 0, %d\n" % code + one + ELSE + "sfpmov 0, L9, L0, 0\n" + POP)


BOUNDS = ".constant L12, -1.5\n.constant L13, 1.5\n.constant L14, 2.5\n.constant L11, -2.5\n"
ACTIVATION = "sfpload L0, %s, stay, 0\n" + PUSH + "sfpsetcc 0, L0, 0, 0\n"
# The exponential of v_if(x < 0), by the exponent field of a sum.
CELU = (ACTIVATION % "BF16" + "sfpmul L0, L10, L9, L1, 0\nsfpnop\nsfpmul L1, L12, L9, L1, 0\n"
        "sfploadi L2, USHORT, 0x4340\nsfpiadd 0, L1, L2, 6\nsfpiadd 1016, L2, L1, 5\nsfpshft 7, L1, L1, 5\n"
        "sfpadd L10, L1, L7, L1, 0\nsfpnop\nsfpmul L10, L1, L9, L0, 0\n" + POP +
        "sfpstore L0, BF16, step, 0")
# The same by a clamp, the fraction's polynomial and SFPSETEXP, rounded and stored in the lanes that are on.
ELU = ((ACTIVATION % "SRCB").replace("L0", "L1") + "sfpmad L1, L7, L6, L1, 0\nsfpmov 0, L9, L0, 2\nsfpswap 0, L1, L0, 1\nsfpnop\n"
       "sfploadi L0, FLOATB, 0x437f\nsfpswap 0, L0, L1, 1\nsfpnop\nsfpexexp 0, L1, L0, 0\nsfpexman 0, L1, L1, 0\n"
       "sfpshft 0, L0, L1, 0\nsfpexexp 0, L1, L0, 1\nsfpexman 0, L1, L1, 1\nsfpcast L1, L1, 0\n"
       "sfpmad L1, L5, L4, L2, 0\nsfpnop\nsfpmad L1, L2, L3, L1, 0\nsfpnop\nsfpsetexp 0, L1, L0, 0\n"
       "sfpadd L10, L0, L10, L1, 2\nsfpnop\nsfpmul L10, L1, L9, L1, 0\nsfpnop\nsfpstochrnd 0, 0, L0, L1, L1, 1\n"
       "sfpstore L1, SRCB, stay, 0\n" + POP + "incrwc 0, 2, 0, 0")
EXPONENTIAL = "".join("sfploadi L%d, LOWER, 0x%x\nsfploadi L%d, UPPER, 0x%x\n" % (lreg, bits & 0xffff, lreg, bits >> 16)
                      for lreg, bits in ((7, 0x3fb8aa3b), (6, 0x42fe0000), (5, 0x27aca418), (4, 0x33a85ada),
                                         (3, 0x3f803885)))
# Name, cycles a row, chips, what .init sets, the row, what stands behind the loop.
BY_DAY = [
    ("max_in_place", 2, ["bh"], "", PAIR + "sfpswap 0, L1, L0, 1\nsfpnop\nsfpstore L1, FP32, step, 0", ""),
    ("min_by_threshold", 4, ["bh"], "sfploadi L3, FLOATB, 0x4000\nsfploadi L4, FLOATB, 0xc000\n",
     LOAD + "sfpmad L0, L10, L4, L2, 0\nsfpnop\nsfpsetcc 0, L2, 0, 0\nsfpstore L3, FP32, step, 0\n" + ON, ""),
    ("uint32_to_uint16", 2, ["bh"], "", "sfpload L0, INT32, stay, 0\nsfpload L1, HI16, stay, 0\nsfpiadd 0, L9, L1, 6\n"
     "sfpor 0, L1, L0, 0\nsfpstore L0, LO16, step, 0", ""),
    ("running_sum", 1, ["bh"], "sfploadi L0, USHORT, 0\n", "sfpload L1, INT32, step, 0\nsfpiadd 0, L1, L0, 4",
     "sfpstore L0, INT32, 0, 200"),
    ("int32_to_bf16", 4, ["bh"], "", LOAD_INT + FROM_INT + ROUND + "sfpstore L0, BF16, step, 0", ""),
    ("uint32_to_fp32", 3, ["wh"], "", LOAD_INT + FROM_UNSIGNED + STORE, ""),
    ("unary_max_int32", 4, ["bh"], ".constant L12, 77\n",
     LOAD_INT + "sfpnot 0, L0, L0, 0\nsfpswap 0, L12, L0, 1\nsfpnop\nsfpnot 0, L0, L0, 0\n" + STORE_INT, ""),
    ("where", 3, ["bh"], "", LOAD_INT + "sfpload L1, INT32, stay, 64\nsfpsetcc 0, L0, 0, 6\n"
     "sfpload L1, INT32, stay, 128\n" + ON + "sfpstore L1, INT32, step, 0", ""),
    ("fp32_to_uint16", 2, ["bh"], "", LOAD + "sfpswap 0, L9, L0, 9\nsfpnop\nsfpstochrnd 0, 0, L0, L0, L0, 6\n"
     "sfpstore L0, LO16, step, 0", ""),
    ("uint16_to_bf16", 1, ["wh"], "", "sfpload L0, LO16, stay, 0\nsfpcast L0, L0, 0\n" + ROUND +
     "sfpstore L0, BF16, step, 0", ""),
    ("relu", 2, ["wh"], "", LOAD + PUSH + "sfpsetcc 0, L0, 0, 0\nsfpmov 0, L9, L0, 0\n" + POP + STORE, ""),
    ("leaky_relu", 3, ["bh"], ".constant L12, 0.1\n",
     LOAD + PUSH + "sfpsetcc 0, L0, 0, 0\nsfpmad L0, L12, L9, L0, 0\nsfpnop\n" + POP + STORE, ""),
    ("elu", 20, ["bh"], EXPONENTIAL, ELU, ""),
    ("reciprocal_of_24_bits", 5, ["bh"], "", LOAD + "sfparecip 0, L0, L1, 0\nsfpmad L0, L1, L10, L2, 1\n"
     "sfpmad L2, L2, L2, L3, 0\nsfpmad L3, L2, L2, L3, 0\nsfpnop\nsfpswap 0, L10, L3, 1\nsfpnop\nsfpmad L3, L1, L1, L0, 0\n" + STORE, ""),
    ("hardtanh", 5, ["wh"], ".constant L12, 1.0\n.constant L13, -2.0\n",
     LOAD + ADD_ONE + PUSH + "sfpsetcc 0, L0, 0, 0\nsfpmov 0, L9, L0, 0\n" + POP + ADD_ONE.replace("L12", "L13") + PUSH +
     "sfpsetcc 0, L0, 0, 4\nsfploadi L0, FLOATB, 0\n" + POP + ADD_ONE + STORE, ""),
]
BY_NIGHT = [
    ("relu_max", 4, BOTH, BOUNDS, LOAD + PUSH + at_least("L11") + "sfpmov 0, L14, L0, 0\n" + POP + PUSH +
     "sfpsetcc 0, L0, 0, 0\nsfpmov 0, L9, L0, 0\n" + POP + STORE, ""),
    ("clamp", 4, BOTH, BOUNDS, LOAD + PUSH + less("L13") + "sfpmov 0, L12, L0, 0\n" + ELSE + at_least("L11") +
     "sfpmov 0, L14, L0, 0\n" + POP + STORE, ""),
    ("equal_to_0", 2, BOTH, "", LOAD + chosen(6, "sfpmov 0, L10, L0, 0\n") + STORE, ""),
    ("less_than_0", 1, BOTH, "", LOAD + chosen(0, "sfpmov 0, L10, L0, 0\n") + STORE, ""),
    ("integer_equal_to_0", 1, BOTH, "", LOAD_INT + chosen(6, "sfploadi L0, USHORT, 1\n") + STORE_INT, ""),
    ("integer_less_than_0", 1, BOTH, "", LOAD_INT + chosen(0, "sfploadi L0, USHORT, 1\n") + STORE_INT, ""),
    ("max_of_integers", 5.5, ["bh"], "", PAIR.replace("FP32", "INT32") + "sfpswap 0, L1, L0, 1\nsfpnop\n"
     "sfpsetcc 0, L0, 0, 0\nsfpsetcc 0, L1, 0, 0\nsfpswap 0, L1, L0, 0\nsfpnop\n" + ON +
     "sfpstore L1, INT32, step, 0", ""),
    ("celu", 7, ["bh"], ".constant L12, 184.66\nsfploadi L7, FLOATB, 0xbf80\n", CELU, ""),
    ("not_equal_to_0", 2, ["bh"], "", LOAD + chosen(2, "sfpmov 0, L10, L0, 0\n") + STORE, ""),
    ("greater_than_0", 2, ["bh"], "", LOAD + chosen(4, "sfpsetcc 0, L1, 0, 2\nsfpmov 0, L10, L0, 0\n") + STORE, ""),
    ("greater_than_0", 5, ["wh"], "", LOAD + chosen(4, "sfpsetcc 0, L1, 0, 2\nsfpmov 0, L10, L0, 0\n") + STORE, ""),
]


def reaches(name, cycles, arch, init, row, tail, budget):
    path = os.path.join(FOLDER.name, "%s_%s.s" % (name, arch))
    with open(path, "w") as file:
        file.write(".arch %s\n.rows 32\n%ssfpencc 3, 0, 0, 10\n%s.loop\n%s\n%s" % (
            arch, SETUP[arch], init, row, ".tail\n" + tail + "\n" if tail else ""))
    done = subprocess.run([SFPUSIM, "optimize", "--quiet", "--json", "--budget", budget, "--at-most", str(cycles), path],
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=600)
    check(done.returncode == 0, "%s (%s): exit code 0, got %d: %s" % (name, arch, done.returncode, done.stderr))
    if done.returncode != 0:
        return
    found = json.loads(done.stdout)
    check(found["best"]["cycles_per_row"] <= cycles, "%s (%s): %g cycles a row, got %g" % (
        name, arch, cycles, found["best"]["cycles_per_row"]))
    check(not found["rewrites"] or found["rewritten_row"] in ("proved", "exhaustive"),
          "%s (%s): other instructions are proved equal: %s" % (name, arch, found["rewritten_row"]))


def kernels_take_no_more_than_by_hand():
    table = BY_DAY[:3] if INSTRUMENTED else BY_DAY + BY_NIGHT if NIGHTLY else BY_DAY
    for entry in table:
        name, cycles, chips, init, row, tail = entry
        for arch in chips:
            reaches(name, cycles, arch, init, row, tail, "100000" if entry in BY_DAY else "400000")


if __name__ == "__main__":
    sys.exit(run_tests([kernels_take_no_more_than_by_hand]))
