// The pictures of a schedule: a drawing (SVG), and a page for a browser (HTML).
#pragma once

#include <sfpu/analysis/instruction_profile.h>
#include <sfpu/analysis/kernel_file.h>
#include <sfpu/analysis/output_file.h>

#include <sfpu/platform/program_runner.h>
#include <sfpu/probe/observer.h>
#include <sfpu/probe/trace_options.h>
#include <sfpu/views/schedule_page.h>
#include <sfpu/views/svg_schedule.h>

#include <memory>
#include <string>
#include <vector>

namespace sfpu::cli {

/// An empty name asks for no picture. Files are opened at once and get their names when they are complete.
class schedule_pictures {
public:
    /// `kernel` must outlive this. Throws user_error if a file cannot be written.
    schedule_pictures(const analysis::kernel_run& kernel, const probe::trace_options& shown,
                      const std::string& svg_file, const std::string& html_file);

    bool are_wanted() const { return svg_.is_wanted() || html_.is_wanted(); }
    bool has_page() const { return html_.is_wanted(); } ///< which shows the profile
    /// To be told of what happens in the run.
    std::vector<probe::pipeline_observer*> observers();
    /// Completes the files. Says on standard error what a drawing leaves out that was not asked to end.
    /// `source` is the kernel's text.
    void finish(const platform::run_result& result, const std::string& source,
                const analysis::instruction_profile& profile);

private:
    void write_drawing(const platform::run_result& result);

    const analysis::kernel_run& kernel_;
    std::string svg_file_;
    bool ends_early_; ///< a drawing shows fewer cycles than were asked for
    probe::trace_options drawn_;
    views::svg_schedule drawing_;
    analysis::output_file svg_, html_;
    std::unique_ptr<views::schedule_page> page_;
};

} // namespace sfpu::cli
