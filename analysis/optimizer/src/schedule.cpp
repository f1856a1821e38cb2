#include <sfpu/optimizer/schedule.h>

#include <algorithm>
#include <set>

namespace sfpu::optimizer {

unsigned schedule::macros_used() const {
    std::set<int> used;
    for (const placed_load& load : loads)
        if (load.macro >= 0) used.insert(load.macro);
    return static_cast<unsigned>(used.size());
}

unsigned schedule::templates_used() const {
    std::set<int> used;
    for (const placed_operation& o : operations)
        if (o.instruction_template >= 0) used.insert(o.instruction_template);
    return static_cast<unsigned>(used.size());
}

unsigned schedule::registers_used() const {
    std::set<unsigned> used;
    for (const placed_load& load : loads) used.insert(load.lreg.begin(), load.lreg.end());
    for (const placed_operation& o : operations)
        for (const std::vector<unsigned>& of_result : o.result_lreg)
            used.insert(of_result.begin(), of_result.end());
    used.erase(isa::macro_lreg);
    return static_cast<unsigned>(used.size());
}

} // namespace sfpu::optimizer
