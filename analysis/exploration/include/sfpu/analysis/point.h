// One point of a sweep: a kernel on a machine, and what came of it.
#pragma once

#include <sfpu/analysis/kernel_file.h>
#include <sfpu/analysis/kernel_kit.h>
#include <sfpu/analysis/lint.h>
#include <sfpu/analysis/session.h>
#include <sfpu/analysis/sweep.h>
#include <sfpu/platform/program_runner.h>
#include <sfpu/probe/unit_counters.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace sfpu::analysis {

/// Which run: indices into the lists of a sweep.
struct point_id {
    std::size_t point = 0, kernel = 0, seed = 0;
};

/// All runs of a sweep in the order of its results: points, then kernels, then seeds.
std::vector<point_id> all_runs(const sweep& of);

enum class point_status : std::uint8_t {
    ok,
    failed,  ///< the kernel has a fault, or the machine cannot run it
    timeout, ///< not finished within the sweep's limit
};
const char* to_string(point_status status); ///< "ok", "failed", "timeout"

/// What the vector unit did in the run.
struct point_counters {
    std::int64_t cycles = 0;             ///< first issued word to last effect; of firmware: all
    double instructions_per_cycle = 0;   ///< executed ones
    std::array<double, 5> utilisation{}; ///< 0 to 1, in the order of reported_units
    std::array<std::uint64_t, probe::stall_cause_count> stalls{}; ///< cycles by cause
};
point_counters counters_of(const probe::unit_counters& counted, cycles used);

/// What a resource does: cycles of a row, or all cycles of firmware.
struct resource_share {
    std::string resource;
    double busy = 0, blocked = 0, idle = 0;
};

/// The drawn schedule of a kernel where it repeats itself.
struct kernel_picture {
    std::string svg; ///< empty for a kernel without a loop, and if nobody draws
    /// What `schedule` has to be told to draw it.
    unsigned rows = 0;
    std::int64_t from_cycle = 0, to_cycle = 0;
};

struct point_result {
    schedule_choice schedule = schedule_choice::keep;
    point_status status = point_status::ok;
    std::string error;                          ///< what a user can repair; empty if `status` is ok
    std::optional<double> cycles_per_row;       ///< in steady state
    std::optional<double> bound_cycles_per_row; ///< with these words a row cannot take fewer (ResMII)
    std::string bound_reason;                   ///< "issue: 4 words a row"
    bool proved = false; ///< no shorter schedule exists; of schedules that were looked for
    /// "open", "optimal_in_form", "bound", "optimal", as optimize() has it; empty for words that are kept.
    std::string proof;
    /// No schedule of the form that was searched takes fewer: where the search stands, or what it found if
    /// all that is shorter is refuted. Absent for words that are kept, and where nothing is known.
    std::optional<double> least_cycles_per_row;
    std::optional<point_counters> counters; ///< absent if nothing ran
    std::optional<std::uint64_t> hazards;   ///< diagnostics of the run
    std::optional<bool> valid;              ///< results as on the baseline; absent: nobody can tell
    std::string
        equality; ///< how strong `valid` is: "proved", "exhaustive", "tested"; empty if it is not true
    std::optional<lint_verdict> verdict;             ///< absent if nobody asked lint
    std::string binds;                               ///< the bottleneck, in a sentence
    std::optional<double> dependence_cycles_per_row; ///< RecMII
    std::string dependences;                         ///< in words
    std::vector<resource_share>
        resources;       ///< issue first, then the sub-units; parts of the tile for firmware
    std::string written; ///< the kernel that was written for this machine; empty if none was, or if the given
                         ///< macro form is faster
    kernel_picture picture;
    std::optional<architecture> chip; ///< that the kernel is for; absent if it could not be read
    bool reference_differs = false; ///< it computes something else on the baseline's machine than on the chip
};

constexpr auto written_kernel = "written.s"; ///< what sentences and pages call the kernel that was written

/// The result of a point that could not give one.
point_result lost_point(schedule_choice schedule, point_status status, std::string error);

/// A schedule that a point wants.
struct schedule_order {
    std::string kernel; ///< file
    std::string text;   ///< of the kernel, as assembly or words
    machine_choice machine;
    bool retime = false;
    std::uint64_t budget = 0; ///< conflicts of the solver
    std::string known;        ///< a schedule of a machine that this one contains; empty without one
};
struct written_schedule {
    std::string text;
    bool proved = false; ///< no shorter one exists
    std::optional<double> least_cycles_per_row =
        std::nullopt;                ///< none of its form takes fewer; absent: unknown
    std::string equality = "tested"; ///< with the kernel that it was made of: how strong that is
    std::string proof = "open";      ///< see point_result::proof
};

/// What points need beside the sweep. All members may be left empty.
struct point_tools {
    /// Draws the schedule of a kernel: `text` is its file, `kernel` what it says on the machine. Without it
    /// results have no pictures.
    std::function<kernel_picture(platform::program_runner& runner, const std::string& text,
                                 const kernel_run& kernel, const machine_choice& machine)>
        draw = nullptr;
    /// Runs firmware on the machine of a point and on the baseline's, in a process that has run none before.
    /// Without it points of firmware fail.
    std::function<point_result(const std::string& file, const machine_choice& machine,
                               const machine_choice& baseline)>
        run_firmware = nullptr;
    /// Writes schedules. Nothing if the session ended it; throws user_error if there is none. Without it
    /// points that want another schedule than `keep` fail.
    std::function<std::optional<written_schedule>(const schedule_order& order, const session& at)>
        write_schedule = nullptr;
    /// The file of the program sfpusim, which is what tasks of Slurm run.
    std::string program;
    /// What kernels in C++ are compiled with; without it they fail. Throws user_error if one is missing.
    std::function<kernel_tools()> compilers = nullptr;
};

} // namespace sfpu::analysis
