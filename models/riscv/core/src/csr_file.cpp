#include <sfpu/riscv/csr_file.h>

#include <initializer_list>

namespace sfpu::riscv {
namespace {

// mstatus: the two interrupt enables change; MPP reads as 3, since there is machine mode only.
constexpr std::uint32_t mstatus_mie = 1u << 3, mstatus_mpie = 1u << 7, mstatus_mpp = 3u << 11;
/// RV32IM. Zaamo alone is not the A extension.
constexpr std::uint32_t misa_value = 1u << 30 | 1u << ('I' - 'A') | 1u << ('M' - 'A');
constexpr std::uint32_t interrupts =
    1u << cause::software_interrupt | 1u << cause::timer_interrupt | 1u << cause::external_interrupt;
/// At reset all bits of cfg0 are clear but its field StMergeTimer, 17:13, which holds 16.
constexpr std::uint32_t cfg0_reset = 16u << 13;

constexpr std::uint32_t vectored = 1;

constexpr bool is_trigger(unsigned number) { return number >= csr::tselect && number <= csr::tdata3; }

} // namespace

const char* cause_text(std::uint32_t mcause) {
    switch (mcause) {
    case cause::misaligned_fetch: return "instruction address misaligned";
    case cause::fetch_fault: return "instruction access fault";
    case cause::illegal_instruction: return "illegal instruction";
    case cause::breakpoint: return "breakpoint";
    case cause::misaligned_load: return "load address misaligned";
    case cause::load_fault: return "load access fault";
    case cause::misaligned_store: return "store address misaligned";
    case cause::store_fault: return "store access fault";
    case cause::machine_call: return "environment call";
    case cause::interrupt_bit | cause::software_interrupt: return "machine software interrupt";
    case cause::interrupt_bit | cause::timer_interrupt: return "machine timer interrupt";
    case cause::interrupt_bit | cause::external_interrupt: return "machine external interrupt";
    default: return "unknown cause";
    }
}

void csr_file::reset(std::uint32_t hart_id) {
    *this = csr_file{};
    mhartid_ = hart_id;
    custom_[0] = cfg0_reset;
}

bool csr_file::read(unsigned number, std::uint32_t& value) const {
    if (number >= csr::cfg0 && number <= csr::vgsrc) {
        value = custom_[number - csr::cfg0];
        return true;
    }
    if (is_trigger(number)) {
        value = 0;
        return true;
    }
    switch (number) {
    case csr::mstatus:
        value = mstatus_mpp | (interrupts_on_ ? mstatus_mie : 0u) | (interrupts_were_on_ ? mstatus_mpie : 0u);
        return true;
    case csr::misa: value = misa_value; return true;
    case csr::mie: value = mie_; return true;
    case csr::mip: value = mip_; return true;
    case csr::mtvec: value = mtvec_; return true;
    case csr::mscratch: value = mscratch_; return true;
    case csr::mepc: value = mepc_; return true;
    case csr::mcause: value = mcause_; return true;
    case csr::mtval: value = mtval_; return true;
    case csr::mhartid: value = mhartid_; return true;
    case csr::mvendorid:
    case csr::marchid:
    case csr::mimpid: value = 0; return true;
    default: return false;
    }
}

bool csr_file::write(unsigned number, std::uint32_t value) {
    if (number >= csr::cfg0 && number <= csr::vgsrc) {
        custom_[number - csr::cfg0] = value;
        return true;
    }
    if (is_trigger(number)) return true;
    switch (number) {
    case csr::mstatus:
        interrupts_on_ = (value & mstatus_mie) != 0;
        interrupts_were_on_ = (value & mstatus_mpie) != 0;
        return true;
    case csr::misa: return true; // its extensions cannot be switched off
    case csr::mie: mie_ = value & interrupts; return true;
    case csr::mip: return true; // its bits follow the pins
    case csr::mtvec: mtvec_ = value & ~2u; return true;
    case csr::mscratch: mscratch_ = value; return true;
    case csr::mepc: mepc_ = value & ~3u; return true;
    case csr::mcause: mcause_ = value; return true;
    case csr::mtval: mtval_ = value; return true;
    default: return false;
    }
}

std::uint32_t csr_file::enter(std::uint32_t trap_cause, std::uint32_t pc, std::uint32_t value) {
    mepc_ = pc;
    mcause_ = trap_cause;
    mtval_ = value;
    interrupts_were_on_ = interrupts_on_;
    interrupts_on_ = false;
    const std::uint32_t base = mtvec_ & ~3u;
    const bool is_interrupt = (trap_cause & cause::interrupt_bit) != 0;
    return is_interrupt && (mtvec_ & vectored) ? base + 4 * (trap_cause & ~cause::interrupt_bit) : base;
}

std::uint32_t csr_file::leave() {
    interrupts_on_ = interrupts_were_on_;
    interrupts_were_on_ = true;
    return mepc_;
}

void csr_file::set_pending(unsigned interrupt, bool pending) {
    const std::uint32_t bit = interrupt < 32 ? 1u << interrupt & interrupts : 0u;
    mip_ = pending ? mip_ | bit : mip_ & ~bit;
}

unsigned csr_file::interrupt_to_take() const {
    if (!interrupts_on_) return 0;
    const std::uint32_t wanted = mie_ & mip_;
    for (unsigned interrupt : {cause::external_interrupt, cause::software_interrupt, cause::timer_interrupt})
        if (wanted >> interrupt & 1u) return interrupt;
    return 0;
}

} // namespace sfpu::riscv
