// When a loop is in steady state, and what happens in it.
#pragma once

#include <sfpu/analysis/kernel_file.h>

#include <sfpu/platform/program_runner.h>
#include <sfpu/probe/observer.h>

#include <cstdint>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

namespace sfpu::analysis {

/// Tells instructions apart that one word of a kernel issues, makes (MOP, REPLAY) or schedules.
struct instruction_key {
    std::int64_t place = 0; ///< of the word, counted over .init, .loop and .tail; of its SFPLOADMACRO
    probe::origin from = probe::origin::issued;
    isa::sub_unit unit{};
    std::uint32_t word = 0; ///< of the instruction, or of its template
    std::uint32_t registers = 0;

    friend bool operator<(const instruction_key& a, const instruction_key& b) { return a.all() < b.all(); }
    friend bool operator==(const instruction_key& a, const instruction_key& b) { return a.all() == b.all(); }

private:
    std::tuple<std::int64_t, probe::origin, isa::sub_unit, std::uint32_t, std::uint32_t> all() const {
        return {place, from, unit, word, registers};
    }
};
instruction_key key_of(const probe::execution_event& event, std::int64_t place);

/// What an instruction does, or a cycle in which a word of the loop is held.
struct steady_event {
    instruction_key key; ///< of a held word only the place
    std::int64_t word = 0;
    std::int64_t iteration = 0; ///< of the loop, of the word
    std::int64_t begin = 0, end = 0;
    isa::instruction insn;
    std::optional<probe::stall_cause> held;
    bool discarded = false, takes_effect = false;
    std::uint32_t dst_address = 0;
    bool moves_counters = false; ///< address counters change in its cycle

    /// Cycles that it keeps its sub-unit from others.
    std::int64_t busy() const;
};

/// A loop is in steady state where the same instructions execute, wait and are discarded in the same cycles
/// of each iteration, or of each second, third or fourth: the longest such stretch of a run of some dozen
/// iterations.
struct steady_state {
    /// Why nothing is known; empty: there is a steady state.
    std::string unknown;
    std::int64_t first = 0;  ///< iteration of the loop in which it begins, from 0
    unsigned period = 1;     ///< iterations that repeat together
    std::int64_t from = 0;   ///< cycle of the first word of that iteration
    std::int64_t cycles = 0; ///< that the period takes

    /// In the order of cycles, from `cycles_before` before `reference` to the end of the run. The period that
    /// begins with it is in steady state, and so are iterations behind it.
    std::vector<steady_event> events;
    static constexpr std::int64_t cycles_before = 64; ///< more than anything takes
    std::int64_t reference = 0;                       ///< cycle in which such a period begins

    bool exists() const { return unknown.empty(); }
    /// Whether a run of so many iterations has a whole period in steady state and goes on behind it.
    bool reached_in(std::int64_t iterations) const { return exists() && first + period < iterations; }
    /// Whether an event belongs to the period that begins with `reference`.
    bool in_period(const steady_event& event) const {
        return event.begin >= reference && event.begin < reference + cycles;
    }
};

/// By a run of its own from the state of the kernel's request. Loops of more than `most_profiled_words` words
/// are not looked at.
constexpr std::size_t most_profiled_words = 4096;
steady_state steady_state_of(platform::program_runner& runner, const kernel_run& kernel);

} // namespace sfpu::analysis
