// Where in a kernel's source something stands.
#pragma once

#include <string>

namespace sfpu::kernel_recorder {

/// A line of the kernel's source. As a default argument, here() is where the call stands; of a macro it is
/// the line on which the outermost one is written.
struct source_place {
    const char* file =
        nullptr; ///< as the compiler calls it, for as long as the program runs; null: not known
    unsigned line = 0;

    static constexpr source_place here(const char* in = __builtin_FILE(), unsigned at = __builtin_LINE()) {
        return {in, at};
    }
    /// Whether it is known and no line of the kernel headers themselves.
    bool is_of_kernel() const;

    friend bool operator==(const source_place& a, const source_place& b) {
        return a.file == b.file && a.line == b.line;
    }
};
/// "clip.h:7", without folders; empty if nothing is known.
std::string to_text(const source_place& place);

} // namespace sfpu::kernel_recorder
