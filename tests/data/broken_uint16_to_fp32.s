; uint16_to_fp32.s with one delay longer by one: the store comes when the next row is in L16 already.
; lint must find the lost result at the SFPLOADMACRO, and the sequence that is wrong.

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
    sfploadi    L0, UPPER, 0x5300           ;     Store of L16 after 2: one too many
    sfpconfig   0, SEQUENCE0, 0
    sfpconfig   0x103, MISC, 1              ; stores are FP32; Simple counts instructions
    sfpnop                                  ; an SFPLOADMACRO comes three words behind a write of Misc (T21)
    sfpnop

.loop
    sfploadmacro 0, L0, UINT16, step, v

.tail
    sfpnop
    sfpnop
