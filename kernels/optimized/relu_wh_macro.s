; relu_wh.s with SFPLOADMACRO: 2 cycles a row instead of 4.
;
; Found by 'sfpusim optimize relu_wh.s'; the plain kernel is the source.
;
;
;   t | Load           | Simple                  | Store
;   0 | L7/L6 = x (m0) |                         |
;   1 |                | L7/L6 = swap(L9, L7/L6) |
;   2 |                |                         |
;   3 |                |                         | [x] = L7/L6 !
; One row; the next begins 2 cycles later. "!" is issued, all else but loads is scheduled.
; Registers of 2 rows take turns: L0/L1 is L0 in one row and L1 in the next.

.arch wh
.rows 32
.expect cycles_per_row 2

.equ x, 0x00

.init
    sfploadi    L0, LOWER, 0x0091
    sfploadi    L0, UPPER, 0x9200
    sfpconfig   0, TEMPLATE3, 0             ; template 3: sfpswap 0, L0, L9, VEC_MIN_MAX
    ; m0: simple template 3 after 0
    sfploadi    L0, LOWER, 0x0007
    sfploadi    L0, UPPER, 0x0000
    sfpconfig   0, SEQUENCE0, 0
    sfpconfig   0xf13, MISC, 1              ; delays count instructions
    setc16      2, 1
    setc16      29, 2
    setc16      30, 0
    ; the first rows begin before the loop
    sfploadmacro 0, L7, FP32, ADDR_MOD_3, x
    sfpnop

.loop 2
    sfploadmacro 0, L6, FP32, ADDR_MOD_3, x + 2
    sfpstore    L7, FP32, ADDR_MOD_2, x
    sfploadmacro 0, L7, FP32, ADDR_MOD_3, x + 2
    sfpstore    L6, FP32, ADDR_MOD_2, x
