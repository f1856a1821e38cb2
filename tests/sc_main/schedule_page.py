#!/usr/bin/env python3
"""`schedule` on a terminal and as a page, which is looked at in a browser.

usage: schedule_page.py SFPUSIM SOURCE_DIR
"""
import json
import os
import pty
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
import browser as browsers  # noqa: E402
from checks import check, run_tests  # noqa: E402

SFPUSIM, SOURCES = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
FOLDER = tempfile.TemporaryDirectory()
KERNEL = os.path.join(SOURCES, "kernels", "mul32_macro.s")
BROWSER = None


def schedule(*arguments, **how):
    return subprocess.run([SFPUSIM, "schedule", *arguments], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, universal_newlines=True, **how)


def page(*arguments):
    file = os.path.join(FOLDER.name, "page.html")
    result = schedule(KERNEL, "--quiet", "--html", file, *arguments)
    check(result.returncode == 0 and not result.stdout and not result.stderr, "schedule --html: " + result.stderr)
    return file


def boxes():
    return BROWSER.run("return schedule.boxes()")


def mouse(kind, x, y, **more):
    BROWSER.command("Input.dispatchMouseEvent", type=kind, x=x, y=y, **more)


def search(text):
    BROWSER.run("""document.getElementById("wanted").value = arguments[0]; document.getElementById("next").click();""", text)
    return BROWSER.run("return document.getElementById('found').textContent")


def the_page_is_one_file_and_says_what_the_table_says():
    file = page("--rows", "64")
    text = open(file).read()
    check(not re.search(r"(src|href)=|https?://|@import|url\(", text), "it needs nothing else")
    BROWSER.open(file)
    check(BROWSER.messages() == [], "the console is empty")
    check("64 rows in" in BROWSER.run("return document.getElementById('summary').textContent"), "the summary")
    data = json.loads(BROWSER.run("return document.getElementById('data').textContent"))["events"]
    texts = json.loads(BROWSER.run("return document.getElementById('texts').textContent"))["texts"]
    of_page = {(e[0], e[2], texts[e[3]]) for e in data if e[4] in (0, 1) and e[2] > 0}
    lines = schedule(KERNEL, "--rows", "64").stdout.splitlines()
    starts = [lines[0].index(title) for title in ("Load", "Simple", "MAD", "Round", "Store")]
    of_table = set()
    for line in lines[1:-1]:
        for lane, (start, end) in enumerate(zip(starts, starts[1:] + [lines[0].find("Notes") if "Notes" in lines[0] else None])):
            cell = re.sub(r"\[\d+\]$", "", line[start:end].strip().lstrip("*"))
            if cell and cell not in ".|":
                of_table.add((int(line[:starts[0]]), lane + 1, cell))
    check(of_page == of_table and len(of_page) > 1000, "the same instructions in the same cycles: %s" % list(of_page ^ of_table)[:4])


def it_opens_on_the_steady_state_and_zooms_scrolls_and_hovers():
    BROWSER.open(page("--rows", "200"))
    cycles = [box["begin"] for box in boxes()]
    check(700 < min(cycles) < 900, "the middle of 1,600 cycles: %s" % cycles[:1])
    before = BROWSER.run("return {...schedule.view}")
    mouse("mouseWheel", 600, 400, deltaX=0, deltaY=-400)
    after = BROWSER.run("return {...schedule.view}")
    check(after["scale"] > 2 * before["scale"], "the wheel zooms in")
    under = [view["from"] + (600 - 70) / view["scale"] for view in (before, after)]
    check(abs(under[0] - under[1]) < 0.1, "what is under the mouse stays there")
    mouse("mousePressed", 600, 400, button="left", buttons=1, clickCount=1)
    mouse("mouseMoved", 500, 400, button="left", buttons=1)
    mouse("mouseReleased", 500, 400, button="left", clickCount=1)
    moved = BROWSER.run("return {...schedule.view}")
    check(abs(moved["from"] - after["from"] - 100 / after["scale"]) < 0.1, "dragging moves it by as much")
    box = next(each for each in boxes() if each["lane"] == "MAD" and each["x"] > 200)
    mouse("mouseMoved", box["x"] + 3, box["y"] + 5)
    tip = BROWSER.run("return document.getElementById('tip').style.display + ' ' + document.getElementById('tip').textContent")
    for part in ("block " + box["text"], "cycle %d" % box["begin"], "row ", "line ", "in lane 0, visible from cycle %d" % (box["begin"] + 2)):
        check(part in tip, "the tip has %s: %s" % (part, tip))
    BROWSER.run("document.getElementById('all').click()")
    whole = BROWSER.run("return {...schedule.view}")
    check(whole["from"] == 0 and whole["scale"] < 1, "the button shows all of it")


def it_finds_texts_rows_and_cycles():
    BROWSER.open(page("--rows", "100"))
    check(search("cycle 500") == "cycle 500", "a cycle")
    check(min(box["begin"] for box in boxes()) < 500 < max(box["begin"] for box in boxes()), "it is shown")
    check(search("sfpconfig").startswith("cycle "), "an instruction of the set-up")
    first = search("row 50")
    check(first.startswith("cycle ") and search("row 50") != "", "a row")
    events = json.loads(BROWSER.run("return document.getElementById('data').textContent"))["events"]
    check(int(first.split()[1]) == min(e[0] for e in events if e[5] == 50), "its first cycle")
    check(search("no such thing") == "not found", "what is not there")
    check("cycles are 0 to" in search("99999999"), "a cycle behind the end")


def long_runs_open_and_names_are_no_markup():
    strange = os.path.join(FOLDER.name, "<b>&.s")
    with open(strange, "w") as file:
        file.write(".rows 20000\n.loop\nsfpload L0, INT32, ADDR_MOD_3, 0\nsfpstore L0, INT32, ADDR_MOD_3, 0\n")
    out = os.path.join(FOLDER.name, "long.html")
    check(schedule(strange, "--quiet", "--html", out).returncode == 0, "a long run")
    BROWSER.open(out)
    check(BROWSER.messages() == [] and BROWSER.run("return document.title") == "<b>&.s", "the name is text")
    BROWSER.run("document.getElementById('all').click()")
    check(search("cycle 39000") == "cycle 39000", "far away")


def on_a_terminal(environment, *arguments):
    """What a terminal gets."""
    pid, file = pty.fork()
    if pid == 0:
        os.execve(SFPUSIM, [SFPUSIM, "schedule", KERNEL, "--rows", "8", *arguments], environment)
    text = b""
    while True:
        try:
            more = os.read(file, 65536)
        except OSError:
            break
        if not more:
            break
        text += more
    os.close(file)
    check(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 0, "schedule on a terminal")
    return text.decode().replace("\r", "")


def a_terminal_gets_a_hundred_columns_and_colours():
    plain = {name: value for name, value in os.environ.items() if name != "NO_COLOR"}
    text = on_a_terminal(plain)
    check("\x1b[36m" in text, "scheduled instructions have a colour")
    bare = re.sub(r"\x1b\[\d+m", "", text)
    check(max(map(len, bare.splitlines())) <= 100, "no line is longer than 100")
    refused = on_a_terminal({**plain, "NO_COLOR": "1"})
    check(refused == bare, "NO_COLOR takes the colours and nothing else")
    check("\x1b" in on_a_terminal({**plain, "NO_COLOR": ""}), "an empty NO_COLOR refuses nothing")
    check(on_a_terminal({**plain, "NO_COLOR": "1"}, "--columns", "0") == schedule(KERNEL, "--rows", "8").stdout,
          "--columns 0 is the table that files get")
    check(schedule(KERNEL, "--rows", "8", "--columns", "100").stdout == bare, "--columns 100 is that of terminals, without colours")
    for wrong in ("20", "wide", "1001"):
        result = schedule(KERNEL, "--columns", wrong)
        check(result.returncode == 1 and "'%s'" % wrong in result.stderr and "80" in result.stderr, "--columns " + wrong)


def main():
    global BROWSER
    with browsers.Browser() as BROWSER:
        return run_tests((the_page_is_one_file_and_says_what_the_table_says,
                          it_opens_on_the_steady_state_and_zooms_scrolls_and_hovers, it_finds_texts_rows_and_cycles,
                          long_runs_open_and_names_are_no_markup, a_terminal_gets_a_hundred_columns_and_colours))


if __name__ == "__main__":
    sys.exit(main())
