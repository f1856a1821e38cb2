// Lines of C++ of the instructions of an ELF file, from its DWARF, by libdw. Without that library there are
// none.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace sfpu::analysis {

struct cpp_line {
    std::string file; ///< as the compiler names it
    unsigned line = 0;
};

class dwarf_lines {
public:
    /// `elf`: the bytes of a file that elf_image has parsed. What libdw cannot read has no lines.
    explicit dwarf_lines(std::string_view elf);
    ~dwarf_lines();
    dwarf_lines(dwarf_lines&&) noexcept;
    dwarf_lines& operator=(dwarf_lines&&) noexcept;

    /// Whether this program was built with libdw.
    static bool is_built_in();
    /// Whether the file has any DWARF.
    bool has_lines() const;
    /// The line of an instruction. Of what is inlined, the innermost that is not in a header of the compiler
    /// or of the instruction macros. `as_data`: the assembler took the instruction for data (`.4byte`), whose
    /// line it notes behind it.
    std::optional<cpp_line> at(std::uint32_t pc, bool as_data = false) const;

private:
    struct reader;
    std::unique_ptr<reader> reader_;
};

/// Whether a header only wraps instructions: sfpi.h, ckernel_ops.h, those of the compiler.
bool wraps_instructions(std::string_view file);

} // namespace sfpu::analysis
