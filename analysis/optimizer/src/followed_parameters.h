// Which immediates of a kernel's words follow which parameters.
#pragma once

#include <sfpu/isa/assembler.h>

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace sfpu::analysis {

/// A 16-bit immediate as a function of a parameter: added + half, or added - half, modulo 2^16.
struct followed_half {
    std::size_t parameter = 0;
    bool upper = false, negative = false;
    std::uint16_t added = 0;

    std::uint16_t value(std::uint32_t argument) const;
    /// In C++, of a parameter of this name.
    std::string text(const std::string& name) const;
};

/// An immediate of a kernel that does.
struct followed_word {
    unsigned section = 0; ///< 0: .init, 1: .loop, 2: .tail
    std::size_t at = 0;   ///< word of it
    followed_half how;
};

/// Values of all parameters, as 32 bits.
using parameter_bits = std::vector<std::uint32_t>;

/// Position of the 16-bit immediate of a word; nothing if it has none.
std::optional<unsigned> immediate_shift(std::uint32_t word, architecture arch);
inline std::uint16_t immediate_of(std::uint32_t word, unsigned shift) {
    return static_cast<std::uint16_t>(word >> shift);
}

constexpr unsigned section_count = 3;
std::array<std::vector<isa::source_word>*, section_count> sections_of(isa::kernel& kernel);
std::array<const std::vector<isa::source_word>*, section_count> sections_of(const isa::kernel& kernel);

/// What differs between two recordings: of `second` every word that follows a parameter. Throws user_error
/// that names the first word that differs in another way.
std::vector<followed_word> followed_words(const isa::kernel& first, const parameter_bits& of_first,
                                          const isa::kernel& second, const parameter_bits& of_second,
                                          const std::vector<bool>& is_free);
/// Words of another kernel whose immediates are those of `followed` for these values.
std::vector<followed_word> words_with_values(const isa::kernel& kernel,
                                             const std::vector<followed_word>& followed,
                                             const parameter_bits& values);
/// The kernel for other values.
isa::kernel with_values(isa::kernel kernel, const std::vector<followed_word>& followed,
                        const parameter_bits& values);

} // namespace sfpu::analysis
