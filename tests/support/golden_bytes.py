#!/usr/bin/env python3
"""Every command of the program for every kernel of the library: SHA-256 of what is printed and written, compared with a
record. What moves code about must change no byte; what changes bytes on purpose writes the record anew.

usage: golden_bytes.py SFPUSIM SOURCE_DIR [--quick] [--only REGEX] [--jobs N] [--keep DIR] [--show CASE] [--record]

A case is one or a few calls of the program in an empty folder, where kernels and configurations have the same
relative names everywhere. Its line in the record stands for exit codes, standard output, standard error and all
files that were written. Versions, folders and seconds are replaced by fixed words, and Perfetto's own format is
compared uncompressed, since the bytes of a compressed one depend on the version of libdeflate. `--keep` writes what was
compared, so that two programs can be compared with `diff -r`. `--quick` takes a part of the cases, unless
SFPU_NIGHTLY is set. Exit code 2 if a case differs.

Firmware comes from whatever compiler the build found: its own bytes are in the record as `input/NAME`, and the cases
of a program that has other bytes here are left out.
"""
import argparse
import concurrent.futures
import gzip
import hashlib
import json
import os
import random
import re
import shlex
import shutil
import struct
import subprocess
import sys
import tempfile

import perfetto_trace
from checks import INSTRUMENTED, processor_seconds

HERE = os.path.dirname(os.path.abspath(__file__))
RECORD = os.path.join(HERE, "..", "data", "golden_bytes.txt")
LINKS = ("kernels", "configs", "data", "tests")
PRINTED = "printed"  # the name of what is printed, beside those of files

# Kernels with all options: both chips and both forms, values of 16 and 32 bits, a verdict of each kind, and faults.
QUICK = {"mul32", "mul32_macro", "fp32_to_bf16.wh", "optimized/relu_wh", "optimized/relu_wh_macro"}  # of --quick, too
THOROUGH = QUICK | {"mul32_wh", "fp32_to_bf16.bh", "recip_macro", "optimized/cube", "optimized/cube_macro",
                    "data/broken_mul32_ticks"}


class Case:
    """Calls of the program, each a list of arguments or a pair of them and standard input; files that they find; the
    key of an input that has to be as recorded; names of outputs that are not compared."""

    def __init__(self, name, *calls, files=None, quick=False, needs=None, ignore="$^"):
        self.name, self.files, self.quick, self.needs = name, files or {}, quick, needs
        self.calls = [call if isinstance(call, tuple) else (call, b"") for call in calls]
        self.ignore = re.compile(ignore)

    def commands(self):
        return "; ".join("sfpusim " + " ".join(map(shlex.quote, arguments)) for arguments, _ in self.calls)


# --- what is compared -----------------------------------------------------------------------------------------------


def uncompressed(data):
    return b"".join(b"packets of %d bytes\n" % len(packets) + packets for packets in perfetto_trace.uncompressed(data))


SECONDS = re.compile(rb'("seconds": ?)[0-9.e+-]+')
TIME = re.compile(rb"^(time +)[0-9.]+ s$", re.MULTILINE)
BUILD = re.compile(rb'("(?:version|systemc|compiler|vector_target|key)": ?)"[^"]*"')
ABOUT = re.compile(rb"^((?:SystemC|compiler|vector target) {2,})\S.*$", re.MULTILINE)


class Normaliser:
    def __init__(self, sfpusim, root, version):
        self.folders = [(os.path.realpath(root), b"ROOT"), (os.path.abspath(root), b"ROOT"),
                        (os.path.dirname(os.path.dirname(os.path.realpath(sfpusim))), b"BUILD")]
        self.folders = sorted(((path.encode(), word) for path, word in self.folders), key=lambda each: -len(each[0]))
        self.version = re.compile(rb"\b" + re.escape(version) + rb"\b")

    def text(self, data, folder):
        for path, word in [(folder.encode(), b"FOLDER")] + self.folders:
            data = data.replace(path, word)
        data = self.version.sub(b"VERSION", data)
        data = SECONDS.sub(rb"\1SECONDS", data)
        data = TIME.sub(rb"\1SECONDS", data)
        data = BUILD.sub(rb'\1"..."', data)
        return ABOUT.sub(rb"\1...", data)

    def file(self, name, data, folder):
        if name.endswith(".pftrace"):
            data = uncompressed(data)
        return data if name.endswith((".bin", ".npy")) else self.text(data, folder)


def written_files(folder, case):
    for place, folders, names in os.walk(folder):
        folders.sort()
        for name in sorted(names):
            path = os.path.join(place, name)
            relative = os.path.relpath(path, folder)
            if not os.path.islink(path) and relative not in case.files and not case.ignore.search(relative):
                yield relative, path


class Runner:
    def __init__(self, sfpusim, root):
        self.sfpusim, self.root = os.path.realpath(sfpusim), os.path.realpath(root)
        self.place = tempfile.TemporaryDirectory()
        self.tools = os.path.join(self.place.name, "tools")
        os.makedirs(self.tools)
        self.environment = dict(os.environ, LC_ALL="C", TMPDIR=self.place.name, HOME=self.place.name,
                                XDG_DATA_DIRS=self.tools, PATH=self.tools + os.pathsep + os.environ.get("PATH", ""))
        for name in ("NO_COLOR", "COLUMNS", "LINES", "SFPU_NIGHTLY"):
            self.environment.pop(name, None)
        self.write_gnuplot()
        version = subprocess.run([self.sfpusim, "--version"], stdout=subprocess.PIPE, check=True).stdout.split()[-1]
        self.normaliser = Normaliser(sfpusim, root, version)

    def write_gnuplot(self):
        """One that keeps what it is told to draw, which no version of the true one changes."""
        path = os.path.join(self.tools, "gnuplot")
        with open(path, "w") as file:
            file.write("#!%s\nimport re, sys\ntext = sys.stdin.read()\n"
                       "open('gnuplot.txt', 'w').write(re.sub(r'\\.svg\\.[0-9]+', '.svg', text))\n"
                       "for name in re.findall(r'^set output .(.+).$', text, re.M): open(name, 'w').close()\n"
                       % sys.executable)
        os.chmod(path, 0o755)

    def outputs(self, case):
        """What the case printed and wrote, by the name of the file."""
        folder = tempfile.mkdtemp(dir=self.place.name)
        try:
            for name in LINKS:
                os.symlink(os.path.join(self.root, name), os.path.join(folder, name))
            os.symlink(os.path.dirname(os.path.dirname(self.sfpusim)), os.path.join(folder, "build"))
            for name, data in case.files.items():
                with open(os.path.join(folder, name), "wb") as file:
                    file.write(data)
            printed = []
            for arguments, given in case.calls:
                done = subprocess.run([self.sfpusim, *arguments], input=given, stdout=subprocess.PIPE,
                                      stderr=subprocess.PIPE, cwd=folder, env=self.environment)
                printed.append(b"exit code %d\n--- standard output\n%s--- standard error\n%s"
                               % (done.returncode, done.stdout, done.stderr))
            found = {PRINTED: self.normaliser.text(b"=== next call\n".join(printed), folder)}
            for name, path in written_files(folder, case):
                with open(path, "rb") as file:
                    found[name] = self.normaliser.file(name, file.read(), folder)
            return found
        finally:
            shutil.rmtree(folder)


# --- cases of each kernel -------------------------------------------------------------------------------------------


class Kernel:
    def __init__(self, root, path, folder_name):
        self.path, self.stem = path, folder_name + os.path.basename(path)[:-2]
        with open(os.path.join(root, path)) as file:
            self.text = file.read()
        arch = re.search(r"^\.arch (\w+)", self.text, re.MULTILINE)
        self.own_arch = arch.group(1) if arch else None
        self.inputs = re.findall(r"^\.input (\w+), *\S+, *(\w+)", self.text, re.MULTILINE)
        self.outputs = re.findall(r"^\.output (\w+), *\S+, *(\w+)", self.text, re.MULTILINE)
        self.macro = "sfploadmacro" in self.text.lower()

    def variants(self):
        """Name, chip and arguments for each chip that the kernel is for."""
        if self.own_arch or "grown" in self.stem:
            return [(self.stem, self.own_arch or "bh", [self.path])]
        return [("%s.%s" % (self.stem, arch), arch, [self.path, "--arch", arch]) for arch in ("bh", "wh")]


def kernels_of(root):
    found = []
    for folder, name in (("kernels", ""), ("kernels/optimized", "optimized/"), ("tests/data", "data/")):
        for file in sorted(os.listdir(os.path.join(root, folder))):
            if file.endswith(".s"):
                found.append(Kernel(root, folder + "/" + file, name))
    return found


def npy(type_name, rows):
    """Values of 32 lanes for an .input, extreme ones among them, as NumPy writes them."""
    bits = random.Random(5)
    size = 2 if type_name.endswith("16") else 4
    kind = {"f": "<f%d", "u": "<u%d"}.get(type_name[0], "<i%d") % size
    extreme = [0, 1 << 8 * size - 1, (1 << 8 * size - 1) - 1, 1, (1 << 8 * size) - 1]
    numbers = extreme + [bits.getrandbits(8 * size) for _ in range(rows * 32 - len(extreme))]
    header = "{'descr': '%s', 'fortran_order': False, 'shape': (%d, 32), }" % (kind, rows)
    header += " " * (-(len(header) + 11) % 64) + "\n"
    data = b"".join(number.to_bytes(size, "little") for number in numbers)
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode() + data


DEBUG = b"""# forward and back
step 3
print L0[0:8] as hex
print flags
run cycle 17
where
print L1 as f32
print L2[3] as i32
print dst 0x0[0:8]
print dst 0x2[0:4] as hex16
who L0[0]
watch L0[0] as i32
watch L1[5]
watch
run

unwatch L0[0] as i32
run
back 4

list
hazards
run row 3
who L1[31]
who L16
list 20
run cycle 9
unwatch
run hazard
run end
who dst 0x0
back 12
step
run start
step 40
quit
"""


def data_case(name, kernel, arguments, quick):
    """Typed data in and out, in each form of file."""
    files = {"%s.npy" % input_name: npy(type_name, 32) for input_name, type_name in kernel.inputs}
    given = [part for input_name, _ in kernel.inputs for part in ("--input", "%s=%s.npy" % (input_name, input_name))]
    outputs = [output for output, _ in kernel.outputs]
    taken = [part for each in outputs for part in ("--output", "%s=%s.npy" % (each, each + "_out"))]
    printed = [part for each in outputs for part in ("--print", "%s[0:3, 4:12]" % each, "--print", each + "[31]")]
    printed += [part for each, _ in kernel.inputs for part in ("--print", each + "[1, 0:4]")]
    expected = [part for each in outputs for part in ("--expect", "%s=%s_out.npy" % (each, each))]
    texts = [part for each in outputs for part in ("--output", "%s=%s.csv" % (each, each))]
    raw = [part for each in outputs for part in ("--output", "%s=%s.bin" % (each, each))]
    return Case("run/%s/data" % name, ["run", *arguments, *given, *taken, *printed],
                ["run", *arguments, *given, *texts, *expected, "--quiet"],
                ["run", *arguments, "--seed", "3", *raw, *expected, "--ulp", "2"], files=files, quick=quick)


SOME_ROWS = ["--rows", "16"]


def kernel_cases(kernel):
    for name, arch, arguments in kernel.variants():
        quick = name in QUICK
        other_arch = ["--arch", "wh" if arch == "bh" else "bh"]
        run, measured = ["run", *arguments], "configs/%s_measured.json" % {"bh": "blackhole", "wh": "wormhole"}[arch]
        yield Case("run/%s/text" % name, run, quick=quick)
        yield Case("run/%s/traces" % name,
                   run + SOME_ROWS + ["--stats", "s.json", "--vcd", "t.vcd", "--konata", "t.konata",
                                      "--perfetto", "t.pftrace"], quick=quick)
        yield Case("run/%s/window" % name,
                   run + SOME_ROWS + ["--zero", "--lane", "7", "--from-cycle", "12", "--to-cycle", "40", "--perfetto",
                                      "w.pftrace", "--vcd", "w.vcd", "--konata", "w.konata", "--quiet"], quick=quick)
        yield Case("run/%s/dst" % name, run + ["--seed", "7", "--dst-dump", "d.bin", "--quiet"],
                   run + ["--dst-load", "d.bin", "--dst-dump", "e.bin", "--firmware-start", "--stats", "-"],
                   quick=quick)
        yield Case("run/%s/machine" % name, run + ["--config", measured, "--hazards", "error"],
                   run + ["--set", "sfpu.latency.mad=3", "--set", "sfpu.issue_width=2", "--strict", "--stats",
                          "m.json"],
                   quick=quick)
        if kernel.outputs:
            yield data_case(name, kernel, arguments, quick)
        yield Case("schedule/%s/text" % name, ["schedule", *arguments, "--rows", "8", "--all"], quick=quick)
        yield Case("schedule/%s/profile" % name, ["schedule", *arguments], ["schedule", *arguments, "--json"], quick=quick)
        yield Case("schedule/%s/drawn" % name,
                   ["schedule", *arguments, *SOME_ROWS, "--columns", "100", "--svg", "d.svg", "--html", "d.html"],
                   quick=quick)
        yield Case("lint/%s/text" % name, ["lint", *arguments, "--schedules", "6"], quick=quick)
        if kernel.macro or not kernel.stem.startswith("optimized/"):
            yield Case("lint/%s/json" % name, ["lint", *arguments, "--schedules", "2", "--seed", "5", "--json"],
                       quick=quick)
        yield Case("words/%s" % name, ["asm", *arguments, "-o", "k.hex"],
                   ["disasm", "k.hex", "-o", "d.s", *arguments[1:]], quick=quick)
        yield Case("debug/%s" % name, (["debug", *arguments], DEBUG), quick=quick)
        if name in THOROUGH:
            yield from thorough_cases(name, run, arguments, other_arch, quick)


def thorough_cases(name, run, arguments, other_arch, quick):
    """What one kernel of a kind shows as well as all of them."""
    configs = ("blackhole", "wormhole", "blackhole_measured", "wormhole_measured", "blackhole_shipped", "ideal")
    yield Case("configs/%s" % name,
               *[run + ["--config", "configs/%s.json" % config, "--stats", config + ".stats"] for config in configs],
               quick=quick)
    yield Case("lanes/%s" % name, run + SOME_ROWS + ["--lanes", "all", "--vcd", "l.vcd", "--perfetto", "l.pftrace"],
               ["schedule", *arguments, *SOME_ROWS, "--lanes", "all", "--html", "l.html", "--quiet"],
               run + ["--vcd", "-"], run + ["--konata", "-", "--to-cycle", "20"], quick=quick)
    yield Case("other_chip/%s" % name, run + other_arch, ["asm", *arguments, *other_arch], quick=quick)
    yield Case("hazards/%s" % name, *[["run", *arguments, "--hazards", kind, "--set", "sfpu.auto_stall=off"]
                                      for kind in ("error", "warn", "off")],
               ["schedule", *arguments, "--hazards", "error", "--to-cycle", "30", "--set", "sfpu.latency.load=2"],
               quick=quick)
    yield Case("words/%s/again" % name, ["asm", *arguments], ["asm", *arguments, "-o", "k.hex"], ["disasm", "k.hex"],
               ["disasm", "k.hex", "-o", "d.s"], ["asm", "d.s"], ["run", "k.hex"], ["schedule", "k.hex"],
               ["lint", "k.hex", "--schedules", "2"], quick=quick)


def lint_cases(kernels):
    """Cures: of the library's kernels in place, and of kernels that are broken."""
    for kernel in kernels:
        if kernel.stem.startswith("optimized/"):
            continue
        for name, _, arguments in kernel.variants():
            fixed = kernel.stem.startswith("data/") or name in ("where_inplace.bh", "where_outofplace.wh")
            if not fixed or kernel.stem.startswith("data/"):
                yield Case("lint/%s/cures" % name, ["lint", *arguments, "--schedules", "4", "--cures", "--json"],
                           quick=name == "mul32_macro")
            if fixed:
                yield Case("lint/%s/fix" % name, ["lint", *arguments, "--schedules", "4", "--fix", "-o", "fixed.s"],
                           quick=name == "data/broken_mul32_ticks")
    for kernel in kernels:
        if kernel.stem in THOROUGH:
            yield Case("lint/%s/options" % kernel.stem,
                       ["lint", kernel.path, "--schedules", "4", "--bubble-rate", "0.7", "--rows", "16", "--cures"],
                       ["lint", kernel.path, "--schedules", "0", "--firmware-start", "--set", "sfpu.latency.simple=2"],
                       quick=kernel.stem in QUICK)


def pair_cases(kernels):
    """A plain kernel and its macro form: compared, and one made of the other."""
    by_stem = {kernel.stem: kernel for kernel in kernels}
    for kernel in kernels:
        macro = by_stem.get(kernel.stem + "_macro")
        if not kernel.stem.startswith("optimized/") and kernel.stem != "mul32":
            macro = macro or by_stem.get("optimized/" + kernel.stem + "_macro")
        quick = kernel.stem in QUICK
        if macro:
            yield Case("equiv/%s" % kernel.stem, ["equiv", kernel.path, macro.path, "--seeds", "3"],
                       ["equiv", macro.path, kernel.path, "--seeds", "2", "--seed", "9", "--nan-equal",
                        "--ignore-signed-zero", "--json"], quick=quick)
            yield Case("compare/%s" % kernel.stem, ["run", kernel.path, "--stats", "a.json", "--quiet"],
                       ["run", macro.path, "--stats", "b.json", "--quiet"], ["compare", "a.json", "b.json"],
                       ["compare", "b.json", "a.json", "--json"], quick=quick, ignore=r"^[ab]\.json$")
        if kernel.macro:
            yield Case("retime/%s" % kernel.stem,
                       ["optimize", kernel.path, "--retime", "--budget", "300", "-o", "r.s", "--json",
                        "--set", "sfpu.latency.mad=3"], quick=quick)
        elif kernel.stem.startswith("optimized/") or not kernel.stem.startswith("data/"):
            for name, _, arguments in kernel.variants():
                yield Case("optimize/%s" % name,
                           ["optimize", *arguments, "--budget", "300", "-o", "o.s", "--llk", "o.h"],
                           quick=name in QUICK)


def equiv_cases():
    square = ["kernels/optimized/square.s", "kernels/optimized/square_macro.s"]
    cube = "kernels/optimized/cube.s"
    u16 = ["kernels/uint16_to_fp32.s", "tests/data/broken_uint16_to_fp32.s"]
    yield Case("equiv/differ", ["equiv", square[0], cube], ["equiv", cube, square[1], "--json"], ["equiv", *u16],
               ["equiv", *u16, "--json"], ["equiv", "kernels/mul32.s", "tests/data/broken_mul32_macro.s"],
               ["equiv", "kernels/mul32.s", "kernels/mul32_macro.s", "--set", "sfpu.latency.mad=3"],
               ["equiv", "kernels/mul32.s", "kernels/mul32_wh.s"], ["equiv", cube, square[0], "--rows", "8"],
               quick=True)
    yield Case("equiv/exhaustive", ["equiv", "kernels/uint16_to_fp32.s", "kernels/optimized/uint16_to_fp32_macro.s",
                                    "--exhaustive", "--json"],
               ["equiv", "kernels/optimized/uint16_to_bf16.s", "kernels/optimized/uint16_to_bf16_macro.s",
                "--exhaustive", "--firmware-start"])


def optimize_cases():
    cube, relu = "kernels/optimized/cube.s", "kernels/optimized/relu_wh.s"
    budget = ["--budget", "400"]
    yield Case("optimize/options/why", ["optimize", cube, "--why", "--json", *budget],
               ["optimize", relu, "--why", *budget],
               quick=True)
    yield Case("optimize/options/bubbles", ["optimize", cube, "--bubble-proof", *budget, "-o", "-"], quick=True)
    yield Case("optimize/options/rows", ["optimize", cube, "--rows-per-iteration", "1", *budget, "--json"],
               ["optimize", relu, "--at-most", "9", *budget], ["optimize", relu, "--at-most", "0.5", *budget])
    yield Case("optimize/options/machine", ["optimize", "kernels/mul32.s", *budget, "--set", "macro.templates=6",
                                            "--set", "sfpu.mad_units=2", "-o", "m.s"],
               ["optimize", "kernels/mul32.s", *budget, "--set", "macro.templates=6", "--llk", "m.h"],
               ["optimize", "kernels/mul32_macro.s", *budget],
               ["optimize", cube, *budget, "--set", "sfpu.issue_width=2"])
    yield Case("retime/options", ["optimize", "kernels/mul32_macro.s", "--retime", *budget],
               ["optimize", "kernels/recip_macro.s", "--retime", *budget, "-o", "-", "--config", "configs/ideal.json"])


# --- cases of commands without a kernel -----------------------------------------------------------------------------


def lines(requests):
    return "".join(json.dumps(request) + "\n" for request in requests).encode()


def exec_cases(root):
    for name in sorted(os.listdir(os.path.join(root, "tests", "data"))):
        if not name.endswith(".jsonl.gz"):
            continue
        with gzip.open(os.path.join(root, "tests", "data", name), "rt") as file:
            requests = [json.loads(line)["request"] for line in file]
        stem = name[:-len(".jsonl.gz")]
        yield Case("exec/%s/plain" % stem, (["exec"], lines(requests)), quick="timing" in stem)
        yield Case("exec/%s/timeline" % stem, (["exec"], lines(dict(each, timeline=True) for each in requests)),
                   quick="documented" in stem)
        threads = [dict(each, thread=[place * 7 % 5 % 3 for place in range(len(each["words"]))], timeline=True)
                   for each in requests]
        yield Case("exec/%s/threads" % stem, (["exec", "--hazards", "error"], lines(threads)),
                   quick=stem == "timing_wh")
        bubbles = [dict(each, bubbles=[place * 5 % 7 % 3 for place in range(len(each["words"]))], strict=True)
                   for each in requests]
        yield Case("exec/%s/bubbles" % stem, (["exec", "--hazards", "off", "--firmware-start"], lines(bubbles)))
        other = [dict(each, arch="wh" if each["arch"] == "bh" else "bh") for each in requests]
        yield Case("exec/%s/other_chip" % stem, (["exec"], lines(other)))
        yield Case("exec/%s/machine" % stem,
                   (["exec", "--set", "sfpu.latency.mad=3", "--set", "sfpu.issue_width=2", "--set",
                     "macro.delay_bits=4"],
                    lines(requests)))
    yield Case("exec/front_end", (["exec"], lines(front_end_requests())), quick=True)
    yield Case("exec/typed", (["exec"], lines(typed_requests())), quick=True)
    yield Case("exec/refused", (["exec", "--max-words", "1000"], REFUSED), quick=True)
    yield Case("exec/random", (["exec"], lines(random_requests())), quick=True)


def front_end_requests():
    """MOPs, playbacks, waits and semaphores, as random programs that are always the same."""
    choose = random.Random(11)

    def word():
        kind = choose.randrange(9)
        if kind == 0:
            return 0x04000000 | choose.randrange(32) << 14 | choose.randrange(1, 20) << 4 | choose.randrange(4)
        if kind == 1:
            return 0x01000000 | choose.randrange(2) << 23 | choose.randrange(12) << 16 | choose.randrange(1 << 16)
        if kind == 2:
            return 0x03000000 | choose.randrange(1 << 16)
        if kind == 3:
            return 0xA2000000 | choose.randrange(1 << 9) << 15 | choose.randrange(1 << 4)
        if kind == 4:
            return choose.choice([0xA4000004, 0xA5000004, 0xA3540004,
                                  0xA6000000 | 0x100 << 15 | 4 | choose.randrange(3)])
        return choose.choice([0x71020000 | choose.randrange(8) << 20 | choose.randrange(1 << 16), 0x8F000000,
                              0x02000000,
                              0x85000000 | choose.randrange(8) << 16 | choose.randrange(8) << 12
                              | choose.randrange(8) << 8 | choose.randrange(8) << 4,
                              0x72060000 | choose.randrange(8) << 20 | choose.randrange(512) << 1])

    for index in range(120):
        words = ["%08x" % word() for _ in range(choose.randrange(4, 40))]
        body = ["%08x" % (0x71020000 | place << 20 | choose.randrange(1 << 16)) for place in range(7)]
        config = {"mop_cfg": ["%08x" % choose.randrange(4), "%08x" % choose.randrange(4), *body],
                  "mop_mask_hi": choose.randrange(1 << 16), "semaphores": [choose.randrange(4) for _ in range(8)],
                  "semaphore_max": [choose.randrange(1, 16) for _ in range(8)]}
        if index % 4 == 0:
            config["mop_cfg"] = [int(each, 16) for each in config["mop_cfg"]]
        request = {"id": index, "arch": choose.choice(["bh", "wh"]), "words": words, "config": config,
                   "timeline": index % 2 == 0}
        if index % 3 == 0:
            request["thread"] = [choose.randrange(3) for _ in words]
        yield request


def typed_requests():
    for type_name in ("f32", "bf16", "f16", "i32", "u32", "sm32", "i16", "u16", "sm16", "i8", "u8"):
        values = [(place * 37 % 101) - (0 if type_name[0] == "u" else 50) for place in range(64)]
        for arch in ("bh", "wh"):
            yield {"id": type_name, "arch": arch, "words": ["8f000000"],
                   "inputs": {"x": {"address": 0, "type": type_name, "values": values}},
                   "outputs": {"x": {"address": 0, "type": type_name, "rows": 2},
                               "y": {"address": 2, "type": "u16", "rows": 2}}}
    yield {"words": [], "inputs": {"x": {"address": 0, "type": "f32", "values": ["inf", "-inf", "nan", 0.1] * 8}},
           "outputs": {"x": {"address": 0, "type": "f32", "rows": 1}, "y": {"address": 0, "type": "i32", "rows": 1}}}
    yield {"words": [], "inputs": {"x": {"address": 0, "type": "bf16", "values": [0.1] * 32}}}
    yield {"words": [], "outputs": {"x": {"address": 0, "type": "bf16", "rows": 513}}}
    yield {"words": [], "outputs": {"x": {"address": 0, "type": "f64", "rows": 1}}}


REFUSED = b"""
{
[]
{}
{"words": 7}
{"words": ["8f000000"], "wrods": []}
{"words": ["8f00000"]}
{"words": ["ff000000", "8f000000"], "id": {"a": [1, null, "x"]}}
{"words": ["8f000000"], "arch": "gs"}
{"words": ["8f000000"], "lreg": {"17": "00000000"}}
{"words": ["8f000000"], "lreg": {"0": ["00000000"]}}
{"words": ["8f000000"], "dst": {"1024": []}}
{"words": ["8f000000"], "thread": [3]}
{"words": ["8f000000"], "thread": [0, 1]}
{"words": ["8f000000"], "bubbles": [-1]}
{"words": ["8f000000"], "config": {"nothing": 1}}
{"words": ["8f000000"], "hazards": "perhaps"}
{"words": ["01ffffff", "01ffffff"], "config": {"mop_cfg": [100, 100, 2399141888, 0, 0, 0, 0, 0, 0]}}
{"words": ["8f000000"], "flag_stack": [["00000001", "00000001"]], "prng": "12345678", "timeline": true}
{"words": ["40000000"], "strict": true}
{"words": ["40000000"], "strict": false}
"""


def random_requests():
    """Any word of the vector unit, with any modifier, also with bits that mean nothing."""
    choose = random.Random(23)
    for index in range(250):
        words = ["%08x" % (choose.randrange(0x70, 0x9A) << 24 | choose.getrandbits(24)) for _ in range(24)]
        yield {"id": index, "arch": "wh" if index % 2 else "bh", "words": words, "timeline": index % 5 == 0,
               "lreg": {str(lreg): ["%08x" % choose.getrandbits(32) for _ in range(32)] for lreg in range(8)},
               "prng": ["%08x" % choose.getrandbits(32) for _ in range(32)], "lane_config": "%08x" % (index % 3),
               "macro": {"template": ["%08x" % (choose.randrange(0x74, 0x9A) << 24 | choose.getrandbits(24))
                                      for _ in range(4)],
                         "sequence": ["%08x" % choose.getrandbits(32) for _ in range(4)],
                         "misc": "%03x" % choose.getrandbits(12)},
               "dst": {str(row): ["%04x" % choose.getrandbits(16) for _ in range(16)] for row in range(0, 64, 3)},
               "config": {"fp32_enabled": index % 4 < 2, "srcb_format": index % 3, "remap_addrs": index % 7 == 0,
                          "swizzle_32b": index % 11 == 0, "dst_rwc": index % 16}}


SWEEPS = {
    "latencies": {"kernels": [{"macro": "kernels/optimized/horner_2_macro.s", "schedule": "keep"},
                              {"macro": "kernels/optimized/horner_2_macro.s", "schedule": "retime"},
                              {"plain": "kernels/optimized/horner_2.s", "schedule": "optimize"}],
                  "budget": 200, "mode": "zip",
                  "parameters": {"sfpu.latency.mad": [1, 2], "sfpu.latency.load": [1, 2]}},
    "keep": {"kernels": ["kernels/mul32.s", "kernels/mul32_macro.s", "kernels/mul32_wh.s", "kernels/signbit.s",
                         "tests/data/broken_mul32_macro.s"],
             "schedule": "keep", "seeds": [4], "parameters": {"sfpu.latency.mad": {"from": 1, "to": 3}},
             "where": ["sfpu.latency.mad != 2"], "cost": {"sfpu.latency.mad": 2.5}},
    "extensions": {"kernels": [{"plain": "kernels/optimized/square.s", "macro": "kernels/optimized/square_macro.s"}],
                   "schedule": "optimize", "budget": 100,
                   "points": [{}, {"macro.templates": 5}, {"sfpu.mad_units": 2, "sfpu.issue_width": 2}]},
    "zip": {"kernels": ["kernels/optimized/relu_wh_macro.s"], "mode": "zip", "schedule": "keep", "arch": "wh",
            "baseline": {"sfpu.latency.simple": 2},
            "parameters": {"sfpu.latency.simple": [1, 2], "sfpu.issue_width": [2, 1]}},
    "wrong": {"kernels": ["kernels/none.s", {"plian": "kernels/mul32.s"}], "points": [],
              "parameters": {"sfpu.none": 1}},
}
UNSTABLE_POINTS = r"(^|/)lock$|/points/|/plots/"  # named by hashes of the program; drawn by no program at all


def explore_cases(firmware):
    for name, sweep in SWEEPS.items():
        call = ["explore", "sweep.json", "--output", "out", "--jobs", "2"]
        yield Case("explore/%s" % name, call, call, files={"sweep.json": json.dumps(sweep).encode()},
                   quick=name in ("zip", "wrong"), ignore=UNSTABLE_POINTS)
    if "transpose" in firmware:
        sweep = {"firmwares": ["build/firmware/transpose.elf"],
                 "parameters": {"tensorload.xpose_buffer": ["flop", "sram_plain"], "tensorload.l1_bytes": [16, 64]}}
        yield Case("explore/transpose", ["explore", "sweep.json", "--output", "out", "--jobs", "2"],
                   files={"sweep.json": json.dumps(sweep).encode()}, needs="input/transpose", ignore=UNSTABLE_POINTS)


def llk_cases():
    """The kernels of our own tree; what a compiler says of the broken one is its own."""
    if INSTRUMENTED or not shutil.which("c++"):
        return
    ignore = r"/work/.*(?<!\.s)$"
    for only, arch in (("half", "wh"), ("cast.h", "bh"), ("early", "wh")):
        yield Case("llk/%s" % only,
                   ["llk", "tests/data/llk", "--output", "out", "--only", only, "--arch", arch, "--jobs", "1",
                    "--json"], ignore=ignore, quick=only == "half")


def silicon_cases():
    yield Case("silicon/text", ["silicon"], quick=True)
    yield Case("silicon/json", ["silicon", "--json"], ["silicon", "--json", "--set", "issue.thread_order=round_robin"])
    yield Case("silicon/markdown", ["silicon", "--markdown"],
               ["silicon", "--measurements", "data/silicon.csv", "--kernels", "data/silicon_kernels.json",
                "--config", "configs/wormhole_measured.json"])


TILE_OUTPUTS = ["--vcd", "t.vcd", "--konata", "t.konata", "--perfetto", "t.pftrace", "--stats", "s.json"]


def firmware_of(root, sfpusim):
    """The programs that the build has made, with the bytes that they load; none without a compiler for them."""
    found = {}
    build = os.path.dirname(os.path.dirname(os.path.realpath(sfpusim)))
    for folder in ("firmware", os.path.join("tests", "firmware")):
        place = os.path.join(build, folder)
        for name in sorted(os.listdir(place)) if os.path.isdir(place) else []:
            if name.endswith(".elf"):
                with open(os.path.join(place, name), "rb") as file:
                    found[name[:-4]] = (os.path.join("build", folder, name), loaded(file.read()))
    return found


def loaded(elf):
    """Entry, addresses and bytes of the segments of an ELF file of 32 bits."""
    entry, headers = struct.unpack_from("<II", elf, 24)
    size, count = struct.unpack_from("<HH", elf, 42)
    parts = [b"%x" % entry]
    for place in range(headers, headers + size * count, size):
        kind, offset, address, _, in_file, in_memory = struct.unpack_from("<6I", elf, place)
        if kind == 1:
            parts.append(b"%x %x " % (address, in_memory) + elf[offset:offset + in_file])
    return b"\n".join(parts)


def tile_cases(firmware):
    for name, (path, _) in firmware.items():
        arch = "wh" if name.endswith("_wh") else "bh"
        tile = ["tile", path, "--arch", arch, "--max-cycles", "300000"]
        short = ["--to-cycle", "3000"]
        options = {"needs": "input/" + name, "quick": name in ("tile_bf16", "check_csr")}
        yield Case("tile/%s/text" % name, tile + ["--dst-dump", "d.bin", "--l1-dump", "0x0:65536=l1.bin"], **options)
        yield Case("tile/%s/traces" % name, tile + TILE_OUTPUTS + short, **options)
        yield Case("tile/%s/options" % name,
                   tile + ["--quantum", "100", "--lane", "3", "--from-cycle", "200", "--to-cycle", "700", "--perfetto",
                           "w.pftrace", "--vcd", "w.vcd", "--hazards", "error"],
                   ["tile", path, "--arch", "wh" if arch == "bh" else "bh", "--max-cycles", "50000", "--strict",
                    "--stats", "-",
                    "--dump", "0xffb00000:64=local.bin"],
                   tile + ["--config", "configs/%s_measured.json" % ("wormhole" if arch == "wh" else "blackhole")],
                   **options)


HELPED = ("run", "schedule", "lint", "equiv", "optimize", "compare", "explore", "debug", "asm", "disasm", "exec", "llk",
          "silicon", "tile", "bench", "info")


def info_cases(runner):
    yield Case("info/about", ["info"], ["info", "--json"], ["--version"], ["info", "--arch", "wh"], quick=True)
    for topic in ("params", "latencies", "isa", "assembly", "memory-map", "report-ids"):
        call = ["info", "--" + topic]
        yield Case("info/%s" % topic, call, call + ["--arch", "wh"], call + ["--json"],
                   call + ["--arch", "wh", "--json"],
                   call + ["--markdown"], quick=True)
    yield Case("info/machine", ["info", "--latencies", "--set", "sfpu.latency.mad=4"],
               ["info", "--params", "--config", "configs/ideal.json"],
               ["info", "--memory-map", "--config", "configs/wormhole.json"],
               ["info", "--isa", "--set", "macro.count=7"], quick=True)
    ids = json.loads(ask(runner, ["info", "--report-ids", "--json"]))
    yield Case("info/explain", *[["info", "--explain", each["id"]] for each in ids], quick=True)
    yield Case("info/explain/all", *[["info", "--explain", "all", *form] for form in ([], ["--json"], ["--markdown"])])
    yield Case("info/explain/json", *[["info", "--explain", each["id"].split("/")[-1], "--json"] for each in ids])
    yield Case("help/commands", ["--help"], ["help"], *[["help", command] for command in HELPED],
               ["help", "man-page"], ["help", "bash-completion"], ["run", "--help"], quick=True)
    yield Case("help/dump_config", ["run", "--dump-config"], ["run", "--dump-config", "--arch", "wh"],
               *[["tile", "--dump-config", "--config", "configs/" + name] for name in
                 ("ideal.json", "blackhole_measured.json", "blackhole_shipped.json", "wormhole_measured.json")],
               quick=True)
    yield parameter_case(runner)


def parameter_case(runner):
    """Each parameter with another value than the chip's."""
    calls = []
    for parameter in json.loads(ask(runner, ["info", "--params", "--json"])):
        usual = parameter["value"]
        if parameter.get("choices"):
            values = [choice for choice in parameter["choices"] if choice != usual][:1]
        elif parameter["type"] == "boolean":
            values = ["false" if usual is True else "true"]
        elif isinstance(usual, int) and "maximum" in parameter:
            values = [usual + 1 if usual < parameter["maximum"] else parameter["minimum"]]
        else:
            values = []
        calls += [["run", "kernels/mul32_macro.s", "--set", "%s=%s" % (parameter["path"], value), "--stats", "-"]
                  for value in values]
    return Case("parameters", *calls)


def ask(runner, arguments):
    return subprocess.run([runner.sfpusim, *arguments], stdout=subprocess.PIPE, check=True).stdout


MISTAKES = {
    "names.s": "sfpmaad L0, L1, L2, L3, 0\nsfpload L17, 3, 7, 0\nsfpload L0, 3, 9, 0\nsfpload L0, FP23, 7, 0\n.lop 2\n",
    "order.s": ".loop\nsfpnop\n.loop\nsfpnop\n",
    "arch.s": "sfpnop\n.arch wh\n",
    "config.s": ".config sfpu.latency.mda, 3\nsfpnop\n",
    "words.hex": "8f000000\nxyz\n",
    "sweep.json": "{\"kernels\": 7, \"kernels\": []}\n",
    "config.json": "{\"sfpu\": {\"latency\": {\"mad\": 0, \"load\": \"x\"}}}\n",
    "hazard.s": ".arch wh\n.rows 2\n.loop\n    sfpload L0, FP32, ADDR_MOD_3, 0\n    sfpmad L0, L0, L9, L1, 0\n"
                "    sfpstore L1, FP32, ADDR_MOD_3, 0\n",
    "remarks.s": ".arch bh\n.rows 4\n.input x, 0x00, f32\n.output y, 0x80, f32\n.equ a, 1\n.loop\n"
                 "    sfpload L0, FP32, ADDR_MOD_7, 0x40\n    sfpmad L0, L0, L9, L1, 0\n",
}


def mistake_cases():
    files = {name: text.encode() for name, text in MISTAKES.items()}
    commands = ([["run", name] for name in MISTAKES if name.endswith((".s", ".hex"))]
                + [["asm", name] for name in MISTAKES if name.endswith(".s")]
                + [["disasm", "words.hex"], ["explore", "sweep.json", "--output", "out"], ["explore", "sweep.json"]])
    yield Case("mistakes/files", *commands, files=files, quick=True)
    kernel = "kernels/mul32.s"
    commands = [[], ["rnu", kernel], ["run"], ["run", "none.s"], ["run", kernel, "--rwos", "3"],
                ["run", kernel, "--rows", "0"],
                ["run", kernel, "--rows", "x"], ["run", kernel, "--arch", "gs"],
                ["run", kernel, "--set", "sfpu.latency=3"],
                ["run", kernel, "--set", "sfpu.latency.mad"], ["run", kernel, "--config", "config.json"],
                ["run", kernel, "--hazards", "no"], ["run", kernel, "--input", "z=none.npy"],
                ["run", kernel, "--print", "z"],
                ["run", kernel, "--vcd", "a", "--konata", "a"], ["run", kernel, "--vcd", ""], ["equiv", kernel],
                ["lint", kernel, "--fix"], ["compare", "config.json", "none.json"], ["tile", kernel],
                ["info", "--explain", "x"],
                ["info", "--json", "--markdown"], ["debug", kernel, "-c", "print L99"], ["debug", kernel, "-c", "stop"],
                ["optimize", "hazard.s", "--budget", "10", "--time-limit", "1"],
                ["silicon", "--measurements", "none.csv"]]
    yield Case("mistakes/options", *commands, files=files, quick=True)
    yield Case("mistakes/verdicts", ["lint", "hazard.s", "--schedules", "3"],
               ["lint", "hazard.s", "--schedules", "3", "--json"],
               ["lint", "hazard.s", "--schedules", "3", "--fix", "-o", "fixed.s"],
               ["run", "hazard.s", "--hazards", "error"],
               ["run", "remarks.s", "--print", "y"], ["lint", "remarks.s"], ["lint", "remarks.s", "--json"],
               ["schedule", "hazard.s", "--svg", "h.svg", "--html", "h.html"],
               ["debug", "hazard.s", "-c", "run hazard", "-c", "hazards"],
               ["debug", kernel, "-c", "help", "-c", "help run", "-c", "help print"],
               ["optimize", "hazard.s", "--budget", "10"],
               ["run", "-"], (["run", "-", "--stats", "-"], files["hazard.s"]), (["asm", "-"], files["hazard.s"]),
               (["disasm", "-"], b"8f000000\n93000000\n"), files=files, quick=True)


# Cases and inputs that are missing where there is no compiler for them.
DEPEND_ON_TOOLS = ("input/", "tile/", "llk/", "explore/transpose")


# --- the record -----------------------------------------------------------------------------------------------------


def all_cases(runner, firmware):
    kernels = kernels_of(runner.root)
    cases = [case for kernel in kernels for case in kernel_cases(kernel)]
    for more in (lint_cases(kernels), pair_cases(kernels), equiv_cases(), optimize_cases(), exec_cases(runner.root),
                 explore_cases(firmware), llk_cases(), silicon_cases(), tile_cases(firmware), info_cases(runner),
                 mistake_cases()):
        cases += more
    assert len({case.name for case in cases}) == len(cases), "two cases have one name"
    return cases


def read_record():
    if not os.path.exists(RECORD):
        return {}
    with open(RECORD) as file:
        return {name: digest for digest, name in (line.rstrip("\n").split("  ", 1) for line in file)}


def digest_of(outputs):
    digest = hashlib.sha256()
    for name in sorted(outputs):
        digest.update(b"%s %d\n" % (name.encode(), len(outputs[name])) + outputs[name])
    return digest.hexdigest()


def keep(folder, outputs):
    for name, data in outputs.items():
        path = os.path.join(folder, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb") as file:
            file.write(data)


def show(runner, case):
    print("# " + case.commands())
    for name, data in sorted(runner.outputs(case).items()):
        print("# " + name, flush=True)
        sys.stdout.buffer.write(data)
        sys.stdout.flush()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sfpusim")
    parser.add_argument("root")
    parser.add_argument("--quick", action="store_true", help="a part of the cases, unless SFPU_NIGHTLY is set")
    parser.add_argument("--only", metavar="REGEX", default="", help="cases whose names have it")
    parser.add_argument("--jobs", metavar="N", type=int, default=2)
    parser.add_argument("--keep", metavar="DIR", help="where to write what is compared")
    parser.add_argument("--show", metavar="CASE", help="print what is compared of a case, and stop")
    parser.add_argument("--record", action="store_true",
                        help="write the record anew, with --only the lines of these cases")
    options = parser.parse_args()
    if options.quick and options.record:
        parser.error("--record needs all cases, or those of --only")
    quick = options.quick and "SFPU_NIGHTLY" not in os.environ

    runner = Runner(options.sfpusim, options.root)
    firmware = firmware_of(runner.root, options.sfpusim)
    cases = all_cases(runner, firmware)
    if options.show:
        shown = [case for case in cases if case.name == options.show]
        if not shown:
            parser.error("no case is called %s" % options.show)
        show(runner, shown[0])
        return 0

    recorded = read_record()
    whole = not quick and not options.only
    found = {"input/" + name: hashlib.sha256(data).hexdigest() for name, (_, data) in firmware.items()}
    other = {name for name, digest in found.items() if not options.record and recorded.get(name) != digest}
    chosen = [case for case in cases if re.search(options.only, case.name) and (case.quick or not quick)]
    left_out = {case.name for case in chosen if case.needs in other}
    chosen = [case for case in chosen if case.name not in left_out]

    differing = []

    def run(case):
        outputs = runner.outputs(case)
        if options.keep:
            keep(os.path.join(options.keep, case.name), outputs)
        return case, digest_of(outputs)

    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for case, digest in pool.map(run, chosen):
            found[case.name] = digest
            if digest != recorded.get(case.name) and not options.record:
                differing.append(case.name)
                print("differs: %s\n    %s" % (case.name, case.commands()[:2000]), flush=True)

    if options.record:
        if options.only:
            found = dict(recorded, **found)
        with open(RECORD, "w") as file:
            file.writelines("%s  %s\n" % (found[name], name) for name in sorted(found))
    elif whole:
        gone = sorted(recorded.keys() - found.keys() - left_out)
        gone = [name for name in gone if not name.startswith(DEPEND_ON_TOOLS)]
        for name in gone:
            print("recorded, and no case any more: " + name)
        differing += gone
    if left_out:
        print("%d cases left out, whose firmware is not the recorded one" % len(left_out))
    print("%d cases, %d differ, %.0f s of processors" % (len(chosen), len(differing), processor_seconds()))
    return 2 if differing else 0


if __name__ == "__main__":
    sys.exit(main())
