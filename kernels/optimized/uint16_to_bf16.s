; Unsigned 16-bit integers to BF16, rounded to nearest, in place.
;
; Plain: without macros. uint16_to_bf16_macro.s is what 'sfpusim optimize' makes of it.

.arch bh
.rows 32

.equ x, 0x00

.init
    setc16      34, 2                       ; ADDR_MOD_6: Dst += 2
    setc16      35, 0                       ; ADDR_MOD_7: stay

.loop
    sfpload     L0, UINT16, ADDR_MOD_7, x
    sfpcast     L0, L1, 0
    sfpstochrnd 0, 0, L0, L1, L2, 1
    sfpstore    L2, SRCB, ADDR_MOD_6, x
