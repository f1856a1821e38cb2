#include "path_difference.h"

#include "../interrupts.h"
#include "../program.h"
#include <sfpu/analysis/child_process.h>
#include <sfpu/analysis/kernel_file.h>

#include <sfpu/isa/table.h>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <fstream>
#include <optional>
#include <set>
#include <utility>
#include <vector>

namespace sfpu::cli::llk {
namespace {

using json = nlohmann::ordered_json;

constexpr std::size_t dst_cells = 1024 * 16;
constexpr std::size_t most_hazards = 3;

/// Programmable constants that are read and that no SFPCONFIG writes; L11 holds -1 from the start.
isa::register_set unset_constants(const std::string& file) {
    const isa::kernel kernel = load_kernel(file, machine_choice{});
    isa::register_set read = 0, set = isa::only(11);
    for (const auto* section : {&kernel.init, &kernel.loop, &kernel.tail})
        for (const isa::source_word& each : *section) {
            if (isa::classify(each.word, kernel.arch) != isa::word_kind::sfpu) continue;
            const isa::instruction instruction = isa::decode(each.word, kernel.words);
            if (instruction.is(isa::opcode::sfpconfig)) {
                set |= instruction.use.writes;
                continue;
            }
            // What names L12 to L15 as its result becomes a template and does not read it. Indirect modes may read
            // any register; only those that the word names count.
            const isa::register_set named = isa::only(instruction.va) | isa::only(instruction.vb) |
                                            isa::only(instruction.vc) | isa::only(instruction.vd);
            const isa::register_set result = instruction.vd >= 12 ? isa::only(instruction.vd) : 0;
            read |= instruction.use.reads & named & ~result;
        }
    return read & isa::programmable_constants & ~set;
}

/// The names of the instructions that compute something, those of templates included.
std::set<std::string> calculations(const std::string& file) {
    static const std::set<std::string> others{"sfpload", "sfpstore",     "sfploadi", "sfpconfig",
                                              "sfpnop",  "sfploadmacro", "sfpencc"};
    const isa::kernel kernel = load_kernel(file, machine_choice{});
    std::set<std::string> names;
    for (const auto* section : {&kernel.init, &kernel.loop, &kernel.tail})
        for (const isa::source_word& each : *section) {
            if (isa::classify(each.word, kernel.arch) != isa::word_kind::sfpu) continue;
            const std::string name = isa::decode(each.word, kernel.words).op->mnemonic;
            if (!others.count(name)) names.insert(name);
        }
    return names;
}

/// "only the macro path uses sfpand"; empty if it uses nothing that the other does not use.
std::string only_in(const char* path, const std::set<std::string>& its, const std::set<std::string>& others) {
    std::string names;
    for (const std::string& each : its)
        if (!others.count(each)) names += (names.empty() ? "" : ", ") + each;
    return names.empty() ? "" : fmt::format("only the {} path uses {}", path, names);
}

/// Cells of Dst that a run writes, of 1,024 rows with 16; nothing if it cannot be run.
std::optional<std::vector<bool>> written_cells(const std::string& program, const std::string& kernel,
                                               double seconds) {
    std::vector<bool> written(dst_cells, false);
    for (const unsigned flip : {0u, 0xffu}) { // what was there comes out of both runs only if nobody wrote it
        std::string before(2 * dst_cells, '\0');
        for (std::size_t i = 0; i < before.size(); ++i)
            before[i] = static_cast<char>((i * 37 + (i >> 7) * 11 + 1) ^ flip);
        const std::string from = kernel + ".before", to = kernel + ".after";
        std::ofstream(from, std::ios::binary) << before;
        const auto run =
            ask_command({program, "run", kernel, "--quiet", "--dst-load", from, "--dst-dump", to}, seconds,
                        interrupt_guard::interrupted);
        if (!run || !run->ok()) return std::nullopt;
        const std::string after = read_file(to);
        if (after.size() != before.size()) return std::nullopt;
        for (std::size_t cell = 0; cell < dst_cells; ++cell)
            if (after.compare(2 * cell, 2, before, 2 * cell, 2) != 0) written[cell] = true;
    }
    return written;
}

std::string names_of(isa::register_set set) {
    std::string names;
    for (unsigned lreg = 0; lreg < 16; ++lreg)
        if (isa::contains(set, lreg)) names += fmt::format("{}L{}", names.empty() ? "" : ", ", lreg);
    return names;
}

} // namespace

std::vector<std::string> explain_difference(const std::string& program, const std::string& macro,
                                            const std::string& plain, double seconds) {
    std::vector<std::string> reasons;
    if (const isa::register_set unset = unset_constants(macro) & ~unset_constants(plain); unset != 0)
        reasons.push_back(fmt::format(
            "The macro path reads {}, which nothing sets: neither the function nor its init. It counts on "
            "what another kernel left there.",
            names_of(unset)));
    const auto by_macro = written_cells(program, macro, seconds),
               by_plain = written_cells(program, plain, seconds);
    if (by_macro && by_plain) {
        unsigned only_macro = 0, only_plain = 0;
        for (std::size_t cell = 0; cell < dst_cells; ++cell) {
            only_macro += (*by_macro)[cell] && !(*by_plain)[cell];
            only_plain += (*by_plain)[cell] && !(*by_macro)[cell];
        }
        if (only_macro + only_plain != 0)
            reasons.push_back(
                fmt::format("Their stores reach other 16-bit cells of Dst: {} are written by the macro path "
                            "only, {} by the plain path only.",
                            only_macro, only_plain));
    }
    for (const auto& [name, kernel] : {std::pair("macro", &macro), std::pair("plain", &plain)}) {
        const auto lint =
            ask_command({program, "lint", *kernel, "--json"}, seconds, interrupt_guard::interrupted);
        const json report = json::parse(lint ? lint->output : "", nullptr, false);
        if (!report.is_object() || !report.contains("hazards")) continue;
        std::size_t shown = 0;
        for (const json& hazard : report["hazards"]) {
            if (hazard.value("severity", "") == "notice" || shown++ >= most_hazards) continue;
            reasons.push_back(fmt::format("{} at line {} of the {} path: {}", hazard.value("id", ""),
                                          hazard["line"].dump(), name, hazard.value("message", "")));
        }
    }
    if (!reasons.empty()) return reasons;
    const std::set<std::string> in_macro = calculations(macro), in_plain = calculations(plain);
    const std::string first = only_in("macro", in_macro, in_plain),
                      second = only_in("plain", in_plain, in_macro);
    if (!first.empty() || !second.empty())
        reasons.push_back(fmt::format("They calculate in different ways: {}{}{}.", first,
                                      first.empty() || second.empty() ? "" : ", ", second));
    return reasons;
}

} // namespace sfpu::cli::llk
