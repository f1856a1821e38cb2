#include "assembler_grammar.h"

#include <boost/fusion/include/adapt_struct.hpp>
#include <boost/spirit/home/x3.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <initializer_list>
#include <limits>
#include <utility>

namespace x3 = boost::spirit::x3;

BOOST_FUSION_ADAPT_STRUCT(sfpu::isa::grammar::signed_term, place, signs, operand)
BOOST_FUSION_ADAPT_STRUCT(sfpu::isa::grammar::step, place, op, right)
BOOST_FUSION_ADAPT_STRUCT(sfpu::isa::grammar::expression, first, rest)
BOOST_FUSION_ADAPT_STRUCT(sfpu::isa::grammar::argument, place, tree)
BOOST_FUSION_ADAPT_STRUCT(sfpu::isa::grammar::statement, name, arguments)
BOOST_FUSION_ADAPT_STRUCT(sfpu::isa::grammar::definition, name, meaning)
BOOST_FUSION_ADAPT_STRUCT(sfpu::isa::grammar::call, function, inner)
BOOST_FUSION_ADAPT_STRUCT(sfpu::isa::grammar::templated, number, instruction)
BOOST_FUSION_ADAPT_STRUCT(sfpu::isa::grammar::item, name, value)
BOOST_FUSION_ADAPT_STRUCT(sfpu::isa::grammar::group, name, items)
BOOST_FUSION_ADAPT_STRUCT(sfpu::isa::grammar::macro_definition, number, groups)
BOOST_FUSION_ADAPT_STRUCT(sfpu::isa::grammar::placement, name, address, type)
BOOST_FUSION_ADAPT_STRUCT(sfpu::isa::grammar::setting, key, value)

namespace sfpu::isa::grammar {
namespace {

constexpr unsigned deepest_nesting = 64; // the parser recurses once for each open parenthesis

// Character sets are given by hand: the classes of the standard library depend on the locale.
const auto blank = x3::char_(" \t\r\v\f");
const auto letter = x3::char_("a-zA-Z_");
const auto letter_or_digit = x3::char_("a-zA-Z0-9_");

struct operator_table : x3::symbols<operation> {
    operator_table(std::initializer_list<std::pair<const char*, operation>> operators) {
        for (const auto& [text, op] : operators) add(text, op);
    }
};
const operator_table or_operator{{"|", operation::bit_or}};
const operator_table xor_operator{{"^", operation::bit_xor}};
const operator_table and_operator{{"&", operation::bit_and}};
const operator_table shift_operator{{"<<", operation::shift_left}, {">>", operation::shift_right}};
const operator_table sum_operator{{"+", operation::add}, {"-", operation::subtract}};
const operator_table product_operator{
    {"*", operation::multiply}, {"/", operation::divide}, {"%", operation::remainder}};

struct sign_table : x3::symbols<sign> {
    sign_table() { add("+", sign::plus)("-", sign::minus)("~", sign::complement); }
};
const sign_table sign_operator;

// All rules are declared before they are defined: the recursion has to pass through BOOST_SPIRIT_DEFINE, or
// the compiler expands it without end. The names of the rules are what messages say was expected.
constexpr const char* expression_name = "a name, a number or '('";
const x3::rule<struct identifier_id, slice> identifier = "a name";
const x3::rule<struct head_id, slice> head = "an instruction or a directive";
const x3::rule<struct atom_id, slice> atom = expression_name;
const x3::rule<struct key_id, slice> key = "a configuration key";
const x3::rule<struct rest_id, slice> rest = "a value";
const x3::rule<struct comma_id> comma = "','";
const x3::rule<struct closing_id> closing = "an operator or ')'";
const x3::rule<struct function_id, slice> function_name = expression_name;
const x3::rule<struct call_id, call> conversion = expression_name;
const x3::rule<struct hex_word_id, std::uint32_t> hex_word = "eight hexadecimal digits";
const x3::rule<struct primary_id, term> primary = expression_name;
const x3::rule<struct signed_term_id, signed_term> signed_one = expression_name;
const x3::rule<struct signed_id, term> signed_primary = expression_name;
const x3::rule<struct product_step_id, step> product_step = "an operator";
const x3::rule<struct products_id, expression> products = expression_name;
const x3::rule<struct sum_step_id, step> sum_step = "an operator";
const x3::rule<struct sums_id, expression> sums = expression_name;
const x3::rule<struct shift_step_id, step> shift_step = "an operator";
const x3::rule<struct shifts_id, expression> shifts = expression_name;
const x3::rule<struct and_step_id, step> and_step = "an operator";
const x3::rule<struct ands_id, expression> ands = expression_name;
const x3::rule<struct xor_step_id, step> xor_step = "an operator";
const x3::rule<struct xors_id, expression> xors = expression_name;
const x3::rule<struct or_step_id, step> or_step = "an operator";
const x3::rule<struct ors_id, expression> ors = expression_name;
const x3::rule<struct operand_id, argument> operand = expression_name;
const x3::rule<struct operands_id, std::vector<argument>> operands = expression_name;
const x3::rule<struct statement_id, statement> line = "an instruction or a directive";
const x3::rule<struct definition_id, definition> equ_arguments = "a name";
const x3::rule<struct mnemonic_id, slice> mnemonic = "an instruction";
const x3::rule<struct inner_statement_id, statement> inner_statement = "an instruction";
const x3::rule<struct templated_id, templated> template_arguments = expression_name;
const x3::rule<struct field_id, slice> field_name = "a field";
const x3::rule<struct item_value_id, std::vector<argument>> item_value = "'='";
const x3::rule<struct no_value_id, std::vector<argument>> no_value = "a value";
const x3::rule<struct more_groups_id, std::vector<group>> more_groups = "a name";
const x3::rule<struct item_id, item> one_item = "a field";
const x3::rule<struct item_list_id, std::vector<item>> item_list = "a field";
const x3::rule<struct items_id, std::vector<item>> items_in_parentheses = "'('";
const x3::rule<struct bare_item_id, item> bare_item = "'(' or a value";
const x3::rule<struct bare_items_id, std::vector<item>> bare_items = "'(' or a value";
const x3::rule<struct all_items_id, std::vector<item>> items = "'(' or a value";
const x3::rule<struct group_id, group> one_group = "a name";
const x3::rule<struct equals_id> equals = "'='";
const x3::rule<struct list_end_id> list_end = "',' or ')'";
const x3::rule<struct groups_id, std::vector<group>> groups = "a name";
const x3::rule<struct macro_id, macro_definition> macro_arguments = expression_name;
const x3::rule<struct type_id, slice> type_name = "a data type";
const x3::rule<struct placement_id, placement> placement_arguments = "a name";
const x3::rule<struct config_id, setting> config_arguments = "a configuration key";
const x3::rule<struct expectation_id, setting> expect_arguments = "a name";

/// The empty slice at the next character that is not blank.
const auto here = x3::raw[x3::eps];

const auto identifier_def = x3::raw[x3::lexeme[letter >> *letter_or_digit]];
const auto head_def = x3::raw[x3::lexeme[-x3::char_('.') >> letter >> *letter_or_digit]];
const auto digits = +x3::char_("0-9");
const auto atom_def =
    x3::raw[x3::lexeme[(digits >> '.' >> digits >> -(x3::char_("eE") >> -x3::char_("+-") >> digits) >>
                        !letter_or_digit) |
                       +letter_or_digit]];
const auto function_name_def = x3::raw[x3::lexeme[letter >> *letter_or_digit]] >> &x3::lit('(');
const auto conversion_def = (function_name >> '(') > ors > closing;
const auto key_def = x3::raw[x3::lexeme[+x3::char_("a-zA-Z0-9_.")]];
const auto rest_def = x3::raw[x3::lexeme[+x3::char_]];
const auto comma_def = x3::lit(',');
const auto closing_def = x3::lit(')');
const auto hex_word_def =
    x3::lexeme[-x3::no_case[x3::lit("0x")] >> x3::uint_parser<std::uint32_t, 16, 8, 8>{} >> !letter_or_digit];

const auto primary_def = conversion | atom | ('(' > ors > closing);
const auto signs = +sign_operator;
const auto signed_one_def = here >> signs > primary;
const auto signed_primary_def = signed_one | primary;

// One pair for each precedence, from the tightest; operators of one precedence apply from the left.
const auto product_step_def = here >> product_operator > signed_primary;
const auto products_def = signed_primary >> *product_step;
const auto sum_step_def = here >> sum_operator > products;
const auto sums_def = products >> *sum_step;
const auto shift_step_def = here >> shift_operator > sums;
const auto shifts_def = sums >> *shift_step;
const auto and_step_def = here >> and_operator > shifts;
const auto ands_def = shifts >> *and_step;
const auto xor_step_def = here >> xor_operator > ands;
const auto xors_def = ands >> *xor_step;
const auto or_step_def = here >> or_operator > xors;
const auto ors_def = xors >> *or_step;

const auto operand_def = here >> ors;
const auto operands_def = operand >> *(comma > operand);
const auto line_def = head > x3::raw[x3::lexeme[*x3::char_]];
const auto equ_arguments_def = identifier > comma > operand;
const auto type_name_def = x3::raw[x3::lexeme[letter >> *letter_or_digit]];
const auto placement_arguments_def = identifier > comma > operand > comma > type_name;
const auto mnemonic_def = x3::raw[x3::lexeme[letter >> *letter_or_digit]];
const auto inner_statement_def = mnemonic > x3::raw[x3::lexeme[*x3::char_]];
const auto template_arguments_def = operand > comma > inner_statement;
const auto equals_def = x3::lit('=');
const auto list_end_def = x3::lit(')');
const auto field_name_def = x3::raw[x3::lexeme[+letter_or_digit]];
const auto item_value_def = x3::repeat(0, 1)['=' > operand];
const auto no_value_def = x3::attr(std::vector<argument>{});
const auto one_item_def = field_name >> item_value;
const auto item_list_def = one_item >> *(',' > one_item);
const auto items_in_parentheses_def = '(' > item_list > list_end;
const auto bare_item_def = field_name >> no_value;
const auto bare_items_def = x3::repeat(1)[bare_item];
const auto items_def = items_in_parentheses | bare_items;
const auto one_group_def = identifier > equals > items;
const auto groups_def = one_group >> *(comma > one_group);
const auto more_groups_def = *(comma > one_group);
const auto macro_arguments_def = operand >> more_groups;
const auto config_arguments_def = key > comma > rest;
const auto expect_arguments_def = identifier > rest;

BOOST_SPIRIT_DEFINE(identifier, head, atom, key, rest, comma, closing, hex_word)
BOOST_SPIRIT_DEFINE(primary, signed_one, signed_primary)
BOOST_SPIRIT_DEFINE(product_step, products, sum_step, sums, shift_step, shifts)
BOOST_SPIRIT_DEFINE(and_step, ands, xor_step, xors, or_step, ors)
BOOST_SPIRIT_DEFINE(operand, operands, line, equ_arguments, config_arguments, expect_arguments)
BOOST_SPIRIT_DEFINE(type_name, placement_arguments, function_name, conversion)
BOOST_SPIRIT_DEFINE(mnemonic, inner_statement, template_arguments, field_name, one_item, items_in_parentheses)
BOOST_SPIRIT_DEFINE(item_list, item_value, no_value, bare_item, bare_items, items, one_group, equals,
                    list_end)
BOOST_SPIRIT_DEFINE(groups, more_groups, macro_arguments)

constexpr std::string_view end_of_line = "the end of the line";

bool is_blank(char c) { return std::string_view(" \t\r\v\f").find(c) != std::string_view::npos; }
bool is_word(char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '.';
}

/// What stands at `where`, for a message.
std::string found_at(const char* where, const char* end) {
    if (where == end) return std::string(end_of_line);
    const char* stop = std::find_if_not(where, end, is_word);
    if (stop != where)
        return fmt::format("'{}'", std::string_view(where, static_cast<std::size_t>(stop - where)));
    const auto code = static_cast<unsigned char>(*where);
    return code > ' ' && code < 0x7f ? fmt::format("'{}'", *where) : fmt::format("character 0x{:02x}", code);
}

fault unexpected(const char* where, const char* end, std::string_view expected) {
    where = std::find_if_not(where, end, is_blank);
    return {where, fmt::format("expected {}, found {}", expected, found_at(where, end))};
}

void refuse_deep_nesting(const slice& text) {
    unsigned depth = 0;
    for (const char& c : text) {
        if (c == '(' && ++depth > deepest_nesting)
            throw fault{&c, fmt::format("parentheses nest deeper than {}", deepest_nesting)};
        if (c == ')' && depth > 0) --depth;
    }
}

/// Parses all of the text; `more` is what might have followed instead of what does not belong there.
template <typename Attribute, typename Rule>
Attribute parse_all(const slice& text, const Rule& what, std::string_view more = end_of_line) {
    refuse_deep_nesting(text);
    const char* at = text.begin();
    Attribute result{};
    try {
        if (!x3::phrase_parse(at, text.end(), what, blank, result))
            throw unexpected(at, text.end(), what.name);
    } catch (const x3::expectation_failure<const char*>& failure) {
        throw unexpected(failure.where(), text.end(), failure.which());
    }
    if (at != text.end()) throw unexpected(at, text.end(), more);
    return result;
}

} // namespace

statement parse_statement(const slice& text) { return parse_all<statement>(text, line); }

std::vector<argument> parse_arguments(const slice& text) {
    if (std::all_of(text.begin(), text.end(), is_blank)) return {};
    return parse_all<std::vector<argument>>(text, operands, "an operator, ',' or the end of the line");
}

definition parse_definition(const slice& text) {
    return parse_all<definition>(text, equ_arguments, "an operator or the end of the line");
}
templated parse_template(const slice& text) { return parse_all<templated>(text, template_arguments); }
macro_definition parse_macro(const slice& text) {
    return parse_all<macro_definition>(text, macro_arguments, "an operator, ',' or the end of the line");
}
std::vector<group> parse_groups(const slice& text) {
    return parse_all<std::vector<group>>(text, groups, "',' or the end of the line");
}
placement parse_placement(const slice& text) { return parse_all<placement>(text, placement_arguments); }
setting parse_config(const slice& text) { return parse_all<setting>(text, config_arguments); }
setting parse_expectation(const slice& text) { return parse_all<setting>(text, expect_arguments); }
slice parse_name(const slice& text) { return parse_all<slice>(text, identifier); }
std::uint32_t parse_hex_word(const slice& text) { return parse_all<std::uint32_t>(text, hex_word); }

void parse_nothing(const slice& text) {
    if (!std::all_of(text.begin(), text.end(), is_blank))
        throw unexpected(text.begin(), text.end(), end_of_line);
}

bool is_real(const slice& text) { return view(text).find('.') != std::string_view::npos; }

double real_of(const slice& text) {
    double number = 0;
    const auto [end, error] = std::from_chars(text.begin(), text.end(), number);
    if (error != std::errc{} || end != text.end())
        throw fault{text.begin(),
                    fmt::format("expected a number that a double holds, found '{}'", view(text))};
    return number;
}

std::int64_t number_of(const slice& written) {
    static const auto digits = x3::no_case["0x"] >> x3::uint_parser<std::uint64_t, 16>{} |
                               x3::no_case["0b"] >> x3::uint_parser<std::uint64_t, 2>{} |
                               x3::uint_parser<std::uint64_t, 10>{};
    const std::string_view text = view(written);
    const bool octal = text.size() > 1 && text.front() == '0' && text[1] >= '0' && text[1] <= '9';
    std::uint64_t number = 0;
    const char* at = written.begin();
    const bool parsed = x3::parse(at, written.end(), digits, number) && at == written.end();
    if (!parsed || octal || number > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()))
        throw fault{written.begin(),
                    fmt::format("expected a number of at most 63 bits (decimal without leading zeros, "
                                "0x or 0b), found '{}'",
                                text)};
    return static_cast<std::int64_t>(number);
}

double fraction_of(const slice& text) {
    double number = 0;
    const auto [end, error] = std::from_chars(text.begin(), text.end(), number, std::chars_format::fixed);
    const bool begins_with_digit = !text.empty() && text.front() >= '0' && text.front() <= '9';
    if (!begins_with_digit || error != std::errc{} || end != text.end())
        throw unexpected(text.begin(), text.end(), "a decimal number");
    return number;
}

} // namespace sfpu::isa::grammar
