// Configuration and debug registers through their sockets.
#include "forked.h"
#include "memory_rig.h"

#include <sfpu/memory/system_registers.h>

namespace sfpu::test {
namespace {

/// Counts how often it is brought to a time.
struct counting_model : dst::lagging_model {
    std::vector<sc_core::sc_time> calls;
    cycles catch_up(const sc_core::sc_time& until) override {
        calls.push_back(until);
        return cycles{};
    }
};

struct register_rig : sc_core::sc_module {
    memory::system_registers registers{"registers"};
    bus_master config{"config"}, debug{"debug"};
    checked_bindings checked;
    probe::reporter reporter;
    counting_model sfpu;
    std::uint16_t state_id[3] = {0, 0, 0};
    std::vector<isa::backend_configuration> changes, changes_of_1; ///< as told of banks 0 and 1

    explicit register_rig(const sc_core::sc_module_name& name = "rig") : sc_module(name) {
        checked.bind(config.isock, registers.config_tsock);
        checked.bind(debug.isock, registers.debug_tsock);
        registers.attach(sfpu);
        registers.connect({[](const sc_core::sc_time& at) { return at == time_of(3) ? 0x71u : 0x70u; },
                           [this](unsigned thread, unsigned number) {
                               return number == 0 ? state_id[thread]
                                                  : static_cast<std::uint16_t>(thread * 100 + number);
                           },
                           [this](unsigned bank, const isa::backend_configuration& now, cycles) {
                               (bank == 0 ? changes : changes_of_1).push_back(now);
                           }});
        registers.reset(parameters{}, &reporter);
    }
    std::uint64_t reports() const { return reporter.count(report_id::registers_not_modelled); }
};

template <class Body>
void with_rig(Body body) {
    in_child([&] {
        register_rig rig;
        start();
        body(rig);
    });
}

TEST(config_space, the_dst_windows_format_is_at_offset_12_and_is_read_back) {
    with_rig([](register_rig& rig) {
        EXPECT_EQ(rig.config.store<std::uint32_t>(0xc, 3u << 16 | 1u << 14), tlm::TLM_OK_RESPONSE);
        EXPECT_EQ(rig.config.load<std::uint32_t>(0xc), 3u << 16 | 1u << 14);
        EXPECT_EQ(rig.registers.view_of(0).access.format, memory::dst_format::bf16);
        EXPECT_TRUE(rig.registers.view_of(0).access.no_swizzle);
        EXPECT_EQ(rig.registers.view_of(1).access.format, memory::dst_format::fp32);
        EXPECT_EQ(rig.reports(), 0u);
    });
}

TEST(config_space, a_thread_in_state_1_uses_the_second_bank) {
    with_rig([](register_rig& rig) {
        rig.config.store<std::uint32_t>(4 * (224 + 3), 5u << 21);
        EXPECT_EQ(rig.registers.view_of(1).access.format, memory::dst_format::fp32);
        rig.state_id[1] = 1;
        EXPECT_EQ(rig.registers.view_of(1).access.format, memory::dst_format::int8);
    });
}

TEST(config_space, the_window_is_told_how_rows_are_remapped) {
    with_rig([](register_rig& rig) {
        rig.config.store<std::uint32_t>(4 * 220, 3);
        EXPECT_TRUE(rig.registers.view_of(2).remap_addrs);
        EXPECT_TRUE(rig.registers.view_of(2).swizzle_32b);
    });
}

TEST(config_space, loads_have_1_2_or_4_bytes_and_stores_4) {
    with_rig([](register_rig& rig) {
        rig.config.store<std::uint32_t>(0x10 + 8, 0x44332211); // word 6
        EXPECT_EQ(rig.config.load<std::uint8_t>(0x1a), 0x33);
        EXPECT_EQ(rig.config.load<std::uint16_t>(0x1a), 0x4433);
        EXPECT_EQ(rig.config.store<std::uint16_t>(0x18, 1), tlm::TLM_BURST_ERROR_RESPONSE);
        EXPECT_EQ(rig.config.load_status<std::uint64_t>(0x18), tlm::TLM_BURST_ERROR_RESPONSE);
        EXPECT_EQ(rig.config.load_status<std::uint32_t>(0x1a), tlm::TLM_ADDRESS_ERROR_RESPONSE);
        EXPECT_EQ(rig.config.load_status<std::uint32_t>(0x10000), tlm::TLM_ADDRESS_ERROR_RESPONSE);
        EXPECT_EQ(rig.config.load<std::uint32_t>(0x18), 0x44332211u);
    });
}

TEST(config_space, the_vector_unit_is_brought_to_the_time_and_then_told) {
    with_rig([](register_rig& rig) {
        rig.config.at_cycle(12);
        rig.config.store<std::uint32_t>(4, 1u << 30);
        EXPECT_EQ(rig.sfpu.calls, std::vector<sc_core::sc_time>{time_of(12)});
        ASSERT_EQ(rig.changes.size(), 1u);
        EXPECT_TRUE(rig.changes[0].fp32_enabled);
        ASSERT_EQ(rig.changes_of_1.size(), 1u);
        EXPECT_FALSE(rig.changes_of_1[0].fp32_enabled) << "a store to bank 0";
        rig.config.store<std::uint32_t>(4 * 100, 1);
        EXPECT_EQ(rig.changes.size(), 1u) << "a word that it does not look at";
        rig.config.store<std::uint32_t>(4 * 4, 0);
        ASSERT_EQ(rig.changes.size(), 2u);
        EXPECT_FALSE(rig.changes[1].fp32_enabled) << "word 4 resets the bank";
    });
}

TEST(config_space, thread_registers_are_read_through_and_stores_to_them_reported) {
    with_rig([](register_rig& rig) {
        const unsigned base = 4 * 3 * 224;
        EXPECT_EQ(rig.config.load<std::uint32_t>(base + 4 * (68 + 7)), 107u);
        EXPECT_EQ(rig.reports(), 0u);
        EXPECT_EQ(rig.config.store<std::uint32_t>(base + 4 * (68 + 7), 1), tlm::TLM_OK_RESPONSE);
        EXPECT_EQ(rig.config.load<std::uint32_t>(base + 4 * (68 + 7)), 107u);
        EXPECT_EQ(rig.reports(), 1u);
    });
}

TEST(config_space, a_register_without_an_effect_is_reported_once_and_keeps_its_value) {
    with_rig([](register_rig& rig) {
        for (unsigned i = 0; i < 3; ++i) rig.config.store<std::uint32_t>(4 * 100, i);
        EXPECT_EQ(rig.reports(), 1u);
        EXPECT_EQ(rig.config.load<std::uint32_t>(4 * 100), 2u);
        rig.config.store<std::uint32_t>(4 * 101, 1);
        EXPECT_EQ(rig.reports(), 2u);
        rig.config.load<std::uint32_t>(0xfffc); // behind the thread registers
        EXPECT_EQ(rig.reports(), 3u);
    });
}

TEST(debug_space, the_wall_clock_counts_cycles_and_captures_its_upper_half) {
    with_rig([](register_rig& rig) {
        rig.debug.at_cycle(100);
        EXPECT_EQ(rig.debug.load<std::uint32_t>(0x1f0), 100u);
        rig.debug.at_cycle((std::int64_t{3} << 32) + 17);
        EXPECT_EQ(rig.debug.load<std::uint32_t>(0x1f8), 0u) << "captured in cycle 100";
        EXPECT_EQ(rig.debug.load<std::uint32_t>(0x1f4), 3u);
        EXPECT_EQ(rig.debug.load<std::uint32_t>(0x1f0), 17u);
        EXPECT_EQ(rig.debug.load<std::uint32_t>(0x1f8), 3u);
    });
}

TEST(debug_space, the_wall_clock_begins_with_the_latest_reset) {
    with_rig([](register_rig& rig) {
        run_to(30);
        rig.registers.reset(parameters{}, &rig.reporter);
        rig.debug.at_cycle(37);
        EXPECT_EQ(rig.debug.load<std::uint32_t>(0x1f0), 7u);
    });
}

TEST(debug_space, a_debugger_does_not_capture_the_wall_clock) {
    with_rig([](register_rig& rig) {
        run_to(50);
        std::uint32_t value = 0;
        EXPECT_EQ(rig.debug.debug(tlm::TLM_READ_COMMAND, 0x1f0, &value, 4), 4u);
        EXPECT_EQ(value, 50u);
        EXPECT_EQ(rig.debug.debug(tlm::TLM_READ_COMMAND, 0x300, &value, 4), 0u);
        EXPECT_EQ(rig.reports(), 0u);
    });
}

TEST(debug_space, an_ignore_command_captures_and_reports_nothing) {
    with_rig([](register_rig& rig) {
        std::uint32_t value = 0;
        rig.debug.at_cycle((std::int64_t{3} << 32) + 17);
        for (bus_master* by : {&rig.debug, &rig.config})
            for (const std::uint64_t address : {0x1f0u, 0x300u})
                EXPECT_EQ(by->access(tlm::TLM_IGNORE_COMMAND, address, &value, 4), tlm::TLM_OK_RESPONSE);
        EXPECT_EQ(rig.debug.load<std::uint32_t>(0x1f8), 0u);
        EXPECT_EQ(rig.reports(), 0u);
    });
}

TEST(debug_space, the_instruction_buffers_are_asked_at_the_time_of_the_load) {
    with_rig([](register_rig& rig) {
        EXPECT_EQ(rig.debug.load<std::uint32_t>(0x0a8), 0x70u);
        rig.debug.at_cycle(3);
        EXPECT_EQ(rig.debug.load<std::uint32_t>(0x0a8), 0x71u);
    });
}

TEST(debug_space, soft_reset_keeps_what_is_written_until_reset) {
    with_rig([](register_rig& rig) {
        rig.debug.store<std::uint32_t>(0x1b0, 0x47800);
        EXPECT_EQ(rig.debug.load<std::uint32_t>(0x1b0), 0x47800u);
        rig.registers.reset(parameters{}, &rig.reporter);
        EXPECT_EQ(rig.debug.load<std::uint32_t>(0x1b0), 0u);
    });
}

TEST(debug_space, unknown_registers_read_as_zero_and_are_reported_once) {
    with_rig([](register_rig& rig) {
        rig.debug.store<std::uint32_t>(0x300, 5);
        EXPECT_EQ(rig.debug.load<std::uint32_t>(0x300), 0u);
        EXPECT_EQ(rig.reports(), 1u);
        EXPECT_EQ(rig.debug.load_status<std::uint16_t>(0x1f0), tlm::TLM_BURST_ERROR_RESPONSE);
        EXPECT_EQ(rig.debug.load_status<std::uint32_t>(0x1000), tlm::TLM_ADDRESS_ERROR_RESPONSE);
    });
}

} // namespace
} // namespace sfpu::test
