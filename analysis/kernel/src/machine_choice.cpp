#include <sfpu/analysis/machine_choice.h>

#include <sfpu/analysis/config_file.h>
#include <sfpu/analysis/errors.h>
#include <sfpu/common/shown_name.h>

#include <string_view>

namespace sfpu::analysis {
namespace {

void set_or_throw(parameters& config, std::string_view path, std::string_view value, const char* option) {
    if (const auto problem = set_parameter(config, path, value))
        throw user_error(option + (": " + shown_name(*problem)));
}

} // namespace

parameters file_configuration(const machine_choice& options) {
    parameters config;
    if (!options.config_file.empty()) apply_config_file(options.config_file, config);
    return config;
}

void apply_command_line(const machine_choice& options, parameters& config) {
    if (!options.arch.empty() && set_parameter(config, "arch", options.arch))
        throw user_error("--arch: found '" + shown_name(options.arch) + "', expected bh or wh");
    for (const std::string& setting : options.settings) {
        const std::size_t equals = setting.find('=');
        if (equals == std::string::npos)
            throw user_error("--set: found '" + shown_name(setting) + "', expected path=value");
        set_or_throw(config, setting.substr(0, equals), setting.substr(equals + 1), "--set");
    }
    for (const parameter_value& each : options.values) each.apply_to(config);
}

parameters resolved_configuration(const machine_choice& options) {
    parameters config = file_configuration(options);
    apply_command_line(options, config);
    return config;
}

std::optional<architecture> demanded_architecture(const machine_choice& options) {
    // Whatever the default is, the command line insists if it turns all values into the same one.
    std::optional<architecture> demanded;
    for (const architecture each : all_architectures) {
        parameters config;
        config.arch = each;
        apply_command_line(options, config);
        if (demanded && *demanded != config.arch) return std::nullopt;
        demanded = config.arch;
    }
    return demanded;
}

void start_as_firmware(isa::vector_state& state) { state.flags = state.use_flags = all_lanes; }

hazard_policy hazards(const machine_choice& options) {
    hazard_policy policy{};
    if (!parse(options.hazards, policy))
        throw user_error("--hazards: found '" + options.hazards + "', expected error, warn or off");
    return policy;
}

} // namespace sfpu::analysis
