; 32-bit integer multiplication with SFPLOADMACRO: out = a * b modulo 2^32.
;
; Source: Jason Davies, "32-bit integer multiplication" (20 November 2025), the schedule with four macros. Its
; text has the addition's operand as register 3; register 4, where c lives, is meant.
; Published throughput: 8 cycles a row on Blackhole.
;
; The arithmetic is that of mul32.s. L3 holds a second copy of b, L4 first the upper product and then the sum
; that is shifted.
;
;  t | Load         | Simple              | MAD                 | Round    | Store
;  0 | L0 = b       |                     |                     |          |
;  1 | L1 = a  (m0) |                     |                     |          |
;  2 | L2 = b  (m1) |                     |                     | L1 >>= 23|
;  3 | L0 = a       |                     | L1 = low(b * L1)    | L2 >>= 23|
;  4 | L3 = b  (m2) |                     | L2 = low(a * L2)    |          |
;  5 |              |                     | L4 = high(a * L3) ! |          |
;  6 |              | L2 += L1 !          | L3 = low(a * L3)    |          |
;  7 | L4 = .  (m3) | L2 += L4            |                     |          |
;  0 | next row     | L4 = L2 << 23       |                     |          |
;  1 |              | L16 = L3 + L4       |                     |          |
;  2 |              |                     |                     |          | out = L16
; "!" is issued, everything else outside Load is scheduled. At t = 3 the multiplication still reads b from L0,
; which is loaded with a in that cycle. The last load only names the address of the store.
;
; Dst: as in mul32.s. 32-bit cells: a in rows 0x00 to 0x3f, b in 0x40 to 0x7f, out in 0x80 to 0xbf.

.arch bh
.rows 32
.expect cycles_per_row 8

.input a, 0x00, i32
.input b, 0x40, i32
.output out, 0x80, i32

.init
    setc16      34, 2                       ; ADDR_MOD_6: Dst += 2
    setc16      35, 0                       ; ADDR_MOD_7: stay
    .template   0, sfpshft2 -23, _, _, 6    ; [x] = [x] >> 23
    .template   1, sfpmul24 L0, _, L9, _, 0 ; [x] = low(L0 * [x])
    .template   2, sfpshft 23, L2, _, 1|4   ; [x] = L2 << 23
    .template   3, sfpiadd 0, L4, _, 4      ; [x] = [x] + L4
    .macro      0, mad=(template=1, delay=1, vb), round=(template=0, delay=0, vb)
    .macro      1, simple=(template=3, delay=4, vb), mad=(template=1, delay=1, vb), round=(template=0, delay=0, vb)
    .macro      2, simple=(template=3, delay=4, vb, l16), mad=(template=1, delay=1, vb)
    .macro      3, simple=(template=2, delay=0, vb), store=(delay=2, l16)
    .misc       load_mode=(0, 1, 2, 3), count_instructions=(simple, mad, round, store)
    sfpnop                                  ; an SFPLOADMACRO comes three words behind a write of Misc (T21)

.loop
    sfpload     L0, INT32, ADDR_MOD_7, b
    sfploadmacro 0, L1, INT32, ADDR_MOD_7, a
    sfploadmacro 1, L2, INT32, ADDR_MOD_7, b
    sfpload     L0, INT32, ADDR_MOD_7, a
    sfploadmacro 2, L3, INT32, ADDR_MOD_7, b
    sfpmul24    L0, L3, L9, L4, 1
    sfpiadd     0, L1, L2, 4
    sfploadmacro 3, L4, INT32, ADDR_MOD_6, out

.tail
    sfpnop
    sfpnop
    sfpnop
