// What operators compute, as formulas of z3: multiply-adds, conversions of integers to FP32, leading zeros.
//
// Source of the semantics: fma.h and simple-inl.h of the model, bit by bit. A product of two mantissas of
// which neither is a constant is a function that is only known to commute, and how large it is.
#pragma once

#include <sfpu/analysis/terms.h>

#include <z3++.h>

#include <cstdint>
#include <optional>
#include <vector>

namespace sfpu::analysis {

class operator_formula {
public:
    operator_formula(z3::context& context, architecture arch)
        : context_(context), is_wormhole_(arch == architecture::wormhole) {}

    /// Nothing if the operator is not known here.
    std::optional<z3::expr> of(const term_operator& by, const z3::expr_vector& arguments);

    /// Products of mantissas that stand for themselves: `cut`, the upper 28 bits of 48, is right only if it
    /// is what cut_product() says.
    struct product {
        z3::expr a, b, cut;
    };
    const std::vector<product>& products() const { return products_; }
    /// What is always true of them.
    const std::vector<z3::expr>& facts() const { return facts_; }
    static std::uint32_t cut_product(std::uint32_t a, std::uint32_t b);
    z3::expr cut_of(const z3::expr& a, const z3::expr& b);

private:
    struct number {
        z3::expr exponent, mantissa;
    };
    /// An exponent and a mantissa that are aligned, and the sum's own zero.
    struct aligned_sum {
        z3::expr sum, sign, exponent;
    };
    struct magnitude {
        z3::expr bits, overflow, exponent;
    };

    z3::expr bits(std::uint32_t value) { return context_.bv_val(value, 32); }
    z3::expr one_if(const z3::expr& condition) { return z3::ite(condition, bits(1), bits(0)); }
    number unpacked(const z3::expr& word);
    z3::expr mantissa_product(const z3::expr& a, const z3::expr& b);
    z3::expr shifted_with_sticky(const z3::expr& of, const z3::expr& by);
    z3::expr highest_bit(const z3::expr& of);
    magnitude rounded(const z3::expr& sum, const z3::expr& exponent);
    z3::expr multiply_add(const z3::expr& x, const z3::expr& y, const z3::expr& z);
    z3::expr special(const number& a, const number& b, const number& c, const z3::expr& z,
                     const z3::expr& product_sign, const z3::expr& product_exponent, const z3::expr& nan_bits,
                     z3::expr& is_special);
    z3::expr cast_to_fp32(const z3::expr& of);
    z3::expr leading_zeros(const z3::expr& of);

    z3::context& context_;
    bool is_wormhole_;
    std::vector<product> products_;
    std::vector<z3::expr> facts_;
};

} // namespace sfpu::analysis
