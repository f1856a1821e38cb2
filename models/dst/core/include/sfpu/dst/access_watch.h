// Whether it matters to a program in which cycle loads see stores (T7). Plain C++.
#pragma once

#include <sfpu/dst/dst_core.h>

#include <array>

namespace sfpu::dst {

/// Passes accesses on to a Dst and looks at their distances.
class access_watch final : public slice_memory {
public:
    explicit access_watch(dst_core& to) : to_(to) { reset(); }

    void reset();
    /// Whether some load came in the cycle of a store to the same cells, or up to `farthest` cycles behind
    /// one, the largest value of dst.store_load_visible. If none did, loads get the same values whatever that
    /// parameter is.
    bool has_seen_close() const { return is_close_; }
    static constexpr cycles farthest{16};

    void load(const slice& access, lanes& data) override;
    void store(const slice& access, const lanes& data) override;

private:
    using latest_accesses = std::array<std::array<cycles, row_count / 4>, 2>; ///< as dst_core's of stores

    dst_core& to_;
    latest_accesses stored_{}, loaded_{};
    bool is_close_ = false;
};

} // namespace sfpu::dst
