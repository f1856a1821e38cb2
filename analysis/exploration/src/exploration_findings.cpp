#include <sfpu/analysis/exploration_findings.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>
#include <utility>

namespace sfpu::analysis {
namespace {

constexpr double tiny = 1e-9; ///< speeds and cycles that differ by less are equal

/// A kernel with a schedule.
using series = std::pair<std::string, schedule_choice>;
series series_of(const exploration_answer& answer, const explored_point& point) {
    return {answer.what.kernels[point.id.kernel].name, point.result.schedule};
}

/// In the order in which they come.
template <class T>
std::size_t place_of(std::vector<T>& known, const T& one) {
    const auto found = std::find(known.begin(), known.end(), one);
    if (found != known.end()) return static_cast<std::size_t>(found - known.begin());
    known.push_back(one);
    return known.size() - 1;
}

bool any_per_row(const exploration_answer& answer) {
    return std::any_of(answer.points.begin(), answer.points.end(),
                       [](const explored_point& each) { return each.result.cycles_per_row.has_value(); });
}

/// The numbers that the baseline's machine has.
std::vector<std::uint64_t> baseline_values(const sweep& of) {
    const parameters config = of.baseline_configuration();
    std::vector<std::uint64_t> values;
    for (const parameter_row* row : of.varied) values.push_back(row->get(config));
    return values;
}

/// The values of all parameters but one.
std::vector<std::uint64_t> others_of(std::vector<std::uint64_t> values, std::size_t parameter) {
    values.erase(values.begin() + static_cast<std::ptrdiff_t>(parameter));
    return values;
}

/// The others that a response holds; nothing if no two values go with the same.
std::optional<std::vector<std::uint64_t>> others_to_hold(const sweep& of, std::size_t parameter) {
    std::vector<std::vector<std::uint64_t>> combinations;
    std::vector<std::vector<std::uint64_t>> values; ///< of the parameter, by combination
    for (const std::vector<std::uint64_t>& point : of.points) {
        const std::size_t i = place_of(combinations, others_of(point, parameter));
        if (i == values.size()) values.emplace_back();
        place_of(values[i], point[parameter]);
    }
    const std::vector<std::uint64_t> baseline = others_of(baseline_values(of), parameter);
    std::optional<std::size_t> best;
    for (std::size_t i = 0; i < combinations.size(); ++i) {
        if (values[i].size() < 2) continue;
        if (combinations[i] == baseline) return baseline;
        if (!best || values[i].size() > values[*best].size()) best = i;
    }
    if (!best) return std::nullopt;
    return combinations[*best];
}

machine_finding::speed speed_of(const known_range& baseline, const known_range& here) {
    return {baseline.most / here.most,
            {baseline.least / here.most, here.least > 0 ? baseline.most / here.least : HUGE_VAL}};
}

/// Finds what exploration_findings says.
class finder {
public:
    explicit finder(const exploration_answer& answer) : answer_(answer), of_(answer.what) {
        found_.per_row = any_per_row(answer);
        for (std::size_t run = 0; run < answer.points.size(); ++run) {
            const explored_point& each = answer.points[run];
            const std::size_t kernel = place_of(found_.kernels, of_.kernels[each.id.kernel].name);
            runs_[{each.id.point, kernel}][each.result.schedule].push_back(run);
            place_of(all_series_, series_of(answer, each));
        }
    }

    exploration_findings find() && {
        find_machines();
        compare_with_baseline();
        rank();
        for (const std::size_t parameter : parameters_compared(answer_)) find_parameter(parameter);
        for (const explored_point& each : answer_.points) {
            if (each.result.schedule == schedule_choice::keep || each.result.status != point_status::ok)
                continue;
            ++found_.schedules;
            const std::optional<known_range> known = cycles_of(each.result, true);
            found_.proved += each.result.proved || (known && known->is_exact());
        }
        return std::move(found_);
    }

private:
    using kernel_result = machine_finding::kernel_result;

    /// Of a row, or of the whole run where a point has no rows.
    std::optional<known_range> cycles(const point_result& result) const {
        const auto of_row = found_.per_row ? cycles_of(result, true) : std::nullopt;
        return of_row ? of_row : cycles_of(result, false);
    }

    void find_machines() {
        const std::vector<std::uint64_t> baseline = baseline_values(of_);
        for (std::size_t point = 0; point < of_.points.size(); ++point) {
            machine_finding machine;
            machine.point = point;
            machine.cost = of_.cost_of(of_.configuration(point));
            for (std::size_t p = 0; p < baseline.size(); ++p)
                machine.changes += of_.points[point][p] != baseline[p];
            for (std::size_t kernel = 0; kernel < found_.kernels.size(); ++kernel)
                machine.results.push_back(result_at(point, kernel));
            if (machine.changes == 0 && !found_.baseline) found_.baseline = found_.machines.size();
            found_.machines.push_back(std::move(machine));
        }
    }
    /// Of a kernel's schedules the fastest whose results count with all seeds.
    std::optional<kernel_result> result_at(std::size_t point, std::size_t kernel) const {
        std::optional<kernel_result> best;
        const auto runs = runs_.find({point, kernel});
        if (runs == runs_.end()) return best;
        for (const auto& [schedule, own] : runs->second) {
            const std::optional<known_range> mean = mean_of(own);
            if (!mean) continue;
            if (!best) {
                best = kernel_result{own[0], *mean};
                continue;
            }
            best->cycles.least = std::min(best->cycles.least, mean->least);
            if (mean->most >= best->cycles.most) continue;
            best->cycles.most = mean->most;
            best->run = own[0];
        }
        return best;
    }
    std::optional<known_range> mean_of(const std::vector<std::size_t>& runs) const {
        known_range sum;
        for (const std::size_t run : runs) {
            const point_result& result = answer_.points[run].result;
            const auto known = cycles(result);
            if (!counts(result) || !known) return std::nullopt;
            sum.least += known->least;
            sum.most += known->most;
        }
        const auto count = static_cast<double>(runs.size());
        return known_range{sum.least / count, sum.most / count};
    }

    void compare_with_baseline() {
        if (!found_.baseline) return;
        const std::vector<std::optional<kernel_result>> baseline = found_.machines[*found_.baseline].results;
        const auto comparable = static_cast<std::size_t>(std::count_if(
            baseline.begin(), baseline.end(), [](const auto& each) { return each.has_value(); }));
        for (machine_finding& machine : found_.machines) {
            machine_finding::speed sum{0, {0, 0}};
            for (std::size_t k = 0; k < found_.kernels.size(); ++k) {
                machine.speeds.emplace_back();
                if (!baseline[k] || !machine.results[k]) continue;
                // A machine is as fast as itself, whatever else is not known.
                const bool itself = machine.changes == 0;
                const machine_finding::speed speed =
                    itself ? machine_finding::speed{1, {1, 1}}
                           : speed_of(baseline[k]->cycles, machine.results[k]->cycles);
                sum.found += std::log(speed.found);
                sum.known.least += std::log(speed.known.least);
                sum.known.most += std::log(speed.known.most);
                machine.speeds.back() = speed;
                ++machine.compared;
            }
            machine.complete = machine.compared == comparable && comparable != 0;
            if (machine.compared == 0) continue;
            const auto mean = [&](double logs) {
                return std::exp(logs / static_cast<double>(machine.compared));
            };
            machine.mean = {mean(sum.found), {mean(sum.known.least), mean(sum.known.most)}};
        }
    }

    void rank() {
        std::vector<std::size_t>& ranked = found_.ranked;
        for (std::size_t i = 0; i < found_.machines.size(); ++i)
            if (found_.machines[i].complete) ranked.push_back(i);
        const auto cheaper = [&](const machine_finding& a, const machine_finding& b) {
            return std::tuple(a.cost, a.changes, a.point) < std::tuple(b.cost, b.changes, b.point);
        };
        const auto faster = [&](const machine_finding& a, const machine_finding& b) {
            return a.mean->found > b.mean->found + tiny;
        };
        std::sort(ranked.begin(), ranked.end(), [&](std::size_t i, std::size_t j) {
            const machine_finding &a = found_.machines[i], &b = found_.machines[j];
            return faster(a, b) || (!faster(b, a) && cheaper(a, b));
        });
        std::vector<std::size_t> by_cost = ranked;
        std::sort(by_cost.begin(), by_cost.end(), [&](std::size_t i, std::size_t j) {
            const machine_finding &a = found_.machines[i], &b = found_.machines[j];
            return std::tuple(a.cost, -a.mean->found, a.changes, a.point) <
                   std::tuple(b.cost, -b.mean->found, b.changes, b.point);
        });
        double fastest = 0;
        for (const std::size_t i : by_cost) {
            machine_finding& machine = found_.machines[i];
            machine.on_front = machine.mean->found > fastest + tiny;
            fastest = std::max(fastest, machine.mean->found);
        }
    }

    void find_parameter(std::size_t parameter) {
        using key =
            std::tuple<std::size_t, std::size_t, std::vector<std::uint64_t>>; ///< series, seed, others
        std::map<key, std::vector<known_range>> groups;
        for (const explored_point& each : answer_.points) {
            const auto known = cycles(each.result);
            if (!counts(each.result) || !known) continue;
            const std::size_t which = place_of(all_series_, series_of(answer_, each));
            groups[{which, each.id.seed, others_of(of_.points[each.id.point], parameter)}].push_back(*known);
        }
        parameter_finding finding;
        finding.parameter = parameter;
        std::vector<bool> has_group(all_series_.size());
        for (const auto& [which, own] : groups) {
            if (own.size() < 2) continue;
            ++finding.groups;
            has_group[std::get<0>(which)] = true;
            double fewest = own[0].most, most = own[0].most, surely = own[0].least;
            for (const known_range& each : own) {
                ++finding.runs;
                finding.closed += each.is_exact();
                fewest = std::min(fewest, each.most);
                most = std::max(most, each.most);
                surely = std::max(surely, each.least); // one run takes as much, however good its schedule
            }
            finding.found = std::max(finding.found, most - fewest);
            finding.proved = std::max(finding.proved, surely - fewest);
        }
        finding.every_kernel =
            std::all_of(has_group.begin(), has_group.end(), [](bool each) { return each; });
        found_.parameters.push_back(finding);
    }

    const exploration_answer& answer_;
    const sweep& of_;
    std::vector<series> all_series_;
    /// By point and kernel, for each schedule those with its seeds.
    std::map<std::pair<std::size_t, std::size_t>, std::map<schedule_choice, std::vector<std::size_t>>> runs_;
    exploration_findings found_;
};

} // namespace

bool counts(const point_result& result) {
    return result.status == point_status::ok && result.valid != false &&
           result.verdict != lint_verdict::broken;
}

std::optional<known_range> cycles_of(const point_result& result, bool per_row) {
    if (result.status != point_status::ok) return std::nullopt;
    if (!per_row) {
        if (!result.counters) return std::nullopt;
        const auto whole = static_cast<double>(result.counters->cycles);
        return known_range{whole, whole};
    }
    if (!result.cycles_per_row) return std::nullopt;
    const double found = *result.cycles_per_row;
    if (result.schedule == schedule_choice::keep || result.proved) return known_range{found, found};
    return known_range{std::min(result.least_cycles_per_row.value_or(0), found), found};
}

std::vector<std::size_t> parameters_compared(const exploration_answer& answer) {
    const sweep& of = answer.what;
    std::vector<std::size_t> compared;
    for (std::size_t p = 0; p < of.varied.size(); ++p)
        if (std::any_of(of.points.begin(), of.points.end(),
                        [&](const auto& point) { return point[p] != of.points[0][p]; }))
            compared.push_back(p);
    return compared;
}

parameter_response response_to(const exploration_answer& answer, std::size_t parameter) {
    const sweep& of = answer.what;
    parameter_response response;
    response.parameter = of.varied[parameter];
    const auto others = others_to_hold(of, parameter);
    for (const std::size_t p : parameters_compared(answer)) {
        if (p == parameter) continue;
        if (others) response.held.push_back({of.varied[p], (*others)[p < parameter ? p : p - 1]});
        else response.best_over.push_back(of.varied[p]);
    }
    response.held_at_baseline = others && *others == others_of(baseline_values(of), parameter);
    const bool per_row = any_per_row(answer);
    std::vector<series> curves;
    for (std::size_t run = 0; run < answer.points.size(); ++run) {
        const explored_point& point = answer.points[run];
        const std::size_t c = place_of(curves, series_of(answer, point));
        if (c == response.curves.size()) response.curves.push_back({curves[c].first, curves[c].second, {}});
        const std::vector<std::uint64_t>& values = of.points[point.id.point];
        const auto known = cycles_of(point.result, per_row);
        if (!known || (others && others_of(values, parameter) != *others)) continue;
        std::vector<response_point>& points = response.curves[c].points;
        const response_point now{values[parameter], run, *known, counts(point.result)};
        const auto same = std::find_if(points.begin(), points.end(),
                                       [&](const auto& each) { return each.value == now.value; });
        const auto rank = [&](const response_point& each) {
            return std::tuple(!each.counts, each.cycles.most,
                              of.cost_of(of.configuration(answer.points[each.run].id.point)));
        };
        if (same == points.end()) points.push_back(now);
        else if (rank(now) < rank(*same)) *same = now;
    }
    return response;
}

std::size_t machine_finding::missing() const {
    return static_cast<std::size_t>(
        std::count_if(results.begin(), results.end(), [](const auto& each) { return !each; }));
}
std::size_t machine_finding::faster() const {
    return static_cast<std::size_t>(std::count_if(
        speeds.begin(), speeds.end(), [](const auto& each) { return each && each->found > 1 + tiny; }));
}
std::size_t machine_finding::slower() const {
    return static_cast<std::size_t>(std::count_if(
        speeds.begin(), speeds.end(), [](const auto& each) { return each && each->found < 1 - tiny; }));
}

exploration_findings findings_of(const exploration_answer& answer) { return finder(answer).find(); }

} // namespace sfpu::analysis
