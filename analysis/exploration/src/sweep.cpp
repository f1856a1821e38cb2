#include <sfpu/analysis/sweep.h>

#include <sfpu/analysis/condition.h>
#include <sfpu/analysis/errors.h>
#include <sfpu/analysis/json_nesting.h>
#include <sfpu/analysis/text_files.h>
#include <sfpu/common/shown_name.h>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>
#include <set>
#include <stdexcept>

namespace sfpu::analysis {
namespace {

using json = nlohmann::ordered_json;

constexpr std::size_t most_points = 1'000'000;
constexpr std::size_t most_values = 100'000; ///< of one range

const std::vector<std::string> known_keys{"kernels",    "firmwares", "arch",   "baseline", "schedule",
                                          "parameters", "mode",      "points", "where",    "seeds",
                                          "budget",     "cost",      "limits"};

class sweep_reader {
public:
    sweep_reader(const std::string& file, const std::string& place) : file_(file), place_(place) {}

    sweep read() {
        const json document = parse();
        if (!document.is_object())
            throw input_error({fault_at(0, "found " + kind(document) + ", expected an object")});
        for (const auto& [key, value] : document.items())
            if (std::find(known_keys.begin(), known_keys.end(), key) == known_keys.end())
                fault(key, "unknown key" +
                               suggestion(key, known_keys,
                                          fmt::format("; expected one of {}", fmt::join(known_keys, ", "))));
        const auto with = [&](const char* key, void (sweep_reader::*use)(const json&)) {
            if (document.contains(key)) (this->*use)(document[key]);
        };
        with("arch", &sweep_reader::read_arch);
        with("baseline", &sweep_reader::read_baseline);
        with("schedule", &sweep_reader::read_schedule);
        with("kernels", &sweep_reader::read_kernels);
        with("seeds", &sweep_reader::read_seeds);
        with("budget", &sweep_reader::read_budget);
        with("cost", &sweep_reader::read_cost);
        with("limits", &sweep_reader::read_limits);
        with("where", &sweep_reader::read_where);
        with("firmwares", &sweep_reader::read_firmwares); // after the kernels
        if (sweep_.kernels.empty() && faults_.empty())
            fault("kernels", "expected at least one kernel, or one of 'firmwares'");
        if (document.contains("points") && document.contains("parameters"))
            fault("points", "stands beside 'parameters'; expected one of them");
        else if (document.contains("points") && document.contains("mode"))
            fault("mode", "stands beside 'points'; it is for 'parameters'");
        else if (document.contains("points")) read_points(document["points"]);
        else read_parameters(document.value("parameters", json::object()), document);
        if (faults_.empty()) drop_points();
        if (!faults_.empty()) throw input_error(std::move(faults_));
        return std::move(sweep_);
    }

private:
    static constexpr const char* sweep_fault = "/sfpu/source/sweep";

    json parse() {
        sweep_.name = std::filesystem::path(place_).filename().string();
        sweep_.text = read_file(file_);
        const std::string& text = sweep_.text;
        check_nesting(file_, text);
        check_keys(file_, text);
        std::vector<std::set<std::string>> open_objects; // their keys so far
        const auto watch = [&](int, json::parse_event_t event, const json& found) {
            if (event == json::parse_event_t::object_start) open_objects.emplace_back();
            else if (event == json::parse_event_t::object_end) open_objects.pop_back();
            else if (event == json::parse_event_t::key && !open_objects.back().insert(found).second)
                fault(found, "stands twice in one object");
            return true;
        };
        try {
            return json::parse(text, watch);
        } catch (const json::exception& error) {
            const json_fault fault = fault_of(file_, text, error);
            throw input_error({fault_at(fault.offset, shortened(fault.reason))});
        }
    }

    static std::string kind(const json& value) {
        return value.is_string() ? "'" + shown_name(value.get<std::string>()) + "'"
                                 : std::string(value.dump().substr(0, 40));
    }
    /// The first have a place in the file, which is read for each.
    void fault(const std::string& where, const std::string& problem) {
        constexpr std::size_t most_with_place = 50;
        if (faults_.size() >= most_with_place) {
            finding more;
            more.id = sweep_fault;
            more.where.file = file_;
            more.fails = true;
            more.message = shown_name(where) + ": " + problem;
            faults_.push_back(std::move(more));
            return;
        }
        faults_.push_back(fault_at(offset_in_json(sweep_.text, where), shown_name(where) + ": " + problem));
    }
    finding fault_at(std::size_t offset, const std::string& problem) const {
        const text_position at = position_of(sweep_.text, offset);
        finding fault;
        fault.id = sweep_fault;
        fault.message = problem;
        fault.where = place_of_word(file_, sweep_.text, static_cast<unsigned>(at.line),
                                    static_cast<unsigned>(at.column));
        fault.help = "The file is no sweep; docs/exploration.md has its keys.";
        fault.fails = true;
        return fault;
    }
    bool expect(bool right, const std::string& where, const json& found, const std::string& expected) {
        if (!right) fault(where, "found " + kind(found) + ", expected " + expected);
        return right;
    }

    void read_arch(const json& value) {
        for (const architecture arch : all_architectures)
            if (value == short_name(arch)) sweep_.arch = arch;
        expect(sweep_.arch.has_value(), "arch", value, "\"bh\" or \"wh\"");
    }

    /// A value of a parameter, or nothing after a fault.
    std::optional<std::uint64_t> checked_value(const std::string& where, const std::string& path,
                                               const json& value) {
        if (value.is_structured() || value.is_null()) {
            expect(false, where, value, "one value");
            return std::nullopt;
        }
        const std::string text = value.is_string() ? value.get<std::string>() : value.dump();
        parameters scratch;
        if (auto problem = set_parameter(scratch, path, text)) {
            const std::string named = path + ": "; // of which `where` ends already, mostly
            if (problem->rfind(named, 0) == 0 && where.size() >= path.size() &&
                where.compare(where.size() - path.size(), path.size(), path) == 0)
                problem->erase(0, named.size());
            fault(where, *problem);
            return std::nullopt;
        }
        return find_parameter(path)->get(scratch);
    }
    bool is_explorable(const std::string& where, const std::string& path) {
        if (path != "arch" || find_parameter(path) == nullptr) return true;
        fault(where, "the chip is chosen by the sweep's 'arch'");
        return false;
    }

    void read_baseline(const json& value) {
        if (!expect(value.is_object(), "baseline", value, "an object of parameters")) return;
        for (const auto& [path, each] : value.items())
            if (is_explorable("baseline", path))
                if (const auto number = checked_value("baseline", path, each))
                    sweep_.baseline.push_back({find_parameter(path), *number});
    }
    void read_schedule(const json& value) { sweep_.schedule = read_choice("schedule", value); }
    std::optional<schedule_choice> read_choice(const std::string& where, const json& value) {
        for (const schedule_choice each :
             {schedule_choice::keep, schedule_choice::retime, schedule_choice::optimize})
            if (value == to_string(each)) return each;
        expect(false, where, value, "\"optimize\", \"retime\" or \"keep\"");
        return std::nullopt;
    }

    void read_kernels(const json& value) {
        if (!expect(value.is_array(), "kernels", value, "a list of files")) return;
        for (std::size_t i = 0; i < value.size(); ++i) {
            const std::string where = fmt::format("kernels[{}]", i);
            const json& each = value[i];
            sweep_kernel kernel;
            if (each.is_string()) {
                kernel.name = each.get<std::string>();
                kernel.macro = found_file(kernel.name);
            } else if (expect(each.is_object(), where, each,
                              "a file, or an object with 'plain' and 'macro'")) {
                read_kernel(where, each, kernel);
            }
            sweep_.kernels.push_back(std::move(kernel));
        }
    }
    void read_kernel(const std::string& where, const json& given, sweep_kernel& kernel) {
        for (const auto& [key, value] : given.items()) {
            if (key == "schedule") kernel.schedule = read_choice(where + ".schedule", value);
            else if (key == "plain" || key == "macro" || key == "file") {
                if (expect(value.is_string(), where + "." + key, value, "a file"))
                    (key == "plain" ? kernel.plain : kernel.macro) = found_file(value.get<std::string>());
            } else if (!read_request(where + "." + key, key, value, kernel.request)) {
                fault(where, "unknown key '" + key +
                                 "', expected 'plain', 'macro' or 'schedule', or of other "
                                 "forms of kernels 'file', 'as', 'function', 'template', 'args', 'include', "
                                 "'define' or 'assume'");
            }
        }
        if (given.contains("file") && given.contains("macro"))
            fault(where, "found 'file' and 'macro', which are the same; expected one of them");
        const char* const named = given.contains("macro")  ? "macro"
                                  : given.contains("file") ? "file"
                                                           : "plain";
        if (!given.contains(named)) fault(where, "expected 'plain', 'macro' or both");
        else if (given[named].is_string()) kernel.name = given[named].get<std::string>();
        if (!kernel.request.function.empty()) kernel.name += ":" + kernel.request.function;
    }
    /// False if there is no such key.
    bool read_request(const std::string& where, const std::string& key, const json& value,
                      source_request& to) {
        if (key == "as") {
            if (value.is_string()) to.form = find_kernel_form(value.get<std::string>());
            expect(to.form.has_value(), where, value, "asm, hex, elf, objdump, gnu or cpp");
        } else if (key == "assume") {
            to.assume_semaphores = value == "semaphores";
            expect(to.assume_semaphores, where, value, "\"semaphores\"");
        } else if (key == "function" || key == "template") {
            if (expect(value.is_string(), where, value, "a text"))
                (key == "function" ? to.function : to.template_arguments) = value.get<std::string>();
        } else if (key == "args" || key == "include" || key == "define") {
            auto& list = key == "args" ? to.arguments : key == "include" ? to.folders : to.definitions;
            if (!expect(value.is_array(), where, value, "a list of texts")) return true;
            for (const json& each : value)
                if (expect(each.is_string(), where, each, "a text")) list.push_back(each.get<std::string>());
        } else {
            return false;
        }
        return true;
    }
    void read_firmwares(const json& value) {
        if (!expect(value.is_array(), "firmwares", value, "a list of files")) return;
        for (std::size_t i = 0; i < value.size(); ++i) {
            if (!expect(value[i].is_string(), fmt::format("firmwares[{}]", i), value[i], "a file")) continue;
            sweep_kernel firmware;
            firmware.name = value[i].get<std::string>();
            firmware.firmware = found_file(firmware.name);
            sweep_.kernels.push_back(std::move(firmware));
        }
    }
    /// Relative to the sweep file, or to the working directory if it is not there.
    std::string found_file(const std::string& name) const {
        namespace fs = std::filesystem;
        const fs::path beside = fs::path(place_).parent_path() / name;
        std::error_code ignored;
        return fs::exists(beside, ignored) ? beside.string() : name;
    }

    void read_seeds(const json& value) {
        if (!expect(value.is_array(), "seeds", value, "a list of numbers")) return;
        for (const json& each : value)
            if (expect(each.is_number_unsigned(), "seeds", each, "a number from 0 to 2 to the 64th less 1"))
                sweep_.seeds.emplace_back(each.get<std::uint64_t>());
    }
    void read_budget(const json& value) {
        if (expect(value.is_number_unsigned() && value.get<std::uint64_t>() > 0, "budget", value,
                   "a number of conflicts, at least 1"))
            sweep_.budget = value.get<std::uint64_t>();
    }
    void read_cost(const json& value) {
        if (!expect(value.is_object(), "cost", value, "an object of weights by parameter")) return;
        for (const auto& [path, weight] : value.items()) {
            if (!find_parameter(path)) unknown_path("cost", path);
            else if (expect(weight.is_number(), "cost." + path, weight, "a number"))
                sweep_.cost[path] = weight.get<double>();
        }
    }
    void read_limits(const json& value) {
        if (!expect(value.is_object(), "limits", value, "an object with 'seconds' and 'megabytes'")) return;
        for (const auto& [key, limit] : value.items()) {
            if (key == "seconds") {
                if (expect(limit.is_number() && limit.get<double>() > 0, "limits.seconds", limit,
                           "a number above 0"))
                    sweep_.seconds = limit.get<double>();
            } else if (key == "megabytes") {
                if (expect(limit.is_number_unsigned() && limit.get<std::uint64_t>() >= 64, "limits.megabytes",
                           limit, "a number of at least 64"))
                    sweep_.megabytes = limit.get<std::uint64_t>();
            } else {
                fault("limits", "unknown key '" + key + "', expected 'seconds' or 'megabytes'");
            }
        }
    }
    void read_where(const json& value) {
        if (!expect(value.is_array(), "where", value, "a list of conditions")) return;
        for (std::size_t i = 0; i < value.size(); ++i) {
            const std::string where = fmt::format("where[{}]", i);
            if (!expect(value[i].is_string(), where, value[i], "a condition as text")) continue;
            try {
                conditions_.emplace_back(value[i].get<std::string>());
            } catch (const condition_error& problem) {
                fault(where, fmt::format("{}, at character {}", problem.what(), problem.offset() + 1));
            }
        }
    }

    void unknown_path(const std::string& where, const std::string& path) {
        parameters scratch;
        fault(where, set_parameter(scratch, path, "").value_or("unknown parameter '" + path + "'"));
    }

    /// Larger than any parameter takes; what is counted with such numbers does not overflow.
    static bool is_end_of_range(const json& number) {
        constexpr std::int64_t most = std::int64_t{1} << 32;
        if (number.is_number_unsigned()) return number.get<std::uint64_t>() <= std::uint64_t{most};
        return number.is_number_integer() && number.get<std::int64_t>() >= -most;
    }

    /// The values of one parameter: a list, a range, or one value.
    std::vector<std::uint64_t> values_of(const std::string& path, const json& given) {
        const std::string where = "parameters." + path;
        std::vector<std::uint64_t> values;
        const auto add = [&](const json& each) {
            if (const auto number = checked_value(where, path, each)) values.push_back(*number);
        };
        if (given.is_array()) {
            for (const json& each : given) add(each);
            if (given.empty()) fault(where, "found an empty list, expected at least one value");
        } else if (given.is_object()) {
            std::int64_t from = 0, to = 0, step = 1;
            for (const auto& [key, number] : given.items()) {
                if (key != "from" && key != "to" && key != "step")
                    fault(where, "unknown key '" + key + "', expected 'from', 'to' and 'step'");
                else if (expect(is_end_of_range(number), where + "." + key, number,
                                "an integer from -2^32 to 2^32"))
                    (key == "from" ? from : key == "to" ? to : step) = number.get<std::int64_t>();
            }
            if (!given.contains("from") || !given.contains("to")) fault(where, "expected 'from' and 'to'");
            else if (step == 0 || (step > 0) != (to >= from))
                fault(where,
                      fmt::format("found steps of {} from {} to {}, which never get there", step, from, to));
            else if (static_cast<std::uint64_t>((to - from) / step) >= most_values)
                fault(where, fmt::format("found a range of more than {} values", most_values));
            else
                for (std::int64_t i = 0; i <= (to - from) / step && faults_.size() < 20; ++i)
                    add(from + i * step);
        } else {
            add(given);
        }
        return values;
    }

    void read_parameters(const json& given, const json& document) {
        if (!expect(given.is_object(), "parameters", given, "an object of lists by parameter")) return;
        const json mode = document.value("mode", json("product"));
        if (!expect(mode == "product" || mode == "zip", "mode", mode, "\"product\" or \"zip\"")) return;
        std::vector<std::vector<std::uint64_t>> values;
        for (const auto& [path, each] : given.items()) {
            if (!find_parameter(path)) {
                unknown_path("parameters", path);
                continue;
            }
            if (!is_explorable("parameters", path)) continue;
            sweep_.varied.push_back(find_parameter(path));
            values.push_back(values_of(path, each));
        }
        if (!faults_.empty()) return;
        mode == "zip" ? zip(values) : multiply(values);
    }
    void multiply(const std::vector<std::vector<std::uint64_t>>& values) {
        std::size_t count = 1;
        for (const auto& each : values) count = count > most_points ? count : count * each.size();
        if (count > most_points)
            return fault("parameters", fmt::format("found more than {} points", most_points));
        for (std::size_t i = 0; i < count; ++i) {
            std::vector<std::uint64_t> point(values.size());
            for (std::size_t p = values.size(), rest = i; p-- > 0; rest /= values[p].size())
                point[p] = values[p][rest % values[p].size()];
            sweep_.points.push_back(std::move(point));
        }
    }
    void zip(const std::vector<std::vector<std::uint64_t>>& values) {
        for (std::size_t p = 1; p < values.size(); ++p)
            if (values[p].size() != values[0].size())
                return fault(std::string("parameters.") + sweep_.varied[p]->path,
                             fmt::format("found {} values, expected {} as {} has (mode zip)",
                                         values[p].size(), values[0].size(), sweep_.varied[0]->path));
        const std::size_t count = values.empty() ? 1 : values[0].size();
        for (std::size_t i = 0; i < count; ++i) {
            std::vector<std::uint64_t> point;
            point.reserve(values.size());
            for (const auto& each : values) point.push_back(each[i]);
            sweep_.points.push_back(std::move(point));
        }
    }

    /// Points name parameters in any order; what one leaves out has the baseline's value.
    void read_points(const json& given) {
        if (!expect(given.is_array() && !given.empty(), "points", given, "a list of objects")) return;
        std::vector<std::map<const parameter_row*, std::uint64_t>> read;
        for (std::size_t i = 0; i < given.size(); ++i) {
            const std::string where = fmt::format("points[{}]", i);
            read.emplace_back();
            if (!expect(given[i].is_object(), where, given[i], "an object of parameters")) continue;
            for (const auto& [path, each] : given[i].items()) {
                const parameter_row* row = find_parameter(path);
                if (!row) {
                    unknown_path(where, path);
                    continue;
                }
                if (!is_explorable(where, path)) continue;
                if (std::find(sweep_.varied.begin(), sweep_.varied.end(), row) == sweep_.varied.end())
                    sweep_.varied.push_back(row);
                if (const auto number = checked_value(where, path, each)) read.back()[row] = *number;
            }
        }
        parameters base;
        for (const parameter_value& each : sweep_.baseline) each.apply_to(base);
        for (const auto& each : read) {
            std::vector<std::uint64_t> point;
            for (const parameter_row* row : sweep_.varied) {
                const auto found = each.find(row);
                point.push_back(found != each.end() ? found->second : row->get(base));
            }
            sweep_.points.push_back(std::move(point));
        }
    }

    void drop_points() {
        if (sweep_.seeds.empty()) sweep_.seeds.emplace_back();
        std::vector<std::vector<std::uint64_t>> kept;
        for (std::size_t i = 0; i < sweep_.points.size(); ++i) {
            const parameters config = sweep_.configuration(i);
            if (std::all_of(conditions_.begin(), conditions_.end(),
                            [&](const condition& each) { return each.holds(config); }))
                kept.push_back(std::move(sweep_.points[i]));
        }
        if (kept.empty()) fault("where", "no point fulfils all conditions");
        sweep_.points = std::move(kept);
    }

    const std::string &file_, &place_;
    sweep sweep_;
    std::vector<condition> conditions_;
    std::vector<finding> faults_;
};

} // namespace

const char* to_string(schedule_choice choice) {
    switch (choice) {
    case schedule_choice::keep: return "keep";
    case schedule_choice::retime: return "retime";
    case schedule_choice::optimize: return "optimize";
    }
    return "?";
}

std::vector<parameter_value> sweep::settings(std::size_t point) const {
    std::vector<parameter_value> result = baseline;
    for (std::size_t p = 0; p < varied.size(); ++p) result.push_back({varied[p], points[point][p]});
    return result;
}

namespace {

machine_choice machine_with(std::optional<architecture> arch, std::vector<parameter_value> values) {
    machine_choice machine;
    if (arch) machine.arch = short_name(*arch);
    machine.values = std::move(values);
    return machine;
}

parameters configuration_with(std::optional<architecture> arch, const std::vector<parameter_value>& values) {
    parameters config;
    if (arch) config.arch = *arch;
    for (const parameter_value& each : values) each.apply_to(config);
    return config;
}

} // namespace

machine_choice sweep::machine(std::size_t point) const { return machine_with(arch, settings(point)); }
machine_choice sweep::baseline_machine() const { return machine_with(arch, baseline); }
parameters sweep::configuration(std::size_t point) const { return configuration_with(arch, settings(point)); }
parameters sweep::baseline_configuration() const { return configuration_with(arch, baseline); }

double sweep::weight_of(const parameter_row& row) const {
    const auto given = cost.find(row.path);
    return given != cost.end() ? given->second : row.cost;
}

double sweep::cost_of(const parameters& config) const {
    double sum = 0;
    for (const parameter_row& row : parameter_table()) {
        const double weight = weight_of(row);
        if (weight == 0 || !row.differs_from_chip(config)) continue;
        const std::uint64_t chip = row.on_chip ? row.on_chip(config.arch) : row.get(parameters{});
        sum += weight * (static_cast<double>(row.get(config)) - static_cast<double>(chip));
    }
    return sum;
}

sweep read_sweep(const std::string& file, const std::string& place) {
    return sweep_reader(file, place.empty() ? file : place).read();
}

} // namespace sfpu::analysis
