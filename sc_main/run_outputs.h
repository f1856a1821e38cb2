// The files that a run of a kernel can write, and the observers that gather what goes into them.
#pragma once

#include "options.h"

#include <sfpu/analysis/kernel_file.h>
#include <sfpu/analysis/output_file.h>
#include <sfpu/analysis/resource_bound.h>

#include <sfpu/analysis/misc_watch.h>
#include <sfpu/platform/program_runner.h>
#include <sfpu/probe/observer.h>
#include <sfpu/probe/statistics.h>
#include <sfpu/probe/trace_options.h>

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace sfpu::traces {
class konata_writer;
class perfetto_writer;
class vcd_writer;
} // namespace sfpu::traces

namespace sfpu::cli {

/// How often each diagnostic came, and its first occurrence. Strict: what leaves something undone is an error.
class diagnostic_summary : public diagnostic_sink {
public:
    explicit diagnostic_summary(bool strict) : strict_(strict) {}

    struct entry {
        std::uint64_t count = 0;
        diagnostic first;
    };

    void diagnose(const diagnostic& what) override;

    const entry& of(report_id id) const { return entries_[static_cast<unsigned>(id)]; }
    bool any_error() const { return errors_ != 0; }

private:
    std::array<entry, report_count> entries_;
    std::uint64_t errors_ = 0;
    bool strict_;
};

/// Issued words of other Tensix units, by mnemonic.
std::vector<std::pair<std::string, std::uint64_t>> not_modelled_words(const probe::unit_counters& counters,
                                                                      architecture arch);
/// Says on standard error which kinds of words did nothing, one line each.
void complain_about_not_modelled(const std::string& program, const probe::unit_counters& counters,
                                 architecture arch);

/// Attaches to the request of a kernel run what its output files need. Output files are opened at once, so
/// that a bad name is found before the run, and get their names when they are complete.
class run_outputs {
public:
    /// `value_lanes`: whose values the waveform shows. Throws user_error if a file cannot be written.
    run_outputs(kernel_run& kernel, const common_options& options, std::vector<unsigned> value_lanes = {0});
    ~run_outputs();

    probe::observer_list& observers() { return observers_; }
    /// Ctrl-C ends the run behind the present rows: the kernel and what follows are then about those.
    platform::run_result run(platform::program_runner& runner);
    bool interrupted() const { return interrupted_; }
    /// Lets run() say on a terminal how far it is.
    void show_progress() { shows_progress_ = true; }
    /// Lets run() end, as Ctrl-C would, behind the last cycle that traces show: nobody asks for what comes then.
    void end_behind_window();
    /// If the run was interrupted, says so on standard error.
    void complain_about_interruption() const;
    /// Completes and closes the files. `results` and `binds` go into the statistics if there are any. Throws user_error if a
    /// file could not be written.
    void finish(const platform::run_result& result,
                const std::optional<probe::results_statistics>& results = std::nullopt,
                const std::optional<binding>& binds = std::nullopt);

    const diagnostic_summary& diagnostics() const { return diagnostics_; }
    /// Whether no diagnostic is an error; complains on standard error about the first of each kind.
    bool keeps_rules() const;
    /// Names of the files written, with what they are.
    const std::vector<std::string>& written() const { return written_; }

private:
    /// Knows the latest cycle that has begun.
    class clock_watch : public probe::pipeline_observer {
    public:
        void cycle_begins(const probe::cycle_event& event) override { latest = event.at; }
        cycles latest{};
    };

    probe::statistics_input statistics(const platform::run_result& result) const;
    bool is_behind_window() const { return end_behind_ && watch_.latest.count() > *end_behind_; }

    kernel_run& kernel_;
    /// A trace that grows while the kernel runs; `writer` is null if nobody asked for it.
    template <class Writer>
    struct trace_file {
        output_file file;
        std::unique_ptr<Writer> writer;
    };
    /// `more` is what the writer's constructor takes beside stream and options.
    template <class Writer, class... More>
    void start(trace_file<Writer>& file, const std::string& name, const common_options& options,
               More... more);
    template <class Writer>
    void complete(trace_file<Writer>& file, const char* what);

    probe::observer_list observers_;

    analysis::misc_watch misc_watch_;
    diagnostic_summary diagnostics_;
    output_file stats_;
    trace_file<traces::vcd_writer> vcd_;
    output_file view_; ///< of the waveform, for GTKWave
    probe::trace_options shown_;
    std::vector<unsigned> value_lanes_;
    trace_file<traces::konata_writer> konata_;
    trace_file<traces::perfetto_writer> perfetto_;
    std::vector<std::string> written_;
    std::optional<std::int64_t> from_cycle_, to_cycle_;
    clock_watch watch_;
    std::optional<std::int64_t> end_behind_; ///< the cycle after which nothing is wanted
    unsigned wanted_rows_ = 0;
    bool interrupted_ = false, shows_progress_ = false;
};

/// --lane and --lanes, for commands that run kernels.
struct lane_arguments {
    std::vector<unsigned> lanes;
    std::string all; ///< "all" or empty

    void add_options(CLI::App& app);
    /// Lane 0 if nothing was asked for. Throws user_error.
    std::vector<unsigned> chosen() const;
};

/// The name of the view that stands beside a waveform: "x.gtkw" for "x.vcd"; nothing for what is no file.
std::string view_name_of(const std::string& vcd);

/// The bytes of a Dst file: raw storage, little-endian.
std::string dst_bytes(const platform::dst_image& dst);

/// The part of the statistics file that says what the vector unit did, and what simulated it.
probe::statistics_input statistics_of(const parameters& config, const probe::unit_counters& counters,

                                      const diagnostic_summary& diagnostics);

} // namespace sfpu::cli
