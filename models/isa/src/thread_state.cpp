#include <sfpu/isa/thread_state.h>

#include <sfpu/isa/table.h>

namespace sfpu::isa {
namespace {

constexpr unsigned ten_bits = 0x3ff;

/// Register numbers differ between the chips (public register descriptions).
constexpr unsigned math_offset_register = 1, wormhole_set_base_register = 2, blackhole_stack_register = 36;
constexpr unsigned dst_register(architecture arch, unsigned entry) {
    return (arch == architecture::blackhole ? 28u : 23u) + entry;
}
constexpr unsigned bias_register(architecture arch, unsigned entry) {
    return (arch == architecture::blackhole ? 47u : 48u) + entry;
}
constexpr unsigned registers_of(architecture arch) { return arch == architecture::blackhole ? 55u : 56u; }

} // namespace

void thread_state::reset(architecture arch) {
    arch_ = arch;
    rwc = {};
    backend = {};
    registers_.fill(0);
    extra_addr_mod_bit_ = false;
}

bool thread_state::write_config(unsigned index, std::uint16_t value) {
    if (index >= registers_of(arch_)) return false;
    registers_[index] = value;
    return true;
}

void thread_state::set_addr_mod_dst(unsigned entry, std::uint16_t image) {
    registers_[dst_register(arch_, entry)] = image;
}

unsigned thread_state::dst_address(const instruction& insn, unsigned mode, bool is_load) {
    const unsigned start = insn.imm10 + registers_[math_offset_register];
    const unsigned dst = rwc.dst + backend.dest_regw_base;
    if (arch_ == architecture::wormhole) // no stack pointer
        return (start + (mode == dst_mode::int32_all ? dst & 3u : dst)) & ten_bits;
    if (mode != dst_mode::int32_all) return (start + dst + ((rwc.sp + backend.dest_sp_base) & 3u)) & ten_bits;
    const unsigned increment = registers_[blackhole_stack_register];
    if (is_load && rwc.sp != 0) rwc.sp = (rwc.sp - increment) & ten_bits;
    const unsigned address = (start + rwc.sp + backend.dest_sp_base + (dst & 3u)) & ten_bits;
    if (!is_load) rwc.sp = (rwc.sp + increment) & ten_bits;
    return address;
}

void thread_state::apply_addr_mod(unsigned addr_mod) {
    unsigned entry = addr_mod;
    if (arch_ == architecture::wormhole &&
        (extra_addr_mod_bit_ || (registers_[wormhole_set_base_register] & 1)))
        entry += 4;
    const unsigned image = registers_[dst_register(arch_, entry)];
    const unsigned increment = image & ten_bits;
    if (image >> 11 & 1) rwc.dst = rwc.dst_cr = 0; // clear
    else if (image >> 12 & 1)
        rwc.dst = rwc.dst_cr = (rwc.dst + increment) & ten_bits; // counter to carriage return
    else if (image >> 10 & 1)
        rwc.dst = rwc.dst_cr = (rwc.dst_cr + increment) & ten_bits; // from carriage return
    else rwc.dst = (rwc.dst + increment) & ten_bits;
    const unsigned bias = registers_[bias_register(arch_, entry)];
    if (bias >> 4 & 1) extra_addr_mod_bit_ = false;
    else if (bias & 3) extra_addr_mod_bit_ = !extra_addr_mod_bit_;
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
