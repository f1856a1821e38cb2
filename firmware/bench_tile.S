// The program of `sfpusim bench --kernel tile`: hart, TensorLoad, front end and vector unit at work together.
//
// For each block of 128 rows the hart lets the TensorLoad engine bring one kilobyte from L1 to Dst, transposed on the
// way, and pushes one MOP, which plays the 32-bit multiplication of kernels/mul32_macro.s from the replay buffer, four
// rows at a time. `blocks` and `rest` say how much: whole blocks of 1024 instructions, and instructions (0 to 1023) of
// another. Set-up and end take `setup_instructions` of the vector unit's. All three are words in memory.
#include "mul32_macro.words.h"

#define CUSTOM_CSR_TYPE 0x800
#define CUSTOM_CSR_SHAPE 0x801
#define TENSIX(word) .4byte (((word) << 2) | ((word) >> 30)) & 0xffffffff ;
#define COUNT_SFPU(word) .if ((word) >> 24) >= 0x70 && ((word) >> 24) <= 0x99 ; .set sfpu_words, sfpu_words + 1 ; .endif ;

#define REPLAY_LOAD 0x04000201 // 32 words from slot 0
#define REPLAY_PLAY 0x04000200 // the same
#define REPLAY_NONE 0x04000000 // plus the count in bits 9:4
#define MOP_LOOPS 0x01800000
#define NOP 0x02000000
#define DST_ZERO 0x37000004

    .file   "bench_tile.S" // or the linker names a temporary file
    .globl  main
main:
    // Dst as 32-bit cells for thread 0
    li      t0, 0xffef000c
    sw      zero, 0(t0)
    lw      t1, 0(t0)

    // blocks of 256 int32, which TL.STORE spreads over 16 rows of Dst
    li      t0, 0x008
    csrw    CUSTOM_CSR_TYPE, t0
    li      t0, 0x100110
    csrw    CUSTOM_CSR_SHAPE, t0
    li      s0, 0x10000         // the source, in L1
    li      s1, 0x7000          // the target: rows of Dst that the kernel does not use
    li      s2, 0x08100802      // [2, 8, 16, 8] bytes

    // the kernel: set-up, and four rows of its loop for the replay buffer
    TENSIX(DST_ZERO)
    MUL32_MACRO_INIT(TENSIX)
    TENSIX(REPLAY_LOAD)
    .rept 4
    MUL32_MACRO_LOOP(TENSIX)
    .endr

    // a MOP is 32 replays: one outer, 32 inner iterations
    li      t0, 0xffe80008
    lw      t1, 0(t0)
    andi    zero, t1, 0
    li      t0, 0xffb80000
    la      t1, mop_config
    li      t2, 9
1:  lw      t3, 0(t1)
    sw      t3, 0(t0)
    addi    t1, t1, 4
    addi    t0, t0, 4
    addi    t2, t2, -1
    bnez    t2, 1b

    lw      s3, blocks
    beqz    s3, 2f
next_block:
    .insn   i CUSTOM_2, 0, s0, x1, 0                // tl.load tl1, 0(s0)
    .insn   i CUSTOM_2, 0, s0, x2, 16               // tl.load tl2, 16(s0)
    .insn   r CUSTOM_2, 3, 0x60 | 2 << 2 | 1, s2, x1, x2 // tl.xpose.12 tl1, tl2, s2
    .insn   i CUSTOM_2, 2, s1, x1, -1536            // tl.store tl1, 0(s1)
    TENSIX(DST_ZERO)
    TENSIX(MOP_LOOPS)
    addi    s3, s3, -1
    bnez    s3, next_block
2:
    // what is left, from the beginning of the replay buffer
    lw      s3, rest
    li      t0, 0xffe40000
    li      t1, REPLAY_PLAY
    li      t2, 32
3:  blt     s3, t2, 4f
    sw      t1, 0(t0)
    addi    s3, s3, -32
    j       3b
4:  beqz    s3, 5f
    slli    s3, s3, 4
    li      t1, REPLAY_NONE
    or      t1, t1, s3
    sw      t1, 0(t0)
5:  MUL32_MACRO_TAIL(TENSIX)

    // both coprocessors have finished
    fence
    li      t0, 0xffe80004
    sw      zero, 0(t0)
    lw      t1, 0(t0)
    andi    zero, t1, 0         // a hart goes on behind a load until somebody needs the value
    li      a0, 0
    ret

    .balign 4
mop_config:
    .4byte  1, 32, NOP, NOP, NOP, REPLAY_PLAY, NOP, REPLAY_PLAY, REPLAY_PLAY
    .globl  blocks
blocks:
    .4byte  1
    .globl  rest
rest:
    .4byte  0
    .set    sfpu_words, 0
    MUL32_MACRO_INIT(COUNT_SFPU)
    MUL32_MACRO_TAIL(COUNT_SFPU)
    .globl  setup_instructions
setup_instructions:
    .4byte  sfpu_words
