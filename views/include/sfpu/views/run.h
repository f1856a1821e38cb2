// A run of a kernel, as people read it and as programs do.
#pragma once

#include <sfpu/analysis/run.h>
#include <sfpu/probe/statistics.h>

#include <string>
#include <vector>

namespace sfpu::views {

/// What only the caller knows of a run, for its report.
struct run_surroundings {
    std::string agreement;            ///< "y is as in y.npy"; empty: nothing was expected
    std::vector<std::string> written; ///< "waveform x.vcd", a file each
};

/// The throughput report, in lines.
std::string to_text(const analysis::run_answer& answer, const analysis::kernel_run& kernel,
                    const run_surroundings& around);

/// Issued words that did nothing as other units are not modelled: a line for each kind.
std::vector<std::string> not_modelled_lines(const std::string& program, const probe::unit_counters& counters,
                                            architecture arch);
/// The first error of each kind, a line each: "kernel.s:3: error: /sfpu/...: what happened".
std::vector<std::string> error_lines(const analysis::kernel_run& kernel,
                                     const analysis::diagnostic_summary& diagnostics);
/// Why a run that ended by itself is not ok(), a line each, in the order of importance.
std::vector<std::string> failure_lines(const analysis::kernel_run& kernel,
                                       const analysis::run_answer& answer);
/// That a run was interrupted, and behind how many rows.
std::string interruption_line(const analysis::kernel_run& kernel, const analysis::simulation& run);

/// "32 rows in 419 cycles, 13.00 cycles a row, 416 instructions, 0 of them scheduled, 0.99 a cycle"
std::string summary_line(const analysis::kernel_run& kernel, const platform::run_result& result);

/// What the statistics file holds of a machine, its counters and its diagnostics. `systemc` is the version of
/// the SystemC kernel that ran it; empty: none did.
probe::statistics_input statistics_of(const parameters& config, const probe::unit_counters& counters,
                                      const analysis::diagnostic_summary& diagnostics,
                                      const std::string& systemc);
probe::statistics_input statistics_of(const analysis::kernel_run& kernel, const analysis::simulation& run,
                                      const std::string& systemc, const analysis::given_source& given = {});
/// With what binds and what differs from the chip.
probe::statistics_input statistics_of(const analysis::kernel_run& kernel, const analysis::run_answer& answer,
                                      const std::string& systemc, const analysis::given_source& given = {});

/// The compiler of this library: "GCC 12.2.0".
std::string compiler_name();

} // namespace sfpu::views
