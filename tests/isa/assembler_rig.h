// What tests of the assembler share.
#pragma once

#include "chips.h"

#include <sfpu/isa/assembler.h>

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

namespace sfpu::isa {

using words = std::vector<std::uint32_t>;

inline std::string all_errors(const assembly& from) {
    std::string text;
    for (const source_error& error : from.errors) text += error.to_string() + '\n';
    return text;
}

inline words plain(const std::vector<source_word>& lines) {
    words result;
    for (const source_word& line : lines) result.push_back(line.word);
    return result;
}

/// The words of a plain list of instructions.
inline words assembled(const std::string& source, const word_encoding& arch = test::bh) {
    const assembly result = assemble(source, "list.s", arch);
    EXPECT_TRUE(result.ok()) << all_errors(result);
    return plain(result.program.loop);
}

} // namespace sfpu::isa
