#include "run_outputs.h"

#include "config_file.h"
#include "program.h"
#include "versions.h"

#include <sfpu/probe/konata_writer.h>
#include <sfpu/probe/perfetto_writer.h>
#include <sfpu/probe/vcd_writer.h>

#include <numeric>

namespace sfpu::cli {
namespace {

void open(std::ofstream& stream, const std::string& file) {
    errno = 0;
    stream.open(file, std::ios::binary | std::ios::trunc);
    if (!stream) throw cannot_write(file);
}

void close(std::ofstream& stream, const std::string& file) {
    stream.close();
    if (!stream) throw cannot_write(file);
}

} // namespace

void diagnostic_summary::diagnose(const diagnostic& what) {
    entry& known = entries_[static_cast<unsigned>(what.id)];
    if (known.count++ == 0) known.first = what;
    if (what.level == severity::error) ++errors_;
}

std::uint64_t executed_instructions(const platform::run_counters& counters) {
    return std::accumulate(counters.scheduled.begin(), counters.scheduled.end(), counters.instructions);
}

template <class Writer>
void run_outputs::start(trace_file<Writer>& file, const std::string& name, const common_options& options) {
    if (name.empty()) return;
    file.name = name;
    open(file.stream, name);
    file.writer = std::make_unique<Writer>(file.stream, trace_options_of(kernel_, options));
    observers_.add(*file.writer);
}

template <class Writer>
void run_outputs::complete(trace_file<Writer>& file, const char* what) {
    if (!file.writer) return;
    close(file.stream, file.name);
    written_.push_back(what + (" " + file.name));
}

run_outputs::run_outputs(kernel_run& kernel, const common_options& options)
    : kernel_(kernel), stats_file_(options.stats_file) {
    observers_.add(occupancy_);
    if (!stats_file_.empty()) open(stats_stream_, stats_file_);
    start(vcd_, options.vcd_file, options);
    start(konata_, options.konata_file, options);
    start(perfetto_, options.perfetto_file, options);
    kernel_.request().observer = &observers_;
    kernel_.request().diagnostics = &diagnostics_;
}

run_outputs::~run_outputs() = default;

platform::run_result run_outputs::run(platform::sfpu_bench& bench) { return bench.run(kernel_.request()); }

void run_outputs::finish(const platform::run_result& result) {
    if (vcd_.writer) vcd_.writer->finish(result.last_cycle);
    if (konata_.writer) konata_.writer->finish(result.last_cycle);
    if (perfetto_.writer) perfetto_.writer->finish();
    complete(vcd_, "waveform");
    complete(konata_, "pipeline log");
    complete(perfetto_, "trace");
    if (!stats_file_.empty()) {
        stats_stream_ << probe::statistics_json(statistics(result));
        close(stats_stream_, stats_file_);
        written_.push_back("statistics " + stats_file_);
    }
}

std::array<probe::unit_statistics, probe::sub_unit_count>
run_outputs::units(const platform::run_result& result) const {
    std::array<probe::unit_statistics, probe::sub_unit_count> units;
    for (unsigned i = 0; i < probe::sub_unit_count; ++i)
        units[i] = {occupancy_.busy()[i], result.counters.issued[i], result.counters.scheduled[i],
                    result.counters.discarded[i]};
    return units;
}

probe::statistics_input run_outputs::statistics(const platform::run_result& result) const {
    const build_versions built = versions();
    const platform::run_counters& counters = result.counters;
    probe::statistics_input input;
    input.version = built.product;
    input.systemc = built.systemc;
    input.compiler = built.compiler;
    input.arch = kernel_.request().config.arch;
    input.config = config_text(kernel_.request().config);
    input.rows = kernel_.rows();
    input.cycles = static_cast<std::uint64_t>(result.cycles_used.count());
    if (kernel_.rows() != 0) input.cycles_per_row = kernel_.cycles_per_row(result);
    input.instructions = executed_instructions(counters);
    input.units = units(result);
    input.stalls = counters.stalls;
    for (unsigned id = 0; id < report_count; ++id)
        input.hazards[id] = diagnostics_.of(static_cast<report_id>(id)).count;
    input.dst_reads = counters.dst_reads;
    input.dst_writes = counters.dst_writes;
    input.macros_launched = counters.macros_launched;
    input.macros_forgotten = counters.macros_forgotten;
    input.macro_max_outstanding = counters.macro_max_outstanding;
    return input;
}

} // namespace sfpu::cli
