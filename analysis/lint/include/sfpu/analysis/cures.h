// What to change in a kernel so that `lint` finds less: small changes of its text, each tried before it is
// said.
#pragma once

#include <sfpu/analysis/machine_choice.h>

#include <sfpu/analysis/lint.h>
#include <sfpu/isa/assembler.h>
#include <sfpu/platform/program_runner.h>

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sfpu::analysis {

/// A change that was tried: `lint` finds what it is for no more, and nothing new.
struct cure {
    std::string text;   ///< "one SFPNOP before line 34", "delay 2 to 3 of store in line 21"
    std::string source; ///< the whole kernel, changed
    /// It says where something is missing or too much; what belongs there only people know.
    bool asks_the_author = false;
    /// It moves rows apart, or gives them registers of their own: what one row does stays as it is.
    bool leaves_rows_alone = false;
};

class cure_search {
public:
    /// `file` names the kernel in messages; `rows` are those of the command line. All must outlive the
    /// search.
    cure_search(platform::program_runner& runner, const std::string& file, const machine_choice& options,
                std::optional<unsigned> rows, const lint_options& how)
        : runner_(runner), file_(file), options_(options), rows_(rows), how_(how) {}

    /// Told of each change that is tried, and how many will be at most.
    void on_trial(std::function<void(unsigned tried, unsigned most)> listener) {
        told_ = std::move(listener);
    }

    /// Throws input_error for what is no kernel.
    lint_report lint(const std::string& source) const { return lint(source, how_); }
    /// The hazards only: milliseconds instead of a second.
    lint_report hazards_in(const std::string& source) const;

    /// Whether a change is worth looking for: of what breaks the kernel, and of notices that a small change
    /// takes away.
    static bool wants_cure(const lint_hazard& hazard);
    /// The simplest change that takes hazard `index` of the report away, and brings no other. Quick: a
    /// candidate is tried without bubbles.
    std::optional<cure> of_hazard(const std::string& source, const lint_report& report, std::size_t index);
    /// The same for a place where a bubble matters; the result without bubbles stays as it is. Long: a
    /// candidate is tried with bubbles everywhere.
    std::optional<cure> of_boundary(const std::string& source, const lint_report& report, std::size_t index);

private:
    struct problem {
        unsigned line = 0; ///< before which there may be too little room
        std::vector<unsigned> configured_in;
        std::vector<std::vector<unsigned>> macros; ///< the same of each macro that takes part
        bool in_tail = false;                      ///< something is left at the end
        bool rotates = false;                      ///< a register is used too soon again
        bool keeps_pace = false;                   ///< what makes rows longer comes last
        unsigned most_nops = 3;                    ///< in one place
        const lint_hazard* hazard = nullptr;       ///< null: a place where a bubble matters
    };
    lint_report lint(const std::string& source, const lint_options& how) const;
    std::vector<cure> candidates(const std::string& source, const problem& about) const;
    std::optional<std::string> rows_apart(const std::string& source, const problem& about) const;
    bool computes_the_same(const std::string& a, const std::string& b) const;

    platform::program_runner& runner_;
    const std::string& file_;
    const machine_choice& options_;
    std::optional<unsigned> rows_;
    lint_options how_;
    bool is_interrupted() const { return how_.interrupted && how_.interrupted(); }
    /// Counts a trial; false if there were enough, or lint_options::interrupted says so.
    bool may_try();

    unsigned tried_ = 0;
    std::function<void(unsigned, unsigned)> told_;
};

} // namespace sfpu::analysis
