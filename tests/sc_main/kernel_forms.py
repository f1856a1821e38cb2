#!/usr/bin/env python3
"""A kernel in whatever form people hold it: the kernels of kernels/ as hex words, as the text of `objdump -d`, as `-S` text, as a
function of an ELF of the stock compiler, and recorded from C++. Each form gives the same words and the same answers.

Every word of every form is compared, and the throughput; the longer answers (lint, equiv) are asked of a form of every fourth
kernel, and C++, which takes a compiler, is one function that calls all kernels of Blackhole. With SFPU_NIGHTLY in the environment
every form of each kernel on each of its chips, C++ among them, is asked everything.

usage: kernel_forms.py SFPUSIM SOURCE_DIR
"""
import functools
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
from checks import check, run_tests  # noqa: E402

SFPUSIM, SOURCE_DIR = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
NIGHTLY = "SFPU_NIGHTLY" in os.environ
RISCV = shutil.which("riscv64-unknown-elf-gcc") or shutil.which("riscv32-unknown-elf-gcc")
OBJDUMP = RISCV and shutil.which(RISCV[:-len("gcc")] + "objdump")
CPP = shutil.which(os.environ.get("CXX") or "c++")
ROWS = 32


def sfpusim(*arguments, codes=(0,)):
    done = subprocess.run([SFPUSIM, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, universal_newlines=True)
    if done.returncode not in codes:
        raise RuntimeError("sfpusim %s: exit code %d: %s" % (" ".join(arguments), done.returncode, done.stderr.strip()))
    return done.stdout


class Words:
    """The words of a kernel by section, as `asm` writes them."""

    def __init__(self, text):
        self.sections, self.together, self.rows, self.data = {"init": [], "loop": [], "tail": []}, 1, ROWS, []
        section = "loop"
        for line in text.splitlines():
            found = re.match(r"; \.(\w+)\s*(.*)", line)
            if not found:
                self.sections[section] += [int(line.split(";")[0], 16)] if line.split(";")[0].strip() else []
            elif found[1] in self.sections:
                section = found[1]
                self.together = int(found[2] or 1) if section == "loop" else self.together
            elif found[1] == "rows":
                self.rows = int(found[2])
            elif found[1] in ("input", "output"):
                name, address, kind = [part.strip() for part in found[2].split(",")]
                self.data.append((found[1], name, address, kind))

    def issued(self):
        """In the order in which they are issued for all rows."""
        return self.sections["init"] + self.issued_by_calls()

    def issued_by_calls(self):
        return self.sections["loop"] * (self.rows // self.together) + self.sections["tail"]

    def data_options(self):
        return [part for what, name, address, kind in self.data
                for part in ("--%s-at" % what, "%s=%s:%s" % (name, address, kind))]


class Kernel:
    def __init__(self, path, arch):
        self.path, self.arch = path, arch
        self.name = "%s_%s" % (os.path.basename(path)[:-2], arch)
        self.hex = sfpusim("asm", "--arch", arch, path)
        self.words = Words(self.hex)

    @functools.lru_cache(maxsize=None)
    def cycles_per_row(self):
        return cycles_per_row(self.arch, self.path)


@functools.lru_cache(maxsize=None)
def kernels():
    """The kernels of the library, each on the chips that it is for: daily on the first of them."""
    found = []
    folder = os.path.join(SOURCE_DIR, "kernels")
    for name in sorted(os.listdir(folder)):
        for arch in ("bh", "wh") if name.endswith(".s") else ():
            path = os.path.join(folder, name)
            if subprocess.run([SFPUSIM, "asm", "--arch", arch, path], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode:
                continue
            found.append(Kernel(path, arch))
            if not NIGHTLY:
                break
    return found


def pushed(word):
    """An instruction word as a core pushes it, rotated so that it is no RV32 instruction."""
    return (word << 2 | word >> 30) & 0xffffffff


# --- the forms: each writes a file and returns it with the options that say what it is -----------------------------------------

def as_hex(kernel, folder):
    path = os.path.join(folder, kernel.name + ".words")
    with open(path, "w") as file:
        file.write(kernel.hex)
    return path, ["--as", "hex"]


def as_objdump(kernel, folder):
    """What the stock disassembler says of the function; without it, what the vendor's does."""
    path = os.path.join(folder, kernel.name + ".dis")
    if OBJDUMP:
        text = subprocess.run([OBJDUMP, "-d", "-z", as_elf(kernel, folder)[0]], check=True, stdout=subprocess.PIPE,
                              universal_newlines=True).stdout
    else:
        text = "\n%s.elf:     file format elf32-littleriscv\n\n\nDisassembly of section .text:\n\n00005000 <%s>:\n" % (
            kernel.name, kernel.name)
        for number, word in enumerate(kernel.words.issued()):
            text += "%8x:\t%08x          \tttinsn\t%d\n" % (0x5000 + 4 * number, pushed(word), word)
        text += "%8x:\t00008067          \tret\n" % (0x5000 + 4 * len(kernel.words.issued()))
    with open(path, "w") as file:
        file.write(text)
    return path, ["--function", kernel.name] + kernel.words.data_options()


def as_gnu(kernel, folder):
    """As a compiler writes it: without the comments from which our reader knows sections."""
    flat = os.path.join(folder, kernel.name + "_flat.hex")
    with open(flat, "w") as file:
        file.writelines("%08x\n" % word for word in kernel.words.issued())
    path = os.path.join(folder, kernel.name + "_gnu.s")
    with open(path, "w") as file:
        text = sfpusim("disasm", "--syntax", "gnu", "--arch", kernel.arch, flat)
        file.writelines(line for line in text.splitlines(True) if not line.startswith("#"))
    return path, ["--as", "gnu"] + kernel.words.data_options()


def as_elf(kernel, folder):
    source, path = os.path.join(folder, kernel.name + "_elf.S"), os.path.join(folder, kernel.name + ".elf")
    with open(source, "w") as file:
        file.write(".text\n.globl {0}\n.type {0}, @function\n{0}:\n".format(kernel.name))
        file.writelines("    .4byte 0x%08x\n" % pushed(word) for word in kernel.words.issued())
        file.write("    ret\n.size {0}, .-{0}\n".format(kernel.name))
    subprocess.run([RISCV, "-march=rv32im", "-mabi=ilp32", "-nostdlib", "-Wl,-Ttext=0x5000", "-Wl,-e," + kernel.name, source, "-o", path],
                   check=True)
    return path, ["--function", kernel.name] + kernel.words.data_options()


# Operands of the published macros: shift and width, in the order of the macro.
IMM12, THREE = ((12, 12), (8, 4), (4, 4), (0, 4)), ((16, 4), (12, 4), (8, 4), (4, 4), (0, 4))
LOAD_STORE = {"bh": ((20, 4), (16, 4), (13, 3), (0, 13)), "wh": ((20, 4), (16, 4), (14, 2), (0, 14))}
IMM16 = ((8, 16), (4, 4), (0, 4))
MACROS = {0x71: ("SFPLOADI", ((20, 4), (16, 4), (0, 16))), 0x77: ("SFPEXEXP", IMM12), 0x78: ("SFPEXMAN", IMM12),
          0x79: ("SFPIADD", IMM12), 0x7a: ("SFPSHFT", IMM12), 0x7b: ("SFPSETCC", IMM12), 0x7d: ("SFPABS", IMM12),
          0x7e: ("SFPAND", IMM12), 0x84: ("SFPMAD", THREE), 0x89: ("SFPSETSGN", IMM12), 0x8a: ("SFPENCC", IMM12),
          0x8e: ("SFP_STOCH_RND", ((21, 3), (16, 5), (12, 4), (8, 4), (4, 4), (0, 4))),
          0x90: ("SFPCAST", ((8, 4), (4, 4), (0, 4))), 0x91: ("SFPCONFIG", IMM16), 0x94: ("SFPSHFT2", IMM12),
          0x98: ("SFPMUL24", THREE), 0x99: ("SFPARECIP", IMM12), 0xb2: ("SETC16", ((16, 8), (0, 16)))}
MOVES = {0x70: "SFPLOAD", 0x72: "SFPSTORE", 0x93: "SFPLOADMACRO"}


def macro_of(word, arch):
    """C++ that issues a word by a published macro."""
    opcode = word >> 24
    if word == 0x8f000000:
        return "TTI_SFPNOP;"
    name, fields = (MOVES[opcode], LOAD_STORE[arch]) if opcode in MOVES else MACROS[opcode]
    values = [word >> shift & (1 << width) - 1 for shift, width in fields]
    rest = word & 0xffffff & ~sum(((1 << width) - 1) << shift for shift, width in fields)
    check(rest == 0, "0x%08x has no other bits than %s has operands" % (word, name))
    return "TTI_%s(%s);" % (name, ", ".join(map(str, values)))


def functions_of(kernel):
    """C++ in the style of the library: init and calculate."""
    def section(name, indent):
        return "".join(" " * indent + macro_of(word, kernel.arch) + "\n" for word in kernel.words.sections[name])
    return ("inline void {0}_init() {{\n{1}}}\ntemplate <int ITERATIONS>\ninline void calculate_{0}() {{\n"
            "    for (int d = 0; d < ITERATIONS / {2}; ++d) {{\n{3}    }}\n{4}}}\n").format(
                kernel.name, section("init", 4), kernel.words.together, section("loop", 8), section("tail", 4))


def header_of(parts):
    return "#pragma once\n#include \"ckernel_ops.h\"\nnamespace ckernel::sfpu {\n" + "".join(parts) + "} // namespace ckernel::sfpu\n"


def as_cpp(kernel, folder):
    path = os.path.join(folder, kernel.name + ".h")
    with open(path, "w") as file:
        file.write(header_of([functions_of(kernel)]))
    return path, ["--function", "calculate_" + kernel.name, "--template", str(ROWS)] + kernel.words.data_options()


FORMS = {"hex": as_hex, "objdump": as_objdump, "gnu": as_gnu, "elf": as_elf, "cpp": as_cpp}


# --- what is the same ----------------------------------------------------------------------------------------------------------

def issued_of_form(form, kernel, words):
    """The words of a form, without what callers of C++ issue around the init function: SETC16 in front of it, two SFPNOPs behind."""
    if form != "cpp":
        return words.issued()
    init, ours = words.sections["init"], kernel.words.sections["init"]
    around = len(init) - len(ours) - 2
    check(around > 0 and all(word >> 24 == 0xb2 for word in init[:around]) and init[-2:] == 2 * [0x8f000000],
          "%s as C++ has address modifiers in front of its init and two SFPNOPs behind" % kernel.name)
    return init[around:-2] + words.issued_by_calls()


def cycles_per_row(arch, path, *options):
    with tempfile.TemporaryDirectory() as folder:
        stats = os.path.join(folder, "stats.json")
        sfpusim("run", "--quiet", "--arch", arch, "--stats", stats, path, *options, codes=(0, 2))
        with open(stats) as file:
            return json.load(file)["throughput"]["cycles_per_row"]


def robust(arch, path, *options):
    """A form that says where idle cycles can stand is broken where our file, which does not say, is only not robust."""
    return json.loads(sfpusim("lint", "--json", "--schedules", "20", "--arch", arch, path, *options, codes=(0, 1, 2)))["verdict"] == "robust"


def compare(form, kernel, folder, thoroughly):
    path, options = FORMS[form](kernel, folder)
    words = Words(sfpusim("asm", "--arch", kernel.arch, path, *options))
    what = "%s as %s" % (kernel.name, form)
    found, expected = issued_of_form(form, kernel, words), kernel.words.issued()
    check(found == expected, "%s has the same words: %d instead of %d, the first difference at %s" % (
        what, len(found), len(expected), next((i for i, pair in enumerate(zip(found, expected)) if pair[0] != pair[1]), "the end")))
    cycles, ours = cycles_per_row(kernel.arch, path, *options), kernel.cycles_per_row()
    check(cycles == ours, "%s takes as long: %s cycles a row instead of %s" % (what, cycles, ours))
    if thoroughly:
        check(robust(kernel.arch, path, *options) == robust(kernel.arch, kernel.path), "%s has the same lint verdict" % what)
        of_b = [each + "-b" if each in ("--as", "--function", "--template") else each for each in options]
        proof = json.loads(sfpusim("equiv", "--json", "--seeds", "2", "--arch", kernel.arch, kernel.path, path, *of_b, codes=(0, 1, 2)))
        check(proof["verdict"] == "proved", "%s is proved equal: %s" % (what, proof["verdict"]))


def all_forms_give_the_same_words_and_answers():
    forms = [form for form in FORMS if (form != "elf" or RISCV) and (form != "cpp" or (NIGHTLY and CPP))]
    with tempfile.TemporaryDirectory() as folder:
        for number, kernel in enumerate(kernels()):
            for at, form in enumerate(forms):
                try:
                    compare(form, kernel, folder, NIGHTLY or (number % 4 == 0 and at == number // 4 % len(forms)))
                except RuntimeError as error:
                    check(False, "%s as %s: %s" % (kernel.name, form, error))


def cpp_of_all_kernels_gives_their_words():
    """One function for each chip that calls those of all kernels, by day for Blackhole."""
    for arch in (("bh", "wh") if NIGHTLY else ("bh",)) if CPP else ():
        those = [kernel for kernel in kernels() if kernel.arch == arch]
        calls = "".join("    {0}_init();\n    calculate_{0}<{1}>();\n".format(each.name, ROWS) for each in those)
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "all.h")
            with open(path, "w") as file:
                file.write(header_of([functions_of(each) for each in those] + ["inline void everything() {\n" + calls + "}\n"]))
            words = Words(sfpusim("asm", "--arch", arch, path, "--function", "everything"))
        expected = [word for each in those for word in each.words.issued()]
        found = words.sections["init"] + words.sections["loop"] + words.sections["tail"]
        check(found[-len(expected):] == expected, "C++ of all kernels has the words of all, %s" % arch)


if __name__ == "__main__":
    if "--as" not in subprocess.run([SFPUSIM, "asm", "--help"], stdout=subprocess.PIPE, universal_newlines=True).stdout:
        print("the program takes no other forms yet")
        sys.exit(77)
    sys.exit(run_tests([all_forms_give_the_same_words_and_answers, cpp_of_all_kernels_gives_their_words]))
