#include "oracle_state.h"

namespace sfpu::oracle {

std::uint32_t next_random(std::uint32_t state) {
    const std::uint32_t parity = (state ^ state >> 1 ^ state >> 21 ^ state >> 31) & 1u;
    return (parity ? 0u : 0x80000000u) + state / 2;
}

void apply(const effect& what, unit_state& to) {
    for (const effect::register_write& write : what.registers)
        for (unsigned lane = 0; lane < lanes_of_register; ++lane)
            if (write.lanes >> lane & 1u) to.lreg[write.number][lane] = write.values[lane];
    for (const effect::cell_write& write : what.cells) to.dst[write.row][write.column] = write.value;
    if (what.lanes) to.lanes = *what.lanes;
    if (what.config) to.config = *what.config;
    for (unsigned lane = 0; lane < lanes_of_register; ++lane)
        if (what.random_lanes >> lane & 1u) to.random[lane] = next_random(to.random[lane]);
    if (what.shuffled) to.shuffled = *what.shuffled;
}

} // namespace sfpu::oracle
