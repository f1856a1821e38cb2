#include <sfpu/analysis/kernel_lint.h>

#include <sfpu/analysis/kernel_file.h>
#include <sfpu/analysis/tensor_layout.h>

#include <algorithm>
#include <utility>

namespace sfpu::analysis {
namespace {

/// False if the caller interrupted it before all were looked for: those that were looked for until then are
/// there.
bool find_fix_its(cure_search& search, const std::string& source, const session& caller,
                  lint_answer& answer) {
    const lint_report& report = answer.report;
    const auto add = [&](std::vector<std::optional<cure>>& to, std::optional<cure> found) {
        if (found || !caller.is_interrupted()) to.push_back(std::move(found));
        return !caller.is_interrupted();
    };
    if (!holds_words(source, answer.file)) // words are no lines that could be changed
        for (std::size_t i = 0; i < report.hazards.size(); ++i) {
            const bool wanted = cure_search::wants_cure(report.hazards[i]);
            if (!add(answer.hazard_fix_its, wanted ? search.of_hazard(source, report, i) : std::nullopt))
                return false;
        }
    if (answer.looked_at_boundaries)
        for (std::size_t i = 0; i < report.boundaries.size(); ++i)
            if (!add(answer.boundary_fix_its, search.of_boundary(source, report, i))) return false;
    return true;
}

/// The lane of this slice whose cell of 32 or 16 bits has a part there.
std::optional<unsigned> lane_at(const dst_slice& slice, unsigned row, unsigned column) {
    for (unsigned lane = 0; lane < lane_count; ++lane)
        if (slice.column_of(lane) == column &&
            (slice.row_of(lane) == row || (slice.wide && slice.row_of(lane) + lower_half_distance == row)))
            return lane;
    return std::nullopt;
}

/// Which value of which output a difference in storage belongs to.
void name_value(const kernel_run& kernel, dst_difference& difference) {
    const unsigned rows = std::min(kernel.rows(), most_places);
    for (const isa::tensor& output : kernel.kernel().outputs)
        for (unsigned row = 0; row < rows; ++row) {
            const dst_slice slice =
                slice_of_row(output.address, row, isa::has_wide_cells(output.type), kernel.request().thread);
            const std::optional<unsigned> lane = lane_at(slice, difference.row, difference.column);
            if (!lane) continue;
            difference.output = output.name;
            difference.output_row = row;
            difference.lane = *lane;
            return;
        }
}

/// Sentences count the lines of the text; the user knows others.
void tell_places(lint_answer& answer) {
    if (answer.places.empty()) return;
    for (lint_hazard& each : answer.report.hazards) each.what.message = answer.places.told(each.what.message);
    for (isa::source_remark& each : answer.remarks.all) each.message = answer.places.told(each.message);
    for (auto* list : {&answer.hazard_fix_its, &answer.boundary_fix_its})
        for (std::optional<cure>& each : *list)
            if (each) each->text = answer.places.told(each->text);
}

/// The first fix-it that there is, hazards before places.
std::optional<cure> first_fix_it(cure_search& search, const std::string& source, const lint_report& report) {
    for (std::size_t i = 0; i < report.hazards.size(); ++i)
        if (report.hazards[i].breaks)
            if (auto found = search.of_hazard(source, report, i); found && !found->asks_the_author)
                return found;
    // What is broken without bubbles is for people.
    if (std::any_of(report.hazards.begin(), report.hazards.end(),
                    [](const lint_hazard& each) { return each.breaks; }))
        return std::nullopt;
    for (std::size_t i = 0; i < report.boundaries.size(); ++i)
        if (auto found = search.of_boundary(source, report, i)) return found;
    return std::nullopt;
}

} // namespace

lint_answer lint_kernel(platform::program_runner& runner, const std::string& source, const std::string& file,
                        const machine_choice& machine, const lint_request& request, const session& caller) {
    const kernel_run kernel(assemble_kernel(source, file, machine), machine, request.rows);
    lint_options how = request.how;
    how.progress = caller.advanced;
    how.interrupted = [&] { return caller.is_interrupted() || caller.is_late(); };
    lint_answer answer;
    answer.file = file;
    answer.source = source;
    answer.looked_at_boundaries = request.fix_its_of_boundaries;
    answer.report = lint(runner, kernel.kernel(), kernel.request(), kernel.iterations(), how);
    for (lint_boundary& each : answer.report.boundaries)
        if (each.first_difference) name_value(kernel, *each.first_difference);
    how.progress = nullptr;
    cure_search search(runner, file, machine, request.rows, how);
    search.on_trial(request.on_trial);
    if (!answer.report.interrupted) answer.fix_its_missing = !find_fix_its(search, source, caller, answer);
    answer.remarks = remarks_on(runner, kernel);
    answer.places = kernel.places();
    tell_places(answer);
    return answer;
}

fixed_kernel fix_kernel(platform::program_runner& runner, std::string source, const std::string& file,
                        const machine_choice& machine, const lint_request& request) {
    lint_options how = request.how;
    how.progress = nullptr;
    how.interrupted = nullptr;
    cure_search search(runner, file, machine, request.rows, how);
    search.on_trial(request.on_trial);
    fixed_kernel fixed{std::move(source), {}, {}};
    fixed.report = search.lint(fixed.source);
    while (fixed.report.verdict != lint_verdict::robust) {
        std::optional<cure> found = first_fix_it(search, fixed.source, fixed.report);
        if (!found) break;
        const user_places places(assemble_kernel(fixed.source, file, machine));
        fixed.applied.push_back(places.told(found->text));
        fixed.source = std::move(found->source);
        fixed.report = search.lint(fixed.source);
    }
    return fixed;
}

} // namespace sfpu::analysis
