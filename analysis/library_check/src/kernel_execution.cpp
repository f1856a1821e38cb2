#include "kernel_execution.h"

#include <sfpu/analysis/misc_watch.h>

#include <fmt/format.h>

namespace sfpu::analysis {
namespace {

/// Counts, and keeps the first error.
struct report_counter : diagnostic_sink {
    void diagnose(const diagnostic& what) override {
        ++counts[static_cast<unsigned>(what.id)];
        if (what.level == severity::error && !error) error = what;
    }
    std::array<std::uint64_t, report_count> counts{};
    std::optional<diagnostic> error;
};

} // namespace

std::function<bool()> step_limit::begin() const {
    const auto end =
        std::chrono::steady_clock::now() + std::chrono::duration_cast<std::chrono::steady_clock::duration>(
                                               std::chrono::duration<double>(seconds_));
    return [this, end] { return session_.is_over() || std::chrono::steady_clock::now() >= end; };
}

std::string step_limit::reason() const {
    return session_.is_over() ? "interrupted" : fmt::format("not finished after {:g} seconds", seconds_);
}

kernel_execution execute(platform::program_runner& runner, kernel_run& kernel, const step_limit& limit) {
    report_counter counter;
    misc_watch watch(kernel.kernel().arch, [&](std::int64_t word) { return kernel.in_loop(word); });
    platform::run_request& request = kernel.request();
    request.diagnostics = &counter;
    if (misc_watch::concerns(kernel.kernel().arch)) request.observer = &watch;
    bool late = false;
    request.stop = [&, ended = limit.begin()](std::uint64_t) { return late = late || ended(); };
    const platform::run_result result = runner.run(request);
    request.stop = nullptr;
    probe::reporter at_the_end;
    at_the_end.reset(&counter, request.hazards, nullptr);
    watch.judge(runner.state(), at_the_end);
    request.observer = nullptr;
    request.diagnostics = nullptr;

    kernel_execution execution{"", std::nullopt, counter.counts};
    if (late) execution.failure = limit.reason();
    else if (const auto& error = counter.error) {
        const std::string place = kernel.location(*error);
        execution.failure = fmt::format("{}: {}: {}", place.substr(place.rfind('/') + 1),
                                        describe(error->id).name, kernel.message(*error));
    } else if (kernel.rows() != 0) execution.cycles_per_row = kernel.cycles_per_row(result);
    return execution;
}

} // namespace sfpu::analysis
