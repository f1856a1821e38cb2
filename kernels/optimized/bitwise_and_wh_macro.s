; bitwise_and_wh.s with SFPLOADMACRO: 2 cycles a row instead of 4.
;
; Found by 'sfpusim optimize bitwise_and_wh.s'; the plain kernel is the source.
;
;
;   t | Load        | Simple            | Store
;   0 | L0 = a (m0) |                   |
;   1 | L1 = b      |                   |
;   2 |             | L16 = and(L1, L0) |
;   3 |             |                   | [a] = L16
; One row; the next begins 2 cycles later. "!" is issued, all else but loads is scheduled.

.arch wh
.rows 32
.expect cycles_per_row 2

.equ a, 0x00
.equ b, 0x40

.init
    sfploadi    L0, LOWER, 0x0010
    sfploadi    L0, UPPER, 0x7e00
    sfpconfig   0, TEMPLATE3, 0             ; template 3: sfpand 0, L0, L1, 0
    ; m0: simple template 3 after 1 to L16, store of the result after 2 of L16
    sfploadi    L0, LOWER, 0x004f
    sfploadi    L0, UPPER, 0x5300
    sfpconfig   0, SEQUENCE0, 0
    sfpconfig   0xf14, MISC, 1              ; delays count instructions
    setc16      2, 1
    setc16      29, 2
    setc16      30, 0

.loop
    sfploadmacro 0, L0, INT32, ADDR_MOD_3, a
    sfpload     L1, INT32, ADDR_MOD_2, b

.tail
    sfpnop
