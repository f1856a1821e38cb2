// Terms as formulas of z3.
#pragma once

#include "operator_formula.h"

#include <sfpu/analysis/terms.h>

#include <z3++.h>

#include <unordered_map>
#include <vector>

namespace sfpu::analysis {

/// Words are bit vectors of 32 bits, conditions booleans.
class term_formula {
public:
    /// `known`: operators that are not functions but formulas; may be null.
    term_formula(const term_pool& pool, z3::context& context, operator_formula* known)
        : pool_(pool), context_(context), operators_(known) {}

    const z3::expr& word(term which) { return made(which); }
    /// That stands for an operator.
    z3::func_decl function(std::uint32_t number, unsigned arguments);
    /// Terms that were made so far; those applied are functions.
    const std::vector<term>& variables() const { return variables_; }
    const std::vector<term>& applied() const { return applied_; }

private:
    const z3::expr& made(term which);
    z3::expr formula(term which);
    z3::expr joined(term which);
    z3::expr condition(term which);
    z3::expr shifted(term which, bool arithmetic);
    z3::expr random_step(const z3::expr& state);
    z3::expr routed(const z3::expr& of, int up, std::uint32_t mask);
    const z3::expr& argument(term which, unsigned number) { return known_.at(pool_.argument(which, number)); }
    z3::expr bits(std::uint32_t value) { return context_.bv_val(value, 32); }

    const term_pool& pool_;
    z3::context& context_;
    operator_formula* operators_;
    std::unordered_map<term, z3::expr> known_;
    std::vector<term> variables_, applied_;
};

} // namespace sfpu::analysis
