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

/// No schedule can be shorter, and why in words. Intervals are cycles for one iteration of the loop that is
/// searched: the plain one with equal rows rolled up, or `free_rows` of these written out in one.
struct bound {
    unsigned interval = 1;
    std::string reason;
    unsigned free_rows = 1;
    double least = 1; ///< cycles of one row of the loop if up to four that differ make an iteration
};
/// Counts issue slots, sub-units, the write port, recurrences and changes of lane flags.
bound lower_bound(const graph& of, const isa::machine& machine);

/// What is proved of one interval: no schedule within these limits.
struct refutation {
    unsigned interval = 0, rows = 1, horizon = 0, copies = 0;
    unsigned free_rows = 1;     ///< iterations with instructions of their own, in one interval
    unsigned peeled = 0;        ///< stages behind the first with effects that may have some, too
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

/// Bytes: 4 GiB.
constexpr std::size_t default_memory_limit = std::size_t{4} << 30;

struct search_options {
    /// Iterations of the plain loop in one of the schedule, free or with rotating registers; else up to 4.
    std::optional<unsigned> rows;
    std::optional<double>
        at_most; ///< stop at a schedule of so many cycles for an iteration of the plain loop
    bool bubble_proof = false;
    bool why = false;
    double seconds = 60;                       ///< of CPU of the calling thread; 0: no limit
    std::int64_t conflicts = 0;                ///< instead of seconds, if not 0
    std::size_t memory = default_memory_limit; ///< bytes that formulas may take together; 0: no limit
    unsigned jobs = 1; ///< threads; with `conflicts` the answer is the same for each number
    /// Cycles of so many iterations of the plain loop together: only shorter schedules are looked for.
    unsigned shortest_known = ~0u, shortest_known_iterations = 1;
    std::function<bool()> interrupted;
    std::function<void(const std::string&)> progress;
    /// Says whether the schedule may be taken; throws if it is wrong.
    std::function<bool(const graph&, const schedule&)> accept;
    /// The same of one of equal length that is simpler: false if it is less robust than what was accepted
    /// last. Without it the first schedule that is accepted stays.
    std::function<bool(const graph&, const schedule&)> accept_instead;
    std::function<bool()> is_robust; ///< what was accepted last; with `accept_instead`
};

/// An interval for so many free rows.
struct free_interval {
    unsigned interval = 0, free_rows = 1;
};

struct search_result {
    std::optional<schedule> best;
    graph best_graph; ///< of `best`: its rows_per_iteration is what an interval of `best` counts for
    unsigned rows_per_iteration = 1; ///< of the loop that was searched
    bound floor;
    bool proved =
        false; ///< every shorter interval is below the floor or refuted, for each number of free rows
    /// What exists and what no refutation speaks of, in words. Empty: refutations speak of all schedules of
    /// these instructions with up to four rows an iteration.
    std::vector<std::string> left_out;
    std::vector<unsigned> tried_rows;   ///< numbers of free rows that schedules may have
    std::vector<unsigned> settled_rows; ///< those for which all that is shorter than `best` is refuted
    bool interrupted = false;
    std::vector<refutation> refuted;
    std::vector<free_interval> rejected; ///< with schedules of which none was accepted
    std::vector<free_interval> open;     ///< shorter ones that time ran out for
    std::string no_spill;                ///< why no value can be stored aside in Dst, empty if it can
    double on_threads = 0;               ///< seconds of CPU of other threads while this one waited for them
};

search_result search(const isa::kernel& plain, const isa::machine& machine, const isa::thread_state& thread,
                     bool lanes_start_enabled, const search_options& options);

/// A horizon that leaves room beside the longest chain of dependences.
unsigned horizon_for(const graph& of, unsigned interval);
/// How many rows of a kernel may share an iteration of its schedule by rotating registers, in the order in
/// which they are tried:
/// `wanted` alone, or else 1 and 2, and 3 and 4 while the iteration stays short. Only divisors of the
/// kernel's rows.
std::vector<unsigned> rows_to_try(const graph& of, unsigned interval, std::optional<unsigned> wanted);

} // namespace sfpu::optimizer
