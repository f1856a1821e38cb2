// Registers of a placement: who shares one, how long it is taken, and which it is.
#include "heuristic_placement.h"

#include "rule_writer.h"

#include <algorithm>
#include <bitset>

namespace sfpu::optimizer::heuristic {

int placement::root(int instance) const {
    while (parent_[static_cast<unsigned>(instance)] != instance)
        instance = parent_[static_cast<unsigned>(instance)];
    return instance;
}

void placement::join(int a, int b) {
    const int one = root(a), other = root(b);
    if (one != other) parent_[static_cast<unsigned>(std::max(one, other))] = std::min(one, other);
}

void placement::pin(int instance, int lreg) {
    web& of = webs_[static_cast<unsigned>(root(instance))];
    if (lreg >= static_cast<int>(isa::general_lregs) || (of.pinned >= 0 && of.pinned != lreg)) ++faults_;
    else of.pinned = lreg;
}

void placement::find_webs() {
    const std::size_t all = static_cast<std::size_t>(values_) + plan_->hosts.size();
    parent_.resize(all);
    for (std::size_t i = 0; i < all; ++i) parent_[i] = static_cast<int>(i);
    in_l16_.assign(all, false);
    for (const int o : of_.operations) join_of_operation(o);
    for (int n = 0; n < count_; ++n)
        if (is_load(n) && load_used_[static_cast<unsigned>(n)]) join_of_load(n, -1);
    // Operands that templates name.
    std::vector<std::array<int, field_count>> named(of_.machine.templates, {{-1, -1, -1, -1}});
    for (const int o : of_.operations) {
        const operation_plan& p = plan_of(o);
        if (p.host < 0 || p.table < 0) continue;
        const hosting& way = of_.facts(o).hostings[static_cast<unsigned>(p.way)];
        for (unsigned f = 0; f < field_count; ++f) {
            const int j = way.in_field[f];
            if (j < 0 || of_.at(o).operands[static_cast<unsigned>(j)].value < 0) continue;
            int& first = named[static_cast<unsigned>(p.table)][f];
            const int instance = instance_of(o, j);
            if (first < 0) first = instance;
            else join(first, instance);
        }
    }
    webs_.assign(all, web{});
    for (const int o : of_.operations) {
        for (const auto& [j, lreg] : of_.at(o).fixed_operands) {
            const operand& read = of_.at(o).operands[static_cast<unsigned>(j)];
            if (read.value >= 0) pin(instance_of(o, j), lreg);
            else if (read.constant != lreg) ++faults_;
        }
    }
}

void placement::join_of_operation(int node) {
    const struct node& n = of_.at(node);
    const operation_plan& p = plan_of(node);
    const form& how = form_of(node);
    for (const result& out : n.results) {
        if (out.where == result::place::tied) join(out.value, instance_of(node, out.index));
        if (out.merge >= 0) join(out.value, instance_of(node, out.merge));
    }
    const bool has_destination = !n.results.empty() && n.results[0].where == result::place::destination;
    if (p.host < 0) {
        for (const unsigned f : {vb, vc}) {
            const bool tied = f == vb ? how.vb_is_vd : how.vc_is_vd;
            const int j = how.operand_of[f];
            if (!tied || j < 0 || !has_destination || n.operands[static_cast<unsigned>(j)].value < 0)
                continue;
            join(instance_of(node, j), n.results[0].value);
        }
        return;
    }
    const host& by = host_at(p.host);
    const int loaded = by.extra ? values_ + p.host : of_.at(by.node).results[0].value;
    const hosting& way = of_.facts(node).hostings[static_cast<unsigned>(p.way)];
    if (way.loaded >= 0) join(instance_of(node, way.loaded), loaded);
    if (!has_destination) return;
    if (p.l16) in_l16_[static_cast<unsigned>(n.results[0].value)] = true;
    else join(n.results[0].value, loaded);
}

void placement::join_of_load(int node, int h) {
    for (const result& out : of_.at(node).results)
        if (out.merge >= 0 && h < 0) join(out.value, instance_of(node, out.merge));
}

void placement::find_lives() {
    l16_live_.clear();
    for (int v = 0; v < values_; ++v) live_of_value(v);
    const int latency = static_cast<int>(of_.machine.latency[static_cast<unsigned>(isa::result_class::load)]);
    for (std::size_t h = 0; h < plan_->hosts.size(); ++h) {
        const host& each = plan_->hosts[h];
        if (!each.used || !each.extra) continue;
        const int begun = time_[static_cast<std::size_t>(count_) + h];
        if (begun == unplaced) {
            ++faults_;
            continue;
        }
        int last = begun + latency;
        if (!each.host_only)
            for (const reading& read : of_.readers[static_cast<unsigned>(of_.at(each.node).results[0].value)])
                if (source_of(read.node, read.operand) == static_cast<int>(h))
                    last = std::max(last, time_[static_cast<unsigned>(read.node)] + read.late);
        const int instance = values_ + static_cast<int>(h);
        webs_[static_cast<unsigned>(root(instance))].banned |= of_.row.reserved;
        add_life(instance, begun + latency, last);
    }
}

void placement::live_of_value(int value) {
    const struct value& v = of_.row.values[static_cast<unsigned>(value)];
    if (v.node < 0 || !of_.facts(v.node).exists) return;
    const bool load = is_load(v.node);
    if (load && !load_used_[static_cast<unsigned>(v.node)]) return;
    const int made = time_[static_cast<unsigned>(v.node)];
    if (made == unplaced) return;
    const struct node& n = of_.at(v.node);
    const int latency =
        load ? static_cast<int>(of_.machine.latency[static_cast<unsigned>(isa::result_class::load)])
             : static_cast<int>(form_of(v.node).latency);
    int last = made + latency;
    if (v.live_out) last += interval_ - 1;
    for (const reading& read : of_.readers[static_cast<unsigned>(value)]) {
        if (load && source_of(read.node, read.operand) >= 0) continue;
        const int at = time_[static_cast<unsigned>(read.node)];
        if (at != unplaced) last = std::max(last, at + read.late + read.rows * interval_);
    }
    if (in_l16_[static_cast<unsigned>(value)]) {
        if (root(value) != value || last - made - latency >= interval_) ++faults_;
        slot_set live;
        for (int t = made + latency; t <= std::min(last, made + latency + interval_ - 1); ++t)
            live.add(slot(t));
        if (live.meets(l16_live_)) ++faults_;
        l16_live_.add(live);
        return;
    }
    web& of = webs_[static_cast<unsigned>(root(value))];
    of.banned |= of_.row.reserved & ~(n.effect ? of_.row.carried : isa::register_set{0});
    const result& out = n.results[static_cast<unsigned>(v.index)];
    if (v.pinned >= 0) pin(value, v.pinned);
    if (out.where == result::place::fixed) pin(value, out.index);
    add_life(value, made + latency, last);
}

void placement::add_life(int instance, int first, int last) {
    const int most = first + interval_ - 1;
    if (last > most) {
        ++faults_;
        pressure_ += std::min(last - most, 16);
    }
    slot_set live;
    for (int t = first; t <= std::min(last, most); ++t) live.add(slot(t));
    web& of = webs_[static_cast<unsigned>(root(instance))];
    if (of.members > 0 && of.live.meets(live)) {
        ++uncolored_;
        for (int t = first; t <= std::min(last, most); ++t) pressure_ += of.live.has(slot(t));
    }
    if (in_l16_[static_cast<unsigned>(root(instance))]) ++faults_;
    of.live.add(live);
    ++of.members;
}

/// T16, T17: what an issued instruction of two cycles writes, the next one does not name.
void placement::keep_from_stalls() {
    apart_.clear();
    std::vector<int> issued(static_cast<std::size_t>(interval_), -1); // by slot
    for (int n = 0; n < count_; ++n) {
        if (!of_.facts(n).exists) continue;
        const bool here = is_load(n) ? load_used_[static_cast<unsigned>(n)] && !of_.at(n).operands.empty()
                                     : plan_of(n).host < 0;
        const int time = time_[static_cast<unsigned>(n)];
        if (here && time != unplaced) issued[slot(time)] = n;
    }
    for (const int o : of_.operations) {
        const form& how = form_of(o);
        const int time = time_[static_cast<unsigned>(o)];
        if (plan_of(o).host >= 0 || time == unplaced) continue;
        const bool unseen =
            how.insn.latency == isa::latency_class::shuffle && !of_.machine.stalls_for_results;
        if (how.unit != isa::sub_unit::mad && !unseen) continue;
        for (int later = 1; later < static_cast<int>(how.latency); ++later)
            if (const int reader = issued[slot(time + later)]; reader >= 0)
                for (const result& out : of_.at(o).results) keep_reader_from(o, out.value, reader, -1);
    }
}

void placement::keep_reader_from(int writer, int written, int reader, int h) {
    const struct node& n = of_.at(reader);
    web& of = webs_[static_cast<unsigned>(root(written))];
    const auto keep_apart = [&](int instance) {
        if (root(instance) == root(written)) ++faults_;
        else apart_.emplace_back(root(written), root(instance));
    };
    for (std::size_t j = 0; j < n.operands.size(); ++j) {
        const operand& o = n.operands[j];
        if (o.value >= 0) keep_apart(instance_of(reader, static_cast<int>(j)));
        else if (o.constant < static_cast<int>(isa::general_lregs))
            of.banned |= isa::only(static_cast<unsigned>(o.constant));
    }
    if (is_load(reader) || h >= 0 || writer == reader) return;
    const unsigned f = plan_of(reader).form;
    of.banned |= of_.facts(reader).seen[f];
    if (n.results.empty()) return;
    if (n.reads_by_number) ++faults_;
    if (of_.facts(reader).sees_result[f]) keep_apart(n.results[0].value);
}

void placement::count_pressure() {
    live_count_.assign(static_cast<std::size_t>(interval_), 0);
    roots_.clear();
    for (std::size_t i = 0; i < webs_.size(); ++i) {
        if (webs_[i].members == 0) continue;
        roots_.push_back(static_cast<int>(i));
        for (unsigned s = 0; s < static_cast<unsigned>(interval_); ++s)
            live_count_[s] += webs_[i].live.has(s);
    }
    const std::size_t reserved =
        std::bitset<8>(of_.row.reserved & ~of_.row.carried & isa::general_registers).count();
    const auto room = static_cast<unsigned>(isa::general_lregs - reserved);
    for (const unsigned live : live_count_) pressure_ += live > room ? static_cast<int>(live - room) : 0;
}

/// The register whose place is best filled, -1: none is free.
int placement::best_color(int w) const {
    const web& of = webs_[static_cast<unsigned>(w)];
    int best = -1, most = -1;
    for (int c = 0; c < static_cast<int>(isa::general_lregs); ++c) {
        if (of.pinned >= 0 && of.pinned != c) continue;
        if (isa::contains(of.banned, static_cast<unsigned>(c))) continue;
        bool free = true;
        int beside = 0;
        for (const int other : roots_) {
            const web& there = webs_[static_cast<unsigned>(other)];
            if (there.color != c) continue;
            ++beside;
            if (there.live.meets(of.live)) free = false;
        }
        for (const auto& [a, b] : apart_)
            if ((a == w && webs_[static_cast<unsigned>(b)].color == c) ||
                (b == w && webs_[static_cast<unsigned>(a)].color == c))
                free = false;
        if (free && beside > most) {
            most = beside;
            best = c;
        }
    }
    return best;
}

void placement::color() {
    const auto weight = [&](int w) {
        unsigned long sum = 0;
        const web& of = webs_[static_cast<unsigned>(w)];
        for (unsigned s = 0; s < static_cast<unsigned>(interval_); ++s)
            if (of.live.has(s)) sum += live_count_[s];
        return of.pinned >= 0 ? ~0ul : sum;
    };
    std::vector<std::pair<unsigned long, int>> order;
    order.reserve(roots_.size());
    for (const int w : roots_) order.emplace_back(weight(w), w);
    std::sort(order.begin(), order.end(), [](const auto& a, const auto& b) {
        return a.first != b.first ? a.first > b.first : a.second < b.second;
    });
    const bool close = overflow_ + faults_ + uncolored_ + pressure_ == 0;
    int failed = 0;
    for (unsigned attempt = 0; attempt < (close ? 6u : 1u); ++attempt) {
        for (const int w : roots_) webs_[static_cast<unsigned>(w)].color = -1;
        failed = 0;
        std::size_t first_failed = order.size();
        for (std::size_t k = 0; k < order.size(); ++k) {
            const int c = best_color(order[k].second);
            webs_[static_cast<unsigned>(order[k].second)].color = c;
            if (c >= 0) continue;
            ++failed;
            first_failed = std::min(first_failed, k);
        }
        if (failed == 0) break;
        // What found no place chooses first.
        std::rotate(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(first_failed),
                    order.begin() + static_cast<std::ptrdiff_t>(first_failed) + 1);
    }
    uncolored_ += failed;
}

} // namespace sfpu::optimizer::heuristic
