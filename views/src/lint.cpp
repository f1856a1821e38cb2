#include <sfpu/views/lint.h>

#include "page_parts.h"
#include "source_parts.h"

#include <sfpu/analysis/lint_findings.h>
#include <sfpu/common/shown_name.h>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace sfpu::views {

using namespace analysis;

namespace {

using json = nlohmann::ordered_json;

// JSON ------------------------------------------------------------------------------------------------------

json instruction_json(const lint_instruction& instruction) {
    return instruction.text.empty() ? json(nullptr) : json(instruction.text);
}

/// The user's lines where they are known; those of a file without lines are left out.
json lines_json(const std::vector<unsigned>& lines, const user_places& places) {
    json list = json::array();
    for (const unsigned line : lines)
        if (const unsigned known = places.of(line).line) list.push_back(known);
    return list;
}

json dst_difference_json(const std::optional<analysis::dst_difference>& difference) {
    if (!difference)
        return {{"row", nullptr},    {"column", nullptr},     {"expected", nullptr}, {"got", nullptr},
                {"output", nullptr}, {"output_row", nullptr}, {"lane", nullptr}};
    const bool is_named = !difference->output.empty();
    return {{"row", difference->row},
            {"column", difference->column},
            {"expected", fmt::format("{:04x}", difference->expected)},
            {"got", fmt::format("{:04x}", difference->got)},
            {"output", is_named ? json(difference->output) : json(nullptr)},
            {"output_row", is_named ? json(difference->output_row) : json(nullptr)},
            {"lane", is_named ? json(difference->lane) : json(nullptr)}};
}

json boundary_json(const lint_boundary& boundary, const user_places& places) {
    json form;
    put_place(form, "", places.of(boundary.line));
    form["word"] = boundary.word;
    form["text"] = boundary.text;
    form["moved"] = instruction_json(boundary.moved);
    form["against"] = instruction_json(boundary.against);
    form["first_difference"] = dst_difference_json(boundary.first_difference);
    put_place(form, "moved_", places.of(boundary.moved.line));
    put_place(form, "against_", places.of(boundary.against.line));
    form["configured_in"] = lines_json(boundary.moved.configured_in, places);
    put_place(form, "previous_", places.of(boundary.previous_line));
    form["bubble"] = boundary.bubble;
    form["gap"] = boundary.gap ? json(*boundary.gap) : json(nullptr);
    form["needs_others"] = boundary.needs_others;
    form["inside_iteration"] = boundary.inside_iteration;
    form["discarded"] = instruction_json(boundary.discarded);
    put_place(form, "discarded_", places.of(boundary.discarded.line));
    form["depends_on"] = boundary.depends_on;
    return form;
}

json question_json(const lint_question& question, const user_places&) {
    return {{"parameter", question.parameter},
            {"depends", question.depends},
            {"without_bubbles", question.without_bubbles},
            {"values", question.values},
            {"complete", question.complete}};
}

json lint_hazard_json(const lint_hazard& hazard, const user_places& places) {
    json form = {{"cycle", hazard.what.at.count()},
                 {"word", hazard.what.word < 0 ? json(nullptr) : json(hazard.what.word)},
                 {"id", describe(hazard.what.id).name},
                 {"severity", to_string(hazard.what.level)},
                 {"message", hazard.what.message}};
    put_place(form, "", places.of(hazard.line));
    form["count"] = hazard.count;
    form["breaks"] = hazard.breaks;
    form["text"] = hazard.text.empty() ? json(nullptr) : json(hazard.text);
    form["depends_on"] = hazard.depends_on.empty() ? json(nullptr) : json(hazard.depends_on);
    form["configured_in"] = lines_json(hazard.configured_in, places);
    return form;
}

template <class Item>
json lint_list(const std::vector<Item>& items, const user_places& places,
               json (*form)(const Item&, const user_places&)) {
    json list = json::array();
    for (const Item& item : items) list.push_back(form(item, places));
    return list;
}

using fix_it_list = std::vector<std::optional<cure>>;

/// Empty if none was found, or if nobody looked.
std::string fix_it_of(const fix_it_list& all, std::size_t index) {
    return index < all.size() && all[index] ? all[index]->text : "";
}

void add_fix_its(json& list, const fix_it_list& all) {
    for (std::size_t i = 0; i < list.size(); ++i) {
        const std::string text = fix_it_of(all, i);
        list[i]["cure"] = text.empty() ? json(nullptr) : json(text);
    }
}

json lint_report_json(const lint_report& report, const user_places& places) {
    return {{"verdict", to_string(report.verdict)},
            {"safe_from_replay_buffer", report.safe_from_replay_buffer()},
            {"boundaries", lint_list(report.boundaries, places, boundary_json)},
            {"open_questions", lint_list(report.open_questions, places, question_json)},
            {"hazards", lint_list(report.hazards, places, lint_hazard_json)},
            {"iterations", report.iterations},
            {"random_schedules", report.random_schedules},
            {"random_changed", report.random_changed},
            {"single_bubbles", report.positions},
            {"registers_changed", report.registers_changed},
            {"random_discarded", report.random_discarded},
            {"depends_on", report.depends_on()},
            {"interrupted", report.interrupted},
            {"gaps", report.gaps},
            {"planned",
             {{"data_sets", report.planned_data_sets},
              {"single_bubbles", report.planned_positions},
              {"random_schedules", report.planned_schedules}}},
            {"data_sets", report.data_sets}};
}

// Text ------------------------------------------------------------------------------------------------------

bool is_broken_without_bubbles(const lint_report& report) {
    return std::any_of(report.hazards.begin(), report.hazards.end(),
                       [](const lint_hazard& each) { return each.breaks; });
}

std::string lint_verdict_line(const lint_report& report) {
    switch (report.verdict) {
    case lint_verdict::robust:
        return report.interrupted ? "nothing changed the result up to the interruption"
                                  : "the result never changed";
    case lint_verdict::replay_only:
        return std::any_of(report.boundaries.begin(), report.boundaries.end(),
                           [](const lint_boundary& each) { return each.first_difference.has_value(); })
                   ? "no hazard without bubbles, but some bubbles change the result"
                   : "no hazard without bubbles, but with some a macro discards an instruction";
    case lint_verdict::broken:
        if (!is_broken_without_bubbles(report)) return "a bubble matters where .gap says that one can be";
        if (report.depends_on().empty()) return "there are hazards even without bubbles";
        return fmt::format(
            "there are hazards even without bubbles; depends on {}, which the model decides the "
            "same way every time",
            fmt::join(report.depends_on(), ", "));
    }
    return "";
}

/// "sequence in lines 31, 32, 33"; empty without lines
std::string sequence_lines_text(const std::vector<unsigned>& lines) {
    if (lines.empty()) return "";
    return fmt::format("sequence in line{} {}", lines.size() == 1 ? "" : "s", fmt::join(lines, ", "));
}

/// What stands below the finding.
std::string lint_hazard_text(const lint_hazard& hazard) {
    const std::string configured = sequence_lines_text(hazard.configured_in);
    const std::string sequence = configured.empty() ? "" : "    " + configured + "\n";
    const std::string text = hazard.text.empty() ? "" : fmt::format("    {}\n", hazard.text);
    const std::string dependence =
        hazard.depends_on.empty() ? "" : fmt::format("    the result depends on {}\n", hazard.depends_on);
    return text + sequence + dependence;
}

std::string lint_instruction_text(const lint_instruction& instruction) {
    if (!instruction.scheduled)
        return fmt::format("{} (issued in line {})", instruction.text, instruction.line);
    const std::string configured = sequence_lines_text(instruction.configured_in);
    return fmt::format("{} (scheduled in line {}{})", instruction.text, instruction.line,
                       configured.empty() ? "" : ", its " + configured);
}

/// What stands below the finding.
std::string boundary_text(const lint_boundary& boundary) {
    const std::string idle = fmt::format("{} idle cycle{}", boundary.bubble, boundary.bubble == 1 ? "" : "s");
    std::string text;
    if (!boundary.moved.text.empty()) text += "    moved    " + lint_instruction_text(boundary.moved) + "\n";
    if (!boundary.against.text.empty())
        text += "    against  " + lint_instruction_text(boundary.against) + "\n";
    if (!boundary.discarded.text.empty())
        text += "    lost     " + lint_instruction_text(boundary.discarded) + ", with " + idle + "\n";
    if (const auto& difference = boundary.first_difference)
        text += fmt::format("    {}, with {}\n", to_text(*difference), idle);
    else text += "    Dst is the same for all data tried\n";
    if (!boundary.depends_on.empty())
        text += fmt::format("    depends on {}\n", fmt::join(boundary.depends_on, ", "));
    return text;
}

std::string lint_questions_text(const std::vector<lint_question>& questions) {
    std::string dependent;
    for (const lint_question& question : questions)
        if (question.depends)
            dependent += fmt::format("{}{}{}", dependent.empty() ? "" : ", ", question.parameter,
                                     question.without_bubbles ? "" : " (with bubbles only)");
    return "open questions   " +
           (dependent.empty() ? "the result depends on none" : "the result depends on " + dependent) + "\n";
}

/// What was tried of what was planned, if that is not all.
std::string interruption_text(const lint_report& report) {
    std::string left;
    for (const lint_question& question : report.open_questions)
        if (!question.complete) left = question.parameter;
    const auto answered = std::count_if(report.open_questions.begin(), report.open_questions.end(),
                                        [](const lint_question& each) { return each.complete; });
    return fmt::format(
        "interrupted      tried {} of {} data sets without bubbles, {} of {} places with single "
        "bubbles, {} of {} random schedules, {} open questions{}; the rest is unknown\n",
        report.data_sets, report.planned_data_sets, report.positions, report.planned_positions,
        report.random_schedules, report.planned_schedules, answered,
        left.empty() ? "" : " and part of " + left);
}

std::string replay_buffer_text(const lint_report& report) {
    if (report.interrupted && report.verdict != lint_verdict::broken)
        return "Not known: interrupted before everything was tried.";
    switch (report.verdict) {
    case lint_verdict::robust:
        return report.gaps ? "Safe as it is pushed: no bubble matters where .gap says that one can be."
                           : "Safe with or without a replay buffer: no bubble matters.";
    case lint_verdict::broken:
        return is_broken_without_bubbles(report)
                   ? "Not safe, from a replay buffer or otherwise."
                   : "Not safe as it is pushed: the result is the same only if no bubble comes "
                     "where .gap says that one can be.";
    case lint_verdict::replay_only: break;
    }
    if (report.safe_from_replay_buffer())
        return "Safe when each iteration of the loop is issued from a replay buffer, not safe otherwise.";
    return "Safe only if everything is issued without gaps: a gap outside an iteration matters too, so a "
           "replay "
           "buffer for each iteration is not enough.";
}

/// `otherwise`: what helps in general.
std::string fix_it_text(const fix_it_list& of, std::size_t index, const std::string& otherwise) {
    if (index >= of.size()) return ""; // nobody looked
    const std::string text = fix_it_of(of, index);
    return fmt::format("    cure     {}\n", !text.empty() ? text
                                            : otherwise.empty()
                                                ? "none found among small changes"
                                                : "none found among small changes; in general: " + otherwise);
}

/// Hazards, places and remarks that are not known.
std::string finding_lines(const lint_answer& answer, const known_findings* known, colouring paint,
                          std::size_t& left_out) {
    const std::vector<finding> findings = findings_of(answer);
    const std::vector<bool> fresh =
        known ? new_ones(findings, *known) : std::vector<bool>(findings.size(), true);
    left_out = static_cast<std::size_t>(std::count(fresh.begin(), fresh.end(), false));
    const lint_report& report = answer.report;
    const std::size_t hazards = report.hazards.size(), places = hazards + report.boundaries.size();
    std::string text;
    for (std::size_t i = 0; i < findings.size(); ++i) {
        if (!fresh[i] || findings[i].id == open_question_id) continue; // these have a line of their own
        text += finding_text(findings[i], paint);
        if (i < hazards) {
            const lint_hazard& hazard = report.hazards[i];
            text += answer.places.told(lint_hazard_text(hazard));
            if (cure_search::wants_cure(hazard))
                text += fix_it_text(answer.hazard_fix_its, i, describe(hazard.what.id).cure);
            else if (is_compiler_rule(hazard.what.id))
                text += fmt::format("    cure     in general: {}\n", describe(hazard.what.id).cure);
        } else if (i < places) {
            text += answer.places.told(boundary_text(report.boundaries[i - hazards])) +
                    fix_it_text(answer.boundary_fix_its, i - hazards, "");
        }
    }
    return text;
}

} // namespace

std::string to_text(const lint_answer& answer, const known_findings* known, colouring paint) {
    const std::string file = shown_name(answer.file);
    const lint_report& report = answer.report;
    std::string text =
        fmt::format("{}: {}: {}\n", file, to_string(report.verdict), lint_verdict_line(report));
    std::size_t left_out = 0;
    text += finding_lines(answer, known, paint, left_out);
    const std::string discarding =
        report.random_discarded ? fmt::format(", {} discard an instruction", report.random_discarded) : "";
    text += fmt::format("random bubbles   {} of {} schedules change the result{}\n", report.random_changed,
                        report.random_schedules, discarding);
    text +=
        fmt::format("single bubbles   {} of {} places matter\n", report.boundaries.size(), report.positions);
    text += lint_questions_text(report.open_questions);
    if (known) text += fmt::format("baseline         {} findings are known and left out\n", left_out);
    if (report.interrupted) text += interruption_text(report);
    for (const allowed_diagnostic& each : report.allowed)
        text += fmt::format("allowed          {}:{}: {}: {} {}: {}\n", file, each.what.line,
                            describe(each.what.id).name, each.count, each.count == 1 ? "time" : "times",
                            each.what.reason);
    if (report.registers_changed)
        text += "note             LRegs or lane flags at the end change with bubbles; only Dst counts\n";
    return text + replay_buffer_text(report) + "\n";
}

std::string to_json(const lint_answer& answer, const known_findings* known) {
    json content = lint_report_json(answer.report, answer.places);
    const std::vector<finding> findings = findings_of(answer);
    const std::vector<bool> fresh = known ? new_ones(findings, *known) : std::vector<bool>();
    std::size_t number = 0; // hazards come first, then boundaries
    for (json* list : {&content["hazards"], &content["boundaries"]})
        for (json& each : *list) {
            const unsigned column = findings[number].where.column;
            each["column"] = column == 0 ? json(nullptr) : json(column);
            if (known) each["new"] = bool(fresh[number]);
            ++number;
        }
    if (answer.fix_its_missing) content["interrupted"] = true;
    for (const allowed_diagnostic& each : answer.report.allowed)
        content["allowed"].push_back({{"id", describe(each.what.id).name},
                                      {"count", each.count},
                                      {"line", each.what.line},
                                      {"reason", each.what.reason}});
    content["remarks"] = json::array();
    for (const isa::source_remark& each : answer.remarks.all) {
        json remark;
        put_place(remark, "", answer.places.of(each.line));
        remark["id"] = describe(each.id).name;
        remark["message"] = each.message;
        content["remarks"].push_back(std::move(remark));
    }
    add_fix_its(content["hazards"], answer.hazard_fix_its);
    if (answer.looked_at_boundaries) add_fix_its(content["boundaries"], answer.boundary_fix_its);
    add_source(content, answer.given);
    return document_text(content);
}

std::string interruption_line(const lint_answer& answer) {
    const std::string name = shown_name(answer.file);
    if (answer.fix_its_missing)
        return fmt::format("{}: interrupted: cures may be missing, the rest is complete", name);
    return fmt::format("{}: interrupted: this is what {} runs show", name, answer.report.runs);
}

std::string to_text(const fixed_kernel& fixed, const std::string& file, const std::string& output) {
    std::string text;
    for (const std::string& change : fixed.applied) text += fmt::format("{}: {}\n", shown_name(file), change);
    return text + fmt::format("{}: {}: {}\n", shown_name(output), to_string(fixed.report.verdict),
                              lint_verdict_line(fixed.report));
}

} // namespace sfpu::views
