// The files that a run of a kernel can write, and the observers that gather what goes into them.
#pragma once

#include "interrupts.h"
#include "options.h"
#include "progress.h"

#include <sfpu/analysis/diagnostic_summary.h>
#include <sfpu/analysis/kernel_data.h>
#include <sfpu/analysis/kernel_file.h>
#include <sfpu/analysis/output_file.h>
#include <sfpu/analysis/session.h>

#include <sfpu/platform/program_runner.h>
#include <sfpu/probe/observer.h>
#include <sfpu/probe/statistics.h>
#include <sfpu/probe/trace_options.h>

#include <cstdint>
#include <functional>
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

/// Prints lines on standard error.
void complain(const std::vector<std::string>& lines);

/// While it lives, Ctrl-C ends a run behind its present rows, and a terminal shows how far the run is.
class watched_rows {
public:
    watched_rows(const std::string& file, bool shows_progress) : progress_(file, shows_progress) {
        session_.interrupted = interrupt_guard::interrupted;
        session_.advanced = [this](std::uint64_t done, std::uint64_t all) {
            progress_.show(done, all, "rows");
        };
    }
    watched_rows(const watched_rows&) = delete;
    watched_rows& operator=(const watched_rows&) = delete;
    const session& caller() const { return session_; }

private:
    interrupt_guard guard_;
    progress_line progress_;
    session session_;
};

/// Output files are opened at once, so that a bad name is found before the run, and get their names when they
/// are complete.
class run_outputs {
public:
    /// `kernel` must outlive this. `value_lanes`: whose values the waveform shows. Throws user_error if a
    /// file cannot be written.
    run_outputs(const kernel_run& kernel, const common_options& options,
                std::vector<unsigned> value_lanes = {0});
    ~run_outputs();

    /// To be told of what happens in the run.
    const std::vector<probe::pipeline_observer*>& observers() const { return observers_; }

    /// What the statistics file holds, of a run on this version of SystemC.
    using statistics_source = std::function<probe::statistics_input(const std::string& systemc)>;
    /// Completes and closes the files. Throws user_error if one could not be written, or if nothing of what
    /// was to be shown happened.
    void finish(const platform::run_result& result, const statistics_source& statistics);
    /// Names of the files written, with what they are.
    const std::vector<std::string>& written() const { return written_; }

private:
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

    const kernel_run& kernel_;
    std::vector<probe::pipeline_observer*> observers_;
    output_file stats_;
    trace_file<traces::vcd_writer> vcd_;
    output_file view_; ///< of the waveform, for GTKWave
    probe::trace_options shown_;
    std::vector<unsigned> value_lanes_;
    trace_file<traces::konata_writer> konata_;
    trace_file<traces::perfetto_writer> perfetto_;
    std::vector<std::string> written_;
    std::optional<std::int64_t> from_cycle_;
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
/// What is said behind the name of a waveform: the command that opens it with its view.
std::string opening_of(const std::string& vcd, const std::string& view);

} // namespace sfpu::cli
