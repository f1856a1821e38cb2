; where_out.s with SFPLOADMACRO: 4 cycles a row instead of 6.
;
; Found by 'sfpusim optimize where_out.s'; the plain kernel is the source.
;
;
;   t | Load           | Simple    | Store
;   0 | L0 = cond (m0) |           |
;   1 | L7 = yes (m1)  | setcc(L0) |
;   2 | L7 = no        | encc()    |
;   3 |                |           | [out] = L7 !
; One row; the next begins 4 cycles later. "!" is issued, all else but loads is scheduled.

.arch bh
.rows 32
.expect cycles_per_row 4

.equ cond, 0x00
.equ yes, 0x40
.equ no, 0x80
.equ out, 0xc0

.init
    sfpsetcc    0, L0, L14, LREG_EQ0        ; template 2
    sfpencc     0, L0, L15, EU_R1           ; template 3
    ; m0: simple template 2 after 0
    sfploadi    L0, LOWER, 0x0086
    sfploadi    L0, UPPER, 0x0000
    sfpconfig   0, SEQUENCE0, 0
    ; m1: simple template 3 after 0
    sfploadi    L0, LOWER, 0x0007
    sfploadi    L0, UPPER, 0x0000
    sfpconfig   0, SEQUENCE1, 0
    sfpconfig   0xf34, MISC, 1              ; delays count instructions
    setc16      34, 2
    setc16      35, 0
    sfpencc     3, L0, L0, EI_RI

.loop
    sfploadmacro 0, L0, INT32, ADDR_MOD_7, cond
    sfploadmacro 1, L7, INT32, ADDR_MOD_7, yes
    sfpload     L7, INT32, ADDR_MOD_7, no
    sfpstore    L7, INT32, ADDR_MOD_6, out
