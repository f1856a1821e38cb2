; FP32: x = 1 if its sign bit is set, else 0, in place.
;
; Plain: without macros. signbit_macro.s is what 'sfpusim optimize' makes of it.

.arch bh
.rows 32

.equ x, 0x00

.init
    setc16      34, 2                       ; ADDR_MOD_6: Dst += 2
    setc16      35, 0                       ; ADDR_MOD_7: stay

.loop
    sfpload     L0, FP32, ADDR_MOD_7, x
    sfpshft     -31, L0, L1, 5
    sfpcast     L1, L1, 0
    sfpstore    L1, FP32, ADDR_MOD_6, x
