#include "lint_runs.h"

#include <sfpu/analysis/dst_filling.h>
#include <sfpu/isa/machine.h>

#include <algorithm>
#include <cstring>
#include <numeric>

namespace sfpu::analysis {
namespace {

changed_rows rows_changed(const platform::dst_image& expected, const platform::dst_image& got) {
    changed_rows changed;
    if (std::memcmp(expected.data(), got.data(), sizeof expected) == 0) return changed;
    for (unsigned row = 0; row < expected.size(); ++row)
        if (expected[row] != got[row]) changed.emplace_back(row, got[row]);
    return changed;
}

bool same_registers(const isa::vector_state& a, const isa::vector_state& b) {
    for (unsigned lreg = 0; lreg < isa::lreg_count; ++lreg)
        if (!std::equal(std::begin(a.lreg[lreg].v), std::end(a.lreg[lreg].v), std::begin(b.lreg[lreg].v)))
            return false;
    return a.flags == b.flags && a.use_flags == b.use_flags;
}

std::uint64_t discards_of(const probe::unit_counters& counters) {
    return std::accumulate(counters.discarded.begin(), counters.discarded.end(), std::uint64_t{0});
}

/// A thread and a runner take as long as some twenty runs.
constexpr unsigned runs_for_a_job = 64;

unsigned useful_jobs(unsigned jobs, std::uint64_t runs) {
    const std::uint64_t most = std::min<std::uint64_t>(jobs, runs / runs_for_a_job);
    return std::max(static_cast<unsigned>(most), 1u);
}

} // namespace

std::optional<dst_difference> find_difference(const platform::dst_image& expected,
                                              const changed_rows& changed) {
    if (changed.empty()) return std::nullopt;
    const auto& [row, got] = changed.front();
    unsigned column = 0;
    while (expected[row][column] == got[column]) ++column;
    dst_difference found;
    found.row = row;
    found.column = column;
    found.expected = expected[row][column];
    found.got = got[column];
    return found;
}

lint_runs::lint_runs(platform::program_runner& runner, const issued_program& program,
                     const platform::run_request& base, std::vector<parameters> machines,
                     const lint_options& options, std::uint64_t at_least)
    : options_(options), jobs_(useful_jobs(options.jobs, at_least)), machines_(std::move(machines)),
      words_(isa::make_machine(machines_.front()).encoding()), stations_(jobs_) {
    random_source random(options.seed);
    constexpr dst_filling fillings[data_count] = {dst_filling::mixture, dst_filling::mixture,
                                                  dst_filling::wide_extremes, dst_filling::narrow_extremes};
    for (unsigned i = 0; i < data_count; ++i) {
        platform::run_request& request = data_[i].request;
        request = base;
        request.segments = program.segments();
        request.bubbles.clear();
        request.dst_rows.clear();
        request.observer = nullptr;
        request.diagnostics = nullptr;
        request.asks_reach = true;
        fill_dst(request, fillings[i], random);
        fill_registers(request, random);
    }
    stations_.front() = std::make_unique<station>(new_station(&runner));
}

void lint_runs::count_run() {
    if (options_.interrupted && options_.interrupted()) throw interruption{};
    ++count_;
    if (options_.progress) options_.progress(count_, std::max(count_, expected_));
}

run_outcome lint_runs::outcome_of(unsigned data, const platform::run_result& result,
                                  const platform::program_runner& runner) const {
    const data_set& usual = data_[data];
    const auto& stalls = result.counters.stalls;
    run_outcome outcome;
    outcome.changed = rows_changed(usual.expected, runner.dst());
    outcome.changes_registers = !same_registers(usual.state, runner.state());
    outcome.discards = discards_of(result.counters);
    outcome.first_issue = result.first_issue;
    outcome.reach = result.reach;
    outcome.collides = result.counters.reports[static_cast<unsigned>(report_id::hazard_write_collision)] != 0;
    outcome.stalls = std::any_of(stalls.begin(), stalls.end(), [](const auto& count) { return count != 0; });
    return outcome;
}

run_outcome lint_runs::run(station& at, const planned_run& what) const {
    platform::run_request& request = at.requests[what.data];
    request.bubbles = what.bubbles;
    request.config = machines_[what.machine];
    const platform::run_result result = at.runner->run(request);
    return outcome_of(what.data, result, *at.runner);
}

run_outcome lint_runs::without_bubbles(unsigned number, diagnostic_sink& diagnostics) {
    count_run();
    data_set& data = data_[number];
    station& own = *stations_.front();
    platform::run_request& request = own.requests[number];
    trace_recorder recorder(own.runner->state(), own.runner->thread(), words_, request.state);
    request.observer = &recorder;
    request.diagnostics = &diagnostics;
    const platform::run_result result = own.runner->run(request);
    request.observer = nullptr;
    request.diagnostics = nullptr;
    data.trace = recorder.take();
    data.expected = own.runner->dst();
    data.state = own.runner->state();
    data.discards = discards_of(result.counters);
    return outcome_of(number, result, *own.runner);
}

run_outcome lint_runs::play(const planned_run& what) {
    count_run();
    const auto known = prepared_.find(what);
    if (known == prepared_.end()) return run(*stations_.front(), what);
    if (known->second.failure) std::rethrow_exception(known->second.failure);
    return known->second.outcome;
}

run_outcome lint_runs::play_from(const platform::run_request& inputs, unsigned data) {
    count_run();
    platform::program_runner& runner = *stations_.front()->runner;
    const platform::run_result result = runner.run(inputs);
    return outcome_of(data, result, runner);
}

execution_trace lint_runs::traced(const planned_run& what) {
    count_run();
    station& own = *stations_.front();
    platform::run_request& request = own.requests[what.data];
    trace_recorder recorder(own.runner->state(), own.runner->thread(), words_, request.state);
    request.observer = &recorder;
    run(own, what);
    request.observer = nullptr;
    return recorder.take();
}

// --- ahead -------------------------------------------------------------------------------------------------

/// So many that waking threads takes little of the time, and that an interruption does not wait for long.
std::size_t lint_runs::batch() const {
    constexpr std::size_t most = 1024;
    return std::min<std::size_t>(jobs_ * runs_for_a_job, most);
}

lint_runs::station lint_runs::new_station(platform::program_runner* runner) const {
    station made;
    if (!runner) made.own = std::make_unique<platform::core_runner>();
    made.runner = runner ? runner : made.own.get();
    for (unsigned i = 0; i < data_count; ++i) made.requests[i] = data_[i].request;
    return made;
}

void lint_runs::prepare(const std::vector<planned_run>& runs) {
    if (!prepares()) return;
    std::vector<std::map<planned_run, prepared_run>::iterator> to_do;
    for (const planned_run& each : runs)
        if (const auto [at, is_new] = prepared_.try_emplace(each); is_new) to_do.push_back(at);
    if (to_do.empty()) return;
    if (!crew_) crew_.emplace(jobs_);
    crew_->share(to_do.size(), [&](unsigned hand, std::size_t index) {
        prepared_run& result = to_do[index]->second;
        try {
            if (!stations_[hand]) stations_[hand] = std::make_unique<station>(new_station(nullptr));
            result.outcome = run(*stations_[hand], to_do[index]->first);
        } catch (...) {
            result.failure = std::current_exception();
        }
    });
}

const run_outcome* lint_runs::prepared(const planned_run& what) const {
    const auto known = prepared_.find(what);
    return known == prepared_.end() || known->second.failure ? nullptr : &known->second.outcome;
}

} // namespace sfpu::analysis
