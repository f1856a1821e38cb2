#!/usr/bin/env python3
"""Findings as terminals and machines get them: lint --sarif, --baseline, --color, and errors with their source lines.

usage: findings.py SFPUSIM SOURCE_DIR
The schema of SARIF, and its second reader, come from npm: tests/support/npm lists the packages, installed by ./setup --all.
"""
import json
import os
import pty
import shutil
import stat
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
from checks import check, run_tests  # noqa: E402

SFPUSIM, SOURCE_DIR = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
CHECKER = os.path.join(SOURCE_DIR, "tests", "support", "sarif", "check_schema.js")
PACKAGES = os.path.join(SOURCE_DIR, "build-npm", "node_modules")  # ./setup --all installs them
FEW = ("--schedules", "5")


def sfpusim(*arguments, **environment):
    return subprocess.run([SFPUSIM, *arguments], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          universal_newlines=True, timeout=120, env={**os.environ, **environment})


def copy(source, name, before=""):
    with open(os.path.join(SOURCE_DIR, source)) as file:
        text = file.read()
    with open(name, "w") as file:
        file.write(before + text)
    return text


def sarif_of(name, *options):
    done = sfpusim("lint", name, "--sarif", "found.sarif", "--quiet", *FEW, *options)
    with open("found.sarif") as file:
        return done, json.load(file)["runs"][0]


def fresh_results(run):
    return [result for result in run["results"] if result["baselineState"] == "new"]


def sarif_files_are_sarif():
    os.mkdir("all")
    copy("tests/data/broken_mul32_macro.s", "a b#%c:d.s")
    copy("tests/data/broken_mul32_macro.s", "newline\n\"<script>.s")
    with open("wrong.s", "w") as file:
        file.write("sfpabsolutely 0\n\tsfpmad L0\n")
    names = {"a b#%c:d.s": 2, "newline\n\"<script>.s": 2, "wrong.s": 1, os.path.join(SOURCE_DIR, "kernels/where_inplace.s"): 2,
             os.path.join(SOURCE_DIR, "kernels/signbit.s"): 0}
    counts = {}
    for number, (name, code) in enumerate(names.items()):
        file = "all/%d.sarif" % number
        done = sfpusim("lint", name, "--sarif", file, *FEW)
        check(done.returncode == code, "lint %r: exit code %d, got %d: %s" % (name, code, done.returncode, done.stderr))
        with open(file) as text:
            results = json.load(text)["runs"][0]["results"]
        counts[file] = len(results)
        check((code == 0) == (not any(result["properties"]["fails"] for result in results)), "%r: what fails fails" % name)
    check(counts["all/2.sarif"] == 2, "mistakes of the assembler are results: %s" % counts)
    files = sorted(counts)
    done = subprocess.run(["node", CHECKER, *files], stdout=subprocess.PIPE, timeout=60,
                          env={**os.environ, "NODE_PATH": PACKAGES})
    check(done.returncode == 0, "by the schema: %s" % done.stdout.decode())
    with open("all/0.sarif") as file:
        text = file.read()
    with open("damaged.sarif", "w") as file:
        file.write(text.replace('"startLine"', '"beginLine"'))
    done = subprocess.run(["node", CHECKER, "damaged.sarif"], stdout=subprocess.PIPE, timeout=60,
                          env={**os.environ, "NODE_PATH": PACKAGES})
    check(done.returncode == 1, "the schema knows the names of fields")
    another_reader_counts_the_same(counts)


def another_reader_counts_the_same(counts):
    packaged = os.path.join(PACKAGES, "@microsoft", "sarif-multitool-linux", "Sarif.Multitool")
    os.chmod(packaged, os.stat(packaged).st_mode | stat.S_IXUSR)
    for file in ("all/1.sarif", "all/3.sarif"):
        done = subprocess.run([packaged, "query", file, "-e", "RuleId : /sfpu", "--return-count"], stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, timeout=60, env={**os.environ, "DOTNET_SYSTEM_GLOBALIZATION_INVARIANT": "1",
                                                                        "DOTNET_BUNDLE_EXTRACT_BASE_DIR": os.path.abspath("dotnet")})
        check(done.returncode == counts[file], "%s: %d results, another reader finds %d: %s"
              % (file, counts[file], done.returncode, done.stdout.decode()))


def only_what_is_new_fails():
    text = copy("kernels/where_inplace.s", "where.s")
    done, first = sarif_of("where.s")
    check(done.returncode == 2 and first["results"], "without a baseline it fails")
    os.rename("found.sarif", "known.sarif")
    with open("where.s", "w") as file:  # every line elsewhere, and spaces of an editor
        file.write("; a new head\n\n" + text.replace("sfpload ", "  sfpload   "))
    done, second = sarif_of("where.s", "--baseline", "known.sarif")
    check(done.returncode == 0, "what is known fails nobody: %s" % done.stderr)
    check(not fresh_results(second), "shifted lines are no new findings")
    check(second["results"][0]["locations"][0]["physicalLocation"]["region"]["startLine"] ==
          first["results"][0]["locations"][0]["physicalLocation"]["region"]["startLine"] + 2, "the lines are those of today")
    shown = sfpusim("lint", "where.s", "--baseline", "known.sarif", *FEW).stdout
    check("[/sfpu/lint/bubble]" not in shown and "known and left out" in shown, "and is not shown: %s" % shown)
    with open("all_but_one.sarif", "w") as file:
        first["results"].pop(0)
        json.dump({"version": "2.1.0", "runs": [first]}, file)
    done, third = sarif_of("where.s", "--baseline", "all_but_one.sarif")
    check(done.returncode == 2 and len(fresh_results(third)) == 1, "one that is not known fails")
    shutil.copy("where.s", "there.s")
    check(sarif_of("there.s", "--baseline", "known.sarif")[0].returncode == 2, "another file's findings are its own")
    answer = json.loads(sfpusim("lint", "where.s", "--json", "--baseline", "all_but_one.sarif", *FEW).stdout)
    check([each["new"] for each in answer["boundaries"]].count(True) == 1 and answer["verdict"] == "replay-only",
          "JSON says which are new, and the verdict stays")
    for content, mention in (("{", "no JSON"), ("[]", "'runs'"), ('{"runs": []}', "no run"), ("[" * 500, "nested")):
        with open("no.sarif", "w") as file:
            file.write(content)
        done = sfpusim("lint", "where.s", "--baseline", "no.sarif")
        check(done.returncode == 1 and "no.sarif" in done.stderr and mention in done.stderr, "%s: %r" % (content, done.stderr))


def errors_show_their_lines():
    with open("wrong.s", "w") as file:
        file.write(".loop\n\tsfpabsolutely 0\n")
    done = sfpusim("asm", "wrong.s")
    check(done.returncode == 1 and done.stderr.startswith("wrong.s:2:2: error: unknown instruction 'sfpabsolutely'"), done.stderr)
    lines = done.stderr.splitlines()
    check(lines[0].endswith(" [/sfpu/source/assembly]"), "the id stands at the end: %r" % lines)
    check(lines[1:] == ["    2 | \tsfpabsolutely 0", "      | \t^" + "~" * 12], "line and caret: %r" % lines)
    with open("sweep.json", "w") as file:
        file.write('{"kernels": ["wrong.s"],\n "parameters": {"sfpu.latency.mad": [2, 99]}}\n')
    lines = sfpusim("explore", "sweep.json", "--output", "out").stderr.splitlines()
    check(lines[0].startswith("sweep.json:2:") and " error: " in lines[0] and lines[0].endswith("[/sfpu/source/sweep]"), "%r" % lines)
    check(lines[1] == '    2 |  "parameters": {"sfpu.latency.mad": [2, 99]}}', "%r" % lines)


def on_a_terminal(*arguments, **environment):
    leader, follower = pty.openpty()
    process = subprocess.Popen([SFPUSIM, *arguments], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=follower,
                               env={**os.environ, "TERM": "xterm", **environment})
    os.close(follower)
    text = b""
    try:
        while True:
            piece = os.read(leader, 4096)
            if not piece:
                break
            text += piece
    except OSError:  # the other end is closed
        pass
    os.close(leader)
    process.wait(60)
    return text


def colours_are_for_terminals():
    with open("wrong.s", "w") as file:
        file.write("sfpabsolutely 0\n")
    without = {name: value for name, value in os.environ.items() if name != "NO_COLOR"}
    os.environ.clear()
    os.environ.update(without)
    check(b"\x1b[" in on_a_terminal("asm", "wrong.s"), "colours on a terminal")
    check(b"\x1b[" not in on_a_terminal("asm", "wrong.s", NO_COLOR="1"), "NO_COLOR is respected")
    check(b"\x1b[" in on_a_terminal("asm", "wrong.s", NO_COLOR=""), "an empty NO_COLOR says nothing")
    check(b"\x1b[" not in on_a_terminal("asm", "wrong.s", TERM="dumb"), "some terminals have none")
    check(b"\x1b[" not in on_a_terminal("asm", "wrong.s", "--color", "never"), "--color=never")
    check("\x1b[" not in sfpusim("asm", "wrong.s").stderr, "a file has none")
    check("\x1b[" in sfpusim("asm", "wrong.s", "--color=always", NO_COLOR="1").stderr, "--color=always")
    check("'sometimes'" in sfpusim("asm", "wrong.s", "--color=sometimes").stderr, "other words are refused")


def main():
    with tempfile.TemporaryDirectory() as directory:
        os.chdir(directory)
        code = run_tests([sarif_files_are_sarif, only_what_is_new_fails, errors_show_their_lines, colours_are_for_terminals])
        os.chdir(SOURCE_DIR)
    return code


if __name__ == "__main__":
    sys.exit(main())
