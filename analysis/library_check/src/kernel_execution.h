// One run of a recorded kernel, and the time that it may take.
#pragma once

#include <sfpu/analysis/kernel_file.h>
#include <sfpu/analysis/session.h>
#include <sfpu/platform/program_runner.h>

#include <array>
#include <chrono>
#include <functional>
#include <optional>
#include <string>

namespace sfpu::analysis {

/// For each step of a trial: the seconds that it may take, and the session that may end it earlier.
class step_limit {
public:
    step_limit(const session& of, double seconds) : session_(of), seconds_(seconds) {}

    const session& of() const { return session_; }
    double seconds() const { return seconds_; }
    /// To be asked during a step that begins now: whether it must end.
    std::function<bool()> begin() const;
    /// "not finished after 120 seconds", or "interrupted".
    std::string reason() const;

private:
    const session& session_;
    double seconds_;
};

struct kernel_execution {
    std::string failure;                             ///< why there are no results; empty if there are
    std::optional<double> cycles_per_row;            ///< of steady state; none without a loop
    std::array<std::uint64_t, report_count> reports; ///< how often each, by report_id
};

/// Runs a kernel from the Dst of its request. A diagnostic that is an error is a failure.
kernel_execution execute(platform::program_runner& runner, kernel_run& kernel, const step_limit& limit);

} // namespace sfpu::analysis
