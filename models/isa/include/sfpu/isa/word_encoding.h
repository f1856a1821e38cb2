// How words name macros, templates and sequences: as on the chips, or wider where a machine has more of them
// (docs/exploration.md).
#pragma once

#include <sfpu/common/types.h>

#include <cstdint>

namespace sfpu::isa {

/// What the words of a machine can say. An architecture stands for its chip.
struct word_encoding {
    architecture arch = architecture::blackhole;
    std::uint8_t macros = 4, templates = 4, delay_bits = 3;

    word_encoding(architecture chip) : arch(chip) {} // NOLINT: the chip is the usual case

    /// SFPLOADMACRO takes a third bit of the macro index from the lowest spare bit of its address field, and
    /// Misc has a bit for each of eight macros.
    bool wide_macro_index() const { return macros > 4; }
    /// Sequences are half-words for each sub-unit, not bytes, and SFPCONFIG writes them in two halves.
    bool wide_sequences() const { return templates > 4 || delay_bits > 3; }
    /// SFPCONFIG and SFPMOV take an extended index from their immediate.
    bool extended_index() const { return wide_macro_index() || wide_sequences(); }

    /// Bits of Misc that mean something.
    std::uint32_t misc_mask() const { return wide_macro_index() ? 0xfffffu : 0xfffu; }
};

/// SFPLOADMACRO: bit 10 of the word is the third bit of the macro index where there are more than four.
constexpr unsigned wide_macro_index_shift = 10;

/// The macro that an SFPLOADMACRO names.
constexpr unsigned macro_index_of(std::uint32_t word, bool wide) {
    return (word >> 22 & 3u) | (wide ? (word >> wide_macro_index_shift & 1u) << 2 : 0u);
}

/// The extended index in an immediate of SFPCONFIG (value from L0) or SFPMOV (FROM_SPECIAL).
struct extended_index {
    enum class part : std::uint8_t {
        whole, ///< a template; a sequence of four bytes, as on the chips
        lower, ///< the half-words of Simple (bits 15:0) and MAD (31:16)
        upper, ///< those of Round and Store
    };
    unsigned plus_four = 0; ///< 4 if bit 0 is set: templates and sequences 4 to 7
    part which = part::whole;

    static constexpr extended_index of(std::uint32_t immediate) {
        constexpr part parts[4] = {part::whole, part::lower, part::upper, part::whole};
        return {(immediate & 1u) * 4u, parts[immediate >> 1 & 3u]};
    }
    constexpr std::uint32_t immediate() const {
        return (plus_four ? 1u : 0u) | static_cast<std::uint32_t>(which) << 1;
    }
};

/// A sub-unit's part of a sequence: a byte on the chips (VB 7, L16 6, delay 5:3, selector 2:0), a half-word
/// on machines with wide sequences (VB 15, L16 14, delay 12:8, selector 3:0).
constexpr std::uint16_t half_word_of(std::uint8_t byte) {
    return static_cast<std::uint16_t>((byte & 0xc0u) << 8 | (byte >> 3 & 7u) << 8 | (byte & 7u));
}
constexpr std::uint8_t byte_of(std::uint16_t half_word) {
    return static_cast<std::uint8_t>((half_word >> 8 & 0xc0u) | (half_word >> 8 & 7u) << 3 |
                                     (half_word & 7u));
}

} // namespace sfpu::isa
