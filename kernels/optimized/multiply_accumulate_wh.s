; FP32: c = a b + c, in place.
;
; Plain: without macros. multiply_accumulate_wh_macro.s is what 'sfpusim optimize' makes of it.

.arch wh
.rows 32

.equ a, 0x00
.equ b, 0x40
.equ c, 0x80

.init
    setc16      2, 1                        ; ADDR_MOD_SET_Base: ADDR_MOD_2 and 3 name entries 6 and 7
    setc16      29, 2                       ; entry 6: Dst += 2
    setc16      30, 0                       ; entry 7: stay

.loop
    sfpload     L0, FP32, ADDR_MOD_3, a
    sfpload     L1, FP32, ADDR_MOD_3, b
    sfpload     L2, FP32, ADDR_MOD_3, c
    sfpmad      L0, L1, L2, L3, 0
    sfpnop
    sfpstore    L3, FP32, ADDR_MOD_2, c
