// Why two paths of a kernel differ: the one that uses SFPLOADMACRO and the plain one.
#pragma once

#include <sfpu/common/report.h>
#include <sfpu/isa/assembler.h>
#include <sfpu/isa/registers.h>
#include <sfpu/platform/program_runner.h>

#include <functional>
#include <string>
#include <vector>

namespace sfpu::analysis {

/// Programmable constants (L11 to L14) that a kernel reads and that no SFPCONFIG of it writes. L11 holds -1
/// from the start, so that it is set always.
isa::register_set unset_constants(const isa::kernel& kernel);

/// What may be the reason.
struct path_difference {
    isa::register_set unset_constants = 0; ///< of the macro path, which the plain path does not leave unset
    /// 16-bit cells of Dst that only one of them writes.
    unsigned cells_of_macro = 0, cells_of_plain = 0;
    struct hazard {
        bool in_macro = false; ///< else in the plain path
        bool breaks = false;   ///< see lint_hazard; what does not may be harmless
        report_id id{};
        unsigned line = 0; ///< of the kernel; 0 if it has none
        std::string message;
    };
    /// At most three of each path, those that break it first. Reports of severity::info, such as behaviour
    /// that is defined but not guaranteed, are none.
    std::vector<hazard> hazards;
    /// Mnemonics of what only one of them calculates with.
    std::vector<std::string> only_macro, only_plain;

    /// A sentence for each reason. Hazards that may be harmless are told only if none breaks its path, and
    /// that they calculate in different ways only if there is no reason that is certain: two paths may well
    /// do so and give the same.
    std::vector<std::string> sentences() const;
};

/// Runs both kernels. `interrupted`, asked often, ends that with what was found; it may be empty.
path_difference difference_of_paths(platform::program_runner& runner, const isa::kernel& macro,
                                    const isa::kernel& plain,
                                    const std::function<bool()>& interrupted = nullptr);

} // namespace sfpu::analysis
