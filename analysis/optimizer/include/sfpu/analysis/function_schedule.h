// A function of a C++ header, scheduled for all values of its parameters.
#pragma once

#include <sfpu/analysis/function_text.h>
#include <sfpu/analysis/optimize.h>

#include <functional>
#include <string>
#include <vector>

namespace sfpu::analysis {

struct function_request {
    optimize_request schedule;                  ///< its text is that of the call with `arguments`
    std::vector<function_parameter> parameters; ///< of the function, none of them a vector
    std::vector<std::string> arguments;         ///< of the recorded call, one for each parameter
    std::size_t fixed = 0; ///< so many first parameters keep their arguments, whatever they change
    /// The assembly of a call with other arguments. Throws user_error if it cannot be recorded.
    std::function<std::string(const std::vector<std::string>&)> record;
};

/// Optimises the function as optimize() does. The header's functions have the parameters of the function: it
/// is recorded with several values, and a 16-bit immediate that follows the upper or the lower half of a
/// parameter, a constant added or subtracted, is computed from it. What was found is compared for other
/// values than those that were recorded, extreme ones among them. Throws user_error if a parameter changes
/// anything else, with what it changes.
optimize_answer optimize_function(const function_request& request, const session& caller = {});

} // namespace sfpu::analysis
