// Words for the front end, for tests: written from the tables of the documentation.
#pragma once

#include <cstdint>

namespace sfpu::test::tensix_words {

constexpr std::uint32_t tensix_nop = 0x02000000;
/// Template 0 or 1; with template 0 the number of iterations less one, and the lower half of the mask.
constexpr std::uint32_t mop(unsigned type, unsigned count1 = 0, unsigned mask_lo = 0) {
    return 0x01000000u | type << 23 | count1 << 16 | mask_lo;
}
constexpr std::uint32_t replay(unsigned index, unsigned count, bool exec, bool load) {
    return 0x04000000u | index << 14 | count << 4 | (exec ? 2u : 0u) | (load ? 1u : 0u);
}
constexpr std::uint32_t incrwc(unsigned dst) { return 0x38000000u | dst << 14; }
constexpr std::uint32_t setc16(unsigned index, unsigned value) { return 0xb2000000u | index << 16 | value; }

constexpr std::uint32_t stallwait(unsigned block, unsigned condition) {
    return 0xa2000000u | block << 15 | condition;
}
/// Condition 1: while a semaphore is zero, 2: while it is at its maximum.
constexpr std::uint32_t semwait(unsigned block, unsigned semaphores, unsigned condition) {
    return 0xa6000000u | block << 15 | semaphores << 2 | condition;
}
constexpr std::uint32_t seminit(unsigned maximum, unsigned value, unsigned semaphores) {
    return 0xa3000000u | maximum << 20 | value << 16 | semaphores << 2;
}
constexpr std::uint32_t sempost(unsigned semaphores) { return 0xa4000000u | semaphores << 2; }
constexpr std::uint32_t semget(unsigned semaphores) { return 0xa5000000u | semaphores << 2; }
constexpr std::uint32_t atgetm(unsigned mutex) { return 0xa0000000u | mutex; }
constexpr std::uint32_t atrelm(unsigned mutex) { return 0xa1000000u | mutex; }

constexpr unsigned block_everything = 0x1ff, block_vector_unit = 0x100, block_sync_unit = 0x002;
constexpr unsigned while_zero = 1, while_full = 2;

} // namespace sfpu::test::tensix_words
