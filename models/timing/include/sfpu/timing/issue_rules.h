// Rules T15 to T18: when an issued instruction has to wait, and which reads nothing protects.
#pragma once

#include <sfpu/isa/instruction.h>
#include <sfpu/isa/machine.h>
#include <sfpu/timing/fields.h>

#include <boost/container/static_vector.hpp>

#include <array>
#include <cstdint>
#include <tuple>

namespace sfpu::timing {

enum class hold_cause : std::uint8_t { none, mad_dependence, swap, shuffle };

/// Sets of general registers for the next eight cycles, one byte each: bit i of byte k is L<i> in cycle now +
/// k.
class register_calendar {
public:
    /// `cycles_on` cycles have passed.
    void advance(std::int64_t cycles_on) { bytes_ = cycles_on < 8 ? bytes_ >> (8 * cycles_on) : 0; }
    /// Enters the registers in the cycles after this one and before now + `end`.
    void enter(isa::register_set registers, unsigned end) {
        constexpr std::uint64_t every_byte = 0x0101010101010101u;
        const std::uint64_t before = end < 8 ? (std::uint64_t{1} << (8 * end)) - 1 : ~std::uint64_t{0};
        bytes_ |= (registers & isa::general_registers) * (every_byte & before & ~std::uint64_t{0xff});
    }
    isa::register_set in(unsigned cycles_on) const {
        return cycles_on < 8 ? static_cast<isa::register_set>(bytes_ >> (8 * cycles_on) & 0xff) : 0;
    }
    std::uint64_t bytes() const { return bytes_; }

private:
    std::uint64_t bytes_ = 0;
};
inline auto fields_of(const register_calendar& x) { return std::make_tuple(x.bytes()); }

/// An issued instruction whose result cannot be read yet.
struct producer {
    const isa::instruction* insn = nullptr;
    std::int32_t word = 0;       ///< its index, counted from that of the next word
    std::uint8_t visible_in = 0; ///< cycles until the new values can be read
    std::uint8_t writes = 0;     ///< which registers
};
inline auto fields_of(const producer& x) {
    const auto& [insn, word, visible_in, writes] = x;
    return std::tie(insn, word, visible_in, writes);
}
inline bool operator==(const producer& a, const producer& b) { return fields_of(a) == fields_of(b); }

/// What the stall logic remembers of issued instructions, counted from the present cycle. Scheduled ones are
/// invisible to it (T18).
struct issue_state {
    register_calendar busy;                                  ///< registers whose new value cannot be read yet
    register_calendar believed_busy;                         ///< the same as the stall logic believes
    boost::container::static_vector<producer, 16> producers; ///< oldest first
    std::uint8_t exclusive_for = 0;                          ///< only SFPNOP in so many cycles from now on
    hold_cause exclusive_cause = hold_cause::none;
    std::uint8_t shuffle_second_cycle =
        0; ///< Wormhole: of the latest issued shuffle; 1 is this cycle, 0 is none
    std::uint8_t shuffle_writes = 0;

    void advance(std::int64_t cycles_on);
    /// The next word is not the one that was expected but one `words` later.
    void rebase(std::int64_t words) {
        for (producer& p : producers) p.word -= static_cast<std::int32_t>(words);
    }
};
inline auto fields_of(const issue_state& x) {
    const auto& [busy, believed_busy, producers, exclusive_for, cause, second_cycle, writes] = x;
    return std::tie(busy, believed_busy, producers, exclusive_for, cause, second_cycle, writes);
}

/// What a word may be to these rules besides an instruction.
enum class word_role : std::uint8_t {
    instruction,
    template_write, ///< goes through the backdoor: reads and writes no LReg, takes one cycle (T16)
};

class issue_rules {
public:
    void reset(const isa::machine& of) { machine_ = &of; }

    /// T16: cycles that an instruction has to wait if it is offered `later` cycles from now, with the cause.
    unsigned wait(const issue_state& state, const isa::instruction& insn, word_role role, unsigned later,
                  hold_cause& cause) const;

    /// T16, T17: the latest producer whose result the instruction would read too early in this cycle, or
    /// null.
    const producer* read_too_early(const issue_state& state, const isa::instruction& insn) const;
    /// The latest producer whose result arrives behind that of the instruction, issued in this cycle, in a
    /// register that both write, and so replaces the younger value; or null. Two that arrive together are the
    /// business of T2a.
    const producer* overwrites(const issue_state& state, const isa::instruction& insn,
                               bool lanes_ordinary) const;
    /// T17: whether the Wormhole page of SFPSHFT2 forbids the instruction in this cycle because of what it
    /// writes.
    bool forbidden_after_shuffle(const issue_state& state, const isa::instruction& insn) const;

    /// Records an issue in this cycle; `word` is the index counted from that of the next word. A discarded
    /// instruction counts for the stall logic, but writes nothing (T13). `lanes_ordinary`: see rule_inputs;
    /// lanes that compute indices take along a register that the instruction does not name.
    void issued(issue_state& state, const isa::instruction& insn, std::int32_t word, bool discarded,
                bool lanes_ordinary = true) const;

private:
    const isa::machine* machine_ = nullptr;
};

} // namespace sfpu::timing
