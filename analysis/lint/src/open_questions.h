// What the timing contract does not decide, or decides by inference only, and which runs can meet it.
#pragma once

#include "lint_runs.h"

#include <sfpu/common/parameters.h>
#include <sfpu/isa/assembler.h>
#include <sfpu/isa/machine.h>

#include <string>
#include <vector>

namespace sfpu::analysis {

constexpr auto write_order_parameter = "sfpu.write_order";

/// An answer to an open question other than the configured one.
struct other_answer {
    std::string parameter; ///< path of the parameter that answers the question
    std::string value;
    parameters config; ///< with that value
};

/// Whether SFPSWAP is a word of the kernel, issued or as a template.
bool has_swap(const isa::kernel& kernel);

/// Those of a question follow each other. Of the write order that is the reverse, which turns every pair
/// round. With `keeps_loads_last` a load stays behind the second cycle of SFPSWAP, since kernels that ship
/// are right only then: two orders turn every pair but that one.
std::vector<other_answer> other_answers(const parameters& config, bool keeps_loads_last);

/// Which runs may give another result under another answer.
class answer_reach {
public:
    /// `all`: take every run for one that may.
    answer_reach(const parameters& config, const other_answer& answer, bool all);

    /// `usual`: what the run gave as configured. False is certain: up to the first event that the question is
    /// about both runs are alike, and there was none.
    bool may_differ(const run_outcome& usual) const;

private:
    std::string parameter_;
    isa::machine now_, other_;
    bool all_;
};

} // namespace sfpu::analysis
