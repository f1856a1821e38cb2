// Rule T14: which instructions an SFPLOADMACRO schedules, with which operands, delays and delay kinds.
#pragma once

#include <sfpu/common/parameters.h>
#include <sfpu/isa/instruction.h>
#include <sfpu/isa/machine.h>
#include <sfpu/isa/state.h>
#include <sfpu/timing/configuration_writers.h>

#include <array>
#include <cstdint>

namespace sfpu::timing {

/// What a macro's sequence says to one sub-unit.
struct sequence_entry {
    std::uint16_t value; ///< as a half-word (isa::half_word_of), whatever the machine's sequences are

    bool vb_is_loaded() const { return value & 0x8000; } ///< else VC is the loaded register
    bool uses_l16() const { return value & 0x4000; }
    unsigned delay() const { return value >> 8 & 0x1fu; }
    /// 0 nothing, 1 undefined, 2 SFPNOP, 3 SFPSTORE, 4 + i template i.
    unsigned selector() const { return value & 0xfu; }
};
/// The entry of a chip's sequence byte.
constexpr sequence_entry from_byte(std::uint8_t byte) { return {isa::half_word_of(byte)}; }

/// The entry of one of the scheduled sub-units (0 Simple, 1 MAD, 2 Round, 3 Store) in the sequence of a
/// macro.
sequence_entry entry_of(const isa::macro_configuration& config, unsigned macro, unsigned unit,
                        const isa::word_encoding& words);

/// T14 for Simple, MAD and Round: the template with the operands that the macro gives it.
/// `loaded` is the register that the SFPLOADMACRO loads.
isa::instruction override_operands(isa::instruction from_template, sequence_entry entry, unsigned loaded,
                                   architecture arch);

/// T14 for Store. Mod0 and the address follow when the SFPLOADMACRO executes.
isa::instruction override_store(isa::instruction from_template, sequence_entry entry, unsigned loaded,
                                architecture arch);

/// Whether a sub-unit can execute the instruction as a scheduled one.
bool executable_on(const isa::instruction& insn, isa::sub_unit unit);

/// What goes wrong when a macro is expanded.
struct expansion_faults {
    bool lanes_differ = false; ///< LoadMacroConfig is not the same in all columns
    bool selector_one = false;
    bool not_executable = false;
    bool store_without_store = false;
    bool no_such_macro = false;    ///< macro.count is smaller than the index says
    bool no_such_template = false; ///< macro.templates is smaller than the selector says
    bool delay_too_long = false;   ///< macro.delay_bits is smaller than the delay says
    bool any() const {
        return lanes_differ || selector_one || not_executable || store_without_store || no_such_macro ||
               no_such_template || delay_too_long;
    }
};

/// Everything that an SFPLOADMACRO of one macro and one loaded register schedules.
struct macro_launch {
    unsigned units = 0; ///< bit u: something is scheduled on sub-unit u
    std::array<isa::instruction, isa::scheduled_units> insn;
    std::array<std::uint8_t, isa::scheduled_units> delay{};
    std::array<bool, isa::scheduled_units> counts_instructions{}; ///< WaitForElapsedInstructions
    bool store_takes_load_mod = false;
    configuration_parts uses = 0; ///< of LoadMacroConfig
    expansion_faults faults;

    std::uint8_t& store_mod() { return insn[static_cast<unsigned>(isa::sub_unit::store)].mod; }
    std::uint8_t store_mod() const { return insn[static_cast<unsigned>(isa::sub_unit::store)].mod; }
};

macro_launch expand(const isa::macro_configuration& config, unsigned macro_index, unsigned loaded,
                    const isa::machine& machine);
inline macro_launch expand(const isa::macro_configuration& config, unsigned macro_index, unsigned loaded,
                           const parameters& of) {
    return expand(config, macro_index, loaded, isa::make_machine(of));
}

} // namespace sfpu::timing
