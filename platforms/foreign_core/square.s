; y = x * x + x: what the foreign core has its vector unit do.
.arch bh
.rows 4
.input  x, 0x00, f32
.output y, 0x40, f32
.init
    setc16   34, 2                      ; ADDR_MOD_6: Dst += 2
.loop
    sfpload  L0, FP32, ADDR_MOD_3, x
    sfpmad   L0, L0, L0, L1, 0
    sfpnop
    sfpstore L1, FP32, ADDR_MOD_6, y
