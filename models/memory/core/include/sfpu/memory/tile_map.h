// The address map of a tile as its cores see it. Plain C++.
//
// Source: tile.md K1 to K8; tt-isa-documentation, BabyRISCV, memory map.
#pragma once

#include <sfpu/common/parameters.h>
#include <sfpu/memory/address_map.h>

namespace sfpu::memory {

constexpr std::uint64_t l1_base = 0x00000000u;
constexpr std::uint64_t ram_base = 0x80000000u;
constexpr std::uint64_t local_ram_base = 0xffb00000u;
constexpr std::uint64_t debug_registers_base = 0xffb12000u;
constexpr std::uint64_t mop_config_base = 0xffb80000u;
constexpr std::uint64_t dst_window_base = 0xffbd8000u;
constexpr std::uint64_t instruction_push_base = 0xffe40000u;
constexpr std::uint64_t pc_buffer_base = 0xffe80000u;
constexpr std::uint64_t config_base = 0xffef0000u;

/// Sizes that follow the architecture unless a parameter sets them.
std::uint64_t l1_bytes(const parameters& config);
std::uint64_t local_ram_bytes(const parameters& config); ///< of a T core

/// Regions for a T core: l1, ram, local_ram, debug_registers, mop_config, dst_window (Blackhole), instruction_push,
/// pc_buffer (synchronisation and semaphores), config. A platform with several harts gives each its own
/// local_ram, mop_config, dst_window, instruction_push and pc_buffer: it copies these rows under other names and sets
/// `visible_to`.
std::vector<region> tile_regions(const parameters& config);

} // namespace sfpu::memory
