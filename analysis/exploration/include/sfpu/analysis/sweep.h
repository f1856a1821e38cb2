// A sweep: which kernels run on which machines.
#pragma once

#include <sfpu/analysis/kernel_source.h>
#include <sfpu/analysis/machine_choice.h>
#include <sfpu/common/parameters.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace sfpu::analysis {

/// Where a point gets its schedule from.
enum class schedule_choice : std::uint8_t { keep, retime, optimize };
const char* to_string(schedule_choice choice); ///< "keep", "retime", "optimize"

struct sweep_kernel {
    std::string name;                        ///< as the sweep names it
    std::string macro;                       ///< file to run; empty if there is only the plain form
    std::string plain;                       ///< file of the plain form; empty if there is none
    std::string firmware;                    ///< file of a program for the tile; then there is no kernel
    std::optional<schedule_choice> schedule; ///< absent: the sweep's
    source_request request;                  ///< of both, which function of the file and so on

    bool is_firmware() const { return !firmware.empty(); }
    const std::string& file() const { return is_firmware() ? firmware : macro.empty() ? plain : macro; }

    schedule_choice usual_schedule() const {
        return plain.empty() ? schedule_choice::keep : schedule_choice::optimize;
    }
};

/// What the sweep file says. All its parameters are resolved: a value is a row of the parameter table and a
/// number.
struct sweep {
    std::string name; ///< of the file, without its folder
    std::string text; ///< of the file
    std::vector<sweep_kernel> kernels;
    std::optional<architecture> arch; ///< if the file says it
    std::vector<parameter_value> baseline;
    std::optional<schedule_choice> schedule;        ///< absent: usual_schedule() of each kernel
    std::vector<const parameter_row*> varied;       ///< what points are the values of, in this order
    std::vector<std::vector<std::uint64_t>> points; ///< those that fulfil all conditions
    std::vector<std::optional<std::uint64_t>>
        seeds;                          ///< of issue jitter; one without a value if there are none
    std::uint64_t budget = 200'000;     ///< conflicts of the solver for each point
    std::map<std::string, double> cost; ///< by path; missing ones are those of the parameter table
    std::optional<double> seconds;      ///< limit for each point
    std::optional<std::uint64_t> megabytes;

    schedule_choice schedule_of(const sweep_kernel& kernel) const {
        if (kernel.is_firmware()) return schedule_choice::keep;
        return kernel.schedule ? *kernel.schedule : schedule.value_or(kernel.usual_schedule());
    }
    /// Firmware runs once: its words come when they come.
    const std::vector<std::optional<std::uint64_t>>& seeds_of(const sweep_kernel& kernel) const {
        static const std::vector<std::optional<std::uint64_t>> none{std::nullopt};
        return kernel.is_firmware() ? none : seeds;
    }
    /// What a point sets, baseline first.
    std::vector<parameter_value> settings(std::size_t point) const;
    /// The machines of a point and of the baseline, as kernels are loaded for them.
    machine_choice machine(std::size_t point) const;
    machine_choice baseline_machine() const;
    /// All parameters of a point, of the baseline, without what a kernel says itself.
    parameters configuration(std::size_t point) const;
    parameters baseline_configuration() const;

    double weight_of(const parameter_row& row) const;
    /// Sum over all parameters of what the machine has more than its chip, times its weight.
    double cost_of(const parameters& config) const;
};

/// Reads a sweep file. Throws input_error with everything that is wrong with it, a line for each. `place`:
/// where the file was when the sweep began, if this is a copy; kernels are beside it.
sweep read_sweep(const std::string& file, const std::string& place = "");

} // namespace sfpu::analysis
