// From lines of the assembly that analyses read to places of what the user gave.
//
// A kernel that was translated (kernel_source.h) has `.origin` directives. Analyses read its text and count
// its lines; answers name the user's file, line, address and C++.
#pragma once

#include <sfpu/analysis/finding.h>
#include <sfpu/isa/assembler.h>

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace sfpu::analysis {

/// What the user gave: `source` of answers in JSON.
struct given_source {
    std::string file;
    std::string function;          ///< which was taken, demangled; empty: the form has none
    std::string form;              ///< as --as takes it; empty: nobody said
    std::vector<std::string> told; ///< sentences of whoever translated it
    std::string text;              ///< of the file if it is text; of a program empty
};

/// "line 12", "0x5f08", "0x5f08 (exp.h:31)"; empty if neither is known.
std::string mention_text(const isa::word_origin& place);
/// "kernel.s:12", "kernel.elf:0x5f08 (exp.h:31)", "kernel.s"
std::string location_text(const isa::word_origin& place);

class user_places {
public:
    user_places() = default;
    explicit user_places(const isa::kernel& kernel);

    /// Whether all lines are the user's own.
    bool empty() const { return origins_.empty(); }
    /// Where a line of the text comes from: from itself, if `.origin` says nothing.
    isa::word_origin of(unsigned line) const;
    /// The same with the line that stands there: of the given file, else, in a file without lines, of `text`.
    source_place place_of(unsigned line, std::string_view text, const given_source& given) const;
    /// The user's places where a sentence says "line 12" or "lines 31, 32".
    std::string told(const std::string& sentence) const;

private:
    std::string file_;
    std::map<unsigned, isa::word_origin> origins_; ///< by line of the text
};

} // namespace sfpu::analysis
