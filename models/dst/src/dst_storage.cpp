#include <sfpu/dst/dst_storage.h>

namespace sfpu::dst {
namespace {

/// Lane n of a slice lies in row n / 8 of four rows and in pair n % 8. Rows of a slice are contiguous in storage, so
/// the 32 pairs of a slice are 32 consecutive words.
using pair_words = std::uint32_t;

void gather(const pair_words* pairs, lane_mask odd, lanes& out) {
    if (odd == 0) {
        for (unsigned n = 0; n < lane_count; ++n) out.v[n] = pairs[n] & 0xffffu;
    } else if (odd == all_lanes) {
        for (unsigned n = 0; n < lane_count; ++n) out.v[n] = pairs[n] >> 16;
    } else {
        for (unsigned n = 0; n < lane_count; ++n)
            out.v[n] = (odd >> n & 1u) ? pairs[n] >> 16 : pairs[n] & 0xffffu;
    }
}

/// Puts the lower 16 bits of each lane into its cell.
template <class Value>
void scatter(pair_words* pairs, lane_mask odd, lane_mask where, Value value) {
    if (where == all_lanes && odd == 0) {
        for (unsigned n = 0; n < lane_count; ++n) pairs[n] = (pairs[n] & 0xffff0000u) | (value(n) & 0xffffu);
    } else if (where == all_lanes && odd == all_lanes) {
        for (unsigned n = 0; n < lane_count; ++n) pairs[n] = (pairs[n] & 0xffffu) | (value(n) << 16);
    } else {
        for (unsigned n = 0; n < lane_count; ++n) {
            if (!(where >> n & 1u)) continue;
            const unsigned shift = (odd >> n & 1u) ? 16 : 0;
            pairs[n] = (pairs[n] & ~(0xffffu << shift)) | (value(n) & 0xffffu) << shift;
        }
    }
}

} // namespace

void dst_storage::read16(unsigned row, lane_mask odd_columns, lanes& out) const {
    gather(&pairs_[row * pairs_per_row], odd_columns, out);
}

void dst_storage::write16(unsigned row, lane_mask odd_columns, lane_mask where, const lanes& in) {
    scatter(&pairs_[row * pairs_per_row], odd_columns, where, [&](unsigned n) { return in.v[n]; });
}

void dst_storage::read32(unsigned row, lane_mask odd_columns, lanes& out) const {
    const pair_words *upper = &pairs_[row * pairs_per_row], *lower = &pairs_[(row + 8) * pairs_per_row];
    if (odd_columns == 0) {
        for (unsigned n = 0; n < lane_count; ++n) out.v[n] = upper[n] << 16 | (lower[n] & 0xffffu);
    } else if (odd_columns == all_lanes) {
        for (unsigned n = 0; n < lane_count; ++n) out.v[n] = (upper[n] & 0xffff0000u) | lower[n] >> 16;
    } else {
        lanes low;
        gather(upper, odd_columns, out);
        gather(lower, odd_columns, low);
        for (unsigned n = 0; n < lane_count; ++n) out.v[n] = out.v[n] << 16 | low.v[n];
    }
}

void dst_storage::write32(unsigned row, lane_mask odd_columns, lane_mask where, const lanes& in) {
    scatter(&pairs_[row * pairs_per_row], odd_columns, where, [&](unsigned n) { return in.v[n] >> 16; });
    scatter(&pairs_[(row + 8) * pairs_per_row], odd_columns, where, [&](unsigned n) { return in.v[n]; });
}

} // namespace sfpu::dst
