// The cores of a tile. A T core: hart, front end, TensorLoad engine, local RAM, Dst window. The B core: hart
// and local RAM.
#pragma once

#include <sfpu/common/socket_binder.h>
#include <sfpu/dst/dst_memory.h>
#include <sfpu/frontend/front_end.h>
#include <sfpu/memory/bus.h>
#include <sfpu/memory/core_queues.h>
#include <sfpu/memory/dst_window.h>
#include <sfpu/memory/ram.h>
#include <sfpu/memory/system_registers.h>
#include <sfpu/memory/tile_map.h>
#include <sfpu/riscv/hart.h>
#include <sfpu/tensorload/tensorload_engine.h>

#include <memory>
#include <string>

namespace sfpu {

sc_core::sc_time period_of(const parameters& config);

/// Where the parts of core n are bound. Names of regions that each core has for itself end in "_n" from core
/// 1 on.
struct tile_core_places {
    unsigned number = 0; ///< of the core: its mhartid, its thread, its port of the bus and of the vector unit
    memory::bus& bus;
    vector_unit& sfpu;
    dst::dst_memory& dst;
    memory::system_registers& registers;
    memory::core_queues& queues;
    frontend::sync_unit& semaphores;
    frontend::front_end_group& front_ends;
    riscv::hart_turns& turns;           ///< of harts that see each other
    tlm::tlm_target_socket<32>& loads;  ///< of the TensorLoad engine
    tlm::tlm_target_socket<32>& stores; ///< of the TensorLoad engine
    socket_binder* binder;              ///< may be null

    std::string region(const char* name) const { return memory::of_core(name, number); }
    std::string module(const char* name) const { return name + std::to_string(number); }
};

class all_front_ends;

class tile_core {
public:
    tile_core(const parameters& config, const tile_core_places& places);

    /// The hart is held afterwards.
    void reset(const parameters& config, probe::reporter* reporter, probe::pipeline_observer* observer);
    /// Others than harts of the tile see what this core does: it acts in its own time.
    void share(riscv::hart_turns& turns);
    void clear_local_ram() { local_ram_.reset(cycles{}, period_); }
    memory::ram& gprs() { return gprs_; }

    frontend::front_end& front_end() { return front_end_; }
    const frontend::front_end& front_end() const { return front_end_; }
    riscv::hart& hart() { return hart_; }
    const riscv::hart& hart() const { return hart_; }
    const tensorload::tensorload_core& engine() const { return engine_.core(); }
    /// What the engine writes to Dst and what the front end issues take turns.
    void share_dst(all_front_ends& all);
    /// The front end must be at the time of every access.
    void attach_window(dst::lagging_model& feeder) {
        if (window_) window_->attach(feeder);
    }

private:
    unsigned number_;
    std::vector<riscv::hart::address_range> private_addresses_;
    bool is_shared_ = false;
    sc_core::sc_time period_;
    all_front_ends* others_at_dst_ = nullptr;
    frontend::front_end front_end_;
    tensorload::tensorload_engine engine_;
    riscv::hart hart_;
    memory::ram local_ram_;
    memory::ram gprs_;
    std::unique_ptr<memory::dst_window> window_; ///< Blackhole
};

class tile_b_core {
public:
    /// `port` of the bus; `number`: its mhartid.
    tile_b_core(const parameters& config, memory::bus& bus, unsigned port, unsigned number,
                socket_binder* binder);

    void reset(const parameters& config, probe::reporter* reporter, probe::pipeline_observer* observer);
    void share(riscv::hart_turns& turns);
    void clear_local_ram() { local_ram_.reset(cycles{}, period_); }
    riscv::hart& hart() { return hart_; }
    const riscv::hart& hart() const { return hart_; }

private:
    unsigned number_;
    std::vector<riscv::hart::address_range> private_addresses_;
    sc_core::sc_time period_;
    riscv::hart hart_;
    memory::ram local_ram_, gprs_;
};

} // namespace sfpu
