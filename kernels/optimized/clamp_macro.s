; clamp.s with SFPLOADMACRO: 4 cycles a row instead of 6.
;
; Found by 'sfpusim optimize clamp.s'; the plain kernel is the source.
;
;
;   t | Load           | Simple                   | Store
;   0 | L7/L5 = x (m0) |                          |
;   1 |                |                          |
;   2 |                |                          |
;   3 | L7/L5 = x (m1) |                          |
;   4 |                | L7/L5 = swap(L11, L7/L5) |
;   5 |                |                          |
;   6 | L0 = x         | L7/L5 = swap(L7/L5, L10) |
;   7 |                |                          |
;   8 |                |                          | [x] = L7/L5
; One row; the next begins 4 cycles later. "!" is issued, all else but loads is scheduled.
; Registers of 2 rows take turns: L0/L1 is L0 in one row and L1 in the next.

.arch bh
.rows 32
.expect cycles_per_row 4

.equ x, 0x00

.init
    sfpswap     0, L10, L12, VEC_MIN_MAX    ; template 0
    sfploadi    L0, LOWER, 0x00b1
    sfploadi    L0, UPPER, 0x9200
    sfpconfig   0, TEMPLATE3, 0             ; template 3: sfpswap 0, L0, L11, VEC_MIN_MAX
    ; m0: simple template 3 after 3
    sfploadi    L0, LOWER, 0x001f
    sfploadi    L0, UPPER, 0x0000
    sfpconfig   0, SEQUENCE0, 0
    ; m1: simple template 0 after 2, store of the result after 4
    sfploadi    L0, LOWER, 0x0094
    sfploadi    L0, UPPER, 0x2300
    sfpconfig   0, SEQUENCE1, 0
    sfpconfig   0xf33, MISC, 1              ; delays count instructions
    setc16      34, 2
    setc16      35, 0

.loop 2
    sfploadmacro 0, L7, FP32, ADDR_MOD_7, x
    sfpnop
    sfpload     L0, FP32, ADDR_MOD_7, x + 1022
    sfploadmacro 1, L7, FP32, ADDR_MOD_6, x
    sfploadmacro 0, L5, FP32, ADDR_MOD_7, x
    sfpnop
    sfpload     L0, FP32, ADDR_MOD_7, x + 1022
    sfploadmacro 1, L5, FP32, ADDR_MOD_6, x

.tail
    sfpnop
    sfpnop
    sfpload     L0, FP32, ADDR_MOD_7, x + 1022
    sfpnop
