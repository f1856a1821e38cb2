#!/usr/bin/env python3
"""`sfpusim explore` as users call it: what it refuses, what it writes, and that nothing is lost when it is stopped."""
import csv
import json
import os
import random
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import xml.etree.ElementTree

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), os.pardir, "support"))
from checks import INSTRUMENTED, check, run_tests  # noqa: E402
from explore_files import SLOW, read, timed_kernel, write  # noqa: E402

SFPUSIM = os.path.abspath(sys.argv[1])

TIMED = timed_kernel(rows=8)


def explore(sweep, output, *options, **how):
    write("sweep.json", sweep)
    return subprocess.run([SFPUSIM, "explore", "sweep.json", "--output", output, *options], stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, universal_newlines=True, **how)


def rows_of(output):
    with open(output + "/results.csv", newline="") as file:
        return list(csv.DictReader(file))


def refuses(sweep, *mentions):
    done = explore(sweep, "refused")
    check(done.returncode == 1, "%s: exit code 1, got %d" % (sweep, done.returncode))
    for mention in mentions:
        check(mention in done.stderr, "%s: says %r: %r" % (sweep, mention, done.stderr))
    check(not os.path.exists("refused"), "%s: nothing is run" % sweep)


def outputs_that_nobody_stores_are_not_called_valid():
    for name, output in (("stores_nothing.s", "0x100"), ("stores_all.s", "0")):
        write(name, ".rows 4\n.output y, %s, f32\n.loop\nsfpload L0, FP32, 7, 0\nsfpstore L0, FP32, 6, 0\n" % output)
    done = explore({"kernels": ["stores_nothing.s", "stores_all.s"], "parameters": {"sfpu.latency.mad": [2]}}, "stored")
    check(done.returncode == 0, "explore: %s" % done.stderr)
    check([row["valid"] for row in rows_of("stored")] == ["unknown", "true"], "%s" % rows_of("stored"))


def sweep_files_that_are_wrong_are_refused_whole():
    good = {"kernels": ["timed.s"], "parameters": {"sfpu.latency.mad": [1, 2]}}
    refuses("{", "sweep.json:1:")
    refuses([], "expected an object")
    refuses({}, "kernels", "at least one")
    refuses({**good, "kernles": []}, "'kernels'")
    refuses({**good, "kernels": "timed.s"}, "kernels", "a list")
    refuses({**good, "kernels": [{"plane": "x.s"}]}, "kernels[0]", "plain")
    refuses({**good, "arch": "gs"}, "arch", "bh")
    refuses({**good, "schedule": "best"}, "schedule", "optimize")
    refuses({**good, "kernels": [{"macro": "x.s", "schedule": "best"}]}, "kernels[0].schedule", "optimize")
    refuses({**good, "firmwares": "x.elf"}, "firmwares", "a list")
    refuses({**good, "firmwares": [7]}, "firmwares[0]", "a file")
    refuses({**good, "mode": "sum"}, "mode", "zip")
    refuses({**good, "baseline": {"sfpu.latency.mda": 2}}, "baseline", "sfpu.latency.mad")
    refuses({**good, "parameters": {"sfpu.latency.mda": [2]}}, "parameters", "sfpu.latency.mad")
    refuses({**good, "parameters": {"sfpu.latency.mad": [2, 9]}}, "parameters.sfpu.latency.mad", "1 to 8")
    refuses({**good, "parameters": {"sfpu.latency.mad": []}}, "at least one value")
    refuses({**good, "parameters": {"sfpu.latency.mad": {"from": 1}}}, "'to'")
    refuses({**good, "parameters": {"sfpu.latency.mad": {"from": 1, "to": 4, "step": 0}}}, "never get there")
    refuses({**good, "parameters": {"sfpu.latency.mad": {"from": 4, "to": 1, "step": 1}}}, "never get there")
    refuses({**good, "parameters": {"arch": ["bh", "wh"]}}, "'arch'")
    refuses({**good, "mode": "zip", "parameters": {"sfpu.latency.mad": [1, 2], "macro.slots": [8]}}, "1 values", "2")
    refuses({**good, "points": [{"macro.slots": 4}]}, "one of them")
    refuses({"kernels": ["timed.s"], "points": [{"macro.slots": 4}], "mode": "zip"}, "mode", "'points'")
    refuses('{"kernels": ["timed.s"], "kernels": ["timed.s"]}', "kernels", "twice")
    refuses('{"kernels": ["timed.s"], "parameters": {"macro.slots": 4, "macro.slots": 5}}', "macro.slots", "twice")
    refuses('{"kernels": ["timed.s"], "cost": {"macro.slots": 1e999}}', "sweep.json:1:50: error: number overflow")
    refuses({**good, "where": ["sfpu.latency.mad <= macro.slot"]}, "where[0]", "macro.slots")
    refuses({**good, "where": ["sfpu.latency.mad <="]}, "where[0]", "the end")
    refuses({**good, "where": ["(" * 500]}, "where[0]", "nested")
    refuses({**good, "where": ["sfpu.latency.mad > 2"]}, "no point")
    refuses({**good, "seeds": [-1]}, "seeds")
    refuses({**good, "limits": {"second": 1}}, "limits", "seconds")
    refuses({**good, "cost": {"macro.slots": "x"}}, "cost.macro.slots")
    refuses({**good, "budget": 0}, "budget")
    refuses({**good, "seeds": [1.5], "budget": "x"}, "seeds", "budget")  # everything that is wrong, at once
    write("sweep.json", good)
    done = subprocess.run([SFPUSIM, "explore", "sweep.json"], stderr=subprocess.PIPE, universal_newlines=True)
    check(done.returncode == 1 and "--output" in done.stderr, "the folder must be named: %r" % done.stderr)


def each_point_has_a_row_in_the_order_of_the_sweep():
    sweep = {"kernels": ["timed.s"], "arch": "wh", "seeds": [7, 8],
             "parameters": {"sfpu.latency.mad": {"from": 1, "to": 3}, "macro.slots": [8, 4]},
             "where": ["sfpu.latency.mad < 3 || macro.slots == 8", "1 + 2 * 3 == 7 && !(2 > 3) && 7 % 4 - 1 == 8 / 4", "9 - 4 - 3 == 2"]}
    done = explore(sweep, "order")
    check(done.returncode == 0, "exit code 0, got %d: %s" % (done.returncode, done.stderr))
    rows = rows_of("order")
    expected = [(1, 8), (1, 4), (2, 8), (2, 4), (3, 8)]
    found = [(int(row["sfpu.latency.mad"]), int(row["macro.slots"])) for row in rows]
    check(found == [each for each in expected for seed in (7, 8)], "the last parameter changes first: %s" % found)
    check([row["point"] for row in rows] == [str(i) for i in range(5) for seed in (7, 8)], "points by number")
    check([row["seed"] for row in rows] == ["7", "8"] * 5, "seeds of a point side by side")
    check(list(rows[0])[:5] == ["point", "kernel", "seed", "sfpu.latency.mad", "macro.slots"], "first columns")
    for column in ("schedule", "status", "error", "cycles_per_row", "bound_cycles_per_row", "bound_reason", "proved", "ipc",
                   "utilisation_load", "utilisation_simple", "utilisation_mad", "utilisation_round", "utilisation_store",
                   "stalls_mad-dependence", "stalls_swap", "hazards", "valid", "verdict", "cost", "proof"):
        check(column in rows[0], "column " + column)
    with open("order/results.jsonl") as file:
        lines = [json.loads(line) for line in file]
    check([line["valid"] for line in lines] == [row["valid"] for row in rows], "both files say the same")
    check(lines[0]["sfpu.latency.mad"] == 1 and isinstance(lines[0]["cycles_per_row"], float), "numbers are numbers")


def rows_say_what_run_says():
    sweep = {"kernels": ["timed.s"], "parameters": {"sfpu.latency.mad": [1, 2, 3], "macro.templates": [4, 6]}}
    check(explore(sweep, "same").returncode == 0, "a sweep with other results is no failure")
    for row in rows_of("same"):
        settings = []
        for path in sweep["parameters"]:
            settings += ["--set", "%s=%s" % (path, row[path])]
        run = subprocess.run([SFPUSIM, "run", "timed.s", "--stats", "run.json", *settings], stdout=subprocess.DEVNULL,
                             stderr=subprocess.DEVNULL)
        statistics = json.loads(read("run.json"))
        check(float(row["cycles_per_row"]) == statistics["throughput"]["cycles_per_row"] == 4, "four words a row")
        check(abs(float(row["ipc"]) - statistics["throughput"]["ipc"]) < 1e-5, "ipc: %s" % row)
        check(abs(float(row["utilisation_mad"]) - statistics["units"]["mad"]["utilisation"]) < 1e-5, "utilisation: %s" % row)
        check((row["valid"] == "false") == (run.returncode == 2) == (row["sfpu.latency.mad"] == "3"), "validity: %s" % row)
        check(row["binds"] == statistics["steady_state"]["binds"] and row["dependence_cycles_per_row"] == "0.0" and
              row["dependences"].startswith("none"), "what binds: %s" % row)
        check(row["bound_cycles_per_row"] == "4.0" and row["bound_reason"] == "issue: 4 words a row", "bound: %s" % row)
        check(float(row["cost"]) == (2 if row["macro.templates"] == "6" else 0), "two templates more cost two: %s" % row)
        check(row["verdict"] == ("broken" if row["sfpu.latency.mad"] == "3" else "robust"), "verdict: %s" % row)


def the_same_point_runs_once():
    done = explore({"kernels": ["timed.s", "timed.s"], "parameters": {"macro.slots": [4, 8, 4]}}, "again")
    check(done.returncode == 0 and "6 points, 0 known" in done.stdout, "six rows: %s" % done.stderr)
    check(len(os.listdir("again/points")) == 2 and len(rows_of("again")) == 6, "of two runs: %s" % os.listdir("again/points"))
    check("6 known" in explore({"kernels": ["timed.s", "timed.s"], "parameters": {"macro.slots": [4, 8, 4]}}, "again").stdout, "all are known")


def a_baseline_that_breaks_the_kernel_is_told():
    """Its words are right on the chip. What they leave on a slow baseline is what `valid` means for words that are kept; a schedule that
    was made for its machine is compared with what is right."""
    sweep = {"kernels": [{"plain": "timed.s"}, {"plain": "timed.s", "schedule": "keep"}], "baseline": {"sfpu.latency.mad": 3},
             "parameters": {"sfpu.latency.mad": [2, 3]}, "budget": 1000}
    done = explore(sweep, "slow_baseline")
    check("timed.s: computes something else on the baseline's machine than on the chip" in done.stderr, "it is told: %s" % done.stderr)
    found = {(row["schedule"], row["sfpu.latency.mad"]): (row["status"], row["valid"]) for row in rows_of("slow_baseline")}
    check(found["keep", "2"] == ("ok", "false") and found["keep", "3"] == ("ok", "true"), "kept words, as on the baseline: %s" % found)
    check(found["optimize", "2"] == ("ok", "true"), "a schedule for the chip is right: %s" % found)
    done = explore({**sweep, "baseline": {"sfpu.latency.mad": 2}}, "chip_baseline")
    check("something else" not in done.stderr, "the chip breaks nothing: %s" % done.stderr)


def firmware_runs_beside_kernels():
    build = os.path.dirname(os.path.dirname(SFPUSIM))
    tile = build + "/firmware/tile_bf16.elf"
    if not os.path.exists(tile):
        print("no compiler for bare RISC-V")
        return
    sweep = {"kernels": ["timed.s"], "firmwares": [tile, build + "/tests/firmware/check_hang.elf", "missing.elf"], "seeds": [1, 2],
             "schedule": "keep", "parameters": {"tensorload.l1_bytes": [16, 64], "tensorload.xpose_elem_from_ttype": [False, True]}}
    done = explore(sweep, "firmware")
    check(done.returncode == 2, "exit code 2, got %d: %s" % (done.returncode, done.stderr))
    rows = rows_of("firmware")
    check([(row["kernel"], row["seed"]) for row in rows[:5]] == [("timed.s", "1"), ("timed.s", "2"), (tile, ""), (sweep["firmwares"][1], ""),
                                                                  ("missing.elf", "")], "kernels with each seed, firmware once")
    for row in rows:
        if row["kernel"] == tile:
            settings = ["--set=%s=%s" % (path, row[path]) for path in sweep["parameters"]]
            run = subprocess.run([SFPUSIM, "tile", tile, *settings], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                 universal_newlines=True)
            cycles = next(line.split()[1] for line in run.stdout.splitlines() if line.startswith("cycles"))
            check(row["cycles"] == cycles, "cycles as `tile` counts them: %s, %s" % (row["cycles"], cycles))
            right = row["tensorload.xpose_elem_from_ttype"] == "false"  # the program transposes bytes
            check(right == (run.returncode == 0), "the other reading breaks the program")
            check(row["valid"] == ("true" if right else "false"), "valid: %s" % row)
            check(row["status"] == ("ok" if right else "failed") and ("trap" in row["error"]) != right, "status: %s" % row)
            hart = next(line.split()[1] for line in run.stdout.splitlines() if line.startswith("hart"))
            what = "hart is busiest: %s of %s cycles" if 2 * int(hart) >= int(cycles) else "No resource binds by itself: hart, the busiest, works in %s of %s cycles"
            check(row["binds"].startswith(what % (hart, cycles)), "the hart is busiest: %s, %s" % (row["binds"], run.stdout))
            check(row["cycles_per_row"] == "" and row["verdict"] == "" and row["schedule"] == "keep", "nothing of kernels: %s" % row)
        elif row["kernel"] == "missing.elf":
            check(row["status"] == "failed" and "missing.elf" in row["error"], "a missing program: %s" % row)
        elif row["kernel"] != "timed.s":
            check(row["status"] == "failed" and "waits for ever" in row["error"], "a program that hangs: %s" % row)
    check(len({row["cycles"] for row in rows if row["kernel"] == tile and row["status"] == "ok"}) == 2, "a wider L1 is faster")


def each_kernel_may_have_its_schedule():
    sweep = {"kernels": [{"macro": "timed.s", "schedule": "keep"}, {"plain": "timed.s"}, {"plain": "timed.s", "schedule": "keep"}],
             "budget": 1000}
    check(explore(sweep, "schedules").returncode in (0, 2), "runs")
    check([row["schedule"] for row in rows_of("schedules")] == ["keep", "optimize", "keep"], "schedules by kernel")


def points_that_fail_do_not_lose_the_rest():
    write("wrong.s", ".loop\n    sfpfoo\n")
    slots = [4, 8]
    seconds = 8.5  # long for the others on a busy machine, short for one that takes minutes
    sweep = {"kernels": ["timed.s", "wrong.s", "missing.s", "slow.s"], "parameters": {"macro.slots": slots},
             "limits": {"seconds": seconds}}
    done = explore(sweep, "failing")
    check(done.returncode == 2, "exit code 2, got %d: %s" % (done.returncode, done.stderr))
    rows = rows_of("failing")
    check([row["status"] for row in rows] == ["ok", "failed", "failed", "timeout"] * len(slots), "states: %s" % [r["status"] for r in rows])
    check("wrong.s:2" in rows[1]["error"] and "sfpfoo" in rows[1]["error"], "the kernel's fault: %s" % rows[1])
    check("missing.s" in rows[2]["error"], "a missing kernel: %s" % rows[2])
    check("%g seconds" % seconds in rows[3]["error"], "the limit: %s" % rows[3])
    check(rows[3]["cycles_per_row"] == "" and rows[3]["valid"] == "unknown", "no numbers: %s" % rows[3])

    before = {name: os.stat("failing/points/" + name).st_mtime_ns for name in os.listdir("failing/points")}
    again = explore(sweep, "failing")
    check(again.returncode == 2 and "%d known" % (4 * len(slots)) in again.stdout, "failures are recorded: %s" % again.stderr)
    check(before == {name: os.stat("failing/points/" + name).st_mtime_ns for name in os.listdir("failing/points")},
          "what took too long is not run again")
    write("wrong.s", TIMED)
    check(explore(sweep, "failing").returncode == 2, "the slow one is still slow")
    check(rows_of("failing")[1]["status"] == "ok", "a kernel that was mended is another kernel")
    retried = explore({**sweep, "limits": {"seconds": seconds - 1}}, "failing", "--retry-failed")
    check("%d known" % (2 * len(slots)) in retried.stdout, "--retry-failed runs them again: %s" % retried.stderr)


def a_sweep_that_is_stopped_goes_on_where_it_was():
    write("longer.s", TIMED.replace(".rows 8", ".rows 8000"))
    slots = 12
    points = 4 * slots
    sweep = {"kernels": ["longer.s"], "parameters": {"sfpu.latency.mad": {"from": 1, "to": 4},
                                                      "macro.slots": {"from": 1, "to": slots}}}
    check(explore(sweep, "whole", "--jobs", "1").returncode == 0, "undisturbed")

    def recorded():
        folder = "killed/points/"
        names = os.listdir(folder) if os.path.isdir(folder) else []
        return {name: (os.stat(folder + name).st_mtime_ns, os.stat(folder + name).st_ino) for name in names if name.endswith(".json")}

    chance = random.Random(5)
    known, in_the_middle = 0, 0
    for _ in range(20):
        before = recorded()
        process = subprocess.Popen([SFPUSIM, "explore", "sweep.json", "--output", "killed"], stderr=subprocess.PIPE,
                                   stdout=subprocess.PIPE, universal_newlines=True)
        time.sleep(chance.uniform(0.02, 0.3))
        process.kill()
        told, said = process.communicate()
        if " known" in told:
            now = int(told.split(",")[1].split()[0])
            check(now >= known, "nothing that was recorded is forgotten")
            known = now
        check("another sweep" not in said, "one that was killed keeps nobody out: %r" % said)
        after = recorded()
        in_the_middle += len(after) < points
        check(all(after.get(name) == stamp for name, stamp in before.items()), "a recorded point is not run again")
    check(in_the_middle >= 3, "it was killed in the middle %d times" % in_the_middle)
    before = recorded()
    os.makedirs("killed/plots", exist_ok=True)
    write("killed/plots/pareto.svg.99999999", "half a plot") # as one leaves it that is killed while it draws
    last = explore(sweep, "killed")
    check(last.returncode == 0, "the rest: %s" % last.stderr)
    after = recorded()
    check(len(after) == points and all(after[name] == stamp for name, stamp in before.items()), "a recorded point is not run again")
    for name in ("results.csv", "results.jsonl", "report.html"):
        check(read("whole/" + name) == read("killed/" + name), name + " is the same to the byte")
    plots = sorted(os.listdir("whole/plots"))
    check(len(plots) == 5 and plots == sorted(os.listdir("killed/plots")), "the same plots: %s" % plots)
    for name in plots:
        check(read("whole/plots/" + name) == read("killed/plots/" + name), name + " is the same to the byte")

    process = subprocess.Popen([SFPUSIM, "explore", "sweep.json", "--output", "stopped", "--jobs", "1"],
                               stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, universal_newlines=True)
    while not (os.path.isdir("stopped/points") and os.listdir("stopped/points")):
        time.sleep(0.005)
    process.send_signal(signal.SIGINT)
    said = process.communicate()[1]
    check(process.returncode == 130 and "goes on" in said, "Ctrl-C: %d, %r" % (process.returncode, said))
    wider = dict(sweep, parameters=dict(sweep["parameters"], **{"macro.slots": {"from": 1, "to": slots + 1}}))
    check("%d points, %d known" % (points + 4, points) in explore(wider, "killed").stdout, "a wider sweep runs what is new")


def optimisers_of_a_sweep_leave_no_files():
    os.mkdir("scratch")
    sweep = {"kernels": [{"plain": "timed.s"}], "budget": 1000,
             "parameters": {"sfpu.latency.mad": {"from": 1, "to": 2}, "macro.slots": {"from": 2, "to": 9}}}
    for how in (signal.SIGINT, signal.SIGKILL, None):
        write("sweep.json", sweep)
        process = subprocess.Popen([SFPUSIM, "explore", "sweep.json", "--output", "optimised"], stderr=subprocess.DEVNULL,
                                   stdout=subprocess.DEVNULL, env={**os.environ, "TMPDIR": os.path.abspath("scratch")})
        seen, end = set(), time.monotonic() + (0.7 if how else 500)
        while process.poll() is None and time.monotonic() < end:
            seen.update(os.listdir("scratch"))
            time.sleep(0.002)
        if how:
            process.send_signal(how)
        process.wait()
        check(seen | set(os.listdir("scratch")) == set(), "files that a kill would leave behind: %s" % sorted(seen))
    check(all(row["status"] == "ok" and row["schedule"] == "optimize" for row in rows_of("optimised")), "every point has its schedule")


def plots_show_the_results():
    write("it's.s", TIMED)
    sweep = {"kernels": ["timed.s", "it's.s", "missing.s"], "parameters": {"sfpu.latency.mad": [1, 2, 3], "macro.templates": [4, 6],
                                                                            "sfpu.write_port_rule": ["true", "false"]}}
    check(explore(sweep, "drawn").returncode == 2, "one kernel is missing")
    names = ["heat-it-s.s.svg", "heat-timed.s.svg", "pareto.svg", "response-macro.templates.svg", "response-sfpu.latency.mad.svg",
             "response-sfpu.write_port_rule.svg", "sensitivity.svg"]
    check(sorted(os.listdir("drawn/plots")) == names, "plots: %s" % sorted(os.listdir("drawn/plots")))
    for name in names:
        texts = [e.text for e in xml.etree.ElementTree.parse("drawn/plots/" + name).iter() if e.tag.endswith("}text") or e.tag.endswith("}tspan")]
        said = " ".join(text.strip() for text in texts if text)
        if name.startswith("heat"):
            right, wrong = said.count("4.00"), said.count("wrong")
            check((right, wrong) == (4, 2), "%s: wrong at a latency of 3 only, for 4 and 6 templates: %s" % (name, said))
            check("sfpu.latency.mad" in said and "macro.templates" in said, "%s names its axes: %s" % (name, said))
        else:
            check("timed.s" in said and "it's.s" in said, "%s names the kernels: %s" % (name, said))
            check(("wrong results" in said) == (name == "response-sfpu.latency.mad.svg"), "%s: %s" % (name, said))
    narrow = explore({**sweep, "parameters": {"macro.templates": [4, 6]}}, "drawn")
    check(sorted(os.listdir("drawn/plots")) == ["pareto.svg", "response-macro.templates.svg", "sensitivity.svg"],
          "plots of another sweep do not stay: %s %s" % (narrow.stderr, os.listdir("drawn/plots")))

    before = read("drawn/results.csv")
    os.remove("drawn/results.csv")
    done = explore(sweep, "drawn", env={**os.environ, "PATH": "/nowhere"})
    check("gnuplot-nox" in done.stderr and done.returncode == 2, "without gnuplot it says so: %s" % done.stderr)
    check(read("drawn/results.csv") != before and os.path.exists("drawn/report.html"), "the rest is written")


def a_disk_that_fills_up_keeps_what_is_finished():
    os.mkdir("small")
    if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=160k", "none", "small"], stderr=subprocess.DEVNULL).returncode != 0:
        print("no file system can be mounted here; RLIMIT_FSIZE stands for the full disk")
        return
    try:
        sweep = {"kernels": ["timed.s"], "parameters": {"sfpu.latency.mad": [1, 2, 3], "macro.slots": {"from": 1, "to": 20}}}
        done = explore(sweep, "small/out")
        check(done.returncode == 1 and "cannot be" in done.stderr, "the disk is full: %d %s" % (done.returncode, done.stderr))
        check("are finished and kept" in done.stderr, "how far it came: %s" % done.stderr)
        kept = {name: os.stat("small/out/points/" + name).st_mtime_ns for name in os.listdir("small/out/points")}
        check(2 <= len(kept) < 60 and all(name.endswith(".json") for name in kept), "whole results only: %s" % sorted(kept))
        subprocess.run(["mount", "-o", "remount,ro", "small"], check=True)
        done = explore(sweep, "small/out")
        check(done.returncode == 1 and "small/out" in done.stderr, "nothing can be written: %d %s" % (done.returncode, done.stderr))
        subprocess.run(["mount", "-o", "remount,rw,size=16m", "small"], check=True)
        done = explore(sweep, "small/out")
        check(done.returncode == 0 and "%d known" % len(kept) in done.stdout, "and then it goes on: %s" % done.stderr)
        check(all(os.stat("small/out/points/" + name).st_mtime_ns == stamp for name, stamp in kept.items()), "with what it had")
    finally:
        subprocess.run(["umount", "small"])


def points_that_cannot_be_say_why():
    macro = ".init\n    .template 3, sfpmad L0, L0, L0, _, 0\n.loop\n    sfpnop\n"
    write("macro.s", macro)
    done = explore({"kernels": ["macro.s"], "parameters": {"macro.templates": [4, 2]}}, "impossible")
    rows = rows_of("impossible")
    check(done.returncode == 2 and [row["status"] for row in rows] == ["ok", "failed"], "the other point has its row: %s" % done.stderr)
    check("macro.s:2" in rows[1]["error"] and "macro.templates" in rows[1]["error"], "the reason: %s" % rows[1]["error"])
    check(rows[0]["error"] == "", "and only there")


def folders_that_cannot_be_written_are_told():
    sweep = {"kernels": ["timed.s"], "parameters": {"macro.slots": [1, 2, 3]}}
    write("file", "")
    done = explore(sweep, "file/in")
    check(done.returncode == 1 and "file/in" in done.stderr, "no folder: %s" % done.stderr)

    def full_disk():
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))

    done = explore(sweep, "full", preexec_fn=full_disk)
    check(done.returncode == 1 and "cannot be" in done.stderr, "nothing can be written: %d %s" % (done.returncode, done.stderr))
    check(os.listdir("full/points") == [], "no half results: %s" % os.listdir("full/points"))
    check(explore(sweep, "full").returncode == 0, "and then it goes on")


if __name__ == "__main__":
    folder = tempfile.mkdtemp()
    code = 1
    try:
        os.chdir(folder)
        write("timed.s", TIMED)
        write("slow.s", SLOW)
        # Sweeps that are ended from outside, wait for a limit of time or optimise take minutes under sanitizers, and there is
        # nothing in them that others do not run.
        long_ones = [a_sweep_that_is_stopped_goes_on_where_it_was, optimisers_of_a_sweep_leave_no_files,
                     a_disk_that_fills_up_keeps_what_is_finished, points_that_fail_do_not_lose_the_rest,
                     a_baseline_that_breaks_the_kernel_is_told]
        code = run_tests([sweep_files_that_are_wrong_are_refused_whole, outputs_that_nobody_stores_are_not_called_valid,
                          each_point_has_a_row_in_the_order_of_the_sweep, rows_say_what_run_says, the_same_point_runs_once,
                          firmware_runs_beside_kernels, each_kernel_may_have_its_schedule, plots_show_the_results,
                          points_that_cannot_be_say_why, folders_that_cannot_be_written_are_told]
                         + ([] if INSTRUMENTED else long_ones))
    finally:
        os.chdir("/")
        shutil.rmtree(folder)
    sys.exit(code)
