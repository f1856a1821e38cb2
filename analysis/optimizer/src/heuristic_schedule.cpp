// A placement without faults as a schedule.
#include "heuristic_placement.h"

#include "rule_writer.h"

#include <algorithm>
#include <map>

namespace sfpu::optimizer::heuristic {

unsigned placement::lreg_of(int instance) const {
    if (in_l16_[static_cast<unsigned>(instance)]) return isa::macro_lreg;
    return static_cast<unsigned>(std::max(0, webs_[static_cast<unsigned>(root(instance))].color));
}

unsigned placement::lreg_of_operand(int node, int operand) const {
    const struct operand& o = of_.at(node).operands[static_cast<unsigned>(operand)];
    return o.value < 0 ? static_cast<unsigned>(o.constant) : lreg_of(instance_of(node, operand));
}

schedule placement::written() const {
    schedule done;
    done.interval = static_cast<unsigned>(interval_);
    std::vector<int> place(static_cast<std::size_t>(count_) + plan_->hosts.size(), -1);
    write_loads(done, place);
    write_operations(done, place);
    write_tables(done);
    // The first effect begins a stage, and nothing is earlier than the first.
    int first = any_effect_ ? first_effect_ : 0, least = first;
    for (const int time : time_)
        if (time != unplaced) least = std::min(least, time);
    int shift = ((-first) % interval_ + interval_) % interval_;
    while (least + shift < 0) shift += interval_;
    while (least + shift >= interval_) shift -= interval_;
    for (placed_load& each : done.loads) each.time += static_cast<unsigned>(shift);
    for (placed_operation& each : done.operations) each.time += static_cast<unsigned>(shift);
    for (const placed_load& each : done.loads) done.last_time = std::max(done.last_time, each.time);
    for (const placed_operation& each : done.operations) done.last_time = std::max(done.last_time, each.time);
    done.frame = static_cast<unsigned>((first + shift) / interval_);
    return done;
}

void placement::write_loads(schedule& done, std::vector<int>& place) const {
    struct copy {
        int time, item, node, macro, instance;
        bool host_only;
    };
    std::vector<copy> all;
    for (int n = 0; n < count_; ++n) {
        if (!is_load(n) || !load_used_[static_cast<unsigned>(n)]) continue;
        const int h = host_of_load(n);
        all.push_back({time_[static_cast<unsigned>(n)], n, n, h < 0 ? -1 : host_at(h).macro,
                       of_.at(n).results[0].value, false});
    }
    for (std::size_t h = 0; h < plan_->hosts.size(); ++h) {
        const host& each = plan_->hosts[h];
        if (!each.used || !each.extra) continue;
        const int item = count_ + static_cast<int>(h);
        all.push_back({time_[static_cast<unsigned>(item)], item, each.node, each.macro,
                       values_ + static_cast<int>(h), each.host_only});
    }
    // Numbers of macros without gaps, copies in the order of time.
    std::stable_sort(all.begin(), all.end(), [](const copy& a, const copy& b) { return a.time < b.time; });
    std::map<std::pair<int, bool>, unsigned> copies;
    for (const copy& each : all) {
        placed_load load;
        load.node = each.node;
        load.host_only = each.host_only;
        load.copy = copies[{each.node, each.host_only}]++;
        load.time = static_cast<unsigned>(each.time);
        load.macro = each.macro;
        load.lreg.assign(1, lreg_of(each.instance));
        place[static_cast<unsigned>(each.item)] = static_cast<int>(done.loads.size());
        done.loads.push_back(std::move(load));
    }
}

void placement::write_operations(schedule& done, const std::vector<int>& place) const {
    for (const int o : of_.operations) {
        const node& n = of_.at(o);
        const operation_plan& p = plan_of(o);
        placed_operation each;
        each.node = o;
        each.time = static_cast<unsigned>(time_[static_cast<unsigned>(o)]);
        each.how = p.form;
        for (std::size_t j = 0; j < n.operands.size(); ++j)
            each.operand_lreg.emplace_back(1, lreg_of_operand(o, static_cast<int>(j)));
        for (const result& out : n.results) each.result_lreg.emplace_back(1, lreg_of(out.value));
        if (p.host >= 0) {
            const hosting& way = of_.facts(o).hostings[static_cast<unsigned>(p.way)];
            const int begun = time_[static_cast<unsigned>(item_of_host(p.host))];
            each.how = way.form;
            each.issued = false;
            each.parent = place[static_cast<unsigned>(item_of_host(p.host))];
            each.delay = static_cast<unsigned>(time_[static_cast<unsigned>(o)] - begun - 1);
            each.instruction_template = p.table;
            each.vb_is_loaded = way.vb;
            each.to_l16 = p.l16 || way.from_l16;
        }
        done.operations.push_back(std::move(each));
    }
}

void placement::write_tables(schedule& done) const {
    std::vector<template_plan> plans;
    make_templates(of_, *plan_, plans);
    done.templates.assign(of_.machine.templates, 0);
    done.template_needs_vd.assign(of_.machine.templates, false);
    std::vector<std::array<int, field_count>> fields(of_.machine.templates, {{0, 0, 0, 0}});
    done.macros.assign(of_.machine.macros, {});
    done.store_takes_load_mode.assign(of_.machine.macros, true);
    std::vector<const form*> forms(of_.machine.templates, nullptr);
    for (const placed_operation& each : done.operations) {
        if (each.issued) continue;
        const node& n = of_.at(each.node);
        const hosting& way = of_.facts(each.node).hostings[static_cast<unsigned>(plan_of(each.node).way)];
        const placed_load& by = done.loads[static_cast<unsigned>(each.parent)];
        const auto macro = static_cast<unsigned>(by.macro);
        done.macros[macro][way.unit] = {true, each.instruction_template, each.delay, each.vb_is_loaded,
                                        each.to_l16};
        if (n.what == node::kind::store && of_.at(by.node).mode != n.mode) {
            done.store_takes_load_mode[macro] = false;
            done.store_mode = n.mode;
        }
        if (each.instruction_template < 0) continue;
        const auto t = static_cast<unsigned>(each.instruction_template);
        forms[t] = &n.forms[way.form];
        done.template_needs_vd[t] = plans[t].needs_vd;
        for (unsigned f = 0; f < field_count; ++f)
            if (way.in_field[f] >= 0)
                fields[t][f] = static_cast<int>(each.operand_lreg[static_cast<unsigned>(way.in_field[f])][0]);
    }
    for (std::size_t t = 0; t < fields.size(); ++t)
        if (forms[t]) done.templates[t] = word_with(*forms[t], fields[t]);
}

} // namespace sfpu::optimizer::heuristic
