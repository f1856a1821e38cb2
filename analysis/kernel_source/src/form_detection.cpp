// What a kernel's text is, told by its content.
#include <sfpu/analysis/kernel_source.h>

#include <sfpu/analysis/errors.h>
#include <sfpu/analysis/kernel_file.h>
#include <sfpu/common/shown_name.h>
#include <sfpu/isa/assembler.h>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <set>

namespace sfpu::analysis {
namespace {

constexpr std::string_view blanks = " \t\v\f\r";

bool is_upper(char c) { return std::isupper(static_cast<unsigned char>(c)) != 0; }
bool is_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }
bool is_hexadecimal(std::string_view text) {
    const auto is_digit_of_it = [](char c) { return std::isxdigit(static_cast<unsigned char>(c)) != 0; };
    return !text.empty() && std::all_of(text.begin(), text.end(), is_digit_of_it);
}
bool begins_with(std::string_view text, std::string_view begin) {
    return text.substr(0, begin.size()) == begin;
}
bool ends_with_any(std::string_view text, std::initializer_list<std::string_view> endings) {
    return std::any_of(endings.begin(), endings.end(), [&](std::string_view end) {
        return text.size() > end.size() && text.substr(text.size() - end.size()) == end;
    });
}

std::string lower_case(std::string_view text) {
    std::string lower(text);
    for (char& c : lower) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return lower;
}

/// The line of the text that speaks for a form, and its first word.
struct evidence {
    unsigned line = 0; ///< 0: none
    std::string word;

    explicit operator bool() const { return line != 0; }
    void add(unsigned at, std::string_view what) {
        if (line == 0) *this = {at, std::string(what)};
    }
};

/// Directives that only we have. `.word`, `.equ`, `.macro` and `.endif` the GNU assembler has, too.
bool is_our_directive(const std::string& name) {
    static const std::set<std::string> ours = [] {
        std::set<std::string> names;
        for (const isa::directive_form& each : isa::directive_forms()) names.insert(each.name);
        for (const char* shared : {".word", ".equ", ".macro", ".endif"}) names.erase(shared);
        return names;
    }();
    return ours.count(name) != 0;
}

bool is_gnu_directive(const std::string& name) {
    static const std::set<std::string, std::less<>> known{
        ".ttinsn",    ".text",    ".data",     ".bss",        ".globl",      ".global", ".type",  ".size",
        ".section",   ".file",    ".ident",    ".align",      ".balign",     ".option", ".loc",   ".weak",
        ".attribute", ".p2align", ".set",      ".local",      ".comm",       ".string", ".ascii", ".asciz",
        ".zero",      ".insn",    ".previous", ".popsection", ".pushsection"};
    return known.count(name) != 0 || begins_with(name, ".cfi_");
}

/// Ours and not RISC-V's.
bool is_our_mnemonic(const std::string& name) {
    static const std::set<std::string> ours = [] {
        std::set<std::string> names;
        for (const isa::instruction_form& each : isa::instruction_forms()) names.insert(each.mnemonic);
        names.erase("nop");
        return names;
    }();
    return ours.count(name) != 0;
}

/// "L0, INT32, ADDR_MOD_7, a": names beside registers and numbers, which the compiler does not write.
bool names_an_operand(std::string_view operands) {
    operands = operands.substr(0, operands.find_first_of(";#"));
    while (!operands.empty()) {
        const std::size_t begin = operands.find_first_not_of(" \t\r,()-+*/|&<>~");
        if (begin == std::string_view::npos) return false;
        operands.remove_prefix(begin);
        const std::size_t end = std::min(operands.find_first_of(" \t\r,()-+*/|&<>~"), operands.size());
        const std::string_view word = operands.substr(0, end);
        operands.remove_prefix(end);
        const bool is_register = word.size() > 1 && word[0] == 'L' && is_digit(word[1]);
        if (!is_register && !is_digit(word[0])) return true;
    }
    return false;
}

class text_scan {
public:
    explicit text_scan(std::string_view text) {
        constexpr std::size_t enough = std::size_t{4} << 20; // every form tells what it is before
        text = text.substr(0, enough);
        for (unsigned line = 1; !text.empty(); ++line) {
            const std::size_t end = text.find('\n');
            look_at(line, text.substr(0, end));
            text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
        }
    }

    evidence objdump, gnu, ours;
    evidence upper;  ///< an instruction of ours in upper case, whose operands do not tell
    evidence risc_v; ///< a label, or a word in lower case that is no instruction of ours

private:
    void look_at(unsigned number, std::string_view line) {
        const std::size_t first = line.find_first_not_of(blanks);
        if (first == std::string_view::npos) return;
        line.remove_prefix(first);
        const std::size_t end = std::min(line.find_first_of(" \t\v\f\r;"), line.size());
        const std::string_view word = line.substr(0, end), rest = line.substr(end);
        if (line.find("file format elf") != std::string_view::npos) return objdump.add(number, "file format");
        if (begins_with(line, "#APP") || begins_with(line, "#NO_APP")) return gnu.add(number, word);
        if (line[0] == ';' || line[0] == '#' || begins_with(line, "//")) return;
        if (is_address(word, rest)) return objdump.add(number, word);
        if (line[0] == '.') return look_at_directive(number, word);
        if (word.back() == ':') return risc_v.add(number, word);
        look_at_mnemonic(number, word, rest);
    }
    /// "5f08:	c0ffee41 	sfpload ...", "00005f08 <name>:"
    static bool is_address(std::string_view word, std::string_view rest) {
        const std::size_t next = std::min(rest.find_first_not_of(blanks), rest.size());
        rest.remove_prefix(next);
        const std::string_view second = rest.substr(0, rest.find_first_of(blanks));
        if (word.size() == 8 && is_hexadecimal(word) && begins_with(second, "<"))
            return second.size() > 2 && second.substr(second.size() - 2) == ">:";
        return word.back() == ':' && is_hexadecimal(word.substr(0, word.size() - 1)) &&
               is_hexadecimal(second) && (second.size() == 8 || second.size() == 4);
    }
    void look_at_directive(unsigned number, std::string_view word) {
        const std::string name = lower_case(word);
        if (is_our_directive(name)) ours.add(number, word);
        else if (is_gnu_directive(name)) gnu.add(number, word);
        else if (word.back() == ':') risc_v.add(number, word);
    }
    void look_at_mnemonic(unsigned number, std::string_view word, std::string_view rest) {
        const std::string lower = lower_case(word);
        if (is_upper(word[0])) {
            const bool is_upper_case =
                lower_case(word) != word &&
                word.find_first_of("abcdefghijklmnopqrstuvwxyz") == std::string_view::npos;
            if (!is_upper_case) return;
            const bool is_of_cpp = word.find_first_of("_(") <= 4; // TTI_SFPLOAD(0, 3, 7, 0): a mistake
            if (begins_with(word, "TT") && !is_of_cpp) gnu.add(number, word);
            else if (!is_our_mnemonic(lower)) return;
            else if (names_an_operand(rest)) ours.add(number, word);
            else upper.add(number, word);
        } else if (is_our_mnemonic(lower)) {
            ours.add(number, word);
        } else if (word.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789.") ==
                       std::string_view::npos &&
                   !is_digit(word[0])) {
            risc_v.add(number, word);
        }
    }
};

const char* meaning_of(kernel_form form) {
    switch (form) {
    case kernel_form::assembly: return "our assembly";
    case kernel_form::hex: return "words";
    case kernel_form::elf: return "an ELF file";
    case kernel_form::objdump: return "a disassembly";
    case kernel_form::gnu: return "a compiler's assembly";
    case kernel_form::cpp: return "C++";
    }
    return "";
}

[[noreturn]] void refuse_both(const std::string& name, kernel_form a, const evidence& for_a, kernel_form b,
                              const evidence& for_b) {
    const auto why = [](const evidence& each) {
        return fmt::format("line {}: '{}'", each.line, shown_text(shortened(each.word)));
    };
    throw input_error(fmt::format("{}:{}: found what can be {} ({}) or {} ({}); expected --as {} or --as {}",
                                  shown_name(name), std::max(1u, std::min(for_a.line, for_b.line)),
                                  meaning_of(a), why(for_a), meaning_of(b), why(for_b), to_string(a),
                                  to_string(b)));
}

} // namespace

kernel_form form_of(std::string_view text, const std::string& name) {
    constexpr std::string_view elf_magic = "\x7f"
                                           "ELF",
                               archive_magic = "!<arch>\n", byte_order_mark = "\xef\xbb\xbf";
    if (begins_with(text, elf_magic)) return kernel_form::elf;
    if (begins_with(text, archive_magic))
        throw input_error(shown_name(name) + ": found an archive, expected one of its ELF files");
    if (ends_with_any(name, {".h", ".hpp", ".cpp", ".cc"})) return kernel_form::cpp;
    if (begins_with(text, byte_order_mark)) text.remove_prefix(byte_order_mark.size());
    if (text.find('\0') != std::string_view::npos)
        return kernel_form::assembly; // which says that it is binary
    if (holds_words(text, name)) return kernel_form::hex;
    const text_scan found(text);
    if (found.objdump && found.ours)
        refuse_both(name, kernel_form::assembly, found.ours, kernel_form::objdump, found.objdump);
    if (found.objdump) return kernel_form::objdump;
    if (found.gnu && found.ours)
        refuse_both(name, kernel_form::assembly, found.ours, kernel_form::gnu, found.gnu);
    if (found.ours) return kernel_form::assembly;
    if (found.gnu || (found.upper && found.risc_v)) return kernel_form::gnu;
    if (found.upper) refuse_both(name, kernel_form::assembly, found.upper, kernel_form::gnu, found.upper);
    return kernel_form::assembly;
}

} // namespace sfpu::analysis
