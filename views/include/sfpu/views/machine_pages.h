// What the program knows about itself and the machine: the pages of `info` that depend on a configuration.
#pragma once

#include <sfpu/views/page.h>

#include <sfpu/common/parameters.h>

#include <string>

namespace sfpu::views {

/// What a program was built from.
struct build_versions {
    std::string product, systemc, compiler;
};

/// Versions and chips.
page overview_page(const build_versions& built);
/// Every parameter with its range, values, evidence and source.
page parameters_page(const parameters& config);
/// Latencies and other parameters of timing, and the latency of each instruction of the chip.
page latencies_page(const parameters& config);
/// The memory map of a tile.
page memory_map_page(const parameters& config);

} // namespace sfpu::views
