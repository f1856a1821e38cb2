// Tensix words as the public assembler writes them, binutils for the targets xtttensixbh and xtttensixwh: the
// destination first, plain numbers for modifiers, `.ttinsn WORD` for a word that its mnemonics do not give.
#pragma once

#include <sfpu/isa/assembler.h>
#include <sfpu/isa/word_encoding.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace sfpu::isa {

/// "SFPMAD L0, L1, L2, L9, 0", with a tab behind the mnemonic: a line that the public assembler takes and
/// makes this word of. It takes fewer modifiers, registers and immediates than a word can hold; the others
/// are `.ttinsn`.
std::string gnu_text(std::uint32_t word, const word_encoding& words);

/// What became of a line.
struct gnu_line {
    std::optional<std::uint32_t> word; ///< nothing if it is none, or has a mistake
    bool is_tensix = false;            ///< it begins with the mnemonic of a Tensix instruction, or `.ttinsn`
    std::size_t column = 0;            ///< of the mistake, from 1; 0 if there is none
    std::string problem;               ///< what was found and what was expected
};

/// Reads one statement without its label, in upper or lower case. `#` begins a comment. Takes what a word can
/// hold, which is more than the public assembler takes, and the forms of its earlier versions that cannot be
/// mistaken. Not a Tensix instruction: `is_tensix` is false and there is no problem.
gnu_line gnu_word(std::string_view line, const word_encoding& words);

/// Whether a mnemonic looks like one of a Tensix instruction: `sfp...`, `tt...` in any case, `.ttinsn`.
bool is_gnu_tensix(std::string_view mnemonic);

/// The first line of gnu_listing().
constexpr std::string_view gnu_listing_mark = "# sfpusim disasm --syntax gnu";
/// A kernel for the public assembler: its words in their order, once each. Sections, rows and data are
/// comments of the form "# .loop 2".
std::string gnu_listing(const kernel& program);

/// The architecture that `.attribute arch, "..."` names, if it names one of the two.
std::optional<architecture> gnu_architecture(std::string_view attribute);

} // namespace sfpu::isa
