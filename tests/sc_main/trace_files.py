#!/usr/bin/env python3
"""The trace files: the trace for Perfetto can be read and has what kernels do, the examples in traces/examples are what the program
writes, and writing them takes no memory that grows with the run.

usage: trace_files.py SFPUSIM SOURCE_DIR
"""
import json
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile
import unittest

SFPUSIM, SOURCES = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()
sys.path.insert(0, str(SOURCES / "tests" / "support"))
import perfetto_trace  # noqa: E402

# Held words, discarded instructions, a diagnostic, an SFPNOP, a front-end word, a store and its reader.
MIXED = """\
.rows 3
.loop
    sfpload  L0, INT32, ADDR_MOD_7, 0
    incrwc   2, 0, 0, 0
    sfpmad   L0, L1, L2, L3, 0
    sfpswap  0, L3, L0, 1
    sfpmov   0, L3, L4, 0
    sfpmad   L4, L1, L2, L3, 0
    sfpshft2 -3, L3, L5, 6
    sfpnop
    sfpstore L5, INT32, ADDR_MOD_7, 128
"""


class Traces(unittest.TestCase):
    def setUp(self):
        place = tempfile.TemporaryDirectory()
        self.addCleanup(place.cleanup)
        self.place = pathlib.Path(place.name)

    def run_(self, *arguments, code=0):
        done = subprocess.run([SFPUSIM, *map(str, arguments)], capture_output=True, text=True, timeout=250)
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        return done

    def perfetto(self, command, *arguments):
        """The bytes of the trace."""
        file = self.place / "trace.pftrace"
        self.run_(command, *arguments, "--quiet", "--perfetto", file)
        return file.read_bytes()


class Perfetto(Traces):
    def trace(self, command, *arguments):
        return perfetto_trace.read(self.perfetto(command, *arguments))

    def test_the_trace_of_every_kernel_can_be_read(self):
        for kernel in sorted((SOURCES / "kernels").glob("*.s")):
            with self.subTest(kernel.name):
                trace = self.trace("run", kernel, "--rows", 64)
                self.assertGreater(len(trace.slices), 128, "issue and sub-unit of each row")
                self.assertGreater(len(trace.counters), 10)

    def test_what_kernels_seldom_have_is_there_too(self):
        (self.place / "mixed.s").write_text(MIXED)
        trace = self.trace("run", self.place / "mixed.s")
        categories = {c for s in trace.slices for c in s[5]}
        self.assertTrue({"issued", "stall"} <= categories, categories)
        trace = self.trace("run", SOURCES / "tests" / "data" / "broken_mul32_macro.s")
        self.assertTrue({"issued", "scheduled", "discarded"} <= {c for s in trace.slices for c in s[5]})
        self.assertTrue(trace.instants, "diagnostics")

    def test_a_window_holds_its_cycles_and_the_other_architecture_has_its_clock(self):
        trace = self.trace("run", SOURCES / "kernels" / "mul32_macro.s", "--from-cycle", 100, "--to-cycle", 160)
        self.assertTrue(trace.slices)
        self.assertTrue(all(100 <= s[6]["cycle"] <= 160 and s[2] == 741 * s[6]["cycle"] for s in trace.slices))
        trace = self.trace("run", SOURCES / "kernels" / "mul32_wh.s", "--rows", 64)
        self.assertTrue(all(s[2] == 1000 * s[6]["cycle"] for s in trace.slices))
        self.assertIn("architecture wh", trace.about)

    def test_a_cycle_takes_few_bytes(self):
        for kernel, rows, most in (("mul32_macro.s", 256, 105), ("mul32.s", 256, 52), ("where_inplace.s", 512, 76)):
            with self.subTest(kernel):
                data = self.perfetto("run", SOURCES / "kernels" / kernel, "--rows", rows)
                trace = perfetto_trace.read(data)
                cycles = max(s[6]["cycle"] for s in trace.slices)
                self.assertLess(len(data) / cycles, most, "values of random data cannot be compressed")

    def test_more_than_one_block_of_compressed_packets_is_read(self):
        data = self.perfetto("run", SOURCES / "kernels" / "mul32_macro.s", "--rows", 512)
        blocks = [value for _, _, packet in perfetto_trace.fields(data)
                  for number, _, value in perfetto_trace.fields(packet) if number == 50]
        self.assertGreater(len(blocks), 3)

    def test_a_name_that_ends_in_json_is_refused_before_anything_runs(self):
        kernel = SOURCES / "kernels" / "mul32.s"
        for command, name in (("run", "t.json"), ("schedule", ".json"), ("tile", "a.pftrace.json")):
            file = self.place / name
            for arguments in ((command, kernel, "--perfetto", file), ("--perfetto", file, command, kernel)):
                said = self.run_(*arguments, code=1)
                self.assertEqual(said.stdout, "")
                self.assertIn(f"--perfetto: found '{file}', expected a name that does not end in .json: the trace is written in "
                              "Perfetto's own format, which ui.perfetto.dev opens", said.stderr)
        self.assertEqual(list(self.place.iterdir()), [])
        for name in ("a.JSON", "a", "a.json.pftrace"):
            self.run_("run", kernel, "--rows", 1, "--quiet", "--perfetto", self.place / name)
            self.assertTrue(perfetto_trace.read((self.place / name).read_bytes()).slices, name)


class Examples(Traces):
    def test_the_example_traces_are_what_the_program_writes(self):
        subprocess.run([SOURCES / "traces" / "examples" / "regenerate", SFPUSIM, self.place], check=True, timeout=250)
        written = {str(f.relative_to(self.place)) for f in self.place.rglob("*") if f.is_file()}
        kept = {str(f.relative_to(SOURCES)) for f in (SOURCES / "traces" / "examples").iterdir()} - {
            "traces/examples/README.md", "traces/examples/regenerate"}
        self.assertEqual(kept - written, set(), "files that no command writes")
        for name in sorted(written):
            self.assertTrue((SOURCES / name).exists(), f"{name}: run traces/examples/regenerate")
            found, wanted = ((place / name).read_bytes() for place in (self.place, SOURCES))
            if name.endswith(".pftrace"):  # compressed bytes depend on the version of libdeflate
                found, wanted = (b"".join(perfetto_trace.uncompressed(data)) for data in (found, wanted))
            self.assertEqual(found, wanted, f"{name}: run traces/examples/regenerate")

    def test_the_view_for_gtkwave_names_signals_that_the_waveform_has(self):
        signals, scopes = set(), []
        for line in (SOURCES / "traces" / "examples" / "mul32_macro.vcd").read_text().splitlines():
            words = line.split()
            if words[:1] == ["$scope"]:
                scopes.append(words[2])
            elif words[:1] == ["$upscope"]:
                scopes.pop()
            elif words[:1] == ["$var"]:
                signals.add(".".join(scopes + [words[4]]) + (words[5] if words[5] != "$end" else ""))
        named = re.findall(r"^[a-z_]+(?:\.[a-z_]+)+.*$", (SOURCES / "traces" / "examples" / "mul32_macro.gtkw").read_text(), re.M)
        self.assertGreater(len(named), 30)
        self.assertEqual([name for name in named if name not in signals], [])

    def test_the_readme_says_how_the_files_are_made(self):
        readme = (SOURCES / "traces" / "examples" / "README.md").read_text()
        self.assertIn("traces/examples/regenerate", readme)
        for file in (SOURCES / "traces" / "examples").iterdir():
            if file.name != "README.md":
                self.assertIn(file.name, readme)


class GrownMachines(Traces):
    """tests/data/grown_machine.s, whose first SFPLOADMACRO is issued in cycle 12: six templates, seven macros, delays of 20
    and 22, two MAD units."""
    KERNEL = SOURCES / "tests" / "data" / "grown_machine.s"
    MACRO = "sfploadmacro 6, L0, FP32, ADDR_MOD_6, 0"

    def test_texts_are_those_of_the_kernel(self):
        table = self.run_("schedule", self.KERNEL, "--all").stdout
        for text in (self.MACRO, "TEMPLATE5", "SEQUENCE6_LOWER", "SEQUENCE6_UPPER"):
            self.assertIn(text, table)
        self.assertNotIn(".word", table)
        log, trace, picture = (self.place / name for name in ("trace.kanata", "trace.pftrace", "schedule.svg"))
        self.run_("run", self.KERNEL, "--quiet", "--konata", log, "--perfetto", trace)
        self.run_("schedule", self.KERNEL, "--quiet", "--svg", picture)
        shown = "\n".join(s[6].get("text", "") for s in perfetto_trace.read(trace.read_bytes()).slices)
        for text in (log.read_text(), shown, picture.read_text()):
            self.assertNotIn(".word", text)
        for text in (log.read_text(), shown):
            self.assertIn(self.MACRO, text)

    def test_diagnostics_name_instructions_as_the_kernel_does(self):
        kernel = self.place / "kernel.s"
        kernel.write_text(".config macro.count, 7\nsfpconfig 0, MISC, 1\nsfploadmacro 6, L0, FP32, ADDR_MOD_7, 0\n")
        said = self.run_("run", kernel).stdout
        self.assertIn("config-macro-distance", said)
        self.assertIn("sfploadmacro 6, L0, FP32, ADDR_MOD_7, 0", said)
        self.assertNotIn(".word", said)

    def test_lint_names_both_halves_of_a_sequence_in_the_words_of_the_kernel(self):
        lines = self.KERNEL.read_text().splitlines()
        upper = 1 + next(i for i, line in enumerate(lines) if "SEQUENCE6_UPPER" in line)
        lower = 1 + next(i for i, line in enumerate(lines) if "SEQUENCE6_LOWER" in line)
        found = self.run_("lint", self.KERNEL, code=2).stdout
        named = ", ".join(str(line) for line in (*range(lower - 2, lower + 1), *range(upper - 2, upper + 1)))
        self.assertIn(f"its sequence in lines {named}", found)
        self.assertIn(self.MACRO, found)
        self.assertNotIn(".word", found)

    def test_the_waveform_has_a_bit_for_each_delay_and_both_mad_units(self):
        file = self.place / "wave.vcd"
        self.run_("run", self.KERNEL, "--quiet", "--vcd", file)
        signals, scope, values, at = {}, [], {}, 0
        for line in file.read_text().splitlines():
            word = line.split()
            if not word:
                continue
            if word[0] == "$scope":
                scope.append(word[2])
            elif word[0] == "$upscope":
                scope.pop()
            elif word[0] == "$var":
                signals[word[3]] = (".".join((*scope[1:], word[4])), word[2])
            elif word[0][0] == "#":
                at = int(word[0][1:]) // 1000
            elif word[0][0] in "bs":
                values[signals[word[1]][0], at] = word[0][1:]
        widths = dict(signals.values())
        self.assertEqual(widths["macro.mad"], "32")
        self.assertEqual(int(values["macro.mad", 13], 2), 1 << 20)
        self.assertEqual(int(values["macro.store", 13], 2), 1 << 22)
        # Cycle 33: the scheduled one of cycle 12 and the issued one of the loop.
        self.assertEqual(values["mad.text", 33], "sfpmad_L7,L10,L0,L16,0")
        self.assertEqual(values["mad2.text", 33], "sfpmad_L5,L6,L11,L7,0")


class Registers(Traces):
    """What the waveform shows of registers is what they hold: `exec`, which knows no waveform, tells what a program leaves there."""
    FORMS = ["sfploadi L{d}, USHORT, {u}", "sfploadi L{d}, UPPER, {u}", "sfpiadd 0, L{a}, L{d}, 4", "sfpmov 0, L{a}, L{d}, 0",
             "sfpswap 0, L{a}, L{d}, 1", "sfpmad L{a}, L12, L13, L{d}, 0", "sfpshft2 0, L{a}, L{d}, 3", "sfptransp 0, L0, L0, 0",
             "sfpand 0, L15, L{d}, 0", "sfpsetcc 0, L{a}, 0, 0", "sfpsetcc 0, L{a}, 0, 6", "sfpencc 3, 0, 0, 10", "sfpconfig 0, L1{c}, 0"]
    SHOWN = [*range(8), 11, 12, 13, 14, 16]

    def waveform(self, file):
        """The values of the registers of all lanes in each cycle in which a word is issued, by the word."""
        names, values, scope, shown, word = {}, {}, [], {}, None
        for line in file.read_text().splitlines():
            if line.startswith("$scope"):
                scope.append(line.split()[2])
            elif line.startswith("$upscope"):
                scope.pop()
            elif line.startswith("$var"):
                names[line.split()[3]] = ".".join([*scope[1:], line.split()[4]])
            elif line.startswith("#") and int(line[1:]) % 1000 == 0:
                if values.get("issue.word", "z") != "z":
                    shown[int(values["issue.word"], 2)] = {name: int(value, 2) for name, value in values.items() if name.startswith("lane") and ".L" in name}
            elif line.startswith("b"):
                value, name = line[1:].split()
                values[names[name]] = value
        return shown

    def test_a_register_that_changes_is_never_left_out_of_the_waveform(self):
        chance = random.Random(11)
        lines, settled = [], []
        for _ in range(70):
            for _ in range(chance.randint(1, 3)):
                form = chance.choice(self.FORMS)
                lines.append(form.format(d=chance.randrange(8), a=chance.randrange(8), c=chance.randint(1, 4), u=chance.randrange(1, 65536)))
                if form.startswith(("sfpswap", "sfpshft2", "sfpmad")):
                    lines.append("sfpnop")
            lines += ["sfpnop"] * 4
            settled.append(len(lines) - 1)
        (self.place / "random.s").write_text(".init\n" + "\n".join(lines) + "\n")
        wave = self.place / "wave.vcd"
        self.run_("run", self.place / "random.s", "--zero", "--quiet", "--no-firmware-start", "--vcd", wave, "--lanes", "all")
        shown = self.waveform(wave)
        words = [line for line in self.run_("asm", self.place / "random.s").stdout.split("\n") if re.fullmatch("[0-9a-f]{8}", line)]
        self.assertEqual(len(words), len(lines))
        requests = "".join(json.dumps({"words": words[:last + 1]}) + "\n" for last in settled)
        answers = subprocess.run([SFPUSIM, "exec"], input=requests, capture_output=True, text=True, timeout=250, check=True).stdout.splitlines()
        changes, before = 0, {}
        for last, answer in zip(settled, answers):
            held = json.loads(answer)["lreg"]
            expected = {"lane%d.L%d" % (lane, lreg): int(held[str(lreg)][lane], 16) for lreg in self.SHOWN for lane in range(32)}
            changes += sum(before.get(name) != value for name, value in expected.items())
            before = expected
            wrong = {name: (shown[last].get(name), value) for name, value in expected.items() if shown[last].get(name) != value}
            self.assertEqual(wrong, {}, "shown and held at word %d, behind `%s`" % (last, lines[last - 4]))
        self.assertGreater(changes, 2000, "registers change")


class Memory(Traces):
    def peak(self, rows, *options):
        """Most kilobytes that a run holds. A small process starts it, since a child's peak begins with its parent's."""
        measure = ("import os, sys; pid = os.posix_spawn(sys.argv[1], sys.argv[1:], os.environ); "
                   "_, status, used = os.wait4(pid, 0); print(status, used.ru_maxrss)")
        command = [SFPUSIM, "run", SOURCES / "kernels" / "mul32_macro.s", "--quiet", "--rows", rows, *options]
        # The address sanitizer keeps freed memory for a while: 256 megabytes unless told.
        keep_little = os.environ.get("ASAN_OPTIONS", "") + ":quarantine_size_mb=1:thread_local_quarantine_size_kb=64"
        done = subprocess.run([sys.executable, "-S", "-E", "-c", measure, *map(str, command)], capture_output=True, text=True,
                              env={**os.environ, "ASAN_OPTIONS": keep_little.lstrip(":")})
        status, kilobytes = done.stdout.split()
        self.assertEqual(status, "0", done.stderr)
        return int(kilobytes)

    def test_traces_of_long_runs_take_no_more_memory_than_those_of_short_ones(self):
        options = []
        for option, ending in (("--vcd", "vcd"), ("--konata", "kanata"), ("--perfetto", "pftrace")):
            options += [option, self.place / f"trace.{ending}"]
        short = self.peak(640, *options)
        self.assertLess(self.peak(12_800, *options) - short, 4096, "files of 60 megabytes")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
