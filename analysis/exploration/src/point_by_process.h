// A schedule for the machine of a point, by a process.
#pragma once

#include <sfpu/analysis/point.h>
#include <sfpu/analysis/sweep.h>

#include <cstdint>
#include <optional>
#include <string>

namespace sfpu::analysis {

struct schedule_order {
    std::string program; ///< the file of sfpusim
    std::string kernel;  ///< file
    std::optional<architecture> arch;
    std::vector<parameter_value> machine;
    bool retime = false;
    std::uint64_t budget = 0; ///< conflicts of the solver
    double seconds = 0;       ///< that it may take
};

/// What `optimize` made of a kernel.
struct written_schedule {
    std::string text;
    bool proved = false; ///< no shorter one exists
};

/// Runs `sfpusim optimize`: the one place of explorations that does, until optimize() is a function of the optimizer's library.
/// Nothing if the session was interrupted or the time was over. Throws user_error with what it says if it writes nothing.
std::optional<written_schedule> point_by_process(const schedule_order& order, const session& at);

} // namespace sfpu::analysis
