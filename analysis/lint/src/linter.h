// One check of a kernel, from the first run to the verdict.
#pragma once

#include "execution_trace.h"
#include "issued_program.h"
#include "lint_runs.h"
#include "open_questions.h"

#include <sfpu/analysis/allowances.h>
#include <sfpu/analysis/lint.h>

#include <cstdint>
#include <optional>
#include <vector>

namespace sfpu::analysis {

/// Hundreds of kilobytes.
class linter {
public:
    linter(platform::program_runner& runner, const isa::kernel& kernel, const platform::run_request& base,
           unsigned iterations, const lint_options& options);

    lint_report run();

private:
    /// A run that was tried, to be repeated under other answers to open questions.
    struct trial {
        planned_run what;
        run_outcome outcome;
    };
    /// What bubbles do.
    struct effect {
        std::optional<dst_difference> difference;
        bool discards = false; ///< macros discard more instructions than without bubbles

        bool any() const { return difference || discards; }
    };

    void check();
    std::uint64_t runs_as_configured() const;
    std::uint64_t runs_to_expect() const;
    void judge();
    lint_instruction instruction_of(const execution_step* step) const;
    std::vector<unsigned> configuring_lines(std::int64_t word) const;

    // Without bubbles: linter_hazards.cpp
    void run_without_bubbles(unsigned data);
    void try_leftover_registers();
    void add_hazards(const std::vector<diagnostic>& found, cycles first_issue, const execution_trace& trace);

    // With bubbles: linter_bubbles.cpp
    effect effect_of(unsigned data, const run_outcome& outcome) const;
    effect play(const planned_run& what) { return effect_of(what.data, runs_.play(what)); }
    effect tried(planned_run what);
    void try_single_bubbles();
    void prepare_single_bubbles(const std::vector<std::size_t>& positions, std::size_t from, std::size_t to);
    void try_random_bubbles();
    void prepare_random_bubbles(const std::vector<planned_run>& runs);
    bubble_schedule without_known(bubble_schedule bubbles);
    void narrow_down(planned_run what);
    lint_boundary* known_boundary(std::size_t position);
    void add_boundary(const planned_run& what, std::size_t position, const effect& found, bool needs_others);
    void name_discarded(lint_boundary& boundary, const execution_trace& before,
                        const execution_trace& after) const;
    void find_dependence(lint_boundary& boundary, const planned_run& what);

    // Under other answers: linter_questions.cpp
    void try_open_questions();
    void try_answer(lint_question& question, unsigned machine);
    std::size_t prepare_trials(std::size_t from, std::size_t most, unsigned machine,
                               const answer_reach& reach);

    lint_options options_;
    allowances allowed_;
    parameters config_;
    hazard_policy hazards_;
    isa::word_encoding words_;
    issued_program program_;
    std::vector<other_answer> answers_; ///< machine i + 1 of runs_ answers as answers_[i]
    lint_runs runs_;
    std::vector<trial> trials_;
    lint_report report_;
};

} // namespace sfpu::analysis
