// What the core takes to push the words of a kernel, what the vector unit takes to execute them, and which of
// the two binds.
#pragma once

#include "function_run.h"

#include <sfpu/analysis/machine_choice.h>
#include <sfpu/isa/assembler.h>

#include <cstdint>
#include <optional>
#include <string>

namespace sfpu::analysis {

struct core_against_unit {
    /// Cycles, over the same words: `core` if nothing holds its pushes up, `unit` if every word is there in
    /// time, `together` if each word waits for both.
    struct spans {
        double core = 0, unit = 0, together = 0;
    };
    spans all;                    ///< from the first word to the last
    std::optional<spans> per_row; ///< in steady state, if the rows are known

    enum class bottleneck : std::uint8_t { core, unit, both };
    bottleneck binds() const;
};

/// `rolled`: the kernel that was made of the words, if its words are the same; it has the rows. Nothing for
/// fewer than two words, and for those that the model does not run.
std::optional<core_against_unit> compare_core_with_unit(const function_run& run, const isa::kernel* rolled,
                                                        const machine_choice& machine);

/// "the core takes 12.0 cycles a row, the vector unit 9.0, both together 12.0: the core binds"
std::string to_text(const core_against_unit& times);

} // namespace sfpu::analysis
