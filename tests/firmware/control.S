// Branches, jumps and links. Each path taken leaves a mark.
#include "signature.inc"

    .macro try_branch op, a, b
    li      t0, \a
    li      t1, \b
    li      t2, 1
    \op     t0, t1, 1f
    li      t2, 2
1:  record  t2
    .endm

    begin
    .irp op, beq, bne, blt, bge, bltu, bgeu
    .irp first, 0, 1, -1, 0x7fffffff, 0x80000000
    .irp second, 0, 1, -1, 0x7fffffff, 0x80000000
    try_branch \op, \first, \second
    .endr
    .endr
    .endr

    // backwards
    li      t0, 10
    li      t2, 0
1:  addi    t2, t2, 3
    addi    t0, t0, -1
    bnez    t0, 1b
    record  t2

    // links, relative to main
    la      s2, main
    jal     t0, 1f
    li      t2, 99
    record  t2
1:  sub     t0, t0, s2
    record  t0
    la      t1, 2f
    jalr    t0, 0(t1)
    li      t2, 99
    record  t2
2:  sub     t0, t0, s2
    record  t0
    // target and link in one register; the lowest bit of the target is dropped
    la      t1, 3f + 1 + 16
    jalr    t1, -16(t1)
    li      t2, 99
    record  t2
3:  sub     t1, t1, s2
    record  t1
    // a jump without a link
    j       4f
    li      t2, 99
    record  t2
4:  li      s2, 0
    li      t1, 0
    finish  220
