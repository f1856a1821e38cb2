#include "operator_formula.h"

#include <sfpu/isa/table.h>

namespace sfpu::analysis {
namespace {

constexpr std::uint32_t sign_bit = 0x80000000u, infinity_bits = 0x7f800000u, hidden_one = 0x800000u;

} // namespace

std::optional<z3::expr> operator_formula::of(const term_operator& by, const z3::expr_vector& arguments) {
    if (by.takes_random) return std::nullopt;
    const auto argument = [&](unsigned which) { return arguments[static_cast<int>(which)]; };
    switch (by.insn.op->opcode) {
    case isa::opcode::sfpmad: return multiply_add(argument(0), argument(1), argument(2));
    case isa::opcode::sfpcast: return cast_to_fp32(argument(0));
    case isa::opcode::sfplz: return leading_zeros(argument(0));
    default: return std::nullopt;
    }
}

operator_formula::number operator_formula::unpacked(const z3::expr& word) {
    const z3::expr exponent = z3::lshr(word, bits(23)) & bits(255);
    const z3::expr mantissa =
        z3::ite(exponent == bits(0), bits(0), (word & bits(0x7fffffu)) | bits(hidden_one));
    return {exponent.simplify(), mantissa.simplify()};
}

std::uint32_t operator_formula::cut_product(std::uint32_t a, std::uint32_t b) {
    const std::uint64_t whole = std::uint64_t{a} * b;
    return static_cast<std::uint32_t>(whole >> 20) | ((whole & 0xfffffu) != 0 ? 1u : 0u);
}

z3::expr operator_formula::cut_of(const z3::expr& a, const z3::expr& b) {
    z3::sort_vector sorts(context_);
    for (int i = 0; i < 2; ++i) sorts.push_back(context_.bv_sort(32));
    const z3::func_decl cut = context_.function("cut_product", sorts, context_.bv_sort(32));
    return cut(a, b);
}

z3::expr operator_formula::mantissa_product(const z3::expr& a, const z3::expr& b) {
    if (a.is_numeral() || b.is_numeral()) {
        const z3::expr whole = z3::zext(a, 16) * z3::zext(b, 16);
        const z3::expr rest = whole & context_.bv_val(0xfffff, 48);
        const z3::expr kept = z3::lshr(whole, context_.bv_val(20, 48)).extract(31, 0);
        return kept | one_if(rest != context_.bv_val(0, 48));
    }
    const z3::expr in_order = z3::ule(a, b), less = z3::ite(in_order, a, b), more = z3::ite(in_order, b, a);
    const z3::expr cut = cut_of(less, more);
    products_.push_back({less, more, cut});
    facts_.push_back(z3::ite(less == bits(0), cut == bits(0),
                             z3::uge(cut, bits(1u << 26)) && z3::ult(cut, bits(1u << 28))));
    return cut;
}

/// By 31 and more nothing is left.
z3::expr operator_formula::shifted_with_sticky(const z3::expr& of, const z3::expr& by) {
    const z3::expr amount = z3::ite(z3::ult(by, bits(31)), by, bits(31));
    const z3::expr kept = z3::lshr(of, amount);
    return kept | one_if(kept != bits(0) && z3::shl(kept, amount) != of);
}

/// Of a word that is not 0.
z3::expr operator_formula::highest_bit(const z3::expr& of) {
    z3::expr rest = of, place = bits(0);
    for (unsigned step = 16; step != 0; step /= 2) {
        const z3::expr is_above = z3::uge(rest, bits(1u << step));
        place = z3::ite(is_above, place + bits(step), place);
        rest = z3::ite(is_above, z3::lshr(rest, bits(step)), rest);
    }
    return place;
}

operator_formula::magnitude operator_formula::rounded(const z3::expr& sum, const z3::expr& before) {
    const z3::expr excess = highest_bit(sum | bits(1)) - bits(26), exponent = before + excess;
    const z3::expr below_normal = exponent <= 0;
    const z3::expr right = is_wormhole_ ? excess : excess + one_if(below_normal);
    const z3::expr n = z3::ite(right > 0, right, bits(0)), left = z3::ite(right < 0, -right, bits(0));
    const z3::expr lost = sum & (is_wormhole_ ? bits(1) : n | bits(1));
    const z3::expr normal = z3::shl(z3::lshr(sum, n) | one_if(lost != bits(0) && n != bits(0)), left);
    const z3::expr truncated = z3::ite(below_normal, bits(0), z3::shl(exponent, bits(23))) +
                               (z3::lshr(normal, bits(3)) & bits(0x7fffffu));
    const z3::expr goes_up = z3::ugt((normal & bits(7)) + (truncated & bits(1)), bits(4));
    return {truncated + one_if(goes_up), exponent >= 255, exponent};
}

z3::expr operator_formula::special(const number& a, const number& b, const number& c, const z3::expr& z,
                                   const z3::expr& product_sign, const z3::expr& product_exponent,
                                   const z3::expr& nan_bits, z3::expr& is_special) {
    const z3::expr addend_sign = z & bits(sign_bit), signs_differ = product_sign != addend_sign;
    const z3::expr a_special = a.exponent == bits(255), b_special = b.exponent == bits(255),
                   c_special = c.exponent == bits(255);
    const z3::expr infinite = a_special || b_special || product_exponent >= 255;
    is_special = infinite || c_special;
    const z3::expr product_nan = (a_special && (a.mantissa != bits(hidden_one) || b.mantissa == bits(0))) ||
                                 (b_special && (b.mantissa != bits(hidden_one) || a.mantissa == bits(0)));
    const z3::expr c_infinite = c_special && c.mantissa == bits(hidden_one);
    const z3::expr clash = c_infinite && signs_differ && (is_wormhole_ ? infinite : a_special || b_special);
    const z3::expr is_nan = product_nan || clash || (c_special && !c_infinite);
    const z3::expr nan_sign = z3::ite(product_nan || clash, product_sign, addend_sign);
    const z3::expr nan = is_wormhole_ ? nan_sign | bits(0x7f800001u) | nan_bits : bits(0x7fc00000u);
    return z3::ite(is_nan, nan, z3::ite(c_special, z, product_sign | bits(infinity_bits)));
}

/// See fma() of fma.h, whose names and order these are.
z3::expr operator_formula::multiply_add(const z3::expr& x, const z3::expr& y, const z3::expr& z) {
    const number a = unpacked(x), b = unpacked(y), c = unpacked(z);
    const z3::expr product_sign = (x ^ y) & bits(sign_bit), addend_sign = z & bits(sign_bit);
    const z3::expr cut = mantissa_product(a.mantissa, b.mantissa);
    const z3::expr exponent_sum = a.exponent + b.exponent - bits(127);
    const z3::expr limited =
        is_wormhole_ ? z3::ite(exponent_sum > 255, bits(255), exponent_sum) : exponent_sum;
    const z3::expr has_product = cut != bits(0) && limited >= 0;
    const z3::expr zero = is_wormhole_ ? bits(0) : addend_sign & product_sign;
    const z3::expr only_addend = z3::ite(c.mantissa != bits(0), z, zero);

    const z3::expr p_exponent = z3::ite(has_product, limited, bits(0));
    const z3::expr exponent = z3::ite(p_exponent > c.exponent, p_exponent, c.exponent);
    const z3::expr p = shifted_with_sticky(z3::ite(has_product, cut, bits(0)), exponent - p_exponent);
    const z3::expr q = shifted_with_sticky(z3::shl(c.mantissa, bits(3)), exponent - c.exponent);
    const z3::expr addend_larger = p < q, signs_differ = product_sign != addend_sign;
    const z3::expr sum = z3::ite(signs_differ, z3::ite(addend_larger, q - p, p - q), p + q);
    const z3::expr sign = z3::ite(addend_larger, addend_sign, product_sign);

    const magnitude result = rounded(sum, exponent);
    const z3::expr is_subnormal = z3::lshr(result.bits, bits(23)) == bits(0);
    const z3::expr vanishes =
        sum == bits(0) ||
        (is_wormhole_ ? result.exponent < 0 || (!result.overflow && is_subnormal) : context_.bool_val(false));
    const z3::expr flushed = is_wormhole_ ? result.bits : z3::ite(is_subnormal, bits(0), result.bits);
    const z3::expr kept = z3::ite(result.overflow, bits(infinity_bits), flushed);
    const z3::expr finite = z3::ite(vanishes, is_wormhole_ ? bits(0) : zero, sign | kept);
    z3::expr is_special = context_.bool_val(false);
    const z3::expr nan_bits = z3::ite(vanishes || result.overflow, bits(0), result.bits);
    const z3::expr exception = special(a, b, c, z, product_sign, exponent_sum, nan_bits, is_special);
    return z3::ite(is_special, exception, z3::ite(has_product, finite, only_addend));
}

z3::expr operator_formula::cast_to_fp32(const z3::expr& of) {
    const z3::expr sign = of & bits(sign_bit), size = of & bits(~sign_bit);
    const z3::expr top = highest_bit(size | bits(1)), normal = z3::shl(size, bits(31) - top);
    const z3::expr goes_up = (normal & bits(0x80)) != bits(0) && (normal & bits(0x17f)) != bits(0);
    const z3::expr converted = sign + z3::shl(bits(126) + top, bits(23)) + z3::lshr(normal, bits(8));
    return z3::ite(size == bits(0), sign, converted + one_if(goes_up));
}

z3::expr operator_formula::leading_zeros(const z3::expr& of) {
    return z3::ite(of == bits(0), bits(32), bits(31) - highest_bit(of));
}

} // namespace sfpu::analysis
