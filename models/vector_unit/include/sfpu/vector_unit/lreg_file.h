// State that the sub-units share, as in the hardware: LRegs with results under way, lane flags, address counters.
#pragma once

#include <sfpu/common/parameters.h>
#include <sfpu/isa/machine.h>
#include <sfpu/isa/state.h>
#include <sfpu/isa/thread_state.h>
#include <sfpu/probe/reporter.h>
#include <sfpu/probe/unit_counters.h>
#include <sfpu/timing/issue_rules.h>
#include <sfpu/timing/write_back.h>

#include <array>
#include <cstdint>

namespace sfpu {

/// The name under which a wait is counted and published.
probe::stall_cause cause_of(timing::hold_cause cause);

/// Not a bus target: the composite owns it and gives each module a reference.
struct lreg_file {
    parameters config;
    isa::machine machine; ///< what they make
    isa::vector_state state;
    std::array<isa::thread_state, isa::thread_count> threads;
    timing::write_back results;
    probe::reporter reporter;
    probe::pipeline_observer* observer = nullptr;
    probe::unit_counters counters; ///< without those of reporter and Dst

    /// Whether some lane has ENABLE_DEST_INDEX set: some instructions then write one more register.
    bool indexes_destination() const {
        return state.config.lanes_with(isa::lane_configuration::enable_dest_index) != 0;
    }

    /// Registers, flags and configuration as given. Before anything is pushed.
    void start_from(const isa::vector_state& given) {
        const std::uint64_t version = state.macro_version;
        state = given;
        state.macro_version = version + 1; // what was known of LoadMacroConfig is out of date
    }
};

} // namespace sfpu
