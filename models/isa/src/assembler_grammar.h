// The grammar of assembly lines: from text to syntax trees. Their meaning is the assembler's business.
#pragma once

#include <boost/range/iterator_range_core.hpp>
#include <boost/spirit/home/x3/support/ast/variant.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace sfpu::isa::grammar {

/// A piece of the source text. It remembers its place, so that errors can point at it.
using slice = boost::iterator_range<const char*>;

inline std::string_view view(const slice& piece) { return {piece.begin(), piece.size()}; }

/// A mistake at a place in the source text; thrown by the functions here and caught once a line or operand.
struct fault {
    const char* where;
    std::string message;
};

enum class operation {
    bit_or,
    bit_xor,
    bit_and,
    shift_left,
    shift_right,
    add,
    subtract,
    multiply,
    divide,
    remainder
};
enum class sign { plus, minus, complement };

struct signed_term;
struct call;
struct expression;

/// A name or number as written, or something in parentheses, with signs, or converted as in bf16(1.5).
struct term : boost::spirit::x3::variant<slice, boost::spirit::x3::forward_ast<signed_term>,
                                         boost::spirit::x3::forward_ast<call>,
                                         boost::spirit::x3::forward_ast<expression>> {
    using base_type::base_type;
    using base_type::operator=;
};
struct signed_term {
    slice place;             ///< empty, at the first sign
    std::vector<sign> signs; ///< outermost first
    term operand;
};
struct step {
    slice place; ///< empty, at the operator
    operation op;
    term right;
};
/// A chain of operators of one precedence, applied from the left.
struct expression {
    term first;
    std::vector<step> rest;
};

struct call {
    slice function;
    expression inner;
};

/// An operand of an instruction or directive.
struct argument {
    slice place; ///< empty, where the operand begins
    expression tree;
};
/// What a line begins with: a mnemonic, or a directive with its dot, and the rest of the line.
struct statement {
    slice name;
    slice arguments;
};
/// The arguments of .equ.
struct definition {
    slice name;
    argument meaning;
};
/// The arguments of .input and .output.
struct placement {
    slice name;
    argument address;
    slice type;
};
/// The arguments of .template.
struct templated {
    argument number;
    statement instruction;
};
/// A field of .macro, "delay=3" or "vb"; a member of a list of .misc.
struct item {
    slice name;
    std::vector<argument> value; ///< at most one
};
/// "simple=(template=3, delay=4)" or "store_mode=FP32".
struct group {
    slice name;
    std::vector<item> items;
};
/// The arguments of .macro.
struct macro_definition {
    argument number;
    std::vector<group> groups;
};
/// The arguments of .config and .expect: two pieces of text.
struct setting {
    slice key;
    slice value;
};

// Each of these parses all of `text` or throws a fault that says what was expected and what was found.
statement parse_statement(const slice& text);
std::vector<argument> parse_arguments(const slice& text); ///< separated by commas; may be none
definition parse_definition(const slice& text);
templated parse_template(const slice& text);
macro_definition parse_macro(const slice& text);
std::vector<group> parse_groups(const slice& text);
placement parse_placement(const slice& text);
setting parse_config(const slice& text);
setting parse_expectation(const slice& text);
slice parse_name(const slice& text);
void parse_nothing(const slice& text);
std::uint32_t parse_hex_word(const slice& text); ///< eight digits, 0x optional

/// Whether a number is written with a fraction, as 1.5 or 2.0e-3.
bool is_real(const slice& atom);
double real_of(const slice& atom);
/// The value of a decimal, hexadecimal (0x) or binary (0b) number of at most 63 bits. A decimal one must not
/// begin with 0, which would be octal in C.
std::int64_t number_of(const slice& atom);
/// The value of a decimal number that may have a fraction.
double fraction_of(const slice& text);

} // namespace sfpu::isa::grammar
