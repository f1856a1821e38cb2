#include "row_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace sfpu::optimizer {
namespace {

constexpr unsigned load_column = 4; // behind those of the sub-units that macros schedule
constexpr unsigned columns = load_column + 1;
using table_row = std::array<std::string, columns>;

/// Registers of successive rows: "L0" or "L0/L1".
std::string register_list(const std::vector<unsigned>& lregs) {
    std::string text;
    for (const unsigned r : lregs) {
        const std::string name = fmt::format("L{}", r);
        if (text.find(name) != std::string::npos && lregs.size() > 1 && lregs[0] == r) continue;
        text += (text.empty() ? "" : "/") + name;
    }
    return text;
}

/// "a, b" out of "a" and "b".
void add_to_list(std::string& list, const std::string& text) { list += (list.empty() ? "" : ", ") + text; }

std::string operation_text(const node& n, const placed_operation& o, const row_words& words) {
    const form& f = n.forms[o.how];
    const char* issued = o.issued ? " !" : "";
    if (n.what == node::kind::store)
        return fmt::format("[{}] = {}{}", words.address_text(n, n.address),
                           o.operand_lreg.empty() ? "0" : register_list(o.operand_lreg[0]), issued);
    std::string operands, results;
    for (const unsigned which : {va, vb, vc})
        if (f.operand_of[which] >= 0)
            add_to_list(operands, register_list(o.operand_lreg[static_cast<unsigned>(f.operand_of[which])]));
    for (const auto& operand : n.fixed_operands) add_to_list(operands, fmt::format("L{}", operand.second));
    const bool immediate = f.slot[va] < 0 && f.insn.op->format == isa::layout::imm12 && f.insn.imm != 0;
    if (immediate) add_to_list(operands, fmt::format("{}", f.insn.imm));
    for (const std::vector<unsigned>& of_result : o.result_lreg)
        add_to_list(results, register_list(of_result));
    return fmt::format("{}{}{}({}){}", results, results.empty() ? "" : " = ", f.insn.op->mnemonic + 3,
                       operands, issued);
}

std::vector<table_row> cells(const graph& of, const schedule& found, const row_words& words) {
    std::vector<table_row> rows(found.last_time + 1);
    for (const placed_load& load : found.loads) {
        const node& n = of.nodes[static_cast<unsigned>(load.node)];
        std::string& cell = rows[load.time][load_column];
        cell = fmt::format("{} = {}", register_list(load.lreg),
                           load.host_only ? "." : words.address_text(n, n.address));
        if (load.macro >= 0) cell += fmt::format(" (m{})", load.macro);
    }
    for (const placed_operation& o : found.operations) {
        const node& n = of.nodes[static_cast<unsigned>(o.node)];
        rows[o.time][static_cast<unsigned>(n.forms[o.how].unit)] = operation_text(n, o, words);
    }
    return rows;
}

} // namespace

std::string pipeline_table(const graph& of, const schedule& found, const row_words& words,
                           const isa::machine& machine) {
    const std::vector<table_row> rows = cells(of, found, words);
    constexpr unsigned order[] = {load_column, 0, 1, 2, 3};
    const table_row names = {"Simple", "MAD", "Round", "Store", "Load"};
    std::array<std::size_t, columns> width{}; // 0: nothing stands there
    for (unsigned u = 0; u < columns; ++u) {
        for (const table_row& row : rows) width[u] = std::max(width[u], row[u].size());
        if (width[u] > 0) width[u] = std::max(width[u], names[u].size());
    }
    std::string text;
    const auto print = [&](const std::string& first, const table_row& row) {
        std::string line = ";  " + first;
        for (const unsigned u : order)
            if (width[u]) line += fmt::format(" | {:<{}}", row[u], width[u]);
        while (line.back() == ' ') line.pop_back();
        text += line + "\n";
    };
    print(" t", names);
    for (std::size_t t = 0; t < rows.size(); ++t) print(fmt::format("{:>2}", t), rows[t]);
    const unsigned together = of.rows_per_iteration;
    text += fmt::format("; {}; the next begin{} {} cycle{} later. \"!\" is issued, all else but loads is "
                        "scheduled.\n",
                        together == 1 ? "One row" : fmt::format("{} rows", together),
                        together == 1 ? "s" : "", found.interval, found.interval == 1 ? "" : "s");
    if (found.peeled > 0)
        text += fmt::format("; {} rows are not in the loop: they begin before it and end behind it.\n",
                            found.peeled * together);
    if (machine.issue_width > 1) text += "; Up to two words go in a cycle.\n";
    if (found.rows > 1)
        text += together == 1
                    ? fmt::format("; Registers of {} rows take turns: L0/L1 is L0 in one row and L1 in the "
                                  "next.\n",
                                  found.rows)
                    : fmt::format("; Registers of {} times {} rows take turns: L0/L1 is L0 in some {} and L1 "
                                  "in the next.\n",
                                  found.rows, together, together);
    if (std::any_of(found.loads.begin(), found.loads.end(), [](const placed_load& l) { return l.host_only; }))
        text += "; A load of \".\" only names the address of the store.\n";
    for (const placed_operation& o : found.operations)
        if (const node& n = of.nodes[static_cast<unsigned>(o.node)]; n.spills)
            text += fmt::format("; [{:#x}] holds a value of the row for a while; the plain kernel does not "
                                "use it.\n",
                                n.address);
    return text;
}

} // namespace sfpu::optimizer
