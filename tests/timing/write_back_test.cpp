// Rules T2, T2a, T3, T4, T7 and T8 of the timing contract: when results become visible.
#include <sfpu/isa/table.h>
#include <sfpu/timing/dst_rules.h>
#include <sfpu/timing/write_back.h>

#include <gtest/gtest.h>

#include <array>
#include <map>

namespace sfpu::timing {
namespace {

class write_back_test : public testing::Test {
protected:
    void SetUp() override { reset({}); }
    void reset(const parameters& config) {
        results_.reset(isa::make_machine(config));
        due_.clear();
    }

    /// A set of results that becomes visible at the end of cycle `commit`.
    isa::write_set& open(result_port port, int commit) {
        due_[commit] |= only(port);
        return results_.open(port, cycles{commit});
    }
    void write(result_port port, int commit, unsigned lreg, std::uint32_t value, lane_mask mask = all_lanes) {
        open(port, commit).add(lreg, mask) = broadcast(value);
    }
    void exchange(int commit, unsigned c, unsigned d, lane_mask mask) {
        isa::write_set& set = open(result_port::swap, commit);
        set.exchange[0] = {static_cast<std::uint8_t>(c), static_cast<std::uint8_t>(d)};
        set.exchange_mask[0] = mask;
        set.exchange_count = 1;
    }
    /// One cycle from its start to its end; says whether results collided.
    bool finish(int cycle) {
        const port_set ports = due_[cycle];
        if (ports & only(result_port::swap)) results_.read_exchange(cycles{cycle}, state_);
        collision_ = {};
        if (ports != 0) results_.commit(cycles{cycle}, ports, state_, collision_);
        return collision_.loser != nullptr;
    }
    std::uint32_t value(unsigned lreg, unsigned lane = 0) const { return state_.lreg[lreg][lane]; }

    write_back results_;
    isa::vector_state state_;
    write_back::collision collision_;
    std::map<int, port_set> due_; ///< which ports bring results, by cycle
};

TEST_F(write_back_test, t2_a_result_is_invisible_until_the_end_of_its_cycle) {
    write(result_port::simple, 5, 2, 7);
    EXPECT_EQ(value(2), 0u);
    finish(4);
    EXPECT_EQ(value(2), 0u);
    finish(5);
    EXPECT_EQ(value(2), 7u);
}

TEST_F(write_back_test, t3_a_mad_class_latency_is_two_cycles_and_that_of_others_one) {
    const isa::machine chip = isa::make_machine({});
    EXPECT_EQ(isa::latency_of(isa::decode(0x84123450, architecture::blackhole), chip), 2u);
    EXPECT_EQ(isa::latency_of(isa::decode(0x980009d0, architecture::blackhole), chip), 2u);
    EXPECT_EQ(isa::latency_of(isa::decode(0x79000354, architecture::blackhole), chip), 1u);
    EXPECT_EQ(isa::latency_of(isa::decode(0x94fe90c6, architecture::blackhole), chip), 1u);
    EXPECT_EQ(isa::latency_of(isa::decode(0x94000313, architecture::blackhole), chip), 2u);
    EXPECT_EQ(isa::latency_of(isa::decode(0x92000310, architecture::blackhole), chip), 2u);
    EXPECT_EQ(isa::latency_of(isa::decode(0x70040000, architecture::blackhole), chip), 1u);
}

TEST_F(write_back_test, t3_results_of_consecutive_cycles_keep_apart) {
    write(result_port::mad, 6, 1, 11);
    write(result_port::mad, 7, 1, 22);
    finish(6);
    EXPECT_EQ(value(1), 11u);
    finish(7);
    EXPECT_EQ(value(1), 22u);
}

TEST_F(write_back_test, t4_l16_is_written_like_any_register) {
    write(result_port::round, 3, 16, 9);
    EXPECT_EQ(value(16), 0u);
    finish(3);
    EXPECT_EQ(value(16), 9u);
}

TEST_F(write_back_test, t2a_simultaneous_writes_end_in_the_order_mad_second_cycle_simple_round_load) {
    // SFPSWAP and the two-cycle SFPSHFT2 never write in one cycle: they share their place.
    const result_port order[] = {result_port::mad,        result_port::second_mad, result_port::shuffle,
                                 result_port::simple,     result_port::round,      result_port::load,
                                 result_port::second_load};
    constexpr unsigned count = sizeof order / sizeof order[0];
    for (unsigned loser = 0; loser < count; ++loser)
        for (unsigned winner = loser + 1; winner < count; ++winner) {
            SetUp();
            write(order[winner], 4, 3, 100 + winner); // the order of arrival does not matter
            write(order[loser], 4, 3, 100 + loser);
            EXPECT_TRUE(finish(4));
            EXPECT_EQ(value(3), 100 + winner);
            EXPECT_EQ(collision_.lreg, 3u);
            EXPECT_EQ(collision_.loser, &results_.open(order[loser], cycles{4}));
            EXPECT_EQ(collision_.winner, &results_.open(order[winner], cycles{4}));
        }
}

TEST_F(write_back_test, t2a_results_for_different_registers_do_not_collide) {
    write(result_port::mad, 4, 3, 1);
    write(result_port::simple, 4, 2, 2);
    EXPECT_FALSE(finish(4));
    EXPECT_EQ(value(3), 1u);
    EXPECT_EQ(value(2), 2u);
}

TEST_F(write_back_test, results_are_written_once) {
    write(result_port::mad, 4, 3, 1, 0xff);
    finish(4);
    state_.lreg[3] = broadcast(7);
    finish(4);
    EXPECT_EQ(value(3), 7u);
    write(result_port::mad, 5, 3, 2);
    write(result_port::load, 5, 2, 2);
    finish(5);
    state_.lreg[3] = broadcast(9);
    finish(5);
    EXPECT_EQ(value(3), 9u);
}

TEST_F(write_back_test, results_of_the_longest_latency_keep_apart) {
    parameters config;
    config.latency_mad = isa::largest::latency;
    reset(config);
    for (int cycle = 0; cycle < 8; ++cycle) write(result_port::mad, 100 + cycle, 1, 10u + cycle);
    for (int cycle = 0; cycle < 8; ++cycle) {
        finish(100 + cycle);
        EXPECT_EQ(value(1), 10u + cycle);
    }
}

TEST_F(write_back_test, t2a_the_last_wins_lane_by_lane_and_disjoint_lanes_do_not_collide) {
    write(result_port::mad, 4, 3, 1, 0x0000ffff);
    write(result_port::load, 4, 3, 2, 0x00ff0000);
    EXPECT_FALSE(finish(4));
    EXPECT_EQ(value(3, 0), 1u);
    EXPECT_EQ(value(3, 16), 2u);
    EXPECT_EQ(value(3, 31), 0u);
}

TEST_F(write_back_test, t2a_the_order_is_a_parameter) {
    parameters config;
    config.sfpu_write_order = 0x01234; // load first, MAD last
    reset(config);
    write(result_port::mad, 4, 3, 1);
    write(result_port::load, 4, 3, 2);
    finish(4);
    EXPECT_EQ(value(3), 1u);
}

TEST_F(write_back_test, t8_an_exchange_takes_the_values_of_its_second_cycle) {
    state_.lreg[1] = broadcast(1);
    state_.lreg[2] = broadcast(2);
    exchange(5, 1, 2, 0x0000ffff);
    state_.lreg[1] = broadcast(10); // written at the end of the first cycle
    finish(5);
    EXPECT_EQ(value(1, 0), 2u);
    EXPECT_EQ(value(2, 0), 10u);
    EXPECT_EQ(value(1, 31), 10u);
    EXPECT_EQ(value(2, 31), 2u);
}

TEST_F(write_back_test, t8_a_load_in_the_second_cycle_of_a_swap_wins) {
    state_.lreg[1] = broadcast(1);
    exchange(5, 1, 2, all_lanes);
    write(result_port::load, 5, 2, 77);
    EXPECT_TRUE(finish(5));
    EXPECT_EQ(value(2), 77u);
    EXPECT_EQ(value(1), 0u);
}

TEST_F(write_back_test, t8_constant_registers_never_change) {
    exchange(5, 10, 2, all_lanes);
    finish(5);
    EXPECT_EQ(value(2), 0x3f800000u);
    EXPECT_EQ(value(10), 0x3f800000u);
}

TEST_F(write_back_test, t8_lanes_that_compute_indices_keep_the_values_of_l4_to_l7) {
    state_.lreg[1] = broadcast(1);
    state_.lreg[5] = broadcast(5);
    exchange(5, 1, 5, all_lanes);
    open(result_port::swap, 5).exchange_index_mask = 0x0000000f;
    finish(5);
    EXPECT_EQ(value(1, 0), 5u);
    EXPECT_EQ(value(5, 0), 5u);
    EXPECT_EQ(value(1, 4), 5u);
    EXPECT_EQ(value(5, 4), 1u);
}

TEST(rule_t2a, the_order_of_ports_follows_the_parameter) {
    using port = result_port;
    const std::array<port, result_port_count> usual{port::mad,     port::second_mad, port::swap,
                                                    port::shuffle, port::simple,     port::round,
                                                    port::load,    port::second_load};
    EXPECT_EQ(port_order(parameters{}.sfpu_write_order), usual);
    const std::array<port, result_port_count> reversed{port::load,   port::second_load, port::round,
                                                       port::simple, port::swap,        port::shuffle,
                                                       port::mad,    port::second_mad};
    EXPECT_EQ(port_order(0x01234), reversed);
}

TEST(result_ports, follow_from_the_instruction_and_the_unit) {
    const auto port = [](std::uint32_t word, unsigned instance) {
        return port_of(isa::decode(word, architecture::blackhole), instance);
    };
    EXPECT_EQ(port(0x84123450, 0), result_port::mad);
    EXPECT_EQ(port(0x84123450, 1), result_port::second_mad);
    EXPECT_EQ(port(0x92000310, 0), result_port::swap);
    EXPECT_EQ(port(0x94000313, 0), result_port::shuffle);
    EXPECT_EQ(port(0x94000315, 0), result_port::round);
    EXPECT_EQ(port(0x79000354, 0), result_port::simple);
    EXPECT_EQ(port(0x70040000, 0), result_port::load);
    EXPECT_EQ(port(0x70040000, 1), result_port::second_load);
    EXPECT_EQ(port(0x93040000, 0), result_port::load);
}

TEST(rule_t7, a_store_is_visible_after_the_configured_distance_and_reported_up_to_another) {
    parameters config;
    EXPECT_EQ(store_visible_from(cycles{10}, config), cycles{11});
    EXPECT_FALSE(store_load_too_close(cycles{10}, cycles{10}, config));
    EXPECT_TRUE(store_load_too_close(cycles{10}, cycles{11}, config));
    EXPECT_FALSE(store_load_too_close(cycles{10}, cycles{12}, config));
    config.dst_store_load_visible = 3;
    config.dst_store_load_warn = 0;
    EXPECT_EQ(store_visible_from(cycles{10}, config), cycles{13});
    for (std::int64_t loaded = 10; loaded < 16; ++loaded) // those that miss the store in any case
        EXPECT_EQ(store_load_too_close(cycles{10}, cycles{loaded}, config), loaded == 11 || loaded == 12);
    config.dst_store_load_visible = 1;
    EXPECT_FALSE(store_load_too_close(cycles{10}, cycles{11}, config));
    config.dst_store_load_visible = 0; // sees what every other read of its cycle does not
    EXPECT_TRUE(store_load_too_close(cycles{10}, cycles{10}, config));
}

} // namespace
} // namespace sfpu::timing
