#include "tile_core.h"

#include "tile_parts.h"

#include <sfpu/tensorload/timing.h>

#include <fmt/format.h>

namespace sfpu {

sc_core::sc_time period_of(const parameters& config) {
    return sc_core::sc_time(static_cast<double>(config.period_ps()), sc_core::SC_PS);
}

namespace {

constexpr std::uint64_t gpr_bytes = 0x1000;

riscv::hart::address_range range(std::uint64_t base, std::uint64_t bytes) {
    return {static_cast<std::uint32_t>(base), static_cast<std::uint32_t>(base + bytes - 1)};
}

} // namespace

tile_core::tile_core(const parameters& config, const tile_core_places& places)
    : number_(places.number),
      // What no other core sees, and pushes, which their FIFO takes up.
      private_addresses_{range(memory::local_ram_base, memory::local_ram_bytes(config)),
                         range(memory::instruction_push_base, memory::thread_step)},
      front_end_(places.module("front_end").c_str(), places.sfpu, places.number, &places.semaphores,
                 &places.front_ends),
      engine_(places.module("tensorload").c_str()), hart_(places.module("hart").c_str(), &engine_),
      local_ram_(places.module("local_ram").c_str(), memory::local_ram_bytes(config)),
      gprs_(places.module("gprs").c_str(), gpr_bytes) {
    memory::bus& bus = places.bus;
    const auto connect = [&places](auto& from, auto& to) { bind_sockets(places.binder, from, to); };
    connect(hart_.bus_isock, bus.tsock(number_));
    connect(hart_.tensix_isock, front_end_.push_tsock);
    connect(front_end_.insn_isock(), places.sfpu.insn_tsock(number_));
    front_end_.set_pc_buffer([&queues = places.queues, number = number_](std::uint32_t& word) {
        return queues.pop_pc_buffer(number, word);
    });
    if (config.hart.count > 1) share(places.turns);
    connect(engine_.l1m_isock, places.loads);
    connect(engine_.l0m_isock, places.stores);

    connect(bus.isock(places.region("instruction_push")), front_end_.bus_push_tsock);
    connect(bus.isock(places.region("mop_config")), front_end_.mop_config_tsock);
    connect(bus.isock(places.region("pc_buffer")), front_end_.sync_tsock);
    connect(bus.isock(places.region("local_ram")), local_ram_.tsock);
    connect(bus.isock(places.region("gprs")), gprs_.tsock);
    connect(bus.isock(places.region("mailboxes")), places.queues.mailboxes_tsock(1 + number_));
    if (describe(config.arch).has_dst_window) {
        window_ = std::make_unique<memory::dst_window>(places.module("dst_window").c_str(), places.dst,
                                                       places.registers, number_);
        connect(bus.isock(places.region("dst_window")), window_->riscv_tsock);
    }
}

void tile_core::share_dst(all_front_ends& all) {
    others_at_dst_ = &all;
    all.add(engine_);
    front_end_.set_timed_writes(all);
}

void tile_core::share(riscv::hart_turns& turns) {
    if (is_shared_) return;
    is_shared_ = true;
    hart_.share(turns, private_addresses_);
    engine_.set_synchronise([this](cycles at) { return hart_.synchronise(at); });
}

void tile_core::reset(const parameters& config, probe::reporter* reporter,
                      probe::pipeline_observer* observer) {
    period_ = period_of(config);
    hart_.reset(config, {number_, 0, false}, observer, reporter);
    hart_.hold();
    front_end_.reset(config, observer);
    engine_.reset(config, observer, reporter);
    if (others_at_dst_ && tensorload::store_binding(config) == l0m_binding::dst) {
        // Raw storage takes a beat in its cycle and adds nothing.
        const bool by_window = tensorload::stores_elements(config);
        const cycles way{by_window ? config.memory.bus_latency : 0};
        engine_.keep_writes(way, by_window ? way + cycles{config.memory.dst_window_latency} : cycles{},
                            [this](const sc_core::sc_time& time) { others_at_dst_->catch_up(time); });
    }
    local_ram_.reset(cycles{}, period_);
    gprs_.reset(cycles{}, period_);
    if (window_) window_->reset(config, reporter);
}

tile_b_core::tile_b_core(const parameters& config, memory::bus& bus, unsigned port, unsigned number,
                         socket_binder* binder)
    : number_(number), private_addresses_{range(memory::local_ram_base, memory::b_local_ram_bytes(config))},
      hart_("hart_b"), local_ram_("local_ram_b", memory::b_local_ram_bytes(config)),
      gprs_("gprs_b", gpr_bytes) {
    bind_sockets(binder, hart_.bus_isock, bus.tsock(port));
    bind_sockets(binder, bus.isock("local_ram_b"), local_ram_.tsock);
    bind_sockets(binder, bus.isock("gprs_b"), gprs_.tsock);
}

void tile_b_core::share(riscv::hart_turns& turns) { hart_.share(turns, private_addresses_); }

void tile_b_core::reset(const parameters& config, probe::reporter* reporter,
                        probe::pipeline_observer* observer) {
    period_ = period_of(config);
    hart_.reset(config, {number_, 0, true}, observer, reporter);
    hart_.hold();
    local_ram_.reset(cycles{}, period_);
    gprs_.reset(cycles{}, period_);
}

} // namespace sfpu
