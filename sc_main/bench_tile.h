// The kernel `tile` of `bench`: RISC-V, TensorLoad, front end and vector unit together, driven by firmware.
#pragma once

#include <sfpu/platform/tile.h>
#include <sfpu/riscv/elf_image.h>

#include <cstdint>

namespace sfpu::cli {

class tile_bench {
public:
    /// Throws user_error unless the configuration is Blackhole's: the kernel needs its instructions.
    explicit tile_bench(const parameters& config);

    /// Instructions of the vector unit that set-up and end of the program take.
    std::uint64_t least_instructions() const { return setup_instructions_; }

    struct run {
        std::uint64_t issued = 0, executed = 0; ///< by the vector unit; executed: and scheduled by macros
        std::uint64_t hart_instructions = 0;
        std::uint64_t cycles = 0; ///< of the tile
    };
    /// Resets the tile and runs the program with exactly so many instructions of the vector unit.
    run measure(std::uint64_t instructions);

private:
    std::uint32_t word_at(const char* symbol);
    void set_word(const char* symbol, std::uint32_t value);

    riscv::elf_image program_;
    platform::tile tile_;
    std::uint64_t setup_instructions_;
};

} // namespace sfpu::cli
