#!/usr/bin/env python3
"""Names of files never run, and never move a terminal's cursor: what every command prints and writes for files with hostile
names has the form of what it prints and writes for plain ones.

usage: hostile_names.py SFPUSIM SOURCE_DIR
"""
import csv
import html.parser
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import xml.etree.ElementTree

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
from checks import check, run_tests  # noqa: E402

SFPUSIM, SOURCE_DIR = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])

PLAIN = "plain"
NAMES = {
    "line ends": 'a\nsystem("touch ran")\n',
    "quotes": "q'\"; system('touch ran') '\"",
    "substitution": "$(touch ran)`touch ran`",
    "markup": "<!--<script>x<\u2215script>]]>&\"",
    "control characters": "c\x1b[31m\x07\x01\r\t\x7f\u202e",
    "a backslash": "b\\\nc\\",
    "not UTF-8": os.fsdecode(b"u\xff\xc0\xaf"),
}
CONTROL = re.compile(rb"[\x00-\x08\x0b-\x1f\x7f]|\xc2[\x80-\x9f]|\xe2\x80[\xaa-\xae]")
KERNEL = """.rows 4
.loop
sfpload L0, FP32, ADDR_MOD_7, 0
sfpmad L0, L0, L9, L1, 0
sfpnop
sfpstore L1, FP32, ADDR_MOD_6, 0
"""


class Elements(html.parser.HTMLParser):
    def __init__(self, text):
        super().__init__()
        self.found = []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        self.found.append((tag, tuple(name for name, _ in attributes)))

    def handle_comment(self, text):
        self.found.append("comment")


def commands(name):
    """Each with the files that it writes."""
    kernel, wrong, sweep = name + ".s", name + "-wrong.s", name + ".json"
    yield ("run", kernel, "--stats", "stats.json", "--vcd", name + ".vcd", "--konata", "k.log", "--perfetto", "p.pftrace"), \
        ("stats.json", name + ".vcd", name + ".gtkw", "k.log")
    yield ("run", kernel, "--set", "sfpu.latency.mad=3"), ()
    yield ("run", name + "-missing.s"), ()
    for command in ("run", "asm", "disasm", "lint", "schedule", "optimize"):
        yield (command, wrong), ()
    yield ("run", kernel, "--config", wrong), ()
    yield ("run", kernel, "--set", name + "=1"), ()
    yield ("run", kernel, "--dst-load", wrong), ()
    yield ("run", kernel, "--" + name), ()
    yield ("run", kernel, name), ()
    yield (name,), ()
    yield ("schedule", kernel, "--svg", "s.svg", "--html", "s.html"), ("s.svg", "s.html")
    yield ("lint", kernel, "--schedules", "3", "--sarif", "l.sarif"), ("l.sarif",)
    yield ("lint", kernel, "--schedules", "3", "--json"), ("stdout.json",)
    yield ("lint", kernel, "--baseline", wrong), ()
    yield ("equiv", kernel, kernel, "--seeds", "1"), ()
    yield ("equiv", kernel, kernel, "--seeds", "1", "--json"), ("stdout.json",)
    yield ("equiv", kernel, wrong), ()
    yield ("debug", kernel, "--command", "list", "--command", "where"), ()
    yield ("optimize", kernel, "-o", "o.s", "--llk", "o.h", "--at-most", "4"), ("o.s", "o.h")
    yield ("optimize", kernel, "--json"), ("stdout.json",)
    yield ("compare", wrong, wrong), ()
    yield ("tile", kernel), ()
    yield ("llk", name), ()
    yield ("silicon", "--measurements", wrong), ()
    yield ("explore", sweep, "--output", name + "-out"), tuple(
        os.path.join(name + "-out", file) for file in ("results.csv", "results.jsonl", "report.html",
                                                       "plots/response-sfpu.latency.mad.svg"))
    yield ("explore", wrong, "--output", "refused"), ()


def form_of(path):
    """What stays the same whatever a name is."""
    with open(path, "rb") as file:
        content = file.read()
    text = content.decode("utf-8", "replace")
    if path.endswith((".json", ".sarif")):
        return json.loads(text).keys()
    if path.endswith(".jsonl"):
        return [list(json.loads(line)) for line in text.splitlines()]
    if path.endswith(".csv"):
        return [len(row) for row in csv.reader(text.splitlines(True))] and sorted({len(row) for row in csv.reader(open(
            path, newline="", errors="surrogateescape"))})
    if path.endswith(".svg"):
        return [element.tag for element in xml.etree.ElementTree.fromstring(text).iter()]
    if path.endswith(".html"):
        return Elements(text).found
    check(not CONTROL.search(content), "%r has no control characters" % path)
    return text.count("\n")


def results_of(name):
    with open(name + ".s", "w") as file:
        file.write(KERNEL)
    with open(name + "-wrong.s", "w") as file:
        file.write("sfpabsolutely 0\n")
    with open(name + ".json", "w", errors="surrogateescape") as file:
        kernel = name if name.isprintable() or "\udcff" not in name else PLAIN
        if kernel == PLAIN and name != PLAIN:
            shutil.copy(name + ".s", PLAIN + ".s")
        json.dump({"kernels": [kernel + ".s"], "parameters": {"sfpu.latency.mad": [2, 3]}, "schedule": "keep"}, file)
    results = []
    for command, files in commands(name):
        done = subprocess.run([SFPUSIM, *command], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              timeout=100)
        if files == ("stdout.json",):
            with open("stdout.json", "wb") as file:
                file.write(done.stdout)
        missing = [file for file in files if not os.path.exists(file)]
        check(not missing, "%s %r writes %s: %s" % (command[0], command[1:], missing, done.stderr))
        printed = done.stdout + done.stderr
        check(files == ("stdout.json",) or not CONTROL.search(printed), "%r prints no control characters: %r" % (command, printed))
        forms = [form_of(file) for file in files if file not in missing]
        results.append((done.returncode, printed.count(b"\n"), forms))
        check(done.returncode != 3, "%r is no internal error: %r" % (command, done.stderr))
    return results


def names_are_shown_and_never_run():
    found = {}
    for kind, name in {"plain": PLAIN, **NAMES}.items():
        folder = os.path.abspath("folder of " + kind)
        os.mkdir(folder)
        os.chdir(folder)
        found[kind] = results_of(name)
        check(not os.path.exists("ran"), "%s: nothing ran" % kind)
        os.chdir(os.pardir)
    for kind, name in NAMES.items():
        for (command, _), plain, hostile in zip(commands(name), found["plain"], found[kind]):
            check(hostile == plain, "%s: %s gives the same form: %r and %r" % (kind, command, str(plain)[:300], str(hostile)[:300]))


def data_have_the_names_themselves():
    name = NAMES["line ends"] + ".s"
    with open(name, "w") as file:
        file.write(KERNEL)
    with open("sweep.json", "w") as file:
        json.dump({"kernels": [name], "parameters": {"sfpu.latency.mad": [2]}}, file)
    subprocess.run([SFPUSIM, "explore", "sweep.json", "--output", "data", "--quiet"], check=True, timeout=100)
    with open("data/results.csv", newline="") as file:
        check([row["kernel"] for row in csv.DictReader(file)] == [name], "CSV has the name")
    with open("data/results.jsonl") as file:
        check(json.loads(file.readline())["kernel"] == name, "JSON has the name")
    shown = subprocess.run([SFPUSIM, "run", name], stdout=subprocess.PIPE, timeout=100).stdout.decode()
    check(r'a\nsystem("touch ran")\n.s' in shown, "text shows it escaped: %s" % shown[:200])


def main():
    with tempfile.TemporaryDirectory() as directory:
        os.chdir(directory)
        code = run_tests([names_are_shown_and_never_run, data_have_the_names_themselves])
        os.chdir(SOURCE_DIR)
    return code


if __name__ == "__main__":
    sys.exit(main())
