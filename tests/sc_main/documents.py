#!/usr/bin/env python3
"""Documents against the program: generated pages are current, the page on the command line has every command and option
and no other, and links lead to files and headings. pages.py runs the commands that stand on pages.

usage: documents.py SFPUSIM SOURCE_DIR
"""
import fcntl
import json
import os
import pathlib
import pty
import re
import shutil
import struct
import subprocess
import sys
import termios
from xml.etree import ElementTree

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
from checks import check, run_tests  # noqa: E402

SFPUSIM, SOURCE = sys.argv[1], pathlib.Path(sys.argv[2])


def sfpusim(*arguments):
    return subprocess.run([SFPUSIM, *arguments], check=True, stdout=subprocess.PIPE, universal_newlines=True).stdout


def options_of(*command):
    """Long options in the help of a command, without --help and --version."""
    return set(re.findall(r"^  (?:-\w, )?(--[a-z-]+)", sfpusim(*command, "--help", "--all"), re.MULTILINE)) - {"--version"}


def commands():
    return re.findall(r"^  ([a-z]+) ", sfpusim("--help").split("Commands:")[1].split("\n\n")[0], re.MULTILINE)


def sections(text):
    """Text of each second-level section by its heading."""
    parts = re.split(r"^## (.+)\n", text, flags=re.MULTILINE)
    return dict(zip(parts[1::2], parts[2::2]))


def the_generated_pages_are_current():
    done = subprocess.run([sys.executable, SOURCE / "docs" / "generate", SFPUSIM, "--check"], stdout=subprocess.PIPE, universal_newlines=True)
    check(done.returncode == 0 and not done.stdout, done.stdout)


def the_command_line_page_names_each_option_of_each_command():
    page = sections((SOURCE / "docs" / "command-line.md").read_text())
    common = set(re.findall(r"^\| `(--[a-z-]+)", page["Options of every command"], re.MULTILINE))
    traces = set(re.findall(r"^\| `(--[a-z-]+)", page["Traces and statistics"], re.MULTILINE))
    kernels = set(re.findall(r"^\| `(--[a-z-]+)", page["Kernels in other forms"], re.MULTILINE))
    check(set(commands()) <= {heading.strip("`").split()[0] for heading in page}, "each command has a section")
    for heading, text in page.items():
        command = heading.strip("`").split()[0]
        if command not in commands():
            continue
        known = options_of(command) - {"--help"}
        own = set(re.findall(r"^\| `(?:-\w, )?(--[a-z-]+)", text, re.MULTILINE))
        check(common <= known, "'sfpusim %s' takes the common options" % command)
        writes_traces = bool(known & traces)
        check(not writes_traces or traces <= known, "'sfpusim %s' takes all trace options or none" % command)
        check(writes_traces == ("trace options" in text), "the section on '%s' says whether it writes traces" % command)
        check(not known & kernels or kernels <= known, "'sfpusim %s' takes all kernel options or none" % command)
        check(bool(known & kernels) == ("kernel options" in text), "the section on '%s' says whether it has them" % command)
        missing, unknown = known - common - traces - kernels - own, own - known
        check(not missing, "docs/command-line.md, %s: not described: %s" % (command, sorted(missing)))
        check(not unknown, "docs/command-line.md, %s: no such option: %s" % (command, sorted(unknown)))


def each_help_has_examples_that_name_the_command():
    for command in commands():
        text = sfpusim(command, "--help")
        examples = text.split("Examples:")[1].strip().splitlines() if "Examples:" in text else []
        check(any("sfpusim " + command in line for line in examples), "'sfpusim %s --help' ends in an example" % command)


def each_help_fits_on_a_screen_and_says_where_the_rest_is():
    for command in [[], *([name] for name in commands())]:
        text = sfpusim(*command, "--help")
        check(len(text.splitlines()) <= 45, "'sfpusim %s --help' has %d lines" % (" ".join(command), len(text.splitlines())))
        own = text.split("Examples:")[0].split("\nCommands:\n  step")[0]  # the debugger has a table of its own
        wide = [line for line in own.splitlines() if len(line) > 80]
        check(not wide, "a line is longer than 80: %s" % wide)
        whole, named = sfpusim(*command, "--help", "--all"), set(re.findall(r"--[a-z-]+", text))
        check(named >= options_of(*command), "the short one names what the long one explains: %s" % sorted(options_of(*command) - named))
        check("--help --all" in text and "Machine:\n" in whole, "it names the long one")


def help_is_as_wide_as_the_terminal():
    for columns in (60, 100):
        ours, theirs = pty.openpty()
        fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 40, columns, 0, 0))
        subprocess.run([SFPUSIM, "info", "--help"], stdout=theirs, check=True)
        os.close(theirs)
        text = b""
        while True:
            try:
                text += os.read(ours, 65536)
            except OSError:
                break
        os.close(ours)
        longest = max(map(len, text.decode().replace("\r", "").split("Examples:")[0].splitlines()))
        check(columns - 20 < longest <= columns, "%d columns: the longest line has %d" % (columns, longest))


def one_instruction_is_told():
    for name in ("sfpgt", "SFPLE", "swap"):
        text = re.sub(r"\s+", " ", sfpusim("info", "--isa", name))
        check("sign and magnitude" in text and "-1 > -2 is false" in text, "%s says its order: %s" % (name, text))
    told = sfpusim("info", "--isa", "sfpgt")
    check("VD > VC) [reads VC, VD; writes flags]" in told, "a mode that sets flags writes them: %s" % told)
    by_mode = {each["modifier"]: each for each in json.loads(sfpusim("info", "--isa", "sfpgt", "--json"))["modes"]}
    check([mode for mode in by_mode if by_mode[mode]["writes_flags"]] == [1, 3, 5, 7, 9, 11, 13, 15], "bit 0 is SET_CC")
    check([mode for mode in by_mode if by_mode[mode]["changes_flag_stack"]] == [2, 3, 6, 7, 10, 11, 14, 15], "bit 1 is MUTATE_STACK")
    check("10 to 15" in sfpusim("info", "--isa", "sfpswap"), "modes that do the same share lines")
    mad = json.loads(sfpusim("info", "--isa", "sfpmad", "--json"))
    check(mad["latency"][0]["cycles"] == 2 and mad["latency"][0]["evidence"] == "documented", "two cycles: %s" % mad["latency"])
    check(mad["modes"][0]["reads"] == "VA, VB, VC" and mad["modes"][0]["writes"] == "VD", "VD = VA * VB + VC: %s" % mad["modes"][0])
    check("held" in mad["waiting"], "Blackhole stalls: " + mad["waiting"])
    check("nothing is held" in json.loads(sfpusim("info", "--arch", "wh", "--isa", "sfpmad", "--json"))["waiting"], "Wormhole does not")
    check(2 in [each["cycles"] for each in json.loads(sfpusim("info", "--isa", "sfpshft2", "--json"))["latency"]], "SFPSHFT2 has modes of two cycles")
    slow = json.loads(sfpusim("info", "--isa", "sfpmad", "--json", "--set", "sfpu.latency.mad=4"))
    check(slow["latency"][0]["cycles"] == 4, "of the machine that is asked for")
    every = json.loads(sfpusim("info", "--isa", "--json"))
    for row in every:
        if row["modifier"] == 0 and row["mnemonic"] in ("sfpgt", "sfpload", "sfpswap", "sfploadi", "sfpstochrnd", "sfpconfig"):
            one = json.loads(sfpusim("info", "--isa", row["mnemonic"], "--arch", row["arch"], "--json"))
            check([mode["semantics"] for mode in one["modes"]] == [each["semantics"] for each in every if each["mnemonic"] == row["mnemonic"]
                                                                  and each["arch"] == row["arch"]], row["mnemonic"] + " has its modes")
    for arguments, answer in ((["sfpgtt"], "the nearest is 'sfpgt'"), (["zzzzzzzz"], "expected one of"), ([""], "expected"),
                              (["sfpgt", "--arch", "wh"], "does not exist on Wormhole")):
        done = subprocess.run([SFPUSIM, "info", "--isa", *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, universal_newlines=True)
        check(done.returncode == 1 and answer in done.stderr, "--isa %s: %s" % (arguments, done.stderr))


def a_slip_in_a_name_is_answered_by_the_nearest_one():
    for arguments, answer in ((("--explain", "wirte-collision"), "the nearest is 'write-collision'"),
                              (("--arch", "gs"), "sfpusim: --arch: found 'gs', expected bh or wh")):
        done = subprocess.run([SFPUSIM, "info", *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, universal_newlines=True)
        check(done.returncode == 1 and answer in done.stderr, "%s: %s" % (arguments, done.stderr))
    done = subprocess.run([SFPUSIM, "optimize", "k.s", "--memory-limit", "4XB"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, universal_newlines=True)
    check("--memory-limit: found '4XB', expected bytes, such as 512MiB or 4GiB" in done.stderr, "a unit: %s" % done.stderr)
    check("Usage: sfpusim info [KERNEL] [OPTIONS]" in sfpusim("info", "--help"), "info does without a kernel")


def offered(script, *words):
    quoted = " ".join("'%s'" % word for word in words)
    return subprocess.run(["bash", "-c", script + "COMP_WORDS=(%s); COMP_CWORD=%d; _sfpusim; printf '%%s\\n' \"${COMPREPLY[@]}\"" % (quoted, len(words) - 1)],
                          check=True, stdout=subprocess.PIPE, universal_newlines=True).stdout.split()


def completion_knows_values():
    script = sfpusim("help", "bash-completion")
    check(offered(script, "sfpusim", "run", "--arch", "") == ["bh", "wh"], "--arch")
    check(offered(script, "sfpusim", "run", "--set", "sfpu.latency.ma") == ["sfpu.latency.mad="], "--set")
    check(offered(script, "sfpusim", "info", "--explain", "write-coll") == ["write-collision"], "--explain")
    check("mul32_macro" in offered(script, "sfpusim", "bench", "--kernel", ""), "--kernel")
    check(offered(script, "sfpusim", "info", "--isa", "sfpg") == ["sfpgt"], "--isa")
    check(offered(script, "sfpusim", "run", "--color", "a") == ["auto", "always"], "--color")
    if not shutil.which("zsh"):
        return
    script = sfpusim("help", "zsh-completion")
    stubs = "compadd() { print -l -- ${(P)${@[-1]}} }; _describe() { print -l -- ${(P)${@[-1]}} }; _files() { print files };"

    def in_zsh(*words):
        return subprocess.run(["zsh", "-fc", stubs + "words=(%s); CURRENT=%d\n%s" % (" ".join("'%s'" % word for word in words), len(words), script)],
                              check=True, stdout=subprocess.PIPE, universal_newlines=True).stdout.splitlines()

    check(any(line.startswith("schedule:") for line in in_zsh("sfpusim", "")), "zsh: commands")
    check(any(line.startswith("--rows:") for line in in_zsh("sfpusim", "run", "--")), "zsh: options")
    check(in_zsh("sfpusim", "run", "--arch", "") == ["bh", "wh"], "zsh: --arch")
    check("sfpu.latency.mad=" in in_zsh("sfpusim", "lint", "--set", ""), "zsh: --set")
    check(in_zsh("sfpusim", "run", "") == ["files"], "zsh: files")


def the_manual_page_and_completion_have_each_option():
    page, script = sfpusim("help", "man-page"), sfpusim("help", "bash-completion")
    for command in commands():
        part = page.split("\n.SH sfpusim %s\n" % command)[1].split("\n.SH ")[0].replace("\\-", "-")
        for option in options_of(command):
            check(re.search(r"^\.B .*%s" % option, part, re.MULTILINE), "the manual page has %s of %s" % (option, command))
        words = {"COMP_WORDS": "(sfpusim %s --)" % command, "COMP_CWORD": "2"}
        offered = subprocess.run(["bash", "-c", script + "; ".join("%s=%s" % each for each in words.items()) +
                                  "; _sfpusim; printf '%s\\n' \"${COMPREPLY[@]}\""], check=True, stdout=subprocess.PIPE,
                                 universal_newlines=True).stdout.split()
        check(all(any(each.startswith(option) for each in offered) for option in options_of(command)), "completion offers the options of %s" % command)
    first = subprocess.run(["bash", "-c", script + "COMP_WORDS=(sfpusim sch); COMP_CWORD=1; _sfpusim; echo ${COMPREPLY[@]}"],
                           check=True, stdout=subprocess.PIPE, universal_newlines=True).stdout
    check(first == "schedule\n", "completion knows commands by their beginning")


def the_picture_of_dst_is_one():
    ElementTree.fromstring((SOURCE / "docs" / "images" / "dst-layout.svg").read_text())


def pages():
    return [*(SOURCE / name for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md")),
            *sorted((SOURCE / "docs").glob("*.md")), SOURCE / "traces" / "examples" / "README.md"]


def prose_of(page):
    """A page without its blocks of code and without code in sentences."""
    text = re.sub(r"^```.*?^```$", "", page.read_text(), flags=re.MULTILINE | re.DOTALL)
    return re.sub(r"<!--.*?-->", "", text, flags=re.DOTALL)


def anchors(page):
    """The anchors that a viewer of Markdown makes of the headings of a page."""
    found = set()
    for heading in re.findall(r"^#+ (.+)$", prose_of(page), re.MULTILINE):
        anchor = re.sub(r"[^\w\- ]", "", re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", heading).lower()).replace(" ", "-")
        check(anchor not in found, "%s: two headings are '%s'" % (page.name, heading))
        found.add(anchor)
    return found


def links_lead_to_files_and_headings():
    known = {page.resolve(): anchors(page) for page in pages()}
    count = 0
    for page in known:
        for target, anchor in re.findall(r"\]\(([^)#:\s]*)(?:#([^)\s]*))?\)", re.sub(r"`[^`\n]*`", "", prose_of(page))):
            to = (page.parent / target).resolve() if target else page
            count += 1
            check(to.exists(), "%s: the link to %s leads somewhere" % (page.name, target))
            if anchor and to.suffix == ".md":
                check(anchor in known.get(to, ()), "%s: %s has the heading #%s" % (page.name, to.name, anchor))
    check(count > 100, "there are links: %d" % count)


def the_list_of_pages_has_each_page():
    listed = (SOURCE / "docs" / "README.md").read_text()
    found = sorted((SOURCE / "docs").glob("*.md"))
    check(len(found) <= 24, "there are at most 24 pages: %d" % len(found))
    for page in found:
        check(page.name == "README.md" or "](%s" % page.name in listed, "docs/README.md links %s" % page.name)


def the_readme_is_short_and_links_by_reader():
    readme = (SOURCE / "README.md").read_text()
    check(len(readme.splitlines()) <= 120, "README.md has at most 120 lines")
    for page in ("README.md", "tutorial.md#author", "tutorial.md#architect", "tutorial.md#integrator"):
        check("docs/" + page in readme, "README.md links docs/" + page)


def the_readme_says_of_silicon_what_its_page_says():
    readme, page = (SOURCE / "README.md").read_text(), (SOURCE / "docs" / "silicon.md").read_text()
    judged = re.search(r"- (\d+) of (\d+) measurements are judged", page)
    errors = re.search(r"fitted without it and its equals: \d+ rows, median error ([\d.]+ %), worst ([\d.]+ %)", page)
    check(judged and errors, "docs/silicon.md has the figures")
    check("of %s published measurements %s can be judged" % (judged.group(2), judged.group(1)) in readme, "README.md counts measurements")
    check("the median error is %s, the worst %s" % errors.groups() in readme, "README.md has the errors of docs/silicon.md")


def main():
    return run_tests((the_generated_pages_are_current, the_command_line_page_names_each_option_of_each_command,
                      each_help_has_examples_that_name_the_command, each_help_fits_on_a_screen_and_says_where_the_rest_is,
                      help_is_as_wide_as_the_terminal, one_instruction_is_told, a_slip_in_a_name_is_answered_by_the_nearest_one, completion_knows_values,
                      the_manual_page_and_completion_have_each_option, the_picture_of_dst_is_one, links_lead_to_files_and_headings,
                      the_list_of_pages_has_each_page, the_readme_is_short_and_links_by_reader,
                      the_readme_says_of_silicon_what_its_page_says))


if __name__ == "__main__":
    sys.exit(main())
