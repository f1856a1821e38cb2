; FP32: a polynomial of degree 4 by Horner's rule, in place.
;
; Plain: without macros. horner_4_macro.s is what 'sfpusim optimize' makes of it.

.arch bh
.rows 32

.equ x, 0x00

.init
    setc16      34, 2                       ; ADDR_MOD_6: Dst += 2
    setc16      35, 0                       ; ADDR_MOD_7: stay
    sfploadi    L0, FLOATB, 0x3f00
    sfpconfig   0, L12, 0
    sfploadi    L0, FLOATB, 0x3e80
    sfpconfig   0, L13, 0
    sfploadi    L0, FLOATB, 0xbe00
    sfpconfig   0, L14, 0

.loop
    sfpload     L0, FP32, ADDR_MOD_7, x
    sfpmad      L0, L12, L13, L1, 0
    sfpmad      L0, L1, L14, L1, 0
    sfpmad      L0, L1, L10, L1, 0
    sfpmad      L0, L1, L11, L1, 0
    sfpstore    L1, FP32, ADDR_MOD_6, x
