// A measured kernel as a program of the core: what pushes its words is compiled, as for the measurement.
#pragma once

#include <sfpu/analysis/kernel_kit.h>
#include <sfpu/analysis/measurements.h>
#include <sfpu/analysis/session.h>
#include <sfpu/riscv/elf_image.h>

#include <optional>
#include <string>
#include <vector>

namespace sfpu::analysis {

constexpr unsigned settling_tiles = 8, timed_tiles = 32; ///< of a program of the core

/// C++ of a program that runs the kernel in its harness and leaves in `tohost` how many cycles it took: of
/// `timed_tiles` tiles behind `settling_tiles`, or of one body behind an idle front end, if only its pushes
/// are timed. Throws input_error for instructions of the harness that are none.
std::string core_source_of(const measured_kernel& kernel, const harness& around, const measurement& row);

struct core_program {
    std::optional<riscv::elf_image> program;
    std::string problem; ///< if there is none: what the compiler said first
};

/// Compiles the program for the cores of a chip. `folders` are those of the kernel's headers.
core_program compile_for_core(const std::string& source, architecture arch,
                              const std::vector<std::string>& folders, const std::string& compiler,
                              const kernel_kit& kit, const session& of);

} // namespace sfpu::analysis
