#include <sfpu/isa/thread_state.h>

namespace sfpu::isa {
namespace {

constexpr unsigned ten_bits = 0x3ff;

} // namespace

void thread_state::reset(architecture arch) {
    chip_ = &describe(arch);
    rwc = {};
    backends_ = {};
    registers_.fill(0);
    extra_addr_mod_bit_ = false;
    derive();
}

bool thread_state::write_config(unsigned index, std::uint16_t value) {
    if (index >= chip_->thread_registers) return false;
    registers_[index] = value;
    derive();
    return true;
}

void thread_state::set_addr_mod_dst(unsigned entry, std::uint16_t image) {
    registers_[chip_->addr_mod_dst_register + entry] = image;
    derive();
}

void thread_state::derive() {
    backend_ = backends_[state_id()];
    const unsigned base = chip_->addr_mod_base_register;
    const unsigned first = base != 0 && (extra_addr_mod_bit_ || (registers_[base] & 1)) ? 4 : 0;
    for (unsigned mode = 0; mode < modifiers_.size(); ++mode) {
        const unsigned entry = (first + mode) % static_cast<unsigned>(modifiers_.size());
        modifiers_[mode] = registers_[chip_->addr_mod_dst_register + entry] |
                           std::uint32_t{registers_[chip_->addr_mod_bias_register + entry]} << 16;
    }
    offset_ = registers_[math_offset_register] + backend_.dest_regw_base;
    stack_mask_ = chip_->stack_address_mask;
}

/// INT32_ALL takes the stack pointer instead of the counter, where there is one, and moves it.
unsigned thread_state::stack_address(unsigned start, bool is_load) {
    const unsigned dst = (rwc.dst + backend().dest_regw_base) & 3u;
    if (chip_->stack_increment_register == 0) return (start + dst) & ten_bits;
    const unsigned increment = registers_[chip_->stack_increment_register];
    if (is_load && rwc.sp != 0) rwc.sp = (rwc.sp - increment) & ten_bits;
    const unsigned address = (start + rwc.sp + backend().dest_sp_base + dst) & ten_bits;
    if (!is_load) rwc.sp = (rwc.sp + increment) & ten_bits;
    return address;
}

void thread_state::apply(std::uint32_t change) {
    const unsigned image = change & 0xffffu, bias = change >> 16, increment = image & ten_bits;
    if (image >> 11 & 1) rwc.dst = rwc.dst_cr = 0; // clear
    else if (image >> 12 & 1)
        rwc.dst = rwc.dst_cr = (rwc.dst + increment) & ten_bits; // counter to carriage return
    else if (image >> 10 & 1)
        rwc.dst = rwc.dst_cr = (rwc.dst_cr + increment) & ten_bits; // from carriage return
    else rwc.dst = (rwc.dst + increment) & ten_bits;
    if (bias == 0) return;
    if (bias >> 4 & 1) extra_addr_mod_bit_ = false;
    else if (bias & 3) extra_addr_mod_bit_ = !extra_addr_mod_bit_;
    derive();
}

bool thread_state::execute_front_end(const instruction& insn) {
    const std::uint32_t word = insn.word;
    const bool from_dst_cr = word >> 20 & 1;
    const unsigned value = word >> 14 & 15;
    switch (insn.op->opcode) {
    case opcode::setrwc: {
        const bool c_to_cr = word >> 21 & 1;
        if (!(word >> 2 & 1) && !c_to_cr) break; // Dst not selected
        const unsigned base = c_to_cr ? rwc.dst : from_dst_cr ? rwc.dst_cr : 0;
        rwc.dst = rwc.dst_cr = (base + value) & ten_bits;
        break;
    }
    case opcode::incrwc:
        if (from_dst_cr) rwc.dst = rwc.dst_cr = (rwc.dst_cr + value) & ten_bits;
        else rwc.dst = (rwc.dst + value) & ten_bits;
        break;
    case opcode::setc16: return write_config(word >> 16 & 0xff, static_cast<std::uint16_t>(word));
    default: break;
    }
    return true;
}

} // namespace sfpu::isa
