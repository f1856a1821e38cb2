#include "cures.h"

#include "equivalence.h"
#include "kernel_file.h"
#include "program.h"

#include <fmt/format.h>

#include <algorithm>
#include <regex>

namespace sfpu::cli {
namespace {

constexpr unsigned most_tried = 400; ///< candidates of a search, each of which is a run of lint
constexpr unsigned most_nops = 3, most_tail_nops = 12, longest_delay = 7;

using lines = std::vector<std::string>;

lines lines_of(const std::string& source) {
    lines result;
    for (std::size_t begin = 0; begin < source.size();) {
        const std::size_t end = std::min(source.find('\n', begin), source.size());
        result.push_back(source.substr(begin, end - begin));
        begin = end + 1;
    }
    return result;
}

std::string joined(const lines& all) {
    std::string text;
    for (const std::string& line : all) text += line + '\n';
    return text;
}

/// Without its comment.
std::string code_of(const std::string& line) {
    return line.substr(0, std::min(line.find_first_of(";#"), line.find("//")));
}

/// The number of the first line with this directive, from 0.
std::optional<std::size_t> find_directive(const lines& all, const char* name) {
    const std::regex directive(fmt::format("\\s*\\{}\\b.*", name), std::regex::icase);
    for (std::size_t i = 0; i < all.size(); ++i)
        if (std::regex_match(code_of(all[i]), directive)) return i;
    return std::nullopt;
}

std::string count_of_nops(unsigned count) {
    return count == 1 ? std::string("one SFPNOP") : fmt::format("{} SFPNOPs", count);
}

cure nops_before(lines all, unsigned line, unsigned count) {
    all.insert(all.begin() + static_cast<std::ptrdiff_t>(line) - 1, count, "    sfpnop");
    return {fmt::format("{} before line {}", count_of_nops(count), line), joined(all)};
}

/// Whether a line, counted from 1, is the first instruction of the loop.
bool begins_loop(const lines& all, unsigned line) {
    const auto loop = find_directive(all, ".loop");
    if (!loop || *loop + 1 >= line) return false;
    return std::all_of(all.begin() + static_cast<std::ptrdiff_t>(*loop) + 1,
                       all.begin() + static_cast<std::ptrdiff_t>(line) - 1, [](const std::string& between) {
                           return code_of(between).find_first_not_of(" \t") == std::string::npos;
                       });
}

cure nops_at_the_end(lines all, unsigned count) {
    const bool has_tail = find_directive(all, ".tail").has_value();
    if (!has_tail) all.insert(all.end(), {"", ".tail"});
    all.insert(all.end(), count, "    sfpnop");
    return {fmt::format("{} {}", count_of_nops(count),
                        has_tail ? "at the end of .tail" : "in a .tail of its own"),
            joined(all)};
}

/// Each delay of a `.macro` line, by one, two, ... up and down.
void add_delays(const lines& all, unsigned line, std::vector<cure>& to) {
    static const std::regex delay(R"((simple|mad|round|store)\s*=\s*\(([^)]*)\))", std::regex::icase);
    static const std::regex number(R"(\bdelay\s*=\s*(\d+))", std::regex::icase);
    const std::string text = code_of(all[line - 1]);
    if (text.find(".macro") == std::string::npos) return;
    for (std::sregex_iterator unit(text.begin(), text.end(), delay), end; unit != end; ++unit) {
        const std::string fields = (*unit)[2];
        std::smatch found;
        const bool has_delay = std::regex_search(fields, found, number);
        const int now = has_delay ? std::stoi(found[1]) : 0;
        for (int change = 1; change <= static_cast<int>(longest_delay); ++change)
            for (const int wanted : {now + change, now - change}) {
                if (wanted < 0 || wanted > static_cast<int>(longest_delay)) continue;
                lines changed = all;
                std::string& whole = changed[line - 1];
                const auto at = static_cast<std::size_t>(unit->position(2));
                if (has_delay)
                    whole.replace(at + static_cast<std::size_t>(found.position(1)),
                                  static_cast<std::size_t>(found.length(1)), std::to_string(wanted));
                else whole.insert(at, fmt::format("delay={}{}", wanted, fields.empty() ? "" : ", "));
                to.push_back(
                    {fmt::format("delay {} to {} of {} in line {}", now, wanted, (*unit)[1].str(), line),
                     joined(changed)});
            }
    }
}

/// Which delays count instructions: one unit more or less.
void add_kinds(const lines& all, std::vector<cure>& to) {
    const auto misc = find_directive(all, ".misc");
    if (!misc) return;
    static const std::regex list(R"(count_instructions\s*=\s*(\(([^)]*)\)|\w+))", std::regex::icase);
    const std::string& line = all[*misc];
    std::smatch found;
    const bool has_list = std::regex_search(line, found, list);
    const std::string now = has_list ? found.str(1) : "";
    for (const char* unit : {"simple", "mad", "round", "store"}) {
        std::vector<std::string> units;
        const bool counts = now.find(unit) != std::string::npos;
        for (const char* each : {"simple", "mad", "round", "store"})
            if ((now.find(each) != std::string::npos) != (each == std::string_view(unit)))
                units.emplace_back(each);
        lines changed = all;
        std::string& whole = changed[*misc];
        const std::string text =
            units.empty() ? "" : fmt::format("count_instructions=({})", fmt::join(units, ", "));
        if (has_list && !text.empty())
            whole.replace(static_cast<std::size_t>(found.position(0)),
                          static_cast<std::size_t>(found.length(0)), text);
        else if (!has_list && !text.empty())
            whole = code_of(whole).substr(0, code_of(whole).find_last_not_of(" \t") + 1) + ", " + text;
        else continue;
        to.push_back({fmt::format("let delays of {} count {} (line {})", unit,
                                  counts ? "cycles" : "instructions", *misc + 1),
                      joined(changed)});
    }
}

/// A second copy of the loop with another register for the loaded one.
void add_rotations(const lines& all, std::vector<cure>& to) {
    const auto loop = find_directive(all, ".loop");
    if (!loop || code_of(all[*loop]).find_first_of("0123456789") != std::string::npos) return;
    const std::size_t end = find_directive(all, ".tail").value_or(all.size());
    if (end <= *loop) return;
    std::string whole; // without comments
    for (const std::string& line : all) whole += code_of(line) + '\n';
    std::string other;
    for (unsigned lreg = 0; lreg < 8 && other.empty(); ++lreg)
        if (!std::regex_search(whole, std::regex(fmt::format("\\bL{}\\b", lreg), std::regex::icase)))
            other = fmt::format("L{}", lreg);
    if (other.empty()) return;
    static const std::regex macro(R"(^\s*sfploadmacro\s+\w+\s*,\s*(L\d)\b)", std::regex::icase);
    std::vector<std::string> done;
    for (std::size_t i = *loop + 1; i < end; ++i) {
        std::smatch found;
        const std::string code = code_of(all[i]);
        if (!std::regex_search(code, found, macro)) continue;
        const std::string lreg = found.str(1);
        if (std::find(done.begin(), done.end(), lreg) != done.end()) continue;
        done.push_back(lreg);
        lines changed(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(end));
        changed[*loop] =
            std::regex_replace(changed[*loop], std::regex("\\.loop", std::regex::icase), ".loop 2");
        const std::regex name("\\b" + lreg + "\\b", std::regex::icase);
        for (std::size_t j = *loop + 1; j < end; ++j)
            changed.push_back(std::regex_replace(all[j], name, other));
        changed.insert(changed.end(), all.begin() + static_cast<std::ptrdiff_t>(end), all.end());
        to.push_back({fmt::format("use {} and {} in turn (.loop 2)", lreg, other), joined(changed)});
    }
}

std::size_t breaking(const platform::lint_report& report, std::optional<report_id> id = std::nullopt) {
    return static_cast<std::size_t>(
        std::count_if(report.hazards.begin(), report.hazards.end(), [&](const platform::lint_hazard& each) {
            return each.breaks && (!id || each.what.id == *id);
        }));
}

} // namespace

platform::lint_report cure_search::lint(const std::string& source) const {
    const kernel_run kernel(assemble_kernel(source, file_, options_), options_, rows_);
    return platform::lint(bench_, kernel.kernel(), kernel.request(), kernel.iterations(), how_);
}

/// The simplest first.
std::vector<cure> cure_search::candidates(const std::string& source, const problem& about) const {
    const lines all = lines_of(source);
    std::vector<cure> result;
    if (about.in_tail)
        for (unsigned count = 1; count <= most_tail_nops; ++count)
            result.push_back(nops_at_the_end(all, count));
    const bool has_line = about.line != 0 && about.line <= all.size();
    if (about.rotates) add_rotations(all, result);
    if (has_line && begins_loop(all, about.line)) // once is enough, not once for every row
        for (unsigned count = 1; count <= most_nops; ++count)
            result.push_back(
                nops_before(all, static_cast<unsigned>(*find_directive(all, ".loop")) + 1, count));
    if (has_line)
        for (unsigned count = 1; count <= most_nops; ++count)
            result.push_back(nops_before(all, about.line, count));
    add_kinds(all, result);
    std::vector<unsigned> macros = about.configured_in;
    std::sort(macros.begin(), macros.end());
    macros.erase(std::unique(macros.begin(), macros.end()), macros.end());
    for (const unsigned line : macros)
        if (line != 0 && line <= all.size()) add_delays(all, line, result);
    return result;
}

bool cure_search::computes_the_same(const std::string& a, const std::string& b) const {
    platform::equivalence_options how;
    const auto report = compare(bench_, assemble_kernel(a, file_, options_),
                                assemble_kernel(b, file_, options_), options_, rows_, how);
    return report.equal;
}

std::optional<cure> cure_search::of_hazard(const std::string& source, const platform::lint_report& report,
                                           std::size_t index) {
    const platform::lint_hazard& hazard = report.hazards[index];
    problem about;
    about.line = hazard.line;
    about.configured_in = hazard.configured_in;
    about.in_tail = hazard.what.id == report_id::macro_never_drained;
    about.rotates = hazard.what.id == report_id::hazard_write_collision ||
                    hazard.what.id == report_id::hazard_lreg_overwritten;
    for (cure& each : candidates(source, about)) {
        if (tried_++ >= most_tried) return std::nullopt;
        try {
            const platform::lint_report now = lint(each.source);
            if (breaking(now, hazard.what.id) >= breaking(report, hazard.what.id) ||
                breaking(now) >= breaking(report))
                continue;
            if (!computes_the_same(source, each.source)) each.text += "; what it computes changes by that";
            return each;
        } catch (const user_error&) { // no kernel: the next one
        }
    }
    return std::nullopt;
}

std::optional<cure> cure_search::of_boundary(const std::string& source, const platform::lint_report& report,
                                             std::size_t index) {
    const platform::lint_boundary& boundary = report.boundaries[index];
    problem about; // SFPNOPs would help by making every row longer: that is for people to decide
    about.configured_in = boundary.moved.configured_in;
    about.rotates = true;
    about.configured_in.insert(about.configured_in.end(), boundary.against.configured_in.begin(),
                               boundary.against.configured_in.end());
    for (cure& each : candidates(source, about)) {
        if (tried_++ >= most_tried) return std::nullopt;
        try {
            const platform::lint_report now = lint(each.source);
            if (breaking(now) > breaking(report) || now.boundaries.size() >= report.boundaries.size())
                continue;
            if (computes_the_same(source, each.source)) return each;
        } catch (const user_error&) {
        }
    }
    return std::nullopt;
}

} // namespace sfpu::cli
