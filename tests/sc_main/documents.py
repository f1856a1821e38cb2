#!/usr/bin/env python3
"""Documents against the program: generated pages are current, the page on the command line has every command and option
and no other, and links lead to files and headings. pages.py runs the commands that stand on pages.

usage: documents.py SFPUSIM SOURCE_DIR
"""
import os
import pathlib
import re
import subprocess
import sys
from xml.etree import ElementTree

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
from checks import check, run_tests  # noqa: E402

SFPUSIM, SOURCE = sys.argv[1], pathlib.Path(sys.argv[2])


def sfpusim(*arguments):
    return subprocess.run([SFPUSIM, *arguments], check=True, stdout=subprocess.PIPE, universal_newlines=True).stdout


def options_of(*command):
    """Long options in the help of a command, without --help and --version."""
    return set(re.findall(r"^  (?:-\w,)?(--[a-z-]+)", sfpusim(*command, "--help"), re.MULTILINE)) - {"--version"}


def commands():
    return re.findall(r"^  ([a-z]+) ", sfpusim("--help").split("Subcommands:")[1], re.MULTILINE)


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
                      each_help_has_examples_that_name_the_command, the_manual_page_and_completion_have_each_option,
                      the_picture_of_dst_is_one, links_lead_to_files_and_headings, the_list_of_pages_has_each_page,
                      the_readme_is_short_and_links_by_reader, the_readme_says_of_silicon_what_its_page_says))


if __name__ == "__main__":
    sys.exit(main())
