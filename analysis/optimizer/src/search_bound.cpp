// What no schedule can go below, and how far a search looks: without a solver.
#include "search_parts.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>

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

std::string counted(unsigned count, const char* what) {
    return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
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

bound lower_bound(const graph& of, const isa::machine& machine) {
    unsigned loads = 0, stores = 0, issued = 0, named = 0;
    std::array<unsigned, 4> busy{}, fixed{};
    unsigned either = 0;
    std::set<unsigned> addresses, store_addresses;
    unsigned operations = 0;
    for (const node& n : of.nodes) {
        if (n.optional) continue;
        if (n.what == node::kind::load) {
            ++loads;
            addresses.insert(n.address);
            continue;
        }
        if (n.what == node::kind::store) {
            ++stores;
            continue;
        }
        ++operations;
        std::set<unsigned> units;
        bool can_schedule = false;
        for (const form& f : n.forms) {
            units.insert(static_cast<unsigned>(f.unit));
            can_schedule |= f.can_schedule;
        }
        if (!can_schedule) ++issued;
        if (units.size() > 1) ++either;
        else if (*units.begin() < 4) ++fixed[*units.begin()];
        const bool swap = n.insn.latency == isa::latency_class::swap,
                   shuffle = n.insn.latency == isa::latency_class::shuffle;
        if (units.size() == 1 && *units.begin() < 4) busy[*units.begin()] += 1;
        if (swap) {
            busy[0] += 1;
            busy[1] += 1;
            busy[2] += 1;
        }
        if (shuffle) {
            busy[0] += 1;
            busy[2] += 1;
        }
    }
    for (const node& n : of.nodes)
        if (n.what == node::kind::store && !n.optional && !addresses.count(n.address) &&
            store_addresses.insert(n.address).second)
            ++named;
    busy[3] = stores;

    // Cycles of so many loads and other words.
    const unsigned width = machine.issue_width, ports = std::min(width, machine.load_ports);
    const auto cycles_of = [&](unsigned of_loads, unsigned others) {
        return std::max((of_loads + others + width - 1) / width, (of_loads + ports - 1) / ports);
    };
    bound found;
    // A store at another address needs a load there, or is issued.
    found.interval = std::max(1u, cycles_of(loads, named + issued));
    found.reason = fmt::format("issue slots: {}", counted(loads, "load"));
    if (issued) found.reason += fmt::format(" + {} that no macro can take", counted(issued, "instruction"));
    if (named) found.reason += fmt::format(" + {} at another address", counted(named, "store"));
    // Each load schedules one instruction of a sub-unit; what is left is issued, or needs another load.
    unsigned slots = ~0u;
    for (unsigned hosts = loads; hosts <= 1 + loads + operations; ++hosts) {
        unsigned left = 0;
        for (unsigned u = 0; u < 3; ++u) left += fixed[u] > hosts ? fixed[u] - hosts : 0;
        const unsigned room =
            (hosts > fixed[0] ? hosts - fixed[0] : 0) + (hosts > fixed[2] ? hosts - fixed[2] : 0);
        left += either > room ? either - room : 0;
        const unsigned by_issue = std::max(hosts, loads + named) - hosts; // stores that are issued
        slots = std::min(slots, cycles_of(hosts, by_issue + left + issued));
    }
    if (slots > found.interval) {
        found.interval = slots;
        found.reason =
            fmt::format("issue slots: {} and {}, of which each load can schedule one on a sub-unit",
                        counted(loads + named, "load"), counted(operations, "instruction"));
    }
    if (width > 1)
        found.reason += ports > 1 ? "; two words a cycle" : "; two words a cycle, one of them a load";
    const char* names[] = {"Simple", "MAD", "Round", "Store"};
    for (unsigned u = 0; u < 4; ++u) {
        const unsigned units = u == 1 ? machine.mad_units : 1;
        const unsigned cycles = (busy[u] + units - 1) / units;
        if (cycles > found.interval) {
            found.interval = cycles;
            found.reason = fmt::format("sub-unit {}: {} of work", names[u], counted(busy[u], "cycle"));
        }
    }
    const unsigned pair = busy[0] + busy[2] + either;
    if ((pair + 1) / 2 > found.interval) {
        found.interval = (pair + 1) / 2;
        found.reason = fmt::format("sub-units Simple and Round: {} of work for both", counted(pair, "cycle"));
    }
    // What a row hands to the next.
    for (std::size_t start = 0; start < of.values.size(); ++start) {
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
        if (longest[start] > static_cast<int>(found.interval)) {
            found.interval = static_cast<unsigned>(longest[start]);
            found.reason = fmt::format("recurrence: each row needs the one before, {} later",
                                       counted(found.interval, "cycle"));
        }
    }
    if (!of.flag_writers.empty() && of.flag_writers.size() > found.interval) {
        found.interval = static_cast<unsigned>(of.flag_writers.size());
        found.reason = fmt::format("lane flags: {} in a row", counted(found.interval, "change"));
    }
    return found;
}

} // namespace sfpu::optimizer
