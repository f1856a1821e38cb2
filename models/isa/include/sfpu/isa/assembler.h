// Reads kernels: assembly text (.s) and plain words (.hex).
#pragma once

#include <sfpu/common/report.h>
#include <sfpu/isa/data_type.h>
#include <sfpu/isa/word_encoding.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sfpu::isa {

/// An instruction word and the line of the source file that it stands on, counted from 1.
struct source_word {
    std::uint32_t word = 0;
    unsigned line = 0;
    bool gap = false;    ///< `.gap`: idle cycles can stand before it
    unsigned origin = 0; ///< `.origin`: index into kernel::origins, plus 1; 0: it stands where it was written
};

/// An `.origin` directive: where the words behind it come from, if this text was made from something else.
/// What is not known is empty or 0.
struct word_origin {
    std::string file;                     ///< what the user holds: a disassembly, an ELF, a C++ header
    unsigned line = 0;                    ///< in `file`, from 1; 0 where it has no lines
    std::optional<std::uint32_t> address; ///< of the instruction that pushes the word
    std::string cpp_file;                 ///< the C++ that the compiler made it from
    unsigned cpp_line = 0;                ///< in `cpp_file`, from 1

    friend bool operator==(const word_origin& a, const word_origin& b) {
        return a.file == b.file && a.line == b.line && a.address == b.address && a.cpp_file == b.cpp_file &&
               a.cpp_line == b.cpp_line;
    }
};

/// A `.config key, value` directive: the value as written, and where the key stands (from 1).
struct config_setting {
    std::string key, value;
    unsigned line = 0, column = 0;
};

/// An `.input` or `.output` directive: data in Dst, as many rows as the kernel works on. Row r stands at
/// address + 2 r, which is what the address field of a load of it says.
struct tensor {
    std::string name;
    unsigned address = 0;
    data_type type = data_type::u32;
    unsigned line = 0, column = 0; ///< of the name, from 1
};

/// A name that `.equ`, `.input` or `.output` gives a value on this line, which holds from there on.
struct named_value {
    std::string name;
    std::optional<std::int64_t> number; ///< nothing for registers and fractions
    unsigned line = 0;
};

/// What a file may say and seldom means: a name that is given another value, 1 / 6, a kernel without .loop.
/// Line and column count from 1; line 0 is the file as a whole.
struct source_remark {
    unsigned line = 0, column = 0;
    std::string message;
    report_id id = report_id::kernel_no_loop; ///< of kind remark
};

/// An `.allow ID, "reason"` directive: this diagnostic is meant.
struct allowance {
    report_id id{};
    std::string reason;
    unsigned line = 0, column = 0; ///< of the id, from 1
};

/// A kernel: `init` is issued once, `loop` once for every `rows_per_iteration` rows that are not peeled,
/// `tail` once at the end. A row is 32 elements, one LReg.
struct kernel {
    std::string file;
    architecture arch = architecture::blackhole;
    word_encoding words = architecture::blackhole; ///< what its words may say, `.config` directives included
    std::vector<source_word> init, loop, tail;
    unsigned rows_per_iteration = 1;               ///< `.loop R`
    std::optional<unsigned> rows;                  ///< `.rows N`
    unsigned peeled_rows = 0;                      ///< `.peeled N`: that `init` and `tail` hold together
    std::optional<double> expected_cycles_per_row; ///< `.expect cycles_per_row N`
    std::vector<config_setting> config;            ///< `.config` directives in order
    std::vector<allowance> allowed;                ///< `.allow` directives in order; no id twice
    std::vector<tensor> inputs, outputs;           ///< names are unique among each of them
    std::vector<named_value> definitions;          ///< those for this chip, in the order of the lines
    std::vector<word_origin> origins;              ///< `.origin` directives in order
    std::vector<source_remark> remarks;            ///< in the order of the lines, the file as a whole last

    /// Whether `.gap` says where idle cycles can stand. If it does, they can stand nowhere else; if it does
    /// not, nothing is known of that.
    bool has_gaps() const;
};

/// A mistake in a source file; line and column count from 1.
struct source_error {
    std::string file;
    unsigned line = 0, column = 0;
    std::string message;

    /// "file:line:column: error: message"
    std::string to_string() const;
};

/// What became of a file: the kernel, and every mistake in the order of the lines. The kernel may be run only
/// if there are none.
struct assembly {
    kernel program;
    std::vector<source_error> errors;

    bool ok() const { return errors.empty(); }
};

/// Assembles a kernel for a chip or a larger machine, unless its `.arch` and `.config macro...` say
/// otherwise. `file` names the text in errors.
///
/// Words before the first section marker belong to `init`, or to `loop` if the file has no `.loop`, so that a
/// plain list of instructions runs once a row. `.equ` may give a name a new value, which holds from there on;
/// where an operand has names of its own (modes), they hide those of `.equ`.
assembly assemble(std::string_view text, const std::string& file, const word_encoding& words);

/// What a directive is called and what it does, in a line.
struct directive_form {
    const char* name;      ///< with its dot
    const char* arguments; ///< "NAME, VALUE"
    const char* text;
};
/// All directives that assemble() knows.
std::vector<directive_form> directive_forms();

/// How an instruction is written.
struct instruction_form {
    std::string mnemonic;
    std::uint8_t opcode;
    bool on_wormhole;
    struct operand_form {
        std::string name;
        std::string values; ///< "L0 to L15", "-2048 to 4095"; empty if it has names or other values by chip
    };
    std::vector<operand_form> operands;
    std::vector<std::pair<unsigned, std::string>> modes; ///< names of its modifier, without their prefix
};
/// All instructions that assemble() knows, by opcode.
std::vector<instruction_form> instruction_forms();

/// Reads a list of words: eight hexadecimal digits a line, `0x` optional, comments as in assembly. All of
/// them form the loop.
assembly read_hex(std::string_view text, const std::string& file, const word_encoding& words);

} // namespace sfpu::isa
