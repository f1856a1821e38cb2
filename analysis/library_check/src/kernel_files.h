// The files of a trial: sources that it writes, kernels that programs have recorded.
#pragma once

#include <sfpu/isa/assembler.h>

#include <string>

namespace sfpu::analysis {

/// What stands in a file; nothing if it cannot be read.
std::string text_if_any(const std::string& path);
/// Throws user_error.
void write_source(const std::string& path, const std::string& text);

/// A recorded kernel. Throws user_error. Its file may be written again.
isa::kernel recorded_file(const std::string& path);

} // namespace sfpu::analysis
