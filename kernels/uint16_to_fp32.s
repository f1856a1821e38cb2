; Unsigned 16-bit integers to FP32 with SFPLOADMACRO.
;
; Source: tenstorrent/tt-llk, tt_llk_blackhole and tt_llk_wormhole_b0,
; common/inc/sfpu/ckernel_sfpu_typecast.h; timing contract, table of published throughputs.
; Published throughput: 1 cycle a row on Blackhole and Wormhole.
;
;  t | Load   | Simple          | Store
;  0 | L0 = v |                 |
;  1 | next   | L16 = cast(L0)  |
;  2 |        |                 | v = L16
;
; Dst: in, rows 0x40 to 0x7f of the 16-bit view. Out, rows 0x40 to 0x7f of the 32-bit view, which are other
; storage. At row 0 the first results would overwrite inputs that are not read yet.

.rows 32
.expect cycles_per_row 1

.input v, 0x40, u16
.output y, v, f32

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
    .macro      0, simple=(template=0, delay=0, l16), store=(delay=1, l16)
    .misc       store_mode=FP32, count_instructions=simple
    sfpnop                                  ; an SFPLOADMACRO comes three words behind a write of Misc (T21)
    sfpnop

.loop
    sfploadmacro 0, L0, UINT16, step, v

.tail
    sfpnop
    sfpnop
