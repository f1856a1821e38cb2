// What a row of a kernel takes in steady state, and of what.
#pragma once

#include <sfpu/analysis/kernel_file.h>

#include <sfpu/platform/program_runner.h>
#include <sfpu/probe/dependence_cycle.h>
#include <sfpu/probe/statistics.h>

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace sfpu::analysis {

/// In the order of reports.
constexpr isa::sub_unit reported_units[] = {isa::sub_unit::load, isa::sub_unit::simple, isa::sub_unit::mad,
                                            isa::sub_unit::round, isa::sub_unit::store};

/// Numbers of one row: differences between two short runs, so that filling and draining the pipeline leave no
/// trace.
struct row_profile {
    double cycles = 0, words = 0;
    unsigned issue_slots = 1; ///< words that a cycle can issue
    struct unit_share {
        unsigned instances = 1;
        double busy = 0;    ///< cycles of all instances; where nobody watched, of any
        double blocked = 0; ///< cycles in which a word for it is held and it does nothing
    };
    std::array<unit_share, probe::sub_unit_count> units; ///< by isa::sub_unit
    std::array<double, probe::stall_cause_count> held{}; ///< cycles in which a word is held, by cause
    std::map<std::int64_t, double> held_at;              ///< the same by the word's place in the loop
    std::vector<isa::sub_unit> unit_of_word; ///< by place in the loop; front_end for words of other units
    probe::dependence_cycle dependences;

    double all_held() const;
};

/// Runs the loop of a request whose segments are set-up, loop and tail. `watched` also fills in what is
/// blocked, where words are held, and the dependences.
row_profile profile_of(platform::program_runner& runner, platform::run_request request,
                       unsigned rows_per_iteration, bool watched);

} // namespace sfpu::analysis
