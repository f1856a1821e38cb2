// Rules T15 to T18: when an issued instruction has to wait, and which reads nothing protects.
#pragma once

#include <sfpu/common/parameters.h>
#include <sfpu/isa/instruction.h>

#include <array>
#include <cstdint>

namespace sfpu::timing {

enum class hold_cause : std::uint8_t { none, mad_dependence, swap, shuffle };

/// What the stall logic remembers of issued instructions. Scheduled ones are invisible to it (T18).
class issue_rules {
public:
    void reset(const parameters& config);

    /// The first cycle from `earliest` on in which the instruction may issue (T16), with the cause of the wait.
    cycles may_issue(const isa::instruction& insn, cycles earliest, hold_cause& cause) const {
        cause = hold_cause::none;
        return earliest < quiet_from_ ? find_slot(insn, earliest, cause) : earliest;
    }

    /// Records an issue. Discarded instructions count too (T13); template writes do not (T16). The instruction must
    /// stay where it is until its result is visible.
    void issued(const isa::instruction& insn, cycles at, std::int64_t word) {
        if (insn.latency >= isa::latency_class::mad) remember(insn, at, word);
    }

    /// An issued instruction that reads a register before a two-cycle result has reached it.
    struct unprotected_read {
        unsigned lreg = 0;
        const isa::instruction* producer = nullptr;
        std::int64_t producer_word = -1;
    };
    /// Looks for one; call it for an instruction that issues at `at`. Nothing if every read is safe.
    bool reads_too_early(const isa::instruction& insn, cycles at, unprotected_read& found) const {
        return at < visible_from_ && (insn.use.reads & recent_writes_) != 0 && search(insn, at, found);
    }
    /// Whether anything issued can still be read too early at `at`: if not, there is nothing to look for.
    bool results_under_way(cycles at) const { return at < visible_from_; }
    /// T17: whether the Wormhole page of SFPSHFT2 forbids the instruction in this cycle because of what it writes.
    bool forbidden_after_shuffle(const isa::instruction& insn, cycles at) const;
    /// The instruction of the latest issued() was discarded, so it writes nothing. Call it for MAD class, SFPSWAP and
    /// two-cycle SFPSHFT2 only: others leave no record.
    void was_discarded();

private:
    struct result {
        cycles visible{};        ///< first cycle in which the new values can be read
        std::uint8_t writes = 0; ///< which registers
        const isa::instruction* by = nullptr;
        std::int64_t word = -1;
    };

    cycles find_slot(const isa::instruction& insn, cycles earliest, hold_cause& cause) const;
    void remember(const isa::instruction& insn, cycles at, std::int64_t word);
    bool search(const isa::instruction& insn, cycles at, unprotected_read& found) const;

    cycles quiet_from_{};                ///< nothing holds an issue from here on
    cycles visible_from_{};              ///< every result is visible from here on
    std::array<cycles, 8> seen_ready_{}; ///< by LReg: as the stall logic believes
    std::array<result, 8> results_;      ///< what really happens: the latest producers, as a ring
    unsigned next_result_ = 0;
    unsigned recent_writes_ = 0; ///< registers that any of them writes
    cycles exclusive_until_{};   ///< only SFPNOP before this cycle
    hold_cause exclusive_cause_ = hold_cause::none;
    cycles shuffle_second_cycle_{-1}; ///< Wormhole: second cycle of the latest issued shuffle
    unsigned shuffle_writes_ = 0;
    architecture arch_ = architecture::blackhole;
    bool auto_stall_ = true;
    std::int64_t mad_latency_ = 2, swap_latency_ = 2, shuffle_latency_ = 2;
};

} // namespace sfpu::timing
