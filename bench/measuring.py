"""What programs cost: host instructions, processor time, memory."""
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

SHORT, LONG = 130_000, 2_080_000


def run(command):
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)} failed:\n{done.stderr}")
    return done


def host_instructions(command):
    """Of one run, counted by callgrind, and its standard output."""
    with tempfile.TemporaryDirectory() as folder:
        done = run(["valgrind", "--tool=callgrind", f"--callgrind-out-file={folder}/out", *command])
    counted = re.search(r"Collected : (\d+)", done.stderr)
    if not counted:
        sys.exit(f"{' '.join(command)}: callgrind counted nothing:\n{done.stderr}")
    return int(counted.group(1)), done.stdout


def host_instructions_each(program, kernel, executed_too, options=(), long=LONG):
    """For each SFPU instruction of a kernel of `bench` that is issued, or with `executed_too` scheduled. The difference of a long
    and a short run leaves out what starting costs."""
    figures = []
    for instructions in (SHORT, long):
        host, text = host_instructions(
            [program, "bench", "--kernel", kernel, "--instructions", str(instructions), "--json", *options])
        answer = json.loads(text)
        figures.append((host, answer["executed" if executed_too else "instructions"]))
    (host_short, count_short), (host_long, count_long) = figures
    return (host_long - host_short) / (count_long - count_short)


def usage(command):
    """What the system says of one run: ru_utime, ru_stime in seconds, ru_maxrss in KiB."""
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        sys.exit(f"{' '.join(command)} failed with exit code {process.returncode}")
    return used


def processor_milliseconds(command):
    """Of one run; by perf where there is one, since the system counts some machines' in ticks of 4 ms."""
    if shutil.which("perf"):
        told = run(["perf", "stat", "-x,", "-e", "task-clock", *command]).stderr
        for line in told.splitlines():
            fields = line.split(",")
            if len(fields) > 2 and fields[2].startswith("task-clock"):
                return float(fields[0])
    used = usage(command)
    return 1000 * (used.ru_utime + used.ru_stime)
