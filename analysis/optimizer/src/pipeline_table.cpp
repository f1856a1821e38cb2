#include "row_words.h"

#include <sfpu/isa/disassembler.h>
#include <sfpu/isa/table.h>

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace sfpu::optimizer {
namespace {

constexpr unsigned load_column = 4; // behind those of the sub-units that macros schedule
constexpr unsigned columns = load_column + 1;
using table_row = std::array<std::string, columns>;

/// Registers of successive rows: "L0" or "L0/L1", as often as they repeat.
std::string register_list(const std::vector<unsigned>& lregs) {
    std::size_t period = 1;
    while (period < lregs.size() &&
           !std::equal(lregs.begin() + static_cast<std::ptrdiff_t>(period), lregs.end(), lregs.begin()))
        ++period;
    std::string text;
    for (std::size_t i = 0; i < std::min(period, lregs.size()); ++i)
        text += fmt::format("{}L{}", i ? "/" : "", lregs[i]);
    return text;
}

/// "a, b" out of "a" and "b".
void add_to_list(std::string& list, const std::string& text) { list += (list.empty() ? "" : ", ") + text; }

std::vector<std::string> parts_of(const std::string& text, const std::string& separator) {
    std::vector<std::string> parts;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = std::min(text.find(separator, at), text.size());
        parts.push_back(text.substr(at, end - at));
        at = end + separator.size();
    }
    return parts;
}

/// What an instruction says beside its registers, in the words of the assembler.
struct instruction_words {
    std::string modifiers;  ///< "|CC_NONE"
    std::string immediates; ///< "-23"
    bool negates_va = false, negates_vc = false;
};
instruction_words words_of(const form& f, const isa::word_encoding& encoding) {
    const std::string text = isa::disassemble(f.word, encoding);
    const std::vector<std::string> operands =
        parts_of(text.substr(std::min(text.find(' '), text.size())), ",");
    const bool mode_is_second = f.insn.is(isa::opcode::sfploadi) || f.insn.is(isa::opcode::sfplut);
    const bool sums =
        f.insn.is(isa::opcode::sfpmad) || f.insn.is(isa::opcode::sfpadd) || f.insn.is(isa::opcode::sfpmul);
    instruction_words found;
    for (std::size_t i = 0; i < operands.size(); ++i) {
        const std::string operand = trimmed(operands[i]);
        if (i + 1 != (mode_is_second ? 2 : operands.size())) {
            if (operand.empty() || operand[0] == 'L') continue;
            add_to_list(found.immediates, operand);
            continue;
        }
        for (const std::string& part : parts_of(operand, "|")) {
            const std::string each = trimmed(part);
            if (sums && each == "NEGATE_VA") found.negates_va = true;
            else if (sums && each == "NEGATE_VC") found.negates_vc = true;
            else if (each != "0") found.modifiers += "|" + each;
        }
    }
    const bool counts = found.modifiers.find("IMM") != std::string::npos ||
                        f.insn.is(isa::opcode::sfpdivp2) || f.insn.is(isa::opcode::sfploadi);
    if (found.immediates == "0" && !counts) found.immediates.clear();
    if (found.immediates == "0, 0") found.immediates.clear(); // SFPSTOCHRND
    return found;
}

/// Whether lanes that are off keep what they have.
bool is_conditional(const node& n, const graph& of) {
    return n.reads_flags && !of.all_on[n.version] && !n.more_lanes_allowed;
}

std::string operation_text(const graph& of, const placed_operation& o, const row_words& words) {
    const node& n = of.nodes[static_cast<unsigned>(o.node)];
    const form& f = n.forms[o.how];
    const std::string marks = fmt::format("{}{}", is_conditional(n, of) ? " ?" : "", o.issued ? " !" : "");
    if (n.what == node::kind::store)
        return fmt::format("[{}] = {}{}", words.address_text(n, n.address),
                           o.operand_lreg.empty() ? "0" : words.names().in(register_list(o.operand_lreg[0])),
                           marks);
    const instruction_words more = words_of(f, words.encoding());
    std::string operands, results;
    for (const unsigned which : {va, vb, vc})
        if (f.operand_of[which] >= 0)
            add_to_list(operands,
                        ((which == va && more.negates_va) || (which == vc && more.negates_vc) ? "-" : "") +
                            register_list(o.operand_lreg[static_cast<unsigned>(f.operand_of[which])]));
    for (const auto& operand : n.fixed_operands) add_to_list(operands, fmt::format("L{}", operand.second));
    if (!more.immediates.empty()) add_to_list(operands, more.immediates);
    for (const std::vector<unsigned>& of_result : o.result_lreg)
        add_to_list(results, register_list(of_result));
    const std::string modifiers = more.modifiers.empty() ? "" : "." + more.modifiers.substr(1);
    return fmt::format("{}{}{}{}({}){}", words.names().in(results), results.empty() ? "" : " = ",
                       f.insn.op->mnemonic + 3, modifiers, words.names().in(operands), marks);
}

void add_to_cell(std::string& cell, const std::string& text) { cell += (cell.empty() ? "" : "; ") + text; }

std::vector<table_row> cells(const graph& of, const schedule& found, const row_words& words) {
    std::vector<table_row> rows(found.last_time + 1);
    for (const placed_load& load : found.loads) {
        const node& n = of.nodes[static_cast<unsigned>(load.node)];
        add_to_cell(rows[load.time][load_column],
                    fmt::format("{} = {}{}{}", words.names().in(register_list(load.lreg)),
                                load.host_only ? "." : words.address_text(n, n.address),
                                load.macro >= 0 ? fmt::format(" (m{})", load.macro) : "",
                                !load.host_only && is_conditional(n, of) ? " ?" : ""));
    }
    for (const placed_operation& o : found.operations) {
        const node& n = of.nodes[static_cast<unsigned>(o.node)];
        add_to_cell(rows[o.time][static_cast<unsigned>(n.forms[o.how].unit)], operation_text(of, o, words));
    }
    return rows;
}

/// When the next begins, in rows of 32 elements.
std::string next_rows_text(const graph& of, const schedule& found) {
    const unsigned rows = of.rows_per_iteration;
    const std::string cycles = fmt::format("{} cycle{}", found.interval, found.interval == 1 ? "" : "s");
    if (rows == 1) return fmt::format("; One row; the next begins {} later.\n", cycles);
    return fmt::format("; {} rows; the next {} begin {} later, {:g} a row.\n", rows, rows, cycles,
                       static_cast<double>(found.interval) / rows);
}

bool any_conditional(const graph& of) {
    return std::any_of(of.nodes.begin(), of.nodes.end(),
                       [&](const node& n) { return is_conditional(n, of); });
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
    for (std::size_t t = 0; t < rows.size(); ++t)
        if (std::any_of(rows[t].begin(), rows[t].end(),
                        [](const std::string& cell) { return !cell.empty(); }))
            print(fmt::format("{:>2}", t), rows[t]);
    const unsigned together = of.rows_per_iteration;
    text += next_rows_text(of, found);
    text += "; \"!\" is issued, all else but loads is scheduled.\n";
    if (any_conditional(of)) text += "; \"?\" is for the lanes that are on; others keep what they have.\n";
    if (found.peeled > 0)
        text += fmt::format("; {} rows are not in the loop: they begin before it and end behind it.\n",
                            found.peeled * together);
    if (machine.issue_width > 1) text += "; Up to two words go in a cycle.\n";
    if (found.rows > 1)
        text += together == 1
                    ? fmt::format("; Registers of {} rows take turns: L0/L1 is L0 in one row and L1 in the "
                                  "next.\n",
                                  found.rows)
                    : fmt::format(
                          "; Registers take turns, {} times {} rows: L0/L1 is L0 in {} rows and L1 in the "
                          "next {}.\n",
                          found.rows, together, together, together);
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
