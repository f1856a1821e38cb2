#include "options.h"

#include "config_file.h"
#include "program.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <string_view>
#include <system_error>

namespace sfpu::cli {
namespace {

constexpr auto machine_group = "Machine", output_group = "Output";

void set_or_throw(parameters& config, std::string_view path, std::string_view value, const char* option) {
    if (const auto problem = set_parameter(config, path, value)) throw user_error(option + (": " + *problem));
}

/// The value of decimal digits, or of hexadecimal ones behind 0x. Leading zeros are nobody's octal number.
std::optional<std::uint64_t> integer_in(std::string_view text) {
    const bool hexadecimal = text.size() > 2 && text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
    if (!hexadecimal && text.size() > 1 && text[0] == '0') return std::nullopt;
    if (hexadecimal) text.remove_prefix(2);
    std::uint64_t value = 0;
    const auto [end, error] =
        std::from_chars(text.data(), text.data() + text.size(), value, hexadecimal ? 16 : 10);
    return error == std::errc{} && end == text.data() + text.size() ? std::optional(value) : std::nullopt;
}

/// Who asks for JSON should not get something else under that name.
CLI::Validator no_json_name() {
    return {[](const std::string& given) {
                constexpr std::string_view ending = ".json";
                const std::string_view name = given;
                if (name.size() < ending.size() || name.substr(name.size() - ending.size()) != ending)
                    return std::string();
                return fmt::format("found '{}', expected a name that does not end in .json: the trace is written in "
                                   "Perfetto's own format, which ui.perfetto.dev opens",
                                   given);
            },
            ""};
}

} // namespace

CLI::Validator integers(std::uint64_t least, std::uint64_t most) {
    return {[=](const std::string& given) {
                const std::optional<std::uint64_t> value = integer_in(given);
                const bool right = value && *value >= least && *value <= most;
                return right
                           ? std::string()
                           : fmt::format("found '{}', expected an integer from {} to {}", given, least, most);
            },
            most == std::numeric_limits<std::uint64_t>::max() ? "" : fmt::format("{} to {}", least, most)};
}

CLI::Validator one_of(const std::vector<std::string>& words) {
    const std::string all = fmt::format("{}", fmt::join(words, " or "));
    return {[=](const std::string& given) {
                const bool right = std::find(words.begin(), words.end(), given) != words.end();
                return right ? std::string() : fmt::format("found '{}', expected {}", given, all);
            },
            all};
}

CLI::Validator number_between(double least, double most) {
    return {[=](const std::string& given) {
                double value = 0;
                const bool right = CLI::detail::lexical_cast(given, value) && value >= least && value <= most;
                return right ? std::string()
                             : fmt::format("found '{}', expected a number from {} to {}", given, least, most);
            },
            fmt::format("{} to {}", least, most)};
}

void add_machine_options(CLI::App& app, common_options& options) {
    app.add_option("--arch", options.arch, "architecture: bh (default) or wh")->group(machine_group);
    app.add_option("--config", options.config_file, "JSON file with parameters (see --dump-config)")
        ->type_name("FILE")
        ->group(machine_group);
    app.add_option_function<std::vector<std::string>>(
           "--set",
           [&options](const std::vector<std::string>& given) {
               options.settings.insert(options.settings.end(), given.begin(), given.end());
           },
           "set a parameter, for example sfpu.latency.mad=3 (repeatable; info --params lists them)")
        ->type_name("PATH=VALUE")
        ->type_size(1)
        ->allow_extra_args(false)
        ->group(machine_group);
    app.add_option("--hazards", options.hazards, "error, warn (default) or off")->group(machine_group);
    app.add_flag("--strict", options.strict,
                 "words of units that are not modelled, lost data and misaligned accesses are errors")
        ->group(machine_group);
    app.add_flag("--dump-config", options.dump_config, "print the resolved configuration as JSON and stop")
        ->group(output_group);
    app.add_flag("--quiet", options.quiet, "print no report")->group(output_group);
}

void add_start_option(CLI::App& app, common_options& options) {
    app.add_flag_function(
           "--firmware-start,!--no-firmware-start",
           [&options](std::int64_t given) { options.firmware_start = given > 0; },
           "start as firmware starts a kernel, with the lane flags in use; or not, whatever the kernel says")
        ->group(machine_group);
}

void add_trace_options(CLI::App& app, common_options& options) {
    constexpr std::int64_t latest_cycle = std::int64_t{1} << 50;
    app.add_option("--stats", options.stats_file, "write statistics as JSON")
        ->type_name("FILE")
        ->group(output_group);
    app.add_option("--vcd", options.vcd_file, "write a waveform")->type_name("FILE")->group(output_group);
    app.add_option("--konata", options.konata_file, "write a pipeline log for Konata")
        ->type_name("FILE")
        ->group(output_group);
    app.add_option("--perfetto", options.perfetto_file, "write a trace for Perfetto, in its own format")
        ->type_name("FILE")
        ->check(no_json_name())
        ->group(output_group);
    app.add_option("--from-cycle", options.from_cycle, "first cycle of traces and tables")
        ->type_name("N")
        ->check(integer_between(std::int64_t{0}, latest_cycle))
        ->group(output_group);
    app.add_option("--to-cycle", options.to_cycle, "last cycle of traces and tables")
        ->type_name("M")
        ->check(integer_between(std::int64_t{0}, latest_cycle))
        ->group(output_group);
}

parameters file_configuration(const common_options& options) {
    parameters config;
    if (!options.config_file.empty()) apply_config_file(options.config_file, config);
    return config;
}

void apply_command_line(const common_options& options, parameters& config) {
    if (!options.arch.empty()) set_or_throw(config, "arch", options.arch, "--arch");
    for (const std::string& setting : options.settings) {
        const std::size_t equals = setting.find('=');
        if (equals == std::string::npos)
            throw user_error("--set: found '" + setting + "', expected path=value");
        set_or_throw(config, setting.substr(0, equals), setting.substr(equals + 1), "--set");
    }
}

parameters resolved_configuration(const common_options& options) {
    parameters config = file_configuration(options);
    apply_command_line(options, config);
    return config;
}

std::optional<architecture> demanded_architecture(const common_options& options) {
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

hazard_policy hazards(const common_options& options) {
    hazard_policy policy{};
    if (!parse(options.hazards, policy))
        throw user_error("--hazards: found '" + options.hazards + "', expected error, warn or off");
    return policy;
}

} // namespace sfpu::cli
