// CSR instructions on registers that every machine-mode hart has, and where they may not be used.
#include "signature.inc"

    .macro both reg
    record  \reg
    csrr    t2, mscratch
    record  t2
    .endm

    begin
    li      t0, 0x0ff00ff0
    li      t1, 0x12345678
    csrw    mscratch, t0
    csrrw   t3, mscratch, t1
    both    t3
    csrrs   t3, mscratch, t0
    both    t3
    csrrc   t3, mscratch, t1
    both    t3
    csrrwi  t3, mscratch, 21
    both    t3
    csrrsi  t3, mscratch, 10
    both    t3
    csrrci  t3, mscratch, 17
    both    t3
    // one register as both
    li      t0, 99
    csrrw   t0, mscratch, t0
    both    t0
    // without a target
    csrrw   zero, mscratch, t1
    both    zero
    csrrs   t3, mscratch, zero
    both    t3
    csrrc   t3, mscratch, zero
    both    t3

    // addresses of traps are multiples of four
    csrr    s2, mepc
    li      t0, 0x80001236
    csrw    mepc, t0
    csrr    t3, mepc
    andi    t3, t3, -4
    record  t3
    csrw    mepc, s2
    li      t0, 0x80000007
    csrr    s2, mtvec
    csrw    mcause, t0
    csrr    t3, mcause
    record  t3
    li      t0, 0x13579bdf
    csrw    mtval, t0
    csrr    t3, mtval
    record  t3
    csrw    mtvec, s2

    // interrupts on and off
    li      t0, 0x88
    csrc    mstatus, t0
    csrr    t3, mstatus
    and     t3, t3, t0
    record  t3
    csrs    mstatus, t0
    csrr    t3, mstatus
    and     t3, t3, t0
    record  t3
    csrc    mstatus, t0
    li      t0, 0x888
    csrw    mie, t0
    csrr    t3, mie
    and     t3, t3, t0
    record  t3
    csrw    mie, zero
    csrr    t3, mhartid
    record  t3

    // I and M are there
    csrr    t3, misa
    li      t0, 0x40001100
    and     t3, t3, t0
    record  t3

    // the cycle counter may be written
    li      t0, -1
    csrw    mcycleh, t0
    csrr    t3, mcycleh
    record  t3
    li      t3, 0
    li      s2, 0
    finish  80
