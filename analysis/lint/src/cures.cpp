#include <sfpu/analysis/cures.h>

#include "cure_edits.h"
#include <sfpu/analysis/errors.h>
#include <sfpu/analysis/kernel_comparison.h>
#include <sfpu/analysis/kernel_file.h>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bitset>
#include <cctype>
#include <regex>

namespace sfpu::analysis {
namespace {

constexpr unsigned most_tried = 400; ///< candidates of a search, each of which is a run of lint
constexpr unsigned most_nops_for_slots = 8, most_tail_nops = 12, longest_delay = 7;

cure nops_before(source_lines all, unsigned line, unsigned count) {
    all.insert(all.begin() + static_cast<std::ptrdiff_t>(line) - 1, count, "    sfpnop");
    return {fmt::format("{} before line {}", count_of_nops(count), line), joined(all), false, true};
}

/// Whether a line, counted from 1, is the first instruction of the loop.
bool begins_loop(const source_lines& all, unsigned line) {
    const auto loop = find_directive(all, ".loop");
    if (!loop || *loop + 1 >= line) return false;
    return std::all_of(all.begin() + static_cast<std::ptrdiff_t>(*loop) + 1,
                       all.begin() + static_cast<std::ptrdiff_t>(line) - 1, [](const std::string& between) {
                           return code_of(between).find_first_not_of(" \t") == std::string::npos;
                       });
}

cure nops_at_the_end(source_lines all, unsigned count) {
    const bool has_tail = find_directive(all, ".tail").has_value();
    if (!has_tail) all.insert(all.end(), {"", ".tail"});
    all.insert(all.end(), count, "    sfpnop");
    return {fmt::format("{} {}", count_of_nops(count),
                        has_tail ? "at the end of .tail" : "in a .tail of its own"),
            joined(all)};
}

constexpr std::array<const char*, 4> unit_names{"simple", "mad", "round", "store"};

/// Other delays than `now`: by one, two, ... up and down.
std::vector<unsigned> other_delays(unsigned now) {
    std::vector<unsigned> others;
    for (unsigned change = 1; change <= longest_delay; ++change) {
        if (now + change <= longest_delay) others.push_back(now + change);
        if (change <= now) others.push_back(now - change);
    }
    return others;
}

/// Each delay of a `.macro` line.
void add_delays_of_directive(const source_lines& all, unsigned line, std::vector<cure>& to) {
    static const std::regex delay(R"((simple|mad|round|store)\s*=\s*\(([^)]*)\))", std::regex::icase);
    static const std::regex number(R"(\bdelay\s*=\s*(\d+))", std::regex::icase);
    const std::string text = code_of(all[line - 1]);
    if (text.find(".macro") == std::string::npos) return;
    for (std::sregex_iterator unit(text.begin(), text.end(), delay), end; unit != end; ++unit) {
        const std::string fields = (*unit)[2];
        std::smatch found;
        const bool has_delay = std::regex_search(fields, found, number);
        const unsigned now = has_delay ? static_cast<unsigned>(std::stoul(found[1])) : 0;
        for (const unsigned wanted : other_delays(now)) {
            source_lines changed = all;
            std::string& whole = changed[line - 1];
            const auto at = static_cast<std::size_t>(unit->position(2));
            if (has_delay)
                whole.replace(at + static_cast<std::size_t>(found.position(1)),
                              static_cast<std::size_t>(found.length(1)), std::to_string(wanted));
            else whole.insert(at, fmt::format("delay={}{}", wanted, fields.empty() ? "" : ", "));
            to.push_back({fmt::format("delay {} to {} of {} in line {}", now, wanted, (*unit)[1].str(), line),
                          joined(changed)});
        }
    }
}

/// Each delay of a half of a sequence that is written as bits, two units a half.
void add_delays_of_word(const source_lines& all, unsigned line, std::vector<cure>& to) {
    static const std::regex half(R"(sfploadi\s+L0\s*,\s*(LOWER|UPPER)\s*,\s*(0x[0-9a-f]{1,4})\b)",
                                 std::regex::icase);
    constexpr unsigned selector_mask = 7, first_delay_bit = 3, not_selected = 1;
    const std::string text = code_of(all[line - 1]);
    std::smatch found;
    if (!std::regex_search(text, found, half)) return;
    const auto bits = static_cast<unsigned>(std::stoul(found[2], nullptr, 16));
    const bool is_upper = std::toupper(static_cast<unsigned char>(found.str(1)[0])) == 'U';
    for (unsigned byte = 0; byte < 2; ++byte) {
        const unsigned field = bits >> 8 * byte & 0xff, now = field >> first_delay_bit & longest_delay;
        if ((field & selector_mask) <= not_selected) continue;
        for (const unsigned wanted : other_delays(now)) {
            const unsigned other = bits ^ (now ^ wanted) << (8 * byte + first_delay_bit);
            source_lines changed = all;
            changed[line - 1].replace(static_cast<std::size_t>(found.position(2)),
                                      static_cast<std::size_t>(found.length(2)),
                                      fmt::format("{:#06x}", other));
            to.push_back({fmt::format("delay {} to {} of {} in line {} ({:#06x} becomes {:#06x})", now,
                                      wanted, unit_names[2 * is_upper + byte], line, bits, other),
                          joined(changed)});
        }
    }
}

/// "simple and store"
std::string names_of_units(unsigned mask) {
    std::vector<const char*> names;
    for (unsigned unit = 0; unit < unit_names.size(); ++unit)
        if (mask >> unit & 1u) names.push_back(unit_names[unit]);
    return fmt::format("{}", fmt::join(names, " and "));
}

/// "let delays of simple and mad count instructions (line 12)"
std::string kinds_text(unsigned now, unsigned wanted, std::size_t line, const std::string& bits) {
    std::vector<std::string> parts;
    if (const unsigned more = wanted & ~now)
        parts.push_back(fmt::format("let delays of {} count instructions", names_of_units(more)));
    if (const unsigned fewer = now & ~wanted)
        parts.push_back(fmt::format("let delays of {} count cycles", names_of_units(fewer)));
    return fmt::format("{} (line {}{})", fmt::join(parts, " and "), line + 1, bits);
}

/// Which delays count instructions, other than `now`: one unit more or less first, then two, ...
std::vector<unsigned> other_kinds(unsigned now) {
    std::vector<unsigned> others;
    for (unsigned changes = 1; changes <= unit_names.size(); ++changes)
        for (unsigned change = 1; change < 1u << unit_names.size(); ++change)
            if (std::bitset<unit_names.size()>(change).count() == changes) others.push_back(now ^ change);
    return others;
}

/// The `.misc` of the kernel.
void add_kinds_of_directive(const source_lines& all, std::vector<cure>& to) {
    const auto misc = find_directive(all, ".misc");
    if (!misc) return;
    static const std::regex list(R"(count_instructions\s*=\s*(\(([^)]*)\)|\w+))", std::regex::icase);
    const std::string& line = all[*misc];
    std::smatch found;
    const bool has_list = std::regex_search(line, found, list);
    const std::string written = has_list ? found.str(1) : "";
    unsigned now = 0;
    for (unsigned unit = 0; unit < unit_names.size(); ++unit)
        if (written.find(unit_names[unit]) != std::string::npos) now |= 1u << unit;
    for (const unsigned wanted : other_kinds(now)) {
        if (wanted == 0) continue; // there is no empty list
        std::vector<const char*> units;
        for (unsigned unit = 0; unit < unit_names.size(); ++unit)
            if (wanted >> unit & 1u) units.push_back(unit_names[unit]);
        const std::string text = fmt::format("count_instructions=({})", fmt::join(units, ", "));
        source_lines changed = all;
        std::string& whole = changed[*misc];
        if (has_list)
            whole.replace(static_cast<std::size_t>(found.position(0)),
                          static_cast<std::size_t>(found.length(0)), text);
        else whole = code_of(whole).substr(0, code_of(whole).find_last_not_of(" \t") + 1) + ", " + text;
        to.push_back({kinds_text(now, wanted, *misc, ""), joined(changed)});
    }
}

/// A write of Misc as bits.
void add_kinds_of_word(const source_lines& all, std::vector<cure>& to) {
    static const std::regex write(R"(sfpconfig\s+(0x[0-9a-f]{1,4})\s*,\s*MISC\s*,\s*1\b)", std::regex::icase);
    constexpr unsigned first_kind_bit = 8;
    for (std::size_t line = 0; line < all.size(); ++line) {
        const std::string text = code_of(all[line]);
        std::smatch found;
        if (!std::regex_search(text, found, write)) continue;
        const auto bits = static_cast<unsigned>(std::stoul(found[1], nullptr, 16));
        const unsigned now = bits >> first_kind_bit & 15u;
        for (const unsigned wanted : other_kinds(now)) {
            const unsigned other = bits ^ (now ^ wanted) << first_kind_bit;
            source_lines changed = all;
            changed[line].replace(static_cast<std::size_t>(found.position(1)),
                                  static_cast<std::size_t>(found.length(1)), fmt::format("{:#x}", other));
            to.push_back({kinds_text(now, wanted, line, fmt::format(", {:#x} becomes {:#x}", bits, other)),
                          joined(changed)});
        }
    }
}

/// A second copy of the loop with another register for the loaded one.
void add_rotations(const source_lines& all, std::vector<cure>& to) {
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
        source_lines changed(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(end));
        changed[*loop] =
            std::regex_replace(changed[*loop], std::regex("\\.loop", std::regex::icase), ".loop 2");
        const std::regex name("\\b" + lreg + "\\b", std::regex::icase);
        for (std::size_t j = *loop + 1; j < end; ++j)
            changed.push_back(std::regex_replace(all[j], name, other));
        changed.insert(changed.end(), all.begin() + static_cast<std::ptrdiff_t>(end), all.end());
        to.push_back(
            {fmt::format("use {} and {} in turn (.loop 2)", lreg, other), joined(changed), false, true});
    }
}

std::size_t breaking(const lint_report& report) {
    return static_cast<std::size_t>(std::count_if(report.hazards.begin(), report.hazards.end(),
                                                  [](const lint_hazard& each) { return each.breaks; }));
}

std::size_t count_of(const lint_report& report, report_id id) {
    return static_cast<std::size_t>(
        std::count_if(report.hazards.begin(), report.hazards.end(),
                      [&](const lint_hazard& each) { return each.what.id == id; }));
}

/// How many reports of an id are about a line with this text.
std::size_t count_at(const source_lines& all, const lint_report& report, report_id id,
                     const std::string& text) {
    return static_cast<std::size_t>(
        std::count_if(report.hazards.begin(), report.hazards.end(), [&](const lint_hazard& each) {
            return each.what.id == id && each.line != 0 && each.line <= all.size() &&
                   code_of(all[each.line - 1]) == text;
        }));
}

} // namespace

lint_report cure_search::lint(const std::string& source, const lint_options& how) const {
    const kernel_run kernel(assemble_kernel(source, file_, options_), options_, rows_);
    return analysis::lint(runner_, kernel.kernel(), kernel.request(), kernel.iterations(), how);
}

lint_report cure_search::hazards_in(const std::string& source) const {
    lint_options quick = how_;
    quick.bubbles = false;
    return lint(source, quick);
}

/// The simplest first; but what makes the loop longer comes last if the kernel says how long it is to be, or
/// if other delays may do.
std::vector<cure> cure_search::candidates(const std::string& source, const problem& about) const {
    const isa::kernel kernel = assemble_kernel(source, file_, options_);
    const source_lines all = lines_of(source);
    std::vector<cure> result;
    if (about.hazard) result = own_cures(all, *about.hazard);
    if (about.hazard && has_own_cures_only(about.hazard->what.id)) return result;
    if (about.in_tail)
        for (unsigned count = 1; count <= most_tail_nops; ++count)
            result.push_back(nops_at_the_end(all, count));
    const bool has_line = about.line != 0 && about.line <= all.size();
    if (about.rotates) add_rotations(all, result);
    if (has_line && begins_loop(all, about.line)) // once is enough, not once for every row
        for (unsigned count = 1; count <= about.most_nops; ++count)
            result.push_back(
                nops_before(all, static_cast<unsigned>(*find_directive(all, ".loop")) + 1, count));
    const auto add_nops = [&] {
        for (unsigned count = 1; has_line && count <= about.most_nops; ++count)
            result.push_back(nops_before(all, about.line, count));
    };
    const bool keeps_pace =
        (kernel.expected_cycles_per_row || about.keeps_pace) &&
        std::any_of(kernel.loop.begin(), kernel.loop.end(),
                    [&](const isa::source_word& word) { return word.line == about.line; });
    if (!keeps_pace) add_nops();
    const bool has_usual_bits = !kernel.words.extended_index();
    add_kinds_of_directive(all, result);
    if (has_usual_bits) add_kinds_of_word(all, result);
    const auto add_registers = [&] {
        for (const std::vector<unsigned>& macro : about.macros)
            if (auto found = without_l16(all, macro); found && has_usual_bits)
                result.push_back(std::move(*found));
    };
    if (!about.hazard) add_registers(); // delays move what the kernel does in time
    std::vector<unsigned> macros = about.configured_in;
    std::sort(macros.begin(), macros.end());
    macros.erase(std::unique(macros.begin(), macros.end()), macros.end());
    for (const unsigned line : macros) {
        if (line == 0 || line > all.size()) continue;
        add_delays_of_directive(all, line, result);
        if (has_usual_bits) add_delays_of_word(all, line, result);
    }
    if (about.hazard) add_registers();
    if (keeps_pace) add_nops();
    return result;
}

bool cure_search::wants_cure(const lint_hazard& hazard) {
    return hazard.breaks || has_own_cures_only(hazard.what.id);
}

bool cure_search::may_try() {
    if (tried_ >= most_tried || is_interrupted()) return false;
    ++tried_;
    if (told_) told_(tried_, most_tried);
    return true;
}

bool cure_search::computes_the_same(const std::string& a, const std::string& b) const {
    equivalence_options how;
    how.prove = false; // many cures are tried
    const auto report = compare(runner_, assemble_kernel(a, file_, options_),
                                assemble_kernel(b, file_, options_), options_, rows_, how);
    return report.equal;
}

/// The kernel with so many SFPNOPs behind each iteration that no row meets another, if a row of a macro
/// kernel loses a value to the next one, and then no more. What it computes is what is meant: other delays
/// may cure it if they compute the same.
std::optional<std::string> cure_search::rows_apart(const std::string& source, const problem& about) const {
    constexpr unsigned enough = 12;
    const report_id id = about.hazard->what.id;
    if (id != report_id::hazard_l16_overwritten && id != report_id::hazard_lreg_overwritten)
        return std::nullopt;
    source_lines all = lines_of(source);
    const auto loop = find_directive(all, ".loop");
    const std::size_t end = find_directive(all, ".tail").value_or(all.size());
    if (!loop || end < *loop) return std::nullopt;
    all.insert(all.begin() + static_cast<std::ptrdiff_t>(end), enough, "    sfpnop");
    std::string apart = joined(all);
    return breaking(hazards_in(apart)) == 0 ? std::optional(std::move(apart)) : std::nullopt;
}

std::optional<cure> cure_search::of_hazard(const std::string& source, const lint_report& report,
                                           std::size_t index) {
    const lint_hazard& hazard = report.hazards[index];
    problem about;
    about.line = hazard.line;
    about.hazard = &hazard;
    about.configured_in = hazard.configured_in;
    about.macros = {hazard.configured_in};
    if (about.configured_in.empty()) about.configured_in = lines_of_sequences(lines_of(source));
    if (hazard.what.id == report_id::macro_slots_full) about.most_nops = most_nops_for_slots;
    about.in_tail = hazard.what.id == report_id::macro_never_drained;
    about.rotates = hazard.what.id == report_id::hazard_write_collision ||
                    hazard.what.id == report_id::hazard_lreg_overwritten;
    const std::optional<std::string> meant = rows_apart(source, about);
    about.keeps_pace = meant.has_value();
    const source_lines all = lines_of(source);
    const bool has_line = hazard.line != 0 && hazard.line <= all.size();
    const std::string at = has_line ? code_of(all[hazard.line - 1]) : "";
    const report_id id = hazard.what.id;
    for (cure& each : candidates(source, about)) {
        if (!may_try()) return std::nullopt;
        try {
            const lint_report now = hazards_in(each.source);
            if (count_of(now, id) >= count_of(report, id) ||
                breaking(now) + (hazard.breaks ? 1 : 0) > breaking(report))
                continue;
            // Another one of its kind may be gone, and this one still there.
            if (has_line && count_at(lines_of(each.source), now, id, at) >= count_at(all, report, id, at))
                continue;
            if (meant && !each.leaves_rows_alone && !computes_the_same(*meant, each.source)) continue;
            if (is_interrupted()) return std::nullopt;
            if (!computes_the_same(source, each.source))
                each.text += "; the kernel then computes something else (equiv says whether that is right)";
            return each;
        } catch (const user_error&) { // no kernel: the next one
        }
    }
    return std::nullopt;
}

std::optional<cure> cure_search::of_boundary(const std::string& source, const lint_report& report,
                                             std::size_t index) {
    const lint_boundary& boundary = report.boundaries[index];
    problem about; // SFPNOPs would help by making every row longer: that is for people to decide
    about.configured_in = boundary.moved.configured_in;
    about.macros = {boundary.moved.configured_in};
    if (boundary.against.configured_in != boundary.moved.configured_in)
        about.macros.push_back(boundary.against.configured_in);
    about.rotates = true;
    about.configured_in.insert(about.configured_in.end(), boundary.against.configured_in.begin(),
                               boundary.against.configured_in.end());
    lint_options quick = how_;
    quick.schedules = 0;
    quick.open_questions = false;
    for (cure& each : candidates(source, about)) {
        if (!may_try()) return std::nullopt;
        try { // the cheapest question first
            if (breaking(hazards_in(each.source)) > breaking(report) ||
                !computes_the_same(source, each.source))
                continue;
            if (lint(each.source, quick).boundaries.size() >= report.boundaries.size()) continue;
            const bool helps = lint(each.source).boundaries.size() < report.boundaries.size();
            if (is_interrupted()) return std::nullopt; // lint has not looked at everything
            if (helps) return each;
        } catch (const user_error&) {
        }
    }
    return std::nullopt;
}

} // namespace sfpu::analysis
