// How large a formula will be: its largest families of clauses, counted without writing them.
#include "rule_writer.h"

#include <algorithm>
#include <set>

namespace sfpu::optimizer {

namespace {

struct row_counts {
    std::size_t loads = 0, hosts = 0, operations = 0, operands = 0, results = 0, slow = 0;
};

row_counts counts_of(const graph& of) {
    row_counts counted;
    std::set<unsigned> loaded, stored;
    for (const node& n : of.nodes) {
        counted.operands += n.operands.size();
        if (n.what == node::kind::load) {
            ++counted.loads;
            loaded.insert(n.address);
            continue;
        }
        ++counted.operations;
        counted.results += n.results.size();
        if (n.what == node::kind::store) stored.insert(n.address);
        if (std::any_of(n.forms.begin(), n.forms.end(),
                        [](const form& f) { return f.unit == isa::sub_unit::mad && f.latency > 1; }))
            ++counted.slow;
    }
    for (const unsigned address : stored) counted.hosts += loaded.count(address) == 0;
    return counted;
}

} // namespace

std::size_t estimated_bytes(const graph& of, const isa::machine& machine, const formula_limits& limits) {
    const row_counts row = counts_of(of);
    const std::size_t loads = row.loads * limits.copies + row.hosts, horizon = limits.horizon,
                      rows = limits.rows, period = std::size_t{limits.interval} * rows,
                      instances = loads + row.results,
                      delays = std::min(machine.longest_delay() + 1u, machine.slots);
    std::size_t clauses = (loads + row.operations) * horizon * 8; // when each executes, and in which slots
    clauses += row.operations * loads *
               (horizon * delays + machine.macros * (machine.templates + delays + 5)); // entries and delays
    clauses += row.operands * (horizon * 2 + place_count * rows);                      // who reads what
    if (!limits.one_row) {
        clauses += instances * instances / 2 * rows * rows * (isa::general_lregs + period); // registers
        clauses += row.slow * row.operands * rows * rows * period * isa::general_lregs;     // stalls
    }
    return clause_list::bytes_of((loads + row.operations) * horizon * 2, clauses, clauses * 4);
}

} // namespace sfpu::optimizer
