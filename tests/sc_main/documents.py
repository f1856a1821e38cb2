#!/usr/bin/env python3
"""Documents against the program: the list of report ids is current, the page on the command line has every command and
option and no other, and links lead to files. Other scripts look at docs/isa.md and docs/assembly.md.

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


def the_pages_about_diagnostics_are_current():
    for page, topic in (("report-ids.md", ("--report-ids",)), ("hazards.md", ("--explain", "all"))):
        command = ("info", *topic, "--markdown")
        check((SOURCE / "docs" / page).read_text() == sfpusim(*command),
              "docs/%s is old: run 'sfpusim %s > docs/%s'" % (page, " ".join(command), page))


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


def the_picture_of_dst_shows_what_the_program_stores():
    drawn = subprocess.run([sys.executable, SOURCE / "docs" / "images" / "dst_layout", SFPUSIM], check=True, stdout=subprocess.PIPE,
                           universal_newlines=True).stdout
    check(drawn == (SOURCE / "docs" / "images" / "dst-layout.svg").read_text(),
          "docs/images/dst-layout.svg is old: run 'docs/images/dst_layout build/bin/sfpusim > docs/images/dst-layout.svg'")
    ElementTree.fromstring(drawn)


def links_lead_to_files():
    for page in [SOURCE / "README.md", *sorted((SOURCE / "docs").glob("*.md")), SOURCE / "traces" / "examples" / "README.md"]:
        for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", page.read_text()):
            check((page.parent / target).exists(), "%s: the link to %s leads somewhere" % (page.name, target))


def the_readme_links_each_page():
    readme = (SOURCE / "README.md").read_text()
    for page in sorted((SOURCE / "docs").glob("*.md")):
        check("docs/" + page.name in readme, "README.md links docs/%s" % page.name)


def main():
    return run_tests((the_pages_about_diagnostics_are_current, the_command_line_page_names_each_option_of_each_command,
                      each_help_has_examples_that_name_the_command, the_manual_page_and_completion_have_each_option,
                      the_picture_of_dst_shows_what_the_program_stores, links_lead_to_files, the_readme_links_each_page))


if __name__ == "__main__":
    sys.exit(main())
