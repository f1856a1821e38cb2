#!/usr/bin/env python3
"""One front door: a kernel is told by its content, whatever its name, and what is broken gets a sentence with its place.

usage: kernel_forms.py SFPUSIM SOURCE_DIR
"""
import json
import os
import struct
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
from checks import INSTRUMENTED, check, run_tests  # noqa: E402

SFPUSIM, SOURCE_DIR = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
ADDITION = """.rows 4
.input a, 0x00, i32
.input b, 0x40, i32
.output sum, 0x80, i32
.loop
    sfpload     L0, INT32, ADDR_MOD_7, a
    sfpload     L1, INT32, ADDR_MOD_7, b
    sfpiadd     0, L0, L1, CC_NONE
    sfpstore    L1, INT32, ADDR_MOD_7, sum
    incrwc      0, 2, 0, 0
"""


def sfpusim(*arguments, given=None):
    return subprocess.run([SFPUSIM, *arguments], input=given, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=300)


def answer(*arguments, given=None):
    done = sfpusim(*arguments, given=given)
    check(done.returncode == 0, "%s: exit code %d: %s" % (arguments, done.returncode, done.stderr.decode()))
    return done.stdout.decode()


def written(name, text):
    with open(name, "wb") as file:
        file.write(text if isinstance(text, bytes) else text.encode())
    return name


def throughput_of(name):
    answer("run", name, "--stats", "throughput.json", "--quiet")
    with open("throughput.json") as file:
        return json.load(file)["throughput"]


def words_go_through_a_pipe():
    words = answer("asm", written("x.s", ADDITION))
    listing = answer("disasm", "-", given=words.encode())
    check("sfpiadd" in listing, "asm | disasm - is a listing: %s" % listing)
    check(answer("asm", "-", given=listing.encode()) == words, "and asm - of it are the words again")


def words_from_elsewhere_get_sections():
    """Whoever gave a disassembly or an ELF file cannot write .loop into it."""
    listing = answer("disasm", written("from.s", '.rows 4\n.origin "a.dump", 3\nsfpload L0, FP32, 3, 0\nsfpstore L0, FP32, 3, 0\n'))
    check(".loop 1" in listing, "a loop: %s" % listing)
    check("there is no .loop" not in answer("run", written("again.s", listing)), "and no remark that it is missing")
    check("there is no .loop" in answer("run", "from.s"), "which the author of a text gets")


def a_name_decides_nothing():
    words = answer("asm", written("x.s", ADDITION))
    written("words.s", words)
    written("text.hex", ADDITION)
    for name in ("words.s", "text.hex"):
        check(answer("asm", name) == words, "%s has the words" % name)
        check(throughput_of(name) == throughput_of("x.s"), "%s runs like x.s" % name)
    done = sfpusim("lint", "words.s", "--cures")
    check(done.returncode == 1 and b"has none" in done.stderr, "words have no lines to change: %s" % done.stderr)


def answers_name_their_source():
    written("x.s", ADDITION)
    written("y.hex", answer("asm", "x.s"))
    own = {"file": "x.s", "function": None, "form": "asm"}
    check(json.loads(answer("lint", "x.s", "--schedules", "2", "--json"))["source"] == own, "lint")
    check(json.loads(answer("optimize", "x.s", "--json"))["source"] == own, "optimize")
    both = json.loads(answer("equiv", "x.s", "y.hex", "--json"))["source"]
    check(both == {"a": own, "b": {"file": "y.hex", "function": None, "form": "hex"}}, "equiv: %s" % both)
    for command in ("run", "schedule"):
        answer(command, "x.s", "--stats", "s.json", "--quiet")
        with open("s.json") as file:
            check(json.load(file)["source"] == own, "%s --stats" % command)


def data_are_named_on_the_command_line():
    bare = "\n".join(line for line in ADDITION.replace(" a\n", " 0\n").replace(" b\n", " 0x40\n").replace(
        " sum\n", " 0x80\n").split("\n") if not line.startswith((".input", ".output")))
    written("bare.s", bare)
    places = ["--input-at", "a=0:i32", "--input-at", "b=0x40:i32", "--output-at", "sum=0x80:i32"]
    facts = json.loads(answer("info", "bare.s", "--json", *places))
    check([one["name"] for one in facts["inputs"]] == ["a", "b"], "inputs: %s" % facts)
    check(facts["outputs"] == [{"name": "sum", "address": 0x80, "type": "i32"}], "outputs: %s" % facts)
    check(answer("run", "bare.s", "--print", "sum[0]", *places) != "", "named data can be printed")
    for wrong in ("a", "a=0", "=0:i32", "a=x:i32", "a=0:real", "a=1024:i32"):
        done = sfpusim("run", "bare.s", "--input-at", wrong)
        check(done.returncode == 1 and b"expected NAME=ADDRESS:TYPE" in done.stderr, "%s: %s" % (wrong, done.stderr))


def info_says_what_a_kernel_consists_of():
    kernel = os.path.join(SOURCE_DIR, "kernels", "mul32_macro.s")
    text, facts = answer("info", kernel), json.loads(answer("info", kernel, "--json"))
    words = answer("asm", kernel).split("\n")
    count = sum(1 for line in words if line and not line.startswith(";"))
    check(sum(facts["words"].values()) == count, "all words are counted: %s" % facts)
    check(facts["macros"] and facts["functions"] == [] and facts["source"]["form"] == "asm", "macros: %s" % facts)
    for label in ("architecture", "rows", "words", "macros", "instructions", "inputs", "outputs"):
        check("\n%s" % label in text, "%s in %s" % (label, text))
    check(sfpusim("info", kernel, "--params").returncode == 1, "a kernel and a topic are two questions")


def options_of_other_forms_are_refused_where_they_mean_nothing():
    written("x.s", ADDITION)
    for option, sentence in ((["--function", "f"], "it has no functions"), (["--args", "1,2"], "it has no functions"),
                             (["--template", "8"], "only C++ has templates"), (["--include", "d"], "only C++"),
                             (["--define", "X=1"], "only C++"), (["--assume", "semaphores"], "only functions of an ELF")):
        done = sfpusim("run", "x.s", *option)
        check(done.returncode == 1 and sentence in done.stderr.decode(), "%s: %s" % (option, done.stderr))
    done = sfpusim("run", "x.s", "--as", "coff")
    check(done.returncode == 1 and b"asm or hex or elf or objdump or gnu or cpp" in done.stderr, str(done.stderr))
    check(answer("equiv", "x.s", "x.s", "--as-b", "asm") != "", "the second kernel has its own form")


def elf(ident=b"\x7fELF\x01\x01\x01", machine=0xF3, size=52):
    header = struct.pack("<16sHHIIIIIHHHHHH", ident, 2, machine, 1, 0, 0, 0, 0, 52, 32, 0, 40, 0, 0)
    return header[:size]


def broken_input_gets_a_sentence_with_its_place():
    """Whatever is wrong, the exit code is 1, the sentence begins with the file, and nothing else happens."""
    files = {
        "truncated.elf": elf(size=40), "magic.elf": b"\x7fELF", "no_symbols.elf": elf(),
        "big_endian.elf": elf(b"\x7fELF\x01\x02\x01"), "rv64.elf": elf(b"\x7fELF\x02\x01\x01"), "x86.elf": elf(machine=62),
        "x86.txt": "a.out:     file format elf64-x86-64\n\n0000000000001139 <main>:\n    1139:\t55   \tpush   %rbp\n",
        "cut.txt": "    5f08:\tc0ffee41 \tSFPLOAD\tL0\n    5f0c:\tc0ff",
        "unknown.s": "\t.text\n\t.globl f\nf:\n\tfrobnicate a0, a1\n\tret\n",
        "both.s": "SFPADD L0, L1, L2, L3, 0\n",
        "garbage.bin": bytes(range(256)) * 64, "garbage.hex": bytes(range(255, -1, -1)),
        "archive.a": "!<arch>\n", "empty.s": "", "zeros": bytes(4096),
    }
    commands = (["run"], ["asm"], ["info"], ["optimize"], ["lint"], ["schedule"], ["debug", "-c", "step"])
    for number, (name, content) in enumerate(sorted(files.items())):
        written(name, content)
        for command in (commands if number % 4 == 0 else commands[:3]):
            done = sfpusim(command[0], name, *command[1:])
            if name == "empty.s" and command == ["asm"]:
                continue
            check(done.returncode == 1, "%s %s: exit code %d: %s" % (command, name, done.returncode, done.stderr))
            said = done.stderr.decode()
            check(said.startswith((name, "sfpusim: " + name)), "%s %s begins with its name: %s" % (command, name, said))
            check(len(said.splitlines()) <= 21 and len(said) < 5000, "%s %s says little: %d bytes" % (command, name, len(said)))


def a_function_that_is_not_there_is_a_sentence():
    written("no_symbols.elf", elf())
    done = sfpusim("run", "no_symbols.elf", "--function", "kernel")
    check(done.returncode == 1 and done.stderr.startswith((b"no_symbols.elf", b"sfpusim: no_symbols.elf")), str(done.stderr))


def a_large_file_is_no_matter():
    """100 MB in each form, in bounded memory; most of it is a hole."""
    limited = ["bash", "-c", 'ulimit -v 4000000; exec "$@"', "bash", SFPUSIM]
    if INSTRUMENTED:  # sanitizers reserve terabytes of addresses
        limited = [SFPUSIM]
    for name, begin in (("large.elf", b"\x7fELF\x01\x01\x01"), ("large.s", b""), ("large.txt", b"x: file format elf32-littleriscv\n")):
        with open(name, "wb") as file:
            file.write(begin)
            file.truncate(100 << 20)
        done = subprocess.run([*limited, "info", name], stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=120)
        os.remove(name)
        check(done.returncode == 1 and name.encode() in done.stderr, "%s: %d %s" % (name, done.returncode, done.stderr[:300]))


def sweeps_take_the_forms():
    written("x.s", ADDITION)
    written("words.txt", answer("asm", "x.s"))
    sweep = {"kernels": [{"file": "words.txt", "as": "hex"}, "x.s"], "parameters": {"sfpu.latency.mad": [2]}}
    written("sweep.json", json.dumps(sweep))
    answer("explore", "sweep.json", "--output", "out", "--quiet")
    with open("out/results.jsonl") as file:
        rows = [json.loads(line) for line in file]
    check([row["kernel"] for row in rows] == ["words.txt", "x.s"], "kernels: %s" % rows)
    check(rows[0]["cycles_per_row"] == rows[1]["cycles_per_row"] and rows[0]["status"] == "ok", "rows: %s" % rows)
    for wrong, sentence in (({"file": "x.s", "as": "coff"}, "asm, hex, elf"), ({"file": "x.s", "macro": "x.s"}, "the same"),
                            ({"file": "x.s", "fun": "f"}, "unknown key")):
        written("sweep.json", json.dumps({**sweep, "kernels": [wrong]}))
        done = sfpusim("explore", "sweep.json", "--output", "out2", "--quiet")
        check(done.returncode == 1 and sentence in done.stderr.decode(), "%s: %s" % (wrong, done.stderr))


def main():
    with tempfile.TemporaryDirectory() as directory:
        os.chdir(directory)
        code = run_tests([words_go_through_a_pipe, words_from_elsewhere_get_sections, a_name_decides_nothing, answers_name_their_source,
                          data_are_named_on_the_command_line, info_says_what_a_kernel_consists_of,
                          options_of_other_forms_are_refused_where_they_mean_nothing,
                          broken_input_gets_a_sentence_with_its_place, a_function_that_is_not_there_is_a_sentence,
                          a_large_file_is_no_matter, sweeps_take_the_forms])
        os.chdir(SOURCE_DIR)
    return code


if __name__ == "__main__":
    sys.exit(main())
