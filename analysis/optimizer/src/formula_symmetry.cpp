// What follows from other constraints and is said all the same, because a solver counts badly; and which of schedules that
// differ in nothing that matters is meant.
#include "formula_parts.h"

#include <algorithm>

namespace sfpu::optimizer {

using isa::sub_unit;

std::vector<literal> formula::count(const std::vector<literal>& literals) {
    // at_least[j]: j + 1 of those that were looked at.
    std::vector<literal> at_least;
    const auto reached = [&](std::size_t many) {
        return many == 0 ? always : many <= at_least.size() ? at_least[many - 1] : never;
    };
    for (const literal each : literals) {
        std::vector<literal> more;
        for (std::size_t many = 1; many <= at_least.size() + 1; ++many) {
            const literal here = make(), before = reached(many), one_less = reached(many - 1);
            clauses_.add({-before, here});
            clauses_.add({-one_less, -each, here});
            clauses_.add({-here, before, one_less});
            clauses_.add({-here, before, each});
            more.push_back(here);
        }
        at_least = more;
    }
    return at_least;
}

void formula::count_words() {
    const auto reached = [](const std::vector<literal>& at_least, std::size_t many) {
        return many == 0 ? always : many <= at_least.size() ? at_least[many - 1] : never;
    };
    std::vector<literal> used, issued, issued_on_either;
    std::array<std::vector<literal>, 4> issued_on;
    std::array<unsigned, 4> all_on{};
    unsigned all_on_either = 0;
    for (const int li : loads_) used.push_back(events_[static_cast<unsigned>(li)].used);
    for (const int oi : operations_) {
        const event& e = events_[static_cast<unsigned>(oi)];
        const std::vector<form>& forms = graph_.nodes[static_cast<unsigned>(e.node)].forms;
        issued.push_back(e.issued);
        if (graph_.nodes[static_cast<unsigned>(e.node)].optional) continue;
        const auto on = [&](sub_unit unit) {
            return std::all_of(forms.begin(), forms.end(), [&](const form& f) { return f.unit == unit; });
        };
        for (const sub_unit unit : {sub_unit::simple, sub_unit::mad, sub_unit::round, sub_unit::store})
            if (on(unit)) {
                issued_on[number(unit)].push_back(e.issued);
                ++all_on[number(unit)];
            }
        if (std::all_of(forms.begin(), forms.end(), [](const form& f) {
                return f.unit == sub_unit::simple || f.unit == sub_unit::round;
            })) {
            issued_on_either.push_back(e.issued);
            ++all_on_either;
        }
    }
    begin(group::issue_slots);
    const implied all(*this, spare::slots_are_counted);
    const std::vector<literal> loads = count(used), words = count(issued);
    const std::size_t slots = static_cast<std::size_t>(interval_) * machine_.issue_width;
    for (std::size_t l = 0; l <= loads.size(); ++l)
        if (slots + 1 >= l) add({-reached(loads, l), -reached(words, slots + 1 - l)});
    // So many loads schedule so many instructions of a sub-unit; the others are issued.
    begin(group::macros);
    const auto left_over = [&](const std::vector<literal>& of, unsigned many, unsigned units) {
        if (of.empty()) return;
        const std::vector<literal> at_least = count(of);
        for (unsigned l = 0; l * units < many && l <= loads.size(); ++l)
            add({reached(loads, l + 1), reached(at_least, many - l * units)});
    };
    for (unsigned unit = 0; unit < 4; ++unit) left_over(issued_on[unit], all_on[unit], 1);
    left_over(issued_on_either, all_on_either, 2);
}

void formula::mean_one_of_many() {
    if (limits_.keep) return;
    begin(group::definition);
    {
        // Registers that nothing distinguishes are taken in the order of their numbers.
        const implied all(*this, spare::registers_in_order);
        std::vector<unsigned> alike;
        for (unsigned r = 0; r < isa::general_lregs; ++r)
            if (!isa::contains(distinguished_, r)) alike.push_back(r);
        std::vector<literal> taken(alike.size(), never); // by those that were looked at
        for (const instance& v : instances_)
            for (const auto& of_row : v.lreg) {
                for (std::size_t k = 1; k < alike.size(); ++k) add({-of_row[alike[k]], taken[k - 1]});
                for (std::size_t k = 0; k + 1 < alike.size(); ++k) {
                    if (of_row[alike[k]] == never) continue;
                    const literal now = make();
                    add({-now, taken[k], of_row[alike[k]]});
                    add({-taken[k], now});
                    add({-of_row[alike[k]], now});
                    taken[k] = now;
                }
            }
    }
    if (machine_.issue_width > 1) return; // there the first cycle of the loop is another one than the rest
    {
        const implied it(*this, spare::nothing_for_none);
        add({-macros_in_frame_}); // these count as effects, too
    }
    // The loop may begin with any of its cycles: it begins with the first that has an effect.
    const implied all(*this, spare::loop_begins_with_an_effect);
    std::vector<literal> some;
    const auto at_beginning = [&](const event& e, const std::vector<literal>& conditions) {
        const literal here = make();
        for (const literal each : conditions) add({-here, each});
        std::vector<literal> clause{-here};
        for (int x = 0; x < horizon_; x += interval_) clause.push_back(at(e, x));
        add(clause);
        some.push_back(here);
    };
    for (const event& e : events_) {
        if (e.host_only) continue;
        const node& n = graph_.nodes[static_cast<unsigned>(e.node)];
        if (e.is_load) {
            if (n.effect) at_beginning(e, {});
            continue;
        }
        if (n.effect) at_beginning(e, {e.issued});
        if (!n.effect && n.what != node::kind::operation) continue;
        for (std::size_t k = 0; k < loads_.size(); ++k)
            at_beginning(events_[static_cast<unsigned>(loads_[k])], {e.parent[k], n.effect ? always : e.l16});
    }
    add(some);
}

} // namespace sfpu::optimizer
