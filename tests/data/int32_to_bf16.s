; Two's complement 32-bit integers to BF16, in place, with SFPLOADMACRO: kernels/int32_to_fp32.s with the rounding to
; BF16 as one more scheduled instruction. Right when it is issued without gaps, four cycles a row.
;
;  t | Load         | Simple              | MAD                      | Round         | Store
;  0 | v = x   (m0) |                     |                          |               |
;  1 |              | L4 = abs(v) !       |                          |               |
;  2 |              |                     |                          | L7 = L4 >> 31!|
;  3 |              | L4 = cast(L4) !     |                          |               |
;  0 | next row     | v = L4, sign of v   |                          |               |
;  1 |              |                     | v = L[L7] + v            |               |
;  2 |              |                     |                          |               |
;  3 |              |                     |                          | L16 = round(v)|
;  0 |              |                     |                          |               | x = L16
; "!" is issued. Only Simple counts instructions: once the sign is set, the rounding counts cycles. Two idle cycles before
; the next SFPLOADMACRO bring it to the cycle of that row's SFPSHFT2, which is discarded. L7 then keeps the bit of the row
; before, which differs only if one of the two values is -2^31.
;
; Dst: in, 32-bit cells in rows 0x00 to 0x3f. Out, BF16 in rows 0x00 to 0x3f of the 16-bit view.
.arch bh
.rows 32
.expect cycles_per_row 4

.equ x, 0x00

.init
    setc16      34, 2                       ; ADDR_MOD_6: Dst += 2
    sfploadi    L0, SHORT, -31
    sfpconfig   0, L12, 0                   ; L12 = -31
    sfpsetsgn   0, L4, L12, 0               ; template 0: [x] = L4 with the sign of [x]
    sfpmad      L0, L10, L0, L13, 4         ; template 1: [x] = L[L7] * 1 + [x]
    sfpstochrnd 0, 0, L0, L0, L14, 1        ; template 2: [x] = [x] rounded to BF16
    sfploadi    L0, LOWER, 0x259c           ; m0: Simple template 0 after 3, MAD template 1 after 4
    sfploadi    L0, UPPER, 0x7b76           ;     Round template 2 after 6 to L16, Store of L16 after 7
    sfpconfig   0, SEQUENCE0, 0
    sfpconfig   0x102, MISC, 1              ; stores are BF16; Simple counts instructions
    sfploadi    L0, USHORT, 0               ; L0 = 0
    sfploadi    L1, FLOATB, 0xcf00          ; L1 = -2^31

.loop 2
    sfploadmacro 0, L2, INT32, ADDR_MOD_6, x
    sfpabs      0, L2, L4, 0
    sfpshft2    L4, L12, L7, 5
    sfpcast     L4, L4, 0
    sfploadmacro 0, L3, INT32, ADDR_MOD_6, x
    sfpabs      0, L3, L4, 0
    sfpshft2    L4, L12, L7, 5
    sfpcast     L4, L4, 0

.tail
    sfpnop
    sfpnop
    sfpnop
    sfpnop
    sfpnop
