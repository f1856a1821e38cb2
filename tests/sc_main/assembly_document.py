#!/usr/bin/env python3
"""The page on the assembly language, docs/assembly.md: generated from what the assembler knows, and its examples assemble.

usage: assembly_document.py SFPUSIM SOURCE_DIR
"""
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
from checks import check, run_tests  # noqa: E402

SFPUSIM, SOURCE = sys.argv[1], pathlib.Path(sys.argv[2])
PAGE = (SOURCE / "docs" / "assembly.md").read_text()


def info(*options):
    return subprocess.run([SFPUSIM, "info", "--assembly", *options], check=True, stdout=subprocess.PIPE,
                          universal_newlines=True).stdout


def asm(text, *options):
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "example.s")
        with open(path, "w") as file:
            file.write(text)
        return subprocess.run([SFPUSIM, "asm", *options, path], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              universal_newlines=True)


def every_directive_of_the_parser_is_on_the_page():
    """The source of the parser is asked, not the list from which the page is made."""
    source = (SOURCE / "models" / "isa" / "src" / "assembler_directives.cpp").read_text()
    handled = set(re.findall(r'\{\{?"(\.[a-z]+)"', source))
    check(len(handled) >= 17, "the source names its directives: %s" % sorted(handled))
    for name in handled:
        check(re.search(r"^\| `%s` \|" % re.escape(name), PAGE, re.MULTILINE), "docs/assembly.md describes %s" % name)
    listed = {row["name"] for row in json.loads(info("--json"))["directives"]}
    check(listed == handled, "info --assembly lists what the parser knows: %s" % sorted(listed ^ handled))
    for name in listed:
        message = asm(name + " ?\n").stderr
        check("unknown directive" not in message, "%s is a directive: %s" % (name, message))


def every_instruction_is_on_the_page_with_its_operands():
    instructions = {row["mnemonic"]: row for row in json.loads(info("--json"))["instructions"]}
    check({"sfpload", "sfploadmacro", "sfpmul24", "mop", "setc16", "stallwait"} <= set(instructions), "all kinds")
    for name, row in instructions.items():
        line = re.search(r"^\| `%s`.*$" % name, PAGE.split("## Instructions")[1], re.MULTILINE)
        check(line and all(operand in line.group(0) for operand in row["operands"]), "%s and its operands" % name)
        text = "%s %s\n" % (name, ", ".join("0" for _ in row["operands"]))
        check(asm(text).returncode == 0, "%r assembles" % text)
        check((asm(text, "--arch", "wh").returncode == 0) == row["wormhole"], "%s on Wormhole" % name)


def every_type_is_on_the_page():
    for name in json.loads(info("--json"))["types"]:
        check(re.search(r"^\| `%s` \|" % name, PAGE, re.MULTILINE), "type %s" % name)
        check(asm(".input x, 0, %s\n" % name).returncode == 0, "type %s assembles" % name)


def examples_assemble():
    examples = re.findall(r"^```asm\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)
    check(len(examples) >= 3, "the page has examples")
    for text in examples:
        done = asm(text)
        check(done.returncode == 0 and done.stdout, "an example assembles: %s\n%s" % (done.stderr, text))


def main():
    return run_tests((every_directive_of_the_parser_is_on_the_page,
                      every_instruction_is_on_the_page_with_its_operands, every_type_is_on_the_page, examples_assemble))


if __name__ == "__main__":
    sys.exit(main())
