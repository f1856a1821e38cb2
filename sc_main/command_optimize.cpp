// `optimize`: the shortest macro schedule of a plain kernel, checked by simulation.
#include "command.h"
#include "interrupts.h"
#include "llk_header.h"
#include "program.h"
#include <sfpu/analysis/chip_comparison.h>
#include <sfpu/analysis/kernel_file.h>
#include <sfpu/analysis/kernel_remarks.h>
#include <sfpu/analysis/macro_expansion.h>
#include <sfpu/analysis/output_file.h>
#include <sfpu/analysis/schedule_check.h>
#include <sfpu/analysis/waiting_kernel.h>

#include <sfpu/analysis/dst_filling.h>
#include <sfpu/common/random_source.h>
#include <sfpu/optimizer/emit.h>
#include <sfpu/optimizer/retime.h>
#include <sfpu/optimizer/search.h>
#include <sfpu/platform/core_runner.h>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <iterator>
#include <sstream>
#include <utility>

namespace sfpu::cli {
namespace {

using json = nlohmann::ordered_json;
using optimizer::schedule;

/// Collects errors only.
class error_watch : public diagnostic_sink {
public:
    void diagnose(const diagnostic& what) override {
        if (what.level == severity::error && first.empty()) first = what.message;
    }
    std::string first;
};

using image_rows = platform::dst_rows;

/// Dst of random cells, of all extreme values of 32-bit and of 16-bit types, in turn.
image_rows random_dst(std::uint64_t seed, architecture arch) {
    using analysis::dst_filling;
    constexpr dst_filling fillings[] = {dst_filling::mixture, dst_filling::wide_extremes,
                                        dst_filling::mixture, dst_filling::narrow_extremes};
    platform::run_request request;
    request.config.arch = arch;
    random_source random(seed);
    analysis::fill_dst(request, fillings[seed % std::size(fillings)], random);
    return request.dst_rows;
}

struct checked_schedule {
    std::string text;
    unsigned lead_words = 0, tail_words = 0;
    kernel_verdict verdict;
    std::uint64_t cells = 0;
    bool exhaustive = false;
};

struct no_such_kernel : std::runtime_error {
    using std::runtime_error::runtime_error;
};

class optimize_command : public command {
public:
    const char* name() const override { return "optimize"; }
    const char* description() const override {
        return "Write the shortest macro schedule of a plain kernel, and prove it";
    }
    bool starts_kernels() const override { return true; }
    void add_options(CLI::App& app) override {
        app.add_option("KERNEL", kernel_file_, "plain kernel: a row without macros in its .loop");
        app.add_option("-o,--output", output_, "write the schedule; - is standard output")
            ->type_name("OUT.s");
        app.add_option("--llk", llk_file_,
                       "write the schedule as functions for the vendor's kernel library, too")
            ->type_name("OUT.h");
        app.add_flag(
            "--retime", retime_,
            "KERNEL has macros: keep its structure, find other delays and registers for this machine");
        app.add_flag("--bubble-proof", options_.bubble_proof, "right with idle cycles between words, too");
        app.add_option("--rows-per-iteration", options_.rows, "rows that registers rotate over")
            ->type_name("N")
            ->check(integer_between(1u, 8u));
        app.add_option("--at-most", at_most_, "be content with N cycles a row, and fail if that cannot be")
            ->type_name("N")
            ->check(number_between(0.001, 1e6));
        app.add_flag("--why", options_.why, "say what refutes one cycle less, and what would allow it");
        auto* time = app.add_option("--time-limit", options_.seconds, "for finding and refuting together")
                         ->type_name("SECONDS")
                         ->check(number_between(0.001, 1e6))
                         ->capture_default_str();
        app.add_option("--budget", options_.conflicts,
                       "conflicts of the solver instead of seconds, to repeat a search")
            ->type_name("CONFLICTS")
            ->check(integer_between(std::int64_t{1}, std::int64_t{1} << 50))
            ->excludes(time);
        app.add_flag("--json", json_, "the result as JSON");
    }

    parameters configuration(const common_options& options) const override {
        return kernel_file_.empty() ? resolved_configuration(options)
                                    : kernel_configuration(load_kernel(kernel_file_, options), options);
    }

    int run(const common_options& options) override {
        if (kernel_file_.empty()) throw user_error("optimize: KERNEL is missing");
        if (json_ && output_ == "-")
            throw user_error("optimize: -o - and --json both go to standard output; expected one");
        if (json_ && llk_file_ == "-")
            throw user_error("optimize: --llk - and --json both go to standard output; expected one");
        const auto start = std::chrono::steady_clock::now();
        common_ = &options;
        source_ = read_input(kernel_file_);
        kernel_run plain(assemble_kernel(source_, kernel_file_, options), options, std::nullopt);
        std::optional<kernel_run> original; // on the machine that it is written for
        plain_ = reference_ = &plain;
        // A bad name is found before the search; what stood there stays until there is something better.
        output_file schedule_file(output_), header_file(llk_file_);
        if (!llk_file_.empty() && !machine_settings().empty())
            throw user_error(
                fmt::format("optimize: --llk writes for the chip: found {} = {}, which is not the chip's",
                            machine_settings().front().first, machine_settings().front().second));
        optimizer::expanded_kernel expanded;
        original.emplace(on_other_machine(source_, kernel_file_, plain, chip_options(plain)));
        if (retime_) {
            reference_ = &*original;
            expanded = expand_kernel(runner_, *original, source_, isa::make_machine(plain.request().config));
            source_ = expanded.text;
            plain = kernel_run(assembled(source_, "plain form of " + base_name(), plain.request().config),
                               options, plain.rows());
        }
        machine_ = isa::make_machine(plain.request().config);
        if (options_.bubble_proof && machine_.issue_width > 1)
            throw user_error(fmt::format(
                "optimize: --bubble-proof of {}: found sfpu.issue_width = 2, expected 1: a word that is late "
                "shares no cycle with the one before, so that no schedule of pairs survives",
                kernel_file_));
        firmware_started_ = plain.request().state.use_flags == all_lanes;
        const bool shows = !options.quiet && isatty(STDERR_FILENO) != 0;
        const auto begun = std::chrono::steady_clock::now();
        options_.progress = [this, shows, begun](const std::string& line) {
            if (!shows) return;
            const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - begun;
            const double left = options_.seconds - spent.count();
            const bool knows = options_.conflicts == 0 && left > 0;
            fmt::print(stderr, "{}{}\n", line, knows ? fmt::format(", at most {:.0f} s left", left) : "");
        };
        written_for_ = isa::make_machine(original->request().config);
        // On a machine that the kernel is not written for its results are those of the machine that it is: there an
        // instruction may read what on this one comes later.
        if (!retime_ && timing_differs(*original, plain)) reference_ = &*original;
        measure_plain();

        const unsigned per_iteration = plain.kernel().rows_per_iteration;
        if (options_.rows && plain.iterations() % *options_.rows != 0)
            throw user_error(
                fmt::format("optimize: --rows-per-iteration: found {}, expected a divisor of the "
                            "{} rows of the kernel",
                            *options_.rows, plain.iterations()));
        // A kernel that is not right on this machine is no schedule for it.
        if (!retime_ && plain_serves_)
            options_.shortest_known = static_cast<unsigned>(std::ceil(plain_cycles_ * per_iteration - 1e-9));
        if (at_most_) options_.at_most = static_cast<unsigned>(std::floor(*at_most_ * per_iteration + 1e-9));
        options_.interrupted = interrupt_guard::interrupted;
        options_.accept = [&](const optimizer::graph& graph, const schedule& found) {
            checked_schedule now = check(graph, found);
            const checked_schedule before = std::exchange(checked_, std::move(now));
            const kernel_verdict& verdict = checked_.verdict;
            const bool taken = (verdict.breaking.empty() || verdict.broken_only_like(plain_verdict_)) &&
                               (verdict.survives_bubbles || !options_.bubble_proof);
            if (!taken)
                options_.progress(fmt::format("a schedule of {} cycles is not taken: lint calls it {}: {}",
                                              found.interval, verdict.name, verdict.because));
            if (!taken) checked_ = before;
            return taken;
        };
        optimizer::search_result result;
        {
            const interrupt_guard guard;
            try {
                result = retime_ ? retimed(expanded)
                                 : optimizer::search(plain.kernel(), machine_, plain.request().thread,
                                                     firmware_started_, options_);
            } catch (const optimizer::row_error& error) {
                throw input_error(retime_ ? fmt::format("{}: {}", kernel_file_, error.what())
                                          : text_of(error, kernel_file_));
            }
        }
        if (result.best) check_thoroughly();
        seconds_ = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
        const int code = judge(result, per_iteration);
        if (json_) write_output("", document(result, per_iteration).dump(2) + "\n");
        else if (!options.quiet && output_ != "-" && llk_file_ != "-")
            write_output("", report(result, per_iteration));
        if (code != exit_program_failed || result.interrupted) {
            const std::string& text = result.best             ? checked_.text
                                      : waiting_text_.empty() ? source_
                                                              : waiting_text_;
            const bool right = result.best || plain_serves_;
            if (schedule_file.is_wanted() && right) {
                schedule_file.stream() << text;
                schedule_file.commit();
            }
            if (header_file.is_wanted() && right) {
                header_file.stream() << header_of(text);
                header_file.commit();
            }
        }
        if (result.interrupted)
            fmt::print(stderr, "{}: interrupted: {}\n", kernel_file_,
                       result.best ? "this is the shortest so far" : "nothing shorter was found so far");
        return code;
    }

private:
    /// The kernel that is written as functions, under the remarks at its head.
    std::string header_of(const std::string& text) const {
        const isa::kernel kernel = assembled(text, "schedule of " + base_name(), plain_->request().config);
        llk_kernel header{&kernel, checked_.lead_words, llk_name(kernel_file_), {}};
        std::istringstream lines(text);
        for (std::string line; std::getline(lines, line) && line.rfind(';', 0) == 0;)
            header.remarks.push_back(line.size() > 2 ? line.substr(2) : "");
        return llk_header(header);
    }

    platform::run_result run_with(const kernel_run& kernel, const image_rows& rows, error_watch& errors) {
        platform::run_request request = kernel.request();
        request.dst_rows = rows;
        request.diagnostics = &errors;
        request.hazards = hazard_policy::warn;
        return runner_.run(request);
    }

    static bool timing_differs(const kernel_run& a, const kernel_run& b) {
        const parameters &one = a.request().config, &other = b.request().config;
        return std::any_of(parameter_table().begin(), parameter_table().end(), [&](const parameter_row& row) {
            return row.timing && row.get(one) != row.get(other);
        });
    }

    /// What is stored elsewhere counts for nothing beside declared outputs.
    void expect_outputs() {
        const kernel_remarks remarks = remarks_on(runner_, *reference_);
        if (remarks.touches_no_output)
            throw input_error(fmt::format("{}:{}: never stored: {}; expected a row that stores an .output",
                                          kernel_file_, reference_->kernel().outputs.front().line,
                                          fmt::join(remarks.untouched, ", ")));
        for (const std::string& name : remarks.untouched)
            options_.progress(
                fmt::format("{}: {} is never stored, so that nothing of it is compared", kernel_file_, name));
    }

    void measure_plain() {
        expect_outputs();
        error_watch errors;
        const platform::run_result result =
            run_with(*reference_, random_dst(1, plain_->kernel().arch), errors);
        if (!errors.first.empty())
            throw input_error(
                fmt::format("{}: the {} has a hazard: {}", kernel_file_, given(), errors.first));
        plain_cycles_ = reference_->cycles_per_row(result);
        plain_verdict_ = verdict_of(runner_, *reference_);
        if (!plain_verdict_.robust())
            options_.progress(fmt::format("{}: the {} is itself {}: {}", kernel_file_, given(),
                                          plain_verdict_.name, plain_verdict_.because));
        plain_serves_ = !retime_ && (reference_ == plain_ || serves(*plain_));
        if (retime_ || reference_ == plain_) return;
        plain_cycles_ = cycles_per_row_of(*plain_);
        if (plain_serves_ || is_words()) return;
        // The same words, later.
        waiting_text_ = with_waits(plain_->kernel(), source_, machine_, written_for_, machine_settings());
        const kernel_run waiting(
            assembled(waiting_text_, "plain kernel with SFPNOPs", plain_->request().config), *common_,
            plain_->rows());
        plain_serves_ = serves(waiting);
        if (plain_serves_) plain_cycles_ = cycles_per_row_of(waiting);
        options_.progress(fmt::format(
            "{}: on this machine the plain kernel computes something else than on the chip{}", kernel_file_,
            plain_serves_ ? fmt::format("; with SFPNOPs it takes {:g} cycles a row", plain_cycles_) : ""));
    }

    double cycles_per_row_of(const kernel_run& kernel) {
        error_watch errors;
        return kernel.cycles_per_row(run_with(kernel, random_dst(1, kernel.kernel().arch), errors));
    }
    bool is_words() const {
        return kernel_file_.size() > 4 && kernel_file_.substr(kernel_file_.size() - 4) == ".hex";
    }

    const char* given() const { return retime_ ? "kernel" : "plain kernel"; }
    std::string base_name() const { return kernel_file_.substr(kernel_file_.find_last_of('/') + 1); }

    static isa::kernel assembled(const std::string& text, const std::string& name, const parameters& config) {
        isa::assembly done = isa::assemble(text, name, isa::make_machine(config).encoding());
        if (!done.ok()) throw std::runtime_error(done.errors.front().to_string() + "\n" + text);
        return std::move(done.program);
    }

    common_options chip_options(const kernel_run& kernel) const {
        common_options chip;
        chip.arch = short_name(kernel.kernel().arch);
        chip.firmware_start = common_->firmware_start;
        return chip;
    }

    /// The same structure with other delays; where that cannot be, the shortest schedule of what the kernel computes.
    optimizer::search_result retimed(const optimizer::expanded_kernel& expanded) {
        const auto start = std::chrono::steady_clock::now();
        const kernel_run on_chip =
            on_other_machine(source_, "plain form of " + base_name(), *plain_, chip_options(*plain_));
        const std::string difference =
            compare_schedule(runner_, *reference_, on_chip, thoroughness::candidate, false).difference;
        if (!difference.empty())
            throw input_error(fmt::format(
                "{}: what its rows compute is not understood: do they hand on values to each other in "
                "another way than by one register, or change what they read behind the loop? Written as "
                "plain code, it is another kernel\n{}",
                kernel_file_, difference));
        structure_sought_ = true;
        optimizer::search_result kept = optimizer::retime(plain_->kernel(), expanded, machine_,
                                                          start_of(*plain_), firmware_started_, options_);
        structure_sought_ = structure_kept_ = kept.best.has_value();
        if (structure_kept_ || kept.interrupted) return kept;
        options_.progress(kept.open.empty()
                              ? "no schedule has this structure on this machine: looking for another"
                              : "none found with this structure: looking for another");
        optimizer::search_options rest = options_;
        if (rest.conflicts > 0) rest.conflicts = std::max<std::int64_t>(1, rest.conflicts / 2);
        else
            rest.seconds = std::max(
                1.0, rest.seconds -
                         std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
        optimizer::search_result other =
            optimizer::search(plain_->kernel(), machine_, start_of(*plain_), firmware_started_, rest);
        if (!other.best) plain_serves_ = serves(*plain_);
        return other;
    }

    /// Whether a plain kernel is right on this machine: what is written if no schedule is found.
    bool serves(const kernel_run& kernel) {
        error_watch errors;
        run_with(kernel, random_dst(1, kernel.kernel().arch), errors);
        return errors.first.empty() &&
               compare_schedule(runner_, *reference_, kernel, thoroughness::result, false).difference.empty();
    }

    /// The line of the first word that reads L0 before one writes it; 0 if there is none. Mostly `lint` calls such a kernel
    /// broken. Where few values show it (a product with what counts as zero) it does not.
    unsigned reads_unwritten_l0() const {
        const isa::kernel& kernel = plain_->kernel();
        for (const auto* part : {&kernel.init, &kernel.loop, &kernel.tail})
            for (const isa::source_word& each : *part) {
                if (isa::classify(each.word, kernel.arch) != isa::word_kind::sfpu) continue;
                const isa::instruction insn = isa::decode(each.word, kernel.words);
                const bool half = insn.is(isa::opcode::sfploadi); // the other one comes next
                if (isa::contains(insn.use.reads, 0) && !half) return each.line;
                if (isa::contains(insn.use.results(), 0)) return 0;
            }
        return 0;
    }

    /// A difference is a fault of this program, unless the plain kernel does not mean what it says.
    schedule_comparison compared(const kernel_run& scheduled, const std::string& text, thoroughness how,
                                 bool with_bubbles) {
        schedule_comparison found = compare_schedule(runner_, *reference_, scheduled, how, with_bubbles);
        if (found.difference.empty()) return found;
        if (!plain_verdict_.robust())
            throw input_error(
                fmt::format("{}: the {} is itself {}, so that no schedule computes the same: {}",
                            kernel_file_, given(), plain_verdict_.name, plain_verdict_.because));
        if (const unsigned line = reads_unwritten_l0())
            throw input_error(fmt::format("{}:{}: reads L0, which nothing has written by then and which the "
                                          "set-up of macros overwrites",
                                          kernel_file_, line));
        throw std::runtime_error(
            fmt::format("a schedule differs from {}\n{}{}", kernel_file_, found.difference, text));
    }

    /// What is written is compared once more, with all that there is to try.
    void check_thoroughly() {
        isa::assembly assembled = isa::assemble(checked_.text, "schedule", machine_.encoding());
        const kernel_run scheduled(std::move(assembled.program), *common_, plain_->rows());
        const schedule_comparison done =
            compared(scheduled, checked_.text, thoroughness::result, checked_.verdict.survives_bubbles);
        checked_.cells += done.cells;
        checked_.exhaustive = done.exhaustive;
    }

    /// What makes the machine another one than the chip. A schedule is right for one machine only.
    std::vector<std::pair<std::string, std::string>> machine_settings() const {
        const parameters& config = plain_->request().config;
        std::vector<std::pair<std::string, std::string>> settings;
        for (const parameter_row& row : parameter_table())
            if (row.timing && row.differs_from_chip(config))
                settings.emplace_back(row.path, row.text(config));
        return settings;
    }

    /// Assembles the schedule and compares it with the plain kernel. A difference is a fault of this program.
    checked_schedule check(const optimizer::graph& graph, const schedule& found) {
        const double cycles = static_cast<double>(found.interval) / graph.rows_per_iteration;
        const std::string name = base_name();
        std::vector<std::string> remarks{
            fmt::format("{} with SFPLOADMACRO: {:g} {} a row instead of {:g}.", name, cycles,
                        cycles == 1 ? "cycle" : "cycles", plain_cycles_),
            "", fmt::format("Found by 'sfpusim optimize {}'; the plain kernel is the source.", name), ""};
        if (retime_)
            remarks = {fmt::format("{} for another machine: {:g} {} a row; {:g} on its own.", name, cycles,
                                   cycles == 1 ? "cycle" : "cycles", plain_cycles_),
                       "",
                       fmt::format("Found by 'sfpusim optimize --retime {}', with {}.", name,
                                   structure_sought_ ? "its structure" : "another structure"),
                       ""};
        const optimizer::emitted_kernel emitted =
            optimizer::emit(graph, found, plain_->kernel(), source_, machine_, written_for_,
                            start_of(*plain_), machine_settings(), remarks);
        const kernel_run scheduled(assembled(emitted.text, "schedule of " + name, plain_->request().config),
                                   *common_, plain_->rows());
        checked_schedule done;
        done.text = emitted.text;
        done.lead_words = emitted.lead_words;
        done.tail_words = emitted.tail_words;
        error_watch errors;
        const platform::run_result result = run_with(scheduled, random_dst(1, plain_->kernel().arch), errors);
        if (!errors.first.empty())
            throw std::runtime_error(fmt::format("a schedule of {} cycles has an error: {}\n{}",
                                                 found.interval, errors.first, emitted.text));
        const double took = scheduled.cycles_per_row(result);
        if (scheduled.iterations() > 1 && std::abs(took - cycles) > 1e-9)
            throw std::runtime_error(
                fmt::format("a schedule of {:g} cycles a row takes {:g}\n{}", cycles, took, emitted.text));
        done.cells = compared(scheduled, emitted.text, thoroughness::candidate, false).cells;
        done.verdict = verdict_of(runner_, scheduled);
        return done;
    }

    static isa::thread_state start_of(const kernel_run& kernel) { return kernel.request().thread; }

    int judge(const optimizer::search_result& result, unsigned per_iteration) const {
        if (result.interrupted) return exit_interrupted;
        if (!result.best && !plain_serves_) return exit_program_failed;
        const double best =
            result.best ? static_cast<double>(result.best->interval) / per_iteration : plain_cycles_;
        if (at_most_ && best > *at_most_ + 1e-9) return exit_program_failed;
        if (options_.bubble_proof && !result.best) return exit_program_failed;
        return exit_success;
    }

    json document(const optimizer::search_result& result, unsigned per_iteration) const {
        const auto per_row = [&](unsigned interval) { return static_cast<double>(interval) / per_iteration; };
        json best = nullptr;
        if (result.best)
            best = {{"cycles_per_row", per_row(result.best->interval)},
                    {"rows_per_iteration", result.best->rows * per_iteration},
                    {"verdict", checked_.verdict.name},
                    {"macros", result.best->macros_used()},
                    {"templates", result.best->templates_used()},
                    {"lregs", result.best->registers_used()},
                    {"tail_words", checked_.tail_words},
                    {"spilled_values", spilled_values(result)}};
        json refuted = json::array();
        for (const optimizer::refutation& each : result.refuted) {
            json because = json::array(), relaxations = json::array();
            for (const optimizer::group g : each.because) because.push_back(optimizer::to_string(g));
            for (const auto& relaxation : each.relaxations)
                relaxations.push_back({{"parameter", relaxation.parameter},
                                       {"value", relaxation.value},
                                       {"cycles_per_row", per_row(relaxation.interval)}});
            json one = {{"cycles_per_row", per_row(each.interval)},
                        {"rows_per_iteration", each.rows * per_iteration},
                        {"horizon", each.horizon},
                        {"copies", each.copies},
                        {"because", because}};
            if (options_.why) one["relaxations"] = relaxations;
            one["seconds"] = each.seconds;
            refuted.push_back(std::move(one));
        }
        json answer = {
            {"kernel", kernel_file_},
            {"arch", short_name(plain_->kernel().arch)},
            {"plain", {{"cycles_per_row", plain_cycles_}, {"verdict", plain_verdict_.name}}},
            {"best", best},
            {"bound", {{"cycles_per_row", per_row(result.floor.interval)}, {"reason", result.floor.reason}}},
            {"proved", result.proved},
            {"refuted", refuted},
            {"no_spill", result.no_spill.empty() ? json(nullptr) : json(result.no_spill)},
            {"checked",
             {{"cells", checked_.cells},
              {"exhaustive", checked_.exhaustive},
              {"bubbles", result.best.has_value() && checked_.verdict.survives_bubbles},
              {"equal", result.best.has_value()}}},
            {"seconds", seconds_}};
        if (retime_) answer["structure"] = structure_name(result);
        return answer;
    }

    static unsigned spilled_values(const optimizer::search_result& result) {
        unsigned count = 0;
        if (result.best)
            for (const optimizer::placed_operation& o : result.best->operations)
                count += result.best_graph.nodes[static_cast<std::size_t>(o.node)].spills;
        return count;
    }

    /// "kept", "new"; "plain" for code without macros, "none" if nothing is written.
    const char* structure_name(const optimizer::search_result& result) const {
        if (result.best) return structure_kept_ ? "kept" : "new";
        return plain_serves_ ? "plain" : "none";
    }

    std::string report(const optimizer::search_result& result, unsigned per_iteration) const {
        const auto per_row = [&](unsigned interval) {
            return fmt::format("{:g}", static_cast<double>(interval) / per_iteration);
        };
        std::string text =
            fmt::format("{:<16} {:g} cycles a row{}\n", retime_ ? "on its machine" : "plain", plain_cycles_,
                        plain_verdict_.robust() ? "" : ", " + plain_verdict_.name);
        if (retime_) text += fmt::format("structure        {}\n", structure_name(result));
        if (result.best)
            text += fmt::format(
                "found            {} cycles a row, {} macros, {} templates, {} registers, {}\n",
                per_row(result.best->interval), result.best->macros_used(), result.best->templates_used(),
                result.best->registers_used(), checked_.verdict.name);
        else
            text += !plain_serves_ ? "found            no schedule for this machine\n"
                                   : "found            nothing shorter\n";
        text +=
            fmt::format("bound            {} ({})\n", per_row(result.floor.interval), result.floor.reason);
        for (const optimizer::refutation& each : result.refuted) {
            text += fmt::format(
                "refuted          {} with {} rotating row{}, horizon {}, {} copies of a load, in {:.1f} s\n",
                per_row(each.interval), each.rows, each.rows == 1 ? "" : "s", each.horizon, each.copies,
                each.seconds);
            if (!each.because.empty()) {
                std::vector<std::string> names;
                for (const optimizer::group g : each.because) names.emplace_back(optimizer::to_string(g));
                text += fmt::format("  because of     {}\n", fmt::join(names, ", "));
            }
            for (const auto& relaxation : each.relaxations)
                text += fmt::format("  possible with  {} = {}\n", relaxation.parameter, relaxation.value);
            if (each.relaxations_tried && each.relaxations.empty())
                text += "  possible with  none of the single changes that were tried\n";
        }
        std::string open;
        for (const unsigned interval : result.open) open += (open.empty() ? "" : ", ") + per_row(interval);
        if (const unsigned count = spilled_values(result); count != 0)
            text +=
                fmt::format("stored aside     {} value{} of a row, in Dst\n", count, count == 1 ? "" : "s");
        else if (options_.why && !result.no_spill.empty())
            text += fmt::format("nothing aside    {}\n", result.no_spill);
        if (result.proved) text += "proved           no shorter one exists within these limits\n";
        else
            text += fmt::format("not proved       {}\n",
                                open.empty() ? "the search ended early" : "undecided: " + open);
        return text + fmt::format("time             {:.1f} s\n", seconds_);
    }

    std::string kernel_file_, output_, llk_file_, source_;
    std::string waiting_text_; ///< the plain kernel with SFPNOPs, where only that is right
    std::optional<double> at_most_;
    bool retime_ = false, structure_sought_ = false, structure_kept_ = false, plain_serves_ = false;
    bool json_ = false, firmware_started_ = false;
    optimizer::search_options options_;
    const common_options* common_ = nullptr;
    const kernel_run* plain_ = nullptr;     ///< what is scheduled
    const kernel_run* reference_ = nullptr; ///< what says which results are right, on its machine
    isa::machine machine_, written_for_;
    platform::core_runner runner_;
    double plain_cycles_ = 0, seconds_ = 0;
    kernel_verdict plain_verdict_;
    checked_schedule checked_;
};

} // namespace

std::unique_ptr<command> make_optimize_command() { return std::make_unique<optimize_command>(); }

} // namespace sfpu::cli
