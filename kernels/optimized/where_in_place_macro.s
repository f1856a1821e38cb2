; where_in_place.s with SFPLOADMACRO: 3 cycles a row instead of 6.
;
; Found by 'sfpusim optimize where_in_place.s'; the plain kernel is the source.
;
;
;   t | Load           | Simple    | Store
;   0 | L7 = cond (m0) |           |
;   1 |                |           |
;   2 | L0 = yes (m1)  |           |
;   3 |                | setcc(L7) |
;   4 | L0 = no        | encc()    |
;   5 |                |           | [cond] = L0
; One row; the next begins 3 cycles later. "!" is issued, all else but loads is scheduled.

.arch bh
.rows 32
.expect cycles_per_row 3

.equ cond, 0x00
.equ yes, 0x40
.equ no, 0x80

.init
    sfpsetcc    0, L7, L14, LREG_EQ0        ; template 2
    sfpencc     0, L0, L15, EU_R1           ; template 3
    ; m0: simple template 2 after 2, store of the result after 4
    sfploadi    L0, LOWER, 0x0096
    sfploadi    L0, UPPER, 0xa300
    sfpconfig   0, SEQUENCE0, 0
    ; m1: simple template 3 after 1
    sfploadi    L0, LOWER, 0x000f
    sfploadi    L0, UPPER, 0x0000
    sfpconfig   0, SEQUENCE1, 0
    sfpconfig   0xf34, MISC, 1              ; delays count instructions
    setc16      34, 2
    setc16      35, 0
    sfpencc     3, L0, L0, EI_RI

.loop
    sfploadmacro 0, L7, INT32, ADDR_MOD_7, cond
    sfpload     L0, INT32, ADDR_MOD_7, no - 2
    sfploadmacro 1, L0, INT32, ADDR_MOD_6, yes

.tail
    sfpnop
    sfpload     L0, INT32, ADDR_MOD_7, no - 2
