; int_add_out.s with SFPLOADMACRO: 3 cycles a row instead of 4.
;
; Found by 'sfpusim optimize int_add_out.s'; the plain kernel is the source.
;
;
;   t | Load        | Simple            | Store
;   0 | L1 = b      |                   |
;   1 |             |                   |
;   2 | L4 = a (m0) |                   |
;   3 |             | L4 = iadd(L4, L1) |
;   4 |             |                   | [out] = L4 !
; One row; the next begins 3 cycles later. "!" is issued, all else but loads is scheduled.

.arch bh
.rows 32
.expect cycles_per_row 3

.equ a, 0x00
.equ b, 0x40
.equ out, 0x80

.init
    sfpiadd     0, L1, L15, CC_NONE         ; template 3
    ; m0: simple template 3 after 0
    sfploadi    L0, LOWER, 0x0087
    sfploadi    L0, UPPER, 0x0000
    sfpconfig   0, SEQUENCE0, 0
    sfpconfig   0xf14, MISC, 1              ; delays count instructions
    setc16      34, 2
    setc16      35, 0
    ; the first rows begin before the loop
    sfpload     L1, INT32, ADDR_MOD_7, b
    sfpnop
    sfploadmacro 0, L4, INT32, ADDR_MOD_7, a

.loop
    sfpload     L1, INT32, ADDR_MOD_7, b + 2
    sfpstore    L4, INT32, ADDR_MOD_7, out
    sfploadmacro 0, L4, INT32, ADDR_MOD_6, a + 2
