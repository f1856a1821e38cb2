#include "assembled_text.h"
#include "compiler_text.h"
#include "function_run.h"
#include "translators.h"

#include <sfpu/analysis/errors.h>
#include <sfpu/isa/disassembler.h>
#include <sfpu/isa/gnu_syntax.h>

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <utility>

namespace sfpu::analysis {
namespace {

std::string statement_place(const std::string& file, const gnu_statement& one, std::size_t column = 1) {
    return fmt::format("{}:{}:{}: error: ", file, one.line, one.column + column - 1);
}

/// What `disasm --syntax gnu` wrote: its comments say what stood between the words, so that nothing has to be
/// found.
bool is_own_listing(std::string_view content) {
    return content.substr(0, isa::gnu_listing_mark.size()) == isa::gnu_listing_mark;
}

std::string assembly_of_listing(const translation& of) {
    const compiler_text text = read_compiler_text(of.content);
    const architecture arch = text.arch.value_or(architecture::blackhole);
    std::string result = fmt::format(".arch {}\n", short_name(arch));
    std::string_view rest = of.content;
    auto next = text.statements.begin();
    for (unsigned line = 1; !rest.empty(); ++line) {
        const std::size_t end = std::min(rest.find('\n'), rest.size());
        if (rest.substr(0, 3) == "# .") result += std::string(rest.substr(2, end - 2)) + '\n';
        rest.remove_prefix(std::min(end + 1, rest.size()));
        for (; next != text.statements.end() && next->line == line; ++next) {
            if (next->is_directive()) continue;
            const isa::gnu_line read = isa::gnu_word(next->text, arch);
            if (!read.word)
                throw input_error(statement_place(of.name, *next, std::max<std::size_t>(read.column, 1)) +
                                  (read.is_tensix ? read.problem : "expected a Tensix instruction"));
            isa::word_origin origin;
            origin.file = of.name;
            origin.line = line;
            result += isa::directive_text(origin) + '\n' + isa::disassemble(*read.word, arch) + '\n';
        }
    }
    return result;
}

/// Instructions of RISC-V that only compute registers from registers and constants.
bool is_computation(std::string_view mnemonic) {
    static constexpr std::string_view names[] = {
        "add",  "addi", "and",  "andi", "auipc", "la",     "li",     "lla",    "lui",    "mul",
        "mv",   "neg",  "nop",  "not",  "or",    "ori",    "seqz",   "sext.b", "sext.h", "sgtz",
        "sll",  "slli", "slt",  "slti", "sltiu", "sltu",   "sltz",   "snez",   "sra",    "srai",
        "srl",  "srli", "sub",  "xor",  "xori",  "zext.b", "zext.h", "sh1add", "sh2add", "sh3add",
        "andn", "max",  "maxu", "min",  "minu",  "orn",    "xnor"};
    return std::find(std::begin(names), std::end(names), mnemonic) != std::end(names);
}

/// The word of `.word 0xc0000001`, which stands in code as it lies in memory; nothing if it is none.
std::optional<std::uint32_t> word_as_data(const gnu_statement& one) {
    const std::string_view mnemonic = one.mnemonic();
    if (mnemonic != ".word" && mnemonic != ".4byte" && mnemonic != ".long") return std::nullopt;
    const isa::gnu_line read =
        isa::gnu_word(".ttinsn" + std::string(one.text.substr(mnemonic.size())), architecture::blackhole);
    if (!read.word || !is_tensix_bits(*read.word)) return std::nullopt;
    return tensix_word(*read.word);
}
bool has_data(std::string_view mnemonic) {
    for (const std::string_view each : {".word", ".4byte", ".long", ".byte", ".half", ".short", ".insn",
                                        ".2byte", ".ascii", ".string", ".zero", ".skip", ".incbin"})
        if (mnemonic == each) return true;
    return false;
}

/// A function, or statements without one.
struct statement_range {
    std::size_t begin = 0, end = 0;
    bool is_function = false;
};

isa::word_origin origin_of(const compiler_text& text, const gnu_statement& one, const std::string& file) {
    return origin_on_line(file, one.line, text.places, one.place);
}

/// The words of statements without loops, branches, stores and REPLAY; nothing if they have to be run.
std::optional<pushed_kernel> straight_words(const compiler_text& text, const statement_range& range,
                                            const std::string& file, architecture arch) {
    pushed_kernel kernel;
    for (std::size_t i = range.begin; i < range.end; ++i) {
        const gnu_statement& one = text.statements[i];
        const std::string_view mnemonic = one.mnemonic();
        if (mnemonic == "ret") return kernel;
        std::optional<std::uint32_t> word = word_as_data(one);
        if (isa::is_gnu_tensix(mnemonic)) word = isa::gnu_word(one.text, arch).word;
        if (word) {
            if (is_expanded_word(*word)) return std::nullopt;
            kernel.words.push_back({*word, origin_of(text, one, file), false});
        } else if (one.is_directive() ? has_data(mnemonic) : !is_computation(mnemonic)) {
            return std::nullopt;
        }
    }
    if (range.is_function) return std::nullopt;
    return kernel;
}

/// Throws all mistakes in Tensix instructions of the range.
void check_statements(const compiler_text& text, const statement_range& range, const std::string& file,
                      architecture arch) {
    std::string mistakes;
    std::size_t count = 0;
    for (std::size_t i = range.begin; i < range.end; ++i) {
        const gnu_statement& one = text.statements[i];
        if (!isa::is_gnu_tensix(one.mnemonic())) continue;
        const isa::gnu_line read = isa::gnu_word(one.text, arch);
        std::string problem = read.problem;
        if (read.word && !is_tensix_bits(rotated(*read.word)))
            problem = "words from 0xc0000000 on cannot stand in the code, expected a smaller one";
        if (problem.empty() || ++count > most_shown_faults) continue;
        mistakes += (mistakes.empty() ? "" : "\n") +
                    statement_place(file, one, std::max<std::size_t>(read.column, 1)) + problem;
    }
    if (count > most_shown_faults) mistakes += fmt::format("\n{} more", count - most_shown_faults);
    if (count) throw input_error(mistakes);
}

pushed_kernel run_text(const translation& of, const compiler_text& text, const gnu_function& function,
                       architecture arch, const machine_choice& machine) {
    const assembled_text program =
        assemble_compiler_text(of.content, text, of.name, of.request, arch, of.caller);
    const auto entry = program.image.symbol(function.symbol);
    if (!entry)
        throw user_error(fmt::format("{}: '{}' is no symbol of the program", of.name, function.symbol));
    pushed_kernel kernel = run_function(program.image, *entry, of.request, machine, of.caller);
    for (pushed_word& each : kernel.words) {
        if (!each.origin.address) continue;
        // A store with a large offset is two instructions: the statement is the last that began before.
        auto found = program.statements.upper_bound(*each.origin.address);
        if (found == program.statements.begin()) continue;
        --found;
        if (*each.origin.address - found->first > 8) continue;
        const std::uint32_t address = *each.origin.address;
        each.origin = origin_of(text, text.statements[found->second], of.name);
        each.origin.address = address;
    }
    const std::vector<std::string> told = told_of_buffers(text, function.begin, function.end);
    kernel.told.insert(kernel.told.begin(), told.begin(), told.end());
    if (kernel.words.empty())
        throw input_error(fmt::format("{}:{}:1: error: '{}' pushes no Tensix word that does something",
                                      of.name, function.line, function.name));
    return kernel;
}

/// Statements without a function, as one: what an editor's selection holds.
std::string with_a_function(std::string_view content) {
    return "\t.type sfpusim.fragment, @function; sfpusim.fragment: " + std::string(content) + "\n\tret\n";
}

std::vector<function_name> names_of(const compiler_text& text) {
    std::vector<function_name> names;
    names.reserve(text.functions.size());
    for (const gnu_function& each : text.functions) names.push_back({each.symbol, each.name, each.words});
    return names;
}

} // namespace

kernel_text translate_gnu(const translation& of) {
    kernel_text result;
    result.name = of.name;
    result.form = kernel_form::gnu;
    if (is_own_listing(of.content)) {
        result.text = assembly_of_listing(of);
        return result;
    }
    const compiler_text text = read_compiler_text(of.content);
    machine_choice machine = of.machine;
    if (machine.arch.empty() && text.arch) machine.arch = short_name(*text.arch);
    const architecture arch = demanded_architecture(machine).value_or(architecture::blackhole);

    statement_range range{0, text.statements.size(), false};
    const gnu_function* function = nullptr;
    if (!text.functions.empty() || !of.request.function.empty()) {
        function = &text.functions[chosen_function(names_of(text), of.request.function, of.name)];
        range = {function->begin, function->end, true};
        result.function = function->name;
    }
    check_statements(text, range, of.name, arch);
    std::optional<pushed_kernel> kernel = straight_words(text, range, of.name, arch);
    if (!kernel && function) {
        kernel = run_text(of, text, *function, arch, machine);
    } else if (!kernel) {
        const std::string whole = with_a_function(of.content);
        const translation fragment{whole, of.name, of.request, of.machine, of.caller};
        const compiler_text text_of_whole = read_compiler_text(whole);
        kernel = run_text(fragment, text_of_whole, text_of_whole.functions.front(), arch, machine);
    }
    if (kernel->words.empty())
        throw input_error(fmt::format("{}:{}:1: error: found no Tensix instruction from here on, expected "
                                      "lines like 'SFPLOAD L0, 0, 0, 7' or '.ttinsn WORD'",
                                      of.name, function ? function->line : 1));
    result.told = kernel->told;
    result.text = rolled_assembly(*kernel, of.request, machine, result.told);
    return result;
}

std::vector<kernel_function> functions_of_gnu(std::string_view content, const std::string&) {
    const compiler_text text = read_compiler_text(content);
    std::vector<kernel_function> result;
    result.reserve(text.functions.size());
    for (const gnu_function& each : text.functions)
        result.push_back({each.name, each.symbol, 0, 0, each.words});
    return result;
}

} // namespace sfpu::analysis
