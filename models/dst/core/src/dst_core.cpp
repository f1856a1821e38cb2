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
    warned_ = cycles{timing::longest_reported_distance(config)};
    reporter_ = reporter;
    storage_.clear();
    upper_halves_ = false;
    reads_ = writes_ = 0;
    delayed_.clear();
    immediate_ = config.dst_store_load_visible <= 1;
    constexpr cycles long_ago{-1000000};
    for (auto& half : last_store_) half.fill(long_ago);
    external_write_.fill(long_ago);
    unsettled_until_ = long_ago;
    careful_until_ = immediate_ ? long_ago : cycles{std::numeric_limits<std::int64_t>::max()};
}

/// A load for which stores that were late have to be put in place, or of which something has to be said.
void dst_core::load_with_care(const slice& access, lanes& data) {
    if (!immediate_) apply_stores_visible_at(access.at);
    const place where(access, upper_halves_);
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

void dst_core::delay_store(const slice& access, const lanes& data) {
    apply_stores_visible_at(access.at); // nobody can load in an earlier cycle any more
    if (delayed_.full()) delayed_.set_capacity(std::max<std::size_t>(32, 2 * delayed_.capacity()));
    delayed_.push_back({timing::store_visible_from(access.at, config_), access, data});
}

void dst_core::apply_stores_visible_at(cycles at) {
    while (!delayed_.empty() && delayed_.front().visible <= at) {
        write_now(place(delayed_.front().access, upper_halves_), delayed_.front().access,
                  delayed_.front().data);
        delayed_.pop_front();
    }
}

void dst_core::settle() {
    while (!delayed_.empty()) {
        write_now(place(delayed_.front().access, upper_halves_), delayed_.front().access,
                  delayed_.front().data);
        delayed_.pop_front();
    }
}

// --- stores from outside the vector unit -------------------------------------------------------------------

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
