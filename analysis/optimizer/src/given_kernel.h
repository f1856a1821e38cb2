// The kernel that optimize() is given: on the machine that a schedule is wanted for, and on the one that it
// is written for.
#pragma once

#include <sfpu/analysis/kernel_file.h>
#include <sfpu/analysis/optimize.h>
#include <sfpu/isa/machine.h>
#include <sfpu/optimizer/expansion.h>
#include <sfpu/platform/core_runner.h>

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sfpu::analysis {

/// Path and value of parameters.
using parameter_values = std::vector<std::pair<std::string, std::string>>;

/// A kernel whose text this library has written. A mistake in it is a std::runtime_error: a fault of the
/// library.
isa::kernel assembled_kernel(const std::string& text, const std::string& name, const parameters& config);

class given_kernel {
public:
    /// Assembles and measures the kernel; one with macros is expanded to plain code first. Throws as
    /// optimize() does. Both arguments must outlive it.
    given_kernel(const optimize_request& request, const session& caller);
    given_kernel(const given_kernel&) = delete;
    given_kernel& operator=(const given_kernel&) = delete;

    const optimize_request& request() const { return request_; }
    platform::core_runner& runner() const { return runner_; }

    const kernel_run& plain() const { return plain_; }       ///< what is scheduled
    const std::string& source() const { return source_; }    ///< its text
    const isa::machine& machine() const { return machine_; } ///< that the schedule is for
    /// That the words of its `.init` and `.tail` are right on.
    const isa::machine& written_for() const { return written_for_; }
    const optimizer::expanded_kernel& expanded() const { return expanded_; } ///< if it is retimed
    /// What says which results are right, on its machine.
    const kernel_run& reference() const { return on_its_machine_ ? *original_ : plain_; }

    double cycles_per_row() const { return cycles_; }
    const kernel_verdict& verdict() const { return verdict_; }
    /// Whether code without macros is right on this machine: fallback(), which is written if no schedule is
    /// found.
    bool plain_serves() const { return serves_; }
    const std::string& fallback() const { return waiting_text_.empty() ? source_ : waiting_text_; }
    void try_plain() { serves_ = serves(plain_); }

    isa::thread_state thread() const { return plain_.request().thread; }
    bool lanes_start_enabled() const { return plain_.request().state.use_flags == all_lanes; }
    std::string base_name() const; ///< of its file
    std::string_view given() const { return request_.retime ? "kernel" : "plain kernel"; }
    /// What makes the machine another one than the chip. A schedule is right for one machine only.
    parameter_values machine_settings() const;
    /// The plain kernel on the chip.
    kernel_run plain_on_chip() const;
    /// Another text of the plain kernel, where reference() runs.
    kernel_run on_chip(const std::string& text) const;

    /// The first error that a run with the first random Dst reports; empty if there is none.
    std::string first_error(const kernel_run& kernel, double& cycles_per_row) const;

    /// What people should know beside the answer; the session is told each, too.
    const std::vector<std::string>& warnings() const { return warnings_; }
    void warn(std::string line);

private:
    void refuse_other_machines();
    void expand();
    void measure();
    void refuse_moved_indices() const;
    void expect_outputs();
    void try_with_waits();
    bool serves(const kernel_run& kernel) const;
    machine_choice chip() const;
    bool is_words() const;

    const optimize_request& request_;
    const session& caller_;
    mutable platform::core_runner runner_;
    std::string source_;
    kernel_run plain_;
    std::optional<kernel_run> original_;
    bool on_its_machine_ = false;
    optimizer::expanded_kernel expanded_;
    isa::machine machine_, written_for_;
    double cycles_ = 0;
    kernel_verdict verdict_;
    bool serves_ = false;
    std::string waiting_text_; ///< the plain kernel with SFPNOPs, where only that is right
    std::vector<std::string> warnings_;
};

} // namespace sfpu::analysis
