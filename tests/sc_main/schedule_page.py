#!/usr/bin/env python3
"""`schedule` on a terminal and as a page, which is looked at in a browser.

usage: schedule_page.py SFPUSIM SOURCE_DIR
"""
import json
import os
import pty
import re
import struct
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


def events():
    return BROWSER.run("return schedule.events()")


def key(name, **more):
    BROWSER.command("Input.dispatchKeyEvent", type="keyDown", key=name, **more)
    BROWSER.command("Input.dispatchKeyEvent", type="keyUp", key=name, **more)


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
    of_page = {(e["begin"], e["lane"], e["text"]) for e in events() if e["kind"] in (0, 1) and e["lane"] > 0}
    lines = schedule(KERNEL, "--rows", "64", "--all").stdout.splitlines()
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
    check(int(first.split()[1]) == min(e["begin"] for e in events() if e["row"] == 50), "its first cycle")
    check(search("no such thing") == "not found", "what is not there")
    check("cycles are 0 to" in search("99999999"), "a cycle behind the end")


TYPES = """.rows 2
.input x, 0x40, f32
.input n, 0x80, i32
.output y, 0xc0, f32
.loop
    sfpload L0, FP32, ADDR_MOD_3, x
    sfpload L1, INT32, ADDR_MOD_3, n
    sfpmad L0, L0, L10, L2, 0
    sfpnop
    sfpstore L2, FP32, ADDR_MOD_3, y
    sfploadi L3, USHORT, 7
    incrwc 0, 2, 0, 0
"""


def the_page_follows_values():
    """Who makes a value and who reads it, the value in its type, and what nobody reads."""
    kernel, out = os.path.join(FOLDER.name, "types.s"), os.path.join(FOLDER.name, "types.html")
    with open(kernel, "w") as file:
        file.write(TYPES)
    check(schedule(kernel, "--quiet", "--html", out).returncode == 0, "the page")
    BROWSER.open(out)
    every = events()
    told = {(event["text"], event["row"]): event["told"] for event in every}
    store = next(text for (name, row), text in told.items() if name.startswith("sfpstore") and row == 1)
    mad = next(event for event in every if event["text"].startswith("sfpmad") and event["row"] == 1)
    check("reads L2 of %s, cycle %d" % (mad["text"], mad["begin"]) in store, "the store names who made its value: " + store)
    for name, start in (("x (f32) = ", "sfpload L0"), ("n (i32) = ", "sfpload L1"), ("y (f32) = ", "sfpstore")):
        text = next(text for (each, row), text in told.items() if each.startswith(start) and row == 1)
        value, bits = re.search(re.escape(name) + r"(\S+) in lane 0", text), re.search(r"L[0-9] = ([0-9a-f]{8})", text)
        if not bits:  # a store: what the multiplication gave
            bits = re.search(r"L2 = ([0-9a-f]{8})", mad["told"])
        check(value and bits, "%s has its value and type: %s" % (start, text))
        wanted = struct.unpack(">i" if "i32" in name else ">f", bytes.fromhex(bits[1]))[0]
        check(float(value[1]) == wanted or wanted != wanted, "%s is %s: %s" % (name, wanted, text))
    unread = next(text for (name, row), text in told.items() if name.startswith("sfploadi"))
    check("nobody read L3 in this run" in unread, "what nobody reads: " + unread)
    BROWSER.run("document.getElementById('all').click()")
    lives = [life["told"] for life in BROWSER.run("return schedule.lives()")]
    check(sum(life.startswith("L3") and "nobody read it" in life for life in lives) == 2, "two bars of L3: %s" % lives)
    product = next(life for life in lives if life.startswith("L2: "))
    begin = min(event["begin"] for event in every if event["text"].startswith("sfpmad"))
    check("visible from cycle %d\nread 1 time, last in cycle" % (begin + 2) in product, "from two cycles behind the SFPMAD: " + product)
    check(BROWSER.messages() == [], "the console is empty")


def pixels(script):
    """How many pixels of the chart fit a condition on r, g and b."""
    return BROWSER.run("""const chart = document.getElementById('chart'), all = chart.getContext('2d').getImageData(0, 0, chart.width, chart.height).data;
        let count = 0; for (let i = 0; i < all.length; i += 4) { const [r, g, b, a] = all.subarray(i, i + 4); if (a && (%s)) ++count; } return count;""" % script)


def keys_arrows_dark_and_paper():
    BROWSER.open(page("--rows", "64"))
    BROWSER.run("document.getElementById('chart').focus()")
    ink, told = "r < 60 && g < 60 && b < 60", "return document.getElementById('found').textContent"
    without = pixels(ink)
    key("a")
    check(BROWSER.run("return document.getElementById('arrows').checked") and pixels(ink) > without + 200, "A draws arrows")
    key("a")
    key("ArrowRight", modifiers=8)
    first = BROWSER.run(told)
    key("ArrowRight", modifiers=8)
    second = BROWSER.run(told)
    lane = re.search(r"; (\w+), ", first)[1]
    check(first != second and lane == re.search(r"; (\w+), ", second)[1], "Shift and an arrow: the next box of the lane: %s, %s" % (first, second))
    cycle = [int(re.search(r"cycle (\d+)", text)[1]) for text in (first, second)]
    check(cycle[0] < cycle[1], "later: %s" % cycle)
    key("ArrowDown", modifiers=8)
    below = BROWSER.run(told)
    check(re.search(r"; (\w+), ", below)[1] != lane, "the lane below: " + below)
    key("Escape")
    check(BROWSER.run("return document.getElementById('tip').style.display") == "none", "Escape takes it away")
    paper = "return getComputedStyle(document.documentElement).getPropertyValue('--paper').trim()"
    BROWSER.look(1280, 800, True)
    check(BROWSER.run(paper) == "#0d1117", "a dark screen")
    BROWSER.run("dispatchEvent(new Event('beforeprint'))")
    check(BROWSER.run(paper) == "#ffffff", "paper is light")
    BROWSER.run("dispatchEvent(new Event('afterprint'))")
    check(BROWSER.run(paper) == "#0d1117", "and the screen dark again")
    BROWSER.look(1280, 800, False)
    severe = [message for message in BROWSER.messages() if message.startswith("SEVERE")]  # looking at pixels is slow, says the browser
    check(severe == [], "the console has no error: %s" % severe)


def labels_are_whole():
    """Every text that begins in a box ends in it."""
    BROWSER.open(page("--rows", "64"))
    cut = BROWSER.run("""const drawn = [], fill = CanvasRenderingContext2D.prototype.fillText;
        CanvasRenderingContext2D.prototype.fillText = function (text, x, y) { drawn.push([text, x, y, this.measureText(text).width]); return fill.call(this, text, x, y); };
        const place = document.getElementById('chart').getBoundingClientRect(), wrong = [];
        for (const scale of [8, 20, 40, 64, 120, 250]) {
          schedule.view.scale = scale; drawn.length = 0; dispatchEvent(new Event('resize'));
          for (const [text, x, y, wide] of drawn)
            for (const box of schedule.boxes()) {
              const left = box.x - place.left, top = box.y - place.top;
              if (x >= 70 && x >= left && x < left + box.wide && y > top && y < top + box.high && x + wide > left + box.wide) wrong.push([scale, text]);
            }
        }
        CanvasRenderingContext2D.prototype.fillText = fill;
        return wrong;""")
    check(cut == [], "labels that are cut: %s" % cut[:5])


def a_hundred_thousand_rows_are_a_page():
    out = os.path.join(FOLDER.name, "large.html")
    check(schedule(KERNEL, "--rows", "100000", "--quiet", "--html", out).returncode == 0, "100,000 rows")
    check(os.path.getsize(out) < 20e6, "below 20 MB: %d bytes" % os.path.getsize(out))
    BROWSER.open(out)
    check(search("row 99999").startswith("cycle ") and min(box["begin"] for box in boxes()) > 790000, "it scrolls to the last row")
    check(BROWSER.run("""const begun = performance.now(); for (let n = 0; n < 20; ++n) { schedule.view.from -= 1000; dispatchEvent(new Event('resize')); }
        return performance.now() - begun""") < 20 * 500, "a picture takes less than half a second")
    check(BROWSER.messages() == [], "the console is empty")


def profile_rows():
    return BROWSER.run("return [...document.querySelectorAll('#profile tr')].map(row => [...row.cells].map(cell => cell.textContent))")


def the_profile_stands_beside_the_source():
    file = page("--rows", "64")
    BROWSER.open(file)
    rows = profile_rows()
    source = open(KERNEL).read().splitlines()
    own = [row for row in rows[1:] if row[0]]
    check([row[:2] for row in own if row[2] == ""] == [[str(n), line] for n, line in enumerate(source, 1)
                                                      if str(n) not in {row[0] for row in own if row[2]}], "lines without words")
    profile = json.loads(schedule(KERNEL, "--rows", "64", "--json").stdout)["profile"]
    for word in profile["instructions"]:
        row = next(row for row in own if row[0] == str(word["line"]))
        check(row[1] == source[word["line"] - 1] and row[3] == str(word["executed"]), "line %d: %s" % (word["line"], row))
        if word["part"] == "loop":
            check(row[6:9] == [str(word["slack"]), "%.1f %%" % (100 * word["issue_share"]), "%.1f %%" % (100 * word["unit_share"])],
                  "its slack and shares: %s" % row)
    made = [each["text"] for word in profile["instructions"] for each in word["made"]]
    check([row[1].strip(" *") for row in rows if row[0] == "" and row[1]] == made and made, "what macros schedule stands below them")
    check("8 cycles (II)" in BROWSER.run("return document.getElementById('profile-head').textContent"), "its head")
    loop = next(word for word in profile["instructions"] if word["part"] == "loop" and word["unit"] == "mad")
    BROWSER.run("[...document.querySelectorAll('#profile tr.word')].find(row => row.cells[0].textContent === arguments[0]).click()",
                str(loop["line"]))
    check(any(box["text"] == loop["text"] for box in boxes()), "a click shows where it executes")
    high = BROWSER.run("return document.getElementById('chart').clientHeight")
    BROWSER.run("document.querySelector('#profile summary').click()")
    check(BROWSER.run("return document.getElementById('chart').clientHeight") > high + 100, "closed it leaves its room to the picture")
    check(BROWSER.messages() == [], "the console is empty")


def lines_of_cpp_and_odd_kernels_have_profiles_too():
    for name, text, expected in (
            ("cpp.s", ".rows 8\n.loop\n.origin \"k.elf\", 0, 0x5f08, \"e<x>p.h\", 31\nsfpload L0, FP32, ADDR_MOD_3, 0\n"
             "sfpstore L0, FP32, ADDR_MOD_3, 64\n", ["e<x>p.h:31", "sfpload L0, FP32, ADDR_MOD_3, 0"]),
            ("once.s", ".init\nsfpload L0, FP32, ADDR_MOD_3, 0\n", ["2", "sfpload L0, FP32, ADDR_MOD_3, 0"])):
        kernel, out = os.path.join(FOLDER.name, name), os.path.join(FOLDER.name, name + ".html")
        with open(kernel, "w") as file:
            file.write(text)
        check(schedule(kernel, "--quiet", "--html", out).returncode == 0, name)
        BROWSER.open(out)
        check(expected in [row[:2] for row in profile_rows()] and BROWSER.messages() == [], "%s: %s" % (name, profile_rows()))
    check("no steady state: nothing is repeated" in BROWSER.run("return document.getElementById('profile-head').textContent"), "it says so")


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
                          the_page_follows_values, keys_arrows_dark_and_paper, labels_are_whole, a_hundred_thousand_rows_are_a_page,
                          the_profile_stands_beside_the_source, lines_of_cpp_and_odd_kernels_have_profiles_too,
                          long_runs_open_and_names_are_no_markup, a_terminal_gets_a_hundred_columns_and_colours))


if __name__ == "__main__":
    sys.exit(main())
