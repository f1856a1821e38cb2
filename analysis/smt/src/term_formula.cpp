#include "term_formula.h"

#include <string>

namespace sfpu::analysis {

z3::func_decl term_formula::function(std::uint32_t number, unsigned arguments) {
    z3::sort_vector sorts(context_);
    for (unsigned i = 0; i < arguments; ++i) sorts.push_back(context_.bv_sort(32));
    return context_.function(("operator" + std::to_string(number)).c_str(), sorts, context_.bv_sort(32));
}

const z3::expr& term_formula::made(term which) {
    std::vector<term> waiting{which};
    while (!waiting.empty()) {
        const term now = waiting.back();
        bool is_ready = true;
        if (known_.count(now) == 0)
            for (unsigned i = 0; i < pool_.at(now).count; ++i)
                if (const term below = pool_.argument(now, i); known_.count(below) == 0) {
                    waiting.push_back(below);
                    is_ready = false;
                }
        if (!is_ready) continue;
        waiting.pop_back();
        if (known_.count(now) == 0) known_.emplace(now, formula(now));
    }
    return known_.at(which);
}

z3::expr term_formula::routed(const z3::expr& of, int up, std::uint32_t mask) {
    z3::expr moved = of;
    if (up > 0) moved = z3::shl(of, bits(static_cast<std::uint32_t>(up)));
    else if (up < 0) moved = z3::lshr(of, bits(static_cast<std::uint32_t>(-up)));
    return mask == 0xffffffffu ? moved : moved & bits(mask);
}

z3::expr term_formula::shifted(term which, bool arithmetic) {
    const z3::expr &value = argument(which, 0), &amount = argument(which, 1);
    const z3::expr up = amount & bits(31), down = -amount & bits(31);
    const z3::expr below = arithmetic ? z3::ashr(value, down) : z3::lshr(value, down);
    return z3::ite(amount >= 0, z3::shl(value, up), below);
}

z3::expr term_formula::random_step(const z3::expr& state) {
    const z3::expr sum = routed(state, 31, 0x80000000u) ^ routed(state, 30, 0x80000000u) ^
                         routed(state, 10, 0x80000000u) ^ (state & bits(0x80000000u));
    return (sum ^ bits(0x80000000u)) | z3::lshr(state, bits(1));
}

z3::expr term_formula::formula(term which) {
    const term_pool::node& of = pool_.at(which);
    switch (of.kind) {
    case term_kind::constant: return bits(of.bits);
    case term_kind::variable:
        variables_.push_back(which);
        return context_.bv_const(("variable" + std::to_string(of.bits)).c_str(), 32);
    case term_kind::routed: return routed(argument(which, 0), of.moved, of.bits);
    case term_kind::scaled: return argument(which, 0) * bits(of.bits);
    case term_kind::shifted: return shifted(which, false);
    case term_kind::shifted_arithmetically: return shifted(which, true);
    case term_kind::random_step: return random_step(argument(which, 0));
    case term_kind::chosen: return z3::ite(argument(which, 0), argument(which, 1), argument(which, 2));
    case term_kind::applied: {
        z3::expr_vector arguments(context_);
        for (unsigned i = 0; i < of.count; ++i) arguments.push_back(argument(which, i));
        if (operators_)
            if (const auto known = operators_->of(pool_.operator_of(which), arguments)) return *known;
        applied_.push_back(which);
        return function(of.bits, of.count)(arguments);
    }
    case term_kind::either:
    case term_kind::both:
    case term_kind::differs:
    case term_kind::sum: return joined(which);
    case term_kind::truth:
    case term_kind::is_zero:
    case term_kind::is_less:
    case term_kind::negation:
    case term_kind::all: return condition(which);
    }
    return bits(0);
}

/// Words with any number of arguments.
z3::expr term_formula::joined(term which) {
    const term_pool::node& of = pool_.at(which);
    z3::expr result = of.kind == term_kind::both ? bits(0xffffffffu) : bits(of.bits);
    for (unsigned i = 0; i < of.count; ++i) {
        const z3::expr& next = argument(which, i);
        if (of.kind == term_kind::either) result = result | next;
        else if (of.kind == term_kind::differs) result = result ^ next;
        else if (of.kind == term_kind::sum) result = result + next;
        else result = result & next;
    }
    return result;
}

z3::expr term_formula::condition(term which) {
    const term_pool::node& of = pool_.at(which);
    // Signed numbers in the order of sign and magnitude.
    const auto place = [&](const z3::expr& word) {
        return word ^ z3::lshr(z3::ashr(word, bits(31)), bits(1));
    };
    switch (of.kind) {
    case term_kind::truth: return context_.bool_val(of.bits != 0);
    case term_kind::is_zero: return argument(which, 0) == bits(0);
    case term_kind::is_less: return place(argument(which, 0)) < place(argument(which, 1));
    case term_kind::negation: return !argument(which, 0);
    default: {
        z3::expr result = context_.bool_val(true);
        for (unsigned i = 0; i < of.count; ++i) result = result && argument(which, i);
        return result;
    }
    }
}

} // namespace sfpu::analysis
