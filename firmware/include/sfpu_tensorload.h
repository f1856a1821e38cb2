/* The TensorLoad instructions (docs/tensorload.md) as macros. Register numbers, axes and immediates are
 * constants.
 *
 * The engine works beside the hart: fence() before reading with scalar loads what it stored.
 */
#ifndef SFPU_TENSORLOAD_H
#define SFPU_TENSORLOAD_H

#include "sfpu_firmware.h"

#define TL_CSR_TYPE 0x800
#define TL_CSR_SHAPE 0x801
#define TL_CSR_MASK_CONCAT_1 0x803
#define TL_CSR_MASK_CONCAT_2 0x804
#define TL_CSR_LOAD_MASK 0x810
#define TL_CSR_STORE_MASK 0x811
#define TL_CSR_LOAD_WIDTH 0x812
#define TL_CSR_STORE_WIDTH 0x813
#define TL_CSR_LOAD_STRIDE 0x814
#define TL_CSR_STORE_STRIDE 0x815
#define TL_CSR_LOAD_STRIDE_OF(slice) (0x840 + (slice))
#define TL_CSR_STORE_STRIDE_OF(slice) (0x860 + (slice))
#define TL_CSR_STATUS 0xCC0

/* Values of TL_CSR_TYPE. */
#define TL_INT8 0x002u
#define TL_INT16 0x004u
#define TL_INT32 0x008u
#define TL_BF16 0x200u
#define TL_FP32 0x400u

/* Value of TL_CSR_SHAPE: a block of d0 x d1 x d2 elements. */
#define TL_SHAPE(d0, d1, d2) ((uint32_t)(d0) << 16 | (uint32_t)(d1) << 8 | (uint32_t)(d2))
/* Operand of TL_XPOSE: 2048 bytes as d0 x d1 x d2 x d3. */
#define TL_DIMS(d0, d1, d2, d3)                                                                              \
    ((uint32_t)(d3) << 24 | (uint32_t)(d2) << 16 | (uint32_t)(d1) << 8 | (uint32_t)(d0))

/* The memory group carries {engine, store, masked, immediate} in the 12 bits of an I-type word, and its
 * scalar operand in the place of rd. */
#define TL_IMMEDIATE(engine, store, masked, imm)                                                             \
    ((((engine) << 10 | (store) << 9 | (masked) << 8 | ((imm)&0xff)) ^ 0x800) - 0x800)
#define TL_MEMORY_(funct3, tl, base, imm12)                                                                  \
    __asm__ volatile(".insn i CUSTOM_2, " #funct3 ", %0, x%1, %2" ::"r"(base), "i"(tl), "i"(imm12)           \
                     : "memor"                                                                               \
                       "y")

/* `imm` counts slices. */
#define TL_LOAD(tl, base, imm) TL_MEMORY_(0, tl, base, TL_IMMEDIATE(0, 0, 0, imm))
#define TL_MLOAD(tl, base, imm) TL_MEMORY_(0, tl, base, TL_IMMEDIATE(0, 0, 1, imm))
#define TL_STORE(tl, base, imm) TL_MEMORY_(2, tl, base, TL_IMMEDIATE(2, 1, 0, imm))
#define TL_MSTORE(tl, base, imm) TL_MEMORY_(2, tl, base, TL_IMMEDIATE(2, 1, 1, imm))

#define TL_ADDI(to, from, imm)                                                                               \
    __asm__ volatile(".insn i CUSTOM_2, 2, x%0, x%1, %2" ::"i"(to), "i"(from),                               \
                     "i"(TL_IMMEDIATE(1, 0, 0, imm))                                                         \
                     : "memory")

#define TL_REGISTERS_(funct3, funct7, to, a, b)                                                              \
    __asm__ volatile(".insn r CUSTOM_2, " #funct3 ", %3, x%0, x%1, x%2" ::"i"(to), "i"(a), "i"(b),           \
                     "i"(funct7)                                                                             \
                     : "memory")
#define TL_CONCAT(axis, to, a, b) TL_REGISTERS_(1, 0x60 | (axis), to, a, b)
#define TL_MERGE(axis, to, a, b) TL_REGISTERS_(1, 0x64 | (axis), to, a, b)

/* Exchanges axes p < q of the tensor in registers `low` and `high`; `dims` is a value of TL_DIMS. */
#define TL_XPOSE(p, q, low, high, dims)                                                                      \
    __asm__ volatile(".insn r CUSTOM_2, 3, %3, %0, x%1, x%2" ::"r"(dims), "i"(low), "i"(high),               \
                     "i"(0x60 | (q) << 2 | (p))                                                              \
                     : "memory")

#endif
