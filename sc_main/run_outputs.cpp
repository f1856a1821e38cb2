#include "run_outputs.h"

#include "interrupts.h"
#include "program.h"
#include "progress.h"
#include "versions.h"
#include <sfpu/views/config_json.h>

#include <sfpu/isa/other_units.h>
#include <sfpu/traces/gtkwave_view.h>
#include <sfpu/traces/konata_writer.h>
#include <sfpu/traces/perfetto_writer.h>
#include <sfpu/traces/vcd_writer.h>

#include <fmt/format.h>

#include <cstdio>

namespace sfpu::cli {
namespace {

/// An iteration of the loop in the middle of the run, or the beginning of what is shown.
cycles steady_state_of(const platform::run_result& result, const probe::trace_options& shown) {
    cycles first = shown.from.value_or(cycles{});
    if (result.segments.size() > 1 && !shown.from && !shown.to) {
        const platform::run_result::segment_span& loop = result.segments[1];
        first = cycles{loop.first.count() + (loop.last.count() - loop.first.count()) / 2};
    }
    return first;
}

} // namespace

std::string view_name_of(const std::string& vcd) {
    if (vcd.empty() || vcd == "-" || vcd.rfind("/dev/", 0) == 0) return "";
    constexpr std::string_view ending = ".vcd";
    const bool ends =
        vcd.size() > ending.size() && vcd.compare(vcd.size() - ending.size(), ending.size(), ending) == 0;
    return (ends ? vcd.substr(0, vcd.size() - ending.size()) : vcd) + ".gtkw";
}

void lane_arguments::add_options(CLI::App& app) {
    app.add_option(
           "--lane", lanes,
           "lane whose values traces show; 0 unless given (repeatable). A trace for Perfetto shows the first")
        ->type_name("N")
        ->type_size(1)
        ->allow_extra_args(false)
        ->check(integer_between(0u, lane_count - 1));
    app.add_option("--lanes", all, "all: the values of all 32 lanes")
        ->type_name("all")
        ->check(one_of({"all"}));
}

std::vector<unsigned> lane_arguments::chosen() const {
    if (all.empty()) return lanes.empty() ? std::vector<unsigned>{0} : lanes;
    if (!lanes.empty()) throw user_error("--lanes: found --lane too, expected one of them");
    std::vector<unsigned> every;
    for (unsigned lane = 0; lane < lane_count; ++lane) every.push_back(lane);
    return every;
}

std::string dst_bytes(const platform::dst_image& dst) {
    std::string bytes;
    bytes.reserve(std::size_t{2} * dst.size() * dst[0].size());
    for (const auto& row : dst)
        for (const std::uint16_t cell : row) {
            bytes += static_cast<char>(cell & 0xff);
            bytes += static_cast<char>(cell >> 8);
        }
    return bytes;
}

void diagnostic_summary::diagnose(const diagnostic& what) {
    entry& known = entries_[static_cast<unsigned>(what.id)];
    const bool is_error = what.level == severity::error || (strict_ && leaves_something_undone(what.id));
    if (known.count++ == 0) {
        known.first = what;
        if (is_error) known.first.level = severity::error;
    }
    if (is_error) ++errors_;
}

std::vector<std::pair<std::string, std::uint64_t>> not_modelled_words(const probe::unit_counters& counters,
                                                                      architecture arch) {
    std::vector<std::pair<std::string, std::uint64_t>> words;
    for (const auto& [opcode, count] : counters.not_modelled) {
        const isa::other_unit_instruction* known = isa::find_other_unit(opcode, arch);
        words.emplace_back(known ? known->mnemonic : fmt::format("opcode {:02x}", opcode), count);
    }
    return words;
}

void complain_about_not_modelled(const std::string& program, const probe::unit_counters& counters,
                                 architecture arch) {
    for (const auto& [opcode, count] : counters.not_modelled) {
        const isa::other_unit_instruction* known = isa::find_other_unit(opcode, arch);
        fmt::print(stderr, "{}: not modelled: {} {} of {}, opcode {:02x}: {} nothing\n", program, count,
                   known        ? known->mnemonic
                   : count == 1 ? "word"
                                : "words",
                   known ? known->unit : "no known unit", opcode, count == 1 ? "did" : "all did");
    }
}

template <class Writer, class... More>
void run_outputs::start(trace_file<Writer>& file, const std::string& name, const common_options& options,
                        More... more) {
    if (name.empty()) return;
    file.file = output_file(name);
    file.writer = std::make_unique<Writer>(file.file.stream(), trace_options_of(kernel_, options), more...);
    observers_.add(*file.writer);
}

template <class Writer>
void run_outputs::complete(trace_file<Writer>& file, const char* what) {
    if (!file.writer) return;
    file.file.commit();
    written_.push_back(what + (" " + file.file.name()));
}

run_outputs::run_outputs(kernel_run& kernel, const common_options& options, std::vector<unsigned> value_lanes)
    : kernel_(kernel),
      misc_watch_(kernel.kernel().arch, [&kernel](std::int64_t word) { return kernel.in_loop(word); }),
      diagnostics_(options.strict), value_lanes_(std::move(value_lanes)), from_cycle_(options.from_cycle),
      to_cycle_(options.to_cycle) {
    if (analysis::misc_watch::concerns(kernel.kernel().arch)) observers_.add(misc_watch_);
    stats_ = output_file(options.stats_file);
    start(vcd_, options.vcd_file, options, value_lanes_);
    view_ = output_file(view_name_of(options.vcd_file));
    if (view_.is_wanted()) shown_ = trace_options_of(kernel_, options);
    start(konata_, options.konata_file, options);
    start(perfetto_, options.perfetto_file, options, value_lanes_.front());
    kernel_.request().diagnostics = &diagnostics_;
}

run_outputs::~run_outputs() = default;

platform::run_result run_outputs::run(platform::program_runner& runner) {
    kernel_.request().observer = observers_.empty() ? nullptr : &observers_;
    const interrupt_guard guard;
    wanted_rows_ = kernel_.rows();
    progress_line progress(kernel_.kernel().file, shows_progress_);
    kernel_.request().stop = [this, &progress](std::uint64_t iterations) {
        progress.show(iterations * kernel_.kernel().rows_per_iteration, wanted_rows_, "rows");
        interrupted_ = interrupt_guard::interrupted();
        if (!interrupted_ && !is_behind_window()) return false;
        kernel_.end_after(iterations);
        return true;
    };
    platform::run_result result = runner.run(kernel_.request());
    kernel_.request().stop = nullptr;
    const std::int64_t last = (result.last_cycle - result.first_issue).count();
    if (from_cycle_ && *from_cycle_ > last)
        throw user_error(fmt::format("--from-cycle: found {}, but the last cycle of {} is {}", *from_cycle_,
                                     kernel_.kernel().file, last));
    probe::reporter at_the_end;
    at_the_end.reset(&diagnostics_, kernel_.request().hazards, nullptr);
    misc_watch_.judge(runner.state(), at_the_end);
    return result;
}

void run_outputs::end_behind_window() {
    if (!to_cycle_) return;
    end_behind_ = to_cycle_;
    observers_.add(watch_);
}

bool run_outputs::keeps_rules() const {
    for (unsigned i = 0; i < report_count; ++i) {
        const diagnostic_summary::entry& seen = diagnostics_.of(static_cast<report_id>(i));
        if (seen.count && seen.first.level == severity::error)
            fmt::print(stderr, "{}: error: {}: {}\n", kernel_.location(seen.first),
                       describe(seen.first.id).name, kernel_.message(seen.first));
    }
    return !diagnostics_.any_error();
}

void run_outputs::complain_about_interruption() const {
    if (interrupted_)
        fmt::print(stderr, "{}: interrupted: this is about {} of {} rows\n", kernel_.kernel().file,
                   kernel_.rows(), wanted_rows_);
}

void run_outputs::finish(const platform::run_result& result,
                         const std::optional<probe::results_statistics>& results,
                         const std::optional<binding>& binds) {
    if (vcd_.writer) vcd_.writer->finish(result.last_cycle);
    if (konata_.writer) konata_.writer->finish(result.last_cycle);
    if (perfetto_.writer) perfetto_.writer->finish();
    if (stats_.is_wanted()) {
        probe::statistics_input input = statistics(result);
        input.results = results;
        if (binds) {
            input.bound = binds->bound;
            input.steady_state = binds->steady_state;
        }
        stats_.stream() << probe::statistics_json(input);
        stats_.commit();
        written_.push_back("statistics " + stats_.name());
    }
    complete(perfetto_, "trace");
    complete(konata_, "pipeline log");
    complete(vcd_, "waveform");
    if (!view_.is_wanted()) return;
    const std::string& vcd = vcd_.file.name();
    const std::string dump = vcd.substr(vcd.find_last_of('/') + 1);
    view_.stream() << traces::gtkwave_view(dump, shown_, value_lanes_, steady_state_of(result, shown_));
    view_.commit();
}

probe::statistics_input statistics_of(const parameters& config, const probe::unit_counters& counters,
                                      const diagnostic_summary& diagnostics) {
    const build_versions built = versions();
    probe::statistics_input input;
    input.version = built.product;
    input.systemc = built.systemc;
    input.compiler = built.compiler;
    input.arch = config.arch;
    input.issue_width = config.sfpu_issue_width;
    input.config = config_text(config);
    input.counters = counters;
    for (unsigned id = 0; id < report_count; ++id)
        input.hazards[id] = diagnostics.of(static_cast<report_id>(id)).count;
    input.not_modelled = not_modelled_words(counters, config.arch);
    return input;
}

probe::statistics_input run_outputs::statistics(const platform::run_result& result) const {
    probe::statistics_input input = statistics_of(kernel_.request().config, result.counters, diagnostics_);
    input.rows = kernel_.rows();
    input.cycles = static_cast<std::uint64_t>(result.cycles_used.count());
    if (kernel_.rows() != 0) input.cycles_per_row = kernel_.cycles_per_row(result);
    return input;
}

} // namespace sfpu::cli
