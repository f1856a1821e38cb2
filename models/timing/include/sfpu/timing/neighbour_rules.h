// Rules T8 and T9: sub-units that must not work beside each other. Violations are reported; both instructions execute.
#pragma once

#include <sfpu/common/types.h>
#include <sfpu/isa/instruction.h>
#include <sfpu/timing/schedule_recorder.h>

#include <cstdint>

namespace sfpu::timing {

/// T9: whether an instruction uses the register write port that Simple and Round share.
inline bool writes_an_lreg(const isa::instruction& insn) { return insn.flags & isa::writes_lreg; }

/// T9: Simple and Round may share a cycle only if exactly one of them writes L16.
bool may_share_cycle(const isa::instruction& simple, const isa::instruction& round);

/// What executes in one cycle; null if a sub-unit is idle.
struct cycle_occupants {
    const isa::instruction* simple = nullptr;
    const isa::instruction* mad = nullptr;
    const isa::instruction* round = nullptr;
};

struct neighbour_faults {
    bool simple_round = false; ///< T9
    bool swap = false;         ///< T8
    bool shuffle = false;      ///< T8
    bool any() const { return simple_round || swap || shuffle; }
};

class neighbour_rules {
public:
    void reset(architecture arch) {
        *this = neighbour_rules{};
        arch_ = arch;
    }
    /// Whether an instruction that executes alone in a cycle needs judging at all.
    bool concerned(const isa::instruction& insn, cycles at) const {
        return insn.latency >= isa::latency_class::swap || !(latest_second_cycle_ < at);
    }
    /// Judges one cycle. Cycles come in ascending order; cycles without occupants may be left out.
    neighbour_faults check(cycles at, const cycle_occupants& busy);

    /// Adds what is remembered at the start of cycle `now`.
    void describe(cycles now, situation& to) const {
        const auto left = [&](cycles at) {
            return static_cast<std::uint64_t>(at < now ? 0 : (at - now).count() + 1);
        };
        to.add(left(swap_second_cycle_) << 32 | left(shuffle_second_cycle_));
    }
    /// Takes over what was remembered at another time, `later` cycles ago.
    void resume(const neighbour_rules& from, cycles later) {
        *this = from;
        swap_second_cycle_ += later;
        shuffle_second_cycle_ += later;
        latest_second_cycle_ += later;
    }

private:
    architecture arch_ = architecture::blackhole;
    cycles swap_second_cycle_{-1};
    cycles shuffle_second_cycle_{-1};
    cycles latest_second_cycle_{-1}; ///< of both
};

} // namespace sfpu::timing
