// Schedules as kernels that were run: what is wrong is not given to anybody.
#pragma once

#include "given_kernel.h"
#include "rewritten_kernels.h"

#include <sfpu/optimizer/dataflow.h>
#include <sfpu/optimizer/schedule.h>

#include <functional>
#include <string>
#include <vector>

namespace sfpu::analysis {

struct checked_schedule {
    std::string text;
    unsigned lead_words = 0; ///< at the end of .init: of rows that begin before the loop
    unsigned tail_words = 0;
    kernel_verdict verdict;
    std::uint64_t cells = 0; ///< that were compared
    bool exhaustive = false;
    equivalence_verdict strength = equivalence_verdict::tested;
};

class schedule_checker {
public:
    explicit schedule_checker(const given_kernel& of) : of_(of) {}

    /// Schedules are those of this kernel from now on; null: of the given one.
    void take(const rewritten_kernel* rewritten) { rewritten_ = rewritten; }
    const rewritten_kernel* rewritten() const { return rewritten_; }

    /// Writes the schedule as a kernel, runs it and compares it with the given one. Throws std::runtime_error
    /// if it is wrong, input_error if no schedule can be right as the given kernel does not mean what it
    /// says.
    checked_schedule check(const optimizer::graph& graph, const optimizer::schedule& found,
                           bool keeps_structure) const;
    /// Compares it once more, with all that there is to try. Returns false if it was interrupted.
    bool check_thoroughly(checked_schedule& schedule, const std::function<bool()>& interrupted) const;

private:
    /// How strong it is that a schedule computes what the rewritten row does.
    equivalence_verdict same_as_rewritten(const kernel_run& scheduled,
                                          const std::function<bool()>& interrupted) const;
    std::vector<std::string> remarks(double cycles, bool keeps_structure) const;
    void expect_right_run(const kernel_run& scheduled, double cycles, unsigned interval,
                          const std::string& text) const;
    schedule_comparison compared(const kernel_run& scheduled, const std::string& text, thoroughness how,
                                 bool with_bubbles, const std::function<bool()>& interrupted) const;
    unsigned reads_unwritten_l0() const;

    const given_kernel& of_;
    const rewritten_kernel* rewritten_ = nullptr;
};

} // namespace sfpu::analysis
