#include "tile_core.h"

#include <sfpu/memory/tile_map.h>

namespace sfpu::platform {

sc_core::sc_time period_of(const parameters& config) {
    return sc_core::sc_time(static_cast<double>(config.period_ps()), sc_core::SC_PS);
}

namespace {

/// What no other core sees, and pushes, which their FIFO takes up.
std::vector<riscv::hart::address_range> private_addresses(const parameters& config) {
    const auto range = [](std::uint64_t base, std::uint64_t bytes) {
        return riscv::hart::address_range{static_cast<std::uint32_t>(base),
                                          static_cast<std::uint32_t>(base + bytes - 1)};
    };
    return {range(memory::local_ram_base, memory::local_ram_bytes(config)),
            range(memory::instruction_push_base, 0x10000)};
}

} // namespace

tile_core::tile_core(const parameters& config, const tile_core_places& places)
    : number_(places.number), front_end_(places.module("front_end").c_str(), places.sfpu, places.number,
                                         &places.semaphores, &places.front_ends),
      engine_(places.module("tensorload").c_str()), hart_(places.module("hart").c_str(), &engine_),
      local_ram_(places.module("local_ram").c_str(), memory::local_ram_bytes(config)) {
    memory::bus& bus = places.bus;
    hart_.bus_isock.bind(bus.tsock(number_));
    hart_.tensix_isock.bind(front_end_.push_tsock);
    front_end_.insn_isock().bind(places.sfpu.insn_tsock(number_));
    if (config.hart.count > 1) {
        hart_.share(places.turns, private_addresses(config));
        engine_.set_synchronise([this](cycles at) { hart_.synchronise(at); });
    }
    engine_.l1m_isock.bind(places.loads);
    engine_.l0m_isock.bind(places.stores);

    bus.isock(places.region("instruction_push")).bind(front_end_.bus_push_tsock);
    bus.isock(places.region("mop_config")).bind(front_end_.mop_config_tsock);
    bus.isock(places.region("pc_buffer")).bind(front_end_.sync_tsock);
    bus.isock(places.region("local_ram")).bind(local_ram_.tsock);
    if (describe(config.arch).has_dst_window) {
        window_ = std::make_unique<memory::dst_window>(places.module("dst_window").c_str(), places.dst,
                                                       places.registers, number_);
        bus.isock(places.region("dst_window")).bind(window_->riscv_tsock);
    }
}

void tile_core::reset(const parameters& config, probe::reporter* reporter,
                      probe::pipeline_observer* observer) {
    const sc_core::sc_time period = period_of(config);
    front_end_.reset(config, observer);
    engine_.reset(config, observer, reporter);
    local_ram_.reset(cycles{}, period);
    if (window_) window_->reset(config, reporter);
    hart_.reset(config, {number_, 0, false}, observer, reporter);
}

} // namespace sfpu::platform
