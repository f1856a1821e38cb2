/* A driver for a core that is not part of a Tensix tile and sees a vector unit in its address map: push a
 * kernel, wait, read Dst. Plain C for any core, with or without an operating system; it needs no other header
 * of this kit.
 *
 * The platform maps two windows (docs/integration.md):
 *   push   4 bytes      sfpu::vector_unit::insn_tsock; a store of a word pushes it. The store takes as long
 *                       as the unit holds the word, so nobody polls.
 *   dst    32 KiB       sfpu::dst::dst_memory::mem_tsock; the raw storage, 1024 rows of 16 cells of 16 bits.
 * Map both uncached and in order; sfpu_unit_wait() has a full barrier.
 *
 * A row of data is 32 values, one for each lane. Its address is what the address field of a load says; the
 * next row stands at that plus 2. Types of 32 bits occupy the same lanes of two rows of storage, 8 apart.
 * Addresses are those of a kernel with address counters and bases at zero.
 */
#ifndef SFPU_UNIT_H
#define SFPU_UNIT_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define SFPU_LANES 32u

/* Words that pass until everything that was scheduled has happened: the eight slots of a macro, latencies and
 * the store. Machines with more slots (macro.slots) need as many more. */
#ifndef SFPU_UNIT_DRAIN_WORDS
#define SFPU_UNIT_DRAIN_WORDS 16u
#endif

struct sfpu_unit {
    volatile uint32_t* push;
    volatile uint16_t* dst;
};

/* Words of a kernel; any part may be empty. With x.words.h of sfpu_add_firmware(... KERNELS x.s):
 *   static const uint32_t loop[] = {X_LOOP(WORD_COMMA)};     with #define WORD_COMMA(word) word,
 */
struct sfpu_kernel {
    const uint32_t* init;
    size_t init_count;
    const uint32_t* loop;
    size_t loop_count;
    const uint32_t* tail;
    size_t tail_count;
};

/* The unit whose windows begin at these addresses. */
struct sfpu_unit sfpu_unit_at(uintptr_t push, uintptr_t dst);

/* Pushes words in order. Returns when the unit has taken the last. */
void sfpu_unit_push(const struct sfpu_unit* unit, const uint32_t* words, size_t count);
/* Pushes init once, loop `iterations` times and tail once. */
void sfpu_unit_run(const struct sfpu_unit* unit, const struct sfpu_kernel* kernel, uint32_t iterations);
/* Returns when all that was pushed has happened and its stores are in Dst. */
void sfpu_unit_wait(const struct sfpu_unit* unit);

/* One cell of Dst: types of 16 or of 32 bits. Lane 0 to 31. */
uint16_t sfpu_unit_read16(const struct sfpu_unit* unit, uint32_t address, uint32_t lane);
uint32_t sfpu_unit_read32(const struct sfpu_unit* unit, uint32_t address, uint32_t lane);
void sfpu_unit_write16(const struct sfpu_unit* unit, uint32_t address, uint32_t lane, uint16_t cell);
void sfpu_unit_write32(const struct sfpu_unit* unit, uint32_t address, uint32_t lane, uint32_t cell);

/* Between values and cells. Cells of 32 bits hold float32 and 32-bit integers with the exponent's bits below
 * the upper bits of the mantissa: {sign, 22:16, 30:23, 15:0}. bfloat16 is the upper half of such a cell.
 * Cells of 16-bit integers are their values. float16 is {sign, 9:0, 14:10}. */
static inline uint32_t sfpu_cell_of_32(uint32_t value) {
    return (value & 0x80000000u) | (value & 0x007f0000u) << 8 | (value >> 7 & 0x00ff0000u) |
           (value & 0xffffu);
}
static inline uint32_t sfpu_32_of_cell(uint32_t cell) {
    return (cell & 0x80000000u) | (cell >> 8 & 0x007f0000u) | (cell & 0x00ff0000u) << 7 | (cell & 0xffffu);
}
static inline uint16_t sfpu_cell_of_bf16(uint16_t value) {
    return (uint16_t)(sfpu_cell_of_32((uint32_t)value << 16) >> 16);
}
static inline uint16_t sfpu_bf16_of_cell(uint16_t cell) {
    return (uint16_t)(sfpu_32_of_cell((uint32_t)cell << 16) >> 16);
}
static inline uint16_t sfpu_cell_of_f16(uint16_t value) {
    return (uint16_t)((value & 0x8000u) | (value & 0x3ffu) << 5 | (value >> 10 & 0x1fu));
}
static inline uint16_t sfpu_f16_of_cell(uint16_t cell) {
    return (uint16_t)((cell & 0x8000u) | (cell & 0x1fu) << 10 | (cell >> 5 & 0x3ffu));
}

#ifdef __cplusplus
}
#endif

#endif
