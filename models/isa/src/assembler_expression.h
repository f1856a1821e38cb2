// The value of an expression tree.
#pragma once

#include "assembler_grammar.h"
#include "word_form.h"

#include <cstdint>
#include <functional>
#include <vector>

namespace sfpu::isa {

/// Gives the value of a name or throws a fault.
using name_lookup = std::function<value(const grammar::slice&)>;

/// A division of integers with a remainder, which is left out.
struct truncated_division {
    const char* where; ///< the sign of division
    std::int64_t dividend, divisor;
};

/// Evaluates in signed 64-bit arithmetic; divisions that are truncated are added to `truncated`. What uses a
/// register is a register. Throws a fault for an unknown name, an overflow, a division by zero or a shift by
/// less than 0 or more than 63.
value evaluate(const grammar::expression& tree, const name_lookup& lookup,
               std::vector<truncated_division>& truncated);

} // namespace sfpu::isa
