// The M extension, divisions by zero and overflows included.
#include "signature.inc"

    begin
    .irp op, mul, mulh, mulhsu, mulhu, div, divu, rem, remu
    try_pairs \op
    .endr
    // target and operand at once
    li      t0, -1000
    li      t1, 7
    div     t0, t0, t1
    record  t0
    li      t0, -1000
    rem     t1, t0, t1
    record  t1
    finish  800
