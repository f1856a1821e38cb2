; 32-bit integer multiplication on Wormhole: out = a * b modulo 2^32.
;
; Source: Jason Davies, "32-bit integer multiplication" (20 November 2025), listing for Wormhole.
; Published throughput: 40 cycles a row on Wormhole, which has no integer multiplication.
;
; With 11-bit chunks a = (a2 << 22) | (a1 << 11) | a0 and b likewise:
;   a * b = ((a0*b2 + a1*b1 + a2*b0) << 22) + ((a0*b1 + a1*b0) << 11) + a0*b0
; Each sum fits the 24 bits that FP32 holds exactly. An FP32 sum goes back to an integer by shifting its
; mantissa; a sum of zero has an exponent below 0, so its lanes are switched off and keep their 0.
;
; Dst: 32-bit cells. a in rows 0x00 to 0x3f, b in 0x40 to 0x7f, out in 0x80 to 0xbf.

.arch wh
.rows 32
.expect cycles_per_row 40

.input a, 0x00, i32
.input b, 0x40, i32
.output out, 0x80, i32

.init
    setc16      2, 1                        ; ADDR_MOD_SET_Base: ADDR_MOD_2 and 3 name entries 6 and 7
    setc16      29, 2                       ; entry 6: Dst += 2
    setc16      30, 0                       ; entry 7: stay
    .constant   L12, 0x7ff                  ; mask of a chunk
    .constant   L13, -11                    ; a shift to the right
    sfpencc     3, 0, 0, 10                 ; use lane flags, all set

.loop
    sfpload     L0, INT32, ADDR_MOD_3, a    ; L0 = a
    sfpshft2    L0, L13, L2, 5              ; L2 = a >> 11
    sfpshft2    L2, L13, L4, 5              ; L4 = a2 = a >> 22
    sfpand      0, L12, L2, 0               ; L2 = a1
    sfpcast     L2, L2, 0                   ; to FP32, as all chunks
    sfpcast     L4, L4, 0
    sfpand      0, L12, L0, 0               ; L0 = a0
    sfpcast     L0, L0, 0
    sfpload     L1, INT32, ADDR_MOD_3, b    ; L1 = b
    sfpshft2    L1, L13, L3, 5              ; L3 = b >> 11
    sfpshft2    L3, L13, L5, 5              ; L5 = b2 = b >> 22
    sfpcast     L5, L5, 0
    sfpmad      L0, L5, L9, L5, 0           ; top = L5 = a0 * b2
    sfpand      0, L12, L3, 0               ; L3 = b1
    sfpcast     L3, L3, 0
    sfpmad      L2, L3, L5, L5, 0           ; top += a1 * b1
    sfpand      0, L12, L1, 0               ; L1 = b0
    sfpcast     L1, L1, 0
    sfpmad      L4, L1, L5, L5, 0           ; top += a2 * b0
    sfpmad      L0, L3, L9, L6, 0           ; mid = L6 = a0 * b1
    sfpmad      L0, L1, L9, L7, 0           ; low = L7 = a0 * b0
    sfpmad      L2, L1, L6, L6, 0           ; mid += a1 * b0

    sfpexexp    0, L7, L0, 2|8              ; L0 = exponent of low; lanes with a negative one are switched off
    sfpexman    0, L7, L7, 0                ; mantissa with its hidden bit
    sfpiadd     -23, L0, L0, 1|4            ; the mantissa has 23 fraction bits
    sfpshft2    L7, L0, L7, 5               ; low as an integer
    sfpencc     0, 0, 0, 0                  ; all lanes on

    sfpexexp    0, L6, L0, 2|8
    sfpexman    0, L6, L6, 0
    sfpiadd     11-23, L0, L0, 1|4
    sfpshft2    L6, L0, L6, 5               ; mid << 11
    sfpencc     0, 0, 0, 0

    sfpexexp    0, L5, L0, 2|8
    sfpexman    0, L5, L5, 0
    sfpiadd     22-23, L0, L0, 1|4
    sfpshft2    L5, L0, L5, 5               ; top << 22
    sfpencc     0, 0, 0, 0

    sfpiadd     0, L6, L7, 4                ; low += mid
    sfpiadd     0, L5, L7, 4                ; low += top
    sfpstore    L7, INT32, ADDR_MOD_2, out
