"""Every parameter of `info --params` has an effect: for each there is a value with which a program does something else, in
what it computes, in cycles or in what is reported. Programs are words for `exec`, and files for `tile` made here.

A parameter that no row of EFFECTS names is a failure, and so is one whose value changes nothing."""
import json
import random
import subprocess
import sys
import tempfile

SFPUSIM, SOURCE_DIR = sys.argv[1], sys.argv[2]
sys.path.insert(0, SOURCE_DIR + "/tests/support")
import tile_elf as elf  # noqa: E402
from checks import check  # noqa: E402
from tile_elf import S0, S1, T0, T1  # noqa: E402


# --- words for exec ---------------------------------------------------------------------------------------------------

CODES = [0x70, 0x71, 0x72, 0x79, 0x7b, 0x7c, 0x7d, 0x84, 0x85, 0x86, 0x8a, 0x8e, 0x8f, 0x90, 0x92, 0x93, 0x94]


def word(code, fields=0):
    return code << 24 | fields


def some_word(choose):
    code, number = choose.choice(CODES), choose.randrange
    if code in (0x70, 0x72):
        return word(code, number(4) << 20 | choose.choice([0, 6, 12]) << 16 | 3 << 13 | 2 * number(4))
    if code == 0x93:
        return word(code, number(16) << 20 | choose.choice([0, 6, 12]) << 16 | 3 << 13 | 2 * number(8))
    if code == 0x92:
        return word(code, number(4) << 8 | number(4) << 4 | number(2))
    if code == 0x94:
        return word(code, number(4) << 8 | number(4) << 4 | choose.choice([2, 3, 4, 5]))
    if code == 0x71:
        return word(code, number(4) << 20 | choose.choice([0, 2, 8, 10]) << 16 | number(65536))
    if code == 0x8f:
        return word(code)
    mod = 0 if code in (0x84, 0x85, 0x86) else number(3)
    return word(code, number(8) << 16 | number(8) << 12 | number(5) << 8 | number(4) << 4 | mod)


def hexes(words):
    return ["%08x" % each for each in words]


def random_program(seed):
    choose = random.Random(seed)
    words = [some_word(choose) for _ in range(40)]
    return {"words": hexes(words), "bubbles": [choose.choice([0, 0, 0, 1, 3]) for _ in words],
            "macro": {"template": hexes(some_word(choose) for _ in range(4)),
                      "sequence": hexes(choose.getrandbits(32) for _ in range(4)), "misc": "%03x" % choose.getrandbits(12)},
            "lreg": {str(i): "%08x" % choose.getrandbits(32) for i in range(8)},
            "dst": {str(i): ["%04x" % choose.getrandbits(16) for _ in range(16)] for i in range(8)}}


NOP, SFPNOP, MAD = word(0x02), word(0x8f), word(0x84, 0x000100)
STALL_FOR_MATRIX, STALL_FOR_UNIT = word(0xa2, 1 << 23 | 1 << 4), word(0xa2, 1 << 23 | 1 << 11)
MOP_CONFIG = ["%08x" % each for each in (2, 2, NOP, NOP, NOP, SFPNOP, NOP, SFPNOP, SFPNOP)]

FRONT_END = [
    {"words": hexes([word(0x01, 1 << 23), SFPNOP, SFPNOP]), "config": {"mop_cfg": MOP_CONFIG}},       # a MOP, then none
    {"words": hexes([SFPNOP, word(0x04, 1 << 4 | 1), SFPNOP, word(0x04), SFPNOP])},                   # plays a count of 0
    {"words": hexes([MAD, STALL_FOR_UNIT, SFPNOP])},
    {"words": hexes([word(0x37), STALL_FOR_MATRIX, SFPNOP])},                                         # SETRWC
    {"words": hexes([word(0x12), STALL_FOR_MATRIX, SFPNOP])},                                         # MOVA2D
    {"words": hexes([word(0x91, 4 << 4), word(0x93, 3 << 13)])},                                      # a sequence, then its macro
    {"words": hexes([word(0x72, 3 << 13), word(0x70, 3 << 13)])},                                     # a store, then its load
    {"words": hexes([SFPNOP] * 6), "thread": [0, 1, 2, 0, 1, 2]},
]
REQUESTS = [random_program(seed) for seed in range(40)] + [{**each, "timeline": True} for each in FRONT_END]


def asked(*settings):
    options = [text for each in settings for text in ("--set", each)]
    done = subprocess.run([SFPUSIM, *options, "exec"], input="".join(json.dumps(each) + "\n" for each in REQUESTS),
                          capture_output=True, text=True, timeout=250)
    check(done.returncode == 0, "exec ends well with %s: %s" % (settings, done.stderr[:300]))
    return done.stdout


# --- programs for the tile --------------------------------------------------------------------------------------------

def hart_program():
    """Something of everything that takes time in a core, or that it reaches."""
    p = elf.Program()
    p.li(S0, 0x1000).li(S1, 12345).li(T0, 7)
    p.register(0, 0, 10, T0, S1).register(1, 0, 11, T0, S1).use(10).register(1, 0, 11, 11, S1).use(11).use(T0)
    p.register(1, 5, 12, S1, T0).register(1, 5, 12, T0, 0).use(12)                                   # divu
    p.li(13, 0xfffffff0).register(1, 5, 12, 13, T0).use(12)
    p.add(0xb0002573)                                                                                # csrr a0, mcycle
    p.register(0x10, 2, 14, T0, S1).register(0x20, 7, 14, T0, S1)                                    # sh1add, andn
    p.add(0x00000000)
    p.add(0x0094252f).use(10)                                                                        # amoadd.w a0, s1, (s0)
    for place in (0x1000, 0x80010000, 0xffb00010, 0xffef0010, 0xffe80020, 0xffb121f0, 0xffbd8000, 0xffe00000):
        p.li(S1, place).load(15, S1).use(15)
        p.loop(8, lambda: p.load(15, S1).use(15))
    p.li(S1, 0x1000)
    for i in range(12):
        p.load(16 + i % 8, S1, 16 * i)                                                               # far loads
    p.load(15, S1, 1).use(15)                                                                        # misaligned
    for i in range(12):
        p.store(T0, S1, 4 * i, 1)                                                                    # narrow writes
    p.branch(0, 0, 0, 8).add(0x13)                                                                   # taken forwards
    for place in (0xffb00ff0, 0x17fff0, 0x801ffff0, 0x200000, 0xffef0000, 0xffbd8000):
        p.li(S1, place).store(T0, S1).load(15, S1).use(15)
    p.push(word(0x70, 3 << 13))                                                                      # behind a store to Dst
    p.li(S1, 0xffe40000).li(T0, SFPNOP)
    for _ in range(40):
        p.store(T0, S1)
    p.push(*[MAD, word(0x85, 0x10010)] * 120)
    p.li(S1, 0xffe80004).load(15, S1).use(15)
    p.li(S1, 0xffe00000).store(31, S1)
    return p.elf()


def queue_program(words):
    """The FIFO before the replay expander, seen while so many words stand behind a SEMWAIT."""
    p = elf.Program()
    p.push(word(0xa6, 0x1ff << 15 | 1 << 2 | 1), *[SFPNOP] * words)
    p.loop(20, lambda: None)
    p.li(S1, 0xffb120a8).load(T0, S1).use(T0).li(S1, 0x100).store(T0, S1)
    p.li(S1, 0xffe80020).store(0, S1)
    return p.elf()


TYPES = {"int4": 1, "int8": 2, "int16": 4, "int32": 8, "fp4": 0x10, "fp8": 0x40, "fp16": 0x100, "bf16": 0x200, "fp32": 0x400}


def tensor_program():
    p = elf.Program()
    p.li(S0, 0x4000).li(S1, 0x4000)
    p.loop(1024, lambda: p.store(T1, S1).immediate(0x13, 0, S1, S1, 4))                              # no two lines alike
    p.li(S1, 0xffef000c).li(T0, 5 << 16).store(T0, S1).li(S1, 0)                                     # Dst takes int8
    shape = lambda a, b, c: p.csr(0x801, a << 16 | b << 8 | c)  # noqa: E731
    # In the next place of Dst.
    keep = lambda tl: p.add(elf.tl_store(tl, S1)).fence().immediate(0x13, 0, S1, S1, 0x400)  # noqa: E731
    p.csr(0x800, TYPES["int8"])
    shape(8, 32, 4)
    keep(9)                                                                                          # never written
    p.add(elf.tl_load(1, S0), elf.tl_load(2, S0, 1), elf.tl_addi(3, 1, 5), elf.tl_addi(4, 2, -3)).fence()
    p.csr(0x803, 0x0f).csr(0x804, 0xf0)
    p.add(elf.tl_concat(0, 5, 1, 2), elf.tl_merge(0, 6, 1, 2)).fence()
    for i in range(8):
        p.add(elf.tl_store(1 + i % 4, S1, 0))
    p.fence()
    p.li(T0, 0x20021002).add(elf.tl_xpose(1, 2, 1, 2, T0), elf.tl_xpose(1, 2, 3, 4, T0), elf.tl_xpose(0, 3, 5, 6, T0)).fence()
    p.add(elf.tl_load(1, S0, engine=3), elf.tl_addi(3, 1, 5)).fence()                                # not its engine
    p.add(elf.tl_store(1, S1, 0, f3=0)).fence()                                                      # a printed alias
    shape(4, 8, 4)
    p.csr(0x803, 7).csr(0x804, 3).add(elf.tl_concat(0, 7, 1, 2)).fence()                             # five of four
    p.add(elf.tl_load(1, S0)).fence()
    shape(8, 32, 4)
    keep(1)                                                                                          # with its tail
    p.csr(0x814, 2).csr(0x815, 1)
    shape(4, 8, 4)
    p.add(elf.tl_load(1, S0)).fence().csr(0x814, 1)
    keep(1)
    p.csr(0x800, TYPES["int16"]).csr(0x812, 16).add(elf.tl_load(2, S0, 3)).fence().csr(0x812, 0)
    p.li(T0, 0x02021010).add(elf.tl_xpose(0, 2, 1, 2, T0)).fence()                                   # of 1024 elements
    for number in TYPES.values():
        p.csr(0x800, number)
        shape(2, 8, 4)
        p.add(elf.tl_load(1, S0), elf.tl_addi(2, 1, 1)).fence()
    p.csr(0x800, TYPES["int8"])
    shape(8, 32, 4)
    p.li(S0, 0x17fc00).add(elf.tl_load(1, S0)).fence().li(S1, 0x3c00).add(elf.tl_store(1, S1)).fence()
    p.li(S1, 0x100).store(31, S1)
    return p.elf()


def code_in_l1():
    p = elf.Program(0)
    p.loop(16, lambda: None)
    return p.elf()


PROGRAMS = {"hart": hart_program(), "queue6": queue_program(6), "queue9": queue_program(9), "tensor": tensor_program(),
            "code": code_in_l1()}


def ran(program, *settings):
    """Everything that a run of a tile shows."""
    with tempfile.TemporaryDirectory() as place:
        with open(place + "/program.elf", "wb") as file:
            file.write(PROGRAMS[program])
        options = [text for each in settings for text in ("--set", each)]
        done = subprocess.run([SFPUSIM, "tile", place + "/program.elf", "--max-cycles", "20000", "--stats", place + "/stats",
                               "--dst-dump", place + "/dst", "--dump", "0:0x1000=" + place + "/l1", *options],
                              capture_output=True, text=True, timeout=250)
        check(done.returncode in (0, 2), "%s runs with %s: %s" % (program, settings, done.stderr[:300]))
        with open(place + "/stats") as file:
            stats = json.load(file)
        del stats["meta"]
        with open(place + "/dst", "rb") as dst, open(place + "/l1", "rb") as l1:
            return done.returncode, stats, dst.read(), l1.read()


def waveform(*settings):
    with tempfile.TemporaryDirectory() as place:
        with open(place + "/kernel.hex", "w") as file:
            file.write("8f000000\n")
        options = [text for each in settings for text in ("--set", each)]
        subprocess.run([SFPUSIM, "run", place + "/kernel.hex", "--quiet", "--vcd", place + "/vcd", *options], check=True)
        with open(place + "/vcd") as file:
            return file.read()


# --- the walk ---------------------------------------------------------------------------------------------------------

# A parameter, a value with which something changes, and settings around both runs.
EXEC = [
    ("arch", "wh"), ("sfpu.latency.load", 2), ("sfpu.latency.simple", 2), ("sfpu.latency.mad", 3), ("sfpu.latency.round", 2),
    ("sfpu.latency.swap", 3), ("sfpu.latency.shuffle", 3), ("macro.count", 1), ("macro.templates", 3), ("macro.slots", 1),
    ("macro.delay_bits", 2), ("macro.delay_kind_scope", "macro"), ("macro.firing_entry_outstanding", "false"),
    ("macro.freeze_scope", "own_unit"), ("macro.config_distance", 0), ("sfpu.issue_width", 2), ("sfpu.mad_units", 2),
    ("sfpu.write_port_rule", "false", "sfpu.issue_width=2"), ("sfpu.auto_stall", "false"),
    ("sfpu.write_order", "load,round,simple,second_cycle,mad"), ("sfpu.lreg12_default", "37800000"),
    ("issue.thread_order", "fixed"), ("dst.load_ports", 2, "sfpu.issue_width=2"), ("dst.store_ports", 2),
    ("dst.store_load_visible", 2), ("dst.store_load_warn", 0), ("front_end.mop.dead_cycles", 2),
    ("front_end.replay.count_zero", 32), ("front_end.replay.start_cycles", 1), ("front_end.wait_gate.lag", 2),
    ("front_end.wait_gate.matrix_lag", 3), ("front_end.matrix_unit.busy_after_setrwc", 4),
    ("front_end.matrix_unit.busy_after_copy", 9),
]
HART = [
    ("hart.count", 3), ("hart.b_core", "true"), ("hart.zaamo", "false"), ("hart.zba", "false"), ("hart.zbb", "false"),
    ("hart.fuse_tensix_words", "false"), ("hart.zero_word_is_illegal", "false"), ("hart.misaligned", "trap"),
    ("hart.latency.alu", 2), ("hart.latency.multiply", 3), ("hart.pipelined_multiply", "false"),
    ("hart.latency.divide_trivial", 3), ("hart.latency.divide_least", 20), ("hart.latency.divide_most", 20),
    ("hart.latency.csr", 3), ("hart.latency.local", 3), ("hart.latency.sync", 4), ("hart.latency.config", 5),
    ("hart.latency.dst", 5), ("hart.latency.control", 8), ("hart.latency.l1", 9), ("hart.latency.ram", 3),
    ("hart.latency.atomic_extra", 5), ("hart.far_loads", 1), ("hart.store_queue", 1), ("hart.branch_prediction", "none"),
    ("hart.mispredict_penalty", 5), ("hart.icache.miss_cycles", 2), ("hart.icache.bytes", 64, "hart.icache.miss_cycles=2"),
    ("front_end.fifo.depth", 16), ("front_end.fifo.depth", 64), ("front_end.fifo.accept_limit", 20),
    ("front_end.fifo.push_width", 1), ("front_end.fifo.push_width", 8),
    ("memory.l1.bytes", 0x100000), ("memory.l1.narrow_write", 6), ("memory.l1.bank_conflicts", "false"),
    ("memory.ram.bytes", 0x100000), ("memory.ram.latency", 1), ("memory.local_ram.bytes", 1024), ("memory.bus.latency", 1),
    ("memory.registers.latency", 1), ("memory.dst_window.latency", 1), ("memory.dst_window.settle", 30),
]
TENSOR = [
    ("tensorload.engine_id", "strict"), ("tensorload.accept_printed_aliases", "false"),
    ("tensorload.xpose_elem_from_ttype", "true"), ("tensorload.concat_grow", "true"), ("tensorload.stride", "literal"),
    ("tensorload.width", "elements"), ("tensorload.tail", "zero"), ("tensorload.reset_pattern", "01020304"),
    ("tensorload.int4", "none"), ("tensorload.int8", "move"), ("tensorload.int16", "none"), ("tensorload.int32", "none"),
    ("tensorload.fp4", "move"), ("tensorload.fp8", "none"), ("tensorload.fp16", "none"), ("tensorload.bf16", "none"),
    ("tensorload.fp32", "none"), ("tensorload.l0m", "sram"), ("tensorload.l0m_raw", "true"),
    ("tensorload.l1m_base", "00008000"), ("tensorload.l1m_size", "00010000"), ("tensorload.l0m_size", "00000800"),
    ("tensorload.l0m_base", "80100000"),
    ("tensorload.beats", "beat"), ("tensorload.queue_depth", 1), ("tensorload.decode", 2), ("tensorload.l1_bytes", 32),
    ("tensorload.l1_lat", 9), ("tensorload.l0_bytes", 32), ("tensorload.l0_lat", 3), ("tensorload.tlr_bytes", 64),
    ("tensorload.tlr_read_ports", 1), ("tensorload.alu_pipe", 3), ("tensorload.xp_pipe", 3),
    ("tensorload.xpose_double_buffer", "false"), ("tensorload.xpose_buffer", "sram_plain"),
]
EFFECTS = {"words": EXEC, "waveform": [("clock.period_ps", 1000)], "hart": HART, "tensor": TENSOR,
           "queue6": [("front_end.replay.fifo_depth", 3)], "queue9": [("front_end.wait_gate.fifo_depth", 1)],
           "code": [("memory.l1.dmi", "false")]}


def observed(where, *settings):
    return asked(*settings) if where == "words" else waveform(*settings) if where == "waveform" else ran(where, *settings)


def main():
    rows = json.loads(subprocess.run([SFPUSIM, "info", "--params", "--json"], capture_output=True, check=True).stdout)
    named = {row[0] for group in EFFECTS.values() for row in group}
    every = {row["path"] for row in rows}
    check(named == every, "each parameter has a row here: %s" % sorted(named ^ every))
    without_effect = []
    for where, group in EFFECTS.items():
        known = {}
        for path, value, *around in group:
            key = tuple(around)
            if key not in known:
                known[key] = observed(where, *around)
            if observed(where, *around, "%s=%s" % (path, value)) == known[key]:
                without_effect.append("%s=%s" % (path, value))
    check(not without_effect, "no effect: " + ", ".join(without_effect))


main()
