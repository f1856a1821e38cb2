// What changes under other answers to open questions.
#include "linter.h"

#include <algorithm>

namespace sfpu::analysis {

void linter::try_open_questions() {
    for (unsigned machine = 1; machine <= answers_.size(); ++machine) {
        const other_answer& answer = answers_[machine - 1];
        if (report_.open_questions.empty() || report_.open_questions.back().parameter != answer.parameter) {
            report_.open_questions.emplace_back();
            report_.open_questions.back().parameter = answer.parameter;
        }
        lint_question& question = report_.open_questions.back();
        question.complete = false;
        try_answer(question, machine);
        question.values.push_back(answer.value);
        // The values of a question follow each other.
        question.complete = machine == answers_.size() || answers_[machine].parameter != answer.parameter;
        runs_.forget_prepared();
    }
}

/// Ends with the first trial that gives another result, so the first ones are prepared a few at a time.
void linter::try_answer(lint_question& question, unsigned machine) {
    const answer_reach reach(config_, answers_[machine - 1], options_.try_all_questions);
    std::size_t prepared = 0, at_a_time = std::max<std::size_t>(runs_.batch() / 8, 1);
    for (std::size_t i = 0; i < trials_.size(); ++i) {
        const trial& each = trials_[i];
        if (!reach.may_differ(each.outcome)) {
            runs_.count_run();
            continue;
        }
        if (runs_.prepares() && i >= prepared) {
            prepared = prepare_trials(i, at_a_time, machine, reach);
            at_a_time = std::min(2 * at_a_time, runs_.batch());
        }
        if (runs_.play({each.what.data, machine, each.what.bubbles}).changed == each.outcome.changed)
            continue;
        question.depends = true;
        question.without_bubbles = question.without_bubbles || each.what.bubbles.empty();
        return; // the trials without bubbles come first
    }
}

/// The number of the first trial that is not among them.
std::size_t linter::prepare_trials(std::size_t from, std::size_t most, unsigned machine,
                                   const answer_reach& reach) {
    runs_.forget_prepared();
    std::vector<planned_run> runs;
    std::size_t i = from;
    for (; i < trials_.size() && runs.size() < most; ++i)
        if (reach.may_differ(trials_[i].outcome))
            runs.push_back({trials_[i].what.data, machine, trials_[i].what.bubbles});
    runs_.prepare(runs);
    return i;
}

} // namespace sfpu::analysis
