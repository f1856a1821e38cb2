; ../mul32.s with SFPLOADMACRO: 7 cycles a row instead of 13.
;
; Found by 'sfpusim optimize mul32.s'; the plain kernel is the source.
;
;
;   t | Load        | Simple             | MAD                      | Round               | Store
;   0 | L6 = b (m1) |                    |                          |                     |
;   1 |             |                    |                          |                     |
;   2 | L5 = a (m0) |                    |                          |                     |
;   3 |             |                    | L3 = mul24(L5, L6, L9) ! |                     |
;   4 | L7 = b (m2) |                    |                          | L5 = shft2(L5, -23) |
;   5 | L6 = a      |                    | L5 = mul24(L6, L5, L9)   |                     |
;   6 |             |                    | L3 = mul24(L7, L6, L9) ! | L7 = shft2(L7, -23) |
;   7 |             | L5 = iadd(L5, L3)  | L7 = mul24(L6, L7, L9)   |                     |
;   8 | L0 = . (m3) |                    |                          |                     |
;   9 |             | L7 = iadd(L5, L7)  |                          |                     |
;  10 |             |                    |                          | L0 = shft2(L7, 23)  |
;  11 |             | L16 = iadd(L0, L3) |                          |                     |
;  12 |             |                    |                          |                     |
;  13 |             |                    |                          |                     |
;  14 |             |                    |                          |                     | [out] = L16
; One row; the next begins 7 cycles later. "!" is issued, all else but loads is scheduled.
; A load of "." only names the address of the store.

.arch bh
.rows 32
.expect cycles_per_row 7

.equ a, 0x00
.equ b, 0x40
.equ out, 0x80

.init
    sfploadi    L0, LOWER, 0x0354
    sfploadi    L0, UPPER, 0x7900
    sfpconfig   0, TEMPLATE0, 0             ; template 0: sfpiadd 0, L3, L5, CC_NONE
    sfpshft2    23, L0, L13, SHFT_IMM       ; template 1
    sfpshft2    -23, L0, L14, SHFT_IMM      ; template 2
    sfpmul24    L6, L0, L9, L15, LOWER      ; template 3
    ; m0: simple template 0 after 4, mad template 3 after 2, round template 2 after 1
    sfploadi    L0, LOWER, 0x97a4
    sfploadi    L0, UPPER, 0x008e
    sfpconfig   0, SEQUENCE0, 0
    ; m1: 
    sfploadi    L0, LOWER, 0x0000
    sfploadi    L0, UPPER, 0x0000
    sfpconfig   0, SEQUENCE1, 0
    ; m2: simple template 0 after 4, mad template 3 after 2, round template 2 after 1
    sfploadi    L0, LOWER, 0x9724
    sfploadi    L0, UPPER, 0x008e
    sfpconfig   0, SEQUENCE2, 0
    ; m3: simple template 0 after 2 to L16, round template 1 after 1, store of the result after 5 of L16
    sfploadi    L0, LOWER, 0x00d4
    sfploadi    L0, UPPER, 0x6b0d
    sfpconfig   0, SEQUENCE3, 0
    sfpconfig   0xf04, MISC, 1              ; delays count instructions
    setc16      34, 2
    setc16      35, 0
    ; the first rows begin before the loop
    sfploadmacro 1, L6, INT32, ADDR_MOD_7, b
    sfpnop
    sfploadmacro 0, L5, INT32, ADDR_MOD_7, a
    sfpmul24    L5, L6, L9, L3, UPPER
    sfploadmacro 2, L7, INT32, ADDR_MOD_7, b
    sfpload     L6, INT32, ADDR_MOD_7, a
    sfpmul24    L7, L6, L9, L3, LOWER

.loop
    sfploadmacro 1, L6, INT32, ADDR_MOD_7, b + 2
    sfploadmacro 3, L0, INT32, ADDR_MOD_7, out
    sfploadmacro 0, L5, INT32, ADDR_MOD_7, a + 2
    sfpmul24    L5, L6, L9, L3, UPPER
    sfploadmacro 2, L7, INT32, ADDR_MOD_7, b + 2
    sfpload     L6, INT32, ADDR_MOD_6, a + 2
    sfpmul24    L7, L6, L9, L3, LOWER

.tail
    sfpnop
    sfpnop
