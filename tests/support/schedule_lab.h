// Schedules of a small kernel before two judges: the formula that the optimizer solves, and the model that
// runs what is emitted.
#pragma once

#include <sfpu/isa/assembler.h>
#include <sfpu/isa/machine.h>
#include <sfpu/optimizer/dataflow.h>
#include <sfpu/optimizer/formula.h>
#include <sfpu/optimizer/schedule.h>
#include <sfpu/optimizer/solver.h>
#include <sfpu/platform/sfpu_bench.h>

#include <functional>
#include <memory>
#include <random>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace sfpu::test {

using machine_settings = std::vector<std::pair<std::string, std::string>>; ///< parameter and value

/// A plain kernel that no schedule can be compared with.
struct unusable_kernel : std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// What the model says of a schedule.
struct run_verdict {
    bool legal = false;
    std::string why;    ///< if it is not: what differs, or what was reported
    std::string kernel; ///< as it was emitted
};

/// A plain kernel, its graph and what it computes.
class schedule_lab {
public:
    /// Throws unusable_kernel if the row cannot be scheduled, or the plain kernel itself makes the model
    /// report something or reads results before they are there; std::runtime_error if the source is wrong.
    schedule_lab(std::string source, machine_settings settings);

    const optimizer::graph& graph() const { return graph_; }
    const isa::machine& machine() const { return machine_; }
    const std::string& source() const { return source_; }
    std::string description() const; ///< source and settings

    /// Legal is what computes what the plain kernel computes, whatever stood in the registers before,
    /// executes everything when it says, takes as many cycles a row as it says, and makes the model report
    /// nothing.
    run_verdict run(const optimizer::schedule& candidate) const;
    /// The ids of what the linter finds without idle cycles in a kernel that was emitted.
    std::set<report_id> hazards(const run_verdict& of) const;
    /// Whether it still computes the same with random idle cycles between its words.
    run_verdict run_with_bubbles(const optimizer::schedule& candidate, std::mt19937& numbers) const;

private:
    static constexpr unsigned data_sets = 3;

    /// Runs a kernel on a data set, with as many idle cycles before each word as `bubbles` says for each;
    /// what the model reported is added to `reports`.
    using bubble_source = std::function<unsigned()>;
    platform::run_result play(const isa::kernel& kernel, unsigned data, bool scheduled, std::string& reports,
                              const bubble_source& bubbles = {},
                              probe::pipeline_observer* observer = nullptr) const;

    std::string source_;
    machine_settings settings_;
    parameters config_;
    isa::kernel plain_;
    isa::machine machine_;
    isa::thread_state thread_;
    optimizer::graph graph_;
    unsigned iterations_ = 0;
    std::vector<platform::dst_image> expected_;
};

/// Limits of a formula, some of whose clauses may be broken.
struct judged_limits : optimizer::formula_limits {
    std::string broken_site; ///< where they are made, as "formula_order.cpp:12"; empty for none
};

/// The formula of a lab's kernel, asked for models or about schedules.
class formula_judge {
public:
    formula_judge(const schedule_lab& lab, const judged_limits& limits);

    const optimizer::formula& formula() const { return formula_; }
    /// Whether the program is a model of the formula.
    bool allows(const optimizer::schedule& candidate);
    /// Whether it is if some of what is issued without effect, or scheduled by such a load, is called part of
    /// another row, which makes the same loop, or if a second load of a cell is taken out that nobody reads.
    bool allows_likewise(const optimizer::schedule& candidate);
    /// The groups that do not allow it, small by deletion; only if the formula has groups. More than one way
    /// to refuse is possible: this is one of them.
    std::vector<optimizer::group> refused_by(const optimizer::schedule& candidate);
    /// A model, another one for other numbers. False if there is none, or if it would take too long.
    bool draw(std::mt19937& numbers, optimizer::schedule& drawn);

private:
    const schedule_lab& lab_;
    optimizer::formula formula_;
    optimizer::solver solver_;
    std::vector<optimizer::literal> all_groups_;
};

/// A small random kernel. `with_flags`: some instructions change lane flags. `may_lose`: with instructions
/// that give the same for many operands, so that a wrong schedule may be right by chance.
std::string random_kernel(std::mt19937& numbers, architecture chip, unsigned instructions, bool with_flags,
                          bool may_lose);

/// A schedule that respects dependences mostly and resources hardly, without asking the formula.
optimizer::schedule random_schedule(std::mt19937& numbers, const schedule_lab& lab,
                                    const optimizer::formula_limits& limits);
/// One thing in it changed: a cycle, a register, a delay, an override, ... False if nothing was.
bool disturb(std::mt19937& numbers, const schedule_lab& lab, const optimizer::formula_limits& limits,
             optimizer::schedule& candidate);
/// Which of the things that the formula does not consider the schedule makes use of, see docs/optimizer.md,
/// "What a proof means"; empty if it makes use of none.
std::string not_considered(const schedule_lab& lab, const optimizer::schedule& candidate);
/// The same program as the formula would write it: numbers of macros and templates, copies, the first cycle.
void normalise(const schedule_lab& lab, optimizer::schedule& candidate);

} // namespace sfpu::test
