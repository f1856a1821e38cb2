"""The Tensix vector unit (SFPU) of Blackhole and Wormhole, cycle by cycle, on NumPy arrays.

    result = sfpu.run("kernels/recip_macro.s", inputs={"x": x})
    result.outputs["y"], result.report["throughput"]["cycles_per_row"]

`run`, `optimize`, `equiv`, `lint` and `explore` each start the program sfpusim, which is part of this package, and so
may be called at any time, in any number, from any thread and after a fork. `Unit` is a vector unit in this process.
"""
from ._program import (Error, ProgramFailed, Result, bf16_bits, equiv, explore, lint, optimize, round_to_bf16, run,
                       version)
from ._unit import Unit, assemble, disassemble

__version__ = version()

__all__ = ["Error", "ProgramFailed", "Result", "Unit", "assemble", "bf16_bits", "disassemble", "equiv", "explore",
           "lint", "optimize", "round_to_bf16", "run"]
