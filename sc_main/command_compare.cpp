// `compare`: what differs between two statistics files, and why one run took longer.
#include "command.h"
#include "program.h"
#include <sfpu/analysis/json_nesting.h>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>

namespace sfpu::cli {
namespace {

using json = nlohmann::ordered_json;

/// Every value of a file by its path: "stalls.swap".
using flat_file = std::map<std::string, json>;

struct difference {
    std::string path;
    json a, b; ///< null where the file has nothing
};

void flatten(const json& value, const std::string& path, flat_file& into) {
    if (!value.is_structured()) {
        into[path] = value;
        return;
    }
    for (const auto& [key, each] : value.items()) flatten(each, path.empty() ? key : path + "." + key, into);
}

flat_file read_statistics(const std::string& file) {
    const std::string text = read_input(file);
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
            file + ": found no 'meta' and 'throughput'; expected a statistics file, as --stats writes it");
    flat_file flat;
    flatten(document, "", flat);
    return flat;
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

std::vector<difference> differences(const flat_file& a, const flat_file& b) {
    std::map<std::pair<std::size_t, std::string>, difference> found;
    const auto look = [&](const flat_file& these) {
        for (const auto& [path, value] : these) {
            const auto in_a = a.find(path), in_b = b.find(path);
            if (in_a != a.end() && in_b != b.end() && in_a->second == in_b->second) continue;
            found[{group_of(path), path}] = {path, in_a == a.end() ? json() : in_a->second,
                                             in_b == b.end() ? json() : in_b->second};
        }
    };
    look(a);
    look(b);
    std::vector<difference> list;
    for (auto& [place, each] : found)
        if (place.second != "meta.config_hash") list.push_back(std::move(each));
    return list;
}

double number(const flat_file& file, const std::string& path) {
    const auto found = file.find(path);
    return found != file.end() && found->second.is_number() ? found->second.get<double>() : 0;
}

std::string text_under(const flat_file& file, const std::string& path) {
    const auto found = file.find(path);
    return found != file.end() && found->second.is_string() ? found->second.get<std::string>() : "";
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
        if (path.compare(0, group.size(), group) == 0 && value.is_number())
            values[path.substr(group.size())] = value.get<double>();
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

/// What explains the difference in cycles, a sentence for each cause.
std::vector<std::string> reasons(const flat_file& a, const flat_file& b,
                                 const std::vector<difference>& found) {
    std::vector<std::string> why;
    const auto add = [&](const std::string& sentence) { why.push_back(sentence); };
    std::string machine;
    for (const difference& each : found)
        if (each.path.compare(0, 12, "meta.config.") == 0) {
            const std::string path = each.path.substr(12);
            machine += fmt::format("{}{} {} instead of {}", machine.empty() ? "" : ", ", path, each.b.dump(),
                                   each.a.dump());
        }
    if (!machine.empty()) add("B ran on another machine: " + machine);
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
    if (!causes.empty())
        add(fmt::format("issue was held {:g} cycles {} ({}); B took {:g} cycles {}", std::abs(stalled),
                        stalled >= 0 ? "longer" : "less", causes, std::abs(longer),
                        longer >= 0 ? "more" : "fewer"));
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
    if (changed != b.end() && changed->second == true)
        add("the results of B are not those of the chip: its speed means nothing");
    return why;
}

std::string value_text(const json& value) {
    if (value.is_number_float()) return fmt::format("{:.6g}", value.get<double>());
    return value.is_null() ? "-" : value.dump();
}

std::string change_text(const difference& each) {
    if (!each.a.is_number() || !each.b.is_number()) return "";
    const double a = each.a.get<double>(), b = each.b.get<double>();
    return a == 0 ? "" : fmt::format("  {:+.1f} %", 100 * (b - a) / std::abs(a));
}

class compare_command : public command {
public:
    const char* name() const override { return "compare"; }
    const char* description() const override {
        return "Say what differs between two statistics files, and why";
    }
    void add_options(CLI::App& app) override {
        app.add_option("A", a_file_, "statistics of one run (--stats)");
        app.add_option("B", b_file_, "statistics of another");
        app.add_flag("--json", json_, "as JSON");
    }

    int run(const common_options& options) override {
        if (b_file_.empty()) throw user_error("compare: expected two statistics files, A and B");
        if (a_file_ == "-" && b_file_ == "-")
            throw user_error("compare: both files are standard input ('-'); expected one of them at most");
        const flat_file a = read_statistics(a_file_), b = read_statistics(b_file_);
        const std::vector<difference> found = differences(a, b);
        const std::vector<std::string> why = reasons(a, b, found);
        if (json_) write_output("", document(found, why).dump(2) + "\n");
        else if (!options.quiet) write_output("", text(found, why));
        return exit_success;
    }

private:
    json document(const std::vector<difference>& found, const std::vector<std::string>& why) const {
        json list = json::array();
        for (const difference& each : found)
            list.push_back({{"path", each.path}, {"a", each.a}, {"b", each.b}});
        return {{"a", a_file_},
                {"b", b_file_},
                {"equal", found.empty()},
                {"why", why},
                {"differences", std::move(list)}};
    }
    std::string text(const std::vector<difference>& found, const std::vector<std::string>& why) const {
        constexpr std::size_t column = 12; // longer values get lines of their own
        if (found.empty()) return fmt::format("{} and {} say the same\n", a_file_, b_file_);
        std::size_t width = 0;
        for (const difference& each : found) width = std::max(width, each.path.size());
        std::string out = fmt::format("A = {}\nB = {}\n\n", a_file_, b_file_);
        for (const difference& each : found) {
            const std::string in_a = value_text(each.a), in_b = value_text(each.b);
            if (std::max(in_a.size(), in_b.size()) > column)
                out += fmt::format("{}\n    A  {}\n    B  {}\n", each.path, in_a, in_b);
            else
                out += fmt::format("{:<{}}  {:>{}}  {:>{}}{}\n", each.path, width, in_a, column, in_b, column,
                                   change_text(each));
        }
        if (!why.empty()) out += "\n";
        for (const std::string& sentence : why) out += "- " + sentence + "\n";
        return out;
    }

    std::string a_file_, b_file_;
    bool json_ = false;
};

} // namespace

std::unique_ptr<command> make_compare_command() { return std::make_unique<compare_command>(); }

} // namespace sfpu::cli
