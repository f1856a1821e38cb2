; multiply_accumulate.s with SFPLOADMACRO: 3 cycles a row instead of 6.
;
; Found by 'sfpusim optimize multiply_accumulate.s'; the plain kernel is the source.
;
;
;   t | Load        | MAD                   | Store
;   0 |             |                       |
;   1 |             |                       |
;   2 | L0 = c (m0) |                       |
;   3 | L1 = b      |                       |
;   4 | L2 = a      |                       |
;   5 |             | L16 = mad(L2, L1, L0) |
;   6 |             |                       |
;   7 |             |                       |
;   8 |             |                       |
;   9 |             |                       | [c] = L16
; One row; the next begins 3 cycles later. "!" is issued, all else but loads is scheduled.

.arch bh
.rows 32
.expect cycles_per_row 3

.equ a, 0x00
.equ b, 0x40
.equ c, 0x80

.init
    sfpmad      L2, L1, L0, L12, 0          ; template 0
    ; m0: mad template 0 after 2 to L16, store of the result after 6 of L16
    sfploadi    L0, LOWER, 0x5400
    sfploadi    L0, UPPER, 0xf300
    sfpconfig   0, SEQUENCE0, 0
    sfpconfig   0xf13, MISC, 1              ; delays count instructions
    setc16      34, 2
    setc16      35, 0

.loop
    sfpload     L1, FP32, ADDR_MOD_7, b - 2
    sfpload     L2, FP32, ADDR_MOD_7, a + 1022
    sfploadmacro 0, L0, FP32, ADDR_MOD_6, c

.tail
    sfpload     L1, FP32, ADDR_MOD_7, b - 2
    sfpload     L2, FP32, ADDR_MOD_7, a + 1022
    sfpnop
    sfpnop
    sfpnop
    sfpnop
