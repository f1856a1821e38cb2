#include <sfpu/views/exploration_page.h>

#include "exploration_page_parts.h"
#include "exploration_rows.h"
#include "markup.h"

#include <sfpu/analysis/escapes.h>

#include <sfpu/analysis/exploration_findings.h>
#include <sfpu/views/exploration_sentences.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string_view>
#include <unordered_map>

namespace sfpu::views {
namespace {

using json = nlohmann::ordered_json;
using analysis::sweep;

/// A picture and what belongs to it.
struct drawn_point {
    const std::string& svg;
    std::string command;     ///< that draws it
    const std::string& text; ///< of the kernel that ran
    std::string text_name;   ///< what sentences about it call it: its file, or written_kernel
};

/// Schedules of one kernel on many machines have most of their lines in common: each line stands in the page
/// once, and a picture is a list of lines.
class picture_book {
public:
    /// The number of the picture; null if there is none.
    json number_of(const drawn_point& drawn) {
        if (drawn.svg.empty()) return nullptr;
        const auto [known, fresh] =
            numbers_.try_emplace(drawn.command + '\n' + drawn.text + drawn.svg, pictures_.size());
        if (fresh)
            pictures_.push_back({{"command", drawn.command},
                                 {"name", drawn.text_name},
                                 {"text", parts_of(drawn.text, '\n')},
                                 {"parts", parts_of(drawn.svg, '<')}});
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

/// The commands that show more of the picture.
std::string command_of(const sweep& of, const analysis::explored_point& point) {
    const analysis::sweep_kernel& files = of.kernels[point.id.kernel];
    const analysis::kernel_picture& picture = point.result.picture;
    std::string machine;
    if (of.arch) machine += fmt::format(" --arch {}", short_name(*of.arch));
    for (const analysis::parameter_value& each : of.settings(point.id.point))
        machine += fmt::format(" --set {}={}", each.row->path, each.text());
    std::string kernel = files.name, command;
    if (!point.result.written.empty()) {
        const bool retimed = point.result.schedule == analysis::schedule_choice::retime;
        kernel = analysis::written_kernel;
        command = fmt::format("sfpusim optimize {}{} --budget {} -o {}{}\n",
                              analysis::readable_shell_word(retimed ? files.name : files.plain),
                              retimed ? " --retime" : "", of.budget, kernel, machine);
    }
    return command +
           fmt::format("sfpusim schedule {} --rows {} --from-cycle {} --to-cycle {} --svg schedule.svg{}",
                       analysis::readable_shell_word(kernel), picture.rows, picture.from_cycle,
                       picture.to_cycle, machine);
}

drawn_point drawn(const analysis::exploration_answer& answer, const analysis::explored_point& point) {
    const bool written = !point.result.written.empty();
    return {point.result.picture.svg, point.result.picture.svg.empty() ? "" : command_of(answer.what, point),
            written ? point.result.written : answer.kernel_texts[point.id.kernel],
            written ? analysis::written_kernel : answer.what.kernels[point.id.kernel].file()};
}

/// By resource: cycles of a row in which it is busy, blocked, idle; of firmware all cycles, which are whole.
/// Null if there is none.
json slots_of(const analysis::exploration_answer& answer, const analysis::explored_point& point) {
    const bool whole = answer.what.kernels[point.id.kernel].is_firmware();
    const auto number = [whole](double value) {
        return whole ? json(static_cast<std::uint64_t>(value)) : json(value);
    };
    json slots = nullptr;
    for (const analysis::resource_share& each : point.result.resources)
        slots[each.resource] = {number(each.busy), number(each.blocked), number(each.idle)};
    return slots;
}

json parameters_of(const sweep& of) {
    const parameters baseline = of.baseline_configuration();
    json list = json::array();
    for (const parameter_row* row : of.varied)
        list.push_back({{"path", row->path},
                        {"help", row->help},
                        {"unit", row->unit},
                        {"chip", row->chip_text(baseline.arch)},
                        {"cost", of.weight_of(*row)},
                        {"baseline", row->text(baseline)}});
    return list;
}

/// What stands above the charts.
void add_heading(json& data, const analysis::exploration_answer& answer, const page_facts& facts) {
    std::vector<std::string> schedules, chips, misled;
    const auto note = [](std::vector<std::string>& list, const std::string& word) {
        if (std::find(list.begin(), list.end(), word) == list.end()) list.push_back(word);
    };
    for (const analysis::explored_point& each : answer.points) {
        note(schedules, to_string(each.result.schedule));
        if (each.result.chip) note(chips, long_name(*each.result.chip));
        if (each.result.reference_differs) note(misled, answer.what.kernels[each.id.kernel].name);
    }
    data["schedules"] = schedules;
    data["chips"] = chips;
    data["other_on_baseline"] = misled;
    data["sweep"] = answer.what.text;
    data["sweep_name"] = answer.what.name;
    data["version"] = facts.version;
    data["budget"] = answer.what.budget;
    data["folder"] = shared_folder(answer);
    data["written"] = analysis::written_kernel;
}

/// By parameter, the values at which the others are held; null: curves take the best over them.
json held_of(const analysis::exploration_answer& answer) {
    json held = json::object();
    for (const std::size_t parameter : analysis::parameters_compared(answer)) {
        const analysis::parameter_response response = analysis::response_to(answer, parameter);
        json others = response.best_over.empty() ? json::object() : json(nullptr);
        for (const analysis::parameter_value& each : response.held) others[each.row->path] = each.text();
        held[response.parameter->path] = std::move(others);
    }
    return held;
}

/// Infinity is null.
json speed_json(const std::optional<analysis::machine_finding::speed>& speed) {
    if (!speed) return nullptr;
    const double most = speed->known.most;
    return {{"found", speed->found},
            {"least", speed->known.least},
            {"most", std::isinf(most) ? json(nullptr) : json(most)}};
}

void add_findings(json& data, const analysis::exploration_answer& answer) {
    const analysis::exploration_findings findings = analysis::findings_of(answer);
    data["answers"] = short_answers_of(answer, findings);
    data["held"] = held_of(answer);
    data["kernels"] = findings.kernels;
    data["baseline_machine"] = or_null(findings.baseline);
    data["ranked"] = findings.ranked;
    data["machines"] = json::array();
    for (const analysis::machine_finding& each : findings.machines) {
        json results = json::array(), speeds = json::array();
        for (const auto& result : each.results)
            results.push_back(
                !result ? json(nullptr)
                        : json{{"run", result->run}, {"text", range_text(result->cycles, findings.per_row)}});
        for (const auto& speed : each.speeds) speeds.push_back(speed_json(speed));
        data["machines"].push_back({{"number", each.point},
                                    {"results", results},
                                    {"speeds", speeds},
                                    {"mean", speed_json(each.mean)},
                                    {"faster", each.faster()},
                                    {"slower", each.slower()},
                                    {"missing", each.missing()},
                                    {"front", each.on_front}});
    }
}

json data_of(const analysis::exploration_answer& answer, const page_facts& facts) {
    const sweep& of = answer.what;
    json data;
    data["parameters"] = parameters_of(of);
    data["seeded"] =
        std::any_of(of.seeds.begin(), of.seeds.end(), [](auto seed) { return seed.has_value(); });
    add_heading(data, answer, facts);
    data["columns"] = json::array();
    data["rows"] = json::array();
    data["picture_of_row"] = json::array();
    data["slots_of_row"] = json::array();
    data["binder_of_row"] = json::array();
    add_findings(data, answer);
    picture_book pictures;
    for (const analysis::explored_point& point : answer.points) {
        const json row = row_of(of, point);
        if (data["columns"].empty())
            for (const auto& [column, value] : row.items()) data["columns"].push_back(column);
        json values = json::array();
        for (const auto& [column, value] : row.items()) values.push_back(value);
        data["rows"].push_back(std::move(values));
        data["picture_of_row"].push_back(pictures.number_of(drawn(answer, point)));
        data["slots_of_row"].push_back(slots_of(answer, point));
        data["binder_of_row"].push_back(binder_of(point.result.binds));
    }
    data["pictures"] = std::move(pictures).content();
    data["library_problem"] = facts.library_problem;
    return data;
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

} // namespace

std::string to_page(const analysis::exploration_answer& answer, const page_facts& facts) {
    const json data = data_of(answer, facts);
    return filled_in(
        exploration_page::html,
        {{"style", exploration_page::style},
         {"data", inside_script(data.dump(-1, ' ', false, json::error_handler_t::replace), "\\u003c")},
         {"library", inside_script(facts.library, "\\x3c")},
         {"script", exploration_page::script}});
}

} // namespace sfpu::views
