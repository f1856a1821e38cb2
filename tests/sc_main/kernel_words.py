#!/usr/bin/env python3
"""The words of the library kernels, by which directives are known to change nothing, and the way back from words to text.
tests/data/kernel_words.json holds what the kernels were before they had directives: words and sections of each chip.

usage: kernel_words.py SFPUSIM SOURCE_DIR
"""
import json
import os
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
from checks import check, run_tests  # noqa: E402

SFPUSIM, SOURCE_DIR = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
SECTIONS = ("; .init", "; .loop", "; .tail")


def sfpusim(*arguments):
    return subprocess.run([SFPUSIM, *arguments], check=True, stdout=subprocess.PIPE, universal_newlines=True).stdout


def chips_of(path):
    """The chips that a kernel is for, and its words on each."""
    for arch in ("bh", "wh"):
        done = subprocess.run([SFPUSIM, "asm", "--arch", arch, path], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                              universal_newlines=True)
        if done.returncode == 0:
            yield arch, done.stdout


def words_of(text):
    """Words and sections: ".init b2220002 ... .loop=2 ..." """
    lines = [line for line in text.splitlines() if not line.startswith(";") or line.startswith(SECTIONS)]
    return " ".join(line.replace("; ", "").replace(" ", "=") for line in lines)


def kernels():
    folder = os.path.join(SOURCE_DIR, "kernels")
    return [os.path.join(folder, name) for name in sorted(os.listdir(folder)) if name.endswith(".s")]


def library_kernels_have_the_words_that_they_always_had():
    with open(os.path.join(SOURCE_DIR, "tests", "data", "kernel_words.json")) as file:
        known = json.load(file)
    seen = set()
    for path in kernels():
        for arch, text in chips_of(path):
            name = "%s %s" % (os.path.basename(path), arch)
            seen.add(name)
            if name in known:
                check(words_of(text) == known[name], "%s: found %s, expected %s" % (name, words_of(text), known[name]))
    check(set(known) <= seen, "no kernel is gone: %s" % (set(known) - seen))


def library_kernels_use_directives_and_name_their_data():
    for path in kernels():
        with open(path) as file:
            text = file.read()
        check("\n.input " in text and "\n.output " in text, "%s says what it reads and writes" % path)
        check("SEQUENCE" not in text and ", MISC," not in text, "%s sets its macros up by .macro and .misc" % path)


def disassembled_kernels_give_the_same_words_and_show_directives():
    with tempfile.TemporaryDirectory() as folder:
        for path in kernels():
            for arch, words in chips_of(path):
                first, second = os.path.join(folder, "first.hex"), os.path.join(folder, "second.s")
                with open(first, "w") as file:
                    file.write(words)
                text = sfpusim("disasm", first)
                with open(second, "w") as file:
                    file.write(text)
                check(sfpusim("asm", second) == words, "%s, %s: asm of disasm is the identity:\n%s" % (path, arch, text))
                check(sfpusim("disasm", "--arch", arch, path) == text, "%s, %s: disasm of assembly" % (path, arch))
                with open(path) as file:
                    has_macros = ".macro" in file.read()
                check(has_macros == (".macro " in text), "%s, %s: macros are shown" % (path, arch))
                check(not has_macros or (".template " in text and ".misc " in text), "%s: so are templates" % path)


def main():
    return run_tests((library_kernels_have_the_words_that_they_always_had,
                      library_kernels_use_directives_and_name_their_data,
                      disassembled_kernels_give_the_same_words_and_show_directives))


if __name__ == "__main__":
    sys.exit(main())
