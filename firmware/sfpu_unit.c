/* The driver of sfpu_unit.h. */
#include "sfpu_unit.h"

#define SFPNOP 0x8F000000u
#define CELLS_PER_ROW 16u
#define LOWER_HALF_ROWS 8u

/* Where the cell of a lane lies in the window. A load looks at 4 rows of 8 columns: bit 1 of its address says
 * whether the even or the odd ones. */
static uint32_t cell16(uint32_t address, uint32_t lane) {
    const uint32_t row = (address & 0x3fcu) + lane / 8;
    return row * CELLS_PER_ROW + lane % 8 * 2 + (address >> 1 & 1u);
}

/* The upper half of a cell of 32 bits; the lower one lies LOWER_HALF_ROWS below. */
static uint32_t cell32(uint32_t address, uint32_t lane) {
    const uint32_t row = address & 0x3fcu;
    const uint32_t upper = (row & 0x1f8u) << 1 | (row & 0x207u);
    return cell16(upper | (address & 2u), lane);
}

struct sfpu_unit sfpu_unit_at(uintptr_t push, uintptr_t dst) {
    const struct sfpu_unit unit = {(volatile uint32_t*)push, (volatile uint16_t*)dst};
    return unit;
}

void sfpu_unit_push(const struct sfpu_unit* unit, const uint32_t* words, size_t count) {
    for (size_t i = 0; i < count; ++i) *unit->push = words[i];
}

void sfpu_unit_run(const struct sfpu_unit* unit, const struct sfpu_kernel* kernel, uint32_t iterations) {
    sfpu_unit_push(unit, kernel->init, kernel->init_count);
    for (uint32_t i = 0; i < iterations; ++i) sfpu_unit_push(unit, kernel->loop, kernel->loop_count);
    sfpu_unit_push(unit, kernel->tail, kernel->tail_count);
}

/* Words that do nothing let time pass for delays that count cycles and for those that count instructions. */
void sfpu_unit_wait(const struct sfpu_unit* unit) {
    for (uint32_t i = 0; i < SFPU_UNIT_DRAIN_WORDS; ++i) *unit->push = SFPNOP;
    __sync_synchronize();
}

uint16_t sfpu_unit_read16(const struct sfpu_unit* unit, uint32_t address, uint32_t lane) {
    return unit->dst[cell16(address, lane)];
}

uint32_t sfpu_unit_read32(const struct sfpu_unit* unit, uint32_t address, uint32_t lane) {
    const uint32_t upper = cell32(address, lane);
    return (uint32_t)unit->dst[upper] << 16 | unit->dst[upper + LOWER_HALF_ROWS * CELLS_PER_ROW];
}

void sfpu_unit_write16(const struct sfpu_unit* unit, uint32_t address, uint32_t lane, uint16_t cell) {
    unit->dst[cell16(address, lane)] = cell;
}

void sfpu_unit_write32(const struct sfpu_unit* unit, uint32_t address, uint32_t lane, uint32_t cell) {
    const uint32_t upper = cell32(address, lane);
    unit->dst[upper] = (uint16_t)(cell >> 16);
    unit->dst[upper + LOWER_HALF_ROWS * CELLS_PER_ROW] = (uint16_t)cell;
}
