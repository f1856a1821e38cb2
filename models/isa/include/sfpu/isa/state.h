// Architectural state of the vector unit that instructions read and write.
#pragma once

#include <sfpu/common/types.h>
#include <sfpu/isa/registers.h>
#include <sfpu/isa/word_encoding.h>

#include <array>
#include <cstdint>

namespace sfpu::isa {

struct flag_entry {
    lane_mask flags = 0;
    lane_mask use_flags = 0;
};

/// The flag stack of all lanes. Eight entries of storage behind a four-bit size counter that wraps: a ninth
/// push overwrites the oldest entry, a pop of the empty stack leaves a counter of 15 (seed 001, Wormhole;
/// used for both).
class flag_stack {
public:
    static constexpr unsigned capacity = 8;

    unsigned depth() const { return depth_; }
    bool empty() const { return depth_ == 0; }
    flag_entry top() const { return empty() ? flag_entry{} : entries_[(depth_ - 1) % capacity]; }
    void push(flag_entry entry) {
        entries_[depth_ % capacity] = entry;
        depth_ = (depth_ + 1) % 16;
    }
    void pop() { depth_ = (depth_ + 15) % 16; }
    void replace_top(flag_entry entry) { entries_[(depth_ + 15) % capacity] = entry; }
    void replace_bottom(flag_entry entry) { entries_[0] = entry; }

    /// The entries that storage still holds, bottom first: index 0 to held() - 1.
    unsigned held() const { return depth_ < capacity ? depth_ : capacity; }
    flag_entry from_bottom(unsigned index) const { return entries_[(depth_ - held() + index) % capacity]; }

private:
    std::array<flag_entry, capacity> entries_{};
    unsigned depth_ = 0;
};

/// LaneConfig: 18 bits for each of the eight columns (lane and 7), and lane masks derived from them.
class lane_configuration {
public:
    enum bit : unsigned {
        enable_fp16a_inf = 0,
        disable_backdoor_load = 1,
        enable_dest_index = 2,
        capture_default_dest_index = 3,
        block_dest_wr_from_sfpu = 4,
        block_sfpu_rd_from_dest = 5,
        dest_rd_col_exchange = 6,
        dest_wr_col_exchange = 7,
        exchange_srcb_srcc = 8,
        row_mask = 12,
    };
    static constexpr std::uint32_t value_mask = 0x3ffff;

    std::uint32_t column(unsigned index) const { return columns_[index]; }
    void set_column(unsigned index, std::uint32_t value) {
        columns_[index] = value & value_mask;
        derive();
    }

    /// Lanes whose column has the bit set.
    lane_mask lanes_with(bit which) const { return derived_[which]; }
    /// Whether some lane has one of the bits set, a sum of `1u << bit`.
    bool any_of(std::uint32_t bits) const { return (any_ & bits) != 0; }
    /// Lanes that ROW_MASK switches off.
    lane_mask row_masked() const { return row_masked_; }

private:
    void derive();

    std::array<std::uint32_t, column_count> columns_{};
    std::array<lane_mask, 9> derived_{};
    std::uint32_t any_ = 0; ///< of all columns
    lane_mask row_masked_ = 0;
};

/// LoadMacroConfig of one lane. The chips use entries 0 to 3 (docs/exploration.md).
struct macro_configuration {
    static constexpr unsigned capacity = 8; ///< macros and templates of the largest machine

    std::array<std::uint32_t, capacity> instruction_template{};
    /// By macro: 8 bits a sub-unit, Simple, MAD, Round, Store from bit 0. With wide sequences: 16 bits a
    /// sub-unit, Simple and MAD here, Round and Store in sequence_upper.
    std::array<std::uint32_t, capacity> sequence{};
    /// 3:0 StoreMod0, 7:4 UsesLoadMod0ForStore by macro, 11:8 UnitDelayKind by sub-unit or macro; with more
    /// than four macros 15:12 and 19:16 are the same two for macros 4 to 7.
    std::uint32_t misc = 0;
    std::array<std::uint32_t, capacity> sequence_upper{}; ///< by macro: Round and Store of wide sequences

    /// Position in Misc of what belongs to a macro (or sub-unit).
    static constexpr unsigned load_mod_bit(unsigned macro) { return macro < 4 ? 4 + macro : 8 + macro; }
    static constexpr unsigned delay_kind_bit(unsigned index) { return index < 4 ? 8 + index : 12 + index; }

    friend bool operator==(const macro_configuration& a, const macro_configuration& b) {
        return a.instruction_template == b.instruction_template && a.sequence == b.sequence &&
               a.sequence_upper == b.sequence_upper && a.misc == b.misc;
    }
    friend bool operator!=(const macro_configuration& a, const macro_configuration& b) { return !(a == b); }

    /// A sequence as SFPCONFIG writes it and SFPMOV reads it: in bytes or in halves.
    void write_sequence(unsigned macro, extended_index::part part, bool wide, std::uint32_t value);
    std::uint32_t read_sequence(unsigned macro, extended_index::part part, bool wide) const;
};

/// Everything that SFPU instructions can change, except Dst and the address counters.
struct vector_state {
    lanes lreg[lreg_count];
    lane_mask flags = 0;     ///< LaneFlags
    lane_mask use_flags = 0; ///< UseLaneFlagsForLaneEnable
    flag_stack stack;
    lane_configuration config;
    std::array<macro_configuration, column_count> macro{}; ///< one for each column
    lanes prng;
    lanes shuffle_source; ///< source of the latest SFPSHFT2 mode 2 or 3 (visible through a Wormhole bug only)

    vector_state() { reset(); }
    /// Back to the documented reset values; `lreg12` is parameter sfpu.lreg12_default.
    void reset(std::uint32_t lreg12 = 0x3b000000u);

    /// LaneEnabled: lanes in which ordinary instructions take effect.
    lane_mask enabled() const { return ~config.row_masked() & enabled_by_flags(); }
    /// The same as far as flags decide it.
    lane_mask enabled_by_flags() const { return flags | ~use_flags; }
    bool macro_uniform() const;
    /// An instruction word goes into a template of the columns whose backdoor is open. Returns the lanes of
    /// the others, which execute it.
    lane_mask write_template(unsigned index, std::uint32_t word);
    /// Counts writes of LoadMacroConfig, so that derived data knows when it is stale.
    std::uint64_t macro_version = 0;
};

/// Values that SFPCONFIG gives LReg[11] to LReg[14] by immediate, which are also their reset values.
constexpr std::uint32_t lreg11_default = 0xbf800000u; ///< -1.0
constexpr std::uint32_t lreg13_default = 0xbf2cc4c7u; ///< -0.67487759
constexpr std::uint32_t lreg14_default = 0xbeb08ff9u; ///< -0.34484843

} // namespace sfpu::isa
