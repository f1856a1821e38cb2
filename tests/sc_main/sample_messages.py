#!/usr/bin/env python3
"""Each explanation of a diagnostic has a message as the program gives it: here are the programs that give them.

usage: sample_messages.py SFPUSIM SOURCE_DIR [--print]

--print writes what the programs say now, as the rows of views/src/report_samples.h.
"""
import json
import os
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
from checks import check, run_tests  # noqa: E402

SFPUSIM = os.path.abspath(sys.argv[1])
# Given by no kernel: only a tile has them, or threads, or nothing at all.
ELSEWHERE = {"/sfpu/isa/unimplemented", "/sfpu/dst/window-write-distance", "/sfpu/dst/window-access", "/sfpu/dst/format-changed",
             "/sfpu/registers/not-modelled", "/sfpu/macro/other-thread", "/sfpu/frontend/collision", "/sfpu/frontend/mop-config-race",
             "/sfpu/tensorload/bus-error", "/sfpu/hart/misaligned", "/sfpu/hart/bus-error"}
SEQUENCE = """.init
    .template   0, sfpabs 0, _, _, FLOAT
    .template   1, sfpmul L0, _, L9, _, 0
    .macro      0, %s
    .misc       load_mode=0%s
    sfpnop
    sfpnop
.loop
    sfploadmacro 0, L0, FP32, 3, 0
"""


def macro(sequence, misc="", behind=""):
    """One macro, the SFPLOADMACRO in line 9, and what follows it."""
    return ".rows 1\n" + SEQUENCE % (sequence, misc) + behind


# By id: the chip and a kernel.
PROGRAMS = {
    "isa/undefined": ("bh", "sfpshft2 0, L0, L1, 7\n"),
    "isa/non-contractual": ("bh", "sfpswap 0, L0, L1, 10\n"),
    "isa/not-modelled": ("bh", ".word 0x26000000\n"),
    "isa/constant-register": ("bh", "sfpmov 0, L1, L11, 0\n"),
    "kernel/redefined-name": ("bh", ".equ offset, 2\n.equ offset, 4\n.loop\nsfpnop\n"),
    "kernel/empty-loop": ("bh", "sfpnop\n.loop\n"),
    "kernel/no-loop": ("bh", "sfploadi L0, FLOATB, 1.0\nsfpstore L0, BF16, 0, 0\n"),
    "kernel/truncated-division": ("bh", "sfploadi L0, FLOATB, 1 / 6\n"),
    "kernel/address-carry": ("bh", ".config dst_rwc, 1\n" + macro("simple=(template=0, delay=0)").replace("macro 0, L0", "macro 0, L4")),
    "kernel/unused-input": ("bh", ".input x, 0, bf16\nsfpload L0, BF16, 3, 2\n"),
    "kernel/unstored-output": ("bh", ".output y, 0, bf16\nsfpload L0, BF16, 3, 0\nsfpstore L0, BF16, 3, 2\n"),
    "kernel/partial-output": ("bh", ".output y, 0, bf16\n.rows 2\n.loop\nsfploadi L0, FLOATB, 1.0\nsfpstore L0, BF16, 3, 0\n"),
    "kernel/overlapping-data": ("bh", ".rows 2\n.input a, 0, bf16\n.input b, 2, bf16\n.loop\nsfpload L0, BF16, 3, 0\nsfpload L1, BF16, 3, 2\n"),
    "kernel/store-to-template": ("bh", "sfpstore L12, FP32, 3, 0\n"),
    "issue/discarded-by-macro": ("bh", macro("simple=(template=0, delay=0)", "", "    sfpabs 0, L1, L2, 0\n")),
    "hazard/unprotected-read": ("bh", "sfpmad L0, L1, L2, L3, 0\nsfpiadd 0, L4, L3, 4\n"),
    "hazard/write-collision": ("bh", "sfpmad L0, L1, L2, L3, 0\nsfploadi L3, USHORT, 1\n"),
    "hazard/late-write": ("bh", ".config sfpu.latency.mad, 3\nsfpmul L0, L0, L9, L1, 0\nsfpmov 0, L2, L1, 0\n"),
    "hazard/simple-round-conflict": ("bh", macro("simple=(template=0, delay=0), round=(template=2, delay=0)").replace(
        ".macro", ".template   2, sfpshft2 -1, _, _, SHFT_IMM\n    .macro", 1)),
    "hazard/swap-neighbour": ("bh", macro("round=(template=2, delay=1)", "", "    sfpswap 0, L1, L2, VEC_MIN_MAX\n").replace(
        ".macro", ".template   2, sfpshft2 -1, _, _, SHFT_IMM\n    .macro", 1)),
    "hazard/shft2-neighbour": ("wh", "sfpshft2 0, L1, L2, 3\nsfpabs 0, L4, L5, 0\n"),
    "hazard/laneconfig-neighbour": ("bh", "sfpconfig 2, LANECONFIG, 1\nsfpcast L0, L12, 0\n"),
    "hazard/config-macro-distance": ("bh", macro("simple=(template=0, delay=0)").replace("    sfpnop\n", "")),
    "hazard/misc-left-armed": ("wh", "sfpconfig 0x100, MISC, 1\nsfpnop\nsfpnop\nsfpload L0, INT32, 3, 0\nsfpstore L0, INT32, 3, 0\n"),
    "hazard/l16-overwritten": ("bh", macro("simple=(template=0, delay=0, l16), store=(delay=2, l16)", "",
                                           "    sfploadmacro 0, L1, FP32, 3, 2\n    sfpnop\n    sfpnop\n    sfpnop\n")),
    "hazard/lreg-overwritten": ("bh", macro("simple=(template=0, delay=0)", "", "    sfpnop\n    sfploadi L0, USHORT, 1\n    sfpstore L0, INT32, 3, 16\n")),
    "hazard/unwritten-read": ("bh", "sfpstore L3, INT32, 3, 0\n"),
    "dst/store-load-distance": ("bh", "sfploadi L0, USHORT, 1\nsfpstore L0, INT32, 3, 0\nsfpload L1, INT32, 3, 0\n"),
    "macro/forgotten": ("bh", macro("simple=(template=0, delay=1)", "", "    sfploadmacro 1, L2, FP32, 3, 8\n").replace(
        "    .misc", "    .macro      1, simple=(template=0, delay=0)\n    .misc", 1)),
    "macro/never-drained": ("bh", macro("simple=(template=0, delay=3)", ", count_instructions=simple")),
    "macro/selector-one": ("bh", macro("simple=(selector=1)")),
    "macro/template-not-executable": ("bh", macro("simple=(template=1)")),
    "macro/store-without-store": ("bh", macro("store=(nop)")),
    "macro/template-distance": ("bh", macro("simple=(template=0, delay=0)").replace("    sfpnop\n.loop", "    .template   0, sfpabs 0, _, _, FLOAT\n.loop")),
    "macro/configured-in-flight": ("bh", macro("simple=(template=0, delay=1)", "", "    sfpconfig 0x100, MISC, 1\n")),
    "macro/lanes-move": ("bh", macro("simple=(template=0, delay=1)", "", "    sfptransp 0, 0, 0, 0\n")),
    "macro/store-beside-flags": ("bh", macro("simple=(template=0, delay=0), store=(delay=0)").replace("sfpabs 0, _, _, FLOAT", "sfpencc 0, 0, L12, 0")),
    "macro/drained-by-cycles": ("bh", macro("store=(delay=2)")),
    "macro/lanes-differ": ("bh", macro("simple=(template=0, delay=0)").replace("    sfpnop\n    sfpnop\n",
                                                                           "    sfploadi L0, USHORT, 0\n    sfpconfig 1, SEQUENCE0, 8\n    sfpnop\n    sfpnop\n")),
    "macro/slots-full": ("bh", ".config macro.slots, 1\n" + macro("simple=(template=0, delay=3)", "", "    sfploadmacro 0, L2, FP32, 3, 8\n")),
    "macro/beyond-machine": ("bh", ".config macro.templates, 2\nsfploadi L0, LOWER, 6\nsfploadi L0, UPPER, 0\nsfpconfig 0, SEQUENCE0, 0\nsfpconfig 0, MISC, 1\n"
                             "sfpnop\nsfpnop\nsfploadmacro 0, L1, INT32, 3, 0\n"),
    "macro/stale-configuration": ("bh", "sfpcast L0, L12, 0\nsfploadi L0, USHORT, 0x0c\nsfpconfig 0, SEQUENCE0, 0\nsfpnop\nsfpnop\nsfploadmacro 0, L0, INT32, 3, 0\n"),
    "macro/other-than-chip": ("bh", ".config sfpu.latency.mad, 3\n" + macro("mad=(template=1, delay=0, vb, l16), store=(delay=2, l16)")),
    "flags/stack-overflow": ("bh", "sfppushc 0, 0, 0, 0\n" * 9),
    "flags/stack-underflow": ("bh", "sfppopc 0, 0, 0, 0\n"),
    "frontend/config-index": ("bh", "setc16 63, 0\n"),
    "frontend/idle-condition": ("bh", "stallwait 0x100, 1\nsfpnop\n"),
    "frontend/never-released": ("bh", "semwait 0x100, 1, 1\nsfpnop\n"),
    "frontend/replay-unloaded": ("bh", "replay 0, 4, 0, 0\n"),
    "frontend/record-behind-store": ("bh", "setc16 34, 2\nsfpstore L0, INT32, ADDR_MOD_6, 0\nreplay 0, 1, 0, 1\nsfpnop\n"),
}


def said(which):
    """The first message of this id that `lint` gives for its program; None if there is none."""
    chip, text = PROGRAMS[which]
    with open("kernel.s", "w") as file:
        file.write(text)
    done = subprocess.run([SFPUSIM, "lint", "--json", "--schedules", "0", "--rows", "2" if ".rows 2" in text else "1", "--arch", chip, "kernel.s"],
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, universal_newlines=True)
    if not done.stdout:
        return check(False, "%s: %s" % (which, done.stderr))
    answer = json.loads(done.stdout)
    found = [each["message"] for each in answer["hazards"] + answer["remarks"] if each["id"] == "/sfpu/" + which]
    return found[0] if found else None


def each_explanation_has_a_message_that_is_true():
    known = {each["id"]: each for each in json.loads(subprocess.run([SFPUSIM, "info", "--explain", "all", "--json"], check=True, stdout=subprocess.PIPE,
                                                                    universal_newlines=True).stdout)}
    check(set(known) == ELSEWHERE | {"/sfpu/" + which for which in PROGRAMS}, "each id has a program or none: %s"
          % (set(known) ^ (ELSEWHERE | {"/sfpu/" + which for which in PROGRAMS})))
    for which in PROGRAMS:
        check(known["/sfpu/" + which]["sample"] == said(which), "%s: explained by %r, and the program says %r"
              % (which, known["/sfpu/" + which]["sample"], said(which)))
    check(all(known[each]["sample"] is None for each in ELSEWHERE), "no sample where nothing gives it")


def main():
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        if "--print" in sys.argv:
            for which in PROGRAMS:
                print("    {report_id::%s,\n     %s}," % (which.replace("/", "_").replace("-", "_"), json.dumps(said(which))))
            return 0
        code = run_tests((each_explanation_has_a_message_that_is_true,))
        os.chdir("/")
    return code


if __name__ == "__main__":
    sys.exit(main())
