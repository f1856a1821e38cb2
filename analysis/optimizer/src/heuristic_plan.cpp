#include "heuristic_plan.h"

#include <algorithm>
#include <cmath>

namespace sfpu::optimizer::heuristic {

namespace {

constexpr int at_store = static_cast<int>(isa::sub_unit::store);
constexpr std::size_t most_hosts = 48;

int constant_of(const node& n, int operand) {
    const struct operand& o = n.operands[static_cast<unsigned>(operand)];
    return o.value < 0 ? o.constant : -1;
}

/// Whether an instruction can share a template.
bool fits(const template_plan& table, const node& n, const hosting& way) {
    if (table.word != way.word) return false;
    for (unsigned f = 0; f < field_count; ++f) {
        if (way.in_field[f] < 0) continue;
        const int constant = constant_of(n, way.in_field[f]);
        if (constant < 0 ? table.constant[f] >= 0
                         : table.names_value[f] || (table.constant[f] >= 0 && table.constant[f] != constant))
            return false;
    }
    return true;
}

void take(template_plan& table, const node& n, const hosting& way) {
    table.word = way.word;
    table.needs_vd |= way.needs_vd;
    for (unsigned f = 0; f < field_count; ++f) {
        if (way.in_field[f] < 0) continue;
        const int constant = constant_of(n, way.in_field[f]);
        if (constant < 0) table.names_value[f] = true;
        else table.constant[f] = constant;
    }
}

} // namespace

plan::plan(const row_facts& of)
    : operations(of.nodes.size()), source(of.operands, -1), key(of.nodes.size()), wait(of.nodes.size(), 0) {
    for (std::size_t i = 0; i < key.size(); ++i) {
        key[i] = static_cast<double>(i);
        if (!of.nodes[i].issuable.empty()) operations[i].form = of.nodes[i].issuable[0];
    }
}

bool make_templates(const row_facts& of, const plan& from, std::vector<template_plan>& templates) {
    templates.assign(of.machine.templates, {});
    for (const int o : of.operations) {
        const operation_plan& p = from.operations[static_cast<unsigned>(o)];
        if (p.host < 0 || p.table < 0) continue;
        const hosting& way = of.facts(o).hostings[static_cast<unsigned>(p.way)];
        template_plan& table = templates[static_cast<unsigned>(p.table)];
        if (table.word != 0 && !fits(table, of.at(o), way)) return false;
        take(table, of.at(o), way);
    }
    return true;
}

const hosting& plan_changer::way_of(const plan& in, int operation) const {
    return of_.facts(operation)
        .hostings[static_cast<unsigned>(in.operations[static_cast<unsigned>(operation)].way)];
}

bool plan_changer::change(plan& changed) {
    if (!change_something(changed)) return false;
    drop_useless_hosts(changed);
    return true;
}

void plan_changer::drop_useless_hosts(plan& in) const {
    for (std::size_t h = 0; h < in.hosts.size(); ++h) {
        host& each = in.hosts[h];
        const bool starts =
            std::any_of(each.operation.begin(), each.operation.end(), [](int o) { return o >= 0; });
        if (!each.used || starts) continue;
        each.macro = -1;
        const bool read =
            each.extra && !each.host_only &&
            std::find(in.source.begin(), in.source.end(), static_cast<int>(h)) != in.source.end();
        if (!read) each = host{};
    }
}

bool plan_changer::change_something(plan& changed) {
    const std::size_t which = below(100);
    if (which < 40) return move_in_order(changed);
    if (which < 55) return add_host(changed);
    if (which < 68) return extend_macro(changed);
    if (which < 74) return remove_host(changed);
    if (which < 79) return remove_entry(changed);
    if (which < 88) return swap_operation(changed);
    if (which < 91) return pass_through_l16(changed);
    if (which < 96) return read_other_copy(changed);
    return take_other_form(changed);
}

bool plan_changer::move_in_order(plan& in) {
    const std::size_t n = below(in.key.size());
    if (below(4) == 0) {
        const int least = of_.nodes[n].is_source ? -6 : 0;
        const int before = in.wait[n];
        in.wait[n] = std::max(least, before + static_cast<int>(below(7)) - 3);
        return in.wait[n] != before;
    }
    const double reach = below(3) == 0 ? static_cast<double>(in.key.size()) : 8.0;
    in.key[n] += (chance() - 0.5) * reach;
    return true;
}

std::vector<int> plan_changer::hosts_of(const plan& in, int macro) const {
    std::vector<int> found;
    for (std::size_t h = 0; h < in.hosts.size(); ++h)
        if (in.hosts[h].used && in.hosts[h].macro == macro) found.push_back(static_cast<int>(h));
    return found;
}

int plan_changer::issued_near(const plan& in, int place) {
    for (unsigned tried = 0; tried < 8; ++tried) {
        const double offset = (chance() + chance() - 1.0) * 9.0;
        const auto at = std::lround(static_cast<double>(place) + offset);
        const int o =
            static_cast<int>(place < 0 ? static_cast<long>(below(of_.nodes.size()))
                                       : std::clamp<long>(at, 0, static_cast<long>(of_.nodes.size()) - 1));
        if (of_.facts(o).hostings.empty() || !of_.facts(o).exists) continue;
        if (in.operations[static_cast<unsigned>(o)].host < 0) return o;
    }
    return -1;
}

int plan_changer::template_for(const plan& in, int operation, const hosting& way) {
    if (!make_templates(of_, in, templates_)) return -1;
    std::vector<int> fitting, free;
    for (std::size_t t = 0; t < templates_.size(); ++t) {
        if (templates_[t].word == 0) free.push_back(static_cast<int>(t));
        else if (fits(templates_[t], of_.at(operation), way)) fitting.push_back(static_cast<int>(t));
    }
    if (!fitting.empty() && (free.empty() || below(5) != 0)) return fitting[below(fitting.size())];
    return free.empty() ? -1 : free.front();
}

bool plan_changer::attach(plan& in, int operation, int to, int unit, int like) {
    const node_facts& known = of_.facts(operation);
    const node& n = of_.at(operation);
    host& by = in.hosts[static_cast<unsigned>(to)];
    const operation_plan* const model = like < 0 ? nullptr : &in.operations[static_cast<unsigned>(like)];
    std::vector<int> ways;
    for (std::size_t w = 0; w < known.hostings.size(); ++w) {
        const hosting& way = known.hostings[w];
        if (unit >= 0 && static_cast<int>(way.unit) != unit) continue;
        if (by.operation[way.unit] >= 0) continue;
        if (static_cast<int>(way.unit) == at_store && of_.at(by.node).address != n.address) continue;
        if (model) {
            const hosting& given = way_of(in, like);
            if (way.word != given.word || way.vb != given.vb || way.from_l16 != given.from_l16) continue;
        } else if (way.from_l16) {
            continue;
        }
        ways.push_back(static_cast<int>(w));
    }
    if (ways.empty()) return false;
    const int w = ways[below(ways.size())];
    const hosting& way = known.hostings[static_cast<unsigned>(w)];
    int table = -1;
    if (model) {
        if (model->l16 && !known.may_be_in_l16) return false;
        table = model->table;
        if (table >= 0 &&
            (!make_templates(of_, in, templates_) || !fits(templates_[static_cast<unsigned>(table)], n, way)))
            return false;
    } else if (way.word != 0) {
        table = template_for(in, operation, way);
        if (table < 0) return false;
    }
    operation_plan& p = in.operations[static_cast<unsigned>(operation)];
    p.host = to;
    p.way = w;
    p.table = table;
    p.l16 = model ? model->l16 : false;
    by.operation[way.unit] = operation;
    return true;
}

void plan_changer::detach(plan& in, int operation) {
    operation_plan& p = in.operations[static_cast<unsigned>(operation)];
    host& by = in.hosts[static_cast<unsigned>(p.host)];
    by.operation[way_of(in, operation).unit] = -1;
    p.host = -1;
    p.table = -1;
    p.l16 = false;
}

int plan_changer::new_host(plan& in, int for_operation) {
    // The load that it reads, any other, or one of the address of a store.
    int load = -1;
    if (for_operation >= 0 && below(10) < 7)
        for (const operand& o : of_.at(for_operation).operands) {
            const int from = o.value < 0 ? -1 : of_.row.values[static_cast<unsigned>(o.value)].node;
            if (from >= 0 && std::find(of_.loads.begin(), of_.loads.end(), from) != of_.loads.end())
                load = from;
        }
    const std::size_t all = of_.loads.size() + of_.named.size();
    if (all == 0) return -1;
    bool host_only = false;
    if (load < 0) {
        const std::size_t which = below(all);
        host_only = which >= of_.loads.size();
        load = host_only ? of_.named[which - of_.loads.size()] : of_.loads[which];
    }
    bool first_taken = host_only;
    for (const host& each : in.hosts) first_taken |= each.used && each.node == load && !each.extra;
    const node& n = of_.at(load);
    const bool single = !host_only && std::any_of(n.results.begin(), n.results.end(), [&](const result& r) {
        return r.merge >= 0 || of_.row.values[static_cast<unsigned>(r.value)].pinned >= 0;
    });
    if (first_taken && single) return -1;
    host made;
    made.used = true;
    made.node = load;
    made.host_only = host_only;
    made.extra = host_only || first_taken || (!single && below(4) == 0);
    for (std::size_t h = 0; h < in.hosts.size(); ++h)
        if (!in.hosts[h].used) {
            in.hosts[h] = made;
            return static_cast<int>(h);
        }
    if (in.hosts.size() == most_hosts) return -1;
    in.hosts.push_back(made);
    return static_cast<int>(in.hosts.size()) - 1;
}

bool plan_changer::add_host(plan& in) {
    std::vector<int> unused, in_use;
    for (int m = 0; m < static_cast<int>(of_.machine.macros); ++m)
        (hosts_of(in, m).empty() ? unused : in_use).push_back(m);
    if (!unused.empty() && (in_use.empty() || below(2) == 0)) {
        const int first = issued_near(in, -1), to = new_host(in, first);
        return first >= 0 && to >= 0 && fill_new_macro(in, to, unused.front(), first);
    }
    if (in_use.empty()) return false;
    const int macro = in_use[below(in_use.size())];
    int reader = -1;
    const std::vector<int> others = hosts_of(in, macro);
    for (const int o : in.hosts[static_cast<unsigned>(others[0])].operation)
        if (o >= 0 && reader < 0) reader = o;
    const int to = new_host(in, reader);
    return to >= 0 && join_macro(in, to, macro);
}

bool plan_changer::fill_new_macro(plan& in, int to, int macro, int first) {
    in.hosts[static_cast<unsigned>(to)].macro = macro;
    if (!attach(in, first, to, -1, -1)) return false;
    for (unsigned more = 0; more < 3; ++more) {
        if (below(3) == 0) continue;
        const int next = issued_near(in, first);
        if (next >= 0) attach(in, next, to, -1, -1);
    }
    return true;
}

/// All loads of a macro schedule the same.
bool plan_changer::join_macro(plan& in, int to, int macro) {
    const std::vector<int> others = hosts_of(in, macro);
    in.hosts[static_cast<unsigned>(to)].macro = macro;
    const host like = in.hosts[static_cast<unsigned>(others[below(others.size())])];
    int place = -1;
    for (int unit = 0; unit < 4; ++unit) {
        const int model = like.operation[static_cast<unsigned>(unit)];
        if (model < 0) continue;
        bool done = false;
        for (unsigned tried = 0; tried < 12 && !done; ++tried) {
            const int o = issued_near(in, tried < 6 ? place : -1);
            done = o >= 0 && attach(in, o, to, unit, model);
            if (done && place < 0) place = o;
        }
        if (!done) return false;
    }
    return true;
}

bool plan_changer::extend_macro(plan& in) {
    const int macro = static_cast<int>(below(of_.machine.macros));
    const std::vector<int> all = hosts_of(in, macro);
    if (all.empty()) return false;
    int model = -1, unit = -1;
    for (const int h : all) {
        int place = -1;
        for (const int o : in.hosts[static_cast<unsigned>(h)].operation)
            if (o >= 0) place = o;
        bool done = false;
        for (unsigned tried = 0; tried < 8 && !done; ++tried) {
            const int o = issued_near(in, tried < 5 ? place : -1);
            if (o < 0 || !attach(in, o, h, unit, model)) continue;
            done = true;
            if (model < 0) model = o;
            unit = static_cast<int>(way_of(in, o).unit);
        }
        if (!done) return false;
    }
    return true;
}

bool plan_changer::remove_host(plan& in) {
    if (in.hosts.empty()) return false;
    const std::size_t h = below(in.hosts.size());
    if (!in.hosts[h].used) return false;
    for (const int o : std::array<int, 4>(in.hosts[h].operation))
        if (o >= 0) detach(in, o);
    for (int& each : in.source)
        if (each == static_cast<int>(h)) each = -1;
    in.hosts[h] = host{};
    return true;
}

bool plan_changer::remove_entry(plan& in) {
    const int macro = static_cast<int>(below(of_.machine.macros));
    const std::size_t unit = below(4);
    bool removed = false;
    for (const int h : hosts_of(in, macro))
        if (const int o = in.hosts[static_cast<unsigned>(h)].operation[unit]; o >= 0) {
            detach(in, o);
            removed = true;
        }
    return removed;
}

bool plan_changer::swap_operation(plan& in) {
    if (in.hosts.empty()) return false;
    const std::size_t h = below(in.hosts.size()), unit = below(4);
    const int o = in.hosts[h].operation[unit];
    if (!in.hosts[h].used || o < 0) return false;
    const int other = issued_near(in, below(3) == 0 ? -1 : o);
    if (other < 0) return false;
    const bool shared = hosts_of(in, in.hosts[h].macro).size() > 1;
    const operation_plan before = in.operations[static_cast<unsigned>(o)];
    if (shared) {
        // With what the entry has.
        in.hosts[h].operation[unit] = -1;
        if (!attach(in, other, static_cast<int>(h), static_cast<int>(unit), o)) return false;
        in.operations[static_cast<unsigned>(o)] = operation_plan{};
        in.operations[static_cast<unsigned>(o)].form = before.form;
        return true;
    }
    detach(in, o);
    return attach(in, other, static_cast<int>(h), static_cast<int>(unit), -1);
}

/// A result that one store reads, by L16 or by the loaded register.
bool plan_changer::pass_through_l16(plan& in) {
    const int o = of_.operations[below(of_.operations.size())];
    operation_plan& p = in.operations[static_cast<unsigned>(o)];
    if (p.host < 0 || !of_.facts(o).may_be_in_l16) return false;
    if (hosts_of(in, in.hosts[static_cast<unsigned>(p.host)].macro).size() > 1) return false;
    const auto& readers = of_.readers[static_cast<unsigned>(of_.at(o).results[0].value)];
    if (readers.size() != 1 || of_.at(readers[0].node).what != node::kind::store || readers[0].rows != 0)
        return false;
    const int store = readers[0].node;
    operation_plan& s = in.operations[static_cast<unsigned>(store)];
    if (s.host < 0) {
        std::vector<int> possible;
        for (std::size_t h = 0; h < in.hosts.size(); ++h)
            if (in.hosts[h].used && in.hosts[h].macro >= 0 &&
                of_.at(in.hosts[h].node).address == of_.at(store).address &&
                hosts_of(in, in.hosts[h].macro).size() == 1)
                possible.push_back(static_cast<int>(h));
        if (possible.empty() || !attach(in, store, possible[below(possible.size())], at_store, -1))
            return false;
    }
    if (hosts_of(in, in.hosts[static_cast<unsigned>(s.host)].macro).size() > 1) return false;
    p.l16 = !p.l16;
    const auto& ways = of_.facts(store).hostings;
    for (std::size_t w = 0; w < ways.size(); ++w)
        if (ways[w].from_l16 == p.l16) s.way = static_cast<int>(w);
    return true;
}

bool plan_changer::read_other_copy(plan& in) {
    const std::size_t n = below(of_.nodes.size());
    const node& reader = of_.row.nodes[n];
    if (reader.operands.empty() || !of_.nodes[n].exists) return false;
    const std::size_t j = below(reader.operands.size());
    const operand& o = reader.operands[j];
    const int from = o.value < 0 || o.distance > 0 ? -1 : of_.row.values[static_cast<unsigned>(o.value)].node;
    if (from < 0 || of_.at(from).what != node::kind::load) return false;
    const bool merged = std::any_of(reader.results.begin(), reader.results.end(),
                                    [&](const result& r) { return r.merge == static_cast<int>(j); });
    if (merged) return false;
    int& source = in.source[of_.nodes[n].first_operand + j];
    if (source >= 0) {
        source = -1;
        return true;
    }
    std::vector<int> copies;
    for (std::size_t h = 0; h < in.hosts.size(); ++h)
        if (in.hosts[h].used && in.hosts[h].extra && !in.hosts[h].host_only && in.hosts[h].node == from)
            copies.push_back(static_cast<int>(h));
    if (!copies.empty() && below(3) != 0) {
        source = copies[below(copies.size())];
    } else {
        const int made = new_host(in, static_cast<int>(n));
        if (made < 0) return false;
        host& copy = in.hosts[static_cast<unsigned>(made)];
        if (copy.node != from || !copy.extra || copy.host_only) return false;
        source = made;
    }
    // And all that read behind it.
    if (below(2) == 0)
        for (const reading& each : of_.readers[static_cast<unsigned>(o.value)])
            if (each.node > static_cast<int>(n) && each.rows == 0 && each.early == 0)
                in.source[of_.facts(each.node).first_operand + static_cast<unsigned>(each.operand)] = source;
    return true;
}

bool plan_changer::take_other_form(plan& in) {
    const int o = of_.operations[below(of_.operations.size())];
    const std::vector<unsigned>& forms = of_.facts(o).issuable;
    if (forms.size() < 2) return false;
    unsigned& form = in.operations[static_cast<unsigned>(o)].form;
    const unsigned before = form;
    form = forms[below(forms.size())];
    return form != before;
}

} // namespace sfpu::optimizer::heuristic
