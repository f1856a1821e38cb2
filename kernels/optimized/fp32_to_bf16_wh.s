; FP32 to BF16, rounded to nearest, ties to even.
;
; Plain: without macros. fp32_to_bf16_wh_macro.s is what 'sfpusim optimize' makes of it.

.arch wh
.rows 32

.equ x, 0x00

.init
    setc16      2, 1                        ; ADDR_MOD_SET_Base: ADDR_MOD_2 and 3 name entries 6 and 7
    setc16      29, 2                       ; entry 6: Dst += 2
    setc16      30, 0                       ; entry 7: stay
    sfploadi    L0, USHORT, 0x1
    sfpconfig   0, L12, 0
    sfploadi    L0, USHORT, 0x7fff
    sfpconfig   0, L13, 0

.loop
    sfpload     L0, FP32, ADDR_MOD_3, x
    sfpload     L1, FP32, ADDR_MOD_3, x
    sfpshft     -16, L0, L1, 1
    sfpand      0, L12, L1, 0
    sfpiadd     0, L13, L0, 4
    sfpiadd     0, L0, L1, 4
    sfpstore    L1, BF16, ADDR_MOD_2, x
