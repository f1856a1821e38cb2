; 32-bit cells: out = cond ? yes : no, lane by lane.
;
; Plain: without macros. where_out_macro.s is what 'sfpusim optimize' makes of it.

.arch bh
.rows 32

.equ cond, 0x00
.equ yes, 0x40
.equ no, 0x80
.equ out, 0xc0

.init
    setc16      34, 2                       ; ADDR_MOD_6: Dst += 2
    setc16      35, 0                       ; ADDR_MOD_7: stay
    sfpencc     3, 0, 0, 10

.loop
    sfpload     L0, INT32, ADDR_MOD_7, cond
    sfpload     L1, INT32, ADDR_MOD_7, yes
    sfpsetcc    0, L0, 0, 6
    sfpload     L1, INT32, ADDR_MOD_7, no
    sfpencc     0, 0, 0, 0
    sfpstore    L1, INT32, ADDR_MOD_6, out
