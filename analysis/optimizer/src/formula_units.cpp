// Who may execute beside whom: issue slots, sub-units, the write port.
#include "row_words.h"
#include "rule_writer.h"

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

class occupancy : rule_writer {
public:
    explicit occupancy(formula_state& of) : rule_writer(of) {}

    void write_all() {
        for (int s = 0; s < interval_; ++s) fill_slot(s);
        for (unsigned slot = 0; slot < static_cast<unsigned>(interval_); ++slot) keep_to_one(slot);
        if (machine_.write_port_rule) share_write_port();
    }

private:
    /// When an operation keeps a sub-unit busy, by slot.
    struct busy {
        int event;
        unsigned unit;
        std::vector<literal> slot;
    };

    /// `q` holds if the event executes `shift` cycles before the slot.
    void add_slot(literal q, const event& e, const std::vector<literal>& when, int slot, int shift,
                  clause_site site = clause_site::here()) {
        for (int x = 0; x < horizon_; ++x) {
            if ((x + shift) % interval_ != slot) continue;
            std::vector<literal> clause = when;
            clause.push_back(-at(e, x));
            clause.push_back(q);
            add(clause, site);
        }
    }

    void fill_slot(int s) {
        const auto slot = static_cast<unsigned>(s);
        aside_.clear();
        idle_mad_.clear();
        for (const int index : loads_) {
            begin(group::definition);
            const literal q = make();
            add_slot(q, event_at(index), {}, s, 0);
            state_.issue_slots[slot].push_back(q);
            state_.load_slots[slot].push_back(q);
        }
        for (const int index : operations_) {
            issue_in(s, event_at(index));
            execute_in(s, index);
            execute_twice_in(s, event_at(index));
        }
        begin(group::write_port);
        for (const literal swap : idle_mad_)
            for (const literal other : aside_) add({-swap, -other});
        // Two that step aside leave none for what is scheduled.
        begin(group::mad_unit);
        if (machine_.issue_width > 1)
            for (std::size_t i = 0; i < aside_.size(); ++i)
                for (std::size_t j = i + 1; j < aside_.size(); ++j)
                    for (const literal scheduled : state_.unit_slots[number(sub_unit::mad)][slot])
                        add({-aside_[i], -aside_[j], -scheduled});
    }

    void issue_in(int s, const event& e) {
        const auto slot = static_cast<unsigned>(s);
        begin(group::definition);
        const literal q = make();
        add_slot(q, e, {-e.issued}, s, 0);
        state_.issue_slots[slot].push_back(q);
        if (is_load_word(node_of(e))) state_.load_slots[slot].push_back(q);
    }

    void execute_in(int s, int index) {
        const event& e = event_at(index);
        const node& n = node_of(e);
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
                        aside_.push_back(make());
                        add_slot(aside_.back(), e, {-e.alternative[a], -e.issued}, s, 0);
                    } else add_slot(u, e, {-e.alternative[a]}, s, 0);
                }
            state_.unit_slots[unit][static_cast<unsigned>(s)].push_back(u);
            if (unit == number(sub_unit::simple) || unit == number(sub_unit::round)) {
                if (s == 0) simple_and_round_.push_back({index, unit, {}});
                for (busy& each : simple_and_round_)
                    if (each.event == index && each.unit == unit) each.slot.push_back(u);
            }
        }
    }

    /// Two cycles (T8).
    void execute_twice_in(int s, const event& e) {
        const auto slot = static_cast<unsigned>(s);
        const std::vector<form>& forms = node_of(e).forms;
        for (std::size_t a = 0; a < forms.size(); ++a) {
            const isa::latency_class latency = forms[a].insn.latency;
            const bool swap = latency == isa::latency_class::swap;
            if (!swap && latency != isa::latency_class::shuffle) continue;
            begin(group::write_port);
            for (const sub_unit unit : {sub_unit::simple, sub_unit::round}) {
                const literal second = make();
                add_slot(second, e, {-e.alternative[a]}, s, 1);
                state_.unit_slots[number(unit)][slot].push_back(second);
            }
            if (swap) {
                const literal idle = make();
                add_slot(idle, e, {-e.alternative[a]}, s, 0);
                state_.unit_slots[number(sub_unit::mad)][slot].push_back(idle);
                idle_mad_.push_back(idle);
            }
            // T16: issue waits behind an SFPSWAP until its results are there, and behind an SFPSHFT2 where
            // results are waited for (not T17).
            if (!swap && !machine_.stalls_for_results) continue;
            begin(group::stalls);
            const literal nothing = make();
            for (int later = 1; later < static_cast<int>(forms[a].latency); ++later)
                add_slot(nothing, e, {-e.alternative[a], -e.issued}, s, later);
            state_.held_slots[slot].push_back(nothing);
        }
    }

    /// One word, or two that may share a cycle, and one instruction a sub-unit.
    void keep_to_one(unsigned slot) {
        begin(group::issue_slots);
        if (machine_.issue_width == 1) {
            at_most_one(state_.issue_slots[slot]);
        } else {
            at_most_two(state_.issue_slots[slot]);
            if (machine_.load_ports == 1) at_most_one(state_.load_slots[slot]);
        }
        begin(group::stalls);
        for (const literal held : state_.held_slots[slot])
            for (const literal word : state_.issue_slots[slot]) add({-held, -word});
        for (const sub_unit unit : {sub_unit::simple, sub_unit::mad, sub_unit::round, sub_unit::store}) {
            begin(group_of(unit));
            at_most_one(state_.unit_slots[number(unit)][slot]);
        }
    }

    /// T9: Simple and Round share a port, of which L16 has one of its own.
    void share_write_port() {
        begin(group::write_port);
        for (const busy& a : simple_and_round_)
            for (const busy& b : simple_and_round_) {
                if (a.event == b.event || a.unit != number(sub_unit::simple) ||
                    b.unit != number(sub_unit::round))
                    continue;
                const event &ea = event_at(a.event), &eb = event_at(b.event);
                if (ea.instances.empty() || eb.instances.empty()) continue;
                for (std::size_t s = 0; s < a.slot.size(); ++s) {
                    add({-a.slot[s], -b.slot[s], ea.l16, eb.l16});
                    add({-a.slot[s], -b.slot[s], -ea.l16, -eb.l16});
                }
            }
    }

    std::vector<busy> simple_and_round_;
    // In this slot: issued beside the first MAD unit; SFPSWAPs that want all of them idle.
    std::vector<literal> aside_, idle_mad_;
};

} // namespace

void occupy_units(formula_state& of) { occupancy(of).write_all(); }

} // namespace sfpu::optimizer
