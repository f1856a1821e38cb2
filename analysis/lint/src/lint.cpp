#include <sfpu/analysis/lint.h>

#include "issued_program.h"
#include "linter.h"

#include <algorithm>
#include <memory>

namespace sfpu::analysis {

const char* to_string(lint_verdict verdict) {
    switch (verdict) {
    case lint_verdict::robust: return "robust";
    case lint_verdict::replay_only: return "replay-only";
    case lint_verdict::broken: return "broken";
    }
    return "?";
}

bool lint_report::safe_from_replay_buffer() const {
    return verdict != lint_verdict::broken &&
           std::all_of(boundaries.begin(), boundaries.end(),
                       [](const lint_boundary& each) { return each.inside_iteration; });
}

std::vector<std::string> lint_report::depends_on() const {
    std::vector<std::string> parameters;
    for (const lint_question& each : open_questions)
        if (each.without_bubbles) parameters.push_back(each.parameter);
    return parameters;
}

lint_report lint(platform::program_runner& runner, const isa::kernel& kernel,
                 const platform::run_request& base, unsigned iterations, const lint_options& options) {
    // Hundreds of kilobytes, which the stack of a caller need not have.
    iterations = iterations_to_run(kernel, iterations);
    return std::make_unique<linter>(runner, kernel, base, iterations, options)->run();
}

} // namespace sfpu::analysis
