// The functions of a program, by name.
#pragma once

#include <sfpu/riscv/elf_image.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace sfpu::analysis {

struct elf_function {
    std::string name;   ///< demangled
    std::string symbol; ///< as the file has it
    std::uint32_t address = 0, size = 0;
    std::size_t words = 0; ///< Tensix words in it
};

/// In the order of the file; of a program without functions its labels in code. Names that would take long to
/// demangle stay as they are.
std::vector<elf_function> elf_functions(const riscv::elf_image& image);

/// The function of an address ("0x5f08") or of a name: symbol, demangled name with or without its parameters,
/// or a part of one that only one function has. No name: the only function, or the only one with Tensix
/// words. Throws user_error, which names candidates; `file` begins the message.
elf_function find_elf_function(const std::vector<elf_function>& functions, std::string_view wanted,
                               const std::string& file);

} // namespace sfpu::analysis
