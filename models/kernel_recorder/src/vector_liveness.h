// What register allocation knows before it starts: who uses which value, and which registers are not free
// where.
#pragma once

#include "vector_step.h"

namespace sfpu::kernel_recorder::vector {

using registers = std::uint32_t; ///< bit i is L<i>
constexpr std::uint32_t never = 0xffffffffu;

template <class Visit>
void each_source(const step& s, Visit visit) {
    for (value v : {s.va, s.vb, s.vc, s.vd, s.overwrites})
        if (v != none) visit(v);
    for (value v : s.fixed)
        if (v != none) visit(v);
}

struct liveness {
    /// `keep_raw`: registers that the kernel's own words write last may be for later functions.
    liveness(const graph& values, const std::vector<step>& steps, architecture arch, bool keep_raw);

    std::vector<std::vector<std::uint32_t>> uses; ///< by value: steps that use it; `never` for variables
    std::vector<registers> wish;                  ///< by value: registers in which it would be of use
    std::vector<registers> reserved; ///< by step: registers that hold something of the kernel's own behind it
    std::vector<registers> clobbered; ///< by step: registers that a word of the kernel's own writes

private:
    void find_uses(const graph& values, const std::vector<step>& steps);
    void find_reserved(const graph& values, const std::vector<step>& steps, architecture arch, bool keep_raw);
};

} // namespace sfpu::kernel_recorder::vector
