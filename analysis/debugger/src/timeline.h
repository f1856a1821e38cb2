// A run and a position in it: records of cycles, states, and searches, each by running again.
#pragma once

#include "machine_history.h"

#include <sfpu/analysis/allowances.h>
#include <sfpu/analysis/debug_target.h>
#include <sfpu/analysis/session.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace sfpu::analysis::debug {

/// Who gave something its value.
struct last_write {
    execution by;
    std::int64_t visible = 0; ///< the first cycle that sees it
};

class timeline {
public:
    /// Runs the program once, to know its length and its hazards. Both must outlive the timeline.
    timeline(kernel_run& kernel, platform::program_runner& runner, session how);

    const kernel_run& kernel() const { return kernel_; }
    const session& how() const { return how_; }
    std::int64_t position() const { return position_; }
    std::int64_t last_cycle() const { return last_cycle_; }
    /// In order of time; the first ones if there are very many.
    const std::vector<diagnostic>& hazards() const { return hazards_.list; }
    std::uint64_t hazard_count() const { return hazards_.count; }

    void move_to(std::int64_t cycle);
    const cycle_record& record(std::int64_t cycle);
    const machine_state& state();
    /// State at the end of another cycle.
    machine_state state_at(std::int64_t cycle);

    /// The first cycle from `from` on that fulfils the condition; nothing if none does or the search was
    /// interrupted.
    std::optional<std::int64_t> find(std::int64_t from, const search::condition& wanted);
    /// Who wrote what the lane of a target holds at the position; nothing if it has the value of the start.
    std::optional<last_write> last_writer(const target& what, std::size_t row, unsigned lane);

private:
    struct hazard_list : diagnostic_sink {
        std::vector<diagnostic> list;
        std::uint64_t count = 0;
        allowances allowed;
        void diagnose(const diagnostic& what) override;
    };

    void run(probe::pipeline_observer& observer, std::int64_t last_cycle,
             const std::function<bool()>& enough = nullptr);
    bool stores_wide(const isa::instruction& insn) const;
    bool writes(const execution& what, const target& of, std::size_t row, unsigned lane) const;
    bool is_later(const execution& a, const execution& b) const;

    kernel_run& kernel_;
    platform::program_runner& runner_;
    session how_;
    std::int64_t last_cycle_ = -1, position_ = -1;
    hazard_list hazards_;
    std::unique_ptr<recording> recent_; ///< around the position
    std::optional<machine_state> state_;
};

} // namespace sfpu::analysis::debug
