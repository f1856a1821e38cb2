; Runs on a machine larger than the chips only (docs/exploration.md): the sixth template, the seventh macro, a delay of 20, both
; issue slots and the second MAD unit. machines_test.cpp derives results and cycles by hand.
;
; y[r] = x[r] + (p[r + 3] * q - 1) with p[k] = 3 + k, q = 2: FP32 in rows 0x00 to 0x3f of Dst, in place.
;
;  t | Load       | Simple  | MAD 0                | MAD 1            | Store
;  0 | x      (m6)| L4 += 1 |                      |                  |
;  1 |            | L4 += 1 | L5 = L5 + 1          |                  |
;  2 |            | L4 += 1 |                      |                  |
;  3 |            | L4 += 1 | L16 = L7 + x *       | L7 = L5 * L6 - 1 |
;  4 |            | L4 += 1 |                      |                  |
;  5 |            | L4 += 1 |                      |                  | y = L16 *
; "*" is scheduled by the SFPLOADMACRO of three rows before (MAD and store). The last two
; rows find the L7 of the last one. L0 to L3 take turns, since x is read 21 cycles after its load.

.config macro.count, 7
.config macro.templates, 6
.config macro.delay_bits, 5
.config sfpu.issue_width, 2
.config sfpu.mad_units, 2
.rows 32
.expect cycles_per_row 6

.init
    setc16      34, 2                       ; ADDR_MOD_6: Dst += 2

    sfploadi    L0, LOWER, 0xa000           ; template 5: [x] = L7 * 1 + [x]; sfpmad L7, L10, [x], [x], 0
    sfploadi    L0, UPPER, 0x8407
    sfpconfig   0, TEMPLATE5, 0
    sfploadi    L0, LOWER, 0                ; macro 6: Simple nothing
    sfploadi    L0, UPPER, 0x5409           ;          MAD template 5 after 20 to L16
    sfpconfig   0, SEQUENCE6_LOWER, 0
    sfploadi    L0, LOWER, 0                ;          Round nothing
    sfploadi    L0, UPPER, 0x5603           ;          Store of L16 after 22
    sfpconfig   0, SEQUENCE6_UPPER, 0
    sfpconfig   3, MISC, 1                  ; stores in mode FP32; delays count cycles
    sfploadi    L4, USHORT, 0
    sfploadi    L5, FLOATB, 0x4040          ; p = 3
    sfploadi    L6, FLOATB, 0x4000          ; q = 2
    sfpmad      L5, L6, L11, L7, 0          ; L7 = 5
    sfpnop
    sfpnop

.loop 4
    sfploadmacro 6, L0, FP32, ADDR_MOD_6, 0
    sfpiadd     1, L4, L4, 5
    sfpadd      L10, L5, L10, L5, 0
    sfpiadd     1, L4, L4, 5
    sfpiadd     1, L4, L4, 5
    sfpmad      L5, L6, L11, L7, 0
    sfpiadd     1, L4, L4, 5
    sfpiadd     1, L4, L4, 5
    sfpiadd     1, L4, L4, 5

    sfploadmacro 6, L1, FP32, ADDR_MOD_6, 0
    sfpiadd     1, L4, L4, 5
    sfpadd      L10, L5, L10, L5, 0
    sfpiadd     1, L4, L4, 5
    sfpiadd     1, L4, L4, 5
    sfpmad      L5, L6, L11, L7, 0
    sfpiadd     1, L4, L4, 5
    sfpiadd     1, L4, L4, 5
    sfpiadd     1, L4, L4, 5

    sfploadmacro 6, L2, FP32, ADDR_MOD_6, 0
    sfpiadd     1, L4, L4, 5
    sfpadd      L10, L5, L10, L5, 0
    sfpiadd     1, L4, L4, 5
    sfpiadd     1, L4, L4, 5
    sfpmad      L5, L6, L11, L7, 0
    sfpiadd     1, L4, L4, 5
    sfpiadd     1, L4, L4, 5
    sfpiadd     1, L4, L4, 5

    sfploadmacro 6, L3, FP32, ADDR_MOD_6, 0
    sfpiadd     1, L4, L4, 5
    sfpadd      L10, L5, L10, L5, 0
    sfpiadd     1, L4, L4, 5
    sfpiadd     1, L4, L4, 5
    sfpmad      L5, L6, L11, L7, 0
    sfpiadd     1, L4, L4, 5
    sfpiadd     1, L4, L4, 5
    sfpiadd     1, L4, L4, 5
