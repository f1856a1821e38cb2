// Variables of events, times and results; the schedule of a model.
#include "formula_parts.h"

#include <algorithm>
#include <cstring>
#include <set>
#include <stdexcept>

namespace sfpu::optimizer {

using isa::sub_unit;

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
    }
    return "?";
}

const char* reason_of(spare why) {
    switch (why) {
    case spare::none: return "";
    case spare::copies_in_order: return "symmetry: copies of a load change places";
    case spare::templates_in_order: return "symmetry: templates change places";
    case spare::begins_at_once: return "symmetry: a row may begin whole intervals later";
    case spare::nothing_for_nobody: return "a load whose value nobody reads is of use only to a macro";
    case spare::nothing_for_none: return "holds only where it is assumed";
    case spare::bits_without_meaning:
        return "symmetry: template, delay and VB bit of what is issued, and bits that its instruction "
               "ignores";
    case spare::one_of_each:
        return "implied: a second source, host or loaded register asks for more than the first alone";
    case spare::entries_have_one_delay:
        return "implied: two instructions of an entry would execute in one cycle of its sub-unit";
    case spare::nothing_looks_lost:
        return "right on the machine, but the linter would find a result in L16 that no row takes";
    case spare::slots_are_counted:
        return "implied: one word a slot, and one instruction of a sub-unit for each load";
    case spare::registers_in_order: return "symmetry: registers that nothing distinguishes change places";
    case spare::loop_begins_with_an_effect: return "symmetry: a loop begins with any of its cycles";
    }
    return "?";
}

std::string clause_site::text() const {
    const std::string path = file;
    return path.substr(path.find_last_of('/') + 1) + ":" + std::to_string(line);
}

bool operator<(const clause_site& a, const clause_site& b) {
    return a.file != b.file ? std::strcmp(a.file, b.file) < 0 : a.line < b.line;
}

formula::formula(const graph& of, const isa::machine& machine, const formula_limits& limits)
    : graph_(of), machine_(machine), limits_(limits) {
    assumption_.fill(always);
    distinguished_ = of.reserved | of.carried;
    if (limits_.with_groups)
        for (unsigned g = 1; g < group_count; ++g) assumption_[g] = make();
    rows_ = limits.rows;
    interval_ = static_cast<int>(limits.interval);
    horizon_ = static_cast<int>(std::max(limits.horizon, limits.interval));
    period_ = interval_ * static_cast<int>(rows_);
    // One entry is made in a cycle, so that no more than `slots` wait if no delay is longer.
    delays_ = std::min(machine.longest_delay() + 1u, machine.slots);
    for (auto& unit : unit_slots_) unit.resize(limits.interval);
    for (auto* each : {&issue_slots_, &load_slots_, &held_slots_}) each->resize(limits.interval);
    make_events();
    make_instances();
    choose_operands();
    if (!limits_.one_row) make_lifetimes();
    tables();
    schedule_operations();
    for (const int o : operations_) operand_rules(events_[static_cast<unsigned>(o)]);
    if (limits_.one_row) {
        keep_structure(*limits_.keep);
        return;
    }
    keep_lanes_of_loads();
    occupy();
    keep_registers();
    keep_flags();
    keep_memory();
    keep_frame();
    keep_issue_rules();
    keep_pairs();
    if (limits_.bubble_proof) survive_bubbles();
    if (limits_.keep) keep_structure(*limits_.keep);
    if (limits_.no_macros) issue_everything();
    count_words();
    if (limits_.one_of_many) mean_one_of_many();
    if (!limits_.broken_site.empty()) clauses_.add(broken_);
}

bool formula::is_broken(const clause_site& site) const {
    return !limits_.broken_site.empty() && site.text() == limits_.broken_site;
}

void formula::add(std::vector<literal> clause, clause_site site) {
    sites_.emplace(site, clause_role{group_, spare_});
    if (limits_.without == group_) return;
    if (is_broken(site)) {
        const literal broken = make();
        for (const literal each : clause) clauses_.add({-broken, -each});
        broken_.push_back(broken);
        return;
    }
    if (const literal on = assumption_[static_cast<unsigned>(group_)]; on != always) clause.push_back(-on);
    clauses_.add(clause);
}

void formula::at_most_one(std::vector<literal> literals, clause_site site) {
    literals.erase(std::remove(literals.begin(), literals.end(), never), literals.end());
    if (literals.size() <= 6 || is_broken(site)) { // broken by two of them, not by what helps to count
        for (std::size_t i = 0; i < literals.size(); ++i)
            for (std::size_t j = i + 1; j < literals.size(); ++j) add({-literals[i], -literals[j]}, site);
        return;
    }
    literal before = 0;
    for (const literal each : literals) {
        const literal here = make();
        add({-each, here}, site);
        if (before) {
            add({-before, here}, site);
            add({-before, -each}, site);
        }
        before = here;
    }
}

void formula::at_most_two(const std::vector<literal>& literals, clause_site site) {
    if (is_broken(site)) {
        for (std::size_t i = 0; i < literals.size(); ++i)
            for (std::size_t j = i + 1; j < literals.size(); ++j)
                for (std::size_t k = j + 1; k < literals.size(); ++k)
                    add({-literals[i], -literals[j], -literals[k]}, site);
        return;
    }
    literal one = 0, two = 0; // so many are before
    for (const literal each : literals) {
        const literal one_here = make(), two_here = make();
        add({-each, one_here}, site);
        if (one) {
            add({-one, one_here}, site);
            add({-one, -each, two_here}, site);
            add({-two, two_here}, site);
            add({-two, -each}, site);
        }
        one = one_here;
        two = two_here;
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
        if (host_only) {
            const implied it(*this, spare::nothing_for_nobody);
            add({-e.used, -e.macro.back()});
        }
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
            new_load(static_cast<int>(i), false, copy, copy > 0 || n.optional);
        // Copies in the order of time.
        begin(group::definition);
        const implied order(*this, spare::copies_in_order);
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
        if (n.optional) e.used = make();
        make_times(e);
        e.alternative = one_of(static_cast<unsigned>(n.forms.size()));
        operations_.push_back(static_cast<int>(events_.size()));
        events_.push_back(std::move(e));
    }
    // Time begins with the first load or instruction.
    std::vector<literal> early;
    for (const event& e : events_)
        for (int x = 0; x < interval_; ++x) early.push_back(at(e, x));
    const implied all(*this, spare::begins_at_once);
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
                         n.results[k].merge < 0 && pinned < 0 && n.forms[0].unit != sub_unit::load &&
                         !n.flags_need_register;
                if (n.results[k].where == result::place::fixed) pinned = n.results[k].index;
                if (n.writes_by_number || n.reads_by_number) distinguished_ = isa::general_registers;
            }
            if (pinned >= 0) distinguished_ |= isa::only(static_cast<unsigned>(pinned));
            const bool may_take_carried = !e.host_only && n.effect;
            const isa::register_set banned =
                graph_.reserved & ~(may_take_carried ? graph_.carried : isa::register_set{0});
            v.lreg.resize(rows_);
            for (auto& of_row : v.lreg) {
                std::vector<literal> choice;
                for (unsigned r = 0; r < place_count; ++r) {
                    const bool can = r == l16      ? in_l16
                                     : pinned >= 0 ? static_cast<int>(r) == pinned
                                     : r == extra  ? limits_.registers > isa::general_lregs
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

std::vector<literal> formula::anywhere_else(const std::vector<bool>& model) const {
    std::vector<literal> clause;
    for (const event& e : events_)
        for (const literal here : e.at)
            if (here > 0 && model[static_cast<unsigned>(here)]) clause.push_back(-here);
    return clause;
}

std::vector<bool> formula::anywhere(std::mt19937& random) const {
    std::vector<bool> values(static_cast<unsigned>(clauses_.variables()) + 1);
    for (const event& e : events_) {
        const auto time = static_cast<unsigned>(random()) % static_cast<unsigned>(horizon_);
        for (unsigned x = 0; x <= time; ++x)
            if (e.from[x] > 0) values[static_cast<unsigned>(e.from[x])] = true;
        if (e.at[time] > 0) values[static_cast<unsigned>(e.at[time])] = true;
    }
    return values;
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
    const auto the_one = [&](const auto& literals) {
        const int found = which(literals);
        if (found < 0) throw std::logic_error("a model of the formula is no schedule");
        return static_cast<unsigned>(found);
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
        load.time = the_one(e.at);
        const auto macro = static_cast<int>(the_one(e.macro));
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
        if (!is(e.used)) continue;
        placed_operation o;
        o.node = e.node;
        o.time = the_one(e.at);
        o.how = the_one(e.alternative);
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
            o.parent = place[the_one(e.parent)];
            if (o.parent < 0 || found.loads[static_cast<unsigned>(o.parent)].macro < 0)
                throw std::logic_error("a model of the formula is no schedule");
            o.delay = the_one(e.delay);
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
