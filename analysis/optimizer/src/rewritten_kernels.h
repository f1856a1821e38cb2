// The given kernel with other instructions: what rules make of its row, by what a schedule may take at least.
#pragma once

#include "given_kernel.h"

#include <sfpu/analysis/equivalence.h>
#include <sfpu/analysis/optimize.h>
#include <sfpu/analysis/rewriting.h>

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace sfpu::analysis {

/// A kernel whose row rules have made.
struct rewritten_kernel {
    std::string text;
    isa::kernel kernel; ///< for the machine of the schedule
    double floor = 0;   ///< cycles an iteration that no schedule with up to four rows goes below
    unsigned cost = 0;
    equivalence_verdict verdict = equivalence_verdict::different; ///< beside the given kernel
    std::vector<applied_rewrite> rewrites;
};

class rewritten_kernels {
public:
    /// `of` must outlive it. Rows are made until there are enough, or `stopped` says so.
    rewritten_kernels(const given_kernel& of, const std::function<bool()>& stopped);

    std::string problem; ///< why there are none, if rules cannot be tried
    double given_floor = 0;
    bool cut_short = false; ///< time was over before all rows that may be shorter were looked at

    /// The next one that is proved equal to the given kernel and may be shorter than `shorter_than`, in
    /// cycles an iteration; nothing if there is none or `seconds` are over. Bounds of rows with lane flags
    /// are seldom met, and neighbours in one order are alike: the first has the least bound, the second is
    /// best of those without lane flags, if there are some, the third has the fewest words, and so on.
    const rewritten_kernel* next(double shorter_than, double seconds,
                                 const std::function<bool()>& interrupted);

private:
    struct candidate {
        std::size_t number = 0; ///< in found_
        double floor = 0;
        unsigned cost = 0;
        bool changes_lanes = false; ///< some instruction changes lane flags
        std::string text;
    };
    double floor_of(const isa::kernel& kernel) const;
    std::optional<double> floor_of(const rewriting::row& row) const;
    void find_candidates(const std::function<bool()>& stopped);
    candidate take_candidate();
    /// `floor`: of the row, in cycles an iteration.
    std::vector<applied_rewrite> described(const rewriting::rewritten_row& row, double floor) const;
    equivalence_verdict compared(const std::string& text, double seconds,
                                 const std::function<bool()>& interrupted) const;

    const given_kernel& of_;
    std::optional<rewriting::row> given_;
    std::vector<rewriting::rewritten_row> found_;
    std::vector<candidate> waiting_;
    std::vector<std::unique_ptr<rewritten_kernel>> taken_;
};

} // namespace sfpu::analysis
