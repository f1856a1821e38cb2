// Rule T14: which instructions an SFPLOADMACRO schedules, with which operands, delays and delay kinds.
#pragma once

#include <sfpu/common/parameters.h>
#include <sfpu/isa/instruction.h>
#include <sfpu/isa/state.h>

#include <array>
#include <cstdint>

namespace sfpu::timing {

/// The byte of a macro sequence that belongs to one sub-unit.
struct sequence_byte {
    std::uint8_t value;
    bool vb_is_loaded() const { return value & 0x80; } ///< else VC is the loaded register
    bool uses_l16() const { return value & 0x40; }
    unsigned delay() const { return value >> 3 & 7u; }
    unsigned selector() const { return value & 7u; }
};

/// T14 for Simple, MAD and Round: the template with the operands that the macro gives it.
/// `loaded` is the register that the SFPLOADMACRO loads.
isa::instruction override_operands(isa::instruction from_template, sequence_byte byte, unsigned loaded,
                                   architecture arch);

/// T14 for Store. Mod0 and the address follow when the SFPLOADMACRO executes.
isa::instruction override_store(isa::instruction from_template, sequence_byte byte, unsigned loaded,
                                architecture arch);

/// Whether a sub-unit can execute the instruction as a scheduled one.
bool executable_on(const isa::instruction& insn, isa::sub_unit unit);

/// What goes wrong when a macro is expanded.
struct expansion_faults {
    bool lanes_differ = false; ///< LoadMacroConfig is not the same in all columns
    bool selector_one = false;
    bool not_executable = false;
    bool store_without_store = false;
    bool any() const { return lanes_differ || selector_one || not_executable || store_without_store; }
};

/// Everything that an SFPLOADMACRO of one macro and one loaded register schedules.
struct macro_launch {
    unsigned units = 0; ///< bit u: something is scheduled on sub-unit u
    std::array<isa::instruction, isa::scheduled_units> insn;
    std::array<std::uint8_t, isa::scheduled_units> delay{};
    std::array<bool, isa::scheduled_units> counts_instructions{}; ///< WaitForElapsedInstructions
    bool store_takes_load_mod = false;
    expansion_faults faults;

    std::uint8_t& store_mod() { return insn[static_cast<unsigned>(isa::sub_unit::store)].mod; }
    std::uint8_t store_mod() const { return insn[static_cast<unsigned>(isa::sub_unit::store)].mod; }
};

macro_launch expand(const isa::macro_configuration& config, unsigned macro_index, unsigned loaded,
                    const parameters& config_of_unit);

/// Keeps expanded macros until LoadMacroConfig changes, so that a loop expands each once.
class macro_program {
public:
    explicit macro_program(const parameters& config) : config_(&config) {}

    /// What an SFPLOADMACRO schedules, or null if that is not known yet.
    const macro_launch* find(const isa::vector_state& state, const isa::instruction& insn) const {
        const unsigned index = index_of(insn);
        if (version_ != state.macro_version || !(valid_ >> index & 1)) return nullptr;
        const macro_launch& launch = launches_[index];
        return launch.store_takes_load_mod && launch.store_mod() != insn.mod ? nullptr : &launch;
    }
    /// Finds it out. What find() and expanded() returned before may be overwritten.
    const macro_launch& expanded(const isa::vector_state& state, const isa::instruction& insn);
    void forget() { version_ = 0; }
    /// Changes whenever an expanded macro is overwritten.
    std::uint64_t generation() const { return generation_; }

private:
    static unsigned index_of(const isa::instruction& insn) { return insn.macro_index * 8u + insn.vd; }

    const parameters* config_;
    std::uint64_t version_ = 0;
    std::uint64_t generation_ = 0;
    std::uint32_t valid_ = 0; ///< bit macro * 8 + register
    std::array<macro_launch, 32> launches_;
};

} // namespace sfpu::timing
