// What to change in a kernel so that `lint` finds less: small changes of its text, each tried before it is said.
#pragma once

#include "options.h"

#include <sfpu/isa/assembler.h>
#include <sfpu/platform/sfpu_bench.h>
#include <sfpu/platform/sfpu_lint.h>

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace sfpu::cli {

/// A change that was tried: `lint` finds what it is for no more, and nothing new.
struct cure {
    std::string text;   ///< "one SFPNOP before line 34", "delay 2 to 3 of store in line 21"
    std::string source; ///< the whole kernel, changed
};

class cure_search {
public:
    /// `file` names the kernel in messages; `rows` are those of the command line. All must outlive the search.
    cure_search(platform::sfpu_bench& bench, const std::string& file, const common_options& options,
                std::optional<unsigned> rows, const platform::lint_options& how)
        : bench_(bench), file_(file), options_(options), rows_(rows), how_(how) {}

    /// Throws input_error for what is no kernel.
    platform::lint_report lint(const std::string& source) const;

    /// The simplest change that takes hazard `index` of the report away.
    std::optional<cure> of_hazard(const std::string& source, const platform::lint_report& report,
                                  std::size_t index);
    /// The same for a place where a bubble matters; the result without bubbles stays as it is.
    std::optional<cure> of_boundary(const std::string& source, const platform::lint_report& report,
                                    std::size_t index);

private:
    struct problem {
        unsigned line = 0; ///< before which there may be too little room
        std::vector<unsigned> configured_in;
        bool in_tail = false; ///< something is left at the end
        bool rotates = false; ///< a register is used too soon again
    };
    std::vector<cure> candidates(const std::string& source, const problem& about) const;
    bool computes_the_same(const std::string& a, const std::string& b) const;

    platform::sfpu_bench& bench_;
    const std::string& file_;
    const common_options& options_;
    std::optional<unsigned> rows_;
    platform::lint_options how_;
    unsigned tried_ = 0;
};

} // namespace sfpu::cli
