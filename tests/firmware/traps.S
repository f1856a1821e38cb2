// Exceptions: cause, address and value of each, the state of interrupts in the handler, and the way back.
#include "signature.inc"

    // Runs an instruction that traps; the handler records and goes on behind it.
    .macro expect_trap instruction:vararg
    la      s5, 1f
    .balign 4
1:  \instruction
    .endm

    begin
    la      t0, handler
    csrw    mtvec, t0
    li      t0, 8
    csrs    mstatus, t0 // interrupts are on, none is enabled

    expect_trap ecall
    expect_trap .word 0xffffffff // words that do not end in 11 belong to Tensix
    expect_trap .word 0x00002067 | 7 << 12 // jalr with an undefined function
    expect_trap .word 0x0000705b           // custom-2, undefined

    // an illegal shift amount, an undefined function of the register group
    expect_trap .word 0x02001013
    expect_trap .word 0x40001033

    // where implementations may differ in the value, only cause and address count
    li      s6, 1
    expect_trap ebreak
    expect_trap csrr t0, 0x5c0
    expect_trap csrw 0x5c0, t0
    expect_trap csrw mhartid, t0
    expect_trap csrrsi t0, mhartid, 1
    expect_trap csrw instret, t0
    li      s6, 0

    // memory that is not there
    lui     s7, 0x70000
    li      t2, 5
    expect_trap lw t2, 4(s7)
    record  t2
    expect_trap lb t2, 1(s7)
    expect_trap lhu t2, 2(s7)
    expect_trap sw t2, 8(s7)
    expect_trap sb t2, 3(s7)
    expect_trap sh t2, 2(s7)

    // jumps to odd halves of words: the jump traps, nothing is linked
    li      t2, 5
    la      t1, main + 2
    expect_trap jalr t2, 0(t1)
    record  t2
    li      s6, 1 // QEMU gives the jump's own address as the value
    expect_trap .word 0x002003ef // jal t2, . + 2
    record  t2
    // a branch to one traps only if it is taken
    li      t0, 1
    expect_trap .word 0x00028163 // beq t0, zero, . + 2: not taken
    expect_trap .word 0x00000163 // beq zero, zero, . + 2: taken
    li      s6, 0

    // a jump to nowhere: the address is the fault's; the handler comes back by ra
    la      ra, 2f
    li      s6, 2
    jr      s7
2:  li      s6, 0

    csrr    t0, mstatus
    andi    t0, t0, 0x88
    record  t0
    csrw    mtvec, zero
    .irp reg, t1, t2, t3, ra, s5, s7
    li      \reg, 0
    .endr
    j       end_of_main

    // s5: the address of the instruction under test. s6: 1 leaves the value out, 2 comes back to ra.
    .balign 4
handler:
    csrr    t5, mcause
    record  t5
    csrr    t5, mepc
    li      t6, 2
    beq     s6, t6, 1f
    sub     t6, t5, s5
    record  t6
1:  csrr    t6, mtval
    beqz    s6, 2f
    li      t6, 0
2:  record  t6
    csrr    t6, mstatus
    andi    t6, t6, 0x88
    record  t6
    addi    t5, t5, 4
    li      t6, 2
    bne     s6, t6, 3f
    mv      t5, ra
3:  csrw    mepc, t5
    li      t5, 0
    li      t6, 0
    mret

end_of_main:
    finish  300
