#!/usr/bin/env python3
"""Random plain kernels on random chips and machines: what optimize finds is equal to its plain kernel under equiv, and lint
agrees with the verdict that optimize gave. 50 of them, 3 where sanitizers slow them down, 2,000 with SFPU_NIGHTLY.
OPTIMIZE_CAMPAIGN_FIRST is the first seed. Some that failed once are tried always. Pairs of machines of which one
contains the other, 300 with SFPU_NIGHTLY: in a sweep the larger one is never reported as slower.

usage: optimize_campaign.py SFPUSIM SOURCE_DIR
"""
import json
import os
import random
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
from checks import INSTRUMENTED, check, run_tests  # noqa: E402

SFPUSIM = os.path.abspath(sys.argv[1])
FIRST = int(os.environ.get("OPTIMIZE_CAMPAIGN_FIRST", "1"))
PAIRS = 300 if "SFPU_NIGHTLY" in os.environ else 1 if INSTRUMENTED else 4
COUNT = 2000 if "SFPU_NIGHTLY" in os.environ else 3 if INSTRUMENTED else 50
# SFPLOADI beside loads, two issue slots; slow SFPSWAP; operands exchanged beyond what the page of SFPMUL24 promises.
FAILED_ONCE = [742] if INSTRUMENTED else [500, 561, 581, 742, 863, 932, 698, 930, 967, 708]

# d: a register that is written, a to c: registers that are read (d too, where the word has no other place).
BOTH = ["sfpand 0, {a}, {d}, 0", "sfpor 0, {a}, {d}, 0", "sfpxor 0, {a}, {d}, 0", "sfpnot 0, {a}, {d}, 0",
        "sfpiadd 0, {a}, {d}, 4", "sfpiadd {i}, {a}, {d}, 5", "sfpiadd 0, {a}, {d}, 6", "sfpabs 0, {a}, {d}, 0",
        "sfpabs 0, {a}, {d}, 1", "sfpmov 0, {a}, {d}, 0", "sfpmov 0, {a}, {d}, 1", "sfpexexp 0, {a}, {d}, 1",
        "sfpexman 0, {a}, {d}, 0", "sfplz 0, {a}, {d}, 0", "sfpsetsgn 0, {a}, {d}, 0", "sfpsetexp 0, {a}, {d}, 0",
        "sfpsetman 0, {a}, {d}, 0", "sfpcast {a}, {d}, 0", "sfpshft {s}, {a}, {d}, 1", "sfpshft 0, {a}, {d}, 0",
        "sfpdivp2 3, {a}, {d}, 1", "sfpstochrnd 0, 0, L0, {a}, {d}, 1", "sfploadi {d}, USHORT, {u}",
        "sfpmad {a}, {b}, {c}, {d}, 0", "sfpadd L10, {a}, {b}, {d}, 0", "sfpmul {a}, {b}, L9, {d}, 0",
        "sfpmuli 0x4000, {d}, 0", "sfpaddi 0x3f80, {d}, 0", "sfpswap 0, {a}, {d}, 1", "sfpswap 0, {a}, {d}, 0",
        "sfptransp 0, L0, L0, 0", "sfpmad {a}, L12, L13, {d}, 0", "sfpshft2 {a}, {b}, {d}, 5",
        "sfpshft2 0, {a}, {d}, 3", "sfpshft2 0, {a}, {d}, 4", "sfpswap 0, {a}, {d}, {w}", "sfploadi {d}, UPPER, {u}",
        "sfplut {d}, 4, 0", "sfplutfp32 {d}, {t}", "sfpmad {a}, {b}, {c}, {d}, 4", "sfpmul {a}, {b}, L9, {d}, 8"]
BLACKHOLE = ["sfpshft {s}, {a}, {d}, 5", "sfparecip 0, {a}, {d}, 0", "sfpmul24 {a}, {b}, L9, {d}, 0",
             "sfpmul24 {a}, {b}, L9, {d}, 1", "sfpgt 0, {a}, {d}, 8", "sfple 0, {a}, {d}, 8",
             "sfpmad {a}, {b}, {c}, {d}, 3"]
MACHINES = [[], [], [], ["macro.templates=5"], ["macro.count=6"], ["macro.delay_bits=4", "macro.slots=16"],
            ["sfpu.latency.mad=3"], ["sfpu.latency.mad=1"], ["sfpu.latency.simple=2"], ["sfpu.write_port_rule=false"],
            ["sfpu.mad_units=2"], ["dst.store_load_visible=2"], ["macro.slots=4"], ["sfpu.latency.load=2"],
            ["sfpu.latency.round=2", "sfpu.latency.swap=3"]]
TWO_SLOTS = [["sfpu.issue_width=2"], ["sfpu.issue_width=2", "sfpu.mad_units=2"], ["sfpu.issue_width=2", "dst.load_ports=2"],
             ["sfpu.issue_width=2", "sfpu.latency.mad=3"], ["sfpu.issue_width=2", "sfpu.write_port_rule=false"]]


def kernel(numbers):
    """Text, chip and settings of a random case."""
    chip = numbers.choice(["bh", "bh", "wh"])
    step, stay = ("ADDR_MOD_6", "ADDR_MOD_7") if chip == "bh" else ("ADDR_MOD_2", "ADDR_MOD_3")
    setup = "setc16 34, 2\nsetc16 35, 0\n" if chip == "bh" else "setc16 2, 1\nsetc16 29, 2\nsetc16 30, 0\n"
    flags = numbers.random() < 0.2
    mode = numbers.choice(["INT32", "FP32", "INT32", "UINT16", "BF16"])
    live = []
    row = []
    size = numbers.randint(2, 12)
    loads = min(numbers.randint(1, 3), max(1, size - 1))
    for i in range(loads):
        reg = "L%d" % i
        row.append("sfpload %s, %s, %s, %s" % (reg, mode, stay, "xyz"[i]))
        live.append(reg)

    def any_one(allow_constants=True):
        if allow_constants and numbers.random() < 0.1:
            return numbers.choice(["L9", "L10", "L12", "L13"])
        return numbers.choice(live)

    accumulates = numbers.random() < 0.1
    forms = BOTH + (BLACKHOLE if chip == "bh" else [])
    wanted = max(0, size - loads - 1)
    body = []
    for _ in range(wanted):
        form = numbers.choice(forms)
        target = numbers.choice(live + ["L%d" % numbers.randint(0, 5)])
        reads_target = "UPPER" in form or form.split()[0] in ("sfpand", "sfpor", "sfpxor", "sfpiadd", "sfpsetsgn", "sfpsetexp", "sfpsetman",
                                           "sfpshft", "sfpmuli", "sfpaddi", "sfpswap", "sfpgt", "sfple")
        if reads_target and target not in live:
            target = numbers.choice(live)
        line = form.format(a=any_one("swap" not in form), b=any_one(), c=any_one(), d=target, i=numbers.randint(-9, 9),
                           s=numbers.choice([-31, -16, -8, -1, 1, 4, 16, 23]), u=numbers.randint(0, 0xffff),
                           w=numbers.randint(0, 8), t=numbers.choice([0, 2, 6, 10]))
        body.append(line)
        if line.startswith(("sfpmad", "sfpadd", "sfpmul")) and chip == "wh":
            body.append("sfpnop")
        if line.startswith("sfplut") and chip == "wh":
            body.append("sfpnop")
        if line.startswith("sfpswap") or line.endswith((", 3", ", 4")) and line.startswith("sfpshft2"):
            body.append("sfpnop")
        if target not in live:
            live.append(target)
    if accumulates and chip == "bh":
        body.append("sfpiadd 0, %s, L6, 4" % numbers.choice(live))
        live.append("L6")
    if flags:
        at = numbers.randint(0, len(body))
        end = numbers.randint(at, len(body))
        while at < len(body) and body[at] == "sfpnop":
            at += 1
        end = max(at, end)
        while end < len(body) and body[end] == "sfpnop":
            end += 1
        compare = "sfpsetcc 0, %s, L0, %d" % ("L0", numbers.choice([0, 2, 4, 6]))
        around = numbers.choice([(["%s" % compare], ["sfpencc 0, L0, L0, 0"]),
                                 (["sfppushc 0, L0, L0, 0", compare], ["sfppopc 0, L0, L0, 0"]),
                                 (["sfppushc 0, L0, L0, 0", compare, "sfpcompc 0, L0, L0, 0"], ["sfppopc 0, L0, L0, 0"])])
        body = body[:at] + around[0] + body[at:end] + around[1] + body[end:]
    # A MAD's result may not be read at once by what does not wait for it.
    row += body + (["sfpnop"] if chip == "wh" else [])
    row.append("sfpstore %s, %s, %s, %s" % (live[-1] if numbers.random() < 0.7 else numbers.choice(live), mode, step,
                                            numbers.choice(["x", "out", "y" if loads > 1 else "x"])))
    init = setup + ("sfploadi L0, FLOATB, 0x3fc0\nsfpconfig 0, L12, 0\nsfploadi L0, FLOATB, 0xbf00\nsfpconfig 0, L13, 0\n"
                    "sfploadi L6, USHORT, 7\nsfploadi L7, USHORT, %d\n" % numbers.randint(0, 6))
    init += "sfpencc 3, 0, 0, 10\n" if flags else ""
    text = ".arch %s\n.rows 32\n.equ x, 0x00\n.equ y, 0x40\n.equ z, 0x80\n.equ out, 0xc0\n.init\n%s.loop\n%s\n" % (
        chip, init, "\n".join(row))
    machine = numbers.choice(MACHINES)
    return text, numbers.choice(TWO_SLOTS) if numbers.random() < 0.15 else machine


def call(*arguments):
    return subprocess.run([SFPUSIM, *arguments], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          timeout=200)


def every_schedule_of_a_random_kernel_is_equal_and_lint_agrees():
    found = refused = 0
    with tempfile.TemporaryDirectory() as folder:
        for seed in [*range(FIRST, FIRST + COUNT), *FAILED_ONCE]:
            text, settings = kernel(random.Random(seed))
            plain, macro = os.path.join(folder, "plain.s"), os.path.join(folder, "macro.s")
            with open(plain, "w") as file:
                file.write(text)
            if os.path.exists(macro):
                os.remove(macro)
            options = [part for each in settings for part in ("--set", each)]
            done = call("optimize", "--quiet", "--json", "--budget", "800", "-o", macro, plain, *options)
            if done.returncode == 1:
                refused += 1
                check(b"internal" not in done.stderr, "seed %d: %s" % (seed, done.stderr.decode()))
                continue
            if done.returncode == 2:  # nothing was found, and on this machine the plain kernel's words come too early
                check(settings != [] and json.loads(done.stdout)["best"] is None and not os.path.exists(macro),
                      "seed %d %s: exit code 2: %s" % (seed, settings, done.stdout.decode()))
                continue
            check(done.returncode == 0, "seed %d %s: exit code %d: %s\n%s" % (
                seed, settings, done.returncode, done.stderr.decode()[:1500], text))
            if done.returncode != 0:
                continue
            answer = json.loads(done.stdout)
            if answer["best"] is None:
                continue
            found += 1
            # The plain kernel on the chip, which it is written for; the schedule says its machine.
            same = call("equiv", "--seeds", "2", plain, macro)
            check(same.returncode == 0, "seed %d %s: %s\n%s" % (seed, settings, same.stdout.decode(), text))
            lint = json.loads(call("lint", "--json", macro, *options).stdout)
            check(lint["verdict"] == answer["best"]["verdict"],
                  "seed %d %s: lint says %s, optimize %s" % (seed, settings, lint["verdict"], answer["best"]["verdict"]))
            # No schedule is broken but by what breaks its plain kernel.
            if lint["verdict"] == "broken":
                of_plain = json.loads(call("lint", "--json", plain).stdout)
                check(of_plain["verdict"] == answer["plain"]["verdict"] == "broken" and
                      {hazard["id"] for hazard in lint["hazards"] if hazard["breaks"]} <= {hazard["id"] for hazard in of_plain["hazards"]},
                      "seed %d %s: the schedule is broken by what the plain kernel has not\n%s" % (seed, settings, text))
    check(found >= COUNT // 3, "%d of %d kernels became schedules, %d were refused" % (found, COUNT, refused))
    print("%d schedules, %d refused" % (found, refused))


# By parameter, from less to more. Two issue slots are left out: what is found for one is not always right on two.
GROWING = {"macro.templates": [2, 4, 5, 6], "macro.count": [2, 4, 6], "macro.delay_bits": [3, 4], "sfpu.mad_units": [1, 2],
           "sfpu.write_port_rule": ["true", "false"], "dst.load_ports": [1, 2]}


def machines(numbers):
    """A machine and one that contains it."""
    names = numbers.sample(sorted(GROWING), numbers.randint(1, 3))
    small, large = {}, {}
    for name in names:
        values = GROWING[name]
        at = numbers.randint(0, len(values) - 1)
        small[name] = values[at]
        large[name] = values[numbers.randint(at, len(values) - 1)]
    for machine in (small, large):
        if machine.get("macro.delay_bits") == 4:
            machine["macro.slots"] = 16
    return small, large


def no_larger_machine_is_reported_as_slower():
    compared = 0
    with tempfile.TemporaryDirectory() as folder:
        for seed in [*range(FIRST, FIRST + PAIRS), 240]:  # plain code that is broken itself, once not shared
            numbers = random.Random(1000000 + seed)
            text, _ = kernel(numbers)
            small, large = machines(numbers)
            if numbers.random() < 0.5:  # the order in which they stand must not matter
                order = [small, large]
            else:
                order = [large, small]
            with open(os.path.join(folder, "plain.s"), "w") as file:
                file.write(text)
            with open(os.path.join(folder, "sweep.json"), "w") as file:
                json.dump({"kernels": [{"plain": "plain.s"}], "arch": text.split()[1], "schedule": "optimize", "budget": 300,
                           "points": [{name: point[name] == "true" if name.endswith("rule") else point[name] for name in point}
                                      for point in order]}, file)
            out = os.path.join(folder, "out%d" % seed)
            done = call("explore", os.path.join(folder, "sweep.json"), "--output", out)
            check(done.returncode in (0, 2), "pair %d: exit code %d: %s" % (seed, done.returncode, done.stderr.decode()[:500]))
            if done.returncode not in (0, 2):
                continue
            with open(os.path.join(out, "results.jsonl")) as file:
                rows = [json.loads(line) for line in file]
            cycles = [row["cycles_per_row"] for row in rows if row["status"] == "ok"]
            if len(cycles) != 2:
                continue
            compared += 1
            of_small, of_large = cycles if order[0] is small else cycles[::-1]
            check(of_large <= of_small + 1e-9, "pair %d: %s takes %s, %s %s\n%s" % (
                seed, small, of_small, large, of_large, text))
    print("%d pairs" % compared)


if __name__ == "__main__":
    sys.exit(run_tests([every_schedule_of_a_random_kernel_is_equal_and_lint_agrees,
                        no_larger_machine_is_reported_as_slower]))
