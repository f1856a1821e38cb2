#!/usr/bin/env python3
"""docs/tutorial.md does what it says: its commands are run in an empty folder, and what they print is compared with the page.

usage: tutorial.py SFPUSIM SOURCE_DIR [--write]

--write puts what is printed into the page: look at it before it is committed.
"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
from checks import check, run_tests  # noqa: E402

SFPUSIM, PAGE = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve() / "docs" / "tutorial.md"


def printed(command, folder):
    """What a terminal shows of a command. A command that fails unexpectedly shows by what it complains about."""
    done = subprocess.run(["bash", "-c", command], cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, universal_newlines=True,
                          env={**os.environ, "PATH": "%s:%s" % (SFPUSIM.parent, os.environ["PATH"]), "LC_ALL": "C"})
    return done.stdout


def played(page, folder):
    """The page with the outputs that its commands have."""
    def block(match):
        kind, name, text = match.group(1), match.group(2), match.group(3)
        if kind == "asm":
            (folder / name).write_text(text)
            return match.group(0)
        commands = [line for line in text.splitlines() if line.startswith("$ ")]
        return "```console\n" + "".join(line + "\n" + printed(line[2:], folder) for line in commands) + "```\n"
    return re.sub(r"^```(asm|console)(?: (\S+))?\n(.*?)^```\n", block, page, flags=re.MULTILINE | re.DOTALL)


def the_page_shows_what_its_commands_print():
    page = PAGE.read_text()
    with tempfile.TemporaryDirectory() as folder:
        now = played(page, pathlib.Path(folder))
    if "--write" in sys.argv:
        PAGE.write_text(now)
        return
    check(page.count("\n$ sfpusim") > 12, "it has commands")
    for number, (kept, found) in enumerate(zip(page.splitlines() + [""], now.splitlines() + [""]), 1):
        check(kept == found, "docs/tutorial.md:%d: found '%s', the page has '%s'; run tests/sc_main/tutorial.py SFPUSIM . --write"
              % (number, found, kept))
        if kept != found:
            break
    check(page == now, "nothing is missing")


def main():
    return run_tests((the_page_shows_what_its_commands_print,))


if __name__ == "__main__":
    sys.exit(main())
