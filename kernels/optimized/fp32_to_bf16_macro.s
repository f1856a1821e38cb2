; fp32_to_bf16.s with SFPLOADMACRO: 3 cycles a row instead of 6.
;
; Found by 'sfpusim optimize fp32_to_bf16.s'; the plain kernel is the source.
;
;
;   t | Load           | Simple                  | Round                     | Store
;   0 | L0/L5 = x (m0) |                         |                           |
;   1 | L0/L5 = x (m1) |                         |                           |
;   2 | L7 = x (m2)    |                         | L0/L5 = shft2(L0/L5, -16) |
;   3 |                | L7 = iadd(L13, L7)      |                           |
;   4 |                | L0/L5 = and(L0/L5, L12) |                           |
;   5 |                | L16 = iadd(L0/L5, L7)   |                           |
;   6 |                |                         |                           |
;   7 |                |                         |                           |
;   8 |                |                         |                           | [x] = L16
; One row; the next begins 3 cycles later. "!" is issued, all else but loads is scheduled.
; Registers of 2 rows take turns: L0/L1 is L0 in one row and L1 in the next.

.arch bh
.rows 32
.expect cycles_per_row 3

.equ x, 0x00

.init
    sfpiadd     0, L7, L12, CC_NONE         ; template 0
    sfploadi    L0, LOWER, 0x01d4
    sfploadi    L0, UPPER, 0x7900
    sfpconfig   0, TEMPLATE1, 0             ; template 1: sfpiadd 0, L1, L13, CC_NONE
    sfpand      L0, L12, L14, USE_VB        ; template 2
    sfpshft2    -16, L12, L15, SHFT_IMM     ; template 3
    ; m0: simple template 0 after 4 to L16, store of the result after 7 of L16
    sfploadi    L0, LOWER, 0x00e4
    sfploadi    L0, UPPER, 0xfb00
    sfpconfig   0, SEQUENCE0, 0
    ; m1: simple template 2 after 2, round template 3 after 0
    sfploadi    L0, LOWER, 0x0096
    sfploadi    L0, UPPER, 0x0087
    sfpconfig   0, SEQUENCE1, 0
    ; m2: simple template 1 after 0
    sfploadi    L0, LOWER, 0x0005
    sfploadi    L0, UPPER, 0x0000
    sfpconfig   0, SEQUENCE2, 0
    sfpconfig   0xf62, MISC, 1              ; delays count instructions
    setc16      34, 2
    setc16      35, 0
    sfploadi    L0, USHORT, 0x1
    sfpconfig   0x0, L12, 0
    sfploadi    L0, USHORT, 0x7fff
    sfpconfig   0x0, L13, 0

.loop 2
    sfploadmacro 0, L0, FP32, ADDR_MOD_7, x
    sfploadmacro 1, L0, FP32, ADDR_MOD_7, x
    sfploadmacro 2, L7, FP32, ADDR_MOD_6, x
    sfploadmacro 0, L5, FP32, ADDR_MOD_7, x
    sfploadmacro 1, L5, FP32, ADDR_MOD_7, x
    sfploadmacro 2, L7, FP32, ADDR_MOD_6, x

.tail
    sfpnop
    sfpnop
    sfpnop
    sfpnop
    sfpnop
