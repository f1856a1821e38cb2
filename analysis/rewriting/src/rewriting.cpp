// The table of rules, and what they make of a row one after the other.
#include "rule_table.h"

#include <algorithm>
#include <functional>
#include <iterator>
#include <memory>
#include <set>

namespace sfpu::rewriting {

const std::vector<rule>& rules() {
    static const std::vector<rule> all = [] {
        std::vector<rule> made;
        for (const std::vector<rule>* part : {&lane_rules, &value_rules, &exchange_rules, &order_rules,
                                              &sum_rules, &format_rules, &cell_rules})
            made.insert(made.end(), part->begin(), part->end());
        return made;
    }();
    return all;
}

void add_site(std::vector<site>& to, row changed, unsigned line, std::string assumed) {
    if (changed.refresh()) to.push_back({std::move(changed), line, std::move(assumed)});
}

namespace {

rewritten_row made_by(const rule& by, const rewritten_row& from, site at) {
    rewritten_row made{std::move(at.changed), from.applied};
    made.applied.push_back({&by, at.line, std::move(at.assumed), std::make_shared<const row>(made.changed)});
    return made;
}

/// Applies rules in rounds.
class closure {
public:
    closure(const row& given, const rewriting_limits& limits) : limits_(limits), seen_{given.key()} {
        row first = given;
        const auto stopped = std::make_shared<const std::function<bool()>>(limits.stopped);
        if (limits.stopped) first.stop_when(stopped);
        try {
            apply_rules(first);
        } catch (const rewriting_stopped&) {
            cut(found_, limits_.rows);
        }
        sort(found_);
    }

    std::vector<rewritten_row> take() { return std::move(found_); }

private:
    void apply_rules(const row& given) {
        // What only saves instructions first, one site behind the other: long rows have more subsets of sites
        // than anybody looks at.
        for (rewritten_row now{given, {}}; work_ < limits_.work;) {
            std::vector<rewritten_row> next = made_of(now);
            found_.insert(found_.end(), next.begin(), next.end());
            if (next.empty() || next.front().changed.cost() >= now.changed.cost()) break;
            now = std::move(next.front());
        }
        std::vector<rewritten_row> round = found_;
        cut(round, limits_.kept);
        cut(found_, limits_.rows);
        while (!round.empty() && found_.size() < limits_.rows && work_ < limits_.work) {
            std::vector<rewritten_row> next;
            for (const rewritten_row& from : round) {
                std::vector<rewritten_row> made = made_of(from);
                next.insert(next.end(), std::make_move_iterator(made.begin()),
                            std::make_move_iterator(made.end()));
            }
            cut(next, limits_.kept);
            found_.insert(found_.end(), next.begin(), next.end());
            round = std::move(next);
        }
    }

    static void sort(std::vector<rewritten_row>& rows) {
        std::stable_sort(rows.begin(), rows.end(), [](const rewritten_row& a, const rewritten_row& b) {
            return a.changed.cost() < b.changed.cost();
        });
    }
    /// The cheapest ones.
    static void cut(std::vector<rewritten_row>& rows, std::size_t most) {
        sort(rows);
        if (rows.size() > most) rows.erase(rows.begin() + static_cast<std::ptrdiff_t>(most), rows.end());
    }

    /// Rows that were not seen, cheapest first.
    std::vector<rewritten_row> made_of(const rewritten_row& from) {
        const std::uint64_t pairs = from.changed.steps.size() * from.changed.steps.size();
        std::vector<rewritten_row> made;
        for (const rule& each : rules()) {
            if (work_ >= limits_.work) break;
            if (each.lengthens) continue;
            work_ += pairs;
            for (site& at : each.apply(from.changed)) {
                work_ += pairs;
                if (!seen_.insert(at.changed.key()).second) continue;
                made.push_back(made_by(each, from, std::move(at)));
            }
        }
        sort(made);
        return made;
    }

    rewriting_limits limits_;
    std::set<std::string> seen_;
    std::vector<rewritten_row> found_;
    std::uint64_t work_ = 0;
};

} // namespace

std::vector<rewritten_row> lengthened(const rewritten_row& from) {
    std::vector<rewritten_row> found;
    for (const rule& each : rules()) {
        if (!each.lengthens) continue;
        for (site& at : each.apply(from.changed)) found.push_back(made_by(each, from, std::move(at)));
    }
    return found;
}

std::vector<rewritten_row> rewritings_of(const row& given, const rewriting_limits& limits) {
    return closure(given, limits).take();
}

} // namespace sfpu::rewriting
