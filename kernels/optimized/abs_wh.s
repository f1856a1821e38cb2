; FP32: x = |x|, in place.
;
; Plain: without macros. abs_wh_macro.s is what 'sfpusim optimize' makes of it.

.arch wh
.rows 32

.equ x, 0x00

.init
    setc16      2, 1                        ; ADDR_MOD_SET_Base: ADDR_MOD_2 and 3 name entries 6 and 7
    setc16      29, 2                       ; entry 6: Dst += 2
    setc16      30, 0                       ; entry 7: stay

.loop
    sfpload     L0, FP32, ADDR_MOD_3, x
    sfpabs      0, L0, L1, 1
    sfpstore    L1, FP32, ADDR_MOD_2, x
