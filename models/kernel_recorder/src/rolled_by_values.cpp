#include "recorded_parts.h"
#include "value_numbers.h"
#include "vector_constants.h"

#include <sfpu/kernel_recorder/rolled_words.h>

#include <sfpu/isa/table.h>

#include <algorithm>
#include <array>

namespace sfpu::kernel_recorder {
namespace {

using word_list = std::vector<std::uint32_t>;
using held_values = std::array<value_number, isa::general_lregs>;

constexpr std::size_t most_words = 20'000; ///< of a call that is looked at

held_values values_of(const numbered_state& state) {
    held_values held{};
    for (unsigned i = 0; i < held.size(); ++i) held[i] = state.held(i);
    return held;
}

bool execute(numbered_state& state, const word_list& words) {
    return std::all_of(words.begin(), words.end(), [&](std::uint32_t word) { return state.execute(word); });
}

/// A call whose rows end with the same word, which stands nowhere else.
struct split_call {
    recorded_words front;             ///< up to the first load or store
    std::vector<recorded_words> rows; ///< the first one without `front`
    recorded_words back;
};

std::optional<split_call> split(const recorded_words& call, unsigned rows) {
    constexpr auto is_access = [](std::uint32_t word) {
        return word >> 24 == isa::opcode::sfpload || word >> 24 == isa::opcode::sfpstore;
    };
    const auto last = std::find_if(call.words.rbegin(), call.words.rend(),
                                   [](std::uint32_t word) { return !is_nop(word); });
    if (last == call.words.rend() ||
        static_cast<std::size_t>(std::count(call.words.begin(), call.words.end(), *last)) != rows)
        return std::nullopt;
    const auto first = std::find_if(call.words.begin(), call.words.end(), is_access) - call.words.begin();
    split_call parts;
    auto begin = static_cast<std::size_t>(first);
    parts.front = part_of(call, 0, begin);
    for (std::size_t i = 0; i < call.words.size(); ++i) {
        if (call.words[i] != *last) continue;
        if (i < begin) return std::nullopt; // a row without loads and stores
        parts.rows.push_back(part_of(call, begin, i + 1));
        begin = i + 1;
    }
    parts.back = part_of(call, begin, call.words.size());
    return parts;
}

/// Loads the constants that registers of `which` held and do not hold any more. False if one of them held
/// anything else.
bool load_again(recorded_words& to, isa::register_set which, const held_values& wanted,
                const held_values& held, const value_table& table) {
    for (unsigned i = 0; i < wanted.size(); ++i) {
        if (!isa::contains(which, i) || held[i] == wanted[i]) continue;
        const auto bits = table.bits_of(wanted[i]);
        if (!bits) return false;
        for (const std::uint32_t word : vector::words_that_load(i, *bits)) {
            to.words.push_back(word);
            to.gaps.push_back(true);
            to.places.emplace_back(); // no line issues it
        }
    }
    return true;
}

/// The words of a row as the loop, with what has to be loaded for it. `before` and `behind` it in the call.
std::optional<rolled_words> loop_of(const recorded_words& row, const held_values& before,
                                    const held_values& behind, const split_call& parts,
                                    const held_values& at_first, const value_table& table,
                                    architecture arch) {
    const isa::register_set needed = reads_first(row.words, arch);
    rolled_words made{parts.front, {}, parts.back, parts.rows.size()};
    if (!load_again(made.front, needed, before, at_first, table) ||
        !load_again(made.loop, needed, before, behind, table))
        return std::nullopt;
    append(made.loop, row);
    return made;
}

/// Whether the loop does what the rows do, and each iteration begins with the same lane flags and with the
/// same in the registers that it reads.
bool is_same(const rolled_words& loop, const std::vector<value_number>& wanted, value_table& table,
             architecture arch) {
    numbered_state state(table, arch);
    if (!execute(state, loop.front.words)) return false;
    const isa::register_set needed = reads_first(loop.loop.words, arch);
    const held_values at_first = values_of(state);
    const value_number flags = state.flags();
    for (std::size_t i = 0; i < loop.iterations; ++i) {
        const held_values held = values_of(state);
        for (unsigned lreg = 0; lreg < held.size(); ++lreg)
            if (isa::contains(needed, lreg) && held[lreg] != at_first[lreg]) return false;
        if (!execute(state, loop.loop.words) || state.flags() != flags) return false;
    }
    return execute(state, loop.back.words) && state.all_but_registers() == wanted;
}

/// Whether the word behind may be any: its result is there in the next cycle.
bool ends_at_once(std::uint32_t word, architecture arch) {
    if (isa::classify(word, arch) != isa::word_kind::sfpu) return true;
    const isa::latency_class latency = isa::decode(word, arch).latency;
    return latency == isa::latency_class::none || latency == isa::latency_class::one;
}

} // namespace

std::optional<rolled_words> rolled_by_values(const recorded_words& call, unsigned rows, architecture arch) {
    if (rows < 2 || call.words.size() > most_words) return std::nullopt;
    const auto parts = split(call, rows);
    if (!parts || !ends_at_once(parts->rows.front().words.back(), arch)) return std::nullopt;
    value_table table;
    numbered_state state(table, arch);
    if (!execute(state, parts->front.words)) return std::nullopt;
    std::vector<held_values> held{values_of(state)};
    for (const recorded_words& row : parts->rows) {
        if (!execute(state, row.words)) return std::nullopt;
        held.push_back(values_of(state));
    }
    if (!execute(state, parts->back.words)) return std::nullopt;
    std::vector<rolled_words> loops;
    for (std::size_t i = 0; i < parts->rows.size(); ++i)
        if (auto one = loop_of(parts->rows[i], held[i], held[i + 1], *parts, held[0], table, arch))
            loops.push_back(std::move(*one));
    std::stable_sort(loops.begin(), loops.end(), [](const rolled_words& a, const rolled_words& b) {
        return a.loop.words.size() < b.loop.words.size();
    });
    const std::vector<value_number> wanted = state.all_but_registers();
    for (rolled_words& one : loops)
        if (is_same(one, wanted, table, arch)) return std::move(one);
    return std::nullopt;
}

} // namespace sfpu::kernel_recorder
