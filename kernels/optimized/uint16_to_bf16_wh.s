; Unsigned 16-bit integers to BF16, rounded to nearest, in place.
;
; Plain: without macros. uint16_to_bf16_wh_macro.s is what 'sfpusim optimize' makes of it.

.arch wh
.rows 32

.equ x, 0x00

.init
    setc16      2, 1                        ; ADDR_MOD_SET_Base: ADDR_MOD_2 and 3 name entries 6 and 7
    setc16      29, 2                       ; entry 6: Dst += 2
    setc16      30, 0                       ; entry 7: stay

.loop
    sfpload     L0, UINT16, ADDR_MOD_3, x
    sfpcast     L0, L1, 0
    sfpstochrnd 0, 0, L0, L1, L2, 1
    sfpstore    L2, SRCB, ADDR_MOD_2, x
