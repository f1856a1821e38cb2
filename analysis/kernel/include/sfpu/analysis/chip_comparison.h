// What another machine does to the results of a kernel: the same run on the chip, and what differs.
#pragma once

#include <sfpu/analysis/kernel_file.h>

#include <sfpu/platform/program_runner.h>
#include <sfpu/probe/statistics.h>

#include <string>

namespace sfpu::analysis {

/// Whether a parameter of the machine that decides when something happens differs from the chip's.
bool timing_differs_from_chip(const parameters& config);

struct chip_comparison {
    probe::results_statistics results;
    std::string text; ///< "unchanged", "CHANGED: ...", "not compared: REASON"

    bool changed() const { return results.changed.value_or(false); }
};

/// Runs the kernel of `kernel`, from the same Dst, on the machine that it is written for: the chip, with what
/// its own `.config` directives change. `text` is the kernel's file, `dst` is what the run on the other
/// machine left. Never throws: a kernel that this machine cannot run is not compared.
chip_comparison compare_with_chip(platform::program_runner& runner, const std::string& text,
                                  const kernel_run& kernel, const machine_choice& options,
                                  const platform::dst_image& dst);

/// The text of a kernel as it runs on the machine of `options`, from the same Dst and for the same rows as
/// `kernel`; parameters that do not decide when something happens are those of `kernel`. Throws user_error if
/// it cannot.
kernel_run on_other_machine(const std::string& text, const std::string& file, const kernel_run& kernel,
                            const machine_choice& options);

/// What differs in the outputs of a kernel; in all of Dst if it declares none.
chip_comparison compare_outputs(const kernel_run& kernel, const platform::dst_image& expected,
                                const platform::dst_image& got);

} // namespace sfpu::analysis
