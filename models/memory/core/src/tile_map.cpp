#include <sfpu/memory/tile_map.h>

namespace sfpu::memory {

std::uint64_t l1_bytes(const parameters& config) {
    if (config.memory.l1_bytes) return config.memory.l1_bytes;
    return describe(config.arch).l1_bytes;
}

std::uint64_t local_ram_bytes(const parameters& config) {
    if (config.memory.local_ram_bytes) return config.memory.local_ram_bytes;
    return describe(config.arch).local_ram_bytes;
}

std::vector<region> tile_regions(const parameters& config) {
    std::vector<region> regions{
        {l1_base, l1_bytes(config), "l1", "L1 scratchpad RAM, 16 banks of 128 bits"},
        {ram_base, config.memory.ram_bytes, "ram",
         "plain RAM of the model, for ordinary bare-metal programs"},
        {local_ram_base, local_ram_bytes(config), "local_ram", "the core's own data RAM"},
        {debug_registers_base, 0x1000, "debug_registers",
         "tile control, debug and status: wall clock, instruction buffer status"},
        {mop_config_base, 0x24, "mop_config", "MOP expander configuration, 9 words, write-only"},
        {instruction_push_base, 0x10000, "instruction_push", "a store pushes a Tensix instruction"},
        {pc_buffer_base, 0x10000, "pc_buffer",
         "synchronisation with the coprocessor, semaphores from 0x20 on"},
        {config_base, 0x10000, "config", "Tensix backend configuration"},
    };
    if (describe(config.arch).has_dst_window)
        regions.push_back({dst_window_base, 0x8000, "dst_window",
                           "Dst, one element an access, converted as RISC_DEST_ACCESS_CTRL says"});
    return address_map(std::move(regions)).regions();
}

} // namespace sfpu::memory
