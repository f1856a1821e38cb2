; Two's complement 32-bit integers to FP32, rounded to nearest, ties to even, with SFPLOADMACRO, in place.
;
; Source: tenstorrent/tt-llk, tt_llk_blackhole and tt_llk_wormhole_b0,
; common/inc/sfpu/ckernel_sfpu_typecast.h; timing contract, table of published throughputs.
; Published throughput: 4 cycles a row on Blackhole and Wormhole.
;
; SFPCAST takes sign and magnitude. The magnitude of -2^31 does not fit: there abs(v) has its sign bit set and
; casts to -0. That bit in L7 then chooses L1 = -2^31 instead of L0 = 0 for the final addition.
;
;  t | Load         | Simple              | MAD                      | Round        | Store
;  0 | v = x   (m0) |                     |                          |              |
;  1 |              | L4 = abs(v) !       |                          |              |
;  2 |              |                     |                          | L7 = L4>>31 !|
;  3 |              | L4 = cast(L4) !     |                          |              |
;  0 | next row     | v = L4, sign of v   |                          |              |
;  1 |              |                     | L16 = L[L7] * 1 + v      |              |
;  2 |              |                     |                          |              |
;  3 |              |                     |                          |              | x = L16
; "!" is issued. v is L2 and L3 in turn, because it is still read when the next row is loaded.
;
; Dst: 32-bit cells in rows 0x00 to 0x3f.

.rows 32
.expect cycles_per_row 4

.input x, 0x00, i32
.output y, x, f32

.init
.ifarch bh
    .equ step, ADDR_MOD_6
    setc16      34, 2                       ; ADDR_MOD_6: Dst += 2
.endif
.ifarch wh
    .equ step, ADDR_MOD_2
    setc16      2, 1                        ; ADDR_MOD_SET_Base: ADDR_MOD_2 names entry 6
    setc16      29, 2                       ; entry 6: Dst += 2
.endif
    .constant   L12, -31                    ; a shift to the right
    .template   0, sfpsetsgn 0, L4, _, 0    ; [x] = L4 with the sign of [x]
    .template   1, sfpmad L0, L10, _, _, 4  ; [x] = L[L7] * 1 + [x]
    .macro      0, simple=(template=0, delay=3, vb), mad=(template=1, delay=4, l16), store=(delay=6, l16)
    .misc       store_mode=FP32, count_instructions=simple
    .constant   L0, 0
    .constant   L1, -2147483648.0           ; -2^31

.loop 2
    sfploadmacro 0, L2, INT32, step, x
    sfpabs      0, L2, L4, 0
    sfpshft2    L4, L12, L7, 5
    sfpcast     L4, L4, 0
    sfploadmacro 0, L3, INT32, step, x
    sfpabs      0, L3, L4, 0
    sfpshft2    L4, L12, L7, 5
    sfpcast     L4, L4, 0

.tail
    sfpnop
    sfpnop
    sfpnop
    sfpnop
