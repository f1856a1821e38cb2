; square_wh.s with SFPLOADMACRO: 1 cycle a row instead of 4.
;
; Found by 'sfpusim optimize square_wh.s'; the plain kernel is the source.
;
;
;   t | Load        | MAD                   | Store
;   0 | L0 = x (m0) |                       |
;   1 |             | L16 = mul(L0, L0, L9) |
;   2 |             |                       |
;   3 |             |                       | [x] = L16
; One row; the next begins 1 cycle later. "!" is issued, all else but loads is scheduled.

.arch wh
.rows 32
.expect cycles_per_row 1

.equ x, 0x00

.init
    sfpmul      L0, L0, L9, L15, 0          ; template 3
    ; m0: mad template 3 after 0 to L16, store of the result after 2 of L16
    sfploadi    L0, LOWER, 0xc700
    sfploadi    L0, UPPER, 0xd300
    sfpconfig   0, SEQUENCE0, 0
    sfpconfig   0xf13, MISC, 1              ; delays count instructions
    setc16      2, 1
    setc16      29, 2
    setc16      30, 0

.loop
    sfploadmacro 0, L0, FP32, ADDR_MOD_2, x

.tail
    sfpnop
    sfpnop
