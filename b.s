.arch bh
.rows 32
.init
setc16 34, 2
setc16 35, 0
sfpencc 3, 0, 0, 10
.loop
sfpload L0, INT32, ADDR_MOD_7, 0
sfpload L1, INT32, ADDR_MOD_7, 64
sfpsetcc 0, L0, L0, 4
sfpgt 0, L0, L1, 1
sfpmov 0, L10, L0, 0
sfpencc 0, 0, 0, 0
sfpstore L0, FP32, ADDR_MOD_6, 0
