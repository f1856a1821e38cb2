// Words that are sums of products of bits, modulo 2^32, whatever way they were computed: by integers, or by
// FP32 numbers that are integers.
//
// What it rests on, beside the semantics of integer instructions:
//   * SFPMAD is exact on integers whose product and sum have at most 2^24 as magnitude;
//   * SFPCAST is exact on magnitudes below 2^24;
//   * the word of an FP32 integer from 2^23 to 2^24 is 0x4b000000 + the integer - 2^23;
//   * mantissa and exponent of an FP32 integer below 2^24 give it by a shift.
// Products of two unknown numbers are out of reach of a solver of bits; as polynomials they multiply out.
#pragma once

#include <sfpu/analysis/terms.h>

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <unordered_map>
#include <utility>
#include <vector>

namespace sfpu::analysis {

class integer_terms {
public:
    explicit integer_terms(const term_pool& pool) : pool_(pool) {}

    /// Two words of the pool are the same for all values of the variables. False: that is not known.
    bool are_equal(term a, term b);

private:
    /// Up to four different bits, by term and place; 0 if there are fewer.
    using monomial = std::array<std::uint32_t, 4>;
    using polynomial = std::map<monomial, std::int64_t>;
    using maybe = std::optional<polynomial>;

    /// The lowest `count` bits of a word, moved up.
    struct piece {
        term of = no_term;
        int up = 0, count = 0;
    };
    static bool are_equal(const maybe& a, const maybe& b, int count);
    bool are_equal(const piece& a, const piece& b);
    std::vector<piece> pieces_of(term which) const;
    maybe low_bits(term which, int count);
    const maybe& word(term which);
    const maybe& number(term which);
    maybe computed_word(term which);
    maybe computed_number(term which);
    maybe bits_of(term which) const;
    std::optional<term> reordered(term which, std::set<std::pair<int, std::uint32_t>>& order) const;
    maybe routed(term which);
    bool is_rounded(term which) const;
    maybe rounded(term which);
    maybe converted(term which);
    maybe multiplied_added(term which);
    std::optional<int> exponent_shift(term amount, term sum) const;
    bool is_mantissa(term which, term sum) const;
    bool is_normal(term condition, term sum, bool& holds) const;

    const term_pool& pool_;
    std::unordered_map<term, maybe> words_, numbers_;
};

} // namespace sfpu::analysis
