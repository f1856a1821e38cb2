; FP32: x = about tanh x by SFPLUT, in place. The table in L0 to L2 has three lines, for |x| below 1, below 2 and above.
;
; Plain: without macros. tanh_table_macro.s is what 'sfpusim optimize' makes of it.

.arch bh
.rows 32

.equ x, 0x00

.init
    setc16      34, 2                       ; ADDR_MOD_6: Dst += 2
    setc16      35, 0                       ; ADDR_MOD_7: stay
    sfploadi    L0, USHORT, 0x1d00
    sfploadi    L1, USHORT, 0x481a
    sfploadi    L2, USHORT, 0xff00

.loop
    sfpload     L3, FP32, ADDR_MOD_7, x
    sfplut      L4, 4, 0
    sfpstore    L4, FP32, ADDR_MOD_6, x
