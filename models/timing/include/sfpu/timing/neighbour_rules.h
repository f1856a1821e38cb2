// Rules T8 and T9: sub-units that must not work beside each other. Violations are reported; both instructions
// execute.
#pragma once

#include <sfpu/isa/instruction.h>
#include <sfpu/isa/machine.h>
#include <sfpu/timing/fields.h>

#include <cstdint>
#include <tuple>

namespace sfpu::timing {

/// T9: whether an instruction uses the register write port that Simple and Round share.
inline bool writes_an_lreg(const isa::instruction& insn) { return insn.flags & isa::writes_lreg; }

/// T9: Simple and Round may share a cycle only if exactly one of them writes L16.
bool may_share_cycle(const isa::instruction& simple, const isa::instruction& round);

/// What executes in one cycle; null if a sub-unit is idle. A template write occupies nothing (T16).
struct cycle_occupants {
    const isa::instruction* simple = nullptr;
    const isa::instruction* mad = nullptr;
    const isa::instruction* round = nullptr;
};

/// Idle and SFPNOP are the same to these rules.
inline bool works(const isa::instruction* insn) { return insn && !insn->is(isa::opcode::sfpnop); }

/// Each is null if the rule holds, else what the rule protects: the swap, the shuffle, the instruction on
/// Simple.
struct neighbour_faults {
    const isa::instruction* simple_round = nullptr; ///< T9
    const isa::instruction* swap = nullptr;         ///< T8
    const isa::instruction* shuffle = nullptr;      ///< T8
    bool swap_in_first_cycle = false; ///< else `swap` executed in the cycle before, as `shuffle` did
    bool any() const { return simple_round || swap || shuffle; }
};

/// Two-cycle instructions that executed in the cycle before, or null.
struct neighbour_state {
    const isa::instruction* swap = nullptr;
    const isa::instruction* shuffle = nullptr;
};
inline auto fields_of(const neighbour_state& x) {
    const auto& [swap, shuffle] = x;
    return std::tie(swap, shuffle);
}

class neighbour_rules {
public:
    void reset(const isa::machine& of) { machine_ = &of; }
    /// Judges one cycle and changes the state to that of the next one.
    neighbour_faults check(neighbour_state& state, const cycle_occupants& busy) const;

private:
    const isa::machine* machine_ = nullptr;
};

} // namespace sfpu::timing
