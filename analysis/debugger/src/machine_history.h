// What a run did, cycle by cycle: the observers behind the debugger. The past is had by running again
// from the start.
#pragma once

#include <sfpu/analysis/debug_target.h>

#include <sfpu/platform/program_runner.h>
#include <sfpu/probe/observer.h>

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

namespace sfpu::analysis::debug {

/// An instruction and the values that it had to do with.
struct execution {
    probe::execution_event event; ///< without pointers
    std::optional<lanes> result, cells;
};

/// One cycle: what happened in it, and what is different at its end.
struct cycle_record {
    std::vector<execution> executed;
    std::vector<probe::stall_event> stalls;
    std::vector<probe::forgotten_event> forgotten;
    std::vector<std::pair<unsigned, lanes>> lregs;
    std::optional<std::pair<lane_mask, lane_mask>> flags; ///< LaneFlags, UseLaneFlagsForLaneEnable
    std::vector<std::pair<unsigned, std::array<std::uint16_t, 16>>> dst_rows;

    void apply(machine_state& state) const;
};

/// Follows a run, one call of end_of_cycle() for each cycle, and before them one for the state at the start:
/// cycle -1.
class cycle_follower : public probe::pipeline_observer {
public:
    /// `runner` is the one that runs.
    explicit cycle_follower(const platform::program_runner& runner) : runner_(runner) {}

    void cycle_begins(const probe::cycle_event& event) override;
    void executed(const probe::execution_event& event) override;
    void stalled(const probe::stall_event& event) override;
    void forgotten(const probe::forgotten_event& event) override;

protected:
    /// Cycle `at` is over and did `record`; state() is what it left.
    virtual void end_of_cycle(std::int64_t at, cycle_record& record) = 0;
    const machine_state& state() const { return state_; }

private:
    void finish_cycle(std::int64_t at, const probe::cycle_event& next);
    void note_dst(cycle_record& record);

    const platform::program_runner& runner_;
    machine_state state_;
    cycle_record record_; ///< of cycle reached_
    platform::dst_image dst_{};
    std::vector<probe::stall_event> stalls_; ///< not recorded yet
    std::int64_t reached_ = 0;               ///< the cycle that is under way
    bool started_ = false, stored_ = false;
};

/// Keeps a stretch of cycles, and the state before it.
class recording : public cycle_follower {
public:
    /// Cycles `first` to `last`, both inclusive.
    recording(const platform::program_runner& runner, std::int64_t first, std::int64_t last)
        : cycle_follower(runner), first_(first), last_(last) {}

    bool holds(std::int64_t cycle) const { return first_ <= cycle && cycle <= last_; }
    std::int64_t first() const { return first_; }
    /// The record of a cycle that it holds; an empty one if nothing happened.
    const cycle_record& of(std::int64_t cycle) const;
    /// State at the end of a cycle that it holds, or of the one before the first.
    machine_state state_after(std::int64_t cycle) const;

private:
    void end_of_cycle(std::int64_t at, cycle_record& record) override;

    std::int64_t first_, last_;
    machine_state before_;
    std::vector<cycle_record> records_;
};

/// Looks for a cycle, and lets the run end once it has been found.
class search : public cycle_follower {
public:
    using condition = std::function<bool(std::int64_t cycle, const cycle_record&, const machine_state&)>;
    /// The first cycle from `from` on of which `wanted` is true.
    search(const platform::program_runner& runner, std::int64_t from, condition wanted)
        : cycle_follower(runner), from_(from), wanted_(std::move(wanted)) {}

    std::optional<std::int64_t> found() const { return found_; }

private:
    void end_of_cycle(std::int64_t at, cycle_record& record) override;

    std::int64_t from_;
    condition wanted_;
    std::optional<std::int64_t> found_;
};

} // namespace sfpu::analysis::debug
