#!/usr/bin/env python3
"""References lead somewhere: pages, sections, rules, files and tests that comments, help texts, documents and the output
of `sfpusim info` name exist. A rule is named by a letter and a number, T16 or K3; RULES says which page defines which.

usage: references.py SFPUSIM SOURCE_DIR
"""
import json
import os
import pathlib
import re
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
from checks import FAILURES, check  # noqa: E402

SFPUSIM, SOURCE = sys.argv[1], pathlib.Path(sys.argv[2])

FOLDERS = ("analysis", "bench", "bindings", "cmake", "configs", "docs", "firmware", "kernels", "models", "platforms", "sc_main",
           "tests", "traces", "views")
SUFFIXES = {".c", ".cmake", ".cpp", ".h", ".in", ".inc", ".ld", ".md", ".py", ".S", ".s", ".sh", ".txt", ""}
# These quote what other projects call their pages, or what does not exist on purpose.
QUOTES = {"tests/docs/references.py", "docs/build_site", "tests/isa/isa_catalogue_test.cpp", "docs/isa.md"}

# The page that defines the rules of each letter, and how it does so.
RULES = {"T": ("timing.md", r"^\| (T\d+a?) \|"), "K": ("tile.md", r"^\| (K\d) \|"),
         "A": ("tensorload.md", r"^## .*\((A\d)(?:, (A\d))?\)$"), "C": ("tensorload.md", r"\b(C\d+)\b")}

# Pages of the ISA documentation (tenstorrent/tt-isa-documentation) beside those of the instruction table.
ISA_PAGES = {"BabyRISCV", "BackendConfiguration", "BlackholeA0", "CSRs", "Dst", "L1", "LReg", "MOPExpander", "MatrixUnit",
             "Mailboxes", "ManualTTSync", "MemoryOrdering", "Miscellaneous", "PCBufs", "PushTensixInstruction", "REPLAY",
             "RWCs", "SEMWAIT", "STALLWAIT", "SyncUnit", "TTSync", "TensixFrontend", "TensixTile", "VectorUnit", "WormholeB0", "Blackhole",
             "Wormhole", "RISCV", "FMA"}


def info(*arguments):
    return subprocess.run([SFPUSIM, "info", *arguments], check=True, stdout=subprocess.PIPE,
                          universal_newlines=True).stdout


def texts():
    """Name and contents of everything that can hold a reference."""
    paths = [path for path in SOURCE.iterdir() if path.is_file()]
    for folder in FOLDERS:
        paths += [path for path in (SOURCE / folder).rglob("*") if path.is_file()]
    for path in sorted(paths):
        name = path.relative_to(SOURCE).as_posix()
        if path.suffix in SUFFIXES and not name.startswith((".git", "tests/data/")) and name not in QUOTES:
            try:
                yield name, path.read_text()
            except UnicodeDecodeError:
                pass
    for option in ("--params", "--latencies", "--report-ids"):
        yield "sfpusim info " + option, info(option)
    for row in json.loads(info("--report-ids", "--json")):
        yield "sfpusim info --explain " + row["id"], info("--explain", row["id"])


def defined_rules():
    known = {}
    for letter, (page, pattern) in RULES.items():
        text = (SOURCE / "docs" / page).read_text()
        known[letter] = {rule for found in re.finditer(pattern, text, re.MULTILINE) for rule in found.groups() if rule}
        check(known[letter], "docs/%s defines no rule %s" % (page, letter))
    return known


def places(name, text):
    """Every line with its place; comments that go on in the next line are read together with it."""
    lines = text.split("\n")
    for number, line in enumerate(lines, 1):
        after = re.sub(r"^\s*(///?|#|;|\*|\"|//!)\s*", " ", lines[number]) if number < len(lines) else ""
        yield "%s:%d" % (name, number), line, line.rstrip('"') + after


def page_of(name, page):
    """The file that `page` means in the text `name`, or None."""
    for path in (SOURCE / page, SOURCE / "docs" / page, SOURCE / pathlib.PurePosixPath(name).parent / page):
        if path.is_file():
            return path
    return None


def check_pages(name, where, line, joined):
    for found in re.finditer(r"(?<![\w/.-])((?:[\w.-]+/)*[\w.-]+\.md)\b", line):
        page = found.group(1)
        if re.match(r"(BlackholeA0|WormholeB0|TensixTile)/", page):
            continue
        path = page_of(name, page)
        check(path, "%s: there is no page %s" % (where, page))
        # "page.md, section": the words behind the comma begin a heading, or are rules and the like
        section = re.match(r",? (?:section )?\"([^\"]+)\"", joined[found.end():])
        section = section or re.match(r", (open questions|firmware section)", joined[found.end():])
        if path and section:
            words = section.group(1).replace(" section", "").lower()
            headings = [text.lower() for text in re.findall(r"^#+ (.+)", path.read_text(), re.MULTILINE)]
            check(any(words in heading for heading in headings), "%s: %s has no section %s" % (where, page, words))


def check_rules(where, line, joined, known):
    """Rules behind the name of a page, and lone ones that only a rule can be."""
    lists = r"\.md((?:[,;]? (?:rules? )?(?:and |to |or )?[A-Z]\d+a?\b)+)"
    for found in re.finditer(r"([\w-]+)" + lists, joined):
        if found.start() >= len(line):
            continue
        for rule in re.findall(r"[A-Z]\d+a?", found.group(2)):
            page = RULES.get(rule[0], ("",))[0]
            check(page == found.group(1) + ".md", "%s: %s.md defines no rules %s" % (where, found.group(1), rule[0]))
            check(rule in known.get(rule[0], ()), "%s: there is no rule %s" % (where, rule))
    for rule in re.findall(r"(?<![\w.-])(?:T\d+a?|K\d+)(?![\w-])", line):
        thread = rule in ("T0", "T1", "T2")  # also the names of cores
        check(thread or rule in known[rule[0]], "%s: there is no rule %s" % (where, rule))


def check_isa_pages(where, joined, pages):
    for found in re.finditer(r"ISA documentation, (?:pages? )?(\w+)((?:, (?:and )?\w+)*)", joined, re.IGNORECASE):
        for page in [found.group(1)] + re.findall(r"\w+", found.group(2)):
            if re.fullmatch(r"[A-Z][A-Za-z0-9_]*[A-Z0-9][A-Za-z0-9_]*|L1|Dst|Blackhole", page):
                check(page in pages, "%s: the ISA documentation has no page %s" % (where, page))


def check_files(where, line, files):
    """Paths in comments and documents, and backquoted names of source files and tests."""
    for path in re.findall(r"(?<![\w/.<-])(?:(?:%s)/[\w./-]+\w)" % "|".join(FOLDERS), line):
        if not re.search(r"[*$%]", path):
            exists = (SOURCE / path).exists() or any(file.startswith(path) for file in files)
            check(exists, "%s: there is no %s" % (where, path))
    for name in re.findall(r"`(\w+(?:-inl)?\.(?:h|cpp|py))`", line):
        check(any(file.endswith("/" + name) for file in files), "%s: there is no file %s" % (where, name))
    for name in re.findall(r"`(\w+_test)`", line):
        check(any(file.endswith("/" + name + ".cpp") for file in files), "%s: there is no test %s" % (where, name))


def main():
    known = defined_rules()
    pages = ISA_PAGES | {row["mnemonic"].upper() for row in json.loads(info("--isa", "--json"))}
    files = {path.relative_to(SOURCE).as_posix() for folder in FOLDERS for path in (SOURCE / folder).rglob("*")}
    count = 0
    for name, text in texts():
        count += 1
        for where, line, joined in places(name, text):
            check_pages(name, where, line, joined)
            check_rules(where, line, joined, known)
            check_isa_pages(where, joined, pages)
            if name.endswith(".md"):
                check_files(where, line, files)
    print("%d texts, %d failures" % (count, len(FAILURES)))
    return 1 if FAILURES else 0


if __name__ == "__main__":
    sys.exit(main())
