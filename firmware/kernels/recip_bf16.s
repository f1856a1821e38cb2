; Approximate reciprocal of a bf16 tile, in place: one row a cycle, as kernels/recip_macro.s but for 16-bit cells.
;
; Dst: BF16 in rows 0x00 to 0x3f of the 16-bit view. The loop holds eight rows: it fills eight slots of the replay
; buffer, and four replays make a tile of 32 rows.

.arch bh
.rows 32

.init
    setc16      34, 2                       ; ADDR_MOD_6: Dst += 2
    sfparecip   0, L0, L12, 0               ; template 0: [x] = about 1 / [x]
    sfploadi    L0, LOWER, 0x0044           ; m0: Simple template 0 after 0 to L16
    sfploadi    L0, UPPER, 0x4b00           ;     Store of L16 after 1
    sfpconfig   0, SEQUENCE0, 0
    sfpconfig   0x110, MISC, 1              ; m0 stores in the mode of its load; Simple counts instructions
    sfpnop                                  ; an SFPLOADMACRO comes three words behind a write of Misc (T21)
    sfpnop

.loop 8
    sfploadmacro 0, L0, BF16, ADDR_MOD_6, 0
    sfploadmacro 0, L0, BF16, ADDR_MOD_6, 0
    sfploadmacro 0, L0, BF16, ADDR_MOD_6, 0
    sfploadmacro 0, L0, BF16, ADDR_MOD_6, 0
    sfploadmacro 0, L0, BF16, ADDR_MOD_6, 0
    sfploadmacro 0, L0, BF16, ADDR_MOD_6, 0
    sfploadmacro 0, L0, BF16, ADDR_MOD_6, 0
    sfploadmacro 0, L0, BF16, ADDR_MOD_6, 0

.tail
    sfpnop
    sfpnop
