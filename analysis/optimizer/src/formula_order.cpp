// Who may execute beside whom: issue slots, sub-units, write port, lane flags, Dst, stalls.
#include "formula_parts.h"

#include <sfpu/isa/table.h>

#include <algorithm>
#include <set>

namespace sfpu::optimizer {

using isa::sub_unit;

namespace {

group group_of(sub_unit unit) {
    switch (unit) {
    case sub_unit::simple: return group::simple_unit;
    case sub_unit::mad: return group::mad_unit;
    case sub_unit::round: return group::round_unit;
    default: return group::store_unit;
    }
}

} // namespace

void formula::occupy() {
    const auto add_slot = [&](literal q, const event& e, const std::vector<literal>& when, int slot,
                              int shift, clause_site site = clause_site::here()) {
        for (int x = 0; x < horizon_; ++x) {
            if ((x + shift) % interval_ != slot) continue;
            std::vector<literal> clause = when;
            clause.push_back(-at(e, x));
            clause.push_back(q);
            add(clause, site);
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
        std::vector<literal> aside,
            idle_mad; // issued beside the first MAD unit; SFPSWAPs that want all of them idle
        for (const int li : loads_) {
            begin(group::definition);
            const literal q = make();
            add_slot(q, events_[static_cast<unsigned>(li)], {}, s, 0);
            issue_slots_[slot].push_back(q);
            load_slots_[slot].push_back(q);
        }
        for (const int oi : operations_) {
            const event& e = events_[static_cast<unsigned>(oi)];
            const node& n = graph_.nodes[static_cast<unsigned>(e.node)];
            begin(group::definition);
            const literal q = make();
            add_slot(q, e, {-e.issued}, s, 0);
            issue_slots_[slot].push_back(q);
            if (is_load_word(n)) load_slots_[slot].push_back(q);
            std::set<unsigned> units;
            for (const form& f : n.forms) units.insert(number(f.unit));
            for (const unsigned unit : units) {
                if (unit == number(sub_unit::load)) continue;
                begin(group::definition);
                const literal u = make();
                for (std::size_t a = 0; a < n.forms.size(); ++a)
                    if (number(n.forms[a].unit) == unit) {
                        // With a second MAD unit, what is issued steps aside.
                        if (unit == number(sub_unit::mad) && machine_.mad_units > 1) {
                            add_slot(u, e, {-e.alternative[a], e.issued}, s, 0);
                            aside.push_back(make());
                            add_slot(aside.back(), e, {-e.alternative[a], -e.issued}, s, 0);
                        } else add_slot(u, e, {-e.alternative[a]}, s, 0);
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
                    idle_mad.push_back(idle);
                }
                // T16: issue waits behind an SFPSWAP until its results are there, and behind an SFPSHFT2 where results are
                // waited for (not T17).
                if (!swap && !machine_.stalls_for_results) continue;
                begin(group::stalls);
                const literal nothing = make();
                for (int later = 1; later < static_cast<int>(n.forms[a].latency); ++later)
                    add_slot(nothing, e, {-e.alternative[a], -e.issued}, s, later);
                held_slots_[slot].push_back(nothing);
            }
        }
        begin(group::write_port);
        for (const literal swap : idle_mad)
            for (const literal other : aside) add({-swap, -other});
        // Two that step aside leave none for what is scheduled.
        begin(group::mad_unit);
        if (machine_.issue_width > 1)
            for (std::size_t i = 0; i < aside.size(); ++i)
                for (std::size_t j = i + 1; j < aside.size(); ++j)
                    for (const literal scheduled : unit_slots_[number(sub_unit::mad)][slot])
                        add({-aside[i], -aside[j], -scheduled});
    }
    for (unsigned slot = 0; slot < static_cast<unsigned>(interval_); ++slot) {
        begin(group::issue_slots);
        if (machine_.issue_width == 1) {
            at_most_one(issue_slots_[slot]);
        } else {
            at_most_two(issue_slots_[slot]);
            if (machine_.load_ports == 1) at_most_one(load_slots_[slot]);
        }
        begin(group::stalls);
        for (const literal held : held_slots_[slot])
            for (const literal word : issue_slots_[slot]) add({-held, -word});
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
    off.reserve(static_cast<std::size_t>(interval_));
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
                // What was put aside in this row.
                if (order.rows == 0 && order.store_to_load && one.optional) add({-b.used, a.used});
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
    macros_in_frame_ = make();
    begin(group::effects);
    for (const event& e : events_) {
        const node& n = graph_.nodes[static_cast<unsigned>(e.node)];
        if (e.host_only) continue;
        for (int x = 0; x < horizon_; ++x) {
            const literal here = frame_[static_cast<unsigned>(x / interval_)];
            if (!n.effect) {
                // Nor does anything go to L16 for them, where nobody would take it.
                if (!e.is_load && n.what == node::kind::operation)
                    for (std::size_t k = 0; k < loads_.size(); ++k) {
                        const literal host = at(events_[static_cast<unsigned>(loads_[k])], x);
                        {
                            const implied it(*this, spare::nothing_looks_lost);
                            add({-e.parent[k], -e.l16, -host, here});
                        }
                        const implied it(*this, spare::nothing_for_none);
                        add({-e.parent[k], -macros_in_frame_, -host, here});
                    }
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
    // T16, T17: nothing that is issued reads a register whose new value an issued instruction of the MAD class brings, nor
    // one of a shuffle that does not hold issue: it would be held, or reported.
    begin(group::stalls);
    struct issue {
        int event;
        std::vector<literal> slot;
    };
    const auto slots_of = [&](const event& e, int first, int last) {
        std::vector<literal> slot;
        slot.reserve(static_cast<std::size_t>(period_));
        for (int s = 0; s < period_; ++s) slot.push_back(make());
        for (int x = 0; x < horizon_; ++x)
            for (int k = first; k <= last; ++k)
                add({-e.issued, -at(e, x), slot[static_cast<unsigned>((x + k) % period_)]});
        return slot;
    };
    std::vector<issue> readers;
    for (std::size_t ei = 0; ei < events_.size(); ++ei) {
        const event& e = events_[ei];
        if (!e.host_only && (!e.is_load || !e.chosen.empty()))
            readers.push_back({static_cast<int>(ei), slots_of(e, 0, 0)});
    }
    for (const int oi : operations_) {
        const event& a = events_[static_cast<unsigned>(oi)];
        const node& n = graph_.nodes[static_cast<unsigned>(a.node)];
        unsigned latency = 1;
        for (const form& f : n.forms)
            if (f.unit == sub_unit::mad ||
                (f.insn.latency == isa::latency_class::shuffle && !machine_.stalls_for_results))
                latency = std::max(latency, f.latency);
        if (latency < 2) continue;
        const std::vector<literal> flying = slots_of(a, 1, static_cast<int>(latency) - 1);
        std::vector<registers_of> brought;
        for (const int ri : a.instances) brought.push_back(instances_[static_cast<unsigned>(ri)].lreg);
        if (n.writes_by_number) { // INDIRECT_VD counts as writing every register
            brought.assign(1, registers_of(rows_));
            for (auto& of_row : brought[0]) of_row.fill(always);
        }
        for (const registers_of& written : brought) {
            for (const issue& reader : readers) {
                const event& b = events_[static_cast<unsigned>(reader.event)];
                const node& bn = graph_.nodes[static_cast<unsigned>(b.node)];
                const auto avoid = [&](const registers_of& lreg, literal when,
                                       clause_site site = clause_site::here()) {
                    for (unsigned p = 0; p < rows_; ++p)
                        for (unsigned q = 0; q < rows_; ++q)
                            for (int s = 0; s < period_; ++s) {
                                const int rows_between = static_cast<int>(p) - static_cast<int>(q);
                                const int other =
                                    ((s + rows_between * interval_) % period_ + period_) % period_;
                                for (unsigned r = 0; r < place_count; ++r) {
                                    if (r == l16) continue;
                                    if (written[p][r] == never || lreg[q][r] == never) continue;
                                    add({-when, -flying[static_cast<unsigned>(s)],
                                         -reader.slot[static_cast<unsigned>(other)], -written[p][r],
                                         -lreg[q][r]},
                                        site);
                                }
                            }
                };
                for (const registers_of& lreg : b.reads_from) avoid(lreg, always);
                if (b.is_load) continue;
                // Fields that an instruction does not use keep the register of the plain code, and may be taken for operands.
                for (std::size_t f = 0; f < bn.forms.size(); ++f) {
                    isa::instruction as_issued = bn.forms[f].insn;
                    constexpr unsigned constant = 9;
                    as_issued.va = bn.forms[f].operand_of[va] < 0 ? bn.insn.va : constant;
                    as_issued.vb = bn.forms[f].operand_of[vb] < 0 ? bn.insn.vb : constant;
                    as_issued.vc = bn.forms[f].operand_of[vc] < 0 ? bn.insn.vc : constant;
                    as_issued.vd = constant;
                    const isa::register_set unused =
                        as_issued.op->use(as_issued, machine_.chip).seen_reads & isa::general_registers;
                    for (unsigned r = 0; r < 8; ++r) {
                        if (!isa::contains(unused, r)) continue;
                        distinguished_ |= isa::only(r);
                        registers_of only_it(rows_);
                        for (auto& of_row : only_it) {
                            of_row.fill(never);
                            of_row[r] = always;
                        }
                        avoid(only_it, b.alternative[f]);
                    }
                }
                if (b.instances.empty()) continue;
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
    // `rows`: how many rows later than the one whose slot is s.
    const auto shifted = [&](std::size_t e, int s, int rows) {
        return slot[e][static_cast<unsigned>(((s - rows * interval_) % period_ + period_) % period_)];
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
                for (unsigned pair = 0; pair < rows_ * rows_; ++pair)
                    for (int s = 0; s < period_; ++s)
                        for (const registers_of& lreg : e.reads_from)
                            for (unsigned r = 0; r < place_count; ++r) {
                                const unsigned p = pair / rows_, row = pair % rows_;
                                const int q = static_cast<int>(row) - static_cast<int>(p);
                                if (v.lreg[p][r] == never || lreg[row][r] == never) continue;
                                const literal same_v = -v.lreg[p][r], same_o = -lreg[row][r];
                                const literal sw = -slot[w][static_cast<unsigned>(s)];
                                for (int k = 0; k < static_cast<int>(latency); ++k) {
                                    // Scheduled writer: issued readers from its own cycle on, scheduled ones behind it.
                                    if (i != w)
                                        add({writer.issued, sw, -e.issued, -shifted(i, s + k, q), same_v,
                                             same_o});
                                    if (k > 0 && !e.is_load)
                                        add({writer.issued, sw, e.issued, -shifted(i, s + k, q), same_v,
                                             same_o});
                                    // Issued writer of two cycles: readers behind it, of either kind.
                                    if (k > 0)
                                        add({-writer.issued, sw, -shifted(i, s + k, q), same_v, same_o});
                                }
                            }
            }
            // Quick writers beside and behind a slow one: late, they would write after it.
            if (latency < 2) continue;
            for (std::size_t j = 0; j < instances_.size(); ++j) {
                const instance& other = instances_[j];
                if (static_cast<int>(w) == other.event || other.latency >= latency) continue;
                const auto i = static_cast<std::size_t>(other.event);
                const literal quick_is_scheduled = events_[i].is_load ? never : -events_[i].issued;
                for (unsigned pair = 0; pair < rows_ * rows_; ++pair)
                    for (int s = 0; s < period_; ++s)
                        for (unsigned r = 0; r < place_count; ++r) {
                            const unsigned p = pair / rows_, row = pair % rows_;
                            const int q = static_cast<int>(row) - static_cast<int>(p);
                            if (v.lreg[p][r] == never || other.lreg[row][r] == never) continue;
                            const std::vector<literal> both{-slot[w][static_cast<unsigned>(s)], -v.lreg[p][r],
                                                            -other.lreg[row][r]};
                            for (int k = 0; k + static_cast<int>(other.latency) < static_cast<int>(latency);
                                 ++k) {
                                std::vector<literal> clause = both;
                                clause.push_back(-shifted(i, s + k, q));
                                if (k == 0) {
                                    clause.push_back(writer.issued);
                                    clause.push_back(quick_is_scheduled);
                                }
                                add(clause);
                            }
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
                for (int p = 0; p < static_cast<int>(rows_); ++p)
                    for (int q = 0; q < static_cast<int>(rows_); ++q)
                        add({writer.issued, -e.issued, -shifted(w, s, p), -shifted(i, s, q)});
        }
    }
}

} // namespace sfpu::optimizer
