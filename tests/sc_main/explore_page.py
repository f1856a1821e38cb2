#!/usr/bin/env python3
"""The page that `sfpusim explore` writes, in a browser: it says what the table of results says, and its controls do what they say."""
import csv
import json
import os
import shlex
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), os.pardir, "support"))
import browser as browsers  # noqa: E402
from checks import check, run_tests  # noqa: E402
from explore_files import timed_kernel  # noqa: E402

SFPUSIM = os.path.abspath(sys.argv[1])
SOURCES = os.path.abspath(sys.argv[2])
BROWSER = None

TIMED = timed_kernel(rows=8)
# A name that is longer than small windows are wide.
WRONG = "a_folder_whose_name_is_long_enough_to_be_a_nuisance/and_another_one_inside_of_it/wrong.s"
SWEEP = {"kernels": ["timed.s", "mul32.s", WRONG],
         "parameters": {"sfpu.latency.mad": [1, 2, 3], "sfpu.issue_width": [1, 2], "macro.templates": [4, 6]}}


def explore(output, **how):
    return subprocess.run([SFPUSIM, "explore", "sweep.json", "--output", output], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, universal_newlines=True, **how)


def rows_of(output):
    with open(output + "/results.csv", newline="") as file:
        return list(csv.DictReader(file))


def right(row):
    return row["status"] == "ok" and row["valid"] != "false" and row["verdict"] != "broken"


def column(name):
    """The texts of a column of the page's table, from top to bottom."""
    return BROWSER.run("""
        const heads = [...document.querySelectorAll("#table thead th")].map(th => th.textContent);
        return [...document.querySelectorAll("#table tbody tr")].map(tr => tr.cells[heads.indexOf(arguments[0])].textContent);""", name)


def choose(name, value):
    BROWSER.run("""
        const control = document.getElementById(arguments[0]);
        control.value = arguments[1];
        control.dispatchEvent(new Event("input", {bubbles: true}));""", name, value)


def sort_by(name):
    BROWSER.run("""[...document.querySelectorAll("#table thead button")].find(b => b.textContent === arguments[0]).click();""", name)


def the_page_needs_nothing_else_and_says_nothing_to_the_console():
    BROWSER.open("out/report.html")
    check(BROWSER.run("return performance.getEntriesByType('resource').length") == 0, "nothing is loaded")
    check(BROWSER.messages() == [], "no error, no warning: %s" % BROWSER.messages())


def the_table_shows_the_results_and_sorts_them():
    BROWSER.open("out/report.html")
    rows = rows_of("out")
    check(column("kernel") == [row["kernel"] for row in rows], "rows in the order of the sweep")
    known = [row for row in rows if row["cycles_per_row"]]
    unknown = [""] * (len(rows) - len(known))
    check(unknown != [] and len({row["cycles_per_row"] for row in known}) > 2, "the sweep has something to sort")
    sort_by("cycles_per_row")
    expected = ["%.2f" % value for value in sorted(float(row["cycles_per_row"]) for row in known)]
    check(column("cycles_per_row") == expected + unknown, "ascending, failed ones last: %s" % column("cycles_per_row"))
    sort_by("cycles_per_row")
    check(column("cycles_per_row") == expected[::-1] + unknown, "descending at the second click")
    sort_by("kernel")
    check(column("kernel") == sorted(row["kernel"] for row in rows), "texts by their letters")
    sort_by("cost")
    check([float(cost) for cost in column("cost")] == sorted(float(row["cost"]) for row in rows), "numbers by their size, not by digits")


def the_table_can_be_filtered():
    BROWSER.open("out/report.html")
    rows = rows_of("out")

    def shows(expected, what):
        found = BROWSER.run("return [...document.querySelectorAll('#table tbody tr')].map(tr => Number(tr.dataset.row))")
        wanted = [i for i, row in enumerate(rows) if expected(row)]
        check(0 < len(wanted) < len(rows), what + ": the case tells something")
        check(found == wanted, "%s: found rows %s, expected %s" % (what, found, wanted))
        check(BROWSER.run("return document.getElementById('shown').textContent").startswith("%d of %d " % (len(wanted), len(rows))), what + ": counted")

    choose("filter", "cycles_per_row<8 templates=6")
    shows(lambda row: row["cycles_per_row"] and float(row["cycles_per_row"]) < 8 and row["macro.templates"] == "6", "conditions")
    choose("filter", "cost!=0")
    shows(lambda row: float(row["cost"]) != 0, "not equal")
    choose("filter", "SFPFOO")
    shows(lambda row: "sfpfoo" in row["error"], "text in a column that is not shown")
    choose("filter", "")
    choose("of-kernel", "timed.s")
    shows(lambda row: row["kernel"] == "timed.s", "a kernel")
    choose("of-results", "wrong")
    shows(lambda row: row["kernel"] == "timed.s" and row["status"] == "ok" and row["valid"] == "false", "a kernel with wrong results")
    choose("of-kernel", "")
    choose("of-results", "failed")
    shows(lambda row: row["status"] == "failed", "failed points")


def the_best_point_of_each_kernel_is_named():
    BROWSER.open("out/report.html")
    cards = BROWSER.run("return [...document.querySelectorAll('.card')].map(card => card.textContent)")
    rows = rows_of("out")
    check(len(cards) == 3, "a card for each kernel")
    for card, kernel in zip(cards, ("timed.s", "mul32.s", WRONG)):
        own = [row for row in rows if row["kernel"] == kernel and right(row)]
        check(kernel in card, "cards in the order of the sweep")
        if not own:
            check("No point has right results" in card and "sfpfoo" in card, "a kernel that never runs: %s" % card)
            continue
        least = min(float(row["cycles_per_row"]) for row in own)
        cost = min(float(row["cost"]) for row in own if float(row["cycles_per_row"]) == least)
        check("%.2f cycles a row" % least in card and "cost %g" % cost in card, "%s: %g at cost %g: %s" % (kernel, least, cost, card))


def the_machines_are_ranked_by_all_kernels_together():
    BROWSER.look(1280, 800, False)
    BROWSER.open("three/report.html")
    rows = rows_of("three")
    kernels = ("timed.s", "mul32.s")
    cycles = {(int(row["point"]), row["kernel"]): float(row["cycles_per_row"]) for row in rows if right(row)}
    base = next(int(row["point"]) for row in rows if all(row[path] == value for path, value in
                (("sfpu.latency.mad", "2"), ("sfpu.issue_width", "1"), ("macro.templates", "4"))))
    machines = []
    for number in sorted({int(row["point"]) for row in rows}):
        speeds = [cycles[base, kernel] / cycles[number, kernel] for kernel in kernels if (number, kernel) in cycles]
        cost = next(float(row["cost"]) for row in rows if row["point"] == str(number))
        machines.append((number, cost, speeds[0] * speeds[1] if len(speeds) == 2 else None, 2 - len(speeds)))
    complete = [m for m in machines if m[2] is not None]
    check(1 < len(complete) < len(machines), "some machines are wrong for a kernel: %s" % machines)
    found = BROWSER.run("""
        const table = document.querySelector("#machines table"), heads = [...table.tHead.rows[0].cells].map(cell => cell.textContent);
        return [...table.tBodies[0].rows].map(row => Object.fromEntries(heads.map((head, i) => [head, row.cells[i].textContent])));""")
    check(len(found) == len(machines), "every machine has a row: %s" % found)
    for row in found:
        number, cost, speed, missing = next(m for m in machines if m[0] == int(row["point"]))
        check(row["cost"] == "%g" % cost and row["not right"] == str(missing), "%s: %s" % (row, missing))
        check(row["speed"] == ("-" if speed is None else "%.2f \u00d7" % speed ** 0.5), "the geometric mean: %s: %s" % (row, speed))
        if speed is not None:
            beaten = any(m[1] <= cost and m[2] > speed + 1e-9 or m[1] < cost and m[2] > speed - 1e-9 for m in complete)
            check(not (beaten and row["front"] == "yes"), "the front: %s" % row)
    speeds = [float(row["speed"].split()[0]) for row in found if row["speed"] != "-"]
    check(speeds == sorted(speeds, reverse=True) and len(speeds) == len(complete), "the fastest first, incomplete ones last: %s" % found)
    said = BROWSER.run("return [...document.querySelectorAll('#answers li')].map(li => li.textContent)")
    fastest = max(m[2] for m in complete)
    best = min(m for m in complete if m[2] > fastest - 1e-9)
    if fastest > 1 + 1e-9:
        check(any("The fastest machine is point " in each and "%.2f times" % fastest ** 0.5 in each for each in said), "the fastest: %s" % said)
    else:
        check(any(each.startswith("No machine is faster") for each in said), "none is faster than point %d: %s" % (best[0], said))
    wrong = sum(row["status"] == "ok" and row["valid"] == "false" for row in rows)
    check(any(each.startswith("%d runs of %d compute something else" % (wrong, len(rows))) for each in said), "what is wrong: %s" % said)
    check(any("macro.templates" in each and each.startswith("What makes none") for each in said), "what makes no difference: %s" % said)
    asked = BROWSER.run("return [...document.querySelectorAll('#parameters tbody tr')].map(tr => [...tr.cells].map(td => td.textContent))")
    check([(row[0], row[2], row[3], row[4]) for row in asked] == [("sfpu.latency.mad", "2", "1, 2, 3", "0"), ("sfpu.issue_width", "1", "1, 2", "128"),
                                                                  ("macro.templates", "4", "4, 6", "1")], "what was asked: %s" % asked)
    check(json.loads(BROWSER.run("return document.getElementById('sweep-text').textContent"))["parameters"] == SWEEP["parameters"], "and the sweep itself")
    BROWSER.run("document.querySelector('#machines tbody tr').click()")
    check(set(column("point")) == {found[0]["point"]}, "a click shows the runs of that machine: %s" % column("point"))
    check(BROWSER.messages() == [], "no error: %s" % BROWSER.messages())


def a_click_shows_the_schedule_that_the_program_draws():
    BROWSER.open("out/report.html")
    rows = rows_of("out")
    index = next(i for i, row in enumerate(rows) if row["kernel"] == "mul32.s" and row["sfpu.latency.mad"] == "3")
    check(not BROWSER.run("return document.getElementById('details').open"), "closed at first")
    BROWSER.run("document.querySelector('#table tbody tr[data-row=\"%d\"]').click()" % index)
    check(BROWSER.run("return document.getElementById('details').open"), "open after a click")
    title, said, command, picture = BROWSER.run("""
        const text = id => document.getElementById(id).textContent;
        return [text("details-title"), text("details-why"), text("details-command"), document.getElementById("picture").shadowRoot.innerHTML];""")
    check("Point %s: mul32.s" % rows[index]["point"] in title, "whose it is: %s" % title)
    check(rows[index]["binds"] in said and rows[index]["binds"].endswith(".") and "sfpu.latency.mad = 3" in said, "what binds, and on which machine: %s" % said)
    resources = BROWSER.run("return [...document.querySelectorAll('.slot')].map(slot => slot.textContent)")
    check(resources[0] == "issuebusy 100.0 %, blocked 0.0 %, idle 0.0 %" and len(resources) == 6, "where the cycles go: %s" % resources)
    words = shlex.split(command)
    check(words[:2] == ["sfpusim", "schedule"], "the command: %s" % command)
    subprocess.run([SFPUSIM] + words[1:], stdout=subprocess.DEVNULL, check=True)
    with open("schedule.svg") as file:
        drawn = file.read()
    same = BROWSER.run("""
        const host = document.createElement("div");
        host.innerHTML = arguments[0];
        return host.innerHTML === arguments[1];""", drawn, picture)
    check(same and "<rect" in picture, "it is what `%s` draws" % command)
    BROWSER.run("document.getElementById('close').click()")
    check(not BROWSER.run("return document.getElementById('details').open"), "and closed again")


def charts_are_drawn_from_the_results():
    BROWSER.open("out/report.html")
    rows = rows_of("out")
    painted = BROWSER.run("""
        return ["curve-chart", "pareto-chart", "sensitivity-chart"].map(id => {
            const canvas = document.getElementById(id), context = canvas.getContext("2d");
            const pixels = new Uint32Array(context.getImageData(0, 0, canvas.width, canvas.height).data.buffer);
            return new Set(pixels).size;
        });""")
    check(all(count > 20 for count in painted), "three charts have lines and letters: %s" % painted)

    def curve(kernel):
        return BROWSER.run("""
            const set = Chart.getChart("curve-chart").data.datasets.find(s => s.label === arguments[0]);
            return set.data.map((d, i) => [d.x, d.y, set.pointStyle[i] === "crossRot"]);""", kernel)

    def expected(kernel, path, conditions):
        result = []
        for value in SWEEP["parameters"][path]:
            here = [row for row in rows if row["kernel"] == kernel and row[path] == str(value) and
                    all(row[other] == wanted for other, wanted in conditions.items())]
            own = [row for row in here if right(row)]
            result.append([value, min(float(row["cycles_per_row"]) for row in own or here), not own])
        return result

    def held():
        return BROWSER.run("return document.getElementById('curve-held').textContent")

    chip = {"sfpu.latency.mad": "2", "sfpu.issue_width": "1", "macro.templates": "4"}
    others = {path: value for path, value in chip.items() if path != "sfpu.latency.mad"}
    check(curve("timed.s") == expected("timed.s", "sfpu.latency.mad", others), "latency: %s" % curve("timed.s"))
    check(any(cross for _, _, cross in curve("timed.s")), "a latency at which all results are wrong has a cross")
    check(held().startswith("Held: sfpu.issue_width = 1 and macro.templates = 4, as on the baseline's machine."), "what is held is told: %s" % held())
    choose("curve-parameter", "sfpu.issue_width")
    others = {path: value for path, value in chip.items() if path != "sfpu.issue_width"}
    check(curve("mul32.s") == expected("mul32.s", "sfpu.issue_width", others), "issue width: %s" % curve("mul32.s"))
    BROWSER.run("""
        for (const select of document.querySelectorAll("#curve-fixed select")) {
            select.value = "";
            select.dispatchEvent(new Event("input", {bubbles: true}));
        }""")
    check(curve("mul32.s") == expected("mul32.s", "sfpu.issue_width", {}), "the best over the others: %s" % curve("mul32.s"))
    check("the best over sfpu.latency.mad and macro.templates counts" in held(), "which is told, too: %s" % held())
    BROWSER.run("""
        const select = document.querySelector("#curve-fixed select[data-path='sfpu.latency.mad']");
        select.value = "3";
        select.dispatchEvent(new Event("input", {bubbles: true}));""")
    check(curve("mul32.s") == expected("mul32.s", "sfpu.issue_width", {"sfpu.latency.mad": "3"}), "with the latency held: %s" % curve("mul32.s"))

    choose("heat-kernel", "mul32.s")
    cells = BROWSER.run("return [...document.querySelectorAll('#heat-map tbody tr')].map(tr => [...tr.cells].slice(1).map(td => parseFloat(td.textContent)))")
    wanted = [[min(float(row["cycles_per_row"]) for row in rows if row["kernel"] == "mul32.s" and row["sfpu.latency.mad"] == latency and
                   row["sfpu.issue_width"] == width) for latency in ("1", "2", "3")] for width in ("1", "2")]
    check(cells == wanted, "heat map: found %s, expected %s" % (cells, wanted))

    front = BROWSER.run("return Chart.getChart('pareto-chart').data.datasets.find(s => s.label === 'mul32.s: front').data.map(d => [d.x, d.y])")
    points = sorted((float(row["cost"]), float(row["cycles_per_row"])) for row in rows if row["kernel"] == "mul32.s" and right(row))
    beaten = [p for p in points if any(q != p and q[0] <= p[0] and q[1] <= p[1] for q in points)]
    check([tuple(p) for p in front] == sorted(set(points) - set(beaten)), "front: %s of %s" % (front, points))
    check(BROWSER.messages() == [], "no error while all of this happens: %s" % BROWSER.messages())


def what_a_parameter_matters_is_what_the_results_say():
    BROWSER.open("out/report.html")
    rows = rows_of("out")
    table = BROWSER.run("return [...document.querySelectorAll('#sensitivity-table tbody tr')].map(tr => [...tr.cells].slice(0, 5).map(td => td.textContent))")
    check(len(table) == 9, "three parameters of three kernels")
    told = 0
    for parameter, kernel, mean, most, count in table:
        groups = {}
        for row in rows:
            if row["kernel"] == kernel and right(row):
                others = tuple(row[path] for path in SWEEP["parameters"] if path != parameter)
                groups.setdefault(others, []).append(float(row["cycles_per_row"]))
        spreads = [max(own) - min(own) for own in groups.values() if len(own) > 1]
        expected = ["%.2f" % (sum(spreads) / len(spreads)), "%.2f" % max(spreads)] if spreads else ["-", "-"]
        check([mean, most, count] == expected + [str(len(spreads))], "%s of %s: %s, expected %s" % (parameter, kernel, [mean, most, count], expected))
        told += any(spreads)
    check(told >= 2, "some parameter matters")


def what_is_not_proved_is_an_interval():
    shutil.copy(SOURCES + "/kernels/optimized/horner_4.s", "plain.s")
    with open("sweep.json", "w") as file:
        json.dump({"kernels": [{"plain": "plain.s"}], "parameters": {"macro.templates": [4, 5]}, "budget": 1}, file)
    done = explore("open")
    check(done.returncode == 0, "the sweep runs: %s" % done.stderr)
    with open("sweep.json", "w") as file:
        json.dump(SWEEP, file)
    rows = rows_of("open")
    check(all(row["proved"] == "False" or row["proved"] == "false" for row in rows), "nothing is proved after one conflict: %s" % rows)
    told = ["%.2f to %.2f" % (float(row["cycles_per_row_from"]), float(row["cycles_per_row"])) for row in rows]
    check(all(float(row["cycles_per_row_from"]) < float(row["cycles_per_row"]) for row in rows), "there is an interval: %s" % told)
    BROWSER.open("open/report.html")
    check(column("cycles_per_row") == told, "the table has it: %s, %s" % (column("cycles_per_row"), told))
    said = BROWSER.run("return [...document.querySelectorAll('#answers li')].map(li => li.textContent)")
    check(any("not proved" in each for each in said) and not any(each.startswith(("What makes a difference", "What makes none, to any")) for each in said),
          "no sentence says more: %s" % said)
    bars = BROWSER.run("return Chart.getChart('curve-chart').data.datasets.filter(s => s.is_doubt).map(s => s.data.map(d => d.y))")
    check(len(bars) == 1 and bars[0][:2] == [float(rows[0]["cycles_per_row_from"]), float(rows[0]["cycles_per_row"])], "a bar shows it: %s" % bars)
    check(BROWSER.messages() == [], "no error: %s" % BROWSER.messages())


def kernels_in_one_folder_are_named_without_it():
    for name in ("x.s", "y.s"):
        with open(os.path.dirname(WRONG) + "/" + name, "w") as file:
            file.write(TIMED)
    with open("sweep.json", "w") as file:
        json.dump({"kernels": [os.path.dirname(WRONG) + "/" + name for name in ("x.s", "y.s")], "parameters": {"macro.templates": [4, 6]}}, file)
    done = explore("deep")
    check(done.returncode == 0, "the sweep runs: %s" % done.stderr)
    with open("sweep.json", "w") as file:
        json.dump({"kernels": ["timed.s", "mul32.s"], "parameters": SWEEP["parameters"]}, file)
    check(explore("three").returncode == 0, "a sweep of three parameters runs")
    with open("sweep.json", "w") as file:
        json.dump(SWEEP, file)
    BROWSER.look(700, 800, False)
    BROWSER.open("three/report.html")
    table = BROWSER.run("const s = document.querySelector('#points .scroll'); return [s.scrollWidth, s.clientWidth, document.querySelectorAll('#table th').length]")
    check(table[0] <= table[1] and table[2] == 10, "at 700 pixels the table of all points is not cut with three parameters: %s" % table)
    BROWSER.open("deep/report.html")
    check(BROWSER.run("return [...document.querySelectorAll('.card h3')].map(h => h.textContent)") == ["x.s", "y.s"], "cards")
    check(column("kernel") == ["x.s", "y.s"] * 2, "the table: %s" % column("kernel"))
    check(not BROWSER.run("return document.body.innerText.includes('a_folder')"), "the folder stands nowhere on the page")
    with open("deep/plots/pareto.svg") as file:
        drawn = file.read()
    check("a_folder" not in drawn and "x.s" in drawn, "nor in a plot")
    check(all(row["kernel"].startswith("a_folder") for row in rows_of("deep")), "the results have it")
    sets = BROWSER.run("return Chart.getChart('curve-chart').data.datasets.map(s => [s.label, s.borderWidth])")
    check(sets == [["x.s", 2], ["y.s", 6]], "of curves with the same values the one below is broader: %s" % sets)
    check(not BROWSER.run("return document.getElementById('curve-hint').hidden"), "and the page says so")
    wide = BROWSER.run("return [...document.querySelectorAll('.card .scroll, #sensitivity .scroll')].filter(s => s.scrollWidth > s.clientWidth).length")
    check(wide == 0, "at 700 pixels no column is cut in %d tables" % wide)
    BROWSER.look(1280, 800, False)


def the_lines_that_a_sentence_names_are_shown():
    BROWSER.open("out/report.html")
    index = next(i for i, row in enumerate(rows_of("out")) if row["kernel"] == "mul32.s")
    BROWSER.run("document.querySelector('#table tbody tr[data-row=\"%d\"]').click()" % index)
    binds = rows_of("out")[index]["binds"]
    number = int(binds.split("mul32.s:")[1].split(")")[0])
    with open("mul32.s") as file:
        lines = file.read().split("\n")
    found = BROWSER.run("return [...document.querySelectorAll('#details-lines dt, #details-lines dd')].map(e => e.textContent)")
    check("mul32.s:%d" % number in found and lines[number - 1].strip() in found, "line %d is `%s`: %s" % (number, lines[number - 1], found))
    check(lines[number - 1].split()[0] + " at mul32.s:%d" % number in binds, "the sentence names its instruction: %s" % binds)
    BROWSER.run("document.querySelector('#details-why .place').click()")
    text, named = BROWSER.run("return [document.getElementById('kernel').open, document.querySelector('#kernel-text .named').textContent]")
    check(text and named.startswith("%4d  " % number) and lines[number - 1].strip() in named,
          "a click shows it in its kernel: %r" % named)
    whole = BROWSER.run("return document.getElementById('kernel-text').textContent")
    check([line[6:] for line in whole.rstrip("\n").split("\n")] == "\n".join(lines).rstrip().split("\n"), "the kernel is shown whole")


def it_fits_small_and_large_windows_light_and_dark():
    grounds = set()
    for width in (1280, 420):
        for dark in (False, True):
            BROWSER.look(width, 800, dark)
            BROWSER.open("out/report.html")
            check(BROWSER.run("return document.documentElement.scrollWidth") <= width, "%d pixels are enough" % width)
            ground, ink = BROWSER.run("""
                const style = getComputedStyle(document.body), light = c => c.match(/\\d+/g).slice(0, 3).reduce((a, b) => a + Number(b), 0);
                return [light(style.backgroundColor), light(style.color)];""")
            check((ground < 150 and ink > 550) if dark else (ground > 700 and ink < 150), "%s on %s when dark is %s" % (ink, ground, dark))
            grounds.add(ground)
            BROWSER.run("document.querySelector('.show-best').click()")
            box = BROWSER.run("const box = document.getElementById('details').getBoundingClientRect(); return [box.left, box.right, box.bottom]")
            check(box[0] >= 0 and box[1] <= width and box[2] <= 800, "the details fit: %s" % box)
            check(BROWSER.messages() == [], "no error: %s" % BROWSER.messages())
    BROWSER.look(1280, 800, False)
    check(len(grounds) == 2, "light and dark differ")


def without_the_library_everything_else_is_there():
    done = explore("out", env={**os.environ, "XDG_DATA_DIRS": os.getcwd()})
    check("libjs-chart.js" in done.stderr and done.returncode == 2, "it is told: %d %r" % (done.returncode, done.stderr))
    check(len(rows_of("out")) == 36, "the table is there")
    BROWSER.open("out/report.html")
    check(len(column("kernel")) == 36, "the page has its table")
    check("libjs-chart.js" in BROWSER.run("return document.querySelector('#curves .chart').textContent"), "and says what is missing")
    check(len(BROWSER.run("return document.querySelectorAll('#heat-map td')")) > 0, "the heat map needs no library")
    check(BROWSER.messages() == [], "no error: %s" % BROWSER.messages())


if __name__ == "__main__":
    if not browsers.is_installed():
        print("chromium and chromium-driver are not installed")
        sys.exit(77)
    folder = tempfile.mkdtemp()
    code = 1
    try:
        os.chdir(folder)
        os.makedirs(os.path.dirname(WRONG))
        for name, content in (("timed.s", TIMED), (WRONG, ".loop\n    sfpfoo\n"), ("sweep.json", json.dumps(SWEEP))):
            with open(name, "w") as out:
                out.write(content)
        shutil.copy(SOURCES + "/kernels/mul32.s", "mul32.s")
        first = explore("out")
        check(first.returncode == 2, "the sweep runs, one kernel fails: %s" % first.stderr)
        with browsers.Browser() as BROWSER:
            code = run_tests([the_page_needs_nothing_else_and_says_nothing_to_the_console, the_table_shows_the_results_and_sorts_them,
                              the_table_can_be_filtered, the_best_point_of_each_kernel_is_named,
                              a_click_shows_the_schedule_that_the_program_draws, the_lines_that_a_sentence_names_are_shown,
                              kernels_in_one_folder_are_named_without_it, the_machines_are_ranked_by_all_kernels_together, charts_are_drawn_from_the_results,
                              what_a_parameter_matters_is_what_the_results_say, what_is_not_proved_is_an_interval,
                              it_fits_small_and_large_windows_light_and_dark, without_the_library_everything_else_is_there])
    finally:
        os.chdir("/")
        shutil.rmtree(folder)
    sys.exit(code)
