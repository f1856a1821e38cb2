; fp32_to_bf16_wh.s with SFPLOADMACRO: 3 cycles a row instead of 7.
;
; Found by 'sfpusim optimize fp32_to_bf16_wh.s'; the plain kernel is the source.
;
;
;   t | Load           | Simple                    | Round                     | Store
;   0 | L1/L6 = x (m1) |                           |                           |
;   1 |                |                           |                           |
;   2 | L0 = x (m0)    |                           | L1/L6 = shft2(L1/L6, -16) |
;   3 |                | L0 = iadd(L0, L13)        |                           |
;   4 |                | L1/L6 = and(L1/L6, L12) ! |                           |
;   5 |                | L16 = iadd(L1/L6, L0)     |                           |
;   6 |                |                           |                           |
;   7 |                |                           |                           |
;   8 |                |                           |                           | [x] = L16
; One row; the next begins 3 cycles later. "!" is issued, all else but loads is scheduled.
; Registers of 2 rows take turns: L0/L1 is L0 in one row and L1 in the next.

.arch wh
.rows 32
.expect cycles_per_row 3

.equ x, 0x00

.init
    sfpiadd     0, L13, L12, CC_NONE        ; template 0
    sfpiadd     0, L0, L14, CC_NONE         ; template 2
    sfpshft2    -16, L0, L15, SHFT_IMM      ; template 3
    ; m0: simple template 0 after 0, store of the result after 5 of L16
    sfploadi    L0, LOWER, 0x0084
    sfploadi    L0, UPPER, 0x6b00
    sfpconfig   0, SEQUENCE0, 0
    ; m1: simple template 2 after 4 to L16, round template 3 after 1
    sfploadi    L0, LOWER, 0x00e6
    sfploadi    L0, UPPER, 0x008f
    sfpconfig   0, SEQUENCE1, 0
    sfpconfig   0xf22, MISC, 1              ; delays count instructions
    setc16      2, 1
    setc16      29, 2
    setc16      30, 0
    sfploadi    L0, USHORT, 0x1
    sfpconfig   0x0, L12, 0
    sfploadi    L0, USHORT, 0x7fff
    sfpconfig   0x0, L13, 0

.loop 2
    sfploadmacro 1, L1, FP32, ADDR_MOD_3, x
    sfpand      0, L12, L6, 0
    sfploadmacro 0, L0, FP32, ADDR_MOD_2, x
    sfploadmacro 1, L6, FP32, ADDR_MOD_3, x
    sfpand      0, L12, L1, 0
    sfploadmacro 0, L0, FP32, ADDR_MOD_2, x

.tail
    sfpnop
    sfpand      0, L12, L6, 0
    sfpnop
    sfpnop
    sfpnop
