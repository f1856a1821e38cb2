; FP32: c = a b + c, in place.
;
; Plain: without macros. multiply_accumulate_macro.s is what 'sfpusim optimize' makes of it.

.arch bh
.rows 32

.equ a, 0x00
.equ b, 0x40
.equ c, 0x80

.init
    setc16      34, 2                       ; ADDR_MOD_6: Dst += 2
    setc16      35, 0                       ; ADDR_MOD_7: stay

.loop
    sfpload     L0, FP32, ADDR_MOD_7, a
    sfpload     L1, FP32, ADDR_MOD_7, b
    sfpload     L2, FP32, ADDR_MOD_7, c
    sfpmad      L0, L1, L2, L3, 0
    sfpstore    L3, FP32, ADDR_MOD_6, c
