; Two's complement to FP32, rounded to nearest, ties to even, in place. The magnitude of -2^31 does not fit and casts to -0; its sign bit in L7 then names L1 = -2^31 instead of L0 = 0 for the addition.
;
; Plain: without macros. int32_to_fp32_macro.s is what 'sfpusim optimize' makes of it.

.arch bh
.rows 32

.equ x, 0x00

.init
    setc16      34, 2                       ; ADDR_MOD_6: Dst += 2
    setc16      35, 0                       ; ADDR_MOD_7: stay
    sfploadi    L0, SHORT, -31
    sfpconfig   0, L14, 0
    sfploadi    L0, USHORT, 0               ; L0 = 0
    sfploadi    L1, FLOATB, 0xcf00          ; L1 = -2^31

.loop
    sfpload     L2, INT32, ADDR_MOD_7, x
    sfpabs      0, L2, L4, 0
    sfpshft2    L4, L14, L7, 5
    sfpcast     L4, L4, 0
    sfpsetsgn   0, L4, L2, 0
    sfpmad      L0, L10, L2, L6, 4
    sfpstore    L6, FP32, ADDR_MOD_6, x
