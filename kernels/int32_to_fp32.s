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

.equ x, 0x00

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
    sfploadi    L0, SHORT, -31
    sfpconfig   0, L12, 0                   ; L12 = -31, a shift to the right
    sfpsetsgn   0, L4, L12, 0               ; template 0: [x] = L4 with the sign of [x]
    sfpmad      L0, L10, L0, L13, 4         ; template 1: [x] = L[L7] * 1 + [x]
    sfploadi    L0, LOWER, 0x659c           ; m0: Simple template 0 after 3, MAD template 1 after 4 to L16
    sfploadi    L0, UPPER, 0x7300           ;     Store of L16 after 6
    sfpconfig   0, SEQUENCE0, 0
    sfpconfig   0x103, MISC, 1              ; stores are FP32; Simple counts instructions
    sfploadi    L0, USHORT, 0               ; L0 = 0
    sfploadi    L1, FLOATB, 0xcf00          ; L1 = -2^31

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
