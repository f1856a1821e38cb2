// Among schedules of one length: what is simpler and safer.
#include "search_parts.h"

#include <algorithm>

namespace sfpu::optimizer {
namespace {

class simplifier {
public:
    simplifier(const graph& rows, const isa::machine& machine, const formula_limits& limits,
               const search_options& options, schedule& best,
               const std::function<solver_answer(solver&, const std::vector<literal>&)>& ask)
        : graph_(rows), machine_(machine), limits_(limits), options_(options), best_(best), ask_(ask) {}

    void run() {
        if (!limits_.bubble_proof && machine_.issue_width == 1 && !options_.is_robust()) {
            limits_.bubble_proof = true;
            load_formula();
            if (!try_with(machine_.macros, machine_.templates, true)) limits_.bubble_proof = false;
        }
        if (is_call()) shorten_call();
        else if (!learned_ || !limits_.bubble_proof) load_formula();
        const auto names_a_store = [](const placed_load& load) { return load.host_only; };
        bool loads = std::any_of(best_.loads.begin(), best_.loads.end(), names_a_store);
        if (loads) loads = !try_with(machine_.macros, machine_.templates, false);
        while (best_.macros_used() > 1 && try_with(best_.macros_used() - 1, machine_.templates, loads)) {
        }
        while (best_.templates_used() > 0 &&
               try_with(std::max(1u, best_.macros_used()), best_.templates_used() - 1, loads)) {
        }
    }

private:
    /// Few rows, of which the first and the last ones matter: the words before the loop are fewer if a row
    /// issues all of its words at once.
    bool is_call() const {
        constexpr unsigned few = 8;
        return graph_.rows * graph_.rows_per_iteration <= few;
    }
    static unsigned cycles_of_issue(const schedule& of) {
        unsigned last = 0;
        for (const placed_load& load : of.loads) last = std::max(last, load.time);
        for (const placed_operation& each : of.operations)
            if (each.issued) last = std::max(last, each.time);
        return last + 1;
    }
    void shorten_call() {
        unsigned least = 1, known = cycles_of_issue(best_);
        while (least < known) {
            limits_.issued_within = least + (known - least) / 2;
            load_formula();
            if (try_with(machine_.macros, machine_.templates, true)) known = cycles_of_issue(best_);
            else least = limits_.issued_within + 1;
        }
        limits_.issued_within = known;
        load_formula();
    }

    void load_formula() {
        problem_.emplace(graph_, machine_, limits_);
        learned_ = std::make_unique<solver>(problem_->clauses(), aim::model);
    }
    bool try_with(unsigned macros, unsigned templates, bool loads_for_stores) {
        const solver_answer answer = ask_(*learned_, problem_->at_most(macros, templates, loads_for_stores));
        if (answer.result != outcome::satisfiable) return false;
        schedule found = problem_->read(answer.model);
        if (!options_.accept_instead(graph_, found)) return false;
        best_ = std::move(found);
        return true;
    }

    const graph& graph_;
    const isa::machine& machine_;
    formula_limits limits_;
    const search_options& options_;
    schedule& best_;
    const std::function<solver_answer(solver&, const std::vector<literal>&)>& ask_;
    std::optional<formula> problem_;
    std::unique_ptr<solver> learned_;
};

} // namespace

void prefer_simpler(const graph& rows, const isa::machine& machine, const formula_limits& limits,
                    const search_options& options, schedule& best,
                    const std::function<solver_answer(solver&, const std::vector<literal>&)>& ask) {
    simplifier(rows, machine, limits, options, best, ask).run();
}

} // namespace sfpu::optimizer
