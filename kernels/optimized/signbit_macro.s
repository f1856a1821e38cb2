; signbit.s with SFPLOADMACRO: 1 cycle a row instead of 4.
;
; Found by 'sfpusim optimize signbit.s'; the plain kernel is the source.
;
;
;   t | Load           | Simple            | Round                     | Store
;   0 | L6/L7 = x (m0) |                   |                           |
;   1 |                |                   | L6/L7 = shft2(L6/L7, -31) |
;   2 |                | L16 = cast(L6/L7) |                           |
;   3 |                |                   |                           | [x] = L16
; One row; the next begins 1 cycle later. "!" is issued, all else but loads is scheduled.
; Registers of 2 rows take turns: L0/L1 is L0 in one row and L1 in the next.

.arch bh
.rows 32
.expect cycles_per_row 1

.equ x, 0x00

.init
    sfpcast     L0, L14, SM32_TO_FP32_RNE   ; template 2
    sfpshft2    -31, L6, L15, SHFT_IMM      ; template 3
    ; m0: simple template 2 after 1 to L16, round template 3 after 0, store of the result after 2 of L16
    sfploadi    L0, LOWER, 0x004e
    sfploadi    L0, UPPER, 0xd387
    sfpconfig   0, SEQUENCE0, 0
    sfpconfig   0xf13, MISC, 1              ; delays count instructions
    setc16      34, 2
    setc16      35, 0

.loop 2
    sfploadmacro 0, L6, FP32, ADDR_MOD_6, x
    sfploadmacro 0, L7, FP32, ADDR_MOD_6, x

.tail
    sfpnop
    sfpnop
