; int32_to_fp32.s with SFPLOADMACRO: 4 cycles a row instead of 8.
;
; Found by 'sfpusim optimize int32_to_fp32.s'; the plain kernel is the source.
;
;
;   t | Load        | Simple              | MAD                    | Round                    | Store
;   0 |             |                     |                        |                          |
;   1 |             |                     |                        |                          |
;   2 |             |                     |                        |                          |
;   3 | L4 = x (m0) |                     |                        |                          |
;   4 | L2 = x (m1) | L4 = abs(L4)        |                        |                          |
;   5 |             | L5 = cast(L4) !     |                        |                          |
;   6 |             |                     |                        | L7 = shft2(L4, L14, 4) ! |
;   7 |             | L2 = setsgn(L2, L5) |                        |                          |
;   8 |             |                     | L16 = mad(L10, L2, L7) |                          |
;   9 |             |                     |                        |                          |
;  10 |             |                     |                        |                          |
;  11 |             |                     |                        |                          |
;  12 |             |                     |                        |                          | [x] = L16
; One row; the next begins 4 cycles later. "!" is issued, all else but loads is scheduled.

.arch bh
.rows 32
.expect cycles_per_row 4

.equ x, 0x00

.init
    sfpabs      0, L4, L12, INT             ; template 0
    sfpmad      L0, L10, L7, L13, INDIRECT_VA ; template 1
    sfpsetsgn   0, L5, L14, 0               ; template 2
    ; m0: simple template 0 after 0
    sfploadi    L0, LOWER, 0x0084
    sfploadi    L0, UPPER, 0x0000
    sfpconfig   0, SEQUENCE0, 0
    ; m1: simple template 2 after 2, mad template 1 after 3 to L16, store of the result after 7 of L16
    sfploadi    L0, LOWER, 0x5d96
    sfploadi    L0, UPPER, 0x7b00
    sfpconfig   0, SEQUENCE1, 0
    sfpconfig   0xf03, MISC, 1              ; delays count instructions
    setc16      34, 2
    setc16      35, 0
    sfploadi    L0, SHORT, 0xffe1
    sfpconfig   0x0, L14, 0
    sfploadi    L0, USHORT, 0x0
    sfploadi    L1, FLOATB, 0xcf00
    ; the first rows begin before the loop
    sfploadmacro 0, L4, INT32, ADDR_MOD_7, x

.loop
    sfploadmacro 1, L2, INT32, ADDR_MOD_7, x
    sfpcast     L4, L5, SM32_TO_FP32_RNE
    sfpshft2    L4, L14, L7, SHFT_LREG
    sfploadmacro 0, L4, INT32, ADDR_MOD_6, x + 2

.tail
    sfpnop
    sfpnop
    sfpnop
    sfpnop
