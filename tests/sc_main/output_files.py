#!/usr/bin/env python3
"""Output files appear whole or not at all: when the program is killed or interrupted, when the disk is full, when two names are
one file, when an output is an input.

usage: output_files.py SFPUSIM SOURCE_DIR
"""
import json
import os
import random
import resource
import signal
import stat
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
from checks import INSTRUMENTED, check, run_tests  # noqa: E402

SFPUSIM, SOURCE_DIR = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
FOLDER = tempfile.TemporaryDirectory()
KERNEL = os.path.join(SOURCE_DIR, "kernels", "mul32_macro.s")
FIRST_LINES = {"--vcd": "$version SFPU-TLM", "--konata": "Kanata\t0004", "--stats": "{", "--perfetto": None}


def path(name):
    return os.path.join(FOLDER.name, name)


def empty_folder():
    for name in os.listdir(FOLDER.name):
        os.remove(path(name))


def sfpusim(*arguments, **options):
    return subprocess.run([SFPUSIM, *arguments], stdout=options.pop("stdout", subprocess.PIPE), stderr=subprocess.PIPE,
                          universal_newlines=True, cwd=FOLDER.name, **options)


def text_of(name):
    with open(path(name), errors="replace") as file:
        return file.read()


def kill_leaves_the_old_files():
    moments = random.Random(3)
    for _ in range(12):
        empty_folder()
        for option in FIRST_LINES:
            with open(path(option), "w") as file:
                file.write("old")
        arguments = [part for option in FIRST_LINES for part in (option, "./" + option)]
        program = subprocess.Popen([SFPUSIM, "run", KERNEL, "--rows", "10000000", *arguments], stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, cwd=FOLDER.name)
        time.sleep(moments.uniform(0.01, 0.3))
        program.kill()
        program.communicate()
        for option in FIRST_LINES:
            check(text_of(option) == "old", "%s holds what it held before the run that was killed" % option)
        check(all(name in FIRST_LINES or name.startswith(".--") for name in os.listdir(FOLDER.name)),
              "nothing else has a name that somebody could take for a result: %s" % os.listdir(FOLDER.name))


def a_killed_search_leaves_the_old_schedule():
    empty_folder()
    with open(path("old.s"), "w") as file:
        file.write("old")
    plain = os.path.join(SOURCE_DIR, "kernels", "mul32.s")
    program = subprocess.Popen([SFPUSIM, "optimize", plain, "-o", "old.s", "--llk", "new.h"], stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE, cwd=FOLDER.name)
    time.sleep(0.5)
    check(program.poll() is None, "the search takes longer")
    program.kill()
    program.communicate()
    check(text_of("old.s") == "old", "the schedule that was there before is there still")
    check(not os.path.exists(path("new.h")), "what was not there before is not half there")


def control_c_gives_the_report_so_far():
    empty_folder()
    for command in ("run", "schedule"):
        program = subprocess.Popen([SFPUSIM, command, KERNEL, "--rows", "100000000", "--from-cycle", "0", "--to-cycle", "100",
                                    "--vcd", "a.vcd", "--stats", "a.json"], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                   universal_newlines=True, cwd=FOLDER.name)
        time.sleep(1)
        program.send_signal(signal.SIGINT)
        report, complaint = program.communicate(timeout=60)
        check(program.returncode == 130, "%s: exit code 130, found %d" % (command, program.returncode))
        statistics = json.loads(text_of("a.json"))["throughput"]
        check("interrupted: this is about %d of 100000000 rows" % statistics["rows"] in complaint, complaint)
        check(0 < statistics["rows"] < 100000000 and statistics["cycles_per_row"] == 8.0, "rows so far, at their pace")
        check(text_of("a.vcd").startswith(FIRST_LINES["--vcd"]), "%s: the waveform is there" % command)
        check("rows           %d\n" % statistics["rows"] in report or command == "schedule", "the report is about these rows")
        check(sorted(os.listdir(FOLDER.name)) == ["a.gtkw", "a.json", "a.vcd"], "no other file is left: %s" % os.listdir(FOLDER.name))
        empty_folder()


def interrupted(arguments, signal_number=signal.SIGINT):
    """Exit code, standard output and standard error of a command that a signal reaches when it has begun."""
    program = subprocess.Popen([SFPUSIM, *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                               universal_newlines=True, cwd=FOLDER.name)
    time.sleep(0.7)
    check(program.poll() is None, "%s takes longer" % arguments)
    program.send_signal(signal_number)
    out, err = program.communicate(timeout=60)
    return program.returncode, out, err


def control_c_ends_every_command_in_an_orderly_way():
    plain, macro = (os.path.join(SOURCE_DIR, "kernels", name) for name in ("mul32.s", "mul32_macro.s"))
    for arguments, said in ((["lint", macro, "--schedules", "1000000"], "interrupted: this is what "),
                            (["lint", plain, "--schedules", "1000000", "--fix", "-o", "new.s"], "sfpusim: interrupted\n"),
                            (["equiv", plain, macro, "--seeds", "1000000"], "interrupted: no difference in "),
                            (["exec"], "sfpusim: interrupted\n"), (["asm", "-"], "sfpusim: interrupted\n"),
                            (["debug", plain], "sfpusim: interrupted\n"),
                            (["bench", "--kernel", "mul32", "--instructions", "100000000000"], "sfpusim: interrupted\n")):
        empty_folder()
        code, out, err = interrupted(arguments)
        check(code == 130, "%s: exit code 130, found %d" % (arguments, code))
        if INSTRUMENTED: # what an exception leaves is a stack that the sanitizer does not know
            err = "".join(line for line in err.splitlines(True) if "ASan is ignoring" not in line and "False positive" not in line
                          and "sanitizers/issues" not in line)
        check(said in err and err.count("\n") == 1, "%s says so in one line: %r" % (arguments, err))
        check(os.listdir(FOLDER.name) == [], "%s leaves no file: %s" % (arguments, os.listdir(FOLDER.name)))
        if arguments[0] == "lint":
            check(("mul32_macro.s: " in out) == ("--fix" not in arguments), "what lint knows by then: %r" % out)
    for told in (signal.SIGTERM, signal.SIGHUP):  # the second: its terminal is gone
        code, _, err = interrupted(["lint", plain, "--schedules", "1000000", "--fix", "-o", "new.s"], told)
        check(code == -told and os.listdir(FOLDER.name) == [], "whoever is told to end leaves nothing behind: %d %r" % (code, err))
    code, out, _ = interrupted(["lint", macro, "--schedules", "1000000", "--json"])
    check(json.loads(out)["interrupted"] is True, "a script can see it")


def control_c_while_cures_are_looked_for_keeps_the_report():
    kernel = os.path.join(SOURCE_DIR, "kernels", "where_inplace.s")
    step = 20 if INSTRUMENTED else 3
    for tenths in range(step, 300, step): # how long the search before takes nobody knows
        program = subprocess.Popen([SFPUSIM, "lint", kernel, "--cures"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, universal_newlines=True)
        time.sleep(tenths / 10)
        program.send_signal(signal.SIGINT)
        out, err = program.communicate(timeout=120)
        check(program.returncode == 130, "it was still looking after %d tenths of a second: %d %r" % (tenths, program.returncode, err))
        if program.returncode != 130:
            return
        check("where_inplace.s: " in out and "random bubbles" in out and err.count("\n") == 1, "the report so far: %r %r" % (out, err))
        if "cures may be missing" in err:
            return
    check(False, "it never came to the cures")


def an_input_is_never_overwritten():
    empty_folder()
    with open(KERNEL) as file:
        source = file.read()
    with open(path("x.s"), "w") as file:
        file.write(source)
    os.symlink("x.s", path("link.s"))
    os.link(path("x.s"), path("hard.s"))
    with open(path("config.json"), "w") as file:
        file.write("{}")
    for arguments in (["asm", "x.s", "-o", "x.s"], ["asm", "x.s", "-o", "link.s"], ["asm", "link.s", "-o", "hard.s"],
                      ["run", "x.s", "--vcd", "./x.s"], ["run", "x.s", "--dst-dump", "hard.s"],
                      ["run", "x.s", "--config", "config.json", "--stats", "config.json"],
                      ["optimize", "x.s", "-o", "x.s"],
                      ["schedule", "x.s", "--svg", FOLDER.name + "/x.s"], ["run", "x.s", "--output", "out=x.s"]):
        done = sfpusim(*arguments)
        check(done.returncode == 1 and "not overwritten, because this command reads it" in done.stderr, "%s: %s" % (arguments, done.stderr))
        check(text_of("x.s") == source and text_of("config.json") == "{}", "%s leaves its inputs as they were" % arguments)
    check(sorted(os.listdir(FOLDER.name)) == ["config.json", "hard.s", "link.s", "x.s"], "nothing is left behind")
    check(sfpusim("asm", "x.s", "-o", "y.hex").returncode == 0 and os.path.exists(path("y.hex")), "another name will do")


def two_outputs_are_two_files():
    empty_folder()
    os.symlink("a.vcd", path("link"))
    for arguments in (["--vcd", "a.vcd", "--stats", "a.vcd"], ["--vcd", "a.vcd", "--konata", "./a.vcd"],
                      ["--vcd", "a.vcd", "--perfetto", "link"], ["--output", "out=a.vcd", "--vcd", path("a.vcd")]):
        done = sfpusim("run", KERNEL, *arguments)
        check(done.returncode == 1 and "two outputs go to this file" in done.stderr, "%s: %s" % (arguments, done.stderr))
        check(os.listdir(FOLDER.name) == ["link"], "nothing is written")
    for stats in ("-", "/dev/stdout", "/proc/self/fd/1"):
        done = sfpusim("run", KERNEL, "--vcd", "-", "--stats", stats)
        check(done.returncode == 1 and "two outputs go to standard output" in done.stderr, done.stderr)


def files_that_have_two_names_are_one():
    empty_folder()
    with open(path("one"), "w") as file:
        file.write("old")
    os.link(path("one"), path("other"))
    with open(path("one"), "a") as one:
        descriptor = "/proc/self/fd/%d" % one.fileno()
        for name in ("other", descriptor):
            done = sfpusim("run", KERNEL, "--vcd", "one", "--stats", name, pass_fds=[one.fileno()])
            check(done.returncode == 1 and "two outputs go to this file" in done.stderr, "%s: %s" % (name, done.stderr))
        done = sfpusim("run", KERNEL, "--vcd", "other", stdout=one)
        check(done.returncode == 1 and "other: standard output goes to this file" in done.stderr, done.stderr)
    check(text_of("one") == "old" and sorted(os.listdir(FOLDER.name)) == ["one", "other"], "nothing is written: %r %s" % (text_of("one"), os.listdir(FOLDER.name)))
    done = sfpusim("run", KERNEL, "--stats", "/dev/stdout")
    check(json.loads(done.stdout)["throughput"]["rows"] == 32, "a name of standard output means it: " + done.stderr)
    done = sfpusim("run", KERNEL, "--stats", "")
    check(done.returncode == 1 and "--stats: found '', expected FILE" in done.stderr, done.stderr)


def a_closed_descriptor_is_no_file():
    empty_folder()
    for closed, expected in ((0, 0), (1, 1), (2, 0)):
        done = sfpusim("run", KERNEL, "--stats", "s.json", preexec_fn=lambda: os.close(closed))
        check(done.returncode == expected, "without descriptor %d: exit code %d, %s" % (closed, done.returncode, done.stderr))
        check(json.loads(text_of("s.json"))["throughput"]["rows"] == 32, "no report stands in the file")
    done = sfpusim("asm", "-", preexec_fn=lambda: os.close(0))
    check(done.returncode == 1 and "standard input: cannot be read" in done.stderr, "no input is no empty one: %s" % done)
    for command in ("exec", "debug"):
        done = sfpusim(command, *([KERNEL] if command == "debug" else []), preexec_fn=lambda: os.close(0))
        check(done.returncode == 1 and "standard input" in done.stderr, "%s: %s" % (command, done))


def a_dash_is_standard_output():
    empty_folder()
    done = sfpusim("run", KERNEL, "--stats", "-")
    check(json.loads(done.stdout)["throughput"]["rows"] == 32, "the statistics, and no report between them")
    check(sfpusim("run", KERNEL, "--vcd", "-").stdout.startswith("$version"), "a waveform")
    check(sfpusim("asm", KERNEL, "-o", "-").stdout == sfpusim("asm", KERNEL).stdout, "words")
    done = sfpusim("schedule", KERNEL, "--svg", "-")
    check(done.stdout.startswith("<") and done.stdout.rstrip().endswith("</svg>"), "a drawing")
    check(os.listdir(FOLDER.name) == [], "and no file is called '-'")


def a_full_disk_leaves_the_old_file():
    empty_folder()
    for option in ("--vcd", "--konata", "--perfetto", "--stats"):
        with open(path("old"), "w") as file:
            file.write("old")
        done = sfpusim("run", KERNEL, option, "old", preexec_fn=lambda: (
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN), resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))))
        check(done.returncode == 1 and "old: cannot be written" in done.stderr, "%s: %d %s" % (option, done.returncode, done.stderr))
        check(text_of("old") == "old" and os.listdir(FOLDER.name) == ["old"], "%s: the old file is there, and nothing else" % option)
        done = sfpusim("run", KERNEL, option, "/dev/full")
        check(done.returncode == 1 and "/dev/full: cannot be written: No space left" in done.stderr, "%s: %s" % (option, done.stderr))
    with open("/dev/full", "w") as full:
        for arguments in (["--help"], ["run", "--help"], ["run", KERNEL], ["info", "--params"], ["asm", KERNEL]):
            done = sfpusim(*arguments, stdout=full)
            check(done.returncode == 1 and "cannot be written" in done.stderr, "%s: %d %s" % (arguments, done.returncode, done.stderr))


def files_keep_their_permissions_and_links():
    empty_folder()
    previous = os.umask(0o027)
    try:
        check(sfpusim("run", KERNEL, "--stats", "new").returncode == 0, "runs")
    finally:
        os.umask(previous)
    check(stat.S_IMODE(os.stat(path("new")).st_mode) == 0o640, "a new file has the permissions that the user's mask leaves")
    os.chmod(path("new"), 0o604)
    os.symlink("new", path("link"))
    check(sfpusim("run", KERNEL, "--stats", "link").returncode == 0, "runs")
    check(os.path.islink(path("link")) and stat.S_IMODE(os.stat(path("new")).st_mode) == 0o604, "an old one keeps its own, and a link leads to it")
    os.mkfifo(path("pipe"))
    reader = subprocess.Popen(["head", "-c", "8", path("pipe")], stdout=subprocess.PIPE, universal_newlines=True)
    sfpusim("run", KERNEL, "--vcd", "pipe")
    check(reader.communicate()[0] == "$version" and stat.S_ISFIFO(os.stat(path("pipe")).st_mode), "a pipe stays a pipe")


if __name__ == "__main__":
    sys.exit(run_tests([
        kill_leaves_the_old_files,
        a_killed_search_leaves_the_old_schedule,
        control_c_gives_the_report_so_far,
        control_c_ends_every_command_in_an_orderly_way,
        control_c_while_cures_are_looked_for_keeps_the_report,
        an_input_is_never_overwritten,
        two_outputs_are_two_files,
        files_that_have_two_names_are_one,
        a_closed_descriptor_is_no_file,
        a_dash_is_standard_output,
        a_full_disk_leaves_the_old_file,
        files_keep_their_permissions_and_links,
    ]))
