// State that the parts of a vector unit share, as in the hardware: registers with results under way, lane
// flags, address counters; with its machine, its counters and who listens.
#pragma once

#include <sfpu/common/parameters.h>
#include <sfpu/isa/machine.h>
#include <sfpu/isa/state.h>
#include <sfpu/isa/thread_state.h>
#include <sfpu/probe/reporter.h>
#include <sfpu/probe/unit_counters.h>
#include <sfpu/timing/issue_rules.h>
#include <sfpu/timing/write_back.h>
#include <sfpu/vector_unit/other_units.h>

#include <array>
#include <cstdint>

namespace sfpu {

/// The name under which a wait is counted and published.
probe::stall_cause cause_of(timing::hold_cause cause);

/// What listens to a run; any may be null.
struct unit_listeners {
    probe::pipeline_observer* observer = nullptr;
    diagnostic_sink* diagnostics = nullptr;
    hazard_policy hazards = hazard_policy::warn;
};

struct unit_state {
    parameters config;
    isa::machine machine; ///< what they make
    isa::vector_state vector;
    std::array<isa::thread_state, isa::thread_count> threads;
    timing::write_back results;
    probe::reporter reporter;
    probe::pipeline_observer* observer = nullptr;
    probe::unit_counters counters; ///< without those of reporter and Dst
    other_units* around = nullptr; ///< stays at a reset; null: words of other units do nothing

    /// Everything as after construction, with this configuration. The parameters must have no problems().
    void reset(const parameters& to, const unit_listeners& listeners);

    /// Whether some lane has ENABLE_DEST_INDEX set: some instructions then write one more register.
    bool indexes_destination() const {
        return vector.config.lanes_with(isa::lane_configuration::enable_dest_index) != 0;
    }

    /// Registers, flags and configuration as given. Before anything is pushed.
    void start_from(const isa::vector_state& given) {
        const std::uint64_t version = vector.macro_version;
        vector = given;
        vector.macro_version = version + 1; // what was known of LoadMacroConfig is out of date
    }
};

} // namespace sfpu
