; 32-bit cells: cond = cond ? yes : no, lane by lane, in place.
;
; Plain: without macros. where_in_place_macro.s is what 'sfpusim optimize' makes of it.

.arch bh
.rows 32

.equ cond, 0x00
.equ yes, 0x40
.equ no, 0x80

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
    sfpstore    L1, INT32, ADDR_MOD_6, cond
