#!/usr/bin/env python3
"""Rules of the house that the text of the sources shows: who may include whom.

usage: house_rules.py SOURCE_DIR
"""
import os
import re
import sys

SOURCE_DIR = sys.argv[1]
INCLUDE = re.compile(r'^#include [<"]([^>"]+)[>"]')
# What a library offers to whoever links it: no JSON, no command line, no SystemC.
NOT_IN_HEADERS_OF_ANALYSIS = re.compile(r"nlohmann|simdjson|CLI/|systemc|tlm|editline|histedit")
# Arrows never run up. A folder includes itself, and what stands to its right here.
ORDER = ["sc_main", "bindings", "views", "analysis", "platforms", "traces", "models"]


def files(folder, endings=(".h", ".cpp", ".in")):
    for place, folders, names in os.walk(os.path.join(SOURCE_DIR, folder)):
        folders[:] = [each for each in folders if each != "vp_consumer"]
        for name in names:
            if name.endswith(endings):
                yield os.path.join(place, name)


def includes(path):
    with open(path, encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            found = INCLUDE.match(line)
            if found:
                yield number, found.group(1)


def owners():
    """The folder of each public header, by the name under which it is included."""
    found = {}
    for folder in ORDER:
        for path in files(folder, (".h",)):
            if "/include/" in path:
                found[path.split("/include/", 1)[1]] = folder
    return found


def main():
    complaints = []
    owner = owners()
    for rank, folder in enumerate(ORDER):
        for path in files(folder):
            name = os.path.relpath(path, SOURCE_DIR)
            for line, header in includes(path):
                above = header in owner and ORDER.index(owner[header]) < rank
                if above:
                    complaints.append(f"{name}:{line}: {folder} includes <{header}> of {owner[header]}")
                if folder == "analysis" and "/include/" in path and NOT_IN_HEADERS_OF_ANALYSIS.search(header):
                    complaints.append(f"{name}:{line}: a header of analysis includes <{header}>")
    print("\n".join(complaints))
    if not any(folder == "analysis" for folder in owner.values()):
        sys.exit("no header of analysis was found")
    sys.exit(1 if complaints else 0)


if __name__ == "__main__":
    main()
