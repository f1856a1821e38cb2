// A macro kernel as the plain kernel that computes the same, found by running it.
#pragma once

#include <sfpu/analysis/kernel_file.h>

#include <sfpu/optimizer/expansion.h>
#include <sfpu/platform/program_runner.h>

#include <string>

namespace sfpu::analysis {

/// Runs a kernel on the machine of `run` and finds out what its rows execute. `text` is the kernel's file;
/// the plain kernel waits long enough for its results on `other`, too. Throws input_error if the kernel is
/// not of a kind that can be expanded; that the result computes the same is for the caller to try.
optimizer::expanded_kernel expand_kernel(platform::program_runner& runner, const kernel_run& run,
                                         const std::string& text, const isa::machine& other);

/// "kernel.s:12": a line of the text that was given as `file`, or where that was translated from.
std::string location_of_line(const kernel_run& run, unsigned line, const std::string& file);
/// "kernel.s:12: what is wrong"
std::string text_of(const optimizer::row_error& error, const kernel_run& run, const std::string& file);

} // namespace sfpu::analysis
