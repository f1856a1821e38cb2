#include <sfpu/optimizer/formula.h>

#include <sfpu/isa/table.h>

#include <algorithm>
#include <set>

namespace sfpu::optimizer {
namespace {

using isa::sub_unit;
constexpr literal always = clause_list::always, never = clause_list::never;
constexpr unsigned l16 = 8; ///< its place among registers
constexpr unsigned number(sub_unit unit) { return static_cast<unsigned>(unit); }

group group_of(sub_unit unit) {
    switch (unit) {
    case sub_unit::simple: return group::simple_unit;
    case sub_unit::mad: return group::mad_unit;
    case sub_unit::round: return group::round_unit;
    default: return group::store_unit;
    }
}

} // namespace

const char* to_string(group which) {
    switch (which) {
    case group::definition: return "definition";
    case group::issue_slots: return "issue slots";
    case group::simple_unit: return "Simple";
    case group::mad_unit: return "MAD";
    case group::round_unit: return "Round";
    case group::store_unit: return "Store";
    case group::registers: return "registers";
    case group::templates: return "templates";
    case group::macros: return "macros";
    case group::delays: return "delays";
    case group::write_port: return "write port";
    case group::dst_order: return "order through Dst";
    case group::lane_flags: return "lane flags";
    case group::dependences: return "dependences";
    case group::stalls: return "automatic stalls";
    case group::effects: return "first and last rows";
    case group::count: break;
    }
    return "?";
}

formula::formula(const graph& of, const isa::machine& machine, const formula_limits& limits)
    : graph_(of), machine_(machine), limits_(limits) {
    assumption_.fill(always);
    if (limits_.with_groups)
        for (unsigned g = 1; g < group_count; ++g) assumption_[g] = make();
    rows_ = limits.rows;
    interval_ = static_cast<int>(limits.interval);
    horizon_ = static_cast<int>(std::max(limits.horizon, limits.interval));
    period_ = interval_ * static_cast<int>(rows_);
    // One entry is made in a cycle, so that no more than `slots` wait if no delay is longer.
    delays_ = std::min(machine.longest_delay() + 1u, machine.slots);
    for (auto& unit : unit_slots_) unit.resize(limits.interval);
    issue_slots_.resize(limits.interval);
    make_events();
    make_instances();
    choose_operands();
    make_lifetimes();
    tables();
    schedule_operations();
    for (const int o : operations_) operand_rules(events_[static_cast<unsigned>(o)]);
    keep_lanes_of_loads();
    occupy();
    keep_registers();
    keep_flags();
    keep_memory();
    keep_frame();
    keep_issue_rules();
    if (limits_.bubble_proof) survive_bubbles();
}

void formula::add(std::vector<literal> clause) {
    if (limits_.without == group_) return;
    if (const literal on = assumption_[static_cast<unsigned>(group_)]; on != always) clause.push_back(-on);
    clauses_.add(clause);
}

void formula::at_most_one(std::vector<literal> literals) {
    literals.erase(std::remove(literals.begin(), literals.end(), never), literals.end());
    if (literals.size() <= 6) {
        for (std::size_t i = 0; i < literals.size(); ++i)
            for (std::size_t j = i + 1; j < literals.size(); ++j) add({-literals[i], -literals[j]});
        return;
    }
    literal before = 0;
    for (const literal each : literals) {
        const literal here = make();
        add({-each, here});
        if (before) {
            add({-before, here});
            add({-before, -each});
        }
        before = here;
    }
}

std::vector<literal> formula::one_of(unsigned count) {
    std::vector<literal> values;
    for (unsigned i = 0; i < count; ++i) values.push_back(make());
    clauses_.add(values);
    const group kept = group_;
    begin(group::definition);
    at_most_one(values);
    begin(kept);
    return values;
}

literal formula::from(const event& e, int x) const {
    if (x <= 0) return e.used;
    return x >= horizon_ ? never : e.from[static_cast<unsigned>(x)];
}
literal formula::at(const event& e, int x) const {
    return x < 0 || x >= horizon_ ? never : e.at[static_cast<unsigned>(x)];
}
literal formula::visible(const instance& i, int x) const {
    if (!i.visible.empty()) {
        if (x < 0) return never;
        return x >= static_cast<int>(i.visible.size()) ? always : i.visible[static_cast<unsigned>(x)];
    }
    return -from(events_[static_cast<unsigned>(i.event)], x - static_cast<int>(i.latency) + 1);
}

void formula::make_times(event& e) {
    begin(group::definition);
    for (int x = 0; x < horizon_; ++x) {
        e.at.push_back(make());
        e.from.push_back(x == 0 ? e.used : make());
    }
    for (int x = 0; x < horizon_; ++x) {
        const literal here = e.at[static_cast<unsigned>(x)], since = from(e, x), later = from(e, x + 1);
        add({-here, since});
        add({-here, -later});
        add({here, -since, later});
        add({-later, since});
    }
}

void formula::make_events() {
    const auto even = [](unsigned address) { return (address & 1u) == 0; };
    std::set<unsigned> addresses;
    const auto new_load = [&](int node_index, bool host_only, unsigned copy, bool optional) {
        event e;
        e.node = node_index;
        e.is_load = true;
        e.host_only = host_only;
        e.copy = copy;
        if (optional) e.used = make();
        make_times(e);
        begin(group::definition);
        e.macro = one_of(machine_.macros + 1);
        add({e.used, e.macro.back()});
        if (!even(graph_.nodes[static_cast<unsigned>(node_index)].address)) add({e.macro.back()});
        if (host_only) add({-e.used, -e.macro.back()});
        loads_.push_back(static_cast<int>(events_.size()));
        events_.push_back(std::move(e));
    };
    for (std::size_t i = 0; i < graph_.nodes.size(); ++i) {
        const node& n = graph_.nodes[i];
        if (n.what != node::kind::load) continue;
        addresses.insert(n.address);
        const bool single = std::any_of(n.results.begin(), n.results.end(), [&](const result& r) {
            return r.merge >= 0 || graph_.values[static_cast<unsigned>(r.value)].pinned >= 0;
        });
        for (unsigned copy = 0; copy < (single ? 1u : limits_.copies); ++copy)
            new_load(static_cast<int>(i), false, copy, copy > 0);
        // Copies in the order of time.
        begin(group::definition);
        for (std::size_t k = loads_.size(); k-- > 1;) {
            const event &a = events_[static_cast<unsigned>(loads_[k - 1])],
                        &b = events_[static_cast<unsigned>(loads_[k])];
            if (b.node != static_cast<int>(i) || a.node != b.node) break;
            add({-b.used, a.used});
            for (int x = 0; x < horizon_; ++x) add({-at(b, x), -from(a, x)});
        }
    }
    for (std::size_t i = 0; i < graph_.nodes.size(); ++i) {
        const node& n = graph_.nodes[i];
        if (n.what == node::kind::store && even(n.address) && addresses.insert(n.address).second)
            new_load(static_cast<int>(i), true, 0, true);
    }
    begin(group::definition);
    for (std::size_t i = 0; i < graph_.nodes.size(); ++i) {
        const node& n = graph_.nodes[i];
        if (n.what == node::kind::load) continue;
        event e;
        e.node = static_cast<int>(i);
        make_times(e);
        e.alternative = one_of(static_cast<unsigned>(n.forms.size()));
        operations_.push_back(static_cast<int>(events_.size()));
        events_.push_back(std::move(e));
    }
    // Time begins with the first load or instruction.
    std::vector<literal> early;
    for (const event& e : events_)
        for (int x = 0; x < interval_; ++x) early.push_back(at(e, x));
    add(early);
}

void formula::make_instances() {
    begin(group::definition);
    instances_of_.resize(graph_.values.size());
    for (std::size_t ei = 0; ei < events_.size(); ++ei) {
        event& e = events_[ei];
        const node& n = graph_.nodes[static_cast<unsigned>(e.node)];
        const std::size_t results = e.host_only ? 1 : n.results.size();
        if (n.what == node::kind::store && !e.host_only) continue;
        for (std::size_t k = 0; k < results; ++k) {
            instance v;
            v.event = static_cast<int>(ei);
            v.result = static_cast<unsigned>(k);
            int pinned = -1;
            bool in_l16 = false;
            if (!e.host_only) {
                v.value = n.results[k].value;
                pinned = graph_.values[static_cast<unsigned>(v.value)].pinned;
                in_l16 = !e.is_load && n.results[k].where == result::place::destination &&
                         n.results[k].merge < 0 && pinned < 0 && n.forms[0].unit != sub_unit::load;
                if (n.results[k].where == result::place::fixed) pinned = n.results[k].index;
            }
            const bool may_take_carried = !e.host_only && n.effect;
            const isa::register_set banned =
                graph_.reserved & ~(may_take_carried ? graph_.carried : isa::register_set{0});
            v.lreg.resize(rows_);
            for (auto& of_row : v.lreg) {
                std::vector<literal> choice;
                for (unsigned r = 0; r < 9; ++r) {
                    const bool can = r == l16      ? in_l16
                                     : pinned >= 0 ? static_cast<int>(r) == pinned
                                                   : !isa::contains(banned, r);
                    of_row[r] = can ? make() : never;
                    if (can) choice.push_back(of_row[r]);
                }
                clauses_.add(choice.empty() ? std::vector<literal>{never} : choice);
                at_most_one(choice);
            }
            // Latency.
            if (e.is_load) {
                v.latency = machine_.latency[static_cast<unsigned>(isa::result_class::load)];
            } else {
                v.latency = n.forms[0].latency;
                const bool same = std::all_of(n.forms.begin(), n.forms.end(),
                                              [&](const form& f) { return f.latency == v.latency; });
                if (!same) {
                    for (const form& f : n.forms) v.latency = std::max(v.latency, f.latency);
                    const int length = horizon_ + static_cast<int>(v.latency) + 1;
                    for (int x = 0; x < length; ++x) v.visible.push_back(make());
                    for (int x = 1; x < length; ++x)
                        add({-v.visible[static_cast<unsigned>(x - 1)], v.visible[static_cast<unsigned>(x)]});
                    for (int x = 0; x < horizon_; ++x)
                        for (std::size_t a = 0; a < n.forms.size(); ++a) {
                            const auto due = static_cast<unsigned>(x) + n.forms[a].latency;
                            add({-at(e, x), -e.alternative[a], v.visible[due]});
                            add({-at(e, x), -e.alternative[a], -v.visible[due - 1]});
                        }
                }
            }
            const auto index = static_cast<int>(instances_.size());
            if (v.value >= 0) instances_of_[static_cast<unsigned>(v.value)].push_back(index);
            if (e.is_load) e.instance = index;
            e.instances.push_back(index);
            instances_.push_back(std::move(v));
        }
    }
}

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
            at_most_one(choice);
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
                for (unsigned r = 0; r < 9; ++r)
                    if (!alias) lreg[p][r] = make();
            for (const auto& [q, i] : e.chosen.back()) {
                const instance& v = instances_[static_cast<unsigned>(i)];
                const event& source = events_[static_cast<unsigned>(v.event)];
                begin(group::definition);
                add({-q, source.used});
                for (unsigned p = 0; p < rows_; ++p) {
                    const auto& of_row = v.lreg[(p + rows_ - distance % rows_) % rows_];
                    if (alias) lreg[p] = of_row;
                    else
                        for (unsigned r = 0; r < 9; ++r) {
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
                clauses_.add(leaf.literals);
                at_most_one(leaf.literals);
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
        const auto begins = [&](int x, std::vector<literal> when) {
            for (int k = 0; k < (stays ? interval_ : 1); ++k) {
                when.push_back(v.alive[static_cast<unsigned>(x + k)]);
                add(when);
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
            const int later = merge ? static_cast<int>(longest) - 1 : n.reads_twice ? 1 : 0;
            const int shift = later + static_cast<int>(n.operands[j].distance) * interval_;
            for (const auto& [q, i] : e.chosen[j]) {
                const instance& v = instances_[static_cast<unsigned>(i)];
                for (int x = 0; x < static_cast<int>(v.alive.size()); ++x)
                    add({-q, -visible(v, x), -from(e, x - shift), v.alive[static_cast<unsigned>(x)]});
            }
        }
    }
}

void formula::tables() {
    begin(group::definition);
    std::set<std::uint32_t> words;
    std::set<unsigned> modes;
    for (const node& n : graph_.nodes) {
        if (n.what == node::kind::store) modes.insert(n.mode);
        for (const form& f : n.forms)
            if (f.can_schedule && f.unit != sub_unit::store) words.insert(f.word);
    }
    classes_.assign(words.begin(), words.end());
    store_modes_.assign(modes.begin(), modes.end());
    store_mode_ = one_of(static_cast<unsigned>(std::max<std::size_t>(1, store_modes_.size())));
    for (unsigned t = 0; t < machine_.templates; ++t) {
        template_class_.push_back(one_of(static_cast<unsigned>(classes_.size()) + 1));
        std::array<std::vector<literal>, field_count> fields;
        for (auto& of_field : fields) {
            for (unsigned r = 0; r < 16; ++r) of_field.push_back(make());
            begin(group::templates);
            at_most_one(of_field);
            begin(group::definition);
        }
        template_field_.push_back(fields);
    }
    // The order of templates means nothing.
    for (unsigned t = 1; t < machine_.templates; ++t)
        for (std::size_t a = 0; a <= classes_.size(); ++a)
            for (std::size_t b = 0; b < a; ++b) add({-template_class_[t - 1][a], -template_class_[t][b]});
    for (unsigned m = 0; m < machine_.macros; ++m) {
        std::array<entry_variables, 4> of_macro;
        for (entry_variables& entry : of_macro) {
            entry.has = make();
            entry.vb = make();
            entry.l16 = make();
            begin(group::macros);
            for (unsigned t = 0; t <= machine_.templates; ++t) entry.in_template.push_back(make());
            at_most_one(entry.in_template);
            for (unsigned d = 0; d < delays_; ++d) entry.delay.push_back(make());
            at_most_one(entry.delay);
            begin(group::definition);
        }
        entries_.push_back(of_macro);
        takes_load_mode_.push_back(make());
    }
    // Nor does the order of macros: those in use come in the order of the loads that first use them.
    for (unsigned m = 0; m < machine_.macros; ++m)
        for (std::size_t k = 0; k < loads_.size(); ++k) {
            if (m == 0) continue;
            std::vector<literal> clause{-events_[static_cast<unsigned>(loads_[k])].macro[m]};
            for (std::size_t earlier = 0; earlier < k; ++earlier)
                clause.push_back(events_[static_cast<unsigned>(loads_[earlier])].macro[m - 1]);
            clauses_.add(clause);
        }
}

void formula::schedule_operations() {
    for (const int oi : operations_) {
        event& e = events_[static_cast<unsigned>(oi)];
        const node& n = graph_.nodes[static_cast<unsigned>(e.node)];
        begin(group::definition);
        e.issued = make();
        e.vb = make();
        e.l16 = make();
        std::vector<literal> parents;
        for (std::size_t k = 0; k < loads_.size(); ++k) parents.push_back(make());
        e.parent = parents;
        at_most_one(parents);
        std::vector<literal> some = parents;
        some.push_back(e.issued);
        add(some);
        for (const literal p : parents) add({-p, -e.issued});
        e.in_template = one_of(machine_.templates + 1);
        e.delay = one_of(delays_ + 1);
        add({-e.issued, e.in_template.back()});
        add({-e.issued, e.delay.back()});
        add({e.issued, -e.delay.back()});
        add({-e.issued, -e.vb});
        add({-e.issued, -e.l16});
        bool can_be_scheduled = false;
        for (std::size_t a = 0; a < n.forms.size(); ++a) {
            if (!n.forms[a].can_schedule) add({-e.alternative[a], e.issued});
            if (!n.forms[a].can_issue) add({-e.alternative[a], -e.issued});
            can_be_scheduled |= n.forms[a].can_schedule;
        }
        if (!can_be_scheduled) continue;
        const bool store = n.what == node::kind::store;
        for (std::size_t k = 0; k < loads_.size(); ++k) {
            const event& l = events_[static_cast<unsigned>(loads_[k])];
            const node& ln = graph_.nodes[static_cast<unsigned>(l.node)];
            const literal p = e.parent[k];
            begin(group::definition);
            add({-p, l.used});
            add({-p, -l.macro.back()});
            begin(group::delays);
            for (int x = 0; x < horizon_; ++x)
                for (unsigned d = 0; d < delays_; ++d)
                    add({-p, -at(l, x), -e.delay[d], at(e, x + 1 + static_cast<int>(d))});
            begin(group::definition);
            if (store) {
                if (ln.address != n.address) add({-p});
                for (unsigned m = 0; m < machine_.macros; ++m) {
                    if (ln.mode != n.mode) add({-p, -l.macro[m], -takes_load_mode_[m]});
                    const auto mode = static_cast<std::size_t>(
                        std::find(store_modes_.begin(), store_modes_.end(), n.mode) - store_modes_.begin());
                    add({-p, -l.macro[m], takes_load_mode_[m], store_mode_[mode]});
                }
            }
            for (std::size_t a = 0; a < n.forms.size(); ++a) {
                const form& f = n.forms[a];
                if (!f.can_schedule) continue;
                begin(group::macros);
                for (unsigned m = 0; m < machine_.macros; ++m) {
                    const entry_variables& entry = entries_[m][number(f.unit)];
                    const std::vector<literal> when{-p, -e.alternative[a], -l.macro[m]};
                    const auto then = [&](std::initializer_list<literal> more) {
                        std::vector<literal> clause = when;
                        clause.insert(clause.end(), more);
                        add(clause);
                    };
                    then({entry.has});
                    for (unsigned t = 0; t <= machine_.templates; ++t)
                        then({-e.in_template[t], entry.in_template[t]});
                    for (unsigned d = 0; d < delays_; ++d) then({-e.delay[d], entry.delay[d]});
                    then({-e.vb, entry.vb});
                    then({e.vb, -entry.vb});
                    then({-e.l16, entry.l16});
                    then({e.l16, -entry.l16});
                }
            }
        }
    }
    // All loads of a macro share its sequence: each entry is an instruction of each of them, and only one.
    for (std::size_t k = 0; k < loads_.size(); ++k) {
        const event& l = events_[static_cast<unsigned>(loads_[k])];
        for (const sub_unit unit : {sub_unit::simple, sub_unit::mad, sub_unit::round, sub_unit::store}) {
            std::vector<literal> placed;
            begin(group::definition);
            for (const int oi : operations_) {
                const event& e = events_[static_cast<unsigned>(oi)];
                const node& n = graph_.nodes[static_cast<unsigned>(e.node)];
                const std::vector<literal> before = placed;
                literal any = 0;
                for (std::size_t a = 0; a < n.forms.size(); ++a) {
                    if (n.forms[a].unit != unit || !n.forms[a].can_schedule) continue;
                    if (!any) any = make();
                    add({any, -e.parent[k], -e.alternative[a]});
                    add({-any, e.parent[k]});
                }
                if (!any) continue;
                std::vector<literal> back{-any};
                for (std::size_t a = 0; a < n.forms.size(); ++a)
                    if (n.forms[a].unit == unit && n.forms[a].can_schedule) back.push_back(e.alternative[a]);
                add(back);
                placed.push_back(any);
            }
            begin(group::macros);
            at_most_one(placed);
            for (unsigned m = 0; m < machine_.macros; ++m) {
                std::vector<literal> clause{-l.macro[m], -entries_[m][number(unit)].has};
                clause.insert(clause.end(), placed.begin(), placed.end());
                add(clause);
            }
        }
    }
}

void formula::operand_rules(event& e) {
    const node& n = graph_.nodes[static_cast<unsigned>(e.node)];
    const bool store = n.what == node::kind::store;
    // The register of the load that schedules the operation.
    registers_of loaded(rows_);
    begin(group::definition);
    for (unsigned p = 0; p < rows_; ++p) {
        loaded[p].fill(never);
        for (unsigned r = 0; r < 8; ++r) {
            loaded[p][r] = make();
            for (std::size_t k = 0; k < loads_.size(); ++k) {
                const event& l = events_[static_cast<unsigned>(loads_[k])];
                add({-e.parent[k], -instances_[static_cast<unsigned>(l.instance)].lreg[p][r], loaded[p][r]});
            }
        }
        at_most_one({loaded[p].begin(), loaded[p].begin() + 8});
    }
    const auto lreg_of_result = [&](std::size_t k) -> const registers_of& {
        return instances_[static_cast<unsigned>(e.instances[k])].lreg;
    };
    const auto equal = [&](std::vector<literal> when, const registers_of& a, const registers_of& b) {
        for (unsigned p = 0; p < rows_; ++p)
            for (unsigned r = 0; r < 9; ++r) {
                if (a[p][r] == never && b[p][r] == never) continue;
                when.push_back(-a[p][r]);
                when.push_back(b[p][r]);
                add(when);
                when.resize(when.size() - 2);
                when.push_back(a[p][r]);
                when.push_back(-b[p][r]);
                add(when);
                when.resize(when.size() - 2);
            }
    };
    /// The operand stands in the loaded register.
    const auto in_loaded = [&](std::vector<literal> when, int j) {
        if (n.operands[static_cast<unsigned>(j)].value < 0 &&
            n.operands[static_cast<unsigned>(j)].constant >= 8) {
            add(when);
            return;
        }
        for (unsigned p = 0; p < rows_; ++p)
            for (unsigned r = 0; r < 8; ++r) {
                std::vector<literal> clause = when;
                clause.push_back(-loaded[p][r]);
                clause.push_back(e.reads_from[static_cast<unsigned>(j)][p][r]);
                add(clause);
            }
    };
    /// The operand stands in the register that a field of the template names.
    const auto in_template = [&](const std::vector<literal>& when, int j, unsigned f) {
        const operand& o = n.operands[static_cast<unsigned>(j)];
        const group kept = group_;
        begin(group::templates);
        for (unsigned t = 0; t < machine_.templates; ++t) {
            std::vector<literal> clause = when;
            clause.push_back(-e.in_template[t]);
            if (o.value < 0) {
                clause.push_back(template_field_[t][f][static_cast<unsigned>(o.constant)]);
                add(clause);
                continue;
            }
            for (unsigned p = 0; p < rows_; ++p)
                for (unsigned r = 0; r < 8; ++r) {
                    if (e.reads_from[static_cast<unsigned>(j)][p][r] == never) continue;
                    std::vector<literal> each = clause;
                    each.push_back(-e.reads_from[static_cast<unsigned>(j)][p][r]);
                    each.push_back(template_field_[t][f][r]);
                    add(each);
                }
        }
        begin(kept);
    };
    /// The operand stands in a register of this number.
    const auto in_register = [&](std::vector<literal> when, int j, int reg) {
        const operand& o = n.operands[static_cast<unsigned>(j)];
        if (o.value < 0) {
            if (o.constant != reg) add(when);
            return;
        }
        for (unsigned p = 0; p < rows_; ++p) {
            std::vector<literal> clause = when;
            clause.push_back(reg < 8 ? e.reads_from[static_cast<unsigned>(j)][p][static_cast<unsigned>(reg)]
                                     : never);
            add(clause);
        }
    };

    for (const auto& [j, reg] : n.fixed_operands) in_register({}, j, reg);
    for (std::size_t k = 0; k < n.results.size(); ++k) {
        const result& out = n.results[k];
        if (out.where == result::place::tied)
            equal({}, e.reads_from[static_cast<unsigned>(out.index)], lreg_of_result(k));
        if (out.merge >= 0) equal({}, e.reads_from[static_cast<unsigned>(out.merge)], lreg_of_result(k));
        for (unsigned p = 0; p < rows_; ++p) {
            const auto& lreg = lreg_of_result(k)[p];
            if (out.where == result::place::destination) {
                // Scheduled results go to the loaded register or to L16, and only they go there.
                for (unsigned r = 0; r < 8; ++r) add({e.issued, e.l16, -loaded[p][r], lreg[r]});
                add({-e.l16, lreg[l16]});
                add({e.l16, -lreg[l16]});
            }
        }
    }
    if (!store && (n.results.empty() || n.results[0].where != result::place::destination)) add({-e.l16});

    for (std::size_t a = 0; a < n.forms.size(); ++a) {
        const form& f = n.forms[a];
        const literal other = -e.alternative[a], issued = e.issued, scheduled = -e.issued;
        begin(group::definition);
        if (store) {
            const int j = f.operand_of[vd];
            if (j < 0) continue; // zeros
            const registers_of& reads = e.reads_from[static_cast<unsigned>(j)];
            const bool constant = n.operands[static_cast<unsigned>(j)].value < 0 &&
                                  n.operands[static_cast<unsigned>(j)].constant >= 8;
            if (constant) {
                add({other, issued}); // only a template could name it
                // Issued, a VD of 12 and above writes a template.
                if (n.operands[static_cast<unsigned>(j)].constant >= 12) add({other});
                continue;
            }
            add({other, issued, e.in_template.back()});
            for (unsigned p = 0; p < rows_; ++p) {
                add({other, issued, -e.l16, reads[p][l16]});
                add({other, e.l16, -reads[p][l16]});
                add({other, issued, e.l16, -e.vb, reads[p][0]}); // SFPSTORE of selector 3 has VD 0
            }
            in_loaded({other, issued, e.l16, e.vb}, j);
            continue;
        }
        if (f.can_schedule) {
            for (unsigned t = 0; t < machine_.templates; ++t) {
                const auto c = static_cast<std::size_t>(std::find(classes_.begin(), classes_.end(), f.word) -
                                                        classes_.begin());
                begin(group::templates);
                add({other, -e.in_template[t], template_class_[t][c]});
                begin(group::definition);
            }
            add({other, issued, -e.in_template.back()});
        }
        const auto operand_in = [&](unsigned which) { return f.operand_of[which]; };
        bool vb_matters = false;
        if (const int j = operand_in(va); j >= 0 && f.can_schedule) in_template({other, issued}, j, va);
        if (const int j = operand_in(vb); j >= 0) {
            vb_matters = true;
            if (f.can_schedule) {
                in_loaded({other, issued, -e.vb}, j);
                if (f.wired[vb] >= 0) in_register({other, issued, e.vb}, j, f.wired[vb]);
                else in_template({other, issued, e.vb}, j, f.template_has_vb ? vb : vd);
            }
            if (f.wired[vb] >= 0) in_register({other, scheduled}, j, f.wired[vb]);
        }
        if (const int j = operand_in(vc); j >= 0) {
            vb_matters = true;
            if (f.can_schedule) {
                in_template({other, issued, -e.vb}, j, f.template_has_vc ? vc : vd);
                in_loaded({other, issued, e.vb}, j);
            }
        }
        if (!vb_matters) add({other, -e.vb});
        // Issued: an operand that stands where the result goes.
        const auto tie = [&](int j) {
            if (j < 0) return;
            if (n.operands[static_cast<unsigned>(j)].value < 0) {
                // The result takes the place of a constant: lost in L8 and above, and others must stay.
                if (!n.results.empty()) add({other, scheduled});
                return;
            }
            if (!n.results.empty() && n.results[0].where == result::place::destination)
                equal({other, scheduled}, e.reads_from[static_cast<unsigned>(j)], lreg_of_result(0));
        };
        if (f.vb_is_vd) tie(operand_in(vb));
        if (f.vc_is_vd) tie(operand_in(vc));
        // A result that is lost in a constant cannot go elsewhere: macros write what they load.
    }
}

void formula::keep_lanes_of_loads() {
    // A load that leaves lanes or halves of a register alone goes to the register that holds them.
    begin(group::definition);
    for (const int li : loads_) {
        const event& e = events_[static_cast<unsigned>(li)];
        if (e.host_only) continue;
        const node& n = graph_.nodes[static_cast<unsigned>(e.node)];
        for (const result& out : n.results) {
            if (out.merge < 0) continue;
            const registers_of &reads = e.reads_from[static_cast<unsigned>(out.merge)],
                               &writes = instances_[static_cast<unsigned>(e.instance)].lreg;
            for (unsigned p = 0; p < rows_; ++p)
                for (unsigned r = 0; r < 9; ++r) {
                    add({-reads[p][r], writes[p][r]});
                    add({reads[p][r], -writes[p][r]});
                }
        }
    }
}

void formula::occupy() {
    const auto add_slot = [&](literal q, const event& e, std::vector<literal> when, int slot, int shift) {
        for (int x = 0; x < horizon_; ++x) {
            if ((x + shift) % interval_ != slot) continue;
            std::vector<literal> clause = when;
            clause.push_back(-at(e, x));
            clause.push_back(q);
            add(clause);
        }
    };
    struct busy {
        int event;
        unsigned unit;
        std::vector<literal> slot;
    };
    std::vector<busy> simple_and_round;
    for (int s = 0; s < interval_; ++s) {
        const auto slot = static_cast<unsigned>(s);
        for (const int li : loads_) {
            begin(group::definition);
            const literal q = make();
            add_slot(q, events_[static_cast<unsigned>(li)], {}, s, 0);
            issue_slots_[slot].push_back(q);
        }
        for (const int oi : operations_) {
            const event& e = events_[static_cast<unsigned>(oi)];
            const node& n = graph_.nodes[static_cast<unsigned>(e.node)];
            begin(group::definition);
            const literal q = make();
            add_slot(q, e, {-e.issued}, s, 0);
            issue_slots_[slot].push_back(q);
            std::set<unsigned> units;
            for (const form& f : n.forms) units.insert(number(f.unit));
            for (const unsigned unit : units) {
                if (unit == number(sub_unit::load)) continue;
                begin(group::definition);
                const literal u = make();
                for (std::size_t a = 0; a < n.forms.size(); ++a)
                    if (number(n.forms[a].unit) == unit) {
                        // With a second MAD unit, what is issued steps aside.
                        if (unit == number(sub_unit::mad) && machine_.mad_units > 1)
                            add_slot(u, e, {-e.alternative[a], e.issued}, s, 0);
                        else add_slot(u, e, {-e.alternative[a]}, s, 0);
                    }
                unit_slots_[unit][slot].push_back(u);
                if (unit == number(sub_unit::simple) || unit == number(sub_unit::round)) {
                    if (s == 0) simple_and_round.push_back({oi, unit, {}});
                    for (busy& each : simple_and_round)
                        if (each.event == oi && each.unit == unit) each.slot.push_back(u);
                }
            }
            // Two cycles (T8).
            for (std::size_t a = 0; a < n.forms.size(); ++a) {
                const isa::latency_class latency = n.forms[a].insn.latency;
                const bool swap = latency == isa::latency_class::swap;
                if (!swap && latency != isa::latency_class::shuffle) continue;
                begin(group::write_port);
                for (const sub_unit unit : {sub_unit::simple, sub_unit::round}) {
                    const literal second = make();
                    add_slot(second, e, {-e.alternative[a]}, s, 1);
                    unit_slots_[number(unit)][slot].push_back(second);
                }
                if (swap) {
                    const literal idle = make();
                    add_slot(idle, e, {-e.alternative[a]}, s, 0);
                    unit_slots_[number(sub_unit::mad)][slot].push_back(idle);
                }
                begin(group::stalls);
                const literal nothing = make();
                add_slot(nothing, e, {-e.alternative[a], -e.issued}, s, 1);
                issue_slots_[slot].push_back(nothing);
            }
        }
    }
    for (unsigned slot = 0; slot < static_cast<unsigned>(interval_); ++slot) {
        begin(group::issue_slots);
        at_most_one(issue_slots_[slot]);
        for (const sub_unit unit : {sub_unit::simple, sub_unit::mad, sub_unit::round, sub_unit::store}) {
            begin(group_of(unit));
            at_most_one(unit_slots_[number(unit)][slot]);
        }
    }
    if (!machine_.write_port_rule) return;
    begin(group::write_port);
    for (const busy& a : simple_and_round) {
        for (const busy& b : simple_and_round) {
            if (a.event == b.event || a.unit != number(sub_unit::simple) || b.unit != number(sub_unit::round))
                continue;
            const event &ea = events_[static_cast<unsigned>(a.event)],
                        &eb = events_[static_cast<unsigned>(b.event)];
            if (ea.instances.empty() || eb.instances.empty()) continue;
            for (std::size_t s = 0; s < a.slot.size(); ++s) {
                add({-a.slot[s], -b.slot[s], ea.l16, eb.l16});
                add({-a.slot[s], -b.slot[s], -ea.l16, -eb.l16});
            }
        }
    }
}

literal formula::same_register(const instance& v, unsigned row_v, const instance& w, unsigned row_w) {
    literal same = never;
    for (unsigned r = 0; r < 9; ++r) {
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

void formula::keep_flags() {
    const auto& writers = graph_.flag_writers;
    const auto event_of = [&](int node_index) -> const event& {
        for (const event& e : events_)
            if (e.node == node_index && !e.host_only && !e.is_load) return e;
        return events_.front();
    };
    if (writers.empty()) return;
    begin(group::lane_flags);
    const unsigned count = static_cast<unsigned>(writers.size());
    const event &first = event_of(writers.front()), &last = event_of(writers.back());
    for (unsigned j = 0; j + 1 < count; ++j) {
        const event &a = event_of(writers[j]), &b = event_of(writers[j + 1]);
        for (int x = 0; x < horizon_; ++x) add({-at(a, x), from(b, x + 1)});
    }
    for (int x = 0; x < horizon_; ++x) add({-at(first, x), -from(last, x + interval_)});
    // Slots in which some lanes may be off.
    std::vector<literal> off;
    for (int s = 0; s < interval_; ++s) off.push_back(make());
    for (unsigned j = 1; j <= count; ++j) {
        if (graph_.all_on[j]) continue;
        const event& a = event_of(writers[j - 1]);
        for (int x = 0; x < horizon_ + interval_; ++x) {
            const literal until = j < count ? from(event_of(writers[j]), x) : from(first, x - interval_);
            add({from(a, x), -until, off[static_cast<unsigned>(x % interval_)]});
        }
    }
    for (const event& e : events_) {
        const node& n = graph_.nodes[static_cast<unsigned>(e.node)];
        if (e.host_only || !n.reads_flags || n.writes_flags) continue;
        const unsigned j = n.version;
        const literal anywhere = graph_.all_on[j] ? always : n.more_lanes_allowed ? make() : never;
        for (int x = 0; x < horizon_; ++x) {
            if (anywhere != never) add({-anywhere, -at(e, x), -off[static_cast<unsigned>(x % interval_)]});
            if (anywhere == always) continue;
            // t(writer j) < t <= t(writer j + 1); version 0 is what the last writer of the row before left.
            if (j > 0) add({anywhere, -at(event_of(writers[j - 1]), x), -e.used, from(e, x + 1)});
            else add({anywhere, -at(last, x), -e.used, from(e, x - interval_ + 1)});
            if (j < count) add({anywhere, -at(event_of(writers[j]), x), -from(e, x + 1)});
            else add({anywhere, -at(first, x), -from(e, x + interval_ + 1)});
        }
    }
}

void formula::keep_memory() {
    begin(group::dst_order);
    for (const memory_order& order : graph_.memory) {
        const node& one = graph_.nodes[static_cast<unsigned>(order.first)];
        const int delta = order.store_to_load            ? static_cast<int>(machine_.store_load_visible)
                          : one.what == node::kind::load ? 0
                                                         : 1;
        for (const event& a : events_) {
            if (a.node != order.first || a.host_only) continue;
            for (const event& b : events_) {
                if (b.node != order.second || b.host_only) continue;
                for (int x = 0; x < horizon_; ++x) {
                    const int earliest = x + delta - order.rows * interval_;
                    if (earliest > 0) add({-at(a, x), -b.used, from(b, earliest)});
                }
            }
        }
    }
}

void formula::keep_frame() {
    begin(group::definition);
    frame_ = one_of(static_cast<unsigned>((horizon_ + interval_ - 1) / interval_));
    begin(group::effects);
    for (const event& e : events_) {
        const node& n = graph_.nodes[static_cast<unsigned>(e.node)];
        if (e.host_only) continue;
        for (int x = 0; x < horizon_; ++x) {
            const literal here = frame_[static_cast<unsigned>(x / interval_)];
            if (!n.effect) {
                // Nor does anything go to L16 for them, where nobody would take it.
                if (!e.is_load && n.what == node::kind::operation)
                    for (std::size_t k = 0; k < loads_.size(); ++k)
                        add({-e.parent[k], limits_.macros_in_frame ? never : -e.l16,
                             -at(events_[static_cast<unsigned>(loads_[k])], x), here});
                continue;
            }
            if (e.is_load) {
                add({-at(e, x), here});
                continue;
            }
            add({-e.issued, -at(e, x), here});
            for (std::size_t k = 0; k < loads_.size(); ++k)
                add({-e.parent[k], -at(events_[static_cast<unsigned>(loads_[k])], x), here});
        }
    }
}

void formula::keep_issue_rules() {
    // T16, T17: nothing that is issued reads a register whose new value an issued instruction of the MAD class brings.
    begin(group::stalls);
    struct issue {
        int event;
        std::vector<literal> slot;
    };
    const auto slots_of = [&](const event& e, int first, int last) {
        std::vector<literal> slot;
        for (int s = 0; s < period_; ++s) slot.push_back(make());
        for (int x = 0; x < horizon_; ++x)
            for (int k = first; k <= last; ++k)
                add({-e.issued, -at(e, x), slot[static_cast<unsigned>((x + k) % period_)]});
        return slot;
    };
    std::vector<issue> readers;
    for (std::size_t ei = 0; ei < events_.size(); ++ei) {
        const event& e = events_[ei];
        if (!e.host_only && !e.chosen.empty()) readers.push_back({static_cast<int>(ei), slots_of(e, 0, 0)});
    }
    for (const int oi : operations_) {
        const event& a = events_[static_cast<unsigned>(oi)];
        const node& n = graph_.nodes[static_cast<unsigned>(a.node)];
        unsigned latency = 1;
        for (const form& f : n.forms)
            if (f.unit == sub_unit::mad) latency = std::max(latency, f.latency);
        if (latency < 2) continue;
        const std::vector<literal> flying = slots_of(a, 1, static_cast<int>(latency) - 1);
        for (const int ri : a.instances) {
            const instance& v = instances_[static_cast<unsigned>(ri)];
            for (const issue& reader : readers) {
                const event& b = events_[static_cast<unsigned>(reader.event)];
                const node& bn = graph_.nodes[static_cast<unsigned>(b.node)];
                const auto avoid = [&](const registers_of& lreg, literal when) {
                    for (unsigned q = 0; q < rows_; ++q)
                        for (int s = 0; s < period_; ++s) {
                            const int other =
                                ((s - static_cast<int>(q) * interval_) % period_ + period_) % period_;
                            for (unsigned r = 0; r < 8; ++r) {
                                if (v.lreg[0][r] == never || lreg[q][r] == never) continue;
                                add({-when, -flying[static_cast<unsigned>(s)],
                                     -reader.slot[static_cast<unsigned>(other)], -v.lreg[0][r], -lreg[q][r]});
                            }
                        }
                };
                for (const registers_of& lreg : b.reads_from) avoid(lreg, always);
                if (b.is_load || b.instances.empty()) continue;
                if (bn.reads_by_number) {
                    registers_of any(rows_);
                    for (auto& of_row : any) of_row.fill(always);
                    avoid(any, always); // INDIRECT_VA counts as reading every register
                    continue;
                }
                // Forms whose VD the stall logic takes for an operand.
                for (std::size_t f = 0; f < bn.forms.size(); ++f) {
                    isa::instruction probe = bn.forms[f].insn;
                    probe.va = probe.vb = probe.vc = 0;
                    probe.vd = 5;
                    const bool seen = isa::contains(probe.op->use(probe, machine_.chip).seen_reads, 5) &&
                                      !bn.forms[f].vb_is_vd;
                    if (seen) avoid(instances_[static_cast<unsigned>(b.instances[0])].lreg, b.alternative[f]);
                }
            }
        }
    }
}

void formula::survive_bubbles() {
    // A bubble before the word of tick t: what is scheduled for t executes before it. Whatever counts on the word's being
    // at least as early must not be there.
    begin(group::dependences);
    std::vector<std::vector<literal>> slot(events_.size());
    for (std::size_t i = 0; i < events_.size(); ++i) {
        for (int s = 0; s < period_; ++s) slot[i].push_back(make());
        for (int x = 0; x < horizon_; ++x)
            add({-at(events_[i], x), slot[i][static_cast<unsigned>(x % period_)]});
    }
    const auto shifted = [&](std::size_t e, int s, unsigned row) {
        return slot[e][static_cast<unsigned>(
            ((s - static_cast<int>(row) * interval_) % period_ + 2 * period_) % period_)];
    };
    for (const int oi : operations_) {
        const auto w = static_cast<std::size_t>(oi);
        const event& writer = events_[w];
        const node& wn = graph_.nodes[static_cast<unsigned>(writer.node)];
        unsigned latency = 1;
        for (const form& f : wn.forms) latency = std::max(latency, f.latency);
        for (const int ri : writer.instances) {
            const instance& v = instances_[static_cast<unsigned>(ri)];
            for (std::size_t i = 0; i < events_.size(); ++i) {
                const event& e = events_[i];
                if (e.host_only) continue;
                for (unsigned q = 0; q < rows_; ++q)
                    for (int s = 0; s < period_; ++s)
                        for (const registers_of& lreg : e.reads_from)
                            for (unsigned r = 0; r < 9; ++r) {
                                if (v.lreg[0][r] == never || lreg[q][r] == never) continue;
                                const literal same_v = -v.lreg[0][r], same_o = -lreg[q][r];
                                const literal sw = -slot[w][static_cast<unsigned>(s)];
                                for (int k = 0; k < static_cast<int>(latency); ++k) {
                                    // Scheduled writer: issued readers from its own cycle on, scheduled ones behind it.
                                    if (i != w)
                                        add({writer.issued, sw, -e.issued, -shifted(i, s + k, q), same_v,
                                             same_o});
                                    if (k > 0 && !e.is_load)
                                        add({writer.issued, sw, e.issued, -shifted(i, s + k, q), same_v,
                                             same_o});
                                    // Issued writer of two cycles: issued readers behind it.
                                    if (k > 0)
                                        add({-writer.issued, sw, -e.issued, -shifted(i, s + k, q), same_v,
                                             same_o});
                                }
                            }
            }
            // Quick writers beside a slow scheduled one.
            if (latency < 2) continue;
            for (std::size_t j = 0; j < instances_.size(); ++j) {
                const instance& other = instances_[j];
                if (static_cast<int>(w) == other.event || other.latency >= latency) continue;
                const auto i = static_cast<std::size_t>(other.event);
                for (unsigned q = 0; q < rows_; ++q)
                    for (int s = 0; s < period_; ++s)
                        for (unsigned r = 0; r < 8; ++r) {
                            if (v.lreg[0][r] == never || other.lreg[q][r] == never) continue;
                            for (int k = 0; k + static_cast<int>(other.latency) < static_cast<int>(latency);
                                 ++k)
                                add({writer.issued, -slot[w][static_cast<unsigned>(s)], -shifted(i, s + k, q),
                                     -v.lreg[0][r], -other.lreg[q][r],
                                     events_[i].is_load ? never : -events_[i].issued});
                        }
            }
        }
        // Lane flags and Dst: what is issued beside them would see the new state.
        const bool store = wn.what == node::kind::store;
        if (!wn.writes_flags && !store) continue;
        for (std::size_t i = 0; i < events_.size(); ++i) {
            const event& e = events_[i];
            if (i == w || e.host_only) continue;
            const node& n = graph_.nodes[static_cast<unsigned>(e.node)];
            bool meets = wn.writes_flags && n.reads_flags;
            if (store && n.what != node::kind::operation)
                for (const memory_order& order : graph_.memory)
                    meets |= (order.first == e.node && order.second == writer.node) ||
                             (order.second == e.node && order.first == writer.node);
            if (!meets) continue;
            for (int s = 0; s < interval_; ++s)
                for (unsigned p = 0; p < rows_; ++p)
                    for (unsigned q = 0; q < rows_; ++q)
                        add({writer.issued, -e.issued, -shifted(w, s, p), -shifted(i, s, q)});
        }
    }
}

schedule formula::read(const std::vector<bool>& model) const {
    const auto is = [&](literal each) {
        if (each == always) return true;
        if (each == never) return false;
        return each > 0 ? static_cast<bool>(model[static_cast<unsigned>(each)])
                        : !model[static_cast<unsigned>(-each)];
    };
    const auto which = [&](const auto& literals) {
        int found = -1;
        for (std::size_t i = 0; i < literals.size(); ++i)
            if (is(literals[i])) found = static_cast<int>(i);
        return found;
    };
    const auto lregs = [&](const registers_of& of) {
        std::vector<unsigned> found;
        for (const auto& of_row : of) {
            const int r = which(of_row);
            found.push_back(r == static_cast<int>(l16) ? isa::macro_lreg
                                                       : static_cast<unsigned>(std::max(r, 0)));
        }
        return found;
    };
    schedule found;
    found.interval = limits_.interval;
    found.rows = rows_;
    found.frame = static_cast<unsigned>(std::max(0, which(frame_)));
    std::vector<int> place(loads_.size(), -1);
    for (std::size_t k = 0; k < loads_.size(); ++k) {
        const event& e = events_[static_cast<unsigned>(loads_[k])];
        if (!is(e.used)) continue;
        placed_load load;
        load.node = e.node;
        load.host_only = e.host_only;
        load.copy = e.copy;
        load.time = static_cast<unsigned>(which(e.at));
        const int macro = which(e.macro);
        load.macro = macro == static_cast<int>(machine_.macros) ? -1 : macro;
        load.lreg = lregs(instances_[static_cast<unsigned>(e.instance)].lreg);
        place[k] = static_cast<int>(found.loads.size());
        found.last_time = std::max(found.last_time, load.time);
        found.loads.push_back(std::move(load));
    }
    found.templates.assign(machine_.templates, 0);
    found.template_needs_vd.assign(machine_.templates, false);
    found.macros.resize(machine_.macros);
    for (unsigned m = 0; m < machine_.macros; ++m)
        found.store_takes_load_mode.push_back(is(takes_load_mode_[m]));
    found.store_mode = store_modes_.empty() ? 0 : store_modes_[static_cast<unsigned>(which(store_mode_))];
    for (const int oi : operations_) {
        const event& e = events_[static_cast<unsigned>(oi)];
        const node& n = graph_.nodes[static_cast<unsigned>(e.node)];
        placed_operation o;
        o.node = e.node;
        o.time = static_cast<unsigned>(which(e.at));
        o.how = static_cast<unsigned>(which(e.alternative));
        o.issued = is(e.issued);
        found.last_time = std::max(found.last_time, o.time);
        for (std::size_t j = 0; j < n.operands.size(); ++j) {
            // The operand's own place among operands of a chain is that of what it reads.
            if (n.operands[j].value < 0)
                o.operand_lreg.emplace_back(rows_, static_cast<unsigned>(n.operands[j].constant));
            else o.operand_lreg.push_back(lregs(e.reads_from[j]));
        }
        for (const int i : e.instances)
            o.result_lreg.push_back(lregs(instances_[static_cast<unsigned>(i)].lreg));
        if (!o.issued) {
            o.parent = place[static_cast<unsigned>(which(e.parent))];
            o.delay = static_cast<unsigned>(which(e.delay));
            const int t = which(e.in_template);
            o.instruction_template = t == static_cast<int>(machine_.templates) ? -1 : t;
            o.vb_is_loaded = is(e.vb);
            o.to_l16 = is(e.l16);
            const form& f = n.forms[o.how];
            if (o.instruction_template >= 0) {
                std::array<int, field_count> fields{};
                for (unsigned which_field = 0; which_field < field_count; ++which_field) {
                    const int r = which(template_field_[static_cast<unsigned>(t)][which_field]);
                    fields[which_field] = std::max(r, 0);
                }
                found.templates[static_cast<unsigned>(t)] = word_with(f, fields);
                const bool from_vd = o.vb_is_loaded
                                         ? f.operand_of[vc] >= 0 && !f.template_has_vc
                                         : f.operand_of[vb] >= 0 && !f.template_has_vb && f.wired[vb] < 0;
                if (from_vd) found.template_needs_vd[static_cast<unsigned>(t)] = true;
            }
            macro_entry& entry =
                found.macros[static_cast<unsigned>(found.loads[static_cast<unsigned>(o.parent)].macro)]
                            [number(f.unit)];
            entry = {true, o.instruction_template, o.delay, o.vb_is_loaded, o.to_l16};
        }
        found.operations.push_back(std::move(o));
    }
    return found;
}

} // namespace sfpu::optimizer
