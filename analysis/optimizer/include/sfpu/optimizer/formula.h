// The schedules of a row with a given interval, as the models of a formula.
//
// Modulo scheduling: every row does the same, `interval` cycles later. Rules are those of the timing
// contract; each clause belongs to a group, so that a refutation can say which it needs.
#pragma once

#include <sfpu/isa/machine.h>
#include <sfpu/isa/registers.h>
#include <sfpu/optimizer/dataflow.h>
#include <sfpu/optimizer/schedule.h>
#include <sfpu/optimizer/solver.h>
#include <sfpu/optimizer/structure.h>

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <random>
#include <vector>

namespace sfpu::optimizer {

/// Groups of constraints, as refutations name them.
enum class group : std::uint8_t {
    definition,  ///< what a schedule is at all: never relaxed
    issue_slots, ///< one word a cycle, or two that may share it
    simple_unit,
    mad_unit,
    round_unit,
    store_unit,
    registers,   ///< two values that live at one time are in different registers; L16 is only one
    templates,   ///< how many there are, and that a template has fixed fields
    macros,      ///< how many sequences there are, and that all loads of a macro share one
    delays,      ///< how long a delay can be
    write_port,  ///< T9, and the second cycles of T8
    dst_order,   ///< loads and stores of the same cells
    lane_flags,  ///< order through the lane flags
    dependences, ///< operands are there when they are read
    stalls,      ///< T16: nothing issued may be held
    effects,     ///< what must not happen for rows that are none
};
constexpr unsigned group_count = static_cast<unsigned>(group::effects) + 1;
const char* to_string(group which);

struct formula_limits {
    unsigned interval = 1;
    unsigned rows = 1;     ///< registers rotate over so many rows
    unsigned horizon = 20; ///< a row lasts at most so many cycles
    unsigned copies = 3;   ///< of each load
    unsigned registers =
        isa::general_lregs; ///< one more to ask what that would change: no schedule can be read then
    bool bubble_proof = false;
    bool one_of_many = false;   ///< of schedules that differ in names and rotation only one, to refute all
    bool no_macros = false;     ///< everything is issued
    unsigned issued_within = 0; ///< a row's words are issued in its first so many cycles; 0: anywhere
    unsigned peeled = 0;        ///< effects may begin in so many stages behind the first that has some, too
    bool with_groups = false;   ///< each group hangs on an assumption
    const structure* keep = nullptr; ///< who is issued and who is scheduled by whom
    std::optional<unsigned> slack;   ///< with `keep`: everything stays within so many cycles of its time
    /// With `keep`: only what a row asks of itself. Clauses are left out: what this refutes is refuted, also
    /// for all shorter intervals and horizons, and what it allows means nothing.
    bool one_row = false;
    std::optional<group> without; ///< leave a group out
    build_limits within;          ///< of time and memory, while it is made
};

struct formula_state;

/// What a formula will take at the least, in bytes, without making it.
std::size_t estimated_bytes(const graph& of, const isa::machine& machine, const formula_limits& limits);

class formula {
public:
    /// `of` and `machine` have to outlive it. Throws out_of_budget if it does not fit into `limits.within`.
    formula(const graph& of, const isa::machine& machine, const formula_limits& limits);
    ~formula();
    formula(formula&& other) noexcept;
    formula& operator=(formula&& other) noexcept;

    const clause_list& clauses() const;
    /// With groups: the assumption of each.
    const std::array<literal, group_count>& assumptions() const;
    /// If it is assumed, rows that are none schedule nothing at all.
    literal macros_in_frame() const;
    /// If they are assumed, no more macros and templates than so many are used, and, unless there may be
    /// some, no loads that only name the address of a store.
    std::vector<literal> at_most(unsigned macros, unsigned templates, bool loads_for_stores) const;
    /// Throws std::logic_error if it is none, which only happens without some of the clauses.
    schedule read(const std::vector<bool>& model) const;
    /// A clause that all schedules fulfil but those in which everything is where it is in this model.
    std::vector<literal> anywhere_else(const std::vector<bool>& model) const;
    /// Values for all variables that put everything somewhere, mostly against the rules: where a solver may
    /// begin.
    std::vector<bool> anywhere(std::mt19937& random) const;
    const formula_limits& limits() const;

private:
    friend struct formula_seam;
    explicit formula(std::unique_ptr<const formula_state> state);
    std::unique_ptr<const formula_state> state_;
};

} // namespace sfpu::optimizer
