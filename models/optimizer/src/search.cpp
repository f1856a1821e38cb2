#include <sfpu/optimizer/search.h>

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <memory>
#include <set>

namespace sfpu::optimizer {
namespace {

using watch = std::chrono::steady_clock;
constexpr unsigned copies_at_first = 3, copies_at_last = 5;

std::string counted(unsigned count, const char* what) {
    return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

/// Cycles of the longest chain through a row.
unsigned longest_chain(const graph& of) {
    std::vector<unsigned> ready(of.values.size(), 0);
    unsigned longest = 1;
    for (const node& n : of.nodes) {
        unsigned start = 0;
        for (const operand& o : n.operands)
            if (o.value >= 0 && o.distance == 0)
                start = std::max(start, ready[static_cast<unsigned>(o.value)]);
        unsigned latency = 1;
        for (const form& f : n.forms) latency = std::max(latency, f.latency);
        for (const result& r : n.results) ready[static_cast<unsigned>(r.value)] = start + latency;
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
        if (n.what == node::kind::store && !addresses.count(n.address) &&
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
    unsigned slots = 1;
    for (;; ++slots) {
        unsigned least = ~0u;
        for (unsigned hosts = loads; hosts <= slots + loads + operations; ++hosts) {
            unsigned left = 0, free_either = either;
            for (unsigned u = 0; u < 3; ++u) left += fixed[u] > hosts ? fixed[u] - hosts : 0;
            const unsigned room =
                (hosts > fixed[0] ? hosts - fixed[0] : 0) + (hosts > fixed[2] ? hosts - fixed[2] : 0);
            left += free_either > room ? free_either - room : 0;
            const unsigned by_issue = std::max(hosts, loads + named) - hosts; // that are issued
            least = std::min(least, cycles_of(hosts, by_issue + left + issued));
        }
        slots = std::max(slots, least);
        break;
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

namespace {

class searcher {
public:
    searcher(const isa::kernel& plain, const isa::machine& machine, const isa::thread_state& thread,
             bool lanes_start_enabled, const search_options& options)
        : machine_(machine), options_(options) {
        std::set<std::size_t> sizes;
        for (const bool hoist : {true, false})
            for (const bool drop : {true, false}) {
                graph_options how;
                how.hoist_constants = hoist;
                how.drop_moves = drop;
                try {
                    graph g = build_graph(plain, machine, thread, lanes_start_enabled, how);
                    if (sizes.insert(g.nodes.size()).second) graphs_.push_back(std::move(g));
                } catch (const row_error&) {
                    // The row as it stands is the last to be tried; what is wrong with it is wrong.
                    if (!hoist && !drop && graphs_.empty()) throw;
                }
            }
        result_.floor = lower_bound(graphs_[0], machine);
        for (const graph& g : graphs_) {
            const bound other = lower_bound(g, machine);
            if (other.interval < result_.floor.interval) result_.floor = other;
        }
    }

    search_result run() {
        start_ = watch::now();
        unsigned best = options_.shortest_known;
        const unsigned floor = result_.floor.interval;
        // From above: the first that is found quickly, then shorter ones with more and more patience.
        double slice = 1.5;
        std::int64_t conflicts = 3000;
        for (unsigned round = 0; !stopped(); ++round) {
            bool found_one = false;
            std::vector<unsigned> order;
            if (best == ~0u || round == 0) {
                const unsigned end = best == ~0u ? floor + 60 : best;
                for (unsigned interval = floor; interval < end; ++interval) order.push_back(interval);
            } else {
                for (unsigned interval = best; interval-- > floor;) order.push_back(interval);
            }
            for (const unsigned interval : order) {
                if (interval >= best || stopped()) continue;
                if (attempt(interval, slice, conflicts, round > 0)) {
                    best = interval;
                    found_one = true;
                    if (options_.at_most && best <= *options_.at_most) return finish(best);
                    if (round > 0) break;
                }
            }
            if (best == floor || all_refuted(floor, best)) break;
            // Nothing is left to be tried.
            if (!found_one && std::all_of(order.begin(), order.end(),
                                          [&](unsigned interval) { return is_refuted(interval); }))
                break;
            if (!found_one || round == 0) {
                slice *= 4;
                conflicts *= 4;
            }
        }
        return finish(best);
    }

private:
    double elapsed() const { return std::chrono::duration<double>(watch::now() - start_).count(); }
    bool stopped() {
        if (options_.interrupted && options_.interrupted()) result_.interrupted = true;
        if (result_.interrupted) return true;
        if (options_.conflicts > 0) return spent_ >= options_.conflicts;
        return options_.seconds > 0 && elapsed() >= options_.seconds;
    }

    /// How often a load may be repeated: as often as there is room for loads in the interval.
    unsigned copies_of(const graph& g, unsigned interval, unsigned most) const {
        unsigned loads = 0;
        for (const node& n : g.nodes) loads += n.what == node::kind::load;
        const unsigned room = interval * std::min(machine_.issue_width, machine_.load_ports);
        return room + 1 > loads ? std::clamp(room + 1 - loads, 1u, most) : 1u;
    }
    formula_limits limits_for(const graph& g, unsigned interval, unsigned rows) const {
        formula_limits limits;
        limits.interval = interval;
        limits.rows = rows;
        limits.horizon = horizon_for(g, interval);
        limits.copies = copies_of(g, interval, copies_at_first);
        limits.bubble_proof = options_.bubble_proof;
        return limits;
    }

    using key = std::tuple<unsigned, unsigned, std::size_t>;

    /// `wider` tries longer rows with more loads, too, where short ones with few loads are refuted.
    bool attempt(unsigned interval, double slice, std::int64_t conflicts, bool wider) {
        for (std::size_t gi = 0; gi < graphs_.size(); ++gi) {
            for (const unsigned rows : rows_to_try(graphs_[gi], interval, options_.rows)) {
                const key at{interval, rows, gi};
                if (stopped()) return false;
                if (done_.count(at)) continue;
                if (lower_bound(graphs_[gi], machine_).interval > interval) {
                    done_.insert(at);
                    continue;
                }
                formula_limits limits = limits_for(graphs_[gi], interval, rows);
                solver_limits patience;
                patience.terminated = options_.interrupted;
                if (options_.conflicts > 0) {
                    patience.conflicts = std::min(conflicts, options_.conflicts - spent_);
                } else {
                    patience.cpu_seconds = slice;
                    if (options_.seconds > 0) patience.seconds = options_.seconds - elapsed();
                }
                std::unique_ptr<formula> problem;
                solver_answer answer;
                const auto decide = [&] {
                    problem = std::make_unique<formula>(graphs_[gi], machine_, limits);
                    answer = solve(problem->clauses(), {}, patience);
                    if (answer.result == outcome::unknown) spent_ += patience.conflicts;
                    say(interval, rows, answer, *problem);
                };
                const auto known = narrow_.find(at);
                double seconds = known == narrow_.end() ? 0 : known->second;
                if (known == narrow_.end()) {
                    decide();
                    seconds = answer.seconds;
                }
                if (known != narrow_.end() || answer.result == outcome::refuted) {
                    // What cannot be may be possible for rows that last longer and load more often: only what these refute, too,
                    // is refuted.
                    narrow_[at] = seconds;
                    if (!wider) continue;
                    limits.horizon += interval + 4;
                    limits.copies = copies_of(graphs_[gi], interval, copies_at_last);
                    decide();
                    if (answer.result == outcome::refuted) {
                        done_.insert(at);
                        refutation no;
                        no.interval = interval;
                        no.rows = rows;
                        no.copies = limits.copies;
                        no.horizon = limits.horizon;
                        no.seconds = seconds + answer.seconds;
                        if (gi == 0) result_.refuted.push_back(no);
                    }
                }
                if (answer.result != outcome::satisfiable) continue;
                schedule found = problem->read(answer.model);
                if (options_.accept && !options_.accept(graphs_[gi], found)) {
                    // Right, but what rows that are none leave behind looks like a hazard: then they schedule nothing.
                    formula_limits strict = limits;
                    strict.macros_in_frame = true;
                    const formula stricter(graphs_[gi], machine_, strict);
                    const solver_answer again = solve(stricter.clauses(), {}, patience);
                    say(interval, rows, again, stricter);
                    bool taken = again.result == outcome::satisfiable;
                    if (taken) {
                        found = stricter.read(again.model);
                        taken = options_.accept(graphs_[gi], found);
                    }
                    if (!taken) {
                        done_.insert(at);
                        rejected_.insert(interval);
                        continue;
                    }
                }
                result_.best = found;
                result_.best_graph = graphs_[gi];
                return true;
            }
        }
        return false;
    }

    bool all_refuted(unsigned floor, unsigned best) const {
        for (unsigned interval = floor; interval < best; ++interval)
            if (!is_refuted(interval)) return false;
        return best != ~0u;
    }
    bool is_refuted(unsigned interval) const {
        for (std::size_t gi = 0; gi < graphs_.size(); ++gi)
            for (const unsigned rows : rows_to_try(graphs_[gi], interval, options_.rows))
                if (!done_.count({interval, rows, gi})) return false;
        return true;
    }

    void say(unsigned interval, unsigned rows, const solver_answer& answer, const formula& problem) {
        if (!options_.progress) return;
        const char* what = answer.result == outcome::satisfiable ? "found"
                           : answer.result == outcome::refuted   ? "refuted"
                                                                 : "not decided";
        options_.progress(
            fmt::format("{} in {} of rotating registers: {} after {:.1f} s ({} variables, {} clauses)",
                        counted(interval, "cycle"), counted(rows, "row"), what, answer.seconds,
                        problem.clauses().variables(), problem.clauses().clauses()));
    }

    search_result finish(unsigned best) {
        const unsigned floor = result_.floor.interval;
        const bool lower_rejected = !rejected_.empty() && *rejected_.begin() < best;
        result_.proved = best != ~0u && all_refuted(floor, best) && !lower_rejected;
        if (best != ~0u)
            for (unsigned interval = floor; interval < best; ++interval)
                if (!is_refuted(interval)) result_.open.push_back(interval);
        // One word for each interval: the refutation that covers most.
        if (options_.why) explain();
        return std::move(result_);
    }

    /// Which groups refute an interval, small by deletion, and which single change would allow it.
    void explain() {
        if (result_.refuted.empty()) return;
        refutation* chosen = nullptr;
        for (refutation& each : result_.refuted)
            if (!chosen || each.interval > chosen->interval ||
                (each.interval == chosen->interval && each.rows > chosen->rows))
                chosen = &each;
        formula_limits limits = limits_for(graphs_[0], chosen->interval, chosen->rows);
        limits.with_groups = true;
        const formula problem(graphs_[0], machine_, limits);
        std::vector<group> kept;
        for (unsigned g = 1; g < group_count; ++g) kept.push_back(static_cast<group>(g));
        const auto refutes = [&](const std::vector<group>& groups, double seconds) {
            std::vector<literal> assumptions;
            assumptions.reserve(groups.size());
            for (const group g : groups)
                assumptions.push_back(problem.assumptions()[static_cast<unsigned>(g)]);
            solver_limits patience;
            patience.seconds = seconds;
            patience.terminated = options_.interrupted;
            const solver_answer answer = solve(problem.clauses(), assumptions, patience);
            if (answer.result != outcome::refuted) return false;
            std::vector<group> needed;
            for (const group g : groups)
                if (std::find(answer.needed.begin(), answer.needed.end(),
                              problem.assumptions()[static_cast<unsigned>(g)]) != answer.needed.end())
                    needed.push_back(g);
            kept = needed;
            return true;
        };
        const double patience = std::max(5.0, chosen->seconds * 4);
        if (!refutes(kept, patience)) return;
        for (unsigned g = group_count; g-- > 1;) {
            const auto at = std::find(kept.begin(), kept.end(), static_cast<group>(g));
            if (at == kept.end()) continue;
            std::vector<group> fewer = kept;
            fewer.erase(fewer.begin() + (at - kept.begin()));
            refutes(fewer, patience);
        }
        chosen->because = kept;
        chosen->relaxations_tried = true;
        const auto try_with = [&](const char* parameter, const std::string& value,
                                  const isa::machine& other) {
            formula_limits same = limits;
            same.with_groups = false;
            const formula relaxed(graphs_[0], other, same);
            solver_limits time;
            time.seconds = patience;
            time.terminated = options_.interrupted;
            if (solve(relaxed.clauses(), {}, time).result == outcome::satisfiable)
                chosen->relaxations.push_back({parameter, value, chosen->interval});
        };
        isa::machine more = machine_;
        if (more.templates < isa::largest::templates) {
            ++more.templates;
            try_with("macro.templates", fmt::format("{}", more.templates), more);
        }
        more = machine_;
        if (more.macros < isa::largest::macros) {
            ++more.macros;
            try_with("macro.count", fmt::format("{}", more.macros), more);
        }
        more = machine_;
        if (more.delay_bits < isa::largest::delay_bits) {
            ++more.delay_bits;
            more.slots = std::max(more.slots, 1u << more.delay_bits);
            try_with("macro.delay_bits", fmt::format("{}", more.delay_bits), more);
        }
        more = machine_;
        if (more.issue_width < isa::largest::issue_width && !options_.bubble_proof) {
            ++more.issue_width;
            try_with("sfpu.issue_width", fmt::format("{}", more.issue_width), more);
        }
        more = machine_;
        if (more.write_port_rule) {
            more.write_port_rule = false;
            try_with("sfpu.write_port_rule", "false", more);
        }
        more = machine_;
        if (more.mad_units < 2) {
            ++more.mad_units;
            try_with("sfpu.mad_units", fmt::format("{}", more.mad_units), more);
        }
        more = machine_;
        unsigned& mad = more.latency[static_cast<unsigned>(isa::result_class::mad)];
        if (mad > 1) {
            --mad;
            try_with("sfpu.latency.mad", fmt::format("{}", mad), more);
        }
    }

    const isa::machine& machine_;
    const search_options& options_;
    std::vector<graph> graphs_;
    search_result result_;
    std::set<key> done_;
    /// Refuted for short rows with few loads, and the seconds that it took; longer ones are not decided.
    std::map<key, double> narrow_;
    std::set<unsigned> rejected_; ///< intervals with schedules that were not taken
    std::int64_t spent_ = 0;
    watch::time_point start_;
};

} // namespace

search_result search(const isa::kernel& plain, const isa::machine& machine, const isa::thread_state& thread,
                     bool lanes_start_enabled, const search_options& options) {
    return searcher(plain, machine, thread, lanes_start_enabled, options).run();
}

} // namespace sfpu::optimizer
