// The profile of a kernel, if a command wants it.
#pragma once

#include <sfpu/analysis/instruction_profile.h>
#include <sfpu/analysis/kernel_file.h>
#include <sfpu/analysis/steady_state.h>

#include <sfpu/platform/core_runner.h>
#include <sfpu/probe/observer.h>

#include <vector>

namespace sfpu::cli {

class wanted_profile {
public:
    /// `kernel` must outlive this. What happens in steady state is found at once, by a short run.
    wanted_profile(const analysis::kernel_run& kernel, bool is_wanted) : kernel_(kernel), counted_(kernel) {
        if (is_wanted) state_ = analysis::steady_state_of(runner_, kernel);
    }

    const analysis::steady_state& state() const { return state_; }
    /// To be told of what happens in the run.
    probe::pipeline_observer* observer() { return &counted_; }
    /// After the run.
    analysis::instruction_profile found() {
        return analysis::instruction_profile_of(runner_, kernel_, counted_, state_);
    }

private:
    const analysis::kernel_run& kernel_;
    platform::core_runner runner_;
    analysis::instruction_watch counted_;
    analysis::steady_state state_;
};

} // namespace sfpu::cli
