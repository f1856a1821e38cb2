// The bus: routing, errors, translation of addresses and of direct access.
#include "forked.h"
#include "memory_rig.h"

#include <sfpu/memory/bus.h>
#include <sfpu/memory/ram.h>

namespace sfpu::test {
namespace {

using memory::region;

/// Two initiators; RAM that both see, and one more for each at the same address.
struct bus_rig : sc_core::sc_module {
    memory::bus bus;
    memory::ram shared{"shared", 0x1000};
    memory::ram own_0{"own_0", 0x100}, own_1{"own_1", 0x200};
    bus_master first{"first"}, second{"second"};
    checked_bindings checked;

    static std::vector<region> regions() {
        return {{0x80000000, 0x800, "shared", ""}, // less than the RAM has
                {0x1000, 0x100, "own_0", "", 1u},
                {0x1000, 0x200, "own_1", "", 2u}};
    }
    explicit bus_rig(const sc_core::sc_module_name& name = "rig")
        : sc_module(name), bus("bus", regions(), 2) {
        checked.bind(first.isock, bus.tsock(0));
        checked.bind(second.isock, bus.tsock(1));
        checked.bind(bus.isock("shared"), shared.tsock);
        checked.bind(bus.isock("own_0"), own_0.tsock);
        checked.bind(bus.isock("own_1"), own_1.tsock);
    }
};

TEST(bus, targets_see_addresses_from_zero_on_and_the_initiator_finds_its_own_again) {
    in_child([] {
        bus_rig rig;
        start();
        EXPECT_EQ(rig.first.store<std::uint32_t>(0x80000010, 7), tlm::TLM_OK_RESPONSE);
        EXPECT_EQ(rig.first.trans.get_address(), 0x80000010u);
        EXPECT_EQ(rig.shared.bytes().data()[0x10], 7);
        EXPECT_EQ(rig.second.load<std::uint32_t>(0x80000010), 7u);
    });
}

TEST(bus, each_initiator_reaches_its_own_memory_at_the_same_address) {
    in_child([] {
        bus_rig rig;
        start();
        EXPECT_EQ(rig.first.store<std::uint32_t>(0x1004, 10), tlm::TLM_OK_RESPONSE);
        EXPECT_EQ(rig.second.store<std::uint32_t>(0x1004, 20), tlm::TLM_OK_RESPONSE);
        EXPECT_EQ(rig.first.load<std::uint32_t>(0x1004), 10u);
        EXPECT_EQ(rig.second.load<std::uint32_t>(0x1004), 20u);
        EXPECT_EQ(rig.first.load_status<std::uint32_t>(0x1100), tlm::TLM_ADDRESS_ERROR_RESPONSE);
        EXPECT_EQ(rig.second.load_status<std::uint32_t>(0x1100), tlm::TLM_OK_RESPONSE);
    });
}

TEST(bus, an_access_outside_or_over_the_end_of_a_region_reaches_no_target) {
    in_child([] {
        bus_rig rig;
        start();
        for (const std::uint64_t address : {0x0ull, 0xfffull, 0x800007feull, 0x80000800ull, ~0ull})
            EXPECT_EQ(rig.first.store<std::uint32_t>(address, 0xffffffff), tlm::TLM_ADDRESS_ERROR_RESPONSE)
                << std::hex << address;
        for (unsigned i = 0; i < 0x1000; ++i) ASSERT_EQ(rig.shared.bytes().data()[i], 0);
        EXPECT_EQ(rig.first.store<std::uint32_t>(0x800007fc, 1), tlm::TLM_OK_RESPONSE);
    });
}

TEST(bus, a_streaming_burst_needs_its_width_only) {
    in_child([] {
        bus_rig rig;
        start();
        std::array<std::uint32_t, 4> words{1, 2, 3, 4};
        fill(rig.first.trans, tlm::TLM_WRITE_COMMAND, 0x800007fc, words.data(), 16);
        rig.first.trans.set_streaming_width(4);
        rig.first.isock->b_transport(rig.first.trans, rig.first.delay);
        EXPECT_EQ(rig.first.trans.get_response_status(), tlm::TLM_OK_RESPONSE);
        EXPECT_EQ(rig.shared.bytes().data()[0x7fc], 4);
    });
}

TEST(bus, adds_its_latency) {
    in_child([] {
        bus_rig rig;
        start();
        rig.first.load<std::uint32_t>(0x80000000);
        EXPECT_EQ(rig.first.delay, sc_core::SC_ZERO_TIME);
        rig.bus.reset(cycles{3}, period());
        rig.shared.reset(cycles{2}, period());
        rig.first.load<std::uint32_t>(0x80000000);
        EXPECT_EQ(rig.first.delay, period() * 5.0);
        tlm::tlm_dmi dmi;
        ASSERT_TRUE(rig.first.direct(0x80000000, dmi));
        EXPECT_EQ(dmi.get_read_latency(), period() * 5.0);
    });
}

TEST(bus, direct_access_is_translated_and_clipped_to_the_region) {
    in_child([] {
        bus_rig rig;
        start();
        tlm::tlm_dmi dmi;
        ASSERT_TRUE(rig.first.direct(0x80000020, dmi));
        EXPECT_EQ(dmi.get_start_address(), 0x80000000u);
        EXPECT_EQ(dmi.get_end_address(), 0x800007ffu);
        dmi.get_dmi_ptr()[0x24] = 9;
        EXPECT_EQ(rig.first.load<std::uint8_t>(0x80000024), 9);
    });
}

TEST(bus, direct_access_to_nothing_is_refused_for_the_whole_gap) {
    in_child([] {
        bus_rig rig;
        start();
        tlm::tlm_dmi dmi;
        EXPECT_FALSE(rig.first.direct(0x5000, dmi));
        EXPECT_TRUE(dmi.is_none_allowed());
        EXPECT_EQ(dmi.get_start_address(), 0x1100u);
        EXPECT_EQ(dmi.get_end_address(), 0x7fffffffu);
        EXPECT_FALSE(rig.second.direct(0x5000, dmi));
        EXPECT_EQ(dmi.get_start_address(), 0x1200u);
    });
}

TEST(bus, invalidation_reaches_those_who_see_the_region_in_their_addresses) {
    in_child([] {
        bus_rig rig;
        start();
        tlm::tlm_dmi dmi;
        rig.first.direct(0x80000000, dmi);
        rig.first.direct(0x1000, dmi);
        rig.shared.reset();
        using range = std::pair<std::uint64_t, std::uint64_t>;
        ASSERT_EQ(rig.first.invalidated.size(), 1u);
        EXPECT_EQ(rig.first.invalidated[0], (range{0x80000000, 0x800007ff}));
        EXPECT_EQ(rig.second.invalidated.size(), 1u);
        rig.own_0.reset();
        ASSERT_EQ(rig.first.invalidated.size(), 2u);
        EXPECT_EQ(rig.first.invalidated[1], (range{0x1000, 0x10ff}));
        EXPECT_EQ(rig.second.invalidated.size(), 1u);
    });
}

TEST(bus, debug_access_is_translated_and_ends_with_its_region) {
    in_child([] {
        bus_rig rig;
        start();
        std::uint64_t value = 0x0807060504030201;
        EXPECT_EQ(rig.first.debug(tlm::TLM_WRITE_COMMAND, 0x800007fc, &value, 8), 4u);
        EXPECT_EQ(rig.shared.bytes().data()[0x7ff], 4);
        EXPECT_EQ(rig.shared.bytes().data()[0x800], 0);
        EXPECT_EQ(rig.first.trans.get_address(), 0x800007fcu);
        EXPECT_EQ(rig.first.trans.get_data_length(), 8u);
        EXPECT_EQ(rig.first.debug(tlm::TLM_READ_COMMAND, 0x4000, &value, 8), 0u);
    });
}

/// What constructing a bus throws.
std::string refusal(std::vector<region> regions, unsigned initiators = 1) {
    try {
        const memory::bus bus("bus", std::move(regions), initiators);
    } catch (const sc_core::sc_report& report) {
        return report.get_msg();
    }
    return "";
}

TEST(bus, refuses_a_map_with_overlapping_regions_and_names_them) {
    in_child([] {
        const std::string message = refusal({{0, 0x100, "low", ""}, {0x80, 0x100, "high", ""}});
        EXPECT_NE(message.find("low (0x00000000 to 0x000000ff) and high (0x00000080 to 0x0000017f) overlap"),
                  std::string::npos)
            << message;
    });
}

TEST(bus, refuses_to_have_no_initiator) {
    in_child([] { EXPECT_NE(refusal({{0, 1, "a", ""}}, 0), ""); });
}

TEST(bus, an_unknown_region_is_an_error) {
    in_child([] {
        memory::bus bus("bus", {{0, 1, "a", ""}});
        EXPECT_THROW(bus.isock("b"), sc_core::sc_report);
    });
}

} // namespace
} // namespace sfpu::test
