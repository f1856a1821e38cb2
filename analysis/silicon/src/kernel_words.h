// The words of a measured kernel, with those of its harness: as assembly, or as C++ that records them.
#pragma once

#include <sfpu/analysis/measurements.h>

#include <sfpu/isa/assembler.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace sfpu::analysis {

constexpr unsigned tile_rows = 32; ///< rows of 32 elements in a tile

/// Lines of assembly. Throws input_error.
std::vector<std::uint32_t> words_of(const std::vector<std::string>& lines, const measurement& row);
/// The beginning of C++ that calls a function of the kernel library.
std::string headers_of(const measured_kernel& kernel);

/// A kernel whose loop is a tile, of published words. Throws input_error for what is no assembly when it is
/// assembled.
std::string assembly_of(const measured_kernel& kernel, const harness& around, const measurement& row);
/// C++ that records the same of a function of the kernel library. Throws input_error.
std::string source_of(const measured_kernel& kernel, const harness& around, const measurement& row);

/// What a core pushes, each word in its place in the core's code, and what is done before.
struct pushing_code {
    std::vector<std::uint32_t> setup, code; ///< instructions; a Tensix word is one
};

/// A recorded kernel as its core pushes it: words that are played from the replay buffer become REPLAYs of
/// what the set-up records there. Nothing if they do not fit into it.
std::optional<pushing_code> pushed_code(const isa::kernel& kernel);
/// Instructions of a core between two addresses of what `objdump -d` wrote. Throws input_error if one is
/// missing.
std::vector<std::uint32_t> code_of(const disassembled_code& where, const std::string& file);

} // namespace sfpu::analysis
