#include <sfpu/isa/thread_state.h>

namespace sfpu::isa {
namespace {

constexpr unsigned ten_bits = 0x3ff;

} // namespace

void thread_state::reset(architecture arch) {
    arch_ = arch;
    rwc = {};
    backends_ = {};
    const bool blackhole = arch == architecture::blackhole;
    register_count_ = blackhole ? 55 : 56;
    dst_registers_ = blackhole ? 28 : 23;
    bias_registers_ = blackhole ? 47 : 48;
    stack_bits_ = blackhole ? 3 : 0;
    registers_.fill(0);
    extra_addr_mod_bit_ = false;
    derive();
}

bool thread_state::write_config(unsigned index, std::uint16_t value) {
    if (index >= register_count_) return false;
    registers_[index] = value;
    derive();
    return true;
}

void thread_state::set_addr_mod_dst(unsigned entry, std::uint16_t image) {
    registers_[dst_registers_ + entry] = image;
    derive();
}

void thread_state::derive() {
    for (unsigned entry = 0; entry < modifiers_.size(); ++entry)
        modifiers_[entry] =
            registers_[dst_registers_ + entry] | std::uint32_t{registers_[bias_registers_ + entry]} << 16;
    offset_ = registers_[math_offset_register] + backend().dest_regw_base;
    const bool upper = extra_addr_mod_bit_ || (registers_[wormhole_set_base_register] & 1);
    first_modifier_ = upper && arch_ == architecture::wormhole ? 4 : 0;
}

/// INT32_ALL takes the stack pointer instead of the counter, on Blackhole, and moves it.
unsigned thread_state::stack_address(unsigned start, bool is_load) {
    const unsigned dst = (rwc.dst + backend().dest_regw_base) & 3u;
    if (arch_ == architecture::wormhole) return (start + dst) & ten_bits;
    const unsigned increment = registers_[blackhole_stack_register];
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
