// Rules T2, T2a, T3, T4, T7 and T8 of the timing contract: when results become visible.
#include <sfpu/isa/table.h>
#include <sfpu/timing/dst_rules.h>
#include <sfpu/timing/write_back.h>

#include <gtest/gtest.h>

namespace sfpu::timing {
namespace {

class write_back_test : public testing::Test {
protected:
    void SetUp() override { results_.reset({}); }

    void write(result_port port, int commit, unsigned lreg, std::uint32_t value, lane_mask mask = all_lanes) {
        isa::write_set& set = results_.open(port, cycles{commit});
        set.add(lreg, mask) = broadcast(value);
        results_.close(port, cycles{commit}, set.lregs());
    }
    bool finish(int cycle) {
        results_.begin_cycle(cycles{cycle}, state_);
        collision_ = {};
        results_.commit(cycles{cycle}, state_, collision_);
        return collision_.loser != nullptr;
    }
    std::uint32_t value(unsigned lreg, unsigned lane = 0) const { return state_.lreg[lreg][lane]; }

    write_back results_;
    isa::vector_state state_;
    write_back::collision collision_;
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
    const parameters config;
    EXPECT_EQ(latency_of(isa::decode(0x84123450, architecture::blackhole), config), 2u);
    EXPECT_EQ(latency_of(isa::decode(0x980009d0, architecture::blackhole), config), 2u);
    EXPECT_EQ(latency_of(isa::decode(0x79000354, architecture::blackhole), config), 1u);
    EXPECT_EQ(latency_of(isa::decode(0x94fe90c6, architecture::blackhole), config), 1u);
    EXPECT_EQ(latency_of(isa::decode(0x94000313, architecture::blackhole), config), 2u);
    EXPECT_EQ(latency_of(isa::decode(0x92000310, architecture::blackhole), config), 2u);
    EXPECT_EQ(latency_of(isa::decode(0x70040000, architecture::blackhole), config), 1u);
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
    const result_port order[] = {result_port::mad, result_port::shuffle, result_port::simple,
                                 result_port::round, result_port::load};
    for (unsigned loser = 0; loser < 5; ++loser)
        for (unsigned winner = loser + 1; winner < 5; ++winner) {
            SetUp();
            write(order[winner], 4, 3, 100 + winner); // the order of arrival does not matter
            write(order[loser], 4, 3, 100 + loser);
            EXPECT_TRUE(finish(4));
            EXPECT_EQ(value(3), 100 + winner);
            EXPECT_EQ(collision_.lreg, 3u);
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
    results_.reset(config);
    write(result_port::mad, 4, 3, 1);
    write(result_port::load, 4, 3, 2);
    finish(4);
    EXPECT_EQ(value(3), 1u);
}

TEST_F(write_back_test, t8_an_exchange_takes_the_values_of_its_second_cycle) {
    state_.lreg[1] = broadcast(1);
    state_.lreg[2] = broadcast(2);
    isa::write_set& set = results_.open(result_port::swap, cycles{5});
    set.exchange[0] = {1, 2};
    set.exchange_mask[0] = 0x0000ffff;
    set.exchange_count = 1;
    results_.close(result_port::swap, cycles{5}, set.lregs());
    state_.lreg[1] = broadcast(10); // written at the end of the first cycle
    finish(5);
    EXPECT_EQ(value(1, 0), 2u);
    EXPECT_EQ(value(2, 0), 10u);
    EXPECT_EQ(value(1, 31), 10u);
    EXPECT_EQ(value(2, 31), 2u);
}

TEST_F(write_back_test, t8_a_load_in_the_second_cycle_of_a_swap_wins) {
    state_.lreg[1] = broadcast(1);
    isa::write_set& set = results_.open(result_port::swap, cycles{5});
    set.exchange[0] = {1, 2};
    set.exchange_mask[0] = all_lanes;
    set.exchange_count = 1;
    results_.close(result_port::swap, cycles{5}, set.lregs());
    write(result_port::load, 5, 2, 77);
    EXPECT_TRUE(finish(5));
    EXPECT_EQ(value(2), 77u);
    EXPECT_EQ(value(1), 0u);
}

TEST_F(write_back_test, t8_constant_registers_never_change) {
    isa::write_set& set = results_.open(result_port::swap, cycles{5});
    set.exchange[0] = {10, 2};
    set.exchange_mask[0] = all_lanes;
    set.exchange_count = 1;
    results_.close(result_port::swap, cycles{5}, set.lregs());
    finish(5);
    EXPECT_EQ(value(2), 0x3f800000u);
    EXPECT_EQ(value(10), 0x3f800000u);
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
    EXPECT_FALSE(store_load_too_close(cycles{10}, cycles{11}, config));
}

} // namespace
} // namespace sfpu::timing
