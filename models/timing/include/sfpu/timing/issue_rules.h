// Rules T15 to T18: when an issued instruction has to wait, and which reads nothing protects.
#pragma once

#include <sfpu/common/parameters.h>
#include <sfpu/isa/instruction.h>
#include <sfpu/timing/schedule_recorder.h>

#include <array>
#include <cstdint>

namespace sfpu::timing {

enum class hold_cause : std::uint8_t { none, mad_dependence, swap, shuffle };

/// Sets of registers for the next eight cycles, one byte each: bit i of byte k is L<i> in cycle now + k.
class register_calendar {
public:
    void clear() { bytes_ = 0; }
    /// `cycles_on` cycles have passed.
    void advance(std::int64_t cycles_on) { bytes_ = cycles_on < 8 ? bytes_ >> (8 * cycles_on) : 0; }
    /// A one in the bytes of the cycles after this one and before now + `end`; 8 at most.
    static constexpr std::uint64_t cycles_before(unsigned end) {
        constexpr std::uint64_t every_byte = 0x0101010101010101u;
        const std::uint64_t before = end < 8 ? (std::uint64_t{1} << (8 * end)) - 1 : ~std::uint64_t{0};
        return every_byte & before & ~std::uint64_t{0xff};
    }
    /// Enters the registers in the cycles that have a one.
    void enter(std::uint8_t registers, std::uint64_t cycles) { bytes_ |= registers * cycles; }
    std::uint8_t today() const { return static_cast<std::uint8_t>(bytes_); }
    std::uint64_t all() const { return bytes_; }
    std::uint8_t in(unsigned cycles_on) const {
        return cycles_on < 8 ? static_cast<std::uint8_t>(bytes_ >> (8 * cycles_on)) : std::uint8_t{0};
    }

private:
    std::uint64_t bytes_ = 0;
};

/// What the stall logic remembers of issued instructions. Scheduled ones are invisible to it (T18). Calls come with
/// ascending cycles.
class issue_rules {
public:
    void reset(const parameters& config);

    /// The first cycle from `earliest` on in which the instruction may issue (T16), with the cause of the wait.
    cycles may_issue(const isa::instruction& insn, cycles earliest, hold_cause& cause) {
        cause = hold_cause::none;
        if (!(earliest < quiet_from_)) return earliest;
        advance_to(earliest);
        const bool held = (believed_busy_.today() & insn.use.seen_reads) != 0 || earliest < exclusive_until_;
        return held ? find_slot(insn, earliest, cause) : earliest;
    }

    /// The same without its consequences: what may_issue() would say.
    cycles preview(const isa::instruction& insn, cycles earliest) const {
        hold_cause cause;
        return earliest < quiet_from_ ? find_slot(insn, earliest, cause) : earliest;
    }

    /// Records an issue. Discarded instructions count too (T13); template writes do not (T16).
    void issued(const isa::instruction& insn, cycles at, std::int64_t word) {
        if (insn.latency >= isa::latency_class::mad) remember(insn, at, word);
    }

    /// An issued instruction that reads a register before a two-cycle result has reached it.
    struct unprotected_read {
        unsigned lreg = 0;
        std::uint32_t producer = 0;      ///< the instruction
        std::int64_t producer_word = -1; ///< its index
    };
    /// Looks for one; call it for an instruction that issues at `at`. Nothing if every read is safe.
    bool reads_too_early(const isa::instruction& insn, cycles at, unprotected_read& found) {
        if (!(at < quiet_from_)) return false;
        advance_to(at);
        return (busy_.today() & insn.use.reads) != 0 && search(insn, at, found);
    }
    /// Whether reads_too_early() or forbidden_after_shuffle() can find anything. Call it after may_issue().
    bool may_be_hazard(const isa::instruction& insn, cycles at) {
        if (!(at < quiet_from_)) return false;
        advance_to(at);
        return (busy_.today() & insn.use.reads) != 0 || (at == shuffle_second_cycle_ && !auto_stall_);
    }
    /// T17: whether the Wormhole page of SFPSHFT2 forbids the instruction in this cycle because of what it writes.
    bool forbidden_after_shuffle(const isa::instruction& insn, cycles at) const {
        return at == shuffle_second_cycle_ && !auto_stall_ && disturbs_shuffle(insn);
    }
    /// The instruction of the latest issued() was discarded, so it writes nothing. Call it for MAD class, SFPSWAP and
    /// two-cycle SFPSHFT2 only: others leave no record.
    void was_discarded();

    /// Adds all that is remembered at the start of cycle `now`.
    void describe(cycles now, situation& to);
    /// Takes over what was remembered at the end of a recording, `later` cycles and `words` words ago. `now` is the cycle
    /// that comes.
    void resume(const issue_rules& from, cycles now, cycles later, std::int64_t words);

private:
    struct result {
        cycles visible{};             ///< first cycle in which the new values can be read
        isa::register_set writes = 0; ///< which registers
        std::uint32_t by = 0;         ///< the instruction
        std::int64_t word = -1;       ///< its index
    };

    void advance_to(cycles at) {
        const std::int64_t passed = (at - today_).count();
        if (passed == 0) return;
        today_ = at;
        busy_.advance(passed);
        believed_busy_.advance(passed);
    }
    cycles find_slot(const isa::instruction& insn, cycles earliest, hold_cause& cause) const;
    void remember(const isa::instruction& insn, cycles at, std::int64_t word);
    bool search(const isa::instruction& insn, cycles at, unprotected_read& found) const;
    bool disturbs_shuffle(const isa::instruction& insn) const;

    cycles today_{};                  ///< of both calendars
    register_calendar busy_;          ///< registers whose new value cannot be read yet
    register_calendar believed_busy_; ///< the same as the stall logic believes
    cycles quiet_from_{};             ///< from here on nothing is under way and nothing holds an issue
    std::array<result, 8> results_;   ///< the latest producers, as a ring
    unsigned next_result_ = 0;
    cycles exclusive_until_{}; ///< only SFPNOP before this cycle
    hold_cause exclusive_cause_ = hold_cause::none;
    cycles shuffle_second_cycle_{-1}; ///< Wormhole: second cycle of the latest issued shuffle
    unsigned shuffle_writes_ = 0;
    bool auto_stall_ = true;
    struct span {
        cycles latency{};
        std::uint64_t bytes = 0; ///< of the calendar that it covers
    };
    std::array<span, 5> spans_{}; ///< by latency class
};

} // namespace sfpu::timing
