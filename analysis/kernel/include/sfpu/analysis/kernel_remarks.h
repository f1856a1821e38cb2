// What is odd about a kernel and breaks no rule: it is told beside what a run or lint finds.
#pragma once

#include <sfpu/analysis/kernel_file.h>

#include <sfpu/platform/program_runner.h>

#include <string>
#include <vector>

namespace sfpu::analysis {

struct kernel_remarks {
    std::vector<isa::source_remark> all; ///< of lines of the text first, in their order
    std::vector<std::string> unstored;   ///< names of outputs of which no row is ever stored
    std::vector<std::string> untouched;  ///< names of outputs of which no cell is
    bool touches_no_output = false;      ///< and those are all that the kernel declares
};

/// What the file says twice or leaves out, data that lie on each other, inputs that are never loaded, outputs
/// that are never stored or in part, stores that become templates. Runs the kernel once, for as many rows as
/// Dst has.
kernel_remarks remarks_on(platform::program_runner& runner, const kernel_run& kernel);

/// "kernel.s:3: y is never stored", a line each, with `indent` before them.
std::string to_text(const kernel_remarks& remarks, const user_places& places, const char* indent);

} // namespace sfpu::analysis
