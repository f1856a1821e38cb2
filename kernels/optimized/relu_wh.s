; FP32: x = max(x, 0), in place, by SFPSWAP.
;
; Plain: without macros. relu_wh_macro.s is what 'sfpusim optimize' makes of it.

.arch wh
.rows 32

.equ x, 0x00

.init
    setc16      2, 1                        ; ADDR_MOD_SET_Base: ADDR_MOD_2 and 3 name entries 6 and 7
    setc16      29, 2                       ; entry 6: Dst += 2
    setc16      30, 0                       ; entry 7: stay

.loop
    sfpload     L0, FP32, ADDR_MOD_3, x
    sfpswap     0, L0, L9, 1
    sfpnop
    sfpstore    L0, FP32, ADDR_MOD_2, x
