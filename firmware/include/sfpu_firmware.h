/* What firmware of the tile model starts from: memory map, CSRs, ordering, waiting for the coprocessors, and
 * how a program ends.
 *
 * main() returns 0 for success; crt.S then stores 1 to `tohost`, which ends the run. Any other result n ends
 * it with 2n + 1, which the simulator prints. Nothing here needs a C library.
 */
#ifndef SFPU_FIRMWARE_H
#define SFPU_FIRMWARE_H

#include <stddef.h>
#include <stdint.h>

/* Memory map. Addresses of L1 are also those that TL.LOAD takes; TL.STORE takes offsets from DST_BASE. */
#define L1_BASE 0x00000000u
#define LOCAL_RAM_BASE 0xFFB00000u
#define MOP_CONFIG_BASE 0xFFB80000u         /* 9 words, write only */
#define DST_BASE 0xFFBD8000u                /* 32 KiB, Blackhole only */
#define INSTRN_BUF_BASE 0xFFE40000u         /* a store pushes one Tensix word */
#define PC_BUF_COPROCESSOR_DONE 0xFFE80004u /* store, then load: waits for the Tensix coprocessor */
#define PC_BUF_MOP_DONE 0xFFE80008u         /* load: waits for the MOP expander */
#define SEMAPHORE_BASE 0xFFE80020u          /* one word for each of eight semaphores */
#define RISC_DEST_ACCESS_CTRL 0xFFEF000Cu   /* formats of the Dst window, config word 3 */

/* Data in L1, where the TensorLoad engine can reach it. */
#define IN_L1 __attribute__((section(".l1"), aligned(16)))

#define MMIO32(address) (*(volatile uint32_t*)(uintptr_t)(address))

#define csr_read(number)                                                                                     \
    ({                                                                                                       \
        uint32_t csr_value_;                                                                                 \
        __asm__ volatile("csrr %0, %1" : "=r"(csr_value_) : "i"(number) : "memory");                         \
        csr_value_;                                                                                          \
    })
#define csr_write(number, value)                                                                             \
    __asm__ volatile("csrw %0, %z1" ::"i"(number), "rJ"((uint32_t)(value)) : "memory")

#define CSR_MCYCLE 0xB00
#define CSR_MINSTRET 0xB02
#define CSR_MHARTID 0xF14

/* Orders what is before it with what is after it: TensorLoad instructions and scalar loads and stores. */
static inline void fence(void) { __asm__ volatile("fence" ::: "memory"); }

/* Loads a device register and waits until the value is there: a hart goes on behind a load until somebody
 * needs it. */
static inline uint32_t load_and_wait(uint32_t address) {
    const uint32_t value = MMIO32(address);
    __asm__ volatile("andi zero, %0, 0" ::"r"(value) : "memory");
    return value;
}

/* Waits until everything pushed to the Tensix coprocessor so far has finished. */
static inline void wait_for_tensix(void) {
    MMIO32(PC_BUF_COPROCESSOR_DONE) = 0;
    load_and_wait(PC_BUF_COPROCESSOR_DONE);
}
/* Waits until the MOP expander is idle, so that its configuration may be changed. */
static inline void wait_for_mop(void) { load_and_wait(PC_BUF_MOP_DONE); }

/* A store posts (0) or gets (1) a semaphore; a load reads its value. */
static inline void semaphore_post(unsigned index) { MMIO32(SEMAPHORE_BASE + 4 * index) = 0; }
static inline void semaphore_get(unsigned index) { MMIO32(SEMAPHORE_BASE + 4 * index) = 1; }
static inline uint32_t semaphore_value(unsigned index) { return MMIO32(SEMAPHORE_BASE + 4 * index); }

/* Formats of the Dst window, see RISC_DEST_ACCESS_CTRL. */
enum dst_format { DST_32 = 0, DST_INT32 = 1, DST_FP16 = 2, DST_BF16 = 3, DST_INT16 = 4, DST_INT8 = 5 };

/* Sets how thread `thread` (0, 1 or 2) sees Dst. Stores of other threads' fields are kept. */
static inline void set_dst_access(unsigned thread, enum dst_format format) {
    const unsigned shift = 14 + 5 * thread; /* no_swizzle, unsigned, format in three bits */
    const uint32_t others = MMIO32(RISC_DEST_ACCESS_CTRL) & ~(0x1fu << shift);
    MMIO32(RISC_DEST_ACCESS_CTRL) = others | (uint32_t)format << (shift + 2);
    load_and_wait(RISC_DEST_ACCESS_CTRL); /* comes back after the store has taken effect */
}

extern volatile uint32_t tohost[2], fromhost[2];

/* Ends the run. `code` is 1 for success. */
static inline __attribute__((noreturn)) void end_run(uint32_t code) {
    for (;;) {
        tohost[0] = code;
        tohost[1] = 0;
    }
}

#endif
