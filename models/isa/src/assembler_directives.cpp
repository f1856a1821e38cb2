// The directives of the assembler.
#include "assembler_pass.h"

#include <sfpu/common/parameters.h>
#include <sfpu/isa/machine.h>
#include <sfpu/isa/state.h>
#include <sfpu/isa/table.h>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

namespace sfpu::isa {

using grammar::argument;
using grammar::fault;
using grammar::slice;
using grammar::view;

namespace {

constexpr std::int64_t largest_address = 0x3ff; ///< of Dst, 10 bits

slice trimmed_end(slice text) {
    const std::size_t last = view(text).find_last_not_of(" \t\r\v\f");
    return {text.begin(), text.begin() + (last == std::string_view::npos ? 0 : last + 1)};
}

} // namespace

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
    {{".peeled", "N",
      "`.init` and `.tail` hold N of the rows together; `.loop R` is issued for every R of the others"},
     &assembler::peeled,
     false},
    {{".expect", "cycles_per_row N",
      "`run` ends with exit code 2 if it measures another throughput; of fewer than two iterations its "
      "report says that there is nothing to compare"},
     &assembler::expect,
     false},
    {{".allow", "ID, \"REASON\"",
      "the diagnostic is meant: it is not reported, and answers in JSON say how often it was allowed"},
     &assembler::allow,
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
    {{".constant", "REGISTER, VALUE",
      "loads 32 bits in one or two SFPLOADI; L11 to L14 through L0. 6.0 is a real number, 6 an integer"},
     &assembler::constant,
     false},
    {{".word", "VALUE", "a word as it is"}, &assembler::word, false},
    {{".gap", "", "idle cycles can stand before the next word, and where no .gap stands they cannot"},
     &assembler::gap,
     false},
    {{".origin", "\"FILE\", LINE[, ADDRESS][, \"C++ FILE\", LINE]",
      "the words from here on come from there, and reports say so; line 0: the file has no lines"},
     &assembler::origin,
     false},
};

const assembler::directive& assembler::find_directive(const slice& name) {
    const std::string wanted = lower_case(view(name));
    std::vector<std::string> names;
    for (const directive& candidate : directives) {
        if (wanted == candidate.form.name) return candidate;
        names.emplace_back(candidate.form.name);
    }
    const std::string near = suggestion(wanted, names);
    throw fault{
        name.begin(),
        fmt::format("unknown directive '{}'{}", view(name),
                    near.empty() ? fmt::format("; expected one of {}", fmt::join(names, ", ")) : near)};
}

std::vector<directive_form> directive_forms() {
    std::vector<directive_form> forms;
    for (const assembler::directive& each : assembler::directives) forms.push_back(each.form);
    return forms;
}

// --- names, data and conditions ----------------------------------------------------------------------------

void assembler::equ(const grammar::statement& what) {
    const grammar::definition given = grammar::parse_definition(what.arguments);
    const std::string name(view(given.name));
    if (find_predefined(name) || name == any_register)
        throw fault{given.name.begin(), fmt::format("'{}' has a meaning already; choose another name", name)};
    value meaning;
    if (!guarded([&] { meaning = global_value(given.meaning); })) {
        misdefined_.insert(name);
        return;
    }
    const auto [known, is_new] = symbols_.try_emplace(name, meaning);
    if (!is_new && (known->second.is_register != meaning.is_register || known->second.real != meaning.real ||
                    known->second.number != meaning.number)) {
        result_.program.remarks.push_back(
            {line_, column_of(given.name.begin()),
             fmt::format("'{}' has another value from here on than the one of line {}", name,
                         symbol_lines_[name]),
             report_id::kernel_redefined_name});
        known->second = meaning;
    }
    note_definition(name, meaning);
}

void assembler::note_definition(const std::string& name, const value& meaning) {
    symbol_lines_[name] = line_;
    const bool is_number = !meaning.is_register && !meaning.real;
    result_.program.definitions.push_back(
        {name, is_number ? std::optional(meaning.number) : std::nullopt, line_});
}

void assembler::word(const grammar::statement& what) {
    emit(static_cast<std::uint32_t>(only_number(what, 0, std::numeric_limits<std::uint32_t>::max())));
}

void assembler::gap(const grammar::statement& what) {
    grammar::parse_nothing(what.arguments);
    open_gap_ = {line_, column_of(what.name.begin())};
}

void assembler::end_section() {
    if (open_gap_) error(open_gap_->first, open_gap_->second, "no instruction follows .gap in its section");
    open_gap_.reset();
    setup_.forget();
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
    conditions_.push_back({line_, column_of(what.name.begin()), !skipping()});
    if (parse_architecture(what) != target()) conditions_.back().holds = false;
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

/// Settings that change what words can say. Whether a setting is right is found out by whoever runs the
/// kernel.
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

void assembler::peeled(const grammar::statement& what) {
    result_.program.peeled_rows = static_cast<unsigned>(only_number(what, 0, most_rows));
}

void assembler::expect(const grammar::statement& what) {
    const grammar::setting given = grammar::parse_expectation(trimmed_end(what.arguments));
    const std::string_view quantity = view(given.key);
    if (quantity != "cycles_per_row")
        throw fault{given.key.begin(), fmt::format("expected 'cycles_per_row', found '{}'", quantity)};
    const double cycles = grammar::fraction_of(given.value);
    if (!can_be_expected(cycles))
        throw fault{given.value.begin(),
                    fmt::format("expected {} to {:.0f} cycles a row, found '{}'", least_cycles_per_row,
                                most_cycles_per_row, view(given.value))};
    result_.program.expected_cycles_per_row = cycles;
}

namespace {

slice trimmed(slice text) {
    const std::size_t first = std::min(view(text).find_first_not_of(" \t\r\v\f"), text.size());
    return trimmed_end({text.begin() + first, text.end()});
}

/// The elements of a list in which commas may stand between quotes.
std::vector<slice> quoted_list(const slice& text) {
    std::vector<slice> elements;
    bool is_quoted = false;
    const char* begin = text.begin();
    for (const char* at = text.begin(); at != text.end(); ++at) {
        if (*at == '"') is_quoted = !is_quoted;
        if (*at != ',' || is_quoted) continue;
        elements.push_back(trimmed({begin, at}));
        begin = at + 1;
    }
    elements.push_back(trimmed({begin, text.end()}));
    return elements;
}

std::string name_in_quotes(const slice& given, const char* what) {
    const std::string_view text = view(given);
    if (text.size() < 3 || text.front() != '"' || text.find('"', 1) != text.size() - 1)
        throw fault{given.begin(), fmt::format("expected {} in quotes, found {}", what,
                                               text.empty() ? "nothing" : fmt::format("'{}'", text))};
    return std::string(text.substr(1, text.size() - 2));
}

/// The report of a whole id, or of its last part.
report_id report_named(const slice& given) {
    const std::string_view name = view(given);
    std::vector<std::string> names, found;
    std::optional<report_id> id;
    for (unsigned i = 0; i < report_count; ++i) {
        const report_row& row = describe(static_cast<report_id>(i));
        const std::string_view full = row.name;
        names.emplace_back(full);
        names.emplace_back(full.substr(full.rfind('/') + 1));
        if (name != names.back() && name != full) continue;
        id = row.id;
        found.emplace_back(full);
    }
    if (found.size() > 1)
        throw fault{given.begin(),
                    fmt::format("'{}' may be {}; write all of the id", name, fmt::join(found, " or "))};
    if (!id)
        throw fault{given.begin(),
                    fmt::format("expected the id of a diagnostic ('sfpusim info --report-ids' lists them), "
                                "found '{}'{}",
                                name, suggestion(std::string(name), names))};
    return *id;
}

} // namespace

void assembler::allow(const grammar::statement& what) {
    const std::string_view all = view(what.arguments);
    const std::size_t comma = std::min(all.find(','), all.size());
    const slice id = trimmed({what.arguments.begin(), what.arguments.begin() + comma});
    const slice rest =
        trimmed({what.arguments.begin() + std::min(comma + 1, all.size()), what.arguments.end()});
    allowance given;
    given.id = report_named(id);
    const std::string_view text = view(rest);
    const bool is_quoted = text.size() >= 2 && text.front() == '"' && text.find('"', 1) == text.size() - 1;
    const slice reason = is_quoted ? trimmed({rest.begin() + 1, rest.end() - 1}) : rest;
    if (!is_quoted || reason.empty())
        throw fault{text.empty() ? id.end() : rest.begin(),
                    fmt::format("expected a comma and a reason in quotes behind {}, found {}", view(id),
                                text.empty() ? "nothing" : fmt::format("'{}'", text))};
    for (const allowance& earlier : result_.program.allowed)
        if (earlier.id == given.id)
            throw fault{id.begin(), fmt::format("{} is allowed on line {} already", describe(given.id).name,
                                                earlier.line)};
    given.reason = view(reason);
    given.line = line_;
    given.column = column_of(id.begin());
    result_.program.allowed.push_back(std::move(given));
}

void assembler::origin(const grammar::statement& what) {
    const std::vector<slice> given = quoted_list(what.arguments);
    if (given.size() < 2 || given.size() > 5)
        throw fault{what.name.begin(),
                    fmt::format(".origin takes \"FILE\", LINE[, ADDRESS][, \"C++ FILE\", LINE], found {}",
                                given.size() == 1 ? "one value" : fmt::format("{} values", given.size()))};
    constexpr std::int64_t most = std::numeric_limits<std::uint32_t>::max();
    const auto number = [&](const slice& text, const char* meaning) {
        const std::vector<argument> found = grammar::parse_arguments(text);
        if (found.size() != 1) throw fault{text.begin(), fmt::format("expected {}, found nothing", meaning)};
        return static_cast<std::uint32_t>(number_in(found[0], 0, most, meaning));
    };
    word_origin place;
    place.file = name_in_quotes(given[0], "the name of a file");
    place.line = number(given[1], "a line");
    if (given.size() % 2 == 1) place.address = number(given[2], "an address");
    if (given.size() > 3) {
        place.cpp_file = name_in_quotes(given[given.size() - 2], "the name of a C++ file");
        place.cpp_line = number(given[given.size() - 1], "a line");
    }
    result_.program.origins.push_back(std::move(place));
}

/// The name becomes a constant, too, for the address fields of loads and stores.
void assembler::place(const grammar::statement& what, std::vector<tensor>& tensors) {
    const grammar::placement given = grammar::parse_placement(what.arguments);
    if (!guarded([&] { place(what, given, tensors); })) misdefined_.emplace(view(given.name));
}

void assembler::place(const grammar::statement& what, const grammar::placement& given,
                      std::vector<tensor>& tensors) {
    tensor one;
    one.name = view(given.name);
    one.line = line_;
    one.column = column_of(given.name.begin());
    constexpr std::size_t most_tensors = 64; // each is compared with each
    if (tensors.size() == most_tensors)
        throw fault{what.name.begin(), fmt::format("found more than {0} of {1}, expected {0} at most",
                                                   most_tensors, view(what.name))};
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
    note_definition(one.name, address);
    one.address = static_cast<unsigned>(address.number);
    one.type = *type;
    tensors.push_back(std::move(one));
}

// Macros
// --------------------------------------------------------------------------------------------------------

/// Through the backdoor where there is one, which is one word; else through L0.
void assembler::template_write(const grammar::statement& what) {
    const grammar::templated given = grammar::parse_template(what.arguments);
    const auto number = static_cast<unsigned>(
        number_in(given.number, 0, largest::templates - 1, "a template", words().templates - 1));
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
    const auto number =
        static_cast<unsigned>(number_in(given.number, 0, largest::macros - 1, "a macro", words().macros - 1));
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

std::int64_t assembler::field_value(const grammar::item& field, std::int64_t minimum, std::int64_t maximum,
                                    std::optional<std::int64_t> told_maximum) {
    if (field.value.empty())
        throw fault{field.name.end(), fmt::format("expected '=' and a number behind {}", view(field.name))};
    return number_in(field.value.front(), minimum, maximum, "a number", told_maximum);
}

macro_part assembler::parse_part(const grammar::group& given, unsigned unit) {
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
            const std::int64_t number = field_value(field, 0, largest::templates - 1, words().templates - 1);
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
            const std::int64_t delay =
                field_value(field, 0, (1 << largest::delay_bits) - 1, (1 << words().delay_bits) - 1);
            unsigned needed = 1;
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
                const auto global = find_global(view(item.name));
                if (!local && (!global || global->mode))
                    refuse_mode_of_another(store, global.value_or(value{}), item.name);
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

// Sections
// ------------------------------------------------------------------------------------------------------

void assembler::init(const grammar::statement& what) {
    end_section();
    section_ = &result_.program.init;
    grammar::parse_nothing(what.arguments);
}

void assembler::loop(const grammar::statement& what) {
    end_section();
    section_ = &result_.program.loop;
    if (loop_line_)
        throw fault{what.name.begin(),
                    fmt::format("a kernel has one .loop; the first is on line {}", loop_line_)};
    loop_line_ = line_;
    if (!is_blank(what.arguments))
        result_.program.rows_per_iteration = static_cast<unsigned>(only_number(what, 1, most_rows));
}

void assembler::tail(const grammar::statement& what) {
    end_section();
    section_ = &result_.program.tail;
    grammar::parse_nothing(what.arguments);
}

// --- operands of directives --------------------------------------------------------------------------------

std::int64_t assembler::only_number(const grammar::statement& what, std::int64_t minimum,
                                    std::int64_t maximum) {
    const std::vector<argument> arguments = grammar::parse_arguments(what.arguments);
    if (arguments.size() != 1)
        throw fault{arguments.empty() ? what.name.begin() : arguments[1].place.begin(),
                    fmt::format("{} takes one number, found {}", view(what.name), arguments.size())};
    return number_in(arguments[0], minimum, maximum);
}

architecture assembler::parse_architecture(const grammar::statement& what) const {
    const slice name = grammar::parse_name(what.arguments);
    for (const architecture arch : all_architectures)
        if (view(name) == short_name(arch)) return arch;
    throw fault{name.begin(), fmt::format("expected 'bh' or 'wh', found '{}'", view(name))};
}

} // namespace sfpu::isa
