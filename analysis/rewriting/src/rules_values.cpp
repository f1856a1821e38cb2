// Rules on values: what nobody reads, what is there already, what is a constant.
#include "rule_table.h"

#include <algorithm>

namespace sfpu::rewriting {
namespace {

namespace opcode = isa::opcode;

std::vector<site> drop_dead_code(const row& of) {
    row changed = of;
    unsigned line = 0;
    for (std::size_t i = changed.steps.size(); i-- > 0;) {
        const step& s = changed.steps[i];
        if (!may_be_dropped(changed, s)) continue;
        const auto unread = [&](value v) { return v == no_value || changed.readers_of(v).empty(); };
        if (!std::all_of(s.writes.begin(), s.writes.end(), unread) || !s.fixed_writes.empty()) continue;
        line = s.line;
        changed.erase(i);
    }
    std::vector<site> found;
    if (changed.steps.size() < of.steps.size()) add_site(found, std::move(changed), line);
    return found;
}

} // namespace

bool may_be_dropped(const row& of, const step& s) {
    if (!of.is_pure(s)) return false;
    return !s.is(opcode::sfpload) || of.keeps_counter(s);
}

const std::vector<rule> value_rules = {
    {"dead-code", "an instruction whose result nobody reads is left out",
     "it changes neither lane flags, nor Dst, nor the random numbers", drop_dead_code},
};

} // namespace sfpu::rewriting
