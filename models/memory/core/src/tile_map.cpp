#include <sfpu/memory/tile_map.h>

#include <fmt/format.h>

#include <algorithm>

namespace sfpu::memory {
namespace {

region make(std::uint64_t base, std::uint64_t size, std::string name, std::string meaning) {
    region result;
    result.base = base;
    result.size = size;
    result.name = std::move(name);
    result.meaning = std::move(meaning);
    return result;
}

/// What all see at one address.
std::vector<region> shared_regions(const parameters& config) {
    return {
        make(l1_base, l1_bytes(config), "l1", "L1 scratchpad RAM, 16 banks of 128 bits"),
        make(ram_base, config.memory.ram_bytes, "ram",
             "plain RAM of the model, for ordinary bare-metal programs"),
        make(tile_control_base, 0x1000, "tile_control",
             "registers of the model: exit code, interrupt output, software interrupts"),
        make(debug_registers_base, 0x1000, "debug_registers",
             "tile control, debug and status: wall clock, soft reset, start addresses"),
        make(config_base, 0x10000, "config", "Tensix backend configuration"),
    };
}

/// What a T core has for itself.
std::vector<region> core_regions(const parameters& config) {
    std::vector<region> regions{
        make(local_ram_base, local_ram_bytes(config), "local_ram", "the core's own data RAM"),
        make(mop_config_base, 0x24, "mop_config", "MOP expander configuration, 9 words, write-only"),
        make(gpr_base, 0x1000, "gprs", "Tensix GPRs of the thread, which words of the Scalar Unit use"),
        make(instruction_push_base, 0x10000, "instruction_push", "a store pushes a Tensix instruction"),
        make(pc_buffer_base, 0x10000, "pc_buffer",
             "PCBuf, synchronisation with the coprocessor, semaphores from 0x20 on"),
        make(mailboxes_base, 0x4000, "mailboxes", "mailboxes between pairs of cores, 4 KiB for each partner"),
    };
    if (describe(config.arch).has_dst_window)
        regions.push_back(make(dst_window_base, 0x8000, "dst_window",
                               "Dst, one element an access, converted as RISC_DEST_ACCESS_CTRL says"));
    return regions;
}

/// Another place at which a region is seen. Its target's addresses begin at `offset`.
region alias(std::uint64_t base, std::uint64_t size, const std::string& name, const std::string& meaning,
             const std::string& target, initiator_mask who, std::uint64_t offset = 0) {
    region result = make(base, size, name, meaning);
    result.target = target;
    result.target_offset = offset;
    result.visible_to = who;
    return result;
}

/// Where others than its core see the data RAM of core n. Wormhole has no such addresses: there only the
/// outside sees them.
void add_local_ram_aliases(std::vector<region>& all, const parameters& config, const tile_initiators& who) {
    const initiator_mask viewers = describe(config.arch).has_dst_window ? all_initiators : who.outside_mask();
    for (unsigned core = 0; core < who.cores; ++core)
        all.push_back(alias(t_local_ram_alias + core * local_ram_alias_step,
                            std::min(local_ram_bytes(config), local_ram_alias_step),
                            fmt::format("t{}_local_ram", core), fmt::format("data RAM of core T{}", core),
                            of_core("local_ram", core), viewers));
    if (who.has_b_core)
        all.push_back(alias(b_local_ram_alias, std::min(b_local_ram_bytes(config), local_ram_alias_step),
                            "b_local_ram", "data RAM of core B", "local_ram_b", viewers));
}

/// What the master outside sees of thread n: it stands for the B core, and for the T core of a thread.
void add_outside_view(std::vector<region>& all, const parameters& config, const tile_initiators& who) {
    const initiator_mask outside = who.outside_mask();
    for (unsigned n = 0; n < who.cores; ++n) {
        const std::string thread = fmt::format("thread {}", n);
        all.push_back(alias(instruction_push_base + n * thread_step, thread_step, fmt::format("push_{}", n),
                            "pushes Tensix instructions of " + thread, of_core("instruction_push", n),
                            outside));
        all.push_back(alias(pc_buffer_base + n * thread_step, 4, fmt::format("pc_buffer_{}_write", n),
                            fmt::format("PCBuf to core T{}, the end of B", n),
                            fmt::format("pc_buffer_b_{}", n), outside));
        all.push_back(alias(pc_buffer_base + n * thread_step + 4, thread_step - 4, fmt::format("sync_{}", n),
                            "synchronisation with " + thread + ", semaphores from 0x20 on",
                            of_core("pc_buffer", n), outside, 4));
        all.push_back(alias(mop_config_base + n * 0x1000, 0x24, fmt::format("mop_config_{}_write", n),
                            "MOP expander configuration of " + thread, of_core("mop_config", n), outside));
        if (describe(config.arch).has_dst_window)
            all.push_back(alias(dst_window_base + n * 0x8000, 0x8000, fmt::format("dst_window_t{}", n),
                                "Dst as core T" + std::to_string(n) + " sees it", of_core("dst_window", n),
                                outside));
    }
}

void add_b_view(std::vector<region>& all, const parameters& config, const tile_initiators& who) {
    const auto add = [&](region r, initiator_mask seen_by) {
        r.visible_to = seen_by;
        all.push_back(std::move(r));
    };
    // The mailboxes of B and its ends of the PCBufs are there without it: for the outside.
    add(make(mailboxes_base, 0x4000, "mailboxes_b",
             "mailboxes between core B and the others, 4 KiB for each"),
        who.b_mask() | who.outside_mask());
    for (unsigned n = 0; n < who.cores; ++n) {
        add(make(pc_buffer_base + n * thread_step, thread_step, fmt::format("pc_buffer_b_{}", n),
                 fmt::format("PCBuf to core T{}, the end of B", n)),
            who.b_mask());
        if (!who.has_b_core) continue;
        add(make(instruction_push_base + n * thread_step, thread_step, fmt::format("push_b_{}", n),
                 fmt::format("pushes Tensix instructions of thread {} behind its MOP expander", n)),
            who.b_mask());
    }
    if (!who.has_b_core) return;
    add(make(local_ram_base, b_local_ram_bytes(config), "local_ram_b", "the core's own data RAM"),
        who.b_mask());
    add(make(gpr_base, 0x1000, "gprs_b", "Tensix GPRs as core B sees them"), who.b_mask());
}

/// Of each of the 64 streams two registers, in which firmware keeps how far circular buffers are filled.
/// Their numbers are those of Blackhole; firmware for Wormhole takes others.
bool is_buffer_counter(architecture arch, std::uint64_t offset) {
    const std::uint64_t in_stream = offset & 0xffcu;
    if (arch == architecture::wormhole && (in_stream == 0x0c || in_stream == 0x10)) return true;
    return in_stream == 0x20 || in_stream == 0x28;
}

} // namespace

std::uint64_t l1_bytes(const parameters& config) {
    if (config.memory.l1_bytes) return config.memory.l1_bytes;
    return describe(config.arch).l1_bytes;
}

std::uint64_t local_ram_bytes(const parameters& config) {
    if (config.memory.local_ram_bytes) return config.memory.local_ram_bytes;
    return describe(config.arch).local_ram_bytes;
}

std::uint64_t b_local_ram_bytes(const parameters& config) { return 2 * local_ram_bytes(config); }

const std::vector<space_not_modelled>& spaces_not_modelled() {
    static const std::vector<space_not_modelled> spaces{
        {0xffb11000, 0x1000, "tdma", "TDMA-RISC configuration"},
        {0xffb13000, 0x1000, "pic", "interrupt controller"},
        {0xffb20000, 0x10000, "noc_0", "NoC 0 configuration"},
        {0xffb30000, 0x10000, "noc_1", "NoC 1 configuration"},
        {0xffb40000, 0x40000, "noc_overlay", "NoC overlay", is_buffer_counter},
    };
    return spaces;
}

std::vector<region> tile_regions(const parameters& config) {
    std::vector<region> regions = shared_regions(config);
    for (region& each : core_regions(config)) regions.push_back(std::move(each));
    return address_map(std::move(regions)).regions();
}

std::string of_core(const std::string& region, unsigned core) {
    return core ? fmt::format("{}_{}", region, core) : region;
}

std::vector<region> tile_bus_regions(const parameters& config, const tile_initiators& who) {
    std::vector<region> all = shared_regions(config);
    for (const space_not_modelled& space : spaces_not_modelled())
        all.push_back(make(space.base, space.size, space.name, std::string(space.what) + ", not modelled"));
    for (unsigned core = 0; core < who.cores; ++core)
        for (region each : core_regions(config)) {
            each.visible_to = who.view_of(core);
            // The outside sees the data RAM of core 0 where that core does.
            if (core == 0 && (each.name == "local_ram" || each.name == "gprs"))
                each.visible_to |= who.outside_mask();
            each.name = of_core(each.name, core);
            all.push_back(std::move(each));
        }
    add_local_ram_aliases(all, config, who);
    add_outside_view(all, config, who);
    add_b_view(all, config, who);
    return all;
}

std::vector<region> seen_by(const std::vector<region>& all, unsigned initiator) {
    std::vector<region> seen;
    for (const region& each : all)
        if (each.visible_to >> initiator & 1u) seen.push_back(each);
    return seen;
}

} // namespace sfpu::memory
