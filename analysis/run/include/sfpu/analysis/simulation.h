// A kernel, run once and watched.
#pragma once

#include <sfpu/analysis/diagnostic_summary.h>
#include <sfpu/analysis/kernel_file.h>
#include <sfpu/analysis/session.h>
#include <sfpu/platform/program_runner.h>
#include <sfpu/probe/observer.h>

#include <cstdint>
#include <optional>
#include <vector>

namespace sfpu::analysis {

struct simulation_options {
    bool strict = false;                              ///< what leaves something undone is an error
    std::vector<probe::pipeline_observer*> observers; ///< told of everything that happens
    std::optional<std::int64_t> end_behind; ///< the last cycle that anybody wants; none: the whole run
};

struct simulation {
    platform::run_result result;
    diagnostic_summary diagnostics;
    /// By the session, or by its deadline: the kernel is then about the rows that were done.
    bool interrupted = false;
    unsigned wanted_rows = 0;
};

/// Runs a kernel for its rows, from the Dst of its request. A run that ends early ends behind the present
/// iteration, and `kernel` has its rows afterwards. Besides what the machine reports it finds what is left
/// armed at the end (misc_watch).
simulation simulate(platform::program_runner& runner, kernel_run& kernel, const simulation_options& how,
                    const session& caller);

} // namespace sfpu::analysis
