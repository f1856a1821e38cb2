// A front end with its vector unit and Dst, driven by the test.
#pragma once

#include "rig.h"

#include <sfpu/frontend/front_end.h>

#include <memory>

namespace sfpu::test {

/// Offsets in the synchronisation space.
constexpr std::uint64_t coprocessor_done = 4, mop_done = 8, semaphore_0 = 0x20;

struct front_end_rig : sc_core::sc_module {
    dst::dst_memory dst{"dst"};
    vector_unit sfpu{"sfpu"};
    frontend::front_end front{"front", sfpu};
    word_pusher hart{"hart"};
    word_pusher b_hart{"b_hart"};
    memory_driver bus{"bus"}; ///< pushes
    memory_driver mop_config{"mop_config"};
    memory_driver sync{"sync"};
    memory_driver memory{"memory"};
    checked_bindings checked;

    explicit front_end_rig(const sc_core::sc_module_name& name = "rig") : sc_module(name) {
        checked.bind(hart.isock, front.push_tsock);
        checked.bind(b_hart.isock, front.b_push_tsock);
        checked.bind(bus.isock, front.bus_push_tsock);
        checked.bind(mop_config.isock, front.mop_config_tsock);
        checked.bind(sync.isock, front.sync_tsock);
        checked.bind(front.insn_isock(), sfpu.insn_tsock());
        sfpu.dst_load_isock().bind(dst.load_tsock);
        sfpu.dst_store_isock().bind(dst.store_tsock);
        checked.bind(memory.isock, dst.mem_tsock);
        dst.attach(front);
    }

    void reset(const parameters& config = {}, const vector_unit::listeners& to = {}) {
        sfpu.reset(config, to);
        dst.reset(config, &sfpu.state().reporter);
        front.reset(config, to.observer);
    }
    /// Gives all drivers the local time of the hart.
    void share_time() { bus.delay = mop_config.delay = sync.delay = memory.delay = hart.delay; }
    void configure_mop(const std::vector<std::uint32_t>& words) {
        for (std::size_t i = 0; i < words.size(); ++i) {
            std::uint32_t word = words[i];
            EXPECT_EQ(mop_config.write(4 * i, &word, 4), tlm::TLM_OK_RESPONSE);
        }
    }
    std::uint32_t read_sync(std::uint64_t address) {
        std::uint32_t word = 0xdead;
        EXPECT_EQ(sync.read(address, &word, 4), tlm::TLM_OK_RESPONSE);
        return word;
    }
};

} // namespace sfpu::test
