#include "point_columns.h"

#include <fmt/format.h>

#include <cmath>

namespace sfpu::cli {
namespace {

using isa::sub_unit;

/// In the order of the columns.
constexpr sub_unit units[] = {sub_unit::load, sub_unit::simple, sub_unit::mad, sub_unit::round,
                              sub_unit::store};

} // namespace

common_options options_of(const sweep& of, const std::vector<parameter_value>& settings) {
    common_options options;
    if (of.arch) options.arch = short_name(*of.arch);
    for (const parameter_value& each : settings) options.settings.push_back(each.path + "=" + each.value);
    return options;
}

double rounded(double value) { return std::round(value * 1e6) / 1e6; }

point_result empty_result(schedule_choice schedule, const char* status, const std::string& error) {
    point_result result{{"schedule", to_string(schedule)},
                        {"status", status},
                        {"error", error},
                        {"cycles_per_row", nullptr},
                        {"bound_cycles_per_row", nullptr},
                        {"bound_reason", ""},
                        {"proved", false},
                        {"ipc", nullptr}};
    for (const sub_unit unit : units) result[fmt::format("utilisation_{}", isa::to_string(unit))] = nullptr;
    for (unsigned cause = 0; cause < probe::stall_cause_count; ++cause)
        result[fmt::format("stalls_{}", probe::to_string(static_cast<probe::stall_cause>(cause)))] = nullptr;
    result["hazards"] = nullptr;
    result["valid"] = "unknown";
    result["verdict"] = "";
    result["cost"] = nullptr; // of the machine, filled in with the settings
    // Columns that were added later stand behind those that scripts may count.
    result["cycles"] = nullptr;
    result["binds"] = "";
    result["dependence_cycles_per_row"] = nullptr;
    result["dependences"] = "";
    return result;
}

void fill_in_counters(point_result& result, const probe::unit_counters& counters, cycles used) {
    const auto share = [&](std::uint64_t part) {
        return used.count() > 0 ? rounded(static_cast<double>(part) / static_cast<double>(used.count())) : 0;
    };
    result["cycles"] = used.count();
    result["ipc"] = share(counters.executed());
    for (const sub_unit unit : units)
        result[fmt::format("utilisation_{}", isa::to_string(unit))] =
            share(counters.busy[static_cast<unsigned>(unit)]);
    for (unsigned cause = 0; cause < probe::stall_cause_count; ++cause)
        result[fmt::format("stalls_{}", probe::to_string(static_cast<probe::stall_cause>(cause)))] =
            counters.stalls[cause];
}

} // namespace sfpu::cli
