#include "assembler_expression.h"

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

class evaluator : public boost::static_visitor<value> {
public:
    explicit evaluator(const name_lookup& lookup) : lookup_(lookup) {}

    value operator()(const slice& atom) const {
        const char first = atom.front();
        return first >= '0' && first <= '9' ? value{number_of(atom), false} : lookup_(atom);
    }
    value operator()(const signed_term& tree) const {
        value result = boost::apply_visitor(*this, tree.operand);
        for (auto s = tree.signs.rbegin(); s != tree.signs.rend(); ++s) {
            if (*s == sign::complement) result.number = ~result.number;
            if (*s == sign::minus)
                result.number = apply(operation::subtract, 0, result.number, tree.place.begin());
        }
        return result;
    }
    value operator()(const expression& tree) const {
        value result = boost::apply_visitor(*this, tree.first);
        for (const step& next : tree.rest) {
            const value right = boost::apply_visitor(*this, next.right);
            result.number = apply(next.op, result.number, right.number, next.place.begin());
            result.is_register = result.is_register || right.is_register;
        }
        return result;
    }

private:
    const name_lookup& lookup_;
};

} // namespace

value evaluate(const expression& tree, const name_lookup& lookup) { return evaluator(lookup)(tree); }

} // namespace sfpu::isa
