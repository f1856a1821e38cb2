#include "search_parts.h"

#include <random>

namespace sfpu::optimizer {
namespace {

/// Schedules of one question that are looked at, when the first two are not accepted.
constexpr unsigned most_others = 8;

} // namespace

std::optional<schedule> other_accepted(const graph& rows, const formula& problem, solver& learned,
                                       std::vector<bool> model, const search_options& options,
                                       const std::function<solver_answer(const std::vector<literal>&)>& ask) {
    std::mt19937 random(1); // the same search every time
    for (unsigned tried = 0; tried <= most_others; ++tried) {
        std::vector<literal> assumptions;
        if (tried == 0) {
            // What is not accepted is mostly what rows that are none leave behind.
            assumptions.push_back(problem.macros_in_frame());
        } else {
            if (!model.empty()) learned.add(problem.anywhere_else(model));
            learned.prefer(problem.anywhere(random));
        }
        const solver_answer answer = ask(assumptions);
        if (answer.result != outcome::satisfiable) {
            if (tried == 0) continue;
            break;
        }
        model = answer.model;
        schedule found = problem.read(model);
        if (options.accept(rows, found)) return found;
    }
    return std::nullopt;
}

} // namespace sfpu::optimizer
