#include "schedule_pictures.h"

#include "options.h"

#include <sfpu/analysis/simulation.h>
#include <sfpu/common/shown_name.h>
#include <sfpu/views/run.h>

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <sstream>

namespace sfpu::cli {
namespace {

/// The name without directories: pictures must not depend on where the file stands.
std::string base_name(const std::string& file) { return shown_name(file.substr(file.find_last_of('/') + 1)); }

/// A drawing is kept until its end is known, and nobody looks at a longer one.
probe::trace_options drawable(probe::trace_options shown) {
    constexpr cycles most{20000};
    const cycles last = shown.from.value_or(cycles{}) + most - cycles{1};
    shown.to = std::min(shown.to.value_or(last), last);
    return shown;
}

/// A cycle in the middle of the loop.
cycles middle_of_loop(const platform::run_result& result) {
    if (result.segments.size() < 2) return cycles{};
    const platform::run_result::segment_span& loop = result.segments[1];
    return cycles{loop.first.count() + (loop.last.count() - loop.first.count()) / 2};
}

} // namespace

schedule_pictures::schedule_pictures(const kernel_run& kernel, const probe::trace_options& shown,
                                     const std::string& svg_file, const std::string& html_file)
    : kernel_(kernel), svg_file_(svg_file), drawn_(drawable(shown)),
      drawing_(drawn_, base_name(kernel.kernel().file)), svg_(svg_file), html_(html_file) {
    ends_early_ = !shown.to || *shown.to > *drawn_.to;
    if (html_.is_wanted())
        page_ =
            std::make_unique<schedule_page>(html_.stream(), kernel, shown, base_name(kernel.kernel().file));
}

std::vector<probe::pipeline_observer*> schedule_pictures::observers() {
    std::vector<probe::pipeline_observer*> wanted;
    if (svg_.is_wanted()) wanted.push_back(&drawing_);
    if (page_) wanted.push_back(page_.get());
    return wanted;
}

void schedule_pictures::finish(const platform::run_result& result, const std::string& source,
                               const analysis::instruction_profile& profile) {
    if (svg_.is_wanted()) write_drawing(result);
    if (page_) page_->finish(summary_line(kernel_, result), middle_of_loop(result), source, profile);
    html_.commit();
}

void schedule_pictures::write_drawing(const platform::run_result& result) {
    drawing_.summarise(summary_line(kernel_, result));
    std::ostringstream text;
    drawing_.print(text);
    svg_.stream() << text.str();
    svg_.commit();
    if (ends_early_ && result.last_cycle > *drawn_.to)
        fmt::print(stderr,
                   "{}: shows cycles {} to {} of {}; --from-cycle and --to-cycle choose others, and "
                   "--html shows all\n",
                   shown_name(svg_file_), drawn_.from.value_or(cycles{}).count(), drawn_.to->count(),
                   result.last_cycle.count());
}

} // namespace sfpu::cli
