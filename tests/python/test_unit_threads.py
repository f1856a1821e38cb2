"""sfpu.Unit in several threads, in forked processes, and at the end of the interpreter."""
import os
import signal
import subprocess
import sys
import threading
import time
import traceback

import numpy as np
import pytest

import sfpu

WORD = int(sfpu.assemble("sfpadd L0, L10, L0, L0, 0\n")[0])  # doubles L0


def in_threads(*functions):
    """Runs each function in a thread of its own, all at once. Raises what one of them raises."""
    problems = []

    def guarded(function):
        try:
            function()
        except BaseException as problem:  # noqa: B902
            problems.append(problem)

    threads = [threading.Thread(target=guarded, args=(each,)) for each in functions]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    if problems:
        raise problems[0]


class LongPush:
    """A push to a unit, in a thread of its own, as one call that no step of Python divides."""

    def __init__(self, unit, count):
        words = np.full(count, WORD, dtype=np.uint32)
        self.issued, self.problem, self.is_over = None, None, False
        begins = threading.Event()

        def work():
            begins.set()
            try:
                self.issued = unit._unit.push(words, 0)
            except RuntimeError as problem:
                self.problem = str(problem)
            self.is_over = True

        self.thread = threading.Thread(target=work)
        self.thread.start()
        begins.wait()
        time.sleep(0.001)

    def goes_on(self):
        """Whether the call has not returned, though its thread could have had Python's lock for a while."""
        time.sleep(0.005)
        return not self.is_over


def during_a_long_push(action):
    """What `action` gives while another thread is in a push, before and after it. Has several tries."""
    for count in (5 * 10**5, 2 * 10**6, 5 * 10**6, 10**7):
        with sfpu.Unit() as unit:
            push = LongPush(unit, count)
            went_on, result, goes_on = push.goes_on(), action(), push.goes_on()
            push.thread.join()
        if went_on and goes_on:
            return result
    raise AssertionError("nothing else happened during any push")


def test_threads_may_use_units_at_the_same_time():
    def work(value):
        for _ in range(20):
            with sfpu.Unit() as unit:
                unit.set_lreg(0, float(value))
                unit.push("sfpadd L0, L10, L0, L1, 0\n")
                unit.settle()
                assert unit.lreg(1, np.float32)[0] == 2 * value

    in_threads(*(lambda value=value: work(value) for value in range(8)))


def test_a_unit_works_while_another_thread_pushes_to_its_own():
    def use_another():
        with sfpu.Unit() as other:
            other.set_lreg(0, 1.0)
            other.push([WORD] * 100)
            other.settle()
            return other.lreg(0, np.float32)[0]

    assert during_a_long_push(use_another) == 2.0**100


def test_units_in_parallel_give_the_results_of_units_in_turn(kernels):
    words = sfpu.assemble((kernels / "recip_macro.s").read_text())

    def result_of(seed):
        with sfpu.Unit() as unit:
            unit.dst = np.random.default_rng(seed).integers(0, 2**16, (1024, 16))
            issued = [unit.push(np.tile(words, 20)) for _ in range(10)]
            unit.settle()
            return np.concatenate(issued).tobytes(), unit.dst.tobytes(), unit.timeline, unit.diagnostics

    in_turn = [result_of(seed) for seed in range(4)]
    in_parallel = [None] * 4

    def work(seed):
        in_parallel[seed] = result_of(seed)

    in_threads(*(lambda seed=seed: work(seed) for seed in range(4)))
    assert in_parallel == in_turn


@pytest.mark.parametrize("count", [1, 64, 65, 1000])
def test_calls_of_one_unit_by_several_threads_take_turns(count):
    words, times = [WORD] * count, 40
    unit, issued = sfpu.Unit(), [[], [], []]

    def push(thread):
        for _ in range(times):
            issued[thread].append([int(cycle) for cycle in unit.push(words, thread)])

    def look():
        for _ in range(times if count < 1000 else 4):  # a long timeline is a long list
            assert len(unit.timeline) % count == 0  # a push is seen whole or not at all
            unit.lreg(0), unit.dst, unit.diagnostics, unit.cycle, unit.read(0, "f32")
            assert len(unit.copy().timeline) % count == 0

    in_threads(*(lambda thread=thread: push(thread) for thread in range(3)), look)
    pushes = sorted(push for each in issued for push in each)
    assert len(unit.timeline) == 3 * times * count == sum(map(len, pushes))
    assert all(first[-1] < second[0] for first, second in zip(pushes, pushes[1:]))


def test_a_unit_that_is_closed_during_a_push_closes_behind_it():
    unit = sfpu.Unit()
    push = LongPush(unit, 10**5)
    unit.close()
    push.thread.join()
    with pytest.raises(RuntimeError, match="closed"):
        unit.lreg(0)
    # Whichever came first.
    assert "closed" in push.problem if push.issued is None else len(push.issued) == len(unit.timeline) == 10**5


def in_a_child(work):
    """Forks. Whether `work` gives true in the child within a minute."""
    child = os.fork()
    if child == 0:
        try:
            signal.alarm(60)
            os._exit(0 if work() else 1)
        except BaseException:
            traceback.print_exc()
            os._exit(2)
    return os.waitpid(child, 0)[1] == 0


def test_a_fork_during_a_push_has_the_unit_behind_the_push():
    unit = sfpu.Unit()
    push = LongPush(unit, 10**5)
    assert in_a_child(lambda: len(unit.timeline) in (0, 10**5) and unit.push([WORD] * 100)[-1] == unit.cycle - 1)
    push.thread.join()
    assert len(unit.timeline) == 10**5 and unit.cycle == 2 * 10**5 - 1  # each word waits a cycle for the one before


def test_parent_and_child_continue_the_same_unit_to_the_same_bytes():
    unit = sfpu.Unit()
    unit.set_lreg(0, 1.0)
    unit.push([WORD] * 100)
    twin = unit.copy()

    def go_on():
        unit.push([WORD] * 200)
        unit.settle()
        return unit.lreg(0).tobytes(), unit.cycle, unit.timeline

    there, here = os.pipe()
    assert in_a_child(lambda: os.write(here, repr(go_on()[:2]).encode()))
    assert repr(go_on()[:2]).encode() == os.read(there, 1000)
    twin.push([WORD] * 200)  # what the child did is not seen here
    assert twin.cycle < unit.cycle


def test_forks_of_two_threads_while_others_push_leave_all_units_of_use():
    units, is_over = [sfpu.Unit() for _ in range(3)], threading.Event()

    def push(unit, count):
        while not is_over.is_set():
            unit.push([WORD] * count)
            unit.copy().settle()
            if unit.cycle > 10**5:
                unit.reset()

    def use_all():
        for unit in (*units, sfpu.Unit()):
            unit.reset()
            unit.set_lreg(0, 1.0)
            unit.push([WORD] * 100)
            unit.settle()
            assert unit.lreg(0, np.float32)[0] == 2.0**100
        return True

    def fork():
        assert all(in_a_child(use_all) for _ in range(20))

    def fork_and_end():
        try:
            in_threads(fork, fork)
        finally:
            is_over.set()

    in_threads(fork_and_end, *(lambda unit=unit, count=count: push(unit, count)
                               for unit, count in zip(units, (30, 1000, 20000))))


@pytest.mark.parametrize("count", [30, 20000])
def test_the_end_of_the_interpreter_does_not_disturb_calls_of_daemon_threads(count):
    program = """
import sfpu, threading, time

def work():
    unit = sfpu.Unit()
    while True:
        unit.push([%d] * %d)
        unit.copy().settle()
        if unit.cycle > 10**5:
            unit.reset()

for _ in range(3):
    threading.Thread(target=work, daemon=True).start()
time.sleep(0.1)
""" % (WORD, count)
    for _ in range(3):
        done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False, timeout=120)
        assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
