#!/usr/bin/env python3
"""`debug` as people drive it: commands, scripts on standard input, a terminal with completion and Ctrl-C.

usage: debug_command.py SFPUSIM SOURCE_DIR
"""
import os
import pty
import random
import re
import select
import signal
import subprocess
import sys
import tempfile
import termios
import time

import numpy as np

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
from checks import check, run_tests  # noqa: E402

SFPUSIM, SOURCE_DIR = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
FOLDER = tempfile.TemporaryDirectory()
ROWS = 4

# Cycles by T2, T3 and T16 of the timing contract: two words of set-up in 0 and 1; row r is loaded in 2 + 4 r, multiplied in
# 3 + 4 r, whose product is there at the end of 4 + 4 r; the store is held in that cycle and executes in 5 + 4 r.
SQUARE = """.arch bh
.rows %d
.input x, 0x00, f32
.output y, 0x80, f32
.init
    setc16 34, 2
    setc16 35, 0
.loop
    sfpload L0, FP32, ADDR_MOD_7, x
    sfpmad L0, L0, L9, L1, 0
    sfpstore L1, FP32, ADDR_MOD_6, y
""" % ROWS
LOAD, MULTIPLY, STORE = 9, 10, 11  # lines

# On Wormhole nothing is held (T17): the store reads L1 before it is there.
HURRIED = """.arch wh
.rows 2
.loop
    sfpload L0, FP32, ADDR_MOD_3, 0
    sfpmad L0, L0, L9, L1, 0
    sfpstore L1, FP32, ADDR_MOD_3, 0
"""


def path(name):
    return os.path.join(FOLDER.name, name)


def written(name, text):
    with open(path(name), "w") as file:
        file.write(text)
    return path(name)


def values():
    return (np.arange(ROWS * 32, dtype="<f4").reshape(ROWS, 32) + np.float32(0.5))


def square():
    np.save(path("x.npy"), values())
    return [written("square.s", SQUARE), "--input", "x=" + path("x.npy"), "--zero"]


def debug(kernel, *commands, text=None):
    arguments = [part for command in commands for part in ("--command", command)]
    return subprocess.run([SFPUSIM, "debug", *kernel, *arguments], input=text, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, universal_newlines=True, stdin=None if text else subprocess.DEVNULL)


def answers(kernel, *commands):
    result = debug(kernel, *commands)
    check(result.returncode == 0 and not result.stderr, "%s: %s" % (commands, result.stderr))
    return result.stdout


def printed(text):
    """The numbers behind "lane n:" of the last value that was printed."""
    last = text[text.rindex("at the end of cycle"):]
    return [number for line in re.findall(r"lane +\d+:(.*)", last) for number in line.split()]


def registers_show_what_an_instruction_of_the_next_cycle_reads():
    x = values()
    for cycle, lreg, wanted in [(1, "L0", None), (2, "L0", x[0]), (3, "L1", None), (4, "L1", x[0] ** 2), (5, "L0", x[0]),
                                (6, "L0", x[1]), (7, "L1", x[0] ** 2), (8, "L1", x[1] ** 2)]:
        shown = printed(answers(square(), "run cycle %d" % cycle, "print %s as f32" % lreg))
        wanted = np.zeros(32) if wanted is None else wanted
        check([float(each) for each in shown] == [float(each) for each in wanted],
              "%s at the end of cycle %d" % (lreg, cycle))


def dst_shows_a_store_at_the_end_of_its_cycle():
    before = printed(answers(square(), "run cycle 8", "print y[1]"))
    after = printed(answers(square(), "run cycle 9", "print y[1]"))
    check(before == ["0"] * 32, "row 1 of y before its store")
    check([float(each) for each in after] == list(map(float, values()[1] ** 2)), "row 1 of y behind its store")
    typed = printed(answers(square(), "run cycle 9", "print dst 0x82[4] as f32"))
    check([float(each) for each in typed] == [float(values()[1][4] ** 2)], "dst 0x82 is row 1 of y: %s" % typed)
    forms = [printed(answers(square(), "run cycle 9", "print dst 0x82[4]%s" % form))[0] for form in ("", " as hex", " as hex16")]
    check(forms[0] == forms[1] and [len(each) for each in forms] == [8, 8, 4], "cells of 32 and of 16 bits: %s" % forms)


def registers_print_as_each_type_that_they_hold():
    kernel = [written("numbers.s", ".arch bh\n.rows 1\n.init\n.constant L1, -5\n.constant L2, 1.5\n.constant L3, 0x80000005\n"
                      ".loop\nsfpnop\n")]
    for what, wanted in [("L1[0] as i32", "-5"), ("L1[0]", "fffffffb"), ("L1[31] as u32", "4294967291"), ("L2[3] as f32", "1.5"),
                         ("L3[0] as sm32", "-5"), ("L3[0] as i32", "-2147483643"), ("L10[0] as f32", "1")]:
        shown = printed(answers(kernel, "run end", "print " + what))
        check(shown == [wanted], "print %s: %s" % (what, shown))


def a_step_says_what_happened_in_the_cycle():
    text = answers(square(), "run cycle 3")
    check("cycle 3, row 0" in text and "sfpmad L0, L0, L9, L1" in text and "square.s:%d)" % MULTIPLY in text,
          "the instruction, its row and its line")
    check("due at the end of cycle 4" in text, "when its result is due")
    text = answers(square(), "run cycle 3", "step")
    check("held" in text and "mad-dependence" in text and "square.s:%d)" % STORE in text, "who is held and why")
    check("now       L1 = 3e800000" in text, "L1 has the square of 0.5 in lane 0")


def back_leads_where_forward_has_been():
    kernel = [os.path.join(SOURCE_DIR, "kernels", "mul32_macro.s"), "--rows", "8"]
    prints = ["print L%d" % lreg for lreg in (0, 1, 2, 3, 4, 5, 6, 7, 16)] + ["print flags", "print dst 0x4"]
    moments = random.Random(15)
    for _ in range(4):
        cycle, further = moments.randrange(5, 60), moments.randrange(1, 20)
        straight = answers(kernel, "run cycle %d" % cycle, *prints)
        around = answers(kernel, "run cycle %d" % (cycle + further), "back %d" % further, *prints)
        steps = answers(kernel, *["step"] * (cycle + 1), *prints)
        check(around.endswith(straight), "cycle %d from behind is as from before" % cycle)
        check(steps.endswith(straight), "cycle %d in steps is as at once" % cycle)


def long_kernels_are_the_same_far_from_the_start():
    """Beyond the cycles that are kept at a time."""
    kernel = [os.path.join(SOURCE_DIR, "kernels", "mul32_macro.s"), "--rows", "2000"]
    near = answers(kernel, "run cycle 9000", "print L0", "print L16")
    far = answers(kernel, "run end", "back 1000", "run cycle 9000", "print L0", "print L16")
    check(far.endswith(near), "cycle 9000 is the same from both sides")


def the_end_is_what_run_computes():
    kernel = os.path.join(SOURCE_DIR, "kernels", "mul32_macro.s")
    name = re.search(r"\.output (\w+),", open(kernel).read()).group(1)
    by_run = subprocess.run([SFPUSIM, "run", kernel, "--quiet", "--print", name], stdout=subprocess.PIPE,
                            universal_newlines=True).stdout
    by_debug = answers([kernel], "run end", "print " + name)
    numbers = [re.findall(r"-?\d+", line.split(":", 1)[1]) for line in by_run.splitlines() if "lane" in line]
    check(printed(by_debug) == sum(numbers, []) and numbers, "the output is what run prints")


def who_names_the_writer_and_the_cycle():
    text = answers(square(), "run cycle 9", "who L1[5]")
    check("written in cycle 7 for row 1, visible from cycle 9" in text, "the latest product that can be read")
    check("square.s:%d)" % MULTIPLY in text, "its line")
    text = answers(square(), "run cycle 7", "who L1[5]")
    check("written in cycle 3 for row 0, visible from cycle 5" in text, "a product that is under way does not count")
    text = answers(square(), "run end", "who y[2, 7]")
    check("written in cycle 13 for row 2" in text and "square.s:%d)" % STORE in text, "the store of a row of Dst")
    check("nobody has written it" in answers(square(), "run end", "who x[0, 0]"), "an input that nobody wrote")
    check("nobody has written it" in answers(square(), "run cycle 3", "who L1"), "a register before its first value")
    text = answers([os.path.join(SOURCE_DIR, "kernels", "mul32_macro.s")], "run row 4", "who L16[0]")
    check("*sfp" in text and "(by " in text, "a scheduled writer has the line of its macro: " + text)


def run_stops_at_rows_lines_hazards_and_changes():
    check("cycle 10, row 2" in answers(square(), "run row 2"), "the first word of row 2")
    check("cycle 7, row 1" in answers(square(), "run cycle 3", "run line %d" % MULTIPLY), "the next product")
    check("cycle 17" in answers(square(), "run end"), "the last cycle")
    check("before cycle 0" in answers(square(), "run end", "run start"), "the start")
    text = answers(square(), "watch L1[0]", "run", "run", "back")
    stops = re.findall(r"^cycle (\d+)", text, re.MULTILINE)
    check(stops == ["4", "8", "7"], "the watched register changes in cycles 4 and 8: %s" % stops)
    check(text.count("changed: L1[0]") == 3, "each change is shown, that of going back too")
    text = answers(square(), "watch y[1, 3] as hex", "run")
    check("cycle 9" in text and "changed: y[1, 3] as hex" in text, "a cell of Dst changes")
    check("nothing watched changes any more" in answers(square(), "watch L7", "run"), "nothing to wait for")
    hazard = answers([written("hurried.s", HURRIED)], "run hazard", "hazards")
    check("cycle 2, row 0" in hazard and "/sfpu/hazard/unprotected-read" in hazard, "the store that comes too soon: " + hazard)
    check("no diagnostic after" in answers(square(), "run hazard"), "a kernel without hazards")


def commands_come_from_standard_input_too():
    script = "# to the first product\nrun cycle 3\nstep\n\nprint L1[0] as f32\nquit\nnonsense\n"
    result = debug(square(), text=script)
    check(result.returncode == 0 and result.stderr == "", "a script: " + result.stderr)
    check("cycle 3" in result.stdout and "cycle 5" in result.stdout, "an empty line repeats the step")
    check(printed(result.stdout) == ["0.25"], "the last value")
    result = debug(square(), text="step\nprint L99\n")
    check(result.returncode == 1 and "standard input:2: " in result.stderr, "a mistake has its line: " + result.stderr)


def mistakes_are_told_as_what_they_are():
    check("row 1, but the kernel has no rows" in debug([written("once.s", ".init\nsfpnop\n")], "run row 1").stderr, "no rows without .loop")
    for command, parts in [("stop", ["'stop'", "'step'"]), ("print L17", ["'L17'", "L0 to L16"]),
                           ("print L0 as bf61", ["'bf61'", "bf16"]), ("print L0 as u8", ["32 bits", "sm32"]),
                           ("print L0[32]", ["'32'", "lanes", "below 32"]), ("print y[4]", ["'4'", "rows", "below 4"]),
                           ("print z", ["'z'", "L0 to L16"]), ("print dst 0x400", ["dst 0x400", "0x3ff"]),
                           ("print L0[1", ["']'"]), ("run cycle 99", ["99", "17"]), ("run row 4", ["row 4", "below 4"]),
                           ("run lien 3", ["'lien'", "'line'"]), ("step x", ["'x'", "number"]),
                           ("back -1", ["'-1'"]), ("unwatch L3", ["'L3'", "not watched"]), ("where now", ["'now'"]),
                           ("who", ["nothing", "L3[5]"])]:
        result = debug(square(), command)
        check(result.returncode == 1 and not result.stdout, "%s is refused" % command)
        for part in ["--command '%s'" % command] + parts:
            check(part in result.stderr, "%s: the message has %s: %s" % (command, part, result.stderr))
    result = debug([])
    check(result.returncode == 1 and "KERNEL is missing" in result.stderr, "no kernel")


class terminal:
    """A program on a terminal of its own."""

    def __init__(self, arguments):
        self.pid, self.file = pty.fork()
        if self.pid == 0:
            os.environ["TERM"] = "xterm"
            os.environ["HOME"] = FOLDER.name
            os.execv(SFPUSIM, [SFPUSIM, *arguments])
        self.text = ""

    def wait_for(self, pattern, seconds=300):
        """What has come up to and with the pattern, which may not have come before."""
        end = time.time() + seconds
        while not re.search(pattern, self.text):
            ready, _, _ = select.select([self.file], [], [], max(0.0, end - time.time()))
            try:
                more = os.read(self.file, 4096).decode() if ready else ""
            except OSError:  # it has ended
                more = ""
            if not more:
                break
            self.text += more
        found = re.search(pattern, self.text)
        check(found, "the terminal shows %s, it has %r" % (pattern, self.text[-300:]))
        place = found.end() if found else len(self.text)
        text, self.text = self.text[:place], self.text[place:]
        return text

    def send(self, text):
        os.write(self.file, text.encode())

    def wait_until_edited(self, edited):
        """The line editor takes the keys as they are a moment after its prompt; a command gives the terminal back."""
        end = time.time() + 300
        while bool(termios.tcgetattr(self.file)[3] & termios.ICANON) == edited and time.time() < end:
            time.sleep(0.01)

    def at_prompt(self, text):
        """Keys that are typed before the prompt stands there are not keys of the line editor."""
        self.wait_for("sfpusim> ")
        self.wait_until_edited(True)
        self.send(text)

    def exit_code(self):
        code = os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])
        os.close(self.file)
        return code


def a_terminal_edits_and_completes():
    session = terminal(["debug", *square()])
    session.wait_for("4 rows, cycles 0 to 17, 0 diagnostics")
    session.at_prompt("run cy\t4\r")
    session.wait_for("cycle 4")
    session.wait_for("now +L1 = 3e800000")
    session.at_prompt("prin\tL1[0] as f3\t\r")
    session.wait_for("lane  0:  0.25")
    session.at_prompt("nonsense\r")
    session.wait_for("'nonsense', expected one of step")
    session.at_prompt("print L0\x03")  # Ctrl-C gives the line up
    session.wait_for(r"\^C")
    session.at_prompt("whx\x7fo L1\r")  # backspace
    session.wait_for("written in cycle 3")
    session.at_prompt("\x1b[A\x1b[A\x01\x0b")  # two lines back in the history, and all of it cut
    session.send("step\r")
    session.wait_for("cycle 5, row 0")
    session.at_prompt("\r")
    session.wait_for("cycle 6, row 1")
    session.at_prompt("\x04")  # Ctrl-D
    check(session.exit_code() == 0, "Ctrl-D ends it with 0")


def ctrl_c_ends_a_long_search_and_not_the_session():
    kernel = [os.path.join(SOURCE_DIR, "kernels", "mul32_macro.s"), "--rows", "400000", "--zero"]
    session = terminal(["debug", *kernel])
    session.at_prompt("watch dst 0x1[31]\r")
    session.wait_for("watching")
    session.at_prompt("run\r")
    session.wait_until_edited(False)
    time.sleep(0.2)
    session.send("\x03")
    session.wait_for("interrupted: still there|nothing watched changes any more")
    session.at_prompt("where\r")
    session.at_prompt("quit\r")
    check(session.exit_code() == 0, "the session goes on")


def ctrl_c_between_commands_is_no_end():
    """The terminal is the program's only while a line is edited; before and after, Ctrl-C is a signal."""
    session = terminal(["debug", *square()])
    session.wait_for("sfpusim> ")
    session.wait_until_edited(True)
    os.kill(session.pid, signal.SIGINT)
    session.send("step\r")
    session.wait_for("cycle 0")
    session.at_prompt("quit\r")
    check(session.exit_code() == 0, "the session goes on after a signal")


def a_second_signal_ends_what_does_not_look_at_the_first():
    """Both wait while the program stands still, so that it has no time to look."""
    session = terminal(["debug", os.path.join(SOURCE_DIR, "kernels", "mul32_macro.s"), "--rows", "400000", "--zero"])
    session.at_prompt("watch dst 0x1[31]\r")
    session.wait_for("watching")
    session.at_prompt("run\r")
    session.wait_until_edited(False)
    time.sleep(0.2)
    for number in (signal.SIGSTOP, signal.SIGINT, signal.SIGTERM, signal.SIGCONT):
        os.kill(session.pid, number)
    check(session.exit_code() in (130, -signal.SIGTERM), "the program ends as after a signal")


def main():
    return run_tests((registers_show_what_an_instruction_of_the_next_cycle_reads, dst_shows_a_store_at_the_end_of_its_cycle,
                      registers_print_as_each_type_that_they_hold,
                      a_step_says_what_happened_in_the_cycle, back_leads_where_forward_has_been,
                      long_kernels_are_the_same_far_from_the_start, the_end_is_what_run_computes,
                      who_names_the_writer_and_the_cycle, run_stops_at_rows_lines_hazards_and_changes,
                      commands_come_from_standard_input_too, mistakes_are_told_as_what_they_are,
                      a_terminal_edits_and_completes, ctrl_c_ends_a_long_search_and_not_the_session,
                      ctrl_c_between_commands_is_no_end, a_second_signal_ends_what_does_not_look_at_the_first))


if __name__ == "__main__":
    sys.exit(main())
