// Programs of a tile's cores, one for each, and how they begin.
#pragma once

#include <sfpu/riscv/elf_image.h>

#include <array>
#include <cstdint>
#include <optional>

namespace sfpu::platform {

/// How programs get into the tile and begin.
enum class loader_kind : std::uint8_t {
    plain, ///< segments to their addresses; each core begins at its entry point; `tohost` ends the run
    /// The tests of the vendor's kernel library: data of a core's RAM wait in L1 (`__loader_init_start`),
    /// from where its start-up code copies them; a core is done when 0xFF stands in its mailbox (0x1FFB8 +
    /// 4 n). With a program of the B core that starts the others at the host's commands; without one the host
    /// does what that does.
    llk,
    /// tt-metal's firmware: data of a core's RAM wait in L1, where the program of the B core says by its
    /// symbols `trisc<n>_local_image`; its `tohost` ends the run.
    metal,
};

constexpr unsigned b_core_number = 3; ///< behind T0 to T2

struct core_programs {
    std::array<std::optional<riscv::elf_image>, b_core_number + 1> of; ///< by core: T0 to T2, B

    /// T cores that a tile needs to hold them; all three if B starts them.
    unsigned t_cores(loader_kind loader) const;
};

} // namespace sfpu::platform
