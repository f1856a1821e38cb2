#include "options.h"

#include "colours.h"

#include "program.h"

#include <sfpu/common/shown_name.h>
#include <sfpu/isa/machine.h>

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <sstream>
#include <string_view>
#include <system_error>

namespace sfpu::cli {
namespace {

constexpr auto machine_group = "Machine", output_group = "Output";

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
                return fmt::format(
                    "found '{}', expected a name that does not end in .json: the trace is written in "
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

CLI::Validator bytes() {
    return {[](std::string& given) {
                const std::string found = given;
                try {
                    if (CLI::AsSizeValue(false)(given).empty()) return std::string();
                } catch (const CLI::ValidationError&) { // its text lists every unit that there is
                }
                return fmt::format("found '{}', expected bytes, such as 512MiB or 4GiB", found);
            },
            ""};
}

CLI::Validator one_of(const std::vector<std::string>& words) {
    const std::string all = fmt::format("{}", fmt::join(words, " or "));
    return {[=](const std::string& given) {
                const bool right = std::find(words.begin(), words.end(), given) != words.end();
                return right ? std::string() : fmt::format("found '{}', expected {}", given, all);
            },
            all};
}

CLI::Validator list_of(const std::vector<std::string>& words) {
    const std::string all = fmt::format("{}", fmt::join(words, ","));
    return {[=](const std::string& given) {
                std::istringstream parts(given);
                for (std::string part; std::getline(parts, part, ',');)
                    if (std::find(words.begin(), words.end(), part) == words.end())
                        return fmt::format("found '{}', expected some of {}", part, all);
                return std::string();
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
    add_colour_option(app);
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

namespace {

/// Two outputs in one file would be unreadable. Devices take any number.
void refuse_shared_files(const common_options& options) {
    const std::pair<const char*, const std::string&> outputs[] = {{"--stats", options.stats_file},
                                                                  {"--vcd", options.vcd_file},
                                                                  {"--konata", options.konata_file},
                                                                  {"--perfetto", options.perfetto_file}};
    std::map<std::string, const char*> seen;
    for (const auto& [option, file] : outputs) {
        if (file.empty() || file.rfind("/dev/", 0) == 0) continue;
        const auto [first, is_new] = seen.emplace(file, option);
        if (!is_new)
            throw user_error(fmt::format("{}: found '{}', which {} writes too; expected another file", option,
                                         shown_name(file), first->second));
    }
}

} // namespace

probe::trace_options trace_options_of(const parameters& config, const common_options& options) {
    refuse_shared_files(options);
    const auto cycle = [](std::optional<std::int64_t> count) {
        return count ? std::optional(cycles{*count}) : std::nullopt;
    };
    if (options.from_cycle && options.to_cycle && *options.from_cycle > *options.to_cycle)
        throw user_error(fmt::format("--to-cycle: found {}, expected at least {}, the --from-cycle",
                                     *options.to_cycle, *options.from_cycle));
    probe::trace_options shown;
    shown.from = cycle(options.from_cycle);
    shown.to = cycle(options.to_cycle);
    shown.period_ps = config.period_ps();
    const isa::machine machine = isa::make_machine(config);
    shown.words = machine.encoding();
    shown.slots = machine.slots;
    shown.mad_units = machine.mad_units;
    shown.load_ports = machine.load_ports;
    shown.store_ports = machine.store_ports;
    return shown;
}

probe::trace_options trace_options_of(const kernel_run& run, const common_options& options) {
    probe::trace_options shown = trace_options_of(run.request().config, options);
    shown.row_of_word = [&run](std::int64_t word) { return run.row_of_word(word); };
    shown.rows_together = run.rows_together();
    return shown;
}

} // namespace sfpu::cli
