"""What the commands of the program find out, with arrays and dictionaries instead of files."""
from __future__ import annotations

import json
import os
import operator
import shutil
import sys
import tempfile
import warnings
from typing import Any, Callable, Dict, List, Mapping, Optional, Sequence, Tuple, Union

import numpy as np
from numpy.typing import NDArray

from . import _core

FileName = Union[str, "os.PathLike[str]"]
Setting = Union[str, int, bool, float]
Array = Any  # numpy.ndarray, or what numpy.asarray() takes

_LANES = 32


class Source:
    """A kernel in any form, and what chooses it: wherever a kernel is taken, this is.

    `kernel` is the name of a file, a text (which has a line end), or bytes, as of an ELF file. `form` is "asm", "hex", "elf",
    "objdump", "gnu" or "cpp", and is found by the content (C++: by the ending of the name) unless it is given. `function`:
    mangled, demangled or a part that only one has; `template` its template's arguments as text, `args` its arguments;
    `include` and `define` are for C++. `input_at` and `output_at` name data that the kernel does not name:
    {"x": (0x40, "f32")}. `assume`: "semaphores", which a function of an ELF file may wait for. `name` is what messages call
    bytes and texts."""

    def __init__(self, kernel: Union[str, bytes, "os.PathLike[str]"], *, form: Optional[str] = None, function: str = "",
                 template: str = "", args: Sequence[Union[str, int]] = (), include: Sequence[FileName] = (),
                 define: Sequence[str] = (), input_at: Optional[Mapping[str, Tuple[int, str]]] = None,
                 output_at: Optional[Mapping[str, Tuple[int, str]]] = None, assume: str = "", name: str = "") -> None:
        if assume not in ("", "semaphores"):
            raise Error("assume: found %r, expected 'semaphores'" % (assume,))
        self.kernel, self.form, self.function, self.template = kernel, form, function, template
        self.args = [str(each) for each in args]
        self.include = [os.fspath(each) for each in include]
        self.define = list(define)
        self.input_at, self.output_at = _places(input_at), _places(output_at)
        self.assume, self.name = assume, name


Kernel = Union[str, bytes, "os.PathLike[str]", Source]


class Error(ValueError):
    """Wrong use or a wrong file. The text is the program's: where, what was found and what was expected."""


class ProgramFailed(RuntimeError):
    """The simulated program broke a rule, missed an expectation, or has other results than on the chip.

    `result` is what there is all the same."""

    def __init__(self, text: str, result: Any = None) -> None:
        super().__init__(text)
        self.result = result


class HazardWarning(UserWarning):
    """Instructions got into each other's way, and the hardware would have said nothing: the outputs may be wrong."""


class Result:
    """What `run` gives."""

    def __init__(self, outputs: Dict[str, NDArray[Any]], messages: str, answer: _core.Answer,
                 source: Optional[Dict[str, Any]] = None) -> None:
        self.outputs = outputs
        """By name of `.output`: arrays of the inputs' shape if all inputs have one, else of shape (rows, 32)."""
        self.messages = messages
        """What a command would say on standard error; empty if there is nothing to say."""
        self.remarks: List[Dict[str, Any]] = answer.remarks()
        """What is odd about the kernel and breaks no rule, as an output that is stored in part: line (None: the file as a whole),
        id (docs/hazards.md) and message."""
        self.diagnostics: List[Dict[str, Any]] = answer.diagnostics()
        """What the hardware does in silence (docs/hazards.md), an entry for each id: id, kind, severity, count, and of the first
        one line (None: no line), place and message; cure is what helps in general."""
        self.source: Dict[str, Any] = source or {}
        """What the kernel was given as: file, function and form."""
        self._answer = answer
        self._report: Optional[Dict[str, Any]] = None
        self._profile: Optional[Dict[str, Any]] = None

    def __repr__(self) -> str:
        arrays = ", ".join("%s %s%s" % (name, array.dtype, array.shape) for name, array in self.outputs.items())
        seen = ", ".join("%s x %d" % (each["id"], each["count"]) for each in self.diagnostics)
        return "<sfpu.Result: outputs %s; diagnostics %s; remarks %d>" % (arrays or "none", seen or "none", len(self.remarks))

    @property
    def report(self) -> Dict[str, Any]:
        """The statistics file, see docs/trace-formats.md: throughput, units, stalls, hazards, steady_state, ... It is made when
        it is first asked for: finding what binds takes longer than the run."""
        if self._report is None:
            self._report = _json_of(self._answer.report())
            if self.source:
                self._report["source"] = self.source
        return self._report

    @property
    def profile(self) -> Dict[str, Any]:
        """By instruction and by line: executed, waits, latency, slack and shares of the II, as `schedule --json` has it under
        "profile" (docs/command-line.md). It is made when it is first asked for, by runs of its own."""
        if self._profile is None:
            self._profile = _json_of(self._answer.profile())
        return self._profile

    @property
    def cycles_per_row(self) -> float:
        """Cycles between the beginnings of two rows, in steady state."""
        return float(self.report["throughput"]["cycles_per_row"])


def version() -> str:
    """Of the model, as `sfpusim --version` says it."""
    return str(_core.version)


def round_to_bf16(values: Array) -> NDArray[np.float32]:
    """float32 values rounded to the nearest that bfloat16 has, ties to even: what an input of type bf16 takes."""
    bits = np.ascontiguousarray(values, dtype=np.float32).view(np.uint32)
    rounded = (bits + np.uint32(0x7FFF) + (bits >> np.uint32(16) & np.uint32(1))) & np.uint32(0xFFFF0000)
    quiet = (bits | np.uint32(0x00400000)) & np.uint32(0xFFFF0000)
    is_nan = (bits & np.uint32(0x7FFFFFFF)) > np.uint32(0x7F800000)
    return np.where(is_nan, quiet, rounded).astype(np.uint32).view(np.float32)


def bf16_bits(values: Array) -> NDArray[np.uint16]:
    """The upper halves of float32 values, as uint16: how bfloat16 travels where NumPy has no type for it."""
    return (np.ascontiguousarray(values, dtype=np.float32).view(np.uint32) >> np.uint32(16)).astype(np.uint16)


def run(kernel: Kernel, inputs: Optional[Mapping[str, Array]] = None, *, outputs: Optional[Sequence[str]] = None,
        rows: Optional[int] = None, arch: Optional[str] = None, settings: Optional[Mapping[str, Setting]] = None,
        seed: int = 1, zero: bool = False, hazards: str = "warn", strict: bool = False,
        firmware_start: Optional[bool] = None, compare_with_chip: bool = True, check: bool = True,
        form: Optional[str] = None, function: Optional[str] = None, timeout: Optional[float] = None) -> Result:
    """Runs a kernel on the timed model.

    `kernel` is the name of a file, a text (which has a line end), bytes, as of an ELF file, or a `Source`, which takes more
    beside `form` and `function`. `inputs` are values by the name of `.input`,
    32 for each row, in the NumPy type of its type: f32 and bf16 float32, f16 float16, i32 and sm32 int32, i16 and sm16
    int16, the others the type of their name. Other types are taken if they hold the same values; uint16 for bf16 is taken
    as bits. The number of rows follows from the inputs. Dst holds random data where nothing is given (`seed`, `zero`).
    `outputs` names the outputs that are wanted, else all are given.

    Raises Error for what is wrong with the call, and ProgramFailed, unless `check` is false, where sfpusim ends with 2. With
    `hazards` "warn" each hazard is a HazardWarning: the outputs may be wrong. All diagnostics are in `diagnostics`. Rows of two
    tensors that lie on each other are a UserWarning, unless `hazards` is "off".
    """
    if inputs is not None and not isinstance(inputs, Mapping):
        raise TypeError("inputs: found %r, expected a dictionary of arrays" % type(inputs).__name__)
    given_settings = _settings(settings)
    name, text, source = _kernel(kernel, form, function, arch, given_settings, timeout)
    known = _interface(source["form"] == "hex", text, arch, given_settings)
    given = {name: _values(name, value, _type_of(known, "inputs", name)) for name, value in (inputs or {}).items()}
    shape: Optional[Tuple[int, ...]] = None
    if given:
        rows = _rows(given, rows)
        shapes = {array.shape for array in given.values()}
        shape = shapes.pop() if len(shapes) == 1 else None
    wanted = [one["name"] for one in known["outputs"]] if outputs is None else list(outputs)
    answer = _checked(
        _core.run, text, name, arch or "", given_settings, hazards, strict, firmware_start, rows, int(seed), zero,
        {name: _bits(array) for name, array in given.items()}, compare_with_chip, wanted, timeout)
    arrays = {name: _array(bits, _type_of(known, "outputs", name), shape) for name, bits in answer.outputs().items()}
    result = Result(arrays, answer.messages, answer, source)
    if check and not answer.ok:
        raise ProgramFailed(answer.messages.strip() or "the kernel failed", result)
    for each in result.diagnostics:
        if each["kind"] == "hazard" and each["severity"] == "warning":
            times = " (%d times)" % each["count"] if each["count"] > 1 else ""
            warnings.warn("%s: %s%s [%s]; cure: %s" % (each["place"], each["message"], times, each["id"], each["cure"]),
                          HazardWarning, stacklevel=2)
    for each in result.remarks:
        if each["id"] == "/sfpu/kernel/overlapping-data" and hazards != "off":
            warnings.warn("%s: the values of one of them are lost [%s]" % (each["message"], each["id"]), stacklevel=2)
    return result


def optimize(kernel: Kernel, *, arch: Optional[str] = None, settings: Optional[Mapping[str, Setting]] = None,
             rows_per_iteration: Optional[int] = None, at_most: Optional[float] = None, bubble_proof: bool = False,
             retime: bool = False, why: bool = False, time_limit: Optional[float] = None, budget: Optional[int] = None,
             llk: bool = False, form: Optional[str] = None, function: Optional[str] = None,
             upper_bound: Optional[Kernel] = None, jobs: int = 1, memory_limit: int = 2**32, no_rewrite: bool = False,
             assume: Sequence[str] = (), timeout: Optional[float] = None) -> Dict[str, Any]:
    """The shortest macro schedule of a plain kernel, see docs/optimizer.md: what `optimize --json` prints, with the
    kernel's text as "source" and, with `llk`, functions for the vendor's kernel library as "llk". What was given, which the
    command calls "source", is "given" here.

    `upper_bound` is a schedule that is known: only shorter ones are looked for. `jobs` are threads, `memory_limit` is in bytes
    (0: none), `assume` has "no-nan" and "no-denormal", of all operands.

    Raises ProgramFailed, with what was found out as its `result`, if what was asked for cannot be done."""
    if isinstance(assume, str):
        raise TypeError("assume: found a text, expected a list of texts")
    for each in assume:
        if each not in ("no-nan", "no-denormal"):
            raise Error("assume: found %r, expected no-nan or no-denormal" % (each,))
    threads, memory = _number("jobs", jobs, 1, 256), _number("memory_limit", memory_limit, 0, 2**63 - 1)
    if time_limit is not None and budget is not None:
        raise Error("optimize: found time_limit and budget, expected one of them")
    name, text, source = _kernel(kernel, form, function, arch, _settings(settings), timeout)
    rows = None if rows_per_iteration is None else _number("rows_per_iteration", rows_per_iteration, 1, 8)
    conflicts = 0 if budget is None else _number("budget", budget, 1, 2**50)
    seconds = 60.0 if time_limit is None else _real("time_limit", time_limit, 0.001, 1e6)
    short = None if at_most is None else _real("at_most", at_most, 0.001, 1e6)
    known = None if upper_bound is None else _kernel(upper_bound, None, None, arch, _settings(settings), timeout)[:2]
    met, answer, schedule, header, warnings = _checked(
        _core.optimize, text, name, arch or "", _settings(settings), rows, short, bubble_proof, retime, why, seconds,
        conflicts, llk, known, threads, memory, not no_rewrite, "no-nan" in assume, "no-denormal" in assume, timeout)
    result = _json_of(answer)
    result["source"] = schedule if met else ""
    result["given"] = source
    if llk and met and header:
        result["llk"] = header
    if not met:
        raise ProgramFailed(warnings.strip() or "there is no such schedule", result)
    return result


def equiv(a: Kernel, b: Kernel, *, seeds: Optional[int] = None, seed: Optional[int] = None, exhaustive: bool = False,
          ignore_signed_zero: bool = False, nan_equal: bool = False, arch: Optional[str] = None,
          settings: Optional[Mapping[str, Setting]] = None, timeout: Optional[float] = None) -> Dict[str, Any]:
    """Whether two kernels compute the same: what `equiv --json` prints; "equal" is the answer. Functions are chosen by a
    `Source` each."""
    a_name, a_text, a_source = _kernel(a, None, None, arch, _settings(settings), timeout, "a.s")
    b_name, b_text, b_source = _kernel(b, None, None, arch, _settings(settings), timeout, "b.s")
    count = 16 if seeds is None else _number("seeds", seeds, 0, 1000000)
    first = 1 if seed is None else _number("seed", seed, 0, 2**64 - 1)
    answer = _json_of(_checked(_core.equiv, a_text, a_name, b_text, b_name, arch or "", _settings(settings), count, first,
                               exhaustive, ignore_signed_zero, nan_equal, timeout)[1])
    answer["source"] = {"a": a_source, "b": b_source}
    return answer


def lint(kernel: Kernel, *, schedules: Optional[int] = None, bubble_rate: Optional[float] = None,
         seed: Optional[int] = None, arch: Optional[str] = None, settings: Optional[Mapping[str, Setting]] = None,
         form: Optional[str] = None, function: Optional[str] = None, timeout: Optional[float] = None) -> Dict[str, Any]:
    """Where a kernel's results depend on timing: what `lint --json` prints; "verdict" is robust, replay-only or broken."""
    name, text, source = _kernel(kernel, form, function, arch, _settings(settings), timeout)
    count = 200 if schedules is None else _number("schedules", schedules, 0, 1000000)
    rate = 0.3 if bubble_rate is None else _real("bubble_rate", bubble_rate, 0, 1)
    first = 1 if seed is None else _number("seed", seed, 0, 2**64 - 1)
    answer = _json_of(_checked(_core.lint, text, name, arch or "", _settings(settings), count, rate, first, timeout)[1])
    answer["source"] = source
    return answer


def explore(sweep: Union[Mapping[str, Any], FileName], *, output: Optional[FileName] = None, jobs: Optional[int] = None,
            retry_failed: bool = False, timeout: Optional[float] = None) -> List[Dict[str, Any]]:
    """Runs kernels on many machines (docs/exploration.md): one dictionary for each row of results.jsonl.

    `sweep` is the name of a sweep file or its content; paths of kernels in a content are relative to the working
    directory. `output` is a folder that keeps results for another time. Rows say themselves whether they failed. Points
    run on threads of this process; those of firmware need the command."""
    with tempfile.TemporaryDirectory(prefix="sfpu-") as folder:
        if isinstance(sweep, Mapping):
            file = os.path.join(folder, "sweep.json")
            with open(file, "w", encoding="utf-8") as stream:
                json.dump(sweep, stream)
        else:
            file = os.fspath(sweep)
        target = "" if output is None else os.fspath(output)
        count = 0 if jobs is None else _number("jobs", jobs, 1, 1024)
        lines = _checked(_core.explore, file, target, count, retry_failed, timeout, hidden=folder + os.sep)
    return [_json_of(line) for line in lines.splitlines()]


def _kernel(kernel: Kernel, form: Optional[str], function: Optional[str], arch: Optional[str],
            settings: List[Tuple[str, str]], timeout: Optional[float], name: str = "kernel.s") -> Tuple[str, str, Dict[str, Any]]:
    """What messages call the kernel, its text as assembly or words, and what it was given as."""
    of = kernel if isinstance(kernel, Source) else Source(kernel)
    file, content = _content(of.kernel, of.name or name)
    text, found, taken, told = _checked(
        _core.translate, content, file, arch or "", settings, form or of.form or "", function or of.function, of.template,
        of.args, of.include, of.define, of.input_at, of.output_at, bool(of.assume), os.environ.get("CXX") or "c++",
        _kit_folders(), timeout)
    source: Dict[str, Any] = {"file": file, "function": taken or None, "form": found}
    if told:
        source["told"] = told
    return file, text.decode("utf-8", "replace"), source


def _content(kernel: Union[str, bytes, "os.PathLike[str]"], name: str) -> Tuple[str, bytes]:
    """What messages call it, and its bytes."""
    if isinstance(kernel, (bytes, bytearray)):
        return name, bytes(kernel)
    if isinstance(kernel, str) and "\n" in kernel:
        return name, kernel.encode("utf-8", "replace")
    try:
        file = os.fspath(kernel)
    except TypeError:
        raise TypeError("kernel: found %r, expected the name of a file or assembly text" % (kernel,)) from None
    if not file:
        raise Error("kernel: found an empty text, expected the name of a file or assembly text")
    try:
        with open(file, "rb") as stream:
            return file, stream.read()
    except OSError as problem:
        raise Error("%s: cannot be read: %s" % (file, problem.strerror)) from problem


def _kit_folders() -> List[str]:
    """Where headers and libraries for C++ kernels may be described: beside this package in a build, where it was installed,
    and beside the program."""
    here = os.path.dirname(os.path.abspath(__file__))
    folders = [os.path.join(here, "..", "..", "share", "sfpu-tlm"), os.path.join(sys.prefix, "share", "sfpu-tlm")]
    program = shutil.which("sfpusim")
    if program:
        folders.append(os.path.join(os.path.dirname(os.path.realpath(program)), "..", "share", "sfpu-tlm"))
    return [folder for folder in folders if os.path.isfile(os.path.join(folder, "kernel_kit.json"))]


def _places(named: Optional[Mapping[str, Tuple[int, str]]]) -> List[Tuple[str, int, str]]:
    return [(name, _number(name, address, 0, 1023), type) for name, (address, type) in (named or {}).items()]


def _checked(function: Callable[..., Any], *arguments: Any, hidden: str = "") -> Any:
    """What a function of the module gives. What it refuses is an Error, without `hidden`, which the caller does not know."""
    try:
        return function(*arguments)
    except ValueError as problem:
        text = str(problem)
        raise Error(text.replace(hidden, "") if hidden else text) from None


def _number(what: str, value: Any, first: int, last: int) -> int:
    try:
        number = operator.index(value)
    except TypeError:
        raise TypeError("%s: found %r, expected a whole number" % (what, value)) from None
    if not first <= number <= last:
        raise Error("%s: found %d, expected %d to %d" % (what, number, first, last))
    return number


def _real(what: str, value: Any, first: float, last: float) -> float:
    number = float(value)
    if not first <= number <= last:
        raise Error("%s: found %r, expected %g to %g" % (what, value, first, last))
    return number


def _bits(array: NDArray[Any]) -> NDArray[np.uint32]:
    """The bits of values, each in 32 bits."""
    flat = np.ascontiguousarray(array).reshape(-1)
    return flat.view("<u%d" % flat.dtype.itemsize).astype(np.uint32)


def _array(bits: NDArray[np.uint32], declared: Optional[Dict[str, Any]], shape: Optional[Tuple[int, ...]]) -> NDArray[Any]:
    """The values of such bits."""
    assert declared is not None
    dtype = np.dtype(declared["dtype"])
    return bits.astype("<u%d" % dtype.itemsize).view(dtype).reshape(shape or (-1, _LANES))


def _interface(words: bool, text: str, arch: Optional[str], settings: List[Tuple[str, str]]) -> Dict[str, Any]:
    """What the kernel declares; nothing if it has mistakes, of which a run tells."""
    known = _checked(_core.interface, text, words, arch or "", settings)
    return known or {"inputs": [], "outputs": []}


def _type_of(known: Dict[str, Any], kind: str, name: str) -> Optional[Dict[str, Any]]:
    return next((one for one in known[kind] if one["name"] == name), None)


def _values(name: str, value: Array, declared: Optional[Dict[str, Any]]) -> NDArray[Any]:
    """The values in the NumPy type that the program takes."""
    array = np.asarray(value)
    if declared is None:  # the program says which names there are
        return array
    wanted = np.dtype(declared["dtype"])
    if array.dtype == wanted:
        return array
    if declared["type"] == "bf16" and array.dtype == np.uint16:
        return (array.astype(np.uint32) << np.uint32(16)).view(np.float32)
    if array.dtype.kind not in "biuf":
        raise Error("inputs: %s: found values of type %s, expected %s" % (name, array.dtype, wanted))
    with np.errstate(all="ignore"):
        converted = array.astype(wanted)
        exact, found = array.astype(np.longdouble), converted.astype(np.longdouble)
        same = (exact == found) | (np.isnan(exact) & np.isnan(found))
    if not np.all(same):
        where = int(np.flatnonzero(~np.asarray(same).reshape(-1))[0])
        raise Error("inputs: %s: found %r (row %d, lane %d), which %s does not hold; convert it first"
                    % (name, array.reshape(-1)[where].item(), where // _LANES, where % _LANES, wanted))
    return converted


def _rows(given: Mapping[str, NDArray[Any]], rows: Optional[int]) -> int:
    for name, array in given.items():
        if array.size == 0 or array.size % _LANES:
            raise Error("inputs: %s: found %d values, expected a multiple of 32: a row has 32 lanes" % (name, array.size))
        if rows is None:
            rows = array.size // _LANES
        if array.size != rows * _LANES:
            raise Error("inputs: %s: found %d values, expected %d: %d rows of 32" % (name, array.size, rows * _LANES, rows))
    assert rows is not None
    return rows


def _settings(settings: Optional[Mapping[str, Setting]]) -> List[Tuple[str, str]]:
    if settings is not None and not (isinstance(settings, Mapping) and all(isinstance(path, str) for path in settings)):
        raise TypeError("settings: found %r, expected a dictionary of parameters by their paths" % (settings,))
    return [(path, str(value).lower() if isinstance(value, bool) else str(value))
            for path, value in (settings or {}).items()]


def _json_of(text: str) -> Dict[str, Any]:
    value: Dict[str, Any] = json.loads(text)
    return value
