// Who reads what from which register, and how long it stays there.
#include "formula_parts.h"

#include <algorithm>
#include <set>

namespace sfpu::optimizer {

void formula::choose_operands() {
    // Leaves of a chain choose among the values of all leaves.
    std::vector<std::vector<int>> chain_of(graph_.nodes.size());
    for (std::size_t i = 0; i < graph_.nodes.size(); ++i)
        chain_of[i].assign(graph_.nodes[i].operands.size(), -1);
    for (std::size_t c = 0; c < graph_.chains.size(); ++c) {
        const auto& uses = graph_.chains[c].uses;
        const bool all_values = std::all_of(uses.begin(), uses.end(), [&](const auto& use) {
            return graph_.nodes[static_cast<unsigned>(use.first)]
                       .operands[static_cast<unsigned>(use.second)]
                       .value >= 0;
        });
        if (!all_values) continue;
        for (const auto& [n, j] : uses)
            chain_of[static_cast<unsigned>(n)][static_cast<unsigned>(j)] = static_cast<int>(c);
    }
    struct leaf_choice {
        int value;
        std::vector<literal> literals;
    };
    std::vector<std::vector<leaf_choice>> leaves(graph_.chains.size());
    for (std::size_t c = 0; c < graph_.chains.size(); ++c)
        for (const auto& [n, j] : graph_.chains[c].uses)
            leaves[c].push_back(
                {graph_.nodes[static_cast<unsigned>(n)].operands[static_cast<unsigned>(j)].value, {}});

    for (event& e : events_) {
        const node& n = graph_.nodes[static_cast<unsigned>(e.node)];
        if (e.host_only) continue;
        for (std::size_t j = 0; j < n.operands.size(); ++j) {
            begin(group::definition);
            const operand& o = n.operands[j];
            e.chosen.emplace_back();
            e.reads_from.emplace_back(rows_);
            for (auto& of_row : e.reads_from.back()) of_row.fill(never);
            if (o.value < 0) {
                if (o.constant < 8)
                    for (auto& of_row : e.reads_from.back())
                        of_row[static_cast<unsigned>(o.constant)] = always;
                continue;
            }
            const int chain = chain_of[static_cast<unsigned>(e.node)][j];
            std::vector<literal> choice;
            const auto offer = [&](int value, leaf_choice* leaf) {
                for (const int i : instances_of_[static_cast<unsigned>(value)]) {
                    const literal q = make();
                    choice.push_back(q);
                    e.chosen.back().emplace_back(q, i);
                    if (leaf) leaf->literals.push_back(q);
                }
            };
            if (chain < 0) {
                offer(o.value, nullptr);
            } else {
                std::set<int> offered;
                for (leaf_choice& leaf : leaves[static_cast<unsigned>(chain)])
                    if (offered.insert(leaf.value).second) offer(leaf.value, &leaf);
            }
            const bool optional = e.used != always;
            if (!optional) clauses_.add(choice);
            else {
                std::vector<literal> needed = choice;
                needed.push_back(-e.used);
                clauses_.add(needed);
            }
            {
                const implied it(*this, spare::one_of_each);
                at_most_one(choice);
            }
            const unsigned distance = o.distance;
            bool merge = false;
            for (const result& r : n.results) merge |= r.merge == static_cast<int>(j);
            unsigned longest = 1;
            for (const form& f : n.forms) longest = std::max(longest, f.latency);
            const int later = merge ? static_cast<int>(longest) - 1 : 0,
                      further = static_cast<int>(distance) * interval_;
            auto& lreg = e.reads_from.back();
            const bool alias = e.chosen.back().size() == 1;
            for (unsigned p = 0; p < rows_; ++p)
                for (unsigned r = 0; r < place_count; ++r) {
                    const bool exists = r != extra || limits_.registers > isa::general_lregs;
                    if (!alias) lreg[p][r] = exists ? make() : never;
                }
            for (const auto& [q, i] : e.chosen.back()) {
                const instance& v = instances_[static_cast<unsigned>(i)];
                const event& source = events_[static_cast<unsigned>(v.event)];
                begin(group::definition);
                add({-q, source.used});
                for (unsigned p = 0; p < rows_; ++p) {
                    const auto& of_row = v.lreg[(p + rows_ - distance % rows_) % rows_];
                    if (alias) lreg[p] = of_row;
                    else
                        for (unsigned r = 0; r < place_count; ++r) {
                            add({-q, -of_row[r], lreg[p][r]});
                            add({-q, of_row[r], -lreg[p][r]});
                        }
                    if (n.what != node::kind::store) add({-q, -of_row[l16]});
                }
                begin(group::dependences);
                for (int x = 0; x < horizon_; ++x) add({-q, -at(e, x), visible(v, x + later + further)});
            }
        }
    }
    // Each leaf is used as often as in the plain chain.
    begin(group::definition);
    for (std::size_t c = 0; c < leaves.size(); ++c) {
        std::set<int> once;
        for (const leaf_choice& leaf : leaves[c]) {
            if (leaf.literals.empty()) continue;
            const auto count =
                std::count_if(leaves[c].begin(), leaves[c].end(),
                              [&](const leaf_choice& other) { return other.value == leaf.value; });
            if (count == 1) {
                clauses_.add(leaf.literals); // so that each is in one place
            }
        }
        // A value that stands in a chain twice: leaves keep their places.
        const auto& uses = graph_.chains[c].uses;
        bool twice = false;
        for (const leaf_choice& leaf : leaves[c]) twice |= !once.insert(leaf.value).second;
        if (!twice) continue;
        for (const auto& [n, j] : uses)
            for (const event& e : events_)
                if (e.node == n && !e.host_only)
                    for (const auto& [q, i] : e.chosen[static_cast<unsigned>(j)])
                        if (instances_[static_cast<unsigned>(i)].value !=
                            graph_.nodes[static_cast<unsigned>(n)].operands[static_cast<unsigned>(j)].value)
                            add({-q});
    }
}

void formula::make_lifetimes() {
    begin(group::registers);
    int furthest = 0;
    for (const node& n : graph_.nodes)
        for (const operand& o : n.operands) furthest = std::max(furthest, static_cast<int>(o.distance));
    for (const value& v : graph_.values)
        if (v.live_out) furthest = std::max(furthest, 1);
    const int length = horizon_ + furthest * interval_ + static_cast<int>(isa::largest::latency) + 2;
    for (instance& v : instances_) {
        for (int x = 0; x < length; ++x) v.alive.push_back(make());
        for (int s = 0; s < period_; ++s) v.alive_slot.push_back(make());
        for (int x = 0; x < length; ++x) {
            add({-v.alive[static_cast<unsigned>(x)], v.alive_slot[static_cast<unsigned>(x % period_)]});
            if (x + period_ < length)
                add({-v.alive[static_cast<unsigned>(x)], -v.alive[static_cast<unsigned>(x + period_)]});
        }
        const event& e = events_[static_cast<unsigned>(v.event)];
        const node& n = graph_.nodes[static_cast<unsigned>(e.node)];
        const bool stays = v.value >= 0 && graph_.values[static_cast<unsigned>(v.value)].live_out;
        const auto begins = [&](int x, std::vector<literal> when, clause_site site = clause_site::here()) {
            for (int k = 0; k < (stays ? interval_ : 1); ++k) {
                when.push_back(v.alive[static_cast<unsigned>(x + k)]);
                add(when, site);
                when.pop_back();
            }
        };
        for (int x = 0; x < horizon_; ++x) {
            if (v.visible.empty()) begins(x + static_cast<int>(v.latency), {-at(e, x)});
            else
                for (std::size_t a = 0; a < n.forms.size(); ++a)
                    begins(x + static_cast<int>(n.forms[a].latency), {-at(e, x), -e.alternative[a]});
        }
    }
    for (const event& e : events_) {
        const node& n = graph_.nodes[static_cast<unsigned>(e.node)];
        if (e.host_only) continue;
        for (std::size_t j = 0; j < n.operands.size(); ++j) {
            bool merge = false;
            for (const result& r : n.results) merge |= r.merge == static_cast<int>(j);
            unsigned longest = 1;
            for (const form& f : n.forms) longest = std::max(longest, f.latency);
            const int later = merge || n.reads_until_result ? static_cast<int>(longest) - 1 : 0;
            const int shift = later + static_cast<int>(n.operands[j].distance) * interval_;
            for (const auto& [q, i] : e.chosen[j]) {
                const instance& v = instances_[static_cast<unsigned>(i)];
                for (int x = 0; x < static_cast<int>(v.alive.size()); ++x)
                    add({-q, -visible(v, x), -from(e, x - shift), v.alive[static_cast<unsigned>(x)]});
            }
        }
    }
}

literal formula::same_register(const instance& v, unsigned row_v, const instance& w, unsigned row_w) {
    literal same = never;
    for (unsigned r = 0; r < place_count; ++r) {
        if (v.lreg[row_v][r] == never || w.lreg[row_w][r] == never) continue;
        if (same == never) same = make();
        add({-v.lreg[row_v][r], -w.lreg[row_w][r], same});
    }
    return same;
}

void formula::keep_registers() {
    begin(group::registers);
    const auto slot = [&](const instance& v, int s, unsigned row) {
        const int at = ((s - static_cast<int>(row) * interval_) % period_ + period_) % period_;
        return v.alive_slot[static_cast<unsigned>(at)];
    };
    for (std::size_t i = 0; i < instances_.size(); ++i) {
        const instance& v = instances_[i];
        for (std::size_t j = i; j < instances_.size(); ++j) {
            const instance& w = instances_[j];
            for (unsigned p = 0; p < rows_; ++p)
                for (unsigned q = 0; q < rows_; ++q) {
                    if (i == j && p >= q) continue;
                    const literal same = same_register(v, p, w, q);
                    if (same == never) continue;
                    for (int s = 0; s < period_; ++s) add({-same, -slot(v, s, p), -slot(w, s, q)});
                }
        }
    }
}

} // namespace sfpu::optimizer
