// What no schedule can go below, and how far a search looks: without a solver.
#include "search_bound_row.h"
#include "search_parts.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>
#include <utility>

namespace sfpu::optimizer {

std::int64_t within_budget(const search_options& options, std::int64_t conflicts, std::int64_t spent) {
    return options.conflicts > 0 ? std::clamp<std::int64_t>(options.conflicts - spent, 1, conflicts)
                                 : conflicts;
}

solver_limits patience_of(const search_options& options, std::int64_t conflicts, double seconds_spent) {
    solver_limits limits;
    limits.terminated = options.interrupted;
    limits.conflicts = conflicts;
    if (options.conflicts == 0 && options.seconds > 0)
        limits.seconds = std::max(0.01, options.seconds - seconds_spent);
    return limits;
}

build_limits build_within(const search_options& options, std::int64_t spent, std::function<bool()> stopped) {
    constexpr std::int64_t always_allowed = 256, most = std::int64_t{1} << 30; // conflicts
    build_limits limits{options.memory, std::move(stopped)};
    if (options.conflicts == 0) return limits;
    const std::int64_t left = std::clamp<std::int64_t>(options.conflicts - spent, 0, most) + always_allowed;
    const std::size_t bytes = static_cast<std::size_t>(left) << 20;
    if (limits.bytes == 0 || bytes < limits.bytes) limits.bytes = bytes;
    return limits;
}

std::int64_t conflicts_of(std::size_t bytes) { return static_cast<std::int64_t>(bytes >> 20); }

std::string counted(unsigned count, const char* what) {
    return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

namespace {

unsigned loads_of(const graph& of) {
    return static_cast<unsigned>(std::count_if(of.nodes.begin(), of.nodes.end(), [](const node& n) {
        return n.what == node::kind::load && !n.optional;
    }));
}

} // namespace

unsigned copies_of(const graph& of, const isa::machine& machine, unsigned interval, unsigned most) {
    const unsigned loads = loads_of(of), room = interval * std::min(machine.issue_width, machine.load_ports);
    return room + 1 > loads ? std::clamp(room + 1 - loads, 1u, most) : 1u;
}

namespace {

/// Cycles of the longest chain through a row.
unsigned longest_chain(const graph& of) {
    std::vector<unsigned> ready(of.values.size(), 0), stored(of.nodes.size(), 0);
    unsigned longest = 1;
    for (std::size_t i = 0; i < of.nodes.size(); ++i) {
        const node& n = of.nodes[i];
        unsigned start = 0;
        for (const memory_order& order : of.memory)
            if (order.store_to_load && order.rows == 0 && order.second == static_cast<int>(i) && !n.optional)
                start = std::max(start, stored[static_cast<unsigned>(order.first)]);
        for (const operand& o : n.operands)
            if (o.value >= 0 && o.distance == 0)
                start = std::max(start, ready[static_cast<unsigned>(o.value)]);
        unsigned latency = 1;
        for (const form& f : n.forms) latency = std::max(latency, f.latency);
        for (const result& r : n.results) ready[static_cast<unsigned>(r.value)] = start + latency;
        stored[i] = start + 1;
        longest = std::max(longest, start + latency);
    }
    return longest;
}

} // namespace

unsigned horizon_for(const graph& of, unsigned interval) { return longest_chain(of) + interval + 4; }

std::vector<unsigned> rows_to_try(const graph& of, unsigned interval, std::optional<unsigned> wanted) {
    constexpr unsigned longest_iteration = 8; // of three rows and more
    if (wanted) return of.rows % *wanted == 0 ? std::vector<unsigned>{*wanted} : std::vector<unsigned>{};
    std::vector<unsigned> rows;
    for (const unsigned r : {1u, 2u, 3u, 4u})
        if (of.rows % r == 0 && (r < 3 || interval * r <= longest_iteration)) rows.push_back(r);
    return rows;
}

namespace {

/// What a row has to do, by kind.
struct row_work {
    unsigned loads = 0, stores = 0;
    unsigned named = 0;              ///< stores at addresses that no load of the row has
    unsigned operations = 0;         ///< neither loads nor stores
    unsigned issued = 0;             ///< of these, those that no macro can take
    unsigned either = 0;             ///< of these, those that more than one sub-unit can execute
    std::array<unsigned, 4> fixed{}; ///< by sub-unit: operations that only it can execute
    std::array<unsigned, 4> busy{};  ///< by sub-unit: cycles
    unsigned results = 0;       ///< operations that only Simple or Round execute and that write a register
    unsigned to_l16 = 0;        ///< of these, those whose result may go to L16
    unsigned second_cycles = 0; ///< of T8, in which neither Simple nor Round begins anything

    /// The work of so many rows.
    friend row_work operator*(row_work one, unsigned rows) {
        for (unsigned* each : {&one.loads, &one.stores, &one.named, &one.operations, &one.issued, &one.either,
                               &one.results, &one.to_l16, &one.second_cycles})
            *each *= rows;
        for (auto* units : {&one.fixed, &one.busy})
            for (unsigned& each : *units) each *= rows;
        return one;
    }
};

constexpr unsigned at_simple = 0, at_mad = 1, at_round = 2, at_store = 3;

void count_operation(const node& n, row_work& work) {
    ++work.operations;
    std::set<unsigned> units;
    bool can_schedule = false;
    for (const form& f : n.forms) {
        units.insert(static_cast<unsigned>(f.unit));
        can_schedule |= f.can_schedule;
    }
    if (!can_schedule) ++work.issued;
    if (units.size() > 1) ++work.either;
    else if (*units.begin() < 4) {
        ++work.fixed[*units.begin()];
        ++work.busy[*units.begin()];
    }
    // Two cycles (T8).
    const bool swap = n.insn.latency == isa::latency_class::swap;
    if (swap || n.insn.latency == isa::latency_class::shuffle) {
        ++work.busy[at_simple];
        ++work.busy[at_round];
        ++work.second_cycles;
    }
    if (swap) ++work.busy[at_mad];
}

/// Nodes with a result that a store may take from L16: it is the only reader of that register. Where a load
/// brings back what was stored, other readers may have it from there.
std::set<int> stored_from_l16(const graph& of) {
    std::set<int> stored, read;
    bool brought_back = false;
    for (const node& n : of.nodes) {
        brought_back |= n.optional;
        for (const operand& o : n.operands)
            if (o.value >= 0)
                (n.what == node::kind::store ? stored : read)
                    .insert(of.values[static_cast<unsigned>(o.value)].node);
    }
    if (!brought_back)
        for (const int each : read) stored.erase(each);
    return stored;
}

/// What shares the write port of Simple and Round (T9).
void count_results(const graph& of, row_work& work) {
    const std::set<int> stored = stored_from_l16(of);
    for (std::size_t i = 0; i < of.nodes.size(); ++i) {
        const node& n = of.nodes[i];
        const bool of_port = std::all_of(n.forms.begin(), n.forms.end(), [](const form& f) {
            return f.unit == isa::sub_unit::simple || f.unit == isa::sub_unit::round;
        });
        if (n.optional || n.what != node::kind::operation || n.results.empty() || !of_port) continue;
        ++work.results;
        const bool twice = n.insn.latency == isa::latency_class::swap;
        work.to_l16 += !twice && stored.count(static_cast<int>(i)) != 0;
    }
}

row_work work_of(const graph& of) {
    row_work work;
    count_results(of, work);
    std::set<unsigned> addresses, store_addresses;
    for (const node& n : of.nodes) {
        if (n.optional) continue;
        if (n.what == node::kind::load) {
            ++work.loads;
            addresses.insert(n.address);
        } else if (n.what == node::kind::store) ++work.stores;
        else count_operation(n, work);
    }
    for (const node& n : of.nodes)
        if (n.what == node::kind::store && !n.optional && !addresses.count(n.address) &&
            store_addresses.insert(n.address).second)
            ++work.named;
    work.busy[at_store] = work.stores;
    return work;
}

/// Cycles that so many loads and other words take.
unsigned cycles_of(const isa::machine& machine, unsigned loads, unsigned others) {
    const unsigned width = machine.issue_width, ports = std::min(width, machine.load_ports);
    return std::max((loads + others + width - 1) / width, (loads + ports - 1) / ports);
}

bound bound_by_words(const row_work& work, const isa::machine& machine) {
    bound found;
    // A store at another address needs a load there, or is issued.
    found.interval = std::max(1u, cycles_of(machine, work.loads, work.named + work.issued));
    found.reason = fmt::format("issue slots: {}", counted(work.loads, "load"));
    if (work.issued)
        found.reason += fmt::format(" + {} that no macro can take", counted(work.issued, "instruction"));
    if (work.named) found.reason += fmt::format(" + {} at another address", counted(work.named, "store"));
    return found;
}

/// What takes instructions of so many rows.
struct template_use {
    const template_cover& cover;
    unsigned rows = 1;
    bool set_again = false; ///< templates may be set in the loop
};

/// Each load schedules one instruction of a sub-unit, with a template; what is left is issued, or needs
/// another load.
unsigned cycles_of_issue_slots(const row_work& work, const isa::machine& machine,
                               const template_use* templates) {
    unsigned slots = ~0u;
    for (unsigned hosts = work.loads; hosts <= 1 + work.loads + work.operations; ++hosts) {
        const auto without_load = [&](unsigned unit) {
            return work.fixed[unit] > hosts ? work.fixed[unit] - hosts : 0;
        };
        const auto room_on = [&](unsigned unit) {
            return hosts > work.fixed[unit] ? hosts - work.fixed[unit] : 0;
        };
        unsigned left = without_load(at_simple) + without_load(at_mad) + without_load(at_round);
        const unsigned room = room_on(at_simple) + room_on(at_round);
        left += work.either > room ? work.either - room : 0;
        left += work.issued;
        if (templates) {
            const unsigned taken =
                templates->cover.most(machine.templates, hosts, templates->rows, templates->set_again);
            left = std::max(left, work.operations - std::min(taken, work.operations));
        }
        const unsigned by_issue = std::max(hosts, work.loads + work.named) - hosts; // stores that are issued
        slots = std::min(slots, cycles_of(machine, hosts, by_issue + left));
    }
    return slots;
}

void raise_to_issue_slots(bound& found, const row_work& work, const isa::machine& machine,
                          const template_use& templates) {
    const auto raise = [&](unsigned slots, const std::string& how) {
        if (slots <= found.interval) return;
        found.interval = slots;
        found.reason =
            fmt::format("issue slots: {} and {}, of which {}", counted(work.loads + work.named, "load"),
                        counted(work.operations, "instruction"), how);
    };
    raise(cycles_of_issue_slots(work, machine, nullptr), "each load can schedule one on a sub-unit");
    raise(cycles_of_issue_slots(work, machine, &templates),
          fmt::format("{} can take {} of a row", counted(machine.templates, "template"),
                      templates.cover.most(machine.templates, ~0u, 1, false)));
}

void raise_to_units(bound& found, const row_work& work, const isa::machine& machine) {
    const char* names[] = {"Simple", "MAD", "Round", "Store"};
    for (unsigned u = 0; u < 4; ++u) {
        const unsigned units = u == at_mad ? machine.mad_units : 1;
        const unsigned cycles = (work.busy[u] + units - 1) / units;
        if (cycles > found.interval) {
            found.interval = cycles;
            found.reason = fmt::format("sub-unit {}: {} of work", names[u], counted(work.busy[u], "cycle"));
        }
    }
    const unsigned pair = work.busy[at_simple] + work.busy[at_round] + work.either;
    if ((pair + 1) / 2 > found.interval) {
        found.interval = (pair + 1) / 2;
        found.reason = fmt::format("sub-units Simple and Round: {} of work for both", counted(pair, "cycle"));
    }
}

/// In one cycle Simple and Round write a result each only if exactly one goes to L16.
void raise_to_write_port(bound& found, const row_work& work, const isa::machine& machine) {
    if (!machine.write_port_rule) return;
    const unsigned pairs = std::min(work.to_l16, work.results / 2);
    const unsigned cycles = work.results + work.second_cycles - pairs;
    if (cycles <= found.interval) return;
    found.interval = cycles;
    found.reason = fmt::format("write port: {} of Simple and Round", counted(work.results, "result"));
    if (pairs) found.reason += fmt::format(", {} of them beside another one by L16", pairs);
    if (work.second_cycles) found.reason += fmt::format(", {}", counted(work.second_cycles, "second cycle"));
}

/// Cycles from a value that the row before left to the one that this row leaves in its place, -1 if they do
/// not depend on each other.
int recurrence_through(const graph& of, std::size_t start) {
    std::vector<int> longest(of.values.size(), -1);
    longest[start] = 0;
    for (const node& n : of.nodes) {
        unsigned latency = ~0u;
        for (const form& f : n.forms) latency = std::min(latency, f.latency);
        for (const operand& o : n.operands) {
            if (o.value < 0) continue;
            const auto v = static_cast<unsigned>(o.value);
            const bool from_before = o.distance > 0 && v == start;
            if (o.distance > 0 && !from_before) continue;
            const int at = from_before ? 0 : longest[v];
            if (at < 0 || (!from_before && v == start)) continue;
            for (const result& r : n.results)
                longest[static_cast<unsigned>(r.value)] =
                    std::max(longest[static_cast<unsigned>(r.value)], at + static_cast<int>(latency));
        }
    }
    return longest[start];
}

} // namespace

namespace {

/// What so many rows need, however they differ from each other. `set_again`: templates may be set in the
/// loop, which this optimizer does not do.
bound bound_of_rows(const graph& of, const isa::machine& machine, const template_cover& cover, unsigned rows,
                    bool set_again) {
    const row_work work = work_of(of) * rows;
    bound found = bound_by_words(work, machine);
    raise_to_issue_slots(found, work, machine, {cover, rows, set_again});
    if (machine.issue_width > 1)
        found.reason += std::min(machine.issue_width, machine.load_ports) > 1
                            ? "; two words a cycle"
                            : "; two words a cycle, one of them a load";
    raise_to_units(found, work, machine);
    raise_to_write_port(found, work, machine);
    unsigned recurrence = 0;
    for (std::size_t start = 0; start < of.values.size(); ++start)
        recurrence = std::max(recurrence, static_cast<unsigned>(std::max(0, recurrence_through(of, start))));
    if (recurrence * rows > found.interval) {
        found.interval = recurrence * rows;
        found.reason =
            fmt::format("recurrence: each row needs the one before, {} later", counted(recurrence, "cycle"));
    }
    const auto changes = static_cast<unsigned>(of.flag_writers.size());
    if (const unsigned cycles = cycles_of_flags(of, machine); cycles * rows > found.interval) {
        found.interval = cycles * rows;
        found.reason = fmt::format("lane flags: {} in a row", counted(changes, "change"));
        if (cycles > changes)
            found.reason += fmt::format(", {} with what stands between them", counted(cycles, "cycle"));
    }
    return found;
}

} // namespace

bound lower_bound(const graph& of, const isa::machine& machine) {
    constexpr unsigned most_rows = 4; // an iteration; what is rounded up for one is less for more
    const template_cover cover(of);
    bound found = bound_of_rows(of, machine, cover, 1, false);
    found.least = found.interval;
    for (unsigned rows = 1; rows <= most_rows; ++rows)
        found.least = std::min(
            found.least, static_cast<double>(bound_of_rows(of, machine, cover, rows, true).interval) / rows);
    return found;
}

} // namespace sfpu::optimizer
