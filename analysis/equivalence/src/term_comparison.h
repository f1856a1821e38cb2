// Proves two kernels equal by running both on terms, or finds for what they differ.
#pragma once

#include "compared_operands.h"

#include <sfpu/analysis/equivalence.h>
#include <sfpu/analysis/symbolic_execution.h>
#include <sfpu/analysis/term_solver.h>
#include <sfpu/platform/program_runner.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace sfpu::analysis {

/// Two kernels with what is compared, in the same order for both. The requests hold the data of some run.
struct compared_kernels {
    const platform::run_request &a, &b;
    const std::vector<compared_operand>&inputs_a, &inputs_b, &outputs_a, &outputs_b;
    bool whole_dst = false; ///< all of it is compared, and not the outputs
};

class term_comparison {
public:
    term_comparison(platform::program_runner& runner, const compared_kernels& of,
                    const std::function<bool()>& interrupted);

    /// Why there are no terms, or empty.
    std::string unknown;
    bool uses_random = false, order_matters = false;
    platform::question_reach reach;

    /// Whether all terms are equal, by the solver where they are not the same; `solver` may be null. If it
    /// finds values for which they differ, these are to be tried.
    struct outcome {
        bool equal = false;
        std::vector<std::pair<term, std::uint32_t>> values;
        std::vector<std::string> rules; ///< that "equal" rests on
    };
    outcome compare(term_solver* solver, double seconds, const std::function<bool()>& interrupted);
    const term_pool& pool() const { return pool_; }
    /// Puts the values of variables where both kernels find them.
    void put(const std::vector<std::pair<term, std::uint32_t>>& values, platform::run_request& a,
             platform::run_request& b) const;
    /// Constants that the terms are made of.
    std::vector<std::uint32_t> constants() const;

private:
    using word_pair = std::pair<term, term>;
    /// The first lane, where it stands for all, takes a small part of the time.
    bool one_lane_may_do() const;
    void run(computed_lanes which, const std::function<bool()>& interrupted);
    outcome compared(term_solver* solver, double seconds, const std::function<bool()>& interrupted);
    void place_inputs();
    std::vector<word_pair> compared_words();
    std::vector<std::string> rules_of(const std::vector<word_pair>& words) const;
    term cell(bool of_b, unsigned at);
    term word(bool of_b, const dst_slice& slice, unsigned lane);
    std::vector<std::uint32_t> shape_of(const word_pair& pair) const;

    platform::program_runner& runner_;
    const compared_kernels& of_;
    computed_lanes which_ = computed_lanes::all;
    term_pool pool_;
    std::vector<term> start_a_, start_b_; ///< inputs that lie in other places, else no_term
    symbolic_run a_, b_;
};

} // namespace sfpu::analysis
