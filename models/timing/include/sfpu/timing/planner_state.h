// Everything besides the coming words that decides what the coming cycles do, counted from the present cycle.
//
// It is the key of remembered plans: what is not in it cannot influence a plan. Each part lists its fields
// through a structured binding, so that a field that is added and not listed does not compile.
#pragma once

#include <sfpu/timing/chip_watch.h>
#include <sfpu/timing/configuration_writers.h>
#include <sfpu/timing/fields.h>
#include <sfpu/timing/instruction_library.h>
#include <sfpu/timing/issue_rules.h>
#include <sfpu/timing/macro_slots.h>
#include <sfpu/timing/neighbour_rules.h>
#include <sfpu/timing/write_back.h>

#include <array>
#include <cstdint>
#include <cstring>
#include <tuple>
#include <type_traits>

namespace sfpu::timing {

/// Results that become visible at the end of one cycle.
struct due_results {
    port_set ports = 0;
    isa::register_set lregs = 0;
};
inline auto fields_of(const due_results& x) {
    const auto& [ports, lregs] = x;
    return std::tie(ports, lregs);
}
inline bool operator==(const due_results& a, const due_results& b) { return fields_of(a) == fields_of(b); }

/// Results under way, by cycles from now.
struct result_calendar {
    std::array<due_results, isa::largest::latency> in{};

    void advance(std::int64_t cycles_on);
    /// How many cycles from now on still bring results.
    unsigned length() const;
    bool empty() const { return length() == 0; }
};
inline auto fields_of(const result_calendar& x) {
    const auto& [in] = x;
    return std::tie(in);
}

/// What state that instructions write at run time says to the rules. It is sampled where a plan ends because
/// it may have changed.
struct rule_inputs {
    configuration_id configuration = 0; ///< LoadMacroConfig
    std::uint32_t backdoor_closed = 0;  ///< lanes with DISABLE_BACKDOOR_LOAD
    bool lanes_ordinary = true;         ///< LaneConfig does no more than close the backdoor
    bool backdoor_changed = false;      ///< by the word of the cycle before
    std::uint16_t still_modifiers =
        0; ///< two issue slots: address modifiers of the thread that change nothing
};
inline auto fields_of(const rule_inputs& x) {
    const auto& [configuration, closed, ordinary, changed, still] = x;
    return std::tie(configuration, closed, ordinary, changed, still);
}

/// Whose words come, and how they are numbered.
struct word_source {
    std::uint8_t thread = 0;
    std::uint8_t word_step = 1; ///< from the index of one word to that of the next: 0 if all have the same
};
inline auto fields_of(const word_source& x) {
    const auto& [thread, word_step] = x;
    return std::tie(thread, word_step);
}

struct planner_state {
    issue_state issue;
    macro_slots slots;
    neighbour_state neighbours;
    result_calendar results;
    rule_inputs rules;
    word_source source;
    std::uint8_t configured_words_ago =
        0;                            ///< T21: words since SFPCONFIG wrote a sequence or Misc; 0 is long ago
    std::uint8_t simple_held_for = 0; ///< cycles for which SFPSWAP keeps others out of Simple (T8)
    std::uint8_t round_held_for = 0;  ///< the same for two-cycle SFPSHFT2 and Round
    configuration_writers writers;
    chip_watch_state on_chip;
    std::uint8_t new_templates = 0; ///< bit i: the word before wrote template i through the backdoor

    /// Lets cycles pass in which nothing happens.
    void advance_idle(std::int64_t cycles_on);
    /// T19: whether cycles without an issue still change anything.
    bool moves(const isa::machine& machine) const {
        return slots.can_advance_alone(machine) || !results.empty();
    }
};
inline auto fields_of(const planner_state& x) {
    const auto& [issue, slots, neighbours, results, rules, source, configured, simple_held, round_held,
                 writers, on_chip, new_templates] = x;
    return std::tie(issue, slots, neighbours, results, rules, source, configured, simple_held, round_held,
                    writers, on_chip, new_templates);
}

namespace detail {
template <class T>
bool same(const T& a, const T& b);
template <class Tuple, std::size_t... I>
bool all_same(const Tuple& a, const Tuple& b, std::index_sequence<I...>) {
    return (same(std::get<I>(a), std::get<I>(b)) && ...);
}
template <class T, class = void>
struct has_fields : std::false_type {};
template <class T>
struct has_fields<T, std::void_t<decltype(fields_of(std::declval<const T&>()))>> : std::true_type {};
template <class T>
bool same(const T& a, const T& b) {
    if constexpr (has_fields<T>::value) {
        const auto x = fields_of(a), y = fields_of(b);
        return all_same(x, y, std::make_index_sequence<std::tuple_size_v<std::decay_t<decltype(x)>>>{});
    } else {
        return a == b;
    }
}
} // namespace detail

inline bool operator==(const planner_state& a, const planner_state& b) { return detail::same(a, b); }
/// These two are compared for every plan that is played: as bytes, of which none is padding.
template <class T>
bool same_bytes(const T& a, const T& b) {
    static_assert(std::has_unique_object_representations_v<T>);
    return std::memcmp(&a, &b, sizeof(T)) == 0;
}
inline bool operator==(const rule_inputs& a, const rule_inputs& b) { return same_bytes(a, b); }
inline bool operator==(const word_source& a, const word_source& b) { return same_bytes(a, b); }

} // namespace sfpu::timing
