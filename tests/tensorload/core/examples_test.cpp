// tl.xpose, and the worked examples of the description of the instruction set (tensorload.md A9 where they
// are unclear).
#include "tensorload_rig.h"

#include <array>
#include <utility>

namespace sfpu::test {
namespace {

// --- tl.xpose -------------------------------------------------------------------------------------------

/// Fills two registers with a tensor of 2048 different 16-bit numbers, split into low and high bytes over two
/// passes.
void expect_exchange(unsigned p, unsigned q, const std::array<unsigned, 4>& d) {
    for (const unsigned shift : {0u, 8u}) {
        tensorload_rig rig;
        const auto number = [&](unsigned i) { return i >> shift & 255; };
        rig.fill(1, [&](unsigned i) { return number(i); });
        rig.fill(2, [&](unsigned i) { return number(1024 + i); });
        ASSERT_TRUE(rig.accepts(tl::xpose(p, q, 1, 2, 3), dims(d[0], d[1], d[2], d[3])));
        std::array<unsigned, 4> e = d, at{};
        std::swap(e[p], e[q]);
        for (at[0] = 0; at[0] < d[0]; ++at[0])
            for (at[1] = 0; at[1] < d[1]; ++at[1])
                for (at[2] = 0; at[2] < d[2]; ++at[2])
                    for (at[3] = 0; at[3] < d[3]; ++at[3]) {
                        std::array<unsigned, 4> to = at;
                        std::swap(to[p], to[q]);
                        const unsigned from_index = ((at[0] * d[1] + at[1]) * d[2] + at[2]) * d[3] + at[3];
                        const unsigned to_index = ((to[0] * e[1] + to[1]) * e[2] + to[2]) * e[3] + to[3];
                        ASSERT_EQ(rig.byte(1 + to_index / 1024, to_index % 1024), number(from_index));
                    }
    }
}

TEST(tensorload_rows, C18_a_transpose_has_its_low_half_in_the_first_register_for_all_axes) {
    for (unsigned p = 0; p < 4; ++p)
        for (unsigned q = p + 1; q < 4; ++q)
            for (const auto& d :
                 {std::array<unsigned, 4>{8, 16, 8, 2}, {2, 16, 2, 32}, {128, 1, 16, 1}, {4, 8, 4, 16}})
                expect_exchange(p, q, d);
}

TEST(tensorload_rows, C16_a_transpose_moves_bytes_whatever_the_type) {
    for (const std::uint32_t type : {0u, int16, int32, fp32}) {
        tensorload_rig rig;
        rig.set(tl::csr::ttype, type);
        rig.fill(1, [](unsigned i) { return i; });
        rig.fill(2, [](unsigned i) { return i + 7; });
        ASSERT_TRUE(rig.accepts(tl::xpose(0, 3, 1, 2, 3), dims(2, 32, 16, 2)));
        EXPECT_EQ(rig.byte(1, 1), 7u); // (0, 0, 0, 1) of the result is (1, 0, 0, 0) of the source
    }
}

TEST(tensorload_rows, C16_under_the_option_a_transpose_moves_elements_of_ttype) {
    tensorload_rig rig([](tensorload_parameters& p) { p.xpose_elem_from_ttype = true; });
    rig.set(tl::csr::ttype, bf16);
    EXPECT_FALSE(rig.accepts(tl::xpose(0, 1, 1, 2, 3), dims(8, 16, 8, 2))); // 2048 elements are too many
    rig.fill(1, [](unsigned i) { return i; });
    rig.fill(2, [](unsigned i) { return 255 - i; });
    ASSERT_TRUE(rig.accepts(tl::xpose(0, 1, 1, 2, 3), dims(2, 128, 4, 1)));
    for (unsigned i = 0; i < 1024; ++i) { // runs of four elements, from the two halves in turn
        const unsigned run = i / 8, from = run / 2 * 8 + i % 8;
        ASSERT_EQ(rig.byte(1, i), (run % 2 ? 255 - from : from) & 255) << i;
    }
    rig.set(tl::csr::ttype, 0);
    EXPECT_FALSE(rig.accepts(tl::xpose(0, 1, 1, 2, 3), dims(2, 128, 4, 1)));
    EXPECT_EQ(rig.core.last_trap(), tl::describe(tl::refusal::element_type));
}

TEST(tensorload_rows, C19_dimensions_have_their_first_size_in_the_low_byte_and_shapes_in_the_high_one) {
    expect_exchange(0, 1,
                    {0x02081008 & 255, 0x02081008 >> 8 & 255, 0x02081008 >> 16 & 255, 0x02081008 >> 24});
    EXPECT_EQ(dims(8, 16, 8, 2), 0x02081008u);
    EXPECT_EQ(dims(16, 8, 8, 2), 0x02080810u);
    tensorload_rig rig;
    rig.set_block(int8, 0x081004); // [8, 16, 4]: slices of 64 bytes
    rig.set(tl::csr::load_mask, 0x1);
    ASSERT_TRUE(rig.accepts(tl::mload(1, 2, 0)));
    EXPECT_NE(rig.byte(1, 63), 0u);
    EXPECT_EQ(rig.byte(1, 64), 0u);
}

TEST(tensorload_rows, a_transpose_twice_is_the_identity) {
    for (unsigned p = 0; p < 4; ++p)
        for (unsigned q = p + 1; q < 4; ++q) {
            tensorload_rig rig;
            rig.fill(1, [](unsigned i) { return i * 7 + i / 256; });
            rig.fill(2, [](unsigned i) { return i * 11 + i / 256; });
            const auto low = rig.core.tensor(1), high = rig.core.tensor(2);
            std::array<unsigned, 4> d{4, 16, 8, 4};
            ASSERT_TRUE(rig.accepts(tl::xpose(p, q, 1, 2, 3), dims(d[0], d[1], d[2], d[3])));
            std::swap(d[p], d[q]);
            ASSERT_TRUE(rig.accepts(tl::xpose(p, q, 1, 2, 3), dims(d[0], d[1], d[2], d[3])));
            EXPECT_EQ(rig.core.tensor(1), low);
            EXPECT_EQ(rig.core.tensor(2), high);
        }
}

TEST(tensorload_rows, a_transpose_brings_a_row_major_bf16_tile_into_face_order) {
    // 32 x 32 elements of two bytes. Face order: four faces of 16 x 16, row by row of faces.
    tensorload_rig rig;
    const auto tile_byte = [](unsigned i) { return i / 2 * 37 + i % 2 * 101 + i / 256; };
    rig.fill(1, [&](unsigned i) { return tile_byte(i); });
    rig.fill(2, [&](unsigned i) { return tile_byte(1024 + i); });
    ASSERT_TRUE(rig.accepts(tl::xpose(1, 2, 1, 2, 3), 0x20021002)); // [2, 16, 2, 32]
    unsigned next = 0;
    for (unsigned face_row = 0; face_row < 2; ++face_row)
        for (unsigned face_column = 0; face_column < 2; ++face_column)
            for (unsigned row = 0; row < 16; ++row)
                for (unsigned byte = 0; byte < 32; ++byte, ++next) {
                    const unsigned from = (face_row * 16 + row) * 64 + face_column * 32 + byte;
                    ASSERT_EQ(rig.byte(1 + next / 1024, next % 1024), tile_byte(from) % 256);
                }
}

// --- worked examples ------------------------------------------------------------------------------------

TEST(tensorload_examples, section_5_1_exchanges_axes_of_tensors_of_four_dimensions) {
    expect_exchange(0, 1, {8, 16, 8, 2}); // x10 = 0x02081008, in registers that are not tl0 (row C20)
    expect_exchange(2, 3, {16, 8, 8, 2}); // x11 = 0x02080810
}

TEST(tensorload_examples, section_5_2_row_C24_joins_positions_2_and_3_with_positions_0_and_1) {
    tensorload_rig rig;
    rig.set_block(int8, shape(8, 8, 4));
    rig.set(tl::csr::tmask_concat_1, 0xc);
    rig.set(tl::csr::tmask_concat_2, 0x3);
    rig.fill(11, [](unsigned i) { return i % 4 + 10; });
    rig.fill(12, [](unsigned i) { return i % 4 + 20; });
    ASSERT_TRUE(rig.accepts(0xc4c5955bu)); // tl.concat.2 tl10, tl11, tl12
    const std::array<unsigned, 4> expected{12, 13, 20, 21};
    for (unsigned i = 0; i < 256; ++i) ASSERT_EQ(rig.byte(10, i), expected[i % 4]);
}

TEST(tensorload_examples,
     section_5_2_rows_C25_C30_merges_odd_slices_of_the_first_with_even_ones_of_the_second) {
    tensorload_rig rig;
    rig.set_block(int8, shape(8, 16, 8));
    rig.set(tl::csr::tmask_concat_1, 0xaa);
    rig.fill(14, [](unsigned) { return 1u; });
    rig.fill(15, [](unsigned) { return 2u; });
    ASSERT_TRUE(rig.accepts(0xc8f716dbu)); // tl.merge.0 tl13, tl14, tl15
    for (unsigned i = 0; i < 1024; ++i) ASSERT_EQ(rig.byte(13, i), i / 128 % 2 ? 1u : 2u);
}

TEST(tensorload_examples, section_5_3_fills_a_register_with_50_without_set_up) {
    tensorload_rig rig;
    ASSERT_TRUE(rig.accepts(0x432020dbu)); // tl.addi tl1, tl0, 50
    for (unsigned i = 0; i < 1024; ++i) ASSERT_EQ(rig.byte(1, i), 50u);
}

TEST(tensorload_examples, section_5_4_row_C23_mask_CC_loads_slices_2_3_6_and_7) {
    tensorload_rig rig;
    rig.set_block(int8, shape(8, 32, 4));
    rig.set(tl::csr::load_mask, 0xcc);
    ASSERT_TRUE(rig.accepts(0x1000875bu, 0x1000)); // tl.mload tl1, 0(x14)
    for (unsigned i = 0; i < 1024; ++i) {
        const unsigned slice = i / 128;
        const bool loaded = slice == 2 || slice == 3 || slice == 6 || slice == 7;
        ASSERT_EQ(rig.byte(1, i), loaded ? rig.memory.l1m[0x1000 + i] : 0u);
    }
}

TEST(tensorload_examples, section_5_4_row_C36_a_full_load_reads_the_whole_block) {
    tensorload_rig rig;
    rig.set_block(int8, shape(8, 32, 4));
    ASSERT_TRUE(rig.accepts(tl::load(2, 14, 0), 0x2000));
    for (unsigned i = 0; i < 1024; ++i) ASSERT_EQ(rig.byte(2, i), rig.memory.l1m[0x2000 + i]);
}

TEST(tensorload_examples, section_5_6_row_C37_mask_0F_stores_the_first_four_slices) {
    tensorload_rig rig;
    rig.set_block(int8, shape(8, 32, 4));
    rig.set(tl::csr::store_mask, 0x0f);
    rig.fill(4, [](unsigned i) { return i / 128 + 1; });
    ASSERT_TRUE(rig.accepts(tl::mstore(4, 20, 0), 0x4000));
    for (unsigned i = 0; i < 1024; ++i) ASSERT_EQ(rig.memory.l0m[0x4000 + i], i < 512 ? i / 128 + 1 : 0u);
    ASSERT_TRUE(rig.accepts(tl::store(4, 20, 0), 0x4000));
    for (unsigned i = 0; i < 1024; ++i) ASSERT_EQ(rig.memory.l0m[0x4000 + i], i / 128 + 1);
}

TEST(tensorload_examples, section_2_1_3_row_C52_mask_1_of_a_block_of_two_is_its_first_slice) {
    tensorload_rig rig;
    rig.set_block(int8, shape(2, 2, 4));
    rig.set(tl::csr::tmask_ls, 0x1);
    ASSERT_TRUE(rig.accepts(tl::mload(1, 2, 0), 0x10));
    for (unsigned i = 0; i < 16; ++i) ASSERT_EQ(rig.byte(1, i), i < 8 ? rig.memory.l1m[0x10 + i] : 0u);
}

} // namespace
} // namespace sfpu::test
