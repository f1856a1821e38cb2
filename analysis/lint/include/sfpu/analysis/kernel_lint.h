// What `lint` says of a kernel: what depends on the timing, what to change, what is odd besides.
#pragma once

#include <sfpu/analysis/cures.h>
#include <sfpu/analysis/kernel_remarks.h>
#include <sfpu/analysis/lint.h>
#include <sfpu/analysis/machine_choice.h>
#include <sfpu/analysis/session.h>
#include <sfpu/analysis/user_places.h>
#include <sfpu/platform/program_runner.h>

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace sfpu::analysis {

struct lint_request {
    lint_options how;             ///< `progress` and `interrupted` are those of the session
    std::optional<unsigned> rows; ///< of the kernel, instead of its own number
    /// Looks for fix-its where a bubble matters, too. Those of hazards are always looked for, except in a
    /// .hex file, which has no lines to change.
    bool fix_its_of_boundaries = false;
    /// Told of each change that is tried, and how many there will be at most.
    std::function<void(unsigned tried, unsigned most)> on_trial;
};

struct lint_answer {
    std::string file;
    std::string source; ///< the text of the file, or what it was translated to
    given_source given; ///< what was translated, if the caller says so
    user_places places; ///< of the lines of `source`, which all numbers of lines in the report are
    lint_report report;
    kernel_remarks remarks;
    /// By index of report.hazards and report.boundaries; nothing where none was found. Shorter where nobody
    /// looked.
    std::vector<std::optional<cure>> hazard_fix_its, boundary_fix_its;
    bool looked_at_boundaries = false;
    /// An interruption came when the report was complete and not all fix-its had been looked for.
    bool fix_its_missing = false;
};

/// `source` is the text of `file`. The session is told of runs, and may end the check with what it has found.
/// Throws input_error for what is no kernel.
lint_answer lint_kernel(platform::program_runner& runner, const std::string& source, const std::string& file,
                        const machine_choice& machine, const lint_request& request, const session& caller);

/// A kernel after its fix-its.
struct fixed_kernel {
    std::string source;
    std::vector<std::string> applied; ///< what each fix-it changed, in their order
    lint_report report;               ///< of the changed source
};

/// Applies fix-its one after the other, hazards before places where a bubble matters, as long as there is one
/// that needs no decision of the author.
fixed_kernel fix_kernel(platform::program_runner& runner, std::string source, const std::string& file,
                        const machine_choice& machine, const lint_request& request);

} // namespace sfpu::analysis
