; 32-bit cells: a = a and b, in place.
;
; Plain: without macros. bitwise_and_macro.s is what 'sfpusim optimize' makes of it.

.arch bh
.rows 32

.equ a, 0x00
.equ b, 0x40

.init
    setc16      34, 2                       ; ADDR_MOD_6: Dst += 2
    setc16      35, 0                       ; ADDR_MOD_7: stay

.loop
    sfpload     L0, INT32, ADDR_MOD_7, a
    sfpload     L1, INT32, ADDR_MOD_7, b
    sfpand      0, L0, L1, 0
    sfpstore    L1, INT32, ADDR_MOD_6, a
