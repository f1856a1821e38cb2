; horner_4.s with SFPLOADMACRO: 4 cycles a row instead of 10.
;
; Found by 'sfpusim optimize horner_4.s'; the plain kernel is the source.
;
;
;   t | Load        | MAD                     | Store
;   0 | L0 = x (m0) |                         |
;   1 |             | L0 = mad(L12, L0, L13)  |
;   2 | L2 = x (m1) |                         |
;   3 |             | L2 = mad(L2, L0, L14) ! |
;   4 |             |                         |
;   5 | L7 = x (m2) |                         |
;   6 |             | L2 = mad(L7, L2, L10)   |
;   7 |             |                         |
;   8 |             | L16 = mad(L2, L7, L11)  |
;   9 |             |                         |
;  10 |             |                         |
;  11 |             |                         |
;  12 |             |                         |
;  13 |             |                         | [x] = L16
; One row; the next begins 4 cycles later. "!" is issued, all else but loads is scheduled.

.arch bh
.rows 32
.expect cycles_per_row 4

.equ x, 0x00

.init
    sfpmad      L2, L0, L11, L12, 0         ; template 0
    sfpmad      L7, L0, L10, L13, 0         ; template 1
    sfpmad      L12, L0, L13, L14, 0        ; template 2
    ; m0: mad template 2 after 0
    sfploadi    L0, LOWER, 0x8600
    sfploadi    L0, UPPER, 0x0000
    sfpconfig   0, SEQUENCE0, 0
    ; m1: mad template 1 after 3
    sfploadi    L0, LOWER, 0x9d00
    sfploadi    L0, UPPER, 0x0000
    sfpconfig   0, SEQUENCE1, 0
    ; m2: mad template 0 after 2 to L16, store of the result after 7 of L16
    sfploadi    L0, LOWER, 0xd400
    sfploadi    L0, UPPER, 0x7b00
    sfpconfig   0, SEQUENCE2, 0
    sfpconfig   0xf73, MISC, 1              ; delays count instructions
    setc16      34, 2
    setc16      35, 0
    sfploadi    L0, FLOATB, 0x3f00
    sfpconfig   0x0, L12, 0
    sfploadi    L0, FLOATB, 0x3e80
    sfpconfig   0x0, L13, 0
    sfploadi    L0, FLOATB, 0xbe00
    sfpconfig   0x0, L14, 0
    ; the first rows begin before the loop
    sfploadmacro 0, L0, FP32, ADDR_MOD_7, x
    sfpnop
    sfploadmacro 1, L2, FP32, ADDR_MOD_7, x
    sfpmad      L2, L0, L14, L2, 0

.loop
    sfploadmacro 0, L0, FP32, ADDR_MOD_7, x + 2
    sfploadmacro 2, L7, FP32, ADDR_MOD_7, x
    sfploadmacro 1, L2, FP32, ADDR_MOD_6, x + 2
    sfpmad      L2, L0, L14, L2, 0

.tail
    sfpnop
    sfpnop
    sfpnop
    sfpnop
    sfpnop
