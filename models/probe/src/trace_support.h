// What the sinks share: the window of cycles, rows of words, texts of instructions, and what an event means.
#pragma once

#include <sfpu/isa/disassembler.h>
#include <sfpu/probe/observer.h>
#include <sfpu/probe/trace_options.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace sfpu::probe {

/// Sub-units in the order in which people draw the pipeline.
struct unit_column {
    isa::sub_unit unit;
    const char* title;
};
constexpr std::array<unit_column, 5> pipeline_columns{{{isa::sub_unit::load, "Load"},
                                                       {isa::sub_unit::simple, "Simple"},
                                                       {isa::sub_unit::mad, "MAD"},
                                                       {isa::sub_unit::round, "Round"},
                                                       {isa::sub_unit::store, "Store"}}};

/// The cycles that the user wants to see, both ends inclusive.
struct cycle_window {
    /// One below the largest, so that the cycle after it exists.
    static constexpr cycles no_limit{std::numeric_limits<std::int64_t>::max() - 1};

    cycles first, last;

    explicit cycle_window(const trace_options& options)
        : first(options.from.value_or(cycles{0})), last(std::min(options.to.value_or(no_limit), no_limit)) {}
    bool contains(cycles at) const { return first <= at && at <= last; }
};

/// Whether a format says whose a word is: if there is a choice.
inline bool shows_thread(const trace_options& options, unsigned thread) {
    return options.threads > 1 || thread != 0;
}

/// Units of a kind that the machine has.
inline unsigned units_of(const trace_options& options, isa::sub_unit kind) {
    switch (kind) {
    case isa::sub_unit::mad: return options.mad_units;
    case isa::sub_unit::load: return options.load_ports;
    case isa::sub_unit::store: return options.store_ports;
    default: return 1;
    }
}

/// Without a call, which std::bitset costs where the processor's own count may not be used.
constexpr unsigned count_of_bits(std::uint32_t mask) {
    mask -= mask >> 1 & 0x55555555u;
    mask = (mask & 0x33333333u) + (mask >> 2 & 0x33333333u);
    return ((mask + (mask >> 4)) & 0x0f0f0f0fu) * 0x01010101u >> 24;
}

/// The `kind` of an activity that is no stall.
constexpr std::string_view busy_kind = "busy";

/// "hart0_retire", "tensorload_load": what there may be several of has its number.
inline std::string lane_name(tile_unit unit, unsigned instance, const char* lane, char between) {
    std::string name = to_string(unit);
    std::replace(name.begin(), name.end(), '-', '_');
    if (unit == tile_unit::hart || unit == tile_unit::front_end || instance != 0)
        name += std::to_string(instance);
    return name + between + lane;
}

/// Kernel row of an issued word, -1 if it has none.
inline std::int64_t row_of(const trace_options& options, std::int64_t word) {
    return options.row_of_word && word >= 0 ? options.row_of_word(word) : -1;
}

/// The same, with the latest answers kept: a word comes again for each instruction that it schedules.
class row_cache {
public:
    std::int64_t operator()(const trace_options& options, std::int64_t word) {
        entry& known = recent_[static_cast<std::uint64_t>(word) % recent_.size()];
        if (known.word != word) known = {word, row_of(options, word)};
        return known.row;
    }

private:
    struct entry {
        std::int64_t word = -1, row = -1;
    };
    std::array<entry, 64> recent_;
};

/// Whether the event keeps its sub-unit busy: SFPNOP, discarded and front-end words do not.
inline bool occupies_unit(const execution_event& event) {
    return !event.discarded && event.unit != isa::sub_unit::front_end && !event.insn.is(isa::opcode::sfpnop);
}

/// Whether nothing else may start in the sub-unit during the later cycles of the instruction's latency (T8).
inline bool holds_unit(const isa::instruction& insn) {
    return insn.latency == isa::latency_class::swap || insn.latency == isa::latency_class::shuffle;
}

inline bool reads_dst(const execution_event& event) {
    return event.takes_effect &&
           (event.insn.is(isa::opcode::sfpload) || event.insn.is(isa::opcode::sfploadmacro));
}
/// A template write looks like a store to L12 and above and does not reach Dst.
inline bool writes_dst(const execution_event& event) {
    return event.takes_effect && event.insn.is(isa::opcode::sfpstore) && !event.insn.names_template();
}

/// The Dst address of a load or store as people write it: bit 0 selects nothing, and in SFPLOADMACRO it
/// belongs to the register.
inline std::uint32_t shown_dst_address(const execution_event& event) { return event.dst_address & ~1u; }

/// Texts, each stored once and named by a small number. Disassembling an instruction costs about a
/// microsecond, so it is done once for each different one.
class text_cache {
public:
    using shape_function = std::string (*)(const isa::instruction&, const std::string& text);

    /// `shape`, if given, rewrites what the disassembler says of an instruction.
    explicit text_cache(const isa::word_encoding& words, shape_function shape = nullptr)
        : words_(words), shape_(shape) {}

    std::uint32_t index(const isa::instruction& insn) {
        const key wanted = key_of(insn);
        recent& place = recent_[key_hash{}(wanted) % recent_.size()];
        if (!place.known || !(place.instruction == wanted)) place = {wanted, look_up(wanted, insn), true};
        return place.text;
    }
    std::uint32_t add(std::string text) {
        longest_ = std::max(longest_, text.size());
        texts_.push_back(std::move(text));
        return static_cast<std::uint32_t>(texts_.size() - 1);
    }
    const std::string& operator[](std::size_t index) const { return texts_[index]; }
    std::size_t longest() const { return longest_; } ///< characters

private:
    /// The word and the fields that scheduling may override (T14).
    struct key {
        std::uint64_t encoded = 0;
        std::uint64_t fields = 0;
        friend bool operator==(const key& a, const key& b) {
            return a.encoded == b.encoded && a.fields == b.fields;
        }
    };
    struct recent {
        key instruction;
        std::uint32_t text = 0;
        bool known = false;
    };

    std::uint32_t look_up(const key& wanted, const isa::instruction& insn) {
        const auto [found, is_new] = by_instruction_.try_emplace(wanted, 0);
        if (is_new) {
            std::string text = isa::text(insn, words_);
            found->second = add(shape_ ? shape_(insn, text) : std::move(text));
        }
        return found->second;
    }
    struct key_hash {
        std::size_t operator()(const key& k) const {
            const std::uint64_t mixed = (k.encoded ^ (k.fields << 23 | k.fields >> 41)) * 0x9e3779b97f4a7c15u;
            return static_cast<std::size_t>(mixed ^ mixed >> 29);
        }
    };
    static key key_of(const isa::instruction& insn) {
        return {std::uint64_t{insn.word} | std::uint64_t{insn.imm10} << 32 |
                    std::uint64_t{insn.op->opcode} << 48 | std::uint64_t{insn.flags} << 56,
                std::uint64_t{insn.va} | std::uint64_t{insn.vb} << 8 | std::uint64_t{insn.vc} << 16 |
                    std::uint64_t{insn.vd} << 24 | std::uint64_t{insn.mod} << 32};
    }

    isa::word_encoding words_;
    shape_function shape_;
    std::vector<std::string> texts_;
    std::size_t longest_ = 0;
    std::array<recent, 256> recent_;                                  ///< by hash
    std::unordered_map<key, std::uint32_t, key_hash> by_instruction_; ///< for look-up only, never walked
};

} // namespace sfpu::probe
