// What binds a kernel in steady state, and what it would gain from less of it.
#pragma once

#include <sfpu/analysis/kernel_file.h>

#include <sfpu/platform/program_runner.h>
#include <sfpu/probe/statistics.h>

#include <optional>
#include <string>
#include <vector>

namespace sfpu::analysis {

struct row_profile;

/// What a row needs longest, and whether that or a recurrence is what its cycles are due to.
struct bottleneck {
    /// Resources that a row needs for the most cycles; front_end stands for the issue slots.
    std::vector<isa::sub_unit> busiest;
    double busiest_cycles_per_row = 0;
    bool resource_binds = false; ///< the busiest are busy in all cycles
    /// Of the longest recurrence: values that pass from row to row. 0: none do.
    double recurrence_cycles_per_row = 0;
    bool recurrence_binds = false; ///< it takes all cycles
    std::string text;              ///< "issue binds", "the order of the words binds"

    bool is_busiest(isa::sub_unit resource) const;
};
bottleneck bottleneck_of(const row_profile& profile, unsigned rows_per_iteration);

/// What resources are called in answers: "issue", "load".
std::string resource_name(isa::sub_unit resource);

struct binding {
    /// With these words a row cannot take fewer cycles, whatever delays and registers are. The reason is
    /// "issue: 8 words a row"; resources that need as much stand side by side, "; " between them.
    probe::bound_statistics bound;
    probe::steady_state_statistics steady_state;
};

/// Found by running: what a row needs of the issue slots and of each sub-unit is the difference between two
/// short runs; a relaxation is a run with one word fewer, one instance more, or a latency of one cycle less.
/// Relaxed runs are counted, their results are not looked at. `text` is the kernel's file, `name` what
/// sentences call it. Nothing for a kernel without a loop.
std::optional<binding> binding_of(platform::program_runner& runner, const std::string& text,
                                  const kernel_run& kernel, const machine_choice& options,
                                  const std::string& name);

} // namespace sfpu::analysis
