// The programs of those kernels of `bench` that a tile runs.
#pragma once

#include <sfpu/riscv/elf_image.h>

#include <cstdint>

namespace sfpu::analysis {

/// A program that runs so many blocks, and so many of the last instructions of another block (`tile`: the
/// first ones), as its symbols `blocks` and `rest` say, which are words in memory: one block unless somebody
/// writes them.
struct bench_firmware {
    riscv::elf_image program;
    // Instructions of the vector unit.
    std::uint64_t set_up = 0; ///< outside blocks
    std::uint64_t block = 0;
};

/// Hart, TensorLoad, front end and vector unit at work together. For each block of 128 rows the hart lets the
/// TensorLoad engine bring one kilobyte from L1 to Dst, transposed on the way, and pushes one MOP, which
/// plays the 32-bit multiplication with macros from the replay buffer, four rows at a time.
bench_firmware tile_firmware();

/// A hart that pushes words of the vector unit, all by `.ttinsn` or all by `sw` to the instruction buffer. A
/// block is eight rows of the 32-bit multiplication, written out as compilers do.
bench_firmware push_firmware(bool by_store);

} // namespace sfpu::analysis
