// The words that set up macros: what .template, .macro, .misc and .constant stand for, shared by assembler
// and disassembler so that one is the inverse of the other.
#pragma once

#include <sfpu/isa/word_encoding.h>

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace sfpu::isa {

constexpr unsigned macro_units = 4; ///< sub-units that a sequence has a part for
extern const std::array<const char*, macro_units> macro_unit_names; ///< "simple", "mad", "round", "store"

constexpr unsigned chip_templates = 4; ///< those that the backdoor reaches
constexpr unsigned backdoor_vd = 12;   ///< VD that writes template 0

/// A sub-unit's part of a sequence.
struct macro_part {
    enum : unsigned { nothing = 0, undefined = 1, nop = 2, store = 3, first_template = 4 };
    unsigned selector = nothing, delay = 0;
    bool vb = false, l16 = false;

    friend bool operator==(const macro_part& a, const macro_part& b) {
        return a.selector == b.selector && a.delay == b.delay && a.vb == b.vb && a.l16 == b.l16;
    }
    friend bool operator!=(const macro_part& a, const macro_part& b) { return !(a == b); }
};
using macro_parts = std::array<macro_part, macro_units>;

/// Makes words that go through L0 and knows what they leave in its upper half: one of zeros that is there
/// already needs no SFPLOADI, as hand-written set-ups have it. Whoever issues another word says so.
class setup_writer {
public:
    using words = std::vector<std::uint32_t>;

    void forget() { upper_.reset(); }

    /// A template through L0, for those that the backdoor does not reach.
    words template_words(unsigned number, std::uint32_t word);
    words macro_words(unsigned number, const macro_parts& parts, const word_encoding& encoding);
    words misc_words(std::uint32_t misc, const word_encoding& encoding);
    std::optional<std::uint16_t> known_upper() const { return upper_; }

private:
    void load(std::uint32_t value, words& to);

    std::optional<std::uint16_t> upper_; ///< of L0
};

/// A constant in a register of L0 to L7 in one or two words, or through L0 in L11 to L14.
std::vector<std::uint32_t> constant_words(unsigned lreg, std::uint32_t bits);

/// What stands in the words at `at`, if they are those that a setup_writer in the state `writer` makes; it
/// moves on then.
struct setup_text {
    std::string text;
    std::size_t words;
};
std::optional<setup_text> find_setup(const std::vector<std::uint32_t>& words, std::size_t at,
                                     setup_writer& writer, const word_encoding& encoding);

/// Rounds to nearest, ties to even, into a binary floating-point format with subnormal numbers. Nothing if it
/// overflows or is a NaN; infinities stay.
std::optional<std::uint32_t> encode_float(double number, unsigned exponent_bits, unsigned mantissa_bits);
/// The immediate with which SFPLOADI in mode FLOATA loads exactly these bits, if there is one.
std::optional<std::uint16_t> floata_immediate(std::uint32_t bits);

} // namespace sfpu::isa
