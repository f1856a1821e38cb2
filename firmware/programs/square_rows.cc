// Raw words from stock C++: squares rows of FP32 in Dst, with the replay buffer and a word that is computed.
//
// Kernels of words that a compiler for RISC-V built: functions to read, run and compare. The words follow from the
// positions of the fields (docs/isa.md).
#include "lltt.h"
#include "sfpu_firmware.h"

extern "C" {
void square_rows(unsigned rows);
void square_once(void);
void scale_row(uint32_t bf16);
}

namespace {

constexpr uint32_t load = 0x70036000u;        // SFPLOAD L0, 0, FP32, ADDR_MOD_3
constexpr uint32_t multiply = 0x86000930u;    // SFPMUL L3 = L0 * L0
constexpr uint32_t nop = 0x8F000000u;         // SFPNOP
constexpr uint32_t store = 0x72336000u;       // SFPSTORE L3, 0, FP32, ADDR_MOD_3
constexpr uint32_t next_row = 0x38008000u;    // INCRWC: Dst += 2
constexpr uint32_t first_row = 0x37000004u;   // SETRWC: Dst = 0
constexpr uint32_t multiply_by = 0x74000000u; // SFPMULI L0 *= the immediate at bit 8

} // namespace

/// Straight code.
void square_once(void) {
    lltt::insn<load>();
    lltt::insn<multiply>();
    lltt::insn<nop>();
    lltt::insn<store>();
}

/// A loop around the replay buffer.
void square_rows(unsigned rows) {
    if (rows == 0) return;
    lltt::record<lltt::Exec>(4, 5);
    lltt::insn<load>();
    lltt::insn<multiply>();
    lltt::insn<nop>();
    lltt::insn<store>();
    lltt::insn<next_row>();
    while (--rows != 0) lltt::replay(4, 5);
}

/// A word that depends on an argument.
void scale_row(uint32_t bf16) {
    lltt::insn<load>();
    lltt::insn(multiply_by | (bf16 & 0xffffu) << 8);
    lltt::insn<nop>();
    lltt::insn<0x72036000u>(); // SFPSTORE L0
}

/// Eight rows of 1.5 are squared, the first of them twice, and that is halved.
int main(void) {
    set_dst_access(0, DST_32);
    lltt::insn<0x71303fc0u>(); // SFPLOADI L3 = 1.5
    for (unsigned row = 0; row < 8; ++row) {
        lltt::insn<store>();
        lltt::insn<next_row>();
    }
    lltt::insn<first_row>();
    square_rows(8);
    lltt::insn<first_row>();
    square_once();
    lltt::insn<nop>(); // a load comes no closer behind a store of its cells
    lltt::insn<nop>();
    scale_row(0x3f00u); // 0.5
    wait_for_tensix();
    const bool first = MMIO32(DST_BASE) == 0x40220000u;      // 2.53125
    const bool second = MMIO32(DST_BASE + 4) == 0x40100000u; // 2.25: odd columns are the next row
    return first && second ? 0 : 1;
}
