// The table of rules, and what they make of a row one after the other.
#include "rule_table.h"

#include <algorithm>
#include <set>

namespace sfpu::rewriting {

const std::vector<rule>& rules() {
    static const std::vector<rule> all = [] {
        std::vector<rule> made;
        for (const std::vector<rule>* part :
             {&lane_rules, &value_rules, &exchange_rules, &sum_rules, &format_rules})
            made.insert(made.end(), part->begin(), part->end());
        return made;
    }();
    return all;
}

void add_site(std::vector<site>& to, row changed, unsigned line, std::string assumed) {
    if (changed.refresh()) to.push_back({std::move(changed), line, std::move(assumed)});
}

std::vector<rewritten_row> rewritings_of(const row& given, const rewriting_limits& limits) {
    std::set<std::string> seen{given.key()};
    std::vector<rewritten_row> found, round{{given, {}}};
    std::uint64_t work = 0;
    while (!round.empty() && found.size() < limits.rows && work < limits.work) {
        std::vector<rewritten_row> next;
        for (const rewritten_row& from : round) {
            const std::uint64_t pairs = from.changed.steps.size() * from.changed.steps.size();
            for (const rule& each : rules()) {
                if (work >= limits.work) break;
                work += pairs;
                for (site& at : each.apply(from.changed)) {
                    work += pairs;
                    if (!seen.insert(at.changed.key()).second) continue;
                    rewritten_row made{std::move(at.changed), from.applied};
                    made.applied.push_back(
                        {&each, at.line, at.assumed, std::make_shared<const row>(made.changed)});
                    next.push_back(std::move(made));
                }
            }
        }
        std::stable_sort(next.begin(), next.end(), [](const rewritten_row& a, const rewritten_row& b) {
            return a.changed.cost() < b.changed.cost();
        });
        if (next.size() > limits.kept)
            next.erase(next.begin() + static_cast<std::ptrdiff_t>(limits.kept), next.end());
        found.insert(found.end(), next.begin(), next.end());
        round = std::move(next);
    }
    std::stable_sort(found.begin(), found.end(), [](const rewritten_row& a, const rewritten_row& b) {
        return a.changed.cost() < b.changed.cost();
    });
    return found;
}

} // namespace sfpu::rewriting
