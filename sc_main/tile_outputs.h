// The trace and statistics files of a tile's run, and the observers that gather what goes into them.
#pragma once

#include "options.h"
#include "run_outputs.h"
#include <sfpu/analysis/firmware_run.h>
#include <sfpu/analysis/output_file.h>

#include <sfpu/platform/tile_run.h>
#include <sfpu/probe/observer.h>
#include <sfpu/probe/statistics.h>
#include <sfpu/probe/trace_options.h>

#include <memory>
#include <string>
#include <vector>

namespace sfpu::probe {
class time_order;
} // namespace sfpu::probe

namespace sfpu::cli {

class tile_outputs {
public:
    /// Opens all files that the options name. `horizon`: how far models of the tile run ahead of each other.
    /// Throws user_error.
    /// `value_lanes`: whose values the waveform shows; the trace for Perfetto has those of the first.
    tile_outputs(const platform::tile_run& tile, const parameters& config, const common_options& options,
                 cycles horizon, std::vector<unsigned> value_lanes);
    ~tile_outputs();

    /// Asks a run for what the files show.
    void listen(firmware_options& how);

    /// Completes and closes the files. Throws user_error if one could not be written.
    void finish(const firmware_answer& answer);

    /// Names of the files written, with what they are.
    const std::vector<std::string>& written() const { return written_; }

private:
    struct sinks;

    void complete(output_file& file, const char* what);

    const parameters& config_;
    output_file stats_, vcd_, view_, konata_, perfetto_;
    std::vector<unsigned> value_lanes_;
    probe::trace_options shown_;
    probe::observer_list observers_;
    std::unique_ptr<sinks> sinks_;
    std::vector<std::string> written_;
};

} // namespace sfpu::cli
