// Plain RAM and L1 through their sockets.
#include "forked.h"
#include "memory_rig.h"

#include <sfpu/memory/l1_memory.h>
#include <sfpu/memory/ram.h>

#include <array>
#include <limits>
#include <numeric>

namespace sfpu::test {
namespace {

using bytes = std::vector<unsigned char>;

struct ram_rig : sc_core::sc_module {
    memory::ram ram;
    bus_master master{"master"};
    checked_bindings checked;

    explicit ram_rig(std::uint64_t size = 0x1000, const sc_core::sc_module_name& name = "rig")
        : sc_module(name), ram("ram", size) {
        checked.bind(master.isock, ram.tsock);
    }
};

TEST(ram, returns_what_was_written_in_any_size) {
    in_child([] {
        ram_rig rig;
        start();
        EXPECT_EQ(rig.master.store<std::uint32_t>(0x100, 0x44332211), tlm::TLM_OK_RESPONSE);
        EXPECT_EQ(rig.master.load<std::uint8_t>(0x102), 0x33);
        EXPECT_EQ(rig.master.load<std::uint16_t>(0x101), 0x3322) << "misaligned";
        bytes all(0x1000);
        std::iota(all.begin(), all.end(), 0);
        EXPECT_EQ(rig.master.access(tlm::TLM_WRITE_COMMAND, 0, all.data(), 0x1000), tlm::TLM_OK_RESPONSE);
        EXPECT_EQ(rig.master.load<std::uint32_t>(0xffc), 0xfffefdfcu);
        EXPECT_EQ(rig.master.delay, sc_core::SC_ZERO_TIME);
    });
}

TEST(ram, refuses_what_does_not_lie_inside_however_large_the_numbers) {
    in_child([] {
        ram_rig rig;
        start();
        const std::uint64_t top = std::numeric_limits<std::uint64_t>::max();
        for (const std::uint64_t address : {std::uint64_t{0xffd}, std::uint64_t{0x1000}, top - 2, top})
            EXPECT_EQ(rig.master.store<std::uint32_t>(address, 1), tlm::TLM_ADDRESS_ERROR_RESPONSE)
                << address;
        unsigned char byte = 0;
        fill(rig.master.trans, tlm::TLM_READ_COMMAND, 0xfff, &byte, std::numeric_limits<unsigned>::max());
        rig.master.isock->b_transport(rig.master.trans, rig.master.delay);
        EXPECT_EQ(rig.master.trans.get_response_status(), tlm::TLM_ADDRESS_ERROR_RESPONSE);
        EXPECT_EQ(rig.master.access(tlm::TLM_READ_COMMAND, 0, &byte, 0), tlm::TLM_BURST_ERROR_RESPONSE);
    });
}

TEST(ram, byte_enables_choose_the_bytes_and_repeat) {
    in_child([] {
        ram_rig rig;
        start();
        bytes data{1, 2, 3, 4, 5, 6, 7, 8};
        std::array<unsigned char, 3> enables{TLM_BYTE_ENABLED, TLM_BYTE_DISABLED, TLM_BYTE_ENABLED};
        fill(rig.master.trans, tlm::TLM_WRITE_COMMAND, 0x10, data.data(), 8);
        rig.master.trans.set_byte_enable_ptr(enables.data());
        rig.master.trans.set_byte_enable_length(3);
        rig.master.isock->b_transport(rig.master.trans, rig.master.delay);
        ASSERT_EQ(rig.master.trans.get_response_status(), tlm::TLM_OK_RESPONSE);
        bytes found(rig.ram.bytes().data() + 0x10, rig.ram.bytes().data() + 0x18);
        EXPECT_EQ(found, (bytes{1, 0, 3, 4, 0, 6, 7, 0}));

        bytes read(8, 0xee);
        fill(rig.master.trans, tlm::TLM_READ_COMMAND, 0x10, read.data(), 8);
        rig.master.trans.set_byte_enable_ptr(enables.data());
        rig.master.trans.set_byte_enable_length(3);
        rig.master.isock->b_transport(rig.master.trans, rig.master.delay);
        EXPECT_EQ(read, (bytes{1, 0xee, 3, 4, 0xee, 6, 7, 0xee}));

        fill(rig.master.trans, tlm::TLM_READ_COMMAND, 0x10, read.data(), 8);
        rig.master.trans.set_byte_enable_ptr(enables.data());
        rig.master.trans.set_byte_enable_length(0);
        rig.master.isock->b_transport(rig.master.trans, rig.master.delay);
        EXPECT_EQ(rig.master.trans.get_response_status(), tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE);
    });
}

TEST(ram, a_streaming_burst_stays_within_its_width) {
    in_child([] {
        ram_rig rig;
        start();
        bytes data{1, 2, 3, 4, 5, 6, 7, 8};
        fill(rig.master.trans, tlm::TLM_WRITE_COMMAND, 0xffc, data.data(), 8);
        rig.master.trans.set_streaming_width(4);
        rig.master.isock->b_transport(rig.master.trans, rig.master.delay);
        EXPECT_EQ(rig.master.trans.get_response_status(), tlm::TLM_OK_RESPONSE);
        EXPECT_EQ(rig.master.load<std::uint32_t>(0xffc), 0x08070605u) << "the last beat wins";
        fill(rig.master.trans, tlm::TLM_WRITE_COMMAND, 0xffc, data.data(), 4);
        rig.master.trans.set_streaming_width(0);
        rig.master.isock->b_transport(rig.master.trans, rig.master.delay);
        EXPECT_EQ(rig.master.trans.get_response_status(), tlm::TLM_BURST_ERROR_RESPONSE);
    });
}

TEST(ram, debug_access_takes_no_time_and_moves_the_part_that_exists) {
    in_child([] {
        ram_rig rig;
        start();
        std::uint64_t value = 0x8877665544332211u;
        EXPECT_EQ(rig.master.debug(tlm::TLM_WRITE_COMMAND, 0xffe, &value, 8), 2u);
        value = 0;
        EXPECT_EQ(rig.master.debug(tlm::TLM_READ_COMMAND, 0xffc, &value, 8), 4u);
        EXPECT_EQ(value, 0x22110000u);
        EXPECT_EQ(rig.master.debug(tlm::TLM_READ_COMMAND, 0x1000, &value, 8), 0u);
    });
}

TEST(ram, direct_access_shows_the_same_bytes_and_ends_with_a_reset) {
    in_child([] {
        ram_rig rig;
        start();
        rig.ram.reset(cycles{3}, period());
        tlm::tlm_dmi dmi;
        ASSERT_TRUE(rig.master.direct(0x20, dmi));
        EXPECT_EQ(dmi.get_start_address(), 0u);
        EXPECT_EQ(dmi.get_end_address(), 0xfffu);
        EXPECT_EQ(dmi.get_read_latency(), period() * 3.0);
        dmi.get_dmi_ptr()[0x20] = 0x77;
        EXPECT_EQ(rig.master.load<std::uint8_t>(0x20), 0x77);
        EXPECT_EQ(rig.master.delay, period() * 3.0);
        EXPECT_FALSE(rig.master.direct(0x1000, dmi));
        EXPECT_LE(dmi.get_start_address(), 0x1000u);

        rig.ram.reset();
        ASSERT_EQ(rig.master.invalidated.size(), 1u);
        EXPECT_EQ(rig.master.invalidated[0], (std::pair<std::uint64_t, std::uint64_t>{0, 0xfff}));
        EXPECT_EQ(rig.master.load<std::uint8_t>(0x20), 0);
    });
}

TEST(ram, gigabytes_that_nobody_touches_cost_nothing) {
    in_child([] {
        ram_rig rig(std::uint64_t{4} << 30);
        start();
        EXPECT_EQ(rig.master.store<std::uint32_t>((std::uint64_t{4} << 30) - 4, 5), tlm::TLM_OK_RESPONSE);
        EXPECT_EQ(rig.master.load<std::uint32_t>((std::uint64_t{4} << 30) - 4), 5u);
    });
}

// --- L1 ----------------------------------------------------------------------------------------------------

struct l1_rig : sc_core::sc_module {
    memory::l1_memory l1{"l1", 0x180000, 2};
    bus_master hart{"hart"}, engine{"engine"};
    checked_bindings checked;

    explicit l1_rig(const sc_core::sc_module_name& name = "rig") : sc_module(name) {
        checked.bind(hart.isock, l1.tsock(0));
        checked.bind(engine.isock, l1.tsock(1));
    }
    /// Cycles that a write of this many bytes adds.
    std::int64_t write(bus_master& by, std::int64_t cycle, std::uint64_t address, unsigned length) {
        bytes data(length);
        by.at_cycle(cycle);
        EXPECT_EQ(by.access(tlm::TLM_WRITE_COMMAND, address, data.data(), length), tlm::TLM_OK_RESPONSE);
        return by.cycles_since(cycle);
    }
    std::int64_t read(bus_master& by, std::int64_t cycle, std::uint64_t address, unsigned length) {
        bytes data(length);
        by.at_cycle(cycle);
        EXPECT_EQ(by.access(tlm::TLM_READ_COMMAND, address, data.data(), length), tlm::TLM_OK_RESPONSE);
        return by.cycles_since(cycle);
    }
};

TEST(l1, a_narrow_write_takes_four_cycles_more_than_a_whole_line) {
    in_child([] {
        l1_rig rig;
        start();
        EXPECT_EQ(rig.write(rig.hart, 0, 0x00, 16), 0);
        EXPECT_EQ(rig.write(rig.hart, 10, 0x10, 4), 4);
        EXPECT_EQ(rig.write(rig.hart, 20, 0x20, 15), 4);
        EXPECT_EQ(rig.write(rig.hart, 40, 0x38, 16), 8) << "half of two lines";
        EXPECT_EQ(rig.write(rig.hart, 60, 0x58, 32), 8) << "two halves with a whole line between them";
        EXPECT_EQ(rig.read(rig.hart, 80, 0x04, 4), 0) << "a narrow read is no slower";
        EXPECT_EQ(rig.l1.stats().narrow_writes, 6u);
        parameters config;
        config.memory.l1_narrow_write = 9;
        rig.l1.reset(config);
        EXPECT_EQ(rig.write(rig.hart, 10, 0x10, 4), 8);
    });
}

TEST(l1, a_line_whose_bytes_are_not_all_enabled_is_narrow) {
    in_child([] {
        l1_rig rig;
        start();
        bytes data(32, 1), enables(32, TLM_BYTE_ENABLED);
        enables[20] = TLM_BYTE_DISABLED;
        fill(rig.hart.trans, tlm::TLM_WRITE_COMMAND, 0x100, data.data(), 32);
        rig.hart.trans.set_byte_enable_ptr(enables.data());
        rig.hart.trans.set_byte_enable_length(32);
        rig.hart.isock->b_transport(rig.hart.trans, rig.hart.delay);
        EXPECT_EQ(rig.l1.stats().narrow_writes, 1u);
        EXPECT_EQ(rig.hart.cycles_since(0), 4);
    });
}

TEST(l1, initiators_wait_for_each_other_at_the_same_bank_only) {
    in_child([] {
        l1_rig rig;
        start();
        EXPECT_EQ(rig.write(rig.hart, 100, 0x0, 4), 4);      // bank 0, cycles 100 to 104
        EXPECT_EQ(rig.read(rig.engine, 101, 0x10, 16), 0);   // bank 1
        EXPECT_EQ(rig.read(rig.engine, 102, 0x1000, 16), 3); // bank 0 is free from 105 on
        EXPECT_EQ(rig.read(rig.engine, 1000, 0x1000, 16), 0);
        EXPECT_EQ(rig.l1.stats().bank_conflicts, 1u);
        EXPECT_EQ(rig.l1.stats().conflict_cycles, 3u);
    });
}

TEST(l1, a_burst_does_one_line_a_cycle_and_does_not_wait_for_itself) {
    in_child([] {
        l1_rig rig;
        start();
        EXPECT_EQ(rig.read(rig.engine, 0, 0x0, 1024), 0) << "64 lines, each bank four times";
        EXPECT_EQ(rig.l1.stats().bank_conflicts, 0u);
        EXPECT_EQ(rig.read(rig.hart, 63, 63 * 16, 4), 1) << "the last line in cycle 63";
    });
}

TEST(l1, without_conflicts_nobody_waits) {
    in_child([] {
        l1_rig rig;
        start();
        parameters config;
        config.memory.l1_bank_conflicts = false;
        rig.l1.reset(config);
        EXPECT_EQ(rig.write(rig.hart, 0, 0, 4), 4);
        EXPECT_EQ(rig.read(rig.engine, 0, 0, 4), 0);
    });
}

TEST(l1, an_initiator_far_behind_does_not_wait_for_one_far_ahead) {
    in_child([] {
        l1_rig rig;
        start();
        rig.write(rig.engine, 100000, 0, 4);
        EXPECT_EQ(rig.read(rig.hart, 5, 0, 4), 0);
    });
}

TEST(l1, counts_transactions_and_bytes) {
    in_child([] {
        l1_rig rig;
        start();
        rig.write(rig.hart, 0, 0, 4);
        rig.write(rig.hart, 10, 0, 32);
        rig.read(rig.engine, 20, 0, 128);
        EXPECT_EQ(rig.l1.stats().writes, 2u);
        EXPECT_EQ(rig.l1.stats().bytes_written, 36u);
        EXPECT_EQ(rig.l1.stats().reads, 1u);
        EXPECT_EQ(rig.l1.stats().bytes_read, 128u);
        rig.l1.reset(parameters{});
        EXPECT_EQ(rig.l1.stats().writes + rig.l1.stats().reads, 0u);
    });
}

TEST(l1, direct_access_carries_the_cost_of_narrow_writes_and_can_be_refused) {
    in_child([] {
        l1_rig rig;
        start();
        tlm::tlm_dmi dmi;
        ASSERT_TRUE(rig.hart.direct(0, dmi));
        EXPECT_EQ(dmi.get_end_address(), 0x17ffffu);
        EXPECT_EQ(dmi.get_read_latency(), sc_core::SC_ZERO_TIME);
        EXPECT_EQ(dmi.get_write_latency(), period() * 4.0);
        parameters config;
        config.memory.l1_dmi = false;
        rig.l1.reset(config);
        EXPECT_EQ(rig.hart.invalidated.size(), 1u);
        EXPECT_TRUE(rig.engine.invalidated.empty()) << "it never asked";
        EXPECT_FALSE(rig.hart.direct(0, dmi));
        EXPECT_TRUE(dmi.is_none_allowed());
        rig.hart.load<std::uint32_t>(0);
        EXPECT_FALSE(rig.hart.trans.is_dmi_allowed());
    });
}

/// Keeps the events as text.
struct activity_log : probe::pipeline_observer {
    std::vector<std::string> lines;
    void acted(const probe::activity_event& e) override {
        lines.push_back(fmt::format("{}..{} {} {} {} {}: {}", e.begin.count(), e.end.count(),
                                    probe::to_string(e.unit), e.instance, e.lane, e.kind, e.text));
    }
};

TEST(l1, tells_an_observer_of_accesses_and_conflicts) {
    in_child([] {
        l1_rig rig;
        start();
        activity_log log;
        rig.l1.reset(parameters{}, &log);
        rig.write(rig.hart, 100, 0x0, 4);
        rig.read(rig.engine, 102, 0x100, 16);
        EXPECT_EQ(log.lines, (std::vector<std::string>{
                                 "100..104 memory 0 l1 busy: write 4 bytes at 0x0",
                                 "102..104 memory 1 l1_conflict bank-conflict: read 16 bytes at 0x100",
                                 "102..105 memory 1 l1 busy: read 16 bytes at 0x100",
                             }));
    });
}

} // namespace
} // namespace sfpu::test
