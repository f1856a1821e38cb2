#include "function_run.h"
#include "program_text.h"
#include "translators.h"

#include <sfpu/analysis/errors.h>
#include <sfpu/isa/gnu_syntax.h>

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace sfpu::analysis {
namespace {

/// A stretch of a section, from its first word to behind its last.
struct code_stretch {
    const code_section* section = nullptr;
    std::size_t begin = 0, end = 0;
    bool is_function = false; ///< it begins with a symbol, and ends where it returns

    const shown_word& at(std::size_t i) const { return section->words[i]; }
    std::uint32_t entry() const { return at(begin).address; }
};

code_stretch stretch_of(const program_text& text, const code_function& function, const std::string& file) {
    const code_section& section = text.sections[function.section];
    const auto before = [](const shown_word& a, std::uint32_t address) { return a.address < address; };
    const auto first = std::lower_bound(section.words.begin(), section.words.end(), function.address, before);
    if (first == section.words.end() || first->address != function.address)
        throw input_error(fmt::format("{}:{}:1: error: no word stands at 0x{:x}, where '{}' begins", file,
                                      function.line, function.address, function.name));
    code_stretch stretch{&section, static_cast<std::size_t>(first - section.words.begin()), 0, true};
    stretch.end = stretch.begin + function.size / 4;
    stretch.end = std::min(stretch.end, section.words.size());
    return stretch;
}

/// Lines without a symbol: all of them, which must lie in one piece.
code_stretch fragment_of(const program_text& text, const std::string& file) {
    const code_section* only = nullptr;
    for (const code_section& each : text.sections) {
        if (each.words.empty()) continue;
        if (only)
            throw input_error(fmt::format("{}:{}:1: error: a second section begins and no function has a "
                                          "name; expected lines 'ADDRESS <NAME>:'",
                                          file, each.words.front().line));
        only = &each;
    }
    if (!only) throw input_error(file + ":1:1: error: found no line of code");
    return {only, 0, only->words.size(), false};
}

isa::word_origin origin_of(const program_text& text, const shown_word& word, const std::string& file) {
    isa::word_origin origin = origin_on_line(file, word.line, text.places, word.place);
    origin.address = word.address;
    return origin;
}

/// The words of a stretch without loops, branches, stores and REPLAY; nothing if it has to be run.
std::optional<pushed_kernel> straight_words(const program_text& text, const code_stretch& stretch,
                                            const std::string& file) {
    pushed_kernel kernel;
    std::uint32_t expected = stretch.entry();
    for (std::size_t i = stretch.begin; i < stretch.end; ++i, expected += 4) {
        const shown_word& each = stretch.at(i);
        if (each.bits == return_instruction) return kernel;
        if (each.address != expected) return std::nullopt;
        if (is_tensix_bits(each.bits)) {
            if (is_expanded_word(tensix_word(each.bits))) return std::nullopt;
            kernel.words.push_back({tensix_word(each.bits), origin_of(text, each, file), false});
        } else if (!computes_only(each.bits)) {
            return std::nullopt;
        }
    }
    if (stretch.is_function) return std::nullopt;
    return kernel;
}

/// What the disassembly shows of memory, with a return behind a fragment.
riscv::elf_image image_of(const program_text& text, const code_stretch& stretch) {
    std::vector<riscv::elf_segment> segments;
    const auto put = [&](std::uint32_t address, std::uint32_t bits) {
        if (segments.empty() || segments.back().address + segments.back().size != address)
            segments.push_back({address, {}, 0});
        riscv::elf_segment& last = segments.back();
        for (unsigned shift = 0; shift < 32; shift += 8)
            last.bytes.push_back(static_cast<unsigned char>(bits >> shift));
        last.size += 4;
    };
    const auto put_section = [&](const code_section& section) {
        for (const shown_word& each : section.words) put(each.address, each.bits);
    };
    put_section(*stretch.section);
    if (!stretch.is_function) put(stretch.at(stretch.end - 1).address + 4, return_instruction);
    // Sections of an object file all begin at 0: those that would hide the function's are left out.
    for (const code_section& each : text.sections) {
        if (&each == stretch.section || each.words.empty()) continue;
        const std::uint32_t begin = each.words.front().address, end = each.words.back().address;
        const auto overlaps = [&](const riscv::elf_segment& other) {
            return begin < other.address + other.size && other.address <= end;
        };
        if (std::none_of(segments.begin(), segments.end(), overlaps)) put_section(each);
    }
    return riscv::elf_image::of_segments(stretch.entry(), std::move(segments), text.symbols);
}

void add_origins(pushed_kernel& kernel, const program_text& text, const code_stretch& stretch,
                 const std::string& file) {
    const auto before = [](const shown_word& a, std::uint32_t address) { return a.address < address; };
    for (pushed_word& each : kernel.words) {
        if (!each.origin.address) continue;
        for (const code_section& section : text.sections) {
            const auto& words = section.words;
            const auto found = std::lower_bound(words.begin(), words.end(), *each.origin.address, before);
            if (found == words.end() || found->address != *each.origin.address) continue;
            each.origin = origin_of(text, *found, file);
            if (&section == stretch.section) break;
        }
    }
}

std::vector<function_name> names_of(const program_text& text) {
    std::vector<function_name> names;
    names.reserve(text.functions.size());
    for (const code_function& each : text.functions) names.push_back({each.symbol, each.name, each.words});
    return names;
}

} // namespace

kernel_text translate_objdump(const translation& of) {
    const program_text text = read_disassembly(of.content, of.name);
    kernel_text result;
    result.name = of.name;
    result.form = kernel_form::objdump;
    code_stretch stretch;
    if (text.functions.empty()) {
        if (!of.request.function.empty())
            throw user_error(fmt::format("{}: no function has a name here, expected a line 'ADDRESS <{}>:'",
                                         of.name, of.request.function));
        stretch = fragment_of(text, of.name);
    } else {
        const auto& function = text.functions[chosen_function(names_of(text), of.request.function, of.name)];
        stretch = stretch_of(text, function, of.name);
        result.function = function.name;
    }
    if (text.has_halves)
        result.told.push_back("two bytes at a time are joined to words: Tensix words look like compressed "
                              "instructions to a disassembler that does not know them");
    std::optional<pushed_kernel> kernel = straight_words(text, stretch, of.name);
    if (!kernel) {
        kernel = run_function(image_of(text, stretch), stretch.entry(), of.request, of.machine, of.caller);
        add_origins(*kernel, text, stretch, of.name);
    }
    if (kernel->words.empty())
        throw input_error(fmt::format("{}:{}:1: error: no Tensix word is pushed from here on", of.name,
                                      stretch.at(stretch.begin).line));
    result.told.insert(result.told.end(), kernel->told.begin(), kernel->told.end());
    result.text = rolled_assembly(*kernel, of.request, of.machine, result.told);
    return result;
}

std::vector<kernel_function> functions_of_objdump(std::string_view content, const std::string& name) {
    const program_text text = read_disassembly(content, name);
    std::vector<kernel_function> result;
    result.reserve(text.functions.size());
    for (const code_function& each : text.functions)
        result.push_back({each.name, each.symbol, each.address, each.size, each.words});
    return result;
}

} // namespace sfpu::analysis
