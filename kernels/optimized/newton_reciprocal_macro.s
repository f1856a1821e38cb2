; newton_reciprocal.s with SFPLOADMACRO: 3 cycles a row instead of 7.
;
; Found by 'sfpusim optimize newton_reciprocal.s'; the plain kernel is the source.
;
;
;   t | Load        | MAD                   | Store
;   0 |             |                       |
;   1 |             |                       |
;   2 | L1 = y      |                       |
;   3 |             |                       |
;   4 | L0 = x (m0) |                       |
;   5 |             | L0 = mad(L1, L0, L12) |
;   6 | L7 = y (m1) |                       |
;   7 |             | L16 = mul(L0, L7, L9) |
;   8 |             |                       |
;   9 |             |                       |
;  10 |             |                       |
;  11 |             |                       | [y] = L16
; One row; the next begins 3 cycles later. "!" is issued, all else but loads is scheduled.

.arch bh
.rows 32
.expect cycles_per_row 3

.equ x, 0x00
.equ y, 0x40

.init
    sfpmad      L1, L0, L12, L12, NEGATE_VA ; template 0
    sfpmul      L0, L0, L9, L15, 0          ; template 3
    ; m0: mad template 0 after 0
    sfploadi    L0, LOWER, 0x8400
    sfploadi    L0, UPPER, 0x0000
    sfpconfig   0, SEQUENCE0, 0
    ; m1: mad template 3 after 0 to L16, store of the result after 4 of L16
    sfploadi    L0, LOWER, 0xc700
    sfploadi    L0, UPPER, 0xe300
    sfpconfig   0, SEQUENCE1, 0
    sfpconfig   0xf33, MISC, 1              ; delays count instructions
    setc16      34, 2
    setc16      35, 0
    sfploadi    L0, FLOATB, 0x4000
    sfpconfig   0x0, L12, 0
    ; the first rows begin before the loop
    sfpload     L1, FP32, ADDR_MOD_7, y
    sfpnop
    sfploadmacro 0, L0, FP32, ADDR_MOD_7, x
    sfpload     L1, FP32, ADDR_MOD_7, y + 2

.loop
    sfploadmacro 1, L7, FP32, ADDR_MOD_7, y
    sfploadmacro 0, L0, FP32, ADDR_MOD_7, x + 2
    sfpload     L1, FP32, ADDR_MOD_6, y + 4

.tail
    sfpnop
    sfpnop
