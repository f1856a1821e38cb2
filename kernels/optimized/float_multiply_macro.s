; float_multiply.s with SFPLOADMACRO: 2 cycles a row instead of 5.
;
; Found by 'sfpusim optimize float_multiply.s'; the plain kernel is the source.
;
;
;   t | Load        | MAD                   | Store
;   0 | L0 = a (m0) |                       |
;   1 | L1 = b      |                       |
;   2 |             | L16 = mul(L1, L0, L9) |
;   3 |             |                       |
;   4 |             |                       | [a] = L16
; One row; the next begins 2 cycles later. "!" is issued, all else but loads is scheduled.

.arch bh
.rows 32
.expect cycles_per_row 2

.equ a, 0x00
.equ b, 0x40

.init
    sfpmul      L1, L0, L9, L15, 0          ; template 3
    ; m0: mad template 3 after 1 to L16, store of the result after 3 of L16
    sfploadi    L0, LOWER, 0xcf00
    sfploadi    L0, UPPER, 0xdb00
    sfpconfig   0, SEQUENCE0, 0
    sfpconfig   0xf13, MISC, 1              ; delays count instructions
    setc16      34, 2
    setc16      35, 0

.loop
    sfploadmacro 0, L0, FP32, ADDR_MOD_7, a
    sfpload     L1, FP32, ADDR_MOD_6, b

.tail
    sfpnop
    sfpnop
