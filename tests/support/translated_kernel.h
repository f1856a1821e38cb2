// What the tests of kernels in other forms share: the words of a translation, and refusals.
#pragma once

#include <sfpu/analysis/errors.h>
#include <sfpu/analysis/kernel_source.h>
#include <sfpu/isa/assembler.h>

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

namespace sfpu::analysis {

/// The kernel that a translation's text is.
inline isa::kernel assembled_kernel(const kernel_text& text) {
    const isa::assembly result = isa::assemble(text.text, "k.s", architecture::blackhole);
    for (const isa::source_error& error : result.errors)
        ADD_FAILURE() << error.to_string() << "\n" << text.text;
    return result.program;
}
inline std::vector<isa::source_word> all_words(const isa::kernel& kernel) {
    std::vector<isa::source_word> words = kernel.init;
    words.insert(words.end(), kernel.loop.begin(), kernel.loop.end());
    words.insert(words.end(), kernel.tail.begin(), kernel.tail.end());
    return words;
}
inline std::vector<std::uint32_t> words_of_text(const kernel_text& text) {
    std::vector<std::uint32_t> words;
    for (const isa::source_word& each : all_words(assembled_kernel(text))) words.push_back(each.word);
    return words;
}

/// What a translation is refused with.
template <class Translate>
std::string refusal_when(Translate&& translate) {
    try {
        translate();
    } catch (const user_error& problem) {
        return problem.what();
    }
    return "no error";
}

} // namespace sfpu::analysis
