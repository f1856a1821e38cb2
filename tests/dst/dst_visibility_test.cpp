// Rules T2 and T7 through the sockets: when a store is seen by loads and by the memory port, and what is
// reported.
#include "forked.h"
#include "rig.h"

namespace sfpu::test {
namespace {

constexpr std::uint16_t stored_value = 0x1234, old_value = 0x0042;

/// What a load sees that executes `distance` cycles after a scheduled store of the same 16-bit slice.
struct observation {
    std::uint32_t value;
    std::uint64_t reports;
};

/// SFPLOADMACRO in cycle 0 schedules a store of L0 for cycle 1; SFPLOAD executes in cycle 1 + distance.
observation load_after_store(unit_rig& rig, const parameters& config, unsigned distance) {
    rig.reset(config);
    for (unsigned row = 0; row < 4; ++row)
        for (unsigned column = 0; column < dst::cells_per_row; ++column)
            rig.dst.storage().set_cell(row, column, old_value);
    rig.set_macro(0, store_after(0, true), misc_counts_cycles | misc_load_mod_for_store);
    rig.sfpu.state().vector.lreg[0] = broadcast(stored_value);
    rig.port().delay = sc_core::SC_ZERO_TIME;
    std::vector<std::uint32_t> words{sfploadmacro(0, 1, mode_uint16, 0)};
    words.insert(words.end(), distance, sfpnop);
    words.push_back(sfpload(2, mode_uint16, 0));
    EXPECT_EQ(rig.port().push(words), tlm::TLM_OK_RESPONSE);
    rig.sfpu.drain();
    rig.dst.settle();
    EXPECT_EQ(rig.dst.storage().cell(0, 0), stored_value); // in the end it is there in any case
    EXPECT_EQ(rig.dst.storage().cell(0, 1), old_value);
    return {rig.sfpu.state().vector.lreg[2][0],
            rig.sfpu.state().reporter.count(report_id::dst_store_load_distance)};
}

void expect_visible_from(unsigned distance) {
    in_child([=] {
        unit_rig rig;
        start();
        parameters config;
        config.dst_store_load_visible = distance;
        for (unsigned d = 0; d < 9; ++d)
            EXPECT_EQ(load_after_store(rig, config, d).value, d >= distance ? stored_value : old_value)
                << "distance " << d;
    });
}

TEST(dst_store_load_visible, at_0_a_load_sees_the_store_of_its_own_cycle) { expect_visible_from(0); }
TEST(dst_store_load_visible, at_1_a_load_sees_the_store_of_the_cycle_before_but_not_of_its_own) {
    expect_visible_from(1);
}
TEST(dst_store_load_visible, at_2_a_load_misses_the_store_of_the_cycle_before) { expect_visible_from(2); }
TEST(dst_store_load_visible, at_5_a_load_sees_stores_five_cycles_back) { expect_visible_from(5); }

TEST(dst_store_load_warn, reports_loads_up_to_that_distance_and_those_that_miss_the_store) {
    in_child([] {
        unit_rig rig;
        start();
        for (const unsigned warn : {0u, 1u, 2u, 5u}) {
            for (const unsigned visible : {0u, 1u, 5u}) {
                parameters config;
                config.dst_store_load_warn = warn;
                config.dst_store_load_visible = visible;
                for (unsigned d = 0; d < 8; ++d) {
                    // Of the store's own cycle if it sees what it should not.
                    const bool expected = d == 0 ? visible == 0 : d <= warn || d < visible;
                    EXPECT_EQ(load_after_store(rig, config, d).reports, expected ? 1u : 0u)
                        << "distance " << d << ", warn " << warn << ", visible " << visible;
                }
            }
        }
    });
}

/// How many reports a load directly after a store gives.
std::uint64_t reports_for(unit_rig& rig, std::uint32_t store, std::uint32_t load) {
    rig.reset(parameters{});
    rig.port().delay = sc_core::SC_ZERO_TIME;
    rig.port().push({store, load});
    return rig.sfpu.state().reporter.count(report_id::dst_store_load_distance);
}

TEST(dst_store_load_warn, concerns_accesses_that_share_cells_of_storage) {
    in_child([] {
        unit_rig rig;
        start();
        const auto store16 = sfpstore(0, mode_uint16, 16), store32 = sfpstore(0, mode_int32, 16);
        EXPECT_EQ(reports_for(rig, store16, sfpload(1, mode_uint16, 16)), 1u);
        EXPECT_EQ(reports_for(rig, store16, sfpload(1, mode_uint16, 20)), 0u); // the next four rows
        EXPECT_EQ(reports_for(rig, store16, sfpload(1, mode_uint16, 18)), 0u); // the odd columns
        EXPECT_EQ(reports_for(rig, store32, sfpload(1, mode_int32, 16)),
                  1u); // reported once, not for each half
        // 32-bit row 16 has its halves in storage rows 32 and 40.
        EXPECT_EQ(reports_for(rig, store32, sfpload(1, mode_uint16, 32)), 1u);
        EXPECT_EQ(reports_for(rig, store32, sfpload(1, mode_uint16, 40)), 1u);
        EXPECT_EQ(reports_for(rig, store32, sfpload(1, mode_uint16, 36)), 0u);
        EXPECT_EQ(reports_for(rig, store32, sfpload(1, mode_uint16, 16)), 0u);
    });
}

// --- delayed stores and the memory port --------------------------------------------------------------------

parameters visible_after(unsigned cycles) {
    parameters config;
    config.dst_store_load_visible = cycles;
    return config;
}

/// A store of 0x1234 in cycle 0 that loads see from cycle 5 on.
void push_slow_store(unit_rig& rig) {
    rig.reset(visible_after(5));
    rig.sfpu.state().vector.lreg[0] = broadcast(stored_value);
    rig.port().push({sfpstore(0, mode_uint16, 0)});
}

TEST(dst_slow_store, is_seen_by_a_debug_read_once_it_is_visible_and_not_before) {
    in_child([] {
        unit_rig rig;
        start();
        push_slow_store(rig);
        run_to(4);
        EXPECT_EQ(rig.memory.debug_cell(0, 0), 0);
        run_to(5);
        EXPECT_EQ(rig.memory.debug_cell(0, 0), stored_value);
    });
}

TEST(dst_slow_store, is_seen_by_a_bus_read_once_it_is_visible_and_not_before) {
    in_child([] {
        unit_rig rig;
        start();
        push_slow_store(rig);
        const auto read_at = [&](std::int64_t cycle) {
            std::uint16_t cell = 0;
            rig.memory.delay = time_of(cycle);
            EXPECT_EQ(rig.memory.read(0, &cell, 2), tlm::TLM_OK_RESPONSE);
            return cell;
        };
        EXPECT_EQ(read_at(4), 0);
        EXPECT_EQ(read_at(5), stored_value);
    });
}

TEST(dst_slow_store, does_not_become_visible_to_loads_because_somebody_looked_at_dst) {
    in_child([] {
        unit_rig rig;
        start();
        push_slow_store(rig);
        run_to(2);
        std::uint16_t cell = 0;
        rig.memory.debug(tlm::TLM_READ_COMMAND, 0, &cell, 2);
        rig.memory.read(512, &cell, 2);
        rig.port().set_cycle(3);
        rig.port().push({sfpload(1, mode_uint16, 0), sfpnop, sfpload(2, mode_uint16, 0)});
        rig.sfpu.drain();
        EXPECT_EQ(rig.sfpu.state().vector.lreg[1][0], 0u);
        EXPECT_EQ(rig.sfpu.state().vector.lreg[2][0], stored_value);
    });
}

TEST(dst_slow_store, many_of_them_without_a_load_arrive_in_order) {
    in_child([] {
        unit_rig rig;
        start();
        rig.reset(visible_after(7));
        std::vector<std::uint32_t> words;
        for (unsigned i = 0; i < 1000; ++i) {
            words.push_back(sfploadi(0, i));
            words.push_back(sfpstore(0, mode_uint16, 0));
        }
        rig.port().push(words);
        run_to(3000);
        EXPECT_EQ(rig.memory.debug_cell(0, 0), 999);
    });
}

} // namespace
} // namespace sfpu::test
