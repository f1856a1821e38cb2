// What a vector unit has counted in a run.
#pragma once

#include <sfpu/common/report.h>
#include <sfpu/isa/thread_state.h>
#include <sfpu/probe/observer.h>

#include <array>
#include <cstdint>
#include <map>
#include <numeric>

namespace sfpu::probe {

constexpr unsigned sub_unit_count = 5; ///< simple, mad, round, store, load, as isa::sub_unit numbers them

/// The unit counts in it, statistics, `exec`, tables and tests read it. All but the sums of Dst are also
/// events.
struct unit_counters {
    using by_sub_unit = std::array<std::uint64_t, sub_unit_count>;

    std::uint64_t words = 0;        ///< issued, front-end words included
    std::uint64_t instructions = 0; ///< issued SFPU instructions, discarded ones and SFPNOP included
    by_sub_unit issued{};           ///< instructions, without the discarded ones
    by_sub_unit scheduled{};        ///< instructions placed by macros that executed
    by_sub_unit discarded{};        ///< instructions issued and replaced by a scheduled one
    /// Cycles in which an instruction other than SFPNOP starts, and those in which SFPSWAP or a two-cycle
    /// SFPSHFT2 keeps others out. The second cycle of a MAD does not count, as the next one may start in it.
    /// No cycle counts twice.
    by_sub_unit busy{};
    using by_stall_cause = std::array<std::uint64_t, stall_cause_count>;
    by_stall_cause stalls{}; ///< cycles by stall_cause, those of all threads together
    std::array<by_stall_cause, isa::thread_count> stalls_by_thread{};
    std::array<std::uint64_t, report_count> reports{}; ///< occurrences by report_id
    std::uint64_t macros_launched = 0, macros_forgotten = 0;
    unsigned macro_max_outstanding = 0;
    std::uint64_t dst_reads = 0, dst_writes = 0;        ///< slices of 32 lanes
    std::map<std::uint8_t, std::uint64_t> not_modelled; ///< issued words of other Tensix units, by opcode

    void count_stall(stall_cause cause, std::uint8_t thread, std::uint64_t cycles) {
        stalls[static_cast<unsigned>(cause)] += cycles;
        stalls_by_thread[thread][static_cast<unsigned>(cause)] += cycles;
    }
    /// Issued and scheduled instructions.
    std::uint64_t executed() const {
        return std::accumulate(scheduled.begin(), scheduled.end(), instructions);
    }
};

} // namespace sfpu::probe
