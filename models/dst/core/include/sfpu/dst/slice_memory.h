// What the load and the store sub-unit need of a Dst: one slice of 4 rows x 8 columns at a time, 32 cells.
// Plain C++.
#pragma once

#include <sfpu/common/types.h>

#include <cstdint>

namespace sfpu::dst {

/// Which cells an access moves, and when.
struct slice {
    cycles at{};            ///< the cycle of the access
    std::int64_t word = -1; ///< program word, for diagnostics
    unsigned row = 0; ///< first of the four rows, 0 to 1020, a multiple of 4, as the program numbers them
    lane_mask odd_columns = 0;   ///< lanes that use the odd column of their pair
    lane_mask lanes = all_lanes; ///< stores: lanes that are written
    bool wide = false;           ///< 32-bit cells, each in two rows of storage, else 16-bit cells
    dst_row_mapping rows;        ///< how `row` is to be understood
};

/// Data are 32 lanes of 32 bits: 16-bit cells zero-extended, or 32-bit cells with the high half on top.
/// Accesses come in the order of their cycles; among those of one cycle loads come first.
class slice_memory {
public:
    virtual void load(const slice& access, lanes& data) = 0;
    virtual void store(const slice& access, const lanes& data) = 0;

protected:
    ~slice_memory() = default;
};

} // namespace sfpu::dst
