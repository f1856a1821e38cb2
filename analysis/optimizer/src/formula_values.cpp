// Who reads what from which register, and how long it stays there.
#include "rule_writer.h"

#include <algorithm>
#include <set>

namespace sfpu::optimizer {

namespace {

/// Which instance an operand reads. Leaves of a chain choose among the values of all leaves.
class operand_choice : rule_writer {
public:
    explicit operand_choice(formula_state& of)
        : rule_writer(of), chain_of_(of.row.nodes.size()), leaves_(of.row.chains.size()) {}

    void make_all() {
        find_leaves();
        for (event& e : events_) {
            if (e.host_only) continue;
            for (std::size_t j = 0; j < node_of(e).operands.size(); ++j) choose(e, j);
        }
        begin(group::definition);
        for (std::size_t c = 0; c < leaves_.size(); ++c) use_each_leaf(c);
    }

private:
    struct leaf_choice {
        int value;
        std::vector<literal> literals;
    };

    const operand& operand_of(const std::pair<int, int>& use) const {
        return graph_.nodes[static_cast<unsigned>(use.first)].operands[static_cast<unsigned>(use.second)];
    }

    void find_leaves() {
        for (std::size_t i = 0; i < graph_.nodes.size(); ++i)
            chain_of_[i].assign(graph_.nodes[i].operands.size(), -1);
        for (std::size_t c = 0; c < graph_.chains.size(); ++c) {
            const auto& uses = graph_.chains[c].uses;
            for (const auto& use : uses) leaves_[c].push_back({operand_of(use).value, {}});
            const bool all_values = std::all_of(uses.begin(), uses.end(),
                                                [&](const auto& use) { return operand_of(use).value >= 0; });
            if (!all_values) continue;
            for (const auto& [n, j] : uses)
                chain_of_[static_cast<unsigned>(n)][static_cast<unsigned>(j)] = static_cast<int>(c);
        }
    }

    void choose(event& e, std::size_t j) {
        begin(group::definition);
        const operand& o = node_of(e).operands[j];
        e.chosen.emplace_back();
        e.reads_from.emplace_back(rows_);
        for (auto& of_row : e.reads_from.back()) of_row.fill(never);
        if (o.value < 0) {
            if (o.constant < 8)
                for (auto& of_row : e.reads_from.back()) of_row[static_cast<unsigned>(o.constant)] = always;
            return;
        }
        const std::vector<literal> choice = offer_instances(e, j);
        std::vector<literal> needed = choice;
        if (e.used != always) needed.push_back(-e.used);
        clauses_.add(needed);
        {
            const implied it(*this, spare::one_of_each);
            at_most_one(choice);
        }
        const bool alias = e.chosen.back().size() == 1;
        if (!alias) make_registers(e.reads_from.back());
        for (const auto& [chosen, i] : e.chosen.back()) read(e, j, chosen, instance_at(i), alias);
    }

    /// A variable for each instance that the operand may read.
    std::vector<literal> offer_instances(event& e, std::size_t j) {
        std::vector<literal> choice;
        const auto offer = [&](int value, leaf_choice* leaf) {
            for (const int i : state_.instances_of[static_cast<unsigned>(value)]) {
                const literal q = make();
                choice.push_back(q);
                e.chosen.back().emplace_back(q, i);
                if (leaf) leaf->literals.push_back(q);
            }
        };
        const int chain = chain_of_[static_cast<unsigned>(e.node)][j];
        if (chain < 0) {
            offer(node_of(e).operands[j].value, nullptr);
            return choice;
        }
        std::set<int> offered;
        for (leaf_choice& leaf : leaves_[static_cast<unsigned>(chain)])
            if (offered.insert(leaf.value).second) offer(leaf.value, &leaf);
        return choice;
    }

    void make_registers(registers_of& lreg) {
        for (auto& of_row : lreg)
            for (unsigned r = 0; r < place_count; ++r) {
                const bool exists = r != extra || limits_.registers > isa::general_lregs;
                of_row[r] = exists ? make() : never;
            }
    }

    /// If it is chosen, the operand stands in the register of the instance, and is visible when it is read.
    /// `alias`: there is no other choice.
    void read(event& e, std::size_t j, literal chosen, const instance& v, bool alias) {
        const node& n = node_of(e);
        const unsigned distance = n.operands[j].distance;
        const int later = is_merged(n, j) ? static_cast<int>(longest_latency(n)) - 1 : 0,
                  further = static_cast<int>(distance) * interval_;
        auto& lreg = e.reads_from.back();
        begin(group::definition);
        add({-chosen, event_at(v.event).used});
        for (unsigned p = 0; p < rows_; ++p) {
            const auto& of_row = v.lreg[(p + rows_ - distance % rows_) % rows_];
            if (alias) lreg[p] = of_row;
            else
                for (unsigned r = 0; r < place_count; ++r) {
                    add({-chosen, -of_row[r], lreg[p][r]});
                    add({-chosen, of_row[r], -lreg[p][r]});
                }
            if (n.what != node::kind::store) add({-chosen, -of_row[l16]});
        }
        begin(group::dependences);
        const int wait = cycles_until_merged(n, j) + further;
        for (int x = 0; x < horizon_; ++x) add({-chosen, -at(e, x), visible(v, x + wait)});
        if (distance > 0) keep_until_read(e, v, chosen, later);
    }

    /// The first row finds in the register what is set before the loop: of its row nothing else has come
    /// there.
    void keep_until_read(const event& e, const instance& carried, literal chosen, int later) {
        begin(group::registers);
        const implied it(*this, spare::shown_by_a_test_of_its_own);
        for (const instance& w : instances_) {
            if (&w == &carried) continue;
            for (std::size_t p = 0; p < w.lreg.size(); ++p)
                for (unsigned r = 0; r < place_count; ++r) {
                    if (w.lreg[p][r] == never || carried.lreg[p][r] == never) continue;
                    for (int x = 0; x < horizon_; ++x)
                        add({-chosen, -carried.lreg[p][r], -w.lreg[p][r], -at(e, x), -visible(w, x + later)});
                }
        }
    }

    /// Each leaf is used as often as in the plain chain.
    void use_each_leaf(std::size_t c) {
        std::set<int> once;
        for (const leaf_choice& leaf : leaves_[c]) {
            if (leaf.literals.empty()) continue;
            const auto count =
                std::count_if(leaves_[c].begin(), leaves_[c].end(),
                              [&](const leaf_choice& other) { return other.value == leaf.value; });
            if (count == 1) clauses_.add(leaf.literals); // so that each is in one place
        }
        // A value that stands in a chain twice: leaves keep their places.
        bool twice = false;
        for (const leaf_choice& leaf : leaves_[c]) twice |= !once.insert(leaf.value).second;
        if (!twice) return;
        for (const auto& use : graph_.chains[c].uses)
            for (const event& e : events_)
                if (e.node == use.first && !e.host_only)
                    for (const auto& [q, i] : e.chosen[static_cast<unsigned>(use.second)])
                        if (instance_at(i).value != operand_of(use).value) add({-q});
    }

    std::vector<std::vector<int>> chain_of_;       ///< by node, operand; -1: of none
    std::vector<std::vector<leaf_choice>> leaves_; ///< by chain
};

class lifetimes : rule_writer {
public:
    explicit lifetimes(formula_state& of) : rule_writer(of) {}

    void make_all() {
        begin(group::registers);
        const int length = longest_lifetime();
        for (instance& v : instances_) {
            make_variables(v, length);
            begin_when_visible(v);
        }
        for (const event& e : events_) {
            if (e.host_only) continue;
            for (std::size_t j = 0; j < node_of(e).operands.size(); ++j) last_until_read(e, j);
        }
    }

    /// Two values that live in one slot are in different registers.
    void keep_apart() {
        begin(group::registers);
        for (std::size_t i = 0; i < instances_.size(); ++i)
            for (std::size_t j = i; j < instances_.size(); ++j)
                for (unsigned p = 0; p < rows_; ++p)
                    for (unsigned q = 0; q < rows_; ++q) {
                        if (i == j && p >= q) continue;
                        const instance &v = instances_[i], &w = instances_[j];
                        const literal same = same_register(v, p, w, q);
                        if (same == never) continue;
                        for (int s = 0; s < period_; ++s)
                            add({-same, -alive_in(v, s, p), -alive_in(w, s, q)});
                    }
        for (const instance& v : instances_)
            if (v.value >= 0 && graph_.values[static_cast<unsigned>(v.value)].live_out) keep_last(v);
    }

    /// What the last row leaves behind the loop is not overwritten by the rows before it: of its row it is
    /// the last to take its register.
    void keep_last(const instance& last) {
        const auto r = static_cast<unsigned>(graph_.values[static_cast<unsigned>(last.value)].pinned);
        const event& e = event_at(last.event);
        for (const instance& w : instances_)
            for (const auto& of_row : w.lreg) {
                if (&w == &last || of_row[r] == never) continue;
                for (int x = 0; x < horizon_; ++x)
                    add({-of_row[r], -at(e, x), visible(w, x + static_cast<int>(last.latency))});
            }
    }

private:
    /// In cycles.
    int longest_lifetime() const {
        int furthest = 0;
        for (const node& n : graph_.nodes)
            for (const operand& o : n.operands) furthest = std::max(furthest, static_cast<int>(o.distance));
        for (const value& each : graph_.values)
            if (each.live_out) furthest = std::max(furthest, 1);
        return horizon_ + furthest * interval_ + static_cast<int>(isa::largest::latency) + 2;
    }

    void make_variables(instance& v, int length) {
        for (int x = 0; x < length; ++x) v.alive.push_back(make());
        for (int s = 0; s < period_; ++s) v.alive_slot.push_back(make());
        for (int x = 0; x < length; ++x) {
            add({-v.alive[static_cast<unsigned>(x)], v.alive_slot[slot_of(x)]});
            if (x + period_ < length)
                add({-v.alive[static_cast<unsigned>(x)], -v.alive[static_cast<unsigned>(x + period_)]});
        }
    }

    void begin_when_visible(instance& v) {
        const event& e = event_at(v.event);
        const std::vector<form>& forms = node_of(e).forms;
        for (int x = 0; x < horizon_; ++x) {
            if (v.visible.empty()) add({-at(e, x), v.alive[static_cast<unsigned>(x) + v.latency]});
            else
                for (std::size_t a = 0; a < forms.size(); ++a)
                    add({-at(e, x), -e.alternative[a], v.alive[static_cast<unsigned>(x) + forms[a].latency]});
        }
    }

    void last_until_read(const event& e, std::size_t j) {
        const node& n = node_of(e);
        const int later =
            is_merged(n, j) || n.reads_until_result ? static_cast<int>(longest_latency(n)) - 1 : 0;
        const int shift = later + static_cast<int>(n.operands[j].distance) * interval_;
        for (const auto& [q, i] : e.chosen[j]) {
            const instance& v = instance_at(i);
            for (int x = 0; x < static_cast<int>(v.alive.size()); ++x)
                add({-q, -visible(v, x), -from(e, x - shift), v.alive[static_cast<unsigned>(x)]});
        }
    }

    literal same_register(const instance& v, unsigned row_v, const instance& w, unsigned row_w) {
        literal same = never;
        for (unsigned r = 0; r < place_count; ++r) {
            if (v.lreg[row_v][r] == never || w.lreg[row_w][r] == never) continue;
            if (same == never) same = make();
            add({-v.lreg[row_v][r], -w.lreg[row_w][r], same});
        }
        return same;
    }

    literal alive_in(const instance& v, int s, unsigned of_row) const {
        return v.alive_slot[slot_of(s - static_cast<int>(of_row) * interval_)];
    }
};

} // namespace

void choose_operands(formula_state& of) { operand_choice(of).make_all(); }
void make_lifetimes(formula_state& of) { lifetimes(of).make_all(); }
void keep_registers(formula_state& of) { lifetimes(of).keep_apart(); }

} // namespace sfpu::optimizer
