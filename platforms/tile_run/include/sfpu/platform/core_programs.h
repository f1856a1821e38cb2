// Programs of a tile's cores, one for each, and how they begin.
#pragma once

#include <sfpu/riscv/elf_image.h>

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

namespace sfpu::platform {

/// How programs get into the tile and begin.
enum class loader_kind : std::uint8_t {
    plain, ///< segments to their addresses; each core begins at its entry point; `tohost` ends the run
    /// The tests of the vendor's kernel library: data of a core's RAM wait in L1 (`__loader_init_start`),
    /// from where its start-up code copies them; a core is done when 0xFF stands in its mailbox (0x1FFB8 +
    /// 4 n). With a program of the B core that starts the others at the host's commands; without one the host
    /// does what that does.
    llk,
    /// tt-metal's firmware: data of a core's RAM wait in L1, where its program or that of the B core says by
    /// a symbol `trisc<n>_local_image`. `tohost` ends the run; with kernels the host stands for the B core
    /// and launches them, and the run ends when they have.
    metal,
};

constexpr unsigned b_core_number = 3; ///< behind T0 to T2

/// A circular buffer of a kernel of tt-metal, in L1.
struct circular_buffer {
    /// What the host does with it in the place of kernels that move data.
    enum class host_side : std::uint8_t { none, fills, drains };

    unsigned number = 0;
    std::uint32_t address = 0, pages = 0, page_bytes = 0; ///< address and size are multiples of 16
    host_side host = host_side::none;
    std::uint32_t filled = 0; ///< pages that the host hands over in all, as room comes
};

struct core_programs {
    std::array<std::optional<riscv::elf_image>, b_core_number + 1> of; ///< by core: T0 to T2, B

    /// With loader_kind::metal and without a program of B: what T0 to T2 run once each, linked to where they
    /// are to stand. Their firmware has the symbols of firmware/vendor/metal_layout.cpp.
    std::array<std::optional<riscv::elf_image>, b_core_number> kernels;
    std::vector<circular_buffer> buffers;
    std::vector<std::uint32_t> arguments; ///< of each kernel, at run time

    bool has_kernels() const;

    /// T cores that a tile needs to hold them; all three if B starts them.
    unsigned t_cores(loader_kind loader) const;
};

} // namespace sfpu::platform
