#include <sfpu/analysis/statistics_comparison.h>

#include <sfpu/analysis/json_nesting.h>
#include <sfpu/analysis/text_files.h>
#include <sfpu/common/shown_name.h>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <cstddef>
#include <optional>
#include <type_traits>
#include <utility>

namespace sfpu::analysis {
namespace {

// Values go into a map in any case; ordered_json would take time for the square of the keys of an object.
using json = nlohmann::json;
using flat_file = std::map<std::string, statistic>;
using difference = statistics_comparison::difference;

json json_of(const statistic& value) {
    return std::visit(
        [](const auto& content) -> json {
            if constexpr (std::is_same_v<std::decay_t<decltype(content)>, std::monostate>) return nullptr;
            else return content;
        },
        value);
}

statistic statistic_of(const json& value) {
    if (value.is_boolean()) return value.get<bool>();
    if (value.is_number_unsigned()) return value.get<std::uint64_t>();
    if (value.is_number_integer()) return value.get<std::int64_t>();
    if (value.is_number_float()) return value.get<double>();
    if (value.is_string()) return value.get<std::string>();
    return std::monostate();
}

void flatten(const json& value, const std::string& path, flat_file& into) {
    if (!value.is_structured()) {
        into[path] = statistic_of(value);
        return;
    }
    for (const auto& [key, each] : value.items()) flatten(each, path.empty() ? key : path + "." + key, into);
}

/// Groups of a statistics file in the order in which people want to read them.
constexpr const char* groups[] = {"meta.",   "throughput.",       "results.", "units.",
                                  "stalls.", "stalls_by_thread.", "hazards.", "macro.",
                                  "dst.",    "not_modelled.",     "tile."};

std::size_t group_of(const std::string& path) {
    std::size_t i = 0;
    for (const char* group : groups) {
        if (path.compare(0, std::char_traits<char>::length(group), group) == 0) return i;
        ++i;
    }
    return i;
}

std::vector<difference> differences_of(const flat_file& a, const flat_file& b) {
    std::map<std::pair<std::size_t, std::string>, difference> found;
    const auto look = [&](const flat_file& these) {
        for (const auto& [path, value] : these) {
            const auto in_a = a.find(path), in_b = b.find(path);
            if (in_a != a.end() && in_b != b.end() && same_statistic(in_a->second, in_b->second)) continue;
            found[{group_of(path), path}] = {path, in_a == a.end() ? statistic() : in_a->second,
                                             in_b == b.end() ? statistic() : in_b->second};
        }
    };
    look(a);
    look(b);
    std::vector<difference> list;
    for (auto& [place, each] : found)
        if (place.second != "meta.config_hash") list.push_back(std::move(each));
    return list;
}

/// Nothing if it is no number.
std::optional<double> number_in(const statistic& value) {
    const json form = json_of(value);
    return form.is_number() ? std::optional(form.get<double>()) : std::nullopt;
}

double number(const flat_file& file, const std::string& path) {
    const auto found = file.find(path);
    return found == file.end() ? 0 : number_in(found->second).value_or(0);
}

std::string text_under(const flat_file& file, const std::string& path) {
    const auto found = file.find(path);
    const std::string* text = found == file.end() ? nullptr : std::get_if<std::string>(&found->second);
    return text ? *text : "";
}

/// What changed, in a sentence, if both files have this number and they differ.
std::string change_of(const flat_file& a, const flat_file& b, const std::string& path,
                      const std::string& unit) {
    const double before = number(a, path), after = number(b, path);
    if (before <= 0 || after <= 0 || before == after) return "";
    return fmt::format("B takes {:.6g} {} instead of {:.6g}, {:.1f} % {}", after, unit, before,
                       100 * std::abs(after - before) / before, after < before ? "fewer" : "more");
}

/// The values of a group by their names, as numbers.
std::map<std::string, double> numbers_under(const flat_file& file, const std::string& group) {
    std::map<std::string, double> values;
    for (const auto& [path, value] : file)
        if (const auto count = number_in(value); count && path.compare(0, group.size(), group) == 0)
            values[path.substr(group.size())] = *count;
    return values;
}

std::string busiest_unit(const flat_file& file) {
    std::string best = "none";
    double most = 0;
    for (const auto& [path, busy] : numbers_under(file, "units."))
        if (const std::size_t end = path.find(".busy"); end != std::string::npos && busy > most) {
            best = path.substr(0, end);
            most = busy;
        }
    const double cycles = number(file, "throughput.cycles");
    return cycles > 0 ? fmt::format("{} ({:.1f} %)", best, 100 * most / cycles) : best;
}

/// The parameters in which the machines differ; empty if they are alike.
std::string machine_change(const std::vector<difference>& found) {
    std::string machine;
    for (const difference& each : found)
        if (each.path.compare(0, 12, "meta.config.") == 0) {
            const std::string path = each.path.substr(12);
            machine += fmt::format("{}{} {} instead of {}", machine.empty() ? "" : ", ", path,
                                   json_of(each.b).dump(), json_of(each.a).dump());
        }
    return machine.empty() ? "" : "B ran on another machine: " + machine;
}

/// How much longer issue was held, by its causes; empty if it was held alike.
std::string stall_change(const flat_file& a, const flat_file& b) {
    const double longer = number(b, "throughput.cycles") - number(a, "throughput.cycles");
    double stalled = 0;
    std::string causes;
    std::map<std::string, double> before = numbers_under(a, "stalls."), after = numbers_under(b, "stalls.");
    for (const auto& [cause, cycles] : before) after.emplace(cause, 0);
    for (const auto& [cause, cycles] : after) {
        const double change = cycles - before[cause];
        stalled += change;
        if (change != 0) causes += fmt::format("{}{} {:+g}", causes.empty() ? "" : ", ", cause, change);
    }
    if (causes.empty()) return "";
    return fmt::format("issue was held {:g} cycles {} ({}); B took {:g} cycles {}", std::abs(stalled),
                       stalled >= 0 ? "longer" : "less", causes, std::abs(longer),
                       longer >= 0 ? "more" : "fewer");
}

/// What explains the difference in cycles, a sentence for each cause.
std::vector<std::string> reasons(const flat_file& a, const flat_file& b,
                                 const std::vector<difference>& found) {
    std::vector<std::string> why;
    const auto add = [&](const std::string& sentence) {
        if (!sentence.empty()) why.push_back(sentence);
    };
    add(machine_change(found));
    if (number(a, "throughput.rows") != number(b, "throughput.rows"))
        add(fmt::format("B worked on {:g} rows instead of {:g}; compare cycles a row",
                        number(b, "throughput.rows"), number(a, "throughput.rows")));
    if (const std::string change = change_of(a, b, "throughput.cycles_per_row", "cycles a row");
        !change.empty())
        add(change);
    else if (const std::string cycles = change_of(a, b, "throughput.cycles", "cycles"); !cycles.empty())
        add(cycles);
    if (number(a, "issue.issued") != number(b, "issue.issued"))
        add(fmt::format(
            "B issued {:.12g} words instead of {:.12g}, and launched {:.12g} macros instead of {:.12g}",
            number(b, "issue.issued"), number(a, "issue.issued"), number(b, "macro.launched"),
            number(a, "macro.launched")));
    const double instructions = number(b, "throughput.instructions") - number(a, "throughput.instructions");
    if (instructions != 0)
        add(fmt::format("B executed {:g} {} instructions", std::abs(instructions),
                        instructions > 0 ? "more" : "fewer"));

    add(stall_change(a, b));
    const std::string busiest_a = busiest_unit(a), busiest_b = busiest_unit(b);
    if (busiest_a != busiest_b)
        add(fmt::format("the busiest sub-unit was {} in A and is {} in B", busiest_a, busiest_b));
    const std::string binds_a = text_under(a, "steady_state.binds"),
                      binds_b = text_under(b, "steady_state.binds");
    if (binds_a != binds_b) {
        if (!binds_a.empty()) add("what binds in A: " + binds_a);
        if (!binds_b.empty()) add("what binds in B: " + binds_b);
    }
    const auto changed = b.find("results.changed");
    if (changed != b.end() && same_statistic(changed->second, true))
        add("the results of B are not those of the chip: its speed means nothing");
    return why;
}

} // namespace

bool same_statistic(const statistic& a, const statistic& b) { return json_of(a) == json_of(b); }

statistics_file read_statistics(const std::string& file) { return parse_statistics(file, read_input(file)); }

statistics_file parse_statistics(const std::string& file, const std::string& text) {
    check_nesting(file, text);
    json document;
    try {
        document = json::parse(text);
    } catch (const json::exception& problem) {
        const json_fault fault = fault_of(file, text, problem);
        throw input_error(fmt::format("{}: no JSON ({}); expected a statistics file, as --stats writes it",
                                      fault.place, shortened(fault.reason)));
    }
    const auto has_group = [&](const char* group) {
        return document.is_object() && document.contains(group) && document[group].is_object();
    };
    if (!has_group("meta") || !has_group("throughput"))
        throw input_error(
            shown_name(file) +
            ": found no 'meta' and 'throughput'; expected a statistics file, as --stats writes it");
    statistics_file flat{file, {}};
    flatten(document, "", flat.values);
    return flat;
}

statistics_comparison compare_statistics(const statistics_file& a, const statistics_file& b) {
    statistics_comparison answer{a.name, b.name, differences_of(a.values, b.values), {}};
    answer.why = reasons(a.values, b.values, answer.differences);
    return answer;
}

} // namespace sfpu::analysis
