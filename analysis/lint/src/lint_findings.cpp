#include <sfpu/analysis/lint_findings.h>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

namespace sfpu::analysis {
namespace {

source_place place_in(const lint_answer& answer, unsigned line) {
    return answer.places.empty() ? place_of_line(answer.file, answer.source, line)
                                 : answer.places.place_of(line, answer.source, answer.given);
}

finding finding_at(const lint_answer& answer, unsigned line, const char* id, severity level,
                   std::string message) {
    finding found;
    found.id = id;
    found.level = level;
    found.message = std::move(message);
    found.where = place_in(answer, line);
    return found;
}

void add_related(finding& to, const lint_answer& answer, unsigned line, const char* what) {
    if (line != 0) to.related.emplace_back(place_in(answer, line), what);
}

void add_cure(finding& to, const std::vector<std::optional<cure>>& all, std::size_t index,
              const char* otherwise) {
    to.cure = index < all.size() && all[index] ? all[index]->text : otherwise;
}

finding finding_of(const lint_question& question, const lint_answer& answer) {
    finding found =
        finding_at(answer, 0, open_question_id, severity::info,
                   fmt::format("the result depends on {}{}", question.parameter,
                               question.without_bubbles ? "" : ", if words come with bubbles between them"));
    found.evidence = fmt::format("tried: {}", fmt::join(question.values, ", "));
    found.help = "Nobody has measured what the hardware does there; the parameter says what the model does.";
    return found;
}

} // namespace

std::string to_text(const dst_difference& difference) {
    const std::string storage = fmt::format("Dst row {} column {}", difference.row, difference.column);
    return fmt::format("{}: {:04x} instead of {:04x}",
                       difference.output.empty()
                           ? storage
                           : fmt::format("{} row {} lane {} ({})", difference.output, difference.output_row,
                                         difference.lane, storage),
                       difference.got, difference.expected);
}

finding finding_of(const lint_hazard& hazard, const lint_answer& answer) {
    const report_row& row = describe(hazard.what.id);
    const severity level =
        hazard.breaks && hazard.what.level == severity::info ? severity::warning : hazard.what.level;
    finding found = finding_at(answer, hazard.line, row.name, level, hazard.what.message);
    if (hazard.count > 1) found.message += fmt::format(" ({} times)", hazard.count);
    if (!hazard.depends_on.empty())
        found.evidence = fmt::format("the result depends on {}", hazard.depends_on);
    for (const unsigned line : hazard.configured_in) add_related(found, answer, line, "its sequence");
    found.help = row.explanation;
    found.fails = hazard.breaks;
    return found;
}

finding finding_of(const lint_boundary& boundary, const lint_answer& answer) {
    const bool changes = boundary.first_difference.has_value();
    finding found =
        finding_at(answer, boundary.line, changes ? "/sfpu/lint/bubble" : "/sfpu/lint/bubble-discards",
                   severity::warning,
                   fmt::format("a bubble before {} {}{}", boundary.text,
                               changes ? "changes the result" : "discards an instruction",
                               boundary.needs_others ? ", together with earlier ones" : ""));
    if (changes)
        found.evidence = fmt::format("{}, with {} idle cycle{}", to_text(*boundary.first_difference),
                                     boundary.bubble, boundary.bubble == 1 ? "" : "s");
    else found.evidence = "Dst is the same for all data tried";
    if (!boundary.moved.text.empty()) add_related(found, answer, boundary.moved.line, "what moves");
    if (!boundary.against.text.empty()) add_related(found, answer, boundary.against.line, "against what");
    if (!boundary.discarded.text.empty()) add_related(found, answer, boundary.discarded.line, "what is lost");
    found.help =
        changes ? "Idle cycles before the word, as a core leaves them that pushes words itself, move what "
                  "is scheduled against what is issued, and the results become others."
                : "Idle cycles before the word, as a core leaves them that pushes words itself, let a "
                  "macro discard an issued instruction.";
    found.fails = true;
    return found;
}

std::vector<finding> findings_of(const lint_answer& answer) {
    const lint_report& report = answer.report;
    std::vector<finding> found;
    for (std::size_t i = 0; i < report.hazards.size(); ++i) {
        found.push_back(finding_of(report.hazards[i], answer));
        const char* general = describe(report.hazards[i].what.id).cure;
        add_cure(found.back(), answer.hazard_fix_its, i, report.hazards[i].breaks && general ? general : "");
    }
    for (std::size_t i = 0; i < report.boundaries.size(); ++i) {
        found.push_back(finding_of(report.boundaries[i], answer));
        add_cure(found.back(), answer.boundary_fix_its, i, "");
    }
    for (const lint_question& each : report.open_questions)
        if (each.depends) found.push_back(finding_of(each, answer));
    for (const isa::source_remark& each : answer.remarks.all) {
        const report_row& row = describe(each.id);
        found.push_back(finding_at(answer, each.line, row.name, severity::info, each.message));
        found.back().help = row.explanation;
    }
    const bool explained =
        std::any_of(found.begin(), found.end(), [](const finding& each) { return each.fails; });
    if (report.verdict != lint_verdict::robust && !explained) {
        found.push_back(finding_at(answer, 0, "/sfpu/lint/verdict", severity::warning,
                                   fmt::format("the kernel is {}", to_string(report.verdict))));
        found.back().evidence = fmt::format("{} of {} schedules with random bubbles change the result",
                                            report.random_changed, report.random_schedules);
        found.back().help = "No single place explains it.";
        found.back().fails = true;
    }
    return found;
}

} // namespace sfpu::analysis
