// How a slice of 32 cells lies in storage, compiled once for each vector instruction set (see
// dst_storage.cpp).
//
// Lane n of a slice lies in row n / 8 of four rows and in pair n % 8. Rows of a slice are contiguous in
// storage, so the 32 pairs of a slice are 32 consecutive words.
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
using vectors::HWY_NAMESPACE::words;

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

/// Pairs with the lower or the upper half of a value in the cell that is written: the even one of all lanes,
struct even_cells {
    HWY_INLINE words lower(unsigned, words pair, words value) const { return halves(pair, value); }
    HWY_INLINE words upper(unsigned, words pair, words value) const {
        return halves(pair, hn::ShiftRight<16>(value));
    }
};
/// the odd one of all lanes,
struct odd_cells {
    HWY_INLINE words lower(unsigned, words pair, words value) const {
        return halves(hn::ShiftLeft<16>(value), pair);
    }
    HWY_INLINE words upper(unsigned, words pair, words value) const { return halves(value, pair); }
};
/// or of each lane of `where` the one that `odd` says.
struct any_cells {
    lane_mask odd, where;
    HWY_INLINE words lower(unsigned n, words pair, words value) const {
        return choose(n, pair, odd_cells{}.lower(n, pair, value), even_cells{}.lower(n, pair, value));
    }
    HWY_INLINE words upper(unsigned n, words pair, words value) const {
        return choose(n, pair, odd_cells{}.upper(n, pair, value), even_cells{}.upper(n, pair, value));
    }
    HWY_INLINE words choose(unsigned n, words pair, words in_odd, words in_even) const {
        return choose_lanes(where, n, choose_lanes(odd, n, in_odd, in_even), pair);
    }
};

/// Calls write with the one of the three that fits.
template <class Write>
HWY_INLINE void with_cells(lane_mask odd, lane_mask where, Write write) {
    if (where == all_lanes && odd == 0) write(even_cells{});
    else if (where == all_lanes && odd == all_lanes) write(odd_cells{});
    else write(any_cells{odd, where});
}

void write16(pairs* to, lane_mask odd, lane_mask where, const lanes& values) {
    with_cells(odd, where, [&](auto cells) {
        each_vector(to, [&](unsigned n) { return cells.lower(n, at(to, n), at(values.v, n)); });
    });
}

void write32(pairs* upper, lane_mask odd, lane_mask where, const lanes& values) {
    pairs* lower = upper + to_lower_halves;
    with_cells(odd, where, [&](auto cells) {
        each_vector(upper, [&](unsigned n) {
            const words value =
                at(values.v, n); // read once for both: the compiler takes the stores for ones to it
            hn::StoreU(cells.lower(n, at(lower, n), value), tag, lower + n);
            return cells.upper(n, at(upper, n), value);
        });
    });
}

slice_moves all_moves() { return {read16, read32, write16, write32}; }

} // namespace HWY_NAMESPACE
} // namespace sfpu::dst
HWY_AFTER_NAMESPACE();

#endif
