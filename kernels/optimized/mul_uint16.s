; Unsigned 16-bit integers: a = a b modulo 2^16, in place.
;
; Plain: without macros. mul_uint16_macro.s is what 'sfpusim optimize' makes of it.

.arch bh
.rows 32

.equ a, 0x00
.equ b, 0x40

.init
    setc16      34, 2                       ; ADDR_MOD_6: Dst += 2
    setc16      35, 0                       ; ADDR_MOD_7: stay

.loop
    sfpload     L0, UINT16, ADDR_MOD_7, a
    sfpload     L1, UINT16, ADDR_MOD_7, b
    sfpmul24    L0, L1, L9, L2, 0
    sfpstore    L2, UINT16, ADDR_MOD_6, a
