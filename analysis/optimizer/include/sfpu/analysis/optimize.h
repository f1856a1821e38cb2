// The shortest schedule of a kernel's row, found by a solver and checked by simulation.
//
// The kernel is plain code of one row, without macros; or one with macros, which is retimed for another
// machine. Figures are cycles for one row of 32 elements unless they say otherwise.
#pragma once

#include <sfpu/analysis/machine_choice.h>
#include <sfpu/analysis/schedule_check.h>
#include <sfpu/analysis/session.h>
#include <sfpu/analysis/term_solver.h>
#include <sfpu/analysis/user_places.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace sfpu::analysis {

/// A schedule that is there already.
struct known_schedule {
    std::string text; ///< assembly or words
    std::string name; ///< its file, for messages
};

struct optimize_request {
    std::string text;          ///< of the kernel: assembly or words, see holds_words()
    std::string name;          ///< its file, for messages and for the names of what is written
    std::string function;      ///< an identifier for the header's functions; empty: by the name of the file
    machine_choice machine;    ///< that the schedule is for, beside what the kernel itself says
    bool retime = false;       ///< the kernel has macros: keep its structure, find other delays and registers
    bool bubble_proof = false; ///< the schedule is right with idle cycles between its words, too
    /// Iterations of the given loop in one of the schedule, 1 to 8: free, or with registers that take turns.
    /// Else up to four.
    std::optional<unsigned> rows_per_iteration;
    std::optional<double> at_most; ///< cycles a row that are short enough
    bool why = false;              ///< say what refutes one cycle less, and which change would allow it
    double seconds = 60; ///< of CPU of the calling thread, for finding and refuting together; 0: no limit
    std::int64_t conflicts = 0; ///< of the solver, instead of seconds; 0: seconds count
    unsigned jobs = 1;          ///< threads; with `conflicts` the answer is the same for each number
    std::size_t memory_limit = std::size_t{4} << 30; ///< bytes that formulas may take together; 0: no limit
    bool rewrite = true;                      ///< other instructions that compute the same are tried, too
    bool no_nan = false, no_denormal = false; ///< the user says that no operand is one
    /// Proves rewritten rows; without one only rows with the same terms are taken.
    term_solver* solver = nullptr;
    /// Only shorter ones are looked for, and it is what is given if there is none. It is judged like one that
    /// is found, and refused with a reason if it would not be taken.
    std::optional<known_schedule> upper_bound;
    bool llk_header = false; ///< give the schedule as functions for the vendor's library, too
};

/// The schedule that was found.
struct optimized_schedule {
    double cycles_per_row = 0;
    unsigned rows_per_iteration = 1; ///< that an iteration of its loop works on
    kernel_verdict verdict;
    unsigned macros = 0, templates = 0, registers = 0; ///< that it uses
    unsigned tail_words = 0;                           ///< behind the loop, without the kernel's own
    unsigned spilled_values = 0;                       ///< that wait in Dst, of an iteration
    std::uint64_t cells = 0; ///< of 16 bits, that were compared with those of the given kernel
    bool exhaustive = false; ///< every value of all operands together was among them
    equivalence_verdict strength = equivalence_verdict::tested; ///< of "equal", without bubbles
};

/// An initiation interval that no schedule has, within the limits of the question.
struct refuted_interval {
    double cycles_per_row = 0;
    unsigned rotating_rows = 1; ///< iterations of the given loop, or `free_rows` together, that take turns
    unsigned free_rows = 1;     ///< of these with macros, templates, delays and registers of their own
    unsigned rows_per_iteration = 1;  ///< of 32 elements: that an iteration of the schedule would work on
    unsigned horizon = 0;             ///< cycles from a row's first word to its last instruction, at most
    unsigned copies = 0;              ///< of a load, at most
    std::vector<std::string> because; ///< groups of rules that refute it together; empty: not asked
    /// By group: the instructions that it is about, as "9: sfpswap L0, L1, ..."; none where it is about all.
    std::vector<std::vector<std::string>> instructions;
    struct relaxation {
        std::string parameter, value;
        double cycles_per_row = 0;
    };
    std::vector<relaxation> relaxations; ///< single changes of the machine that would allow it
    bool relaxations_tried = false;
    double seconds = 0;
    std::int64_t conflicts = 0;
};

/// What is known of schedules that are shorter than the one that is given.
enum class proof_status : std::uint8_t {
    open,            ///< some shorter intervals are not decided
    optimal_in_form, ///< all are refuted, but something that exists was left out
    bound,           ///< it takes what the bound says
    optimal, ///< all are refuted: no schedule of these words with up to four rows an iteration is shorter
};
/// "open", "optimal_in_form", "bound", "optimal"
constexpr const char* to_string(proof_status status) {
    switch (status) {
    case proof_status::open: return "open";
    case proof_status::optimal_in_form: return "optimal_in_form";
    case proof_status::bound: return "bound";
    case proof_status::optimal: return "optimal";
    }
    __builtin_unreachable();
}

/// Horizon and copies that refutations hold within stand with each of them.
struct schedule_proof {
    proof_status status = proof_status::open;
    std::vector<std::string> left_out; ///< of refutations, in words; empty where none counts
    /// No schedule (of the form) takes so many cycles a row or fewer; absent if the bound says as much.
    std::optional<double> refuted_up_to;
    std::vector<std::pair<double, double>> undecided; ///< cycles a row, both inclusive
};

/// What became of the structure of a kernel that is retimed.
enum class retimed_structure : std::uint8_t {
    kept,
    changed, ///< the schedule has a structure of its own
    plain,   ///< no schedule: what is given is code without macros
    none,    ///< nothing is right on this machine
};
/// "kept", "new", "plain", "none"
constexpr const char* to_string(retimed_structure structure) {
    switch (structure) {
    case retimed_structure::kept: return "kept";
    case retimed_structure::changed: return "new";
    case retimed_structure::plain: return "plain";
    case retimed_structure::none: return "none";
    }
    __builtin_unreachable();
}

/// A rule that was applied to the given row.
struct applied_rewrite {
    std::string rule, help;
    unsigned times = 1;
    /// The bound in cycles a row before it and behind it: other rules may need it to buy something.
    double bound_before = 0, bound_after = 0;
    std::string assumed; ///< what only the user says: "no-nan", "no-denormal"
};

struct optimize_answer {
    std::string kernel; ///< the name in the request
    given_source given; ///< what it was translated from, if the caller says so
    architecture arch{};
    bool retimed = false, why_was_asked = false; ///< as in the request
    unsigned rows_per_iteration = 1;             ///< of the given loop

    /// Of the given kernel: on this machine, or if it is retimed on its own.
    double plain_cycles_per_row = 0;
    kernel_verdict plain_verdict;
    bool plain_serves = false; ///< the kernel without macros is right on this machine, perhaps with SFPNOPs

    std::vector<applied_rewrite> rewrites; ///< that made the row of `best` from the given one, in order
    /// How the rewritten row was compared with the given one; means nothing without rewrites.
    equivalence_verdict rewrites_are = equivalence_verdict::proved;
    std::string no_rewrite;                 ///< why no rule was tried; empty if rules were
    std::optional<optimized_schedule> best; ///< none: nothing shorter was found
    std::string best_was_given; ///< the name of the known schedule that `best` is; empty if it was found
    retimed_structure structure = retimed_structure::none;
    double bound_cycles_per_row = 0; ///< no schedule of the words that `best` has is shorter
    std::string bound_reason;
    schedule_proof proof;
    bool proved = false; ///< proof.status is `bound` or `optimal`
    std::vector<refuted_interval> refuted;
    std::vector<double> open; ///< shorter intervals that were not decided, in cycles a row
    std::string not_met;      ///< why there is no schedule as short as `at_most` says; empty if there is
    std::string no_spill;     ///< why no value can wait in Dst; empty if it can

    /// Assembly of the best kernel for this machine: the schedule, or else the kernel without macros where
    /// that is right; empty where neither is.
    std::string schedule;
    unsigned lead_words = 0;    ///< last ones of its .init, of rows that begin before the loop
    std::string header;         ///< the same for the vendor's library, if it was asked for
    std::string header_problem; ///< why there is no header although there is a schedule

    std::vector<std::string> warnings; ///< a line each; the session was told them, too
    bool interrupted =
        false;        ///< the session ended the search or the last check: this is what was found by then
    bool met = false; ///< there is a kernel to write, and it is what was asked for
    double seconds = 0;
};

/// What the functions of a header are named after.
std::string name_in_header(const optimize_request& request);

/// Finds the shortest schedule. Everything that the answer gives has been run and compared with the given
/// kernel. As many calls as there are threads may run at once; the same request with a limit of `conflicts`
/// gives the same answer but for seconds.
///
/// Throws input_error with the line where the kernel is none that can be optimised, user_error where the
/// request contradicts itself or the machine, and std::runtime_error with the schedule if a schedule is
/// wrong, which is a fault of this library.
optimize_answer optimize(const optimize_request& request, const session& caller = {});

} // namespace sfpu::analysis
