// What terms are, given what their variables are: 32 cases at once, by the semantics of the model.
#pragma once

#include <sfpu/analysis/terms.h>
#include <sfpu/common/types.h>

#include <functional>
#include <utility>
#include <vector>

namespace sfpu::analysis {

/// Whether a comes before b in the order of sign and magnitude, in which -0 comes before +0.
bool sign_magnitude_before(std::uint32_t a, std::uint32_t b);

/// The state of a random number generator behind a step.
std::uint32_t next_random_state(std::uint32_t state);

/// What the operator gives in 32 lanes; `arguments` are as many as it takes.
lanes operator_values(const term_operator& by, architecture arch, const lanes* arguments);

/// Evaluates terms of one pool in 32 cases.
class term_values {
public:
    /// `variable`: what a variable is in each of the cases.
    term_values(const term_pool& pool, std::function<lanes(const term_variable&)> variable)
        : pool_(pool), variable_(std::move(variable)) {}

    /// The word in each case; of a condition 1 or 0.
    const lanes& of(term which);

private:
    lanes computed(term which);
    lanes combined(term which) const;
    const lanes& argument(term which, unsigned number) const {
        return values_[places_[pool_.argument(which, number)]];
    }

    const term_pool& pool_;
    std::function<lanes(const term_variable&)> variable_;
    std::vector<std::uint32_t> places_; ///< of each term among the values
    std::vector<lanes> values_;
};

} // namespace sfpu::analysis
