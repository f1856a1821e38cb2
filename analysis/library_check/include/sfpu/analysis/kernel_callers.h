// What a kernel library says of the use of its kernels: `X_tile()` calls a kernel, `X_tile_init()` beside
// it what prepares the kernel.
#pragma once

#include <sfpu/analysis/function_text.h>

#include <map>
#include <string>
#include <vector>

namespace sfpu::analysis {

/// A name in a body, and the list in brackets behind it: `f<true, 8>` and `MACRO(..., f, (true, 8), ...)`
/// alike.
struct mentioned_function {
    std::string name;
    std::vector<std::string> arguments;
};

/// How one function of the library uses a kernel.
struct kernel_use {
    std::string caller;                          ///< `acosh_tile`
    std::vector<std::string> arguments;          ///< of the kernel's template, as the caller writes them
    std::vector<mentioned_function> preparation; ///< init functions that its own names, in its order
};

/// Functions in the texts of headers that call kernels. A function that these headers define themselves
/// stands for what it calls.
class kernel_callers {
public:
    kernel_callers() = default;
    explicit kernel_callers(const std::vector<std::string>& texts);

    /// By functions that have an init function beside them, each with the arguments that it writes.
    std::vector<kernel_use> uses_of(const std::string& kernel) const;

private:
    std::map<std::string, std::vector<kernel_use>> uses_; ///< by the kernel's name
};

} // namespace sfpu::analysis
