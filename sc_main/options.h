// Options that all commands take, and what follows from them.
#pragma once

#include <sfpu/common/parameters.h>
#include <sfpu/common/report.h>
#include <sfpu/common/types.h>
#include <sfpu/isa/state.h>

#include <CLI/CLI.hpp>

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace sfpu::cli {

struct common_options {
    std::string arch; ///< empty if not given
    std::string config_file;
    std::vector<std::string> settings; ///< "path=value"
    std::string hazards = "warn";
    bool strict = false;
    bool dump_config = false;
    bool quiet = false;

    // for commands that issue words without firmware
    std::optional<bool> firmware_start;

    // for commands that run one kernel
    std::string stats_file, vcd_file, konata_file, perfetto_file;
    std::optional<std::int64_t> from_cycle, to_cycle;

    bool wants_trace() const {
        return !stats_file.empty() || !vcd_file.empty() || !konata_file.empty() || !perfetto_file.empty() ||
               from_cycle || to_cycle;
    }
};

/// Take numbers from `least` to `most`, both inclusive, and nothing else: CLI::Range takes "nan", "-1" for an unsigned number and octal
/// ones, too. Messages have the form of all others.
CLI::Validator number_between(double least, double most);
CLI::Validator integers(std::uint64_t least, std::uint64_t most);
template <class Least, class Most>
CLI::Validator integer_between(Least least, Most most) {
    return integers(static_cast<std::uint64_t>(least), static_cast<std::uint64_t>(most));
}
inline CLI::Validator any_integer() { return integers(0, std::numeric_limits<std::uint64_t>::max()); }
CLI::Validator one_of(const std::vector<std::string>& words);

/// Registers the options; several CLI11 apps may share one `options`, so that they can stand before and after
/// the command.
void add_machine_options(CLI::App& app, common_options& options);
void add_trace_options(CLI::App& app, common_options& options);
/// --firmware-start, for commands that issue words without firmware.
void add_start_option(CLI::App& app, common_options& options);

/// Defaults, then the configuration file.
parameters file_configuration(const common_options& options);

/// Applies --arch and --set, which win over everything else.
void apply_command_line(const common_options& options, parameters& config);

/// Both, for commands without a kernel.
parameters resolved_configuration(const common_options& options);

/// The architecture that the command line insists on, if it names one.
std::optional<architecture> demanded_architecture(const common_options& options);

hazard_policy hazards(const common_options& options);

/// What firmware leaves behind before it calls a kernel: SFPENCC(3, 0, 0, 10) has put the lane flags to use, all of
/// them set.
void start_as_firmware(isa::vector_state& state);

} // namespace sfpu::cli
