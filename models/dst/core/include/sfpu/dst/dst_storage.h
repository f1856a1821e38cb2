// Dst as memory: raw cells, the 16- and 32-bit views, slices. Plain C++.
//
// Source: tt-isa-documentation, Dst.
#pragma once

#include <sfpu/common/types.h>

#include <array>
#include <cstdint>
#include <cstring>

namespace sfpu::dst {

constexpr unsigned row_count = 1024;
constexpr unsigned cells_per_row = 16;
constexpr unsigned bytes = row_count * cells_per_row * 2;

/// Row of storage behind row `row` of the 16-bit view.
constexpr unsigned adjust16(unsigned row, bool remap_addrs) {
    return remap_addrs ? (row & 0x3c7u) ^ ((row & 0x030u) >> 1) ^ ((row & 0x008u) << 2) : row;
}
/// First row of storage behind row `row` of the 32-bit view: it holds the upper halves, the row 8 below the
/// lower.
constexpr unsigned adjust32(unsigned row, bool remap_addrs, bool swizzle_32b) {
    unsigned r = adjust16(row, remap_addrs);
    if (swizzle_32b) r = (r & 0x3f3u) ^ ((r & 0x018u) >> 1) ^ ((r & 0x004u) << 1);
    return ((r & 0x1f8u) << 1) | (r & 0x207u);
}

constexpr unsigned pairs_per_row = cells_per_row / 2;

/// Moves of whole slices between lanes and storage, compiled for one vector instruction set. The first
/// argument is the first pair of the slice, of its upper halves if it is wide.
struct slice_moves {
    void (*read16)(const std::uint32_t*, lane_mask odd_columns, lanes& out);
    void (*read32)(const std::uint32_t*, lane_mask odd_columns, lanes& out);
    void (*write16)(std::uint32_t*, lane_mask odd_columns, lane_mask where, const lanes& in);
    void (*write32)(std::uint32_t*, lane_mask odd_columns, lane_mask where, const lanes& in);
};
/// Those for the best vector instruction set that this processor has.
slice_moves best_slice_moves();
/// Those for the instruction set that every processor of the build target has. Only for comparing the two.
slice_moves baseline_slice_moves();

using row_cells = std::array<std::uint16_t, cells_per_row>;
using image = std::array<row_cells, row_count>; ///< the raw storage as a value

/// 1024 x 16 cells of 16 bits. Cells are kept in pairs, the even column in the lower half, which is also
/// their byte order in memory on the little-endian hosts that the project supports.
class dst_storage {
public:
    void clear() { pairs_ = {}; }

    std::uint16_t cell(unsigned row, unsigned column) const {
        return static_cast<std::uint16_t>(pairs_[row * pairs_per_row + column / 2] >> (16 * (column % 2)));
    }
    void set_cell(unsigned row, unsigned column, std::uint16_t value) {
        const unsigned shift = 16 * (column % 2);
        pairs_[row * pairs_per_row + column / 2] =
            (pairs_[row * pairs_per_row + column / 2] & ~(0xffffu << shift)) | std::uint32_t{value} << shift;
    }
    void set_row(unsigned row, const row_cells& cells) {
        std::memcpy(&pairs_[row * pairs_per_row], cells.data(), sizeof cells);
    }
    void fill(const image& rows) { std::memcpy(pairs_.data(), rows.data(), bytes); }
    void copy_to(image& rows) const { std::memcpy(rows.data(), pairs_.data(), bytes); }

    /// Four rows of storage that start at `row`: one cell for each lane, zero-extended.
    void read16(unsigned row, lane_mask odd_columns, lanes& out) const {
        moves_.read16(&pairs_[row * pairs_per_row], odd_columns, out);
    }
    void write16(unsigned row, lane_mask odd_columns, lane_mask where, const lanes& in) {
        moves_.write16(&pairs_[row * pairs_per_row], odd_columns, where, in);
    }
    /// 32-bit cells, upper halves in the rows that start at `row`.
    void read32(unsigned row, lane_mask odd_columns, lanes& out) const {
        moves_.read32(&pairs_[row * pairs_per_row], odd_columns, out);
    }
    void write32(unsigned row, lane_mask odd_columns, lane_mask where, const lanes& in) {
        moves_.write32(&pairs_[row * pairs_per_row], odd_columns, where, in);
    }

    unsigned char* data() { return reinterpret_cast<unsigned char*>(pairs_.data()); }

private:
    std::array<std::uint32_t, row_count * pairs_per_row> pairs_{};
    slice_moves moves_ = best_slice_moves();
};

} // namespace sfpu::dst
