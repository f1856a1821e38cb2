// Machines with two issue slots: which words share a cycle, and which cycles may follow each other. A cycle is full or
// ends with a word of the load sub-unit; the next one then begins with such a word, if only an SFPNOP.
#include "formula_parts.h"

#include <sfpu/isa/word_effects.h>

#include <algorithm>

namespace sfpu::optimizer {

bool can_go_first(const isa::instruction& insn) {
    return insn.latency != isa::latency_class::swap && insn.latency != isa::latency_class::shuffle &&
           !isa::may_write_flags(insn);
}

bool is_load_word(const node& operation) {
    return std::any_of(operation.forms.begin(), operation.forms.end(),
                       [](const form& each) { return each.unit == isa::sub_unit::load; });
}

void formula::keep_pairs() {
    if (machine_.issue_width < 2) return;
    begin(group::issue_slots);
    // What may be issued, by slots of the period.
    std::vector<std::vector<literal>> slot(events_.size());
    for (std::size_t i = 0; i < events_.size(); ++i) {
        const event& e = events_[i];
        for (int s = 0; s < period_; ++s) slot[i].push_back(make());
        for (int x = 0; x < horizon_; ++x) {
            std::vector<literal> clause{-at(e, x), slot[i][static_cast<unsigned>(x % period_)]};
            if (!e.is_load) clause.push_back(-e.issued);
            add(clause);
        }
    }
    // Some word that is none of the load sub-unit is issued in this cycle of the row.
    std::vector<literal> instruction_at;
    for (int x = 0; x < horizon_; ++x) {
        const literal some = make();
        std::vector<literal> clause{-some};
        for (const int oi : operations_) {
            const event& e = events_[static_cast<unsigned>(oi)];
            if (is_load_word(graph_.nodes[static_cast<unsigned>(e.node)])) continue;
            const literal here = make();
            add({-here, at(e, x)});
            add({-here, e.issued});
            clause.push_back(here);
        }
        add(clause);
        instruction_at.push_back(some);
    }
    const bool one_load = machine_.load_ports < 2;

    // Two words of which the one that `when` allows stands first is no load: the cycle before must be full, in the first
    // and last rows too.
    const auto begins_without_load = [&](const event& a, const event& b, const std::vector<literal>& when) {
        if (!one_load) return;
        for (int x = 0; x < horizon_; ++x)
            for (int y = x % interval_; y < horizon_; y += interval_) {
                std::vector<literal> clause = when;
                clause.push_back(-at(a, x));
                clause.push_back(-at(b, y));
                if (x % interval_ != 0)
                    for (int z = std::min(x, y); z <= std::max(x, y); z += interval_)
                        clause.push_back(instruction_at[static_cast<unsigned>(z - 1)]);
                add(clause);
            }
    };
    // What `a` writes in row p and `b` reads or writes in row q is one register.
    const auto clash = [&](const event& a, unsigned p, const event& b, unsigned q) {
        literal both = never;
        const auto meet = [&](literal written, literal used) {
            if (written == never || used == never) return;
            if (both == never) both = make();
            add({-written, -used, both});
        };
        for (const int wi : a.instances) {
            const auto& written = instances_[static_cast<unsigned>(wi)].lreg[p];
            for (unsigned r = 0; r < place_count; ++r) {
                if (r == l16) continue;
                for (const registers_of& reads : b.reads_from) meet(written[r], reads[q][r]);
                for (const int vi : b.instances)
                    meet(written[r], instances_[static_cast<unsigned>(vi)].lreg[q][r]);
            }
        }
        return both;
    };
    for (std::size_t i = 0; i < events_.size(); ++i)
        for (std::size_t j = i + 1; j < events_.size(); ++j) {
            const event &a = events_[i], &b = events_[j];
            const node &an = graph_.nodes[static_cast<unsigned>(a.node)],
                       &bn = graph_.nodes[static_cast<unsigned>(b.node)];
            if (one_load && (a.is_load || is_load_word(an)) && (b.is_load || is_load_word(bn)))
                continue; // never in one cycle
            for (unsigned p = 0; p < rows_; ++p)
                for (unsigned q = 0; q < rows_; ++q) {
                    // Row p of the first and row q of the second.
                    std::vector<std::pair<literal, literal>> together;
                    together.reserve(static_cast<std::size_t>(period_));
                    const int between = (static_cast<int>(p) - static_cast<int>(q)) * interval_;
                    for (int s = 0; s < period_; ++s)
                        together.emplace_back(
                            -slot[i][static_cast<unsigned>(s)],
                            -slot[j][static_cast<unsigned>(((s + between) % period_ + period_) % period_)]);
                    const literal a_first = make();
                    const auto forbid = [&](std::vector<literal> when,
                                            clause_site site = clause_site::here()) {
                        when.resize(when.size() + 2);
                        for (const auto& [one, other] : together) {
                            *(when.end() - 2) = one;
                            *(when.end() - 1) = other;
                            add(when, site);
                        }
                    };
                    const bool by_number = an.reads_by_number || an.writes_by_number || bn.reads_by_number ||
                                           bn.writes_by_number;
                    if (by_number) { // which registers these are nobody knows beforehand
                        forbid({});
                        continue;
                    }
                    if (a.is_load && b.is_load) {
                        forbid({a.macro.back(), b.macro.back()}); // macros go first
                        continue;
                    }
                    for (const auto& [is_not_first, c] :
                         {std::pair{-a_first, clash(a, p, b, q)}, std::pair{a_first, clash(b, q, a, p)}})
                        if (c != never) forbid({is_not_first, -c});
                    const auto rules_of_first = [&](const event& e, const node& n, literal is_not_first) {
                        for (std::size_t f = 0; f < n.forms.size(); ++f)
                            if (!can_go_first(n.forms[f].insn)) forbid({is_not_first, -e.alternative[f]});
                    };
                    if (a.is_load || b.is_load) {
                        const event &load = a.is_load ? a : b, &other = a.is_load ? b : a;
                        const node& on = a.is_load ? bn : an;
                        const literal load_first = a.is_load ? a_first : -a_first;
                        forbid({load_first, load.macro.back()});
                        if (on.what == node::kind::store) {
                            forbid({load_first}); // else it depends on the addresses
                            continue;
                        }
                        rules_of_first(other, on, load_first);
                        begins_without_load(a, b, {load_first, -other.issued});
                        continue;
                    }
                    for (const form& f : an.forms)
                        for (const form& g : bn.forms)
                            if (isa::may_use_random_numbers(f.insn) && isa::may_use_random_numbers(g.insn))
                                forbid({});
                    rules_of_first(a, an, -a_first);
                    rules_of_first(b, bn, a_first);
                    if (p == q) begins_without_load(a, b, {-a.issued, -b.issued});
                }
        }
}

} // namespace sfpu::optimizer
