#!/usr/bin/env python3
"""Functions have at most 60 lines, sources and headers outside of tests at most 600, and comments end within 110 columns.

Where functions begin and end says universal-ctags. The lines of a table, which is an initialiser in braces behind `return`
or `=`, do not count: rows are no steps.

usage: sizes.py SOURCE_DIR                  complains
       sizes.py --self-test                 judges an example of which the answers are known
       sizes.py --wrap-comments FILE...     lets comments that are too long go on in the next line
"""
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

LONGEST_FUNCTION, LONGEST_FILE, WIDEST_COMMENT = 60, 600, 110
FOLDERS = ("analysis", "bench", "bindings", "firmware", "fuzz", "kernels", "models", "platforms", "sc_main", "tests",
           "traces", "views")
LANGUAGES = {".h": "C++", ".cpp": "C++", ".c": "C", ".js": "JavaScript"}

# Longer functions, by file, name and why.
LONG_FUNCTIONS = {}
# Longer files, by name and why.
LONG_FILES = {}


def sources(source_dir):
    for folder in FOLDERS:
        for place, folders, names in os.walk(os.path.join(source_dir, folder)):
            folders[:] = sorted(each for each in folders if each not in ("build", "data", "__pycache__"))
            for name in sorted(names):
                if os.path.splitext(name)[1] in LANGUAGES:
                    yield os.path.relpath(os.path.join(place, name), source_dir)


def functions(source_dir, names):
    """Function definitions: file, name, first and last line."""
    tags = []
    for suffix, language in LANGUAGES.items():
        of_language = [each for each in names if each.endswith(suffix)]
        if not of_language:
            continue
        kinds = "fm" if language == "JavaScript" else "f"
        command = ["ctags", "--options=NONE", f"--language-force={language}", f"--kinds-{language}={kinds}", "--fields=+ne",
                   "--output-format=json", "-L", "-", "-f", "-"]
        made = subprocess.run(command, cwd=source_dir, input="\n".join(of_language), capture_output=True, text=True,
                              check=True)
        tags += [json.loads(line) for line in made.stdout.splitlines()]
    return [(tag["path"], tag["name"], tag["line"], tag["end"]) for tag in tags if "end" in tag]


def code_only(text):
    """The text with blanks in place of comments and of what stands in quotes."""
    pattern = r'//[^\n]*|/\*.*?\*/|R"(\w*)\(.*?\)\1"|"(?:\\.|[^"\\\n])*"|(?<![0-9a-fA-F])\'(?:\\.|[^\'\\\n])+\''
    return re.sub(pattern, lambda found: re.sub(r"[^\n]", " ", found.group()), text, flags=re.DOTALL)


def lines_of_tables(code):
    """How many lines lie inside of initialisers in braces behind `return` or `=`."""
    lines, at = 0, 0
    for found in re.finditer(r"(?:\breturn|=)\s*\{", code):
        if found.start() < at:
            continue
        depth, at = 1, found.end()
        while depth and at < len(code):
            depth += {"{": 1, "}": -1}.get(code[at], 0)
            at += 1
        lines += code.count("\n", found.end(), at)
    return lines


def long_functions(source_dir, names):
    texts = {}
    for path, name, first, last in functions(source_dir, names):
        if last - first < LONGEST_FUNCTION:
            continue
        if path not in texts:
            with open(os.path.join(source_dir, path), encoding="utf-8") as file:
                texts[path] = code_only(file.read()).split("\n")
        length = last - first + 1 - lines_of_tables("\n".join(texts[path][first - 1:last]))
        if length > LONGEST_FUNCTION:
            yield path, name, first, length


def has_wide_comment(line):
    """Links stay in one piece; a page that quotes the two slashes has no comment there."""
    return len(line) > WIDEST_COMMENT and re.search(r"(?<!`)//|^\s*/?\*", line) and not re.search(r"https?://\S{60}", line)


def complaints(source_dir, names):
    unused = set(LONG_FUNCTIONS) | set(LONG_FILES)
    found = []
    for path, name, line, length in long_functions(source_dir, names):
        unused.discard((path, name))
        if (path, name) not in LONG_FUNCTIONS:
            found.append(f"{path}:{line}: {name} has {length} lines")
    for path in names:
        with open(os.path.join(source_dir, path), encoding="utf-8") as file:
            lines = file.read().splitlines()
        if len(lines) > LONGEST_FILE and not path.startswith("tests/"):
            unused.discard(path)
            if path not in LONG_FILES:
                found.append(f"{path}: {len(lines)} lines")
        found += [f"{path}:{number}: a comment of {len(line)} columns" for number, line in enumerate(lines, 1)
                  if has_wide_comment(line)]
    return found + [f"{each} is no exception any more: take it out of the list" for each in sorted(unused, key=str)]


# --- wider comments go on in the next line ---------------------------------------------------------------------------

WHOLE_LINE = re.compile(r"^(\s*(?://[/!]?<?\s?|/?\*\s))(.*)$")
RULER = re.compile(r"^(\s*// ---.*?-)-+$")


def continues(rest, following, lead):
    """Whether a line of a comment goes on with prose of the line before."""
    found = WHOLE_LINE.match(following)
    return bool(rest and found and found.group(1) == lead and re.match(r"[^\s\-*|+=#@]", found.group(2)))


def wrapped(lines):
    result, lines = [], list(lines)
    at = 0
    while at < len(lines):
        line, at = lines[at], at + 1
        found = WHOLE_LINE.match(line)
        if not found or not has_wide_comment(line):
            result.append(line)
            continue
        if RULER.match(line):
            result.append(line[:WIDEST_COMMENT])
            continue
        cut = line.rfind(" ", len(found.group(1)) + 1, WIDEST_COMMENT + 1)
        if cut < 0:
            result.append(line)
            continue
        lead = re.sub(r"/\*", " *", found.group(1))
        result.append(line[:cut].rstrip())
        rest = line[cut:].strip()
        if at < len(lines) and continues(rest, lines[at], lead):
            lines[at] = lead + rest + " " + WHOLE_LINE.match(lines[at]).group(2)
        else:
            lines.insert(at, lead + rest)
    return result


def wrap_comments(paths):
    for path in paths:
        with open(path, encoding="utf-8") as file:
            before = file.read()
        after = "\n".join(wrapped(before.split("\n")))
        if after != before:
            with open(path, "w", encoding="utf-8") as file:
                file.write(after)


# --- an example ------------------------------------------------------------------------------------------------------

def example():
    """A source, and which of its functions are too long: so many lines each."""
    steps = "    step();\n"
    body = {
        "short": f"void short_one() {{\n{steps * 58}}}\n",
        "long": f"int longer() {{\n{steps * 59}}}\n",
        "constructor": f"thing::thing(int a)\n    : a_(a), b_{{a}} {{\n{steps * 59}}}\n",
        "operator": f"bool operator<(const thing& a, const thing& b) {{\n{steps * 59}}}\n",
        "template": f"template <class T, int n = (3 > 2)>\nauto of_any(T&& what) -> decltype(what) {{\n{steps * 60}}}\n",
        "test": f"TEST(suite, name) {{\n{steps * 59}}}\n",
        "inside": f"struct holder {{\n    int short_member() const {{ return 1; }}\n    int member() const {{\n{steps * 59}    }}\n}};\n",
        "lambda": f"void with_lambda() {{\n    const auto each = [&](int x) {{\n{steps * 55}    }};\n    each(1);\n}}\n"
                  f"void with_long_lambda() {{\n    const auto each = [&](int x) {{\n{steps * 56}    }};\n    each(1);\n}}\n",
        "table": "std::vector<row> rows() {\n    return {\n" + "        {\"a }\", [](int) { return 1; }}, // }\n" * 80 + "    };\n}\n",
        "words": "void braces_in_text() {\n    say(\"{ {\", '{', R\"({)\"); // {\n    /* { */\n}\n",
        "behind": f"unsigned behind_all() noexcept {{\n{steps * 59}}}\n",
    }
    long = {"longer": 61, "thing": 62, "operator <": 61, "of_any": 62, "TEST": 61, "member": 61, "with_long_lambda": 61,
            "behind_all": 61}
    return "\n".join(body.values()), long


def self_test():
    text, long = example()
    failures = []
    with tempfile.TemporaryDirectory() as folder:
        with open(os.path.join(folder, "example.cpp"), "w", encoding="utf-8") as file:
            file.write(text)
        found = {name: length for _, name, _, length in long_functions(folder, ["example.cpp"])}
    if found != long:
        failures.append(f"long functions are {found}, not {long}")
    wide = "    // " + "word " * 30
    lines = [wide + "one", "    // two", "    int a; // three", "    /// | a | table |",
             "    // " + "x" * 120]
    result = wrapped(lines)
    if max(len(each) for each in result[:-1]) > WIDEST_COMMENT or result[1].strip() != "// " + "word " * 10 + "one two":
        failures.append(f"wrapped: {result}")
    if result[2:] != lines[2:]:
        failures.append(f"what is not too wide has changed: {result}")
    if wrapped(result) != result:
        failures.append("what is wrapped is wrapped again")
    ruler, block = wrapped(["// --- values " + "-" * 120]), wrapped(["/* " + "word " * 30 + "one", " * two */"])
    if len(ruler) != 1 or len(ruler[0]) != WIDEST_COMMENT or block[1] != " * " + "word " * 9 + "one two */":
        failures.append(f"a ruler and a block: {ruler}, {block}")
    print("\n".join(failures))
    return not failures


def main():
    if not shutil.which("ctags"):
        sys.exit("sizes.py: no ctags; ./setup --all installs universal-ctags")
    if sys.argv[1] == "--self-test":
        sys.exit(0 if self_test() else 1)
    if sys.argv[1] == "--wrap-comments":
        return wrap_comments(sys.argv[2:])
    names = list(sources(sys.argv[1]))
    found = complaints(sys.argv[1], names)
    print("\n".join(found))
    if len(names) < 100:
        sys.exit("hardly any sources were found")
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    main()
