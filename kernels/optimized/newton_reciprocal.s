; FP32: y = y (2 - x y), a step of Newton for 1 / x, in place of y.
;
; Plain: without macros. newton_reciprocal_macro.s is what 'sfpusim optimize' makes of it.

.arch bh
.rows 32

.equ x, 0x00
.equ y, 0x40

.init
    setc16      34, 2                       ; ADDR_MOD_6: Dst += 2
    setc16      35, 0                       ; ADDR_MOD_7: stay
    sfploadi    L0, FLOATB, 0x4000
    sfpconfig   0, L12, 0

.loop
    sfpload     L0, FP32, ADDR_MOD_7, x
    sfpload     L1, FP32, ADDR_MOD_7, y
    sfpmad      L0, L1, L12, L2, 1
    sfpmul      L1, L2, L9, L3, 0
    sfpstore    L3, FP32, ADDR_MOD_6, y
