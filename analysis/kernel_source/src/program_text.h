// Machine code that a text shows: words by address, functions, lines of C++.
#pragma once

#include "pushed_kernel.h"
#include "translators.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sfpu::analysis {

/// Four bytes of code, and the line of the text that shows them.
struct shown_word {
    std::uint32_t address = 0; ///< a multiple of 4
    std::uint32_t bits = 0;    ///< as they lie in memory: a Tensix word rotated left by two
    unsigned line = 0;         ///< from 1
    unsigned place = 0;        ///< index into program_text::places, plus 1; 0: unknown
};

/// A line of C++.
struct cpp_place {
    std::string file;
    unsigned line = 0;
};

/// What stands on a line of a text. `place`: index into `places`, plus 1; 0: the C++ is not known.
isa::word_origin origin_on_line(const std::string& file, unsigned line, const std::vector<cpp_place>& places,
                                unsigned place);

struct code_section {
    std::string name;              ///< ".text"
    std::vector<shown_word> words; ///< by address, none twice
};

struct code_function {
    std::string symbol, name; ///< mangled, demangled
    unsigned section = 0;
    std::uint32_t address = 0, size = 0; ///< bytes up to the next symbol
    std::size_t words = 0;               ///< Tensix words
    unsigned line = 0;                   ///< of its symbol
};

struct program_text {
    std::vector<code_section> sections;
    std::vector<code_function> functions; ///< in the order of the text; none for a fragment
    std::vector<cpp_place> places;
    std::map<std::string, std::uint32_t, std::less<>> symbols; ///< those of functions and of comments
    bool has_halves = false; ///< Tensix words were shown as instructions of two bytes
};

/// Reads the text of `objdump -d`. Throws input_error with line and column.
program_text read_disassembly(std::string_view content, const std::string& name);

constexpr std::uint32_t return_instruction = 0x00008067;
constexpr bool is_tensix_bits(std::uint32_t bits) { return (bits & 3u) != 3u; }
constexpr std::uint32_t tensix_word(std::uint32_t bits) { return bits >> 2 | bits << 30; }
constexpr std::uint32_t rotated(std::uint32_t word) { return word << 2 | word >> 30; }

/// Whether the words become more or fewer on their way to the vector unit: REPLAY and MOP.
bool is_expanded_word(std::uint32_t word);
/// Whether a RISC-V instruction only computes a register from registers: nobody behind sees of it.
bool computes_only(std::uint32_t instruction);

/// The demangled name, or the same.
std::string demangled_name(const std::string& symbol);

/// What a function is chosen from.
struct function_name {
    std::string symbol, name;
    std::size_t words = 0; ///< Tensix words; without a request only a function with some is taken
};
/// The function that `wanted` names: mangled, demangled, without its parameters, or a part that only one has.
/// An empty `wanted` takes the only one with Tensix words. Throws user_error that lists what there is.
std::size_t chosen_function(const std::vector<function_name>& functions, const std::string& wanted,
                            const std::string& file);

} // namespace sfpu::analysis
