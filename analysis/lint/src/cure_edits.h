// Changes of a kernel's text that may take one kind of diagnostic away. Each is a candidate: nothing is said
// before lint has seen it help.
#pragma once

#include <sfpu/analysis/cures.h>

#include <optional>
#include <string>
#include <vector>

namespace sfpu::analysis {

using source_lines = std::vector<std::string>;

source_lines lines_of(const std::string& source);
std::string joined(const source_lines& all);
/// Without its comment.
std::string code_of(const std::string& line);
/// The number of the first line with this directive, from 0.
std::optional<std::size_t> find_directive(const source_lines& all, const char* name);
/// Lines, from 1, that configure macros: `.macro` and halves of sequences in SFPLOADI.
std::vector<unsigned> lines_of_sequences(const source_lines& all);
std::string count_of_nops(unsigned count);

/// Of the whole kernel: lines that are put in front of line `line`, from 1.
cure lines_before(source_lines all, unsigned line, const std::vector<std::string>& added, std::string text);

/// Changes that are for this diagnostic alone, the likeliest first.
std::vector<cure> own_cures(const source_lines& all, const lint_hazard& hazard);
/// Of the macro that these lines set up: its result goes to the loaded register, and not to L16, where
/// another macro may meet it. Nothing if no unit of it writes L16, or Store does not read it.
std::optional<cure> without_l16(source_lines all, const std::vector<unsigned>& lines);

/// Whether no SFPNOP, no delay and no other register helps against it.
bool has_own_cures_only(report_id id);

} // namespace sfpu::analysis
