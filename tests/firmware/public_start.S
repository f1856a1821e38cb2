// Starts and ends as programs of the public RISC-V self-checking suites do in their machine-mode environment: harts but
// 0 wait, registers are cleared, CSRs that a hart may lack are written under a trap vector that skips them, mret enters
// the test, and an ecall with the test's number in gp leads to `tohost`.

    .macro optional_csr csr, value
    la      t0, 1f
    csrw    mtvec, t0
    li      t0, \value
    csrw    \csr, t0
    .balign 4
1:
    .endm

    .section .text.start, "ax"
    .globl  _start
_start:
    j       reset_vector
    .balign 4
trap_vector:
    csrr    t5, mcause
    li      t6, 8               // ecall of user, supervisor and machine mode
    beq     t5, t6, write_tohost
    li      t6, 9
    beq     t5, t6, write_tohost
    li      t6, 11
    beq     t5, t6, write_tohost
    ori     gp, gp, 1337        // anything else is a failure
write_tohost:
    la      t5, tohost
    sw      gp, 0(t5)
    sw      zero, 4(t5)
    j       write_tohost

reset_vector:
    .irp reg, x1, x2, x3, x4, x5, x6, x7, x8, x9, x10, x11, x12, x13, x14, x15, x16, x17, x18, x19, x20, x21, x22, x23, x24, x25, x26, x27, x28, x29, x30, x31
    li      \reg, 0
    .endr
    csrr    a0, mhartid
1:  bnez    a0, 1b

    optional_csr 0x744, 8       // mnstatus
    optional_csr satp, 0
    optional_csr pmpaddr0, -1
    optional_csr pmpcfg0, 0x1f
    csrwi   mie, 0
    optional_csr medeleg, 0
    optional_csr mideleg, 0
    optional_csr stvec, 0
    optional_csr 0x30a, 0       // menvcfg
    csrwi   mstatus, 0
    la      t0, trap_vector
    csrw    mtvec, t0
    la      t0, test
    csrw    mepc, t0
    csrr    a0, mhartid
    mret

    .balign 4
test:
    li      gp, 2
    li      t0, 5
    li      t1, 7
    add     t2, t0, t1
    li      t3, 12
    bne     t2, t3, fail
    li      gp, 3
    la      t0, data
    lw      t1, 1(t0)           // misaligned loads work
    li      t3, 0x05040302
    bne     t1, t3, fail
    fence
    li      gp, 1
    li      a7, 93
    li      a0, 0
    ecall
fail:
    fence
    slli    gp, gp, 1
    ori     gp, gp, 1
    li      a7, 93
    mv      a0, gp
    ecall

    .data
    .balign 8
data:
    .byte   1, 2, 3, 4, 5, 6, 7, 8

    .section .tohost, "aw", @progbits
    .balign 64
    .globl  tohost
tohost:
    .8byte  0
    .balign 64
    .globl  fromhost
fromhost:
    .8byte  0
