// What binds a kernel: the resource that is busiest in steady state.
#pragma once

#include "kernel_file.h"

#include <sfpu/platform/sfpu_bench.h>
#include <sfpu/probe/statistics.h>

#include <optional>
#include <string>

namespace sfpu::cli {

/// With these words a row cannot take fewer cycles, whatever delays and registers are. The reason is "issue: 8 words a row";
/// resources that need as much stand side by side, "; " between them. Found by running: what a row needs of the issue slots and of each sub-unit is the difference between two short runs, so
/// that filling and draining the pipeline leave no trace. `text` is the kernel's file. Nothing for a kernel without a loop.
std::optional<probe::bound_statistics> resource_bound_of(platform::sfpu_bench& bench, const std::string& text,
                                                         const kernel_run& kernel,
                                                         const common_options& options);

} // namespace sfpu::cli
