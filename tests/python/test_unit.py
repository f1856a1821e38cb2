"""sfpu.Unit: words pushed one by one, registers between them."""
import numpy as np
import pytest

import sfpu


def test_a_result_of_two_cycles_is_there_two_cycles_later():
    with sfpu.Unit() as unit:
        unit.set_lreg(0, 1.5)
        assert list(unit.push("sfpmad L0, L0, L0, L1, 0\n")) == [0]
        assert unit.cycle == 1 and np.all(unit.lreg(1) == 0)  # timing contract T1: SFPMAD has a latency of 2
        unit.wait(1)
        assert np.all(unit.lreg(1, np.float32) == 1.5 * 1.5 + 1.5)


def test_a_dependence_stalls_for_a_cycle():
    with sfpu.Unit() as unit:
        issued = unit.push("sfpmad L0, L0, L0, L1, 0\nsfpmad L1, L1, L1, L2, 0\n")
        assert list(issued) == [0, 2] and unit.cycle == 3


def test_words_and_text_are_the_same():
    words = sfpu.assemble("sfpnop\nsfpmov 0, L0, L1, 2\n")
    assert words.dtype == np.uint32 and list(words[:1]) == [0x8F000000]
    assert sfpu.disassemble(words[0]) == "sfpnop"
    with sfpu.Unit() as unit:
        unit.set_lreg(0, np.arange(32, dtype=np.uint32))
        unit.push(words)
        unit.settle()
        assert np.array_equal(unit.lreg(1), np.arange(32))


@pytest.mark.parametrize("type, values", [
    ("f32", np.linspace(-1, 1, 64, dtype=np.float32)), ("f16", np.linspace(-1, 1, 64).astype(np.float16)),
    ("i32", np.arange(-32, 32, dtype=np.int32)), ("i16", np.arange(-32, 32, dtype=np.int16)),
    ("u16", np.arange(64, dtype=np.uint16)), ("i8", np.arange(-32, 32, dtype=np.int8)),
    ("sm32", np.arange(-32, 32, dtype=np.int32)), ("u8", np.arange(64, dtype=np.uint8))])
def test_dst_gives_back_typed_values(type, values):
    with sfpu.Unit() as unit:
        unit.write(0x10, type, values)
        found = unit.read(0x10, type, rows=2)
        assert found.dtype == values.dtype and np.array_equal(found.reshape(-1), values)


@pytest.mark.parametrize("type, places, refused", [("u32", 256, "Unit.write: row 256 lies where row 128 does"),
                                                   ("i16", 512, "found 513 rows, expected at most 512")])
def test_rows_that_would_lie_on_each_other_are_refused(type, places, refused):
    values = np.arange(32 * places, dtype=np.uint32 if type == "u32" else np.int16)
    with sfpu.Unit() as unit:
        unit.write(0, type, values)
        assert np.array_equal(unit.read(0, type, rows=places).reshape(-1), values)
        with pytest.raises(sfpu.Error, match=refused):
            unit.write(0, type, np.append(values, values[:32]))
        if places == 256:
            with pytest.raises(sfpu.Error, match="Unit.read: row 256 lies where row 128 does"):
                unit.read(0, type, rows=257)
        assert np.array_equal(unit.read(0, type, rows=places).reshape(-1), values)


def test_loads_find_what_was_written_and_stores_are_found():
    with sfpu.Unit(arch="wh") as unit:
        unit.write(0, "u16", np.arange(32, dtype=np.uint16))
        unit.push("sfpload L0, UINT16, ADDR_MOD_3, 0\nsfpstore L0, UINT16, ADDR_MOD_3, 2\n", )
        unit.settle()
        assert np.array_equal(unit.lreg(0), np.arange(32))
        assert np.array_equal(unit.read(2, "u16")[0], np.arange(32))
        # Rows 0 to 3, odd columns: docs/integration.md, the layout of Dst.
        assert np.array_equal(unit.dst[:4, 1::2].reshape(-1), np.arange(32))


def test_reset_is_construction():
    with sfpu.Unit() as unit, sfpu.Unit() as fresh:
        unit.write(0, "u32", np.full(32, 7, dtype=np.uint32))
        unit.push("sfpload L0, INT32, ADDR_MOD_3, 0\nsfpencc 3, 0, 0, 10\n")
        unit.settle()
        unit.reset()
        assert unit.cycle == 0 and unit.timeline == [] and not unit.use_flags.any()
        for number in range(17):
            assert np.array_equal(unit.lreg(number), fresh.lreg(number))
        assert np.array_equal(unit.dst, fresh.dst)


def test_units_do_not_disturb_each_other():
    with sfpu.Unit() as one, sfpu.Unit() as two:
        one.set_lreg(0, 1.0)
        two.set_lreg(0, 2.0)
        for unit in (one, two, one):
            unit.push("sfpadd L0, L10, L0, L0, 0\n")
            unit.settle()
        assert one.lreg(0, np.float32)[0] == 4.0 and two.lreg(0, np.float32)[0] == 4.0
        assert one.cycle > two.cycle


def test_hundreds_of_units_live_at_the_same_time():
    units = [sfpu.Unit() for _ in range(300)]
    for number, unit in enumerate(units):
        unit.set_lreg(0, float(number))
        unit.push("sfpadd L0, L10, L0, L1, 0\n")
    for number, unit in enumerate(units):
        unit.settle()
        assert np.all(unit.lreg(1, np.float32) == 2 * number)


def test_a_closed_unit_keeps_its_timeline_and_nothing_else(kernels):
    with sfpu.Unit() as unit:
        unit.push((kernels / "recip_macro.s").read_text())
        unit.settle()
        timeline = unit.timeline
    assert unit.timeline == timeline and unit.diagnostics == []
    for call in (unit.settle, unit.reset, unit.copy, lambda: unit.push("sfpnop\n"), lambda: unit.lreg(0)):
        with pytest.raises(RuntimeError, match="closed"):
            call()
    unit.close()


def test_macros_show_in_the_timeline(kernels):
    text = (kernels / "recip_macro.s").read_text()
    with sfpu.Unit() as unit:
        unit.push(text)
        unit.settle()
        macro = [step for step in unit.timeline if step["origin"] == "macro"]
        assert [step["unit"] for step in macro] == ["simple", "store"]
        assert unit.diagnostics == []


def test_a_stale_read_is_diagnosed():
    with sfpu.Unit(arch="wh") as unit:
        unit.push("sfpmad L0, L0, L0, L1, 0\nsfpmad L1, L1, L1, L2, 0\n")
        unit.settle()
        assert [each["id"] for each in unit.diagnostics] == ["/sfpu/hazard/unprotected-read"]


def test_mistakes_are_errors_with_text():
    with pytest.raises(sfpu.Error, match="text:1:1: error"):
        sfpu.assemble("bogus\n")
    with pytest.raises(sfpu.Error, match="sfpu.latency.mda"):
        sfpu.Unit(settings={"sfpu.latency.mda": 3})
    with sfpu.Unit() as unit:
        with pytest.raises(sfpu.Error, match="found 'f64', expected one of f32"):
            unit.read(0, "f64")
        with pytest.raises(IndexError, match="LReg 17"):
            unit.lreg(17)
        with pytest.raises(sfpu.Error, match="row 0, lane 5"):
            unit.write(0, "sm32", np.where(np.arange(32) == 5, -2**31, 0).astype(np.int32))
        unit.push("sfpnop\n")
        with pytest.raises(RuntimeError, match="before the first cycle"):
            unit.set_lreg(0, 1.0)


def test_what_is_no_number_of_the_unit_is_refused_and_changes_nothing():
    with sfpu.Unit() as unit:
        for values, text in (("a", "lanes of 32 bits"), (2**40, "more than 32 bits"), (np.zeros(33), "shape")):
            with pytest.raises(sfpu.Error, match=text):
                unit.set_lreg(0, values)
        for cells, text in ((np.full((1024, 16), -1), "no cells"), (np.full((1024, 16), 0.5), "no cells"),
                            (np.full((1024, 16), "a"), "no cells"), (np.zeros((3, 3)), "shape")):
            with pytest.raises(sfpu.Error, match=text):
                unit.dst = cells
        with pytest.raises(sfpu.Error, match="address: found 5000, expected 0 to 1023"):
            unit.read(5000, "f32")
        with pytest.raises(sfpu.Error, match="rows: found -1"):
            unit.read(0, "f32", rows=-1)
        with pytest.raises(sfpu.Error, match="cycles: found -1, expected 0 to"):
            unit.wait(-1)
        with pytest.raises(sfpu.Error, match="cycles: found"):
            unit.wait(2**62)
        with pytest.raises(TypeError, match="cycles: found 1.5, expected a whole number"):
            unit.wait(1.5)
        with pytest.raises(IndexError, match="LReg -1"):
            unit.lreg(-1)
        assert unit.cycle == 0 and not unit.lreg(0).any() and not unit.dst.any()
    with pytest.raises(RuntimeError, match="closed"):
        unit.cycle


def test_simulated_time_ends_with_an_error_and_not_from_the_beginning():
    with sfpu.Unit() as unit:
        with pytest.raises(sfpu.Error, match="expected no cycle behind"):
            for _ in range(10**5):
                unit.wait(10**12)
        last = unit.cycle
        assert last > 2 * 10**16
        assert unit.push("sfpnop\n")[0] == last
