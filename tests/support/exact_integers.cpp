#include "exact_integers.h"

#include <boost/multiprecision/cpp_int.hpp>

#include <stdexcept>
#include <string>

namespace sfpu::test {
namespace {

/// Throws where a result has no room.
using integer = boost::multiprecision::checked_int512_t;

integer power_of_two(unsigned n) { return integer{1} << n; }

/// The number that `bits` bits hold in two's complement.
integer from_complement(std::uint32_t word, unsigned bits) {
    return word < power_of_two(bits - 1) ? integer{word} : word - power_of_two(bits);
}
/// The word that holds it in two's complement. Throws if none does.
std::uint32_t to_complement(const integer& number) {
    if (number < -power_of_two(31) || number >= power_of_two(31))
        throw std::range_error("no room for " + number.str());
    return (number < 0 ? number + power_of_two(32) : number).convert_to<std::uint32_t>();
}
std::uint32_t wrapped(const integer& number) {
    const integer rest = number % power_of_two(32); // as negative as the number
    return (rest < 0 ? rest + power_of_two(32) : rest).convert_to<std::uint32_t>();
}

struct fields {
    std::uint32_t sign, exponent, fraction;
};
fields fields_of(std::uint32_t word) {
    return {word / 0x80000000u, word / 0x800000u % 256, word % 0x800000u};
}
std::uint32_t word_of(const fields& parts) {
    return wrapped(parts.sign * power_of_two(31) + parts.exponent * power_of_two(23) + parts.fraction);
}

/// The quotient that is not greater than the exact one, also of negative numbers.
integer floor_divided(const integer& number, const integer& by) {
    const integer quotient = number / by;
    return number % by < 0 ? quotient - 1 : quotient;
}

} // namespace

std::uint32_t exact_integer_add(unsigned modifier, std::uint32_t c, std::uint32_t d, unsigned immediate) {
    const integer augend = from_complement(c, 32);
    if (modifier % 2 == 1) return wrapped(augend + from_complement(immediate, 12));
    return wrapped(modifier / 2 % 2 == 1 ? augend - from_complement(d, 32) : augend + from_complement(d, 32));
}

std::uint32_t exact_logical_shift(std::uint32_t b, std::uint32_t amount) {
    const integer by = from_complement(amount, 32);
    if (by >= 0) return wrapped(b * power_of_two((by % 32).convert_to<unsigned>()));
    return wrapped(integer{b} / power_of_two((-by % 32).convert_to<unsigned>()));
}

std::uint32_t exact_shift(unsigned modifier, std::uint32_t c, std::uint32_t d, unsigned immediate,
                          architecture arch) {
    const bool by_immediate = modifier % 2 == 1, more = arch == architecture::blackhole;
    const std::uint32_t shifted = more && by_immediate && modifier / 4 % 2 == 1 ? c : d;
    const std::uint32_t amount = by_immediate ? to_complement(from_complement(immediate, 12)) : c;
    if (!more || modifier / 2 % 2 == 0) return exact_logical_shift(shifted, amount);
    const integer by = from_complement(amount, 32);
    if (by >= 0) return exact_logical_shift(shifted, amount);
    return to_complement(
        floor_divided(from_complement(shifted, 32), power_of_two((-by % 32).convert_to<unsigned>())));
}

std::uint32_t exact_absolute(bool fp32, std::uint32_t c) {
    if (fp32) {
        const fields parts = fields_of(c);
        const bool nan = parts.exponent == 255 && parts.fraction != 0;
        return nan ? c : word_of({0, parts.exponent, parts.fraction});
    }
    const integer number = from_complement(c, 32);
    return number < 0 ? wrapped(-number) : c;
}

std::uint32_t exact_leading_zeros(bool without_sign, std::uint32_t c) {
    const integer number = without_sign ? integer{c} % power_of_two(31) : integer{c};
    return number == 0 ? 32 : 31 - msb(number);
}

std::uint32_t exact_exponent(bool biased, std::uint32_t c) {
    return to_complement(integer{fields_of(c).exponent} - (biased ? 0 : 127));
}

std::uint32_t exact_mantissa(bool with_hidden_bit, std::uint32_t c) {
    return to_complement(fields_of(c).fraction + (with_hidden_bit ? power_of_two(23) : integer{0}));
}

std::uint32_t exact_set_exponent(unsigned modifier, std::uint32_t c, std::uint32_t d, unsigned immediate) {
    fields parts = fields_of(c);
    parts.exponent = modifier % 2 == 1       ? immediate % 256
                     : modifier / 2 % 2 == 1 ? fields_of(d).exponent
                                             : d % 256;
    return word_of(parts);
}

std::uint32_t exact_set_mantissa(unsigned modifier, std::uint32_t c, std::uint32_t d, unsigned immediate) {
    fields parts = fields_of(c);
    parts.fraction = modifier % 2 == 1 ? immediate * 2048 : fields_of(d).fraction;
    return word_of(parts);
}

std::uint32_t exact_set_sign(unsigned modifier, std::uint32_t c, std::uint32_t d, unsigned immediate) {
    fields parts = fields_of(c);
    parts.sign = modifier % 2 == 1 ? immediate % 2 : fields_of(d).sign;
    return word_of(parts);
}

std::uint32_t exact_load_immediate(unsigned mode, unsigned immediate, std::uint32_t old) {
    switch (mode) {
    case 0: return wrapped(immediate * power_of_two(16));
    case 1:
        // The same number with another bias. The page has neither subnormals nor infinities nor NaNs.
        return word_of({immediate / 0x8000u, immediate / 1024 % 32 + 127 - 15, immediate % 1024 * 8192});
    case 2: return immediate;
    case 4: return to_complement(from_complement(immediate, 16));
    case 8: return wrapped(immediate * power_of_two(16) + old % 65536);
    case 10: return wrapped(old / 65536 * power_of_two(16) + immediate);
    default: throw std::invalid_argument("mode " + std::to_string(mode));
    }
}

} // namespace sfpu::test
