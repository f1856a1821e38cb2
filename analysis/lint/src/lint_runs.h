// The runs of a check: a kernel with four sets of inputs, with bubbles, on machines that answer open
// questions otherwise.
#pragma once

#include "execution_trace.h"
#include "issued_program.h"
#include "work_crew.h"

#include <sfpu/analysis/lint.h>
#include <sfpu/platform/core_runner.h>

#include <array>
#include <exception>
#include <map>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace sfpu::analysis {

/// The rows of Dst that are not those of the run without bubbles, in their order.
using changed_rows = std::vector<std::pair<unsigned, platform::dst_row>>;

std::optional<dst_difference> find_difference(const platform::dst_image& expected,
                                              const changed_rows& changed);

/// What is to be run. Nothing else decides the outcome.
struct planned_run {
    unsigned data = 0;    ///< number of the data set
    unsigned machine = 0; ///< 0: as configured
    bubble_schedule bubbles;

    bool operator<(const planned_run& other) const {
        if (data != other.data) return data < other.data;
        if (machine != other.machine) return machine < other.machine;
        return bubbles < other.bubbles;
    }
};

/// What a run gave, compared with the run of the same data without bubbles.
struct run_outcome {
    changed_rows changed;
    bool changes_registers = false; ///< LRegs or lane flags at the end
    std::uint64_t discards = 0;     ///< by macros
    cycles first_issue{};
    platform::question_reach reach; ///< what the run met
    bool collides = true, stalls = true;
};

/// Inputs, and what the kernel makes of them without bubbles.
struct data_set {
    platform::run_request request;
    platform::dst_image expected{};
    isa::vector_state state;
    execution_trace trace;
    std::uint64_t discards = 0;
};

/// Does the runs one after another, and asks and tells the user before each. With more than one job, runs
/// that will probably be asked for can be prepared: they are done by several threads then, each with a runner
/// of its own, and count when they are asked for. What is asked for and was not prepared is run at once, and
/// what was prepared for nothing is forgotten, so that the number of jobs changes nothing but the time.
class lint_runs {
public:
    /// The user wants no more runs.
    struct interruption {};

    /// `machines`: the configured one first. The runner and the options must outlive this. With fewer jobs
    /// than the options say if there are not `at_least` runs enough for them.
    lint_runs(platform::program_runner& runner, const issued_program& program,
              const platform::run_request& base, std::vector<parameters> machines,
              const lint_options& options, std::uint64_t at_least);

    static constexpr unsigned data_count = 4;
    const data_set& data(unsigned number) const { return data_[number]; }
    std::uint64_t count() const { return count_; }
    /// About how many runs there will be, for lint_options::progress.
    void expect(std::uint64_t runs) { expected_ = runs; }

    /// The run that others of these data are compared with. Comes before them.
    run_outcome without_bubbles(unsigned data, diagnostic_sink& diagnostics);
    run_outcome play(const planned_run& what);
    /// With other inputs than those of the data set, as configured, without bubbles.
    run_outcome play_from(const platform::run_request& inputs, unsigned data);
    execution_trace traced(const planned_run& what);
    /// One more run, which is done or known to be like another.
    void count_run();

    /// Whether preparing is of use.
    bool prepares() const { return jobs_ > 1; }
    /// How many runs to prepare at a time.
    std::size_t batch() const;
    /// Does these runs. Those that were prepared before stay so.
    void prepare(const std::vector<planned_run>& runs);
    /// Null if it was not prepared, or failed, which play() says.
    const run_outcome* prepared(const planned_run& what) const;
    void forget_prepared() { prepared_.clear(); }

private:
    /// Who runs: each hand of the crew has its own.
    struct station {
        std::unique_ptr<platform::core_runner> own; ///< nothing: the runner is the caller's
        platform::program_runner* runner;
        std::array<platform::run_request, data_count> requests;
    };
    struct prepared_run {
        run_outcome outcome;
        std::exception_ptr failure;
    };

    station new_station(platform::program_runner* runner) const;
    run_outcome run(station& at, const planned_run& what) const;
    run_outcome outcome_of(unsigned data, const platform::run_result& result,
                           const platform::program_runner& runner) const;

    const lint_options& options_;
    unsigned jobs_;
    std::vector<parameters> machines_;
    isa::word_encoding words_;
    std::array<data_set, data_count> data_;
    std::vector<std::unique_ptr<station>> stations_; ///< by hand; each hand makes its own
    std::map<planned_run, prepared_run> prepared_;
    std::uint64_t count_ = 0, expected_ = 0;
    std::optional<work_crew> crew_; ///< from the first prepare() on; its threads end before what they use
};

} // namespace sfpu::analysis
