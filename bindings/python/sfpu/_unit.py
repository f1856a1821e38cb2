"""A vector unit in this process, one word after the other."""
from __future__ import annotations

import copy
import operator
from types import TracebackType
from typing import Any, Dict, List, Mapping, Optional, Sequence, Type, Union

import numpy as np
from numpy.typing import NDArray

from . import _core
from ._program import Error, Setting, _number, _settings, _values

Words = Union[str, int, Sequence[int], NDArray[Any]]
_LANES = 32
_MOST_CYCLES = 10**12  # at once


def assemble(text: str, arch: str = "bh", settings: Optional[Mapping[str, Setting]] = None) -> NDArray[np.uint32]:
    """The words of assembly text, as uint32. Raises Error, whose text begins with "text:LINE:COLUMN"."""
    try:
        return np.array(_core.assemble(text, arch, _settings(settings)), dtype=np.uint32)
    except ValueError as problem:
        raise Error(str(problem)) from None


def disassemble(word: int, arch: str = "bh", settings: Optional[Mapping[str, Setting]] = None) -> str:
    """One line of assembly that means this word."""
    try:
        return _core.disassemble(int(word), arch, _settings(settings))
    except ValueError as problem:
        raise Error(str(problem)) from None


class Unit:
    """A vector unit with its Dst: push words, look at registers.

    Words are those of the SFPU and SETRWC, INCRWC, SETC16, NOP; MOP, REPLAY and STALLWAIT belong to the front end, which
    is not here. Everything is as at `cycle`, the cycle in which the next word is offered: a result that is still under way
    is not there yet; `settle()` waits for all.

    `copy()`, which copy.copy() and copy.deepcopy() call, gives a second unit that continues like this one. `close()`, a `with`
    statement or the end of the object gives memory back. Different threads may use units at the same time; their calls of
    one unit come one after the other. After a fork parent and child have units of their own.
    """

    def __init__(self, arch: str = "bh", settings: Optional[Mapping[str, Setting]] = None) -> None:
        self._arch, self._settings = arch, _settings(settings)
        try:
            self._unit = _core.Unit(arch, self._settings)
        except ValueError as problem:
            raise Error(str(problem)) from None

    def __enter__(self) -> "Unit":
        return self

    def __exit__(self, kind: Optional[Type[BaseException]], value: Optional[BaseException],
                 trace: Optional[TracebackType]) -> None:
        self.close()

    def copy(self) -> "Unit":
        """A unit that continues like this one, whatever happens to either: same state, results under way, cycle, diagnostics
        and timeline. It takes microseconds, and some more for a long timeline."""
        twin = self.__class__.__new__(self.__class__)
        twin.__dict__.update(self.__dict__)
        twin._unit = self._unit.copy()
        return twin

    def __copy__(self) -> "Unit":
        return self.copy()

    def __deepcopy__(self, memo: Dict[int, Any]) -> "Unit":
        twin = memo[id(self)] = self.copy()
        for name, value in self.__dict__.items():
            if name != "_unit":
                setattr(twin, name, copy.deepcopy(value, memo))
        return twin

    def close(self) -> None:
        """Gives the unit's memory back. Afterwards only `diagnostics` and `timeline` work, with what there was until then."""
        self._unit.close()

    def reset(self) -> None:
        """Everything as after construction."""
        self._unit.reset()

    def push(self, words: Words, thread: int = 0) -> NDArray[np.int64]:
        """Offers words, or assembly text, one in each cycle. Returns the cycles in which they are issued."""
        if isinstance(words, str):
            words = _core_words(words, self._arch, self._settings)
        array = np.atleast_1d(np.asarray(words))
        if array.dtype != np.uint32:
            if array.size and (array.dtype.kind not in "iu" or array.min() < 0 or array.max() > 0xFFFFFFFF):
                raise Error("Unit.push: expected words of 32 bits or assembly text")
            array = array.astype(np.uint32)
        return self._unit.push(array.reshape(-1), _number("Unit.push: thread", thread, 0, 2))

    def wait(self, cycles: int = 1) -> None:
        """Lets cycles pass in which no word is offered."""
        try:
            self._unit.wait(_number("Unit.wait: cycles", cycles, 0, _MOST_CYCLES))
        except ValueError as problem:
            raise Error(str(problem)) from None

    def settle(self) -> None:
        """Lets cycles pass until nothing changes any more."""
        self._unit.settle()

    @property
    def cycle(self) -> int:
        """The cycle in which the next word is offered; 0 after reset."""
        return self._unit.cycle

    def lreg(self, number: int, dtype: Any = np.uint32) -> NDArray[Any]:
        """The 32 lanes of LReg `number`, 0 to 16, seen as a type of 32 bits."""
        return self._unit.lreg(_lreg(number)).view(_wide(dtype))

    def set_lreg(self, number: int, values: Any) -> None:
        """Before the first cycle: gives an LReg 32 values of a type of 32 bits, or one value to all lanes. Of Python's
        numbers, floats become float32 and integers are bits."""
        array = np.asarray(values)
        if array.dtype == np.float64:
            array = array.astype(np.float32)
        elif array.dtype.kind in "iu" and array.dtype.itemsize != 4:
            if array.size and (array.min() < -2**31 or array.max() > 0xFFFFFFFF):
                raise Error("Unit.set_lreg: found a value of more than 32 bits")
            array = (array & 0xFFFFFFFF).astype(np.uint32)
        _wide(array.dtype)
        if array.shape not in ((), (1,), (_LANES,)):
            raise Error("Unit.set_lreg: found an array of shape %s, expected 32 values or one" % (array.shape,))
        self._unit.set_lreg(_lreg(number), np.ascontiguousarray(np.broadcast_to(array, (_LANES,))).view(np.uint32))

    @property
    def flags(self) -> NDArray[np.bool_]:
        """LaneFlags of the 32 lanes."""
        return self._unit.flags()

    @property
    def use_flags(self) -> NDArray[np.bool_]:
        """UseLaneFlagsForLaneEnable of the 32 lanes."""
        return self._unit.use_flags()

    @property
    def enabled(self) -> NDArray[np.bool_]:
        """The lanes in which ordinary instructions take effect."""
        return self._unit.enabled()

    def counters(self, thread: int = 0) -> Dict[str, int]:
        """Address counters of a thread: dst, dst_cr, sp."""
        return self._unit.counters(_number("Unit.counters: thread", thread, 0, 2))

    @property
    def dst(self) -> NDArray[np.uint16]:
        """A copy of Dst as it is stored: 1024 rows of 16 cells of 16 bits."""
        return self._unit.dst()

    @dst.setter
    def dst(self, cells: Any) -> None:
        given = np.asarray(cells)
        if given.shape != (1024, 16):
            raise Error("Unit.dst: found an array of shape %s, expected (1024, 16)" % (given.shape,))
        with np.errstate(all="ignore"):
            stored = given.astype(np.uint16) if given.dtype.kind in "biuf" else None
        if stored is None or not np.array_equal(stored, given):
            raise Error("Unit.dst: found values that are no cells, expected whole numbers from 0 to 65535")
        self._unit.set_dst(np.ascontiguousarray(stored))

    def read(self, address: int, type: str, rows: int = 1) -> NDArray[Any]:  # noqa: A002: the assembler's word
        """Values of `type` (f32, bf16, f16, i32, u32, sm32, i16, u16, sm16, i8, u8) that loads of `address`, `address` + 2,
        ... find: shape (rows, 32)."""
        try:
            bits = self._unit.read(_address(address), type, _number("Unit.read: rows", rows, 1, 512))
            dtype = np.dtype(_core.numpy_name(type))
        except ValueError as problem:
            raise Error(str(problem)) from None
        return bits.astype("<u%d" % dtype.itemsize).view(dtype).reshape(rows, _LANES)

    def write(self, address: int, type: str, values: Any) -> None:  # noqa: A002: the assembler's word
        """Puts values where loads of `address`, `address` + 2, ... find them, 32 for each row."""
        try:
            dtype = np.dtype(_core.numpy_name(type))
        except ValueError as problem:
            raise Error(str(problem)) from None
        array = np.ascontiguousarray(_values("values", values, {"type": type, "dtype": dtype}))
        if array.size == 0 or array.size % _LANES:
            raise Error("Unit.write: found %d values, expected a multiple of 32" % array.size)
        try:
            self._unit.write(_address(address), type, array.reshape(-1).view("<u%d" % dtype.itemsize).astype(np.uint32))
        except ValueError as problem:
            raise Error(str(problem)) from None

    @property
    def diagnostics(self) -> List[Dict[str, Any]]:
        """What was reported so far: cycle, word, id, severity, message."""
        return self._unit.diagnostics()

    @property
    def timeline(self) -> List[Dict[str, Any]]:
        """What executed so far: cycle, end, unit, text, origin (issued or macro), word, discarded."""
        return self._unit.timeline()


def _core_words(text: str, arch: str, settings: Any) -> List[int]:
    try:
        return _core.assemble(text, arch, settings)
    except ValueError as problem:
        raise Error(str(problem)) from None


def _wide(dtype: Any) -> "np.dtype[Any]":
    wanted = np.dtype(dtype)
    if wanted.itemsize != 4 or wanted.kind not in "iuf":
        raise Error("an LReg has lanes of 32 bits, found %s" % wanted)
    return wanted


def _address(value: Any) -> int:
    """What the address field of a load can say."""
    return _number("address", value, 0, 1023)


def _lreg(value: Any) -> int:
    number = operator.index(value)
    if not 0 <= number <= 16:
        raise IndexError("LReg %d does not exist; there are L0 to L16" % number)
    return number
