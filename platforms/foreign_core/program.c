/* What a core outside of the tile does with the unit: two kernels, one after the other, and a look at their
 * results. */
#include "recip.words.h"
#include "sfpu_unit.h"
#include "square.words.h"

#define PUSH_WINDOW 0x40000000u
#define DST_WINDOW 0x40010000u
#define WORD_COMMA(word) word,
#define ROWS 4u

static const uint32_t square_init[] = {SQUARE_INIT(WORD_COMMA)};
static const uint32_t square_loop[] = {SQUARE_LOOP(WORD_COMMA)};
static const uint32_t recip_init[] = {RECIP_INIT(WORD_COMMA)};
static const uint32_t recip_loop[] = {RECIP_LOOP(WORD_COMMA)};

/* 2^k as float32. */
static uint32_t power(int k) { return (uint32_t)(127 + k) << 23; }
/* 2^2k + 2^k, for k from 1: 1 + 2^-k is 1 and one bit of the mantissa. */
static uint32_t square_plus(int k) { return power(2 * k) | 1u << (23 - k); }

int main(void) {
    const struct sfpu_unit unit = sfpu_unit_at(PUSH_WINDOW, DST_WINDOW);
    const struct sfpu_kernel square = {square_init, SQUARE_INIT_COUNT, square_loop, SQUARE_LOOP_COUNT, NULL, 0};
    const struct sfpu_kernel recip = {recip_init, RECIP_INIT_COUNT, recip_loop, RECIP_LOOP_COUNT, NULL, 0};

    for (uint32_t row = 0; row < ROWS; ++row)
        for (uint32_t lane = 0; lane < SFPU_LANES; ++lane)
            sfpu_unit_write32(&unit, 2 * row, lane, sfpu_cell_of_32(power((int)(1 + (row + lane) % 20))));
    sfpu_unit_run(&unit, &square, ROWS);
    sfpu_unit_wait(&unit);
    for (uint32_t row = 0; row < ROWS; ++row)
        for (uint32_t lane = 0; lane < SFPU_LANES; ++lane)
            if (sfpu_32_of_cell(sfpu_unit_read32(&unit, 0x40 + 2 * row, lane)) != square_plus((int)(1 + (row + lane) % 20)))
                return 1;

    for (uint32_t lane = 0; lane < SFPU_LANES; ++lane)
        sfpu_unit_write32(&unit, 0x80, lane, sfpu_cell_of_32(power(16 - (int)lane)));
    sfpu_unit_run(&unit, &recip, 1);
    sfpu_unit_wait(&unit);
    for (uint32_t lane = 0; lane < SFPU_LANES; ++lane) {
        /* SFPARECIP of a power of two: within 2^-7 of the reciprocal, the next smaller power or a little less
         * than it. */
        const uint32_t y = sfpu_32_of_cell(sfpu_unit_read32(&unit, 0x80, lane)), exact = power((int)lane - 16);
        if (y > exact ? y - exact > 0x10000u : exact - y > 0x20000u) return 2;
    }

    if (sfpu_bf16_of_cell(sfpu_cell_of_bf16(0xc2f7)) != 0xc2f7 || sfpu_f16_of_cell(sfpu_cell_of_f16(0x3555)) != 0x3555) return 3;
    sfpu_unit_write16(&unit, 0x102, 9, 0x1234);
    return sfpu_unit_read16(&unit, 0x102, 9) == 0x1234 ? 0 : 4;
}
