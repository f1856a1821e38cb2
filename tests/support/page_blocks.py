"""The blocks of a page of Markdown that a reader takes part in.

    ```asm square.s          a file: its name stands behind the language
    ```console               commands behind "$ ", what goes on behind "> ", and between them what is printed
    ```console slow          the same, run by night only
    ```console package       the same, in a folder with the files of the page, run by the test of the installed package

Seconds of a search differ from run to run: of "in 1.2 s" only the words are compared.
"""
import os
import re
import subprocess

BLOCK = re.compile(r"^```(\w*)(?: ([^\n]*))?\n(.*?)^```\n", re.MULTILINE | re.DOTALL)


def printed(command, folder, path, **environment):
    """What a terminal shows of a command. A command that fails unexpectedly shows by what it complains about."""
    done = subprocess.run(["bash", "-c", command], cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, universal_newlines=True,
                          env={**os.environ, "PATH": "%s:%s" % (path, os.environ["PATH"]), "LC_ALL": "C", **environment})
    return done.stdout


def commands(text):
    """The commands of a block: each as its lines on the page, and as a shell gets it."""
    found, goes_on = [], False
    for line in text.splitlines():
        if line.startswith("$ "):
            found.append([line])
        elif goes_on and line.startswith("> "):
            found[-1].append(line)
        else:
            goes_on = False
            continue
        goes_on = True
    return [(lines, "\n".join(line[2:] for line in lines)) for lines in found]


def played(page, folder, path, wanted, **environment):
    """The page with the outputs that its commands have. `wanted(kind, text)` chooses among console blocks; files are written."""
    exported = []

    def block(match):
        language, name, text = match.groups()
        if language == "console" and wanted(name or "", text):
            lines = []
            for shown, command in commands(text):
                if command.startswith("export "):
                    exported.append(command)
                lines += shown + printed("\n".join(exported + [command]), folder, path, **environment).splitlines()
            return "```console%s\n%s\n```\n" % (" " + name if name else "", "\n".join(lines))
        if language not in ("", "console") and re.fullmatch(r"[\w/.-]+\.\w+", name or ""):
            file = os.path.join(folder, name)
            os.makedirs(os.path.dirname(file), exist_ok=True)
            with open(file, "w", encoding="utf-8") as out:
                out.write(text)
        return match.group(0)
    return BLOCK.sub(block, page)


def without_seconds(line):
    return re.sub(r"(?<=[ (])[0-9]+(\.[0-9]+)? s\b", "N s", line)


def first_difference(page, now):
    """Number, line and line that should be there; None if the pages are equal."""
    kept, found = page.splitlines(), now.splitlines()
    for number in range(max(len(kept), len(found))):
        pair = [lines[number] if number < len(lines) else "" for lines in (kept, found)]
        if without_seconds(pair[0]) != without_seconds(pair[1]):
            return number + 1, pair[0], pair[1]
    return None
