#include <sfpu/isa/assembler.h>

#include <sfpu/isa/limits.h>

#include "assembler_expression.h"
#include "assembler_grammar.h"
#include "setup_words.h"
#include "word_form.h"

#include <sfpu/common/parameters.h>
#include <sfpu/isa/machine.h>
#include <sfpu/isa/state.h>
#include <sfpu/isa/table.h>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
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

double float_of(std::uint32_t bits) {
    float number;
    std::memcpy(&number, &bits, sizeof number);
    return number;
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
        directive_form form;
        handler handle;
        bool conditional; ///< looked at where .ifarch leaves lines out
    };
    static const directive directives[];
    friend std::vector<directive_form> isa::directive_forms();
    static const directive& find_directive(const slice& name);

    /// An open .ifarch.
    struct condition {
        unsigned line, column;
        bool holds;
    };

    void run_line(const slice& code);
    /// The instruction of a .template: what "_" stands for.
    struct template_use {
        unsigned number;
        std::int64_t destination; ///< VD of "_"
        bool through_backdoor;    ///< VD says which template is written
    };
    std::optional<std::uint32_t> instruction_word(const grammar::statement& what,
                                                  const template_use* in_template);
    void run_instruction(const grammar::statement& what) {
        if (const auto found = instruction_word(what, nullptr)) emit(*found);
    }
    void emit(std::uint32_t word) {
        setup_.forget();
        section_->push_back({word, line_});
    }
    void emit_setup(const std::vector<std::uint32_t>& words) {
        for (const std::uint32_t word : words) section_->push_back({word, line_});
    }

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
    void template_write(const grammar::statement& what);
    void macro(const grammar::statement& what);
    void misc(const grammar::statement& what);
    void constant(const grammar::statement& what);
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
    std::int64_t operand_value(const word_form& form, const operand& what, const argument& given,
                               const std::vector<std::int64_t>& before,
                               const template_use* in_template) const;
    std::int64_t real_immediate(const word_form& form, const operand& what, const argument& given,
                                double number, const std::vector<std::int64_t>& before) const;
    /// A number of the given range that `what` names in messages.
    std::int64_t number_in(const argument& given, std::int64_t minimum, std::int64_t maximum,
                           const char* what = "a number") const;
    macro_part parse_part(const grammar::group& given, unsigned unit) const;
    std::int64_t field_value(const grammar::item& field, std::int64_t minimum, std::int64_t maximum) const;
    std::int64_t member(const grammar::item& given, std::int64_t maximum,
                        const std::vector<std::string>& names, const std::string& expected) const;
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
    setup_writer setup_;
    unsigned loop_line_ = 0; ///< line of .loop, 0 if there was none
};

constexpr std::string_view any_register = "_";  ///< in .template: what the macro gives
constexpr std::int64_t largest_address = 0x3ff; ///< of Dst, 10 bits

// --- lines -------------------------------------------------------------------------------------------------

const assembler::directive assembler::directives[] = {
    {{".arch", "bh|wh", "the chip; before the first instruction. Blackhole unless given"},
     &assembler::arch,
     false},
    {{".ifarch", "bh|wh", "the lines up to .endif are for that chip only"}, &assembler::ifarch, true},
    {{".endif", "", "ends .ifarch"}, &assembler::endif, true},
    {{".config", "KEY, VALUE", "a parameter of the machine, or a setting of exec's `config`"},
     &assembler::config,
     false},
    {{".rows", "N", "rows of 32 elements to work on, unless --rows says otherwise"}, &assembler::rows, false},
    {{".expect", "cycles_per_row N", "`run` ends with exit code 2 if it measures another throughput"},
     &assembler::expect,
     false},
    {{".input", "NAME, ADDRESS, TYPE", "data that the kernel reads; NAME stands for ADDRESS from there on"},
     &assembler::input,
     false},
    {{".output", "NAME, ADDRESS, TYPE", "data that the kernel writes, in the same way"},
     &assembler::output,
     false},
    {{".equ", "NAME, VALUE", "NAME stands for the value from there on; a later .equ may give it another"},
     &assembler::equ,
     false},
    {{".init", "", "what follows is issued once, before the first row"}, &assembler::init, false},
    {{".loop", "[R]", "what follows is issued for every R rows (1 unless given)"}, &assembler::loop, false},
    {{".tail", "", "what follows is issued once, after the last row"}, &assembler::tail, false},
    {{".template", "N, INSTRUCTION", "writes instruction template N"}, &assembler::template_write, false},
    {{".macro", "N, UNIT=(FIELDS), ...", "writes sequence N; uses L0"}, &assembler::macro, false},
    {{".misc", "FIELD=VALUE, ...", "writes Misc: modes of stores, kinds of delays"}, &assembler::misc, false},
    {{".constant", "REGISTER, VALUE", "loads 32 bits in one or two SFPLOADI; L11 to L14 through L0"},
     &assembler::constant,
     false},
    {{".word", "VALUE", "a word as it is"}, &assembler::word, false},
};

const assembler::directive& assembler::find_directive(const slice& name) {
    const std::string wanted = lower_case(view(name));
    std::vector<std::string> names;
    for (const directive& candidate : directives) {
        if (wanted == candidate.form.name) return candidate;
        names.emplace_back(candidate.form.name);
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
        throw fault{what.name.begin(), fmt::format("unknown instruction '{}'{}", view(what.name),
                                                   suggestion(mnemonic, all_mnemonics()))};
    if (!find_form(form->opcode, target()))
        throw fault{what.name.begin(), fmt::format("{} does not exist on {}, only on {}", form->mnemonic,
                                                   long_name(target()), chips_with(form->opcode))};

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

// --- directives --------------------------------------------------------------------------------------------

void assembler::equ(const grammar::statement& what) {
    const grammar::definition given = grammar::parse_definition(what.arguments);
    const std::string name(view(given.name));
    if (find_predefined(name) || name == any_register)
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
    result_.program.rows = static_cast<unsigned>(only_number(what, 1, most_rows));
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
    const value address{number_in(given.address, 0, largest_address, "a Dst address"), false, {}};
    const auto type = find_data_type(view(given.type));
    if (!type) {
        std::vector<std::string> names;
        for (const data_type each : all_data_types) names.emplace_back(isa::to_string(each));
        throw fault{given.type.begin(),
                    fmt::format("expected a data type ({}), found '{}'{}", data_type_names(),
                                view(given.type), suggestion(view(given.type), names))};
    }
    if (find_predefined(one.name) || one.name == any_register)
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

// Macros --------------------------------------------------------------------------------------------------------

/// Through the backdoor where there is one, which is one word; else through L0.
void assembler::template_write(const grammar::statement& what) {
    const grammar::templated given = grammar::parse_template(what.arguments);
    const auto number =
        static_cast<unsigned>(number_in(given.number, 0, largest::templates - 1, "a template"));
    if (number >= words().templates)
        throw fault{given.number.place.begin(),
                    fmt::format("template {} needs a machine with '.config macro.templates, {}'", number,
                                number + 1)};
    const word_form* form = find_form(lower_case(view(given.instruction.name)));
    const row* op = form ? find_row(form->opcode, target()) : nullptr;
    if (form && find_form(form->opcode, target()) && (!op || op->unit == sub_unit::front_end))
        throw fault{given.instruction.name.begin(),
                    fmt::format("{} is no instruction of the vector unit, so no template", form->mnemonic)};
    const bool backdoor = number < chip_templates && op && op->has_backdoor;
    const template_use use{number, backdoor ? backdoor_vd + number : 0, backdoor};
    const auto found = instruction_word(given.instruction, &use);
    if (!found) return;
    if (backdoor) emit_setup({*found});
    else emit_setup(setup_.template_words(number, *found));
}

void assembler::macro(const grammar::statement& what) {
    const grammar::macro_definition given = grammar::parse_macro(what.arguments);
    const auto number = static_cast<unsigned>(number_in(given.number, 0, largest::macros - 1, "a macro"));
    if (number >= words().macros)
        throw fault{
            given.number.place.begin(),
            fmt::format("macro {} needs a machine with '.config macro.count, {}'", number, number + 1)};
    macro_parts parts;
    std::array<bool, macro_units> seen{};
    for (const grammar::group& each : given.groups) {
        const auto unit =
            std::find(macro_unit_names.begin(), macro_unit_names.end(), lower_case(view(each.name)));
        if (unit == macro_unit_names.end())
            throw fault{each.name.begin(),
                        fmt::format("expected simple, mad, round or store, found '{}'", view(each.name))};
        const auto index = static_cast<std::size_t>(unit - macro_unit_names.begin());
        if (std::exchange(seen[index], true))
            throw fault{each.name.begin(), fmt::format("'{}' stands here twice", view(each.name))};
        parts[index] = parse_part(each, static_cast<unsigned>(index));
    }
    emit_setup(setup_.macro_words(number, parts, words()));
}

std::int64_t assembler::field_value(const grammar::item& field, std::int64_t minimum,
                                    std::int64_t maximum) const {
    if (field.value.empty())
        throw fault{field.name.end(), fmt::format("expected '=' and a number behind {}", view(field.name))};
    return number_in(field.value.front(), minimum, maximum);
}

macro_part assembler::parse_part(const grammar::group& given, unsigned unit) const {
    constexpr unsigned store_unit = 3;
    macro_part part;
    bool selected = false;
    std::vector<std::string> seen;
    const auto select = [&](const grammar::item& field, std::int64_t selector) {
        if (std::exchange(selected, true))
            throw fault{field.name.begin(), "template, selector and nop exclude each other"};
        part.selector = static_cast<unsigned>(selector);
    };
    const auto flag = [&](const grammar::item& field) {
        return field.value.empty() || field_value(field, 0, 1) != 0;
    };
    for (const grammar::item& field : given.items) {
        const std::string name = lower_case(view(field.name));
        if (std::find(seen.begin(), seen.end(), name) != seen.end())
            throw fault{field.name.begin(), fmt::format("'{}' stands here twice", name)};
        seen.push_back(name);
        if (name == "template") {
            const std::int64_t number = field_value(field, 0, largest::templates - 1);
            if (number >= words().templates)
                throw fault{field.value.front().place.begin(),
                            fmt::format("template {} needs a machine with '.config macro.templates, {}'",
                                        number, number + 1)};
            select(field, macro_part::first_template + number);
        } else if (name == "selector") {
            select(field, field_value(field, 0, words().wide_sequences() ? 15 : 7));
        } else if (name == "nop") {
            select(field, macro_part::nop);
        } else if (name == "delay") {
            const std::int64_t delay = field_value(field, 0, (1 << largest::delay_bits) - 1);
            unsigned needed = 3;
            while (delay >> needed) ++needed;
            if (needed > words().delay_bits)
                throw fault{
                    field.value.front().place.begin(),
                    fmt::format(
                        "a delay of {} needs a machine with '.config macro.delay_bits, {}'; expected 0 to {}",
                        delay, needed, (1 << words().delay_bits) - 1)};
            part.delay = static_cast<unsigned>(delay);
        } else if (name == "vb") {
            part.vb = flag(field);
        } else if (name == "l16") {
            part.l16 = flag(field);
        } else {
            throw fault{field.name.begin(),
                        fmt::format("expected template, delay, vb, l16, nop or selector, found '{}'",
                                    view(field.name))};
        }
    }
    if (!selected && unit == store_unit) part.selector = macro_part::store;
    else if (!selected)
        throw fault{
            given.name.begin(),
            fmt::format("{} does not say what: expected template=N, nop or selector=N", view(given.name))};
    return part;
}

/// A member of a list of .misc: a number up to `maximum`, or one of `names`, which are the numbers from 0.
std::int64_t assembler::member(const grammar::item& given, std::int64_t maximum,
                               const std::vector<std::string>& names, const std::string& expected) const {
    if (!given.value.empty()) throw fault{given.name.end(), "expected ',' or ')', found '='"};
    const auto named = std::find(names.begin(), names.end(), lower_case(view(given.name)));
    if (named != names.end()) return named - names.begin();
    const bool is_number = view(given.name).front() >= '0' && view(given.name).front() <= '9';
    const auto global = is_number ? std::optional(value{grammar::number_of(given.name), false, {}})
                                  : find_global(view(given.name));
    if (!global || global->is_register || global->real || global->number < 0 || global->number > maximum)
        throw fault{given.name.begin(), fmt::format("expected {}, found '{}'", expected, view(given.name))};
    return global->number;
}

void assembler::misc(const grammar::statement& what) {
    const word_form& store = *find_form(opcode::sfpstore, target());
    const operand mode{"store_mode", operand_kind::mode, 16, 4};
    const unsigned macros = words().macros;
    std::uint32_t misc = 0;
    std::vector<std::string> seen;
    for (const grammar::group& each : grammar::parse_groups(what.arguments)) {
        const std::string name = lower_case(view(each.name));
        if (std::find(seen.begin(), seen.end(), name) != seen.end())
            throw fault{each.name.begin(), fmt::format("'{}' stands here twice", name)};
        seen.push_back(name);
        for (const grammar::item& item : each.items) {
            if (name == "store_mode") {
                if (&item != &each.items.front()) throw fault{item.name.begin(), "store_mode is one mode"};
                const auto local = find_local(store, mode, view(item.name));
                misc |= static_cast<std::uint32_t>(local ? local->number
                                                         : member(item, 15, {}, "a mode of SFPSTORE"));
            } else if (name == "load_mode") {
                const auto macro = static_cast<unsigned>(
                    member(item, macros - 1, {}, fmt::format("a macro, 0 to {}", macros - 1)));
                misc |= 1u << macro_configuration::load_mod_bit(macro);
            } else if (name == "count_instructions") {
                const unsigned last = words().wide_macro_index() ? 7 : 3;
                const auto unit = static_cast<unsigned>(
                    member(item, last, {macro_unit_names.begin(), macro_unit_names.end()},
                           fmt::format("simple, mad, round, store or a number up to {}", last)));
                misc |= 1u << macro_configuration::delay_kind_bit(unit);
            } else {
                throw fault{each.name.begin(),
                            fmt::format("expected store_mode, load_mode or count_instructions, found '{}'",
                                        view(each.name))};
            }
        }
    }
    emit_setup(setup_.misc_words(misc, words()));
}

void assembler::constant(const grammar::statement& what) {
    const std::vector<argument> arguments = grammar::parse_arguments(what.arguments);
    if (arguments.size() != 2)
        throw fault{arguments.size() > 2 ? arguments[2].place.begin() : what.name.begin(),
                    fmt::format(".constant takes a register and a number, found {} operand{}",
                                arguments.size(), arguments.size() == 1 ? "" : "s")};
    const value lreg = global_value(arguments[0]), given = global_value(arguments[1]);
    const bool general = lreg.number >= 0 && lreg.number < general_lregs;
    if (!lreg.is_register || !(general || (lreg.number >= 11 && lreg.number <= 14)))
        throw fault{arguments[0].place.begin(), "expected a register, L0 to L7 or L11 to L14"};
    if (given.is_register) throw fault{arguments[1].place.begin(), "expected a number, found a register"};
    std::optional<std::uint32_t> bits;
    if (given.real) bits = encode_float(*given.real, 8, 23);
    else if (given.number >= std::numeric_limits<std::int32_t>::min() &&
             given.number <= std::numeric_limits<std::uint32_t>::max())
        bits = static_cast<std::uint32_t>(given.number);
    if (!bits) throw fault{arguments[1].place.begin(), "the number does not fit into 32 bits"};
    setup_.forget();
    emit_setup(constant_words(static_cast<unsigned>(lreg.number), *bits));
}

// Sections ------------------------------------------------------------------------------------------------------

void assembler::init(const grammar::statement& what) {
    section_ = &result_.program.init;
    setup_.forget();
    grammar::parse_nothing(what.arguments);
}

void assembler::loop(const grammar::statement& what) {
    section_ = &result_.program.loop;
    setup_.forget();
    if (loop_line_)
        throw fault{what.name.begin(),
                    fmt::format("a kernel has one .loop; the first is on line {}", loop_line_)};
    loop_line_ = line_;
    if (!is_blank(what.arguments))
        result_.program.rows_per_iteration = static_cast<unsigned>(only_number(what, 1, most_rows));
}

void assembler::tail(const grammar::statement& what) {
    section_ = &result_.program.tail;
    setup_.forget();
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

std::int64_t assembler::operand_value(const word_form& form, const operand& what, const argument& given,
                                      const std::vector<std::int64_t>& before,
                                      const template_use* in_template) const {
    const auto lookup = [&](const slice& name) {
        if (view(name) == any_register) {
            if (!in_template || !takes_register(form, what))
                throw fault{name.begin(),
                            "'_' stands for a register that the macro gives, in an instruction of .template"};
            return value{is_destination_register(what) ? in_template->destination : 0, true, {}};
        }
        if (const auto local = find_local(form, what, view(name))) return *local;
        if (const auto global = find_global(view(name))) return *global;
        std::vector<std::string> candidates = all_local(form, what);
        append(candidates, all_global());
        throw fault{name.begin(), fmt::format("unknown name '{}' in operand {} of {}{}", view(name),
                                              what.name, form.mnemonic, suggestion(view(name), candidates))};
    };
    const value found = evaluate(given.tree, lookup);
    if (found.real) return real_immediate(form, what, given, *found.real, before);
    if (in_template && in_template->through_backdoor && is_destination_register(what) &&
        found.number != in_template->destination)
        throw fault{given.place.begin(),
                    fmt::format("expected '_' or L{}, which is what template {} is written through",
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
                                  const char* what) const {
    const value found = global_value(given);
    if (found.is_register || found.real || found.number < minimum || found.number > maximum)
        throw fault{given.place.begin(),
                    fmt::format("expected {} from {} to {}, found {}", what, minimum, maximum,
                                found.is_register ? "a register"
                                : found.real      ? "a real number"
                                                  : std::to_string(found.number))};
    return found.number;
}

std::int64_t assembler::only_number(const grammar::statement& what, std::int64_t minimum,
                                    std::int64_t maximum) const {
    const std::vector<argument> arguments = grammar::parse_arguments(what.arguments);
    if (arguments.size() != 1)
        throw fault{arguments.empty() ? what.name.begin() : arguments[1].place.begin(),
                    fmt::format("{} takes one number, found {}", view(what.name), arguments.size())};
    return number_in(arguments[0], minimum, maximum);
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

std::vector<directive_form> directive_forms() {
    std::vector<directive_form> forms;
    for (const assembler::directive& each : assembler::directives) forms.push_back(each.form);
    return forms;
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
