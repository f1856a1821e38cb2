"""The Tensix vector unit (SFPU) of Blackhole and Wormhole, cycle by cycle, on NumPy arrays.

    result = sfpu.run("kernels/recip_macro.s", inputs={"x": x})
    result.outputs["y"], result.report["throughput"]["cycles_per_row"]

`run`, `optimize`, `equiv`, `lint` and `explore` are what the commands of these names do, in this process: they may be
called at any time, from any thread, and after a fork. `Unit` is a vector unit that takes words one by one.
"""
from ._program import (Error, HazardWarning, ProgramFailed, Result, Source, bf16_bits, equiv, explore, lint, optimize, round_to_bf16,
                       run, version)
from ._unit import Unit, assemble, disassemble

__version__ = version()

__all__ = ["Error", "HazardWarning", "ProgramFailed", "Result", "Source", "Unit", "assemble", "bf16_bits", "disassemble", "equiv", "explore",
           "lint", "optimize", "round_to_bf16", "run"]
