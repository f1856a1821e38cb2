// A schedule that somebody else has found: what it is worth on this machine.
#pragma once

#include "given_kernel.h"
#include "schedule_checker.h"

#include <functional>

namespace sfpu::analysis {

/// A schedule that was judged like one that the search finds.
struct judged_schedule {
    optimized_schedule figures; ///< macros, templates and registers are those that its words name
    std::string text;
};

/// Runs it on the machine that schedules are wanted for, compares it with the given kernel and asks
/// `lint`. Throws user_error with the reason if it would not be taken as a schedule of that kernel: its
/// machine, rows, results, hazards.
judged_schedule judge_known(const given_kernel& of, const known_schedule& known,
                            const std::function<bool()>& interrupted);

} // namespace sfpu::analysis
