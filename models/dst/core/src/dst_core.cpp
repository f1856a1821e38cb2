#include <sfpu/dst/dst_core.h>

#include <sfpu/timing/dst_rules.h>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>

namespace sfpu::dst {

void dst_core::reset(const parameters& config, probe::reporter* reporter) {
    config_ = config;
    reporter_ = reporter;
    storage_.clear();
    reads_ = writes_ = 0;
    delayed_.clear();
    immediate_ = config.dst_store_load_visible <= 1;
    constexpr cycles long_ago{-1000000};
    for (auto& half : last_store_) half.fill(long_ago);
    external_write_.fill(long_ago);
    unsettled_until_ = long_ago;
    careful_until_ = immediate_ ? long_ago : cycles{std::numeric_limits<std::int64_t>::max()};
}

namespace {

/// The first row of storage of a slice: by its form (wide, remap_addrs, swizzle_32b, a bit each) and its row / 4.
using first_row_table = std::array<std::array<std::uint16_t, row_count / 4>, 8>;
constexpr first_row_table make_first_rows() {
    first_row_table result{};
    for (unsigned form = 0; form < result.size(); ++form) {
        const bool wide = form & 1, remap_addrs = form & 2, swizzle_32b = form & 4;
        for (unsigned group = 0; group < row_count / 4; ++group)
            result[form][group] = static_cast<std::uint16_t>(
                wide ? adjust32(4 * group, remap_addrs, swizzle_32b) : adjust16(4 * group, remap_addrs));
    }
    return result;
}
constexpr first_row_table first_rows = make_first_rows();

} // namespace

/// Where the cells of an access are in storage, by row group (row / 4).
struct dst_core::place {
    unsigned first_row;
    lane_mask odd_columns;
    bool wide;

    explicit place(const slice& access)
        : first_row(first_rows[form_of(access)][access.row / 4]), odd_columns(access.odd_columns),
          wide(access.wide) {}

    /// Calls f(half, group) for each piece: one or two row groups, one or two halves of columns, nearly always one.
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

void dst_core::load(const slice& access, lanes& data) {
    ++reads_;
    const place where(access);
    if (access.at < careful_until_ || may_be_close(where, access.at)) load_with_care(access, data);
    else read(where, data);
}

/// False if no piece of the slice was stored so recently that it matters; quickly found if all lanes are in one half.
inline bool dst_core::may_be_close(const place& where, cycles at) const {
    const auto is_recent = [&](const auto& stored) {
        const unsigned group = where.first_row / 4;
        const cycles since = at - cycles{static_cast<std::int64_t>(config_.dst_store_load_warn)};
        return stored[group] >= since || (where.wide && stored[group + 2] >= since);
    };
    if (where.odd_columns == 0) return is_recent(last_store_[0]);
    return where.odd_columns != all_lanes || is_recent(last_store_[1]);
}

/// A load for which stores that were late have to be put in place, or of which something has to be said.
void dst_core::load_with_care(const slice& access, lanes& data) {
    if (!immediate_) apply_stores_visible_at(access.at);
    const place where(access);
    read(where, data);
    if (access.at < unsettled_until_) report_unsettled(access, where);
    if (is_close(where, access.at)) report_close_store(access, where);
}

bool dst_core::is_close(const place& where, cycles at) const {
    bool close = false;
    where.for_each([&](unsigned half, unsigned group) {
        close |= timing::store_load_too_close(last_store_[half][group], at, config_);
    });
    return close;
}

void dst_core::report_close_store(const slice& access, const place& where) {
    if (!reporter_) return;
    cycles stored{};
    where.for_each([&](unsigned half, unsigned group) {
        if (timing::store_load_too_close(last_store_[half][group], access.at, config_))
            stored = last_store_[half][group];
    });
    reporter_->report(report_id::dst_store_load_distance, access.at, access.word, [&] {
        return fmt::format("load of Dst rows {} to {} {} cycle(s) after a store to the same slice",
                           access.row, access.row + 3, (access.at - stored).count());
    });
}

void dst_core::store(const slice& access, const lanes& data) {
    ++writes_;
    const place where(access);
    where.for_each([this, at = access.at](unsigned half, unsigned group) { last_store_[half][group] = at; });
    if (immediate_) write_now(where, access, data);
    else delay_store(access, data);
}

void dst_core::delay_store(const slice& access, const lanes& data) {
    apply_stores_visible_at(access.at); // nobody can load in an earlier cycle any more
    if (delayed_.full()) delayed_.set_capacity(std::max<std::size_t>(32, 2 * delayed_.capacity()));
    delayed_.push_back({timing::store_visible_from(access.at, config_), access, data});
}

inline void dst_core::write_now(const place& where, const slice& access, const lanes& data) {
    if (access.wide) storage_.write32(where.first_row, access.odd_columns, access.lanes, data);
    else storage_.write16(where.first_row, access.odd_columns, access.lanes, data);
}

void dst_core::apply_stores_visible_at(cycles at) {
    while (!delayed_.empty() && delayed_.front().visible <= at) {
        write_now(place(delayed_.front().access), delayed_.front().access, delayed_.front().data);
        delayed_.pop_front();
    }
}

void dst_core::settle() {
    while (!delayed_.empty()) {
        write_now(place(delayed_.front().access), delayed_.front().access, delayed_.front().data);
        delayed_.pop_front();
    }
}

// --- stores from outside the vector unit -----------------------------------------------------------------------------

void dst_core::note_external_write(unsigned row, cycles at) {
    external_write_[row / 8] = at;
    unsettled_until_ = std::max(unsettled_until_, at + cycles{config_.memory.dst_window_settle});
    careful_until_ = std::max(careful_until_, unsettled_until_);
}

void dst_core::report_unsettled(const slice& access, const place& where) {
    if (!reporter_) return;
    const cycles settle{config_.memory.dst_window_settle};
    cycles written{-1};
    where.for_each([&](unsigned, unsigned group) {
        const cycles at = external_write_[group / 2];
        if (at <= access.at && access.at < at + settle) written = at;
    });
    if (written.count() < 0) return;
    reporter_->report(report_id::dst_window_write_distance, access.at, access.word, [&] {
        return fmt::format("load of Dst rows {} to {} {} cycle(s) after a store to their block from outside",
                           access.row, access.row + 3, (access.at - written).count());
    });
}

} // namespace sfpu::dst
