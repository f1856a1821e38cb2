// Numbers for what words compute, so that two orders of words, or two choices of registers, can be shown to
// give the same.
#pragma once

#include <sfpu/common/types.h>
#include <sfpu/isa/instruction.h>
#include <sfpu/isa/registers.h>
#include <sfpu/isa/word_effects.h>

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <unordered_map>
#include <vector>

namespace sfpu::kernel_recorder {

using value_number = std::uint32_t;

/// Equal numbers are equal values: what an instruction gives is named by the instruction without its
/// registers and by the numbers of all that it reads. Different numbers may be equal values, too.
class value_table {
public:
    value_number number_of(const std::vector<std::uint32_t>& key);
    /// 32 bits in each lane.
    value_number constant(std::uint32_t bits);
    std::optional<std::uint32_t> bits_of(value_number number) const;
    /// `before` with other bits in its upper or lower half.
    value_number with_half(value_number before, bool upper, std::uint32_t bits);

    /// `old`, but `made` in the lanes of `lanes`.
    value_number merge_of(value_number lanes, value_number made, value_number old);

    /// Lanes that are enabled by `narrow` are enabled by `wide`.
    bool is_within(value_number narrow, value_number wide) const;
    void set_within(value_number narrow, value_number wide) { wider_.emplace(narrow, wide); }
    /// `lanes` are those of `of` that are not in `without`.
    void set_rest(value_number lanes, value_number of, value_number without) {
        set_within(lanes, of);
        if (is_within(without, of)) rests_.emplace(lanes, rest{without, of});
    }
    /// Of a value that is asked for in `lanes` only: what matters there.
    value_number seen_in(value_number lanes, value_number number) const;

private:
    std::map<std::vector<std::uint32_t>, value_number> numbers_;
    std::unordered_map<value_number, std::uint32_t> bits_, lower_half_, upper_half_; ///< where known
    std::unordered_map<value_number, value_number> wider_;                           ///< of lane flags
    struct merge {
        value_number lanes, made, old;
    };
    struct rest {
        value_number without, of;
    };
    std::unordered_map<value_number, rest> rests_; ///< lanes of `of` that are not in `without`
    std::unordered_map<value_number, merge> merges_;
};

/// The state of a vector unit and its thread in numbers. All instances of one table begin with the same.
class numbered_state {
public:
    explicit numbered_state(value_table& table, architecture arch);

    /// False if nothing can be said of the word: SFPLOADMACRO and what writes its configuration, words of
    /// other units, modes of the flag stack that no compiler uses.
    bool execute(std::uint32_t word);

    /// What a register holds in the lanes that are enabled now.
    value_number held(unsigned lreg) const;
    /// Dst, counters, lane flags with their stack, random numbers, programmable constants: all but L0 to L7.
    std::vector<value_number> all_but_registers() const;
    value_number flags() const { return flags_; }

private:
    /// What a register holds in the lanes of `lanes`; of the elements of a list, each within the one before.
    struct part {
        value_number lanes, held;
    };
    using parts = std::vector<part>;

    void execute_operation(const isa::instruction& insn, const isa::word_effects& effects);
    bool execute_stack(const isa::instruction& insn);
    bool load_constant(const isa::instruction& insn);
    std::vector<std::uint32_t> key_of(const isa::instruction& insn, bool all_lanes) const;
    std::optional<std::vector<std::uint32_t>> key_with_number(const isa::instruction& insn) const;
    value_number operand(unsigned lreg, bool all_lanes) const;
    bool reads_operand(const isa::instruction& insn, const isa::operand& which) const;
    void write(unsigned lreg, value_number made); ///< in the enabled lanes
    value_number next(std::uint32_t kind, value_number before, const std::vector<std::uint32_t>& key);

    value_table* table_;
    architecture arch_;
    std::array<parts, isa::lreg_count> registers_;
    value_number any_lanes_, flags_, random_, counters_, dst_;
    std::vector<value_number> stack_; ///< lane flags
};

} // namespace sfpu::kernel_recorder
