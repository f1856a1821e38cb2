// What there is to say of one run of a kernel: the answer of `run`, of Python's run() and of the statistics
// file.
#pragma once

#include <sfpu/analysis/chip_comparison.h>
#include <sfpu/analysis/kernel_remarks.h>
#include <sfpu/analysis/machine_choice.h>
#include <sfpu/analysis/resource_bound.h>
#include <sfpu/analysis/simulation.h>

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace sfpu::analysis {

struct run_options {
    /// Runs it also on the chip if the machine differs from it in what decides when something happens.
    bool compare_with_chip = true;
    /// Finds what binds, which takes some dozen short runs.
    bool bottleneck = true;
    /// Looks for small changes that take hazards away.
    bool fix_its = true;
    std::optional<unsigned> rows; ///< that the caller insists on; for the trials of fix-its
    std::vector<probe::pipeline_observer*> observers; ///< told of everything that happens in the run itself
};

struct run_answer {
    simulation run;
    platform::dst_image dst{};           ///< after the run
    std::optional<chip_comparison> chip; ///< none: the machine has the chip's timing, or nobody asked
    std::optional<binding> binds;        ///< none: nothing is repeated, or nobody asked
    kernel_remarks remarks;
    std::array<std::string, report_count>
        fix_its; ///< by report_id, of the first occurrence; empty: none found
    /// Found cycles a row, where that is not what the kernel's .expect says. None where it is, or where fewer
    /// than two iterations ran.
    std::optional<double> missed_expectation;

    /// Whether rules are kept, the throughput is the expected one, and the results are the chip's.
    bool ok() const {
        return !run.diagnostics.any_error() && !missed_expectation && !(chip && chip->changed());
    }
};

/// One iteration has no steady state, and what it takes says nothing of how often one can begin.
inline bool has_steady_state(const kernel_run& kernel) { return kernel.iterations() > 1; }

/// `kernel` is ready to run, with what shall stand in Dst; `text` is its file. If the caller interrupts it,
/// there is only what was found by then: of a run that ended early neither a comparison nor what binds, no
/// remarks, no fix-its.
run_answer run(platform::program_runner& runner, kernel_run& kernel, const std::string& text,
               const machine_choice& machine, const run_options& how, const session& caller);

} // namespace sfpu::analysis
