#!/usr/bin/env python3
"""optimize --llk: the functions that it writes compile with the recorder's headers and issue the words of the schedule.

usage: llk_header.py SFPUSIM SOURCE_DIR
"""
import os
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
import instrumentation  # noqa: E402
from checks import check, run_tests  # noqa: E402

SFPUSIM, SOURCE_DIR = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
KERNELS, MODELS = os.path.join(SOURCE_DIR, "kernels"), os.path.join(SOURCE_DIR, "models")
RECORDER = os.path.join(MODELS, "kernel_recorder")
FOLDER = tempfile.TemporaryDirectory()
BUILD = instrumentation.build_of(SFPUSIM)
# The recorder is a library that is linked as it was built.
LIBRARIES = [os.path.join(BUILD, "models", name, "libsfpu_%s.a" % name) for name in ("kernel_recorder", "isa", "common")]

# Chip, kernel, options: rows that begin before the loop, flags, rotating registers, a row of more words than the replay
# buffer has room for, kernels with macros.
CASES = [("bh", "optimized/where_in_place.s", []), ("bh", "optimized/linear.s", []), ("bh", "optimized/cube.s", []),
         ("bh", "optimized/horner_3_macro.s", ["--retime"]),
         ("bh", "mul32_macro.s", ["--retime"]), ("bh", "signbit.s", ["--retime"]),
         ("wh", "optimized/where_in_place_wh.s", []), ("wh", "optimized/float_add_wh.s", []),
         ("wh", "optimized/signbit_wh.s", []), ("wh", "int32_to_fp32.s", ["--retime"])]
ROWS = 16  # of a call; a multiple of what any of the functions works on at once

MAIN = """
#include <sfpu/kernel_recorder/kernel.h>
%s
#include <cstdio>

int main() {
    ::sfpu::kernel_recorder::recorder into(::sfpu::architecture::%s);
    const auto issued = [&](void (*function)(), const char* name) {
        for (const auto word : ::sfpu::kernel_recorder::record(into, function)) std::printf("%%s %%08x\\n", name, word);
    };
%s    for (const auto& warning : into.warnings()) std::printf("warning %%s\\n", warning.c_str());
}
"""


def sfpusim(*arguments):
    return subprocess.run([SFPUSIM, *arguments], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, timeout=120)


def written(chip, kernel, options):
    """The schedule and the header of a kernel."""
    name = re.sub(r"\W", "_", os.path.basename(kernel)[:-2])
    out, header = os.path.join(FOLDER.name, "%s_%s.s" % (chip, name)), os.path.join(FOLDER.name, "%s_%s.h" % (chip, name))
    done = sfpusim("optimize", "--quiet", "--arch", chip, "--budget", "20000", *options, "-o", out, "--llk", header,
                   os.path.join(KERNELS, kernel))
    check(done.returncode == 0, "%s: %s" % (kernel, done.stderr.decode()))
    return name, out, header


def words_of(schedule):
    """The words of .init, of .loop, of .tail, and the rows of an iteration."""
    parts, rows, section = {"init": [], "loop": [], "tail": []}, 1, "loop"
    for line in sfpusim("asm", schedule).stdout.decode().splitlines():
        if line.startswith("; ."):
            words = line[3:].split()
            if words[0] in parts:
                section = words[0]
            if words[0] == "loop":
                rows = int(words[1])
        elif re.match(r"[0-9a-f]{8}", line):
            parts[section].append(line[:8])
    return parts["init"], parts["loop"], parts["tail"], rows


def recorded(chip, kernels):
    """What the functions of headers issue, by name."""
    macro, arch = ("ARCH_BLACKHOLE", "blackhole") if chip == "bh" else ("ARCH_WORMHOLE", "wormhole")
    calls = ""
    for name, _, _ in kernels:
        calls += '    issued([] { ckernel::sfpu::_init_%s_<false>(); }, "%s");\n' % (name, name)
        calls += '    issued([] { ckernel::sfpu::_calculate_%s_<false, %d>(); }, "%s");\n' % (name, ROWS, name)
    source = os.path.join(FOLDER.name, chip + ".cpp")
    with open(source, "w") as file:
        file.write(MAIN % ("\n".join('#include "%s"' % header for _, _, header in kernels), arch, calls))
    return words_by_name(source, macro)


def words_by_name(source, macro):
    """What a program that records functions says, by name."""
    program = source[:-len(".cpp")]
    include = ["-I" + os.path.join(MODELS, model, "include") for model in ("kernel_recorder", "isa", "common")]
    published = "-I" + os.path.join(RECORDER, "include", "sfpu", "kernel_recorder", "published")
    done = subprocess.run([instrumentation.compiler(BUILD), "-std=c++20", "-Wall", "-Wextra", "-Werror", "-Wno-unused-parameter", "-D" + macro,
                           *instrumentation.flags(BUILD), *include, published, source, *LIBRARIES, "-lfmt", "-o", program],
                          stderr=subprocess.PIPE, timeout=280)
    check(done.returncode == 0, "the headers for %s compile: %s" % (macro, done.stderr.decode()[:2000]))
    issued = {}
    for line in subprocess.run([program], stdout=subprocess.PIPE, check=True, timeout=60).stdout.decode().splitlines():
        name, rest = line.split(" ", 1)
        issued.setdefault(name, []).append(rest)
    return issued


def functions_issue_the_words_of_the_schedule(chip):
    kernels = [written(*case) for case in CASES if case[0] == chip]
    check(len(kernels) >= 3, "three kernels")
    issued = recorded(chip, kernels)
    check("warning" not in issued, "what works here works with the vendor's headers: %s" % issued.get("warning"))
    for name, schedule, header in kernels:
        init, loop, tail, rows = words_of(schedule)
        check(loop and issued[name] == init + loop * (ROWS // rows) + tail,
              "%s: %s instead of %s" % (name, issued[name], init + loop * (ROWS // rows) + tail))
        with open(header) as file:
            text = file.read()
        check("lltt::record(0, " in text and "lltt::replay(0, " in text, "%s records and replays" % name)


def functions_for_blackhole_issue_the_words_of_the_schedule():
    functions_issue_the_words_of_the_schedule("bh")


def functions_for_wormhole_issue_the_words_of_the_schedule():
    functions_issue_the_words_of_the_schedule("wh")


def rows_that_begin_before_the_loop_are_not_set_up():
    # Else a second call would find them begun only once.
    name, schedule, header = written("bh", "optimized/horner_3_macro.s", ["--retime"])
    with open(header) as file:
        text = file.read()
    check("begin before the loop" in text, "some rows of this schedule do")
    init = text.split("inline void _calculate_")[0].split("lltt::record")[0]
    check("TTI_SFPLOADMACRO" not in init, "init starts no macro: %s" % init)


SCALE = """#pragma once
#include <cstdint>
#include "ckernel.h"
#include "sfpi.h"
namespace ckernel { namespace sfpu {
inline float float_of(std::uint32_t bits) {
    float number;
    __builtin_memcpy(&number, &bits, sizeof number);
    return number;
}
template <bool APPROXIMATION_MODE, int ITERATIONS = 8>
inline void calculate_scale(const std::uint32_t scale, const std::uint32_t bias) {
    const sfpi::vFloat factor = float_of(scale), more = float_of(bias);
    for (int d = 0; d < ITERATIONS; d++) {
        sfpi::dst_reg[0] = sfpi::dst_reg[0] * factor + more;
        sfpi::dst_reg++;
    }
}
}}
"""
OTHER_VALUES = ["0x40490fdb, 0xbf800000", "0x7fc00000, 1"]  # numbers, and what is none

SCALE_MAIN = """
#include <cstdint>
#include <sfpu/kernel_recorder/kernel.h>
#include "%s"
#include <cstdio>
int main() {
    ::sfpu::kernel_recorder::recorder into(::sfpu::architecture::blackhole);
    const auto issued = [&](void (*function)(), const char* name) {
        for (const auto word : ::sfpu::kernel_recorder::record(into, function)) std::printf("%%s %%08x\\n", name, word);
    };
%s}
"""


def functions_have_the_parameters_of_the_function_and_are_right_for_other_values():
    header, out = os.path.join(FOLDER.name, "scale.h"), os.path.join(FOLDER.name, "scale_found.h")
    with open(header, "w") as file:
        file.write(SCALE)
    done = sfpusim("optimize", "--quiet", "--budget", "20000", "--function", "calculate_scale", "--template", "false, 8",
                   "--llk", out, header)
    check(done.returncode == 0, "scale: %s" % done.stderr.decode())
    calls = ""
    for i, values in enumerate(OTHER_VALUES):
        calls += '    issued([] { ckernel::sfpu::_init_scale_<false>(%s); }, "init%d");\n' % (values, i)
        calls += '    issued([] { ckernel::sfpu::_calculate_scale_<false, 8>(%s); }, "calculate%d");\n' % (values, i)
    source = os.path.join(FOLDER.name, "scale_main.cpp")
    with open(source, "w") as file:
        file.write(SCALE_MAIN % (out, calls))
    issued = words_by_name(source, "ARCH_BLACKHOLE")
    check(issued["init0"] != issued["init1"], "a parameter is in the set-up: %s" % issued["init0"])
    for i, values in enumerate(OTHER_VALUES):
        kernel = os.path.join(FOLDER.name, "scale_%d.s" % i)
        with open(kernel, "w") as file:
            lines = [".arch bh", ".rows 8", ".init"] + ["    .word 0x" + word for word in issued["init%d" % i]]
            lines += [".loop 8"] + ["    .word 0x" + word for word in issued["calculate%d" % i]]
            file.write("\n".join(lines) + "\n")
        done = sfpusim("equiv", "--rows", "8", "--function", "calculate_scale", "--template", "false, 8", "--args", values,
                       header, kernel)
        check(done.returncode == 0, "(%s): %s%s" % (values, done.stdout.decode(), done.stderr.decode()))
    # The same words do not compute what another argument gives.
    done = sfpusim("equiv", "--rows", "8", "--function", "calculate_scale", "--template", "false, 8", "--args",
                   "0x40400000, 0xbf800000", header, os.path.join(FOLDER.name, "scale_0.s"))
    check(done.returncode == 2, "another argument: %s%s" % (done.stdout.decode(), done.stderr.decode()))


def machines_that_are_no_chip_are_refused():
    done = sfpusim("optimize", "--set", "sfpu.latency.mad=3", "--llk", os.path.join(FOLDER.name, "x.h"),
                   os.path.join(KERNELS, "optimized", "square.s"))
    check(done.returncode == 1 and b"sfpu.latency.mad" in done.stderr, "refused: %s" % done.stderr)


def a_dash_is_standard_output():
    done = sfpusim("optimize", "--llk", "-", os.path.join(KERNELS, "optimized", "square.s"))
    check(done.returncode == 0 and done.stdout.startswith(b"//") and b"#pragma once" in done.stdout, "the header and nothing else")
    done = sfpusim("optimize", "--json", "--llk", "-", os.path.join(KERNELS, "optimized", "square.s"))
    check(done.returncode == 1 and b"expected one" in done.stderr, "not with --json: %s" % done.stderr)


if __name__ == "__main__":
    if not instrumentation.compiler(BUILD):
        print("no C++ compiler")
        sys.exit(77)
    sys.exit(run_tests([
        functions_for_blackhole_issue_the_words_of_the_schedule,
        functions_for_wormhole_issue_the_words_of_the_schedule,
        rows_that_begin_before_the_loop_are_not_set_up,
        functions_have_the_parameters_of_the_function_and_are_right_for_other_values,
        machines_that_are_no_chip_are_refused,
        a_dash_is_standard_output,
    ]))
