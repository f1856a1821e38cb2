; Approximate reciprocals by a macro whose last instructions wait for further words: who pushes no more sees no result.
.arch bh
.rows 1
.input  x, 0x80, f32
.output y, x, f32
.init
    setc16      34, 2                       ; ADDR_MOD_6: Dst += 2
    setrwc      0, 0, 0, 0, 0, 4            ; Dst = 0
    .template   0, sfparecip 0, _, _, 0
    .macro      0, simple=(template=0, delay=3, l16), store=(delay=5, l16)
    .misc       load_mode=0, count_instructions=simple
    sfpnop
    sfpnop
.loop
    sfploadmacro 0, L0, FP32, ADDR_MOD_6, x
