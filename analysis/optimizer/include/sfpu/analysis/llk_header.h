// A kernel as a header for the vendor's kernel library: an init and a calculate function.
#pragma once

#include <sfpu/isa/assembler.h>

#include <map>
#include <string>
#include <vector>

namespace sfpu::analysis {

/// What the header is made of. Its functions issue, one after the other, the words of .init, of .loop as
/// often as the template argument ITERATIONS says in rows, and of .tail.
struct llk_parameter {
    std::string type, name; ///< as the function declares it
};

struct llk_kernel {
    const isa::kernel* words = nullptr; ///< of a chip, not of a larger machine
    unsigned lead_words = 0;          ///< last ones of .init, which belong to the rows: calculate issues them
    std::string name;                 ///< an identifier
    std::vector<std::string> remarks; ///< lines at the head
    std::vector<llk_parameter> parameters = {}; ///< of both functions
    /// C++ of 16-bit immediates that parameters decide, by words of `words`.
    std::map<const isa::source_word*, std::string> immediates = {};
};

/// Lines of comment at the head of a kernel's text.
std::vector<std::string> head_of(const std::string& text);

/// Throws user_error if a word has no name in the vendor's headers.
std::string llk_header(const llk_kernel& kernel);

/// What the vendor calls a kernel whose function is called so: "clip" of
/// "ckernel::sfpu::_calculate_clip_<8>(0)". Empty if it has no name.
std::string name_of_function(const std::string& call);

/// A file name as part of an identifier: "kernels/relu.s" is "relu".
std::string llk_name(const std::string& file);

} // namespace sfpu::analysis
