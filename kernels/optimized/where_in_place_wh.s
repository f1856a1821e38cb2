; 32-bit cells: cond = cond ? yes : no, lane by lane, in place.
;
; Plain: without macros. where_in_place_wh_macro.s is what 'sfpusim optimize' makes of it.

.arch wh
.rows 32

.equ cond, 0x00
.equ yes, 0x40
.equ no, 0x80

.init
    setc16      2, 1                        ; ADDR_MOD_SET_Base: ADDR_MOD_2 and 3 name entries 6 and 7
    setc16      29, 2                       ; entry 6: Dst += 2
    setc16      30, 0                       ; entry 7: stay
    sfpencc     3, 0, 0, 10

.loop
    sfpload     L0, INT32, ADDR_MOD_3, cond
    sfpload     L1, INT32, ADDR_MOD_3, yes
    sfpsetcc    0, L0, 0, 6
    sfpload     L1, INT32, ADDR_MOD_3, no
    sfpencc     0, 0, 0, 0
    sfpstore    L1, INT32, ADDR_MOD_2, cond
