// The pool, and the normal form of words that are sums, choices and operators; bits are in bit_terms.cpp.
#include <sfpu/analysis/terms.h>

#include "word_functions.h"

#include <sfpu/analysis/term_values.h>

#include <algorithm>
#include <array>
#include <utility>

namespace sfpu::analysis {

term_pool::term_pool(architecture arch) : arch_(arch), index_(1u << 12, no_term) {}

std::uint64_t term_pool::hash_of(const node& made, const term* arguments) const {
    constexpr std::uint64_t factor = 0x9e3779b97f4a7c15u;
    std::uint64_t hash = (static_cast<std::uint64_t>(made.kind) << 40 ^ made.bits ^
                          std::uint64_t{static_cast<std::uint8_t>(made.moved)} << 32) *
                         factor;
    for (unsigned i = 0; i < made.count; ++i) hash = (hash ^ hash >> 29 ^ arguments[i]) * factor;
    return hash ^ hash >> 32;
}

void term_pool::grow_index() {
    std::vector<term> wider(index_.size() * 2, no_term);
    for (term each = 0; each < nodes_.size(); ++each) {
        std::size_t place = hash_of(nodes_[each], arguments_.data() + nodes_[each].first);
        while (wider[place &= wider.size() - 1] != no_term) ++place;
        wider[place] = each;
    }
    index_ = std::move(wider);
}

term term_pool::make(node made, const term* arguments, std::size_t count) {
    made.count = static_cast<std::uint16_t>(count);
    if (nodes_.size() * 2 >= index_.size()) grow_index();
    std::size_t place = hash_of(made, arguments);
    for (; index_[place &= index_.size() - 1] != no_term; ++place) {
        const node& there = nodes_[index_[place]];
        if (there.kind == made.kind && there.bits == made.bits && there.moved == made.moved &&
            there.count == made.count &&
            std::equal(arguments, arguments + count, arguments_.begin() + there.first))
            return index_[place];
    }
    // The arguments may lie in the vector that grows.
    std::array<term, 16> few;
    std::vector<term> many;
    const term* kept = few.data();
    if (count <= few.size()) std::copy(arguments, arguments + count, few.begin());
    else kept = (many.assign(arguments, arguments + count), many.data());
    made.first = static_cast<std::uint32_t>(arguments_.size());
    arguments_.insert(arguments_.end(), kept, kept + count);
    const auto number = static_cast<term>(nodes_.size());
    nodes_.push_back(made);
    index_[place] = number;
    return number;
}

term term_pool::constant(std::uint32_t value) {
    node made{term_kind::constant};
    made.bits = made.possible = value;
    return make(made, nullptr, 0);
}

term term_pool::variable(variable_kind kind, std::uint32_t place) {
    const auto [found, is_new] =
        variable_terms_.emplace(static_cast<std::uint64_t>(kind) << 32 | place, no_term);
    if (!is_new) return found->second;
    node made{term_kind::variable};
    made.bits = static_cast<std::uint32_t>(variables_.size());
    made.possible = 0xffffffffu;
    variables_.push_back({kind, place});
    return found->second = make(made, nullptr, 0);
}

// --- sums --------------------------------------------------------------------------------------------------

struct term_pool::linear {
    std::vector<std::pair<term, std::uint32_t>> factors;
    std::uint32_t constant = 0;
};

/// Whether it is a word times a power of two: shifted up, and nothing masked that was there.
bool term_pool::is_full_shift(term which) const {
    const node& of = at(which);
    return of.kind == term_kind::routed && of.moved > 0 &&
           of.bits == at(argument(which, 0)).possible << of.moved;
}

void term_pool::collect(term from, std::uint32_t factor, linear& into) const {
    const node& of = at(from);
    if (of.kind == term_kind::constant) {
        into.constant += factor * of.bits;
    } else if (of.kind == term_kind::sum) {
        into.constant += factor * of.bits;
        for (unsigned i = 0; i < of.count; ++i) collect(argument(from, i), factor, into);
    } else if (of.kind == term_kind::scaled) {
        collect(argument(from, 0), factor * of.bits, into);
    } else if (of.kind == term_kind::differs && of.count == 1 && of.bits == 0xffffffffu) { // -x - 1
        into.constant -= factor;
        collect(argument(from, 0), 0u - factor, into);
    } else if (of.kind == term_kind::differs && of.count == 1 && of.bits == 0x80000000u) {
        into.constant += factor * 0x80000000u;
        collect(argument(from, 0), factor, into);
    } else if (is_full_shift(from)) {
        collect(argument(from, 0), factor << of.moved, into);
    } else {
        into.factors.emplace_back(from, factor);
    }
}

term term_pool::rebuilt(linear& from) {
    std::sort(from.factors.begin(), from.factors.end());
    std::vector<std::pair<term, std::uint32_t>> joined;
    for (const auto& [of, factor] : from.factors) {
        if (!joined.empty() && joined.back().first == of) joined.back().second += factor;
        else joined.emplace_back(of, factor);
        if (joined.back().second == 0) joined.pop_back();
    }
    if (joined.empty()) return constant(from.constant);
    const auto scaled_term = [&](term of, std::uint32_t factor) {
        if (factor == 1) return of;
        if ((factor & (factor - 1)) == 0) return route(of, __builtin_ctz(factor));
        node made{term_kind::scaled};
        made.bits = factor;
        made.possible = 0xffffffffu;
        return make(made, &of, 1);
    };
    if (joined.size() == 1) {
        const auto [of, factor] = joined.front();
        if (from.constant == 0) return scaled_term(of, factor);
        if (factor == 1 && from.constant == 0x80000000u) return xor_of(of, constant(0x80000000u));
        if (factor == 0xffffffffu && from.constant == 0xffffffffu) return not_of(of);
    }
    std::vector<term> parts;
    for (const auto& [of, factor] : joined) parts.push_back(scaled_term(of, factor));
    node made{term_kind::sum};
    made.bits = from.constant;
    made.possible = 0xffffffffu;
    return make(made, parts.data(), parts.size());
}

term term_pool::add(term a, term b) {
    if (is_constant(a) && at(a).bits == 0) return b;
    if (is_constant(b) && at(b).bits == 0) return a;
    linear all;
    collect(a, 1, all);
    collect(b, 1, all);
    return rebuilt(all);
}

term term_pool::scale(term a, std::uint32_t by) {
    linear all;
    collect(a, by, all);
    return rebuilt(all);
}

// --- choices and operators ---------------------------------------------------------------------------------

/// A choice where a condition holds: one of its arguments, if that decides which.
term term_pool::decided(term condition, term choice) {
    while (at(choice).kind == term_kind::chosen) {
        const term other = argument(choice, 0);
        const auto excludes = [&](term which) {
            const node& both = at(both_hold(condition, which));
            return both.kind == term_kind::truth && !both.bits;
        };
        if (excludes(other)) choice = argument(choice, 2);
        else if (excludes(negate(other))) choice = argument(choice, 1);
        else break;
    }
    return choice;
}

/// A word that is computed as `which` is, of other arguments.
term term_pool::computed_again(term which, const term* parts) {
    const node of = at(which);
    switch (of.kind) {
    case term_kind::routed: return route(parts[0], of.moved, of.bits);
    case term_kind::scaled: return scale(parts[0], of.bits);
    case term_kind::shifted: return shift(parts[0], parts[1]);
    case term_kind::shifted_arithmetically: return shift_arithmetic(parts[0], parts[1]);
    case term_kind::applied: {
        const term_operator by = operators_[of.bits];
        if (by.insn.is(isa::opcode::sfpmad) && of.count == 3) // which orders its operands
            return multiplied_added(*this, parts[0], parts[1], parts[2]);
        return apply(by, parts);
    }
    default: break;
    }
    term made = of.kind == term_kind::both ? constant(0xffffffffu) : constant(of.bits);
    for (unsigned i = 0; i < of.count; ++i) {
        if (of.kind == term_kind::sum) made = add(made, parts[i]);
        else if (of.kind == term_kind::either) made = or_of(made, parts[i]);
        else if (of.kind == term_kind::both) made = and_of(made, parts[i]);
        else made = xor_of(made, parts[i]);
    }
    return made;
}

/// A word where a condition holds: choices that it is made of or computed from are decided, some levels down.
term term_pool::where_holds(term condition, term word) {
    constexpr unsigned levels = 4;
    const auto is_computed = [](term_kind kind) {
        switch (kind) {
        case term_kind::routed:
        case term_kind::either:
        case term_kind::both:
        case term_kind::differs:
        case term_kind::sum:
        case term_kind::scaled:
        case term_kind::shifted:
        case term_kind::shifted_arithmetically:
        case term_kind::applied: return true;
        default: return false;
        }
    };
    const auto below = [&](const auto& self, term which, unsigned level) -> term {
        which = decided(condition, which);
        const node of = at(which);
        if (level == 0 || !is_computed(of.kind) || of.count > 8) return which;
        std::array<term, 8> parts{};
        bool any = false;
        for (unsigned i = 0; i < of.count; ++i) {
            parts[i] = self(self, argument(which, i), level - 1);
            any |= parts[i] != argument(which, i);
        }
        return any ? computed_again(which, parts.data()) : which;
    };
    return below(below, word, levels);
}

term term_pool::choose(term condition, term yes, term no) {
    if (yes == no) return yes;
    const node of = at(condition);
    if (of.kind == term_kind::truth) return of.bits ? yes : no;
    if (of.kind == term_kind::negation) return choose(argument(condition, 0), no, yes);
    yes = where_holds(condition, yes);
    no = where_holds(negate(condition), no);
    if (yes == no) return yes;
    const auto is_choice = [&](term which) { return at(which).kind == term_kind::chosen; };
    if (is_choice(yes) && argument(yes, 0) == condition) return choose(condition, argument(yes, 1), no);
    if (is_choice(no) && argument(no, 0) == condition) return choose(condition, yes, argument(no, 2));
    if (is_choice(no)) {
        const term other = argument(no, 0), first = argument(no, 1), second = argument(no, 2);
        if (first == yes) return choose(either_holds(condition, other), yes, second);
        if (second == yes) return choose(either_holds(condition, negate(other)), yes, first);
    }
    if (is_choice(yes)) {
        const term other = argument(yes, 0), first = argument(yes, 1), second = argument(yes, 2);
        if (second == no) return choose(both_hold(condition, other), first, no);
        if (first == no) return choose(both_hold(condition, negate(other)), second, no);
    }
    node made{term_kind::chosen};
    made.possible = at(yes).possible | at(no).possible;
    const term parts[3] = {condition, yes, no};
    return make(made, parts, 3);
}

term term_pool::step_random(term state) {
    node made{term_kind::random_step};
    made.possible = 0xffffffffu;
    return make(made, &state, 1);
}

namespace {

bool same_operator(const term_operator& a, const term_operator& b) {
    const isa::instruction &x = a.insn, &y = b.insn;
    return x.op == y.op && x.imm == y.imm && x.va == y.va && x.vb == y.vb && x.vc == y.vc && x.vd == y.vd &&
           x.mod == y.mod && x.rounding == y.rounding && a.count == b.count &&
           a.takes_random == b.takes_random && std::equal(a.reads, a.reads + a.count, b.reads);
}

} // namespace

std::uint32_t term_pool::operator_number(const term_operator& by) {
    const auto found = std::find_if(operators_.begin(), operators_.end(),
                                    [&](const term_operator& each) { return same_operator(each, by); });
    const auto number = static_cast<std::uint32_t>(found - operators_.begin());
    if (found == operators_.end()) operators_.push_back(by);
    return number;
}

term term_pool::apply(const term_operator& by, const term* arguments) {
    if (std::all_of(arguments, arguments + by.count, [&](term each) { return is_constant(each); })) {
        lanes values[8];
        for (unsigned i = 0; i < by.count; ++i) values[i] = broadcast(at(arguments[i]).bits);
        return constant(operator_values(by, arch_, values)[0]);
    }
    node made{term_kind::applied};
    made.bits = operator_number(by);
    made.possible = 0xffffffffu;
    return make(made, arguments, by.count);
}

// --- conditions --------------------------------------------------------------------------------------------

term term_pool::truth(bool value) {
    node made{term_kind::truth};
    made.bits = value;
    return make(made, nullptr, 0);
}

term term_pool::zero(term word) {
    const node of = at(word);
    if (of.kind == term_kind::constant) return truth(of.bits == 0);
    if (of.kind == term_kind::chosen) {
        if (const auto known = known_zeros_.find(word); known != known_zeros_.end()) return known->second;
        const term yes = zero(argument(word, 1)), no = zero(argument(word, 2));
        const term made = choose_condition(argument(word, 0), yes, no);
        known_zeros_.emplace(word, made);
        return made;
    }
    if (of.kind == term_kind::either && of.bits != 0) return truth(false);
    if (of.kind == term_kind::routed && of.moved != 0) {
        const std::uint32_t there = of.moved > 0 ? of.bits >> of.moved : of.bits << -of.moved;
        return zero(keep(argument(word, 0), there));
    }
    if (of.kind == term_kind::differs && of.count == 1) {
        const term only = argument(word, 0);
        const bool one_bit = (of.bits & (of.bits - 1)) == 0;
        if ((of.bits & ~at(only).possible) != 0) return truth(false);
        if (one_bit && at(only).possible == of.bits) return negate(zero(only));
    }
    if (of.kind == term_kind::differs && of.count + (of.bits != 0) == 2) {
        const term other = of.count == 2 ? argument(word, 1) : constant(of.bits);
        // A sum with the sign bit is written as what differs in it.
        if (const term difference = subtract(argument(word, 0), other); difference != word)
            return zero(difference);
    }
    if (of.kind == term_kind::scaled && (of.bits & 1)) return zero(argument(word, 0));
    if (of.kind == term_kind::sum) { // of a sum and its negative, the one that begins with a lesser factor
        const node& first = at(argument(word, 0));
        if (first.kind == term_kind::scaled && first.bits > 0x80000000u)
            return zero(scale(word, 0xffffffffu));
        if (of.count == 1 && first.kind != term_kind::scaled && ((0u - of.bits) & ~first.possible) != 0)
            return truth(false);
    }
    return make(node{term_kind::is_zero}, &word, 1);
}

/// Words between which nested choices choose, as they are written out: `most` if there are more.
unsigned term_pool::choices_of(term word, unsigned most) const {
    if (at(word).kind != term_kind::chosen) return 1;
    const unsigned first = choices_of(argument(word, 1), most);
    return first >= most ? most : std::min(most, first + choices_of(argument(word, 2), most - first));
}

term term_pool::less(term a, term b) {
    // Maxima of maxima have more choices than anybody can write out.
    constexpr unsigned most_choices = 64;
    if (a == b) return truth(false);
    const node left = at(a), right = at(b);
    if (left.kind == term_kind::constant && right.kind == term_kind::constant)
        return truth(sign_magnitude_before(left.bits, right.bits));
    // Nothing is before the least word, or behind the greatest.
    if (right.kind == term_kind::constant && right.bits == 0xffffffffu) return truth(false);
    if (left.kind == term_kind::constant && left.bits == 0x7fffffffu) return truth(false);
    // Before +0 and behind -0 are the signs.
    if (right.kind == term_kind::constant && right.bits == 0) return negative(a);
    if (left.kind == term_kind::constant && left.bits == 0x80000000u) return negate(negative(b));
    const bool is_short = choices_of(a, most_choices) * choices_of(b, most_choices) < most_choices;
    if (left.kind == term_kind::chosen && is_short)
        return choose_condition(argument(a, 0), less(argument(a, 1), b), less(argument(a, 2), b));
    if (right.kind == term_kind::chosen && is_short)
        return choose_condition(argument(b, 0), less(a, argument(b, 1)), less(a, argument(b, 2)));
    const term parts[2] = {a, b};
    return make(node{term_kind::is_less}, parts, 2);
}

term term_pool::negate(term condition) {
    const node& of = at(condition);
    if (of.kind == term_kind::truth) return truth(of.bits == 0);
    if (of.kind == term_kind::negation) return argument(condition, 0);
    return make(node{term_kind::negation}, &condition, 1);
}

term term_pool::both_hold(term a, term b) {
    std::vector<term> parts;
    for (const term each : {a, b}) {
        const node& of = at(each);
        if (of.kind == term_kind::truth) {
            if (of.bits == 0) return each;
        } else if (of.kind == term_kind::all) {
            parts.insert(parts.end(), arguments(each), arguments(each) + of.count);
        } else {
            parts.push_back(each);
        }
    }
    while (true) {
        std::sort(parts.begin(), parts.end());
        parts.erase(std::unique(parts.begin(), parts.end()), parts.end());
        for (const term each : parts)
            if ((at(each).kind == term_kind::truth && !at(each).bits) ||
                (at(each).kind == term_kind::negation &&
                 std::binary_search(parts.begin(), parts.end(), argument(each, 0))))
                return truth(false);
        if (!shorten(parts)) break;
    }
    if (parts.empty()) return truth(true);
    if (parts.size() == 1) return parts.front();
    return make(node{term_kind::all}, parts.data(), parts.size());
}

/// Takes from "not all of these" what holds anyway, by the other conditions: p and not (p and q) is p and not
/// q; and leaves it out if one of these does not hold. Whether a condition became another one.
bool term_pool::shorten(std::vector<term>& parts) {
    const auto is_part = [&](term which) { return std::binary_search(parts.begin(), parts.end(), which); };
    for (std::size_t at_part = 0; at_part < parts.size(); ++at_part) {
        const term each = parts[at_part];
        if (at(each).kind != term_kind::negation || at(argument(each, 0)).kind != term_kind::all) continue;
        const term inner = argument(each, 0);
        std::vector<term> rest;
        bool fails = false;
        for (unsigned i = 0; i < at(inner).count; ++i) {
            const term one = argument(inner, i);
            if (!is_part(one)) rest.push_back(one);
            fails = fails || is_part(negate(one));
        }
        if (fails) {
            parts.erase(parts.begin() + static_cast<std::ptrdiff_t>(at_part));
            return true;
        }
        if (rest.size() == at(inner).count) continue;
        if (rest.empty()) parts[at_part] = truth(false);
        else if (rest.size() == 1) parts[at_part] = negate(rest.front());
        else parts[at_part] = negate(make(node{term_kind::all}, rest.data(), rest.size()));
        // A negation of a negation of all of some: these.
        if (const term now = parts[at_part]; at(now).kind == term_kind::all) {
            parts.erase(parts.begin() + static_cast<std::ptrdiff_t>(at_part));
            parts.insert(parts.end(), arguments(now), arguments(now) + at(now).count);
        }
        return true;
    }
    return false;
}

} // namespace sfpu::analysis
