// What the files of the search share.
#pragma once

#include <sfpu/optimizer/search.h>
#include <sfpu/optimizer/solver.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace sfpu::optimizer {

/// "1 cycle", "2 cycles"
std::string counted(unsigned count, const char* what);

/// Most loads of one cell in a row: where a schedule is looked for, and where none is to be found any more.
constexpr unsigned copies_to_find = 3, copies_to_refute = 5;
/// How often a load may be repeated: as often as there is room for loads in the interval.
unsigned copies_of(const graph& of, const isa::machine& machine, unsigned interval, unsigned most);

/// What is left of a question's conflicts if the whole search has a budget of them, of which some are spent:
/// at least 1.
std::int64_t within_budget(const search_options& options, std::int64_t conflicts, std::int64_t spent);
/// What a question may take: so many conflicts, and what is left of the whole search's time unless it has a
/// budget.
solver_limits patience_of(const search_options& options, std::int64_t conflicts, double seconds_spent);

/// What making a formula may take: all the memory that the search may, and as long as it is not `stopped`.
/// With a budget of conflicts, so much memory as is left for them; that, too, is the same everywhere.
build_limits build_within(const search_options& options, std::int64_t spent, std::function<bool()> stopped);
/// What making so large a formula counts for, in conflicts.
std::int64_t conflicts_of(std::size_t bytes);

/// Another schedule of a question whose first is not accepted (`model`; empty if it is one of another
/// formula): one in which rows that are none schedule nothing, or one of a few that are elsewhere altogether.
/// `ask` asks `learned`, and does not know once the time is up. Afterwards `learned` has clauses of its own:
/// a refutation by it is none of the question.
std::optional<schedule> other_accepted(const graph& rows, const formula& problem, solver& learned,
                                       std::vector<bool> model, const search_options& options,
                                       const std::function<solver_answer(const std::vector<literal>&)>& ask);

/// Of schedules with the interval of `best`: a robust one, then without loads that only name the address
/// of a store, then with fewer macros, then with fewer templates, as far as the patience of each question
/// goes. `ask` solves a formula under assumptions. `best` changes only to what `options.accept_instead`
/// accepts.
void prefer_simpler(const graph& rows, const isa::machine& machine, const formula_limits& limits,
                    const search_options& options, schedule& best,
                    const std::function<solver_answer(solver&, const std::vector<literal>&)>& ask);

/// Finds out which groups of constraints refute what `of` refutes, small by deletion, and which single change
/// of the machine would allow it.
void explain(const graph& rows, const isa::machine& machine, const search_options& options, refutation& of);

} // namespace sfpu::optimizer
