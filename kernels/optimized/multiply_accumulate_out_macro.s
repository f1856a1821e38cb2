; multiply_accumulate_out.s with SFPLOADMACRO: 4 cycles a row instead of 6.
;
; Found by 'sfpusim optimize multiply_accumulate_out.s'; the plain kernel is the source.
;
;
;   t | Load        | MAD                   | Store
;   0 |             |                       |
;   1 | L0 = . (m1) |                       |
;   2 | L1 = b (m0) |                       |
;   3 | L2 = c      |                       |
;   4 | L3 = a      |                       |
;   5 |             |                       |
;   6 |             | L16 = mad(L3, L1, L2) |
;   7 |             |                       |
;   8 |             |                       | [out] = L16
; One row; the next begins 4 cycles later. "!" is issued, all else but loads is scheduled.
; A load of "." only names the address of the store.

.arch bh
.rows 32
.expect cycles_per_row 4

.equ a, 0x00
.equ b, 0x40
.equ c, 0x80
.equ out, 0xc0

.init
    sfpmad      L3, L0, L2, L15, 0          ; template 3
    ; m0: mad template 3 after 3 to L16
    sfploadi    L0, LOWER, 0xdf00
    sfploadi    L0, UPPER, 0x0000
    sfpconfig   0, SEQUENCE0, 0
    ; m1: store of the result after 6 of L16
    sfploadi    L0, LOWER, 0x0000
    sfploadi    L0, UPPER, 0xf300
    sfpconfig   0, SEQUENCE1, 0
    sfpconfig   0xf33, MISC, 1              ; delays count instructions
    setc16      34, 2
    setc16      35, 0

.loop
    sfpload     L3, FP32, ADDR_MOD_7, a + 1022
    sfploadmacro 1, L0, FP32, ADDR_MOD_7, out
    sfploadmacro 0, L1, FP32, ADDR_MOD_7, b
    sfpload     L2, FP32, ADDR_MOD_6, c

.tail
    sfpload     L3, FP32, ADDR_MOD_7, a + 1022
    sfpnop
    sfpnop
    sfpnop
