// Machines larger than the chips (docs/exploration.md), from kernel to Dst. Cycles are derived by hand.
#include "kernel_runner.h"
#include "tree_path.h"

#include <sfpu/isa/machine.h>
#include <sfpu/isa/state.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

namespace sfpu::test {
namespace {

isa::kernel grown_kernel() {
    std::ifstream in(tree_path("tests/data/grown_machine.s"));
    std::ostringstream text;
    text << in.rdbuf();
    isa::assembly assembled = isa::assemble(text.str(), "grown_machine.s", architecture::blackhole);
    EXPECT_TRUE(assembled.ok()) << (assembled.ok() ? "" : assembled.errors.front().to_string());
    return std::move(assembled.program);
}

/// The same kernel for another machine.
isa::kernel with(isa::kernel kernel, const std::string& path, const std::string& value) {
    for (isa::config_setting& setting : kernel.config)
        if (setting.key == path) setting.value = value;
    return kernel;
}

std::uint32_t bits(float value) {
    std::uint32_t result;
    std::memcpy(&result, &value, sizeof result);
    return result;
}

/// What was executed in which cycle.
class execution_log : public probe::pipeline_observer {
public:
    void executed(const probe::execution_event& event) override {
        if (!event.discarded && event.takes_effect) events.push_back(event);
    }
    /// Cycles of the scheduled (or issued) instructions of an opcode.
    std::vector<std::int64_t> cycles_of(std::uint8_t opcode, probe::origin from, cycles since) const {
        std::vector<std::int64_t> result;
        for (const probe::execution_event& event : events)
            if (event.insn.is(opcode) && event.from == from && !(event.begin < since))
                result.push_back((event.begin - since).count());
        std::sort(result.begin(), result.end());
        return result;
    }
    std::vector<probe::execution_event> events;
};

// One row, from the cycle c of its SFPLOADMACRO on. Two words go in one cycle if the second finds its unit
// free and does not touch what the first writes; a macro word is never second.
//
//  c     sfploadmacro (Load)  and sfpiadd (Simple)
//  c + 1 sfpadd L5    (MAD 0) and sfpiadd (Simple)
//  c + 2 sfpiadd alone: the sfpmad behind it reads L5, which is visible two cycles after c + 1 (T3, T16)
//  c + 3 sfpmad L7    (MAD 1) and sfpiadd; MAD 0 executes the template of three rows before, see below
//  c + 4 sfpiadd alone: the next word is for Simple, too
//  c + 5 sfpiadd alone: the next word is a macro word
//
// So a row takes 6 cycles, and the next SFPLOADMACRO goes in c + 6. What a macro schedules with delay d
// executes d + 1 ticks later (T1); delays count cycles, so every cycle is a tick (T10): the MAD in c + 21 =
// (c + 18) + 3, the store, which reads L16 two cycles after that MAD, in c + 23.
TEST(grown_machine, runs_its_kernel_in_the_cycles_derived_by_hand) {
    const isa::kernel kernel = grown_kernel();
    ASSERT_EQ(kernel.expected_cycles_per_row, 6.0);
    for (const unsigned rows : {4u, 8u, 32u}) {
        execution_log log;
        run_options options;
        options.rows = rows;
        options.observer = &log;
        dst_contents before;
        for (unsigned row = 0; row < rows; ++row)
            before.put(2 * row, cell_type::word32, broadcast(bits(100.0f * static_cast<float>(row))));
        const kernel_outcome outcome = run_kernel(kernel, before, options);
        for (const auto& [id, count] : outcome.reports)
            if (id != "/sfpu/macro/drained-by-cycles" && id != "/sfpu/macro/other-than-chip")
                ADD_FAILURE() << id << ": " << count << " times";
        for (const std::uint64_t discarded : outcome.result.counters.discarded) EXPECT_EQ(discarded, 0u);

        const cycles start = outcome.result.segments[1].first;
        std::vector<std::int64_t> loads, adds, products, sums, stores;
        for (unsigned row = 0; row < rows; ++row) {
            loads.push_back(6 * row);
            adds.push_back(6 * row + 1);
            products.push_back(6 * row + 3);
            sums.push_back(6 * row + 21);
            stores.push_back(6 * row + 23);
        }
        using probe::origin;
        namespace opcode = isa::opcode;
        EXPECT_EQ(log.cycles_of(opcode::sfploadmacro, origin::issued, start), loads);
        EXPECT_EQ(log.cycles_of(opcode::sfpadd, origin::issued, start), adds);
        EXPECT_EQ(log.cycles_of(opcode::sfpmad, origin::issued, start), products);
        EXPECT_EQ(log.cycles_of(opcode::sfpmad, origin::macro, start), sums);
        EXPECT_EQ(log.cycles_of(opcode::sfpstore, origin::macro, start), stores);
        EXPECT_EQ(log.cycles_of(opcode::sfpiadd, origin::issued, start).size(), 6 * rows);
        EXPECT_EQ((start - outcome.result.first_issue).count() + 6 * (rows - 1) + 23 + 1,
                  outcome.result.cycles_used.count()); // the last store is the last effect

        // The MAD of row r reads L7 in the cycle in which row r + 3 computes its own, so it sees that of row
        // r + 2, or of the last row: after row k, L5 = 4 + k and L7 = 2 * L5 - 1.
        for (unsigned row = 0; row < rows; ++row) {
            const unsigned latest = std::min(row + 2, rows - 1);
            const float expected =
                100.0f * static_cast<float>(row) + 2.0f * static_cast<float>(4 + latest) - 1.0f;
            const lanes found = outcome.dst.get(2 * row, cell_type::word32);
            for (unsigned lane = 0; lane < lane_count; ++lane) ASSERT_EQ(found[lane], bits(expected)) << row;
        }
        EXPECT_EQ(outcome.state.lreg[4][0], 6 * rows);
    }
}

TEST(grown_machine, takes_as_long_unobserved) {
    const isa::kernel kernel = grown_kernel();
    EXPECT_EQ(run_kernel(kernel, dst_contents{}).cycles_per_row, 6.0);
}

// With one MAD unit the issued sfpmad of c + 3 finds it taken: it is discarded (T13) once the pipeline is
// full.
TEST(grown_machine, with_one_mad_unit_discards_what_the_second_one_would_execute) {
    const isa::kernel kernel = with(grown_kernel(), "sfpu.mad_units", "1");
    const kernel_outcome outcome = run_kernel(kernel, dst_contents{});
    EXPECT_EQ(outcome.result.counters.discarded[static_cast<unsigned>(isa::sub_unit::mad)],
              29u); // rows 3 to 31
    EXPECT_EQ(outcome.reports.count("/sfpu/issue/discarded-by-macro"), 1u);
}

// One word a cycle: nine words a row, and the sfpmad does not have to wait any more.
TEST(grown_machine, with_one_issue_slot_needs_nine_cycles_a_row) {
    const isa::kernel kernel = with(grown_kernel(), "sfpu.issue_width", "1");
    EXPECT_EQ(run_kernel(kernel, dst_contents{}).cycles_per_row, 9.0);
}

} // namespace
} // namespace sfpu::test
