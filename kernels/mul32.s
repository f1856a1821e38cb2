; 32-bit integer multiplication: out = a * b modulo 2^32. The plain sequence, without macros.
;
; Source: Jason Davies, "32-bit integer multiplication" (20 November 2025), first listing.
; Published throughput: 13 cycles a row on Blackhole. Wormhole has no SFPMUL24; see mul32_wh.s.
;
; With 23-bit chunks a = (a1 << 23) | a0 and b = (b1 << 23) | b0:
;   a * b = ((low(a1 * b) + low(a * b1) + high(a * b)) << 23) + low(a * b)
; SFPMUL24 masks its operands to 23 bits, so a0 and b0 need no instruction.
;
; Dst: 32-bit cells, two's complement or unsigned. a in rows 0x00 to 0x3f, b in 0x40 to 0x7f, out in 0x80 to
; 0xbf. A row of 32 lanes takes half the columns of four Dst rows; the next one is two addresses further.

.arch bh
.rows 32
.expect cycles_per_row 13

.input a, 0x00, i32
.input b, 0x40, i32
.output out, 0x80, i32

.init
    setc16      34, 2                       ; ADDR_MOD_6: Dst += 2
    setc16      35, 0                       ; ADDR_MOD_7: stay

.loop
    sfpload     L0, INT32, ADDR_MOD_7, a    ; L0 = a
    sfpshft     -23, L0, L2, 1|4            ; L2 = a1 = a >> 23
    sfpload     L1, INT32, ADDR_MOD_7, b    ; L1 = b
    sfpshft     -23, L1, L3, 1|4            ; L3 = b1 = b >> 23
    sfpmul24    L1, L2, L9, L2, 0           ; L2 = low(b * a1)
    sfpmul24    L0, L3, L9, L3, 0           ; L3 = low(a * b1)
    sfpmul24    L0, L1, L9, L4, 1           ; L4 = high(a * b)
    sfpmul24    L0, L1, L9, L0, 0           ; L0 = low(a * b)
    sfpiadd     0, L2, L4, 4                ; L4 += L2
    sfpiadd     0, L3, L4, 4                ; L4 += L3
    sfpshft     23, L4, L4, 1               ; L4 <<= 23
    sfpiadd     0, L4, L0, 4                ; L0 += L4
    sfpstore    L0, INT32, ADDR_MOD_6, out
