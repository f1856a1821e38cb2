/* Luck with macros: one kernel, pushed in two ways.
 *
 * The macros of mul32_ticks.s count cycles where they should count instructions. Played from the replay
 * buffer, where a word follows each cycle, the kernel is right. Pushed by a plain loop in which the hart also
 * reads L1 between the words, it meets its own scheduled instructions too late: the simulator reports
 * instructions that were discarded (/sfpu/issue/discarded-by-macro), and products are wrong.
 *
 * The program succeeds if it finds just that. The numbers of wrong products are left in L1. */
#include <sfpu_firmware.h>
#include <sfpu_tensix.h>

#include "mul32_ticks.words.h"

#define ROWS 32
#define LANES 32
#define VALUES (ROWS * LANES)
#define OPERAND_B 0x1000u /* bytes from the beginning of Dst: rows 0x40 and 0x80 of 16 cells of 32 bits */
#define PRODUCT 0x2000u

IN_L1 struct { uint32_t replayed, pushed; /* wrong products */ } wrong;
IN_L1 uint32_t busy_work[8];

static volatile uint32_t* dst(uint32_t offset) { return (volatile uint32_t*)(uintptr_t)(DST_BASE + offset); }

static uint32_t operand_a(uint32_t i) { return i * 2654435761u; }
static uint32_t operand_b(uint32_t i) { return i * 40503u + 977u; }

static void write_operands(void) {
    for (uint32_t i = 0; i < VALUES; ++i) {
        dst(0)[i] = operand_a(i);
        dst(OPERAND_B)[i] = operand_b(i);
        dst(PRODUCT)[i] = 0;
    }
}

static uint32_t count_wrong(void) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < VALUES; ++i) count += dst(PRODUCT)[i] != operand_a(i) * operand_b(i);
    return count;
}

static void replay(void) {
    TTINSN(TT_REPLAY_LOAD(0, MUL32_TICKS_LOOP_COUNT));
    MUL32_TICKS_LOOP(TTINSN)
    for (unsigned row = 0; row < ROWS; ++row) TTINSN(TT_REPLAY(0, MUL32_TICKS_LOOP_COUNT));
}

/* One word, then a load from L1. */
#define PUSH_AND_LOAD(word)                                                                                  \
    TTINSN(word)                                                                                             \
    (void)*(volatile uint32_t*)busy_work;

static void push_with_loads(void) {
    for (unsigned row = 0; row < ROWS; ++row) {
        MUL32_TICKS_LOOP(PUSH_AND_LOAD)
    }
}

static uint32_t run(void (*play_rows)(void)) {
    write_operands();
    TTINSN(TT_SETRWC_DST_ZERO);
    MUL32_TICKS_INIT(TTINSN)
    play_rows();
    MUL32_TICKS_TAIL(TTINSN)
    wait_for_tensix();
    return count_wrong();
}

int main(void) {
    set_dst_access(0, DST_32);
    wrong.replayed = run(replay);
    wrong.pushed = run(push_with_loads);
    return !(wrong.replayed == 0 && wrong.pushed != 0);
}
