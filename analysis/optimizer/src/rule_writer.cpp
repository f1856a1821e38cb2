// Clauses and cardinality constraints, and what rules ask of events.
#include "rule_writer.h"

#include <algorithm>

namespace sfpu::optimizer {

unsigned longest_latency(const node& of) {
    unsigned longest = 1;
    for (const form& each : of.forms) longest = std::max(longest, each.latency);
    return longest;
}

bool is_merged(const node& of, std::size_t operand) {
    return std::any_of(of.results.begin(), of.results.end(),
                       [&](const result& each) { return each.merge == static_cast<int>(operand); });
}

namespace {

/// Whether it reads what it keeps, a half of its register: SFPLOADI UPPER, SFPLOAD LO16_ONLY.
bool keeps_half(const node& of) {
    const bool loads = of.what == node::kind::load || of.insn.is(isa::opcode::sfploadi);
    return loads && (of.insn.use.reads & of.insn.use.results() & isa::general_registers) != 0;
}

} // namespace

int cycles_until_merged(const node& of, std::size_t operand) {
    return is_merged(of, operand) && !keeps_half(of) ? static_cast<int>(longest_latency(of)) - 1 : 0;
}

rule_writer::rule_writer(formula_state& of)
    : state_(of), graph_(of.row), machine_(of.machine), limits_(of.limits), interval_(of.interval),
      horizon_(of.horizon), period_(of.period), rows_(of.rows), delays_(of.delays), clauses_(of.clauses),
      events_(of.events), loads_(of.loads), operations_(of.operations), instances_(of.instances) {}

bool rule_writer::is_broken(const clause_site& site) const {
    return !state_.broken_site.empty() && site.text() == state_.broken_site;
}

void rule_writer::add(std::vector<literal> clause, clause_site site) {
    state_.sites.emplace(site, clause_role{current_group(), state_.current_spare});
    if (limits_.without == current_group()) return;
    if (is_broken(site)) {
        const literal broken = make();
        for (const literal each : clause) clauses_.add({-broken, -each});
        state_.broken.push_back(broken);
        return;
    }
    if (const literal on = state_.assumption[static_cast<unsigned>(current_group())]; on != always)
        clause.push_back(-on);
    clauses_.add(clause);
}

void rule_writer::at_most_one(std::vector<literal> literals, clause_site site) {
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

void rule_writer::at_most_two(const std::vector<literal>& literals, clause_site site) {
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

std::vector<literal> rule_writer::one_of(unsigned count) {
    std::vector<literal> values;
    for (unsigned i = 0; i < count; ++i) values.push_back(make());
    clauses_.add(values);
    const group kept = current_group();
    begin(group::definition);
    at_most_one(values);
    begin(kept);
    return values;
}

literal rule_writer::from(const event& e, int x) const {
    if (x <= 0) return e.used;
    return x >= horizon_ ? never : e.from[static_cast<unsigned>(x)];
}
literal rule_writer::at(const event& e, int x) const {
    return x < 0 || x >= horizon_ ? never : e.at[static_cast<unsigned>(x)];
}
literal rule_writer::visible(const instance& i, int x) const {
    if (!i.visible.empty()) {
        if (x < 0) return never;
        return x >= static_cast<int>(i.visible.size()) ? always : i.visible[static_cast<unsigned>(x)];
    }
    return -from(events_[static_cast<unsigned>(i.event)], x - static_cast<int>(i.latency) + 1);
}

} // namespace sfpu::optimizer
