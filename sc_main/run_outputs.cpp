#include "run_outputs.h"

#include "program.h"
#include "versions.h"
#include <sfpu/views/run.h>

#include <sfpu/common/shown_name.h>
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

std::string opening_of(const std::string& vcd, const std::string& view) {
    const auto plain = [](const std::string& name) { // for a shell
        return name.find_first_not_of(
                   "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=./,:@%") ==
               std::string::npos;
    };
    if (!plain(vcd) || vcd.front() == '-') return ", and its view " + view;
    return fmt::format("; to look at it: gtkwave {} {}", vcd, view);
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

void complain(const std::vector<std::string>& lines) {
    for (const std::string& line : lines) fmt::print(stderr, "{}\n", shown_text(line));
}

template <class Writer, class... More>
void run_outputs::start(trace_file<Writer>& file, const std::string& name, const common_options& options,
                        More... more) {
    if (name.empty()) return;
    file.file = output_file(name);
    file.writer = std::make_unique<Writer>(file.file.stream(), trace_options_of(kernel_, options), more...);
    observers_.push_back(file.writer.get());
}

template <class Writer>
void run_outputs::complete(trace_file<Writer>& file, const char* what) {
    if (!file.writer) return;
    file.file.commit();
    written_.push_back(what + (" " + file.file.name()));
}

run_outputs::run_outputs(const kernel_run& kernel, const common_options& options,
                         std::vector<unsigned> value_lanes)
    : kernel_(kernel), value_lanes_(std::move(value_lanes)), from_cycle_(options.from_cycle) {
    stats_ = output_file(options.stats_file);
    start(vcd_, options.vcd_file, options, value_lanes_);
    view_ = output_file(view_name_of(options.vcd_file));
    if (view_.is_wanted()) shown_ = trace_options_of(kernel_, options);
    start(konata_, options.konata_file, options);
    start(perfetto_, options.perfetto_file, options, value_lanes_.front());
}

run_outputs::~run_outputs() = default;

void run_outputs::finish(const platform::run_result& result, const statistics_source& statistics) {
    const std::int64_t last = (result.last_cycle - result.first_issue).count();
    if (from_cycle_ && *from_cycle_ > last)
        throw user_error(fmt::format("--from-cycle: found {}, but the last cycle of {} is {}", *from_cycle_,
                                     kernel_.kernel().file, last));
    if (vcd_.writer) vcd_.writer->finish(result.last_cycle);
    if (konata_.writer) konata_.writer->finish(result.last_cycle);
    if (perfetto_.writer) perfetto_.writer->finish();
    if (stats_.is_wanted()) {
        stats_.stream() << probe::statistics_json(statistics(versions().systemc));
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
    written_.back() += opening_of(vcd, view_.name());
}

} // namespace sfpu::cli
