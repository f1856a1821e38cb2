#include <sfpu/analysis/bench.h>

#include "bench_loops.h"
#include "bench_tile.h"

#include <sfpu/analysis/errors.h>

#include <sfpu/common/thread_time.h>
#include <sfpu/isa/table.h>
#include <sfpu/platform/core_runner.h>
#include <sfpu/platform/sfpu_bench.h>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <memory>
#include <numeric>
#include <thread>

namespace sfpu::analysis {
namespace {

bool is_firmware(const std::string& name) {
    const std::vector<std::string> names = tile_bench::kernels();
    return std::find(names.begin(), names.end(), name) != names.end();
}

const bench_loop& loop_named(const std::string& name) {
    if (const bench_loop* loop = find_bench_loop(name)) return *loop;
    const std::vector<std::string> names = bench_kernel_names();
    throw user_error("--kernel: " + (name.empty() ? "nothing found" : "found '" + name + "'") +
                     fmt::format(", expected one of {}", fmt::join(names, ", ")) + suggestion(name, names));
}

/// Instructions and cycles of all together.
speed_measurement sum_of_runs(const std::vector<platform::run_result>& results, double seconds) {
    speed_measurement sum;
    sum.seconds = seconds;
    for (const platform::run_result& result : results) {
        const probe::unit_counters& counters = result.counters;
        sum.instructions += counters.instructions;
        sum.executed += counters.executed();
        sum.cycles += static_cast<std::uint64_t>(result.cycles_used.count());
    }
    return sum;
}

/// The same on all benches.
speed_measurement measure_together(const std::vector<platform::sfpu_bench*>& benches,
                                   const platform::run_request& request) {
    const double start = thread_seconds();
    const std::vector<platform::run_result> results = platform::sfpu_bench::run_together(benches, request);
    return sum_of_runs(results, thread_seconds() - start);
}

/// The same on all cores, one after the other in each thread; seconds are those of all threads together.
speed_measurement measure_on_cores(std::vector<platform::core_runner>& cores,
                                   const platform::run_request& request, unsigned threads) {
    std::vector<platform::run_result> results(cores.size());
    std::vector<double> seconds(threads);
    const auto work = [&](unsigned thread) {
        const double start = thread_seconds();
        for (std::size_t i = thread; i < cores.size(); i += threads) results[i] = cores[i].run(request);
        seconds[thread] = thread_seconds() - start;
    };
    std::vector<std::thread> others;
    for (unsigned thread = 1; thread < threads; ++thread) others.emplace_back(work, thread);
    work(0);
    for (std::thread& other : others) other.join();
    return sum_of_runs(results, std::accumulate(seconds.begin(), seconds.end(), 0.0));
}

/// Warms up and then runs for about half a second. `run` takes a number of instructions.
template <class Run>
speed_measurement measure_at_length(Run run) {
    constexpr double wanted_seconds = 0.5, enough_to_estimate = 0.05;
    std::uint64_t count = 10'000;
    for (;;) {
        const speed_measurement trial = run(count);
        if (trial.seconds >= enough_to_estimate) {
            count = static_cast<std::uint64_t>(static_cast<double>(count) * wanted_seconds / trial.seconds);
            break;
        }
        count *= 4;
    }
    return run(std::max<std::uint64_t>(count, 1));
}

speed_measurement run_loop(const bench_request& wanted) {
    const bench_loop& kernel = loop_named(wanted.kernel);
    const std::vector<std::uint32_t> loop = loop_words(kernel, wanted.config.arch);
    platform::run_request request = make_request(kernel, wanted.config);
    const auto run_times = [&](auto measure_request) {
        const auto run = [&](std::uint64_t count) {
            set_instructions(request, loop, count);
            return measure_request();
        };
        return wanted.instructions ? run(*wanted.instructions) : measure_at_length(run);
    };
    if (wanted.core) {
        std::vector<platform::core_runner> cores(wanted.units);
        return run_times(
            [&] { return measure_on_cores(cores, request, std::min(wanted.threads, wanted.units)); });
    }
    std::vector<std::unique_ptr<platform::sfpu_bench>> benches(wanted.units);
    std::vector<platform::sfpu_bench*> all;
    for (auto& bench : benches) {
        bench = std::make_unique<platform::sfpu_bench>();
        all.push_back(bench.get());
    }
    return run_times([&] { return measure_together(all, request); });
}

speed_measurement run_firmware(const bench_request& wanted) {
    if (wanted.core)
        throw user_error("--core: kernel " + wanted.kernel + " runs on a tile, which needs SystemC");
    if (wanted.units != 1) throw user_error("--units: kernel " + wanted.kernel + " has one vector unit");
    tile_bench bench(wanted.kernel, wanted.config);
    if (wanted.instructions && *wanted.instructions < bench.least_instructions())
        throw user_error(
            fmt::format("--instructions: found {}, expected at least {}, the set-up of kernel {}",
                        *wanted.instructions, bench.least_instructions(), wanted.kernel));
    const auto run = [&](std::uint64_t count) {
        const double start = thread_seconds();
        const tile_bench::run measured = bench.measure(count);
        return speed_measurement{measured.issued, measured.executed, measured.cycles,
                                 thread_seconds() - start, measured.hart_instructions};
    };
    return wanted.instructions ? run(*wanted.instructions) : measure_at_length(run);
}

} // namespace

std::vector<std::string> bench_kernel_names() {
    std::vector<std::string> names = bench_loop_names();
    for (const std::string& name : tile_bench::kernels()) names.push_back(name);
    return names;
}

bench_answer measure_speed(const bench_request& request) {
    return {request.kernel, request.config.arch, isa::vector_target(),
            is_firmware(request.kernel) ? run_firmware(request) : run_loop(request)};
}

} // namespace sfpu::analysis
