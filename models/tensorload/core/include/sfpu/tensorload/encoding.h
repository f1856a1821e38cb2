// TensorLoad instructions as words: decoder, encoder, assembly text.
//
// All words have bits 6:0 = 0x5B (custom-2). The scalar register is in bits 11:7, where other instructions
// have their destination; no TensorLoad instruction writes a scalar register. Source: tensorload.md A2.
#pragma once

#include <sfpu/common/tensorload_parameters.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace sfpu::tensorload {

constexpr std::uint32_t major_opcode = 0x5b;
constexpr unsigned register_count = 32;

enum class operation : std::uint8_t { load, mload, store, mstore, addi, concat, merge, xpose };

/// The four sub-engines; the numbers are those of the field EngineID.
enum class sub_engine : std::uint8_t { load, compute, store, reshape };
constexpr unsigned sub_engine_count = 4;
const char* to_string(sub_engine engine); ///< "load", "compute", "store", "reshape"

/// The sub-engine whose number an assembler puts into EngineID.
sub_engine natural_engine(operation op);

/// One decoded instruction. Fields that it does not have are zero.
struct instruction {
    operation op{};
    std::uint8_t engine_id = 0;   ///< bits 31:30
    std::uint8_t destination = 0; ///< tlD of loads, tl.addi, tl.concat, tl.merge
    std::uint8_t a = 0, b = 0;    ///< sources; tl.xpose reads and writes both
    std::uint8_t scalar = 0;      ///< x register: base address, or dimensions of tl.xpose
    std::int8_t immediate = 0;    ///< loads and stores: slices; tl.addi: the addend
    std::uint8_t p = 0, q = 0;    ///< axis of tl.concat and tl.merge (p), axes of tl.xpose, p <= q

    bool is_load() const { return op == operation::load || op == operation::mload; }
    bool is_store() const { return op == operation::store || op == operation::mstore; }
    bool is_masked() const { return op == operation::mload || op == operation::mstore; }
    bool has_scalar() const { return is_load() || is_store() || op == operation::xpose; }
    /// A tl.xpose of an axis with itself: retires without checks.
    bool is_no_op() const { return op == operation::xpose && p == q; }

    /// Tensor registers that are read or written, bit i for tl<i>; tl0, which is constant, is never among
    /// them.
    std::uint32_t sources() const;
    std::uint32_t destinations() const;
};

/// Instructions as an assembler makes them, EngineID included. Register numbers and axes are taken modulo
/// their field.
instruction load(unsigned destination, unsigned base, int slices);
instruction mload(unsigned destination, unsigned base, int slices);
instruction store(unsigned source, unsigned base, int slices);
instruction mstore(unsigned source, unsigned base, int slices);
instruction addi(unsigned destination, unsigned source, int addend);
instruction concat(unsigned axis, unsigned destination, unsigned a, unsigned b);
instruction merge(unsigned axis, unsigned destination, unsigned a, unsigned b);
instruction xpose(unsigned p, unsigned q, unsigned a, unsigned b, unsigned dimensions);

constexpr bool is_tensorload(std::uint32_t word) { return (word & 0x7fu) == major_opcode; }

/// Nothing if the word is no TensorLoad instruction. Aliases follow accept_printed_aliases;
/// engine_id_use::strict refuses words whose EngineID is not natural.
std::optional<instruction> decode(std::uint32_t word, const tensorload_parameters& config);

/// The canonical word. decode(encode(i)) is i, but for tl.xpose.22, whose code the printed aliases give to
/// tl.xpose.13.
std::uint32_t encode(const instruction& insn);

/// Assembly text: "tl.load tl2, -1(x14)", "tl.xpose.12 tl1, tl2, x14".
std::string text(const instruction& insn);
/// The same of a word; ".word 0x..." if no text assembles to exactly this word.
std::string disassemble(std::uint32_t word, const tensorload_parameters& config);

struct assembled {
    std::optional<std::uint32_t> word;
    std::string message; ///< without a word: what was found and expected; with one: a warning, or empty
};
/// Assembles one line without label or comment. Registers are tl0 to tl31 and x0 to x31. Immediates outside
/// -128 to 127 lose their upper bits with a warning, as the hardware would drop them.
assembled assemble(std::string_view line);

} // namespace sfpu::tensorload
