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

.equ v, 0x40

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
    sfpcast     L0, L12, 0                  ; template 0: [x] = [x] to FP32
    sfploadi    L0, LOWER, 0x0044           ; m0: Simple template 0 after 0 to L16
    sfploadi    L0, UPPER, 0x4b00           ;     Store of L16 after 1
    sfpconfig   0, SEQUENCE0, 0
    sfpconfig   0x103, MISC, 1              ; stores are FP32; Simple counts instructions
    sfpnop                                  ; an SFPLOADMACRO comes three words behind a write of Misc (T21)
    sfpnop

.loop
    sfploadmacro 0, L0, UINT16, step, v

.tail
    sfpnop
    sfpnop
