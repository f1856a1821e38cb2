#include <sfpu/analysis/path_difference.h>

#include "kernel_execution.h"
#include <sfpu/analysis/lint.h>

#include <sfpu/isa/table.h>

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <iterator>
#include <optional>
#include <set>

namespace sfpu::analysis {
namespace {

constexpr unsigned cells_of_row = 16;
constexpr std::size_t dst_cells = std::size_t{platform::dst_row_count} * cells_of_row;
constexpr std::size_t most_hazards = 3;
constexpr double seconds_of_a_day = 86400;

/// The words of the vector unit, decoded.
std::vector<isa::instruction> instructions_of(const isa::kernel& kernel) {
    std::vector<isa::instruction> all;
    for (const auto* section : {&kernel.init, &kernel.loop, &kernel.tail})
        for (const isa::source_word& each : *section)
            if (isa::classify(each.word, kernel.arch) == isa::word_kind::sfpu)
                all.push_back(isa::decode(each.word, kernel.words));
    return all;
}

/// The names of the instructions that compute something, those of templates included.
std::set<std::string> calculations_of(const isa::kernel& kernel) {
    static const std::set<std::string> others{"sfpload", "sfpstore",     "sfploadi", "sfpconfig",
                                              "sfpnop",  "sfploadmacro", "sfpencc"};
    std::set<std::string> names;
    for (const isa::instruction& each : instructions_of(kernel))
        if (!others.count(each.op->mnemonic)) names.insert(each.op->mnemonic);
    return names;
}

/// What a cell of Dst holds before a run: two contents that differ in every cell.
std::uint16_t cell_before(std::size_t cell, unsigned flip) {
    const auto byte = [&](std::size_t i) { return (i * 37 + (i >> 7) * 11 + 1) ^ flip; };
    return static_cast<std::uint16_t>((byte(2 * cell) & 0xff) | (byte(2 * cell + 1) & 0xff) << 8);
}

/// Cells of Dst that a run writes; nothing if it cannot be run.
std::optional<std::vector<bool>> written_cells(platform::program_runner& runner, const isa::kernel& kernel,
                                               const step_limit& limit) try {
    std::vector<bool> written(dst_cells, false);
    for (const unsigned flip : {0u, 0xffu}) { // what was there comes out of both runs only if nobody wrote it
        kernel_run run(kernel, machine_choice{}, std::nullopt);
        for (std::size_t cell = 0; cell < dst_cells; ++cell)
            run.request().dst_rows[static_cast<unsigned>(cell / cells_of_row)][cell % cells_of_row] =
                cell_before(cell, flip);
        if (!execute(runner, run, limit).failure.empty()) return std::nullopt;
        const platform::dst_image& after = runner.dst();
        for (std::size_t cell = 0; cell < dst_cells; ++cell)
            if (after[cell / cells_of_row][cell % cells_of_row] != cell_before(cell, flip))
                written[cell] = true;
    }
    return written;
} catch (const std::exception&) {
    return std::nullopt;
}

/// The first reports of lint that may be a reason; what breaks the kernel comes before what may be harmless.
void add_hazards(path_difference& to, platform::program_runner& runner, const isa::kernel& kernel,
                 bool in_macro, const std::function<bool()>& interrupted) try {
    const kernel_run run(kernel, machine_choice{}, std::nullopt);
    lint_options options;
    options.bubbles = false;
    options.interrupted = interrupted;
    const lint_report report = lint(runner, kernel, run.request(), run.iterations(), options);
    std::size_t found = 0;
    for (const bool breaks : {true, false})
        for (const lint_hazard& each : report.hazards)
            if (each.breaks == breaks && each.what.level != severity::info && found++ < most_hazards)
                to.hazards.push_back({in_macro, each.breaks, each.what.id, each.line, each.what.message});
} catch (const std::exception&) { // what cannot be run has no hazards
}

std::string register_names(isa::register_set set) {
    std::string names;
    for (unsigned lreg = 0; lreg < 16; ++lreg)
        if (isa::contains(set, lreg)) names += fmt::format("{}L{}", names.empty() ? "" : ", ", lreg);
    return names;
}

/// "only the macro path uses sfpand"; empty if it uses nothing that the other does not use.
std::string only_in(const char* path, const std::vector<std::string>& names) {
    return names.empty() ? "" : fmt::format("only the {} path uses {}", path, fmt::join(names, ", "));
}

} // namespace

isa::register_set unset_constants(const isa::kernel& kernel) {
    constexpr unsigned first_template = 12;
    isa::register_set read = 0, set = isa::only(11);
    for (const isa::instruction& each : instructions_of(kernel)) {
        if (each.is(isa::opcode::sfpconfig)) {
            set |= each.use.writes;
            continue;
        }
        // What names L12 to L15 as its result becomes a template and does not read it. Indirect modes may
        // read any register; only those that the word names count.
        const isa::register_set named =
            isa::only(each.va) | isa::only(each.vb) | isa::only(each.vc) | isa::only(each.vd);
        const isa::register_set result = each.vd >= first_template ? isa::only(each.vd) : 0;
        read |= each.use.reads & named & ~result;
    }
    return read & isa::programmable_constants & ~set;
}

path_difference difference_of_paths(platform::program_runner& runner, const isa::kernel& macro,
                                    const isa::kernel& plain, const std::function<bool()>& interrupted) {
    path_difference found;
    found.unset_constants = unset_constants(macro) & ~unset_constants(plain);

    session of;
    of.interrupted = interrupted;
    const step_limit limit(of, seconds_of_a_day);
    const auto by_macro = written_cells(runner, macro, limit), by_plain = written_cells(runner, plain, limit);
    for (std::size_t cell = 0; by_macro && by_plain && cell < dst_cells; ++cell) {
        found.cells_of_macro += (*by_macro)[cell] && !(*by_plain)[cell];
        found.cells_of_plain += (*by_plain)[cell] && !(*by_macro)[cell];
    }
    add_hazards(found, runner, macro, true, interrupted);
    add_hazards(found, runner, plain, false, interrupted);

    const std::set<std::string> of_macro = calculations_of(macro), of_plain = calculations_of(plain);
    std::set_difference(of_macro.begin(), of_macro.end(), of_plain.begin(), of_plain.end(),
                        std::back_inserter(found.only_macro));
    std::set_difference(of_plain.begin(), of_plain.end(), of_macro.begin(), of_macro.end(),
                        std::back_inserter(found.only_plain));
    return found;
}

std::vector<std::string> path_difference::sentences() const {
    std::vector<std::string> reasons;
    if (unset_constants != 0)
        reasons.push_back(fmt::format(
            "The macro path reads {}, which nothing sets: neither the function nor its init. It counts on "
            "what another kernel left there.",
            register_names(unset_constants)));
    if (cells_of_macro + cells_of_plain != 0)
        reasons.push_back(
            fmt::format("Their stores reach other 16-bit cells of Dst: {} are written by the macro path "
                        "only, {} by the plain path only.",
                        cells_of_macro, cells_of_plain));
    const bool any_breaks =
        std::any_of(hazards.begin(), hazards.end(), [](const hazard& each) { return each.breaks; });
    for (const hazard& each : hazards) {
        if (any_breaks && !each.breaks) continue;
        reasons.push_back(fmt::format("{}{} of the {} path: {}", describe(each.id).name,
                                      each.line == 0 ? "" : fmt::format(" at line {}", each.line),
                                      each.in_macro ? "macro" : "plain", each.message));
    }
    const bool certain = unset_constants != 0 || cells_of_macro + cells_of_plain != 0 || any_breaks;
    if (certain) return reasons;
    const std::string first = only_in("macro", only_macro), second = only_in("plain", only_plain);
    if (!first.empty() || !second.empty())
        reasons.push_back(fmt::format("They calculate in different ways: {}{}{}.", first,
                                      first.empty() || second.empty() ? "" : ", ", second));
    return reasons;
}

} // namespace sfpu::analysis
