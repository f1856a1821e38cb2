#!/usr/bin/env python3
"""Three published mistakes in kernels of the vendor's library, as small kernels that make the same mistake: `lint` finds each, and
the published cure takes it away.

usage: published_bugs.py SFPUSIM SOURCE_DIR
"""
import json
import os
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
from checks import INSTRUMENTED, check, run_tests  # noqa: E402

SFPUSIM = os.path.abspath(sys.argv[1])
FOLDER = tempfile.TemporaryDirectory()

# tenstorrent/tt-metal#56751: a reciprocal is right until instrumentation puts idle cycles into the stream, because two delays count
# cycles; two bits of Misc cure it. Here SFPARECIP and the last SFPMAD are issued and what is scheduled must come behind them.
RECIPROCAL = """.arch bh
.rows 8
.input x, 0x00, f32
.output y, x, f32
.init
    setc16      34, 2                               ; ADDR_MOD_6: Dst += 2
    setc16      35, 0                               ; ADDR_MOD_7: stay
    .template   0, sfpmad L1, _, L10, _, NEGATE_VA  ; [x] = 1 - L1 [x]
    .macro      0, mad=(template=0, delay=1, vb)
    .macro      1, store=(delay=2)
    .misc       load_mode=1%s
    sfpnop
    sfpnop
.loop
    sfpload     L0, FP32, ADDR_MOD_7, x
    sfploadmacro 0, L2, FP32, ADDR_MOD_7, x
    sfparecip   0, L0, L1, 0                        ; y
    sfpnop
    sfploadmacro 1, L3, FP32, ADDR_MOD_6, x
    sfpmad      L1, L2, L1, L3, 0                   ; y + y e
.tail
    sfpnop
    sfpnop
"""
PLAIN_RECIPROCAL = """.arch bh
.rows 8
.input x, 0x00, f32
.output y, x, f32
.init
    setc16      34, 2
    setc16      35, 0
.loop
    sfpload     L0, FP32, ADDR_MOD_7, x
    sfparecip   0, L0, L1, 0
    sfpmad      L0, L1, L10, L2, NEGATE_VA
    sfpmad      L1, L2, L1, L3, 0
    sfpstore    L3, FP32, ADDR_MOD_6, y
"""

# tenstorrent/tt-metal#45660: a constant is patched into Dst by a macro's store, between two loads of the same place. Where nothing
# fills the gaps the first load sees it, too. The cure makes the patched value in a register.
PATCH = """.arch bh
.rows 8
.input x, 0x00, u16
.output y, 0x40, u16
.init
    setc16      34, 2
    setc16      35, 0
%s.loop
%s    sfpxor      0, L1, L2, 0
    sfpstore    L2, UINT16, ADDR_MOD_6, y
"""
PATCH_IN_DST = PATCH % ("""    .constant   L13, 0x8000
    .template   1, sfpstore L13, UINT16, 0, 0
    .macro      0, store=(template=1, delay=1, vb)
    .misc       store_mode=UINT16
    sfpnop
    sfpnop
""", """    sfploadmacro 0, L0, UINT16, ADDR_MOD_7, x       ; the store follows two cycles later
    sfpload     L1, UINT16, ADDR_MOD_7, x           ; x as it was
    sfpnop
    sfpload     L2, UINT16, ADDR_MOD_7, x           ; x as it is
""")
PATCH_IN_REGISTER = PATCH % ("", """    sfpload     L1, UINT16, ADDR_MOD_7, x
    sfpload     L2, UINT16, ADDR_MOD_7, x
    sfploadi    L2, USHORT, 0x8000
""")

# A conversion of unsigned integers to BF16 that shifts by L12 and never writes it: right behind a kernel that left -31 there.
CONVERSION = """.arch bh
.rows 8
.input x, 0x00, u32
.output y, x, bf16
.init
    setc16      34, 2
    setc16      35, 0
%s    sfploadi    L0, USHORT, 0
    sfploadi    L1, FLOATB, bf16(2147483648.0)
.loop
    sfpload     L2, INT32, ADDR_MOD_7, x
    sfpshft2    L2, L12, L7, 5                      ; the topmost bit
    sfpsetsgn   0, L2, L3, ARG_IMM                  ; the others
    sfpcast     L3, L3, 0
    sfpmad      L0, L10, L3, L4, INDIRECT_VA        ; + L[L7]: 0 or 2^31
    sfpstochrnd 0, 0, L0, L4, L5, FP32_TO_FP16B
    sfpstore    L5, BF16, ADDR_MOD_6, y
"""


def written(name, text):
    with open(os.path.join(FOLDER.name, name), "w") as file:
        file.write(text)
    return os.path.join(FOLDER.name, name)


def line_of(text, part):
    return 1 + next(i for i, line in enumerate(text.splitlines()) if part in line)


def sfpusim(*arguments):
    return subprocess.run([SFPUSIM, *arguments], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          universal_newlines=True)


def lint(name, text):
    return json.loads(sfpusim("lint", written(name, text), "--json", "--schedules", "10").stdout)


def a_reciprocal_whose_delays_count_cycles_fails_under_instrumentation():
    broken, cured = RECIPROCAL % "", RECIPROCAL % ", count_instructions=(mad, store)"
    found = lint("broken.s", broken)
    places = [line_of(broken, "sfparecip"), line_of(broken, "sfpmad      L1")]
    check(found["verdict"] == "replay-only", "right without gaps: %s" % found["verdict"])
    check([each["line"] for each in found["boundaries"]] == places, "gaps matter before what must come first: %s" % found["boundaries"])
    check(found["random_changed"] == 10, "and with gaps anywhere it is wrong: %d" % found["random_changed"])
    check(lint("cured.s", cured)["verdict"] == "robust", "two bits cure it")
    plain = written("plain.s", PLAIN_RECIPROCAL)
    check(sfpusim("equiv", plain, written("cured.s", cured)).returncode == 0, "and it is the reciprocal")
    if INSTRUMENTED:
        return
    for one in ("mad", "store"):
        text = RECIPROCAL % ", count_instructions=%s" % one
        check(lint("half.s", text)["verdict"] == "replay-only", "one bit, of %s, is not enough" % one)
    out = os.path.join(FOLDER.name, "fixed.s")
    fixed = sfpusim("lint", written("broken.s", broken), "--schedules", "10", "--fix", "-o", out)
    check(fixed.returncode == 0, "--fix finds a cure: %s" % fixed.stdout)
    for unit in ("mad", "store"):
        check("let delays of %s count instructions (line 11)" % unit in fixed.stdout, "which is the two bits: %s" % fixed.stdout)
    check(sfpusim("equiv", plain, out).returncode == 0, "what is fixed is the reciprocal, too")


def a_patch_through_dst_depends_on_bubbles():
    found = lint("dst.s", PATCH_IN_DST)
    check(found["verdict"] == "replay-only", "right without gaps: %s" % found["verdict"])
    check([each["line"] for each in found["boundaries"]] == [line_of(PATCH_IN_DST, "x as it was")], "%s" % found["boundaries"])
    check("sfpstore L13" in found["boundaries"][0]["moved"], "the store overtakes: %s" % found["boundaries"])
    check("/sfpu/dst/store-load-distance" in [each["id"] for each in found["hazards"]], "a load so soon behind a store is told")
    check(lint("register.s", PATCH_IN_REGISTER)["verdict"] == "robust", "in a register nothing can overtake")
    same = sfpusim("equiv", written("dst.s", PATCH_IN_DST), written("register.s", PATCH_IN_REGISTER))
    check(same.returncode == 0, "and it is the same without gaps: %s" % same.stdout)


def a_constant_that_was_never_written_is_told():
    broken, cured = CONVERSION % "", CONVERSION % "    .constant   L12, -31\n"
    found = lint("unwritten.s", broken)
    told = {each["line"]: each["message"] for each in found["hazards"] if each["id"] == "/sfpu/hazard/unwritten-read"}
    line = line_of(broken, "sfpshft2")
    check(found["verdict"] == "broken" and line in told, "it is broken, where L12 is read: %s" % found["hazards"])
    check("reads L12, which this program has not written" in told[line], told[line])
    check(lint("written.s", cured)["verdict"] == "robust", "with the constant it is robust")
    values = [0, 1, 1 << 31, (1 << 31) + (1 << 24), (1 << 32) - (1 << 25), 257, 3 << 30, 255] * 32
    # 257 is a tie between 256 and 258 of the eight bits of BF16; this mode of SFPSTOCHRND rounds ties away from zero.
    rounded = [258 if value == 257 else value for value in values]
    files = ["%s=%s" % (name, written(name + ".csv", ",".join(map(str, numbers)))) for name, numbers in (("x", values), ("y", rounded))]
    done = sfpusim("run", written("written.s", cured), "--quiet", "--input", files[0], "--expect", files[1])
    check(done.returncode == 0, "unsigned integers, rounded: %s" % done.stderr)


if __name__ == "__main__":
    sys.exit(run_tests([
        a_reciprocal_whose_delays_count_cycles_fails_under_instrumentation,
        a_patch_through_dst_depends_on_bubbles,
        a_constant_that_was_never_written_is_told,
    ]))
