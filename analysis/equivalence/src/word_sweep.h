// Every value of one operand of 32 bits, by as many threads as there are processors.
#pragma once

#include "compared_operands.h"

#include <sfpu/platform/program_runner.h>

#include <cstdint>
#include <functional>
#include <optional>

namespace sfpu::analysis {

struct word_sweep {
    const platform::run_request &a, &b; ///< with all data but those of the operand
    const compared_operand &input_a, &input_b;
    /// Whether results differ in what is compared. Asked by several threads at once.
    std::function<bool(const platform::dst_image& a, const platform::dst_image& b)> differ;
    std::function<bool()> interrupted; ///< the same; may be empty

    struct outcome {
        std::optional<std::uint64_t> first; ///< of the values in a run whose results differ
        std::uint64_t runs = 0;
        bool interrupted = false;
    };
    /// Runs both kernels on element after element, 2^32 in all.
    outcome run() const;
};

} // namespace sfpu::analysis
