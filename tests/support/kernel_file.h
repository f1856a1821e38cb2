// The kernels of the repository.
#pragma once

#include <sfpu/isa/assembler.h>

#include <string>

namespace sfpu::test {

/// A kernel of the directory kernels/, for example "mul32.s". Throws std::runtime_error with all mistakes of
/// the file.
isa::kernel load_kernel(const std::string& file, architecture arch);

} // namespace sfpu::test
