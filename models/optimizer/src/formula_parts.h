// What the files of the formula share.
#pragma once

#include <sfpu/optimizer/formula.h>

namespace sfpu::optimizer {

constexpr literal always = clause_list::always, never = clause_list::never;
constexpr unsigned l16 = 8; ///< its place among registers
/// Two issue slots: whether an instruction may be the first of two words in a cycle.
bool can_go_first(const isa::instruction& insn);
/// Whether an operation is issued as a word of the load sub-unit, as SFPLOADI is.
bool is_load_word(const node& operation);
constexpr unsigned number(isa::sub_unit unit) { return static_cast<unsigned>(unit); }

} // namespace sfpu::optimizer
