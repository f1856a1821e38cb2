// Options that all commands take, and what follows from them.
#pragma once

#include <sfpu/analysis/kernel_file.h>
#include <sfpu/analysis/machine_choice.h>
#include <sfpu/probe/trace_options.h>

#include <CLI/CLI.hpp>

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace sfpu::views {}
namespace sfpu::cli {

using namespace analysis;
using namespace views;

struct common_options : machine_choice {
    bool dump_config = false;
    bool quiet = false;

    // for commands that run one kernel
    std::string stats_file, vcd_file, konata_file, perfetto_file;
    std::optional<std::int64_t> from_cycle, to_cycle;

    bool wants_trace() const {
        return !stats_file.empty() || !vcd_file.empty() || !konata_file.empty() || !perfetto_file.empty() ||
               from_cycle || to_cycle;
    }
};

/// Take numbers from `least` to `most`, both inclusive, and nothing else: CLI::Range takes "nan", "-1" for an
/// unsigned number and octal ones, too. Messages have the form of all others.
CLI::Validator number_between(double least, double most);
CLI::Validator integers(std::uint64_t least, std::uint64_t most);
template <class Least, class Most>
CLI::Validator integer_between(Least least, Most most) {
    return integers(static_cast<std::uint64_t>(least), static_cast<std::uint64_t>(most));
}
inline CLI::Validator any_integer() { return integers(0, std::numeric_limits<std::uint64_t>::max()); }
/// Turns "512MiB" into a number.
CLI::Validator bytes();
CLI::Validator one_of(const std::vector<std::string>& words);
/// Some of the words, with commas between them.
CLI::Validator list_of(const std::vector<std::string>& words);

/// Registers the options; several CLI11 apps may share one `options`, so that they can stand before and after
/// the command.
void add_machine_options(CLI::App& app, common_options& options);
void add_trace_options(CLI::App& app, common_options& options);
/// --firmware-start, for commands that issue words without firmware.
void add_start_option(CLI::App& app, common_options& options);

/// What trace sinks need to know. Throws user_error if the cycles are no range.
probe::trace_options trace_options_of(const parameters& config, const common_options& options);
/// The same with the rows of a kernel; `run` must outlive the sinks.
probe::trace_options trace_options_of(const kernel_run& run, const common_options& options);

} // namespace sfpu::cli
