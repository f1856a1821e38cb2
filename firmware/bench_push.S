// The program of `sfpusim bench --kernel firmware_ttinsn` and `firmware_sw`: a hart that pushes words of the vector unit, all
// by `.ttinsn` or all by `sw` to the instruction buffer.
//
// `by_store` says which. A block is eight rows of the 32-bit multiplication of kernels/mul32.s, written out as compilers do;
// `blocks` and `rest` say how much: whole blocks of 104 instructions, and instructions (0 to 103) of another, its last ones.
// All three are words in memory.
#include "mul32.words.h"

#define TENSIX(word) .4byte (((word) << 2) | ((word) >> 30)) & 0xffffffff ;
#define PLAIN(word) .4byte word ;

    .file   "bench_push.S" // or the linker names a temporary file
    .globl  main
main:
    MUL32_INIT(TENSIX)
    lw      t1, blocks
    lw      t2, rest
    slli    t2, t2, 2           // bytes of code
    lw      t0, by_store
    bnez    t0, by_sw

    la      t3, ttinsn_end
    sub     t3, t3, t2
    beqz    t1, 1f
ttinsn_block:
    .rept 8
    MUL32_LOOP(TENSIX)
    .endr
ttinsn_end:
    addi    t1, t1, -1
    bgtz    t1, ttinsn_block
    bltz    t1, done            // that was the rest
1:  li      t1, 0
    jr      t3

by_sw:
    la      t4, row
    lw      a0, 0(t4)
    lw      a1, 4(t4)
    lw      a2, 8(t4)
    lw      a3, 12(t4)
    lw      a4, 16(t4)
    lw      a5, 20(t4)
    lw      a6, 24(t4)
    lw      a7, 28(t4)
    lw      s0, 32(t4)
    lw      s1, 36(t4)
    lw      s2, 40(t4)
    lw      s3, 44(t4)
    lw      s4, 48(t4)
    li      t0, 0xffe40000
    la      t3, sw_end
    sub     t3, t3, t2
    beqz    t1, 2f
sw_block:
    .rept 8
    sw      a0, 0(t0)
    sw      a1, 0(t0)
    sw      a2, 0(t0)
    sw      a3, 0(t0)
    sw      a4, 0(t0)
    sw      a5, 0(t0)
    sw      a6, 0(t0)
    sw      a7, 0(t0)
    sw      s0, 0(t0)
    sw      s1, 0(t0)
    sw      s2, 0(t0)
    sw      s3, 0(t0)
    sw      s4, 0(t0)
    .endr
sw_end:
    addi    t1, t1, -1
    bgtz    t1, sw_block
    bltz    t1, done
2:  li      t1, 0
    jr      t3

done:
    // the coprocessor has finished
    li      t0, 0xffe80004
    sw      zero, 0(t0)
    lw      t1, 0(t0)
    andi    zero, t1, 0
    li      a0, 0
    ret

    .balign 4
row:
    MUL32_LOOP(PLAIN)
    .globl  blocks
blocks:
    .4byte  1
    .globl  rest
rest:
    .4byte  0
    .globl  by_store
by_store:
    .4byte  0
