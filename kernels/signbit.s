; Sign bit as a float with SFPLOADMACRO, in place: x = 1.0 if its sign bit is set (-0.0 and NaN included),
; else 0.0.
;
; Source: tenstorrent/tt-metal, ckernel_sfpu_signbit.h; timing contract, table of published throughputs.
; Published throughput: 1 cycle a row on Blackhole and Wormhole.
;
;  t | Load  | Simple          | Round     | Store
;  0 | v = x |                 |           |
;  1 | next  |                 | v >>= 31  |
;  2 |       | L16 = cast(v)   |           |
;  3 |       |                 |           | x = L16
; v is L0 and L1 in turn, because Round and the next load would write the same register. Simple and Round
; share every cycle, which is legal because only one of them writes L16.
;
; Dst: FP32, 32-bit cells in rows 0x00 to 0x3f.

.rows 32
.expect cycles_per_row 1

.input x, 0x00, f32
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
    .template   0, sfpshft2 -31, _, _, 6    ; [x] = [x] >> 31
    .template   1, sfpcast _, _, 0          ; [x] = [x] to FP32
    .macro      0, simple=(template=1, delay=1, l16), round=(template=0, delay=0, vb), store=(delay=2, l16)
    .misc       load_mode=0, count_instructions=simple
    sfpnop                                  ; an SFPLOADMACRO comes three words behind a write of Misc (T21)
    sfpnop

.loop 2
    sfploadmacro 0, L0, FP32, step, x
    sfploadmacro 0, L1, FP32, step, x

.tail
    sfpnop
    sfpnop
    sfpnop
