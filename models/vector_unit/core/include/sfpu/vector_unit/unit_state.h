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

/// Loads and stores of a thread in mode SRCB by a bank of the configuration, and the latest change of what
/// that mode stands for there.
struct srcb_use {
    cycles latest{-1000000};      ///< cycle of the latest such access
    cycles changed{};             ///< when the format changed
    std::int64_t first_after = 0; ///< index of the first word of the thread that is meant to find the change
    bool is_watched = false;      ///< no access has been reported since the change
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
    std::array<std::array<srcb_use, isa::thread_state::backend_states>, isa::thread_count> srcb;
    other_units* around = nullptr; ///< stays at a reset; null: words of other units do nothing

    /// Everything as after construction, with this configuration. The parameters must have no problems().
    void reset(const parameters& to, const unit_listeners& listeners);

    /// A bank of the configuration changes in this cycle, before the word of the thread with this index.
    /// Reported at once if mode SRCB stands for something else then and an access in that mode may not be
    /// finished.
    void change_backend(unsigned thread, unsigned bank, const isa::backend_configuration& to, cycles at,
                        std::int64_t first_after);
    /// A load or store in mode SRCB executes. Reported if its word came before a change that it finds.
    void note_srcb(unsigned thread, cycles at, std::int64_t word);

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
