#include <sfpu/timing/macro_program.h>

#include <sfpu/isa/table.h>

namespace sfpu::timing {
namespace {

using isa::instruction;
using isa::sub_unit;
namespace opcode = isa::opcode;

constexpr std::uint32_t sfpnop_word = 0x8f000000u, sfpstore_word = 0x72000000u;

/// Instructions with a VB field of their own.
bool has_vb(const instruction& insn, architecture arch) {
    switch (insn.op->opcode) {
    case opcode::sfpmad:
    case opcode::sfpadd:
    case opcode::sfpmul:
    case opcode::sfpmul24:
    case opcode::sfpshft2:
    case opcode::sfpstochrnd: return true;
    case opcode::sfpand:
    case opcode::sfpor: return arch == architecture::blackhole && (insn.mod & 1);
    default: return false;
    }
}

/// Instructions without a VC field: it is the template's VD that steps in.
bool has_vc(const instruction& insn) {
    switch (insn.op->opcode) {
    case opcode::sfpaddi:
    case opcode::sfpmuli:
    case opcode::sfplut:
    case opcode::sfplutfp32:
    case opcode::sfpconfig: return false;
    default: return true;
    }
}

void mark_scheduled(instruction& insn, architecture arch) {
    insn.flags |= isa::is_scheduled;
    if (insn.vd == isa::macro_lreg) insn.flags |= isa::writes_no_flags;
    isa::refresh(insn, arch);
}

} // namespace

instruction override_operands(instruction insn, sequence_byte byte, unsigned loaded, architecture arch) {
    const auto reg = static_cast<std::uint8_t>(loaded);
    const std::uint8_t template_vd = insn.vd;
    if (byte.vb_is_loaded()) {
        if (!has_vc(insn)) insn.vc = template_vd;
        insn.vb = reg;
    } else {
        if (!has_vb(insn, arch)) insn.vb = template_vd;
        insn.vc = reg;
    }
    insn.vd = byte.uses_l16() ? std::uint8_t{isa::macro_lreg} : reg;
    mark_scheduled(insn, arch);
    return insn;
}

instruction override_store(instruction insn, sequence_byte byte, unsigned loaded, architecture arch) {
    if (byte.uses_l16()) insn.vd = isa::macro_lreg;
    else if (!byte.vb_is_loaded()) insn.vd = static_cast<std::uint8_t>(loaded);
    mark_scheduled(insn, arch);
    return insn;
}

bool executable_on(const instruction& insn, sub_unit unit) {
    return insn.unit == unit || (insn.is(opcode::sfpnop) && unit != sub_unit::store);
}

macro_launch expand(const isa::macro_configuration& config, unsigned macro_index, unsigned loaded,
                    const parameters& unit_config) {
    const architecture arch = unit_config.arch;
    macro_launch result;
    for (unsigned u = 0; u < isa::scheduled_units; ++u) {
        const auto unit = static_cast<sub_unit>(u);
        const sequence_byte byte{static_cast<std::uint8_t>(config.sequence[macro_index] >> (8 * u))};
        if (byte.selector() == 0) continue; // schedules nothing and forgets nothing (T12)
        if (byte.selector() == 1) {
            result.faults.selector_one = true;
            continue;
        }
        const std::uint32_t word = byte.selector() == 2   ? sfpnop_word
                                   : byte.selector() == 3 ? sfpstore_word
                                                          : config.instruction_template[byte.selector() - 4];
        instruction insn = isa::decode(word, arch);
        if (!executable_on(insn, unit)) {
            if (unit == sub_unit::store) result.faults.store_without_store = true;
            else result.faults.not_executable = true;
            insn = isa::decode(sfpnop_word, arch);
        }
        result.insn[u] = unit == sub_unit::store ? override_store(insn, byte, loaded, arch)
                                                 : override_operands(insn, byte, loaded, arch);
        result.units |= 1u << u;
        result.delay[u] =
            static_cast<std::uint8_t>(byte.delay() & ((1u << unit_config.macro_delay_bits) - 1u));
        const unsigned kind_bit =
            8 + (unit_config.macro_delay_kind_scope == delay_scope::sub_unit ? u : macro_index);
        result.counts_instructions[u] = config.misc >> kind_bit & 1u;
    }
    result.store_takes_load_mod = config.misc >> (4 + macro_index) & 1u;
    if (!result.store_takes_load_mod && (result.units & 1u << static_cast<unsigned>(sub_unit::store)))
        result.store_mod() = static_cast<std::uint8_t>(config.misc & 15u);
    return result;
}

const macro_launch& macro_program::expanded(const isa::vector_state& state, const isa::instruction& insn) {
    if (version_ != state.macro_version) {
        version_ = state.macro_version;
        valid_ = 0;
    }
    ++generation_;
    const unsigned index = index_of(insn);
    macro_launch& launch = launches_[index];
    launch = expand(state.macro[0], insn.macro_index, insn.vd, *config_);
    launch.faults.lanes_differ = !state.macro_uniform();
    if (launch.store_takes_load_mod) launch.store_mod() = insn.mod;
    valid_ |= 1u << index;
    return launch;
}

} // namespace sfpu::timing
