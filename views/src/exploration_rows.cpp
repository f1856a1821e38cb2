#include "exploration_rows.h"

#include <sfpu/views/config_json.h>
#include <sfpu/views/exploration.h>

#include <sfpu/analysis/row_profile.h>
#include <sfpu/isa/instruction.h>

#include <fmt/format.h>

#include <cmath>
#include <set>

namespace sfpu::views {
namespace {

using json = nlohmann::ordered_json;

void add_counters(json& row, const std::optional<analysis::point_counters>& counters) {
    row["ipc"] = counters ? json(counters->instructions_per_cycle) : json(nullptr);
    for (std::size_t i = 0; i < std::size(analysis::reported_units); ++i)
        row[fmt::format("utilisation_{}", isa::to_string(analysis::reported_units[i]))] =
            counters ? json(counters->utilisation[i]) : json(nullptr);
    for (unsigned cause = 0; cause < probe::stall_cause_count; ++cause)
        row[fmt::format("stalls_{}", probe::to_string(static_cast<probe::stall_cause>(cause)))] =
            counters ? json(counters->stalls[cause]) : json(nullptr);
}

const char* text_of_validity(std::optional<bool> valid) {
    return !valid ? "unknown" : *valid ? "true" : "false";
}

/// RFC 4180. Null is an empty field.
std::string csv_field(const json& value) {
    if (value.is_null()) return "";
    const std::string text = value.is_string() ? value.get<std::string>() : value.dump();
    if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
    std::string quoted = "\"";
    for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
    return quoted + '"';
}

} // namespace

std::vector<json> values_of(const analysis::sweep& of, std::size_t point) {
    const parameters config = of.configuration(point);
    std::vector<json> values;
    for (const parameter_row* row : of.varied) values.push_back(value_json(*row, config));
    return values;
}

std::optional<std::uint64_t> seed_of(const analysis::sweep& of, const analysis::point_id& id) {
    return of.seeds_of(of.kernels[id.kernel])[id.seed];
}

double cost_of(const analysis::sweep& of, std::size_t point) {
    return std::round(of.cost_of(of.configuration(point)) * 1e6) / 1e6;
}

json row_of(const analysis::sweep& of, const analysis::explored_point& point) {
    const analysis::point_result& result = point.result;
    json row{{"point", point.id.point},
             {"kernel", of.kernels[point.id.kernel].name},
             {"seed", or_null(seed_of(of, point.id))}};
    const std::vector<json> values = values_of(of, point.id.point);
    for (std::size_t p = 0; p < of.varied.size(); ++p) row[of.varied[p]->path] = values[p];
    row["schedule"] = to_string(result.schedule);
    row["status"] = to_string(result.status);
    row["error"] = result.error;
    row["cycles_per_row"] = or_null(result.cycles_per_row);
    row["bound_cycles_per_row"] = or_null(result.bound_cycles_per_row);
    row["bound_reason"] = result.bound_reason;
    row["proved"] = result.proved;
    add_counters(row, result.counters);
    row["hazards"] = or_null(result.hazards);
    row["valid"] = text_of_validity(result.valid);
    row["verdict"] = result.verdict ? to_string(*result.verdict) : "";
    row["cost"] = cost_of(of, point.id.point);
    // Columns that were added later stand behind those that scripts may count.
    row["cycles"] = result.counters ? json(result.counters->cycles) : json(nullptr);
    row["binds"] = result.binds;
    row["dependence_cycles_per_row"] = or_null(result.dependence_cycles_per_row);
    row["dependences"] = result.dependences;
    row["cycles_per_row_from"] = or_null(result.least_cycles_per_row);
    row["cycles_per_row_to"] = result.least_cycles_per_row ? or_null(result.cycles_per_row) : json(nullptr);
    const bool has_both = result.bound_cycles_per_row && result.cycles_per_row;
    row["bound_is_met"] =
        has_both ? json(*result.cycles_per_row <= *result.bound_cycles_per_row) : json(nullptr);
    row["words"] = !result.counters ? "" : result.written.empty() ? "given" : "written";
    row["equality"] = result.equality;
    row["proof"] = result.proof;
    return row;
}

std::string shared_folder(const analysis::exploration_answer& answer) {
    std::optional<std::string> shared;
    for (const analysis::sweep_kernel& kernel : answer.what.kernels) {
        if (!shared) shared = kernel.name.substr(0, kernel.name.find_last_of('/') + 1);
        while (kernel.name.compare(0, shared->size(), *shared) != 0) {
            shared->pop_back();
            shared->erase(shared->find_last_of('/') + 1);
        }
    }
    return shared.value_or("");
}

std::string to_csv(const analysis::exploration_answer& answer) {
    std::string table;
    const auto add_line = [&table](const json& row, bool names) {
        bool first = true;
        for (const auto& [column, value] : row.items()) {
            table += (first ? "" : ",") + csv_field(names ? json(column) : value);
            first = false;
        }
        table += "\r\n";
    };
    for (const analysis::explored_point& point : answer.points) {
        const json row = row_of(answer.what, point);
        if (table.empty()) add_line(row, true);
        add_line(row, false);
    }
    return table;
}

std::string to_json_lines(const analysis::exploration_answer& answer) {
    std::string lines;
    for (const analysis::explored_point& point : answer.points)
        lines += row_of(answer.what, point).dump(-1, ' ', false, json::error_handler_t::replace) + "\n";
    return lines;
}

std::vector<std::string> complaints_of(const analysis::exploration_answer& answer) {
    std::vector<std::string> complaints;
    std::set<std::string> told;
    for (const analysis::explored_point& point : answer.points) {
        const analysis::point_result& result = point.result;
        if (result.status != analysis::point_status::ok) {
            complaints.push_back(fmt::format("point {}, {}: {}: {}", point.id.point,
                                             answer.what.kernels[point.id.kernel].name,
                                             to_string(result.status), result.error));
            break; // the table has the others
        }
    }
    // What the baseline's machine breaks is right by definition there, and nowhere else.
    for (const analysis::explored_point& point : answer.points) {
        const std::string& name = answer.what.kernels[point.id.kernel].name;
        if (point.result.reference_differs && told.insert(name).second)
            complaints.push_back(
                name +
                ": computes something else on the baseline's machine than on the chip; 'valid' of words "
                "that are kept means as on the baseline's");
    }
    return complaints;
}

std::string to_text(const analysis::exploration_answer& answer, const std::string& folder) {
    const std::size_t all = answer.points.size(), failed = answer.failed(), invalid = answer.invalid();
    return fmt::format("{} points: {} valid or unknown, {} with other results than the baseline, {} "
                       "failed\nwrote {}/report.html, results.csv, results.jsonl and plots\n",
                       all, all - failed - invalid, invalid, failed, folder);
}

} // namespace sfpu::views
