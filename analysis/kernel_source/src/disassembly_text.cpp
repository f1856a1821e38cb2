#include "program_text.h"

#include <sfpu/analysis/errors.h>

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace sfpu::analysis {
namespace {

bool is_space(char c) { return c == ' ' || c == '\t'; }
bool is_hex_digit(char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

/// The hexadecimal digits that a text begins with; removed from it.
std::string_view take_hex(std::string_view& text) {
    std::size_t count = 0;
    while (count < text.size() && is_hex_digit(text[count])) ++count;
    const std::string_view digits = text.substr(0, count);
    text.remove_prefix(count);
    return digits;
}
void skip_spaces(std::string_view& text) {
    while (!text.empty() && is_space(text.front())) text.remove_prefix(1);
}
std::uint64_t hex_value(std::string_view digits) {
    std::uint64_t value = 0;
    for (const char c : digits)
        value = value << 4 | static_cast<unsigned>(c <= '9' ? c - '0' : (c | 0x20) - 'a' + 10);
    return value;
}

/// Not code: what `objdump -D` shows of notes and debugging information, with addresses of their own.
bool is_loaded_section(std::string_view name) {
    for (const std::string_view other : {".debug", ".comment", ".riscv.attributes", ".symtab", ".strtab",
                                         ".shstrtab", ".note", ".stab", ".gnu", ".eh_frame"})
        if (name.substr(0, other.size()) == other) return false;
    return true;
}

/// Data, whose names are no functions: `objdump -D` shows them as instructions.
bool is_data_section(std::string_view name) {
    for (const std::string_view data : {".data", ".sdata", ".bss", ".sbss", ".rodata", ".srodata", ".tdata",
                                        ".tbss", ".got", ".ldm", ".l1"})
        if (name.substr(0, data.size()) == data) return true;
    return false;
}

class disassembly_reader {
public:
    disassembly_reader(std::string_view content, const std::string& name) : rest_(content), name_(name) {}

    program_text read() {
        while (!rest_.empty()) {
            const std::size_t end = std::min(rest_.find('\n'), rest_.size());
            std::string_view line = rest_.substr(0, end);
            rest_.remove_prefix(std::min(end + 1, rest_.size()));
            ++line_;
            if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
            take(line);
        }
        finish();
        return std::move(text_);
    }

private:
    [[noreturn]] void fail(std::size_t column, const std::string& message) const {
        throw input_error(fmt::format("{}:{}:{}: error: {}", name_, line_, column, message));
    }

    void take(std::string_view line) {
        constexpr std::string_view format = "file format ", section = "Disassembly of section ";
        if (const auto at = line.find(format); at != std::string_view::npos) {
            const std::string_view target = line.substr(at + format.size());
            if (target.substr(0, 11) == "elf32-littl" && target.find("riscv") != std::string_view::npos)
                return;
            if (target.substr(0, 11) == "elf32-riscv") return;
            fail(at + format.size() + 1,
                 fmt::format("the disassembly is of {}, expected elf32-littleriscv", shortened(target)));
        }
        if (line.substr(0, section.size()) == section) {
            line.remove_prefix(section.size());
            if (!line.empty() && line.back() == ':') line.remove_suffix(1);
            begin_section(line);
        } else if (!take_symbol(line) && is_loaded_ && !take_code(line)) {
            take_place(line);
        }
    }

    void begin_section(std::string_view section) {
        is_loaded_ = is_loaded_section(section);
        is_data_ = is_data_section(section);
        place_ = 0;
        if (is_loaded_) text_.sections.push_back({std::string(section), {}});
    }
    code_section& section() {
        if (text_.sections.empty()) text_.sections.push_back({".text", {}});
        return text_.sections.back();
    }

    /// "0000b198 <_Z3runv>:"
    bool take_symbol(std::string_view line) {
        std::string_view rest = line;
        const std::string_view digits = take_hex(rest);
        if (digits.size() < 4 || rest.substr(0, 2) != " <" || rest.size() < 5) return false;
        if (rest.substr(rest.size() - 2) != ">:") return false;
        // Labels of the compiler, which objdump shows of object files for RISC-V, begin no function.
        if (!is_loaded_ || rest.substr(2, 2) == ".L") return true;
        const std::string symbol(rest.substr(2, rest.size() - 4));
        const std::uint32_t address = address_of(digits, 1);
        section();
        place_ = 0;
        text_.symbols.emplace(symbol, address);
        if (is_data_) return true;
        text_.functions.push_back({symbol, demangled_name(symbol),
                                   static_cast<unsigned>(text_.sections.size() - 1), address, 0, 0, line_});
        return true;
    }

    std::uint32_t address_of(std::string_view digits, std::size_t column) const {
        const std::uint64_t address = digits.size() > 16 ? ~std::uint64_t{0} : hex_value(digits);
        if (address > 0xffffffffu) fail(column, "the address has more than 32 bits, expected RV32");
        return static_cast<std::uint32_t>(address);
    }

    /// "    b198:\tc83c0002          \tttsetc16\t15,0"
    bool take_code(std::string_view line) {
        std::string_view rest = line;
        skip_spaces(rest);
        const std::size_t column = line.size() - rest.size() + 1;
        const std::string_view digits = take_hex(rest);
        if (digits.empty() || rest.empty() || rest.front() != ':') return false;
        rest.remove_prefix(1);
        if (rest.empty() || !is_space(rest.front())) return false;
        skip_spaces(rest);
        std::uint32_t address = 0;
        unsigned bytes = 0;
        while (bytes < 16) {
            std::string_view after = rest;
            const std::string_view group = take_hex(after);
            const bool is_group = group.size() == 2 || group.size() == 4 || group.size() == 8;
            if (!is_group || (!after.empty() && !is_space(after.front()))) break;
            if (bytes == 0) address = address_of(digits, column);
            put_bytes(address + bytes, group, column);
            bytes += static_cast<unsigned>(group.size() / 2);
            rest = after;
            skip_spaces(rest);
            if (after.substr(0, after.size() - rest.size()).find('\t') != std::string_view::npos) break;
        }
        if (bytes == 0) {
            note_line_without_words(rest);
            return false;
        }
        note_symbol(rest);
        return true;
    }

    void put_bytes(std::uint32_t address, std::string_view group, std::size_t column) {
        const std::uint64_t value = hex_value(group);
        if (group.size() == 4) text_.has_halves = true;
        for (unsigned i = 0; i < group.size() / 2; ++i) {
            const std::uint32_t at = address + i, begin = at & ~3u;
            auto& words = section().words;
            if (words.empty() || words.back().address != begin) {
                if (!words.empty() && words.back().address > begin) is_sorted_ = false;
                words.push_back({begin, 0, line_, place_});
                masks_ = 0;
            }
            const unsigned shift = at % 4 * 8;
            if (masks_ >> at % 4 & 1u) fail(column, fmt::format("address 0x{:x} stands here twice", at));
            masks_ |= 1u << at % 4;
            words.back().bits |= static_cast<std::uint32_t>(value >> 8 * i & 0xffu) << shift;
        }
    }

    void note_line_without_words(std::string_view rest) {
        if (line_without_words_ == 0 && !rest.empty() && rest.front() >= 'a' && rest.front() <= 'z')
            line_without_words_ = line_;
    }

    /// "sw a5,0(a4) # ffe40000 <__instrn_buffer>"
    void note_symbol(std::string_view rest) {
        const std::size_t hash = rest.find("# ");
        if (hash == std::string_view::npos) return;
        rest.remove_prefix(hash + 2);
        const std::string_view digits = take_hex(rest);
        if (digits.empty() || digits.size() > 8 || rest.substr(0, 2) != " <") return;
        const std::size_t end = rest.find('>');
        if (end == std::string_view::npos || rest.find('+') < end) return;
        text_.symbols.emplace(std::string(rest.substr(2, end - 2)),
                              static_cast<std::uint32_t>(hex_value(digits)));
    }

    /// "/path/kernel.h:31 (discriminator 2)", as `objdump -l` has it
    void take_place(std::string_view line) {
        if (const auto more = line.rfind(" (discriminator "); more != std::string_view::npos)
            line = line.substr(0, more);
        const std::size_t colon = line.rfind(':');
        if (line.empty() || is_space(line.front()) || colon == std::string_view::npos || colon == 0) return;
        const std::string_view file = line.substr(0, colon), number = line.substr(colon + 1);
        if (number.empty() || number.size() > 7 || file.find_first_of("./") == std::string_view::npos) return;
        unsigned value = 0;
        for (const char c : number) {
            if (c < '0' || c > '9') return;
            value = value * 10 + static_cast<unsigned>(c - '0');
        }
        text_.places.push_back({std::string(file), value});
        place_ = static_cast<unsigned>(text_.places.size());
    }

    void finish() {
        std::size_t count = 0;
        for (code_section& each : text_.sections) {
            count += each.words.size();
            if (is_sorted_) continue;
            const auto before = [](const shown_word& a, const shown_word& b) {
                return a.address < b.address;
            };
            std::stable_sort(each.words.begin(), each.words.end(), before);
            for (std::size_t i = 1; i < each.words.size(); ++i) {
                if (each.words[i].address != each.words[i - 1].address) continue;
                line_ = each.words[i].line;
                fail(1, fmt::format("address 0x{:x} stands here a second time; it stood in line {}",
                                    each.words[i].address, each.words[i - 1].line));
            }
        }
        if (count == 0 && line_without_words_ != 0) {
            line_ = line_without_words_;
            fail(1, "the column of words is missing; objdump writes it without --no-show-raw-insn");
        }
        if (count == 0)
            throw input_error(fmt::format("{}:1:1: error: found no line of code, expected lines "
                                          "'ADDRESS: WORD MNEMONIC' as objdump -d writes them",
                                          name_));
        find_sizes();
    }

    void find_sizes() {
        for (std::size_t i = 0; i < text_.functions.size(); ++i) {
            code_function& each = text_.functions[i];
            const auto& words = text_.sections[each.section].words;
            const auto before = [](const shown_word& a, std::uint32_t address) {
                return a.address < address;
            };
            const auto begin = std::lower_bound(words.begin(), words.end(), each.address, before);
            auto end = words.end();
            const bool has_next = i + 1 < text_.functions.size() &&
                                  text_.functions[i + 1].section == each.section &&
                                  text_.functions[i + 1].address >= each.address;
            if (has_next) end = std::lower_bound(begin, words.end(), text_.functions[i + 1].address, before);
            if (begin != end) each.size = (end - 1)->address + 4 - each.address;
            for (auto word = begin; word != end; ++word) each.words += is_tensix_bits(word->bits);
        }
    }

    program_text text_;
    std::string_view rest_;
    const std::string& name_;
    unsigned line_ = 0, place_ = 0, line_without_words_ = 0;
    unsigned masks_ = 0; ///< which bytes of the last word are there
    bool is_sorted_ = true, is_loaded_ = true, is_data_ = false;
};

} // namespace

program_text read_disassembly(std::string_view content, const std::string& name) {
    return disassembly_reader(content, name).read();
}

} // namespace sfpu::analysis
