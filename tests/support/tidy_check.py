#!/usr/bin/env python3
"""Runs clang-tidy over the sources of a build, several files at once. What passed is not looked at again until the file,
anything that it includes, the command that compiles it or .clang-tidy changes: a stamp in BUILD_DIR/tidy says so.

usage: tidy_check.py CLANG_TIDY BUILD_DIR SOURCE_DIR [--jobs N] [--all]

BUILD_DIR has compile_commands.json. Looked at are the files in the folders of FOLDERS; the headers that
HeaderFilterRegex names are looked at with them. --all does not look at stamps. Exit code 1 if anything was found.
"""
import argparse
import concurrent.futures
import hashlib
import json
import os
import re
import subprocess
import sys

FOLDERS = ("analysis", "models", "platforms", "sc_main", "traces", "views")
# Commands of GCC hold options that Clang warns about.
EXTRA = ["--extra-arg=-Wno-ignored-optimization-argument", "--extra-arg=-Wno-unknown-warning-option"]


def sources_of(build, source):
    """The commands of the files to look at, by file; a file that is compiled twice is looked at once."""
    with open(os.path.join(build, "compile_commands.json"), encoding="utf-8") as file:
        commands = json.load(file)
    result = {}
    for entry in commands:
        path = os.path.normpath(os.path.join(entry["directory"], entry["file"]))
        if os.path.relpath(path, source).split(os.sep)[0] in FOLDERS:
            result.setdefault(path, entry["command"])
    return result


def includes_of(build):
    """What each source file includes, as the last build found out; empty if the build does not know."""
    try:
        text = subprocess.run(["ninja", "-C", build, "-t", "deps"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                              universal_newlines=True).stdout
    except OSError:
        return {}
    result = {}
    for block in text.split("\n\n"):
        lines = block.splitlines()
        if len(lines) < 2 or "(VALID)" not in lines[0]:
            continue
        files = [os.path.normpath(os.path.join(build, line.strip())) for line in lines[1:]]
        result.setdefault(files[0], files)
    return result


class stamps:
    def __init__(self, build, common):
        self.folder = os.path.join(build, "tidy")
        os.makedirs(self.folder, exist_ok=True)
        self.common = common
        self.includes = includes_of(build)
        self.known = {}

    def content(self, path):
        if path not in self.known:
            try:
                with open(path, "rb") as file:
                    self.known[path] = hashlib.sha256(file.read()).digest()
            except OSError:
                self.known[path] = b"missing"
        return self.known[path]

    def of(self, path, command):
        """A text that changes with everything that clang-tidy sees; None if that is not known."""
        if path not in self.includes:
            return None
        total = hashlib.sha256(self.common + command.encode())
        for included in self.includes[path]:
            total.update(included.encode() + self.content(included))
        return total.hexdigest()

    def place(self, path):
        return os.path.join(self.folder, hashlib.sha256(path.encode()).hexdigest()[:16])

    def passed(self, path, stamp):
        try:
            with open(self.place(path), encoding="utf-8") as file:
                return stamp is not None and file.read() == stamp
        except OSError:
            return False

    def keep(self, path, stamp):
        if stamp is not None:
            with open(self.place(path), "w", encoding="utf-8") as file:
                file.write(stamp)


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("tidy")
    parser.add_argument("build")
    parser.add_argument("source")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--all", action="store_true")
    options = parser.parse_args()
    build, source = os.path.abspath(options.build), os.path.abspath(options.source)
    version = subprocess.run([options.tidy, "--version"], stdout=subprocess.PIPE, check=True).stdout
    with open(os.path.join(source, ".clang-tidy"), "rb") as file:
        known = stamps(build, version + file.read())
    files = sources_of(build, source)
    current = {path: known.of(path, command) for path, command in files.items()}
    left = sorted(path for path in files if options.all or not known.passed(path, current[path]))
    failed = []

    def look_at(path):
        done = subprocess.run([options.tidy, "--quiet", "-p", build, *EXTRA, path], stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, universal_newlines=True)
        return path, done.returncode, done.stdout

    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for path, code, text in pool.map(look_at, left):
            if code == 0:
                known.keep(path, current[path])
                continue
            failed.append(path)
            print(re.sub(r"^\d+ warnings? .*\n", "", text, flags=re.MULTILINE), flush=True)
    print("%d files, %d of them as before, %d with findings" % (len(files), len(files) - len(left), len(failed)))
    for path in failed:
        print(os.path.relpath(path, source))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
