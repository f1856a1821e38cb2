// What follows from other constraints and is said all the same, because a solver counts badly; and which of
// schedules that differ in nothing that matters is meant.
#include "rule_writer.h"

#include <algorithm>

namespace sfpu::optimizer {

using isa::sub_unit;

namespace {

class word_count : rule_writer {
public:
    explicit word_count(formula_state& of) : rule_writer(of) {}

    void write_all() {
        std::vector<literal> used, issued;
        for (const int index : loads_) used.push_back(event_at(index).used);
        for (const int index : operations_) {
            const event& e = event_at(index);
            issued.push_back(e.issued);
            if (!node_of(e).optional) sort_by_unit(e);
        }
        begin(group::issue_slots);
        const implied all(*this, spare::slots_are_counted);
        const std::vector<literal> loads = count(used), words = count(issued);
        const std::size_t slots = static_cast<std::size_t>(interval_) * machine_.issue_width;
        for (std::size_t l = 0; l <= loads.size(); ++l)
            if (slots + 1 >= l) add({-reached(loads, l), -reached(words, slots + 1 - l)});
        // So many loads schedule so many instructions of a sub-unit; the others are issued.
        begin(group::macros);
        for (const std::vector<literal>& of_unit : issued_on_) issue_what_is_left(loads, of_unit, 1);
        issue_what_is_left(loads, issued_on_either_, 2);
    }

private:
    /// Those that one sub-unit must execute, and those that Simple or Round must.
    void sort_by_unit(const event& e) {
        const std::vector<form>& forms = node_of(e).forms;
        for (const sub_unit unit : {sub_unit::simple, sub_unit::mad, sub_unit::round, sub_unit::store})
            if (std::all_of(forms.begin(), forms.end(), [&](const form& f) { return f.unit == unit; }))
                issued_on_[number(unit)].push_back(e.issued);
        if (std::all_of(forms.begin(), forms.end(), [](const form& f) {
                return f.unit == sub_unit::simple || f.unit == sub_unit::round;
            }))
            issued_on_either_.push_back(e.issued);
    }

    /// Literals that say that at least 1, 2, ... of these hold.
    std::vector<literal> count(const std::vector<literal>& literals) {
        std::vector<literal> at_least; // of those that were looked at
        for (const literal each : literals) {
            std::vector<literal> more;
            for (std::size_t many = 1; many <= at_least.size() + 1; ++many) {
                const literal here = make(), before = reached(at_least, many),
                              one_less = reached(at_least, many - 1);
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
    static literal reached(const std::vector<literal>& at_least, std::size_t many) {
        return many == 0 ? always : many <= at_least.size() ? at_least[many - 1] : never;
    }

    /// Each load schedules one instruction on each of `units` sub-units.
    void issue_what_is_left(const std::vector<literal>& loads, const std::vector<literal>& issued,
                            std::size_t units) {
        if (issued.empty()) return;
        const std::vector<literal> at_least = count(issued);
        for (std::size_t l = 0; l * units < issued.size() && l <= loads.size(); ++l)
            add({reached(loads, l + 1), reached(at_least, issued.size() - l * units)});
    }

    std::array<std::vector<literal>, 4> issued_on_;
    std::vector<literal> issued_on_either_;
};

class one_of_many : rule_writer {
public:
    explicit one_of_many(formula_state& of) : rule_writer(of) {}

    void write_all() {
        if (limits_.keep) return;
        begin(group::definition);
        take_registers_in_order();
        if (machine_.issue_width > 1)
            return; // there the first cycle of the loop is another one than the rest
        {
            const implied it(*this, spare::nothing_for_none);
            add({-state_.macros_in_frame}); // these count as effects, too
        }
        begin_loop_with_an_effect();
    }

private:
    /// Registers that nothing distinguishes are taken in the order of their numbers.
    void take_registers_in_order() {
        const implied all(*this, spare::registers_in_order);
        std::vector<unsigned> alike;
        for (unsigned r = 0; r < isa::general_lregs; ++r)
            if (!isa::contains(state_.distinguished, r)) alike.push_back(r);
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

    /// The loop may begin with any of its cycles: it begins with the first that has an effect.
    void begin_loop_with_an_effect() {
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
            const node& n = node_of(e);
            if (e.is_load) {
                if (n.effect) at_beginning(e, {});
                continue;
            }
            if (n.effect) at_beginning(e, {e.issued});
            if (!n.effect && n.what != node::kind::operation) continue;
            for (std::size_t k = 0; k < loads_.size(); ++k)
                at_beginning(event_at(loads_[k]), {e.parent[k], n.effect ? always : e.l16});
        }
        add(some);
    }
};

} // namespace

void count_words(formula_state& of) { word_count(of).write_all(); }
void mean_one_of_many(formula_state& of) { one_of_many(of).write_all(); }

} // namespace sfpu::optimizer
