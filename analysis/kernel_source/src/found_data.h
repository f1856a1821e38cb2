// The rows and the data of a kernel in Dst, by the loads and stores of a run.
#pragma once

#include "pushed_kernel.h"

#include <sfpu/analysis/dst_accesses.h>
#include <sfpu/isa/thread_state.h>

#include <optional>
#include <string>
#include <vector>

namespace sfpu::analysis {

/// The words of a kernel as its run numbers them: the loop's are [begin, begin + length * iterations).
struct loop_words {
    std::size_t begin = 0, length = 0, iterations = 1;
};

struct found_data {
    unsigned rows = 1; ///< of an iteration
    bool rows_known = false;
    std::vector<isa::tensor> inputs, outputs; ///< in0, in1, ...; out0, ...; in the order of the words
    /// Sentences: of rows and of what is not declared; one for each of the inputs and outputs.
    std::vector<std::string> told, told_inputs, told_outputs;
};

/// Rows of an iteration: those that it stores. Inputs: rows that are loaded before anything is stored there.
/// `accesses`: of a run that began with `start`.
found_data find_data(const std::vector<dst_access>& accesses, const loop_words& loop,
                     const isa::thread_state& start);

/// In the place of what was found, what the caller names. Throws user_error, which begins with `file`, if no
/// word loads or stores there, or if cells there have another width than the type.
void take_named_data(found_data& found, const source_request& request,
                     const std::vector<dst_access>& accesses, const isa::thread_state& start,
                     const std::string& file);

} // namespace sfpu::analysis
