; FP32: x = max(x, 0), in place, by SFPSWAP.
;
; Plain: without macros. relu_macro.s is what 'sfpusim optimize' makes of it.

.arch bh
.rows 32

.equ x, 0x00

.init
    setc16      34, 2                       ; ADDR_MOD_6: Dst += 2
    setc16      35, 0                       ; ADDR_MOD_7: stay

.loop
    sfpload     L0, FP32, ADDR_MOD_7, x
    sfpswap     0, L0, L9, 1
    sfpnop
    sfpstore    L0, FP32, ADDR_MOD_6, x
