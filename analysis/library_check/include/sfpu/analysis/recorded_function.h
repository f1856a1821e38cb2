// One function of somebody's C++ file, called and recorded as `llk` does it with those of a library.
#pragma once

#include <sfpu/analysis/kernel_calls.h>
#include <sfpu/analysis/kernel_kit.h>
#include <sfpu/analysis/session.h>
#include <sfpu/common/parameters.h>

#include <string>
#include <vector>

namespace sfpu::analysis {

/// A header or source of kernels.
struct cpp_file {
    std::string name; ///< as messages call it; if it is a file with this text, that is compiled
    std::string text;
    std::vector<std::string> folders;     ///< where its includes are looked for, behind its own folder
    std::vector<std::string> definitions; ///< "X=Y" or "X", of macros
};

/// A function with a body, and where it stands.
struct declared_function {
    function_declaration declaration; ///< with its namespaces in front of its name
    unsigned line = 0;                ///< of its result type, from 1
    /// "ckernel::sfpu::scale<bool APPROXIMATE, int ITERATIONS>(uint32_t factor)"
    std::string signature() const;
};
/// In the order of the text.
std::vector<declared_function> declared_functions(const std::string& text);

/// Which of them is meant: its name with all, some or no namespaces, or a part of its signature that no other
/// function's has; empty: the only one that prepares no other. Of several of one name the one that takes so
/// many arguments. Throws user_error that lists the candidates, with `name` of the file in front.
std::size_t chosen_function(const std::vector<declared_function>& functions, const std::string& wanted,
                            std::size_t arguments, const std::string& name);

struct recorded_function {
    kernel_call call;
    unsigned line = 0;              ///< of the function in the file
    std::string assembly;           ///< with `.origin`, files as messages call them
    std::vector<std::string> notes; ///< how it was compiled and called, what was guessed
};

/// Calls and records a function. A file that defines `void sfpu_kernel(program_builder&)` describes its
/// kernel itself, unless another function is named. Throws user_error: what does not compile or record, where
/// and why.
recorded_function record_function(const cpp_file& file, architecture arch, const std::string& function,
                                  const given_arguments& given, const kernel_tools& tools, double seconds,
                                  const session& of = {});

} // namespace sfpu::analysis
