// What the optimiser makes of the functions of a kernel library. Figures are cycles for one row of 32
// elements in steady state; of a call whose rows nobody knows for the call.
#pragma once

#include <sfpu/common/parameters.h>

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace sfpu::analysis {

struct kernel_header;
struct library_row;
struct session;

/// A call that was recorded without SFPLOADMACRO: what there is to schedule.
struct plain_call {
    const kernel_header& header;
    std::string function;   ///< its name, without arguments
    std::size_t number = 0; ///< of the call among those of the header
    std::string text;       ///< assembly
};

/// What became of one call.
struct library_schedule {
    /// "proved": nothing shorter exists within the limits of the proof; "open": somebody may find it;
    /// "plain": nothing shorter was found; "failed": see reason.
    std::string status;
    unsigned words = 0;          ///< of a row of the plain call
    std::optional<double> plain; ///< none: it does not run
    std::optional<double> macro; ///< of the library's own path with SFPLOADMACRO, where it has one
    std::optional<double> ours;  ///< of the schedule that was found
    std::optional<double> bound; ///< no schedule is shorter
    unsigned macros = 0;         ///< that the schedule uses
    double seconds = 0;
    std::string reason;             ///< of a failure, on one line
    std::vector<std::string> files; ///< that were written
};

/// Gives each plain call its schedule. Called by several threads at once.
using call_scheduler = std::function<library_schedule(const plain_call&, const session&)>;

/// The table in figures.
struct schedule_summary {
    architecture arch = architecture::blackhole;
    std::size_t calls = 0; ///< that record and have plain words
    std::size_t shorter = 0, failed = 0;
    double geometric_mean = 1;                       ///< of plain over found, of all that did not fail
    std::size_t long_rows = 0, long_with_macros = 0; ///< rows of 20 to 120 words
    std::size_t with_library_macros = 0, slower_than_library = 0;
    std::vector<std::pair<std::string, std::size_t>> reasons; ///< of failures, the most frequent first
};
/// One for each chip that has schedules.
std::vector<schedule_summary> summary_of_schedules(const std::vector<library_row>& rows);

/// The reason of a failure without the places that it names: what several calls have in common.
std::string kind_of_failure(const std::string& reason);

} // namespace sfpu::analysis
