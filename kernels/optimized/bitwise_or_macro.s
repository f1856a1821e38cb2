; bitwise_or.s with SFPLOADMACRO: 2 cycles a row instead of 4.
;
; Found by 'sfpusim optimize bitwise_or.s'; the plain kernel is the source.
;
;
;   t | Load        | Simple           | Store
;   0 | L0 = a (m0) |                  |
;   1 | L1 = b      |                  |
;   2 |             | L16 = or(L0, L1) |
;   3 |             |                  | [a] = L16
; One row; the next begins 2 cycles later. "!" is issued, all else but loads is scheduled.

.arch bh
.rows 32
.expect cycles_per_row 2

.equ a, 0x00
.equ b, 0x40

.init
    sfpor       L0, L1, L15, USE_VB         ; template 3
    ; m0: simple template 3 after 1 to L16, store of the result after 2 of L16
    sfploadi    L0, LOWER, 0x00cf
    sfploadi    L0, UPPER, 0x5300
    sfpconfig   0, SEQUENCE0, 0
    sfpconfig   0xf14, MISC, 1              ; delays count instructions
    setc16      34, 2
    setc16      35, 0

.loop
    sfploadmacro 0, L0, INT32, ADDR_MOD_7, a
    sfpload     L1, INT32, ADDR_MOD_6, b

.tail
    sfpnop
