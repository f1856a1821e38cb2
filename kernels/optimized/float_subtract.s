; FP32: a = a - b, in place.
;
; Plain: without macros. float_subtract_macro.s is what 'sfpusim optimize' makes of it.

.arch bh
.rows 32

.equ a, 0x00
.equ b, 0x40

.init
    setc16      34, 2                       ; ADDR_MOD_6: Dst += 2
    setc16      35, 0                       ; ADDR_MOD_7: stay

.loop
    sfpload     L0, FP32, ADDR_MOD_7, a
    sfpload     L1, FP32, ADDR_MOD_7, b
    sfpmad      L1, L11, L0, L2, 0
    sfpstore    L2, FP32, ADDR_MOD_6, a
