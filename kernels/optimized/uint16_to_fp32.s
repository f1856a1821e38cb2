; Unsigned 16-bit integers to FP32.
;
; Plain: without macros. uint16_to_fp32_macro.s is what 'sfpusim optimize' makes of it.

.arch bh
.rows 32

.equ v, 0x40

.init
    setc16      34, 2                       ; ADDR_MOD_6: Dst += 2
    setc16      35, 0                       ; ADDR_MOD_7: stay

.loop
    sfpload     L0, UINT16, ADDR_MOD_7, v
    sfpcast     L0, L1, 0
    sfpstore    L1, FP32, ADDR_MOD_6, v
