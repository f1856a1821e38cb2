// Every computational instruction of RV32I, with registers and with immediates, on values at the edges.
#include "signature.inc"

    begin
    .irp op, add, sub, sll, slt, sltu, xor, srl, sra, or, and
    try_pairs \op
    .endr

    .irp value, 0, 1, -1, 0x7fffffff, 0x80000000, 0x12345678, 0xdeadbeef
    .irp imm, 0, 1, -1, 5, 2047, -2048
    .irp op, addi, slti, sltiu, xori, ori, andi
    try_immediate \op, \value, \imm
    .endr
    .endr
    .irp amount, 0, 1, 4, 15, 31
    .irp op, slli, srli, srai
    try_immediate \op, \value, \amount
    .endr
    .endr
    .endr

    lui     t2, 0xfffff
    record  t2
    lui     t2, 0x12345
    record  t2
    .balign 4
here:
    auipc   t2, 0
    la      t0, here
    sub     t2, t2, t0
    record  t2
there:
    auipc   t2, 0xfffff
    la      t0, there
    sub     t2, t2, t0
    record  t2

    // x0 keeps nothing, as a target and as an operand; a register may be target and operand at once
    li      t0, 77
    add     zero, t0, t0
    record  zero
    add     t0, t0, t0
    record  t0
    sub     t0, t0, t0
    record  t0
    finish  1400
