"""Mutants of the sources: the table in mutants.txt, where each stands, and sources that have many of them behind
switches.

A mutant names a function and what to replace in it, not a file, a line or a layout: it moves with the function,
and only an edit of the very expression makes it misfit.
"""
import collections
import functools
import os
import re

FOLDERS = ("analysis", "models", "platforms", "sc_main", "traces", "views")  # whose code has mutants
TABLE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "mutants.txt")

SWITCH = "models/common/include/sfpu/common/mutation_switch.h"
SWITCH_TEXT = """// Which mutation this process has; see mutation_check.py.
#pragma once

#include <cstdlib>

namespace sfpu::mutations {

inline const int chosen = std::getenv("SFPU_MUTATION") ? std::atoi(std::getenv("SFPU_MUTATION")) : -1;

constexpr bool has(int number) { return !__builtin_is_constant_evaluated() && chosen == number; }

/// The same for all values if the process has the mutation.
template <class T>
const T& left_out(int number, const T& value) {
    static const T nothing{};
    return has(number) ? nothing : value;
}

} // namespace sfpu::mutations
"""

# function: "class::name" or "name"; old, new: C++ without regard to blanks; reason: why it changes nothing, None
# if it does; field: of mutants that leave a field of a state out, its name
mutant = collections.namedtuple("mutant", "rule what function old new reason field", defaults=(None, None))
# A function in a file: its name with all scopes, and where its body begins and ends, without the braces.
function = collections.namedtuple("function", "name path begin end")
# Where a mutant stands: a function and what is replaced in its file.
place = collections.namedtuple("place", "path body_begin body_end begin end")


class misfit(Exception):
    pass


# --- the table -----------------------------------------------------------------------------------------------

def read_table(path=TABLE):
    """The mutants of a file; its head says how it is written."""
    found, lines = [], []
    with open(path, encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            line = line.rstrip("\n")
            if line.startswith("#") or not line.strip():
                continue
            if not line.startswith(" "):
                found.append([number, line])
            elif not found:
                raise misfit("%s:%d: found a line before the first mutant" % (path, number))
            else:
                found[-1].append(line.strip())
    for number, title, *lines in found:
        parts = dict.fromkeys("-+=")
        if not re.match(r"[\w ]+: ", title) or not lines or lines[0][0] in parts:
            raise misfit("%s:%d: found '%s', expected 'rule: what it does' and then a function" % (path, number, title))
        for line in lines[1:]:
            if line[:1] not in parts or parts[line[0]] is not None:
                raise misfit("%s:%d: found '%s', expected each of - + = at most once" % (path, number, line))
            parts[line[0]] = line[1:].strip()
        if not parts["-"]:
            raise misfit("%s:%d: found no line that begins with -" % (path, number))
        rule, what = title.split(": ", 1)
        yield mutant(rule, what, lines[0], parts["-"], parts["+"] or "", parts["="])


def field_mutants(source_dir, folder="models/timing/include/sfpu/timing"):
    """Fields of the planner's state: each is left out of the list that comparison and hash follow."""
    for name in sorted(os.listdir(os.path.join(source_dir, folder))):
        text = read(source_dir, folder + "/" + name)
        for owner, whole, fields in re.findall(
                r"fields_of\(const (\w+)& x\) \{[^}]*?(return std::(?:tie|make_tuple)\((.*)\);)", text):
            for field in fields.split(", "):
                yield mutant("state", "%s of %s is left out" % (field, owner), "fields_of", whole, "", None, field)


def all_mutants(source_dir):
    return list(read_table()) + list(field_mutants(source_dir))


# --- where they stand ----------------------------------------------------------------------------------------

TEXTS = r"R\"(?P<mark>\w*)\(.*?\)(?P=mark)\"|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])'"
COMMENTS = r"//[^\n]*|/\*.*?\*/"
TOKEN = re.compile(TEXTS + r"|[A-Za-z_]\w*|\d[\w.]*(?:'\w+)*|\S", re.DOTALL)
LABELS = re.compile(r"^((public|private|protected)\s*:\s*|template\s*<[^{]*?>\s*(?=\w)|\[\[.*?\]\]\s*|inline\s+|typedef\s+)+")


def read(source_dir, path):
    with open(os.path.join(source_dir, path), encoding="utf-8") as file:
        return file.read()


def blanked(source, is_blanked):
    """The source with spaces for some of its comments, texts and lines of the preprocessor; all else keeps its place."""
    every = re.compile(TEXTS + "|" + COMMENTS + r"|^[ \t]*#[^\n]*", re.DOTALL | re.MULTILINE)
    return every.sub(lambda found: re.sub(r"[^\n]", " ", found.group()) if is_blanked(found.group()) else found.group(),
                     source)


def without_comments(source):
    return blanked(source, lambda text: text.startswith(("//", "/*")))


def without_texts(source):
    """Without comments, texts, characters and the preprocessor's lines: all braces left are code."""
    return blanked(source, lambda text: True)


def name_in(head):
    """The name that a function's head declares; None if it has none."""
    found = re.search(r"(?:^|[\s*&>])((?:[\w]+(?:<[\w:, ]*>)?::)*(?:~?\w+|operator\s*[^\s(\w]+|operator\s*\(\)))\s*\((?!\()",
                      re.sub(r"\b(alignas|decltype|__attribute__|noexcept)\s*\(+[^()]*\)+", "", head))
    return re.sub(r"<[^>]*>|\s", "", found.group(1)) if found else None


def functions_of(source, path=""):
    """All functions of a source that have a body."""
    code = without_texts(source)
    scopes, found, statement, at = [], [], 0, 0
    while at < len(code):
        if code[at] == ";":
            statement = at + 1
        elif code[at] == "}":
            statement = at + 1
            if scopes:
                scopes.pop()
        elif code[at] == "{":
            head = LABELS.sub("", code[statement:at].strip())
            is_function = re.search(r"\)(\s*(const|noexcept|override|final))*(\s*->[^;{]*)?$", head)
            scope = re.match(r"(?:namespace|class|struct|union|enum|extern)\b\s*(?:class\s+|alignas\([^)]*\)\s*)?([\w:]*)", head)
            if scope and not is_function:
                scopes.append(scope.group(1))
            else:
                begin, at = at, closing_brace(code, at)
                name = name_in(head) if is_function else None
                if name:
                    found.append(function("::".join([each for each in scopes if each] + [name]), path, begin + 1, at))
            statement = at + 1
        at += 1
    return found


def closing_brace(code, at):
    depth = 0
    while True:
        depth += {"{": 1, "}": -1}.get(code[at], 0)
        if depth == 0:
            return at
        at += 1


def tokens_of(code, begin=0, end=None):
    return [(found.group(), found.start(), found.end()) for found in TOKEN.finditer(code, begin, len(code) if end is None else end)]


def occurrences(code, one, pattern):
    """Where the tokens of a pattern stand in a function; `code` is its source without comments."""
    wanted = [text for text, _, _ in tokens_of(pattern)]
    tokens = tokens_of(code, one.begin, one.end)
    texts = [text for text, _, _ in tokens]
    for i in range(len(texts) - len(wanted) + 1):
        if texts[i:i + len(wanted)] == wanted:
            yield place(one.path, one.begin, one.end, tokens[i][1], tokens[i + len(wanted) - 1][2])


class sources:
    """The functions of a tree, read as far as somebody asks for them."""

    def __init__(self, source_dir):
        self.source_dir = source_dir
        self.texts = {}
        for top in FOLDERS:
            for folder, _, names in os.walk(os.path.join(source_dir, top)):
                for name in sorted(names):
                    if name.endswith((".h", ".cpp")):
                        path = os.path.relpath(os.path.join(folder, name), source_dir)
                        self.texts[path] = read(source_dir, path)

    @functools.lru_cache(maxsize=None)
    def code(self, path):
        return without_comments(self.texts[path])

    @functools.lru_cache(maxsize=None)
    def functions(self, path):
        return functions_of(self.texts[path], path)

    @functools.lru_cache(maxsize=None)
    def named(self, name):
        """Functions whose name ends in this one, scope by scope."""
        last = name.rsplit("::", 1)[-1]
        return [one for path, text in sorted(self.texts.items()) if last in text
                for one in self.functions(path) if ("::" + one.name).endswith("::" + name)]

    def place_of(self, one):
        """Where a mutant stands; raises misfit unless that is one place."""
        functions = self.named(one.function)
        if not functions:
            raise misfit("no function %s has a body" % one.function)
        found = [where for each in functions for where in occurrences(self.code(each.path), each, one.old)]
        if len(found) == 1:
            return found[0]
        where = ", ".join("%s:%d" % (each.path, self.texts[each.path].count("\n", 0, each.begin) + 1) for each in functions)
        if found:
            raise misfit("%s (%s) has `%s` %d times" % (one.function, where, one.old, len(found)))
        raise misfit("%s (%s) does not have `%s`%s" % (one.function, where, one.old, self.elsewhere(one.old)))

    def elsewhere(self, pattern):
        """A hint: which other functions have a pattern."""
        rarest = max((text for text, _, _ in tokens_of(pattern)), key=len)
        names = sorted({each.name for path, text in self.texts.items() if rarest in text
                        for each in self.functions(path) if any(occurrences(self.code(path), each, pattern))})
        return "; it stands in " + ", ".join(names[:5]) if names else ""


# --- behind switches -----------------------------------------------------------------------------------------

def switched(source, numbered):
    """A source file with some mutants, each a number, the mutant and its place: functions have a body for each."""
    bodies = collections.defaultdict(list)
    for number, one, where in numbered:
        bodies[where.body_begin, where.body_end].append((number, one, where))
    for (begin, end), changes in sorted(bodies.items(), reverse=True):
        body, choice = source[begin:end], ""
        for number, one, where in changes:
            if one.field:
                body = re.sub(r"(return std::\w+\(.*?)((?<=[( ])%s)(?=[,)] ?)" % re.escape(one.field),
                              lambda m, n=number: "%smutations::left_out(%d, %s)" % (m.group(1), n, m.group(2)), body, count=1)
            else:
                choice += "if (mutations::has(%d)) { // %s: %s\n%s\n} else " % (
                    number, one.rule, one.what, source[begin:where.begin] + one.new + source[where.end:end])
        source = source[:begin] + (choice + "{\n" + body + "\n}\n" if choice else body) + source[end:]
    return with_include(source, "#include <sfpu/common/mutation_switch.h>\n")


def with_include(source, line):
    """The line stands before the first include, or behind #pragma once."""
    if "#pragma once" in source:
        at = source.index("\n", source.index("#pragma once")) + 1
    else:
        at = source.index("#include")
    return source[:at] + line + source[at:]
