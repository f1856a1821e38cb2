#!/usr/bin/env python3
"""Mistakes that people make: each message says where, what was found and what was expected, and the exit code is 1. And
bounds: nothing that is far too large makes the program work for long.

usage: mistakes.py SFPUSIM SOURCE_DIR
"""
import json
import os
import resource
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
from checks import INSTRUMENTED, check, run_tests  # noqa: E402

SFPUSIM, SOURCE_DIR = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
FOLDER = tempfile.TemporaryDirectory()
SIGNBIT = os.path.join(SOURCE_DIR, "kernels", "signbit.s")


def sfpusim(*arguments, given=None, timeout=60):
    return subprocess.run([SFPUSIM, *arguments], input=given, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          universal_newlines=True, cwd=FOLDER.name, timeout=timeout)


def written(name, text):
    with open(os.path.join(FOLDER.name, name), "w") as file:
        file.write(text)
    return name


def refused(what, done, *parts):
    check(done.returncode == 1, "%s: exit code 1, found %d (%s)" % (what, done.returncode, done.stderr))
    for part in parts:
        check(part in done.stderr, "%s: found %r, expected %r in it" % (what, done.stderr, part))
    check(len(done.stderr) < 12000, "%s: nobody has to read %d characters" % (what, len(done.stderr)))


# A kernel, or a line of one, and what the message must hold beside the position.
KERNELS = [
    ("sfpmadd L0, L1, L2, L3, 0", 1, ["sfpmadd", "did you mean 'sfpmad'"]),
    ("sfpload L17, 3, 7, 0", 1, ["L17", "expected L0 to L15"]),
    ("sfpload L0, 3, 9, 0", 1, ["is 9", "expected ADDR_MOD_0 to ADDR_MOD_7"]),
    ("sfpload L0, 3, 7, 0x400", 1, ["is 1024", "expected 0 to 1023"]),
    ("sfpload L0, FP23, 7, 0", 1, ["FP23", "FP32"]),
    ("sfpload L0, 3, 7", 1, ["3", "4"]),
    ("sfpload L0, 3, 7, 0, 5, 6", 1, ["6"]),
    ("sfpload L0 3, 7, 0", 1, ["expected"]),
    ("sfploadi 0, 0x12345, L0", 1, ["expected"]),
    ("sfpmad L0, L1, L2, R3, 0", 1, ["R3"]),
    ("start:\n    sfpnop", 1, ["label 'start'", "expected an instruction", ".loop"]),
    ("sfpnop\n.lop 2\nsfpnop", 2, [".lop", "did you mean '.loop'"]),
    (".rows many\nsfpnop", 1, ["many"]),
    (".rows 0\nsfpnop", 1, ["0", "1 to 100000000"]),
    (".rows 4294967295\nsfpnop", 1, ["4294967295", "1 to 100000000"]),
    (".loop 4294967295\nsfpnop", 1, ["4294967295", "1 to 100000000"]),
    (".loop\nsfpnop\n.loop\nsfpnop", 3, ["one .loop", "line 1"]),
    (".arch gs\nsfpnop", 1, ["gs", "bh"]),
    ("sfpnop\n.arch wh", 2, ["before the first instruction"]),
    (".ifarch bh\nsfpnop", 1, [".endif"]),
    (".endif\nsfpnop", 1, [".endif", ".ifarch"]),
    (".equ x\nsfpnop", 1, ["expected"]),
    (".equ L0, 3\nsfpnop", 1, ["L0"]),
    (".config macro.template, 4\nsfpnop", 1, ["macro.template", "nearest is 'macro.templates'"]),
    (".config sfpu.latency.mad, soon\nsfpnop", 1, ["soon", "expected"]),
    (".input x, 0x00, fp32\nsfpnop", 1, ["fp32", "f32"]),
    (".input x, 0x400, f32\nsfpnop", 1, ["found 1024", "expected a Dst address from 0 to 1023"]),
    (".input x, 0, f32\n.input x, 2, f32\nsfpnop", 2, ["x"]),
    (".expect cycles 3\nsfpnop", 1, ["cycles_per_row", "found 'cycles'"]),
    (".word 0x123456789\n", 1, ["found 4886718345", "0 to 4294967295"]),
    (".word sfpnop\n", 1, ["sfpnop"]),
    (".template 4, sfpnop\n", 1, ["template 4", "macro.templates, 5"]),
    (".template 0, sfpfoo\n", 1, ["sfpfoo"]),
    (".macro 0, simpl=(template=0)\n", 1, ["simpl"]),
    (".macro 0, simple=(template=0, delay=8)\n", 1, ["8", "0 to 7"]),
    (".misc store=3\n", 1, ["store"]),
    ("sfpnop 1", 1, ["1"]),
    ("sfpiadd 0, L1, L2, (3", 1, ["expected"]),
    ("sfpiadd 1/0, L1, L2, 0", 1, ["zero"]),
    ("?", 1, ["found", "?"]),
]


def forty_mistakes_in_kernels_are_told_with_their_places():
    check(len(KERNELS) == 40, "there are forty: %d" % len(KERNELS))
    for number, (text, line, parts) in enumerate(KERNELS):
        name = written("k%d.s" % number, text + "\n")
        done = sfpusim("run", name)
        refused(repr(text), done, "%s:%d:" % (name, line), *parts)


# What people write who come from C, from other assemblers, or from memory.
FROM_ELSEWHERE = [
    ("SFPLOAD(0, 3, 7, 0);", "1:8:", ["found '('", "sfpload without parentheses"]),
    ("TTI_SFPLOAD(0, 3, 7, 0)", "1:1:", ["did you mean 'sfpload'"]),
    ("mov L0, L1", "1:1:", ["did you mean 'sfpmov'"]),
    ("mul L0, L1, L9, L2, 0", "1:1:", ["did you mean 'sfpmul'"]),
    ("sfpsetcc 0, L0, L0, LT0", "1:21:", ["LT0", "did you mean 'LREG_LT0'"]),
    (".macro 0, store=(delay=-1)", "1:24:", ["from 0 to 7, found -1"]),
    (".macro 0, mad=(template=9)", "1:25:", ["from 0 to 3, found 9"]),
    (".macro -1, store=(delay=1)", "1:8:", ["a macro from 0 to 3, found -1"]),
]


def mistakes_of_people_from_elsewhere_are_told():
    for number, (text, place, parts) in enumerate(FROM_ELSEWHERE):
        name = written("e%d.s" % number, text + "\n")
        refused(repr(text), sfpusim("run", name), "%s:%s" % (name, place), *parts)


def numbers_in_options_are_numbers():
    kernel = written("numbers.s", ".input x, 0, f32\n.output y, 0, f32\n.loop\nsfpload L0, FP32, 7, x\nsfpnop\nsfpstore L0, FP32, 7, y\n")
    written("y.csv", ",".join(["0"] * 32))
    for option, value, most in (("--rows", "1e2", "100000000"), ("--rows", "0", "100000000"), ("--rows", "18446744073709551648", "100000000"),
                                ("--rows", "032", "100000000"), ("--rows", "", ""), ("--seed", "-1", "18446744073709551615"),
                                ("--seed", "18446744073709551616", "18446744073709551615"), ("--lane", "32", "31"), ("--from-cycle", "-3", "1125899906842624")):
        refused("%s %r" % (option, value), sfpusim("run", kernel, option, value), option, "found '%s', expected" % value, most)
    for ulp in ("-1", "1.5", "nan"):
        refused("--ulp " + ulp, sfpusim("run", kernel, "--rows", "1", "--expect", "y=y.csv", "--ulp", ulp), "--ulp: found '%s', expected an integer" % ulp)
    refused("--ulp for nothing", sfpusim("run", kernel, "--ulp", "1"), "--ulp requires --expect")
    refused("words", sfpusim("run", kernel, "--lanes", "some"), "--lanes: found 'some', expected all")
    check(sfpusim("run", kernel, "--rows", "0x20", "--quiet").returncode == 0, "hexadecimal numbers are numbers, too")


def empty_values_are_told():
    for arguments in (["run", SIGNBIT, "--stats", ""], ["run", SIGNBIT, "--vcd", ""], ["run", ""], ["--arch", "", "run", SIGNBIT],
                      ["schedule", SIGNBIT, "--svg", ""], ["lint", SIGNBIT, "--fix", "-o", ""], ["info", "--explain", ""], ["equiv", SIGNBIT, ""]):
        refused(str(arguments), sfpusim(*arguments), "found '', expected")
    check(sfpusim("debug", SIGNBIT, "-c", "step", "-c", "").returncode == 0, "an empty command repeats the one before")


def mistakes_on_the_command_line_are_told():
    refused("a file that is none", sfpusim("run", "nothing.s"), "nothing.s", "No such file")
    refused("a folder", sfpusim("run", FOLDER.name), FOLDER.name, "directory")
    refused("no kernel", sfpusim("run"), "KERNEL is missing")
    refused("two kernels", sfpusim("run", SIGNBIT, SIGNBIT), "unexpected operand")
    refused("a command that is none", sfpusim("rnu", SIGNBIT), "unknown command 'rnu'", "nearest is 'run'")
    refused("help for one", sfpusim("help", "rnu"), "unknown command 'rnu'", "nearest is 'run'")
    refused("an option that is none", sfpusim("run", SIGNBIT, "--row", "3"), "unknown option '--row'", "nearest is '--rows'")
    refused("a bad number", sfpusim("run", SIGNBIT, "--rows", "x"), "--rows")
    refused("rows of half an iteration", sfpusim("run", SIGNBIT, "--rows", "31"), "found 31 rows", "multiple of 2")
    refused("a bad parameter", sfpusim("run", SIGNBIT, "--set", "latency.mad=3"), "latency.mad", "nearest is 'sfpu.latency.mad'")
    refused("a bad value", sfpusim("run", SIGNBIT, "--set", "sfpu.latency.mad=99"), "99", "expected")
    refused("no value", sfpusim("run", SIGNBIT, "--set", "sfpu.latency.mad"), "expected path=value")
    refused("another chip's kernel", sfpusim("run", os.path.join(SOURCE_DIR, "kernels", "mul32_macro.s"), "--arch", "wh"), ".arch bh", "says wh")
    refused("a trace without a cycle", sfpusim("run", SIGNBIT, "--from-cycle", "100000", "--vcd", "late.vcd"),
            "--from-cycle: found 100000, but the last cycle of", "is 4")
    check(not os.path.exists(os.path.join(FOLDER.name, "late.vcd")), "and no trace is written")
    refused("cycles that are no range", sfpusim("run", SIGNBIT, "--from-cycle", "9", "--to-cycle", "3", "--vcd", "late.vcd"), "9", "3")
    refused("a kernel for explore", sfpusim("explore", SIGNBIT, "--output", "x"), "signbit.s:1:1")
    check(sfpusim("help", "run").stdout == sfpusim("run", "--help").stdout, "'help run' is 'run --help'")
    check(sfpusim("help").stdout == sfpusim("--help").stdout, "'help' is '--help'")
    whole, part = sfpusim("info", "--explain", "/sfpu/hazard/write-collision"), sfpusim("info", "--explain", "write-collision")
    check(part.returncode == 0 and part.stdout == whole.stdout, "the last part of an id finds it: " + part.stderr)


def what_is_no_kernel_is_told_in_one_line():
    done = sfpusim("run", SFPUSIM, timeout=60)
    refused(SFPUSIM, done, SFPUSIM)
    check(done.stderr.count("\n") == 1, "one line: %r" % done.stderr[:500])
    with open(os.path.join(FOLDER.name, "packed.s"), "wb") as file:
        file.write(b"\x1f\x8b\x08 packed\n" * 30)
    done = sfpusim("run", "packed.s")
    refused("a packed file", done, "packed.s:1:1: found the byte 0x1f, expected text: this is a binary file")
    check(done.stderr.count("\n") == 1, "in one line")
    done = sfpusim("run", written("marked.s", "\ufeff.loop\nsfpnop\n"), "--quiet")
    check(done.returncode == 0, "a byte order mark is no mistake: " + done.stderr)
    done = sfpusim("asm", "-", given="sfpnop\n")
    check(done.stdout == "8f000000\n", "- is standard input: %s%s" % (done.stdout, done.stderr))
    refused("one input for two", sfpusim("equiv", "-", "-", given="sfpnop\n"), "two inputs come from standard input ('-'); expected one")
    refused("an empty file", sfpusim("run", "/dev/null"), "/dev/null: found no instruction, expected a kernel")
    refused("a file of comments", sfpusim("run", written("comments.s", "; nothing\n")), "found no instruction")
    done = sfpusim("asm", written("all_wrong.s", "wrong\n" * 1000))
    refused("a thousand mistakes", done, "all_wrong.s:1:1: ", "all_wrong.s:20:1: ", "all_wrong.s: 980 more errors")
    check(done.stderr.count(": error: ") == 20, "twenty of them, and how many more")


REMARKED = [
    (".input x, 0, f32\n.output y, 0x80, f32\n.loop\nsfpload L0, FP32, 6, x\nsfpstore L0, FP32, 6, 0x100\n", "2: y is never stored"),
    (".input x, 0, f32\n.output y, 0x80, f32\n.loop\nsfpload L0, FP32, 7, x\nsfpstore L0, FP32, 7, y\n", "2: only 1 of the 32 rows of y is ever stored"),
    (".input x, 0, f32\n.output y, 0x80, f32\n.loop\nsfpload L0, FP32, 6, 0x100\nsfpstore L0, FP32, 6, y\n", "1: x is never loaded"),
    (".input x, 0, f32\n.input y, 8, f32\n.loop\nsfpload L0, FP32, 7, x\nsfpload L1, FP32, 6, y\n", "2: row 0 of y lies where row 4 of x does"),
    (".equ a, 1\n.equ a, 2\n.loop\nsfpnop\n", "2: 'a' has another value from here on than the one of line 1"),
    ("sfpload L0, FP32, 7, 0\nsfpstore L0, FP32, 7, 0\n", " there is no .loop, so the 2 instructions of the file are issued once for each row"),
    (".loop\nsfploadmacro 0, L4, FP32, 7, 0\nincrwc 0, 1, 0, 0\n", "4: the Dst counter with its offsets is odd here"),
    (".loop\nsfploadi L0, FLOATB, 1 / 6\n", "4: 1 / 6 is 0 here"),
    (".loop\nsfpstore L12, FP32, 7, 0\n", "4: sfpstore L12, FP32, ADDR_MOD_7, 0 becomes template 0"),
    ("sfpnop\n.loop ; of nothing\n", "4: no instruction follows .loop, so there are no rows"),
]


def what_breaks_no_rule_and_is_seldom_meant_is_remarked():
    for number, (text, remark) in enumerate(REMARKED):
        if ".loop" in text:
            text = text.replace(".loop", ".init\nsetc16 34, 2\n.loop")
        name = written("odd%d.s" % number, text)
        done = sfpusim("run", name, "--rows", "32")
        check(done.returncode == 0 and "remarks\n" in done.stdout and "%s:%s" % (name, remark) in done.stdout, "%s: %s" % (remark, done.stdout))
        found = json.loads(sfpusim("lint", name, "--rows", "32", "--schedules", "0", "--json").stdout)["remarks"]
        check(any(remark.split(" ", 1)[1] in each["message"] for each in found), "lint: %s" % found)
        check(all(each["id"].startswith("/sfpu/kernel/") for each in found), "and has its id: %s" % found)
    done = sfpusim("run", "odd0.s", "--rows", "32", "--quiet", "--print", "y")
    check(done.returncode == 2 and "odd0.s: y is never stored" in done.stderr, "what nobody stored is no result: " + done.stderr)
    text = ".expect cycles_per_row 1\n.loop\nsfpnop\nsfpnop\n"
    for rows, code in ((2, 2), (1, 0)):
        done = sfpusim("run", written("once.s", text), "--rows", str(rows))
        check(done.returncode == code and (code == 0) == ("expected       1.00 cycles a row: not compared" in done.stdout),
              "%d rows: %s" % (rows, done.stdout))
    for kernel in ("mul32_macro.s", "where_inplace.s", "uint16_to_fp32.s", "recip_macro.s"):
        done = sfpusim("run", os.path.join(SOURCE_DIR, "kernels", kernel))
        check("remarks" not in done.stdout, kernel + " has nothing odd: " + done.stdout)


def an_explanation_has_example_and_cure():
    for row in json.loads(sfpusim("info", "--report-ids", "--json").stdout):
        told = json.loads(sfpusim("info", "--explain", row["id"], "--json").stdout)
        check(told["cure"] and (told["example"] or row["id"] == "/sfpu/isa/unimplemented"), "of " + row["id"])
    done = sfpusim("info", "--explain", "write-collision")
    check("sfploadi L3, USHORT, 1" in done.stdout and "\nCure: " in done.stdout, done.stdout)
    for part in ("isa/undefined", "sfpu/isa/undefined"):
        done = sfpusim("info", "--explain", part)
        check(done.returncode == 0 and done.stdout.startswith("/sfpu/isa/undefined ("), "%s: the last parts of an id: %r" % (part, done))
    refused("no whole part", sfpusim("info", "--explain", "sa/undefined"), "sa/undefined", "/sfpu/isa/undefined")
    refused("a part of two ids", sfpusim("info", "--explain", "overwritten"), "l16-overwritten, /sfpu/hazard/lreg-overwritten")


def what_is_far_too_large_ends_at_once():
    long_word = "a" * 2000000
    refused("a line without an end", sfpusim("run", written("long.s", long_word)), "long.s:1:1: error: unknown instruction 'aaa",
            " characters) ... ")
    for text in (json.dumps({long_word: 1}), json.dumps({"sfpu": {long_word: 1}}), json.dumps({"sfpu": long_word}), "[" * 1000000):
        refused("a configuration of %d bytes" % len(text), sfpusim("run", SIGNBIT, "--config", written("c.json", text), timeout=10), "c.json")
    refused("an endless configuration", sfpusim("run", SIGNBIT, "--config", "/dev/zero"), "/dev/zero: found more than 4 MiB")
    refused("an endless firmware", sfpusim("tile", "/dev/zero"), "/dev/zero: found more than 256 MiB")
    for text in ('{"meta": {}, "throughput": ' + "[" * 1000000 + "]" * 1000000 + "}", "[" * 100000, '{"a":' * 100000 + "1" + "}" * 100000):
        deep = written("deep.json", text)
        refused("a number without end", sfpusim("compare", written("large.json", "1e999"), deep), "large.json:1:1: no JSON (number overflow parsing '1e999')")
        refused("a deep document", sfpusim("compare", deep, deep), "deep.json:1:", "nested deeper than 64 levels")
        refused("a deep sweep", sfpusim("explore", deep, "--output", "x"), "deep.json:1:", "nested deeper than 64 levels")
    keys = {"k%d" % i: i for i in range(200000)}
    many, others = written("many.json", json.dumps({"meta": {}, "throughput": keys})), written("others.json", json.dumps(
        {"meta": {}, "throughput": {**keys, "k7": 8}}))
    refused("a sweep of many keys", sfpusim("explore", many, "--output", "x", timeout=10), "many.json:1:", "more than 1000 keys in one object")
    done = sfpusim("compare", many, others, timeout=20)  # the square of their number takes minutes
    check(done.returncode == 0 and "throughput.k7" in done.stdout and "k8" not in done.stdout,
          "statistics of many keys: %s" % done.stdout[:300])
    kernel = written("one.s", "sfpnop\n")
    for what, where in (("chain", "1" + "+1" * 1000000), ("nest", "(" * 1000000), ("negations", "!" * 1000000 + "1")):
        sweep = written(what + ".json", json.dumps({"kernels": [kernel], "where": [where]}))
        refused("a condition that is a " + what, sfpusim("explore", sweep, "--output", "x"), what + ".json:1:34: error: where[0]: found more than")
    for ends in ({"from": -2 ** 63, "to": 2 ** 63 - 1}, {"from": 0, "to": -2 ** 63, "step": -1}, {"from": 0, "to": 2 ** 64 - 1}):
        sweep = written("range.json", json.dumps({"kernels": [kernel], "parameters": {"sfpu.latency.mad": ends}}))
        refused("a range of all numbers", sfpusim("explore", sweep, "--output", "x"), "expected an integer from -2^32 to 2^32")
    sweep = written("number.json", '{"kernels": ["x.s"], "budget": 1e999}')
    refused("a number that is no number", sfpusim("explore", sweep, "--output", "x"), "number.json:1:32: ", "number overflow parsing '1e999'")
    sweep = written("many.json", json.dumps({"kernels": [kernel] + [1] * 100000}))
    refused("a hundred thousand mistakes", sfpusim("explore", sweep, "--output", "x"), "99980 more errors")
    refused("a long setting", sfpusim("run", SIGNBIT, "--set", "a" * 100000 + "=1"), "unknown parameter 'aaa")
    for command in (["exec"], ["debug", SIGNBIT]):
        done = subprocess.run([SFPUSIM, *command], stdin=os.open(FOLDER.name, os.O_RDONLY), stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, universal_newlines=True)
        refused("a folder as standard input", done, command[0] + ": standard input cannot be read: Is a directory; expected ")
    request = '{"id": 7, "arch": "bh", "words": ["8f000000"]}\n'
    done = sfpusim("exec", given="x" * ((64 << 20) + 1) + "\n" + json.dumps({"id": 1, long_word: 2}) + "\n" + request)
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    check(done.returncode == 0 and [answer["ok"] for answer in answers] == [False, False, True],
          "exec answers every line, also one that is too long, and goes on: %s" % [str(answer)[:200] for answer in answers])
    check("a line of more than 67108864 bytes" in answers[0]["error"]["message"], "and says what it was")
    check(all(len(answer["error"]["message"]) < 600 for answer in answers[:2]), "in few words")
    with open("/dev/zero", "rb") as endless:
        for command in (["exec"], ["debug", SIGNBIT]):
            done = subprocess.run([SFPUSIM, *command], stdin=endless, stdout=subprocess.PIPE, stderr=subprocess.PIPE, universal_newlines=True)
            refused("lines without an end", done, command[0] + ": found a line without an end")
    done = sfpusim("debug", SIGNBIT, given="x" * 100000 + "\n")
    refused("a long command", done, "standard input:1: found a line of more than 65536 bytes")


def one_mistake_is_told_once():
    """What follows from it is not: the name that it should have defined is no second mistake."""
    for text, wrong in ((".equ SIZE, 0xq\nsfploadi L0, USHORT, SIZE\nsfploadi L1, USHORT, SIZE\n", "follow.s:1:"),
                        (".equ A, NONE\n.equ B, A\nsfploadi L0, USHORT, B\n", "follow.s:1:"),
                        (".input x, 0, f99\nsfpload L0, FP32, ADDR_MOD_3, x\nsfpstore L0, FP32, ADDR_MOD_3, x\n", "follow.s:1:")):
        done = sfpusim("asm", written("follow.s", text))
        refused("follow-ups", done, wrong)
        check(done.stderr.count("error:") == 1, "one mistake, one message: " + done.stderr)
    done = sfpusim("asm", written("follow.s", ".equ A, A\nsfploadi L0, USHORT, A\n"))
    check(done.stderr.count("error:") == 1, "a name that is defined by itself is a mistake: " + done.stderr)


def a_long_file_of_mistakes_ends_at_once():
    for name, line in (("words.s", "frobnicate L0, L1\n"), ("digits.hex", "12x4\n")):
        done = sfpusim("asm" if name.endswith(".s") else "disasm", written(name, line * 200000), timeout=40)
        refused("200,000 mistakes", done, name + ":1:", "199980 more errors")
        check(done.stderr.count("error:") == 20, "twenty messages")


def what_is_unknown_names_what_is_known():
    written("known.s", "sfpnop\n")
    refused("a key of a sweep", sfpusim("explore", written("key.json", '{"kernels": ["known.s"], "zzzzzz": 1}'), "--output", "x"),
            "unknown key; expected one of kernels, firmwares")
    refused("a directive", sfpusim("asm", written("directive.s", ".zzzzzzzz\n")), "expected one of .arch")
    answer = json.loads(sfpusim("exec", given='{"zzzzzzzz": 1}\n').stdout)
    check("expected one of " in answer["error"]["message"] and "words" in answer["error"]["message"], "a field of exec: %s" % answer)
    for option in ("--output", "--input", "--expect"):
        refused(option + " of an archive", sfpusim("run", os.path.join(SOURCE_DIR, "kernels", "mul32.s"), option, "out=y.npz" if option != "--input" else "a=y.npz"),
                "y.npz", "archive")
        check(not os.path.exists(os.path.join(FOLDER.name, "y.npz")), "nothing is written")


def many_of_what_is_few_end_at_once():
    inputs = "".join(".input x%d, %d, f32\n" % (number, number) for number in range(65))
    refused("65 inputs", sfpusim("run", written("inputs.s", inputs + "sfpnop\n")), "inputs.s:65:1: ", "found more than 64 of .input")
    deep = ".ifarch bh\n.ifarch wh\n" + ".ifarch bh\n" * 150000 + "sfpnop\n" + ".endif\n" * 150001 + "sfpnot 0, 0, 0, 0\n.endif\n"
    done = sfpusim("asm", written("conditions.s", deep), timeout=10)
    check(done.returncode == 0 and done.stdout.count("\n") == 1, "only the line outside of .ifarch wh is there: " + done.stderr)


def too_little_memory_is_told():
    if INSTRUMENTED:
        return  # a sanitizer takes more addresses than any limit leaves
    written("nops.s", "sfpnop\n" * 1000000)
    written("ones.json", '{"meta": {}, "throughput": {"x": [' + ",".join("1" * 3000000) + "]}}")
    found = []
    for arguments in (["asm", "nops.s"], ["compare", "ones.json", "ones.json"],
                      ["explore", "ones.json", "--output", "x"]):
        for megabytes in (48, 64, 80, 96, 128, 160):
            done = subprocess.run([SFPUSIM, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, universal_newlines=True,
                                  cwd=FOLDER.name, preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (megabytes << 20,) * 2))
            if done.returncode != 0:
                refused("%s within %d MB" % (arguments, megabytes), done, ".json:" if "ones.json:" in done.stderr else "not enough memory")
            found.append((arguments[0], "not enough memory" in done.stderr))
    for command in ("asm", "compare", "explore"):
        check((command, True) in found, command + " was at the end of its memory")


def exec_goes_on_when_memory_does_not_suffice():
    if INSTRUMENTED:
        return  # a sanitizer takes more addresses than any limit leaves
    small = '{"id":2,"words":["71040001","84001230","8f000000"]}'
    right = sfpusim("exec", given=small + "\n").stdout
    many = '{"id":1,"timeline":%s,"words":[' + ",".join(['"71040001"'] * 300000) + "]}"

    def within(megabytes, *requests):
        return subprocess.run([SFPUSIM, "exec"], input="\n".join(requests) + "\n", stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              universal_newlines=True,
                              preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (megabytes << 20,) * 2))

    least = next((megabytes for megabytes in range(8, 400, 2) if within(megabytes, small).stdout == right), None)
    check(least is not None, "exec runs in less than 400 MB")
    codes = set()
    for large in (many % "false", many % "true", many[:-1] % "true"):  # the last one is no JSON
        for megabytes in range(least + 2, least + 134, 12):
            done = within(megabytes, large, small, large, small)
            answers = done.stdout.splitlines(True)
            check(done.returncode == 0 and len(answers) == 4 and answers[1::2] == [right] * 2,
                  "exec within %d MB goes on: %s %s" % (megabytes, [answer[:100] for answer in answers], done.stderr[:200]))
            for answer in map(json.loads, answers[0::2]):
                codes.add((answer["id"], answer["error"]["code"] if not answer["ok"] else "ok"))
    check(codes == {(None, "no-memory"), (1, "no-memory"), (1, "ok"), (None, "bad-json")}, "answers: %s" % codes)


def endless_files_are_refused_wherever_a_file_is_read():
    typed = written("typed.s", ".input a, 0, f32\n.output o, 0, f32\n.loop\nsfpload L0, FP32, 7, 0\nsfpnop\nsfpstore L0, FP32, 7, 0\n")
    kinds = [["run", "/dev/zero"], ["compare", "/dev/zero", "/dev/zero"], ["explore", "/dev/zero", "--output", "x"], ["tile", "/dev/zero"],
             ["disasm", "/dev/zero"], ["run", SIGNBIT, "--dst-load", "/dev/zero"], ["run", typed, "--expect", "o=/dev/zero"]]
    # 256 MiB each. One function reads them for all commands but `tile`, whose turn is above; by night all take theirs.
    for arguments in kinds if os.environ.get("SFPU_NIGHTLY") else kinds[:1]:
        done = sfpusim(*arguments)
        refused(str(arguments), done, "/dev/zero: found more than 256 MiB")
        check(done.stderr.count("\n") == 1, "one line: %r" % done.stderr[:500])
    for command in ("run", "asm", "disasm", "schedule", "lint", "optimize", "tile"):
        refused(command + " of a folder", sfpusim(command, FOLDER.name), FOLDER.name, "cannot be read")


if __name__ == "__main__":
    sys.exit(run_tests([
        forty_mistakes_in_kernels_are_told_with_their_places,
        mistakes_of_people_from_elsewhere_are_told,
        numbers_in_options_are_numbers,
        empty_values_are_told,
        mistakes_on_the_command_line_are_told,
        what_is_no_kernel_is_told_in_one_line,
        what_breaks_no_rule_and_is_seldom_meant_is_remarked,
        an_explanation_has_example_and_cure,
        one_mistake_is_told_once,
        a_long_file_of_mistakes_ends_at_once,
        what_is_unknown_names_what_is_known,
        what_is_far_too_large_ends_at_once,
        many_of_what_is_few_end_at_once,
        too_little_memory_is_told,
        exec_goes_on_when_memory_does_not_suffice,
        endless_files_are_refused_wherever_a_file_is_read,
    ]))
