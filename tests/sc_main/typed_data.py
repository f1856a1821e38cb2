#!/usr/bin/env python3
"""Typed data of `run`: every kernel of the library against NumPy, files in all forms, --print, --expect, what is wrong.

usage: typed_data.py SFPUSIM SOURCE_DIR
"""
import os
import re
import subprocess
import sys
import tempfile

import numpy as np

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
from checks import check, run_tests  # noqa: E402

SFPUSIM, SOURCE_DIR = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
FOLDER = tempfile.TemporaryDirectory()
ROWS, LANES = 32, 32
NUMPY = {"f32": "<f4", "bf16": "<f4", "f16": "<f2", "i32": "<i4", "u32": "<u4", "sm32": "<i4", "i16": "<i2", "u16": "<u2",
         "sm16": "<i2", "i8": "i1", "u8": "u1"}
MODES = {"f32": "FP32", "bf16": "BF16", "f16": "FP16", "i32": "INT32", "u32": "INT32", "sm32": "INT32", "i16": "UINT16",
         "u16": "UINT16", "sm16": "INT16", "i8": "INT8", "u8": "INT8"}


def file_in(folder_name):
    return os.path.join(FOLDER.name, folder_name)


def run(kernel, *arguments):
    return subprocess.run([SFPUSIM, "run", kernel, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          universal_newlines=True)


def library(name):
    return os.path.join(SOURCE_DIR, "kernels", name + ".s")


def written(name, text):
    with open(file_in(name), "w") as file:
        file.write(text)
    return file_in(name)


def copy_kernel(kind, rows=2):
    """Row by row, what is at 0 goes to 0x80 as it is."""
    return written("copy_%s.s" % kind,
                   ".arch bh\n.rows %d\n.input x, 0x00, %s\n.output y, 0x80, %s\n.init\n    setc16 34, 2\n    setc16 35, 0\n"
                   ".loop\n    sfpload L0, %s, ADDR_MOD_7, x\n    sfpstore L0, %s, ADDR_MOD_6, y\n"
                   % (rows, kind, kind, MODES[kind], MODES[kind]))


def bits(values):
    return values.view("<u%d" % values.itemsize)


def random_of(kind, generator, shape=(ROWS, LANES)):
    """Values of a type whose cells all exist, special ones among them."""
    dtype = np.dtype(NUMPY[kind])
    if dtype.kind != "f":
        info = np.iinfo(dtype)
        least = info.min + 1 if kind.startswith("sm") else info.min
        values = generator.integers(least, info.max, shape, dtype=np.int64, endpoint=True)
        ends = np.array([least, info.max, 0, 1, max(least, -1)])
    else:
        values = generator.integers(0, 1 << 8 * dtype.itemsize, shape, dtype=np.uint64).astype("<u%d" % dtype.itemsize).view(dtype)
        if kind == "bf16":
            values = (bits(values) & 0xffff0000).astype("<u4").view("<f4")
        ends = np.array([0.0, -0.0, 1.0, -1.0, 2.0 ** -14, -65504.0 if kind == "f16" else 2.0 ** 126])
        if kind != "f16": # there the vector unit has ordinary numbers
            ends = np.append(ends, [np.inf, -np.inf])
    values = values.astype(dtype)
    values.flat[:len(ends)] = ends.astype(dtype)
    return values


# --- every kernel of the library against NumPy -------------------------------------------------------------------------

def bf16_of(x):
    """The nearest bf16, ties to even, as kernels compute it; inputs without NaN. Subnormal results are zero."""
    wide = bits(x).astype(np.uint64)
    rounded = ((wide + 0x7fff + (wide >> 16 & 1)) & 0xffff0000).astype("<u4")
    return np.where(rounded & 0x7f800000, rounded, rounded & 0x80000000).astype("<u4").view("<f4")


def away_from_zero_bf16(x):
    """Ties away from zero; what fits into 17 bits."""
    wide = bits(x.astype("<f4")).astype(np.uint64)
    return ((wide + 0x8000) & 0xffff0000).astype("<u4").view("<f4")


def without_nan(x):
    return np.where(np.isnan(x), np.float32(3), x).astype(x.dtype)


def product(a, b):
    return (a.astype(np.int64).astype(np.uint64) * b.astype(np.int64).astype(np.uint64)).astype("<u4").view("<i4")


LIBRARY = {
    "fp32_to_bf16": (lambda x: bf16_of(x), {"x": lambda g: without_nan(random_of("f32", g))}),
    "int32_to_fp32": (lambda x: x.astype("<f4"), {}),
    "mul32": (lambda a, b: product(a, b), {}),
    "mul32_macro": (lambda a, b: product(a, b), {}),
    "mul32_wh": (lambda a, b: product(a, b), {}),
    "mul_uint16": (lambda a, b: (a.astype("<u4") * b).astype("<u2"), {}),
    "signbit": (lambda x: (bits(x) >> 31).astype("<f4"), {}),
    "uint16_to_bf16": (lambda x: away_from_zero_bf16(x), {}),
    "uint16_to_fp32": (lambda v: v.astype("<f4"), {}),
    "where_inplace": (lambda cond, yes, no: np.where(cond != 0, yes, no), {"cond": lambda g: g.integers(0, 2, (ROWS, LANES)).astype("<u4")}),
    "where_outofplace": (lambda cond, yes, no: np.where(cond != 0, yes, no), {"cond": lambda g: g.integers(0, 2, (ROWS, LANES)).astype("<u4")}),
}


def declarations(path, directive):
    """Name and type of what a kernel declares."""
    with open(path) as file:
        words = [line.split(";")[0].replace(",", " ").split() for line in file]
    return [(line[1], line[3]) for line in words if line and line[0] == directive]


def architectures(path):
    with open(path) as file:
        text = file.read()
    return [arch for arch in ("bh", "wh") if "\n.arch %s" % arch in text] or ["bh", "wh"]


def all_kernels_of_the_library_compute_what_numpy_does():
    generator = np.random.default_rng(20)
    names = sorted(file[:-2] for file in os.listdir(os.path.join(SOURCE_DIR, "kernels")) if file.endswith(".s"))
    check(set(names) == set(LIBRARY) | {"recip_macro"}, "there is a definition for each of %s" % names)
    for name, (function, special) in LIBRARY.items():
        path = library(name)
        inputs = {each: special.get(each, lambda g, kind=kind: random_of(kind, g))(generator)
                  for each, kind in declarations(path, ".input")}
        (output, kind), = declarations(path, ".output")
        expected = function(**inputs).astype(NUMPY[kind])
        arguments = []
        for each, values in inputs.items():
            np.save(file_in(each + ".npy"), values)
            arguments += ["--input", "%s=%s" % (each, file_in(each + ".npy"))]
        np.save(file_in("expected.npy"), expected)
        for arch in architectures(path):
            done = run(path, "--arch", arch, *arguments, "--output", "%s=%s" % (output, file_in("out.npy")),
                       "--expect", "%s=%s" % (output, file_in("expected.npy")))
            check(done.returncode == 0, "%s on %s is as NumPy has it: %s" % (name, arch, done.stderr))
            found = np.load(file_in("out.npy"))
            check(found.dtype == np.dtype(NUMPY[kind]) and found.shape == (ROWS, LANES), "%s: type and shape" % name)
            check((bits(found) == bits(expected)).all(), "%s on %s: the file holds the same bits" % (name, arch))


def the_reciprocal_is_as_near_as_its_page_says():
    x = random_of("f32", np.random.default_rng(5))
    x = np.where(np.isfinite(x) & (np.abs(x) < 2.0 ** 126) & (np.abs(x) >= 2.0 ** -126), x, np.float32(-7)).astype("<f4")
    np.save(file_in("x.npy"), x)
    done = run(library("recip_macro"), "--input", "x=" + file_in("x.npy"), "--output", "y=" + file_in("y.npy"))
    product_with = np.load(file_in("y.npy")).astype(float) * x
    check(done.returncode == 0 and (product_with > 0.9944).all() and (product_with < 1.0054).all(),
          "x times its reciprocal is within 0.9944 and 1.0054, found %g to %g" % (product_with.min(), product_with.max()))


# --- files -------------------------------------------------------------------------------------------------------------

def every_type_comes_back_from_every_form():
    generator = np.random.default_rng(6)
    for kind, dtype in NUMPY.items():
        values = random_of(kind, generator, (2, LANES))
        if kind in ("f32", "bf16"):
            values = without_nan(values)
            values = np.where(np.abs(values) < 2.0 ** -126, np.float32(0), values).astype("<f4") # stores flush subnormals
        if kind == "f16":
            values = np.where(np.isfinite(values), values, np.float16(2)).astype("<f2")
            values = np.where(np.abs(values) < 2.0 ** -14, np.float16(0), values).astype("<f2")
        forms = {"c.npy": lambda path: np.save(path, values),
                 "fortran.npy": lambda path: np.save(path, np.asfortranarray(values)),
                 "flat.npy": lambda path: np.save(path, values.ravel()),
                 "raw.bin": lambda path: values.tofile(path),
                 "repr.csv": lambda path: open(path, "w").write(
                     "\n".join(",".join(str(each) for each in row) for row in values.tolist()) + "\n"),
                 "savetxt.csv": lambda path: np.savetxt(path, values, header="made by NumPy")}
        if values.itemsize > 1:
            forms["big.npy"] = lambda path: np.save(path, values.astype(np.dtype(dtype).newbyteorder(">")))
        for name, write in forms.items():
            write(file_in(name))
            done = run(copy_kernel(kind), "--input", "x=" + file_in(name), "--output", "y=" + file_in("back.npy"), "--quiet")
            check(done.returncode == 0 and done.stderr == "", "%s %s: %s" % (kind, name, done.stderr))
            check((bits(np.load(file_in("back.npy"))) == bits(values)).all(), "%s: %s comes back as it was" % (kind, name))
        for name, read in {"back.bin": lambda path: np.fromfile(path, dtype).reshape(2, LANES),
                           "back.csv": lambda path: np.loadtxt(path, delimiter=",").astype(dtype)}.items():
            run(copy_kernel(kind), "--input", "x=" + file_in("c.npy"), "--output", "y=" + file_in(name), "--quiet")
            check((bits(read(file_in(name))) == bits(values)).all(), "%s: %s holds the values" % (kind, name))


def what_is_wrong_with_a_file_is_said():
    kernel = copy_kernel("f32")
    good = np.ones((2, LANES), "<f4")
    np.save(file_in("good.npy"), good)
    with open(file_in("good.npy"), "rb") as file:
        whole = file.read()

    def npy(name, values):
        np.save(file_in(name), values)
        return "x=" + file_in(name)

    def raw(name, content):
        with open(file_in(name), "wb") as file:
            file.write(content)
        return "x=" + file_in(name)

    cases = [
        (npy("f8.npy", good.astype(float)), ["found elements of type <f8", "expected <f4", "f32"]),
        (npy("rows.npy", np.ones((3, LANES), "<f4")), ["shape (3, 32)", "expected (2, 32) or (64,)", "works on 2 rows"]),
        (npy("cube.npy", np.ones((2, 4, 8), "<f4")), ["shape (2, 4, 8)"]),
        (npy("scalar.npy", np.float32(1)), ["shape ()"]),
        (npy("record.npy", np.zeros(64, [("a", "<f4")])), ["records"]),
        (npy("object.npy", np.array([None], dtype=object)), ["type '|O'"]),
        (raw("text.npy", b"hello"), ["no .npy file"]),
        (raw("version.npy", whole[:6] + b"\x07" + whole[7:]), ["version 7"]),
        (raw("short.npy", whole[:20]), ["ends inside its header"]),
        (raw("cut.npy", whole[:-4]), ["found 252 bytes of data", "64 elements of 4 bytes"]),
        (raw("huge.npy", whole[:10] + whole[10:].replace(b"(2, 32)", b"(9999999999999999999, 32)"[:7])), ["header"]),
        (raw("raw.bin", bytes(100)), ["found 100 bytes", "expected 256"]),
        (raw("few.csv", b"1, 2\n3"), ["found 3 values", "expected 64"]),
        (raw("many.csv", b"1\n" * 64 + b"7\n"), ["many.csv:65:1", "more than the 64 values"]),
        (raw("word.csv", b"1, 2,\n3, four\n"), ["word.csv:2:4", "found 'four'"]),
        (raw("large.csv", b"1e39\n"), ["large.csv:1:1", "found '1e39'"]),
        ("x=" + file_in("nothing.npy"), ["nothing.npy", "No such file"]),
        ("x=" + FOLDER.name, [FOLDER.name, "directory"]),
        ("x", ["found 'x', expected NAME=FILE"]),
        ("z=" + file_in("good.npy"), ["found 'z', expected one of x"]),
    ]
    for argument, wanted in cases:
        done = run(kernel, "--input", argument)
        check(done.returncode == 1 and done.stdout == "", "%s ends with exit code 1" % argument)
        for part in wanted:
            check(part in done.stderr, "%s: found %r, expected %r in it" % (argument, done.stderr, part))
    for kind, number, message in (("bf16", "0.1", "0.100000001 is no value of type bf16"), ("u8", "256", "found '256'"),
                                  ("i8", "-129", "found '-129'"), ("u32", "-1", "found '-1'"), ("u32", "1.5", "found '1.5'"),
                                  ("sm16", "-32768", "-32768 is no value of type sm16"), ("f16", "70000", "found '70000'")):
        done = run(copy_kernel(kind), "--input", raw("number.csv", number.encode()))
        check(done.returncode == 1 and "number.csv:1:1: " + message in done.stderr, "%s %s: %s" % (kind, number, done.stderr))


def what_is_wrong_with_a_name_or_a_place_is_said():
    bare = written("bare.s", ".arch bh\n.rows 2\n.loop\n    sfpnop\n")
    told = run(bare, "--input", "x=f").stderr
    check("the kernel declares nothing; add '.input x" in told and "'--input-at x=ADDRESS:TYPE'" in told, "a kernel without .input: " + told)
    told = run(bare, "--expect", "y=f").stderr
    check("'.output y" in told and "'--output-at y=ADDRESS:TYPE'" in told, "a kernel without .output: " + told)
    no_rows = written("no_rows.s", ".arch bh\n.input x, 0, f32\n.init\n    sfpnop\n")
    check("no rows" in run(no_rows, "--print", "x").stderr, "a kernel without rows")
    np.save(file_in("x.npy"), np.ones((512, LANES), "<f4"))
    done = run(copy_kernel("f32"), "--rows", "512", "--input", "x=" + file_in("x.npy"))
    check(done.returncode == 1 and "row 256 of x lies where row" in done.stderr and "256 rows of type f32" in done.stderr,
          "more rows than Dst has place for: " + done.stderr)
    two = written("two.s", ".arch bh\n.rows 2\n.input a, 0, f32\n.input b, 2, f32\n.loop\n    sfpnop\n")
    np.save(file_in("a.npy"), np.ones((2, LANES), "<f4"))
    done = run(two, "--input", "a=" + file_in("a.npy"), "--input", "b=" + file_in("a.npy"))
    check(done.returncode == 1 and "row 0 of b lies where row 1 of a does" in done.stderr, "two inputs at one place: " + done.stderr)
    check(run(two, "--input", "a=" + file_in("a.npy"), "--input", "a=" + file_in("a.npy")).returncode == 1, "one input twice")
    done = run(copy_kernel("f32"), "--output", "y=/nowhere/y.npy")
    check(done.returncode == 1 and done.stdout == "" and "/nowhere/y.npy: cannot be written" in done.stderr, "a bad folder")


# --- --print and --expect ----------------------------------------------------------------------------------------------

def parts_of_outputs_are_printed():
    values = np.arange(64, dtype="<i4").reshape(2, LANES) - 10
    np.save(file_in("x.npy"), values)
    given = ["--input", "x=" + file_in("x.npy"), "--quiet"]
    done = run(copy_kernel("i32"), *given, "--print", "y[1, 30:]")
    check(done.stdout == "y (i32)\n  row 1    lane 30:  52  53\n", "one row, two lanes: %r" % done.stdout)
    done = run(copy_kernel("i32"), *given, "--print", "x[0:2,:3]", "--print", "y[0,9]")
    check(done.stdout == "x (i32, before the run)\n  row 0    lane  0:  -10   -9   -8\n  row 1    lane  0:   22   23   24\n"
                         "y (i32)\n  row 0    lane  9:  -1\n", "an input and an output: %r" % done.stdout)
    done = run(copy_kernel("i32"), *given, "--print", "y")
    numbers = [int(word) for line in done.stdout.splitlines()[1:] for word in line.split(":")[1].split()]
    check(numbers == values.ravel().tolist(), "everything")
    for wrong in ("y[2]", "y[0:3]", "y[1:1]", "y[-1]", "y[0,32]", "y[", "y[]x", "y[0,1,2]", "q", "y[a]"):
        done = run(copy_kernel("i32"), *given, "--print", wrong)
        check(done.returncode == 1 and "--print" in done.stderr and done.stdout == "", "%s is refused: %r" % (wrong, done.stderr))


def the_first_wrong_value_is_shown_with_its_inputs():
    x = np.linspace(1, 2, 64, dtype="<f4").reshape(2, LANES)
    np.save(file_in("x.npy"), x)
    given = ["--input", "x=" + file_in("x.npy")]
    wanted = x.copy()
    np.save(file_in("w.npy"), wanted)
    done = run(copy_kernel("f32"), *given, "--expect", "y=" + file_in("w.npy"))
    check(done.returncode == 0 and "expected       y is as in " in done.stdout, "equal")
    wanted[1, 3] = np.nextafter(wanted[1, 3], np.float32(9))
    wanted[1, 9] = np.nextafter(np.nextafter(wanted[1, 9], np.float32(-9)), np.float32(-9))
    np.save(file_in("w.npy"), wanted)
    done = run(copy_kernel("f32"), *given, "--expect", "y=" + file_in("w.npy"))
    check(done.returncode == 2 and "2 of 64 values are not as in" in done.stderr and "at most 2 ulp away" in done.stderr and
          "row 1 lane 3: found %.9g, expected %.9g; with x = %.9g" % (x[1, 3], wanted[1, 3], x[1, 3]) in done.stderr, done.stderr)
    check(run(copy_kernel("f32"), *given, "--expect", "y=" + file_in("w.npy"), "--ulp", "1").returncode == 2, "2 ulp are not 1")
    done = run(copy_kernel("f32"), *given, "--expect", "y=" + file_in("w.npy"), "--ulp", "2")
    check(done.returncode == 0 and "within 2 ulp" in done.stdout, "2 ulp are 2")
    far = x.copy()
    far[1, 3] = 1.001 * x[1, 3] + 0.001
    np.save(file_in("far.npy"), far)
    for tolerance, code in ((["--rtol", "0.01", "--atol", "0.01"], 0), (["--rtol", "1e-9"], 2), (["--atol", "1e-9"], 2)):
        done = run(copy_kernel("f32"), *given, "--expect", "y=" + file_in("far.npy"), *tolerance)
        check(done.returncode == code, "%s: exit code %d: %s" % (tolerance, code, done.stderr))
        check((done.stderr or done.stdout).count("within ") == 1, "%s is named: %s" % (tolerance, done.stderr))
    across = np.zeros((2, LANES), "<f4") # the least numbers of both signs are two steps apart
    np.save(file_in("x.npy"), across)
    np.save(file_in("w.npy"), -across)
    check("in the sign of zero" in run(copy_kernel("f32"), *given, "--expect", "y=" + file_in("w.npy")).stderr, "the sign of zero counts")
    check(run(copy_kernel("f32"), *given, "--expect", "y=" + file_in("w.npy"), "--ulp", "1").returncode == 0, "but not with a tolerance")
    np.save(file_in("w.npy"), across * np.nan)
    done = run(copy_kernel("f32"), *given, "--expect", "y=" + file_in("w.npy"), "--ulp", "4000000000")
    check(done.returncode == 2 and "some no numbers" in done.stderr, "no number is near a NaN: " + done.stderr)


def a_relu_that_turns_minus_infinity_into_nan_is_caught():
    relu = written("relu.s", ".arch bh\n.rows 1\n.input x, 0x00, f32\n.output y, 0x80, f32\n.init\n    setc16 34, 2\n    setc16 35, 0\n"
                             ".loop\n    sfpload L0, FP32, ADDR_MOD_7, x\n    sfpabs 0, L0, L1, 1\n    sfpadd LCONST_1, L0, L1, L1, 0\n"
                             "    sfpnop\n    sfpmuli 0x3f00, L1, 0\n    sfpnop\n    sfpstore L1, FP32, ADDR_MOD_6, y\n")
    x = np.array([[1.5, -2, -np.inf, 0] * 8], "<f4")
    np.save(file_in("x.npy"), x)
    np.save(file_in("w.npy"), np.maximum(x, 0))
    done = run(relu, "--input", "x=" + file_in("x.npy"), "--expect", "y=" + file_in("w.npy"))
    check(done.returncode == 2 and "8 of 32 values" in done.stderr and "row 0 lane 2: found nan, expected 0; with x = -inf" in done.stderr,
          done.stderr + done.stdout)
    right = written("larger.s", ".arch bh\n.rows 1\n.input x, 0x00, f32\n.output y, 0x80, f32\n.init\n    setc16 34, 2\n    setc16 35, 0\n"
                                ".loop\n    sfpload L0, FP32, ADDR_MOD_7, x\n    sfploadi L1, FLOATB, 0\n    sfpswap 0, L0, L1, VEC_MIN_MAX\n"
                                "    sfpnop\n    sfpstore L0, FP32, ADDR_MOD_6, y\n")
    check(run(right, "--input", "x=" + file_in("x.npy"), "--expect", "y=" + file_in("w.npy")).returncode == 0, "the larger of x and 0")
    done = subprocess.run([SFPUSIM, "equiv", right, relu, "--ignore-signed-zero"], stdout=subprocess.PIPE, universal_newlines=True)
    check(done.returncode == 2 and re.search(r"first difference: y, row 0, lane \d+\n  first .*\n  second .*\n  x ", done.stdout), done.stdout)


def a_forgotten_vb_bit_is_caught():
    square = (".arch bh\n.rows 8\n.input x, 0x00, f32\n.output y, 0x00, f32\n.init\n    setc16 34, 2\n    .template 0, sfpmul L0, _, L9, _, 0\n"
              "    .macro 0, mad=(template=0, delay=0, %sl16), store=(delay=2, l16)\n"
              "    .misc load_mode=0, count_instructions=(mad, store)\n    sfpnop\n    sfpnop\n"
              ".loop\n    sfploadmacro 0, L0, FP32, ADDR_MOD_6, x\n.tail\n    sfpnop\n    sfpnop\n    sfpnop\n")
    x = np.arange(256, dtype="<f4").reshape(8, LANES)
    np.save(file_in("x.npy"), x)
    np.save(file_in("w.npy"), x * x)
    right, wrong = written("square.s", square % "vb, "), written("sum.s", square % "")
    given = ["--input", "x=" + file_in("x.npy"), "--expect", "y=" + file_in("w.npy")]
    check(run(right, *given).returncode == 0, "the square")
    done = run(wrong, *given)  # L0 is VC then: x x + x
    check(done.returncode == 2 and "row 0 lane 1: found 2, expected 1; with x = 1" in done.stderr, done.stderr)
    done = subprocess.run([SFPUSIM, "equiv", right, wrong], stdout=subprocess.PIPE, universal_newlines=True)
    check(done.returncode == 2 and re.search(r"first difference: y, row \d+, lane \d+\n  first .*\n  second .*\n  x ", done.stdout), done.stdout)


def a_value_that_the_file_cannot_hold_is_an_error():
    wide = written("wide.s", ".arch bh\n.rows 1\n.input x, 0x00, u16\n.output y, 0x80, u8\n.init\n    setc16 34, 2\n.loop\n"
                             "    sfpload L0, UINT16, ADDR_MOD_7, x\n    sfpstore L0, INT8, ADDR_MOD_6, y\n")
    x = np.arange(LANES, dtype="<u2") + 240
    np.save(file_in("x.npy"), x)
    done = run(wide, "--input", "x=" + file_in("x.npy"), "--output", "y=" + file_in("y.npy"))
    check(done.returncode == 2 and "16 of 32 values do not fit into the |u1" in done.stderr and "lane 16: 256" in done.stderr, done.stderr)


if __name__ == "__main__":
    sys.exit(run_tests([
        all_kernels_of_the_library_compute_what_numpy_does,
        the_reciprocal_is_as_near_as_its_page_says,
        every_type_comes_back_from_every_form,
        what_is_wrong_with_a_file_is_said,
        what_is_wrong_with_a_name_or_a_place_is_said,
        parts_of_outputs_are_printed,
        the_first_wrong_value_is_shown_with_its_inputs,
        a_relu_that_turns_minus_infinity_into_nan_is_caught,
        a_forgotten_vb_bit_is_caught,
        a_value_that_the_file_cannot_hold_is_an_error,
    ]))
