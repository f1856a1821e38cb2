#include "point_json.h"

#include <exception>
#include <stdexcept>
#include <string>

namespace sfpu::analysis {
namespace {

using json = nlohmann::ordered_json;

template <class T>
json or_null(const std::optional<T>& value) {
    return value ? json(*value) : json(nullptr);
}

/// What a member holds, into the place of its type; throws std::exception, as all below.
template <class T>
void take(const json& entry, const char* name, T& to) {
    entry.at(name).get_to(to);
}
template <class T>
void take(const json& entry, const char* name, std::optional<T>& to) {
    if (const json& found = entry.at(name); !found.is_null()) to = found.get<T>();
}
/// An enumerator by its name.
template <class Choice, std::size_t count>
void take(const json& entry, const char* name, Choice& to, const Choice (&choices)[count]) {
    const auto found = entry.at(name).get<std::string>();
    for (const Choice each : choices)
        if (found == to_string(each)) {
            to = each;
            return;
        }
    throw std::invalid_argument(found + ": no such name");
}

constexpr schedule_choice schedules[] = {schedule_choice::keep, schedule_choice::retime,
                                         schedule_choice::optimize};
constexpr point_status states[] = {point_status::ok, point_status::failed, point_status::timeout};
constexpr lint_verdict verdicts[] = {lint_verdict::robust, lint_verdict::replay_only, lint_verdict::broken};

json json_of_counters(const point_counters& counters) {
    return {{"cycles", counters.cycles},
            {"instructions_per_cycle", counters.instructions_per_cycle},
            {"utilisation", counters.utilisation},
            {"stalls", counters.stalls}};
}

point_counters counters_in(const json& entry) {
    point_counters counters;
    take(entry, "cycles", counters.cycles);
    take(entry, "instructions_per_cycle", counters.instructions_per_cycle);
    take(entry, "utilisation", counters.utilisation);
    take(entry, "stalls", counters.stalls);
    return counters;
}

kernel_picture picture_in(const json& entry) {
    kernel_picture picture;
    take(entry, "svg", picture.svg);
    take(entry, "rows", picture.rows);
    take(entry, "from", picture.from_cycle);
    take(entry, "to", picture.to_cycle);
    return picture;
}

resource_share share_in(const json& entry) {
    resource_share share;
    take(entry, "resource", share.resource);
    take(entry, "busy", share.busy);
    take(entry, "blocked", share.blocked);
    take(entry, "idle", share.idle);
    return share;
}

std::optional<architecture> chip_in(const json& entry) {
    for (const architecture each : all_architectures)
        if (entry == short_name(each)) return each;
    return std::nullopt;
}

point_result result_in(const json& entry) {
    point_result result;
    take(entry, "schedule", result.schedule, schedules);
    take(entry, "status", result.status, states);
    take(entry, "error", result.error);
    take(entry, "cycles_per_row", result.cycles_per_row);
    take(entry, "bound_cycles_per_row", result.bound_cycles_per_row);
    take(entry, "bound_reason", result.bound_reason);
    take(entry, "proved", result.proved);
    take(entry, "proof", result.proof);
    take(entry, "least_cycles_per_row", result.least_cycles_per_row);
    if (const json& counters = entry.at("counters"); !counters.is_null())
        result.counters = counters_in(counters);
    take(entry, "hazards", result.hazards);
    take(entry, "valid", result.valid);
    take(entry, "equality", result.equality);
    if (!entry.at("verdict").is_null()) take(entry, "verdict", result.verdict.emplace(), verdicts);
    take(entry, "binds", result.binds);
    take(entry, "dependence_cycles_per_row", result.dependence_cycles_per_row);
    take(entry, "dependences", result.dependences);
    for (const json& each : entry.at("resources")) result.resources.push_back(share_in(each));
    take(entry, "written", result.written);
    result.picture = picture_in(entry.at("picture"));
    result.chip = chip_in(entry.at("chip"));
    take(entry, "reference_differs", result.reference_differs);
    return result;
}

} // namespace

json json_of(const point_result& result) {
    json resources = json::array();
    for (const resource_share& each : result.resources)
        resources.push_back({{"resource", each.resource},
                             {"busy", each.busy},
                             {"blocked", each.blocked},
                             {"idle", each.idle}});
    return {{"schedule", to_string(result.schedule)},
            {"status", to_string(result.status)},
            {"error", result.error},
            {"cycles_per_row", or_null(result.cycles_per_row)},
            {"bound_cycles_per_row", or_null(result.bound_cycles_per_row)},
            {"bound_reason", result.bound_reason},
            {"proved", result.proved},
            {"proof", result.proof},
            {"least_cycles_per_row", or_null(result.least_cycles_per_row)},
            {"counters", result.counters ? json_of_counters(*result.counters) : json(nullptr)},
            {"hazards", or_null(result.hazards)},
            {"valid", or_null(result.valid)},
            {"equality", result.equality},
            {"verdict", result.verdict ? json(to_string(*result.verdict)) : json(nullptr)},
            {"binds", result.binds},
            {"dependence_cycles_per_row", or_null(result.dependence_cycles_per_row)},
            {"dependences", result.dependences},
            {"resources", std::move(resources)},
            {"written", result.written},
            {"picture",
             {{"svg", result.picture.svg},
              {"rows", result.picture.rows},
              {"from", result.picture.from_cycle},
              {"to", result.picture.to_cycle}}},
            {"chip", result.chip ? json(short_name(*result.chip)) : json(nullptr)},
            {"reference_differs", result.reference_differs}};
}

std::optional<point_result> point_of(const json& entry) {
    try {
        return result_in(entry);
    } catch (const std::exception&) {
        return std::nullopt;
    }
}

} // namespace sfpu::analysis
