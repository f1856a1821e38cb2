// Lanes, and the configuration of their columns.
#pragma once

#include "oracle_instruction.h"

#include <functional>

namespace sfpu::oracle {

inline constexpr std::uint32_t sign_bit = 0x80000000u;
constexpr bool bit(std::uint32_t of, unsigned number) { return (of >> number & 1u) != 0; }
inline constexpr std::uint32_t all = 0xffffffffu;

enum lane_config_bit : unsigned {
    fp16_infinity = 0,
    backdoor_closed = 1,
    dest_index = 2,
    capture_index = 3,
    no_writes = 4,
    no_reads = 5,
    read_odd = 6,
    write_odd = 7,
    exchange_order = 8,
    row_mask = 12,
};
/// Lanes of columns whose LaneConfig has this bit.
inline std::uint32_t lanes_with(const unit_state& in, unsigned which) {
    std::uint32_t result = 0;
    for (unsigned lane = 0; lane < lanes_of_register; ++lane)
        result |= (in.config.lane[lane % columns] >> which & 1u) << lane;
    return result;
}

/// Which values an operation gives, in lanes of `lanes`.
inline effect write_lanes(unsigned number, std::uint32_t lanes,
                          const std::function<std::uint32_t(unsigned lane)>& value) {
    effect result;
    if (number >= 8 && number != l16) return result;
    effect::register_write& write = result.registers.emplace_back();
    write.number = number;
    write.lanes = lanes;
    for (unsigned lane = 0; lane < lanes_of_register; ++lane)
        if (bit(lanes, lane)) write.values[lane] = value(lane);
    return result;
}

} // namespace sfpu::oracle
