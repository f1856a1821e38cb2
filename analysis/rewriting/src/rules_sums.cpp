// Rules on FP32 sums that are integers: 2^23 as addend makes the mantissa the integer.
#include "rule_parts.h"

#include <algorithm>

namespace sfpu::rewriting {
namespace {

namespace opcode = isa::opcode;

constexpr std::int64_t hidden_one = 1 << 23;
constexpr std::uint32_t two_to_the_23 = 0x4b000000u;

struct integer_range {
    std::int64_t least = 0, greatest = 0;
};

/// The integer that a float is, if it is one below 2^24.
std::optional<std::int64_t> integer_of(std::uint32_t bits) {
    const int exponent = static_cast<int>(bits >> 23 & 255u) - 150;
    const std::int64_t mantissa = (bits & 0x7fffff) | hidden_one;
    if ((bits & ~fp32_sign) == 0) return 0;
    if (exponent > 0 || exponent < -23) return std::nullopt;
    const std::int64_t size = mantissa >> -exponent;
    if (size << -exponent != mantissa) return std::nullopt;
    return bits >> 31 ? -size : size;
}
std::uint32_t bits_of(std::int64_t integer) { // 2^23 to 2^24 - 1
    return two_to_the_23 + static_cast<std::uint32_t>(integer - hidden_one);
}

constexpr std::int64_t largest_exact = 1 << 24;

/// A value that is an integer, as FP32, computed without rounding: products and sums are below 2^24.
std::optional<integer_range> exact_range_of(const row& of, value v, unsigned depth = 0) {
    constexpr unsigned deepest = 12;
    if (const auto constant = of.constant_of(v)) {
        const auto integer = integer_of(*constant);
        if (!integer) return std::nullopt;
        return integer_range{*integer, *integer};
    }
    const int at = of.definition_of(v);
    if (at < 0 || depth > deepest || !of.all_on_before(static_cast<std::size_t>(at))) return std::nullopt;
    const step& s = of.steps[static_cast<std::size_t>(at)];
    if (s.is(opcode::sfpcast) && (s.insn.mod & 3) == 0) {
        const std::uint32_t possible = of.facts_of(s.reads[vc]).possible;
        if (possible >= largest_exact) return std::nullopt;
        return integer_range{0, possible};
    }
    const auto parts = parts_of_multiply_add(of, at);
    if (!parts || parts->negates_a || parts->negates_c) return std::nullopt;
    const auto a = exact_range_of(of, parts->a, depth + 1), b = exact_range_of(of, parts->b, depth + 1),
               c = exact_range_of(of, parts->c, depth + 1);
    if (!a || !b || !c) return std::nullopt;
    const auto products = {a->least * b->least, a->least * b->greatest, a->greatest * b->least,
                           a->greatest * b->greatest};
    const integer_range product{std::min(products), std::max(products)};
    const integer_range sum{product.least + c->least, product.greatest + c->greatest};
    const auto fits = [](const integer_range& r) {
        return -largest_exact <= r.least && r.greatest <= largest_exact;
    };
    if (!fits(product) || !fits(sum)) return std::nullopt;
    return sum;
}

/// The multiply-adds whose addends lead to a constant: the last one first. Each is read by the one behind it
/// only.
std::vector<std::size_t> chain_of_addends(const row& of, value sum) {
    std::vector<std::size_t> chain;
    for (value v = sum; !of.constant_of(v);) {
        const int at = of.definition_of(v);
        if (!parts_of_multiply_add(of, at)) return {};
        if (v != sum && !of.has_one_reader(v)) return {};
        chain.push_back(static_cast<std::size_t>(at));
        v = of.steps[static_cast<std::size_t>(at)].reads[vc];
    }
    return chain;
}

/// A float integer made an integer by its exponent, as compilers and people write it: exponent (lanes with a
/// negative one are off), mantissa, a shift by the exponent.
struct conversion {
    value sum = no_value, result = no_value;
    int up = 0; ///< the integer is shifted up
    std::size_t exponent = 0, mantissa = 0, difference = 0, shift = 0;
};

/// What a value is in the lanes that are off.
value outside(const row& of, value v, condition on) {
    for (int at = of.definition_of(v); at >= 0; at = of.definition_of(v)) {
        const step& s = of.steps[static_cast<std::size_t>(at)];
        if (of.on_before(static_cast<std::size_t>(at)) != on || s.reads[vd] == no_value) break;
        v = s.reads[vd];
    }
    return v;
}

std::optional<conversion> conversion_at(const row& of, std::size_t at) {
    const auto write = predicated_write_at(of, at);
    const step& shift = of.steps[at];
    const bool by_round = shift.is(opcode::sfpshft2) && shift.insn.mod == 5;
    const bool by_simple = shift.is(opcode::sfpshft) && shift.insn.mod == 0;
    if (!write || (!by_round && !by_simple)) return std::nullopt;
    const auto is_under = [&](int where) {
        if (where < 0) return false;
        const condition on = of.on_before(static_cast<std::size_t>(where));
        return on == write->on || on == always;
    };
    const auto step_at = [&](int where) -> const step& { return of.steps[static_cast<std::size_t>(where)]; };
    conversion found;
    found.result = write->result;
    found.shift = at;
    const int mantissa = of.definition_of(shift.reads[by_round ? vb : vd]);
    const int difference = of.definition_of(shift.reads[vc]);
    if (!is_under(mantissa) || !is_under(difference)) return std::nullopt;
    const step &of_mantissa = step_at(mantissa), &of_difference = step_at(difference);
    if (!of_mantissa.is(opcode::sfpexman) || (of_mantissa.insn.mod & 1)) return std::nullopt;
    if (!of_difference.is(opcode::sfpiadd) || of_difference.insn.mod != 5) return std::nullopt;
    const int exponent = of.definition_of(of_difference.reads[vc]);
    if (exponent < 0 || !of.all_on_before(static_cast<std::size_t>(exponent))) return std::nullopt;
    const step& of_exponent = step_at(exponent);
    if (!of_exponent.is(opcode::sfpexexp) || (of_exponent.insn.mod & 1)) return std::nullopt;
    found.sum = of_exponent.reads[vc];
    found.up = of_difference.insn.imm + 23;
    found.exponent = static_cast<std::size_t>(exponent);
    found.mantissa = static_cast<std::size_t>(mantissa);
    found.difference = static_cast<std::size_t>(difference);
    const auto test = literal_of(of, write->on);
    const bool is_normal = test && test->is_sign && !test->holds && test->of == of_exponent.writes[vd];
    if (!is_normal || of_mantissa.reads[vc] != found.sum || found.up < 0 || found.up > 31)
        return std::nullopt;
    const value kept = outside(of, write->old, write->on);
    if (kept != found.sum && of.constant_of(kept) != 0u) return std::nullopt;
    return found;
}

/// The integer in the mantissa of 2^23 + sum, shifted up. The exponent is shifted out by 9 and more.
value integer_in(step_writer& writer, value sum, int up) {
    if (up < 9) sum = writer.of_vc(opcode::sfpexman, sum, 1);
    return up == 0 ? sum : writer.shifted(sum, up);
}

void sum_with_addend(std::vector<site>& found, const row& of, std::size_t at) {
    const auto converted = conversion_at(of, at);
    if (!converted) return;
    const auto range = exact_range_of(of, converted->sum);
    if (!range || range->least < 0 || range->greatest >= hidden_one) return;
    const std::vector<std::size_t> chain = chain_of_addends(of, converted->sum);
    if (chain.empty() || of.constant_of(of.steps[chain.back()].reads[vc]) != 0u) return;
    const std::size_t parts[] = {converted->exponent, converted->mantissa, converted->difference, at};
    for (const int reader : of.readers_of(converted->sum))
        if (std::find(std::begin(parts), std::end(parts), static_cast<std::size_t>(reader)) ==
            std::end(parts))
            return;
    const auto is_between = [&](value v) { // nobody else reads what the conversion makes on its way
        const std::vector<int> readers = of.readers_of(v);
        return std::all_of(readers.begin(), readers.end(), [&](int reader) {
            return std::find(std::begin(parts), std::end(parts), static_cast<std::size_t>(reader)) !=
                   std::end(parts);
        });
    };
    for (const std::size_t part : {converted->exponent, converted->mantissa, converted->difference})
        if (!is_between(of.steps[part].writes[vd])) return;

    row changed = of;
    const unsigned line = of.steps[at].line;
    // Behind the first sum, where all lanes are on, to the place of the exponent.
    step_writer writer(changed, converted->exponent, line);
    const value integer = integer_in(writer, converted->sum, converted->up);
    const std::size_t put = writer.at() - converted->exponent;
    std::vector<std::size_t> gone{converted->mantissa, converted->difference, at};
    // The exponent's lane flags with what makes all lanes be on again, if nothing else is between.
    for (std::size_t i = at + 1; i < of.steps.size(); ++i) {
        if (!of.changes_lanes(of.steps[i])) break;
        if (!(of.lanes_before(i + 1) == of.lanes_before(converted->exponent))) break;
        bool is_alone = true;
        for (std::size_t k = converted->exponent + 1; k < i; ++k)
            is_alone &= std::find(gone.begin(), gone.end(), k) != gone.end();
        if (!is_alone) break;
        gone.insert(gone.end(), {converted->exponent, i});
        break;
    }
    std::sort(gone.begin(), gone.end());
    std::for_each(gone.rbegin(), gone.rend(), [&](std::size_t each) { changed.erase(each + put); });
    std::size_t first = chain.back();
    const value addend = changed.constant_value(two_to_the_23, first);
    changed.steps[first].reads[vc] = addend;
    changed.replace_readers(converted->result, integer);
    add_site(found, std::move(changed), line);
}

std::vector<site> sums_with_addend(const row& of) {
    std::vector<site> found;
    for (std::size_t at = 0; at < of.steps.size(); ++at) sum_with_addend(found, of, at);
    return found;
}

// --- integers that SFPSTOCHRND makes of sums, and integer sums of mantissas --------------------------------

constexpr unsigned to_uint16 = 6;

bool is_integer_sum(const step& s) { return s.is(opcode::sfpiadd) && s.insn.mod == 4; }

std::vector<site> rounded_sums(const row& of) {
    constexpr std::int64_t greatest = 0xffff;
    std::vector<site> found;
    for (std::size_t at = 0; at < of.steps.size(); ++at) {
        const step& s = of.steps[at];
        const bool rounds =
            s.is(opcode::sfpstochrnd) && (s.insn.mod & 7) == to_uint16 && s.insn.rounding == 0;
        if (!rounds || !of.all_on_before(at) || !of.has_one_reader(s.reads[vc])) continue;
        const auto range = exact_range_of(of, s.reads[vc]);
        const std::vector<std::size_t> chain = chain_of_addends(of, s.reads[vc]);
        if (!range || range->least < 0 || range->greatest > greatest || chain.empty()) continue;
        if (of.constant_of(of.steps[chain.back()].reads[vc]) != 0u) continue;
        row changed = of;
        changed.steps[at] = changed.make_step(
            word_of(opcode::sfpexman, 1), {no_value, no_value, s.reads[vc], no_value}, s.writes[vd], s.line);
        std::size_t first = chain.back();
        const value addend = changed.constant_value(two_to_the_23, first);
        changed.steps[first].reads[vc] = addend;
        add_site(found, std::move(changed), s.line);
    }
    return found;
}

/// The step that leaves a value, if that is the mantissa of 2^23 + s and both have one reader.
const step* lone_mantissa(const row& of, value v) {
    const int at = of.definition_of(v);
    if (at < 0 || !of.has_one_reader(v) || !of.all_on_before(static_cast<std::size_t>(at))) return nullptr;
    const step& s = of.steps[static_cast<std::size_t>(at)];
    if (!s.is(opcode::sfpexman) || !(s.insn.mod & 1) || !of.has_one_reader(s.reads[vc])) return nullptr;
    const auto range = exact_range_of(of, s.reads[vc]);
    return range && range->least >= hidden_one && range->greatest < 2 * hidden_one ? &s : nullptr;
}

/// (2^23 + a) + b instead of a + b: the first sum becomes the addend of the second.
void join_mantissas(std::vector<site>& found, const row& of, std::size_t at, value first, value second) {
    const step *const a = lone_mantissa(of, first), *const b = lone_mantissa(of, second);
    if (!a || !b || first == second) return;
    const std::vector<std::size_t> chain = chain_of_addends(of, b->reads[vc]);
    if (chain.empty() || of.constant_of(of.steps[chain.back()].reads[vc]) != two_to_the_23) return;
    const auto range_a = exact_range_of(of, a->reads[vc]), range_b = exact_range_of(of, b->reads[vc]);
    if (range_a->greatest + range_b->greatest - hidden_one >= 2 * hidden_one) return;
    if (of.definition_of(a->reads[vc]) >= static_cast<int>(chain.back())) return;
    row changed = of;
    changed.steps[chain.back()].reads[vc] = a->reads[vc];
    changed.replace_readers(of.steps[at].writes[vd], second);
    changed.erase(at);
    changed.erase(static_cast<std::size_t>(of.definition_of(first)));
    add_site(found, std::move(changed), of.steps[at].line);
}

std::vector<site> sums_of_mantissas(const row& of) {
    std::vector<site> found;
    for (std::size_t at = 0; at < of.steps.size(); ++at) {
        const step& s = of.steps[at];
        if (!is_integer_sum(s) || !of.all_on_before(at)) continue;
        join_mantissas(found, of, at, s.reads[vc], s.reads[vd]);
        join_mantissas(found, of, at, s.reads[vd], s.reads[vc]);
    }
    return found;
}

// --- constants that move from one sum into another ---------------------------------------------------------

/// A sum that is shifted up, whose addend can take a constant.
struct shifted_sum {
    int up = 0;
    std::size_t first = 0;     ///< the step with the constant addend
    std::int64_t addend = 0;   ///< as it is
    std::int64_t greatest = 0; ///< of the sum
};
std::optional<shifted_sum> shifted_sum_of(const row& of, value v) {
    const int at = of.definition_of(v);
    if (at < 0 || !of.has_one_reader(v)) return std::nullopt;
    const step& s = of.steps[static_cast<std::size_t>(at)];
    if (!s.is(opcode::sfpshft) || s.insn.mod != 1 || s.insn.imm < 9 || s.insn.imm > 31) return std::nullopt;
    const value sum = s.reads[vd];
    const auto range = exact_range_of(of, sum);
    const std::vector<std::size_t> chain = chain_of_addends(of, sum);
    if (!range || chain.empty() || range->least < hidden_one || !of.has_one_reader(sum)) return std::nullopt;
    const auto addend = integer_of(of.constant_of(of.steps[chain.back()].reads[vc]).value_or(1));
    if (!addend || *addend < hidden_one) return std::nullopt;
    return shifted_sum{s.insn.imm, chain.back(), *addend, range->greatest};
}

/// The mantissa of 2^23 + s is its bits less those of 2^23: they go into the addend of another sum.
void fold_mantissa(std::vector<site>& found, const row& of, std::size_t at) {
    const step& s = of.steps[at];
    if (!s.is(opcode::sfpexman) || !(s.insn.mod & 1) || !of.all_on_before(at)) return;
    const auto range = exact_range_of(of, s.reads[vc]);
    if (!range || range->least < hidden_one || range->greatest >= 2 * hidden_one) return;
    constexpr std::uint32_t missing = 0u - two_to_the_23;
    for (value v = s.writes[vd]; of.has_one_reader(v);) {
        const int reader = of.readers_of(v).front();
        if (reader == static_cast<int>(of.steps.size())) return;
        const step& sum = of.steps[static_cast<std::size_t>(reader)];
        if (!is_integer_sum(sum) || !of.all_on_before(static_cast<std::size_t>(reader))) return;
        const value other = sum.reads[vc] == v ? sum.reads[vd] : sum.reads[vc];
        v = sum.writes[vd];
        const auto taker = shifted_sum_of(of, other);
        if (!taker) continue;
        const std::int64_t more = missing >> taker->up;
        if (static_cast<std::uint32_t>(more) << taker->up != missing ||
            taker->greatest + more >= 2 * hidden_one)
            continue;
        row changed = of;
        changed.erase(at);
        changed.replace_readers(s.writes[vd], s.reads[vc]);
        std::size_t first = taker->first - (taker->first > at ? 1 : 0);
        const value addend = changed.constant_value(bits_of(taker->addend + more), first);
        changed.steps[first].reads[vc] = addend;
        add_site(found, std::move(changed), s.line);
        return;
    }
}

std::vector<site> fold_mantissas(const row& of) {
    std::vector<site> found;
    for (std::size_t at = 0; at < of.steps.size(); ++at) fold_mantissa(found, of, at);
    return found;
}

} // namespace

const std::vector<rule> sum_rules = {
    {"integer-sum",
     "an FP32 sum that becomes an integer by its exponent begins with 2^23: its mantissa is the integer",
     "products and sums are integers, 0 <= sum < 2^23", sums_with_addend},
    {"integer-sum-bias",
     "SFPEXMAN of 2^23 + s in an integer sum goes: another sum's addend takes the difference",
     "that sum is shifted up by k, the difference is a multiple of 2^k, and the sum stays below 2^24",
     fold_mantissas},
    {"integer-rounding",
     "SFPSTOCHRND of an FP32 sum to 16 bits: the sum begins with 2^23, and its mantissa is the integer",
     "products and sums are integers, 0 <= sum < 2^16", rounded_sums},
    {"mantissa-sum", "the sum of two mantissas, of 2^23 + a and of 2^23 + b, is that of (2^23 + a) + b",
     "products and sums are integers, a + b < 2^23; nobody else reads them", sums_of_mantissas},
};

} // namespace sfpu::rewriting
