#include <sfpu/views/isa_document.h>

#include "page_parts.h"

#include <sfpu/isa/isa_catalogue.h>
#include <sfpu/isa/table.h>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <iterator>
#include <set>

namespace sfpu::views {
namespace {

using isa::catalogue_row;
using catalogue = std::vector<catalogue_row>;

std::vector<std::string> names_of_operands(const isa::row& op) {
    std::vector<std::string> names;
    for (const isa::operand& operand : op.operands)
        if (operand.name) names.emplace_back(operand.name);
    return names;
}

/// "0, 2 to 5, 9"
std::string modifier_ranges(const std::vector<unsigned>& numbers) {
    std::string text;
    for (std::size_t first = 0; first < numbers.size();) {
        std::size_t last = first;
        while (last + 1 < numbers.size() && numbers[last + 1] == numbers[last] + 1) ++last;
        if (!text.empty()) text += ", ";
        text += std::to_string(numbers[first]);
        if (last > first) text += fmt::format("{} {}", last == first + 1 ? "," : " to", numbers[last]);
        first = last + 1;
    }
    return text;
}

/// What the model does in several pairs of one category, in a few words.
std::string summary_of(const catalogue& rows) {
    std::set<std::string> texts;
    for (const catalogue_row& row : rows)
        texts.insert(row.ignored_bits ? "bits without a meaning are ignored" : row.text);
    std::string joined;
    for (const std::string& text : texts) joined += (joined.empty() ? "" : "; ") + text;
    return joined;
}

template <typename Wanted>
catalogue rows_with(const catalogue& all, Wanted&& wanted) {
    catalogue rows;
    std::copy_if(all.begin(), all.end(), std::back_inserter(rows), wanted);
    return rows;
}

std::string counts_section(const catalogue& all) {
    std::string text = markdown_head({"", "pairs", "defined", "non-contractual", "undefined"});
    for (const architecture arch : all_architectures) {
        std::vector<std::string> cells{long_name(arch)};
        const catalogue own = rows_with(all, [&](const catalogue_row& row) { return row.arch == arch; });
        cells.push_back(std::to_string(own.size()));
        for (const isa::definition status :
             {isa::definition::defined, isa::definition::non_contractual, isa::definition::undefined})
            cells.push_back(std::to_string(std::count_if(
                own.begin(), own.end(), [&](const catalogue_row& row) { return row.status == status; })));
        text += markdown_line(cells);
    }
    return text;
}

/// The pairs of one opcode and category: a line for each chip, or one for both.
std::string undefined_modifiers(const catalogue& rows, isa::definition status) {
    std::vector<std::vector<std::string>> lines;
    for (const architecture arch : all_architectures) {
        const catalogue own = rows_with(
            rows, [&](const catalogue_row& row) { return row.arch == arch && row.status == status; });
        if (own.empty()) continue;
        std::vector<unsigned> modifiers;
        for (const catalogue_row& row : own) modifiers.push_back(row.modifier);
        lines.push_back({own[0].op->mnemonic, long_name(arch), isa::to_string(status),
                         modifier_ranges(modifiers), summary_of(own)});
    }
    if (lines.size() == 2 && lines[0][3] == lines[1][3] && lines[0][4] == lines[1][4]) {
        lines.pop_back();
        lines[0][1] = "both";
    }
    std::string text;
    for (const auto& line : lines) text += markdown_line(line);
    return text;
}

std::string undefined_modifiers_section(const catalogue& all) {
    std::string text = markdown_head({"instruction", "chip", "category", "modifiers", "the model"});
    for (const isa::row* op : isa::instruction_table()) {
        const catalogue rows = rows_with(all, [&](const catalogue_row& row) { return row.op == op; });
        text += undefined_modifiers(rows, isa::definition::non_contractual);
        text += undefined_modifiers(rows, isa::definition::undefined);
    }
    return text;
}

std::string special_cases_section() {
    std::string text = markdown_head({"instruction", "category", "when", "the model", "diagnostic"});
    for (const isa::special_case& special : isa::special_cases())
        text += markdown_line({special.instruction, special.category, special.condition, special.behaviour,
                               special.id ? fmt::format("`{}`", describe(*special.id).name) : "none"});
    return text;
}

/// A line for each modifier but those that only add ignored bits; one for both chips where they agree.
std::string instruction_section(const isa::row& op, const catalogue& all) {
    const catalogue rows = rows_with(all, [&](const catalogue_row& row) { return row.op == &op; });
    std::set<std::string> pages;
    for (const catalogue_row& row : rows) pages.insert(row.page);
    std::string text =
        fmt::format("### {} ({:02x})\n\n{}. Sub-unit: {}. Operands: {}.\n\n", op.mnemonic, op.opcode, op.text,
                    to_string(op.unit),
                    op.operands[0].name ? fmt::format("{}", fmt::join(names_of_operands(op), ", ")) : "none");
    for (const std::string& page : pages) text += fmt::format("- `{}`\n", page);
    text += '\n' + markdown_head({"modifier", "name", "chip", "status", "semantics"});
    for (unsigned modifier = 0; modifier < 16; ++modifier) {
        const catalogue own = rows_with(rows, [&](const catalogue_row& row) {
            return row.modifier == modifier && row.ignored_bits == 0;
        });
        const bool agree = own.size() == 2 && own[0].text == own[1].text && own[0].status == own[1].status;
        for (const catalogue_row& row : own) {
            text += markdown_line({std::to_string(modifier), row.modifier_name,
                                   agree ? "both" : long_name(row.arch), to_string(row.status), row.text});
            if (agree) break;
        }
    }
    return text + '\n';
}

constexpr const char* isa_introduction = R"(# The instruction set

This file is written by `sfpusim info --isa --markdown` and kept current by a test; do not edit it.

Every SFP* instruction in each of its sixteen modifiers (Mod0 or Mod1), on Blackhole and on Wormhole. VA to VD are
the registers that the fields name, "flags" are the lane flags, "use flags" is UseLaneFlagsForLaneEnable and "top"
the top entry of the flag stack. Results reach enabled lanes only, unless a line says otherwise; SFPENCC, SFPPUSHC,
SFPPOPC and SFPCOMPC act in all lanes.

Modifiers that differ from another one only by bits without a meaning stand in the first list and not in the tables;
`sfpusim info --isa` prints every pair. Pages are paths in the repository `tenstorrent/tt-isa-documentation`; a page
of the Wormhole tree that describes both chips stands for both. Every pair has a unit test in `tests/isa`; beside it
every pair is run under random lane masks, with each vector instruction set, and many by the recorded programs in
`tests/data`.

- **defined**: the page says what happens.
- **non-contractual**: the page says so, or the modifier has a bit set that the page gives no meaning; where pages
  mention such bits, they call them reserved and non-contractual. The model does what current silicon does and
  reports `/sfpu/isa/non-contractual`.
- **undefined**: the page calls it undefined behaviour. The model does what its line says and reports
  `/sfpu/isa/undefined`.

)";

nlohmann::ordered_json isa_json() {
    nlohmann::ordered_json document = nlohmann::ordered_json::array();
    for (const catalogue_row& row : isa::catalogue()) {
        const bool defined = row.status == isa::definition::defined;
        document.push_back({{"arch", short_name(row.arch)},
                            {"opcode", fmt::format("{:02x}", row.op->opcode)},
                            {"mnemonic", row.op->mnemonic},
                            {"modifier", row.modifier},
                            {"name", row.modifier_name},
                            {"defined", defined},
                            {"category", defined ? nlohmann::ordered_json() : isa::to_string(row.status)},
                            {"semantics", row.text},
                            {"page", row.page},
                            {"unit", isa::to_string(row.op->unit)},
                            {"operands", names_of_operands(*row.op)}});
    }
    return document;
}

std::vector<std::vector<std::string>> isa_table() {
    std::vector<std::vector<std::string>> cells{
        {"arch", "opcode", "mnemonic", "modifier", "name", "status", "semantics", "page"}};
    for (const catalogue_row& row : isa::catalogue())
        cells.push_back({short_name(row.arch), fmt::format("{:02x}", row.op->opcode), row.op->mnemonic,
                         std::to_string(row.modifier), row.modifier_name, isa::to_string(row.status),
                         row.text, row.page});
    return cells;
}

} // namespace

page isa_page() { return make_page(isa_json(), page_table_text(isa_table())); }

std::string isa_markdown() {
    const catalogue all = isa::catalogue();
    std::string text = isa_introduction + counts_section(all);
    text += "\n## Modifiers that are not defined\n\n" + undefined_modifiers_section(all);
    text += "\n## Cases that depend on operands or state\n\n" + special_cases_section();
    text += "\n## Instructions\n\n";
    for (const isa::row* op : isa::instruction_table())
        if (op->describe) text += instruction_section(*op, all);
    text.pop_back(); // the last section ends the file with one line end
    return text;
}

} // namespace sfpu::views
