#!/usr/bin/env python3
"""README.md, the tutorial and all other pages do what they say: the commands of their blocks are run, each page in a folder of its
own with the kernels of the project, and what they print is compared with the page. tests/support/page_blocks.py says which blocks.

usage: pages.py SFPUSIM SOURCE_DIR [--write] [PAGE]...

--write puts what is printed into the pages: look at it before it is committed. SFPU_NIGHTLY: slow ones, too.
"""
import os
import pathlib
import re
import shutil
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
from checks import INSTRUMENTED, check, run_tests  # noqa: E402
from page_blocks import BLOCK, commands, first_difference, played  # noqa: E402

SFPUSIM, SOURCE = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()
WRITE, CHOSEN = "--write" in sys.argv, [pathlib.Path(name).resolve() for name in sys.argv[3:] if name != "--write"]
NIGHTLY = "SFPU_NIGHTLY" in os.environ
PAGES = [SOURCE / "README.md", *sorted((SOURCE / "docs").glob("*.md"))]
# Commands in blocks without a language, which nobody runs here, by how they begin, and why.
ELSEWHERE = {
    "cmake": "builds the project or another one: ./test and package.* do", "./": "builds the project", "build/tests/": "runs for long",
    "sfpusim tile --loader llk": "needs programs of the vendor's library, which are not here: tests/tile/programs_test.cpp boots some of our own",
    "sfpusim llk tt-llk --only sfpu_typecast --optimize": "needs the vendor's library: tests/sc_main/llk_command.py has one of our own",
    "sfpusim tile --loader metal": "needs tt-metal's firmware, which is not here: tests/tile/programs_test.cpp plays the host for one of our own",
    "sfpusim optimize": "a search of minutes: optimized_kernels.py, retime_command.py and llk_header.py run such", "SFPU_FUZZ_SECONDS": "runs for long", "python3 -m venv": "test_package.py does", "venv/bin/pip": "test_package.py does",
}
COMMAND = re.compile(r"^(?:\$ )?((?:sfpusim|build/bin/sfpusim|echo '\{|cmake|\./|build/|SFPU_\w+=|python3|venv/)\S*.*)$", re.MULTILINE)


def wanted(kind, text):
    """A block with a program for RISC-V needs its compiler, one with C++ an uninstrumented build."""
    if kind not in ("", "slow") or kind == "slow" and not NIGHTLY:
        return False
    if "riscv64-unknown-elf" in text and not shutil.which("riscv64-unknown-elf-g++"):
        return False
    programs = re.findall(r"build/firmware/\w+\.elf", text)
    if any(not (SFPUSIM.parent.parent.parent / name).exists() for name in programs):
        return False
    return not (INSTRUMENTED and "kernels/cpp" in text)


def folder_of_the_reader(place):
    """What stands in the source tree, and nothing that a command writes."""
    for name in ("kernels", "configs", "studies", "firmware", "tests"):
        os.symlink(SOURCE / name, os.path.join(place, name))
    os.symlink(SFPUSIM.parent.parent, os.path.join(place, "build"))


def the_pages_show_what_their_commands_print():
    for file in CHOSEN or PAGES:
        page = file.read_text()
        if "```console" not in page:
            continue
        with tempfile.TemporaryDirectory() as place:
            folder_of_the_reader(place)
            now = played(page, place, str(SFPUSIM.parent), wanted)
        difference = first_difference(page, now)
        if WRITE and difference:
            file.write_text(now)
            print("%s is written" % file.relative_to(SOURCE))
        elif difference:
            check(False, "%s:%d: found '%s', the page has '%s'; run tests/sc_main/pages.py SFPUSIM . --write"
                  % (file.relative_to(SOURCE), difference[0], difference[2], difference[1]))


def each_command_is_run_or_it_is_known_why_not():
    count = 0
    for file in PAGES:
        for language, kind, text in BLOCK.findall(file.read_text()):
            count += len(commands(text)) if language == "console" else 0
            if language == "console":
                continue
            for command in COMMAND.findall(text) if language in ("", "sh") else ():
                check(any(command.startswith(begin) for begin in ELSEWHERE), "%s: nobody runs '%s'" % (file.relative_to(SOURCE), command))
    check(count > 80, "commands were found: %d" % count)


def main():
    return run_tests((the_pages_show_what_their_commands_print, each_command_is_run_or_it_is_known_why_not))


if __name__ == "__main__":
    sys.exit(main())
