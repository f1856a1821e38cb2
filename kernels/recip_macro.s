; Approximate reciprocal with SFPLOADMACRO, in place: x = about 1 / x, within 0.9944 / x and 1.0054 / x.
;
; Source: tenstorrent/tt-llk, tt_llk_blackhole/common/inc/sfpu/ckernel_sfpu_recip.h, the 7-bit variant; timing
; contract, table of published throughputs.
; Published throughput: 1 cycle a row on Blackhole.
;
;  t | Load   | Simple             | Store
;  0 | L0 = x |                    |
;  1 | next   | L16 = recip(L0)    |
;  2 |        |                    | x = L16
; Three rows are under way at once. SFPARECIP gives eight significant bits; infinity below the normal range, 0
; from 2^126 on and for NaN, and keeps the sign.
;
; Dst: FP32, 32-bit cells in rows 0x00 to 0x3f. Any float mode in the SFPLOADMACRO serves, since the store
; takes it over.

.arch bh
.rows 32
.expect cycles_per_row 1

.input x, 0x00, f32
.output y, x, f32

.init
    setc16      34, 2                       ; ADDR_MOD_6: Dst += 2
    .template   0, sfparecip 0, _, _, 0     ; [x] = about 1 / [x]
    .macro      0, simple=(template=0, delay=0, l16), store=(delay=1, l16)
    .misc       load_mode=0, count_instructions=simple
    sfpnop                                  ; an SFPLOADMACRO comes three words behind a write of Misc (T21)
    sfpnop

.loop
    sfploadmacro 0, L0, FP32, ADDR_MOD_6, x

.tail
    sfpnop
    sfpnop
