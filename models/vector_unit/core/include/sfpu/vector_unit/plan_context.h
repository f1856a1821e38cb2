// What stays between the plans that a vector unit executes: where outstanding instructions come from, what
// has had an effect, what observers have been told. Plain C++.
#pragma once

#include <sfpu/probe/early_results.h>
#include <sfpu/timing/plan.h>
#include <sfpu/vector_unit/unit_state.h>
#include <sfpu/vector_unit/unit_step.h>

#include <cstdint>
#include <string>
#include <vector>

namespace sfpu {

class plan_context {
public:
    /// What an SFPLOADMACRO gives to all that it schedules.
    struct launch_origin {
        std::int64_t word = -1;        ///< its index
        std::uint16_t dst_address = 0; ///< the slice of its load, and of the store that it schedules (T6)
        std::uint8_t thread = 0;
    };
    /// By the origin of an outstanding entry.
    const launch_origin& origin(unsigned number) const { return origins_[number]; }

    /// The last cycle in which something had an architectural effect, -1 if nothing had.
    cycles last_effect() const { return last_effect_; }

    /// Observers hear once what the cycles before `at` have left: all of them have happened, and nothing of
    /// `at`.
    void publish_begin_once(cycles at) {
        if (state_.observer && begun_ < at) publish_begin(at);
    }
    /// The end of a program, everything before this cycle has happened.
    void publish_end(cycles at) {
        if (state_.observer) publish_begin(at);
    }

protected:
    explicit plan_context(unit_state& state) : state_(state) {}
    plan_context(const plan_context&) = delete;
    plan_context& operator=(const plan_context&) = delete;
    ~plan_context() = default;

    void reset();
    /// As the other one, which is between two plans.
    void continue_from(const plan_context& other);

    /// Before the steps of a plan are executed.
    void begin(const timing::plan& plan) {
        if (const std::size_t origins = plan.origins_before + plan.launches; origins_.size() < origins)
            origins_.resize(origins);
    }
    /// Behind them: counts, and what is outstanding now.
    void finish(const plan_order& done);

    void commit(cycles at, timing::port_set ports) {
        if ((ports & (ports - 1)) == 0) state_.results.commit_one(at, ports, state_.vector);
        else commit_several(at, ports);
    }
    /// Words of the front end act on their thread; those of other units are for whoever has these, or do
    /// nothing.
    void execute_front_end(const isa::instruction& insn, cycles at, std::int64_t word, std::uint8_t thread);

    // What only observers and listeners to diagnostics want to know (plan_notes.cpp).

    struct note_source {
        std::int64_t word;
        std::uint8_t thread;
    };
    /// The word that a note is about, and its thread.
    note_source source_of(const timing::plan_note& note, const plan_order& from) const;
    void say(const timing::plan_note& note, const plan_order& from);
    void publish_early(const timing::plan_step& step, cycles at, cycles start);

    unit_state& state_;
    /// SFPLOADMACROs: those of the entries outstanding when a plan starts, then those of the plan; behind
    /// them is room for more.
    std::vector<launch_origin> origins_;

private:
    [[gnu::noinline]] void commit_several(cycles at, timing::port_set ports);
    void count(const timing::plan_counts& counts, std::uint8_t thread);
    void report(const timing::plan_note& note, cycles at, std::int64_t word, const plan_order& from);
    std::string text_of(const timing::plan_note& note, const plan_order& from) const;
    std::string neighbours_text(const timing::plan_note& note) const;
    /// Of what SFPLOADMACROs schedule and configure.
    std::string macro_text(const timing::plan_note& note) const;
    std::string other_thread_text(const timing::plan_note& note, const plan_order& from) const;
    std::string other_than_chip_text(const timing::plan_note& note) const;
    void report_collision(const timing::write_back::collision& found, cycles at);
    void publish_counters(cycles at, std::uint8_t thread);
    [[gnu::noinline]] void publish_begin(cycles at);
    void publish_state(cycles at);

    std::vector<launch_origin> next_origins_;
    cycles last_effect_{-1};
    cycles begun_{-1};           ///< the latest cycle whose begin was published
    probe::early_results early_; ///< what observers see instead of results that are not due
};

} // namespace sfpu
