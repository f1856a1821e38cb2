#!/usr/bin/env python3
"""sfpusim equiv as scripts call it: exit codes, JSON fields, types, options, text.

usage: equiv_command.py SFPUSIM SOURCE_DIR
"""
import json
import math
import os
import struct
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
from checks import check, run_tests  # noqa: E402

SFPUSIM, SOURCE_DIR = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
FOLDER = tempfile.TemporaryDirectory()

# Mode of SFPLOAD and SFPSTORE for each type, with which a value is moved as it is.
MODES = {"f32": "FP32", "bf16": "BF16", "f16": "FP16", "i32": "INT32", "u32": "INT32", "sm32": "INT32", "i16": "UINT16",
         "u16": "UINT16", "sm16": "INT16", "i8": "INT8", "u8": "INT8"}
NARROW = [name for name in MODES if not name.endswith("32")] # of 16-bit cells


def kernel(name):
    return os.path.join(SOURCE_DIR, "kernels", name)


def written(name, text):
    path = os.path.join(FOLDER.name, name)
    with open(path, "w") as file:
        file.write(text)
    return path


def plain(name, body, rows=8, head=""):
    """A kernel of one row an iteration on Blackhole; `step` is the address mode that goes on to the next row."""
    return written(name, ".arch bh\n.rows %d\n%s\n.equ step, ADDR_MOD_6\n.equ stay, ADDR_MOD_7\n.init\n"
                         "    setc16 34, 2\n    setc16 35, 0\n    sfpencc 3, 0, 0, 10\n    sfpnop\n.loop\n%s\n"
                         % (rows, head, "\n".join("    " + line for line in body)))


def equiv(*arguments):
    return subprocess.run([SFPUSIM, "equiv", *arguments], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, universal_newlines=True, timeout=240)


def report(code, *arguments):
    done = equiv("--json", *arguments)
    check(done.returncode == code, "equiv %s: exit code %d, got %d: %s" % (arguments, code, done.returncode, done.stderr))
    check(done.stderr == "", "equiv %s: nothing on standard error" % (arguments,))
    return json.loads(done.stdout)


def refused(*arguments):
    """The message of an answer that is neither yes nor no."""
    done = equiv(*arguments)
    check(done.returncode == 1 and done.stdout == "", "equiv %s: exit code 1, got %d" % (arguments, done.returncode))
    return done.stderr


def copy(name, a_type, b_type=None, between=(), **more):
    head = ".input x, 0x40, %s\n.output y, 0x%x, %s" % (a_type, more.pop("output", 0x140), b_type or a_type)
    return plain(name, ["sfpload L0, %s, stay, x" % MODES[a_type], *between,
                        "sfpstore L0, %s, step, y" % MODES[b_type or a_type]], head=head, **more)


def the_macro_schedule_of_a_multiplication_equals_the_plain_one():
    found = report(0, kernel("mul32.s"), kernel("mul32_macro.s"))
    check(found["equal"] is True and found["first_difference"] is None, "mul32_macro.s equals mul32.s")
    check(found["inputs_tried"] >= 10000, "thousands of inputs are tried")
    check(found["exhaustive"] is False, "exhaustive only if asked for")
    text = equiv(kernel("mul32.s"), kernel("mul32_macro.s"))
    check(text.returncode == 0 and "equal" in text.stdout, "text says equal")


def each_library_kernel_equals_itself_on_both_chips():
    for name in sorted(os.listdir(os.path.join(SOURCE_DIR, "kernels"))):
        for arch in ("bh", "wh"):
            if not name.endswith(".s"):
                continue
            done = equiv(kernel(name), kernel(name), "--arch", arch, "--seeds", "2")
            other_chip = done.returncode == 1 and "the command line says" in done.stderr
            check(done.returncode == 0 or other_chip, "%s equals itself on %s: %s" % (name, arch, done.stderr))


def a_wrong_register_is_found_and_the_example_is_true():
    with open(kernel("mul32.s")) as file:
        text = file.read()
    wrong = written("wrong.s", text.replace("sfpiadd     0, L3, L4, 4 ", "sfpiadd     0, L2, L4, 4 "))
    found = report(2, kernel("mul32.s"), wrong)["first_difference"]
    a, b = (value & 0xffffffff for value in found["inputs"].values())
    check(found["a"] & 0xffffffff == a * b & 0xffffffff, "the first kernel multiplies: %s" % found)
    check(found["a"] != found["b"] and 0 <= found["row"] < 32 and 0 <= found["lane"] < 32, "%s" % found)


def values_of_each_type_are_seen_as_they_are():
    """The second kernel changes the sign: what equiv shows must be an input and its negative."""
    for name in MODES:
        flip = ["sfpmov 0, L0, L0, 1"] # COMPSIGN: inverts bit 31
        if name in ("i32", "u32", "i16", "u16", "u8"):
            flip = ["sfpnot 0, L0, L0, 0"]
        found = report(2, copy("a.s", name), copy("b.s", name, between=flip))["first_difference"]
        check(found["output"] == "y" and found["type"] == name, "%s: %s" % (name, found))
        check(list(found["inputs"]) == ["x"], "%s: the input is x" % name)
        a, b, x = found["a"], found["b"], found["inputs"]["x"]
        check(a == x, "%s: a copy is what was copied: %s" % (name, found))
        if isinstance(a, str) or name == "u8":
            continue
        if name.startswith("i") and name != "i8":
            check(b == -1 - a, "%s: not %s is %s" % (name, a, b))
        elif name.startswith("u"):
            check(b == (1 << int(name[1:])) - 1 - a, "%s: not %s is %s" % (name, a, b))
        else:
            check(b == -a and math.copysign(1, b) != math.copysign(1, a), "%s: minus %s is %s" % (name, a, b))
            if name == "f32":
                bits = struct.unpack("<I", struct.pack("<f", a))[0]
                check(int(found["a_bits"], 16) == bits, "%s: bits of %s are %s" % (name, a, found["a_bits"]))


def data_is_found_wherever_settings_put_it():
    """A copy writes what was read, so the first value shown must be the input, whatever maps rows to storage."""
    for setting in ("remap_addrs, true", "swizzle_32b, true", "remap_addrs, true\n.config swizzle_32b, true",
                    "dest_regw_base, 64", "dst_rwc, 8", "math_offset, 12", "dst_rwc, 1000"):
        for name in ("f32", "u16"):
            paths = []
            for letter, between in (("a", []), ("b", ["sfpnot 0, L0, L0, 0"])):
                path = copy(letter + ".s", name, between=between)
                with open(path) as file:
                    text = file.read()
                paths.append(written(letter + ".s", ".config %s\n%s" % (setting, text)))
            found = report(2, *paths)["first_difference"]
            check(found["a"] == found["inputs"]["x"], "%s, %s: %s" % (setting, name, found))
            check(report(0, paths[0], paths[0], "--seeds", "1")["equal"], "%s, %s: equal to itself" % (setting, name))


def each_type_equals_a_copy_of_itself_and_every_value_of_narrow_ones_is_tried():
    for name in MODES:
        path, again = copy("a.s", name), copy("b.s", name, between=["sfpmov 0, L0, L1, 0", "sfpmov 0, L1, L0, 0"])
        if name not in NARROW:
            found = report(0, path, again)
            check(found["equal"] and found["verdict"] == "proved" and found["rests_on"]["rows"] > 0, "%s: equal" % name)
            check(not found["exhaustive"], "%s: a proof is no trial" % name)
            continue
        found = report(0, path, again, "--exhaustive", "--seeds", "0")
        least = 256 if name.endswith("8") else 65536
        check(found["exhaustive"] and found["inputs_tried"] >= least, "%s: every value: %s" % (name, found))
    # Found by mutated_kernels.py: it never ended.
    path = os.path.join(FOLDER.name, "no_row.s")
    with open(path, "w") as file:
        file.write(".input v, 0, u16\n.output y, v, u16\n.init\nsfpnop\n")
    check("no row" in refused(path, path, "--exhaustive"), "a kernel without rows")


def kernels_without_rows_are_not_called_equal():
    """They have outputs of no row: nothing would be compared. Without .output all of Dst is."""
    doubles = "sfpload L0, UINT16, 7, 0\nsfpiadd 0, L0, L0, 4\nsfpstore L0, UINT16, 7, 0\n"
    nothing, changes = (written(name, ".input v, 0, u16\n.output y, v, u16\n.init\n%ssfpnop\n" % body)
                        for name, body in (("nothing.s", ""), ("changes.s", doubles)))
    for arguments in ((), ("--rows", "1")):
        check("nothing of .output y to compare" in refused(nothing, changes, *arguments), "kernels without .loop")
    nothing, changes = (written(name, ".init\n%ssfpnop\n" % body) for name, body in (("nothing.s", ""), ("changes.s", doubles)))
    check(report(0, nothing, nothing)["equal"] is True, "all of Dst is compared")
    check(report(2, nothing, changes)["equal"] is False, "all of Dst is compared")


def outputs_that_nobody_stores_are_not_called_equal():
    head = ".input x, 0x40, f32\n.output y, 0x140, f32\n"
    row = ["sfpload L0, FP32, stay, x", "sfpstore L0, FP32, step, 0x80"]
    paths = [plain(name, [row[0], *between, row[1]], head=head) for name, between in
             (("a.s", []), ("b.s", ["sfpmul L0, L0, L9, L0, 0", "sfpnop"]))]
    check("neither stores any of y" in refused(*paths), "nothing is compared")
    head += ".output z, 0x80, f32\n"
    path = plain("a.s", row, head=head)
    check(report(0, path, path)["unstored"] == ["y"], "one of two is compared")
    check("y is stored by neither" in equiv(path, path).stdout, "and the text says so")
    # Half of each cell is stored, by a mode of 16 bits.
    halves = plain("halves.s", ["sfpload L0, FP32, stay, x", "sfpstore L0, BF16, step, 0"], head=".input x, 0x40, f32\n.output y, 0, f32\n")
    check(report(0, halves, halves)["unstored"] == [], "a part is something to compare")
    # Stored by one of them only.
    other = plain("b.s", [*row[:1], "sfpstore L0, FP32, stay, y", *row[1:]], head=head)
    check(report(2, path, other)["unstored"] == [] and report(2, other, path)["unstored"] == [], "one stores it: different")


def one_wrong_value_of_65536_is_found_exhaustively():
    """B differs for one input, 0x2b67, that no list of extreme values has."""
    body = ["sfploadi L1, USHORT, 0x2b67", "sfpxor 0, L0, L1, 0", "sfpsetcc 0, L1, 0, 6", "sfploadi L0, USHORT, 0",
            "sfpencc 3, 0, 0, 10"]
    for name, declared in (("u16", True), ("u16", False)):
        a, b = copy("a.s", name), copy("b.s", name, between=body)
        if not declared:
            for path in (a, b):
                with open(path) as file:
                    text = file.read().replace(".input x,", ".equ x,").replace(".output y,", ".equ y,")
                written(os.path.basename(path), text.replace(", u16\n", "\n"))
        found = report(2, a, b, "--exhaustive", "--seeds", "0")["first_difference"]
        check(list(found["inputs"].values()) == [0x2b67] and found["a"] == 0x2b67 and found["b"] == 0, "%s" % found)


def zeros_and_nans_may_count_as_equal():
    for name in ("f32", "bf16"):
        a = copy("a.s", name)
        absolute = copy("b.s", name, between=["sfpabs 0, L0, L0, 1"])
        check(report(2, a, absolute)["first_difference"]["inputs"]["x"] is not None, "%s: |x| is not x" % name)
        # B clears the sign of zeros only
        zeros = copy("b.s", name, between=["sfpsetcc 0, L0, 0, 6", "sfploadi L0, USHORT, 0", "sfpencc 3, 0, 0, 10",
                                           "sfpmov 0, L0, L1, 0", "sfpshft 1, L0, L1, 1|4", "sfpsetcc 0, L1, 0, 6",
                                           "sfploadi L0, USHORT, 0", "sfpencc 3, 0, 0, 10"])
        found = report(2, a, zeros)["first_difference"]
        check(found["a"] == 0 and found["b"] == 0 and found["a_bits"] == "0x80000000", "%s: a -0: %s" % (name, found))
        check(report(0, a, zeros, "--ignore-signed-zero")["equal"], "%s: -0 is 0" % name)
        # B makes another NaN of a NaN: x with its lowest mantissa bits set, where x is above infinity
        nans = copy("b.s", name, between=[
            "sfpshft 1, L0, L1, 1|4", "sfpshft -1, L1, L1, 1|4",                      # magnitude
            "sfploadi L2, FLOATB, 0x7f80", "sfpiadd 0, L1, L2, 2|4",                  # L2 = L1 - infinity
            "sfpsetcc 0, L2, 0, 4", "sfpsetcc 0, L2, 0, 2", "sfploadi L0, FLOATB, 0x7fc0", "sfpencc 3, 0, 0, 10"])
        found = report(2, a, nans)["first_difference"]
        check(found["a"] == "nan" and found["b"] == "nan", "%s: two NaNs: %s" % (name, found))
        check(report(0, a, nans, "--nan-equal")["equal"], "%s: NaNs are one" % name)
        check(report(2, a, nans, "--ignore-signed-zero")["equal"] is False, "%s: options are separate" % name)


def scratch_cells_are_free_only_behind_declared_outputs():
    spill = ["sfpstore L0, INT32, stay, 0x200"]
    declared = copy("a.s", "i32"), copy("b.s", "i32", between=spill)
    check(report(0, *declared)["equal"], "another cell is scratch if outputs are declared")
    raw = []
    for path in declared:
        with open(path) as file:
            text = file.read().replace(".input x,", ".equ x,").replace(".output y,", ".equ y,")
        raw.append(written("raw_" + os.path.basename(path), text.replace(", i32\n", "\n")))
    found = report(2, *raw)["first_difference"]
    check(found["output"] == "dst" and found["lane"] is None and "column" in found, "the scratch cell: %s" % found)
    check(report(0, raw[0], raw[0])["equal"], "without types")
    check("does not store" in equiv(*raw).stdout, "text says so")


def outputs_are_matched_by_name():
    moved = copy("b.s", "i16", output=0x180)
    check(report(0, copy("a.s", "i16"), moved)["equal"], "an output may stand elsewhere")
    with open(moved) as file:
        renamed = written("c.s", file.read().replace(".output y", ".output z").replace(", y\n", ", z\n"))
    check("only the first kernel has .output y" in refused(copy("a.s", "i16"), renamed), "an output is missing")
    message = refused(copy("a.s", "i16"), copy("b.s", "u16"))
    check("i16" in message and "u16" in message, "types differ: " + message)


def what_cannot_be_compared_is_refused():
    a = copy("a.s", "i32")
    check("rows" in refused(a, copy("b.s", "i32", rows=16)), "rows differ")
    check(report(0, a, copy("b.s", "i32", rows=16), "--rows", "4")["equal"], "--rows decides")
    with open(a) as file:
        text = file.read()
    other = written("wh.s", text.replace(".arch bh", ".arch wh").replace("ADDR_MOD_6", "ADDR_MOD_2").replace("ADDR_MOD_7", "ADDR_MOD_3"))
    check("bh" in refused(a, other), "chips differ")
    overlapping = written("o.s", text.replace(".output", ".input v, 0x44, i32\n.output"))
    # Row 2 of an input at 0x40 stands at 0x44.
    check("row 0 of v lies on another one, row 2 of " in refused(overlapping, overlapping), "inputs overlap")
    check("do not fit" in refused(a, a, "--rows", "600"), "more rows than Dst has")
    check("B is missing" in refused(a), "one kernel")
    check("cannot be read" in refused(a, "/nowhere.s"), "no file")


def rows_that_rotate_are_compared_with_rows_that_do_not():
    for arch in ("bh", "wh"):
        step = {"bh": ("ADDR_MOD_6", "ADDR_MOD_7", "    setc16 34, 2\n    setc16 35, 0\n"),
                "wh": ("ADDR_MOD_2", "ADDR_MOD_3", "    setc16 2, 1\n    setc16 29, 2\n    setc16 30, 0\n")}[arch]
        plain_cast = written("cast.s", ".arch %s\n.rows 32\n.init\n%s"
                             "    sfploadi L0, USHORT, 1\n    sfpconfig 0, L12, 0\n    sfploadi L0, USHORT, 0x7fff\n"
                             "    sfpconfig 0, L13, 0\n.loop\n    sfpload L0, FP32, %s, 0\n    sfpmov 0, L0, L1, 0\n"
                             "    sfpshft -16, 0, L1, 1\n    sfpand 0, L12, L1, 0\n    sfpiadd 0, L13, L0, 4\n"
                             "    sfpiadd 0, L1, L0, 4\n    sfpstore L1, FP32, %s, 0\n    sfpstore L0, BF16, %s, 0\n"
                             % (arch, step[2], step[1], step[1], step[0]))
        found = report(0, "--arch", arch, plain_cast, kernel("fp32_to_bf16.s"))
        check(found["equal"], "fp32_to_bf16.s rounds as the plain code does on " + arch)


def the_same_seed_gives_the_same_report():
    paths = copy("a.s", "f32"), copy("b.s", "f32", between=["sfpabs 0, L0, L0, 1"])
    texts = [equiv("--json", *paths, "--seed", seed).stdout for seed in ("1", "1", "2")]
    check(texts[0] == texts[1], "the same seed, the same bytes")
    more = report(0, paths[0], paths[0], "--seeds", "50")["runs"] - report(0, paths[0], paths[0], "--seeds", "20")["runs"]
    check(more == 30, "--seeds counts runs")


def directives_say_what_is_wrong():
    for line, column, wanted in ((".input", 7, "a name"), (".input x", 9, "','"), (".input x, 0", 12, "','"),
                                 (".input x, 0, f64", 14, "f32"), (".input x, 1024, f32", 11, "0 to 1023"),
                                 (".input L0, 0, f32", 8, "meaning"), (".output y, 0, f32, 3", 18, "end of the line"),
                                 (".input x, 0, f32\n.input x, 0, f32", 8, "already"),
                                 (".equ x, 3\n.input x, 0, f32", 8, "already")):
        path = written("bad.s", line + "\n")
        message = refused(path, path)
        place = "%s:%d:%d: " % (path, line.count("\n") + 1, column)
        check(message.startswith(place) and wanted in message, "%r: %s" % (line, message))


def asm_and_disasm_keep_the_types():
    path = copy("a.s", "bf16")
    words = subprocess.run([SFPUSIM, "asm", path], check=True, stdout=subprocess.PIPE, universal_newlines=True).stdout
    check("; .input x, 0x40, bf16\n" in words and "; .output y, 0x140, bf16\n" in words, "words carry types: " + words)
    as_words = written("a.hex", words)
    text = subprocess.run([SFPUSIM, "disasm", as_words], check=True, stdout=subprocess.PIPE, universal_newlines=True).stdout
    check(".input x, 0x40, bf16\n" in text, "disasm writes them")
    again = written("again.s", text)
    check(report(0, path, as_words)["inputs"] == ["x"] and report(0, again, as_words)["equal"], "all three are equal")


def main():
    with FOLDER:
        return run_tests((
            the_macro_schedule_of_a_multiplication_equals_the_plain_one, each_library_kernel_equals_itself_on_both_chips,
            a_wrong_register_is_found_and_the_example_is_true, values_of_each_type_are_seen_as_they_are,
            each_type_equals_a_copy_of_itself_and_every_value_of_narrow_ones_is_tried,
            kernels_without_rows_are_not_called_equal, outputs_that_nobody_stores_are_not_called_equal,
            one_wrong_value_of_65536_is_found_exhaustively, zeros_and_nans_may_count_as_equal,
            scratch_cells_are_free_only_behind_declared_outputs, outputs_are_matched_by_name,
            what_cannot_be_compared_is_refused, rows_that_rotate_are_compared_with_rows_that_do_not,
            the_same_seed_gives_the_same_report, directives_say_what_is_wrong, asm_and_disasm_keep_the_types))


if __name__ == "__main__":
    sys.exit(main())
