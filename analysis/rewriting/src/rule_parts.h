// What rules on values share: words, conditions as comparisons, and places where all lanes are on.
#pragma once

#include "rule_table.h"

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>

namespace sfpu::rewriting {

constexpr std::uint32_t fp32_one = 0x3f800000u, fp32_sign = 0x80000000u, fp32_infinity = 0x7f800000u;
constexpr value zero_register = 9, one_register = 10;
constexpr unsigned negate_va_bit = 1, negate_vc_bit = 2, indirect_va_bit = 4;

/// A word with register fields of zero.
constexpr std::uint32_t word_of(std::uint8_t opcode, unsigned mod = 0, int imm = 0) {
    return std::uint32_t{opcode} << 24 | (static_cast<std::uint32_t>(imm) & 0xfffu) << 12 | mod;
}

/// Puts steps into a row, one behind the other, where all lanes are on.
class step_writer {
public:
    step_writer(row& into, std::size_t at, unsigned line) : into_(into), at_(at), line_(line) {}

    value multiply_add(value a, value b, value c, unsigned mod = 0);
    value of_vc(std::uint8_t opcode, value c, unsigned mod = 0, int imm = 0);
    /// The word has one register for the result and the first operand.
    value of_vd_vc(std::uint8_t opcode, value d, value c, unsigned mod = 0, int imm = 0);
    /// By an immediate, up if positive, zeros coming in.
    value shifted(value of, int by);
    /// The same by SFPSHFT2, which leaves its operand alone.
    value shifted_beside(value of, int by);
    /// The greater or the lesser of two in the order of sign and magnitude.
    value exchanged(value x, value bound, bool greater);
    /// zero * 1 + c where the number is 0, k * 1 + c where it is 1: L7 names L0 or L1.
    value add_named(value number, value zero, value k, value c);
    value constant(std::uint32_t bits);
    value put(step s);
    std::size_t at() const { return at_; }

private:
    row& into_;
    std::size_t at_;
    unsigned line_;
};

/// A step that writes where a condition holds, and leaves another value elsewhere.
struct predicated_write {
    std::size_t at = 0;
    condition on = always;
    value old = no_value, result = no_value;
};
std::optional<predicated_write> predicated_write_at(const row& of, std::size_t at);

/// The constant that a step moves to its result in the lanes where it acts.
std::optional<std::uint32_t> moved_constant(const row& of, const step& s);

enum class order : std::uint8_t { less, not_less, greater, not_greater };
/// A condition that compares a value with a constant, both as FP32, by the sign of `difference`: the value
/// itself where the constant is 0, or else value - constant.
struct comparison {
    value of = no_value;
    std::uint32_t with = 0;
    order how = order::less;
    value difference = no_value;
};
/// With 0.
std::optional<comparison> comparison_of(const row& of, condition on);
/// The same as one with the constant that was subtracted.
std::optional<comparison> comparison_by_difference(const row& of, const comparison& with_zero);

/// Whether the sign of x - k in FP32 tells the order of x and k, whatever number x is: it is k itself or at
/// least an ulp away, and an ulp must be no denormal.
bool difference_tells_order(std::uint32_t k);

/// What a condition says of one value: its sign, or that it is zero.
struct literal {
    value of = no_value;
    bool holds = true, is_sign = true;
    std::uint32_t bits = 0xffffffffu; ///< that are asked to be zero
};
std::optional<literal> literal_of(const row& of, condition on);

/// The last place before `at`, or `at` itself, where all lanes are on and these values are there.
std::optional<std::size_t> open_place(const row& of, std::size_t at, std::initializer_list<value> read);

bool is_multiply_add(const step& s);
/// a * b + c without indirect registers, with every operand said; VA of SFPADD and so on are what they are.
struct multiply_add_parts {
    value a = no_value, b = no_value, c = no_value;
    bool negates_a = false, negates_c = false;
};
/// Of a step in all lanes.
std::optional<multiply_add_parts> parts_of_multiply_add(const row& of, int at);

/// a * b + c as SFPMAD computes it.
std::uint32_t multiplied_and_added(const row& of, std::uint32_t a, std::uint32_t b, std::uint32_t c);

/// Whether it makes no difference to anybody who reads it if a denormal value becomes a zero of its sign.
bool denormals_do_not_matter(const row& of, value v, unsigned depth = 0);
/// A negative NaN does not occur. `assumed`: what only the user says.
bool is_no_negative_nan(const row& of, value v, std::string& assumed, unsigned depth = 0);

} // namespace sfpu::rewriting
