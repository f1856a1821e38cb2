// Functions that do not compile, taken out of a preprocessed source so that the rest of it can be used.
#pragma once

#include <string>
#include <vector>

namespace sfpu::analysis {

/// Where an error lies, as the compiler and the preprocessor's line markers call it.
struct error_place {
    std::string file;
    unsigned line = 0; ///< from 1
    std::string reason;
    bool in_declaration = false; ///< what stands in front of the body is wrong, or may be
};

struct left_out_source {
    std::string text;
    std::vector<std::string> functions; ///< names of what was taken out, each once
};

/// A function with an error in its body throws a kernel_error with the reason when it is called; a
/// declaration with an error in front of its body is removed. A line that has both belongs to the body,
/// unless `in_declaration`. All lines keep their numbers. Places in no declaration of their file change
/// nothing.
left_out_source without_functions(const std::string& preprocessed, const std::vector<error_place>& errors);

} // namespace sfpu::analysis
