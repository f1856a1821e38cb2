// Where clauses of a formula come from, and what they are there for: what tests take apart.
#pragma once

#include <sfpu/optimizer/formula.h>

#include <cstdint>
#include <string>

namespace sfpu::optimizer {

/// Clauses that refuse no schedule that others would let through, or only such as differ from one that stays
/// in nothing that matters, or look wrong to the linter and are not; and one that random kernels do not miss.
enum class spare : std::uint8_t {
    none, ///< without it there are schedules that are wrong on the machine
    copies_in_order,
    templates_in_order,
    begins_at_once,
    unread_load_starts_a_macro,
    nothing_for_none,
    bits_without_meaning,
    one_of_each,
    entries_have_one_delay,
    nothing_looks_lost,
    slots_are_counted,
    registers_in_order,
    loop_begins_with_an_effect,
    shown_by_a_test_of_its_own,
};
/// Why it is one; empty for none.
const char* reason_of(spare why);

/// Where in the sources of the formula clauses are made.
struct clause_site {
    const char* file = "";
    int line = 0;
    static constexpr clause_site here(const char* in = __builtin_FILE(), int at = __builtin_LINE()) {
        return {in, at};
    }
    std::string text() const; ///< "formula_order.cpp:12"
};
bool operator<(const clause_site& a, const clause_site& b);

struct clause_role {
    group of = group::definition;
    spare why = spare::none;
};

} // namespace sfpu::optimizer
