// What binds a kernel in steady state, and what it would gain from less of it.
#pragma once

#include <sfpu/analysis/kernel_file.h>

#include <sfpu/platform/program_runner.h>
#include <sfpu/probe/statistics.h>

#include <optional>
#include <string>

namespace sfpu::analysis {

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
