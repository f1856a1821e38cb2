// Findings as people read them on a terminal, and as machines do: SARIF 2.1.0.
#pragma once

#include <sfpu/analysis/finding.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sfpu::views {

enum class colouring : bool { off, on }; ///< escape sequences of a terminal (ECMA-48)

/// "FILE:LINE:COLUMN: warning: TEXT [id]", the source line and a caret below what is meant, as far as they
/// are known.
std::string finding_text(const analysis::finding& what, colouring paint);

/// The first `most`, and how many there are behind.
std::string to_text(const std::vector<analysis::finding>& findings, std::size_t most, colouring paint);

struct sarif_facts {
    std::string tool;     ///< who found them: "sfpusim lint"
    std::string version;  ///< of the program
    bool complete = true; ///< false: interrupted, there may be more
    /// Results say whether they are new.
    std::optional<analysis::known_findings> baseline;
};
/// A SARIF log with one run. Columns count characters.
std::string to_sarif(const std::vector<analysis::finding>& findings, const sarif_facts& facts);

/// The findings of a SARIF log that to_sarif() wrote, of any number of runs; other tools' runs are left out.
/// Throws input_error for what is no such log. `file` names the text in errors.
analysis::known_findings read_baseline(const std::string& file, std::string_view text);

} // namespace sfpu::views
