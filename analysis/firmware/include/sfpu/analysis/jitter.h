// What a run of firmware changes when its pushes are delayed: the question of the vendor's NOP injector.
#pragma once

#include <sfpu/common/report.h>
#include <sfpu/common/types.h>
#include <sfpu/riscv/push_jitter.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

namespace sfpu::analysis {

struct changed_register {
    std::string name;
    std::uint32_t without = 0, with = 0;
};
struct changed_report {
    report_id id{};
    std::uint64_t without = 0, with = 0; ///< how often
};

/// The run with delays beside the one without.
struct jitter_answer {
    riscv::push_jitter how;
    riscv::jitter_counters done;

    std::string ending_without, ending_with;
    bool succeeded_without = false;
    bool ending_changed = false; ///< another outcome, or another word in `tohost`
    cycles cycles_without{}, cycles_with{};

    std::uint64_t dst_cells = 0;          ///< that differ, of 16 bits
    unsigned dst_row = 0, dst_column = 0; ///< of the first one
    std::uint64_t l1_bytes = 0;           ///< that differ
    std::uint32_t l1_address = 0;         ///< of the first one
    bool printed_changed = false;
    std::vector<changed_register> registers;
    std::vector<changed_report> reports;

    /// Whether a report came in one of the runs and not in the other.
    bool reports_changed() const {
        return std::any_of(reports.begin(), reports.end(), [](const changed_report& each) {
            return (each.without == 0) != (each.with == 0);
        });
    }
    /// Whether the delays changed what the program is for: its ending, Dst, L1, its output, or which reports
    /// came. Registers are shown, and decide nothing: they also hold what nobody reads any more.
    bool changed() const {
        return ending_changed || dst_cells != 0 || l1_bytes != 0 || printed_changed || reports_changed();
    }
};

} // namespace sfpu::analysis
