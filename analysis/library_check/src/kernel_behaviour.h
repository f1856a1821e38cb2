// What a run and lint say of a recorded kernel.
#pragma once

#include "kernel_execution.h"

#include <sfpu/analysis/lint.h>

#include <optional>
#include <string>
#include <vector>

namespace sfpu::analysis {

struct kernel_behaviour {
    std::optional<double> cycles_per_row;
    std::optional<lint_verdict> verdict;
    std::vector<std::string> notes; ///< "3 /sfpu/hazard/write-collision", "does not run: ..."
};

/// Measures the file `steady` and judges the file `judged`, which may be the same.
kernel_behaviour behaviour_of(platform::program_runner& runner, const std::string& steady,
                              const std::string& judged, bool uses_macros, const step_limit& limit);

/// Measures the file and judges nothing.
kernel_behaviour measured_alone(platform::program_runner& runner, const std::string& steady,
                                const step_limit& limit);

} // namespace sfpu::analysis
