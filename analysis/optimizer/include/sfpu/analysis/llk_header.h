// A kernel as a header for the vendor's kernel library: an init and a calculate function.
#pragma once

#include <sfpu/isa/assembler.h>

#include <string>
#include <vector>

namespace sfpu::analysis {

/// What the header is made of. Its functions issue, one after the other, the words of .init, of .loop as
/// often as the template argument ITERATIONS says in rows, and of .tail.
struct llk_kernel {
    const isa::kernel* words = nullptr; ///< of a chip, not of a larger machine
    unsigned lead_words = 0;          ///< last ones of .init, which belong to the rows: calculate issues them
    std::string name;                 ///< an identifier
    std::vector<std::string> remarks; ///< lines at the head
};

/// Throws user_error if a word has no name in the vendor's headers.
std::string llk_header(const llk_kernel& kernel);

/// A file name as part of an identifier: "kernels/relu.s" is "relu".
std::string llk_name(const std::string& file);

} // namespace sfpu::analysis
