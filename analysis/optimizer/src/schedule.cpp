#include <sfpu/optimizer/schedule.h>

#include "row_words.h"

#include <algorithm>
#include <set>
#include <utility>

namespace sfpu::optimizer {
namespace {

bool schedules_something(const std::array<macro_entry, 4>& entries) {
    return std::any_of(entries.begin(), entries.end(), [](const macro_entry& e) { return e.used; });
}

bool is_idle(const placed_load& load, const schedule& found, const graph& of) {
    if (load.macro >= 0) return false;
    for (const result& r : of.nodes[static_cast<unsigned>(load.node)].results) {
        const value& v = of.values[static_cast<unsigned>(r.value)];
        if (v.live_out || v.pinned >= 0) return false;
    }
    const auto is_written = [&](unsigned lreg) {
        return std::find(load.lreg.begin(), load.lreg.end(), lreg) != load.lreg.end();
    };
    for (const placed_operation& o : found.operations)
        for (const std::vector<unsigned>& operand : o.operand_lreg)
            if (std::any_of(operand.begin(), operand.end(), is_written)) return false;
    return true;
}

} // namespace

schedule without_idle_parts(schedule found, const graph& of, bool drop_loads) {
    for (placed_load& load : found.loads)
        if (load.macro >= 0 && !schedules_something(found.macros[static_cast<unsigned>(load.macro)]))
            load.macro = -1;
    if (!drop_loads) return found;
    std::vector<int> moved(found.loads.size(), -1);
    std::vector<placed_load> kept;
    for (std::size_t i = 0; i < found.loads.size(); ++i) {
        if (is_idle(found.loads[i], found, of)) continue;
        moved[i] = static_cast<int>(kept.size());
        kept.push_back(found.loads[i]);
    }
    found.loads = std::move(kept);
    for (placed_operation& o : found.operations)
        if (o.parent >= 0) o.parent = moved[static_cast<unsigned>(o.parent)];
    return found;
}

unsigned schedule::macros_used() const {
    std::set<int> used;
    for (const placed_load& load : loads)
        if (load.macro >= 0 && schedules_something(macros[static_cast<unsigned>(load.macro)]))
            used.insert(load.macro);
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
