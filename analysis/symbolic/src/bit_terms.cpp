// The normal form of words as bits of other words: an or of pieces, each some bits of a word, moved. So the
// orders of bits of registers and of Dst cancel, and masks and shifts that come to the same are the same.
#include <sfpu/analysis/terms.h>

#include <algorithm>
#include <array>
#include <utility>

namespace sfpu::analysis {
namespace {

constexpr std::uint32_t moved_bits(std::uint32_t bits, int up) {
    if (up >= 32 || up <= -32) return 0;
    return up >= 0 ? bits << up : bits >> -up;
}

} // namespace

term term_pool::route(term from, int up, std::uint32_t mask) {
    const node of = at(from);
    if (of.kind == term_kind::constant) return constant(moved_bits(of.bits, up) & mask);
    mask &= moved_bits(of.possible, up);
    if (mask == 0) return constant(0);
    if (up == 0 && mask == of.possible) return from;
    if (of.kind == term_kind::routed)
        return route(argument(from, 0), up + of.moved, mask & moved_bits(of.bits, up));
    if (of.kind == term_kind::either || of.kind == term_kind::differs || of.kind == term_kind::chosen) {
        // The same bits of the same term are wanted again and again.
        const std::uint64_t key = (std::uint64_t{from} << 6 | static_cast<unsigned>(up + 31)) << 32 ^ mask;
        if (from < 1u << 26)
            if (const auto known = known_routes_.find(key); known != known_routes_.end())
                return known->second;
        const term made = routed_parts(from, up, mask);
        if (from < 1u << 26) known_routes_.emplace(key, made);
        return made;
    }
    node made{term_kind::routed};
    made.bits = made.possible = mask;
    made.moved = static_cast<std::int8_t>(up);
    return make(made, &from, 1);
}

/// Of a term whose parts the bits are taken from.
term term_pool::routed_parts(term from, int up, std::uint32_t mask) {
    const node of = at(from);
    switch (of.kind) {
    case term_kind::either: {
        term result = constant(moved_bits(of.bits, up) & mask);
        for (unsigned i = 0; i < of.count; ++i) result = or_of(result, route(argument(from, i), up, mask));
        return result;
    }
    case term_kind::differs: {
        term result = constant(moved_bits(of.bits, up) & mask);
        for (unsigned i = 0; i < of.count; ++i) result = xor_of(result, route(argument(from, i), up, mask));
        return result;
    }
    default: {
        const term yes = route(argument(from, 1), up, mask), no = route(argument(from, 2), up, mask);
        return choose(argument(from, 0), yes, no);
    }
    }
}

void term_pool::gather(term from, std::vector<term>& pieces, std::uint32_t& bits) const {
    const node& of = at(from);
    if (of.kind == term_kind::constant) bits |= of.bits;
    else if (of.kind == term_kind::either) {
        bits |= of.bits;
        pieces.insert(pieces.end(), arguments(from), arguments(from) + of.count);
    } else pieces.push_back(from);
}

term term_pool::or_of(term a, term b) {
    if (a == b) return a;
    if (is_constant(a) && at(a).bits == 0) return b;
    if (is_constant(b) && at(b).bits == 0) return a;
    std::vector<term> pieces;
    std::uint32_t bits = 0;
    gather(a, pieces, bits);
    gather(b, pieces, bits);
    // Pieces of one word that were moved alike are one piece.
    struct piece {
        term of;
        int moved;
        std::uint32_t mask;
    };
    std::vector<piece> joined;
    for (const term each : pieces) {
        const node& of = at(each);
        piece one{each, 0, of.possible};
        if (of.kind == term_kind::routed) one = {argument(each, 0), of.moved, of.bits};
        const auto same = std::find_if(joined.begin(), joined.end(), [&](const piece& other) {
            return other.of == one.of && other.moved == one.moved;
        });
        if (same != joined.end()) same->mask |= one.mask;
        else joined.push_back(one);
    }
    std::vector<term> parts;
    for (const piece& one : joined) {
        const term kept = route(one.of, one.moved, one.mask & ~bits);
        if (!is_constant(kept)) parts.push_back(kept);
        else bits |= at(kept).bits;
    }
    std::sort(parts.begin(), parts.end());
    parts.erase(std::unique(parts.begin(), parts.end()), parts.end());
    if (parts.empty()) return constant(bits);
    if (parts.size() == 1 && bits == 0) return parts.front();
    node made{term_kind::either};
    made.bits = made.possible = bits;
    for (const term part : parts) made.possible |= at(part).possible;
    return make(made, parts.data(), parts.size());
}

term term_pool::and_of(term a, term b) {
    if (is_constant(a)) return keep(b, at(a).bits);
    if (is_constant(b)) return keep(a, at(b).bits);
    std::vector<term> parts;
    for (const term each : {a, b})
        if (at(each).kind == term_kind::both)
            parts.insert(parts.end(), arguments(each), arguments(each) + at(each).count);
        else parts.push_back(each);
    std::sort(parts.begin(), parts.end());
    parts.erase(std::unique(parts.begin(), parts.end()), parts.end());
    if (parts.size() == 1) return parts.front();
    node made{term_kind::both};
    made.possible = 0xffffffffu;
    for (const term part : parts) made.possible &= at(part).possible;
    if (made.possible == 0) return constant(0);
    return make(made, parts.data(), parts.size());
}

term term_pool::xor_of(term a, term b) {
    if (is_constant(a)) std::swap(a, b);
    if (is_constant(b)) {
        if (at(b).bits == 0) return a;
        if (is_constant(a)) return constant(at(a).bits ^ at(b).bits);
        if ((at(a).possible & at(b).bits) == 0) return or_of(a, b);
        if (at(a).kind == term_kind::chosen) {
            const term yes = xor_of(argument(a, 1), b), no = xor_of(argument(a, 2), b);
            return choose(argument(a, 0), yes, no);
        }
    }
    std::vector<term> parts;
    std::uint32_t bits = 0, possible = 0;
    for (const term each : {a, b}) {
        const node& of = at(each);
        if (of.kind == term_kind::constant) {
            bits ^= of.bits;
        } else if (of.kind == term_kind::differs) {
            bits ^= of.bits;
            parts.insert(parts.end(), arguments(each), arguments(each) + of.count);
        } else {
            parts.push_back(each);
        }
    }
    std::sort(parts.begin(), parts.end());
    std::vector<term> kept;
    for (const term part : parts)
        if (!kept.empty() && kept.back() == part) kept.pop_back();
        else kept.push_back(part);
    if (kept.empty()) return constant(bits);
    if (kept.size() == 1 && bits == 0) return kept.front();
    for (const term part : kept) possible |= at(part).possible;
    node made{term_kind::differs};
    made.bits = bits;
    made.possible = possible | bits;
    return make(made, kept.data(), kept.size());
}

term term_pool::shift(term value, term amount) {
    const node& by = at(amount);
    if (by.kind == term_kind::constant) {
        const auto places = static_cast<int>((by.bits >> 31 ? 0u - by.bits : by.bits) & 31u);
        return route(value, by.bits >> 31 ? -places : places);
    }
    node made{term_kind::shifted};
    made.possible = 0xffffffffu;
    const term parts[2] = {value, amount};
    return make(made, parts, 2);
}

term term_pool::shift_arithmetic(term value, term amount) {
    const node &by = at(amount), &of = at(value);
    if (by.kind == term_kind::constant) {
        const auto places = static_cast<int>((by.bits >> 31 ? 0u - by.bits : by.bits) & 31u);
        if (by.bits >> 31 == 0) return route(value, places);
        if (places == 0) return value;
        // The sign is a condition.
        const std::uint32_t above = ~(0xffffffffu >> places);
        return or_of(route(value, -places), choose(negative(value), constant(above), constant(0)));
    }
    if ((of.possible & 0x80000000u) == 0) return shift(value, amount);
    node made{term_kind::shifted_arithmetically};
    made.possible = 0xffffffffu;
    const term parts[2] = {value, amount};
    return make(made, parts, 2);
}

} // namespace sfpu::analysis
