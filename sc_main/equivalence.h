// The comparison of two kernels as `equiv` and `optimize` make it.
#pragma once

#include "options.h"

#include <sfpu/isa/assembler.h>
#include <sfpu/platform/sfpu_equivalence.h>

#include <optional>
#include <string>

namespace sfpu::cli {

/// Runs both kernels, with their .config directives and the options of the command line, on as many rows as `rows` says,
/// else either kernel's .rows, else as many as `run` would take and both can work on. Throws user_error if the rows do
/// not fit the iterations.
platform::equivalence_report compare(platform::sfpu_bench& bench, const isa::kernel& a, const isa::kernel& b,
                                     const common_options& options, std::optional<unsigned> rows,
                                     const platform::equivalence_options& how);

/// What people read: a line if they are equal, else the first difference.
std::string equivalence_text(const std::string& a_file, const std::string& b_file,
                             const platform::equivalence_report& report);

/// "0x3f800000", the value as a register would hold it.
std::string bits_text(const platform::typed_value& value);

} // namespace sfpu::cli
