// The front door: whatever people hold, as a kernel.
//
// Every form is translated into our assembly, which is what all analyses take. `.origin` in it says where
// each word comes from, so that reports name the user's own file, address and line of C++.
#pragma once

#include <sfpu/analysis/kernel_kit.h>
#include <sfpu/analysis/machine_choice.h>
#include <sfpu/analysis/session.h>
#include <sfpu/isa/data_type.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sfpu::analysis {

enum class kernel_form : std::uint8_t {
    assembly, ///< ours
    hex,      ///< words, one a line
    elf,      ///< RV32, little-endian
    objdump,  ///< the text of `objdump -d`
    gnu,      ///< the compiler's `-S` output
    cpp,      ///< a header or source, whose function is recorded
};
constexpr unsigned kernel_form_count = 6;

/// "asm", "hex", "elf", "objdump", "gnu", "cpp": as --as takes it.
const char* to_string(kernel_form form);
std::optional<kernel_form> find_kernel_form(std::string_view name);

/// The form of a text, told by its content; C++ by the ending of its name. Throws user_error with both names
/// if it can be two.
kernel_form form_of(std::string_view text, const std::string& name);

/// `--input-at NAME=ADDRESS:TYPE`: data of a kernel whose text does not name it.
struct placed_tensor {
    std::string name;
    unsigned address = 0; ///< of row 0 in Dst, as `.input` has it
    isa::data_type type = isa::data_type::u32;
};

/// What is asked of a file that holds more than one kernel, or less than a whole one.
struct source_request {
    std::optional<kernel_form> form;      ///< nothing: form_of()
    std::string function;                 ///< mangled, demangled or a unique part; empty: the only one
    std::string template_arguments;       ///< of a C++ template: "true, 8"
    std::vector<std::string> arguments;   ///< of the function, as numbers or C++ expressions
    std::vector<std::string> folders;     ///< --include: searched for headers of C++
    std::vector<std::string> definitions; ///< --define: "X=Y" for C++
    std::vector<placed_tensor> inputs, outputs;
    bool assume_semaphores = false; ///< waits for other threads are answered, and told
    kernel_tools tools;             ///< compilers, for C++ and for assembly of RISC-V
    std::string riscv_compiler;     ///< for assembly of RISC-V; empty: riscv64-unknown-elf-gcc
    double seconds = 120;           ///< for each compilation
};

/// A kernel as assembly, and what became of the file on the way.
struct kernel_text {
    std::string name; ///< of the file that was given, which messages begin with
    std::string text; ///< assembly; of kernel_form::assembly what was given, to the byte
    kernel_form form = kernel_form::assembly;
    std::string function;          ///< which was taken, demangled; empty if the form has none
    std::vector<std::string> told; ///< sentences: what was found, rolled up, assumed
};

/// Translates a file's content. `name` is the file's name, whose folder is searched for includes of C++.
/// Throws input_error or user_error with the place and what was expected.
kernel_text translate_kernel(std::string content, const std::string& name, const source_request& request,
                             const machine_choice& machine, const session& caller = {});

/// A function of a file with functions: for `info KERNEL`, and for messages that list candidates.
struct kernel_function {
    std::string name;                    ///< demangled
    std::string symbol;                  ///< mangled, or the same
    std::uint32_t address = 0, size = 0; ///< bytes; 0 where the form has none
    std::size_t words = 0;               ///< Tensix words that stand in it; 0 if unknown
};
/// In the order of the file; empty for forms without functions.
std::vector<kernel_function> functions_of(std::string_view content, const std::string& name,
                                          const source_request& request);

} // namespace sfpu::analysis
