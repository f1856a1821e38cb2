// The CSRs of the TensorLoad engine.
#include "tensorload_rig.h"

#include <algorithm>

namespace sfpu::test {
namespace {

/// Every CSR number that exists.
std::vector<unsigned> all_numbers() {
    std::vector<unsigned> numbers{0x800, 0x801, 0x802, 0x803, 0x804, 0x805, 0x806,
                                  0x810, 0x811, 0x812, 0x813, 0x814, 0x815};
    for (unsigned i = 0x840; i <= 0x87f; ++i) numbers.push_back(i);
    return numbers;
}

TEST(tensorload_csr, exactly_the_listed_numbers_exist) {
    tensorload_rig rig;
    const std::vector<unsigned> numbers = all_numbers();
    for (unsigned number = 0; number < 0x1000; ++number) {
        const bool exists = std::count(numbers.begin(), numbers.end(), number) != 0;
        std::uint32_t value = 0;
        EXPECT_EQ(rig.core.read_csr(number, cycles{}, value), exists || number == 0xcc0)
            << std::hex << number;
        EXPECT_EQ(rig.core.write_csr(number, cycles{}, 0), exists) << std::hex << number;
    }
}

TEST(tensorload_csr, reset_values_are_those_of_the_table) {
    tensorload_rig rig;
    for (const unsigned number : all_numbers()) {
        std::uint32_t expected = 0;
        if (number == 0x800) expected = 2;
        else if (number == 0x805 || number == 0x814 || number == 0x815) expected = 1;
        else if (number >= 0x840) expected = (number - 0x840) % 32;
        EXPECT_EQ(rig.get(number), expected) << std::hex << number;
    }
    EXPECT_EQ(rig.get(0xcc0), 0u);
}

TEST(tensorload_csr, bits_that_do_not_exist_are_dropped) {
    tensorload_rig rig;
    for (const unsigned number : all_numbers()) {
        rig.set(number, 0xffffffff);
        const std::uint32_t expected = number == 0x800 ? 0xfff : number == 0x801 ? 0xffffff : 0xffffffff;
        EXPECT_EQ(rig.get(number), expected) << std::hex << number;
    }
}

TEST(tensorload_csr, row_C31_shared_names_write_both_registers_and_read_the_load_one) {
    struct shared {
        unsigned both, load, store;
    };
    for (const auto& [both, load, store] :
         {shared{0x802, 0x810, 0x811}, shared{0x806, 0x812, 0x813}, shared{0x805, 0x814, 0x815}}) {
        tensorload_rig rig;
        rig.set(both, 5);
        EXPECT_EQ(rig.get(load), 5u);
        EXPECT_EQ(rig.get(store), 5u);
        rig.set(store, 6);
        EXPECT_EQ(rig.get(both), 5u);
        rig.set(load, 7);
        EXPECT_EQ(rig.get(both), 7u);
        EXPECT_EQ(rig.get(store), 6u);
    }
}

TEST(tensorload_csr, row_C32_an_unindexed_stride_fills_entry_i_with_i_times_it) {
    tensorload_rig rig;
    rig.set(0x814, 0x10000001);
    rig.set(0x815, 3);
    for (unsigned i = 0; i < 32; ++i) {
        EXPECT_EQ(rig.get(0x840 + i), i * 0x10000001u);
        EXPECT_EQ(rig.get(0x860 + i), 3 * i);
    }
    EXPECT_EQ(rig.get(0x814), 0x10000001u);
}

TEST(tensorload_csr, row_C32_under_literal_an_unindexed_stride_fills_all_entries_with_itself) {
    tensorload_rig rig([](tensorload_parameters& p) { p.stride = stride_fill::literal; });
    rig.set(0x805, 9);
    for (unsigned i = 0; i < 32; ++i) {
        EXPECT_EQ(rig.get(0x840 + i), 9u);
        EXPECT_EQ(rig.get(0x860 + i), 9u);
    }
}

TEST(tensorload_csr, an_indexed_stride_changes_one_entry_and_not_the_unindexed_value) {
    tensorload_rig rig;
    rig.set(0x814, 2);
    rig.set(0x845, 100);
    EXPECT_EQ(rig.get(0x814), 2u);
    EXPECT_EQ(rig.get(0x845), 100u);
    EXPECT_EQ(rig.get(0x844), 8u);
    EXPECT_EQ(rig.get(0x865), 5u);
}

TEST(tensorload_csr, row_C46_each_mask_becomes_valid_by_a_write_of_any_value) {
    const std::pair<unsigned, std::uint32_t> writes[] = {
        {0x810, 1}, {0x811, 2}, {0x803, 4}, {0x804, 8}, {0x802, 3}};
    for (const auto& [number, valid] : writes) {
        tensorload_rig rig;
        rig.set(number, 0);
        EXPECT_EQ(rig.get(0xcc0), valid << 16) << std::hex << number;
        rig.set(number, 0);
        EXPECT_EQ(rig.get(0xcc0), valid << 16);
    }
}

TEST(tensorload_csr, no_other_register_makes_a_mask_valid) {
    tensorload_rig rig;
    for (const unsigned number : all_numbers())
        if ((number < 0x802 || number > 0x804) && number != 0x810 && number != 0x811) rig.set(number, 0);
    EXPECT_EQ(rig.get(0xcc0), 0u);
}

TEST(tensorload_csr, reset_equals_construction) {
    tensorload_rig rig, fresh;
    for (const unsigned number : all_numbers()) rig.set(number, 0x5a5a5a5a);
    rig.set(0x800, int8);
    rig.fill(3, [](unsigned i) { return i; });
    EXPECT_TRUE(rig.accepts(tl::addi(4, 3, 1)));
    EXPECT_FALSE(rig.accepts(0xffffffffu));
    rig.core.reset(rig.config);
    for (const unsigned number : all_numbers()) EXPECT_EQ(rig.get(number), fresh.get(number)) << number;
    std::uint32_t status = 1;
    ASSERT_TRUE(rig.core.read_csr(0xcc0, cycles{}, status));
    EXPECT_EQ(status, 0u);
    for (unsigned i = 0; i < 32; ++i) EXPECT_EQ(rig.core.tensor(i), fresh.core.tensor(i));
    EXPECT_EQ(rig.core.drained(cycles{5}), cycles{5});
    EXPECT_EQ(rig.core.traps(), 0u);
    EXPECT_EQ(rig.core.last_trap(), "");
    EXPECT_EQ(rig.core.counters(tl::sub_engine::compute).instructions, 0u);
}

TEST(tensorload_csr, registers_start_with_the_reset_pattern_and_tl0_with_zero) {
    tensorload_rig rig([](tensorload_parameters& p) { p.reset_pattern = 0xdeadbeef; });
    for (unsigned i = 0; i < 1024; ++i) {
        EXPECT_EQ(rig.byte(0, i), 0u);
        EXPECT_EQ(rig.byte(31, i), (0xdeadbeefu >> i % 4 * 8) & 0xff);
    }
}

TEST(tensorload_csr, status_shows_each_sub_engine_busy_until_its_result_is_there) {
    const std::pair<tl::instruction, std::uint32_t> runs[] = {{tl::load(1, 0, 0), 0x3},
                                                              {tl::addi(1, 2, 3), 0x5},
                                                              {tl::store(1, 0, 0), 0x9},
                                                              {tl::xpose(0, 1, 1, 2, 3), 0x11}};
    for (const auto& [insn, busy] : runs) {
        tensorload_rig rig;
        rig.set_block(int8, shape(4, 4, 4));
        ASSERT_TRUE(rig.accepts(insn, insn.op == tl::operation::xpose ? dims(2, 4, 16, 16) : 0u));
        const cycles end = rig.core.drained(cycles{});
        std::uint32_t status = 0;
        ASSERT_TRUE(rig.core.read_csr(0xcc0, end - one_cycle, status));
        EXPECT_EQ(status, busy) << tl::text(insn);
        ASSERT_TRUE(rig.core.read_csr(0xcc0, end, status));
        EXPECT_EQ(status, 0u) << tl::text(insn);
    }
}

} // namespace
} // namespace sfpu::test
