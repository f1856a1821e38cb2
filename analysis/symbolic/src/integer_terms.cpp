#include <sfpu/analysis/integer_terms.h>

#include <sfpu/isa/table.h>

#include <algorithm>
#include <utility>

namespace sfpu::analysis {
namespace {

namespace opcode = isa::opcode;

constexpr std::int64_t exact_limit = 1 << 24, first_of_binade = 1 << 23;
constexpr std::uint32_t mantissa_mask = 0x7fffffu, hidden_bit = 0x800000u, sign_mask = 0x80000000u;
constexpr std::uint32_t word_of_binade = 0x4b000000u; // 2^23
constexpr std::size_t most_monomials = 5000;

template <class Polynomial>
void add_to(Polynomial& to, const Polynomial& from, std::int64_t factor) {
    for (const auto& [of, by] : from)
        if ((to[of] += by * factor) == 0) to.erase(of);
}

template <class Polynomial>
std::pair<std::int64_t, std::int64_t> range_of(const Polynomial& of) {
    std::pair<std::int64_t, std::int64_t> range{0, 0};
    for (const auto& [each, by] : of) {
        const bool is_constant = each[0] == 0;
        if (is_constant || by < 0) range.first += by;
        if (is_constant || by > 0) range.second += by;
    }
    return range;
}

/// Puts a bit into a product of bits, which are their own squares, in order; false if it is full.
template <class Monomial>
bool inserted(std::uint32_t bit, Monomial& into) {
    for (std::uint32_t& place : into) {
        if (bit == 0 || place == bit) return true;
        if (place == 0 || bit < place) std::swap(place, bit);
    }
    return bit == 0;
}

/// The product of two; nothing if it has too many bits at once, or is too large.
template <class Polynomial>
std::optional<Polynomial> product_of(const Polynomial& a, const Polynomial& b) {
    Polynomial made;
    for (const auto& [of_a, by_a] : a)
        for (const auto& [of_b, by_b] : b) {
            auto joined = of_a;
            for (const std::uint32_t bit : of_b)
                if (!inserted(bit, joined)) return std::nullopt;
            if ((made[joined] += by_a * by_b) == 0) made.erase(joined);
            if (made.size() > most_monomials) return std::nullopt;
        }
    return made;
}

template <class Polynomial>
Polynomial constant_polynomial(std::int64_t value) {
    Polynomial made;
    if (value != 0) made[{}] = value;
    return made;
}

/// The integer that an FP32 number is; -0 is none.
std::optional<std::int64_t> integer_of_float(std::uint32_t bits) {
    if (bits == 0) return 0;
    const int down = 150 - static_cast<int>(bits >> 23 & 255u);
    if (down < 0 || down > 23) return std::nullopt;
    const std::uint32_t mantissa = (bits & mantissa_mask) | hidden_bit;
    if (mantissa & ((1u << down) - 1u)) return std::nullopt;
    const std::int64_t size = mantissa >> down;
    return bits >> 31 ? -size : size;
}

} // namespace

bool integer_terms::are_equal(term a, term b) {
    std::set<std::pair<int, std::uint32_t>> order_of_a, order_of_b;
    const auto in_a = reordered(a, order_of_a), in_b = reordered(b, order_of_b);
    if (in_a && in_b && order_of_a == order_of_b && are_equal(*in_a, *in_b)) return true;
    const std::vector<piece> pieces_of_a = pieces_of(a), pieces_of_b = pieces_of(b);
    const bool are_alike =
        !pieces_of_a.empty() && pool_.at(a).kind == pool_.at(b).kind && pool_.at(a).bits == pool_.at(b).bits;
    if (are_alike &&
        std::equal(pieces_of_a.begin(), pieces_of_a.end(), pieces_of_b.begin(), pieces_of_b.end(),
                   [&](const piece& x, const piece& y) { return are_equal(x, y); }))
        return true;
    return are_equal(word(a), word(b), 32);
}

bool integer_terms::are_equal(const maybe& a, const maybe& b, int count) {
    if (!a || !b) return false;
    polynomial difference = *a;
    add_to(difference, *b, -1);
    const std::uint64_t mask = (std::uint64_t{1} << count) - 1;
    return std::all_of(difference.begin(), difference.end(), [&](const auto& each) {
        return (static_cast<std::uint64_t>(each.second) & mask) == 0;
    });
}

bool integer_terms::are_equal(const piece& a, const piece& b) {
    if (a.up != b.up || a.count != b.count) return false;
    return a.of == b.of || are_equal(low_bits(a.of, a.count), low_bits(b.of, b.count), a.count);
}

/// The lowest bits of other words that a word is put together of, from below; empty if it is not.
std::vector<integer_terms::piece> integer_terms::pieces_of(term which) const {
    const term_pool::node& of = pool_.at(which);
    std::vector<piece> found;
    const auto take = [&](term part) {
        const term_pool::node& routed = pool_.at(part);
        if (routed.kind != term_kind::routed || routed.moved < 0) return false;
        for (int count = 1; count < 32; ++count)
            if (routed.bits == ((1u << count) - 1u) << routed.moved) {
                found.push_back({pool_.argument(part, 0), routed.moved, count});
                return true;
            }
        return false;
    };
    if (of.kind == term_kind::routed) return take(which) ? found : std::vector<piece>{};
    if (of.kind != term_kind::either) return {};
    for (unsigned i = 0; i < of.count; ++i)
        if (!take(pool_.argument(which, i))) return {};
    std::sort(found.begin(), found.end(), [](const piece& a, const piece& b) { return a.up < b.up; });
    return found;
}

/// What a word is modulo 2^count: bits above are no part of it, whatever the terms say of them.
integer_terms::maybe integer_terms::low_bits(term which, int count) {
    if (const maybe& all = word(which)) return all;
    const term_pool::node& of = pool_.at(which);
    if (of.kind == term_kind::routed && of.moved >= 0 && of.moved < count) {
        const std::uint32_t kept = ((1u << (count - of.moved)) - 1u) << of.moved;
        if ((of.bits & kept) != kept) return std::nullopt;
        maybe source = low_bits(pool_.argument(which, 0), count - of.moved);
        if (source)
            for (auto& [each, by] : *source) by = (by & 0xffffffff) << of.moved & 0xffffffff;
        return source;
    }
    if (of.kind != term_kind::sum) return std::nullopt;
    polynomial made = constant_polynomial<polynomial>(of.bits);
    for (unsigned i = 0; i < of.count; ++i) {
        const maybe part = low_bits(pool_.argument(which, i), count);
        if (!part) return std::nullopt;
        add_to(made, *part, 1);
    }
    return made;
}

const integer_terms::maybe& integer_terms::word(term which) {
    if (const auto found = words_.find(which); found != words_.end()) return found->second;
    maybe made = computed_word(which);
    return words_[which] = std::move(made);
}
const integer_terms::maybe& integer_terms::number(term which) {
    if (const auto found = numbers_.find(which); found != numbers_.end()) return found->second;
    maybe made = computed_number(which);
    return numbers_[which] = std::move(made);
}

/// The bits that a word is made of, where it is put together of parts of variables.
integer_terms::maybe integer_terms::bits_of(term which) const {
    const term_pool::node& of = pool_.at(which);
    polynomial made;
    if (of.kind == term_kind::either) {
        std::uint32_t seen = of.bits;
        add_to(made, constant_polynomial<polynomial>(of.bits), 1);
        for (unsigned i = 0; i < of.count; ++i) {
            const term part = pool_.argument(which, i);
            const maybe bits = seen & pool_.at(part).possible ? std::nullopt : bits_of(part);
            if (!bits) return std::nullopt;
            seen |= pool_.at(part).possible;
            add_to(made, *bits, 1);
        }
        return made;
    }
    const bool is_part = of.kind == term_kind::routed;
    const term source = is_part ? pool_.argument(which, 0) : which;
    if (pool_.at(source).kind != term_kind::variable || source >= 1u << 26) return std::nullopt;
    for (int bit = 0; bit < 32; ++bit) {
        const int from = is_part ? bit - of.moved : bit;
        if (from < 0 || from > 31 || (is_part && !(of.bits >> bit & 1u))) continue;
        made[{(source << 5 | static_cast<unsigned>(from)) + 1u}] = std::int64_t{1} << bit;
    }
    return made;
}

/// The word whose bits, in another order, another word has: as Dst keeps it.
std::optional<term> integer_terms::reordered(term which,
                                             std::set<std::pair<int, std::uint32_t>>& order) const {
    const term_pool::node& of = pool_.at(which);
    if (of.kind != term_kind::either || of.bits != 0) return std::nullopt;
    std::optional<term> source;
    for (unsigned i = 0; i < of.count; ++i) {
        const term part = pool_.argument(which, i);
        if (pool_.at(part).kind != term_kind::routed) return std::nullopt;
        const term from = pool_.argument(part, 0);
        if (source && *source != from) return std::nullopt;
        source = from;
        order.emplace(pool_.at(part).moved, pool_.at(part).bits);
    }
    return source;
}

integer_terms::maybe integer_terms::computed_word(term which) {
    const term_pool::node& of = pool_.at(which);
    switch (of.kind) {
    case term_kind::constant: return constant_polynomial<polynomial>(of.bits);
    case term_kind::variable: return bits_of(which);
    case term_kind::routed: return routed(which);
    case term_kind::either: // a sum where no bit is in two of them
    case term_kind::sum: {
        std::uint32_t seen = of.bits;
        polynomial made = constant_polynomial<polynomial>(of.bits);
        for (unsigned i = 0; i < of.count; ++i) {
            const term each = pool_.argument(which, i);
            const maybe& part = word(each);
            if (!part || (of.kind == term_kind::either && (seen & pool_.at(each).possible)))
                return std::nullopt;
            seen |= pool_.at(each).possible;
            add_to(made, *part, 1);
        }
        return made;
    }
    case term_kind::scaled: {
        const maybe& part = word(pool_.argument(which, 0));
        if (!part) return std::nullopt;
        polynomial made;
        for (const auto& [each, by] : *part)
            made[each] = static_cast<std::uint32_t>(by) * std::int64_t{of.bits} & 0xffffffff;
        return made;
    }
    case term_kind::chosen: return converted(which);
    case term_kind::applied: {
        if (is_rounded(which)) return rounded(which);
        const maybe& value = number(which);
        if (!value) return std::nullopt;
        const auto [least, greatest] = range_of(*value);
        if (least < first_of_binade || greatest > exact_limit) return std::nullopt;
        polynomial made = *value;
        add_to(made, constant_polynomial<polynomial>(word_of_binade - first_of_binade), 1);
        return made;
    }
    default: return std::nullopt;
    }
}

/// Part of a variable; the mantissa of a number from 2^23 on; or a word shifted up.
integer_terms::maybe integer_terms::routed(term which) {
    if (maybe bits = bits_of(which)) return bits;
    const term_pool::node& of = pool_.at(which);
    const term source = pool_.argument(which, 0);
    if (of.moved == 0 && of.bits == mantissa_mask) {
        const maybe& value = number(source);
        if (!value) return std::nullopt;
        const auto [least, greatest] = range_of(*value);
        if (least < first_of_binade || greatest >= exact_limit) return std::nullopt;
        polynomial made = *value;
        add_to(made, constant_polynomial<polynomial>(first_of_binade), -1);
        return made;
    }
    const bool is_whole = of.moved > 0 && of.bits == pool_.at(source).possible << of.moved;
    const maybe& part = is_whole ? word(source) : maybe{};
    if (!is_whole || !part) return std::nullopt;
    polynomial made;
    for (const auto& [each, by] : *part) made[each] = (by & 0xffffffff) << of.moved & 0xffffffff;
    return made;
}

/// SFPSTOCHRND of FP32 to UINT16, to the nearest.
bool integer_terms::is_rounded(term which) const {
    constexpr unsigned to_uint16 = 6;
    const term_operator& by = pool_.operator_of(which);
    return by.insn.op->opcode == opcode::sfpstochrnd && by.insn.mod == to_uint16 && by.insn.rounding == 0 &&
           !by.takes_random;
}
integer_terms::maybe integer_terms::rounded(term which) {
    const maybe& value = number(pool_.argument(which, 0));
    if (!value) return std::nullopt;
    const auto [least, greatest] = range_of(*value);
    return least >= 0 && greatest <= 0xffff ? value : std::nullopt;
}

// --- FP32 numbers made integers by their exponent ----------------------------------------------------------

/// The exponent of `sum` less 150, plus something: that.
std::optional<int> integer_terms::exponent_shift(term amount, term sum) const {
    const term_pool::node& of = pool_.at(amount);
    if (of.kind != term_kind::sum || of.count != 1) return std::nullopt;
    const term field = pool_.argument(amount, 0);
    const term_pool::node& exponent = pool_.at(field);
    if (exponent.kind != term_kind::routed || exponent.moved != -23 || exponent.bits != 0xffu ||
        pool_.argument(field, 0) != sum)
        return std::nullopt;
    return static_cast<int>(of.bits) + 150;
}

bool integer_terms::is_mantissa(term which, term sum) const {
    const term_pool::node& of = pool_.at(which);
    if (of.kind != term_kind::either || of.bits != hidden_bit || of.count != 1) return false;
    const term part = pool_.argument(which, 0);
    return pool_.at(part).kind == term_kind::routed && pool_.at(part).moved == 0 &&
           pool_.at(part).bits == mantissa_mask && pool_.argument(part, 0) == sum;
}

/// Whether a condition says that the exponent of `sum` is not negative, or that it is.
bool integer_terms::is_normal(term condition, term sum, bool& holds) const {
    holds = true;
    if (pool_.at(condition).kind == term_kind::negation) {
        holds = false;
        condition = pool_.argument(condition, 0);
    }
    if (pool_.at(condition).kind != term_kind::is_zero) return false;
    const term sign = pool_.argument(condition, 0);
    if (pool_.at(sign).kind != term_kind::routed || pool_.at(sign).moved != 0 ||
        pool_.at(sign).bits != sign_mask)
        return false;
    constexpr int unbiased = 150 - 127;
    return exponent_shift(pool_.argument(sign, 0), sum) == unbiased;
}

integer_terms::maybe integer_terms::converted(term which) {
    const term condition = pool_.argument(which, 0);
    term shift = pool_.argument(which, 1), sum = pool_.argument(which, 2);
    const bool is_first = pool_.at(shift).kind == term_kind::shifted;
    if (!is_first) std::swap(shift, sum);
    bool holds = false;
    if (pool_.at(shift).kind != term_kind::shifted || !is_normal(condition, sum, holds) || holds != is_first)
        return std::nullopt;
    const auto where_it_shifts = [&](term of) { // what is chosen by the same condition
        if (pool_.at(of).kind != term_kind::chosen || pool_.argument(of, 0) != condition) return of;
        return pool_.argument(of, is_first ? 1 : 2);
    };
    const term mantissa = where_it_shifts(pool_.argument(shift, 0)),
               amount = where_it_shifts(pool_.argument(shift, 1));
    if (!is_mantissa(mantissa, sum)) return std::nullopt;
    const auto up = exponent_shift(amount, sum);
    const maybe& value = number(sum);
    if (!up || *up < 0 || *up > 8 + 23 || !value) return std::nullopt;
    const auto [least, greatest] = range_of(*value);
    if (least < 0 || greatest >= exact_limit) return std::nullopt;
    polynomial made;
    for (const auto& [each, by] : *value) made[each] = (by & 0xffffffff) << *up & 0xffffffff;
    return made;
}

// --- FP32 numbers that are integers ------------------------------------------------------------------------

integer_terms::maybe integer_terms::computed_number(term which) {
    const term_pool::node& of = pool_.at(which);
    if (of.kind == term_kind::constant) {
        const auto integer = integer_of_float(of.bits);
        return integer ? maybe(constant_polynomial<polynomial>(*integer)) : std::nullopt;
    }
    if (of.kind != term_kind::applied) return std::nullopt;
    const term_operator& by = pool_.operator_of(which);
    if (by.takes_random) return std::nullopt;
    if (by.insn.op->opcode == opcode::sfpcast) {
        const term integer = pool_.argument(which, 0);
        return pool_.at(integer).possible < exact_limit ? bits_of(integer) : std::nullopt;
    }
    return by.insn.op->opcode == opcode::sfpmad ? multiplied_added(which) : std::nullopt;
}

integer_terms::maybe integer_terms::multiplied_added(term which) {
    const maybe a = number(pool_.argument(which, 0)), b = number(pool_.argument(which, 1)),
                c = number(pool_.argument(which, 2));
    if (!a || !b || !c) return std::nullopt;
    maybe made = product_of(*a, *b);
    const auto is_exact = [](const polynomial& of) {
        const auto [least, greatest] = range_of(of);
        return -exact_limit <= least && greatest <= exact_limit;
    };
    if (!made || !is_exact(*made)) return std::nullopt;
    add_to(*made, *c, 1);
    return is_exact(*made) ? made : std::nullopt;
}

} // namespace sfpu::analysis
