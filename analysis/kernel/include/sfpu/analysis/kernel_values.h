// Values of a kernel's declared inputs and outputs, as cells of Dst.
#pragma once

#include <sfpu/analysis/errors.h>
#include <sfpu/analysis/kernel_file.h>
#include <sfpu/analysis/tensor_layout.h>
#include <sfpu/isa/data_type.h>
#include <sfpu/platform/program_runner.h>

#include <cstdint>
#include <string>
#include <vector>

namespace sfpu::analysis {

/// The declared tensor of that name. Throws user_error with the names that there are; `asked` is what asked
/// for it, "--input", `directive` what would declare it, ".input".
const isa::tensor& find_tensor(const kernel_run& kernel, const std::vector<isa::tensor>& among,
                               const std::string& name, const char* asked, const char* directive);
/// The same error for a name that is in none of several lists, of which `known` has the names.
user_error unknown_tensor(const kernel_run& kernel, const char* asked, const std::string& name,
                          const std::vector<std::string>& known, const char* directive);

/// Each row of each tensor must have a place of its own, or one could not be told from the other. Throws
/// user_error.
void check_places(const kernel_run& kernel, const std::vector<const isa::tensor*>& tensors);

/// Where a row of a tensor lies.
dst_slice slice_of(const kernel_run& kernel, const isa::tensor& tensor, unsigned row);

/// Puts values where the kernel's loads find them, on top of what is there: cells, 32 for each row of the
/// kernel.
void put_cells(kernel_run& kernel, const isa::tensor& tensor, const std::vector<std::uint32_t>& cells);
/// The cells of a tensor, 32 for each row of the kernel.
std::vector<std::uint32_t> cells_of(const kernel_run& kernel, const platform::dst_image& dst,
                                    const isa::tensor& tensor);

} // namespace sfpu::analysis
