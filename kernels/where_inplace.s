; Selection with SFPLOADMACRO, in place of the condition: cond = cond ? yes : no, lane by lane.
;
; Source: tenstorrent/tt-llk, tt_llk_blackhole/common/inc/sfpu/ckernel_sfpu_where.h; timing contract, table of
; published throughputs.
; Published throughput: 3 cycles a row on Blackhole and Wormhole.
;
;  t | Load           | Simple                    | Store
;  0 | L0 = cond (m0) |                           |
;  1 | L0 = yes  (m2) | lanes on where L0 is 0    |
;  2 | L0 = no        | all lanes on              |
;  0 | next row       |                           | cond = L0
; SFPSETCC executes while "yes" is loaded, and that load still goes to all lanes; the load of "no" goes to the
; lanes that SFPSETCC chose. SFPENCC and the load of "no" share a cycle in the same way.
;
; Dst: 32-bit cells of any type, moved unchanged: the macros work in mode INT32, and the store takes over its
; load's mode. cond in rows 0x00 to 0x3f, yes in 0x40 to 0x7f, no in 0x80 to 0xbf. A condition is false if all
; of its 32 bits are 0, so -0.0 counts as true. For 16-bit cells use the mode UINT16 in all three lines.

.rows 32
.expect cycles_per_row 3

.input cond, 0x00, u32
.input yes, 0x40, u32
.input no, 0x80, u32
.output out, cond, u32

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
    .template   0, sfpsetcc 0, _, _, 6      ; lanes on where [x] is 0
    .template   1, sfpencc 0, 0, _, 0       ; all lanes on
    .macro      0, simple=(template=0, delay=0), store=(delay=2)
    .macro      1, simple=(template=0, delay=0) ; for an output elsewhere
    .macro      2, simple=(template=1, delay=0)
    .misc       load_mode=(0, 1, 2), count_instructions=(simple, mad, round)
    sfpencc     3, 0, 0, 10                 ; use lane flags, all set
    sfpnop                                  ; an SFPLOADMACRO comes three words behind a write of Misc (T21)

.loop
    sfploadmacro 0, L0, INT32, stay, cond
    sfploadmacro 2, L0, INT32, stay, yes
    sfpload     L0, INT32, step, no

.tail
    sfpnop
