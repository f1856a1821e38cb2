#include <sfpu/analysis/kernel_comparison.h>

#include <sfpu/analysis/errors.h>
#include <sfpu/analysis/kernel_file.h>
#include <sfpu/analysis/kernel_remarks.h>
#include <sfpu/common/shown_name.h>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <numeric>

namespace sfpu::analysis {
namespace {

/// Rows that both kernels can work on: what one of them says, else two tiles' worth of whole iterations.
unsigned common_rows(const isa::kernel& a, const isa::kernel& b) {
    if (a.rows || b.rows) return a.rows.value_or(b.rows.value_or(0));
    constexpr unsigned least = 64;
    const unsigned per_iteration = std::lcm(a.rows_per_iteration, b.rows_per_iteration);
    const auto fits = [](const isa::kernel& kernel, unsigned rows) {
        return rows >= kernel.peeled_rows + kernel.rows_per_iteration &&
               (rows - kernel.peeled_rows) % kernel.rows_per_iteration == 0;
    };
    const unsigned first =
        std::max(a.peeled_rows + a.rows_per_iteration, b.peeled_rows + b.rows_per_iteration);
    // Whether any number fits both is seen in one period; if none does, one of them says so.
    const unsigned begin = std::max(least, first);
    for (unsigned rows = begin; rows < begin + per_iteration; ++rows)
        if (fits(a, rows) && fits(b, rows)) return rows;
    return begin;
}

} // namespace

equivalence_report compare(platform::program_runner& runner, const isa::kernel& a, const isa::kernel& b,
                           const machine_choice& options, std::optional<unsigned> rows,
                           const equivalence_options& how) {
    if (!rows && a.rows && b.rows && *a.rows != *b.rows) {
        equivalence_report report;
        report.not_comparable =
            fmt::format("the first kernel works on {} rows, the second on {}", *a.rows, *b.rows);
        return report;
    }
    const unsigned wanted = rows.value_or(common_rows(a, b));
    const kernel_run run_a(a, options, wanted), run_b(b, options, wanted);
    return compare_kernels(runner, {&run_a.kernel(), &run_a.request(), run_a.rows()},
                           {&run_b.kernel(), &run_b.request(), run_b.rows()}, how);
}

std::vector<std::string> stored_by_neither(platform::program_runner& runner, const isa::kernel& a,
                                           const isa::kernel& b, const machine_choice& options,
                                           std::optional<unsigned> rows) {
    isa::kernel with_outputs = b;
    if (b.outputs.empty()) with_outputs.outputs = a.outputs;
    const unsigned wanted = rows.value_or(common_rows(a, b));
    const auto untouched = [&](const isa::kernel& kernel) {
        return remarks_on(runner, kernel_run(kernel, options, wanted)).untouched;
    };
    const std::vector<std::string> of_a = untouched(a), of_b = untouched(with_outputs);
    std::vector<std::string> names;
    std::copy_if(of_a.begin(), of_a.end(), std::back_inserter(names), [&](const std::string& name) {
        return std::find(of_b.begin(), of_b.end(), name) != of_b.end();
    });
    return names;
}

equivalence_answer equivalence_of(platform::program_runner& runner, const isa::kernel& a,
                                  const isa::kernel& b, const machine_choice& options,
                                  std::optional<unsigned> rows, equivalence_options how,
                                  const session& caller) {
    how.interrupted = [&] { return caller.is_interrupted() || caller.is_late(); };
    equivalence_answer answer{a.file, b.file, compare(runner, a, b, options, rows, how), {}, {}, {}};
    const auto refuse = [&](const std::string& why) {
        return user_error(
            fmt::format("{} and {} cannot be compared: {}", shown_name(a.file), shown_name(b.file), why));
    };
    if (!answer.report.not_comparable.empty()) throw refuse(answer.report.not_comparable);
    if (answer.report.equal) answer.unstored = stored_by_neither(runner, a, b, options, rows);
    if (!answer.unstored.empty() && answer.unstored.size() == a.outputs.size())
        throw refuse(fmt::format("neither stores any of {}", fmt::join(answer.unstored, ", ")));
    return answer;
}

std::string bits_text(const typed_value& value) {
    if (!value.type) return fmt::format("0x{:0{}x}", value.cell, value.bits / 4);
    return fmt::format("0x{:0{}x}", isa::value_of_cell(*value.type, value.cell),
                       isa::value_bits(*value.type) / 4);
}

namespace {

/// How strong the answer "equal" is, behind the word.
std::string strength_text(const equivalence_report& report) {
    switch (report.verdict) {
    case equivalence_verdict::proved: return ", proved for every input";
    case equivalence_verdict::exhaustive: return " for every value of the input";
    default: return fmt::format(" in all {} inputs that were tested", report.inputs_tried);
    }
}

std::string basis_text(const equivalence_report& report) {
    if (report.verdict != equivalence_verdict::proved)
        return report.not_proved.empty() ? "" : fmt::format("not proved: {}\n", report.not_proved);
    const proof_basis& basis = report.rests_on;
    std::string text =
        fmt::format("the proof is for {} rows of {} lanes: {}\n", basis.rows, lane_count, basis.start);
    if (basis.random_numbers) text += "both kernels get the same random numbers\n";
    if (!basis.settled.empty())
        text += fmt::format("it rests on open questions: {}\n", fmt::join(basis.settled, ", "));
    if (!basis.rules.empty())
        text += fmt::format("it rests on these rules:\n  {}\n", fmt::join(basis.rules, "\n  "));
    return text;
}

} // namespace

std::string equivalence_text(const std::string& a_file, const std::string& b_file,
                             const equivalence_report& report, const std::vector<std::string>& unstored) {
    const char* const values = report.exhaustive ? ", every value of the input"
                               : report.each_value
                                   ? ", every value of each input of 16 bits or fewer, the others random"
                                   : "";
    const std::string tried = fmt::format("{} inputs in {} runs{}", report.inputs_tried, report.runs, values);
    if (report.equal) {
        std::string text = fmt::format("{} and {}: equal{}\n{}tried {}\n", shown_name(a_file),
                                       shown_name(b_file), strength_text(report), basis_text(report), tried);
        for (const std::string& name : unstored)
            text += fmt::format("{} is stored by neither, so nothing was compared there\n", name);
        return text;
    }
    std::string text = fmt::format("{} and {}: different\n", shown_name(a_file), shown_name(b_file));
    if (const auto& found = report.first_difference) {
        const auto line = [&](const std::string& name, const typed_value& value) {
            const std::string bits = value.type ? fmt::format(" ({})", bits_text(value)) : "";
            text += fmt::format("  {:<12} {}{}\n", name, value.text(), bits);
        };
        text += found->lane
                    ? fmt::format("first difference: {}, row {}, lane {}{}\n", found->output, *found->row,
                                  *found->lane, found->with_bubbles ? ", with bubbles" : "")
                    : fmt::format("first difference: a cell of Dst that the first kernel does not store, "
                                  "storage row {} column {}\n",
                                  *found->row, *found->column);
        line("first", found->a);
        line("second", found->b);
        for (const auto& [name, value] : found->inputs) line(name, value);
    }
    return text + fmt::format("tried {}\n", tried);
}

} // namespace sfpu::analysis
