// `run`: a kernel on the timed platform, and the throughput report.
#include "command.h"
#include "program.h"
#include "run_outputs.h"
#include <sfpu/analysis/chip_comparison.h>
#include <sfpu/analysis/cures.h>
#include <sfpu/analysis/kernel_data.h>
#include <sfpu/analysis/kernel_file.h>
#include <sfpu/analysis/kernel_remarks.h>
#include <sfpu/analysis/kernel_tensors.h>
#include <sfpu/analysis/resource_bound.h>

#include <sfpu/platform/sfpu_bench.h>

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <cstdio>

namespace sfpu::cli {
namespace {

double ratio(std::uint64_t part, std::int64_t whole) {
    return whole > 0 ? static_cast<double>(part) / static_cast<double>(whole) : 0;
}

std::string unit_table(const platform::run_result& result) {
    using isa::sub_unit;
    const probe::unit_counters& counted = result.counters;
    std::string text = "unit          busy  utilisation      issued   scheduled   discarded\n";
    for (const sub_unit unit :
         {sub_unit::load, sub_unit::simple, sub_unit::mad, sub_unit::round, sub_unit::store}) {
        const auto i = static_cast<unsigned>(unit);
        text += fmt::format("{:<6}  {:>10}  {:>10.1f}%  {:>10}  {:>10}  {:>10}\n", isa::to_string(unit),
                            counted.busy[i], 100 * ratio(counted.busy[i], result.cycles_used.count()),
                            counted.issued[i], counted.scheduled[i], counted.discarded[i]);
    }
    return text;
}

/// Where the cycles of a row go: each line sums to 100 %.
std::string slot_table(const probe::steady_state_statistics& state) {
    std::string text = "steady state    busy   blocked      idle\n";
    for (const auto& each : state.slots) {
        const double all = each.busy + each.blocked + each.idle;
        const auto share = [&](double part) { return all > 0 ? 100 * part / all : 0; };
        text += fmt::format("{:<11}  {:>6.1f}%  {:>7.1f}%  {:>7.1f}%\n", each.resource, share(each.busy),
                            share(each.blocked), share(each.idle));
    }
    return text;
}

std::string issue_line(const probe::unit_counters& counters, std::uint64_t cycles, unsigned width) {
    const probe::issue_slots slots = probe::issue_slots_of(counters, cycles, width);
    const auto share = [&](std::uint64_t part) {
        return 100 * ratio(part, static_cast<std::int64_t>(slots.slots));
    };
    return fmt::format("issue          {:.1f} % of the slots issue a word, {:.1f} % are held, {:.1f} % have "
                       "nothing to issue\n",
                       share(slots.issued), share(slots.held), share(slots.idle));
}

std::string stall_lines(const probe::unit_counters& counters) {
    std::string text;
    for (unsigned cause = 0; cause < probe::stall_cause_count; ++cause)
        if (counters.stalls[cause])
            text +=
                fmt::format("  {:<20} {:>8} cycles\n",
                            probe::to_string(static_cast<probe::stall_cause>(cause)), counters.stalls[cause]);
    return "stalls" + (text.empty() ? std::string("         none\n") : "\n" + text);
}

/// What to do about each kind of diagnostic, found by a small search; empty where it finds nothing.
using cure_texts = std::array<std::string, report_count>;

std::string hazard_lines(const kernel_run& kernel, const diagnostic_summary& diagnostics, cycles first_issue,
                         const cure_texts& cures) {
    std::string text;
    for (unsigned i = 0; i < report_count; ++i) {
        const auto id = static_cast<report_id>(i);
        const diagnostic_summary::entry& seen = diagnostics.of(id);
        if (seen.count == 0) continue;
        text +=
            fmt::format("  {}: {} {}, first in cycle {}\n    {}: {}: {}\n", describe(id).name, seen.count,
                        seen.count == 1 ? "time" : "times", (seen.first.at - first_issue).count(),
                        kernel.location(seen.first), to_string(seen.first.level), kernel.message(seen.first));
        if (!cures[i].empty()) text += fmt::format("    cure: {}\n", cures[i]);
        else if (describe(id).kind == report_kind::hazard)
            text += fmt::format("    in general: {}\n", describe(id).cure);
    }
    return "hazards" + (text.empty() ? std::string("        none\n") : "\n" + text);
}

/// One iteration has none, and what it takes says nothing of how often one can begin.
bool has_steady_state(const kernel_run& kernel) { return kernel.iterations() > 1; }

std::string report_text(const kernel_run& kernel, const run_outputs& outputs, const kernel_tensors& tensors,
                        const platform::dst_image& dst, const platform::run_result& result,
                        const std::string& results, const std::optional<binding>& binds,
                        const cure_texts& cures, const kernel_remarks& remarks) {
    const probe::unit_counters& counters = result.counters;
    const parameters& config = kernel.request().config;
    const std::uint64_t executed = counters.executed();
    std::string text;
    text += fmt::format("kernel         {}\n", kernel.kernel().file);
    text += fmt::format("architecture   {} ({})\n", short_name(config.arch), long_name(config.arch));
    text += fmt::format("rows           {}\n", kernel.rows());
    text += fmt::format("cycles         {}\n", result.cycles_used.count());
    if (kernel.rows())
        text += fmt::format("throughput     {:.2f} cycles a row\n", kernel.cycles_per_row(result));
    if (kernel.kernel().expected_cycles_per_row && !has_steady_state(kernel))
        text += fmt::format(
            "expected       {:.2f} cycles a row: not compared, as fewer than two iterations run\n",
            *kernel.kernel().expected_cycles_per_row);
    if (binds) {
        text += fmt::format("bound          {:.2f} cycles a row ({})\n", binds->bound.cycles_per_row,
                            binds->bound.reason);
        text += fmt::format("binds          {}\n", binds->steady_state.binds);
        text += fmt::format("dependences    {}\n", binds->steady_state.dependences);
    } else if (kernel.rows() == 0) {
        text += "binds          nothing is repeated, so that no row takes anything\n";
    }
    if (!results.empty()) text += fmt::format("results        {}\n", results);
    if (const std::string agreement = outputs.interrupted() ? "" : tensors.agreement(dst); !agreement.empty())
        text += fmt::format("expected       {}\n", agreement);
    text += fmt::format("instructions   {} ({} issued, {} scheduled), {:.2f} a cycle\n", executed,
                        counters.instructions, executed - counters.instructions,
                        ratio(executed, result.cycles_used.count()));
    text += "\n" + unit_table(result) + "\n";
    if (binds) text += slot_table(binds->steady_state) + "\n";
    text +=
        issue_line(counters, static_cast<std::uint64_t>(result.cycles_used.count()), config.sfpu_issue_width);
    text += stall_lines(counters);
    text += hazard_lines(kernel, outputs.diagnostics(), result.first_issue, cures);
    if (!remarks.all.empty()) text += "remarks\n" + to_text(remarks, kernel.kernel().file, "  ");
    for (const std::string& file : tensors.written()) text += "wrote " + file + "\n";
    for (const std::string& file : outputs.written()) text += "wrote " + file + "\n";
    return text;
}

/// Compares with the kernel's .expect; complains on standard error.
bool meets_expectation(const kernel_run& kernel, const platform::run_result& result) {
    constexpr double tolerance = 0.005; // half of the last digit that reports show
    const auto expected = kernel.kernel().expected_cycles_per_row;
    if (!expected || !has_steady_state(kernel)) return true;
    const double found = kernel.cycles_per_row(result);
    if (std::abs(found - *expected) <= tolerance) return true;
    fmt::print(stderr, "{}: found {:.2f} cycles a row, expected {:.2f} (.expect)\n", kernel.kernel().file,
               found, *expected);
    return false;
}

class run_command : public command {
public:
    const char* name() const override { return "run"; }
    const char* description() const override { return "Run a kernel and report its throughput"; }
    bool writes_traces() const override { return true; }

    bool starts_kernels() const override { return true; }
    void add_options(CLI::App& app) override {
        app.add_option("KERNEL", kernel_file_, "kernel: words if the name ends in .hex, else assembly");
        app.add_option("--rows", rows_, "rows of 32 elements to work on")
            ->type_name("N")
            ->check(integer_between(1u, maximum_rows));
        app.add_option("--dst-load", dst_load_, "initial Dst: 1024 x 16 little-endian 16-bit cells")
            ->type_name("FILE");
        app.add_option("--seed", seed_, "of the random data in Dst before the run, unless it is loaded")
            ->type_name("S")
            ->check(any_integer())
            ->capture_default_str();
        app.add_flag("--zero", zero_, "Dst holds zeros before the run");
        app.add_flag(
            "--no-check", no_check_,
            "do not compare the results with the chip's when timing parameters differ from the chip's");
        app.add_option("--dst-dump", dst_dump_, "where to write Dst after the run, in the same form")
            ->type_name("FILE");
        app.add_option("--input", tensors_.inputs,
                       "values of an .input: a file in .npy or .csv form, else raw values; may be repeated")
            ->type_name("NAME=FILE")
            ->type_size(1)
            ->allow_extra_args(false);
        app.add_option("--output", tensors_.outputs,
                       "where to write the values of an .output, in the same forms; may be repeated")
            ->type_name("NAME=FILE")
            ->type_size(1)
            ->allow_extra_args(false);
        app.add_option(
               "--print", tensors_.printed,
               "print values of an .output, or of an .input before the run: 'y', 'y[0:4]', 'y[3, 0:8]' "
               "(rows, lanes); may be repeated")
            ->type_name("NAME[ROWS]")
            ->type_size(1)
            ->allow_extra_args(false);
        CLI::Option* const expected =
            app.add_option("--expect", tensors_.expected,
                           "values that an .output must have, or the exit code is 2; may be repeated")
                ->type_name("NAME=FILE")
                ->type_size(1)
                ->allow_extra_args(false);
        lanes_.add_options(app);
        app.add_option("--ulp", tensors_.ulp,
                       "how many units in the last place a value may be away from what is expected")
            ->type_name("N")
            ->check(any_integer())
            ->needs(expected)
            ->capture_default_str();
    }

    parameters configuration(const common_options& options) const override {
        return kernel_file_.empty() ? resolved_configuration(options)
                                    : kernel_configuration(load_kernel(kernel_file_, options), options);
    }

    int run(const common_options& options) override {
        if (kernel_file_.empty()) throw user_error("run: KERNEL is missing");
        if (zero_ && !dst_load_.empty()) throw user_error("run: --zero and --dst-load exclude each other");
        const std::string text = read_input(kernel_file_);
        kernel_run kernel(assemble_kernel(text, kernel_file_, options), options, rows_);
        if (!dst_load_.empty()) load_dst(dst_load_, kernel.request());
        else if (!zero_) // zeros would hide that an instruction comes too early or too late
            fill_with_random_data(kernel, seed_);
        kernel_tensors tensors(kernel, tensors_);
        run_outputs outputs(kernel, options, lanes_.chosen());
        output_file dump(dst_dump_);
        if (!options.quiet) outputs.show_progress();

        platform::sfpu_bench bench;
        const platform::run_result result = outputs.run(bench);
        const platform::dst_image dst = bench.dst();
        chip_comparison check;
        const bool checks = !no_check_ && !outputs.interrupted() && // half a result is none
                            timing_differs_from_chip(kernel.request().config);
        if (checks) check = compare_with_chip(bench, text, kernel, options, dst);
        const auto binds = outputs.interrupted() ? std::optional<binding>()
                                                 : binding_of(bench, text, kernel, options, kernel_file_);
        const kernel_remarks remarks = outputs.interrupted() ? kernel_remarks() : remarks_on(bench, kernel);
        outputs.finish(result, checks ? std::optional(check.results) : std::nullopt, binds);
        if (!outputs.interrupted()) { // data of some rows would look like those of all
            if (dump.is_wanted()) dump.stream() << dst_bytes(dst);
            dump.commit();
            tensors.write(dst);
        }
        if (!options.quiet)
            write_report(report_text(kernel, outputs, tensors, dst, result, check.text, binds,
                                     cures_of(bench, text, kernel, outputs, options), remarks));
        if (!outputs.interrupted()) write_report(tensors.text(dst));

        complain_about_not_modelled(kernel.kernel().file, result.counters, kernel.request().config.arch);
        outputs.complain_about_interruption();
        if (outputs.interrupted()) return exit_interrupted;
        const bool kept = outputs.keeps_rules();
        const bool met = meets_expectation(kernel, result);
        if (check.changed()) fmt::print(stderr, "{}: results {}\n", kernel.kernel().file, check.text);
        const std::vector<std::string> complaints = tensors.complaints(dst, remarks.unstored);
        for (const std::string& line : complaints) fmt::print(stderr, "{}\n", line);
        return kept && met && !check.changed() && complaints.empty() ? exit_success : exit_program_failed;
    }

private:
    /// For hazards as `lint` finds them, of a kernel that is text.
    cure_texts cures_of(platform::sfpu_bench& bench, const std::string& text, const kernel_run& kernel,
                        const run_outputs& outputs, const common_options& options) const {
        cure_texts cures;
        const auto seen = [&](report_id id) { return outputs.diagnostics().of(id).count != 0; };
        bool any = false;
        for (unsigned i = 0; i < report_count; ++i) any = any || seen(static_cast<report_id>(i));
        if (!any || outputs.interrupted() || is_words_file(kernel_file_)) return cures;
        cure_search search(bench, kernel_file_, options, rows_, {});
        const analysis::lint_report found = search.hazards_in(text);
        for (std::size_t i = 0; i < found.hazards.size(); ++i) {
            const analysis::lint_hazard& hazard = found.hazards[i];
            const diagnostic& first = outputs.diagnostics().of(hazard.what.id).first;
            std::string& cure = cures[static_cast<unsigned>(hazard.what.id)];
            if (!cure_search::wants_cure(hazard) || !seen(hazard.what.id) || !cure.empty() ||
                kernel.location(first) != kernel.kernel().file + ":" + std::to_string(hazard.line))
                continue;
            if (const auto change = search.of_hazard(text, found, i)) cure = change->text;
        }
        return cures;
    }

    std::string kernel_file_, dst_load_, dst_dump_;
    tensor_arguments tensors_;
    std::optional<unsigned> rows_;
    lane_arguments lanes_;
    std::uint64_t seed_ = 1;
    bool zero_ = false, no_check_ = false;
};

} // namespace

std::unique_ptr<command> make_run_command() { return std::make_unique<run_command>(); }

} // namespace sfpu::cli
