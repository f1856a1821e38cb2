// What an exploration shows, and how surely: cycles as intervals where no proof closes them, machines against
// the baseline's, what a parameter makes of a kernel while the others are held.
//
// A schedule that was looked for stands for the best one there is: its cycles are known from the bound of the
// search to what was found. Words that are kept, firmware and proved schedules have one number.
#pragma once

#include <sfpu/analysis/exploration.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace sfpu::analysis {

/// A number of which is known that it lies between two others, both inclusive.
struct known_range {
    double least = 0, most = 0;
    bool is_exact() const { return least >= most; }
};

/// Whether the cycles of a point mean something: it ran, and its results are not known to be wrong or lucky.
bool counts(const point_result& result);

/// Cycles a row, or of the whole run if `per_row` is false. `most` is what was measured. Nothing for a point
/// without such a number. Where nothing is known from below, `least` is 0.
std::optional<known_range> cycles_of(const point_result& result, bool per_row);

/// A parameter that a comparison holds at one value.
using held_parameters = std::vector<parameter_value>;

struct response_point {
    std::uint64_t value = 0; ///< of the parameter
    std::size_t run = 0;     ///< into exploration_answer::points
    known_range cycles;
    bool counts = false;
};
struct response_curve {
    std::string kernel;
    schedule_choice schedule{};
    std::vector<response_point> points; ///< in the order in which the sweep has the values
};
/// What one parameter does to each kernel and schedule.
struct parameter_response {
    const parameter_row* parameter = nullptr;
    /// The other parameters: at the baseline's values; where fewer than two values of this one go with those,
    /// at the values that most go with.
    held_parameters held;
    bool held_at_baseline = false;
    /// No two values go with the same others: a point of the curve is the best over these, and two of its
    /// points differ in more than the parameter.
    std::vector<const parameter_row*> best_over;
    std::vector<response_curve> curves;
};

/// `parameter` is an index into sweep::varied. Of runs with equal values (seeds) the best counts.
parameter_response response_to(const exploration_answer& answer, std::size_t parameter);

/// The indices into sweep::varied of parameters with more than one value.
std::vector<std::size_t> parameters_compared(const exploration_answer& answer);

/// What all kernels take on a machine.
struct machine_finding {
    std::size_t point = 0;
    double cost = 0;
    std::size_t changes = 0; ///< parameters that the baseline's machine has otherwise
    struct kernel_result {
        std::size_t run = 0; ///< of the fastest schedule; into exploration_answer::points
        known_range cycles;  ///< mean over the seeds
    };
    std::vector<std::optional<kernel_result>> results; ///< by kernel; absent: none that counts

    /// Against the baseline's machine: above 1 is faster.
    struct speed {
        double found = 1; ///< by the schedules that were found
        known_range known;
    };
    std::vector<std::optional<speed>> speeds; ///< by kernel
    std::optional<speed> mean;                ///< geometric, over the kernels that have a speed
    std::size_t compared = 0;                 ///< how many have
    bool complete = false;                    ///< all have that have a result on the baseline's machine
    bool on_front = false;                    ///< no machine that costs as much or less was found as fast

    std::size_t missing() const;
    std::size_t faster() const; ///< kernels, by the schedules that were found
    std::size_t slower() const;
};

/// How far one parameter alone changes the cycles of any kernel.
struct parameter_finding {
    std::size_t parameter = 0;        ///< into sweep::varied
    std::size_t groups = 0;           ///< of runs that differ in it alone and count
    double found = 0;                 ///< largest difference between runs of one group
    double proved = 0;                ///< largest difference that no better schedule takes away
    std::size_t runs = 0, closed = 0; ///< of these groups, and how many have one number
    bool every_kernel = false;        ///< each kernel and schedule has a group
    bool is_flat() const { return every_kernel && found == 0; }
};

struct exploration_findings {
    bool per_row = true;                       ///< cycles are those of a row
    std::vector<std::string> kernels;          ///< names, each once
    std::vector<machine_finding> machines;     ///< in the order of the sweep
    std::optional<std::size_t> baseline;       ///< index of the baseline's machine
    std::vector<std::size_t> ranked;           ///< complete machines, the fastest by what was found first
    std::vector<parameter_finding> parameters; ///< those that parameters_compared() names
    std::size_t schedules = 0, proved = 0;     ///< that were written, and the shortest of their form
};

exploration_findings findings_of(const exploration_answer& answer);

} // namespace sfpu::analysis
