// A run in a line, as pictures and pages have it.
#pragma once

#include <sfpu/analysis/kernel_file.h>
#include <sfpu/platform/program_runner.h>

#include <string>

namespace sfpu::views {

/// "32 rows in 419 cycles, 13.00 cycles a row, 416 instructions, 0 of them scheduled, 0.99 a cycle"
std::string run_summary(const analysis::kernel_run& kernel, const platform::run_result& result);

} // namespace sfpu::views
