// Start-up code: registers, stack, trap vector, .bss, main, and the end of the run.
    .file   "crt.S" // or the linker names a temporary file
    .section .text.start, "ax"
    .globl _start
_start:
    .option push
    .option norelax
    la      gp, __global_pointer$
    lui     t0, %hi(trap_vector)
    addi    t0, t0, %lo(trap_vector)
    .option pop
    la      sp, __stack_top
    csrw    mtvec, t0

    la      t0, __bss_start
    la      t1, __bss_end
1:  bgeu    t0, t1, 2f
    sw      zero, 0(t0)
    addi    t0, t0, 4
    j       1b
2:
    li      a0, 0
    call    main
    // 0 becomes 1, anything else 2n + 1
    slli    a0, a0, 1
    ori     a0, a0, 1
    la      t0, tohost
3:  sw      a0, 0(t0)
    sw      zero, 4(t0)
    j       3b

// A program without a handler of its own leaves traps to the simulator, which reports cause, address and instruction: then
// this is zero.
    .weak   trap_vector

    .section .tohost, "aw", @progbits
    .balign 8
    .globl  tohost
tohost:
    .8byte  0
    .size   tohost, 8
    .globl  fromhost
fromhost:
    .8byte  0
    .size   fromhost, 8
