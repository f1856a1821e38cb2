#!/usr/bin/env python3
"""`lint --cures` and `--fix`: what they say to do helps, and they say it with numbers.

usage: lint_cures.py SFPUSIM SOURCE_DIR
"""
import json
import os
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
from checks import check, run_tests  # noqa: E402

SFPUSIM, SOURCES = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
FOLDER = tempfile.TemporaryDirectory()

# On Wormhole nothing waits for a product (T17): one word belongs between line 5 and line 6.
HURRIED = """.arch wh
.rows 4
.loop
    sfpload L0, FP32, ADDR_MOD_3, 0
    sfpmad L0, L0, L9, L1, 0
    sfpstore L1, FP32, ADDR_MOD_3, 0x80
"""

# The square by a macro. Three words have to stand between line 9 and the macro (T21), and three behind the loop, until the last store
# has counted down (T19).
SQUARE = """.arch bh
.rows 8
.input x, 0x00, f32
.output y, 0x00, f32
.init
    setc16      34, 2
    .template   0, sfpmul L0, _, L9, _, 0
    .macro      0, mad=(template=0, delay=0, vb, l16), store=(delay=2, l16)
    .misc       load_mode=0, count_instructions=(mad, store)
%s
.loop
    sfploadmacro 0, L0, FP32, ADDR_MOD_6, x
%s
"""
NOPS = "    sfpnop\n    sfpnop"


def written(name, text):
    with open(os.path.join(FOLDER.name, name), "w") as file:
        file.write(text)
    return os.path.join(FOLDER.name, name)


def sfpusim(*arguments):
    return subprocess.run([SFPUSIM, *arguments], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          universal_newlines=True)


def cures(kernel, *options):
    """By id of a hazard, or by "boundary"."""
    report = json.loads(sfpusim("lint", kernel, "--schedules", "5", "--json", *options).stdout)
    found = {each["id"]: each["cure"] for each in report["hazards"] if each["breaks"]}
    found.update({"boundary %d" % each["line"]: each.get("cure") for each in report["boundaries"]})
    return found


def fixed(kernel):
    out = os.path.join(FOLDER.name, "fixed.s")
    result = sfpusim("lint", kernel, "--schedules", "5", "--fix", "-o", out)
    check(not result.stderr, "lint --fix: " + result.stderr)
    return out, result


def verdict(kernel):
    return json.loads(sfpusim("lint", kernel, "--schedules", "5", "--json").stdout)["verdict"]


def a_read_that_comes_too_soon_gets_a_nop():
    kernel = written("hurried.s", HURRIED)
    check(cures(kernel)["/sfpu/hazard/unprotected-read"].startswith("one SFPNOP before line 6"), "the cure: %s" % cures(kernel))
    out, result = fixed(kernel)
    check(result.returncode == 0 and "one SFPNOP before line 6" in result.stdout and "robust" in result.stdout, result.stdout)
    check(open(out).read() == HURRIED.replace("    sfpstore", "    sfpnop\n    sfpstore"), "that line, and nothing else")
    check(verdict(out) == "robust", "lint agrees")
    asked_nobody = sfpusim("lint", kernel, "--schedules", "5").stdout
    check("    cure     one SFPNOP before line 6" in asked_nobody, "the text says it, too: " + asked_nobody)
    check("    cure: one SFPNOP before line 6" in sfpusim("run", kernel).stdout, "and so does run")


def a_macro_too_close_to_its_configuration_gets_two_nops():
    kernel = written("close.s", SQUARE % ("", ".tail\n" + NOPS + "\n    sfpnop"))
    found = cures(kernel)["/sfpu/hazard/config-macro-distance"]
    check(found.startswith("2 SFPNOPs before line 11"), "before the loop, not once for every row: %s" % found)
    out, result = fixed(kernel)
    check("2 SFPNOPs before line 11" in result.stdout and verdict(out) != "broken", "it is applied: " + result.stdout)
    check("sfpnop" not in open(out).read().split(".loop")[1].split(".tail")[0], "the loop has no more words than before")
    check(sfpusim("equiv", kernel, out).returncode == 0, "the result is the same")


def a_cure_is_for_the_line_that_it_is_told_for():
    """Two macros are too close, one by two words and one by one: one SFPNOP would help the second only."""
    second = "    sfploadmacro 0, L1, FP32, ADDR_MOD_6, x\n"
    kernel = written("two.s", SQUARE.replace(".loop", ".loop 2") % ("", second + ".tail\n" + NOPS + "\n    sfpnop"))
    report = json.loads(sfpusim("lint", kernel, "--schedules", "5", "--json").stdout)
    found = {each["line"]: each["cure"] for each in report["hazards"] if each["id"] == "/sfpu/hazard/config-macro-distance"}
    check(found[12].startswith("2 SFPNOPs before line 11") and found[13].startswith("one SFPNOP before line 13"), "each its own: %s" % found)


def a_pipeline_that_never_drains_gets_a_tail():
    kernel = written("untailed.s", SQUARE % (NOPS, ""))
    found = cures(kernel)["/sfpu/macro/never-drained"]
    check(found.startswith("2 SFPNOPs in a .tail of its own"), "two more words bring the last store's count to 0 (T1, T11): %s" % found)
    short = written("short.s", SQUARE % (NOPS, ".tail\n    sfpnop"))
    found = cures(short)["/sfpu/macro/never-drained"]
    check(found.startswith("one SFPNOP at the end of .tail"), "one more: %s" % found)


def a_register_that_is_used_too_soon_again_takes_turns():
    text = open(os.path.join(SOURCES, "kernels", "signbit.s")).read()
    one = text.replace(".loop 2", ".loop").replace("    sfploadmacro 0, L1, FP32, step, x\n", "")
    kernel = written("one.s", one)
    found = cures(kernel, "--cures")
    check(any((each or "").startswith("use L0 and L1 in turn (.loop 2)") for each in found.values()), "the cure: %s" % found)
    out, _ = fixed(kernel)
    check(sfpusim("equiv", out, os.path.join(SOURCES, "kernels", "signbit.s")).returncode == 0, "it computes the library's signs")


def a_delay_that_is_written_as_bits_is_said_as_bits():
    kernel = os.path.join(SOURCES, "tests", "data", "broken_uint16_to_fp32.s")
    found = cures(kernel)["/sfpu/hazard/l16-overwritten"]
    check(found.startswith("delay 2 to 1 of store in line 21 (0x5300 becomes 0x4b00)"), "and the loop stays as long as .expect says: %s" % found)


# The cube in two cycles a row, by registers in turn. The second load of each row has L1 in both, and a row's value is gone before the
# scheduled SFPMUL comes that was to read it.
CUBE = """.arch bh
.rows 8
.input x, 0x00, f32
.output y, x, f32
.init
    setc16      34, 2
    setc16      35, 0
    .template   0, sfpmul L0, _, L9, _, 0
    .template   1, sfpmul L2, _, L9, _, 0
    .macro      0, mad=(template=0, delay=0, vb)
    .macro      1, mad=(template=0, delay=2, vb, l16), store=(delay=4, l16)
    .macro      2, mad=(template=1, delay=0, vb)
    .macro      3, mad=(template=1, delay=2, vb, l16), store=(delay=4, l16)
    .misc       load_mode=(1, 3), count_instructions=(mad, store)
    sfpnop
    sfpnop
.loop 2
    sfploadmacro 0, L0, FP32, ADDR_MOD_7, x
    sfploadmacro 1, L1, FP32, ADDR_MOD_6, x
    sfploadmacro 2, L2, FP32, ADDR_MOD_7, x
    sfploadmacro 3, %s, FP32, ADDR_MOD_6, x
.tail
    sfpnop
    sfpnop
    sfpnop
    sfpnop
    sfpnop
"""


def a_load_that_the_next_row_replaces_is_told():
    hazards = json.loads(sfpusim("lint", written("cube.s", CUBE % "L1"), "--schedules", "5", "--json").stdout)["hazards"]
    told = [each for each in hazards if each["id"] == "/sfpu/hazard/lreg-overwritten"]
    check(told and all(each["line"] in (19, 21) for each in told), "the loads of L1: %s" % hazards)
    check("in L1 is overwritten by sfploadmacro" in told[0]["message"], told[0]["message"])
    check(verdict(written("right.s", CUBE % "L3")) == "robust", "a register of its own cures it")


def what_cannot_be_done_is_said():
    kernel = written("hurried.s", HURRIED)
    for arguments, part in ((["--fix"], "-o FILE"), (["-o", "x.s"], "--fix"), (["--fix", "-o", kernel], "not overwritten")):
        result = sfpusim("lint", kernel, *arguments)
        check(result.returncode == 1 and part in result.stderr, "%s: %s" % (arguments, result.stderr))
    words = written("words.hex", "8f000000\n")
    check("has none" in sfpusim("lint", words, "--cures").stderr, "words have no lines")
    check(sfpusim("lint", kernel, "--quiet", "--fix", "-o", "-").stdout.count("sfpnop") == 1, "- is standard output")


BEGIN = """.arch %s
.rows 32
.init
    setc16 %d, 2
"""
MACRO = BEGIN % ("bh", 34) + """    .template 0, sfpabs 0, _, _, 0
    .template 1, sfpshft2 1, _, _, SHFT_IMM
    .macro 0, %s
    .misc load_mode=(0, 1), count_instructions=(simple, round, store)
    sfpnop
    sfpnop
.loop
    sfploadmacro 0, L0, INT32, ADDR_MOD_6, 0
%s
.tail
    sfpnop
    sfpnop
    sfpnop
    sfpnop
    sfpnop
"""
SEQUENCE = BEGIN % ("bh", 34) + """    .template 0, sfpabs 0, _, _, 0
    sfploadi L0, LOWER, 0x%04x
    sfploadi L0, UPPER, 0x%04x
    sfpconfig 0, SEQUENCE0, 0
    .misc load_mode=0, count_instructions=(simple, store)
    sfpnop
    sfpnop
.loop
    sfploadmacro 0, L0, INT32, ADDR_MOD_6, 0
    sfpnop
    sfpnop
.tail
    sfpnop
    sfpnop
    sfpnop
"""
PLAIN = BEGIN % ("bh", 34) + """.loop
    sfpload L0, FP32, ADDR_MOD_7, 0
%s
    sfpstore L0, FP32, ADDR_MOD_6, 0
"""
# The id that a kernel provokes, and how its cure begins.
CURED = [
    ("macro/selector-one", SEQUENCE % (0x0001, 0x0b00), "selector 1 to 0 of simple in line 6 (0x0001 becomes 0x0000)"),
    ("macro/store-without-store", SEQUENCE % (0x0004, 0x0a00), "selector 2 to 3 of store in line 7 (0x0a00 becomes 0x0b00)"),
    ("macro/beyond-machine", ".config macro.templates, 2\n" + SEQUENCE % (0x0006, 0x0b00), "macro.templates 2 to 3 in line 1"),
    ("macro/template-not-executable", MACRO % ("mad=(template=0, delay=0), store=(delay=1)", "    sfpnop\n    sfpnop"),
     "template 0 on simple instead of mad in line 7"),
    ("macro/slots-full", ".config macro.slots, 1\n" + MACRO % ("simple=(template=0, delay=3), store=(delay=5)", "    sfploadmacro 0, L1, INT32, ADDR_MOD_6, 64" +
                                                               "\n    sfpnop" * 5), "macro.slots 1 to 2 in line 1"),
    ("macro/lanes-differ", (MACRO % ("simple=(template=0, delay=0), store=(delay=1)", "    sfpnop\n    sfpnop")).replace(
        "    .misc", "    sfploadi L0, USHORT, 5\n    sfpconfig 1, SEQUENCE0, 8\n    .misc"), ""),
    ("macro/stale-configuration", (MACRO % ("simple=(template=0, delay=0), store=(delay=1)", "    sfpnop\n    sfpnop")).replace(
        "    .misc load_mode=(0, 1), count_instructions=(simple, round, store)\n", ""), "'.misc load_mode="),
    ("hazard/swap-neighbour", MACRO % ("round=(template=1, delay=1, vb), store=(delay=3)",
                                       "    sfpswap 0, L1, L2, 1\n    sfpnop\n    sfpnop"), "delay 1 to 2 of round in line 7"),
    ("hazard/simple-round-conflict", MACRO % ("simple=(template=0, delay=1), round=(template=1, delay=1, vb), store=(delay=3)",
                                              "    sfpnop\n    sfpnop\n    sfpnop"), "delay 1 to "),
    ("hazard/misc-left-armed", BEGIN % ("wh", 29) + """    sfpconfig 0x100, MISC, 1
    sfpnop
    sfpnop
.loop
    sfpload L0, INT32, ADDR_MOD_3, 0
    sfpabs 0, L0, L1, 0
    sfpstore L1, INT32, ADDR_MOD_2, 0
""", "leave out line 5"),
    ("hazard/unwritten-read", PLAIN % "    sfpmad L0, L12, L9, L0, 0", "'.constant L12, 0' before line 5, with the value that is meant"),
    ("flags/stack-overflow", PLAIN % "\n".join(["    sfppushc 0, 0, 0, 0"] * 9 + ["    sfppopc 0, 0, 0, 0"] * 8), "leave out line 15"),
    ("flags/stack-underflow", PLAIN % "    sfppopc 0, 0, 0, 0", "one SFPPUSHC before line 7"),
    ("dst/store-load-distance", PLAIN % "    sfpstore L0, FP32, ADDR_MOD_7, 64\n    sfpload L0, FP32, ADDR_MOD_7, 64", "one SFPNOP before line 8"),
]


def every_hazard_of_a_kernel_gets_a_cure_with_numbers():
    for number, (name, text, beginning) in enumerate(CURED):
        kernel = written("cured%d.s" % number, text)
        found = json.loads(sfpusim("lint", kernel, "--schedules", "0", "--json").stdout)["hazards"]
        told = [each["cure"] for each in found if each["id"] == "/sfpu/" + name]
        check(told, "%s is provoked: %s" % (name, [each["id"] for each in found]))
        check(any(cure and cure.startswith(beginning) and any(c.isdigit() for c in cure) for cure in told),
              "%s: expected %r, found %s" % (name, beginning, told))
        if name == "flags/stack-underflow":  # what nests with what only the author knows
            out = os.path.join(FOLDER.name, "left.s")
            done = sfpusim("lint", kernel, "--schedules", "0", "--fix", "-o", out)
            with open(out) as file:
                check(done.returncode == 2 and file.read() == text, "--fix leaves it alone: " + done.stdout)


def what_no_small_change_helps_is_explained():
    text = SEQUENCE % (0x0006, 0x0b00)  # template 2 was never written, and no other macro either
    done = sfpusim("lint", written("bare.s", text.replace("    .template 0, sfpabs 0, _, _, 0\n", "")), "--schedules", "0")
    check("none found among small changes; in general: Write the missing part" in done.stdout, done.stdout)


def main():
    return run_tests((a_read_that_comes_too_soon_gets_a_nop, a_macro_too_close_to_its_configuration_gets_two_nops,
                      a_cure_is_for_the_line_that_it_is_told_for,
                      a_pipeline_that_never_drains_gets_a_tail, a_register_that_is_used_too_soon_again_takes_turns,
                      a_delay_that_is_written_as_bits_is_said_as_bits, a_load_that_the_next_row_replaces_is_told,
                      what_cannot_be_done_is_said, every_hazard_of_a_kernel_gets_a_cure_with_numbers,
                      what_no_small_change_helps_is_explained))


if __name__ == "__main__":
    sys.exit(main())
