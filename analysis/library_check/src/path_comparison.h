// The macro path of a kernel against its plain path.
#pragma once

#include "call_program.h"
#include "kernel_execution.h"

#include <sfpu/analysis/equivalence.h>

#include <optional>
#include <string>
#include <vector>

namespace sfpu::analysis {

struct path_comparison {
    std::optional<bool> equal; ///< none if neither mode of Dst could be compared
    equivalence_verdict strength = equivalence_verdict::proved; ///< of "equal": the weaker of both modes
    std::vector<std::string> explanation, remarks;
};

/// Compares what both have recorded, in both modes of Dst.
path_comparison compare_paths(platform::program_runner& runner, const recorded_files& macro,
                              const recorded_files& plain, const step_limit& limit);

} // namespace sfpu::analysis
