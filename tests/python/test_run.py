"""sfpu.run and its like: kernels on arrays, reports as dictionaries, errors with the program's text."""
import concurrent.futures
import os
import signal
import subprocess
import sys
import time
import warnings

import numpy as np
import pytest

import sfpu

ADD_ONE = """.arch bh
.rows 32
.input x, 0x00, %s
.output y, 0x40, %s
.init
    setc16 34, 2
.loop
    sfpload  L0, %s, ADDR_MOD_3, x
    sfpiadd  1, L0, L0, 5
    sfpstore L0, %s, ADDR_MOD_6, y
"""


def add_one(dtype, mode):
    return ADD_ONE % (dtype, dtype, mode, mode)


def test_what_is_odd_about_a_kernel_is_told_beside_its_outputs():
    step = "incrwc 0, 2, 0, 0\n"
    whole = ".output y, 0, bf16\n.rows 2\n.loop\nsfpstore L0, BF16, ADDR_MOD_3, 0\n" + step
    assert sfpu.run(whole).remarks == []
    part = sfpu.run(whole.replace(step, ""))
    assert part.remarks == [{"line": 1, "id": "/sfpu/kernel/partial-output",
                             "message": "only 1 of the 2 rows of y is ever stored"}]
    assert sfpu.lint(whole.replace(step, ""))["remarks"] == part.remarks
    assert sfpu.run("sfpnop\n").remarks[0]["line"] is None


def test_outputs_that_lie_on_each_other_are_a_warning():
    two = (".rows 2\n.output p, 0, bf16\n.output q, %d, bf16\n.loop\nsfpstore L0, BF16, ADDR_MOD_3, p\n"
           "sfpstore L0, BF16, ADDR_MOD_3, q\nincrwc 0, 2, 0, 0\n")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        sfpu.run(two % 4)
        sfpu.run(two % 2, hazards="off")
    with pytest.warns(UserWarning, match="row 0 of q lies where row 1 of p does"):
        sfpu.run(two % 2)



EARLY = """.input x, 0x00, f32
.output y, 0x40, f32
.loop
    sfpload  L0, FP32, ADDR_MOD_3, x
    sfpmul   L0, L0, L9, L1, 0
    sfpswap  0, L0, L1, 1
    sfpstore L0, FP32, ADDR_MOD_3, y
    incrwc   0, 2, 0, 0
"""


def test_a_hazard_is_a_warning_with_its_line_and_a_cure():
    x = np.ones((32, 32), np.float32)
    with pytest.warns(sfpu.HazardWarning, match=r"kernel.s:6: sfpswap .* reads L1 before .*\(32 times\) .*cure: Put an SFPNOP") as seen:
        result = sfpu.run(EARLY, inputs={"x": x})
    assert len(seen) == 1 and seen[0].filename == __file__
    (found,) = result.diagnostics
    assert (found["id"], found["line"], found["count"]) == ("/sfpu/hazard/unprotected-read", 6, 32)
    assert (found["kind"], found["severity"], found["place"]) == ("hazard", "warning", "kernel.s:6")
    assert "/sfpu/hazard/unprotected-read x 32" in repr(result) and "y float32(32, 32)" in repr(result)


def test_without_a_hazard_or_where_it_is_meant_nothing_is_warned():
    x = np.ones((32, 32), np.float32)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert sfpu.run(EARLY.replace("    sfpswap", "    sfpnop\n    sfpswap"), inputs={"x": x}).diagnostics == []
        assert sfpu.run(EARLY, inputs={"x": x}, hazards="off").diagnostics == []
        assert sfpu.run('.allow /sfpu/hazard/unprotected-read, "for a test"\n' + EARLY, inputs={"x": x}).diagnostics == []
    with pytest.raises(sfpu.ProgramFailed, match="kernel.s:6"):
        sfpu.run(EARLY, inputs={"x": x}, hazards="error")


def test_a_reciprocal_is_near_the_true_one(kernels):
    x = np.linspace(1, 100, 1024, dtype=np.float32)
    result = sfpu.run(kernels / "recip_macro.s", inputs={"x": x})
    assert result.outputs["y"].dtype == np.float32 and result.outputs["y"].shape == x.shape
    assert np.all(np.abs(result.outputs["y"] * x - 1) < 0.0055)
    assert result.cycles_per_row == result.report["throughput"]["cycles_per_row"] == 1
    assert result.report["throughput"]["rows"] == 32 and result.report["meta"]["arch"] == "bh"


def test_profile_is_what_schedule_says(kernels):
    result = sfpu.run(kernels / "mul32_macro.s", rows=16)
    profile = result.profile
    assert profile["cycles_per_row"] == result.cycles_per_row == 8 and profile["busiest"]["resources"] == ["issue"]
    loop = [word for word in profile["instructions"] if word["part"] == "loop"]
    assert [word["executed"] for word in loop] == [16] * 8
    assert abs(sum(word["issue_share"] for word in loop) - 1) < 1e-5
    assert profile["waits"] == {cause: count for cause, count in result.report["stalls"].items() if count}
    assert profile is result.profile


def test_the_number_of_rows_follows_from_the_inputs(kernels):
    x = np.ones((5, 32), dtype=np.float32)
    result = sfpu.run(kernels / "recip_macro.s", inputs={"x": x})
    assert result.outputs["y"].shape == (5, 32) and result.report["throughput"]["rows"] == 5


@pytest.mark.parametrize("dtype, mode, numpy_type", [("i32", "INT32", np.int32), ("u32", "INT32", np.uint32),
                                                     ("u16", "UINT16", np.uint16)])
def test_integers_of_each_width_are_added(dtype, mode, numpy_type):
    x = np.arange(1024, dtype=numpy_type)
    y = sfpu.run(add_one(dtype, mode), inputs={"x": x}).outputs["y"]
    assert y.dtype == numpy_type and np.array_equal(y, x + 1)


def test_values_of_another_type_are_taken_if_they_are_the_same():
    kernel = add_one("i32", "INT32")
    assert np.array_equal(sfpu.run(kernel, inputs={"x": list(range(32))}).outputs["y"], np.arange(1, 33))
    assert np.array_equal(sfpu.run(kernel, inputs={"x": np.arange(32.0)}).outputs["y"], np.arange(1, 33))
    with pytest.raises(sfpu.Error, match=r"x: found 0.5 \(row 1, lane 3\), which int32 does not hold"):
        sfpu.run(kernel, inputs={"x": np.where(np.arange(64) == 35, 0.5, 0)})
    with pytest.raises(sfpu.Error, match="which uint32 does not hold"):
        sfpu.run(add_one("u32", "INT32"), inputs={"x": np.full(32, -1, dtype=np.int32)})


def test_bf16_is_float32_or_bits():
    kernel = add_one("bf16", "BF16").replace("sfpiadd  1, L0, L0, 5", "sfpnop")
    values = sfpu.round_to_bf16(np.linspace(-3, 3, 32))
    assert np.array_equal(sfpu.run(kernel, inputs={"x": values}).outputs["y"], values)
    assert np.array_equal(sfpu.run(kernel, inputs={"x": sfpu.bf16_bits(values)}).outputs["y"], values)
    with pytest.raises(sfpu.Error, match="bf16"):  # the program refuses it
        sfpu.run(kernel, inputs={"x": np.full(32, 0.1, dtype=np.float32)})


def test_rounding_to_bf16_is_to_nearest_even():
    bits = np.array([0x3F808000, 0x3F818000, 0x3F808001, 0xBF808001, 0x7F7FFFFF, 0x7F800000], dtype=np.uint32)
    assert [hex(v) for v in sfpu.bf16_bits(sfpu.round_to_bf16(bits.view(np.float32)))] == [
        "0x3f80", "0x3f82", "0x3f81", "0xbf81", "0x7f80", "0x7f80"]
    assert np.isnan(sfpu.round_to_bf16(np.array([0x7F800001], dtype=np.uint32).view(np.float32)))[0]


def test_mistakes_have_the_programs_text(kernels):
    with pytest.raises(sfpu.Error, match=r"^kernel.s:2:1: error: "):
        sfpu.run(".arch bh\nsfpbogus L0\n")
    with pytest.raises(sfpu.Error, match="nowhere.s: cannot be read"):
        sfpu.run("nowhere.s")
    with pytest.raises(sfpu.Error, match=r"found 'z', expected one of x"):
        sfpu.run(kernels / "recip_macro.s", inputs={"z": np.zeros(32, dtype=np.float32)})
    with pytest.raises(sfpu.Error, match="x: found 33 values, expected a multiple of 32"):
        sfpu.run(kernels / "recip_macro.s", inputs={"x": np.zeros(33, dtype=np.float32)})
    with pytest.raises(sfpu.Error, match="sfpu.latency.mda"):
        sfpu.run(kernels / "recip_macro.s", settings={"sfpu.latency.mda": 3})
    with pytest.raises(sfpu.Error, match="empty text"):
        sfpu.run("")
    for wrong, text in ((dict(kernel=5), "found 5, expected the name of a file"), (dict(inputs=[1]), "expected a dictionary"),
                        (dict(settings=["a"]), "expected a dictionary"), (dict(settings={1: 2}), "parameters by their paths")):
        with pytest.raises(TypeError, match=text):
            sfpu.run(**{"kernel": kernels / "recip_macro.s", **wrong})


def test_a_kernel_that_fails_is_an_exception_with_its_result(kernels):
    with pytest.raises(sfpu.ProgramFailed, match="CHANGED") as caught:
        sfpu.run(kernels / "mul32_macro.s", settings={"sfpu.latency.mad": 3})
    assert caught.value.result.report["results"]["changed"]
    assert sfpu.run(kernels / "mul32_macro.s", settings={"sfpu.latency.mad": 3}, check=False).report["results"]["changed"]


def test_calls_of_many_threads_do_not_disturb_each_other():
    def call(number):
        x = np.full(32, number, dtype=np.int32)
        return np.array_equal(sfpu.run(add_one("i32", "INT32"), inputs={"x": x}).outputs["y"], x + 1)

    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        assert all(pool.map(call, range(12)))


def test_calls_work_in_a_forked_child(kernels):
    sfpu.lint(kernels / "signbit.s", schedules=1)
    child = os.fork()
    if child == 0:
        try:
            unit = sfpu.Unit()
            unit.set_lreg(0, 2.0)
            unit.push("sfpadd L0, L10, L0, L1, 0\n")
            unit.settle()
            works = unit.lreg(1, np.float32)[31] == 4.0
            y = sfpu.run(add_one("i32", "INT32"), inputs={"x": np.zeros(32, dtype=np.int32)}).outputs["y"]
            os._exit(0 if works and np.all(y == 1) else 1)
        except BaseException:
            os._exit(2)
    assert os.waitpid(child, 0)[1] == 0


def test_optimize_gives_a_schedule_that_is_equivalent(kernels):
    plain = add_one("i32", "INT32").replace("sfpiadd  1, L0, L0, 5", "sfpabs 0, L0, L0, 0")
    found = sfpu.optimize(plain, time_limit=60)
    assert found["best"]["cycles_per_row"] < found["plain"]["cycles_per_row"]
    assert sfpu.equiv(plain, found["source"])["equal"]


def test_optimize_takes_the_options_of_the_command():
    plain = add_one("f32", "FP32").replace("sfpiadd  1, L0, L0, 5",
                                           "sfpsetcc 0, L0, L0, 0\n    sfpmov 0, L9, L0, 0\n    sfpencc 0, 0, 0, 0")
    plain = plain.replace(".loop", "    sfpencc 3, 0, 0, 10\n.loop")
    kept = sfpu.optimize(plain, budget=2000, no_rewrite=True, jobs=2, memory_limit=2**30)
    found = sfpu.optimize(plain, budget=2000)
    assert kept["rewrites"] == [] and "minimum-maximum" in [each["rule"] for each in found["rewrites"]]
    assert found["best"]["cycles_per_row"] < kept["best"]["cycles_per_row"]
    known = sfpu.optimize(plain, budget=2000, no_rewrite=True, upper_bound=found["source"])
    assert known["best"]["cycles_per_row"] == found["best"]["cycles_per_row"] and known["best_was_given"]
    assert sfpu.optimize(plain, budget=100, assume=["no-nan", "no-denormal"])["best"]
    with pytest.raises(sfpu.Error, match="no-zero"):
        sfpu.optimize(plain, assume=["no-zero"])
    with pytest.raises(sfpu.Error, match="jobs"):
        sfpu.optimize(plain, jobs=0)


def test_four_threads_optimize_at_once_and_prove_what_they_found():
    def schedule(number):
        plain = add_one("i32", "INT32").replace("sfpiadd  1, L0, L0, 5", "sfpiadd  %d, L0, L0, 5" % number)
        found = sfpu.optimize(plain, budget=100000)
        return found["best"]["cycles_per_row"], found["proved"], sfpu.equiv(plain, found["source"])["equal"]

    alone = schedule(1)
    assert alone[1:] == (True, True)
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        assert list(pool.map(schedule, range(1, 5))) == [alone] * 4


def test_long_calls_let_python_run_and_end_when_their_time_is_over():
    ticks, kernel = [], add_one("i32", "INT32")
    with concurrent.futures.ThreadPoolExecutor(1) as pool:
        call = pool.submit(sfpu.lint, kernel, schedules=1000000, timeout=0.5)
        while not call.done():
            ticks.append(time.monotonic())
            time.sleep(0.001)
    with pytest.raises(subprocess.TimeoutExpired):
        call.result()
    assert len(ticks) > 20 and ticks[-1] - ticks[0] < 20


def test_ctrl_c_ends_a_call():
    program = "import sfpu, sys; print(1, flush=True); sfpu.lint(sys.argv[1], schedules=1000000)"
    call = subprocess.Popen([sys.executable, "-c", program, add_one("i32", "INT32")], stdout=subprocess.PIPE,
                            stderr=subprocess.PIPE, text=True)
    call.stdout.readline()
    time.sleep(0.3)
    call.send_signal(signal.SIGINT)
    assert "KeyboardInterrupt" in call.communicate(timeout=60)[1]


def test_a_fork_does_not_wait_for_a_long_call():
    with concurrent.futures.ThreadPoolExecutor(1) as pool:
        call = pool.submit(sfpu.lint, add_one("i32", "INT32"), schedules=1000000, timeout=4)
        time.sleep(0.2)
        begin = time.monotonic()
        child = os.fork()
        if child == 0:
            try:
                y = sfpu.run(add_one("i32", "INT32"), inputs={"x": np.zeros(32, dtype=np.int32)}).outputs["y"]
                os._exit(0 if np.all(y == 1) else 1)
            except BaseException:
                os._exit(2)
        assert os.waitpid(child, 0)[1] == 0 and time.monotonic() - begin < 3.5 and not call.done()
        with pytest.raises(subprocess.TimeoutExpired):
            call.result()


def test_a_run_says_that_no_systemc_was_there(kernels):
    assert sfpu.run(kernels / "recip_macro.s").report["meta"]["systemc"] is None


def test_equiv_tells_different_kernels_apart():
    one, two = add_one("i32", "INT32"), add_one("i32", "INT32").replace("sfpiadd  1", "sfpiadd  2")
    answer = sfpu.equiv(one, two)
    assert not answer["equal"] and answer["first_difference"]["output"] == "y"


def test_lint_gives_a_verdict(kernels):
    assert sfpu.lint(kernels / "signbit.s")["verdict"] == "robust"


def test_explore_gives_a_row_for_each_point(kernels):
    rows = sfpu.explore({"kernels": [str(kernels / "signbit.s")], "schedule": "keep",
                         "parameters": {"sfpu.latency.simple": [1, 2]}}, jobs=1)
    assert [row["sfpu.latency.simple"] for row in rows] == [1, 2] and all(row["status"] == "ok" for row in rows)


def test_importing_says_nothing():
    done = subprocess.run([sys.executable, "-c", "import sfpu; sfpu.Unit()"], capture_output=True, check=True)
    assert done.stdout == b"" and done.stderr == b""


def test_a_kernel_is_taken_in_every_form(kernels, tmp_path):
    text = add_one("i32", "INT32")
    words = "\n".join("%08x" % word for word in sfpu.assemble(text)) + "\n"
    x = np.arange(1024, dtype=np.int32)
    as_text = sfpu.run(text, inputs={"x": x})
    assert as_text.source == {"file": "kernel.s", "function": None, "form": "asm"}
    assert as_text.report["source"] == as_text.source
    as_bytes = sfpu.run(text.encode(), inputs={"x": x})
    assert np.array_equal(as_bytes.outputs["y"], as_text.outputs["y"])
    (tmp_path / "words.txt").write_text(words)
    assert sfpu.lint(tmp_path / "words.txt")["source"]["form"] == "hex"
    # Words have no sections here, so that the counter's step is set up anew in each row.
    named = sfpu.Source(tmp_path / "words.txt", input_at={"x": (0, "i32")}, output_at={"y": (0x40, "i32")})
    assert np.array_equal(sfpu.run(named, inputs={"x": x}).outputs["y"], as_text.outputs["y"])
    both = sfpu.equiv(text, named)
    assert both["equal"] and both["source"]["b"]["form"] == "hex"


def test_a_form_that_is_not_the_kernels_is_an_error(tmp_path):
    with pytest.raises(sfpu.Error, match="expected a word|expected"):
        sfpu.run("sfpnop\n", form="hex")
    with pytest.raises(sfpu.Error, match="form: found 'coff', expected asm, hex, elf"):
        sfpu.run("sfpnop\n", form="coff")
    with pytest.raises(sfpu.Error, match="it has no functions"):
        sfpu.lint("sfpnop\n", function="f")
    with pytest.raises(sfpu.Error, match="--as asm or --as gnu"):
        sfpu.run("SFPNOP\n\n")
    assert sfpu.run("SFPNOP\n\n", form="asm").source["form"] == "asm"
    with pytest.raises(sfpu.Error, match="k.elf"):
        sfpu.run(sfpu.Source(b"\x7fELF", name="k.elf"))
    with pytest.raises(sfpu.Error, match="a type as .input has it"):
        sfpu.run(sfpu.Source("sfpnop\n", input_at={"x": (0, "real")}))
