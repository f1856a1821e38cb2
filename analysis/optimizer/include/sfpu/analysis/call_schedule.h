// A schedule for one recorded call of a kernel library.
#pragma once

#include <sfpu/analysis/library_schedule.h>
#include <sfpu/analysis/session.h>
#include <sfpu/analysis/term_solver.h>

#include <string>

namespace sfpu::analysis {

struct call_schedule_options {
    double seconds = 60;           ///< for finding and refuting
    std::int64_t conflicts = 0;    ///< instead of seconds; 0: seconds count
    std::string folder;            ///< schedules and headers go there; it exists. Empty: none are written
    term_solver* solver = nullptr; ///< for rows with other instructions that terms alone do not prove equal
};

/// Optimises a call. What goes wrong is the reason of its failure; throws nothing but user_error where a file
/// cannot be written.
library_schedule schedule_of_call(const plain_call& of, const call_schedule_options& options,
                                  const session& caller);

} // namespace sfpu::analysis
