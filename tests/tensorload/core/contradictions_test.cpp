// What the description of the instruction set leaves open or says twice, row by row (tensorload.md A9). Rows
// about words, CSRs, traps and tl.xpose are in the other tensorload tests.
#include "tensorload_rig.h"

#include <algorithm>
#include <array>

namespace sfpu::test {
namespace {

/// Element (i, j, k) of a block of bytes.
unsigned element(const tensorload_rig& rig, unsigned tensor, unsigned d1, unsigned d2, unsigned i, unsigned j,
                 unsigned k) {
    return rig.byte(tensor, (i * d1 + j) * d2 + k);
}

// --- tl0 ------------------------------------------------------------------------------------------------

TEST(tensorload_rows, C20_writes_to_tl0_are_discarded_and_never_trap) {
    tensorload_rig rig;
    rig.set_block(int8, shape(8, 32, 4));
    rig.set(tl::csr::tmask_concat_1, 0xff);
    rig.set(tl::csr::tmask_concat_2, 0);
    rig.fill(1, [](unsigned) { return 0x55u; });
    EXPECT_TRUE(rig.accepts(tl::load(0, 2, 0)));
    EXPECT_TRUE(rig.accepts(tl::addi(0, 1, 1)));
    EXPECT_TRUE(rig.accepts(tl::concat(0, 0, 1, 1)));
    EXPECT_TRUE(rig.accepts(tl::merge(0, 0, 1, 1)));
    for (unsigned i = 0; i < 1024; ++i) ASSERT_EQ(rig.byte(0, i), 0u);
}

TEST(tensorload_rows, C20_a_transpose_with_tl0_reads_zeros_and_loses_the_half_that_would_go_there) {
    tensorload_rig rig;
    rig.fill(1, [](unsigned i) { return i % 255 + 1; });
    ASSERT_TRUE(rig.accepts(tl::xpose(0, 1, 0, 1, 10), dims(2, 1024 / 8, 8, 1)));
    // [2, 128, 8] with zeros in the first half: the result alternates runs of 8 zeros and 8 bytes of tl1; tl1
    // has its end.
    for (unsigned i = 0; i < 1024; ++i) {
        const unsigned run = i / 8;
        const unsigned expected = run % 2 == 0 ? 0 : (512 + run / 2 * 8 + i % 8) % 255 + 1;
        ASSERT_EQ(rig.byte(1, i), expected) << i;
        ASSERT_EQ(rig.byte(0, i), 0u);
    }
}

TEST(tensorload_rows, a_load_to_tl0_still_checks_its_addresses) {
    tensorload_rig rig;
    rig.set_block(int8, shape(1, 1, 8));
    EXPECT_FALSE(rig.accepts(tl::load(0, 2, 0), 0x10000));
}

// --- loads and stores -----------------------------------------------------------------------------------

TEST(tensorload_rows, C5_bit_28_makes_a_transfer_masked) {
    tensorload_rig rig;
    rig.set_block(int8, shape(2, 2, 4));
    rig.set(tl::csr::tmask_ls, 0);
    rig.fill(1, [](unsigned) { return 0x77u; });
    ASSERT_TRUE(rig.accepts(tl::encode(tl::load(1, 2, 0)) | 1u << 28));
    for (unsigned i = 0; i < 16; ++i) EXPECT_EQ(rig.byte(1, i), 0u);
    ASSERT_TRUE(rig.accepts(tl::load(1, 2, 0)));
    for (unsigned i = 0; i < 16; ++i) EXPECT_EQ(rig.byte(1, i), rig.memory.l1m[i]);
}

TEST(tensorload_rows, C6_the_scalar_register_is_in_bits_11_to_7) {
    tensorload_rig rig;
    EXPECT_EQ(rig.core.scalar_operand(0x1000875b), 14u);
    EXPECT_EQ(rig.core.scalar_operand(0xb001a75b), 14u);
    EXPECT_EQ(rig.core.scalar_operand(0xc820b75b), 14u);
    EXPECT_EQ(rig.core.scalar_operand(0x4fb1a1db), 0u); // tl.addi reads none
    EXPECT_EQ(rig.core.scalar_operand(0xc4c5955b), 0u);
    EXPECT_EQ(rig.core.scalar_operand(0x0000475b), 0u); // undefined
}

TEST(tensorload_rows, C34_a_width_counts_bytes) {
    tensorload_rig rig;
    rig.set_block(int32, shape(2, 1, 4));
    rig.set(tl::csr::load_width, 8);
    ASSERT_TRUE(rig.accepts(tl::load(1, 2, 0), 0x40));
    for (unsigned i = 0; i < 16; ++i) EXPECT_EQ(rig.byte(1, i), rig.memory.l1m[0x40 + i]);
    EXPECT_EQ(rig.byte(1, 16), 0u);
}

TEST(tensorload_rows, C34_under_elements_a_width_counts_elements) {
    tensorload_rig rig([](tensorload_parameters& p) { p.width = width_unit::elements; });
    rig.set_block(int32, shape(2, 1, 4));
    rig.set(tl::csr::load_width, 3);
    ASSERT_TRUE(rig.accepts(tl::load(1, 2, 0), 0x40));
    for (unsigned i = 0; i < 24; ++i) EXPECT_EQ(rig.byte(1, i), rig.memory.l1m[0x40 + i]);
    EXPECT_EQ(rig.byte(1, 24), 0u);
}

TEST(tensorload_rows, C35_the_immediate_is_signed_and_counts_slices) {
    tensorload_rig rig;
    rig.set_block(int8, shape(2, 3, 5));
    for (const int slices : {-128, -1, 0, 1, 127}) {
        ASSERT_TRUE(rig.accepts(tl::load(1, 2, slices), 0x2000));
        const unsigned base = static_cast<unsigned>(0x2000 + slices * 15);
        for (unsigned i = 0; i < 30; ++i) ASSERT_EQ(rig.byte(1, i), rig.memory.l1m[base + i]) << slices;
        ASSERT_TRUE(rig.accepts(tl::store(1, 2, slices), 0x2000));
        for (unsigned i = 0; i < 30; ++i) ASSERT_EQ(rig.memory.l0m[base + i], rig.byte(1, i)) << slices;
    }
}

TEST(tensorload_rows, C32_a_row_stride_of_a_larger_matrix_loads_a_sub_block) {
    // Rows of 64 bytes; the slices are 16 bytes, so neighbours are 4 slices apart.
    tensorload_rig rig;
    rig.set_block(int8, shape(8, 4, 4));
    rig.set(tl::csr::load_stride, 4);
    ASSERT_TRUE(rig.accepts(tl::load(1, 2, 2), 0x400));
    for (unsigned i = 0; i < 8; ++i)
        for (unsigned byte = 0; byte < 16; ++byte)
            ASSERT_EQ(rig.byte(1, i * 16 + byte), rig.memory.l1m[0x400 + 32 + 64 * i + byte]);
}

TEST(tensorload_rows, C33_without_set_up_a_load_is_dense) {
    tensorload_rig rig;
    rig.set(tl::csr::tshape, shape(8, 32, 4)); // type and strides have reset values
    ASSERT_TRUE(rig.accepts(tl::load(1, 2, 0), 0x2000));
    for (unsigned i = 0; i < 1024; ++i) ASSERT_EQ(rig.byte(1, i), rig.memory.l1m[0x2000 + i]);
}

TEST(tensorload_rows, C39_masked_slices_of_a_load_become_zero_and_the_tail_stays) {
    tensorload_rig rig;
    rig.set_block(int8, shape(4, 4, 4));
    rig.set(tl::csr::load_mask, 0x5);
    rig.fill(1, [](unsigned) { return 0xaau; });
    ASSERT_TRUE(rig.accepts(tl::mload(1, 2, 0), 0x80));
    for (unsigned i = 0; i < 1024; ++i) {
        const unsigned expected = i >= 64 ? 0xaa : i / 16 % 2 ? 0 : rig.memory.l1m[0x80 + i];
        ASSERT_EQ(rig.byte(1, i), expected) << i;
    }
}

TEST(tensorload_rows, C39_under_zero_a_load_clears_the_tail) {
    tensorload_rig rig([](tensorload_parameters& p) { p.tail = load_tail::zero; });
    rig.set_block(int8, shape(4, 4, 4));
    rig.fill(1, [](unsigned) { return 0xaau; });
    ASSERT_TRUE(rig.accepts(tl::load(1, 2, 0), 0x80));
    EXPECT_EQ(rig.byte(1, 63), rig.memory.l1m[0x80 + 63]);
    for (unsigned i = 64; i < 1024; ++i) ASSERT_EQ(rig.byte(1, i), 0u);
}

TEST(tensorload_rows, C38_loads_read_one_space_and_stores_write_another) {
    tensorload_rig rig;
    rig.set_block(int8, shape(1, 1, 8));
    ASSERT_TRUE(rig.accepts(tl::load(1, 2, 0), 0x10));
    ASSERT_TRUE(rig.accepts(tl::store(1, 2, 0), 0x20));
    ASSERT_EQ(rig.memory.accesses.size(), 2u);
    EXPECT_FALSE(rig.memory.accesses[0].is_write);
    EXPECT_TRUE(rig.memory.accesses[1].is_write);
}

TEST(tensorload_rows, C43_4_bit_elements_have_the_lower_index_in_the_lower_half) {
    tensorload_rig rig([](tensorload_parameters& p) { p.int4 = type_support::all; });
    rig.set_block(int4, shape(1, 2, 2));
    rig.set(tl::csr::tmask_concat_1, 0x2);
    rig.fill(1, [](unsigned i) { return i == 0 ? 0x21u : 0x43u; }); // elements 1, 2, 3, 4
    rig.fill(2, [](unsigned i) { return i == 0 ? 0x65u : 0x87u; }); // elements 5, 6, 7, 8
    ASSERT_TRUE(rig.accepts(tl::merge(2, 3, 1, 2))); // odd positions of the first, even ones of the second
    EXPECT_EQ(rig.byte(3, 0), 0x25u);
    EXPECT_EQ(rig.byte(3, 1), 0x47u);
    rig.fill(4, [](unsigned) { return 0x78u; }); // -8 and 7
    ASSERT_TRUE(rig.accepts(tl::addi(5, 4, -1)));
    EXPECT_EQ(rig.byte(5, 9), 0x68u);
    ASSERT_TRUE(rig.accepts(tl::addi(5, 4, 1)));
    EXPECT_EQ(rig.byte(5, 9), 0x79u);
}

TEST(tensorload_rows, slices_of_4_bit_elements_take_whole_bytes) {
    tensorload_rig rig;
    rig.set_block(int4, shape(2, 1, 3)); // 12 bits a slice: two bytes
    ASSERT_TRUE(rig.accepts(tl::load(1, 2, 0), 0x30));
    for (unsigned i = 0; i < 4; ++i) EXPECT_EQ(rig.byte(1, i), rig.memory.l1m[0x30 + i]);
    EXPECT_EQ(rig.byte(1, 4), 0u);
}

TEST(tensorload_rows, C54_overlapping_slices_of_a_store_keep_the_highest) {
    tensorload_rig rig;
    rig.set_block(int8, shape(4, 2, 4));
    rig.set(tl::csr::store_stride, 0);
    rig.fill(1, [](unsigned i) { return i / 8 + 1; });
    ASSERT_TRUE(rig.accepts(tl::store(1, 2, 0), 0x100));
    for (unsigned i = 0; i < 8; ++i) EXPECT_EQ(rig.memory.l0m[0x100 + i], 4u);
    rig.set(tl::csr::store_mask, 0x7);
    ASSERT_TRUE(rig.accepts(tl::mstore(1, 2, 0), 0x100));
    for (unsigned i = 0; i < 8; ++i) EXPECT_EQ(rig.memory.l0m[0x100 + i], 3u);
}

TEST(tensorload_rows, slices_that_a_store_masks_off_are_not_touched_in_memory) {
    tensorload_rig rig;
    rig.set_block(int8, shape(4, 2, 4));
    rig.set(tl::csr::store_mask, 0x9);
    std::fill(rig.memory.l0m.begin(), rig.memory.l0m.end(), static_cast<unsigned char>(0xee));
    rig.fill(1, [](unsigned i) { return i; });
    ASSERT_TRUE(rig.accepts(tl::mstore(1, 2, 0), 0x100));
    for (unsigned i = 0; i < 40; ++i)
        EXPECT_EQ(rig.memory.l0m[0x100 + i], i < 8 || (i >= 24 && i < 32) ? i : 0xeeu) << i;
}

// --- tl.addi --------------------------------------------------------------------------------------------

TEST(tensorload_rows, C42_addi_sign_extends_its_immediate_and_clamps_to_the_element) {
    struct width {
        std::uint32_t type;
        std::int64_t low, high;
    };
    for (const auto& [type, low, high] :
         {width{int8, -128, 127}, width{int16, -32768, 32767}, width{int32, -2147483648LL, 2147483647}}) {
        const unsigned bytes = type == int8 ? 1 : type == int16 ? 2 : 4;
        for (const int addend : {-128, -5, 0, 1, 127})
            for (const std::int64_t value :
                 {low, low + 3, std::int64_t{-1}, std::int64_t{0}, std::int64_t{100}, high - 3, high}) {
                tensorload_rig rig;
                rig.set(tl::csr::ttype, type);
                rig.fill(1, [&, v = value](unsigned i) {
                    return static_cast<unsigned>(v >> 8 * (i % bytes) & 255);
                });
                ASSERT_TRUE(rig.accepts(tl::addi(2, 1, addend)));
                const std::int64_t sum = std::min(std::max(value + addend, low), high);
                for (unsigned i = 0; i < 1024; ++i)
                    ASSERT_EQ(rig.byte(2, i), static_cast<unsigned>(sum >> 8 * (i % bytes) & 255))
                        << value << " + " << addend;
            }
    }
}

TEST(tensorload_rows, addi_works_on_the_whole_register_whatever_the_shape) {
    tensorload_rig rig; // tshape is zero
    ASSERT_TRUE(rig.accepts(tl::addi(1, 0, 50)));
    for (unsigned i = 0; i < 1024; ++i) ASSERT_EQ(rig.byte(1, i), 50u);
}

// --- tl.concat, tl.merge --------------------------------------------------------------------------------

TEST(tensorload_rows, C28_concat_packs_the_valid_positions_of_both_sources_along_every_axis) {
    const std::array<unsigned, 3> size{4, 6, 5};
    for (unsigned axis = 0; axis < 3; ++axis) {
        tensorload_rig rig;
        rig.set_block(int8, shape(4, 6, 5));
        rig.set(tl::csr::tmask_concat_1, 0x9); // positions 0 and 3
        rig.set(tl::csr::tmask_concat_2, 0x2); // position 1
        rig.fill(1, [](unsigned i) { return i; });
        rig.fill(2, [](unsigned i) { return 255 - i; });
        rig.fill(3, [](unsigned) { return 0xeeu; });
        ASSERT_TRUE(rig.accepts(tl::concat(axis, 3, 1, 2)));
        for (unsigned i = 0; i < 4; ++i)
            for (unsigned j = 0; j < 6; ++j)
                for (unsigned k = 0; k < 5; ++k) {
                    std::array<unsigned, 3> at{i, j, k};
                    const unsigned r = at[axis];
                    unsigned expected = 0; // positions that are not filled
                    if (r < 3) {
                        at[axis] = std::array<unsigned, 3>{0, 3, 1}[r];
                        expected = element(rig, r < 2 ? 1 : 2, 6, 5, at[0], at[1], at[2]);
                    }
                    ASSERT_EQ(element(rig, 3, 6, 5, i, j, k), expected) << axis << ": " << i << j << k;
                }
        for (unsigned i = size[0] * size[1] * size[2]; i < 1024; ++i) ASSERT_EQ(rig.byte(3, i), 0xeeu);
    }
}

TEST(tensorload_rows, C27_merge_selects_by_the_coordinate_along_its_axis) {
    for (unsigned axis = 0; axis < 3; ++axis) {
        tensorload_rig rig;
        rig.set_block(int8, shape(3, 4, 5));
        rig.set(tl::csr::tmask_concat_1, 0x5);
        rig.fill(1, [](unsigned) { return 1u; });
        rig.fill(2, [](unsigned) { return 2u; });
        ASSERT_TRUE(rig.accepts(tl::merge(axis, 3, 1, 2)));
        for (unsigned i = 0; i < 3; ++i)
            for (unsigned j = 0; j < 4; ++j)
                for (unsigned k = 0; k < 5; ++k) {
                    const unsigned coordinate = std::array<unsigned, 3>{i, j, k}[axis];
                    ASSERT_EQ(element(rig, 3, 4, 5, i, j, k), coordinate == 0 || coordinate == 2 ? 1u : 2u);
                }
        for (unsigned i = 60; i < 1024; ++i) ASSERT_EQ(rig.byte(3, i), 0u);
    }
}

TEST(tensorload_rows, C26_merge_ignores_the_second_mask) {
    tensorload_rig rig;
    rig.set_block(int8, shape(4, 1, 1));
    rig.set(tl::csr::tmask_concat_1, 0x3);
    rig.set(tl::csr::tmask_concat_2, 0xc);
    rig.fill(1, [](unsigned) { return 1u; });
    rig.fill(2, [](unsigned) { return 2u; });
    ASSERT_TRUE(rig.accepts(tl::merge(0, 3, 1, 2)));
    EXPECT_EQ(rig.byte(3, 1), 1u);
    EXPECT_EQ(rig.byte(3, 2), 2u);
}

TEST(tensorload_rows, C29_a_growing_join_is_two_loads_with_partial_masks_into_a_larger_shape) {
    // Two blocks of 2 x 4 x 4 become one of 4 x 4 x 4 by loads, since a concatenation keeps its shape.
    tensorload_rig rig;
    rig.set_block(int8, shape(4, 4, 4));
    rig.set(tl::csr::tmask_concat_1, 0x3);
    rig.set(tl::csr::load_mask, 0x3);
    ASSERT_TRUE(rig.accepts(tl::mload(1, 2, 0), 0x100));
    rig.set(tl::csr::load_mask, 0xc);
    ASSERT_TRUE(rig.accepts(tl::mload(2, 2, -2), 0x800));
    ASSERT_TRUE(rig.accepts(tl::merge(0, 3, 1, 2)));
    for (unsigned i = 0; i < 32; ++i) {
        ASSERT_EQ(rig.byte(3, i), rig.memory.l1m[0x100 + i]);
        ASSERT_EQ(rig.byte(3, 32 + i), rig.memory.l1m[0x800 + i]);
    }
}

TEST(tensorload_rows, C29_under_concat_grow_a_longer_result_has_a_longer_axis) {
    tensorload_rig rig([](tensorload_parameters& p) { p.concat_grow = true; });
    rig.set_block(int8, shape(2, 4, 3));
    rig.set(tl::csr::tmask_concat_1, 0xf);
    rig.set(tl::csr::tmask_concat_2, 0x6);
    rig.fill(1, [](unsigned i) { return i; });
    rig.fill(2, [](unsigned i) { return 100 + i; });
    rig.fill(3, [](unsigned) { return 0xeeu; });
    ASSERT_TRUE(rig.accepts(tl::concat(1, 3, 1, 2)));
    const unsigned source_of[6] = {1, 1, 1, 1, 2, 2}, position_of[6] = {0, 1, 2, 3, 1, 2};
    for (unsigned i = 0; i < 2; ++i)
        for (unsigned j = 0; j < 6; ++j)
            for (unsigned k = 0; k < 3; ++k)
                ASSERT_EQ(element(rig, 3, 6, 3, i, j, k),
                          element(rig, source_of[j], 4, 3, i, position_of[j], k));
    EXPECT_EQ(rig.byte(3, 36), 0xeeu);
    EXPECT_EQ(rig.get(tl::csr::tshape), shape(2, 4, 3));
    rig.set(tl::csr::tshape, shape(16, 16, 4)); // 1024 bytes cannot grow
    rig.set(tl::csr::tmask_concat_1, 0xffff);
    EXPECT_FALSE(rig.accepts(tl::concat(1, 3, 1, 2)));
}

TEST(tensorload_rows, C29_under_concat_grow_a_short_result_still_has_the_shape_of_its_sources) {
    tensorload_rig rig([](tensorload_parameters& p) { p.concat_grow = true; });
    rig.set_block(int8, shape(4, 2, 2));
    rig.set(tl::csr::tmask_concat_1, 0x4);
    rig.set(tl::csr::tmask_concat_2, 0x0);
    rig.fill(1, [](unsigned i) { return i + 1; });
    rig.fill(3, [](unsigned) { return 0xeeu; });
    ASSERT_TRUE(rig.accepts(tl::concat(0, 3, 1, 2)));
    for (unsigned i = 0; i < 20; ++i) EXPECT_EQ(rig.byte(3, i), i < 4 ? 9 + i : i < 16 ? 0u : 0xeeu) << i;
}

TEST(tensorload_rows, a_destination_may_be_a_source) {
    for (const unsigned destination : {1u, 2u, 3u}) {
        tensorload_rig rig;
        rig.set_block(int16, shape(8, 8, 8));
        rig.set(tl::csr::tmask_concat_1, 0xaa);
        rig.set(tl::csr::tmask_concat_2, 0x0f);
        for (unsigned axis = 0; axis < 3; ++axis)
            for (const bool join : {false, true}) {
                rig.fill(1, [](unsigned i) { return i * 5 + i / 256; });
                rig.fill(2, [](unsigned i) { return i * 3 + i / 128; });
                const auto make = [&](unsigned to) {
                    return join ? tl::concat(axis, to, 1, 2) : tl::merge(axis, to, 1, 2);
                };
                ASSERT_TRUE(rig.accepts(make(10)));
                ASSERT_TRUE(rig.accepts(make(destination)));
                EXPECT_EQ(rig.core.tensor(destination), rig.core.tensor(10));
            }
    }
}

} // namespace
} // namespace sfpu::test
