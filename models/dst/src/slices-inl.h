// How a slice of 32 cells lies in storage, compiled once for each vector instruction set (see dst_storage.cpp).
//
// Lane n of a slice lies in row n / 8 of four rows and in pair n % 8. Rows of a slice are contiguous in storage, so the
// 32 pairs of a slice are 32 consecutive words.
#if defined(SFPU_DST_SLICES_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef SFPU_DST_SLICES_INL_H
#undef SFPU_DST_SLICES_INL_H
#else
#define SFPU_DST_SLICES_INL_H
#endif

#include <sfpu/common/word_vectors-inl.h>

HWY_BEFORE_NAMESPACE();
namespace sfpu::dst {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using vectors::HWY_NAMESPACE::at;
using vectors::HWY_NAMESPACE::choose_lanes;
using vectors::HWY_NAMESPACE::each_vector;
using vectors::HWY_NAMESPACE::halves;
using vectors::HWY_NAMESPACE::tag;

using pairs = std::uint32_t;

void read16(const pairs* from, lane_mask odd, lanes& out) {
    const auto of_even = [=](unsigned n) { return halves(hn::Zero(tag), at(from, n)); };
    const auto of_odd = [=](unsigned n) { return hn::ShiftRight<16>(at(from, n)); };
    if (odd == 0) each_vector(out.v, of_even);
    else if (odd == all_lanes) each_vector(out.v, of_odd);
    else each_vector(out.v, [=](unsigned n) { return choose_lanes(odd, n, of_odd(n), of_even(n)); });
}

/// The lower halves of 32-bit cells lie eight rows below the upper ones.
constexpr unsigned to_lower_halves = 8 * pairs_per_row;

void read32(const pairs* upper, lane_mask odd, lanes& out) {
    const pairs* lower = upper + to_lower_halves;
    const auto of_even = [=](unsigned n) { return halves(hn::ShiftLeft<16>(at(upper, n)), at(lower, n)); };
    const auto of_odd = [=](unsigned n) { return halves(at(upper, n), hn::ShiftRight<16>(at(lower, n))); };
    if (odd == 0) each_vector(out.v, of_even);
    else if (odd == all_lanes) each_vector(out.v, of_odd);
    else each_vector(out.v, [=](unsigned n) { return choose_lanes(odd, n, of_odd(n), of_even(n)); });
}

/// Puts the lower halves of the values into the cells of lanes `where`.
template <class Value>
HWY_INLINE void write_cells(pairs* to, lane_mask odd, lane_mask where, Value value) {
    const auto with_even = [=](unsigned n) { return halves(at(to, n), value(n)); };
    const auto with_odd = [=](unsigned n) { return halves(hn::ShiftLeft<16>(value(n)), at(to, n)); };
    if (where == all_lanes && odd == 0) each_vector(to, with_even);
    else if (where == all_lanes && odd == all_lanes) each_vector(to, with_odd);
    else
        each_vector(to, [=](unsigned n) {
            return choose_lanes(where, n, choose_lanes(odd, n, with_odd(n), with_even(n)), at(to, n));
        });
}

void write16(pairs* to, lane_mask odd, lane_mask where, const lanes& values) {
    write_cells(to, odd, where, [&](unsigned n) { return at(values.v, n); });
}

void write32(pairs* upper, lane_mask odd, lane_mask where, const lanes& values) {
    write_cells(upper, odd, where, [&](unsigned n) { return hn::ShiftRight<16>(at(values.v, n)); });
    write_cells(upper + to_lower_halves, odd, where, [&](unsigned n) { return at(values.v, n); });
}

slice_moves all_moves() { return {read16, read32, write16, write32}; }

} // namespace HWY_NAMESPACE
} // namespace sfpu::dst
HWY_AFTER_NAMESPACE();

#endif
