; Unsigned 16-bit integer multiplication with SFPLOADMACRO, in place of a: a = a * b modulo 2^16.
;
; Source: tenstorrent/tt-llk, tt_llk_blackhole and tt_llk_wormhole_b0, common/inc/sfpu/ckernel_sfpu_mul_int.h;
; timing contract, table of published throughputs.
; Published throughput: 2 cycles a row on Blackhole, 12 on Wormhole.
;
; Dst: 16-bit cells. a in rows 0x00 to 0x3f, b in rows 0x40 to 0x7f. The mode is UINT16, in which loads and
; stores both work on 16-bit cells (a store in mode LO16 writes 32-bit cells).

.rows 32

.input a, 0x00, u16
.input b, 0x40, u16
.output out, a, u16

.ifarch bh
;  t | Load        | MAD                  | Store
;  0 | L0 = b      |                      |
;  1 | L1 = a (m0) |                      |
;  0 | next row    | L16 = low(L0 * L1)   |
;  1 |             |                      |
;  0 |             |                      | a = L16
; The multiplication reads L0 in the cycle in which the next b is loaded into it.
.expect cycles_per_row 2

.init
    setc16      34, 2                       ; ADDR_MOD_6: Dst += 2
    setc16      35, 0                       ; ADDR_MOD_7: stay
    .template   0, sfpmul24 L0, _, L9, _, 0 ; [x] = low(L0 * [x])
    .macro      0, mad=(template=0, delay=0, vb, l16), store=(delay=2, l16)
    .misc       load_mode=(0, 1), count_instructions=(simple, mad)
    sfpnop                                  ; an SFPLOADMACRO comes three words behind a write of Misc (T21)

.loop
    sfpload     L0, UINT16, ADDR_MOD_7, b
    sfploadmacro 0, L1, UINT16, ADDR_MOD_6, a

.tail
    sfpnop
    sfpnop
    sfpnop
.endif

.ifarch wh
; With bytes a = (a1 << 8) | a0 and b likewise: a * b = ((a0*b1 + a1*b0) << 8) + a0*b0. Adding 2^23 to an FP32
; sum below 2^23 leaves the integer in the mantissa.
;
;  t | Load         | Simple           | MAD                     | Round    | Store
;  0 | L3 = b  (m0) |                  |                         |          |
;  1 | L0 = a  (m1) |                  |                         | L3 >>= 8 |
;  2 | L1 = b  (m1) | cast L3          |                         |          |
;  3 |              | L0 &= 0xff !     |                         |          |
;  4 |              | L1 &= 0xff !     |                         |          |
;  5 | L2 = a  (m2) | cast L0          |                         |          |
;  6 | L4 = .  (m3) | cast L1          |                         | L2 >>= 8 |
;  7 |              |                  | L3 = L0 * L3 + 2^23 !   |          |
;  8 |              | cast L2          | L0 = L0 * L1 + 2^23 !   |          |
;  9 |              |                  | L3 = L2 * L1 + L3 !     |          |
; 10 |              | L5 = mantissa L0!|                         |          |
; 11 |              | L4 = mantissa L3!|                         |          |
;  0 | next row     |                  |                         | L4 <<= 8 |
;  1 |              | L16 = L5 + L4    |                         |          |
;  2 |              |                  |                         |          | a = L16
; "!" is issued. The load of L4 only names the address of the store.
.expect cycles_per_row 12

.init
    setc16      2, 1                        ; ADDR_MOD_SET_Base: ADDR_MOD_2 and 3 name entries 6 and 7
    setc16      29, 2                       ; entry 6: Dst += 2
    setc16      30, 0                       ; entry 7: stay
    .constant   L12, 0xff                   ; mask of a byte
    .constant   L13, 8388608.0              ; 2^23
    .template   0, sfpshft2 -8, _, _, 6     ; [x] = [x] >> 8
    .template   1, sfpcast _, _, 0          ; [x] = [x] to FP32
    .template   2, sfpshft2 8, _, _, 6      ; [x] = [x] << 8
    .template   3, sfpiadd 0, L5, _, 4      ; [x] = [x] + L5
    .macro      0, simple=(template=1, delay=1), round=(template=0, delay=0, vb)
    .macro      1, simple=(template=1, delay=3)
    .macro      2, simple=(template=1, delay=2), round=(template=0, delay=1, vb)
    .macro      3, simple=(template=3, delay=6, vb, l16), round=(template=2, delay=5, vb), store=(delay=7, l16)
    .misc       load_mode=(0, 1, 2, 3), count_instructions=(simple, mad, round, store)
    sfpnop                                  ; an SFPLOADMACRO comes three words behind a write of Misc (T21)
    sfpnop

.loop
    sfploadmacro 0, L3, UINT16, ADDR_MOD_3, b
    sfploadmacro 1, L0, UINT16, ADDR_MOD_3, a
    sfploadmacro 1, L1, UINT16, ADDR_MOD_3, b
    sfpand      0, L12, L0, 0
    sfpand      0, L12, L1, 0
    sfploadmacro 2, L2, UINT16, ADDR_MOD_3, a
    sfploadmacro 3, L4, UINT16, ADDR_MOD_2, a
    sfpmad      L0, L3, L13, L3, 0
    sfpmad      L0, L1, L13, L0, 0
    sfpmad      L2, L1, L3, L3, 0
    sfpexman    0, L0, L5, 1
    sfpexman    0, L3, L4, 1

.tail
    sfpnop
    sfpnop
    sfpnop
.endif
