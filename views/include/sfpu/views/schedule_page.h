// A schedule as a page for a browser: one file, which needs nothing else, to scroll, zoom and search through
// long runs.
#pragma once

#include <sfpu/analysis/instruction_profile.h>
#include <sfpu/analysis/kernel_file.h>
#include <sfpu/probe/observer.h>
#include <sfpu/probe/trace_options.h>

#include <iosfwd>
#include <memory>
#include <string>

namespace sfpu::views {

/// Writes events as they come: memory does not grow with the run, the file does.
class schedule_page : public probe::pipeline_observer {
public:
    /// `out` and `kernel` must outlive the page.
    schedule_page(std::ostream& out, const analysis::kernel_run& kernel, const probe::trace_options& options,
                  const std::string& title);
    ~schedule_page() override;

    void executed(const probe::execution_event& event) override;
    void stalled(const probe::stall_event& event) override;
    void forgotten(const probe::forgotten_event& event) override;
    void diagnosed(const diagnostic& what) override;

    /// Ends the file. `summary` is a line about the run; the page opens with the cycle `steady`. The profile
    /// stands beside `source`, the kernel's text.
    void finish(const std::string& summary, cycles steady, const std::string& source,
                const analysis::instruction_profile& profile);

private:
    struct implementation;
    std::unique_ptr<implementation> impl_;
};

} // namespace sfpu::views
