// The address map of a tile as its cores see it, and as a master outside sees it. Plain C++.
//
// Source: tile.md K1 to K8; tt-isa-documentation, BabyRISCV, memory map, Mailboxes, PCBufs, local data RAM.
#pragma once

#include <sfpu/common/parameters.h>
#include <sfpu/memory/address_map.h>

#include <string>

namespace sfpu::memory {

constexpr std::uint64_t l1_base = 0x00000000u;
constexpr std::uint64_t ram_base = 0x80000000u;
constexpr std::uint64_t local_ram_base = 0xffb00000u;
constexpr std::uint64_t tile_control_base = 0xffb10000u;
constexpr std::uint64_t debug_registers_base = 0xffb12000u;
constexpr std::uint64_t b_local_ram_alias = 0xffb14000u, t_local_ram_alias = 0xffb18000u;
constexpr std::uint64_t local_ram_alias_step =
    0x2000u; ///< from one T core to the next; an alias shows no more than this
constexpr std::uint64_t mop_config_base = 0xffb80000u;
constexpr std::uint64_t dst_window_base = 0xffbd8000u;
constexpr std::uint64_t gpr_base = 0xffe00000u;
constexpr std::uint64_t instruction_push_base = 0xffe40000u;
constexpr std::uint64_t pc_buffer_base = 0xffe80000u;
constexpr std::uint64_t thread_step =
    0x10000u; ///< of the last two, where one core sees those of several threads
constexpr std::uint64_t mailboxes_base = 0xffec0000u;
constexpr std::uint64_t config_base = 0xffef0000u;
/// What lies from here on is the tile's own: no access to it leaves the tile.
constexpr std::uint64_t tile_own_base = local_ram_base, tile_own_last = 0xffffffffu;

/// Sizes that follow the architecture unless a parameter sets them.
std::uint64_t l1_bytes(const parameters& config);
std::uint64_t local_ram_bytes(const parameters& config);   ///< of a T core
std::uint64_t b_local_ram_bytes(const parameters& config); ///< twice that, as on the chips

/// Spaces of the chip in which this model has no registers.
struct space_not_modelled {
    std::uint64_t base, size;
    const char* name; ///< of the region
    const char* what; ///< for reports and the table
    /// Words that are plain storage, if there are any.
    bool (*keeps)(architecture arch, std::uint64_t offset) = nullptr;
};
const std::vector<space_not_modelled>& spaces_not_modelled();

/// Regions for a T core, without those of spaces_not_modelled(): l1, ram, local_ram, tile_control,
/// debug_registers, mop_config, dst_window (Blackhole), gprs, instruction_push, pc_buffer (synchronisation
/// and semaphores), mailboxes, config.
std::vector<region> tile_regions(const parameters& config);

/// Who is on the bus of a tile: the T cores, then the master outside, then the TensorLoad engines if their
/// stores go by the bus, then the B core.
struct tile_initiators {
    unsigned cores = 1; ///< T cores
    bool stores_by_bus = false;
    bool has_b_core = false;

    unsigned outside() const { return cores; }
    unsigned engine(unsigned core) const { return cores + 1 + core; }
    unsigned b_core() const { return cores + 1 + (stores_by_bus ? cores : 0); }
    unsigned count() const { return b_core() + (has_b_core ? 1 : 0); }
    /// A T core and its engine.
    initiator_mask view_of(unsigned core) const {
        return 1u << core | (stores_by_bus ? 1u << engine(core) : 0u);
    }
    initiator_mask outside_mask() const { return 1u << outside(); }
    initiator_mask b_mask() const { return has_b_core ? 1u << b_core() : 0u; }
};

/// Names of what each T core has for itself end in "_n" from core 1 on.
std::string of_core(const std::string& region, unsigned core);

/// All regions of a tile's bus, for all initiators.
std::vector<region> tile_bus_regions(const parameters& config, const tile_initiators& who);

/// The regions that one initiator sees.
std::vector<region> seen_by(const std::vector<region>& all, unsigned initiator);

} // namespace sfpu::memory
