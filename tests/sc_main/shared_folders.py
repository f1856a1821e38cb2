#!/usr/bin/env python3
"""Many processes share a folder of results and output files without damage.

usage: shared_folders.py SFPUSIM SOURCE_DIR
"""
import json
import os
import random
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
from checks import check, run_tests  # noqa: E402
from explore_files import read, timed_kernel, write  # noqa: E402

SFPUSIM, SOURCE_DIR = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
FOLDER = tempfile.TemporaryDirectory()
KERNEL = os.path.join(SOURCE_DIR, "kernels", "mul32_macro.s")


def start(*arguments):
    return subprocess.Popen([SFPUSIM, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, universal_newlines=True)


def explore(output):
    return start("explore", "sweep.json", "--output", output, "--jobs", "2", "--quiet")


def write_sweep():
    write("timed.s", timed_kernel(32))
    write("sweep.json", {"kernels": ["timed.s"], "arch": "wh", "schedule": "keep",
                         "parameters": {"sfpu.latency.mad": [1, 2, 3], "sfpu.latency.load": [1, 2]}})


def results(output):
    return [read(os.path.join(output, name)) for name in ("results.csv", "results.jsonl")]


def sweeps_in_one_folder_do_not_disturb_each_other():
    write_sweep()
    alone = explore("alone")
    complaint = alone.communicate()[1]
    check(alone.returncode == 0, complaint)
    together = [explore("together") for _ in range(8)]
    outcomes = [(process.communicate()[1], process.returncode) for process in together]
    for complaint, code in outcomes:
        check(code == 0 or (code == 1 and "another sweep is at work in this folder" in complaint), "%d: %s" % (code, complaint))
    check(any(code == 0 for _, code in outcomes), "one of them did the work")
    check(results("together") == results("alone"), "and the results are those of one process alone")


def sweeps_that_are_killed_leave_a_folder_in_which_others_go_on():
    write_sweep()
    moments = random.Random(5)
    for _ in range(6):
        process = explore("killed")
        time.sleep(moments.uniform(0.0, 0.15))
        process.kill()
        process.communicate()
    deadline = time.monotonic() + 60  # a point of a killed sweep may live a moment longer
    while True:
        last = explore("killed")
        complaint = last.communicate()[1]
        if last.returncode == 0 or time.monotonic() > deadline:
            break
        time.sleep(0.2)
    check(last.returncode == 0, complaint)
    check(results("killed") == results("alone"), "the results are those of one process alone")


def damaged_results_are_run_again():
    points = os.path.join("alone", "points")
    before, number = results("alone"), 0
    names = sorted(os.listdir(points))
    for name, damage in zip(names, (lambda text: text[:len(text) // 2], lambda text: "", lambda text: "[" * 100000,
                                    lambda text: text.replace('"ok"', '"ko"'), lambda text: '{"inputs": 3, "result": []}',
                                    lambda text: "\0" + text)):
        path = os.path.join(points, name)
        write(path, damage(read(path).decode()))
        number += 1
    check(number == 6, "six results were damaged, each in another way: %d" % number)
    again = explore("alone")
    complaint = again.communicate()[1]
    check(again.returncode == 0, complaint)
    check(results("alone") == before, "the results are what they were")


def output_files_of_many_processes_are_whole():
    processes = [start("run", KERNEL, "--rows", str(32 * (1 + i % 3)), "--stats", "s.json", "--vcd", "s.vcd", "--quiet") for i in range(12)]
    while any(process.poll() is None for process in processes):
        if os.path.exists("s.json"):
            rows = json.loads(read("s.json"))["throughput"]["rows"]
            check(rows in (32, 64, 96), "what can be seen is always a whole file: %d rows" % rows)
    for process in processes:
        complaint = process.communicate()[1]
        check(process.returncode == 0, complaint)
    check(read("s.vcd").startswith(b"$version"), "the waveform, too")
    check(not [name for name in os.listdir(".") if name.startswith(".s.")], "nothing else is left: %s" % os.listdir("."))


if __name__ == "__main__":
    os.chdir(FOLDER.name)
    sys.exit(run_tests([
        sweeps_in_one_folder_do_not_disturb_each_other,
        sweeps_that_are_killed_leave_a_folder_in_which_others_go_on,
        damaged_results_are_run_again,
        output_files_of_many_processes_are_whole,
    ]))
