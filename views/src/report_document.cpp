#include <sfpu/views/report_document.h>

#include "page_parts.h"
#include "report_samples.h"

#include <sfpu/analysis/errors.h>

#include <sfpu/common/report.h>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <functional>
#include <string_view>

namespace sfpu::views {
namespace {

using json = nlohmann::ordered_json;
using report_list = std::vector<std::reference_wrapper<const report_row>>;

report_list all_reports() {
    report_list rows;
    for (unsigned i = 0; i < report_count; ++i) rows.push_back(describe(static_cast<report_id>(i)));
    return rows;
}

json report_row_json(const report_row& row) {
    return {{"id", row.name},
            {"kind", to_string(row.kind)},
            {"severity", to_string(row.level)},
            {"meaning", row.meaning},
            {"explanation", row.explanation}};
}

/// Whether the id ends with these parts: "write-collision", "hazard/write-collision".
bool ends_with_parts(std::string_view id, std::string_view parts) {
    return !parts.empty() && id.size() > parts.size() && id.substr(id.size() - parts.size()) == parts &&
           id[id.size() - parts.size() - 1] == '/';
}

/// The rows that `id` means: one, named by its whole id or its last parts, or all.
report_list reports_named(const std::string& id) {
    if (id == "all") return all_reports();
    if (const report_row* row = find_report(id)) return {*row};
    std::vector<std::string> names, with_it;
    const bool is_part = id.find('/') == std::string::npos; // a slip is looked for in what the user writes
    for (const report_row& row : all_reports()) {
        if (ends_with_parts(row.name, id)) return {row};
        const std::string name = row.name;
        names.push_back(is_part ? name.substr(name.rfind('/') + 1) : name);
        if (name.find(id) != std::string::npos) with_it.push_back(name);
    }
    throw analysis::user_error(
        "--explain: unknown id '" + id + "'" +
        (with_it.empty() ? analysis::suggestion(id, names, "; 'sfpusim info --report-ids' lists all")
                         : fmt::format("; expected one id, like {}", fmt::join(with_it, ", "))));
}

json explanation_of(const report_row& row) {
    const report_example& example = row.example;
    json document = report_row_json(row);
    document["example"] =
        example.text ? json(std::string(example.text) + (example.is_assembly ? "" : "\n")) : json(nullptr);
    const char* const sample = sample_of(row.id);
    document["sample"] = sample ? json(sample) : json(nullptr);
    document["cure"] = row.cure;
    return document;
}

std::string indented_lines(std::string_view lines) {
    std::string text;
    for (std::size_t begin = 0, end = 0; begin < lines.size(); begin = end + 1) {
        end = std::min(lines.find('\n', begin), lines.size());
        text += fmt::format("    {}\n", lines.substr(begin, end - begin));
    }
    return text;
}

std::string report_row_text(const report_row& row) {
    std::string text = fmt::format("{} ({}, {})\n{}\n\n{}\n", row.name, to_string(row.kind),
                                   to_string(row.level), row.meaning, row.explanation);
    if (row.example.is_assembly) text += "\nExample:\n" + indented_lines(row.example.text);
    else if (row.example.text) text += fmt::format("\n{}\n", row.example.text);
    if (const char* const sample = sample_of(row.id)) text += fmt::format("\nA message:\n    {}\n", sample);
    return text + fmt::format("\nCure: {}\n", row.cure);
}

/// A paragraph of a page, in lines of at most 118 columns.
std::string page_paragraph(std::string_view text) {
    constexpr std::size_t columns = 118;
    std::string lines = "\n", line;
    while (!text.empty()) {
        const std::string_view word = text.substr(0, text.find(' '));
        text.remove_prefix(std::min(word.size() + 1, text.size()));
        if (!line.empty() && line.size() + 1 + word.size() > columns) {
            lines += line + "\n";
            line.clear();
        }
        line += (line.empty() ? "" : " ") + std::string(word);
    }
    return lines + line + "\n";
}

/// A section of docs/hazards.md.
std::string report_section(const report_row& row) {
    std::string kind = to_string(row.kind);
    kind[0] = static_cast<char>(kind[0] - 'a' + 'A');
    std::string text = fmt::format("## `{}`\n", row.name);
    text += page_paragraph(fmt::format("{}, {}. **{}**", kind, to_string(row.level), row.meaning));
    text += page_paragraph(row.explanation);
    if (row.example.is_assembly) text += fmt::format("\n```\n{}```\n", row.example.text);
    else if (row.example.text) text += page_paragraph(row.example.text);
    if (row.remark) text += page_paragraph(row.remark);
    if (const char* const sample = sample_of(row.id))
        text += page_paragraph(fmt::format("A message: `{}`", sample));
    return text + page_paragraph(fmt::format("Cure: {}", row.cure));
}

/// What docs/hazards.md says before its sections.
constexpr const char* about_diagnostics = R"(# Diagnostics and `lint`

If two instructions get into each other's way, the hardware reports nothing. The model does: each such event is a
diagnostic with an id. `sfpusim info --report-ids` lists the ids, `sfpusim info --explain ID` prints a section of this
page. Examples are assembly. In macros, a byte of a sequence is VB 0x80, L16 0x40, delay << 3, selector, and the bytes
are Store, Round, MAD, Simple from the top. `docs/generate` writes this page from what the program knows, and a test
keeps it current; do not edit it.

Four kinds: *hazard* diagnostics follow `--hazards error|warn|off`; *notice* and *isa* keep their severity; a *remark* is
about a kernel as a whole and breaks no rule. `run`, `lint` and Python list remarks apart, and `exec`, which has words and no
kernel, has those on outputs and stores among its diagnostics. Where a section says "Found by lint", only `lint` gives the
diagnostic: it compares which values instructions read, over the whole run, and no single cycle shows that. Each
id has a program that provokes it and one that does not in `tests/platforms/sfpu_bench/hazards_test.cpp` or, if it is a
remark, in `tests/analysis/kernel/kernel_remarks_test.cpp`.

## What `lint` does

`sfpusim lint KERNEL [--schedules N] [--bubble-rate P] [--seed S] [--rows N] [--json]`

1. Dst is filled four times: twice with a mixture of random bits, zeros, numbers of moderate size and extreme values,
   once with extreme values of 32-bit cells (zeros, subnormal and largest numbers, infinities and NaNs of FP32, the ends
   of integers in two's complement and in sign and magnitude), once with those of 16-bit cells (BF16, FP16, integers of 16
   and 8 bits). Registers hold random bits.
2. The kernel runs without bubbles, with enough iterations for a steady state. All diagnostics of this run are reported.
   The run is repeated with other registers: a result that changes with them depends on what ran before.
3. It runs with one bubble, of 1 to 8 cycles, before each word of `.init`, `.tail` and one iteration in the middle;
   then with N random schedules (200), a bubble of 1 to 8 cycles before a fraction P of the words (0.3).
4. Nobody has measured some details of the timing; each such open question is a parameter with several values
   ([known gaps](known-gaps.md#open-questions-of-the-hardware)). So the runs are repeated under the other values, and with
   `sfpu.write_order` reversed. (Only the runs with one bubble of 2 to 7 cycles are not.) One pair of that order is known:
   against the second cycle of SFPSWAP a load wins, or reductions that ship would be wrong. In a kernel with an SFPSWAP
   that pair is not reversed, and such a collision is reported and breaks nothing.

A kernel may say where idle cycles can be: `.gap` stands in front of a word before which the machine may wait, because
it is the first of a push, of a REPLAY, of a MOP. Then bubbles come there and nowhere else, and a kernel that one of
them changes is `broken`. Recorded kernels say so themselves. Of a kernel without `.gap` nothing is known; bubbles come
everywhere, and one that matters makes it `replay-only`.

Only Dst at the end counts as the result. Where a bubble changes it, `lint` follows the first wrong value back through both
runs, to the first instruction that read an operand from another writer than before. That pair is what `moved` and
`against` name; `moved` is the scheduled one.

An issued instruction that a macro discards with a bubble, and not without, is a finding by itself: whether its loss shows
in Dst depends on data. `discarded` names it.

| verdict | means | exit code |
|---|---|---|
| `robust` | no hazard, no bubble changed the result or lost an instruction | 0 |
| `replay-only` | no hazard, some bubbles change the result, or make a macro discard an instruction | 2 |
| `broken` | hazards without any bubble: every diagnostic of kind hazard, every error, and forgotten instructions; or a bubble matters where `.gap` says that one can be | 2 |

A kernel whose result depends on an order that the model decides the same way every time, as it does when two instructions
write a register in one cycle, is `broken`, and the report says what it depends on: `sfpu.write_order`.

The verdict is about timing dependences. `lint` does not know what a kernel should compute, so a kernel that reliably
computes something else is robust. `equiv` compares it with its plain form. A cure ends a diagnostic; if "the kernel then computes
something else", `equiv` says whether that is right.

Some ids are rules that the vendor's compiler checks before it forms a macro: they name their source. Breaking one changes
nothing that the model computes, and by itself no verdict, since for most of them no source says what goes wrong: they are
notices. What is wrong on the chips for one of these reasons is wrong here only where the timing contract says so.

A kernel says by `.allow ID, "reason"` that a diagnostic is meant ([assembly.md](assembly.md)). `run`, `lint`, `explore` and
`debug` then leave it out, of the verdict and of exit codes, too; `run` and `lint` still say how often it came and why it is
meant. Traces show it, and `exec` takes words and has no directives.

`--json` prints one object: `verdict`; `safe_from_replay_buffer` (no boundary lies between iterations);
`boundaries` with `line` (the word that comes late), `word` (its index in the order of issue), `text`, `moved`,
`against`, `first_difference` (`row` and `column` of raw Dst storage, `expected`, `got`; `output`, `output_row` and `lane` of the value that
it belongs to, or null), `moved_line`, `against_line`,
`configured_in` (lines of the moved instruction's sequence), `previous_line`, `bubble` (idle cycles), `needs_others`
(only together with earlier bubbles), `inside_iteration`, `gap` (which `.gap` of the kernel stands there, from 0; null: none), `discarded` and `discarded_line` (null if no instruction is
lost; the members of `first_difference` are null if nothing else happens), `depends_on` (parameters under another value of
which the same bubbles give another result); `open_questions` with `parameter`, `depends`,
`without_bubbles`, `values` (tried beside the configured one), `complete` (all of them were); `hazards` with the fields of `exec`'s diagnostics and
`line`, `count`, `breaks`, `configured_in`, `text`, `depends_on` (the parameter that decides what the diagnostic is about,
if the result depends on it); `allowed`, if the kernel allows something (`id`, `count` in one run, `line`, `reason`);
`depends_on` (parameters on which the result depends without any bubble); `remarks`
(`line`, `id`, `message`; see [command-line.md](command-line.md#lint-kernel)); `iterations`, `random_schedules`,
`random_changed`, `random_discarded`, `single_bubbles`, `registers_changed` (for information); `gaps` (words with a `.gap`);
`data_sets`; `planned` with `data_sets`, `single_bubbles` and `random_schedules`, of which more was planned than done only
if `interrupted`.
)";

nlohmann::ordered_json reports_json() {
    json document = json::array();
    for (const report_row& row : all_reports()) document.push_back(report_row_json(row));
    return document;
}

std::vector<std::vector<std::string>> reports_table() {
    std::vector<std::vector<std::string>> cells{{"id", "kind", "severity", "meaning"}};
    for (const report_row& row : all_reports())
        cells.push_back({row.name, to_string(row.kind), to_string(row.level), row.meaning});
    return cells;
}

nlohmann::ordered_json explanation_json(const std::string& id) {
    const report_list rows = reports_named(id);
    if (id != "all") return explanation_of(rows.front());
    json document = json::array();
    for (const report_row& row : rows) document.push_back(explanation_of(row));
    return document;
}

std::string explanation_text(const std::string& id) {
    std::string text;
    for (const report_row& row : reports_named(id)) text += (text.empty() ? "" : "\n") + report_row_text(row);
    return text;
}

} // namespace

page reports_page() { return make_page(reports_json(), page_table_text(reports_table())); }
page explanation_page(const std::string& id) { return make_page(explanation_json(id), explanation_text(id)); }

std::string report_ids_markdown() {
    std::string text =
        "# Report ids\n\n"
        "Made by `sfpusim info --report-ids --markdown`. Each id links to its long explanation.\n\n"
        "Diagnostics of kind *hazard* follow `--hazards error|warn|off`; *notice* and *isa* keep their "
        "severity. A\nlibrary user gets them through a `diagnostic_sink`, see "
        "[integration.md](integration.md). A *remark* is about a kernel as a\nwhole: `run`, `lint`, `exec` "
        "and "
        "Python make it.\n\n"
        "| id | kind | severity | meaning |\n|---|---|---|---|\n";
    for (const report_row& row : all_reports()) {
        std::string anchor; // as Markdown viewers make it from a heading: without slashes
        for (const char* c = row.name; *c; ++c)
            if (*c != '/') anchor += *c;
        text += fmt::format("| [`{}`](hazards.md#{}) | {} | {} | {} |\n", row.name, anchor,
                            to_string(row.kind), to_string(row.level), row.meaning);
    }
    return text;
}

std::string explanation_markdown(const std::string& id) {
    std::string text = id == "all" ? about_diagnostics : "";
    for (const report_row& row : reports_named(id)) text += (text.empty() ? "" : "\n") + report_section(row);
    return text;
}

} // namespace sfpu::views
