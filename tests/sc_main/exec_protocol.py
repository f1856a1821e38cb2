#!/usr/bin/env python3
"""The machine interface as other programs use it: one process, JSON Lines both ways.

usage: exec_protocol.py SFPUSIM SOURCE_DIR
"""
import json
import os
import random
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
from checks import check, run_tests  # noqa: E402

SFPUSIM = sys.argv[1]
LANES = 32
NOP = "8f000000"


def converse(lines, *options):
    """Sends raw lines to one process and returns its answers, one for each line."""
    data = b"".join(line + b"\n" for line in lines)
    process = subprocess.run([SFPUSIM, *options, "exec"], input=data, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                             timeout=120)
    check(process.returncode == 0, "exec exits with 0, got %d" % process.returncode)
    check(process.stderr == b"", "exec writes nothing to standard error, got %r" % process.stderr[:200])
    answers = process.stdout.decode().split("\n")
    check(answers[-1] == "", "the last answer ends with a newline")
    answers = answers[:-1]
    check(len(answers) == len(lines), "%d lines get as many answers, got %d" % (len(lines), len(answers)))
    return [json.loads(answer) for answer in answers]


def ask(request, *options):
    return converse([json.dumps(request).encode()], *options)[0]


def refused(request, code, *mentions):
    """The request is refused with the code, and the message names what is wrong."""
    line = request if isinstance(request, bytes) else json.dumps(request).encode()
    following = json.dumps({"id": "next", "words": []}).encode()
    answer, after = converse([line, following])
    shown = line[:100]
    check(answer["ok"] is False, "%r is refused" % shown)
    error = answer.get("error", {})
    check(error.get("code") == code, "%r is refused as %s, got %s" % (shown, code, error.get("code")))
    for mention in mentions:
        check(mention in error.get("message", ""), "the refusal of %r mentions %r: %s" % (shown, mention, error))
    check(after["id"] == "next" and after["ok"] is True, "the line after %r is answered" % shown)
    return answer


def an_empty_program_answers_with_the_reset_state():
    answer = ask({"words": []})
    check(answer["ok"] is True and answer["id"] is None and answer["cycles"] == 0, "empty program: ok, id null, 0 cycles")
    check(list(answer["lreg"]) == [str(i) for i in [*range(8), *range(11, 15), 16]], "all registers are answered")
    check(all(len(values) == LANES for values in answer["lreg"].values()), "every register has 32 lanes")
    constants = {"11": "bf800000", "12": "3b000000", "13": "bf2cc4c7", "14": "beb08ff9", "0": "00000000", "16": "00000000"}
    for lreg, value in constants.items():
        check(answer["lreg"][lreg] == [value] * LANES, "L%s is %s after reset" % (lreg, value))
    expected = {"lane_flags": "00000000", "use_lane_flags": "00000000", "flag_stack": [],
                "lane_config": ["00000000"] * 8,
                "macro": {"template": ["00000000"] * 4, "sequence": ["00000000"] * 4, "misc": "000"},
                "macro_uniform": True, "dst": {}, "prng": ["00000000"] * LANES,
                "rwc": {"dst": 0, "dst_cr": 0, "sp": 0}, "diagnostics": [], "stalls": {}}
    for field, value in expected.items():
        check(answer.get(field) == value, "%s after reset: expected %s, got %s" % (field, value, answer.get(field)))
    check("timeline" not in answer and "error" not in answer, "no timeline unless asked, no error if ok")


def given_state_comes_back():
    lanes = ["%08x" % (i * 0x01010101) for i in range(LANES)]
    request = {"id": {"any": [1, "x"]}, "words": [], "lreg": {"0": lanes, "7": "DEADBEEF", "16": "00000001", "12": "12345678"},
               "lane_flags": "0000ffff", "use_lane_flags": "F000000F",
               "flag_stack": [["00000001", "00000002"], ["00000003", "00000004"]],
               "lane_config": ["%08x" % i for i in range(8)], "prng": lanes,
               "macro": {"template": ["84000000", "90000001", "8e000002", "72000003"],
                         "sequence": ["00000004", "00000500", "00060000", "03000000"], "misc": "Ff0"},
               "dst": {"0": ["%04x" % i for i in range(16)], "1023": ["ABCD"] * 16},
               "config": {"dst_rwc": 5, "dst_rwc_cr": 6, "sp_rwc": 7}}
    answer = ask(request)
    check(answer["id"] == request["id"], "any id is echoed")
    check(answer["lreg"]["0"] == lanes and answer["lreg"]["7"] == ["deadbeef"] * LANES, "registers come back in lower case")
    check(answer["lreg"]["16"] == ["00000001"] * LANES and answer["lreg"]["12"] == ["12345678"] * LANES, "L16 and L12 come back")
    check(answer["lane_flags"] == "0000ffff" and answer["use_lane_flags"] == "f000000f", "flags come back")
    check(answer["flag_stack"] == request["flag_stack"], "the flag stack comes back, bottom first")
    check(answer["lane_config"] == request["lane_config"], "lane_config comes back")
    check(answer["prng"] == lanes, "prng comes back")
    check(answer["macro"] == {**request["macro"], "misc": "ff0"} and answer["macro_uniform"] is True, "macro comes back")
    check(answer["dst"] == {}, "Dst rows that did not change are not answered")
    check(answer["rwc"] == {"dst": 5, "dst_cr": 6, "sp": 7}, "address counters come back")


def larger_machines_have_as_many_entries_and_digits_as_they_need():
    words = ["91000110", "91000240", "91000560"]  # L0 to TEMPLATE5, SEQUENCE0_LOWER, SEQUENCE6_UPPER
    macro = {"template": ["8400000%d" % i for i in range(6)],
             "sequence": ["%016x" % (i * 0x0111010201031104) for i in range(7)], "misc": "ABCDE"}
    parameters = {"macro.count": 7, "macro.templates": 6, "macro.delay_bits": 5}
    answer = ask({"words": [], "parameters": parameters, "macro": macro})
    check(answer["macro"] == {**macro, "misc": "abcde"}, "the macros of a larger machine come back")
    answer = ask({"words": words, "parameters": parameters, "lreg": {"0": "54090004"}})
    expected = {"template": ["00000000"] * 5 + ["54090004"],
                "sequence": ["0000000054090004"] + ["0" * 16] * 5 + ["5409000400000000"], "misc": "00000"}
    check(answer["macro"] == expected, "SFPCONFIG takes its index from Imm16, got %s" % answer["macro"])
    answer = ask({"words": words, "lreg": {"0": "54090004"}})
    expected = {"template": ["00000000", "54090004", "00000000", "00000000"],
                "sequence": ["54090004", "00000000", "54090004", "00000000"], "misc": "000"}
    check(answer["macro"] == expected, "a chip looks at VD only, got %s" % answer["macro"])
    answer = ask({"words": [], "parameters": {"macro.count": 8}})
    check([len(answer["macro"][key]) for key in ("template", "sequence")] == [4, 8], "eight macros, four templates")
    check(answer["macro"]["sequence"][0] == "00000000" and answer["macro"]["misc"] == "00000", "sequences of bytes")
    refused({"words": [], "parameters": parameters, "macro": {"sequence": ["00000000"] * 7}}, "bad-request",
            "macro.sequence[0]", "16 hexadecimal digits")
    refused({"words": [], "parameters": parameters, "macro": {"template": ["00000000"] * 4}}, "bad-request", "macro.template", "6")


def short_forms_mean_all_lanes():
    answer = ask({"words": [], "lane_config": "00000100", "prng": "00000007"})
    check(answer["lane_config"] == ["00000100"] * 8, "one lane_config is for all columns")
    check(answer["prng"] == ["00000007"] * LANES, "one prng value is for all lanes")
    answer = ask({"words": [], "lane_config": ["%08x" % (i % 8) for i in range(LANES)]})
    check(answer["lane_config"] == ["%08x" % i for i in range(8)], "32 lane_config values that agree are accepted")


def requests_do_not_see_each_other():
    first = {"id": 1, "words": [], "lreg": {"3": "11111111"}, "dst": {"4": ["1111"] * 16}, "lane_flags": "00000001",
             "config": {"fp32_enabled": True, "dst_rwc": 3}}
    plain = {"id": 2, "words": []}
    lines = [json.dumps(request).encode() for request in (plain, first, plain)]
    before, _, after = converse(lines)
    check(before == after, "a request leaves nothing behind")


def programs_change_state_in_the_promised_number_of_cycles():
    answer = ask({"words": ["71053f80"[:3] + "03f80"]})  # sfploadi L0, FLOATB, 0x3f80
    check(answer["lreg"]["0"] == ["3f800000"] * LANES and answer["cycles"] == 1, "sfploadi takes one cycle: %s" % answer["cycles"])
    answer = ask({"words": ["84bbb900"], "lreg": {"11": "3f800000"}})  # sfpmad L11, L11, L9, L0, 0
    check(answer["cycles"] == 2, "a MAD-class instruction has its effect one cycle later, got %s" % answer["cycles"])
    check(ask({"words": [NOP, NOP]})["cycles"] == 0, "SFPNOPs have no effect")
    check(ask({"words": ["71003f80"], "bubbles": [9]})["cycles"] == 1, "leading bubbles do not count")
    answer = ask({"words": ["71003f80", "71103f80"], "bubbles": [0, 3]})
    check(answer["cycles"] == 5, "bubbles between words count, got %s" % answer["cycles"])


def a_store_shows_in_the_rows_that_it_changed():
    answer = ask({"words": ["72040000"], "lreg": {"0": "12345678"}})  # sfpstore L0, INT32, ADDR_MOD_0, 0
    check(len(answer["dst"]) > 0, "a store changes Dst")
    check(all(len(row) == 16 for row in answer["dst"].values()), "rows have 16 cells")
    check(all(0 <= int(row) < 1024 for row in answer["dst"]), "rows are 0 to 1023")


def a_dependent_instruction_stalls_on_blackhole_only():
    words = ["84000000", "84000010"]  # sfpmad L0..; sfpmad L0, ... -> L1
    stalled, free = ask({"arch": "bh", "words": words, "timeline": True}), ask({"arch": "wh", "words": words})
    check(stalled["stalls"] == {"mad-dependence": 1}, "Blackhole holds a dependent MAD, got %s" % stalled["stalls"])
    check(free["stalls"] == {}, "Wormhole holds nothing, got %s" % free["stalls"])
    stalls = [e for e in stalled["timeline"] if e["unit"] == "issue"]
    check([(e["cycle"], e["text"], e["word"]) for e in stalls] == [(1, "mad-dependence", 1)],
          "the timeline shows the stall: %s" % stalls)
    check(any(d["id"] == "/sfpu/hazard/unprotected-read" for d in free["diagnostics"]), "Wormhole's hazard is reported")


def the_timeline_has_the_promised_fields():
    request = {"words": ["70040000", "93040000", NOP, NOP, NOP], "timeline": True,
               "macro": {"template": ["7d000000", "00000000", "00000000", "00000000"],
                         "sequence": ["00000084", "00000000", "00000000", "00000000"], "misc": "000"}}
    timeline = ask(request)["timeline"]
    fields = ["cycle", "unit", "text", "origin", "word", "discarded"]
    check(all(list(entry) == fields for entry in timeline), "timeline entries have %s" % fields)
    check([e["cycle"] for e in timeline] == sorted(e["cycle"] for e in timeline), "the timeline is in order")
    first = timeline[0]
    check((first["cycle"], first["unit"], first["origin"], first["word"], first["discarded"]) == (0, "load", "issued", 0, False),
          "the first entry is the load: %s" % first)
    scheduled = [e for e in timeline if e["origin"] == "macro"]
    check([(e["cycle"], e["unit"], e["word"]) for e in scheduled] == [(2, "simple", 1)],
          "the scheduled instruction is at cycle 2 in Simple, of word 1: %s" % scheduled)


def hazards_follow_the_request_and_the_command_line():
    request = {"arch": "wh", "words": ["84000000", "84000010"]}
    answer = ask({**request, "hazards": "error"})
    check(answer["ok"] is False and answer["error"]["code"] == "hazard", "hazards error: not ok, code hazard")
    check("lreg" in answer and "dst" in answer and answer["cycles"] > 0, "the state is still answered")
    check(answer["diagnostics"][0]["severity"] == "error", "the diagnostic is an error")
    answer = ask({**request, "hazards": "warn"}, "--hazards", "error")
    check(answer["ok"] is True and answer["diagnostics"][0]["severity"] == "warning", "the request wins over --hazards")
    check(ask({**request, "hazards": "off"})["diagnostics"] == [], "hazards off: nothing reported")
    check(ask(request, "--hazards=error")["ok"] is False, "--hazards is the default")
    fields = list(ask(request)["diagnostics"][0])
    check(fields == ["cycle", "word", "id", "severity", "message"], "fields of a diagnostic: %s" % fields)


def defaults_come_from_the_command_line():
    words = ["98000000"]  # sfpmul24, which only Blackhole has
    check(ask({"words": words})["ok"] is True, "the default is Blackhole")
    check(ask({"words": words}, "--arch", "wh")["ok"] is False, "--arch is the default of requests")
    check(ask({"words": words, "arch": "bh"}, "--arch", "wh")["ok"] is True, "the request's arch wins")
    dependent = {"words": ["84000000", "84000010"]}
    check(ask(dependent, "--set", "sfpu.auto_stall=off")["stalls"] == {}, "--set reaches the machine")
    check(ask({**dependent, "parameters": {"sfpu.auto_stall": False}})["stalls"] == {}, "parameters reach the machine")
    check(ask({**dependent, "parameters": {"sfpu.latency.mad": 3}})["cycles"] >= 5, "a longer MAD takes longer")


def words_that_are_no_instruction_are_refused():
    answer = refused({"id": 7, "words": [NOP, "ff000000"]}, "bad-word", "words[1]", "ff000000")
    check(answer["id"] == 7 and answer["error"]["index"] == 1, "the refusal has id and index")
    refused({"arch": "wh", "words": ["98000000"]}, "bad-word", "words[0]", "wh")
    answer = ask({"words": ["50000000"]})  # an unpacker's
    check(answer["ok"] is True and [d["id"] for d in answer["diagnostics"]] == ["/sfpu/isa/not-modelled"],
          "a word of another unit is a NOP with a diagnostic")


def ten_thousand_random_words_are_answered():
    """Words of all opcodes that exist, in any state that they lead to: no crash, no hang, no refusal."""
    opcodes = json.loads(subprocess.run([SFPUSIM, "info", "--isa", "--json"], stdout=subprocess.PIPE).stdout)
    for arch in ("bh", "wh"):
        first_bytes = sorted({row["opcode"] for row in opcodes if row["arch"] == arch} | {"02", "37", "38", "b2"})
        check(len(first_bytes) > 40, "%s has more than 40 opcodes: %d" % (arch, len(first_bytes)))
        for seed in (1, 2, 3):
            bits = random.Random(seed)
            words = ["%s%06x" % (bits.choice(first_bytes), bits.getrandbits(24)) for _ in range(10000)]
            config = {"fp32_enabled": bool(seed & 1), "srcb_format": seed, "sfpu_stack_incr": seed}
            bubbles = [bits.choice((0, 0, 0, 1, 5)) for _ in range(10000)] if seed == 3 else []
            request = {"arch": arch, "words": words, "config": config, "bubbles": bubbles, "timeline": seed == 2}
            answer, after = converse([json.dumps(request).encode(), json.dumps({"words": []}).encode()])
            check(answer["ok"] is True, "%s, seed %d: ok: %s" % (arch, seed, answer.get("error")))
            check(answer["cycles"] >= 9000, "%s, seed %d: %s cycles" % (arch, seed, answer["cycles"]))
            check(after["ok"] is True and after["dst"] == {}, "the next request starts from reset")


def malformed_lines_are_refused():
    for line in (b"", b" ", b"{", b"nonsense", b'{"words":[}', b'{"id":1,"words":[]} x', b"\xff\xfe", b'{"id":"\xff","words":[]}',
                 b"[" * 100000, b'{"id":1e999,"words":[]}', b'{"words":["8f000000"]', b"\0"):
        answer = refused(line, "bad-json")
        check(answer["id"] is None, "a malformed line has id null")
    refused(b"[]", "bad-request", "object")
    refused(b"null", "bad-request", "object")
    refused(b'"\\ud83d\\ude00 quote \\" and \\u0001"', "bad-request", "object")


def refused_lines_say_where_and_what_was_expected():
    refused(b'{"words":[}', "bad-json", "column 11", "'}'")
    refused(b'{"words":[]} x', "bad-json", "column 14", "expected end of input")
    refused(b'{"words":["\\ud800"]}', "bad-json", "column", "surrogate")
    refused(b'{"words":[]}\0', "bad-json", "column 13", "NUL")
    refused(b'{"id":' + b"[" * 100000, "bad-json", "column 70", "64 levels")
    refused(b'{"id":' + b'{"a":' * 64 + b"1" + b"}" * 65, "bad-json", "64 levels")
    refused(b'{"id":18446744073709551616,"words":[]}', "bad-request", "id", "64 bits")
    refused(b'{"bubbles":[-9223372036854775809],"words":[]}', "bad-request", "bubbles.0", "64 bits")
    refused(b'{"zz":0,"aa":0,"words":[]}', "bad-request", "'aa'")


def unusual_json_is_understood():
    deep = json.loads(b'{"a":' * 63 + b"1" + b"}" * 63)
    for value in (deep, 18446744073709551615, -9223372036854775808, 1.5, "\u0000\u001f\u00e9\U0001f600\"\\", [], {}):
        check(ask({"id": value, "words": []})["id"] == value, "the id %r is echoed" % str(value)[:50])
    lines = [b'\xef\xbb\xbf{"words":[]}', b' {"words":[]}\r', b'{"words":5,"words":["8f000000"],"bubbles":[1],"bubbles":[-0]}']
    for line, answer in zip(lines, converse(lines)):
        check(answer["ok"] is True, "%r is understood: %s" % (line, answer.get("error")))


def wrong_fields_are_refused():
    good = {"id": "q", "words": [NOP]}

    def with_field(**changes):
        return {**good, **changes}

    refused({"id": 1}, "bad-request", "words", "missing")
    refused(with_field(lregs={}), "bad-request", "'lregs'", "'lreg'")
    refused(with_field(words="8f000000"), "bad-request", "words", "array")
    refused(with_field(words=["8f00000"]), "bad-request", "words[0]", "8 hexadecimal digits")
    refused(with_field(words=["0x8f000000"]), "bad-request", "words[0]")
    refused(with_field(words=["8f00000g"]), "bad-request", "words[0]", "8f00000g")
    refused(with_field(words=[0x8f000000]), "bad-request", "words[0]", "2399141888")
    refused(with_field(arch="gs"), "bad-request", "arch", "gs", "bh")
    refused(with_field(arch=3), "bad-request", "arch")
    refused(with_field(arch=None), "bad-request", "arch")
    for lreg in ("8", "9", "10", "15", "17", "L0", "00", "-1", ""):
        refused(with_field(lreg={lreg: "00000000"}), "bad-request", "lreg", "'%s'" % lreg)
    refused(with_field(lreg=[]), "bad-request", "lreg")
    refused(with_field(lreg={"0": ["00000000"] * 31}), "bad-request", "lreg.0", "array of 31", "32")
    refused(with_field(lreg={"0": ["00000000"] * 31 + ["0"]}), "bad-request", "lreg.0[31]")
    refused(with_field(lane_flags="0"), "bad-request", "lane_flags")
    refused(with_field(use_lane_flags=0), "bad-request", "use_lane_flags")
    refused(with_field(flag_stack=[["00000000"]]), "bad-request", "flag_stack[0]")
    refused(with_field(flag_stack=[["00000000", 1]]), "bad-request", "flag_stack[0][1]")
    refused(with_field(flag_stack=[["00000000", "00000000"]] * 9), "bad-request", "flag_stack", "8")
    refused(with_field(lane_config=["00000000"] * 9), "bad-request", "lane_config")
    refused(with_field(lane_config=["00000000"] * 31 + ["00000001"]), "bad-request", "lane_config[31]", "lane 7")
    refused(with_field(macro={"templates": []}), "bad-request", "macro", "'template'")
    refused(with_field(macro={"template": ["00000000"] * 3}), "bad-request", "macro.template")
    refused(with_field(macro={"misc": "0000"}), "bad-request", "macro.misc", "3 hexadecimal digits")
    for row in ("1024", "-1", "x", "01", ""):
        refused(with_field(dst={row: ["0000"] * 16}), "bad-request", "dst", "'%s'" % row, "1023")
    refused(with_field(dst={"0": ["0000"] * 15}), "bad-request", "dst.0", "16")
    refused(with_field(dst={"0": ["0000"] * 15 + ["00000"]}), "bad-request", "dst.0[15]", "4 hexadecimal digits")
    refused(with_field(prng=[]), "bad-request", "prng")
    refused(with_field(config={"fp32_enable": True}), "bad-request", "'fp32_enable'", "'fp32_enabled'")
    refused(with_field(config={"fp32_enabled": 1}), "bad-request", "config.fp32_enabled", "true or false")
    refused(with_field(config={"dst_rwc": 1024}), "bad-request", "config.dst_rwc", "1023")
    refused(with_field(config={"dst_rwc": -1}), "bad-request", "config.dst_rwc")
    refused(with_field(config={"dst_rwc": 1.5}), "bad-request", "config.dst_rwc")
    refused(with_field(config={"srcb_format": True}), "bad-request", "config.srcb_format")
    refused(with_field(config={"addr_mod_dst": [0] * 7}), "bad-request", "config.addr_mod_dst", "8")
    refused(with_field(config={"addr_mod_dst": [0] * 7 + [65536]}), "bad-request", "config.addr_mod_dst[7]")
    refused(with_field(bubbles=[-1]), "bad-request", "bubbles[0]")
    refused(with_field(bubbles=[0, 0]), "bad-request", "bubbles")
    refused(with_field(bubbles=3), "bad-request", "bubbles")
    refused(with_field(timeline=1), "bad-request", "timeline")
    refused(with_field(hazards="maybe"), "bad-request", "hazards", "maybe")
    refused(with_field(parameters={"sfpu.latency.mda": 3}), "bad-request", "sfpu.latency.mad")
    refused(with_field(parameters={"sfpu.latency.mad": 9}), "bad-request", "1 to 8")
    refused(with_field(parameters={"sfpu.latency.mad": [2]}), "bad-request", "sfpu.latency.mad")
    answer = refused(with_field(lreg={"0": "x" * 10000}), "bad-request", "lreg.0")
    check(answer["id"] == "q", "a refusal carries the id")
    check(len(answer["error"]["message"]) < 300, "messages are short")


def answers_come_line_by_line():
    """The second request is sent only after the first answer was read."""
    process = subprocess.Popen([SFPUSIM, "exec"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    for number in range(3):
        process.stdin.write(json.dumps({"id": number, "words": [NOP]}).encode() + b"\n")
        process.stdin.flush()
        check(json.loads(process.stdout.readline())["id"] == number, "answer %d comes before the next request" % number)
    process.stdin.write(json.dumps({"id": "last", "words": []}).encode())  # no newline at the end
    process.stdin.close()
    check(json.loads(process.stdout.readline())["id"] == "last", "a last line without newline is answered")
    check(process.stdout.read() == b"" and process.wait(30) == 0, "the process ends with its input")


def programs_can_start_as_firmware_starts_them():
    plain, started = (ask({"words": [NOP], "firmware_start": start}) for start in (False, True))
    check(plain["lane_flags"] == "00000000" and plain["use_lane_flags"] == "00000000", "after reset no lane flag is set")
    check(started["lane_flags"] == "ffffffff" and started["use_lane_flags"] == "ffffffff", "firmware sets all of them")
    executed = ask({"words": ["8a00300a"]})
    check(executed["lane_flags"] == started["lane_flags"] and executed["use_lane_flags"] == started["use_lane_flags"],
          "as SFPENCC(3, 0, 0, 10) does")
    check(started["cycles"] == plain["cycles"], "no word is issued for it")
    check(ask({"words": [], "firmware_start": True, "lane_flags": "0000ffff"})["lane_flags"] == "0000ffff", "fields of their own win")
    check(ask({"words": []}, "--firmware-start")["lane_flags"] == "ffffffff", "the command line has the default")
    check(ask({"words": [], "firmware_start": False}, "--firmware-start")["lane_flags"] == "00000000", "and the request wins")
    refused({"words": [], "firmware_start": 1}, "bad-request", "firmware_start", "true or false")


def typed(given, address, kind, **more):
    return {given: {"address": address, "type": kind, **more}}


def typed_arrays_go_in_and_come_out():
    extremes = {"f32": [0, -0.0, 1.5, -2.5e-30, 3.0e38, "inf", "-inf", 1.1754943508222875e-38], "bf16": [0.5, -3, 1.0078125, "inf"],
                "f16": [0.5, -1024, 65504, 6.103515625e-05], "i32": [-2 ** 31, 2 ** 31 - 1, -1, 7], "u32": [2 ** 32 - 1, 0, 2 ** 31],
                "sm32": [-2 ** 31 + 1, 2 ** 31 - 1, -1], "i16": [-2 ** 15, 2 ** 15 - 1, -1], "u16": [2 ** 16 - 1, 1],
                "sm16": [-2 ** 15 + 1, 2 ** 15 - 1], "i8": [-127, 127, -1], "u8": [255, 0, 1]}
    for kind, values in extremes.items():
        values = (values * LANES)[:2 * LANES]
        request = {"words": [], "inputs": typed("x", 0x40, kind, values=values), "outputs": typed("y", 0x40, kind, rows=2)}
        found = [value for row in ask(request)["outputs"]["y"] for value in row]
        same = [a == b or (isinstance(a, float) and abs(a / b - 1) < 1e-7) for a, b in zip(found, values)]
        check(len(found) == 2 * LANES and all(same), "%s comes back: %s" % (kind, found))
        rows = {**request, "inputs": typed("x", 0x40, kind, values=[values[:LANES], values[LANES:]])}
        check(ask(rows)["outputs"] == {"y": [found[:LANES], found[LANES:]]}, "%s by rows" % kind)
    # sfpload L0, FP32, 0, 0; sfpmul L0, L0, L9, L1, 0; sfpnop; sfpstore L1, FP32, 0, 2
    text = "sfpload L0, FP32, 0, 0\nsfpmul L0, L0, L9, L1, 0\nsfpnop\nsfpstore L1, FP32, 0, 2\n"
    words = subprocess.run([SFPUSIM, "asm", "/dev/stdin"], input=text, stdout=subprocess.PIPE, universal_newlines=True).stdout
    words = [line.split()[0] for line in words.splitlines() if line and line[0] != ";"]
    answer = ask({"words": words, "inputs": typed("x", 0, "f32", values=list(range(LANES))), "outputs": typed("y", 2, "f32", rows=1)})
    check(answer["outputs"] == {"y": [[n * n for n in range(LANES)]]}, "squares: %s" % answer)
    check("outputs" not in ask({"words": []}), "none unless asked")
    nan = ask({"words": [], "inputs": typed("x", 0, "f32", values=["nan"] * LANES), "outputs": typed("y", 0, "f32", rows=1)})
    check(nan["outputs"] == {"y": [["nan"] * LANES]}, "what JSON has no number for")


def what_is_odd_about_stores_is_said():
    def ids(request):
        return [each["id"] for each in ask(request)["diagnostics"]]

    partial, template = "/sfpu/kernel/partial-output", "/sfpu/kernel/store-to-template"
    store = "7204e000"  # sfpstore L0, INT32, 7, 0
    check(ids({"words": [store], "outputs": typed("y", 0, "i32", rows=2)}) == [partial], "one row of two")
    check(ids({"words": [store], "outputs": typed("y", 0, "i32", rows=1)}) == [], "all rows")
    check(ids({"words": [], "outputs": typed("y", 0, "i32", rows=2)}) == [], "no row: what was in Dst was asked for")
    found = ask({"words": [store], "outputs": typed("y", 0, "i32", rows=2)})["diagnostics"][0]
    check(found["severity"] == "info" and found["message"] == "only 1 of the 2 rows of y is ever stored", str(found))
    check(ids({"words": ["72c4e000"]}) == [template], "L12 to template 0")
    check(ids({"words": ["72b4e000"]}) == [], "L11 can be stored")
    check(ids({"words": ["72c4e000"], "lane_config": "00000002"}) == [], "nothing is written to templates then")
    check(ids({"words": ["7c0001b0"]}) == ["/sfpu/isa/constant-register"], "sfpmov 0, L1, L11, 0")
    check(ids({"words": ["7c000170"]}) == [], "sfpmov 0, L1, L7, 0")


def typed_arrays_that_do_not_fit_are_refused():
    def inputs(**x):
        return {"words": [], "inputs": {"x": x}}

    refused(inputs(address=0, type="bf16", values=[0.1] * LANES), "bad-request", "inputs.x.values[0]: found 0.1", "type bf16")
    refused(inputs(address=0, type="u16", values=[0] * 31 + [-1]), "bad-request", "inputs.x.values[31]", "-1", "u16")
    refused(inputs(address=0, type="f32", values=[0] * 33), "bad-request", "found 33 values", "32 numbers a row")
    refused(inputs(address=0, type="f32", values=[]), "bad-request", "found 0 values")
    refused(inputs(address=0, type="f32", values=[[0] * 31]), "bad-request", "inputs.x.values[0]: found an array of 31")
    refused(inputs(address=0, type="f32", values=[0] * LANES * 513), "bad-request", "512 rows")
    for kind, places in (("f32", 256), ("i32", 256), ("u16", 512)):
        rows = [[n] * LANES for n in range(places)]
        whole = ask({**inputs(address=0, type=kind, values=rows), "outputs": typed("y", 0, kind, rows=places)})
        check(whole["outputs"]["y"] == rows, "%d rows of %s have places" % (places, kind))
        if places == 256:
            told = "row 256 lies where row 128 does; Dst has place for 256 rows of type " + kind
            refused(inputs(address=0, type=kind, values=rows + rows[:1]), "bad-request", "inputs.x.values: " + told)
            refused({"words": [], "outputs": typed("y", 0, kind, rows=257)}, "bad-request", "outputs.y.rows: " + told)
    refused(inputs(address=0, type="f32", values=["1.5"] * LANES), "bad-request", "found '1.5'", "a number")
    refused(inputs(address=1024, type="f32", values=[0] * LANES), "bad-request", "inputs.x.address: found 1024", "0 to 1023")
    refused(inputs(address=0, type="fp32", values=[0] * LANES), "bad-request", "inputs.x.type", "f32, bf16")
    refused(inputs(address=0, values=[0] * LANES), "bad-request", "inputs.x.type: missing")
    refused(inputs(address=0, type="f32", value=[0] * LANES), "bad-request", "unknown field 'value'; the nearest is 'values'")
    refused({"words": [], "inputs": []}, "bad-request", "inputs: found an array")
    refused({"words": [], "outputs": typed("y", 0, "f32", rows=0)}, "bad-request", "outputs.y.rows: found 0", "1 to 512")


def strict_requests_fail_if_something_was_not_done():
    other = {"words": ["26000000"]}
    relaxed = ask(other)
    check(relaxed["ok"] is True and relaxed["diagnostics"][0]["severity"] == "warning", "words of other units are a warning")
    for strict in (ask({**other, "strict": True}), ask(other, "--strict")):
        check(strict["ok"] is False and strict["error"]["code"] == "hazard", "and an error if strict")
        check(strict["diagnostics"][0]["severity"] == "error", "of that severity")
    check(ask({**other, "strict": False}, "--strict")["ok"] is True, "the request wins over the command line")


def main():
    tests = [value for name, value in globals().items()
             if callable(value) and getattr(value, "__module__", "") == "__main__"
             and name not in ("converse", "ask", "refused", "typed", "main")]
    return run_tests(tests)


if __name__ == "__main__":
    sys.exit(main())
