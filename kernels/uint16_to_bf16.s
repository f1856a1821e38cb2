; Unsigned 16-bit integers to BF16, rounded to nearest, with SFPLOADMACRO, in place.
;
; Source: tenstorrent/tt-llk, tt_llk_blackhole and tt_llk_wormhole_b0,
; common/inc/sfpu/ckernel_sfpu_typecast.h; timing contract, table of published throughputs.
; Published throughput: 1 cycle a row on Blackhole and Wormhole.
;
;  t | Load  | Simple      | Round            | Store
;  0 | v = x |             |                  |
;  1 | next  | v = cast(v) |                  |
;  2 |       |             | L16 = round(v)   |
;  3 |       |             |                  | x = L16
; v is L0 and L1 in turn, because the cast of one row and the load of the next share a cycle. SFPSTOCHRND
; rounds ties away from zero.
;
; Dst: 16-bit cells in rows 0x00 to 0x3f. The store's mode is SRCB, which is BF16 for every 16-bit format with
; eight exponent bits and after reset.

.rows 32
.expect cycles_per_row 1

.input x, 0x00, u16
.output y, x, bf16

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
    .template   0, sfpcast _, _, 0          ; [x] = [x] to FP32
    .template   1, sfpstochrnd 0, 0, L0, _, _, 1 ; [x] = [x] rounded to BF16
    .macro      0, simple=(template=0, delay=0), round=(template=1, delay=1, l16), store=(delay=2, l16)
    .misc       count_instructions=simple   ; stores are SRCB
    sfpnop                                  ; an SFPLOADMACRO comes three words behind a write of Misc (T21)
    sfpnop

.loop 2
    sfploadmacro 0, L0, UINT16, step, x
    sfploadmacro 0, L1, UINT16, step, x

.tail
    sfpnop
    sfpnop
    sfpnop
