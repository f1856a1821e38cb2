// How a run of the tile ended, in words.
#pragma once

#include <sfpu/platform/tile_run.h>
#include <sfpu/riscv/elf_image.h>

#include <cstdint>
#include <string>

namespace sfpu::platform {

/// Cycles after which a run is given up, unless the user says otherwise.
constexpr std::int64_t default_cycle_limit = 1'000'000'000;

/// Whether the program came to its end and said that all is well.
bool succeeded(const tile_result& result);

/// What went wrong if something did, with what the program's file says about the reason.
std::string ending(const tile_result& result, const riscv::elf_image& program);

} // namespace sfpu::platform
