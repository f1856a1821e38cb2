#include <sfpu/isa/assembler.h>

#include "assembler_expression.h"
#include "assembler_grammar.h"
#include "word_form.h"

#include <sfpu/common/parameters.h>

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>
#include <utility>

namespace sfpu::isa {
namespace {

using grammar::argument;
using grammar::fault;
using grammar::slice;
using grammar::view;

/// "; did you mean 'x'?", or nothing if no candidate is near.
std::string suggestion(std::string_view word, const std::vector<std::string>& candidates) {
    const std::string candidate = nearest(word, candidates);
    return candidate.empty() ? candidate : fmt::format("; did you mean '{}'?", candidate);
}

void append(std::vector<std::string>& to, const std::vector<std::string>& more) {
    to.insert(to.end(), more.begin(), more.end());
}

std::string lower_case(std::string_view text) {
    std::string result(text);
    for (char& c : result)
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    return result;
}

slice without_comment(std::string_view line) {
    std::size_t end = line.find_first_of(";#");
    end = std::min({end, line.find("//"), line.size()});
    return {line.data(), line.data() + end};
}

bool is_blank(const slice& code) {
    return view(code).find_first_not_of(" \t\r\v\f") == std::string_view::npos;
}

slice trimmed_end(slice text) {
    const std::size_t last = view(text).find_last_not_of(" \t\r\v\f");
    return {text.begin(), text.begin() + (last == std::string_view::npos ? 0 : last + 1)};
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

/// Cuts a file into lines, lends each to a function and turns its faults into errors with a place.
class line_reader {
public:
    line_reader(const std::string& file, const word_encoding& words) {
        result_.program.file = file;
        result_.program.arch = words.arch;
        result_.program.words = words;
    }

protected:
    template <typename Function>
    void each_line(std::string_view text, Function&& function) {
        while (!text.empty()) {
            const std::string_view one = text.substr(0, text.find('\n'));
            text.remove_prefix(std::min(one.size() + 1, text.size()));
            ++line_;
            line_start_ = one.data();
            const slice code = without_comment(one);
            if (!is_blank(code)) guarded([&] { function(code); });
        }
    }

    /// Runs a function that may throw a fault; reports whether it did not.
    template <typename Function>
    bool guarded(Function&& function) {
        try {
            function();
            return true;
        } catch (const fault& mistake) {
            error(line_, column_of(mistake.where), mistake.message);
            return false;
        }
    }

    void error(unsigned line, unsigned column, const std::string& message) {
        result_.errors.push_back({result_.program.file, line, column, message});
    }
    unsigned column_of(const char* where) const { return static_cast<unsigned>(where - line_start_) + 1; }

    assembly result_;
    unsigned line_ = 0;
    const char* line_start_ = nullptr;
};

class hex_reader : line_reader {
public:
    using line_reader::line_reader;

    assembly run(std::string_view text) {
        each_line(text, [&](const slice& code) {
            result_.program.loop.push_back({grammar::parse_hex_word(code), line_});
        });
        return std::move(result_);
    }
};

class assembler : line_reader {
public:
    using line_reader::line_reader;
    assembly run(std::string_view text);

private:
    using handler = void (assembler::*)(const grammar::statement&);
    struct directive {
        const char* name;
        handler handle;
        bool conditional; ///< looked at where .ifarch leaves lines out
    };
    static const directive directives[];
    static const directive& find_directive(const slice& name);

    /// An open .ifarch.
    struct condition {
        unsigned line, column;
        bool holds;
    };

    void run_line(const slice& code);
    void run_instruction(const grammar::statement& what);
    void emit(std::uint32_t word) { section_->push_back({word, line_}); }

    // Directives.
    void equ(const grammar::statement& what);
    void word(const grammar::statement& what);
    void arch(const grammar::statement& what);
    void ifarch(const grammar::statement& what);
    void endif(const grammar::statement& what);
    void config(const grammar::statement& what);
    void apply_setting(std::string_view key, std::string_view text);
    void rows(const grammar::statement& what);
    void expect(const grammar::statement& what);
    void input(const grammar::statement& what) { place(what, result_.program.inputs); }
    void output(const grammar::statement& what) { place(what, result_.program.outputs); }
    void place(const grammar::statement& what, std::vector<tensor>& tensors);
    void init(const grammar::statement& what);
    void loop(const grammar::statement& what);
    void tail(const grammar::statement& what);

    // Operands and names.
    const operand_list& operands_for(const word_form& form, const slice& mnemonic,
                                     const std::vector<argument>& arguments) const;
    void check_destination(const word_form& form, const operand_list& operands,
                           const std::vector<std::int64_t>& values,
                           const std::vector<argument>& arguments) const;
    std::int64_t operand_value(const word_form& form, const operand& what, const argument& given) const;
    /// The one argument of a directive, a number of the given range.
    std::int64_t only_number(const grammar::statement& what, std::int64_t minimum,
                             std::int64_t maximum) const;
    value global_value(const argument& given) const;
    std::optional<value> find_global(std::string_view name) const;
    std::vector<std::string> all_global() const;
    architecture parse_architecture(const grammar::statement& what) const;

    architecture target() const { return result_.program.arch; }
    const word_encoding& words() const { return result_.program.words; }

    std::map<std::string, value, std::less<>> symbols_;
    std::vector<condition> conditions_;
    std::vector<source_word> outside_; ///< words before the first section marker
    std::vector<source_word>* section_ = &outside_;
    unsigned loop_line_ = 0; ///< line of .loop, 0 if there was none
};

constexpr std::int64_t largest_count = std::numeric_limits<std::uint32_t>::max();
constexpr std::int64_t largest_address = 0x3ff; ///< of Dst, 10 bits

// --- lines -------------------------------------------------------------------------------------------------

const assembler::directive assembler::directives[] = {
    {".equ", &assembler::equ, false},       {".word", &assembler::word, false},
    {".arch", &assembler::arch, false},     {".ifarch", &assembler::ifarch, true},
    {".endif", &assembler::endif, true},    {".config", &assembler::config, false},
    {".rows", &assembler::rows, false},     {".expect", &assembler::expect, false},
    {".init", &assembler::init, false},     {".loop", &assembler::loop, false},
    {".tail", &assembler::tail, false},     {".input", &assembler::input, false},
    {".output", &assembler::output, false},
};

const assembler::directive& assembler::find_directive(const slice& name) {
    const std::string wanted = lower_case(view(name));
    std::vector<std::string> names;
    for (const directive& candidate : directives) {
        if (wanted == candidate.name) return candidate;
        names.emplace_back(candidate.name);
    }
    throw fault{name.begin(), fmt::format("unknown directive '{}'{}", view(name), suggestion(wanted, names))};
}

assembly assembler::run(std::string_view text) {
    each_line(text, [&](const slice& code) { run_line(code); });
    for (const condition& open : conditions_) error(open.line, open.column, ".ifarch without .endif");

    kernel& program = result_.program;
    std::vector<source_word>& home = loop_line_ ? program.init : program.loop;
    home.insert(home.begin(), outside_.begin(), outside_.end());
    std::stable_sort(result_.errors.begin(), result_.errors.end(),
                     [](const source_error& a, const source_error& b) { return a.line < b.line; });
    return std::move(result_);
}

void assembler::run_line(const slice& code) {
    const grammar::statement what = grammar::parse_statement(code);
    const bool skipping =
        std::any_of(conditions_.begin(), conditions_.end(), [](const condition& c) { return !c.holds; });
    if (what.name.front() == '.') {
        const directive& found =
            find_directive(what.name); // an unknown one is an error in left-out lines too
        if (!skipping || found.conditional) (this->*found.handle)(what);
    } else if (!skipping) {
        run_instruction(what);
    }
}

void assembler::run_instruction(const grammar::statement& what) {
    const std::string mnemonic = lower_case(view(what.name));
    const word_form* form = find_form(mnemonic);
    if (!form)
        throw fault{what.name.begin(), fmt::format("unknown instruction '{}'{}", view(what.name),
                                                   suggestion(mnemonic, all_mnemonics()))};
    if (!find_form(form->opcode, target()))
        throw fault{what.name.begin(), fmt::format("{} does not exist on {}, only on {}", form->mnemonic,
                                                   long_name(target()), chips_with(form->opcode))};

    const std::vector<argument> arguments = grammar::parse_arguments(what.arguments);
    const operand_list& operands = operands_for(*form, what.name, arguments);
    std::vector<std::int64_t> values;
    for (std::size_t i = 0; i < operands.size(); ++i)
        guarded([&] { values.push_back(operand_value(*form, operands[i], arguments[i])); });
    if (values.size() != operands.size()) return;
    check_destination(*form, operands, values, arguments);
    emit(encode(*form, operands, values, words()));
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

// --- directives --------------------------------------------------------------------------------------------

void assembler::equ(const grammar::statement& what) {
    const grammar::definition given = grammar::parse_definition(what.arguments);
    const std::string name(view(given.name));
    if (find_predefined(name))
        throw fault{given.name.begin(), fmt::format("'{}' has a meaning already; choose another name", name)};
    symbols_[name] = global_value(given.meaning);
}

void assembler::word(const grammar::statement& what) {
    emit(static_cast<std::uint32_t>(only_number(what, 0, std::numeric_limits<std::uint32_t>::max())));
}

void assembler::arch(const grammar::statement& what) {
    const architecture wanted = parse_architecture(what);
    const kernel& program = result_.program;
    if (!outside_.empty() || !program.init.empty() || !program.loop.empty() || !program.tail.empty())
        throw fault{what.name.begin(), ".arch must come before the first instruction"};
    result_.program.arch = result_.program.words.arch = wanted;
}

void assembler::ifarch(const grammar::statement& what) {
    // The condition is opened first, so that a mistake in it does not make an error of its .endif.
    conditions_.push_back({line_, column_of(what.name.begin()), true});
    conditions_.back().holds = parse_architecture(what) == target();
}

void assembler::endif(const grammar::statement& what) {
    grammar::parse_nothing(what.arguments);
    if (conditions_.empty()) throw fault{what.name.begin(), ".endif without .ifarch"};
    conditions_.pop_back();
}

void assembler::config(const grammar::statement& what) {
    const grammar::setting given = grammar::parse_config(trimmed_end(what.arguments));
    result_.program.config.push_back(
        {std::string(view(given.key)), std::string(view(given.value)), line_, column_of(given.key.begin())});
    apply_setting(view(given.key), view(given.value));
}

/// Settings that change what words can say. Whether a setting is right is found out by whoever runs the kernel.
void assembler::apply_setting(std::string_view key, std::string_view text) {
    word_encoding& words = result_.program.words;
    const std::pair<std::string_view, std::uint8_t*> fields[] = {{"macro.count", &words.macros},
                                                                 {"macro.templates", &words.templates},
                                                                 {"macro.delay_bits", &words.delay_bits}};
    parameters scratch;
    for (const auto& [path, field] : fields)
        if (key == path && !set_parameter(scratch, key, text))
            *field = static_cast<std::uint8_t>(find_parameter(path)->get(scratch));
}

void assembler::rows(const grammar::statement& what) {
    result_.program.rows = static_cast<unsigned>(only_number(what, 1, largest_count));
}

void assembler::expect(const grammar::statement& what) {
    const grammar::setting given = grammar::parse_expectation(trimmed_end(what.arguments));
    const std::string_view quantity = view(given.key);
    if (quantity != "cycles_per_row")
        throw fault{given.key.begin(), fmt::format("expected 'cycles_per_row', found '{}'", quantity)};
    result_.program.expected_cycles_per_row = grammar::fraction_of(given.value);
}

/// The name becomes a constant, too, for the address fields of loads and stores.
void assembler::place(const grammar::statement& what, std::vector<tensor>& tensors) {
    const grammar::placement given = grammar::parse_placement(what.arguments);
    tensor one;
    one.name = view(given.name);
    one.line = line_;
    one.column = column_of(given.name.begin());
    for (const tensor& earlier : tensors)
        if (earlier.name == one.name)
            throw fault{given.name.begin(), fmt::format("{} '{}' is on line {} already; choose another name",
                                                        view(what.name), one.name, earlier.line)};
    const value address = global_value(given.address);
    if (address.is_register || address.number < 0 || address.number > largest_address)
        throw fault{given.address.place.begin(),
                    fmt::format("expected a Dst address from 0 to {}, found {}", largest_address,
                                address.is_register ? "a register" : std::to_string(address.number))};
    const auto type = find_data_type(view(given.type));
    if (!type) {
        std::vector<std::string> names;
        for (const data_type each : all_data_types) names.emplace_back(isa::to_string(each));
        throw fault{given.type.begin(),
                    fmt::format("expected a data type ({}), found '{}'{}", data_type_names(),
                                view(given.type), suggestion(view(given.type), names))};
    }
    if (find_predefined(one.name))
        throw fault{given.name.begin(),
                    fmt::format("'{}' has a meaning already; choose another name", one.name)};
    const auto symbol = symbols_.find(one.name);
    if (symbol != symbols_.end() && (symbol->second.is_register || symbol->second.number != address.number))
        throw fault{given.name.begin(),
                    fmt::format("'{}' is {} already; expected its address, {}, or another name", one.name,
                                symbol->second.number, address.number)};
    symbols_[one.name] = address;
    one.address = static_cast<unsigned>(address.number);
    one.type = *type;
    tensors.push_back(std::move(one));
}

void assembler::init(const grammar::statement& what) {
    section_ = &result_.program.init;
    grammar::parse_nothing(what.arguments);
}

void assembler::loop(const grammar::statement& what) {
    section_ = &result_.program.loop;
    if (loop_line_)
        throw fault{what.name.begin(),
                    fmt::format("a kernel has one .loop; the first is on line {}", loop_line_)};
    loop_line_ = line_;
    if (!is_blank(what.arguments))
        result_.program.rows_per_iteration = static_cast<unsigned>(only_number(what, 1, largest_count));
}

void assembler::tail(const grammar::statement& what) {
    section_ = &result_.program.tail;
    grammar::parse_nothing(what.arguments);
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

std::int64_t assembler::operand_value(const word_form& form, const operand& what,
                                      const argument& given) const {
    const auto lookup = [&](const slice& name) {
        if (const auto local = find_local(form, what, view(name))) return *local;
        if (const auto global = find_global(view(name))) return *global;
        std::vector<std::string> candidates = all_local(form, what);
        append(candidates, all_global());
        throw fault{name.begin(), fmt::format("unknown name '{}' in operand {} of {}{}", view(name),
                                              what.name, form.mnemonic, suggestion(view(name), candidates))};
    };
    const value found = evaluate(given.tree, lookup);
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

std::int64_t assembler::only_number(const grammar::statement& what, std::int64_t minimum,
                                    std::int64_t maximum) const {
    const std::vector<argument> arguments = grammar::parse_arguments(what.arguments);
    if (arguments.size() != 1)
        throw fault{arguments.empty() ? what.name.begin() : arguments[1].place.begin(),
                    fmt::format("{} takes one number, found {}", view(what.name), arguments.size())};
    const value found = global_value(arguments[0]);
    if (found.is_register || found.number < minimum || found.number > maximum)
        throw fault{arguments[0].place.begin(),
                    fmt::format("expected a number from {} to {}, found {}", minimum, maximum,
                                found.is_register ? "a register" : std::to_string(found.number))};
    return found.number;
}

value assembler::global_value(const argument& given) const {
    return evaluate(given.tree, [&](const slice& name) {
        if (const auto global = find_global(view(name))) return *global;
        throw fault{name.begin(),
                    fmt::format("unknown name '{}'{}", view(name), suggestion(view(name), all_global()))};
    });
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

architecture assembler::parse_architecture(const grammar::statement& what) const {
    const slice name = grammar::parse_name(what.arguments);
    for (const architecture arch : all_architectures)
        if (view(name) == short_name(arch)) return arch;
    throw fault{name.begin(), fmt::format("expected 'bh' or 'wh', found '{}'", view(name))};
}

} // namespace

std::string source_error::to_string() const {
    return fmt::format("{}:{}:{}: error: {}", file, line, column, message);
}

assembly assemble(std::string_view text, const std::string& file, const word_encoding& words) {
    return assembler(file, words).run(text);
}

assembly read_hex(std::string_view text, const std::string& file, const word_encoding& words) {
    return hex_reader(file, words).run(text);
}

} // namespace sfpu::isa
