; FP32 to BF16, rounded to nearest, ties to even, with SFPLOADMACRO.
;
; Source: tenstorrent/tt-llk, tt_llk_blackhole and tt_llk_wormhole_b0,
; common/inc/sfpu/ckernel_sfpu_typecast.h; timing contract, table of published throughputs.
; Published throughput: 3 cycles a row on Blackhole and Wormhole.
;
; The sum x + 0x7fff + (bit 16 of x) has the rounded BF16 in its upper half; the store truncates. Correct for
; all values but NaNs with a large mantissa, which carry into the sign. Subnormal results become zero in the
; store.
;
;  t | Load         | Simple            | Round      | Store
;  0 | a = x   (m0) |                   |            |
;  1 | L2 = x  (m1) |                   | a >>= 16   |
;  2 |              | a &= 1, issued    |            |
;  0 | next row     | L2 += 0x7fff      |            |
;  1 |              | L16 = a + L2      |            | x = a, 32 bits
;  2 |              |                   |            | x = L16, BF16
; a is L0 and L1 in turn, because it is still read when the next row is loaded.
;
; Dst: in, FP32, 32-bit cells in rows 0x00 to 0x3f. Out, BF16 in rows 0x00 to 0x3f of the 16-bit view, whose
; storage lies at or before that of the input, so nothing is overwritten before it is read. The 32-bit store
; clears a cell but for its lowest bit before the BF16 goes to its 16-bit place; the kernel's authors rely on
; that where a packer reads 32 bits.

.rows 32
.expect cycles_per_row 3

.input x, 0x00, f32
.output y, x, bf16

.init
.ifarch bh
    .equ step, ADDR_MOD_6
    .equ stay, ADDR_MOD_7
    setc16      34, 2                       ; ADDR_MOD_6: Dst += 2
    setc16      35, 0                       ; ADDR_MOD_7: stay
.endif
.ifarch wh
    .equ step, ADDR_MOD_2
    .equ stay, ADDR_MOD_3
    setc16      2, 1                        ; ADDR_MOD_SET_Base: ADDR_MOD_2 and 3 name entries 6 and 7
    setc16      29, 2                       ; entry 6: Dst += 2
    setc16      30, 0                       ; entry 7: stay
.endif
    .constant   L12, 1
    .constant   L13, 0x7fff
    .template   0, sfpshft2 -16, _, _, 6    ; [x] = [x] >> 16
    .template   1, sfpiadd 0, L13, _, 4     ; [x] = [x] + 0x7fff
    .template   2, sfpiadd 0, L2, _, 4      ; [x] = [x] + L2
    .macro      0, simple=(template=2, delay=3, vb, l16), round=(template=0, delay=0, vb), store=(delay=3)
    .macro      1, simple=(template=1, delay=1, vb), store=(delay=3, l16)
    .misc       store_mode=BF16, load_mode=0, count_instructions=(simple, mad) ; m1 stores BF16
    sfpnop                                  ; an SFPLOADMACRO comes three words behind a write of Misc (T21)
    sfpnop

.loop 2
    sfploadmacro 0, L0, FP32, stay, x
    sfploadmacro 1, L2, FP32, step, x
    sfpand      0, L12, L0, 0
    sfploadmacro 0, L1, FP32, stay, x
    sfploadmacro 1, L2, FP32, step, x
    sfpand      0, L12, L1, 0

.tail
    sfpnop
    sfpnop
    sfpnop
