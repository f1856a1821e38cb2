// The machine-mode CSRs of a hart: storage and the rules of what bits exist. Time and other units are not its
// business.
//
// Source: the RISC-V privileged specification, machine mode only; tile.md, firmware section.
#pragma once

#include <cstdint>

namespace sfpu::riscv {

namespace csr {
constexpr unsigned mstatus = 0x300, misa = 0x301, mie = 0x304, mtvec = 0x305, mscratch = 0x340, mepc = 0x341,
                   mcause = 0x342, mtval = 0x343, mip = 0x344;
constexpr unsigned mcycle = 0xb00, minstret = 0xb02, mcycleh = 0xb80, minstreth = 0xb82;
constexpr unsigned cycle = 0xc00, instret = 0xc02, cycleh = 0xc80, instreth = 0xc82;
constexpr unsigned mvendorid = 0xf11, marchid = 0xf12, mimpid = 0xf13, mhartid = 0xf14;
/// There are no debug triggers: tselect and tdata1 to tdata3 are hard-wired to zero, by which programs find
/// that out.
constexpr unsigned tselect = 0x7a0, tdata3 = 0x7a3;
/// Tenstorrent's: configuration of the core, scratch registers up to 0x7c6, status of the Tensix front end.
constexpr unsigned cfg0 = 0x7c0, vgsrc = 0x7c6, tensix_queues = 0xbc0, tensix_busy = 0xbc1;

/// Numbers of the last quarter of each block cannot be written.
constexpr bool is_read_only(unsigned number) { return (number >> 10 & 3u) == 3u; }
} // namespace csr

namespace cause {
constexpr std::uint32_t misaligned_fetch = 0, fetch_fault = 1, illegal_instruction = 2, breakpoint = 3,
                        misaligned_load = 4, load_fault = 5, misaligned_store = 6, store_fault = 7,
                        machine_call = 11;
constexpr std::uint32_t interrupt_bit = 0x80000000u;
constexpr unsigned software_interrupt = 3, timer_interrupt = 7, external_interrupt = 11;
} // namespace cause
/// "illegal instruction", "machine timer interrupt"; "unknown cause" for what no hart has.
const char* cause_text(std::uint32_t mcause);

class csr_file {
public:
    /// cfg0 bit that turns the fusion of Tensix words off.
    static constexpr std::uint32_t no_fusion = 1u << 18;

    void reset(std::uint32_t hart_id);

    /// False if this file has no such CSR; counters are not here.
    bool read(unsigned number, std::uint32_t& value) const;
    /// Writes the bits that exist. False if there is no such CSR. The caller has refused read-only numbers.
    bool write(unsigned number, std::uint32_t value);

    /// Enters the handler of a trap; returns its address.
    std::uint32_t enter(std::uint32_t cause, std::uint32_t pc, std::uint32_t value);
    /// mret: returns the address to go on at.
    std::uint32_t leave();

    bool has_handler() const { return mtvec_ != 0; }
    void set_pending(unsigned interrupt, bool pending);
    /// The interrupt to take now, of the highest priority; 0 if there is none or they are off.
    unsigned interrupt_to_take() const;
    /// Whether there may be one without another CSR being written first.
    bool can_be_interrupted() const { return interrupts_on_ && mie_ != 0; }
    /// Whether one is pending that mie lets through, on or off: what wfi waits for.
    bool has_wanted_interrupt() const { return (mie_ & mip_) != 0; }
    bool fuses_tensix_words() const { return (custom_[0] & no_fusion) == 0; }

private:
    static constexpr unsigned custom_count = csr::vgsrc - csr::cfg0 + 1;

    bool interrupts_on_ = false, interrupts_were_on_ = false; ///< mstatus.MIE, MPIE
    std::uint32_t mie_ = 0, mip_ = 0, mtvec_ = 0, mscratch_ = 0, mepc_ = 0, mcause_ = 0, mtval_ = 0;
    std::uint32_t mhartid_ = 0;
    std::uint32_t custom_[custom_count] = {};
};

} // namespace sfpu::riscv
