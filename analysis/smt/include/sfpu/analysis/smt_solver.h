// A term_solver that is the SMT solver z3.
//
// Words are bit vectors. Operators (multiply-adds, tables, rounding) are uninterpreted functions at first;
// where a model of the formula takes one for something else than it is, its value there, as the model of the
// machine computes it, is added, and z3 is asked again. If that does not help soon, multiply-adds,
// conversions of integers to FP32 and leading zeros become formulas of bits; of a product of two mantissas
// that are both unknown it is only said that it commutes and how large it is.
#pragma once

#include <sfpu/analysis/term_solver.h>

namespace sfpu::analysis {

class smt_solver final : public term_solver {
public:
    term_difference difference(const term_pool& pool, term a, term b, const solver_limits& limits) override;
};

} // namespace sfpu::analysis
