; horner_2_wh.s with SFPLOADMACRO: 2 cycles a row instead of 6.
;
; Found by 'sfpusim optimize horner_2_wh.s'; the plain kernel is the source.
;
;
;   t | Load           | MAD                         | Store
;   0 |                |                             |
;   1 | L2/L4 = x (m0) |                             |
;   2 |                | L0 = mad(L2/L4, L12, L13) ! |
;   3 |                |                             |
;   4 |                |                             |
;   5 |                | L16 = mad(L0, L2/L4, L14)   |
;   6 |                |                             |
;   7 |                |                             | [x] = L16
; One row; the next begins 2 cycles later. "!" is issued, all else but loads is scheduled.
; Registers of 2 rows take turns: L0/L1 is L0 in one row and L1 in the next.

.arch wh
.rows 32
.expect cycles_per_row 2

.equ x, 0x00

.init
    sfpmad      L0, L0, L14, L14, 0         ; template 2
    ; m0: mad template 2 after 3 to L16, store of the result after 5 of L16
    sfploadi    L0, LOWER, 0xde00
    sfploadi    L0, UPPER, 0xeb00
    sfpconfig   0, SEQUENCE0, 0
    sfpconfig   0xf13, MISC, 1              ; delays count instructions
    setc16      2, 1
    setc16      29, 2
    setc16      30, 0
    sfploadi    L0, FLOATB, 0x3f00
    sfpconfig   0x0, L12, 0
    sfploadi    L0, FLOATB, 0x3e80
    sfpconfig   0x0, L13, 0
    sfploadi    L0, FLOATB, 0xbe00
    sfpconfig   0x0, L14, 0

.loop 2
    sfpmad      L4, L12, L13, L0, 0
    sfploadmacro 0, L2, FP32, ADDR_MOD_2, x
    sfpmad      L2, L12, L13, L0, 0
    sfploadmacro 0, L4, FP32, ADDR_MOD_2, x

.tail
    sfpmad      L4, L12, L13, L0, 0
    sfpnop
    sfpnop
    sfpnop
    sfpnop
