// The paths of nearly all accesses, for whoever calls them directly. Included by dst_core.h.
#pragma once

#include <sfpu/dst/dst_core.h>

namespace sfpu::dst {

namespace detail {

/// The first row of storage of a slice: by its form (wide, remap_addrs, swizzle_32b, upper halves, a bit
/// each) and its row / 4.
using first_row_table = std::array<std::array<std::uint16_t, row_count / 4>, 16>;
constexpr first_row_table make_first_rows() {
    first_row_table result{};
    for (unsigned form = 0; form < result.size(); ++form) {
        const bool wide = form & 9, remap_addrs = form & 2, swizzle_32b = form & 4;
        for (unsigned group = 0; group < row_count / 4; ++group)
            result[form][group] = static_cast<std::uint16_t>(
                wide ? adjust32(4 * group, remap_addrs, swizzle_32b) : adjust16(4 * group, remap_addrs));
    }
    return result;
}
inline constexpr first_row_table first_rows = make_first_rows();

} // namespace detail

/// Where the cells of an access are in storage, by row group (row / 4).
struct dst_core::place {
    unsigned first_row;
    lane_mask odd_columns;
    bool wide;

    /// `upper_halves`: as set_upper_halves() has it.
    explicit place(const slice& access, bool upper_halves = false)
        : first_row(detail::first_rows[form_of(access) + 8u * upper_halves][access.row / 4]),
          odd_columns(access.odd_columns), wide(access.wide) {}

    /// Calls f(half, group) for each piece: one or two row groups, one or two halves of columns, nearly
    /// always one.
    template <class F>
    void for_each(F f) const {
        if (odd_columns == 0) in_half(0, f);
        else if (odd_columns == all_lanes) in_half(1, f);
        else in_both_halves(f);
    }

private:
    static unsigned form_of(const slice& access) {
        return access.wide + 2u * access.rows.remap_addrs + 4u * access.rows.swizzle_32b;
    }
    template <class F>
    void in_half(unsigned half, F f) const {
        f(half, first_row / 4);
        if (wide) f(half, first_row / 4 + 2);
    }
    template <class F>
    void in_both_halves(F f) const {
        const unsigned groups = wide ? 2 : 1;
        for (unsigned n = 0; n < 2 * groups; ++n) f(n % 2, first_row / 4 + n / 2 * 2);
    }
};

inline void dst_core::read(const place& where, lanes& data) const {
    if (where.wide) storage_.read32(where.first_row, where.odd_columns, data);
    else storage_.read16(where.first_row, where.odd_columns, data);
}

[[gnu::always_inline]] inline void dst_core::load_here(const slice& access, lanes& data) {
    ++reads_;
    const place where(access, upper_halves_);
    if (access.at < careful_until_ || may_be_close(where, access.at)) load_with_care(access, data);
    else read(where, data);
}

/// False if no piece of the slice was stored so recently that it matters; quickly found if all lanes are in
/// one half.
inline bool dst_core::may_be_close(const place& where, cycles at) const {
    const auto is_recent = [&](const auto& stored) {
        const unsigned group = where.first_row / 4;
        const cycles since = at - warned_;
        return stored[group] >= since || (where.wide && stored[group + 2] >= since);
    };
    if (where.odd_columns == 0) return is_recent(last_store_[0]);
    return where.odd_columns != all_lanes || is_recent(last_store_[1]);
}

inline void dst_core::write_now(const place& where, const slice& access, const lanes& data) {
    if (access.wide) storage_.write32(where.first_row, access.odd_columns, access.lanes, data);
    else storage_.write16(where.first_row, access.odd_columns, access.lanes, data);
}

[[gnu::always_inline]] inline void dst_core::store_here(const slice& access, const lanes& data) {
    ++writes_;
    const place where(access, upper_halves_);
    where.for_each([this, at = access.at](unsigned half, unsigned group) { last_store_[half][group] = at; });
    if (immediate_) write_now(where, access, data);
    else delay_store(access, data);
}

} // namespace sfpu::dst
