// What is wrong, or doubtful, at a place of a source file: one form for people, for machines, and for what is
// known from an earlier run.
#pragma once

#include <sfpu/common/report.h>

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sfpu::analysis {

/// A place of a source file. Lines and columns count from 1, columns in bytes; 0 is unknown.
struct source_place {
    std::string file;
    unsigned line = 0, column = 0;
    unsigned end = 0;   ///< the column behind the last character
    std::string source; ///< the line as it stands in the file, without its end
    /// Of the instruction, in a file without lines; then `source` is the instruction.
    std::optional<std::uint32_t> address;
    std::string cpp_file; ///< the C++ that a compiler made it from; empty: not known
    unsigned cpp_line = 0;
};

/// A line of a text with the columns of what stands on it: without blanks around it and without its comment.
/// Line 0, or one that the text does not have, is a file as a whole.
source_place place_of_line(const std::string& file, std::string_view text, unsigned line);
/// The word that begins at this column.
source_place place_of_word(const std::string& file, std::string_view text, unsigned line, unsigned column);

struct finding {
    std::string id; ///< "/sfpu/<unit>/<condition>"
    severity level = severity::error;
    std::string message; ///< one line
    source_place where;
    std::vector<std::pair<source_place, std::string>>
        related;          ///< other places, and what they have to do with it
    std::string evidence; ///< what was observed, may be empty
    std::string cure;     ///< what to change, may be empty
    std::string help;     ///< what the id means, may be empty
    bool fails = false;   ///< makes the answer a "no"
};

/// "file:line:column", "file:0x5f08 (exp.h:31)", as far as the place is known.
std::string heading_of(const source_place& where);
/// "file:line:column: level: message". No source, no id.
std::string heading_of(const finding& what);

/// What tells findings apart, whatever lines stand above: made of the id, the words of its source line
/// and how many like it come before. The same in every release.
std::vector<std::string> fingerprints(const std::vector<finding>& findings);

/// Findings of an earlier run: the base name of the file and the fingerprint, and how many there are.
using known_findings = std::map<std::pair<std::string, std::string>, unsigned>;

/// By index of `findings`: whether it is not among the known ones.
std::vector<bool> new_ones(const std::vector<finding>& findings, const known_findings& known);

/// Whether one of them fails and is not known; without `known` all are new.
bool any_fails(const std::vector<finding>& findings, const known_findings* known);

std::string base_name_of(const std::string& file);

} // namespace sfpu::analysis
