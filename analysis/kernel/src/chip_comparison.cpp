#include <sfpu/analysis/chip_comparison.h>

#include <sfpu/analysis/text_files.h>

#include <sfpu/analysis/tensor_layout.h>
#include <sfpu/isa/data_type.h>

#include <fmt/format.h>

#include <algorithm>

namespace sfpu::analysis {
namespace {

/// Paths of the parameters that decide when something happens and that differ between two machines.
std::vector<std::string> timing_differences(const parameters& a, const parameters& b) {
    std::vector<std::string> paths;
    for (const parameter_row& row : parameter_table())
        if (row.timing && row.get(a) != row.get(b)) paths.emplace_back(row.path);
    return paths;
}

/// The machine of the run with the timing of another one.
parameters with_timing_of(const parameters& other, const parameters& run) {
    parameters result = run;
    for (const parameter_row& row : parameter_table())
        if (row.timing) row.set(result, row.get(other));
    return result;
}

/// Cells that were compared and cells that differ.
class cell_difference {
public:
    template <typename Describe>
    void compare(std::uint32_t expected, std::uint32_t got, Describe&& first) {
        ++cells_;
        if (expected == got) return;
        if (different_++ == 0) first_ = first();
    }
    chip_comparison result(const std::string& of) const {
        if (different_ == 0) return {{false, 0}, "unchanged on this data"};
        return {{true, different_},
                fmt::format("CHANGED: {} of {} cells of {}, first {}", different_, cells_, of, first_)};
    }

private:
    std::uint64_t cells_ = 0, different_ = 0;
    std::string first_;
};

chip_comparison compare_all_of_dst(const platform::dst_image& expected, const platform::dst_image& got) {
    cell_difference found;
    for (unsigned row = 0; row < expected.size(); ++row)
        for (unsigned column = 0; column < expected[row].size(); ++column)
            found.compare(expected[row][column], got[row][column], [&] {
                return fmt::format("row {} column {} ({:04x} became {:04x})", row, column,
                                   expected[row][column], got[row][column]);
            });
    return found.result("Dst");
}

chip_comparison not_compared(const std::string& reason) { return {{}, "not compared: " + reason}; }

} // namespace

bool timing_differs_from_chip(const parameters& config) {
    for (const parameter_row& row : parameter_table())
        if (row.timing && row.differs_from_chip(config)) return true;
    return false;
}

chip_comparison compare_outputs(const kernel_run& kernel, const platform::dst_image& expected,
                                const platform::dst_image& got) {
    const std::vector<isa::tensor>& outputs = kernel.kernel().outputs;
    if (outputs.empty() || kernel.rows() == 0) return compare_all_of_dst(expected, got);
    cell_difference found;
    std::string names;
    for (const isa::tensor& output : outputs) {
        names += (names.empty() ? "" : ", ") + output.name;
        for (unsigned row = 0; row < std::min(kernel.rows(), most_places); ++row) {
            const dst_slice slice =
                slice_of_row(output.address, row, isa::has_wide_cells(output.type), kernel.request().thread);
            for (unsigned lane = 0; lane < lane_count; ++lane) {
                const std::uint32_t before = read_cell(expected, slice, lane),
                                    after = read_cell(got, slice, lane);
                found.compare(before, after, [&] {
                    return fmt::format(
                        "{}row {} lane {} ({} became {})", outputs.size() > 1 ? output.name + " " : "", row,
                        lane, isa::text_of_cell(output.type, before), isa::text_of_cell(output.type, after));
                });
            }
        }
    }
    return found.result(names);
}

kernel_run on_other_machine(const std::string& text, const std::string& file, const kernel_run& kernel,
                            const machine_choice& options) {
    kernel_run other(assemble_kernel(text, file, options), options,
                     kernel.rows() ? std::optional(kernel.rows()) : std::nullopt);
    other.request().config = with_timing_of(other.request().config, kernel.request().config);
    other.request().dst_rows = kernel.request().dst_rows;
    return other;
}

chip_comparison compare_with_chip(platform::program_runner& runner, const std::string& text,
                                  const kernel_run& kernel, const machine_choice& options,
                                  const platform::dst_image& dst) {
    // Read again, as the same text may stand for other words on another machine.
    machine_choice chip_options;
    chip_options.arch = short_name(kernel.kernel().arch);
    chip_options.firmware_start = options.firmware_start;
    chip_options.hazards = "off"; // this run has been told about already, or never asked for
    try {
        const kernel_run chip = on_other_machine(text, kernel.kernel().file, kernel, chip_options);
        const parameters &written_for = chip.request().config, &run = kernel.request().config;
        if (timing_differences(written_for, run).empty())
            return not_compared(fmt::format("the kernel is written for a machine with another {} (.config)",
                                            fmt::join(timing_differences(with_chip_timing(run), run), ", ")));
        runner.run(chip.request());
        return compare_outputs(kernel, runner.dst(), dst);
    } catch (const user_error& problem) {
        return not_compared(fmt::format("the chip cannot run it: {}", problem.what()));
    }
}

} // namespace sfpu::analysis
