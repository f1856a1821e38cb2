// The kernels of the repository: right results at the published throughput, against arithmetic that knows nothing of the
// model. Expected cycles: timing.md, "Published throughputs to reproduce".
#include "kernel_catalogue.h"

#include <sfpu/isa/table.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <ostream>
#include <set>

namespace sfpu::test {

void PrintTo(const kernel_case& kernel, std::ostream* out) { *out << kernel.name; }

namespace {

// --- every kernel --------------------------------------------------------------------------------------------------

/// Counts executions by sub-unit between two cycles of the run.
class execution_counter : public probe::pipeline_observer {
public:
    void executed(const probe::execution_event& event) override {
        const auto unit = static_cast<std::size_t>(event.unit);
        if (unit < 5 && !event.discarded && event.insn.latency != isa::latency_class::none)
            begins_[unit].insert(event.begin.count());
    }
    unsigned count(unsigned unit, cycles from, cycles to) const {
        return static_cast<unsigned>(std::distance(begins_[unit].lower_bound(from.count()),
                                                   begins_[unit].lower_bound(to.count())));
    }

private:
    std::array<std::multiset<std::int64_t>, 5> begins_;
};

class every_kernel : public testing::TestWithParam<kernel_case> {
protected:
    const kernel_case& expected() const { return GetParam(); }
    isa::kernel program() const { return load_kernel(expected().file, expected().arch); }
    kernel_outcome run(const run_options& options = {}) const {
        return run_kernel(program(), inputs_for(expected(), 1), options);
    }
};

TEST_P(every_kernel, leaves_exactly_the_right_results_in_dst_for_a_tile_of_random_and_corner_case_inputs) {
    ASSERT_EQ(rows_of(program()), 32u);
    for (std::uint64_t seed = 1; seed <= case_count(20); ++seed) ASSERT_EQ(wrong_result(expected(), seed), "") << seed;
}

TEST_P(every_kernel, is_right_for_any_number_of_iterations_so_that_first_and_last_rows_need_no_neighbours) {
    const unsigned step = program().rows_per_iteration;
    for (unsigned rows = step; rows <= 12; rows += step) {
        run_options options;
        options.rows = rows;
        EXPECT_EQ(wrong_result(expected(), rows, options), "") << rows << " rows";
    }
}

TEST_P(every_kernel, runs_at_its_published_throughput) {
    EXPECT_EQ(run().cycles_per_row, expected().cycles_per_row);
}

TEST_P(every_kernel, expects_its_published_throughput_itself) {
    ASSERT_TRUE(program().expected_cycles_per_row.has_value());
    EXPECT_EQ(*program().expected_cycles_per_row, expected().cycles_per_row);
}

TEST_P(every_kernel, reports_nothing) {
    for (const auto& [id, count] : run().reports) ADD_FAILURE() << id << ": " << count << " times";
}

TEST_P(every_kernel, never_stalls) {
    for (const std::uint64_t held : run().result.counters.stalls) EXPECT_EQ(held, 0u);
}

TEST_P(every_kernel, keeps_its_sub_units_as_busy_as_its_schedule_says) {
    execution_counter counter;
    run_options options;
    options.observer = &counter;
    const kernel_outcome outcome = run(options);
    const platform::run_result::segment_span& loop = outcome.result.segments[1];
    const unsigned rows = rows_of(program()) - program().rows_per_iteration;
    for (unsigned unit = 0; unit < 5; ++unit) {
        // The pipeline is empty when the loop begins, so that scheduled executions are counted from the second row on.
        const cycles latency{16};
        EXPECT_EQ(counter.count(unit, loop.first, loop.last + latency + latency) >= rows * expected().executions_per_row[unit],
                  true)
            << isa::to_string(static_cast<isa::sub_unit>(unit));
    }
}

INSTANTIATE_TEST_SUITE_P(kernels, every_kernel, testing::ValuesIn(kernel_catalogue()),
                         [](const auto& info) { return std::string(info.param.name); });

}  // namespace
}  // namespace sfpu::test
