#include "assembled_text.h"

#include <sfpu/analysis/child_process.h>
#include <sfpu/analysis/errors.h>
#include <sfpu/isa/gnu_syntax.h>

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>
#include <utility>

namespace sfpu::analysis {
namespace {

/// A folder that goes when this goes.
class assembly_folder {
public:
    assembly_folder() {
        std::error_code error;
        std::string name = (std::filesystem::temp_directory_path(error) / "sfpusim-XXXXXX").string();
        if (error || !mkdtemp(name.data()))
            throw user_error("no folder for temporary files can be made in " + name);
        path_ = name;
    }
    ~assembly_folder() {
        std::error_code ignored;
        std::filesystem::remove_all(path_, ignored);
    }
    assembly_folder(const assembly_folder&) = delete;
    assembly_folder& operator=(const assembly_folder&) = delete;
    std::string file(const char* name) const { return (path_ / name).string(); }

private:
    std::filesystem::path path_;
};

void write_file(const std::string& name, const std::string& text) {
    std::ofstream file(name, std::ios::binary);
    file << text;
    if (!file.flush()) throw user_error(name + ": cannot be written");
}

constexpr std::uint32_t instruction_buffer = 0xffe40000;
constexpr std::string_view label_begin = "sfpusim.statement.";

bool stores_a_word(std::string_view mnemonic) { return mnemonic == "sw" || mnemonic == "c.sw"; }

/// Tells what the program is made without: sections for debuggers, which a stock assembler may refuse, and
/// directives that name another architecture or give messages another file.
class omitted_statements {
public:
    bool operator()(const gnu_statement& one) {
        const std::string_view mnemonic = one.mnemonic();
        if (mnemonic == ".section" || mnemonic == ".pushsection") {
            const std::size_t name = one.text.find_first_not_of(" \t", mnemonic.size());
            is_debugging_ = name != std::string_view::npos && one.text.substr(name, 6) == ".debug";
        } else if (mnemonic == ".text" || mnemonic == ".data" || mnemonic == ".bss" ||
                   mnemonic == ".previous" || mnemonic == ".popsection") {
            is_debugging_ = false;
        }
        return is_debugging_ || mnemonic == ".attribute" || mnemonic == ".file" || mnemonic == ".loc" ||
               mnemonic.substr(0, 5) == ".cfi_";
    }

private:
    bool is_debugging_ = false;
};

/// What the assembler reads: each line of the text in its place, so that its messages name the user's lines.
std::string assembler_input(std::string_view content, const compiler_text& text, architecture arch) {
    std::string result;
    result.reserve(content.size() + text.statements.size() * 32);
    const char* copied = content.data();
    const auto copy_up_to = [&](const char* end) {
        result.append(copied, static_cast<std::size_t>(end - copied));
        copied = end;
    };
    omitted_statements is_omitted;
    for (std::size_t i = 0; i < text.statements.size(); ++i) {
        const gnu_statement& one = text.statements[i];
        const bool is_tensix = isa::is_gnu_tensix(one.mnemonic());
        if (is_omitted(one)) {
            copy_up_to(one.text.data());
            copied = one.text.data() + one.text.size();
        } else if (is_tensix || stores_a_word(one.mnemonic())) {
            copy_up_to(one.text.data());
            result += fmt::format("{}{}: ", label_begin, i);
            if (!is_tensix) continue;
            copied = one.text.data() + one.text.size();
            const isa::gnu_line read = isa::gnu_word(one.text, arch);
            result += read.word ? fmt::format(".4byte 0x{:08x}", rotated(*read.word)) : std::string("ebreak");
        }
    }
    copy_up_to(content.data() + content.size());
    result += '\n';
    return result;
}

/// "iptr" of "%lo(iptr)(a4)", and the register; empty if it is none.
struct address_operand {
    std::string symbol, base;
};
address_operand address_of_operand(std::string_view text) {
    const std::size_t comma = text.find(',');
    if (comma == std::string_view::npos) return {};
    std::string_view rest = text.substr(comma + 1);
    while (!rest.empty() && (rest.front() == ' ' || rest.front() == '\t')) rest.remove_prefix(1);
    address_operand result;
    if (rest.substr(0, 4) == "%lo(") {
        const std::size_t end = rest.find(')');
        if (end == std::string_view::npos) return {};
        result.symbol = std::string(rest.substr(4, end - 4));
        rest.remove_prefix(end + 1);
    }
    const std::size_t open = rest.find('('), close = rest.rfind(')');
    if (open != std::string_view::npos && close != std::string_view::npos && close > open)
        result.base = std::string(rest.substr(open + 1, close - open - 1));
    return result;
}

/// The compiler's comment behind a store that pushes a word: "# 2:SFPLOADI L0, a5, 2".
bool is_push_comment(std::string_view comment) {
    std::size_t at = 1;
    while (at < comment.size() && comment[at] == ' ') ++at;
    const std::size_t begin = at;
    while (at < comment.size() && comment[at] >= '0' && comment[at] <= '9') ++at;
    return at > begin && at < comment.size() && comment[at] == ':';
}

/// Names that the text uses as the instruction buffer, without defining them.
struct buffer_names {
    std::set<std::string> buffers{"__instrn_buffer"};              ///< at the address
    std::set<std::string> pointers{"_ZN7ckernel13instrn_bufferE"}; ///< hold the address
};
buffer_names buffers_of(const compiler_text& text, std::size_t begin, std::size_t end) {
    buffer_names names;
    std::map<std::string, std::string> loaded; // base register: the pointer that was loaded into it
    for (std::size_t i = begin; i < end; ++i) {
        const gnu_statement& one = text.statements[i];
        const std::string_view mnemonic = one.mnemonic();
        if (mnemonic != "lw" && mnemonic != "sw" && mnemonic != "addi") continue;
        std::string_view operands = one.text.substr(mnemonic.size());
        while (!operands.empty() && (operands.front() == ' ' || operands.front() == '\t'))
            operands.remove_prefix(1);
        const std::string first(operands.substr(0, operands.find(',')));
        const address_operand where = address_of_operand(operands);
        if (mnemonic == "lw") {
            loaded.erase(first);
            if (!where.symbol.empty()) loaded[first] = where.symbol;
        } else if (mnemonic == "sw" && is_push_comment(one.comment)) {
            if (!where.symbol.empty()) names.buffers.insert(where.symbol);
            else if (const auto found = loaded.find(where.base); found != loaded.end())
                names.pointers.insert(found->second);
        }
    }
    return names;
}

/// Definitions of the names, which those of the text itself override.
std::string buffer_definitions(const buffer_names& names) {
    std::string text = "\t.data\n\t.balign 4\n";
    for (const std::string& each : names.pointers)
        if (names.buffers.count(each) == 0)
            text += fmt::format("\t.weak {0}\n{0}:\t.4byte 0x{1:x}\n", each, instruction_buffer);
    for (const std::string& each : names.buffers)
        text += fmt::format("\t.weak {0}\n\t.set {0}, 0x{1:x}\n", each, instruction_buffer);
    return text;
}

/// The first lines of what a tool said, with the user's file for the temporary one.
std::string said_by(const command_answer& answer, const std::string& from, const std::string& name) {
    std::string text, rest = answer.problem.empty() ? answer.complaints : answer.problem;
    for (std::size_t at = 0; (at = rest.find(from, at)) != std::string::npos; at += name.size())
        rest.replace(at, from.size(), name);
    unsigned lines = 0;
    for (std::size_t begin = 0; begin < rest.size() && lines < 6; ++lines) {
        const std::size_t end = std::min(rest.find('\n', begin), rest.size());
        text += (lines ? "\n" : "") + shortened(rest.substr(begin, end - begin));
        begin = end + 1;
    }
    return text;
}

command_answer ask(const std::vector<std::string>& words, const source_request& request,
                   const session& caller) {
    const auto answer = ask_command(words, request.seconds, [&] { return caller.is_over(); });
    if (!answer) throw user_error("interrupted");
    return *answer;
}

std::string compiler_for(const source_request& request, const std::string& name, const session& caller) {
    std::vector<std::string> candidates{request.riscv_compiler};
    if (request.riscv_compiler.empty()) candidates = {"riscv64-unknown-elf-gcc", "riscv32-unknown-elf-gcc"};
    for (const std::string& each : candidates)
        if (ask({each, "--version"}, request, caller).code == 0) return each;
    throw user_error(
        fmt::format("{}: has RISC-V instructions that decide which words are pushed, and {} is not "
                    "found to assemble them; expected it, or an ELF or a disassembly instead",
                    name, candidates.front()));
}

std::map<std::uint32_t, std::size_t> statements_of(const riscv::elf_image& image) {
    std::map<std::uint32_t, std::size_t> result;
    for (const auto& [symbol, address] : image.symbols())
        if (symbol.compare(0, label_begin.size(), label_begin) == 0)
            result.emplace(address, std::strtoul(symbol.c_str() + label_begin.size(), nullptr, 10));
    return result;
}

/// Where start-up code would have set a pointer to the instruction buffer, and the text only makes room for
/// it.
riscv::elf_image with_pointers_set(const riscv::elf_image& image, const buffer_names& names) {
    std::vector<riscv::elf_segment> segments = image.segments();
    for (const std::string& each : names.pointers) {
        const auto address = image.symbol(each);
        if (!address) continue;
        for (riscv::elf_segment& segment : segments) {
            const std::uint32_t at = *address - segment.address;
            if (*address < segment.address || at + 4 > segment.size) continue;
            if (segment.bytes.size() < at + 4) segment.bytes.resize(at + 4);
            const auto begin = segment.bytes.begin() + at;
            if (std::any_of(begin, begin + 4, [](unsigned char byte) { return byte != 0; })) continue;
            for (unsigned i = 0; i < 4; ++i)
                begin[i] = static_cast<unsigned char>(instruction_buffer >> 8 * i);
        }
    }
    return riscv::elf_image::of_segments(image.entry(), std::move(segments), image.symbols());
}

} // namespace

std::vector<std::string> told_of_buffers(const compiler_text& text, std::size_t begin, std::size_t end) {
    const buffer_names names = buffers_of(text, begin, end), known;
    std::vector<std::string> told;
    const auto tell = [&](const std::set<std::string>& found, const std::set<std::string>& expected) {
        for (const std::string& each : found)
            if (expected.count(each) == 0)
                told.push_back(fmt::format("{} is taken for the instruction buffer: the compiler's comments "
                                           "say that words are stored there",
                                           demangled_name(each)));
    };
    tell(names.buffers, known.buffers);
    tell(names.pointers, known.pointers);
    return told;
}

assembled_text assemble_compiler_text(std::string_view content, const compiler_text& text,
                                      const std::string& name, const source_request& request,
                                      architecture arch, const session& caller) {
    const assembly_folder folder;
    const std::string compiler = compiler_for(request, name, caller);
    const std::string source = folder.file("text.s"), definitions = folder.file("buffer.s"),
                      program = folder.file("program.elf");
    const buffer_names names = buffers_of(text, 0, text.statements.size());
    write_file(source, assembler_input(content, text, arch));
    write_file(definitions, buffer_definitions(names));
    // Zero-page code would read as a null pointer; the rest is what the vendor's compiler may write.
    const command_answer answer =
        ask({compiler, "-march=rv32ima_zicsr_zifencei_zba_zbb_zbs", "-mabi=ilp32", "-mno-relax", "-nostdlib",
             "-static", "-Wl,--no-relax", "-Wl,-Ttext=0x10000", "-Wl,-e,0x10000", "-Wl,--build-id=none",
             "-Wl,--no-warn-rwx-segments", source, definitions, "-o", program},
            request, caller);
    if (answer.code != 0)
        throw user_error(fmt::format("{}: cannot be made a program that runs; {} says:\n{}", name, compiler,
                                     said_by(answer, source, name)));
    assembled_text result;
    result.image = with_pointers_set(riscv::elf_image::read(program), names);
    result.statements = statements_of(result.image);
    return result;
}

} // namespace sfpu::analysis
