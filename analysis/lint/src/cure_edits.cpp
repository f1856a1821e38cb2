#include "cure_edits.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <regex>

namespace sfpu::analysis {
namespace {

constexpr unsigned most_changes = 9; ///< SFPNOPs, SFPPOPCs
constexpr std::array<const char*, 4> sequence_units{"simple", "mad", "round", "store"};
constexpr unsigned no_selector = 0, store_selector = 3;

std::regex without_case(const std::string& text) { return std::regex(text, std::regex::icase); }

/// The line, from 1, in front of which the set-up of a kernel ends; 0 if it has no .loop.
unsigned end_of_setup(const source_lines& all) {
    const auto loop = find_directive(all, ".loop");
    return loop ? static_cast<unsigned>(*loop) + 1 : 0;
}

cure without_line(source_lines all, unsigned line) {
    all[line - 1] = "; " + all[line - 1];
    return {fmt::format("leave out line {}", line), joined(all)};
}

/// The same instruction `count` times behind the last one of an iteration.
cure at_the_end_of_the_loop(source_lines all, const char* name, const std::string& text, unsigned count) {
    const std::size_t end = find_directive(all, ".tail").value_or(all.size());
    all.insert(all.begin() + static_cast<std::ptrdiff_t>(end), count, "    " + text);
    return {fmt::format("{} {} at the end of the loop", count, name), joined(all)};
}

/// One part of a line is another one.
cure replaced(source_lines all, unsigned line, const std::smatch& found, std::size_t group,
              const std::string& by, std::string text) {
    all[line - 1].replace(static_cast<std::size_t>(found.position(group)),
                          static_cast<std::size_t>(found.length(group)), by);
    return {std::move(text), joined(all)};
}

/// A half of a sequence as bits, with the unit of its lower byte.
struct sequence_half {
    std::smatch found;
    unsigned bits = 0, first_unit = 0;
};
std::optional<sequence_half> half_in(const std::string& code) {
    static const std::regex form =
        without_case(R"(sfploadi\s+L0\s*,\s*(LOWER|UPPER)\s*,\s*(0x[0-9a-f]{1,4})\b)");
    sequence_half half;
    if (!std::regex_search(code, half.found, form)) return std::nullopt;
    half.bits = static_cast<unsigned>(std::stoul(half.found[2], nullptr, 16));
    half.first_unit = std::toupper(static_cast<unsigned char>(half.found.str(1)[0])) == 'U' ? 2 : 0;
    return half;
}

/// Other selectors in bits, those that `wanted` names, in this order.
void add_selectors(const source_lines& all, unsigned line, const std::vector<unsigned>& wanted,
                   std::vector<cure>& to) {
    constexpr unsigned selector_mask = 7, byte_mask = 0xff, byte_bits = 8;
    const std::string code = code_of(all[line - 1]);
    const auto half = half_in(code);
    if (!half) return;
    for (unsigned byte = 0; byte < 2; ++byte) {
        const unsigned field = half->bits >> byte_bits * byte & byte_mask, now = field & selector_mask;
        for (const unsigned other : wanted) {
            if (now == 0 || other == now) continue;
            // Without a selector the other bits of the byte mean nothing.
            const unsigned changed = other == 0 ? 0 : (field & ~selector_mask) | other;
            const unsigned bits = (half->bits & ~(byte_mask << byte_bits * byte)) | changed
                                                                                        << byte_bits * byte;
            to.push_back(replaced(all, line, half->found, 2, fmt::format("{:#06x}", bits),
                                  fmt::format("selector {} to {} of {} in line {} ({:#06x} becomes {:#06x})",
                                              now, other, sequence_units[half->first_unit + byte], line,
                                              half->bits, bits)));
        }
    }
}

bool is_macro_directive(const std::string& code) {
    static const std::regex directive = without_case(R"(^\s*\.macro\b)");
    return std::regex_search(code, directive);
}

/// What a `.macro` says of each sub-unit: the sub-unit, and the fields in parentheses; none if the code is
/// something else.
std::vector<std::smatch> parts_of_macro(const std::string& code) {
    static const std::regex part = without_case(R"((simple|mad|round|store)\s*=\s*\(([^)]*)\))");
    if (!is_macro_directive(code)) return {};
    return {std::sregex_iterator(code.begin(), code.end(), part), std::sregex_iterator()};
}

/// The same in a `.macro`: nothing instead of what a part selects, or SFPSTORE instead of what Store would
/// get.
void add_selectors_of_directive(const source_lines& all, unsigned line, const std::vector<unsigned>& wanted,
                                std::vector<cure>& to) {
    static const std::regex selection =
        without_case(R"(\s*\b(selector\s*=\s*\d+|template\s*=\s*\d+|nop)\b\s*(,\s*)?)");
    const std::string code = code_of(all[line - 1]);
    for (const std::smatch& part : parts_of_macro(code)) {
        const std::string unit = part[1], fields = part[2];
        std::smatch found;
        if (!std::regex_search(fields, found, selection)) continue;
        for (const unsigned other : wanted) {
            const bool stores = other == store_selector && unit == sequence_units.back();
            if (!stores && other != no_selector) continue;
            const std::string rest = stores ? found.prefix().str() + found.suffix().str() : "selector=0";
            to.push_back(replaced(all, line, part, 2, rest.empty() ? "delay=0" : rest,
                                  fmt::format("{} instead of '{}' on {} in line {}",
                                              stores ? "SFPSTORE" : "nothing (selector=0)", found.str(1),
                                              unit, line)));
        }
    }
}

/// Other templates in a `.macro`, and the same template on another sub-unit.
void add_templates(const source_lines& all, unsigned line, std::vector<cure>& to) {
    static const std::regex number = without_case(R"(\btemplate\s*=\s*(\d))");
    constexpr unsigned templates = 4;
    const std::string code = code_of(all[line - 1]);
    for (const std::smatch& part : parts_of_macro(code)) {
        const std::string unit = part[1], fields = part[2];
        std::smatch found;
        if (!std::regex_search(fields, found, number)) continue;
        const std::string now = found[1];
        for (const char* other : sequence_units) {
            if (std::regex_search(code, without_case(fmt::format("\\b{}\\s*=", other)))) continue;
            to.push_back(
                replaced(all, line, part, 1, other,
                         fmt::format("template {} on {} instead of {} in line {}", now, other, unit, line)));
        }
        for (unsigned other = 0; other < templates; ++other) {
            if (std::to_string(other) == now) continue;
            source_lines changed = all;
            changed[line - 1][static_cast<std::size_t>(part.position(2) + found.position(1))] =
                static_cast<char>('0' + other);
            to.push_back(
                {fmt::format("template {} to {} of {} in line {}", now, other, unit, line), joined(changed)});
        }
    }
}

/// Another macro in the SFPLOADMACRO of a line.
void add_macros(const source_lines& all, unsigned line, std::vector<cure>& to) {
    static const std::regex form = without_case(R"(^\s*sfploadmacro\s+(\d)\b)");
    constexpr unsigned macros = 4;
    const std::string code = code_of(all[line - 1]);
    std::smatch found;
    if (!std::regex_search(code, found, form)) return;
    for (unsigned other = 0; other < macros; ++other)
        if (std::to_string(other) != found[1])
            to.push_back(replaced(all, line, found, 1, std::to_string(other),
                                  fmt::format("macro {} to {} in line {}", found.str(1), other, line)));
}

/// More of what the kernel's own `.config` gives its machine.
void add_settings(const source_lines& all, const char* key, unsigned most, std::vector<cure>& to) {
    const std::regex form = without_case(
        fmt::format(R"(^\s*\.config\s+{}\s*,\s*(\d+))", std::regex_replace(key, std::regex("\\."), "\\.")));
    for (unsigned line = 1; line <= all.size(); ++line) {
        const std::string code = code_of(all[line - 1]);
        std::smatch found;
        if (!std::regex_search(code, found, form)) continue;
        for (unsigned more = static_cast<unsigned>(std::stoul(found[1])) + 1; more <= most; ++more)
            to.push_back(replaced(all, line, found, 1, std::to_string(more),
                                  fmt::format("{} {} to {} in line {}", key, found.str(1), more, line)));
    }
}

/// SFPCONFIGs that write some columns only write all of them.
void add_all_columns(const source_lines& all, std::vector<cure>& to) {
    static const std::regex form = without_case(R"(^\s*sfpconfig\s+[^,]+,\s*[^,]+,\s*(8|9)\s*$)");
    for (unsigned line = 1; line <= all.size(); ++line) {
        const std::string code = code_of(all[line - 1]);
        std::smatch found;
        if (!std::regex_search(code, found, form)) continue;
        const std::string wanted = found[1] == "8" ? "0" : "1";
        to.push_back(replaced(
            all, line, found, 1, wanted,
            fmt::format("modifier {} to {} in line {}, for all columns", found.str(1), wanted, line)));
        to.push_back(without_line(all, line));
    }
}

/// What has not been written is written in front of the loop: Misc, for all macros.
void add_misc(const source_lines& all, std::vector<cure>& to) {
    const unsigned line = end_of_setup(all);
    if (line == 0) return;
    for (const char* kinds : {"count_instructions=(simple, mad, round, store)", ""}) {
        const std::string misc = fmt::format(".misc load_mode=(0, 1, 2, 3){}{}", *kinds ? ", " : "", kinds);
        to.push_back(lines_before(all, line, {"    " + misc, "    sfpnop", "    sfpnop"},
                                  fmt::format("'{}' and 2 SFPNOPs before line {}", misc, line)));
    }
}

/// A register that is read and was not written gets a value.
void add_value(const source_lines& all, const std::string& message, std::vector<cure>& to) {
    static const std::regex form(R"(reads L(\d+), which)");
    constexpr unsigned first_constant = 11, last_constant = 14, lregs = 8;
    const unsigned line = end_of_setup(all);
    std::smatch found;
    if (line == 0 || !std::regex_search(message, found, form)) return;
    const auto lreg = static_cast<unsigned>(std::stoul(found[1]));
    std::string write;
    if (lreg < lregs) write = fmt::format("sfploadi L{}, USHORT, 0", lreg);
    else if (lreg >= first_constant && lreg <= last_constant) write = fmt::format(".constant L{}, 0", lreg);
    if (!write.empty())
        to.push_back(
            lines_before(all, line, {"    " + write},
                         fmt::format("'{}' before line {}, with the value that is meant", write, line)));
}

} // namespace

source_lines lines_of(const std::string& source) {
    source_lines result;
    for (std::size_t begin = 0; begin < source.size();) {
        const std::size_t end = std::min(source.find('\n', begin), source.size());
        result.push_back(source.substr(begin, end - begin));
        begin = end + 1;
    }
    return result;
}

std::string joined(const source_lines& all) {
    std::string text;
    for (const std::string& line : all) text += line + '\n';
    return text;
}

std::string code_of(const std::string& line) {
    return line.substr(0, std::min(line.find_first_of(";#"), line.find("//")));
}

std::optional<std::size_t> find_directive(const source_lines& all, const char* name) {
    const std::regex directive = without_case(fmt::format("\\s*\\{}\\b.*", name));
    for (std::size_t i = 0; i < all.size(); ++i)
        if (std::regex_match(code_of(all[i]), directive)) return i;
    return std::nullopt;
}

std::vector<unsigned> lines_of_sequences(const source_lines& all) {
    std::vector<unsigned> found;
    for (unsigned line = 1; line <= all.size(); ++line) {
        const std::string code = code_of(all[line - 1]);
        if (is_macro_directive(code) || half_in(code)) found.push_back(line);
    }
    return found;
}

std::string count_of_nops(unsigned count) {
    return count == 1 ? std::string("one SFPNOP") : fmt::format("{} SFPNOPs", count);
}

cure lines_before(source_lines all, unsigned line, const std::vector<std::string>& added, std::string text) {
    all.insert(all.begin() + static_cast<std::ptrdiff_t>(line) - 1, added.begin(), added.end());
    return {std::move(text), joined(all)};
}

bool has_own_cures_only(report_id id) {
    switch (id) {
    case report_id::macro_selector_one:
    case report_id::macro_store_without_store:
    case report_id::macro_beyond_machine:
    case report_id::macro_template_not_executable:
    case report_id::macro_lanes_differ:
    case report_id::macro_stale_configuration:
    case report_id::flags_stack_overflow:
    case report_id::flags_stack_underflow:
    case report_id::hazard_misc_left_armed:
    case report_id::dst_store_load_distance: return true;
    default: return false;
    }
}

namespace {

/// The cures of one hazard.
class own_cure_finder {
public:
    own_cure_finder(const source_lines& all, const lint_hazard& hazard)
        : all_(all), hazard_(hazard), has_line_(hazard.line != 0 && hazard.line <= all.size()) {}

    std::vector<cure> find() {
        switch (hazard_.what.id) {
        case report_id::macro_selector_one: in_sequences({no_selector}); break;
        case report_id::macro_store_without_store: in_sequences({store_selector, no_selector}); break;
        case report_id::macro_beyond_machine:
            add_settings(all_, "macro.templates", 16, found_);
            add_settings(all_, "macro.count", 16, found_);
            if (has_line_) add_macros(all_, hazard_.line, found_);
            in_sequences(templates_or_none());
            break;
        case report_id::macro_template_not_executable: in_sequences(templates_or_none()); break;
        case report_id::macro_slots_full: add_settings(all_, "macro.slots", 8, found_); break;
        case report_id::macro_lanes_differ: add_all_columns(all_, found_); break;
        case report_id::macro_stale_configuration:
            if (hazard_.what.message.find("Misc") != std::string::npos) add_misc(all_, found_);
            if (has_line_) add_macros(all_, hazard_.line, found_);
            in_sequences({first_template, first_template + 1, first_template + 2, first_template + 3});
            break;
        case report_id::flags_stack_overflow: pop_or_push_less(); break;
        case report_id::flags_stack_underflow: push_or_pop_less(); break;
        case report_id::hazard_misc_left_armed: disarm_misc(); break;
        case report_id::dst_store_load_distance: wait_for_store(); break;
        case report_id::hazard_unwritten_read:
            add_value(all_, hazard_.what.message, found_);
            ask_the_author();
            break;
        default: break;
        }
        return std::move(found_);
    }

private:
    static constexpr unsigned first_template = 4;
    static std::vector<unsigned> templates_or_none() {
        return {first_template, first_template + 1, first_template + 2, first_template + 3, no_selector};
    }

    void in_sequences(const std::vector<unsigned>& selectors) {
        for (const unsigned line : hazard_.configured_in)
            if (line != 0 && line <= all_.size()) {
                add_selectors(all_, line, selectors, found_);
                add_templates(all_, line, found_);
                add_selectors_of_directive(all_, line, selectors, found_);
            }
    }

    void ask_the_author() {
        for (cure& each : found_) each.asks_the_author = true;
    }

    void pop_or_push_less() {
        constexpr const char *name = "SFPPOPC", *code = "sfppopc 0, 0, 0, 0";
        if (has_line_) found_.push_back(without_line(all_, hazard_.line));
        for (unsigned count = 1; count <= most_changes; ++count)
            found_.push_back(at_the_end_of_the_loop(all_, name, code, count));
        for (unsigned count = 1; has_line_ && count <= most_changes; ++count) {
            cure both =
                at_the_end_of_the_loop(lines_of(without_line(all_, hazard_.line).source), name, code, count);
            both.text = fmt::format("leave out line {}, and {}", hazard_.line, both.text);
            found_.push_back(std::move(both));
        }
        ask_the_author();
    }

    void push_or_pop_less() {
        if (!has_line_) return;
        found_.push_back(lines_before(all_, hazard_.line, {"    sfppushc 0, 0, 0, 0"},
                                      fmt::format("one SFPPUSHC before line {}", hazard_.line)));
        found_.push_back(without_line(all_, hazard_.line));
        ask_the_author();
    }

    void disarm_misc() {
        if (has_line_) found_.push_back(without_line(all_, hazard_.line));
        if (const unsigned line = end_of_setup(all_))
            found_.push_back(
                lines_before(all_, line, {"    sfpconfig 0, MISC, 1", "    sfpnop", "    sfpnop"},
                             fmt::format("'sfpconfig 0, MISC, 1' and 2 SFPNOPs before line {}", line)));
    }

    void wait_for_store() {
        for (unsigned count = 1; has_line_ && count <= most_changes; ++count)
            found_.push_back(
                lines_before(all_, hazard_.line, std::vector<std::string>(count, "    sfpnop"),
                             fmt::format("{} before line {}", count_of_nops(count), hazard_.line)));
    }

    const source_lines& all_;
    const lint_hazard& hazard_;
    const bool has_line_;
    std::vector<cure> found_;
};

} // namespace

std::vector<cure> own_cures(const source_lines& all, const lint_hazard& hazard) {
    return own_cure_finder(all, hazard).find();
}

} // namespace sfpu::analysis
