// Where rows of typed data lie, and how many have places of their own.
#include <sfpu/analysis/tensor_layout.h>

#include <gtest/gtest.h>

#include <set>
#include <utility>

namespace sfpu::analysis {
namespace {

isa::thread_state thread() {
    isa::thread_state state;
    state.reset(architecture::blackhole);
    return state;
}

TEST(tensor_layout, of_16_bit_cells_has_places_for_512_rows) {
    EXPECT_FALSE(first_shared_place(0, 512, false, thread()));
    const auto shared = first_shared_place(0, 513, false, thread());
    ASSERT_TRUE(shared);
    EXPECT_EQ(shared->row, 512u);
    EXPECT_EQ(shared->earlier, 0u);
}

/// Bits 8:3 of an address are doubled and bit 9 stays (docs/assembly.md), so that address 512 is where
/// address 256 is.
TEST(tensor_layout, of_32_bit_cells_has_places_for_256_rows) {
    for (const unsigned address : {0u, 2u, 64u}) {
        const unsigned rows = (512 - address) / 2;
        EXPECT_FALSE(first_shared_place(address, rows, true, thread())) << address;
        const auto shared = first_shared_place(address, rows + 1, true, thread());
        ASSERT_TRUE(shared) << address;
        EXPECT_EQ(shared->row, rows) << address;
        EXPECT_EQ(shared->earlier, (256 - address) / 2) << address;
    }
    EXPECT_EQ(to_text({256, 0}, isa::data_type::i32),
              "row 256 lies where row 0 does; Dst has place for 256 rows of type i32");
    EXPECT_EQ(to_text({512, 0}, isa::data_type::u16),
              "row 512 lies where row 0 does; Dst has place for 512 rows of type u16");
}

TEST(tensor_layout, of_a_row_is_32_cells_that_hold_what_was_written) {
    for (const bool wide : {false, true}) {
        platform::dst_rows rows;
        const dst_slice slice = slice_of_row(2, 1, wide, thread()); // as a load of address 4
        EXPECT_EQ(slice, slice_of_row(4, 0, wide, thread()));
        for (unsigned lane = 0; lane < lane_count; ++lane)
            write_cell(rows, slice, lane, 0x12340000u * wide + lane + 1);
        platform::dst_image image{};
        std::size_t cells = 0;
        for (const auto& [row, values] : rows) {
            image[row] = values;
            for (const std::uint16_t value : values) cells += value != 0;
        }
        EXPECT_EQ(cells, wide ? 64u : 32u);
        for (unsigned lane = 0; lane < lane_count; ++lane)
            EXPECT_EQ(read_cell(image, slice, lane), 0x12340000u * wide + lane + 1);
    }
}

} // namespace
} // namespace sfpu::analysis
