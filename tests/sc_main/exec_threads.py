#!/usr/bin/env python3
"""exec with words of several threads: one issue slot, own counters, errors of the request.

The expectations are derived here from the rules: one word a cycle in turn (T22), two-cycle multiply-adds with their stall
(T3, T16), address counters of each thread's own.

usage: exec_threads.py SFPUSIM SOURCE_DIR
"""
import os
import random
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
from checks import check, run_tests  # noqa: E402
from exec_session import ask, converse, refused  # noqa: E402

SFPNOP = 0x8F000000


def hexadecimal(words):
    return ["%08x" % word for word in words]


def sfploadi(lreg, value):
    return 0x71020000 | lreg << 20 | value


def sfpmad(a, b, c, dest):
    return 0x84000000 | a << 16 | b << 12 | c << 8 | dest << 4


def sfpstore(lreg, addr_mod, address):
    return 0x72060000 | lreg << 20 | addr_mod << 13 | address


def incrwc(dst):
    return 0x38000000 | dst << 14


def issues(answer):
    """(cycle, thread, word) of every issued word."""
    return [(entry["cycle"], entry["thread"], entry["word"]) for entry in answer["timeline"]
            if entry["origin"] == "issued" and entry["text"] not in ("thread-slot", "mad-dependence", "swap", "shuffle")]


# --- one issue slot a cycle ---------------------------------------------------------------------------------------------

def in_turn():
    threads = [0] * 200 + [1] * 200 + [2] * 200
    request = {"words": hexadecimal([SFPNOP] * 600), "thread": threads, "timeline": True}
    answer = ask(request)
    expected = [(cycle, cycle % 3, 200 * (cycle % 3) + cycle // 3) for cycle in range(600)]
    check(issues(answer) == expected, "three threads take turns")
    check(answer["stalls"] == {"thread-slot": 3 * 2 * 199 + 1 + 2}, "each is held for two cycles of three: %s" % answer["stalls"])
    # Word n of thread t goes in cycle 3 n + t: the first waits t cycles, each of the 199 others two.
    check([thread["stalls"] for thread in answer["threads"]] == [{"thread-slot": 398 + thread} for thread in range(3)],
          "by thread: %s" % answer["threads"])
    held = [entry for entry in answer["timeline"] if entry["text"] == "thread-slot"]
    check(len(held) == 3 * 2 * 199 + 1 + 2, "the timeline has the stalls")
    check(held[:2] == [{"cycle": 0, "unit": "issue", "text": "thread-slot", "origin": "issued", "word": word,
                        "thread": thread, "discarded": False} for thread, word in ((1, 200), (2, 400))],
          "with thread and word: %s" % held[:2])
    cycles = [entry["cycle"] for entry in answer["timeline"]]
    check(cycles == sorted(cycles), "the timeline is in order")

    fixed = ask({**request, "parameters": {"issue.thread_order": "fixed"}})
    check([thread for _, thread, _ in issues(fixed)] == sorted(threads), "in the fixed order the lowest thread goes first")


def stalls_leave_the_slot():
    # The second multiply-add of thread 0 waits in cycle 1 for the result of the first; thread 1 takes that cycle. In
    # cycle 2 it is thread 0's turn, thread 1 waits.
    words = [sfpmad(0, 1, 2, 3), sfpmad(3, 1, 2, 4), sfploadi(5, 1), sfploadi(6, 2)]
    answer = ask({"words": hexadecimal(words), "thread": [0, 0, 1, 1], "bubbles": [0, 0, 1, 0], "timeline": True})
    check(issues(answer) == [(0, 0, 0), (1, 1, 2), (2, 0, 1), (3, 1, 3)], "the stalled thread leaves the slot: %s" % issues(answer))
    check(answer["stalls"] == {"mad-dependence": 1, "thread-slot": 1}, "causes: %s" % answer["stalls"])
    check([thread["stalls"] for thread in answer["threads"]] == [{"mad-dependence": 1}, {"thread-slot": 1}, {}],
          "each thread has its own: %s" % answer["threads"])


def bubbles():
    # Counted from the acceptance of the thread's own previous word: thread 1 comes in 2, and then in 2 + 1 + 3.
    answer = ask({"words": hexadecimal([SFPNOP] * 6), "thread": [0, 0, 0, 0, 1, 1], "bubbles": [0, 0, 0, 0, 2, 3],
                  "timeline": True, "parameters": {"issue.thread_order": "fixed"}})
    check(issues(answer) == [(0, 0, 0), (1, 0, 1), (2, 0, 2), (3, 0, 3), (4, 1, 4), (8, 1, 5)],
          "bubbles of the own thread: %s" % issues(answer))


def one_thread_is_as_without():
    source = random.Random(5)
    words = [source.choice([sfpmad(0, 1, 2, 3), sfpmad(3, 1, 2, 4), sfpstore(3, 3, 0), incrwc(4), SFPNOP]) for _ in range(200)]
    bubbles_before = [source.choice([0, 0, 0, 1, 5]) for _ in words]
    config = {"addr_mod_dst": [0, 0, 0, 4, 0, 0, 0, 0], "math_offset": 8}
    plain = {"words": hexadecimal(words), "bubbles": bubbles_before, "config": config, "timeline": True}
    expected, zero, one = converse([plain, {**plain, "thread": 0}, {**plain, "thread": [1] * len(words)}])
    for answer, thread in ((zero, 0), (one, 1)):
        check([entry.pop("thread") for entry in answer["timeline"]] == [thread] * len(answer["timeline"]), "one thread")
        for diagnostic in answer["diagnostics"]:
            diagnostic.pop("thread")
        rwc = answer.pop("threads")
        check(rwc[thread]["rwc"] == expected["rwc"], "its counters")
        answer["rwc"] = expected["rwc"]
        check(answer == expected, "a program of thread %d is as one without threads" % thread)


# --- what is a thread's own ---------------------------------------------------------------------------------------------

def own_state():
    words, threads = [], []
    for step in range(8):
        for thread in range(3):
            words += [incrwc(2 * thread + 2), sfpstore(thread, 3, 0)]
            threads += [thread] * 2
    configs = [{"math_offset": 300 * t, "dst_rwc": 4 * t, "addr_mod_dst": [0, 0, 0, 4 * t + 2, 0, 0, 0, 0]} for t in range(3)]
    request = {"words": hexadecimal(words), "thread": threads, "lreg": {str(t): "%08x" % (0x100 + t) for t in range(3)},
               "config": {"sp_rwc": 5, "threads": configs}}
    dst, counters = {}, [4 * t for t in range(3)]
    for step in range(8):
        for t in range(3):
            counters[t] += 2 * t + 2
            address = 300 * t + counters[t] + (5 & 3)
            for row in range(4):
                for column in range(8):
                    dst.setdefault((address & ~3) + row, [0] * 16)[2 * column + (address >> 1 & 1)] = 0x100 + t
            counters[t] += 4 * t + 2
    answer = ask(request)
    check(answer["dst"] == {str(row): ["%04x" % cell for cell in dst[row]] for row in sorted(dst)}, "addresses of three threads")
    check([t["rwc"] for t in answer["threads"]] == [{"dst": counters[t], "dst_cr": 4 * t * 0, "sp": 5} for t in range(3)],
          "counters of three threads: %s" % answer["threads"])
    check(answer["rwc"] == answer["threads"][0]["rwc"], "rwc is that of thread 0")
    check("threads" not in ask({"words": ["8f000000"]}), "threads only if asked")


def scheduled_stores_belong_to_their_macro():
    # Thread 0's SFPLOADMACRO of row 0 schedules a store three instructions later, with the address of its load; thread 1
    # issues those instructions and walks its own counter.
    words = [0x93000000 | 6 << 16] + [incrwc(8), SFPNOP, SFPNOP, SFPNOP, SFPNOP, SFPNOP]
    macro = {"template": ["00000000"] * 4, "sequence": ["%08x" % ((3 | 2 << 3) << 24), "00000000", "00000000", "00000000"],
             "misc": "010"}
    request = {"words": hexadecimal(words), "thread": [0] + [1] * 6, "macro": macro, "timeline": True,
               "config": {"threads": [{"math_offset": 16}, {"math_offset": 64}, {}]}, "dst": {"16": ["0007"] * 16}}
    answer = ask(request)
    scheduled = [entry for entry in answer["timeline"] if entry["origin"] == "macro"]
    check([(entry["unit"], entry["thread"], entry["word"]) for entry in scheduled] == [("store", 0, 0)],
          "a scheduled word is its macro's thread's: %s" % scheduled)
    check(answer["dst"] == {}, "it went to row 16, where the value came from: %s" % answer["dst"])


# --- front end ------------------------------------------------------------------------------------------------------------

def through_front_ends():
    replay_load = 0x04000000 | 0 << 14 | 4 << 4 | 1
    replay_play = 0x04000000 | 0 << 14 | 4 << 4
    sempost, semwait = 0xA4000000 | 1 << 2, 0xA6000000 | 0x1FF << 15 | 1 << 2 | 1
    # Thread 0 plays four words, then posts; thread 1 waits for that. Each thread has its own replay buffer.
    words = [replay_load] + [sfploadi(0, i) for i in range(4)] + [replay_play, sempost] + [semwait, sfploadi(1, 7)]
    answer = ask({"words": hexadecimal(words), "thread": [0] * 7 + [1] * 2, "timeline": True})
    cycle_of = {(thread, word): cycle for cycle, thread, word in issues(answer)}
    check(cycle_of[(1, 7)] == 0, "the wait passes first: %s" % cycle_of)
    check(cycle_of[(1, 8)] == cycle_of[(0, 6)] + 2, "the wait sees the post a cycle later, its lag is another: %s" % cycle_of)

    # A MOP of each thread's own configuration.
    configs = [{"mop_cfg": hexadecimal([2, 2, 0x02000000, 0x02000000, 0x02000000, sfploadi(t, t), 0x02000000, sfploadi(t, t), sfploadi(t, t)])}
               for t in range(3)]
    answer = ask({"words": ["01800000"] * 3, "thread": [0, 1, 2], "timeline": True, "config": {"threads": configs}})
    order = [thread for _, thread, _ in issues(answer)]
    check(sorted(order) == [0] * 4 + [1] * 4 + [2] * 4 and order[:3] == [0, 1, 2], "three MOPs take turns: %s" % order)
    check([answer["lreg"][str(t)] for t in range(3)] == [["%08x" % t] * 32 for t in range(3)], "each issues its own words")

    held = ask({"words": hexadecimal([semwait, SFPNOP, SFPNOP]), "thread": [2, 2, 0]})
    check([d["id"] for d in held["diagnostics"]] == ["/sfpu/frontend/never-released"], "a thread that waits for ever is reported")


def a_mutex_keeps_words_of_other_threads_out():
    atgetm, atrelm = 0xA0000000, 0xA1000000
    # Both ask for mutex 2 in cycle 0; thread 0 has the slot, issues two words and releases in cycle 3.
    words = [atgetm | 2, sfploadi(0, 1), sfploadi(0, 2), atrelm | 2] + [atgetm | 2, sfploadi(1, 7), atrelm | 2]
    answer = ask({"words": hexadecimal(words), "thread": [0] * 4 + [1] * 3, "timeline": True})
    check([(cycle, thread) for cycle, thread, _ in issues(answer)] == [(n, 0) for n in range(4)] + [(n, 1) for n in range(4, 7)],
          "one behind the other: %s" % issues(answer))
    check(answer["diagnostics"] == [], "mutexes are modelled: %s" % answer["diagnostics"])
    for held in ({"words": hexadecimal([atgetm, atgetm, SFPNOP]), "thread": [0, 1, 1]}, {"words": hexadecimal([atrelm | 1, SFPNOP])}):
        answer = ask(held)
        check([d["id"] for d in answer["diagnostics"]] == ["/sfpu/frontend/never-released"], "held for ever: %s" % answer["diagnostics"])


def a_wait_for_the_unit_ends_by_the_words_of_another_thread():
    # Thread 0 schedules a store that counts instructions (delay 2) in cycle 0 and issues the next words from cycle 21 on: it
    # executes in cycle 23 (T1, T10). Thread 1 waits for an idle unit (T20); nothing moves between cycles 1 and 21.
    stallwait_sfpu = 0xA2000000 | 0x100 << 15 | 1 << 11
    macro = {"template": ["00000000"] * 4, "sequence": ["%08x" % ((3 | 2 << 3) << 24), "00000000", "00000000", "00000000"],
             "misc": "810"}
    words = [0x93000000 | 6 << 16] + [SFPNOP] * 8 + [stallwait_sfpu, sfploadi(1, 7)]
    answer = ask({"words": hexadecimal(words), "thread": [0] * 9 + [1] * 2, "bubbles": [0, 20] + [0] * 7 + [1, 0],
                  "macro": macro, "timeline": True})
    check(answer["diagnostics"] == [], "nobody waits for ever: %s" % answer["diagnostics"])
    store = [entry["cycle"] for entry in answer["timeline"] if entry["origin"] == "macro"]
    check(store == [23], "the store is in cycle 23: %s" % store)
    waited = [cycle for cycle, thread, word in issues(answer) if word == 10]
    check(len(waited) == 1 and 24 <= waited[0] <= 26, "the wait ends behind it, with a lag of a cycle: %s" % waited)


# --- macros of several threads (tt-metal 50399) --------------------------------------------------------------------------

MACRO_SETUPS = ("7d0000c1 710a0044 71084b00 91000040 91091081 8f000000 8f000000 93130000",
                "800000c0 710a0054 71085b00 91000040 91091081 8f000000 8f000000 93230040")


def other_thread(words, threads):
    answer = ask({"words": words, "thread": threads})
    return [(d["word"], d["severity"], d["message"]) for d in answer["diagnostics"] if d["id"] == "/sfpu/macro/other-thread"]


def macros_that_another_thread_overwrote_are_reported():
    setups = [text.split() for text in MACRO_SETUPS]
    drain = ["8f000000"] * 8
    found = other_thread(setups[0] + drain + setups[1] + drain, [0] * 16 + [1] * 16)
    check([(word, level) for word, level, _ in found] == [(7, "warning")], "thread 0 alone has lost its own: %s" % found)
    for text in ("thread 0", "thread 1", "template 0", "sequence 0", "Misc"):
        check(text in found[0][2], "%s is named: %s" % (text, found[0][2]))
    # One behind the other is as it should be, and so is another template and another macro for the second thread; Misc is
    # shared, and only the first writes it.
    check(other_thread(setups[0] + drain + setups[1] + drain, [0] * 32) == [], "one thread may set up anew")
    apart = ["800000d0", "710a0055", "71085b00", "91000050", "8f000000", "8f000000", "8f000000", "93630040"]
    check(other_thread(setups[0] + drain + apart + drain, [0] * 16 + [1] * 16) == [], "parts of its own")
    relies = setups[0][:7] + drain + ["8f000000"] * 8 + [setups[0][7]]
    check(other_thread(relies, [0] * 15 + [1] * 9) == [], "one thread sets up for the other on purpose")


# --- errors ---------------------------------------------------------------------------------------------------------------

def errors():
    words = ["8f000000"] * 3
    refused({"words": words, "thread": [0, 1]}, "bad-request", "thread: found 2 of them", "3 words")
    refused({"words": words, "thread": [0, 1, 2, 0]}, "bad-request", "thread: found 4 of them", "3 words")
    refused({"words": words, "thread": 3}, "bad-request", "thread: found 3", "0 to 2")
    refused({"words": words, "thread": [0, -1, 0]}, "bad-request", "thread[1]", "0 to 2")
    refused({"words": words, "thread": "0"}, "bad-request", "thread: found '0'", "array")
    refused({"words": words, "thread": [0, "1", 0]}, "bad-request", "thread[1]", "0 to 2")
    refused({"words": words, "config": {"threads": [{}, {}]}}, "bad-request", "config.threads", "3 objects of settings")
    refused({"words": words, "config": {"threads": {}}}, "bad-request", "config.threads", "3 objects of settings")
    refused({"words": words, "config": {"threads": [{}, {"dst_rwx": 1}, {}]}}, "bad-request", "config.threads[1]: unknown setting 'dst_rwx'", "dst_rwc")
    refused({"words": words, "config": {"threads": [{}, {"dst_rwc": 1024}, {}]}}, "bad-request", "config.threads[1].dst_rwc: found 1024", "1023")
    refused({"words": words, "config": {"threads": [{}, {}, {"addr_mod_dst": [0, 0, 0, 0, "x", 0, 0, 0]}]}}, "bad-request",
            "config.threads[2].addr_mod_dst[4]", "'x'")
    refused({"words": words, "config": {"threads": [{"semaphores": [0] * 8}, {}, {}]}}, "bad-request", "config.threads[0]", "semaphores", "share")
    refused({"words": words, "thraed": 0}, "bad-request", "unknown field 'thraed'", "thread")
    refused({"words": words, "parameters": {"issue.thread_order": "random"}}, "bad-request", "issue.thread_order", "round_robin", "fixed")


sys.exit(run_tests((in_turn, stalls_leave_the_slot, bubbles, one_thread_is_as_without, own_state,
                    scheduled_stores_belong_to_their_macro, through_front_ends, a_mutex_keeps_words_of_other_threads_out,
                    a_wait_for_the_unit_ends_by_the_words_of_another_thread,
                    macros_that_another_thread_overwrote_are_reported, errors)))
