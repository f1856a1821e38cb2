// The drawn schedule of a kernel where it repeats itself.
#pragma once

#include "../options.h"

#include <sfpu/analysis/kernel_file.h>

#include <sfpu/platform/program_runner.h>

#include <cstdint>
#include <string>

namespace sfpu::cli {

struct kernel_picture {
    std::string svg; ///< as `schedule --svg` draws it; empty for a kernel without a loop
    /// What `schedule` has to be told to draw it.
    unsigned rows = 0;
    std::int64_t from_cycle = 0, to_cycle = 0;
};

/// Draws two iterations of the loop, or as many as fit into a dozen cycles, once the pipeline is full. `text` is the kernel's file,
/// `kernel` what it says on the machine of `options`.
kernel_picture picture_of(platform::program_runner& runner, const std::string& text, const kernel_run& kernel,
                          const common_options& options);

} // namespace sfpu::cli
