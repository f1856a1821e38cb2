; negative.s with SFPLOADMACRO: 1 cycle a row instead of 3.
;
; Found by 'sfpusim optimize negative.s'; the plain kernel is the source.
;
;
;   t | Load        | Simple        | Store
;   0 | L0 = x (m0) |               |
;   1 |             | L16 = mov(L0) |
;   2 |             |               | [x] = L16
; One row; the next begins 1 cycle later. "!" is issued, all else but loads is scheduled.

.arch bh
.rows 32
.expect cycles_per_row 1

.equ x, 0x00

.init
    sfpmov      0, L0, L12, NEGATE          ; template 0
    ; m0: simple template 0 after 0 to L16, store of the result after 1 of L16
    sfploadi    L0, LOWER, 0x00c4
    sfploadi    L0, UPPER, 0xcb00
    sfpconfig   0, SEQUENCE0, 0
    sfpconfig   0xf13, MISC, 1              ; delays count instructions
    setc16      34, 2
    setc16      35, 0

.loop
    sfploadmacro 0, L0, FP32, ADDR_MOD_6, x

.tail
    sfpnop
