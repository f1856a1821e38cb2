// The drawn schedule of a kernel where it repeats itself.
#pragma once

#include <sfpu/analysis/point.h>

#include <string>

namespace sfpu::views {

/// Draws two iterations of the loop, or as many as fit into a dozen cycles, once the pipeline is full, as
/// `schedule --svg` draws them. `text` is the kernel's file, `kernel` what it says on the machine. Runs the
/// kernel on `runner`.
analysis::kernel_picture picture_of(platform::program_runner& runner, const std::string& text,
                                    const analysis::kernel_run& kernel,
                                    const analysis::machine_choice& machine);

} // namespace sfpu::views
