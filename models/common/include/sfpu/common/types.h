// Basic vocabulary of the model: cycles, lanes.
#pragma once

#include <sfpu/common/chip.h>

#include <cstdint>

namespace sfpu {

/// A number of clock cycles, or an absolute cycle counted from the reset of the vector unit.
class cycles {
public:
    constexpr cycles() = default;
    constexpr explicit cycles(std::int64_t count) : count_(count) {}
    constexpr std::int64_t count() const { return count_; }

    constexpr cycles& operator+=(cycles other) {
        count_ += other.count_;
        return *this;
    }
    constexpr cycles& operator-=(cycles other) {
        count_ -= other.count_;
        return *this;
    }
    constexpr cycles& operator++() {
        ++count_;
        return *this;
    }
    friend constexpr cycles operator+(cycles a, cycles b) { return cycles{a.count_ + b.count_}; }
    friend constexpr cycles operator-(cycles a, cycles b) { return cycles{a.count_ - b.count_}; }
    friend constexpr bool operator==(cycles a, cycles b) { return a.count_ == b.count_; }
    friend constexpr bool operator!=(cycles a, cycles b) { return a.count_ != b.count_; }
    friend constexpr bool operator<(cycles a, cycles b) { return a.count_ < b.count_; }
    friend constexpr bool operator<=(cycles a, cycles b) { return a.count_ <= b.count_; }
    friend constexpr bool operator>(cycles a, cycles b) { return a.count_ > b.count_; }
    friend constexpr bool operator>=(cycles a, cycles b) { return a.count_ >= b.count_; }

private:
    std::int64_t count_ = 0;
};

constexpr cycles one_cycle{1};
/// Later than any cycle that is simulated.
constexpr cycles forever{std::int64_t{1} << 62};

/// 32 lanes, viewed as 4 rows x 8 columns: lane = row * 8 + column.
constexpr unsigned lane_count = 32;
constexpr unsigned column_count = 8;

/// One bit per lane; bit i is lane i.
using lane_mask = std::uint32_t;
constexpr lane_mask all_lanes = 0xffffffffu;

/// Spreads one bit per column (8 bits) over the four rows of a lane mask.
constexpr lane_mask spread_columns(std::uint32_t columns) { return (columns & 0xffu) * 0x01010101u; }

/// How rows of Dst that programs number lie in its storage.
struct dst_row_mapping {
    bool remap_addrs = false; ///< DEST_ACCESS_CFG_remap_addrs
    bool swizzle_32b = false; ///< DEST_ACCESS_CFG_swizzle_32b
};

/// One vector register's worth of data: 32 lanes of 32 bits.
struct alignas(64) lanes {
    std::uint32_t v[lane_count];

    std::uint32_t& operator[](unsigned lane) { return v[lane]; }
    std::uint32_t operator[](unsigned lane) const { return v[lane]; }
};

inline lanes broadcast(std::uint32_t value) {
    lanes result;
    for (std::uint32_t& lane : result.v) lane = value;
    return result;
}

} // namespace sfpu
