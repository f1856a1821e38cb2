; 32-bit cells: a = a or b, in place.
;
; Plain: without macros. bitwise_or_wh_macro.s is what 'sfpusim optimize' makes of it.

.arch wh
.rows 32

.equ a, 0x00
.equ b, 0x40

.init
    setc16      2, 1                        ; ADDR_MOD_SET_Base: ADDR_MOD_2 and 3 name entries 6 and 7
    setc16      29, 2                       ; entry 6: Dst += 2
    setc16      30, 0                       ; entry 7: stay

.loop
    sfpload     L0, INT32, ADDR_MOD_3, a
    sfpload     L1, INT32, ADDR_MOD_3, b
    sfpor       0, L0, L1, 0
    sfpstore    L1, INT32, ADDR_MOD_2, a
