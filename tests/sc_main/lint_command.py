#!/usr/bin/env python3
"""sfpusim lint as scripts call it: exit codes, JSON fields, options, text.

usage: lint_command.py SFPUSIM SOURCE_DIR
"""
import json
import os
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
from checks import check, run_tests  # noqa: E402

SFPUSIM, SOURCE_DIR = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])


def kernel(name):
    return os.path.join(SOURCE_DIR, "kernels", name)


def broken(name):
    return os.path.join(SOURCE_DIR, "tests", "data", name)


def line_of(path, text):
    """The number of the only line that contains the text."""
    with open(path) as file:
        numbers = [number for number, line in enumerate(file, 1) if text in line]
    check(len(numbers) == 1, "%s has one line with %r" % (path, text))
    return numbers[0]


def lint(*arguments):
    return subprocess.run([SFPUSIM, "lint", *arguments], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, timeout=120)


def report(code, *arguments):
    done = lint("--json", *arguments)
    check(done.returncode == code, "lint %s: exit code %d, got %d: %s" % (arguments, code, done.returncode, done.stderr))
    check(done.stderr == b"", "lint %s: nothing on standard error" % (arguments,))
    return json.loads(done.stdout)


def robust_kernels_are_called_robust():
    for name in ("mul32_macro.s", "recip_macro.s", "uint16_to_fp32.s"):
        found = report(0, kernel(name))
        check(found["verdict"] == "robust", "%s is robust" % name)
        check(found["boundaries"] == [] and found["hazards"] == [], "%s: nothing to report" % name)
        check(found["random_schedules"] >= 200, "%s: 200 schedules by default" % name)
        check(not any(question["depends"] for question in found["open_questions"]), "%s: no open question" % name)
        check("replay buffer" in lint(kernel(name)).stdout.decode(), "%s: a sentence about replay buffers" % name)


def where_is_safe_only_without_bubbles():
    path = kernel("where_inplace.s")
    for arch in ("bh", "wh"):
        found = report(2, "--arch", arch, path)
        check(found["verdict"] == "replay-only", "where_inplace.s: " + found["verdict"])
        lines = [boundary["line"] for boundary in found["boundaries"]]
        check(lines == [line_of(path, "INT32, stay, yes"), line_of(path, "INT32, step, no")], "lines %s" % lines)
        check("sfpsetcc" in found["boundaries"][0]["moved"], "SFPSETCC moved")
        check("sfpencc" in found["boundaries"][1]["moved"], "SFPENCC moved")


def reports_have_the_promised_fields():
    found = report(2, broken("broken_mul32_macro.s"))
    for boundary in found["boundaries"]:
        for field in ("line", "word", "text", "moved", "against", "first_difference"):
            check(field in boundary, "boundaries have %s" % field)
        for field in ("row", "column", "expected", "got"):
            check(field in boundary["first_difference"], "first_difference has %s" % field)
    check(len(found["boundaries"]) > 0, "there is a boundary")
    parameters = [question["parameter"] for question in found["open_questions"]]
    for parameter in ("macro.delay_kind_scope", "macro.firing_entry_outstanding", "dst.store_load_visible"):
        check(parameter in parameters, "open question %s" % parameter)
    check(all(isinstance(question["depends"], bool) for question in found["open_questions"]), "depends is true or false")
    for hazard in found["hazards"]:
        for field in ("cycle", "word", "id", "severity", "message"):
            check(field in hazard, "hazards have %s" % field)


DOUBLED = """.rows 32
.input x, 0x00, f32
.output y, 0x%x, %s
.init
    setc16      34, 2
    .template   0, sfpadd LCONST_1, _, L9, _, 0
    .macro      0, mad=(template=0, delay=0, vb, l16), store=(delay=2, l16)
    .misc       load_mode=0, count_instructions=(mad, store)
    sfpnop
    sfpnop
.loop
    sfploadmacro 0, L0, %s, ADDR_MOD_6, y
.tail
    sfpnop
    sfpnop
    sfpnop
"""


def a_difference_is_a_value_of_an_output():
    for address, kind, mode, wide in ((0x40, "f32", "FP32", True), (0x82, "bf16", "BF16", False)):
        with open("doubled.s", "w") as file:
            file.write(DOUBLED % (address, kind, mode))
        found = [each["first_difference"] for each in report(2, "doubled.s")["boundaries"]]
        check(found and all(each["output"] == "y" for each in found), "%s: the output is named: %s" % (kind, found))
        for each in found:
            field = address + 2 * each["output_row"]
            first = (field & 0x1f8) << 1 | (field & 0x204) if wide else field & 0x3fc
            row, column = first + each["lane"] // 8, 2 * (each["lane"] % 8) + (field >> 1 & 1)
            check(each["column"] == column and each["row"] in ((row, row + 8) if wide else (row,)),
                  "%s: the value lies there: %s" % (kind, each))
        text = lint("doubled.s").stdout.decode()
        check("y row %d lane %d (Dst row %d column %d): " % (found[0]["output_row"], found[0]["lane"], found[0]["row"], found[0]["column"]) in text,
              "%s: and so does the text: %s" % (kind, text))
        check(text.startswith("doubled.s: replay-only: no hazard without bubbles, but some bubbles change the result\n"), "the verdict: %s" % text)


def broken_kernels_are_broken_in_the_right_line():
    path = broken("broken_mul32_macro.s")
    found = report(2, path)
    discarded = [hazard["line"] for hazard in found["hazards"] if hazard["id"] == "/sfpu/issue/discarded-by-macro"]
    check(found["verdict"] == "broken" and discarded == [line_of(path, "sfpiadd     0, L1, L2, 4")], "%s" % discarded)
    path = broken("broken_uint16_to_fp32.s")
    found = report(2, path)
    lost = [hazard for hazard in found["hazards"] if hazard["id"] == "/sfpu/hazard/l16-overwritten"]
    check(len(lost) == 1 and lost[0]["line"] == line_of(path, "sfploadmacro 0, L0, UINT16"), "%s" % lost)
    check(line_of(path, "one too many") in lost[0]["configured_in"], "the delay's line is named")


def options_choose_schedules():
    found = report(0, kernel("signbit.s"))
    check(found["random_schedules"] == 200, "200 schedules, which take a second, if none of the options chooses")
    found = report(0, kernel("signbit.s"), "--schedules", "7", "--bubble-rate", "0.9", "--seed", "5")
    check(found["random_schedules"] == 7, "--schedules")
    check(report(2, kernel("where_inplace.s"), "--bubble-rate", "0")["random_changed"] == 0, "a rate of 0 is no bubble")
    same = [lint("--json", kernel("where_inplace.s"), "--seed", "9").stdout for _ in range(2)]
    check(same[0] == same[1], "same seed, same bytes")
    for name, options in (("mul32_macro.s", ()), ("where_inplace.s", ("--schedules", "500", "--seed", "3")),
                          ("recip_macro.s", ("--cures",))):
        texts = [lint("--json", kernel(name), "--jobs", jobs, *options).stdout for jobs in ("1", "2", "3", "7")]
        check(texts[0] and texts.count(texts[0]) == len(texts), "%s: the report is the same for every --jobs" % name)
    check(lint(kernel("signbit.s"), "--quiet").stdout == b"", "--quiet")


def mistakes_are_exit_code_1():
    for arguments, mention in (((), "KERNEL"), (("missing.s",), "missing.s"), (("k.s", "--bubble-rate", "2"), "--bubble-rate"),
                               (("k.s", "--schedules", "-1"), "--schedules"), (("k.s", "--sede", "1"), "'--seed'")):
        done = lint(*arguments)
        check(done.returncode == 1 and mention in done.stderr.decode(), "%s: %r" % (arguments, done.stderr))


def main():
    tests = [robust_kernels_are_called_robust, where_is_safe_only_without_bubbles, reports_have_the_promised_fields,
             a_difference_is_a_value_of_an_output,
             broken_kernels_are_broken_in_the_right_line, options_choose_schedules, mistakes_are_exit_code_1]
    with tempfile.TemporaryDirectory() as directory:
        os.chdir(directory)
        code = run_tests(tests)
        os.chdir(SOURCE_DIR)
    return code


if __name__ == "__main__":
    sys.exit(main())
