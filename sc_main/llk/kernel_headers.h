// Finds the kernels of a checkout of the public kernel library: headers, functions in them, and calls to try.
#pragma once

#include <sfpu/common/types.h>

#include <string>
#include <vector>

namespace sfpu::cli::llk {

struct kernel_header {
    std::string path; ///< absolute
    std::string name; ///< as reports call it: relative to the checkout
    architecture arch;
    std::vector<std::string> folders; ///< that its includes are looked for in
    std::vector<std::string> library; ///< headers of kernels that it may expect to be included before
};

/// All `ckernel_sfpu_*.h` below a folder whose path names a chip, in the order of their names.
std::vector<kernel_header> find_headers(const std::string& checkout);

/// A function template with arguments, or a function, and its arguments.
struct kernel_call {
    std::string function, call; ///< `f`, and `f<true, 8>(0, 0, 1)`
    std::string init;           ///< the same of what prepares it; may be empty
    unsigned rows = 8;
    bool counts_rows = true; ///< its rows are known; else a call counts as one
};

struct kernel_functions {
    std::vector<kernel_call> calls;
    std::vector<std::string> skipped; ///< "function: reason"
    bool has_plain_path = false;      ///< compiles otherwise with DISABLE_SFPLOADMACRO
};

/// Calls of the functions in a header's text that return nothing: several for a template.
kernel_functions find_functions(const std::string& text);

} // namespace sfpu::cli::llk
