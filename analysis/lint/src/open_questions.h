// What the timing contract does not decide, or decides by inference only, and which runs can meet it.
#pragma once

#include "lint_runs.h"

#include <sfpu/common/parameters.h>
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

/// Those of a question follow each other. Of the write order that is the reverse: it turns every pair round.
std::vector<other_answer> other_answers(const parameters& config);

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
