// Loads and stores: widths, signs, offsets, and that neighbours stay as they are. Misaligned ones too.
#include "signature.inc"

    begin
    la      s2, bytes
    .irp op, lb, lbu
    .irp offset, 0, 1, 2, 3, 4, 5, 6, 7
    \op     t2, \offset(s2)
    record  t2
    .endr
    .endr
    .irp op, lh, lhu
    .irp offset, 0, 1, 2, 3, 4, 5, 6
    \op     t2, \offset(s2)
    record  t2
    .endr
    .endr
    .irp offset, 0, 1, 2, 3, 4
    lw      t2, \offset(s2)
    record  t2
    .endr

    // negative and largest offsets
    addi    s3, s2, 2047
    lw      t2, -2047(s3)
    record  t2
    li      t1, 2048
    add     s3, s2, t1
    lw      t2, -2048(s3)
    record  t2

    // stores into a field of ones
    la      s4, field
    li      t0, 0x12345678
    sb      t0, 1(s4)
    sb      t0, 7(s4)
    sh      t0, 10(s4)
    sh      t0, 13(s4)
    sw      t0, 20(s4)
    sw      t0, 25(s4)
    sw      t0, 30(s4)
    .irp offset, 0, 4, 8, 12, 16, 20, 24, 28, 32, 36
    lw      t2, \offset(s4)
    record  t2
    .endr

    // a load into its own base, and one whose value nobody wants
    mv      t0, s2
    lw      t0, 4(t0)
    record  t0
    lw      zero, 0(s2)
    record  zero

    // code that is written is executed after fence.i
    la      t0, patch
    la      t1, replacement
    lw      t1, 0(t1)
    sw      t1, 0(t0)
    fence
    fence.i
patch:
    li      t2, 1
    record  t2
    li      s2, 0
    li      s3, 0
    li      s4, 0
    li      t0, 0
    finish  100

    .text
replacement:
    li      t2, 2
    .data
    .balign 16
bytes:
    .byte   0x00, 0x01, 0x7f, 0x80, 0xff, 0xfe, 0x55, 0xaa
    .balign 16
field:
    .fill   12, 4, 0xffffffff
