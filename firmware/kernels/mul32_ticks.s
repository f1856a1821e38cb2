; 32-bit integer multiplication as in kernels/mul32_macro.s, with one mistake: the delays of its macros count cycles
; instead of issued instructions. Out of the replay buffer both are the same; with a bubble in between, scheduled
; instructions run ahead of the words that they belong to.
;
; Dst, 32-bit cells: a in rows 0x00 to 0x3f, b in 0x40 to 0x7f, out in 0x80 to 0xbf.
.arch bh
.rows 32
.expect cycles_per_row 8

.equ a, 0x00
.equ b, 0x40
.equ out, 0x80

.init
    setc16      34, 2                       ; ADDR_MOD_6: Dst += 2
    setc16      35, 0                       ; ADDR_MOD_7: stay

    ; templates, written through the backdoor: destination 12 + i is template i
    sfpshft2    -23, L0, L12, 6             ; 0: [x] = [x] >> 23
    sfpmul24    L0, L0, L9, L13, 0          ; 1: [x] = low(L0 * [x])
    sfpshft     23, L2, L14, 1|4            ; 2: [x] = L2 << 23
    sfpiadd     0, L4, L15, 4               ; 3: [x] = [x] + L4

    ; sequences: Store, Round | MAD, Simple; a byte is VB 0x80, L16 0x40, delay << 3, selector
    sfploadi    L0, LOWER, 0x8d00           ; m0: MAD template 1 after 1
    sfploadi    L0, UPPER, 0x0084           ;     Round template 0 after 0
    sfpconfig   0, SEQUENCE0, 0
    sfploadi    L0, LOWER, 0x8da7           ; m1: Simple template 3 after 4, MAD template 1 after 1
    sfploadi    L0, UPPER, 0x0084           ;     Round template 0 after 0
    sfpconfig   0, SEQUENCE1, 0
    sfploadi    L0, LOWER, 0x8de7           ; m2: Simple template 3 after 4 to L16, MAD template 1 after 1
    sfploadi    L0, UPPER, 0x0000
    sfpconfig   0, SEQUENCE2, 0
    sfploadi    L0, LOWER, 0x0086           ; m3: Simple template 2 after 0
    sfploadi    L0, UPPER, 0x5300           ;     Store of L16 after 2
    sfpconfig   0, SEQUENCE3, 0
    sfpconfig   0x0f0, MISC, 1              ; stores in the mode of their load; delays count cycles: wrong
    sfpnop                                  ; an SFPLOADMACRO comes three words behind a write of Misc (T21)

.loop
    sfpload     L0, INT32, ADDR_MOD_7, b
    sfploadmacro 0, L1, INT32, ADDR_MOD_7, a
    sfploadmacro 1, L2, INT32, ADDR_MOD_7, b
    sfpload     L0, INT32, ADDR_MOD_7, a
    sfploadmacro 2, L3, INT32, ADDR_MOD_7, b
    sfpmul24    L0, L3, L9, L4, 1
    sfpiadd     0, L1, L2, 4
    sfploadmacro 3, L4, INT32, ADDR_MOD_6, out

.tail
    sfpnop
    sfpnop
    sfpnop
