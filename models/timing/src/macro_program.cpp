#include <sfpu/timing/macro_program.h>

#include <sfpu/isa/table.h>

#include <optional>

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
    case opcode::sfpor: return describe(arch).has_use_vb && (insn.mod & 1);
    default: return false;
    }
}

void mark_scheduled(instruction& insn, architecture arch) {
    insn.flags |= isa::is_scheduled;
    isa::refresh(insn, arch);
}

} // namespace

instruction override_operands(instruction insn, sequence_entry entry, unsigned loaded, architecture arch) {
    const auto reg = static_cast<std::uint8_t>(loaded);
    if (entry.vb_is_loaded()) {
        insn.vb = reg; // the decoder has put VD where there is no VC
    } else {
        if (!has_vb(insn, arch)) insn.vb = insn.vd;
        insn.vc = reg;
    }
    insn.vd = entry.uses_l16() ? std::uint8_t{isa::macro_lreg} : reg;
    mark_scheduled(insn, arch);
    return insn;
}

instruction override_store(instruction insn, sequence_entry entry, unsigned loaded, architecture arch) {
    if (entry.uses_l16()) insn.vd = isa::macro_lreg;
    else if (!entry.vb_is_loaded()) insn.vd = static_cast<std::uint8_t>(loaded);
    mark_scheduled(insn, arch);
    return insn;
}

bool executable_on(const instruction& insn, sub_unit unit) {
    return insn.unit == unit || (insn.is(opcode::sfpnop) && unit != sub_unit::store);
}

sequence_entry entry_of(const isa::macro_configuration& config, unsigned macro, unsigned unit,
                        const isa::word_encoding& words) {
    if (!words.wide_sequences())
        return from_byte(static_cast<std::uint8_t>(config.sequence[macro] >> 8 * unit));
    const std::uint32_t half = unit < 2 ? config.sequence[macro] : config.sequence_upper[macro];
    return {static_cast<std::uint16_t>(half >> 16 * (unit % 2))};
}

namespace {

/// The word that a selector stands for, or nothing if it stands for none on this machine.
std::optional<std::uint32_t> selected(unsigned selector, const isa::macro_configuration& config,
                                      const isa::machine& machine, expansion_faults& faults,
                                      configuration_parts& uses) {
    switch (selector) {
    case 0: return std::nullopt; // schedules nothing and forgets nothing (T12)
    case 1: faults.selector_one = true; return std::nullopt;
    case 2: return sfpnop_word;
    case 3: return sfpstore_word;
    default: break;
    }
    const unsigned number = selector - 4;
    if (number < machine.templates) uses |= 1u << (configuration_part::first_template + number);
    if (number < machine.templates) return config.instruction_template[number];
    faults.no_such_template = true;
    return std::nullopt;
}

} // namespace

macro_launch expand(const isa::macro_configuration& config, unsigned macro_index, unsigned loaded,
                    const isa::machine& machine) {
    using isa::macro_configuration;
    const architecture arch = machine.chip;
    macro_launch result;
    if (macro_index >= machine.macros) {
        result.faults.no_such_macro = true;
        return result;
    }
    result.uses = 1u << (configuration_part::first_sequence + macro_index);
    for (unsigned u = 0; u < isa::scheduled_units; ++u) {
        const auto unit = static_cast<sub_unit>(u);
        const sequence_entry entry = entry_of(config, macro_index, u, machine.encoding());
        const std::optional<std::uint32_t> word =
            selected(entry.selector(), config, machine, result.faults, result.uses);
        if (!word) continue;
        instruction insn = isa::decode(*word, arch);
        if (!executable_on(insn, unit)) {
            if (unit == sub_unit::store) result.faults.store_without_store = true;
            else result.faults.not_executable = true;
            insn = isa::decode(sfpnop_word, arch);
        }
        result.insn[u] = unit == sub_unit::store ? override_store(insn, entry, loaded, arch)
                                                 : override_operands(insn, entry, loaded, arch);
        result.units |= 1u << u;
        result.faults.delay_too_long |= entry.delay() > machine.longest_delay();
        result.delay[u] = static_cast<std::uint8_t>(entry.delay() & machine.longest_delay());
        const unsigned kind = machine.delay_kind_scope == delay_scope::sub_unit ? u : macro_index;
        result.counts_instructions[u] = config.misc >> macro_configuration::delay_kind_bit(kind) & 1u;
    }
    if (result.units != 0) result.uses |= 1u << configuration_part::misc;
    result.store_takes_load_mod = config.misc >> macro_configuration::load_mod_bit(macro_index) & 1u;
    if (!result.store_takes_load_mod && (result.units & 1u << static_cast<unsigned>(sub_unit::store)))
        result.store_mod() = static_cast<std::uint8_t>(config.misc & 15u);
    return result;
}

} // namespace sfpu::timing
