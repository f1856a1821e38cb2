"""Copies of sfpu.Unit continue like their originals, and neither sees the other."""
import copy
import gc
import random

import numpy as np
import pytest

import sfpu

FIRST_SFPU_OPCODE, LAST_SFPU_OPCODE, SETRWC = 0x70, 0x99, 0x37


def random_words(choose, count):
    return [choose.choice((SETRWC, *range(FIRST_SFPU_OPCODE, LAST_SFPU_OPCODE + 1))) << 24 | choose.getrandbits(24)
            for _ in range(count)]


def everything(unit):
    """All that a unit shows of itself. Registers and Dst as bytes: NaNs have to be the same, too."""
    return ([unit.lreg(number).tobytes() for number in range(17)], unit.dst.tobytes(), unit.flags.tobytes(),
            unit.use_flags.tobytes(), unit.enabled.tobytes(), [unit.counters(thread) for thread in range(3)], unit.cycle,
            unit.diagnostics, unit.timeline)


def go_on(unit, seed):
    """Gives words and cycles to a unit. Returns the cycles of the words."""
    choose, issued = random.Random(seed), []
    for _ in range(6):
        issued += list(unit.push(random_words(choose, choose.choice((1, 3, 20, 100))), choose.randrange(3)))
        unit.wait(choose.choice((0, 0, 1, 2, 7)))
    return issued


@pytest.mark.parametrize("settings", [{}, {"dst.store_load_visible": 4}, {"sfpu.latency.mad": 4}, {"sfpu.issue_width": 2}])
@pytest.mark.parametrize("arch", ["bh", "wh"])
def test_a_copy_continues_to_the_same_bytes(arch, settings, kernels):
    macros = (kernels / ("recip_macro.s" if arch == "bh" else "signbit.s")).read_text()
    for seed in range(20):
        unit = sfpu.Unit(arch, settings)
        unit.dst = np.random.default_rng(seed).integers(0, 2**16, (1024, 16))
        unit.push(sfpu.assemble(macros, arch))
        go_on(unit, seed)
        unit.push(sfpu.assemble("sfpmad L0, L1, L2, L3, 0\n", arch))  # its result is under way
        twin = unit.copy()
        assert everything(twin.copy()) == everything(unit.copy())
        assert go_on(twin, -seed) == go_on(unit, -seed)
        twin.settle()
        unit.settle()
        assert everything(twin) == everything(unit)


def test_a_result_under_way_arrives_in_the_copy():
    with sfpu.Unit() as unit:
        unit.set_lreg(0, 1.5)
        unit.push("sfpmad L0, L0, L0, L1, 0\n")
        with unit.copy() as twin:
            assert twin.cycle == 1 and not twin.lreg(1).any()
            twin.wait(1)
            assert np.all(twin.lreg(1, np.float32) == 3.75)
        assert unit.cycle == 1 and not unit.lreg(1).any()


def test_original_and_copy_do_not_see_each_other():
    with sfpu.Unit() as unit:
        unit.set_lreg(0, 1.0)
        unit.push("sfpadd L0, L10, L0, L1, 0\n")
        twin = unit.copy()
        before = everything(unit.copy())
        go_on(twin, 1)
        twin.write(0, "u32", np.full(32, 7, dtype=np.uint32))
        twin.reset()
        assert everything(unit) == before
        assert twin.cycle == 0 and twin.timeline == []
    assert twin.push("sfpnop\n")[0] == 0  # though the original is closed


def test_a_copy_outlives_its_original():
    unit = sfpu.Unit()
    unit.set_lreg(0, 1.0)
    unit.push("sfpadd L0, L10, L0, L1, 0\n")
    twin = unit.copy()
    del unit
    gc.collect()
    twin.settle()
    assert np.all(twin.lreg(1, np.float32) == 2) and len(twin.timeline) == 1


def test_a_copy_before_the_first_cycle_still_takes_registers():
    with sfpu.Unit() as unit:
        unit.set_lreg(0, 1.0)
        with unit.copy() as twin:
            twin.set_lreg(1, 2.0)
            assert twin.lreg(0, np.float32)[0] == 1 and twin.lreg(1, np.float32)[0] == 2 and not unit.lreg(1).any()


def test_the_copy_module_makes_copies_and_keeps_what_subclasses_add():
    class Named(sfpu.Unit):
        def __init__(self, names):
            super().__init__("wh")
            self.names = names

    unit = Named(["one"])
    unit.push("sfpnop\n")
    for make, is_shared in ((copy.copy, True), (copy.deepcopy, False), (Named.copy, True)):
        twin = make(unit)
        assert type(twin) is Named and twin.names == ["one"] and (twin.names is unit.names) == is_shared
        twin.wait(5)
        assert twin.cycle == 6 and unit.cycle == 1
        twin.push("sfpshft2 0, L0, L1, 2\n")  # for the same chip
    both = copy.deepcopy([unit, unit])
    assert both[0] is both[1] and both[0] is not unit
