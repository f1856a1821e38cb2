; FP32: x = min(max(x, -1), 1), in place, by SFPSWAP.
;
; Plain: without macros. clamp_macro.s is what 'sfpusim optimize' makes of it.

.arch bh
.rows 32

.equ x, 0x00

.init
    setc16      34, 2                       ; ADDR_MOD_6: Dst += 2
    setc16      35, 0                       ; ADDR_MOD_7: stay

.loop
    sfpload     L0, FP32, ADDR_MOD_7, x
    sfpswap     0, L0, L11, 1
    sfpnop
    sfpswap     0, L10, L0, 1
    sfpnop
    sfpstore    L0, FP32, ADDR_MOD_6, x
