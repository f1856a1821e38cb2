/* Loads and stores at addresses that are no multiple of the size, and loads a word that is not there, under a
 * trap handler that goes on behind the load. Leaves what it read. */
#include <sfpu_firmware.h>

volatile uint32_t words[4] = {0x44332211u, 0x88776655u, 0, 0};
volatile uint32_t results[2];

static __attribute__((aligned(4), naked)) void skip_instruction(void) {
    __asm__ volatile("csrr t5, mepc\n addi t5, t5, 4\n csrw mepc, t5\n mret");
}

int main(void) {
    uint32_t odd, half, nowhere = 0x70000000u;
    csr_write(0x305, skip_instruction);
    __asm__ volatile("lw %0, 2(%3)\n sh %2, 9(%3)\n lhu %1, 0(%4)" /* in C the compiler would align them */
                     : "=&r"(odd), "=&r"(half)
                     : "r"(0xabcdu), "r"(words), "r"(nowhere)
                     : "t5", "memory");
    results[0] = odd;
    results[1] = words[2];
    return 0;
}
