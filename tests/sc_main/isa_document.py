"""The catalogue of the instruction set that the program prints, and docs/isa.md, which is generated from it.

Usage: isa_document.py SFPUSIM SOURCE_DIRECTORY
"""
import collections
import json
import os
import pathlib
import re
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
from checks import check, run_tests  # noqa: E402

SFPUSIM, SOURCE = sys.argv[1], pathlib.Path(sys.argv[2])


def info(*options):
    return subprocess.run([SFPUSIM, "info", "--isa", *options], check=True, capture_output=True, text=True).stdout


def every_pair_has_one_row_with_semantics_and_page():
    rows = json.loads(info("--json"))
    pairs = collections.Counter((row["arch"], row["opcode"], row["modifier"]) for row in rows)
    check(set(pairs.values()) == {1}, "each pair stands once")
    instructions = {(arch, opcode) for arch, opcode, _ in pairs}
    check(len(pairs) == 16 * len(instructions), "each instruction has sixteen modifiers")
    for row in rows:
        name = "%s %s %d" % (row["arch"], row["mnemonic"], row["modifier"])
        check(row["defined"] == (row["category"] is None), "%s is defined or has a category" % name)
        check(row["category"] in (None, "undefined", "non-contractual"), "category of %s" % name)
        check(row["semantics"] and "\n" not in row["semantics"], "%s has semantics in one line" % name)
        check(re.fullmatch(r"(BlackholeA0|WormholeB0)/\S+/SFP\w+\.md", row["page"]), "%s has a page" % name)


def the_text_form_has_a_line_for_each_pair():
    check(len(info().splitlines()) == 1 + len(json.loads(info("--json"))), "info --isa prints a head and a line for each pair")


def markdown_belongs_to_the_catalogue():
    for options in (("--markdown",), ("--params", "--markdown"), ("--isa", "--markdown", "--json")):
        result = subprocess.run([SFPUSIM, "info", *options], capture_output=True, text=True)
        check(result.returncode == 1, "info %s is refused" % " ".join(options))


sys.exit(run_tests((every_pair_has_one_row_with_semantics_and_page,
                    the_text_form_has_a_line_for_each_pair, markdown_belongs_to_the_catalogue)))
