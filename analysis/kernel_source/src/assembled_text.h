// The compiler's -S output as a program: assembled and linked by the binutils for RISC-V.
#pragma once

#include "compiler_text.h"

#include <sfpu/analysis/kernel_source.h>
#include <sfpu/riscv/elf_image.h>

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace sfpu::analysis {

struct assembled_text {
    riscv::elf_image image;
    std::map<std::uint32_t, std::size_t> statements; ///< by address: those that can push a word
};

/// Assembles the text with the Tensix instructions of both kinds as words, and links it. Instructions that
/// cannot be read become ebreak. Throws user_error with what the assembler or the linker says.
assembled_text assemble_compiler_text(std::string_view content, const compiler_text& text,
                                      const std::string& name, const source_request& request,
                                      architecture arch, const session& caller);

/// Which names of these statements are taken for the instruction buffer, though they are not its usual ones.
std::vector<std::string> told_of_buffers(const compiler_text& text, std::size_t begin, std::size_t end);

} // namespace sfpu::analysis
