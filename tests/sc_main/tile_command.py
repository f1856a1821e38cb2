"""`sfpusim tile` as its users run it: firmware to success with results that are computed here a second time, options,
exit codes, bad input, traces, and the same numbers at every quantum.

The firmware is built beside the program if there is a compiler for bare RISC-V; without one there is nothing to run."""
import json
import os
import pathlib
import re
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import time
import unittest

SIMULATOR = pathlib.Path(sys.argv[1]).resolve()
SOURCES = pathlib.Path(sys.argv[2]).resolve()
BUILD = SIMULATOR.parent.parent
FIRMWARE, CHECKS = BUILD / "firmware", BUILD / "tests" / "firmware"

sys.path.insert(0, str(SOURCES / "tests" / "support"))
import elf_symbols  # noqa: E402
import perfetto_trace  # noqa: E402
import qemu_memory  # noqa: E402


class Run:
    """One run, with its files in a directory of its own. Dumps are (address, length) or "dst"; files are options that
    take one."""

    def __init__(self, elf, *options, dumps=(), files=(), expect=0):
        with tempfile.TemporaryDirectory() as place:
            command = [str(SIMULATOR), "tile", str(elf), *map(str, options)]
            for i, dump in enumerate(dumps):
                command += ["--dst-dump", f"{place}/{i}"] if dump == "dst" else ["--dump", f"{dump[0]}:{dump[1]}={place}/{i}"]
            names = {option: f"{place}/{option.strip('-')}" for option in files}
            for option, name in names.items():
                command += [option, name]
            done = subprocess.run(command, capture_output=True, text=True, timeout=250)
            self.output, self.errors, self.code = done.stdout, done.stderr, done.returncode
            if expect is not None and self.code != expect:
                raise AssertionError(f"{' '.join(command)}: exit code {self.code}\n{self.output}{self.errors}")
            self.dumps = [pathlib.Path(f"{place}/{i}").read_bytes() for i in range(len(dumps))] if expect == 0 else []
            self.files = {option: pathlib.Path(name).read_bytes() if option == "--perfetto" else pathlib.Path(name).read_text()
                          for option, name in names.items()}

    @property
    def cycles(self):
        return int(re.search(r"^cycles +(\d+)$", self.output, re.M)[1])


def words(data, form):
    return struct.unpack(f"<{len(data) // struct.calcsize(form)}{form}", data)


def bf16(bits):
    return struct.unpack("<f", struct.pack("<I", bits << 16))[0]


class Firmware(unittest.TestCase):
    def test_reciprocals_of_a_tile_stand_in_face_order_in_dst_and_row_by_row_in_l1(self):
        elf = FIRMWARE / "tile_bf16.elf"
        at = elf_symbols.symbols(elf)
        run = Run(elf, dumps=[(at["tile_in"], 2048), (at["tile_out"], 2048), "dst"])
        before, after, dst = words(run.dumps[0], "H"), words(run.dumps[1], "H"), words(run.dumps[2], "H")
        self.assertEqual(len(set(before)) > 500, True, "the input is no constant")
        for i, (x, y) in enumerate(zip(before, after)):
            self.assertAlmostEqual(bf16(x) * bf16(y), 1, delta=0.0056, msg=f"element {i}")
            row, column = divmod(i, 32)
            cell = dst[((row // 16 * 2 + column // 16) * 16 + row % 16) * 16 + column % 16]
            # Dst keeps sign, mantissa and exponent in this order
            self.assertEqual(cell, y & 0x8000 | (y & 0x7f) << 8 | y >> 7 & 0xff, f"cell of element {i}")

    def test_words_from_stock_cpp_reach_the_unit_inline_recorded_and_computed(self):
        self.assertIn("success", Run(FIRMWARE / "square_rows.elf").output) # it looks at its results itself

    def test_im2col_gives_every_pixel_its_neighbourhood_on_both_architectures(self):
        for arch in "bh", "wh":
            elf = FIRMWARE / f"im2col_{arch}.elf"
            at = elf_symbols.symbols(elf)
            run = Run(elf, "--arch", arch, dumps=[(at["image"], 8 * 8 * 16), (at["matrix_out"], 64 * 9 * 16)])
            image, matrix = run.dumps
            for pixel in range(64):
                for place in range(9):
                    y, x = pixel // 8 + place // 3 - 1, pixel % 8 + place % 3 - 1
                    inside = 0 <= y < 8 and 0 <= x < 8
                    expected = image[(y * 8 + x) * 16:(y * 8 + x) * 16 + 16] if inside else bytes([50] * 16)
                    found = matrix[(pixel * 9 + place) * 16:(pixel * 9 + place) * 16 + 16]
                    self.assertEqual(found, expected, f"{arch}: pixel {pixel}, place {place}")

    def test_the_worked_examples_of_tensorload_give_what_their_description_says(self):
        for arch in "bh", "wh":
            elf = FIRMWARE / f"reshape_{arch}.elf"
            at = elf_symbols.symbols(elf)
            run = Run(elf, "--arch", arch, dumps=[(at["first"], 1024), (at["second"], 1024), (at["results"], 8192)])
            a, b, found = run.dumps
            both = a + b
            expected = bytes(both[((i // 16 % 8) * 16 + i // 128) * 16 + i % 16] for i in range(2048))
            expected += bytes(both[(i // 16 * 8 + i % 8) * 2 + i // 8 % 2] for i in range(2048))
            expected += bytes(a[i] if i >= 256 else a[i + 2] if i % 4 < 2 else b[i - 2] for i in range(1024))
            expected += bytes(a[i] if i // 128 % 2 else b[i] for i in range(1024))
            expected += bytes([50] * 1024)
            expected += bytes(50 if i >= 512 else a[i] if i >= 256 else 0 for i in range(1024))
            self.assertEqual(found, expected, arch)

    def test_a_kernel_pushed_word_by_word_between_loads_is_wrong_and_diagnosed_where_its_replay_is_right(self):
        elf = FIRMWARE / "race.elf"
        at = elf_symbols.symbols(elf)
        run = Run(elf, dumps=[(at["wrong"], 8)], files=["--stats"])
        replayed, pushed = words(run.dumps[0], "I")
        self.assertEqual(replayed, 0)
        self.assertGreater(pushed, 0)
        hazards = json.loads(run.files["--stats"])["hazards"]
        self.assertGreater(hazards["/sfpu/issue/discarded-by-macro"], 0)
        self.assertIn("/sfpu/issue/discarded-by-macro", run.output)
        strict = Run(elf, "--hazards", "error", expect=2)
        self.assertIn("/sfpu/issue/discarded-by-macro", strict.errors)

    def test_data_that_tensorload_loses_in_the_dst_window_are_a_hazard_that_says_what_was_expected(self):
        elf = CHECKS / "check_lost_store.elf"
        run = Run(elf, dumps=["dst"])
        self.assertEqual(set(run.dumps[0]), {0}, "nothing arrived")
        self.assertIn("/sfpu/tensorload/bus-error: 32 times", run.output)
        self.assertIn("found format fp32 (4 bytes an element), expected int8 (5)", run.output)
        for options in (["--hazards", "error"], ["--strict"]):
            errors = Run(elf, *options, expect=2).errors
            self.assertIn("/sfpu/tensorload/bus-error: store of 1 byte at 0xffbd8000", errors)
            self.assertIn("expected a memory that takes an access of this size", errors)
        Run(elf, "--hazards", "off")

    def test_odd_accesses_of_a_core_are_reported_and_do_what_the_chip_does(self):
        elf = CHECKS / "check_odd_addresses.elf"
        at = elf_symbols.symbols(elf)
        for options, expected in ((["--arch", "bh"], (0x66554433, 0x00abcd00)), (["--arch", "wh"], (0x44332211, 0x0000abcd)),
                                  (["--arch", "wh", "--set", "hart.misaligned=bytes"], (0x66554433, 0x00abcd00))):
            run = Run(elf, *options, dumps=[(at["results"], 8)])
            self.assertEqual(words(run.dumps[0], "I"), expected, options)
            self.assertIn("/sfpu/hart/misaligned: 2 times", run.output)
            self.assertIn(f"load of 4 bytes at {at['words'] + 2:#010x}", run.output)
            self.assertIn("/sfpu/hart/bus-error: 1 time", run.output)
        strict = Run(elf, "--strict", expect=2).errors
        self.assertIn("/sfpu/hart/misaligned", strict)
        self.assertIn("/sfpu/hart/bus-error", strict)

    def test_hart_and_thread_wait_for_each_other_by_semaphores(self):
        for arch in "bh", "wh":
            elf = FIRMWARE / f"semaphores_{arch}.elf"
            at = elf_symbols.symbols(elf)
            run = Run(elf, "--arch", arch, dumps=[(at["done_before_go"], 4), (at["done_after_go"], 4)])
            self.assertEqual([words(dump, "I")[0] for dump in run.dumps], [0, 1])

    def test_a_program_that_starts_as_the_public_suites_do_ends_with_tohost_1(self):
        self.assertIn("success (tohost 1)", Run(CHECKS / "check_public_start.elf").output)


class Signatures(unittest.TestCase):
    @unittest.skipUnless(shutil.which(qemu_memory.PROGRAM), "QEMU is not installed")
    def test_self_check_programs_leave_the_signature_that_they_leave_under_qemu(self):
        for name in "alu", "muldiv", "control", "memory", "csr", "traps":
            elf = CHECKS / f"check_{name}.elf"
            at = elf_symbols.symbols(elf)
            length = at["end_signature"] - at["begin_signature"]
            expected = qemu_memory.memory_at(elf, at["signature_done"], at["begin_signature"], length)
            self.assertTrue(any(expected))
            found = Run(elf, dumps=[(at["begin_signature"], length)]).dumps[0]
            for i, (x, y) in enumerate(zip(words(found, "I"), words(expected, "I"))):
                self.assertEqual(x, y, f"{name}: record {i} is {x:08x}, QEMU has {y:08x}")


class Time(unittest.TestCase):
    def test_results_and_cycles_are_the_same_at_every_quantum(self):
        for name, symbol, length in ("tile_bf16", "tile_out", 2048), ("race", "wrong", 8), ("semaphores_bh", "done_before_go", 4):
            elf = FIRMWARE / f"{name}.elf"
            dump = (elf_symbols.symbols(elf)[symbol], length)
            reference = Run(elf, dumps=[dump, "dst"])
            for quantum in 0, 1, 7, 1000, 10 ** 9:
                run = Run(elf, "--quantum", quantum, dumps=[dump, "dst"])
                self.assertEqual(run.dumps, reference.dumps, f"{name} at quantum {quantum}")
                self.assertEqual(run.cycles, reference.cycles, f"{name} at quantum {quantum}")
                self.assertEqual(run.output, reference.output, f"{name} at quantum {quantum}")

    def test_several_harts_see_each_other_s_stores_in_their_time_at_any_quantum(self):
        # Hart 1 stores to 0x100 in cycle 72: 7 cycles up to its branch's target, 1, 30 rounds of 2, 4 for the last branch.
        # Hart 0 polls in rounds of 9 cycles (a load of 8 from L1, a predicted branch); then it needs the value, 8, has
        # mispredicted its branch, 5, and stores the cycle.
        code = struct.pack("<12I", 0xf14022f3, 0x00029c63, 0x10002303, 0xfe030ee3, 0xc00023f3, 0x10702223, 0x0000006f,
                           0x01e00313, 0xfff30313, 0xfe031ee3, 0x10502023, 0x0000006f)
        header = b"\x7fELF\x01\x01\x01" + bytes(9) + struct.pack("<HHIIIIIHHHHHH", 2, 243, 1, 0x80000000, 52, 0, 0, 52, 32, 1, 40, 0, 0)
        segment = struct.pack("<8I", 1, 84, 0x80000000, 0x80000000, len(code), len(code), 5, 4)
        with tempfile.TemporaryDirectory() as place:
            elf, dump = pathlib.Path(place) / "two.elf", pathlib.Path(place) / "dump"
            elf.write_bytes(header + segment + code)
            def seen(*options):
                Run(elf, "--set", "hart.count=2", "--max-cycles", 100_000, "--dump", f"0x104:4={dump}", *options, expect=2)
                return words(dump.read_bytes(), "I")[0]
            self.assertTrue(72 + 8 <= seen() <= 72 + 9 + 8 + 5, seen())
            self.assertEqual(seen(), seen("--quantum", 0))
            self.assertEqual(seen(), seen("--quantum", 5000))

    def test_the_same_tile_in_two_processes_gives_the_same_at_any_quantum_with_direct_access_and_without(self):
        elf = FIRMWARE / "tile_bf16.elf"
        with tempfile.TemporaryDirectory() as place:
            ways = [["--quantum", quantum, "--set", f"memory.l1.dmi={dmi}"] for quantum in ("0", "5000") for dmi in ("true", "false")]
            files = [f"{place}/{i}" for i in range(len(ways))]
            # All at once, as on a machine that does other things, too.
            runs = [subprocess.Popen([str(SIMULATOR), "tile", str(elf), *way, "--dst-dump", file, "--json"], stdout=subprocess.PIPE, text=True)
                    for way, file in zip(ways, files)]
            answers = [json.loads(run.communicate(timeout=250)[0]) for run in runs]
            for answer, file in zip(answers[1:], files[1:]):
                self.assertEqual(answer, answers[0])
                self.assertEqual(pathlib.Path(file).read_bytes(), pathlib.Path(files[0]).read_bytes())

    def test_a_window_of_the_waveform_shows_what_the_whole_shows_there(self):
        def cycles_of(*options):
            """What each signal has in each cycle, by its name."""
            names, now, scope, result, at = {}, {}, [], {}, 0
            for line in Run(FIRMWARE / "tile_bf16.elf", *options, files=["--vcd"]).files["--vcd"].splitlines():
                if line.startswith("$scope"):
                    scope.append(line.split()[2])
                elif line.startswith("$upscope"):
                    scope.pop()
                elif line.startswith("$var"):
                    names[line.split()[3]] = ".".join([*scope, line.split()[4]])
                elif line.startswith("#"):
                    if at % 1000 == 0 and 2000 <= at // 1000 <= 2100:
                        result[at // 1000] = dict(now)
                    at = int(line[1:])
                elif line and line[0] in "bs":
                    value, name = line.split()
                    now[names[name]] = value
                elif line and line[0] in "01xz":
                    now[names[line[1:]]] = line[0]
            return result
        whole, window = cycles_of("--to-cycle", 2100), cycles_of("--from-cycle", 2000, "--to-cycle", 2100)
        for cycle in range(2000, 2101):
            shown = {name: value for name, value in window[cycle].items() if not name.startswith("hazards")}
            expected = {name: value for name, value in whole[cycle].items() if name in shown}
            self.assertEqual(shown, expected, cycle)

    def test_observing_a_run_changes_nothing(self):
        elf = FIRMWARE / "tile_bf16.elf"
        plain = Run(elf, dumps=["dst"])
        watched = Run(elf, dumps=["dst"], files=["--stats", "--vcd", "--konata", "--perfetto"])
        self.assertEqual(watched.dumps, plain.dumps)
        self.assertEqual(watched.cycles, plain.cycles)
        again = Run(elf, files=["--vcd", "--konata", "--perfetto"])
        for name, text in again.files.items():
            self.assertEqual(text, watched.files[name], name)

    def test_a_dependent_load_from_l1_costs_the_documented_latency(self):
        elf = FIRMWARE / "minimal.elf"
        base = Run(elf).cycles
        slower = Run(elf, "--set", "hart.mispredict_penalty=20").cycles
        self.assertGreater(slower, base)


class Jitter(unittest.TestCase):
    def jittered(self, elf, seed, *options, expect=None):
        run = Run(elf, "--jitter", seed, "--json", *options, expect=expect)
        answer = json.loads(run.output)
        self.assertEqual(run.code == 0, answer["ok"])
        return answer["jitter"], run

    def test_a_program_that_waits_is_right_with_delays_and_the_answer_is_the_same_each_time(self):
        elf = FIRMWARE / "tile_bf16.elf"
        first, run = self.jittered(elf, 5, expect=0)
        self.assertGreater(first["delays"], 0)
        self.assertEqual((first["seed"], first["most"], first["changed"], first["dst_cells"], first["l1_bytes"]), (5, 100, False, 0, 0))
        self.assertEqual(first["cycles"][0], Run(elf).cycles)
        self.assertGreater(first["cycles"][1], first["cycles"][0])
        self.assertEqual(self.jittered(elf, 5, "--quantum", 0)[1].output, run.output)
        other = self.jittered(elf, 6, "--jitter-most", 3)[0]
        self.assertNotEqual(other["cycles"], first["cycles"])
        self.assertLessEqual(other["core_nops"] + other["tensix_nops"], 3 * other["delays"])

    def test_a_race_is_found_by_some_seed_and_gives_exit_code_2(self):
        answers = [self.jittered(FIRMWARE / "race.elf", seed) for seed in range(4)]
        found = [run for answer, run in answers if answer["changed"]]
        self.assertTrue(found)
        self.assertEqual({run.code for run in found}, {2})
        self.assertRegex(found[0].errors, "delays change it: .*(result|Dst|L1|reports)")

    def test_bad_options_are_refused(self):
        for options in (["--jitter", "-1"], ["--jitter", "x"], ["--jitter-most", "5"], ["--jitter", "1", "--jitter-most", "0"]):
            self.assertEqual(Run(FIRMWARE / "minimal.elf", *options, expect=1).code, 1)


class Traces(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.run_ = Run(FIRMWARE / "tile_bf16.elf", files=["--stats", "--vcd", "--konata", "--perfetto"])
        cls.trace = perfetto_trace.read(cls.run_.files["--perfetto"])

    def slices(self):
        """(begin, end, name, categories, args) of each, by thread."""
        found = {}
        for *thread, begin, end, name, categories, args in self.trace.slices:
            found.setdefault(self.trace.threads[tuple(thread)][0], []).append((begin, end, name, categories, args))
        return found

    def test_perfetto_shows_the_tile_from_l1_to_dst_and_back_in_one_timeline(self):
        slices = self.slices()
        for lane in ("hart0 retire", "tensorload load", "tensorload reshape", "tensorload store", "front_end0 replay",
                     "Issue", "Load", "Simple", "Store"):
            self.assertIn(lane, slices)
        begins = [slices[lane][0][0] for lane in ("tensorload load", "tensorload reshape", "front_end0 replay", "Store")]
        self.assertEqual(begins, sorted(begins))
        macros = [s for s in slices["Store"] if s[3] == ["scheduled"]]
        self.assertEqual(len(macros), 32)

    def test_perfetto_has_both_processes_and_arrows_between_activities_of_one_instruction(self):
        self.assertEqual(self.trace.processes, {1: "SFPU", 2: "Tile"})
        self.assertEqual({arrow[1] for arrow in self.trace.arrows}, {"tile", "macro", "data"})

    def test_slices_of_a_thread_do_not_overlap(self):
        for lane, slices in self.slices().items():
            end = 0
            for begin, following_end, *_ in sorted(slices, key=lambda s: s[0]):
                self.assertGreaterEqual(begin, end, lane)
                end = following_end

    def test_the_waveform_goes_forward_and_has_a_scope_for_each_lane(self):
        text = self.run_.files["--vcd"]
        times = [int(line[1:]) for line in text.splitlines() if line.startswith("#")]
        self.assertEqual(times, sorted(set(times)))
        scopes = set(re.findall(r"^\$scope module (\S+) \$end", text, re.M))
        for lane in self.slices():
            unit = lane.split(" ")[0]
            if unit.startswith(("hart", "front_end", "tensorload", "memory")):
                self.assertIn(re.sub(r" \(\d+\)", "", lane).replace(" ", "_"), scopes)

    def test_the_waveform_and_the_timeline_have_the_values_that_dst_gets(self):
        with tempfile.TemporaryDirectory() as place:
            vcd, dump = pathlib.Path(place, "a.vcd"), pathlib.Path(place, "dst")
            Run(FIRMWARE / "tile_bf16.elf", "--vcd", vcd, "--dst-dump", dump, "--lane", 9)
            text, view, dst = vcd.read_text(), pathlib.Path(place, "a.gtkw").read_text(), words(dump.read_bytes(), "H")
        # Row r of data has lane 9 in the second of four rows of storage, in its second even or odd column.
        wanted = [dst[(r // 2 * 4 + 1) * 16 + 2 + r % 2] for r in range(32)]
        self.assertGreater(len(set(wanted)), 10)
        scope = text[text.index("$scope module lane9 $end"):]
        name = re.search(r"\$var wire 32 (\S+) store_data", scope)[1]
        stored = [int(bits, 2) for bits in re.findall(r"^b([01]+) %s$" % re.escape(name), text, re.M)]
        self.assertLessEqual(len(stored), 32)
        self.assertEqual(set(stored), set(wanted))
        l16 = re.search(r"\$var wire 32 (\S+) L16", scope)[1]
        self.assertGreater(len(re.findall(r"^b[01]+ %s$" % re.escape(l16), text, re.M)), 10, "results pass through L16")
        for signal in ("sfpu.lane9.L16[31:0]", "tile.hart0_retire.text"):
            self.assertIn(signal, view)
        cells = [s[4]["cell"] for s in self.slices()["Store"] if s[3] == ["scheduled"]]
        zero = [f"0x{dst[r // 2 * 64 + r % 2]:08x}" for r in range(32)]
        self.assertEqual(cells, zero, "lane 0, row by row")

    def test_the_pipeline_log_retires_what_it_starts(self):
        text = self.run_.files["--konata"]
        started = re.findall(r"^I\t(\d+)", text, re.M)
        self.assertEqual(sorted(started), sorted(re.findall(r"^R\t(\d+)", text, re.M)))
        self.assertTrue(any("tl.xpose" in s[4] for s in self.trace.slices))

    def test_statistics_say_where_the_time_went(self):
        statistics = json.loads(self.run_.files["--stats"])
        tile = statistics["tile"]
        self.assertEqual(statistics["throughput"]["cycles"], self.run_.cycles)
        self.assertEqual(tile["hart"]["cycles"], self.run_.cycles)
        self.assertEqual(tile["tensorload"]["load"]["bytes"], 2048)
        self.assertEqual(tile["tensorload"]["load"]["busy"], 128, "64 beats of 16 bytes for each of two registers")
        self.assertEqual(tile["tensorload"]["reshape"]["instructions"], 1)
        self.assertEqual(tile["front_end"]["replay_words"], 32)
        self.assertEqual(tile["l1"]["bytes_read"], 3 * 2048, "the engine reads the tile, the check reads it and the result")
        self.assertEqual(statistics["units"]["store"]["scheduled"], 32)

    def test_a_window_of_cycles_holds_nothing_else(self):
        run = Run(FIRMWARE / "tile_bf16.elf", "--from-cycle", 1000, "--to-cycle", 1099, files=["--perfetto", "--konata"])
        trace = perfetto_trace.read(run.files["--perfetto"])
        self.assertGreater(len(trace.slices), 0)
        for s in trace.slices:
            self.assertLess(s[6]["cycle"], 1100)
        self.assertLess(len(run.files["--konata"]), 20_000)


class BadInput(unittest.TestCase):
    def refused(self, elf, *options, code=1, says=()):
        run = Run(elf, *options, expect=code)
        for text in says:
            self.assertIn(text, run.errors)
        self.assertNotIn("internal", run.errors)
        return run

    def with_bytes(self, data, *options, **expected):
        with tempfile.TemporaryDirectory() as place:
            path = pathlib.Path(place) / "program.elf"
            path.write_bytes(data)
            return self.refused(path, *options, **expected)

    @staticmethod
    def place_of_main(elf):
        """Where the first instruction of main, li a0, 0, stands in the file."""
        table, = struct.unpack_from("<I", elf, 28)
        offset, _, address = struct.unpack_from("<3I", elf, table + 4)
        place = elf_symbols.symbols(FIRMWARE / "minimal.elf")["main"] - address + offset
        assert struct.unpack_from("<I", elf, place) == (0x00000513,)
        return place

    def test_files_that_are_no_32_bit_riscv_programs_are_refused(self):
        elf = (FIRMWARE / "minimal.elf").read_bytes()
        self.refused("no/such/file.elf", says=["no/such/file.elf"])
        self.refused(FIRMWARE, says=[f"{FIRMWARE}: cannot be read"])
        self.refused(SIMULATOR, says=["32"])
        self.with_bytes(b"", says=["program.elf"])
        self.with_bytes(b"hello\n" * 40, says=["not an ELF file"])
        for length in range(0, len(elf), 97):
            run = self.with_bytes(elf[:length], "--max-cycles", 1000, code=None)
            self.assertIn(run.code, (1, 2), f"cut after {length} bytes")

    def test_a_segment_outside_memory_is_named(self):
        elf = bytearray((FIRMWARE / "minimal.elf").read_bytes())
        table, = struct.unpack_from("<I", elf, 28)
        for address in 0x40000000, 0xffb80000, 0x801fffff:
            struct.pack_into("<I", elf, table + 12, address)
            self.with_bytes(elf, says=[f"{address:#010x}", "segment"])

    def test_a_program_without_tohost_needs_a_limit(self):
        data = (FIRMWARE / "minimal.elf").read_bytes().replace(b"tohost\0", b"tohosx\0")
        self.with_bytes(data, says=["tohost", "--max-cycles"])
        self.with_bytes(data, "--max-cycles", 1000, code=2, says=["no end after 1000 cycles", "pc 0x80000", "no symbol 'tohost'"])

    def test_the_b_core_runs_a_program_of_its_own_and_may_end_the_run(self):
        def elf(address, *code):
            size = 4 * len(code)
            header = [0x464c457f, 0x00010101, 0, 0, 0x00f30002, 1, address, 52, 0, 0, 0x00200034, 0x00280001, 0, 1, 84, address,
                      address, size, size, 5, 4]
            return struct.pack(f"<{21 + len(code)}I", *header, *code)
        # csrr t2, mhartid; sw t2, 0x100(x0); lui t0, 0xffb10; addi t1, x0, 1; sw t1, 0(t0), which is EXIT; j .
        b_code = elf(0x1000, 0xf14023f3, 0x10702023, 0xffb102b7, 0x00100313, 0x0062a023, 0x0000006f)
        with tempfile.TemporaryDirectory() as place:
            b_core = pathlib.Path(place) / "b.elf"
            b_core.write_bytes(b_code)
            hang = pathlib.Path(place) / "hang.elf"
            hang.write_bytes(elf(0x80000000, 0x0000006f))
            for quantum in 0, 1000:
                run = Run(hang, "--b-core", b_core, "--max-cycles", 10000, "--quantum", quantum, dumps=[("0x100", 4)])
                self.assertEqual(words(run.dumps[0], "I"), (3,))
                self.assertIn("success", run.output)
            self.assertIn("success", Run(FIRMWARE / "minimal.elf", "--set", "hart.b_core=true").output) # without a program it is held
            b_core.write_bytes(b"no program")
            self.assertIn("b.elf", Run(hang, "--b-core", b_core, "--max-cycles", 10, expect=1).errors)

    def test_a_segment_in_front_of_memory_that_holds_the_header_of_the_file_is_explained(self):
        elf = bytearray((FIRMWARE / "minimal.elf").read_bytes())
        table, = struct.unpack_from("<I", elf, 28)
        offset, _, address = struct.unpack_from("<3I", elf, table + 4)
        size, = struct.unpack_from("<I", elf, table + 16)
        # as GNU ld does it: the segment begins at the start of the file, as much in front of its code
        struct.pack_into("<5I", elf, table + 4, 0, address - offset, address - offset, offset + size, offset + size)
        self.with_bytes(elf, says=[f"{address - offset:#010x} is in no region", "header of the file", "--nmagic"])

    def test_a_program_for_compressed_instructions_that_goes_wrong_says_so_and_one_that_ends_runs(self):
        elf = bytearray((FIRMWARE / "minimal.elf").read_bytes())
        elf[36] |= 1
        self.assertNotIn("compressed", self.with_bytes(elf, code=0).output)
        struct.pack_into("<I", elf, self.place_of_main(elf), 0x00000000)
        self.with_bytes(elf, code=2, says=["(.word 0x00000000)", "compressed instructions"])

    def test_traps_without_a_handler_say_cause_place_value_and_instruction(self):
        minimal = (FIRMWARE / "minimal.elf").read_bytes()
        code = self.place_of_main(minimal)
        for word, says in ((0xffffffff, ["illegal instruction", "cause 2", "mtval 0xffffffff", "instruction 0xffffffff"]),
                           (0x00100073, ["cause 3"]), (0x00000073, ["cause 11"]),
                           (0x0000705b, ["illegal instruction", "TensorLoad"])):
            data = bytearray(minimal)
            struct.pack_into("<I", data, code, word)
            self.with_bytes(data, code=2, says=["mepc 0x80000", *says])

    def test_control_c_ends_a_run_with_what_there_is_so_far(self):
        elf = FIRMWARE / "minimal.elf"
        entry = struct.unpack_from("<I", elf.read_bytes(), 24)[0]
        with tempfile.TemporaryDirectory() as place:
            loop = pathlib.Path(place, "loop")
            loop.write_bytes(struct.pack("<I", 0x0000006f)) # j .
            for option in ([], ["--vcd", f"{place}/a.vcd", "--to-cycle", "100"]):
                command = [str(SIMULATOR), "tile", str(elf), "--load", f"{entry:#x}={loop}", "--max-cycles", "1000000000000",
                           "--stats", f"{place}/a.json", *option]
                run = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
                time.sleep(1)
                run.send_signal(signal.SIGINT)
                output, errors = run.communicate(timeout=100)
                self.assertEqual(run.returncode, 130, errors)
                self.assertRegex(errors, rf"interrupted in cycle [1-9]\d*, pc {entry:#010x}")
                cycles = json.loads(pathlib.Path(place, "a.json").read_text())["throughput"]["cycles"]
                self.assertIn(f"cycles         {cycles}\n", output)
                self.assertTrue(not option or pathlib.Path(place, "a.vcd").read_text().startswith("$version"))

    def test_firmware_that_fails_or_never_ends_gives_exit_code_2(self):
        minimal = (FIRMWARE / "minimal.elf").read_bytes()
        code = self.place_of_main(minimal)
        data = bytearray(minimal)
        struct.pack_into("<I", data, code, 0x00700513)  # li a0, 7
        self.with_bytes(data, code=2, says=["failure 7", "0xf"])
        struct.pack_into("<I", data, code, 0x0000006f)  # j .
        self.with_bytes(data, "--max-cycles", 5000, code=2, says=["no end after 5000 cycles", "pc 0x80000"])
        hang = CHECKS / "check_hang.elf"
        place = f"{elf_symbols.symbols(hang)['main']:#x}"[:-2]
        for options in ([], ["--max-cycles", 5000], ["--quantum", 0], ["--stats", os.devnull]):
            self.refused(hang, *options, code=2, says=["waits for ever", f"pc {place}", "/sfpu/frontend/never-released"])

    def test_operands_of_memory_options_are_checked_before_the_run(self):
        elf = FIRMWARE / "minimal.elf"
        for options, says in ((["--l1-dump", "0:16"], "ADDR:LENGTH=FILE"), (["--l1-dump", "16=x"], "ADDR:LENGTH=FILE"),
                              (["--l1-dump", "zero:16=x"], "address"), (["--l1-dump", "0:0=x"], "length"),
                              (["--l1-dump", "0x17ffff:2=x"], "region l1"), (["--l1-dump", "0x80000000:4=x"], "L1"),
                              (["--l1-load", "0=/no/such/file"], "/no/such/file"), (["--l1-load", "=x"], "ADDR=FILE"),
                              (["--l1-dump", "0:4=/no/such/directory/x"], "/no/such/directory/x"),
                              (["--dst-dump", "/no/such/directory/x"], "/no/such/directory/x"),
                              (["--dump", "0xffe40000:4=x"], "instruction_push"), (["--max-cycles", "0"], "--max-cycles"),
                              (["--vcd", "/no/such/directory/x"], "/no/such/directory/x"), (["--arch", "xy"], "xy")):
            self.refused(elf, *options, says=[says])
        self.refused("", says=["FIRMWARE"])

    def test_what_is_loaded_into_l1_is_there_after_the_run(self):
        with tempfile.TemporaryDirectory() as place:
            path = pathlib.Path(place) / "data"
            path.write_bytes(bytes(range(200)))
            run = Run(FIRMWARE / "minimal.elf", "--l1-load", f"0x100={path}", dumps=[(0x100, 200), (0xf0, 16)])
            self.assertEqual(run.dumps, [bytes(range(200)), bytes(16)])


def array_file(path, descr, form, values, shape):
    header = f"{{'descr': '{descr}', 'fortran_order': False, 'shape': {shape}, }}".encode()
    header += b" " * (63 - (len(header) + 10) % 64) + b"\n"
    pathlib.Path(path).write_bytes(b"\x93NUMPY\x01\0" + struct.pack("<H", len(header)) + header
                                   + struct.pack(f"<{len(values)}{form}", *values))


def array_of(path):
    data = pathlib.Path(path).read_bytes()
    begin = 10 + struct.unpack("<H", data[8:10])[0]
    return data[10:begin].decode(), data[begin:]


class Cores(unittest.TestCase):
    def test_each_core_takes_a_program_and_the_tile_has_the_cores_that_they_need(self):
        elf = FIRMWARE / "minimal.elf"
        self.assertIn("success", Run("--trisc1", elf).output)
        run = Run("--trisc0", elf, "--trisc2", elf, "--brisc", elf, files=["--stats"])
        self.assertIn("hart2", json.loads(run.files["--stats"])["tile"])

    def test_a_program_that_never_fills_its_mailbox_is_told(self):
        run = Run("--trisc1", FIRMWARE / "minimal.elf", "--loader", "llk", "--max-cycles", 20000, expect=2)
        self.assertIn("the host waits for T1", run.errors)

    def test_tiles_of_arrays_go_into_dst_and_l1_and_come_back(self):
        with tempfile.TemporaryDirectory() as place:
            numbers = [i * 7 % 65536 for i in range(2048)]
            array_file(f"{place}/in.npy", "<u2", "H", numbers, "(2, 32, 32)")
            for arch in "bh", "wh":
                Run(FIRMWARE / "minimal.elf", "--arch", arch, "--dst-in", f"u16@3={place}/in.npy", "--dst-out",
                    f"u16@3+2={place}/dst.npy", "--l1-in", f"0x10000:u16={place}/in.npy", "--l1-out", f"0x10000:u16:2={place}/l1.npy")
                for name in "dst", "l1":
                    header, data = array_of(f"{place}/{name}.npy")
                    self.assertIn("(2, 32, 32)", header)
                    self.assertEqual(list(words(data, "H")), numbers, (arch, name))
            run = Run(FIRMWARE / "minimal.elf", "--dst-in", f"u16@3={place}/in.npy", dumps=["dst"])
            row_17 = words(run.dumps[0], "H")[(3 * 64 + 2 * 16 + 1) * 16:][:16]  # of tile 3, in its third face
            self.assertEqual(list(row_17), numbers[17 * 32:17 * 32 + 16])

    def test_16_bit_tiles_stand_in_upper_halves_of_32_bit_cells_if_asked_to(self):
        with tempfile.TemporaryDirectory() as place:
            numbers = [i * 7 % 65536 for i in range(1024)]
            array_file(f"{place}/in.npy", "<u2", "H", numbers, "(1, 32, 32)")
            run = Run(FIRMWARE / "minimal.elf", "--dst-in", f"u16/32@1={place}/in.npy", "--dst-out", f"u16/32@1={place}/out.npy", dumps=["dst"])
            self.assertEqual(list(words(array_of(f"{place}/out.npy")[1], "H")), numbers)
            cells = words(run.dumps[0], "H")
            # Tile 1 has rows 64 and the following of 512; row 64 + r has its upper half in row 128 + r of 1024, up to r = 7.
            self.assertEqual(list(cells[129 * 16:][:16]), numbers[32:48])
            self.assertEqual(set(cells[136 * 16:][:128]), {0}, "lower halves")

    def test_kernels_of_metal_want_its_loader_its_symbols_and_whole_circular_buffers(self):
        elf = FIRMWARE / "minimal.elf"
        metal = "--trisc0", elf, "--loader", "metal", "--kernel0", elf
        for options, says in ((("--trisc0", elf, "--kernel0", elf), "--loader metal"), (("--trisc0", elf, "--cb", "0:0:1x16"), "found no kernel"),
                              (metal, "metal_free_l1"), ((*metal, "--cb", "64:0:1x16"), "from 0 to 63"), ((*metal, "--cb", "1:8:1x16"), "multiples of 16"),
                              ((*metal, "--cb", "1:0x10:1x16:spill"), "NUMBER:ADDR:PAGESxBYTES"), ((*metal, "--cb", "1:0:0x16"), "from 1 to 65535"),
                              ((*metal, "--cb", "1:0:1x16:fill=x"), "from 0 to 65535"), ((*metal, "--cb", "1:0:1x16", "--cb", "1:0:1x16"), "twice"),
                              ((*metal, "--kernel-arg", "-1"), "--kernel-arg")):
            self.assertIn(says, Run(*options, expect=1).errors, options)

    def test_arrays_and_operands_that_do_not_fit_are_refused(self):
        with tempfile.TemporaryDirectory() as place:
            array_file(f"{place}/a.npy", "<u2", "H", [0] * 1024, "(32, 32)")
            array_file(f"{place}/odd.npy", "<u2", "H", [0] * 64, "(2, 32)")
            array_file(f"{place}/f.npy", "<f4", "f", [0.1] * 1024, "(1, 32, 32)")
            elf = FIRMWARE / "minimal.elf"
            for options, says in ((["--dst-in", f"u16@16={place}/a.npy"], "from 0 to 15"), (["--dst-in", f"u32={place}/a.npy"], "<u4"),
                                  (["--dst-in", f"u16={place}/odd.npy"], "(n, 32, 32)"), (["--dst-in", f"bf16={place}/f.npy"], "element 0 of tile 0"),
                                  (["--dst-in", f"x16={place}/a.npy"], "bf16"), (["--dst-in", "u16"], "TYPE[/32][@TILE]=FILE"),
                                  (["--dst-in", f"u16/32@8={place}/a.npy"], "from 0 to 7"), (["--dst-in", f"u32/32={place}/a.npy"], "16 bits only"),
                                  (["--dst-out", f"u16@15+2={place}/o.npy"], "from 1 to 1"), (["--l1-in", f"0x17ff00:u16={place}/a.npy"], "region l1"),
                                  (["--l1-out", f"0x80000000:u16={place}/o.npy"], "L1"), (["--loader", "llk"], "--brisc"),
                                  (["--loader", "other"], "--loader"), (["--trisc0", elf], "expected one")):
                run = Run(elf, *options, expect=1)
                self.assertIn(says, run.errors, options)


class Cost(unittest.TestCase):
    @unittest.skipIf(any(name in SIMULATOR.read_bytes() for name in (b"__asan_init", b"__tsan_init")), "sanitizers need memory of their own")
    def test_a_tile_takes_less_than_16_mib(self):
        def peak(*command):
            child = subprocess.Popen([SIMULATOR, *command], stdout=subprocess.DEVNULL)
            _, status, usage = os.wait4(child.pid, 0)
            self.assertEqual(status, 0)
            child.returncode = 0  # it has been waited for
            return usage.ru_maxrss  # KiB
        tile = peak("tile", FIRMWARE / "tile_bf16.elf", "--quiet")
        self.assertLess(tile - peak("info"), 16 * 1024)


if __name__ == "__main__":
    if not (FIRMWARE / "minimal.elf").exists():
        print("no firmware was built")
        sys.exit(77)
    unittest.main(argv=sys.argv[:1])
