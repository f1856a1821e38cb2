// Where the rows of typed data lie in Dst storage.
#pragma once

#include <sfpu/isa/data_type.h>
#include <sfpu/isa/thread_state.h>
#include <sfpu/platform/dst_rows.h>

#include <cstdint>
#include <optional>
#include <string>

namespace sfpu::analysis {

/// The 32 cells of a row of data: 4 rows of storage, their even or their odd columns. Lane n is in row n / 8,
/// column (n % 8) * 2 + odd. Of cells of 32 bits these are the upper halves; the lower ones are eight rows
/// below.
struct dst_slice {
    unsigned row = 0; ///< of storage
    bool odd = false, wide = false;

    unsigned row_of(unsigned lane) const { return row + lane / 8; }
    unsigned column_of(unsigned lane) const { return lane % 8 * 2 + (odd ? 1 : 0); }

    friend bool operator==(const dst_slice& a, const dst_slice& b) {
        return a.row == b.row && a.odd == b.odd && a.wide == b.wide;
    }
};
constexpr unsigned lower_half_distance = 8; ///< rows of storage
/// Rows of data that have places of their own: addresses have 10 bits and rows are 2 apart. Row n + 512 lies
/// where row n does.
constexpr unsigned most_places = 512;

/// The slice of a resolved Dst address (10 bits).
dst_slice slice_at(unsigned address, bool wide, const dst_row_mapping& mapping);
/// Row `row` of data at `address`, as a load with that address field finds it when the kernel starts with
/// `thread`.
dst_slice slice_of_row(unsigned address, unsigned row, bool wide, const isa::thread_state& thread);

/// Two rows of one tensor that lie on each other: Dst has not so many places.
struct shared_place {
    unsigned row = 0, earlier = 0;
};
/// The first row that lies where an earlier one does, or nothing. 16-bit cells have places for 512 rows,
/// 32-bit cells for 256.
std::optional<shared_place> first_shared_place(unsigned address, unsigned rows, bool wide,
                                               const isa::thread_state& thread);
/// "row 256 lies where row 0 does; Dst has place for 256 rows of type i32"
std::string to_text(const shared_place& what, isa::data_type type);

std::uint32_t read_cell(const platform::dst_image& dst, const dst_slice& slice, unsigned lane);
void write_cell(platform::dst_rows& dst, const dst_slice& slice, unsigned lane, std::uint32_t cell);

} // namespace sfpu::analysis
