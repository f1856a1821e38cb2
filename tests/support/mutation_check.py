#!/usr/bin/env python3
"""Shows that the tests notice wrong code: changed timing rules, and wrong answers of the libraries above the
models. mutants.txt lists the mutants. A copy of the sources gets all of them at once, each behind a switch that
the environment variable SFPU_MUTATION sets when a program starts; the copy is built once, and its tests run for
one mutant after the other until one fails. Small test programs with the mutated library go first, for all
mutants; then all other tests, for what is left. `./test --all` calls it.

usage: mutation_check.py [--jobs N] WORK_DIR [RULE...]     mutation_check.py build-mutants T1 T10 state
       mutation_check.py --check                           only says whether all mutants fit the sources

WORK_DIR is created; the copy and its build in it are used again. N programs run at a time (one for each
processor). What was found out is kept there: called again with the same sources it goes on where it stopped;
with others it begins with the tests that noticed a mutant before. A program that takes much more processor time
than without a mutant has noticed it. Rules are those of mutants.txt, `state` (fields of the planner's state), or
a word of what a mutant does.
Exit code 0 if every mutant that changes anything is noticed, 1 if one is not, 2 if something cannot be built or
a mutant no longer fits the sources.
"""
import argparse
import collections
import concurrent.futures
import hashlib
import json
import os
import re
import resource
import shutil
import signal
import subprocess
import sys
import threading
import time

import mutants

SOURCE_DIR = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

# What is run, the most telling first, until something fails: a program, which of its tests, and the folders whose
# mutants it can notice. `rule_tests` has unit tests of the models that are built quickly, `analysis_tests` has
# those of answers.
stage = collections.namedtuple("stage", "program what folders")
RULES = ("models/timing/", "models/isa/", "models/frontend/core/", "models/vector_unit/core/", "models/probe/", "traces/",
         "platforms/program_runner/")
MODELS = ("models/", "platforms/")
STAGES = [
    stage("rule_tests", "-*predication*:*semantics*", RULES),
    stage("rule_tests", "*predication*:*semantics*", RULES),
    stage("analysis_tests", "*", ("analysis/", "views/")),
    stage("tlm_tests", "plans*:push_order*", MODELS),
    stage("sfpusim", "exec_threads.py", MODELS),
    stage("tlm_tests", "-plans*:push_order*", MODELS),
    stage("system_tests", "core_and_modules*", MODELS),
    stage("sfpusim", "vectors", MODELS),
    stage("system_tests", "*", ("",)),
    stage("optimizer_tests", "*", ("analysis/optimizer/",)),
    stage("sfpusim", "explore_command.py", ("analysis/exploration/",)),
    stage("sfpusim", "llk_command.py", ("analysis/library_check/",)),
]

MEMORY_LIMIT = 6 << 30  # of a program: some mutants never stop taking more


def stages_for(path):
    """Numbers of the stages whose programs contain the mutated file."""
    return [i for i, each in enumerate(STAGES) if path.startswith(each.folders)]


# --- programs --------------------------------------------------------------------------------------------------------


class took_too_long(Exception):
    pass


running = set()  # processes, each the first of a group of its own


def run(command, limits=None, environment=None, folder=None):
    """Output and exit code of a command; its whole group ends with it. Limits are seconds by the clock and, for each
    process, of processor time."""

    def limit():
        if limits:
            resource.setrlimit(resource.RLIMIT_CPU, (limits[1], limits[1]))
            resource.setrlimit(resource.RLIMIT_AS, (MEMORY_LIMIT, MEMORY_LIMIT))

    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, universal_newlines=True,
                               errors="replace", start_new_session=True, env=environment, cwd=folder, preexec_fn=limit)
    running.add(process)
    try:
        output, _ = process.communicate(timeout=limits[0] if limits else None)
    except subprocess.TimeoutExpired:
        raise took_too_long()
    finally:
        end_group(process)
        running.discard(process)
    if process.returncode in (-signal.SIGXCPU, -signal.SIGKILL):
        raise took_too_long()
    return output, process.returncode


def end_group(process):
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass
    process.wait()


def fail(text):
    print(text)
    sys.exit(2)


def read(path):
    with open(path, "rb") as file:
        return file.read()


def write_if_new(path, content):
    """Leaves a file that has the content as old as it is, for the build."""
    if not os.path.exists(path) or read(path) != content:
        with open(path, "wb") as file:
            file.write(content)


def source_files():
    for folder, folders, files in os.walk(SOURCE_DIR):
        folders[:] = sorted(name for name in folders if not name.startswith((".", "build")))
        yield os.path.relpath(folder, SOURCE_DIR), folders, sorted(files)


def hash_of_sources():
    total = hashlib.sha256()
    for folder, _, files in source_files():
        if folder.split(os.sep)[0] == "docs" or folder == os.path.join("traces", "examples"):
            continue
        for name in files:
            total.update(os.path.join(folder, name).encode())
            total.update(read(os.path.join(SOURCE_DIR, folder, name)))
    return total.hexdigest()


class workshop:
    """A copy of the sources with all mutants, and its build. `placed`: numbers, mutants and places."""

    def __init__(self, folder, placed):
        self.tree = os.path.join(folder, "tree")
        self.output = os.path.join(self.tree, "build")
        self.limits = {}  # of stages: seconds by the clock, seconds of processor time
        self.environment = {name: value for name, value in os.environ.items() if name not in ("CI", "SFPU_MUTATION")}
        self.copy_sources(placed)

    def copy_sources(self, placed):
        by_file = collections.defaultdict(list)
        for number, one, where in placed:
            if one.reason is None:
                by_file[where.path].append((number, one, where))
        for folder, folders, files in source_files():
            folder = "" if folder == "." else folder
            target = os.path.join(self.tree, folder)
            os.makedirs(target, exist_ok=True)
            for name in files:
                path = os.path.join(folder, name)
                content = read(os.path.join(SOURCE_DIR, path))
                if path in by_file:
                    content = mutants.switched(content.decode(), by_file[path]).encode()
                write_if_new(os.path.join(target, name), content)
                shutil.copymode(os.path.join(SOURCE_DIR, path), os.path.join(target, name))
            for name in set(os.listdir(target)) - set(files) - set(folders):
                path = os.path.join(target, name)
                if os.path.isfile(path) and os.path.relpath(path, self.tree) != mutants.SWITCH:
                    os.remove(path)
        write_if_new(os.path.join(self.tree, mutants.SWITCH), mutants.SWITCH_TEXT.encode())

    def command(self, *words):
        text, code = run(words, environment=self.environment, folder=self.tree)
        if code != 0:
            raise RuntimeError("the sources with mutants do not build:\n" + text[-6000:])

    def prepare(self, stage, jobs):
        """Builds what a stage runs and finds out what it takes without a mutant."""
        if not os.path.exists(os.path.join(self.output, "build.ninja")):
            self.command("cmake", "--preset", "release")
        self.command("cmake", "--build", self.output, "--target", STAGES[stage].program, "--parallel", str(jobs))
        begin, used = time.monotonic(), resource.getrusage(resource.RUSAGE_CHILDREN)
        failing = self.failing(stage, -1)
        if failing:
            raise RuntimeError("without a mutant this test fails: " + failing)
        now = resource.getrusage(resource.RUSAGE_CHILDREN)
        processor = now.ru_utime + now.ru_stime - used.ru_utime - used.ru_stime
        clock = time.monotonic() - begin
        # Several may run side by side, so that the clock says little.
        self.limits[stage] = (20 * jobs * max(clock, processor) + 120, int(4 * processor) + 10)

    def failing(self, stage, number, only="*"):
        """The first failing test of a stage with a mutant, None if all pass. Programs that crash or hang fail."""
        program, what, _ = STAGES[stage]
        limits = self.limits.get(stage)
        environment = dict(self.environment, SFPU_MUTATION=str(number))
        binary = os.path.join(self.output, "bin", "sfpusim")
        try:
            if what.endswith(".py"):
                script = os.path.join(self.tree, "tests", "sc_main", what)
                return None if run([sys.executable, script, binary, self.tree], limits, environment)[1] == 0 \
                    else "cli." + what[:-3]
            if what == "vectors":
                return self.failing_vectors(binary, limits, environment)
            text, _ = run([os.path.join(self.output, "tests", program), "--gtest_brief=1", "--gtest_fail_fast",
                           "--gtest_filter=" + (what if only == "*" else only)], limits, environment)
            found = re.search(r"^\[  FAILED  \] ([^\s,]+\.[^\s,]+)", text, re.MULTILINE)
            if found:
                return found.group(1)
            return None if re.search(r"tests? from \d+ test suites? ran", text) else program + " (ended early)"
        except took_too_long:
            return program + " (takes too long)"

    def failing_vectors(self, binary, limits, environment):
        """The first file of recorded programs whose results differ."""
        data = os.path.join(self.tree, "tests", "data")
        script = os.path.join(self.tree, "tests", "support", "compare_exec.py")
        for name in sorted(os.listdir(data)):
            if name.startswith("timing_") and run([sys.executable, script, binary, os.path.join(data, name)], limits,
                                                  environment)[1] != 0:
                return "vectors." + name.split(".")[0]
        return None


class judgement:
    """What is known of the mutants, shared by the jobs and kept in a file. `wanted`: numbers, mutants and places."""

    def __init__(self, wanted, path, sources):
        self.mutants = {number: one for number, one, _ in wanted}
        self.lock = threading.Lock()
        self.path, self.sources = path, sources
        self.total, self.done = len(wanted), collections.Counter()
        self.hints = {}  # by mutant: the stage and the test that noticed it
        self.survivors = []
        known, passed = {}, collections.defaultdict(set)
        if os.path.exists(path):
            with open(path, encoding="utf-8") as file:
                for line in file:
                    entry = json.loads(line)
                    if entry["by"]:
                        self.hints[entry["mutation"]] = entry["stage"], entry["by"]
                    if entry["sources"] == sources and entry["by"]:
                        known[entry["mutation"]] = entry["by"]
                    elif entry["sources"] == sources:
                        passed[entry["mutation"]].add(entry["stage"])
        self.left = []  # numbers and the stages that are still to be tried
        for number, one, where in wanted:
            key = self.key(one)
            stages = [each for each in stages_for(where.path) if each not in passed[key]]
            if key in known or one.reason is not None:
                self.report(one, known.get(key))
            elif not stages:
                self.report(one, None)
            else:
                self.left.append((number, stages))

    @staticmethod
    def key(one):
        return hashlib.sha256("\0".join(str(each) for each in one).encode()).hexdigest()[:16]

    def hint(self, number):
        return self.hints.get(self.key(self.mutants[number]), (None, None))

    def conclude(self, number, stage, by, is_last):
        """A stage has noticed the mutant, or has not."""
        with self.lock:
            with open(self.path, "a", encoding="utf-8") as file:
                file.write(json.dumps({"mutation": self.key(self.mutants[number]), "sources": self.sources, "by": by,
                                       "stage": stage}) + "\n")
            if by or is_last:
                self.report(self.mutants[number], by)

    def report(self, one, by):
        kind = "noticed" if by else "equivalent" if one.reason else "survive"
        self.done[kind] += 1
        if kind == "survive":
            self.survivors.append("%s: %s" % (one.rule, one.what))
        text = by if by else "equivalent: " + one.reason if one.reason else "SURVIVES"
        print("[%3d/%d] %-6s %-85s %s" % (sum(self.done.values()), self.total, one.rule, one.what, text), flush=True)


def try_stage(shop, judged, stage, jobs):
    """Runs one stage for each mutant that is left and has it."""
    left = [(number, stages) for number, stages in judged.left if stage in stages]
    if not left:
        return
    shop.prepare(stage, jobs)

    def one(task):
        number, stages = task
        hinted, test = judged.hint(number)
        by = None
        if hinted == stage and "." in test and "(" not in test and STAGES[stage].program.endswith("_tests"):
            by = shop.failing(stage, number, test)
            if by and "(" in by:
                by = None  # the test is no longer there
        by = by or shop.failing(stage, number)
        judged.conclude(number, stage, by, stages == [stage])
        return None if by else (number, [other for other in stages if other != stage])

    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        tried = dict(filter(None, pool.map(one, left)))
    numbers = {number for number, _ in left}
    judged.left = [(number, tried.get(number, stages)) for number, stages in judged.left
                   if number not in numbers or tried.get(number)]


def placed_mutants():
    """All mutants: numbers, what they are and where they stand. Ends the program if some do not fit the sources."""
    wrong, found = [], []
    try:
        every, tree = mutants.all_mutants(SOURCE_DIR), mutants.sources(SOURCE_DIR)
    except mutants.misfit as problem:
        fail(str(problem))
    for number, one in enumerate(every):
        try:
            found.append((number, one, tree.place_of(one)))
        except mutants.misfit as problem:
            wrong.append("%-6s %s: %s" % (one.rule, one.what, problem))
    if wrong:
        fail("\n".join(wrong))
    return found


def selected(placed, wanted):
    """The mutants of some rules, or whose description has one of some words; all if none is wanted."""
    known = {one.rule for _, one, _ in placed}
    result = []
    for name in wanted:
        found = [each for each in placed
                 if each[1].rule == name or (name not in known and name in each[1].what.split())]
        if not found:
            fail("no mutant of %s; there are %s" % (name, ", ".join(sorted(known))))
        result += [each for each in found if each not in result]
    return result if wanted else placed


def main():
    if sys.argv[1:] == ["--check"]:
        print("%d mutations fit the sources" % len(placed_mutants()))
        return 0
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("work_dir")
    parser.add_argument("rules", nargs="*")
    options = parser.parse_args()
    placed = placed_mutants()
    wanted = selected(placed, options.rules)
    begin = time.monotonic()
    folder = os.path.abspath(options.work_dir)
    shop = workshop(folder, placed)
    judged = judgement(wanted, os.path.join(folder, "results.jsonl"), hash_of_sources())
    try:
        for stage in range(len(STAGES)):
            try_stage(shop, judged, stage, options.jobs)
    except RuntimeError as problem:
        fail("the sources: %s" % problem)
    except KeyboardInterrupt:
        for process in list(running):
            end_group(process)
        fail("interrupted; the same command goes on from here")
    counts = ", ".join("%d %s" % (judged.done[kind], kind) for kind in ("noticed", "equivalent", "survive"))
    print("%d mutations: %s; %.0f s" % (judged.total, counts, time.monotonic() - begin))
    for line in judged.survivors:
        print(line)
    return 1 if judged.survivors else 0


if __name__ == "__main__":
    sys.exit(main())
