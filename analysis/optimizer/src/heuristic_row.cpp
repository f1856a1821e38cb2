#include "heuristic_row.h"

#include "rule_writer.h"

#include <algorithm>
#include <set>

namespace sfpu::optimizer::heuristic {

namespace {

/// A result in the register of an operand that is a constant: no schedule has that.
bool writes_constant(const node& n) {
    return std::any_of(n.results.begin(), n.results.end(), [&](const result& each) {
        const int operand = each.merge >= 0                     ? each.merge
                            : each.where == result::place::tied ? each.index
                                                                : -1;
        return operand >= 0 && n.operands[static_cast<unsigned>(operand)].value < 0;
    });
}

} // namespace

row_facts::row_facts(const graph& of, const isa::machine& on) : row(of), machine(on), nodes(of.nodes.size()) {
    usable_ = machine.issue_width == 1 && machine.longest_delay() < machine.slots;
    for (std::size_t i = 0; i < row.nodes.size(); ++i) {
        const node& n = row.nodes[i];
        node_facts& known = nodes[i];
        known.first_operand = operands;
        operands += static_cast<unsigned>(n.operands.size());
        known.exists = !n.optional;
        known.may_be_elsewhere = row.all_on[n.version] || n.more_lanes_allowed;
        known.is_source =
            std::none_of(n.operands.begin(), n.operands.end(), [](const operand& o) { return o.value >= 0; });
        usable_ = usable_ && !n.writes_by_number && !writes_constant(n);
        if (n.what == node::kind::load || n.optional) continue;
        operations.push_back(static_cast<int>(i));
        find_forms(static_cast<int>(i));
        usable_ = usable_ && !known.issuable.empty();
    }
    find_readers();
    keep_flags();
    keep_memory();
    for (node_facts& each : nodes)
        for (auto* list : {&each.needs, &each.frees}) {
            std::sort(list->begin(), list->end());
            list->erase(std::unique(list->begin(), list->end()), list->end());
        }
    find_hosts();
}

int row_facts::longest(int index) const { return static_cast<int>(longest_latency(at(index))); }

void row_facts::find_forms(int index) {
    const node& n = at(index);
    node_facts& known = nodes[static_cast<unsigned>(index)];
    for (unsigned f = 0; f < n.forms.size(); ++f) {
        const form& how = n.forms[f];
        known.seen.push_back(seen_in_unused_fields(n, how, machine.chip));
        known.sees_result.push_back(vd_is_seen(how, machine.chip));
        const auto keeps_constant = [&](bool tied, unsigned field) {
            const int j = how.operand_of[field];
            return tied && j >= 0 && n.operands[static_cast<unsigned>(j)].value < 0 && !n.results.empty();
        };
        const int stored = n.what == node::kind::store ? how.operand_of[vd] : -1;
        const bool names_template = stored >= 0 && n.operands[static_cast<unsigned>(stored)].value < 0 &&
                                    n.operands[static_cast<unsigned>(stored)].constant >= 12;
        const int wired = how.operand_of[vb] >= 0 ? how.wired[vb] : -1;
        const bool is_there =
            wired < 0 || n.operands[static_cast<unsigned>(how.operand_of[vb])].constant == wired;
        if (how.can_issue && is_there && !names_template && !keeps_constant(how.vb_is_vd, vb) &&
            !keeps_constant(how.vc_is_vd, vc))
            known.issuable.push_back(f);
        if (how.can_schedule && !n.reads_by_number) find_hostings(index, f);
    }
    known.may_be_in_l16 = n.what == node::kind::operation && n.results.size() == 1 &&
                          n.results[0].where == result::place::destination && n.results[0].merge < 0 &&
                          row.values[static_cast<unsigned>(n.results[0].value)].pinned < 0 &&
                          !row.values[static_cast<unsigned>(n.results[0].value)].live_out &&
                          n.forms[0].unit != isa::sub_unit::load && !n.flags_need_register;
}

void row_facts::find_hostings(int index, unsigned form_index) {
    const node& n = at(index);
    const form& how = n.forms[form_index];
    std::vector<hosting>& found = nodes[static_cast<unsigned>(index)].hostings;
    const auto is_value = [&](int j) { return n.operands[static_cast<unsigned>(j)].value >= 0; };
    hosting base;
    base.form = form_index;
    base.unit = number(how.unit);
    if (n.what == node::kind::store) {
        const int j = how.operand_of[vd];
        if (j < 0 || !is_value(j)) return;
        base.loaded = j;
        found.push_back(base);
        base.loaded = -1;
        base.from_l16 = true;
        found.push_back(base);
        return;
    }
    base.word = how.word;
    const int of_vb = how.operand_of[vb], of_vc = how.operand_of[vc];
    base.in_field[va] = how.operand_of[va];
    if (of_vb >= 0 || of_vc >= 0) {
        hosting b_loaded = base;
        b_loaded.vb = true;
        b_loaded.loaded = of_vb;
        if (of_vc >= 0) {
            b_loaded.in_field[how.template_has_vc ? vc : vd] = of_vc;
            b_loaded.needs_vd = !how.template_has_vc;
        }
        if (of_vb < 0 || is_value(of_vb)) found.push_back(b_loaded);
    }
    // Bits of an immediate say which register VB is: only a constant can be there.
    const bool wired_elsewhere =
        of_vb >= 0 && how.wired[vb] >= 0 &&
        (is_value(of_vb) || n.operands[static_cast<unsigned>(of_vb)].constant != how.wired[vb]);
    if (wired_elsewhere) return;
    base.loaded = of_vc;
    if (of_vb >= 0 && how.wired[vb] < 0) {
        base.in_field[how.template_has_vb ? vb : vd] = of_vb;
        base.needs_vd = !how.template_has_vb;
    }
    if (of_vc < 0 || is_value(of_vc)) found.push_back(base);
}

void row_facts::find_readers() {
    readers.resize(row.values.size());
    for (std::size_t i = 0; i < row.nodes.size(); ++i) {
        const node& n = row.nodes[i];
        if (!nodes[i].exists) continue;
        const int index = static_cast<int>(i), latency = longest(index);
        for (std::size_t j = 0; j < n.operands.size(); ++j) {
            const operand& o = n.operands[j];
            if (o.value < 0) continue;
            reading each;
            each.node = index;
            each.operand = static_cast<int>(j);
            each.rows = static_cast<int>(o.distance);
            const bool merged = is_merged(n, j);
            each.early = cycles_until_merged(n, j);
            each.late = merged || n.reads_until_result ? latency - 1 : 0;
            readers[static_cast<unsigned>(o.value)].push_back(each);
            const int from = row.values[static_cast<unsigned>(o.value)].node;
            if (o.distance > 0 || from < 0) continue;
            nodes[i].needs.push_back(from);
            nodes[static_cast<unsigned>(from)].frees.push_back(index);
        }
    }
}

void row_facts::keep_order(int first, int second, int cycles, int rows) {
    node_facts &one = nodes[static_cast<unsigned>(first)], &other = nodes[static_cast<unsigned>(second)];
    if (!one.exists || !other.exists) return;
    other.behind.push_back({first, cycles, rows});
    one.before.push_back({second, cycles, rows});
    if (rows != 0 || first == second) return;
    other.needs.push_back(first);
    one.frees.push_back(second);
}

void row_facts::keep_flags() {
    const std::vector<int>& writers = row.flag_writers;
    if (writers.empty()) return;
    const std::size_t count = writers.size();
    for (std::size_t j = 0; j + 1 < count; ++j) keep_order(writers[j], writers[j + 1], 1, 0);
    if (count > 1) keep_order(writers.back(), writers.front(), 1, 1);
    for (std::size_t i = 0; i < row.nodes.size(); ++i) {
        const node& n = row.nodes[i];
        const int index = static_cast<int>(i);
        if (!n.reads_flags || n.writes_flags || nodes[i].may_be_elsewhere) continue;
        if (n.version > 0) keep_order(writers[n.version - 1], index, 1, 0);
        else keep_order(writers.back(), index, 1, 1);
        if (n.version < count) keep_order(index, writers[n.version], 0, 0);
        else keep_order(index, writers.front(), 0, 1);
    }
}

void row_facts::keep_memory() {
    for (const memory_order& each : row.memory) {
        const bool loads_first = at(each.first).what == node::kind::load;
        const int cycles = each.store_to_load ? static_cast<int>(machine.store_load_visible)
                           : loads_first      ? 0
                                              : 1;
        keep_order(each.first, each.second, cycles, each.rows);
    }
}

void row_facts::find_hosts() {
    std::set<unsigned> addresses;
    for (std::size_t i = 0; i < row.nodes.size(); ++i) {
        const node& n = row.nodes[i];
        if (n.what != node::kind::load || n.optional) continue;
        addresses.insert(n.address);
        if ((n.address & 1u) == 0) loads.push_back(static_cast<int>(i));
    }
    for (std::size_t i = 0; i < row.nodes.size(); ++i) {
        const node& n = row.nodes[i];
        if (n.what == node::kind::store && !n.optional && (n.address & 1u) == 0 &&
            addresses.insert(n.address).second)
            named.push_back(static_cast<int>(i));
    }
}

} // namespace sfpu::optimizer::heuristic
