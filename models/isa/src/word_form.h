// The assembly form of words, shared by assembler and disassembler so that one is the inverse of the other.
#pragma once

#include <sfpu/isa/instruction.h>
#include <sfpu/isa/word_encoding.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sfpu::isa {

using operand_list = std::vector<operand>;

/// How one opcode is written: a row of the instruction table, or a front-end word that has none.
struct word_form {
    std::uint8_t opcode;
    std::string mnemonic;
    bool on_wormhole;
    operand_list operands;    ///< what the disassembler writes
    operand_list alternative; ///< what the assembler takes too; empty if there is nothing else
    const mode_name* modes;   ///< as in row
};

/// The form of a lower-case mnemonic (`sfp_stoch_rnd` included), or null.
const word_form* find_form(std::string_view mnemonic);
/// The form of an opcode that exists on the architecture, or null.
const word_form* find_form(std::uint8_t opcode, architecture arch);
std::vector<std::string> all_mnemonics();

/// Values that an operand takes, both ends included.
struct operand_range {
    std::int64_t minimum, maximum;
};
operand_range range_of(const operand& what, const word_encoding& words);
/// Why the value is out of range although larger machines have it, or empty: the parameter that would help.
std::string missing_in(const operand& what, std::int64_t value, const word_encoding& words);

/// The word that the operands' values give; they must be in range.
std::uint32_t encode(const word_form& form, const operand_list& operands,
                     const std::vector<std::int64_t>& values, const word_encoding& words);
/// The value of an operand in a word, negative where it is signed and its top bit set.
std::int64_t extract(const operand& what, std::uint32_t word, const word_encoding& words);

/// Whether the operand is the register that an instruction writes (or stores), VD.
bool is_destination_register(const operand& what);
/// Whether the operand may be written as a register, among them Imm12 where VB stands in its lowest bits.
bool takes_register(const word_form& form, const operand& what);
/// Whether the low four bits of Imm12, and nothing else of it, matter in this mode: they are VB.
bool immediate_is_vb(std::uint8_t opcode, unsigned mod, architecture arch);

/// A name or number with what is known of it.
struct value {
    std::int64_t number = 0;
    bool is_register = false;     ///< named by a register: no immediate
    std::optional<double> real{}; ///< a number with a fraction; `number` means nothing then
    const char* mode = nullptr;   ///< the documented name of the modifier that it is, or begins with
};
/// Names that mean the same everywhere: registers, address modes, modifiers by their documented names.
std::optional<value> find_predefined(std::string_view name);
std::vector<std::string> all_predefined();

/// Names that mean something in one operand only: modifiers without their prefix, destinations of SFPCONFIG.
std::optional<value> find_local(const word_form& form, const operand& what, std::string_view name);
std::vector<std::string> all_local(const word_form& form, const operand& what);

/// Whether the instruction has a modifier of that documented name.
bool has_mode(const word_form& form, std::string_view documented);
/// The mnemonic of the first instruction that has a modifier of that name, with or without its prefix; empty
/// if none has.
std::string instruction_with_mode(std::string_view name);
/// What may be meant by a modifier of another instruction: modifiers of this one that have the same name, or
/// do the same of loads and SFPLOADI. Empty if there are none.
std::vector<std::string> modes_like(const word_form& form, std::string_view name);

/// A modifier's documented name without its prefix: "INT32", "CC_NONE".
std::string_view without_prefix(std::string_view mode);
/// A modifier as the disassembler writes it: its name, names of its bits as "A|B", or its number.
std::string mode_text(const mode_name* modes, unsigned mod);
/// Destinations of SFPCONFIG by number: VD in bits 3:0, the extended index of the immediate above it.
constexpr unsigned extended_destination(unsigned vd, const extended_index& index) {
    return vd | index.immediate() << 4;
}
constexpr extended_index index_of_destination(unsigned number) { return extended_index::of(number >> 4); }
/// Name of a destination, or empty.
std::string config_destination(unsigned number);
/// Whether the machine has the destination.
bool has_destination(unsigned number, const word_encoding& words);
/// Makes of an immediate and a destination of SFPCONFIG what its text shows, if the index is in the
/// immediate.
void split_destination(std::int64_t& immediate, std::int64_t& destination, unsigned mod,
                       const word_encoding& words);

} // namespace sfpu::isa
