#include "report_page.h"

#include "report_page_parts.h"

#include "../program.h"
#include "../versions.h"
#include <sfpu/views/config_json.h>

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string_view>
#include <unordered_map>

namespace sfpu::cli {
namespace {

using json = nlohmann::ordered_json;

/// Schedules of one kernel on many machines have most of their lines in common: each line stands in the page once, and a
/// picture is a list of lines.
class picture_book {
public:
    /// The number of the picture; null if there is none.
    json number_of(const reported_row& row) {
        if (row.picture.empty()) return nullptr;
        const auto [known, fresh] =
            numbers_.try_emplace(row.command + '\n' + row.text + row.picture, pictures_.size());
        if (fresh)
            pictures_.push_back({{"command", row.command},
                                 {"name", row.text_name},
                                 {"text", parts_of(row.text, '\n')},
                                 {"parts", parts_of(row.picture, '<')}});
        return known->second;
    }
    json content() && { return {{"parts", std::move(parts_)}, {"of", std::move(pictures_)}}; }

private:
    /// The numbers of the parts of a text, each of which begins with `first`, but for the first one.
    json parts_of(const std::string& text, char first) {
        json parts = json::array();
        for (std::size_t begin = 0; begin < text.size();) {
            const std::size_t end = std::min(text.find(first, begin + 1), text.size());
            parts.push_back(part(text.substr(begin, end - begin)));
            begin = end;
        }
        return parts;
    }
    std::size_t part(const std::string& text) {
        const auto [known, fresh] = part_numbers_.try_emplace(text, parts_.size());
        if (fresh) parts_.push_back(text);
        return known->second;
    }

    std::unordered_map<std::string, std::size_t> numbers_, part_numbers_; // never iterated over
    json parts_ = json::array(), pictures_ = json::array();
};

json data_of(const sweep& of, const std::vector<reported_row>& rows) {
    json data;
    parameters baseline;
    if (of.arch) baseline.arch = *of.arch;
    for (const parameter_value& each : of.baseline) set_parameter(baseline, each.path, each.value);
    data["parameters"] = json::array();
    for (const std::string& path : of.paths) {
        const parameter_row& row = *find_parameter(path);
        const std::string chip = row.chip_text(baseline.arch);
        data["parameters"].push_back({{"path", path},
                                      {"help", row.help},
                                      {"unit", row.unit},
                                      {"chip", chip},
                                      {"cost", of.weight_of(row)},
                                      {"baseline", row.text(baseline)}});
    }
    data["seeded"] =
        std::any_of(of.seeds.begin(), of.seeds.end(), [](auto seed) { return seed.has_value(); });
    std::vector<std::string> schedules, chips, misled;
    const auto note = [](std::vector<std::string>& list, const std::string& word) {
        if (!word.empty() && std::find(list.begin(), list.end(), word) == list.end()) list.push_back(word);
    };
    for (const reported_row& row : rows) {
        note(schedules, row.columns.value("schedule", ""));
        note(chips, row.chip);
        if (row.reference_differs) note(misled, row.columns.value("kernel", ""));
    }
    data["schedules"] = schedules;
    data["chips"] = chips;
    data["other_on_baseline"] = misled;
    data["sweep"] = of.text;
    data["sweep_name"] = of.name;
    data["version"] = versions().product;
    data["budget"] = of.budget;
    data["folder"] = shared_folder(rows);
    data["written"] = written_kernel;
    data["columns"] = json::array();
    if (!rows.empty())
        for (const auto& [column, value] : rows.front().columns.items()) data["columns"].push_back(column);
    data["rows"] = json::array();
    data["picture_of_row"] = json::array();
    data["slots_of_row"] = json::array();
    picture_book pictures;
    for (const reported_row& row : rows) {
        json values = json::array();
        for (const auto& [column, value] : row.columns.items()) values.push_back(value);
        data["rows"].push_back(std::move(values));
        data["picture_of_row"].push_back(pictures.number_of(row));
        data["slots_of_row"].push_back(row.slots);
    }
    data["pictures"] = std::move(pictures).content();
    return data;
}

/// A text inside an element <script> must not end it, nor open a comment.
std::string inside_script(std::string_view text, std::string_view instead_of_less_than) {
    std::string result;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const std::string_view rest = text.substr(i);
        const bool ends =
            rest.substr(0, 2) == "</" || rest.substr(0, 4) == "<!--" || rest.substr(0, 7) == "<script";
        if (ends) result += instead_of_less_than;
        else result += text[i];
    }
    return result;
}

/// Puts texts in the places of {{names}}, in one pass, so that texts may hold anything.
std::string filled_in(std::string_view page, const std::unordered_map<std::string, std::string>& texts) {
    std::string result;
    for (;;) {
        const std::size_t begin = page.find("{{");
        if (begin == page.npos) return result.append(page);
        const std::size_t end = page.find("}}", begin);
        result.append(page.substr(0, begin));
        result += texts.at(std::string(page.substr(begin + 2, end - begin - 2)));
        page.remove_prefix(end + 2);
    }
}

/// The commands that show more of the picture.
std::string command_of(const sweep& of, const point_id& id, const json& picture, bool written) {
    const sweep_kernel& files = of.kernels[id.kernel];
    std::string machine;
    if (of.arch) machine += fmt::format(" --arch {}", short_name(*of.arch));
    for (const parameter_value& each : of.settings(id.point))
        machine += fmt::format(" --set {}={}", each.path, each.value);
    std::string kernel = files.name, command;
    if (written) {
        const bool retimed = of.schedule_of(files) == schedule_choice::retime;
        kernel = written_kernel;
        command =
            fmt::format("sfpusim optimize {}{} --budget {} -o {}{}\n", retimed ? files.name : files.plain,
                        retimed ? " --retime" : "", of.budget, kernel, machine);
    }
    return command +
           fmt::format("sfpusim schedule {} --rows {} --from-cycle {} --to-cycle {} --svg schedule.svg{}",
                       kernel, picture["rows"].dump(), picture["from"].dump(), picture["to"].dump(), machine);
}

} // namespace

reported_row reported_row_of(const sweep& of, const point_id& id, const point_result& result) {
    const std::string written = result.value(result_parts::text, ""), file = of.kernels[id.kernel].file();
    reported_row row{row_of(of, id, result),
                     "",
                     "",
                     written,
                     written.empty() ? file : written_kernel,
                     nullptr,
                     result.value(result_parts::chip, ""),
                     result.value(result_parts::reference, false)};
    if (const auto slots = result.find(result_parts::slots); slots != result.end()) row.slots = *slots;
    if (const auto picture = result.find(result_parts::picture); picture != result.end()) {
        row.picture = (*picture)["svg"].get<std::string>();
        row.command = command_of(of, id, *picture, !written.empty());
        if (written.empty()) row.text = read_file(file); // as it ran: another text would be another point
    }
    return row;
}

std::string shared_folder(const std::vector<reported_row>& rows) {
    std::optional<std::string> shared;
    for (const reported_row& row : rows) {
        const std::string name = row.columns["kernel"].get<std::string>();
        if (!shared) shared = name.substr(0, name.find_last_of('/') + 1);
        while (name.compare(0, shared->size(), *shared) != 0) {
            shared->pop_back();
            shared->erase(shared->find_last_of('/') + 1);
        }
    }
    return shared.value_or("");
}

page_library find_page_library() {
    const char* given = std::getenv("XDG_DATA_DIRS");
    std::string folders = given && *given ? given : "/usr/local/share:/usr/share";
    constexpr auto package = "Chart.js is not installed (Debian package libjs-chart.js)";
    for (std::size_t begin = 0; begin <= folders.size();) {
        const std::size_t end = std::min(folders.find(':', begin), folders.size());
        const std::string file = folders.substr(begin, end - begin) + "/javascript/chart.js/chart.min.js";
        begin = end + 1;
        std::error_code ignored;
        if (!std::filesystem::is_regular_file(file, ignored)) continue;
        std::string text = read_file(file);
        const std::string_view head = std::string_view(text).substr(0, 200);
        if (head.find("Chart.js v3.") == head.npos && head.find("Chart.js v4.") == head.npos)
            return {"", file + ": expected Chart.js 3 or 4"};
        return {std::move(text), ""};
    }
    return {"", package};
}

std::string report_page(const sweep& of, const std::vector<reported_row>& rows, const page_library& library) {
    json data = data_of(of, rows);
    data["library_problem"] = library.problem;
    return filled_in(
        page::html,
        {{"style", page::style},
         {"data", inside_script(data.dump(-1, ' ', false, json::error_handler_t::replace), "\\u003c")},
         {"library", inside_script(library.text, "\\x3c")},
         {"script", page::script}});
}

} // namespace sfpu::cli
