; FP32: x = 1.5 x + 0.25, in place.
;
; Plain: without macros. linear_wh_macro.s is what 'sfpusim optimize' makes of it.

.arch wh
.rows 32

.equ x, 0x00

.init
    setc16      2, 1                        ; ADDR_MOD_SET_Base: ADDR_MOD_2 and 3 name entries 6 and 7
    setc16      29, 2                       ; entry 6: Dst += 2
    setc16      30, 0                       ; entry 7: stay
    sfploadi    L0, FLOATB, 0x3fc0
    sfpconfig   0, L12, 0
    sfploadi    L0, FLOATB, 0x3e80
    sfpconfig   0, L13, 0

.loop
    sfpload     L0, FP32, ADDR_MOD_3, x
    sfpmad      L0, L12, L13, L1, 0
    sfpnop
    sfpstore    L1, FP32, ADDR_MOD_2, x
