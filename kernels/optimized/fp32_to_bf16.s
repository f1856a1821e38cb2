; FP32 to BF16, rounded to nearest, ties to even.
;
; Plain: without macros. fp32_to_bf16_macro.s is what 'sfpusim optimize' makes of it.

.arch bh
.rows 32

.equ x, 0x00

.init
    setc16      34, 2                       ; ADDR_MOD_6: Dst += 2
    setc16      35, 0                       ; ADDR_MOD_7: stay
    sfploadi    L0, USHORT, 0x1
    sfpconfig   0, L12, 0
    sfploadi    L0, USHORT, 0x7fff
    sfpconfig   0, L13, 0

.loop
    sfpload     L0, FP32, ADDR_MOD_7, x
    sfpshft     -16, L0, L1, 5
    sfpand      0, L12, L1, 0
    sfpiadd     0, L13, L0, 4
    sfpiadd     0, L0, L1, 4
    sfpstore    L1, BF16, ADDR_MOD_6, x
