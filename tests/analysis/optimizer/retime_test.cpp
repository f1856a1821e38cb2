// What one row asks of itself, from which retiming refutes many intervals at once, before all clauses of
// each.
#include "schedule_lab.h"

#include <sfpu/optimizer/search.h>
#include <sfpu/optimizer/structure.h>

#include <gtest/gtest.h>

#include <cstdlib>
#include <optional>

namespace sfpu::test {
namespace {

using optimizer::formula;
using optimizer::outcome;

unsigned seeds() { return std::getenv("SFPU_NIGHTLY") ? 2000 : 60; }

optimizer::structure structure_of(const optimizer::graph& of, const optimizer::schedule& found) {
    const auto line = [&](int node) { return of.nodes[static_cast<unsigned>(node)].line; };
    optimizer::structure kept;
    for (const optimizer::placed_load& load : found.loads) {
        if (load.host_only) continue;
        optimizer::kept_place place;
        place.line = line(load.node);
        place.unit = isa::sub_unit::load;
        place.time = load.time;
        place.macro = load.macro;
        kept.push_back(place);
    }
    for (const optimizer::placed_operation& operation : found.operations) {
        optimizer::kept_place place;
        place.line = line(operation.node);
        place.issued = operation.issued;
        if (!operation.issued)
            place.parent_line = line(found.loads[static_cast<unsigned>(operation.parent)].node);
        place.unit = of.nodes[static_cast<unsigned>(operation.node)].forms[operation.how].unit;
        place.time = operation.time;
        kept.push_back(place);
    }
    return kept;
}

judged_limits limits_of(const schedule_lab& lab, unsigned interval, unsigned rows) {
    judged_limits limits;
    limits.interval = interval;
    limits.rows = rows;
    limits.horizon = optimizer::horizon_for(lab.graph(), interval);
    limits.copies = 1;
    return limits;
}

/// A schedule of the kernel's own machine is to be kept on a slower one.
struct kept_kernel {
    std::optional<schedule_lab> slow;
    optimizer::structure kept;
};

kept_kernel kept_of(unsigned seed) {
    std::mt19937 numbers(seed);
    kept_kernel made;
    try {
        const std::string text =
            random_kernel(numbers, architecture::blackhole, 3 + numbers() % 4, false, true);
        const schedule_lab fast(text, {{"sfpu.latency.mad", "1"}});
        const unsigned interval = optimizer::lower_bound(fast.graph(), fast.machine()).interval + 1;
        optimizer::schedule drawn;
        if (!formula_judge(fast, limits_of(fast, interval, 1)).draw(numbers, drawn)) return made;
        made.kept = structure_of(fast.graph(), drawn);
        made.slow.emplace(text, machine_settings{{"sfpu.latency.mad", "5"}, {"macro.delay_bits", "2"}});
    } catch (const unusable_kernel&) {
        made.slow.reset();
    }
    return made;
}

outcome asked(const schedule_lab& lab, const judged_limits& limits) {
    return optimizer::solve(formula(lab.graph(), lab.machine(), limits).clauses(), {}, {}).result;
}

TEST(retiming, what_one_row_refutes_has_no_schedule_at_that_interval_or_a_shorter_one) {
    unsigned refuted = 0, allowed = 0;
    for (unsigned seed = 1; seed <= seeds(); ++seed) {
        const kept_kernel one = kept_of(seed);
        if (!one.slow) continue;
        const schedule_lab& lab = *one.slow;
        const unsigned floor = optimizer::lower_bound(lab.graph(), lab.machine()).interval;
        for (const unsigned rows : {1u, 2u}) {
            bool refuted_here = false;
            for (unsigned interval = floor + 9; interval >= floor; interval -= 3) {
                judged_limits limits = limits_of(lab, interval, rows);
                limits.keep = &one.kept;
                limits.one_row = true;
                const bool by_one_row = asked(lab, limits) == outcome::refuted;
                EXPECT_TRUE(by_one_row || !refuted_here)
                    << "a longer interval was refuted, not " << interval << "; seed " << seed;
                refuted_here |= by_one_row;
                limits.one_row = false;
                const outcome all = asked(lab, limits);
                EXPECT_TRUE(all == outcome::refuted || !refuted_here) << interval << " cycles, seed " << seed;
                refuted += refuted_here;
                allowed += all == outcome::satisfiable;
                if (interval < floor + 3) break;
            }
        }
    }
    EXPECT_GT(refuted, seeds() / 4);
    EXPECT_GT(allowed, seeds() / 4);
    RecordProperty("refuted", static_cast<int>(refuted));
    RecordProperty("allowed", static_cast<int>(allowed));
}

} // namespace
} // namespace sfpu::test
