// The shortest schedule of a plain kernel: bound, search from above, refutation from below.
#pragma once

#include <sfpu/isa/assembler.h>
#include <sfpu/isa/machine.h>
#include <sfpu/isa/thread_state.h>
#include <sfpu/optimizer/dataflow.h>
#include <sfpu/optimizer/formula.h>
#include <sfpu/optimizer/schedule.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace sfpu::optimizer {

/// No schedule can be shorter, and why in words. Intervals are cycles for one iteration of the plain loop.
struct bound {
    unsigned interval = 1;
    std::string reason;
    double least = 1; ///< the same if up to four rows that differ from each other make an iteration
};
/// Counts issue slots, sub-units, the write port, recurrences and changes of lane flags.
bound lower_bound(const graph& of, const isa::machine& machine);

/// What is proved of one interval: no schedule within these limits.
struct refutation {
    unsigned interval = 0, rows = 1, horizon = 0, copies = 0;
    std::vector<group> because; ///< small by deletion; empty if it was not asked for
    /// By group of `because`: lines of the instructions that it is about.
    std::vector<std::vector<unsigned>> lines;
    struct relaxation {
        std::string parameter, value;
        unsigned interval = 0;
    };
    std::vector<relaxation> relaxations; ///< single changes that were tried and that allow the interval
    bool relaxations_tried = false;
    double seconds = 0;
    std::int64_t conflicts = 0;
};

struct search_options {
    std::optional<unsigned> rows;    ///< rows that registers rotate over; else 1, 2, ...
    std::optional<unsigned> at_most; ///< stop at a schedule of this interval
    bool bubble_proof = false;
    bool why = false;
    double seconds = 60;           ///< 0: no limit
    std::int64_t conflicts = 0;    ///< instead of seconds, if not 0
    unsigned shortest_known = ~0u; ///< interval of the plain kernel: only shorter ones are looked for
    std::function<bool()> interrupted;
    std::function<void(const std::string&)> progress;
    /// Says whether the schedule may be taken; throws if it is wrong.
    std::function<bool(const graph&, const schedule&)> accept;
    /// The same of one of equal length that is simpler: false if it is less robust than what was accepted
    /// last. Without it the first schedule that is accepted stays.
    std::function<bool(const graph&, const schedule&)> accept_instead;
    std::function<bool()> is_robust; ///< what was accepted last; with `accept_instead`
};

struct search_result {
    std::optional<schedule> best;
    graph best_graph; ///< of `best`
    bound floor;
    bool proved = false; ///< every shorter interval is below the floor or refuted
    /// What exists and what no refutation speaks of, in words. Empty: refutations speak of all schedules of
    /// these instructions with up to four rows an iteration.
    std::vector<std::string> left_out;
    bool interrupted = false;
    std::vector<refutation> refuted;
    std::vector<unsigned> rejected; ///< intervals with schedules of which none was accepted
    std::vector<unsigned> open;     ///< shorter intervals that time ran out for
    std::string no_spill;           ///< why no value can be stored aside in Dst, empty if it can
};

search_result search(const isa::kernel& plain, const isa::machine& machine, const isa::thread_state& thread,
                     bool lanes_start_enabled, const search_options& options);

/// What refutations of intervals from `floor` to below `best` leave out. `may_spill`: values could wait in
/// Dst, which no refutation speaks of.
std::vector<std::string> left_out_of(const graph& of, const search_options& options, unsigned floor,
                                     unsigned best, bool may_spill);

/// A horizon that leaves room beside the longest chain of dependences.
unsigned horizon_for(const graph& of, unsigned interval);
/// How many rows of a kernel may share an iteration of its schedule, in the order in which they are tried:
/// `wanted` alone, or else 1 and 2, and 3 and 4 while the iteration stays short. Only divisors of the
/// kernel's rows.
std::vector<unsigned> rows_to_try(const graph& of, unsigned interval, std::optional<unsigned> wanted);

} // namespace sfpu::optimizer
