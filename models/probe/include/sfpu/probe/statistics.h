// The statistics file of a run.
#pragma once

#include <sfpu/common/report.h>
#include <sfpu/common/types.h>
#include <sfpu/probe/unit_counters.h>

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sfpu::probe {

/// Counters of one part of a tile, and of its parts.
struct counter_group {
    std::string name;
    std::vector<std::pair<std::string, std::uint64_t>> counters;
    std::vector<counter_group> groups;
};

/// What a run on a machine with other timing did to the results of the program.
struct results_statistics {
    std::optional<bool> changed; ///< absent: there was nothing to compare with
    std::uint64_t cells = 0;     ///< that differ
};

/// What binds a kernel in steady state.
struct bound_statistics {
    double cycles_per_row = 0;
    std::string reason;
};

/// What a row of a kernel takes in steady state, where that goes, and what would be gained. All numbers are
/// of one row.
struct steady_state_statistics {
    double cycles_per_row = 0;
    std::string binds; ///< in one sentence
    /// A resource's cycles: issue first, then the sub-units. They sum to `cycles_per_row` times the slots or
    /// instances that it has.
    struct slot_stack {
        std::string resource;
        double busy = 0;    ///< issues a word; an instruction starts or keeps others out
        double blocked = 0; ///< a word is held; a word for it is held and it does nothing
        double idle = 0;
    };
    std::vector<slot_stack> slots;
    std::vector<std::pair<std::string, double>>
        held; ///< cycles in which a word is held, by cause, without zeros
    /// What was tried: the same kernel with less of something needed, or more of it there.
    struct relaxation {
        std::string resource, change;
        double cycles_per_row = 0;
        std::string then; ///< what binds then
    };
    std::vector<relaxation> relaxations;
    /// The critical cycle of dependences: what the values that pass from row to row take, whatever the order
    /// of words. 0: none do.
    double dependence_cycles_per_row = 0;
    std::string dependences; ///< in words
};

/// Everything that the statistics file holds, as plain values.
struct statistics_input {
    std::string version; ///< of this software
    std::string systemc; ///< version of the SystemC kernel; empty, and null in the file: it ran without one
    std::string compiler;
    architecture arch = architecture::blackhole;
    std::string config = "{}"; ///< the resolved configuration as JSON text
    struct source_of_kernel {
        std::string file, function, form; ///< of no function: empty
    };
    std::optional<source_of_kernel> source; ///< what the kernel was given as; in the file if it is known

    std::uint64_t rows = 0;               ///< kernel rows of 32 elements
    std::uint64_t cycles = 0;             ///< first issued word to last architectural effect, inclusive
    std::optional<double> cycles_per_row; ///< steady state; absent if fewer than two iterations ran

    unit_counters counters;
    std::array<std::uint64_t, report_count>
        hazards{}; ///< occurrences by report_id, those of the surroundings included
    struct allowed_report {
        report_id id{};
        unsigned line = 0;
        std::string reason;
        std::uint64_t count = 0;
    };
    std::vector<allowed_report> allowed; ///< by `.allow`; in the file if there are any
    std::vector<std::pair<std::string, std::uint64_t>>
        not_modelled; ///< words of other Tensix units, by mnemonic

    unsigned issue_width = 1;                            ///< words that a cycle can issue
    std::optional<bound_statistics> bound;               ///< in the file if it is known
    std::optional<steady_state_statistics> steady_state; ///< the same
    std::optional<results_statistics> results; ///< in the file if the run was to be compared with the chip's

    /// What surrounds the vector unit in a tile; the file has an object `tile` with a member for each if
    /// there are any.
    std::vector<counter_group> tile;
};

/// Where the issue slots went: they sum to the cycles times the words that a cycle can issue.
struct issue_slots {
    std::uint64_t slots = 0, issued = 0, held = 0;
    std::uint64_t idle = 0; ///< nothing to issue: bubbles, and draining at the end
};
issue_slots issue_slots_of(const unit_counters& counters, std::uint64_t cycles, unsigned issue_width);

/// The statistics file: one JSON object, indented, with a final newline. Stalls and hazards list what
/// occurred only. Absent numbers are null; ratios over zero cycles are 0. Throws std::invalid_argument if
/// `config` is not JSON. Equal input gives equal bytes.
std::string statistics_json(const statistics_input& input);

/// 64-bit FNV-1a hash of the bytes, 16 lower-case hex digits. In the file, `meta.config_hash` is that of the
/// configuration in compact form (no blanks), so that it does not depend on indentation.
std::string fnv1a_64_hex(std::string_view bytes);

} // namespace sfpu::probe
