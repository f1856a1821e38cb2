#!/usr/bin/env python3
"""exec with words for the front end: MOP, MOP_CFG, REPLAY, STALLWAIT and semaphores.

The expansions here are written down from the public documentation and know nothing of the model.

usage: exec_frontend.py SFPUSIM SOURCE_DIR
"""
import os
import random
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
from checks import check, run_tests  # noqa: E402
from exec_session import ask, converse, refused  # noqa: E402

NOP, SFPNOP = 0x02000000, 0x8F000000
B8, BH_SFPU, WH_SFPU = 0x100, 1 << 11, 1 << 14


def hexadecimal(words):
    return ["%08x" % word for word in words]


def sfploadi(lreg, value):
    return 0x71020000 | lreg << 20 | value


def sfpadd(a, b, c, dest):
    return 0x85000000 | a << 16 | b << 12 | c << 8 | dest << 4


def sfpstore(lreg, address):
    return 0x72060000 | lreg << 20 | address


def replay(index, count, execute, load):
    return 0x04000000 | index << 14 | count << 4 | execute << 1 | load


def mop(template, count1=0, mask_lo=0):
    return 0x01000000 | template << 23 | count1 << 16 | mask_lo


def stallwait(block, condition):
    return 0xA2000000 | block << 15 | condition


def semwait(block, semaphores, condition):
    return 0xA6000000 | block << 15 | semaphores << 2 | condition


def expand_mop(word, config, mask_hi):
    """The generator of the ISA documentation, MOPExpander, in its own words."""
    def is_nop(instruction):
        return instruction >> 24 == 0x02
    out = []
    if not word >> 23 & 1:
        mask = mask_hi << 16 | word & 0xFFFF
        for i in range((word >> 16 & 127) + 1):
            skipped = mask >> i & 1
            if skipped:
                out.append(config[7])
            else:
                out.append(config[3])
                if config[1] & 2:
                    out += config[4:7]
            if config[1] & 1:
                out.append(config[8] if skipped else config[2])
        return out
    outer, inner = config[0] & 127, config[1] & 127
    start, end0, end1, body, second, last_of_all, last = config[2:]
    bodies = [body]
    if not is_nop(second):
        bodies, inner = [body, second], inner * 2
    if outer == 1 and inner == 0 and is_nop(start) and not is_nop(end0):
        outer += 128
    for j in range(outer):
        loop = [bodies[i % len(bodies)] for i in range(inner)]
        if loop:
            loop[-1] = last_of_all if j == outer - 1 else last
        ends = [] if is_nop(end0) else [end0] if is_nop(end1) else [end0, end1]
        out += ([] if is_nop(start) else [start]) + loop + ends
    return out


def expand(words, config=(0,) * 9, mask_hi=0):
    """Words and the indices of the words that they come from."""
    after_mop = []
    for index, word in enumerate(words):
        if word >> 24 == 0x03:
            mask_hi = word & 0xFFFF
        elif word >> 24 == 0x01:
            after_mop += [(each, index) for each in expand_mop(word, list(config), mask_hi)]
        else:
            after_mop.append((word, index))
    out, buffer, stream = [], [0] * 32, iter(after_mop)
    for word, index in stream:
        if word >> 24 != 0x04:
            out.append((word, index))
            continue
        first, count = word >> 14 & 31, (word >> 4 & 63) or 64
        for i in range(count):
            slot = (first + i) % 32
            if word & 1:
                loaded = next(stream, None)
                if loaded is None:
                    break
                buffer[slot] = loaded[0]
                if word & 2:
                    out.append(loaded)
            else:
                out.append((buffer[slot], index))
    return out


STATE = ("lreg", "lane_flags", "use_lane_flags", "lane_config", "macro", "dst", "prng", "rwc")


def compare_with_expansion(requests, timing):
    """Runs each request and the words that it expands to; `timing`: they must also agree in every cycle."""
    expansions = [expand([int(word, 16) for word in request["words"]],
                         [int(word, 16) for word in request.get("config", {}).get("mop_cfg", ["00000000"] * 9)],
                         request.get("config", {}).get("mop_mask_hi", 0)) for request in requests]
    twins = [{**request, "words": hexadecimal(word for word, _ in expansion)}
             for request, expansion in zip(requests, expansions)]
    for request, answer, twin, expansion in zip(requests, converse(requests), converse(twins), expansions):
        name = "program %s" % " ".join(request["words"][:12])
        if not answer["ok"] or not twin["ok"]:
            check(False, "%s: %s / %s" % (name, answer.get("error"), twin.get("error")))
            continue
        check(all(answer[field] == twin[field] for field in STATE), "%s: the state of its expansion" % name)
        if not timing:
            order = [(event["text"], event["word"]) for event in answer["timeline"] if event["origin"] == "issued"
                     and event["text"] not in ("mad-dependence", "swap", "shuffle")]
            expected = [(event["text"], expansion[event["word"]][1]) for event in twin["timeline"]
                        if event["origin"] == "issued" and event["text"] not in ("mad-dependence", "swap", "shuffle")]
            check(order == expected, "%s: the instructions of its expansion in order" % name)
            continue
        for event in twin["timeline"]:
            event["word"] = expansion[event["word"]][1]
        check(answer["timeline"] == twin["timeline"], "%s: the timeline of its expansion" % name)
        check(answer["cycles"] == twin["cycles"] and answer["stalls"] == twin["stalls"], "%s: cycles and stalls" % name)


def some_instruction(rng):
    choice = rng.randrange(5)
    if choice == 0:
        return sfploadi(rng.randrange(8), rng.randrange(0x10000))
    if choice == 1:
        return sfpstore(rng.randrange(8), rng.randrange(64) * 2)
    if choice == 2:
        return SFPNOP
    return sfpadd(10, *(rng.randrange(8) for _ in range(3)))


def a_replay_program_equals_its_expansion_in_every_cycle():
    rng = random.Random(1)
    requests = []
    for _ in range(40):
        body = [some_instruction(rng) for _ in range(rng.randrange(1, 33))]
        first = rng.randrange(32)
        words = [replay(first, len(body) % 64, 1, 1)] + body
        for _ in range(rng.randrange(1, 8)):
            start = rng.randrange(len(body))
            words.append(replay((first + start) % 32, rng.randrange(1, len(body) - start + 1), 0, 0))
            if rng.random() < 0.3:
                words.append(some_instruction(rng))
        requests.append({"words": hexadecimal(words), "timeline": True, "arch": rng.choice(("bh", "wh"))})
    compare_with_expansion(requests, timing=True)


def a_mop_program_equals_its_expansion():
    rng = random.Random(2)
    requests = []
    for _ in range(150):
        config = [some_instruction(rng) for _ in range(9)]
        words = []
        template = rng.randrange(2)
        if template:
            config[0], config[1] = rng.choice((0, 1, 1, 2, 5)), rng.choice((0, 1, 2, 3))
            for index in (2, 3, 4, 6):
                if rng.random() < 0.5:
                    config[index] = NOP
            words.append(mop(1))
        else:
            config[0], config[1] = 0, rng.randrange(4)
            if rng.random() < 0.5:
                words.append(0x03000000 | rng.randrange(0x10000))
            words += [mop(0, rng.randrange(40), rng.randrange(0x10000)) for _ in range(rng.randrange(1, 4))]
        words.append(some_instruction(rng))
        settings = {"mop_cfg": hexadecimal(config)}
        if rng.random() < 0.3:
            settings["mop_mask_hi"] = rng.randrange(0x10000)
        requests.append({"words": hexadecimal(words), "timeline": True, "config": settings})
    compare_with_expansion(requests, timing=False)


def a_mop_may_emit_replays():
    config = [3, 2, NOP, NOP, NOP, replay(0, 3, 0, 0), NOP, sfploadi(6, 1), sfploadi(6, 2)]
    body = [sfploadi(1, 7), sfpadd(10, 1, 1, 2), sfpadd(10, 2, 2, 3)]
    compare_with_expansion([{"words": hexadecimal([replay(0, 3, 0, 1)] + body + [mop(1), SFPNOP]), "timeline": True,
                             "config": {"mop_cfg": hexadecimal(config)}}], timing=False)


def cycles_of(answer):
    return [event["cycle"] for event in answer["timeline"]]


def the_expanders_take_the_documented_cycles():
    one = sfploadi(0, 1)
    request = {"timeline": True, "config": {"mop_cfg": hexadecimal([0, 0, 0, one, 0, 0, 0, 0, 0])}}
    for words, expected, what in (
            ([one, replay(0, 2, 0, 1), one, one, one], [0, 4], "a load without execution issues nothing for 3 cycles"),
            ([one, replay(0, 2, 1, 1), one, one, one], [0, 2, 3, 4], "with execution only the REPLAY takes a cycle"),
            ([replay(0, 2, 1, 1), one, one, replay(0, 2, 0, 0), one], [0, 1, 2, 3, 4], "playback takes none"),
            ([mop(0, 1), one], [0, 1, 3], "a cycle is lost after a MOP"),
            ([mop(0, 1), mop(0, 0), one], [0, 1, 2, 4], "but not between MOPs"),
            ([one, 0x03000000, one], [0, 2], "MOP_CFG takes a cycle"),
            ([stallwait(B8, BH_SFPU), one], [0, 2], "the word behind a wait is held for a cycle"),
            ([sfpadd(10, 0, 0, 1), stallwait(B8, BH_SFPU), one], [0, 1, 3], "the sum is there when the wait looks")):
        answer = ask({**request, "words": hexadecimal(words)})
        check(cycles_of(answer) == expected, "%s: %s, got %s" % (what, expected, cycles_of(answer)))
    for dead in (0, 3):
        answer = ask({**request, "words": hexadecimal([mop(0, 1), one]), "parameters": {"front_end.mop.dead_cycles": dead}})
        check(cycles_of(answer) == [0, 1, 2 + dead], "the lost cycle is a parameter")
    answer = ask({"timeline": True, "words": hexadecimal([one, replay(0, 1, 1, 1), one]), "bubbles": [5, 2, 3]})
    check(cycles_of(answer) == [0, 7], "bubbles count between the words that the expander takes in: %s" % cycles_of(answer))


def waits_block_by_architecture():
    macro = {"template": ["00000000"] * 4, "sequence": ["%08x" % ((6 << 3 | 3) << 24)] + ["00000000"] * 3, "misc": "000"}
    for arch, condition in (("bh", BH_SFPU), ("wh", WH_SFPU)):
        words = hexadecimal([0x93060000, stallwait(2, condition), 0xA4000004])  # SFPLOADMACRO; wait; SEMPOST
        answer = ask({"arch": arch, "words": words, "macro": macro, "timeline": True})
        post = [event["cycle"] for event in answer["timeline"] if event["text"].startswith("sempost")]
        store = [event["cycle"] for event in answer["timeline"] if event["unit"] == "store"]
        check(store == [7] and post == [9], "%s: the post follows the store: %s after %s" % (arch, post, store))


def semaphores_hold_words():
    wait, get, one = semwait(B8, 1, 1), 0xA5000004, sfploadi(0, 1)
    answer = ask({"words": hexadecimal([wait, one]), "config": {"semaphores": [1] + [0] * 7}})
    check(answer["lreg"]["0"][0] == "00000001", "a semaphore that is not zero lets the word pass")
    answer = ask({"words": hexadecimal([get, wait, one]), "config": {"semaphores": [1] + [0] * 7}})
    check(answer["lreg"]["0"][0] == "00000000", "after SEMGET it is zero")
    check([entry["id"] for entry in answer["diagnostics"]] == ["/sfpu/frontend/never-released"],
          "a wait that nothing ends is reported: %s" % answer["diagnostics"])
    check(ask({"words": hexadecimal([wait, one]), "hazards": "error"})["ok"] is False, "and an error under hazards=error")
    full = {"semaphores": [3] + [0] * 7, "semaphore_max": [3] + [0] * 7}
    answer = ask({"words": hexadecimal([semwait(B8, 1, 2), one]), "config": full})
    check(answer["lreg"]["0"][0] == "00000000", "a semaphore at its maximum holds the word")
    answer = ask({"words": hexadecimal([0xA3000000 | 5 << 20 | 4 << 16 | 4, semwait(B8, 1, 3), one])})
    check(answer["lreg"]["0"][0] == "00000001", "SEMINIT sets value and maximum")


def malformed_settings_are_refused():
    words = hexadecimal([mop(1)])
    refused({"words": words, "config": {"mop_cfg": ["00000000"] * 8}}, "bad-request", "config.mop_cfg", "9")
    refused({"words": words, "config": {"mop_cfg": ["00000000"] * 8 + ["x"]}}, "bad-request", "config.mop_cfg[8]", "8 hex")
    refused({"words": words, "config": {"mop_cfg": [0] * 9}}, "bad-request", "config.mop_cfg[0]")
    refused({"words": words, "config": {"mop_mask_hi": 65536}}, "bad-request", "config.mop_mask_hi", "65535")
    refused({"words": words, "config": {"semaphores": [16] + [0] * 7}}, "bad-request", "config.semaphores[0]", "15")
    refused({"words": words, "config": {"mop_conf": 1}}, "bad-request", "'mop_cfg'")
    answer = refused({"words": hexadecimal([SFPNOP, mop(0)]), "config": {"mop_cfg": ["ff000000"] * 9}}, "bad-word", "words[1]",
                     "ff000000", "mop_cfg")
    check(answer["error"]["index"] == 1, "the refusal names the MOP")


def doubtful_programs_are_reported():
    ids = [entry["id"] for entry in ask({"words": hexadecimal([replay(3, 2, 0, 0)])})["diagnostics"]]
    check("/sfpu/frontend/replay-unloaded" in ids, "a playback of what nothing loaded: %s" % ids)
    ids = [entry["id"] for entry in ask({"words": hexadecimal([stallwait(B8, 1), SFPNOP])})["diagnostics"]]
    check(ids == ["/sfpu/frontend/idle-condition"], "a wait for a unit that does not exist here: %s" % ids)
    # Nothing is issued while 33 words go into the buffer; cycle 0 is that of the first issue, and there is none before it.
    told = ask({"words": hexadecimal([replay(0, 33, 0, 1)] + [SFPNOP] * 33 + [replay(0, 33, 0, 0)])})["diagnostics"]
    check([(each["cycle"], each["word"]) for each in told] == [(0, 0), (0, 34)], "counts above 32: %s" % told)


def a_program_of_too_many_words_is_refused_at_once():
    # 127 * 127 words a MOP, or 2 * 127 * 127 playbacks of 64: hours, if they were executed.
    config = {"mop_cfg": hexadecimal([127, 127, NOP, NOP, NOP, SFPNOP, NOP, SFPNOP, SFPNOP])}
    refused({"words": hexadecimal([mop(1)] * 20000), "config": config}, "bad-request", "words[620]", "more than 10000000 words", "--max-words")
    plays = replay(0, 0, 0, 0)
    config = {"mop_cfg": hexadecimal([127, 127, NOP, NOP, NOP, plays, plays, plays, plays])}
    refused({"words": hexadecimal([mop(1)] * 20000), "config": config}, "bad-request", "words[4]", "more than 10000000 words")
    check(ask({"words": hexadecimal([replay(0, 4, 1, 1)] + [SFPNOP] * 4 + [replay(0, 4, 0, 0)] * 3)})["ok"], "a few are not too many")


def other_programs_are_not_touched():
    rng = random.Random(3)
    words = [some_instruction(rng) for _ in range(60)]
    plain = ask({"words": hexadecimal(words), "timeline": True})
    through = ask({"words": hexadecimal(words + [stallwait(B8, BH_SFPU)]), "timeline": True})
    check(plain["timeline"] == through["timeline"][:-1], "the same words take the same cycles on both ways")


def main():
    return run_tests((a_replay_program_equals_its_expansion_in_every_cycle, a_mop_program_equals_its_expansion,
                      a_mop_may_emit_replays, the_expanders_take_the_documented_cycles, waits_block_by_architecture,
                      semaphores_hold_words, malformed_settings_are_refused,
                      a_program_of_too_many_words_is_refused_at_once, doubtful_programs_are_reported,
                      other_programs_are_not_touched))


if __name__ == "__main__":
    sys.exit(main())
