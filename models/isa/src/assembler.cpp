#include <sfpu/isa/assembler.h>

#include "assembler_pass.h"

#include <sfpu/common/shown_name.h>
#include <sfpu/isa/machine.h>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <utility>

namespace sfpu::isa {

using grammar::argument;
using grammar::fault;
using grammar::slice;
using grammar::view;

namespace {

std::size_t stem_length(std::string_view name) { return name.find_last_not_of("0123456789") + 1; }

/// "; expected L0 to L15" where the names of the word's stem are numbered without a gap; else empty.
std::string numbered_names(std::string_view word, const std::vector<std::string>& candidates) {
    const std::string_view stem = word.substr(0, stem_length(word));
    if (stem.empty() || stem.size() == word.size()) return "";
    std::vector<unsigned> numbers;
    for (const std::string_view each : candidates)
        if (each.size() > stem.size() && each.size() <= stem.size() + 3 && stem_length(each) == stem.size() &&
            each.substr(0, stem.size()) == stem)
            numbers.push_back(static_cast<unsigned>(std::stoul(std::string(each.substr(stem.size())))));
    std::sort(numbers.begin(), numbers.end());
    numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
    if (numbers.size() < 2 || numbers.back() - numbers.front() + 1 != numbers.size()) return "";
    return fmt::format("; expected {0}{1} to {0}{2}", stem, numbers.front(), numbers.back());
}

} // namespace

std::string suggestion(std::string_view word, const std::vector<std::string>& candidates) {
    if (const std::string numbered = numbered_names(word, candidates); !numbered.empty()) return numbered;
    const std::string candidate = nearest(word, candidates);
    return candidate.empty() ? candidate : fmt::format("; did you mean '{}'?", candidate);
}

std::string lower_case(std::string_view text) {
    std::string result(text);
    for (char& c : result)
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    return result;
}

slice without_comment(std::string_view line) {
    bool is_quoted = false;
    std::size_t end = 0;
    for (; end < line.size(); ++end) {
        if (line[end] == '"') is_quoted = !is_quoted;
        if (is_quoted) continue;
        if (line[end] == ';' || line[end] == '#' || line.substr(end, 2) == "//") break;
    }
    return {line.data(), line.data() + end};
}

bool is_blank(const slice& code) {
    return view(code).find_first_not_of(" \t\r\v\f") == std::string_view::npos;
}

namespace {

void append(std::vector<std::string>& to, const std::vector<std::string>& more) {
    to.insert(to.end(), more.begin(), more.end());
}

double float_of(std::uint32_t bits) {
    float number;
    std::memcpy(&number, &bits, sizeof number);
    return number;
}

/// What an operand takes, for messages: "L0 to L15", "ADDR_MOD_0 to ADDR_MOD_3 on wh", "-2048 to 4095".
std::string expected_values(const operand& what, const word_encoding& words) {
    const operand_range range = range_of(what, words);
    switch (what.kind) {
    case operand_kind::lreg:
    case operand_kind::split_lreg: return fmt::format("L{} to L{}", range.minimum, range.maximum);
    case operand_kind::addr_mod:
        return fmt::format("ADDR_MOD_{} to ADDR_MOD_{} on {}", range.minimum, range.maximum,
                           short_name(words.arch));
    default:
        if (range.maximum == 0) return "0";
        return fmt::format("{} to {}", range.minimum, range.maximum);
    }
}

/// Where the operands of an instruction begin that is written like a call of C, "(0, 1)"; else null.
const char* call_parenthesis(const slice& arguments) {
    const std::size_t open = view(arguments).find_first_not_of(" \t");
    if (open == std::string_view::npos || view(arguments)[open] != '(') return nullptr;
    int depth = 0;
    for (const char c : view(arguments).substr(open)) {
        depth += (c == '(') - (c == ')');
        if (depth == 1 && c == ',') return arguments.begin() + open;
        if (depth == 0) break;
    }
    return nullptr;
}

/// The chips that have an opcode.
std::string chips_with(std::uint8_t opcode) {
    std::string names;
    for (const architecture arch : all_architectures)
        if (find_form(opcode, arch)) names += (names.empty() ? "" : " and ") + std::string(long_name(arch));
    return names;
}

std::string names_of(const operand_list& operands) {
    std::string names;
    for (const operand& what : operands) names += (names.empty() ? "" : ", ") + std::string(what.name);
    return names;
}

/// "4 operands (lreg, mode, addr_mod, dst_addr)"
std::string described(const operand_list& operands) {
    if (operands.empty()) return "no operands";
    return fmt::format("{} operand{} ({})", operands.size(), operands.size() == 1 ? "" : "s",
                       names_of(operands));
}

class hex_reader : line_reader {
public:
    using line_reader::line_reader;

    assembly run(std::string_view text) {
        each_line(text, [&](const slice& code) {
            result_.program.loop.push_back({grammar::parse_hex_word(code), line_, false});
        });
        return std::move(result_);
    }
};

} // namespace

// --- lines -------------------------------------------------------------------------------------------------

assembly assembler::run(std::string_view text) {
    each_line(text, [&](const slice& code) { run_line(code); });
    end_section();
    for (const condition& open : conditions_) error(open.line, open.column, ".ifarch without .endif");

    kernel& program = result_.program;
    std::vector<source_word>& home = loop_line_ ? program.init : program.loop;
    home.insert(home.begin(), outside_.begin(), outside_.end());
    if (loop_line_ && program.loop.empty())
        program.remarks.insert(
            std::upper_bound(program.remarks.begin(), program.remarks.end(), loop_line_,
                             [](unsigned line, const source_remark& other) { return line < other.line; }),
            {loop_line_, 0, "no instruction follows .loop, so there are no rows",
             report_id::kernel_empty_loop});
    if (!loop_line_ && !program.loop.empty())
        program.remarks.push_back(
            {0, 0,
             fmt::format("there is no .loop, so the {} of the file {} issued once for each row",
                         program.loop.size() == 1 ? "one instruction"
                                                  : fmt::format("{} instructions", program.loop.size()),
                         program.loop.size() == 1 ? "is" : "are"),
             report_id::kernel_no_loop});
    std::stable_sort(result_.errors.begin(), result_.errors.end(),
                     [](const source_error& a, const source_error& b) { return a.line < b.line; });
    return std::move(result_);
}

void assembler::run_line(const slice& code) {
    const grammar::statement what = grammar::parse_statement(code);
    if (what.name.front() == '.') {
        const directive& found =
            find_directive(what.name); // an unknown one is an error in left-out lines too
        if (!skipping() || found.conditional) (this->*found.handle)(what);
    } else if (!skipping()) {
        run_instruction(what);
    }
}

std::optional<std::uint32_t> assembler::instruction_word(const grammar::statement& what,
                                                         const template_use* in_template) {
    const std::string mnemonic = lower_case(view(what.name));
    const word_form* form = find_form(mnemonic);
    if (!form && view(what.arguments).substr(0, 1) == ":")
        throw fault{what.name.begin(),
                    fmt::format("found the label '{}', expected an instruction: kernels do not "
                                "branch, .loop repeats what follows it",
                                view(what.name))};
    if (!form)
        throw fault{what.name.begin(),
                    fmt::format("unknown instruction '{}'{}", view(what.name),
                                find_form("sfp" + mnemonic) ? fmt::format("; did you mean 'sfp{}'?", mnemonic)
                                                            : suggestion(mnemonic, all_mnemonics()))};
    if (!find_form(form->opcode, target()))
        throw fault{what.name.begin(), fmt::format("{} does not exist on {}, only on {}", form->mnemonic,
                                                   long_name(target()), chips_with(form->opcode))};

    if (const char* const open = call_parenthesis(what.arguments))
        throw fault{open,
                    fmt::format("found '(', expected the operands of {} without parentheses around them",
                                form->mnemonic)};
    const std::vector<argument> arguments = grammar::parse_arguments(what.arguments);
    const operand_list& operands = operands_for(*form, what.name, arguments);
    std::vector<std::int64_t> values;
    for (std::size_t i = 0; i < operands.size(); ++i)
        guarded(
            [&] { values.push_back(operand_value(*form, operands[i], arguments[i], values, in_template)); });
    if (values.size() != operands.size()) return std::nullopt;
    check_destination(*form, operands, values, arguments);
    return encode(*form, operands, values, words());
}

/// A destination with an extended index leaves no other use of the immediate.
void assembler::check_destination(const word_form& form, const operand_list& operands,
                                  const std::vector<std::int64_t>& values,
                                  const std::vector<argument>& arguments) const {
    if (form.opcode != opcode::sfpconfig) return;
    for (std::size_t i = 0; i < operands.size(); ++i)
        if (operands[i].kind == operand_kind::config_dest && values[i] > 15 && (values.back() & 9))
            throw fault{
                arguments[i].place.begin(),
                fmt::format(
                    "{} takes its value from L0: IMM16_IS_VALUE and IMM16_IS_LANE_MASK cannot go with it",
                    config_destination(static_cast<unsigned>(values[i])))};
}

// --- operands and names ------------------------------------------------------------------------------------

/// The operands that go with the number of arguments.
const operand_list& assembler::operands_for(const word_form& form, const slice& mnemonic,
                                            const std::vector<argument>& arguments) const {
    if (arguments.size() == form.operands.size()) return form.operands;
    const bool has_alternative = !form.alternative.empty();
    if (has_alternative && arguments.size() == form.alternative.size()) return form.alternative;

    // Point at the first superfluous operand, or at the mnemonic if some are missing.
    const std::size_t most = std::max(form.operands.size(), form.alternative.size());
    const char* where = arguments.size() > most ? arguments[most].place.begin() : mnemonic.begin();
    const std::string other = has_alternative ? " or " + described(form.alternative) : "";
    throw fault{where, fmt::format("{} takes {}{}, found {}", form.mnemonic, described(form.operands), other,
                                   arguments.size())};
}

/// A name in an operand: its own names before those that mean the same everywhere.
value assembler::named_value_of(const word_form& form, const operand& what, const slice& name,
                                const template_use* in_template) const {
    if (view(name) == any_register) {
        if (!in_template || !takes_register(form, what))
            throw fault{name.begin(),
                        "'_' stands for a register that the macro gives, in an instruction of .template"};
        return {is_destination_register(what) ? in_template->destination : 0, true, {}};
    }
    if (const auto local = find_local(form, what, view(name))) return *local;
    if (const auto global = find_global(view(name))) {
        if (what.kind == operand_kind::mode && global->mode) refuse_mode_of_another(form, *global, name);
        return *global;
    }
    if (what.kind == operand_kind::mode) refuse_mode_of_another(form, {}, name);
    std::vector<std::string> candidates = all_local(form, what);
    append(candidates, all_global());
    throw unknown_name(name, fmt::format(" in operand {} of {}", what.name, form.mnemonic), candidates);
}

/// The same number means something else there: SFPLOADI_MOD0_FLOATB in SFPLOAD loads what SRCB says.
void assembler::refuse_mode_of_another(const word_form& form, const value& found, const slice& name) const {
    const std::string_view mode = found.mode ? std::string_view(found.mode) : view(name);
    if (has_mode(form, mode)) return;
    const std::string owner = instruction_with_mode(mode);
    if (owner.empty()) return;
    std::vector<std::string> meant = modes_like(form, mode);
    for (std::string& each : meant) each = "'" + each + "'";
    throw fault{
        name.begin(),
        fmt::format("'{}' is a mode of {} and none of {}{}", view(name), owner, form.mnemonic,
                    meant.empty() ? "" : fmt::format("; did you mean {}?", fmt::join(meant, " or ")))};
}

value assembler::evaluated(const argument& given, const name_lookup& lookup) {
    std::vector<truncated_division> truncated;
    const value result = evaluate(given.tree, lookup, truncated);
    for (const truncated_division& each : truncated)
        result_.program.remarks.push_back(
            {line_, column_of(each.where),
             fmt::format("{0} / {1} is {2} here, without the rest; {0}.0 / {1} is a fraction", each.dividend,
                         each.divisor, each.dividend / each.divisor),
             report_id::kernel_truncated_division});
    return result;
}

std::int64_t assembler::operand_value(const word_form& form, const operand& what, const argument& given,
                                      const std::vector<std::int64_t>& before,
                                      const template_use* in_template) {
    const value found =
        evaluated(given, [&](const slice& name) { return named_value_of(form, what, name, in_template); });
    if (found.real) return real_immediate(form, what, given, *found.real, before);
    if (in_template && in_template->through_backdoor && is_destination_register(what) &&
        found.number != in_template->destination)
        throw fault{
            given.place.begin(),
            fmt::format("expected '_' or L{}, which is what template {} is written through; its result goes "
                        "to the loaded register or L16",
                        in_template->destination, in_template->number)};
    if (found.is_register && !takes_register(form, what))
        throw fault{given.place.begin(), fmt::format("operand {} of {} is a register, expected {}", what.name,
                                                     form.mnemonic, expected_values(what, words()))};
    const operand_range range = range_of(what, words());
    const bool is_destination = what.kind == operand_kind::config_dest && found.number > range.maximum &&
                                found.number <= std::numeric_limits<std::uint8_t>::max();
    if (is_destination && has_destination(static_cast<unsigned>(found.number), words())) return found.number;
    if (const std::string missing = missing_in(what, found.number, words()); !missing.empty())
        throw fault{given.place.begin(), missing};
    if (found.number < range.minimum || found.number > range.maximum)
        throw fault{given.place.begin(),
                    fmt::format("operand {} of {} is {}, expected {}", what.name, form.mnemonic, found.number,
                                expected_values(what, words()))};
    return found.number;
}

/// SFPLOADI in its two floating modes, SFPADDI and SFPMULI take real numbers that they can hold exactly.
std::int64_t assembler::real_immediate(const word_form& form, const operand& what, const argument& given,
                                       double number, const std::vector<std::int64_t>& before) const {
    constexpr std::int64_t floata = 1; // FLOATB is 0
    const bool is_loadi = form.opcode == opcode::sfploadi;
    const bool takes_real = is_loadi ? what.width == 16 && before.size() > 1 && before[1] <= floata
                                     : form.opcode == opcode::sfpaddi || form.opcode == opcode::sfpmuli;
    if (!takes_real || what.width != 16)
        throw fault{given.place.begin(),
                    fmt::format("operand {} of {} is a real number, expected {}{}", what.name, form.mnemonic,
                                expected_values(what, words()),
                                is_loadi && what.width == 16 ? "; FLOATB and FLOATA take real numbers" : "")};
    const auto bits = encode_float(number, 8, 23);
    const bool exact = bits && float_of(*bits) == number;
    if (is_loadi && before[1] == floata) {
        if (const auto immediate = exact ? floata_immediate(*bits) : std::nullopt) return *immediate;
        throw fault{given.place.begin(), "FLOATA does not hold this number exactly; fp16(...) rounds it"};
    }
    if (exact && (*bits & 0xffffu) == 0) return *bits >> 16;
    throw fault{given.place.begin(),
                "a BF16 does not hold this number exactly; bf16(...) rounds it, .constant loads all "
                "of it"};
}

std::int64_t assembler::number_in(const argument& given, std::int64_t minimum, std::int64_t maximum,
                                  const char* what, std::optional<std::int64_t> told_maximum) {
    const value found = global_value(given);
    if (found.is_register || found.real || found.number < minimum || found.number > maximum)
        throw fault{given.place.begin(), fmt::format("expected {} from {} to {}, found {}", what, minimum,
                                                     told_maximum.value_or(maximum),
                                                     found.is_register ? "a register"
                                                     : found.real      ? "a real number"
                                                                       : std::to_string(found.number))};
    return found.number;
}

value assembler::global_value(const argument& given) {
    return evaluated(given, [&](const slice& name) {
        if (const auto global = find_global(view(name))) return *global;
        throw unknown_name(name, "", all_global());
    });
}

fault assembler::unknown_name(const slice& name, const std::string& place,
                              const std::vector<std::string>& candidates) const {
    if (misdefined_.count(view(name)) != 0) return {name.begin(), ""};
    return {name.begin(),
            fmt::format("unknown name '{}'{}{}", view(name), place, suggestion(view(name), candidates))};
}

std::optional<value> assembler::find_global(std::string_view name) const {
    const auto symbol = symbols_.find(name);
    return symbol == symbols_.end() ? find_predefined(name) : symbol->second;
}

std::vector<std::string> assembler::all_global() const {
    std::vector<std::string> names = all_predefined();
    for (const auto& [name, meaning] : symbols_) names.push_back(name);
    return names;
}

// --- the interface -----------------------------------------------------------------------------------------

std::string source_error::to_string() const {
    return fmt::format("{}:{}:{}: error: {}", shown_name(file), line, column, message);
}

bool kernel::has_gaps() const {
    const auto any = [](const std::vector<source_word>& section) {
        return std::any_of(section.begin(), section.end(), [](const source_word& each) { return each.gap; });
    };
    return any(init) || any(loop) || any(tail);
}

std::vector<instruction_form> instruction_forms() {
    std::vector<instruction_form> forms;
    for (const std::string& mnemonic : all_mnemonics()) {
        const word_form& form = *find_form(mnemonic);
        if (form.mnemonic != mnemonic) continue; // another spelling
        instruction_form one{form.mnemonic, form.opcode, form.on_wormhole, {}, {}};
        for (const operand& what : form.operands) {
            const word_encoding chip = architecture::blackhole;
            const operand_range range = range_of(what, chip);
            const bool is_field = what.kind == operand_kind::addr_mod ||
                                  what.kind == operand_kind::config_dest || what.kind == operand_kind::mode ||
                                  range.maximum == 0;
            one.operands.push_back({what.name, is_field ? "" : expected_values(what, chip)});
            if (what.kind != operand_kind::mode) continue;
            for (const mode_name* mode = form.modes; mode && mode->name; ++mode)
                one.modes.emplace_back(mode->value, without_prefix(mode->name));
        }
        forms.push_back(std::move(one));
    }
    std::sort(forms.begin(), forms.end(),
              [](const instruction_form& a, const instruction_form& b) { return a.opcode < b.opcode; });
    return forms;
}

assembly assemble(std::string_view text, const std::string& file, const word_encoding& words) {
    return assembler(file, words).run(text);
}

assembly read_hex(std::string_view text, const std::string& file, const word_encoding& words) {
    return hex_reader(file, words).run(text);
}

} // namespace sfpu::isa
