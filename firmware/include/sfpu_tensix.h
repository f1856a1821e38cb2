/* Tensix words: two ways to push one, and the words of the front end.
 *
 * Words of SFPU kernels are not written here: sfpu_add_firmware(... KERNELS x.s) translates them when the
 * firmware is built. For a kernel x.s the header "x.words.h" defines lists of words,
 *
 *     X_INIT(WORD)  X_LOOP(WORD)  X_TAIL(WORD)      and their lengths X_INIT_COUNT, ...
 *
 * which name a macro that is applied to each word: X_INIT(TTINSN) pushes them one after the other,
 * `const uint32_t words[] = {X_INIT(WORD_COMMA)};` makes an array.
 */
#ifndef SFPU_TENSIX_H
#define SFPU_TENSIX_H

#include "sfpu_firmware.h"

/* Pushes a constant word by the .ttinsn encoding, the word rotated left by two. Words from 0xC0000000 on have
 * none. */
#define TTINSN(word)                                                                                         \
    do {                                                                                                     \
        _Static_assert((uint32_t)(word) < 0xC0000000u, "this word cannot be pushed by .ttinsn");             \
        __asm__ volatile(".4byte %0" ::"i"((uint32_t)(word) << 2 | (uint32_t)(word) >> 30) : "memory");      \
    } while (0);
#define WORD_COMMA(word) word,

/* Pushes any word, by a store. */
static inline void push(uint32_t word) { MMIO32(INSTRN_BUF_BASE) = word; }

/* Words of the front end. */
#define TT_NOP 0x02000000u
#define TT_MOP(template_, count, mask_low)                                                                   \
    (0x01000000u | (uint32_t)(template_) << 23 | (uint32_t)(count) << 16 | (uint32_t)(mask_low))
#define TT_MOP_CFG(mask_high) (0x03000000u | (uint32_t)(mask_high))
/* Plays `count` words from slot `first`. */
#define TT_REPLAY(first, count) (0x04000000u | (uint32_t)(first) << 14 | ((uint32_t)(count)&63u) << 4)
/* Records the next `count` words from slot `first` on, without executing them. */
#define TT_REPLAY_LOAD(first, count) (TT_REPLAY(first, count) | 1u)
/* Records and executes them. */
#define TT_REPLAY_LOAD_EXECUTE(first, count) (TT_REPLAY(first, count) | 3u)
#define TT_SETC16(index, value) (0xB2000000u | (uint32_t)(index) << 16 | (uint32_t)(value))
/* Sets Dst of this thread's address counters to zero. */
#define TT_SETRWC_DST_ZERO (0x37000000u | 1u << 2)
#define TT_SFPNOP 0x8F000000u

/* STALLWAIT: what is held back, and until what is idle. */
#define STALL_SYNC (1u << 1)
#define STALL_MATH (1u << 6)
#define STALL_CFG (1u << 7)
#define STALL_SFPU (1u << 8)
#ifdef SFPU_ARCH_WORMHOLE
#define UNTIL_MATH_IDLE (1u << 7)
#define UNTIL_SFPU_IDLE (1u << 14)
#else
#define UNTIL_MATH_IDLE (1u << 4)
#define UNTIL_SFPU_IDLE (1u << 11)
#endif
#define TT_STALLWAIT(block, condition) (0xA2000000u | (uint32_t)(block) << 15 | (uint32_t)(condition))

/* Semaphores, by a mask of eight. */
#define TT_SEMINIT(maximum, initial, mask)                                                                   \
    (0xA3000000u | (uint32_t)(maximum) << 20 | (uint32_t)(initial) << 16 | (uint32_t)(mask) << 2)
#define TT_SEMPOST(mask) (0xA4000000u | (uint32_t)(mask) << 2)
#define TT_SEMGET(mask) (0xA5000000u | (uint32_t)(mask) << 2)
#define SEM_WHILE_ZERO 1u
#define SEM_WHILE_MAXIMUM 2u
#define TT_SEMWAIT(block, mask, condition)                                                                   \
    (0xA6000000u | (uint32_t)(block) << 15 | (uint32_t)(mask) << 2 | (uint32_t)(condition))

/* Configuration of the MOP expander, template 1: two nested loops. */
struct mop_loops {
    uint32_t outer, inner; /* 1 to 127 */
    uint32_t start, end0, end1;
    uint32_t loop0, loop1; /* loop1 other than TT_NOP doubles the inner loop */
    uint32_t last_of_outer, last_of_inner;
};
static inline void set_mop_loops(const struct mop_loops* loops) {
    const uint32_t words[9] = {loops->outer, loops->inner,         loops->start,
                               loops->end0,  loops->end1,          loops->loop0,
                               loops->loop1, loops->last_of_outer, loops->last_of_inner};
    wait_for_mop();
    for (unsigned i = 0; i < 9; ++i) MMIO32(MOP_CONFIG_BASE + 4 * i) = words[i];
}
#define TT_MOP_LOOPS TT_MOP(1, 0, 0)

#endif
