// What the files of the formula share.
#pragma once

#include <sfpu/optimizer/formula.h>

namespace sfpu::optimizer {

constexpr literal always = clause_list::always, never = clause_list::never;
/// Places among registers behind the general ones: L16, and one that no chip has.
constexpr unsigned l16 = isa::general_lregs, extra = l16 + 1, place_count = l16 + 2;
/// The number of a general register, or of the one more, in a field of a template; 8 to 15 are constants there.
constexpr unsigned number_in_template(unsigned place) { return place == extra ? 16 : place; }
/// Two issue slots: whether an instruction may be the first of two words in a cycle.
bool can_go_first(const isa::instruction& insn);
/// Whether an operation is issued as a word of the load sub-unit, as SFPLOADI is.
bool is_load_word(const node& operation);
constexpr unsigned number(isa::sub_unit unit) { return static_cast<unsigned>(unit); }

} // namespace sfpu::optimizer
