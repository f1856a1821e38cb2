// The compiler's -S output: statements with their functions and lines of C++.
#pragma once

#include "program_text.h"

#include <sfpu/common/types.h>

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sfpu::analysis {

/// An instruction or directive, without label and comment.
struct gnu_statement {
    std::string_view text;    ///< "sw\ta5, 0(a3)"
    std::string_view comment; ///< behind it on the line, from `#`
    unsigned line = 0;        ///< from 1
    std::size_t column = 0;   ///< from 1
    unsigned place = 0;       ///< index into compiler_text::places, plus 1; 0: unknown

    std::string_view mnemonic() const;
    bool is_directive() const { return !text.empty() && text.front() == '.' && mnemonic() != ".ttinsn"; }
};

struct gnu_function {
    std::string symbol, name; ///< mangled, demangled
    unsigned line = 0;
    std::size_t begin = 0, end = 0; ///< of its statements
    std::size_t words = 0;          ///< Tensix statements
};

struct compiler_text {
    std::vector<gnu_statement> statements;
    std::vector<gnu_function> functions;
    std::vector<cpp_place> places;
    std::optional<architecture> arch; ///< of `.attribute arch`
};

/// `content` must outlive the result.
compiler_text read_compiler_text(std::string_view content);

} // namespace sfpu::analysis
