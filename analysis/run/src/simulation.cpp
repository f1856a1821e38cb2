#include <sfpu/analysis/simulation.h>

#include <sfpu/analysis/misc_watch.h>
#include <sfpu/probe/reporter.h>

namespace sfpu::analysis {
namespace {

/// Knows the latest cycle that has begun.
class clock_watch : public probe::pipeline_observer {
public:
    void cycle_begins(const probe::cycle_event& event) override { latest = event.at; }
    cycles latest{};
};

} // namespace

simulation simulate(platform::program_runner& runner, kernel_run& kernel, const simulation_options& how,
                    const session& caller) {
    simulation done;
    done.diagnostics = diagnostic_summary(how.strict, allowances(kernel.kernel()));
    done.wanted_rows = kernel.rows();
    misc_watch armed(kernel.kernel().arch, [&kernel](std::int64_t word) { return kernel.in_loop(word); });
    clock_watch clock;
    probe::observer_list observers;
    if (misc_watch::concerns(kernel.kernel().arch)) observers.add(armed);
    for (probe::pipeline_observer* each : how.observers) observers.add(*each);
    if (how.end_behind) observers.add(clock);

    platform::run_request& request = kernel.request();
    request.observer = observers.empty() ? nullptr : &observers;
    request.diagnostics = &done.diagnostics;
    request.stop = [&](std::uint64_t iterations) {
        caller.advance(iterations * kernel.kernel().rows_per_iteration + kernel.kernel().peeled_rows,
                       done.wanted_rows);
        done.interrupted = caller.is_interrupted() || caller.is_late();
        if (!done.interrupted && !(how.end_behind && clock.latest.count() > *how.end_behind)) return false;
        kernel.end_after(iterations);
        return true;
    };
    done.result = runner.run(request);
    request.stop = nullptr;
    request.observer = nullptr;
    request.diagnostics = nullptr;
    probe::reporter at_the_end;
    at_the_end.reset(&done.diagnostics, request.hazards, nullptr);
    armed.judge(runner.state(), at_the_end);
    return done;
}

} // namespace sfpu::analysis
