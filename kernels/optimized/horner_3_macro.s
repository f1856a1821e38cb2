; horner_3.s with SFPLOADMACRO: 3 cycles a row instead of 8.
;
; Found by 'sfpusim optimize horner_3.s'; the plain kernel is the source.
;
;
;   t | Load        | MAD                      | Store
;   0 |             |                          |
;   1 |             |                          |
;   2 | L7 = x (m0) |                          |
;   3 |             | L7 = mad(L12, L7, L13) ! |
;   4 | L5 = x (m1) |                          |
;   5 |             | L7 = mad(L5, L7, L14)    |
;   6 |             |                          |
;   7 |             | L16 = mad(L7, L5, L10)   |
;   8 |             |                          |
;   9 |             |                          |
;  10 |             |                          |
;  11 |             |                          | [x] = L16
; One row; the next begins 3 cycles later. "!" is issued, all else but loads is scheduled.

.arch bh
.rows 32
.expect cycles_per_row 3

.equ x, 0x00

.init
    sfpmad      L5, L0, L14, L12, 0         ; template 0
    sfpmad      L7, L0, L10, L15, 0         ; template 3
    ; m0: mad template 0 after 2
    sfploadi    L0, LOWER, 0x9400
    sfploadi    L0, UPPER, 0x0000
    sfpconfig   0, SEQUENCE0, 0
    ; m1: mad template 3 after 2 to L16, store of the result after 6 of L16
    sfploadi    L0, LOWER, 0xd700
    sfploadi    L0, UPPER, 0x7300
    sfpconfig   0, SEQUENCE1, 0
    sfpconfig   0xf33, MISC, 1              ; delays count instructions
    setc16      34, 2
    setc16      35, 0
    sfploadi    L0, FLOATB, 0x3f00
    sfpconfig   0x0, L12, 0
    sfploadi    L0, FLOATB, 0x3e80
    sfpconfig   0x0, L13, 0
    sfploadi    L0, FLOATB, 0xbe00
    sfpconfig   0x0, L14, 0
    ; the first rows begin before the loop
    sfploadmacro 0, L7, FP32, ADDR_MOD_7, x

.loop
    sfpmad      L12, L7, L13, L7, 0
    sfploadmacro 1, L5, FP32, ADDR_MOD_7, x
    sfploadmacro 0, L7, FP32, ADDR_MOD_6, x + 2

.tail
    sfpnop
    sfpnop
    sfpnop
    sfpnop
    sfpnop
