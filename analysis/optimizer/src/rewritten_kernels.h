// The given kernel with other instructions: what rules make of its row, by what a schedule may take at least.
#pragma once

#include "given_kernel.h"

#include <sfpu/analysis/equivalence.h>
#include <sfpu/analysis/optimize.h>
#include <sfpu/analysis/rewriting.h>

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
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
    bool cut_short = false; ///< time was over before the bounds of all rows were looked at

    /// Whether a row that was not given by next() may be equal to the given kernel and shorter than this: it
    /// still waits, or neither was its equality proved nor a difference found.
    bool may_be_shorter(double than) const;

    /// The next one that is proved equal to the given kernel and may be shorter than `shorter_than`, in
    /// cycles an iteration; nothing if there is none or `seconds` are over. Bounds of rows with lane flags
    /// are seldom met, and neighbours in one order are alike: the first has the least bound, the second is
    /// best of those without lane flags, if there are some, the third has the fewest words, and so on.
    const rewritten_kernel* next(double shorter_than, double seconds,
                                 const std::function<bool()>& interrupted);

    /// Whether values of a row may wait in a cell of Dst: next_longer().
    bool has_longer(const rewritten_kernel* of);
    /// The next one with values that wait in a cell of Dst, made of the row of `of` (null: the given one): it
    /// has more words, so that its bound says little. Nothing if there is none, or `seconds` are over.
    const rewritten_kernel* next_longer(const rewritten_kernel* of, double shorter_than, double seconds,
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
    std::optional<candidate> candidate_of(std::size_t number) const;
    void lengthen(const rewritten_kernel* of);
    candidate take_candidate();
    /// Null if it is not proved equal to the given kernel.
    const rewritten_kernel* taken(const candidate& now, double seconds,
                                  const std::function<bool()>& interrupted, equivalence_verdict& verdict);
    /// `floor`: of the row, in cycles an iteration.
    std::vector<applied_rewrite> described(const rewriting::rewritten_row& row, double floor) const;
    equivalence_verdict compared(const std::string& text, double seconds,
                                 const std::function<bool()>& interrupted) const;

    const given_kernel& of_;
    std::optional<rewriting::row> given_;
    std::vector<rewriting::rewritten_row> found_;
    std::vector<candidate> waiting_;
    std::vector<candidate> longer_;                                  ///< in order
    std::set<const rewritten_kernel*> lengthened_;                   ///< whose rows they were made of
    std::map<const rewritten_kernel*, std::size_t> number_of_taken_; ///< in found_
    std::vector<double> undecided_floors_; ///< of rows that are equal for all that was tried
    std::vector<std::unique_ptr<rewritten_kernel>> taken_;
};

} // namespace sfpu::analysis
