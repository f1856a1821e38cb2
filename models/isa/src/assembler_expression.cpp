#include "assembler_expression.h"

#include "setup_words.h"

#include <boost/variant/apply_visitor.hpp>

#include <limits>

namespace sfpu::isa {
namespace {

using namespace grammar;

std::int64_t apply(operation op, std::int64_t left, std::int64_t right, const char* where) {
    std::int64_t result = 0;
    bool overflow = false;
    switch (op) {
    case operation::bit_or: return left | right;
    case operation::bit_xor: return left ^ right;
    case operation::bit_and: return left & right;
    case operation::shift_left:
    case operation::shift_right:
        if (right < 0 || right > 63)
            throw fault{where, "expected a shift by 0 to 63, found " + std::to_string(right)};
        if (op == operation::shift_right) return left >> right;
        result = static_cast<std::int64_t>(static_cast<std::uint64_t>(left) << right);
        overflow = result >> right != left;
        break;
    case operation::add: overflow = __builtin_add_overflow(left, right, &result); break;
    case operation::subtract: overflow = __builtin_sub_overflow(left, right, &result); break;
    case operation::multiply: overflow = __builtin_mul_overflow(left, right, &result); break;
    case operation::divide:
    case operation::remainder:
        if (right == 0) throw fault{where, "division by zero"};
        overflow = left == std::numeric_limits<std::int64_t>::min() && right == -1;
        if (!overflow) result = op == operation::divide ? left / right : left % right;
        break;
    }
    if (overflow) throw fault{where, "the result does not fit into 64 bits"};
    return result;
}

value apply_real(operation op, double left, double right, const char* where) {
    double result = 0;
    switch (op) {
    case operation::add: result = left + right; break;
    case operation::subtract: result = left - right; break;
    case operation::multiply: result = left * right; break;
    case operation::divide:
        if (right == 0) throw fault{where, "division by zero"};
        result = left / right;
        break;
    default: throw fault{where, "this operator takes integers; of real numbers there are + - * /"};
    }
    return {0, false, result};
}

double real_value(const value& from) { return from.real ? *from.real : static_cast<double>(from.number); }

/// bf16(x), fp16(x), fp32(x): the bits, rounded to nearest, ties to even.
value convert(const slice& function, const value& from) {
    struct format {
        const char* name;
        unsigned exponent_bits, mantissa_bits;
    };
    constexpr format formats[] = {{"bf16", 8, 7}, {"fp16", 5, 10}, {"fp32", 8, 23}};
    for (const format& each : formats) {
        if (view(function) != each.name) continue;
        if (from.is_register)
            throw fault{function.begin(), std::string(each.name) + " takes a number, found a register"};
        const auto bits = encode_float(real_value(from), each.exponent_bits, each.mantissa_bits);
        if (!bits) throw fault{function.begin(), std::string("the number is too large for ") + each.name};
        return {*bits, false, {}};
    }
    throw fault{function.begin(),
                "expected bf16, fp16 or fp32 before '(', found '" + std::string(view(function)) + "'"};
}

class evaluator : public boost::static_visitor<value> {
public:
    evaluator(const name_lookup& lookup, std::vector<truncated_division>& truncated)
        : lookup_(lookup), truncated_(truncated) {}

    value operator()(const slice& atom) const {
        const char first = atom.front();
        if (first < '0' || first > '9') return lookup_(atom);
        return is_real(atom) ? value{0, false, real_of(atom)} : value{number_of(atom), false, {}};
    }
    value operator()(const signed_term& tree) const {
        value result = boost::apply_visitor(*this, tree.operand);
        for (auto s = tree.signs.rbegin(); s != tree.signs.rend(); ++s) {
            if (result.real) {
                if (*s == sign::complement)
                    throw fault{tree.place.begin(), "'~' takes an integer, found a real number"};
                if (*s == sign::minus) result.real = -*result.real;
                continue;
            }
            if (*s == sign::complement) result.number = ~result.number;
            if (*s == sign::minus)
                result.number = apply(operation::subtract, 0, result.number, tree.place.begin());
        }
        return result;
    }
    value operator()(const call& tree) const { return convert(tree.function, (*this)(tree.inner)); }
    value operator()(const expression& tree) const {
        value result = boost::apply_visitor(*this, tree.first);
        for (const step& next : tree.rest) {
            const value right = boost::apply_visitor(*this, next.right);
            if (result.real || right.real) {
                if (result.is_register || right.is_register)
                    throw fault{next.place.begin(), "a register and a real number do not go together"};
                result = apply_real(next.op, real_value(result), real_value(right), next.place.begin());
                continue;
            }
            const std::int64_t left = result.number;
            result.number = apply(next.op, left, right.number, next.place.begin());
            if (next.op == operation::divide && result.number * right.number != left)
                truncated_.push_back({next.place.begin(), left, right.number});
            result.is_register = result.is_register || right.is_register;
        }
        return result;
    }

private:
    const name_lookup& lookup_;
    std::vector<truncated_division>& truncated_;
};

} // namespace

value evaluate(const expression& tree, const name_lookup& lookup,
               std::vector<truncated_division>& truncated) {
    return evaluator(lookup, truncated)(tree);
}

} // namespace sfpu::isa
