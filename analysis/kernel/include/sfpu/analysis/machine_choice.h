// Which machine a kernel runs on: what a caller insists on, beside what the kernel itself says.
#pragma once

#include <sfpu/common/parameters.h>
#include <sfpu/common/report.h>
#include <sfpu/common/types.h>
#include <sfpu/isa/state.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace sfpu::analysis {

/// A parameter with the number of its value, which the row accepts.
struct parameter_value {
    const parameter_row* row = nullptr;
    std::uint64_t number = 0;

    std::string text() const { return row->text_of(number); }
    void apply_to(parameters& config) const { row->set(config, number); }
};

/// As the options of all commands have it. Messages name the options.
struct machine_choice {
    std::string arch;                    ///< "bh" or "wh"; empty: what the kernel says
    std::string config_file;             ///< a JSON file with parameters; empty: none
    std::vector<std::string> settings;   ///< "path=value", which win over everything else
    std::vector<parameter_value> values; ///< what a caller has resolved already; they win over `settings`
    std::string hazards = "warn";        ///< "error", "warn", "off"
    bool strict = false;                 ///< what leaves something undone is an error
    std::optional<bool> firmware_start;  ///< whether a kernel finds the lane flags in use, whatever it says
};

/// Defaults, then the configuration file.
parameters file_configuration(const machine_choice& options);

/// Applies --arch, --set and `values`, which win over everything else.
void apply_command_line(const machine_choice& options, parameters& config);

/// Both, without a kernel.
parameters resolved_configuration(const machine_choice& options);

/// The architecture that the command line insists on, if it names one.
std::optional<architecture> demanded_architecture(const machine_choice& options);

hazard_policy hazards(const machine_choice& options);

/// What firmware leaves behind before it calls a kernel: SFPENCC(3, 0, 0, 10) has put the lane flags to use,
/// all of them set.
void start_as_firmware(isa::vector_state& state);

} // namespace sfpu::analysis
