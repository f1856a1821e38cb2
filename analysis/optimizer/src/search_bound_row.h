// What lane flags and templates add to a bound.
#pragma once

#include <sfpu/isa/machine.h>
#include <sfpu/optimizer/dataflow.h>

#include <cstdint>
#include <map>
#include <vector>

namespace sfpu::optimizer {

/// Cycles in which the lane flags are those of one row: from a change that switches lanes off to the one that
/// switches them on again with what stands between the two, and one for each other change. Sections of
/// different rows do not overlap, in whatever order they come.
unsigned cycles_of_flags(const graph& of, const isa::machine& machine);

/// How many instructions templates can take: each holds one word, and one register in each of its fields.
class template_cover {
public:
    explicit template_cover(const graph& of);

    /// Instructions of so many rows that so many templates take, if so many loads start a macro: a load
    /// schedules one with a template. At most: an instruction with several forms may count for each.
    /// `set_again`: a template may be set in the loop, which costs the issue of one word, too.
    unsigned most(unsigned templates, unsigned loads, unsigned rows, bool set_again) const;

private:
    std::vector<unsigned> sizes_; ///< by template that is of use: instructions of a row, most first
};

} // namespace sfpu::optimizer
